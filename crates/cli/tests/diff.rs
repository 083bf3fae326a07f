//! `promptblock diff` and `promptblock tokens` as a user runs them, with real repositories.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::expect;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use support::{project, run, run_with, shown, write};
use tempfile::TempDir;

fn block(id: &str, zone: &str, order: i32, body: &str) -> String {
    format!("---\nid: {id}\nzone: {zone}\norder: {order}\ntemplate: true\n---\n{body}\n")
}

fn git(folder: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main"];
    let output = Command::new("git")
        .args(identity)
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .expect("git");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

fn commit(folder: &Path) {
    git(folder, &["add", "-A", "-f"]);
    git(folder, &["commit", "-q", "--allow-empty", "-m", "x"]);
}

const ENVIRONMENTS: &str =
    r#"{"day": {"hero": "Ada", "light": true}, "night": {"hero": "Bob", "light": true}}"#;
const CATALOG: &str = r#"{"variables": {"hero": {}, "light": {}}}"#;

/// A repository with one commit.
fn repository() -> TempDir {
    let folder = project(&[
        ("promptblock.toml", "environment = \"day\"\n[budget]\nsystem = 40\ncontext = 4\n"),
        ("promptblock.catalog.json", CATALOG),
        ("promptblock.env.json", ENVIRONMENTS),
        ("a.promptblock", &block("人设:身份", "system", 10, "I am an assistant.")),
        ("b.promptblock", &block("bot:rules", "system", 120, "Be brief, {hero}.")),
        (
            "deep/c.promptblock",
            &block("bot:time", "context", 1, "{if light}It is light and {hero} is awake.{/if}"),
        ),
        ("d.promptblock", &block("bot:input", "input", 0, "{prompt}").replace("order: 0\n", "")),
    ]);
    git(folder.path(), &["init", "-q"]);
    commit(folder.path());
    folder
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run_with(folder, arguments, "");
    assert!(output.status.success(), "{}", shown(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn tokens_by_zone_and_block() {
    let folder = repository();
    expect![[r#"
        exit 0
        block      zone     order  tokens
        人设:身份  system      10       5
        bot:rules  system     120       5
        bot:time   context      1       8
        bot:input  input        0       3

        system    10  budget: 11 of 40, as written
        prelude    0
        contexts   8  budget exceeded: 17 of 4, as written
        input      3
        total     21

        counted with o200k, in environment day; tool schemas are not counted
    "#]]
    .assert_eq(&run(folder.path(), &["tokens"]));
    expect![[r#"
        exit 0
        {
          "version": 1,
          "vocabulary": "o200k",
          "zones": {
            "system": 10,
            "prelude": 0,
            "contexts": 8,
            "input": 3
          },
          "usage": [
            {
              "class": "tools",
              "tokens": 0
            },
            {
              "class": "system",
              "tokens": 10
            },
            {
              "class": "prelude",
              "tokens": 0
            },
            {
              "class": "contexts",
              "tokens": 8
            },
            {
              "class": "input",
              "tokens": 3
            }
          ],
          "blocks": [
            {
              "id": "人设:身份",
              "path": "a.promptblock",
              "zone": "system",
              "order": 10,
              "tokens": 5
            },
            {
              "id": "bot:rules",
              "path": "b.promptblock",
              "zone": "system",
              "order": 120,
              "tokens": 5
            },
            {
              "id": "bot:time",
              "path": "deep/c.promptblock",
              "zone": "context",
              "order": 1,
              "tokens": 8
            },
            {
              "id": "bot:input",
              "path": "d.promptblock",
              "zone": "input",
              "order": 0,
              "tokens": 3
            }
          ]
        }
    "#]]
    .assert_eq(&run(folder.path(), &["tokens", "--format", "json", "--env", "night"]));
    expect![[r#"
        exit 2
        -- standard error --
        promptblock: no environment `noon`; known: day, night
    "#]]
    .assert_eq(&run(folder.path(), &["tokens", "--env", "noon"]));
    // From below, paths are those of the working directory.
    let below = json(&folder.path().join("deep"), &["tokens", "--format", "json"]);
    assert_eq!(below["blocks"][0]["path"], "../a.promptblock");
}

#[test]
fn no_blocks_are_no_tokens() {
    let folder = project(&[("promptblock.toml", "vocabulary = \"estimate\"\n")]);
    expect![[r#"
        exit 0
        system    0
        prelude   0
        contexts  0
        input     3
        total     3

        estimated, without an environment; tool schemas are not counted
    "#]]
    .assert_eq(&run(folder.path(), &["tokens"]));
}

#[test]
fn a_tree_and_itself() {
    let folder = repository();
    expect![[r#"
        exit 0
        from HEAD to the work tree

        the cached prefix stays the same
        survives    10  tokens
        recomputed   0  tokens
        digest before  sha256:2a468ed642d47317b875e18e6bfa235d03cc4163300bdafc0130ea4a434f6aa0
        digest after   sha256:2a468ed642d47317b875e18e6bfa235d03cc4163300bdafc0130ea4a434f6aa0

        system   budget: 11 of 40, as written
        context  budget exceeded: 17 of 4, as written

        tool schemas are not counted
    "#]]
    .assert_eq(&run(folder.path(), &["diff", "--rev", "HEAD"]));
    expect![[r#"
        exit 0
        ### Prompt cache

        **The cached prefix stays the same:** all of its 10 tokens go on being reused.

        From `HEAD` to the work tree.

        | Stable prefix | before | after |
        |---|--:|--:|
        | tokens | 10 | 10 |
        | still cached | | 10 |
        | computed anew | | 0 |
        | digest | `sha256:2a468ed642d4` | `sha256:2a468ed642d4` |

        - `system`: budget: 11 of 40, as written
        - `context`: budget exceeded: 17 of 4, as written

        <sub>Tokens by the vocabulary o200k. Tool schemas are not counted.</sub>
    "#]]
    .assert_eq(&run(folder.path(), &["diff", "--rev", "HEAD", "--format", "markdown"]));
    let both = json(folder.path(), &["diff", "--env", "day", "--then", "day", "--format", "json"]);
    assert_eq!(
        (&both["same"], &both["firstChanged"], &both["recomputed"]),
        (&true.into(), &Value::Null, &0.into())
    );
    assert_eq!(both["before"], both["after"]);
}

#[test]
fn a_revision_and_the_work_tree() {
    let folder = repository();
    write(
        folder.path(),
        "b.promptblock",
        block("bot:rules", "system", 120, "Be very brief, {hero}.").as_bytes(),
    );
    write(folder.path(), "e.promptblock", block("bot:more", "system", 130, "More.").as_bytes());
    fs::remove_file(folder.path().join("deep/c.promptblock")).expect("removed");
    expect![[r#"
        exit 0
        from HEAD to the work tree

        first block of the prefix that differs: bot:rules (changed)
        survives    6  tokens
        recomputed  7  tokens
        digest before  sha256:2a468ed642d47317b875e18e6bfa235d03cc4163300bdafc0130ea4a434f6aa0
        digest after   sha256:a6ebc0a30bb306074d3e76f37d0f847ea7a23bdf54ba3c863ce9bf0a1f96605e

        block      zone              before  after
        bot:rules  system   changed       5      6
        bot:more   system   added         –      2
        bot:time   context  removed       8      –

        system   budget: 14 of 40, as written
        context  budget: 0 of 4, as written

        tool schemas are not counted
    "#]]
    .assert_eq(&run(folder.path(), &["diff", "--rev", "HEAD"]));
    expect![[r#"
        exit 0
        {
          "version": 1,
          "same": false,
          "firstChanged": "bot:rules",
          "survives": 6,
          "recomputed": 7,
          "before": {
            "digest": "sha256:2a468ed642d47317b875e18e6bfa235d03cc4163300bdafc0130ea4a434f6aa0"
          },
          "after": {
            "digest": "sha256:a6ebc0a30bb306074d3e76f37d0f847ea7a23bdf54ba3c863ce9bf0a1f96605e"
          }
        }
    "#]]
    .assert_eq(&run(folder.path(), &["diff", "--rev", "main", "--format", "json"]));
    expect![[r#"
        exit 0
        ### Prompt cache

        **7 of 13 prefix tokens are computed anew**, by the next request, and by every one from then on if what differs goes on changing (a clock, a counter); 6 survive. The first block that differs is `bot:rules` (changed).

        From `HEAD` to the work tree.

        | Stable prefix | before | after |
        |---|--:|--:|
        | tokens | 10 | 13 |
        | still cached | | 6 |
        | computed anew | | 7 |
        | digest | `sha256:2a468ed642d4` | `sha256:a6ebc0a30bb3` |

        | Block | zone | change | tokens before | tokens after |
        |---|---|---|--:|--:|
        | `bot:rules` | system | changed | 5 | 6 |
        | `bot:more` | system | added | – | 2 |
        | `bot:time` | context | removed | 8 | – |

        - `system`: budget: 14 of 40, as written
        - `context`: budget: 0 of 4, as written

        <sub>Tokens by the vocabulary o200k. Tool schemas are not counted.</sub>
    "#]].assert_eq(&run(folder.path(), &["diff", "--rev", "HEAD", "--format", "markdown"]));
    // The same from a folder below, for a path of the project, and for a tag.
    git(folder.path(), &["tag", "-a", "-m", "v", "v1"]);
    let all = json(folder.path(), &["diff", "--rev", "HEAD", "--format", "json"]);
    assert_eq!(json(folder.path(), &["diff", "a.promptblock", "--rev", "v1", "--format", "json"]), all);
    fs::create_dir_all(folder.path().join("deep")).expect("a folder");
    assert_eq!(json(&folder.path().join("deep"), &["diff", "--rev", "HEAD^{}", "--format", "json"]), all);
}

#[test]
fn settings_of_the_revision_count() {
    let folder = repository();
    let was = json(folder.path(), &["diff", "--rev", "HEAD", "--format", "json"]);
    let env = ENVIRONMENTS.replace("Ada", "Eve");
    write(folder.path(), "promptblock.env.json", env.as_bytes());
    let now = json(folder.path(), &["diff", "--rev", "HEAD", "--format", "json"]);
    assert_eq!((&now["before"], &now["firstChanged"]), (&was["after"], &"bot:rules".into()));
    assert_ne!(now["after"], was["after"]);
    // A catalog that no revision holds counts for both.
    let folder = repository();
    write(folder.path(), "promptblock.catalog.local.json", br#"{"variables": {"more": {}}}"#);
    write(folder.path(), "b.promptblock", block("bot:rules", "system", 120, "Be brief, {hero}.").as_bytes());
    assert_eq!(json(folder.path(), &["diff", "--rev", "HEAD", "--format", "json"])["same"], true);
}

#[test]
fn a_project_within_a_repository() {
    let folder = repository();
    let inner = folder.path().join("plugins/chat");
    write(&inner, "promptblock.toml", b"");
    write(&inner, "x.promptblock", block("x:a", "system", 1, "inner").as_bytes());
    write(&inner, "ignored/y.promptblock", block("x:b", "system", 2, "not there").as_bytes());
    write(folder.path(), ".gitignore", b"ignored/\n");
    // It was not there: all of it is new.
    let new = json(&inner, &["diff", "--rev", "HEAD", "--format", "json"]);
    assert_eq!(
        (&new["firstChanged"], &new["survives"], &new["recomputed"]),
        (&"x:a".into(), &0.into(), &1.into())
    );
    commit(folder.path());
    // What is ignored stays ignored there, though somebody has committed it.
    assert_eq!(json(&inner, &["diff", "--rev", "HEAD", "--format", "json"])["same"], true);
    // The outer project does not hear of the inner one.
    assert_eq!(json(folder.path(), &["diff", "--rev", "HEAD~1", "--format", "json"])["same"], true);
}

#[test]
fn blocks_in_source_code() {
    let source = "ctx.prompt.variable({name: 'hero'}, () => 'Ada')\nctx.prompt.block({id: 'p:a', zone: 'system', order: 10, \
                  template: true, content: `I am {hero}, 你好，世界.`})\n";
    let folder = project(&[
        ("promptblock.toml", "vocabulary = \"cl100k\"\n[budget]\nsystem = 1\n"),
        ("promptblock.env.json", r#"{"e": {"hero": "Ada"}}"#),
        ("src/plugin.ts", source),
    ]);
    git(folder.path(), &["init", "-q"]);
    commit(folder.path());
    let tokens = json(folder.path(), &["tokens", "--format", "json"]);
    assert_eq!(
        (&tokens["blocks"][0]["id"], &tokens["blocks"][0]["path"]),
        (&"p:a".into(), &"src/plugin.ts".into())
    );
    assert_eq!(json(folder.path(), &["diff", "--rev", "HEAD", "--format", "json"])["same"], true);
    let shown = run(folder.path(), &["tokens"]);
    assert!(shown.contains("budget exceeded: 13 of 1"), "{shown}");
    write(folder.path(), "src/plugin.ts", source.replace("I am", "I was").as_bytes());
    assert_eq!(json(folder.path(), &["diff", "--rev", "HEAD", "--format", "json"])["firstChanged"], "p:a");
}

#[test]
fn line_ends_of_a_checkout_are_no_change() {
    let folder = repository();
    for name in ["a.promptblock", "b.promptblock"] {
        let path = folder.path().join(name);
        let text = fs::read_to_string(&path).expect("a file").replace('\n', "\r\n");
        fs::write(path, text).expect("written");
    }
    assert_eq!(json(folder.path(), &["diff", "--rev", "HEAD", "--format", "json"])["same"], true);
}

#[test]
fn two_environments() {
    let folder = repository();
    expect![[r#"
        exit 0
        from environment day to environment night

        first block of the prefix that differs: bot:rules (changed)
        survives    8  tokens
        recomputed  2  tokens
        digest before  sha256:2a468ed642d47317b875e18e6bfa235d03cc4163300bdafc0130ea4a434f6aa0
        digest after   sha256:39a6e6dfdccc28901f62a81e42847c283b449fea2ee8d4861e7533a2afed4173

        block      zone              before  after
        bot:rules  system   changed       5      5
        bot:time   context  changed       8      8

        system   budget: 11 of 40, as written
        context  budget exceeded: 17 of 4, as written

        tool schemas are not counted
    "#]]
    .assert_eq(&run(folder.path(), &["diff", "--env", "day", "--then", "night"]));
    expect![[r#"
        exit 0
        ### Prompt cache

        **2 of 10 prefix tokens are computed anew**, each time the environment changes so and the prefix is not pinned, on every request if it goes on changing; 8 survive. The first block that differs is `bot:rules` (changed).

        From environment `day` to environment `night`.

        | Stable prefix | before | after |
        |---|--:|--:|
        | tokens | 10 | 10 |
        | still cached | | 8 |
        | computed anew | | 2 |
        | digest | `sha256:2a468ed642d4` | `sha256:39a6e6dfdccc` |

        | Block | zone | change | tokens before | tokens after |
        |---|---|---|--:|--:|
        | `bot:rules` | system | changed | 5 | 5 |
        | `bot:time` | context | changed | 8 | 8 |

        - `system`: budget: 11 of 40, as written
        - `context`: budget exceeded: 17 of 4, as written

        <sub>Tokens by the vocabulary o200k. Tool schemas are not counted.</sub>
    "#]]
        .assert_eq(&run(folder.path(), &["diff", "--env", "day", "--then", "night", "--format", "markdown"]));
}

#[test]
fn in_chinese() {
    let folder = repository();
    let config = "locale = \"zh-CN\"\nenvironment = \"day\"\n[budget]\nsystem = 4\n";
    write(folder.path(), "promptblock.toml", config.as_bytes());
    write(folder.path(), "b.promptblock", block("bot:rules", "system", 120, "简短，{hero}。").as_bytes());
    expect![[r#"
        exit 0
        从 HEAD 到工作区

        前缀中第一个不同的块：bot:rules（已修改）
        仍可复用    5  个 token
        需重新计算  5  个 token
        原摘要  sha256:2a468ed642d47317b875e18e6bfa235d03cc4163300bdafc0130ea4a434f6aa0
        新摘要  sha256:8c81d9bb856f88156242c589d02990da32634ea01313707466f46eb2fb433b2d

        块         区              之前  之后
        bot:rules  system  已修改     5     5

        system  超出预算：12 / 4（按原文计）

        不含工具定义
    "#]]
    .assert_eq(&run(folder.path(), &["diff", "--rev", "HEAD"]));
    expect![[r#"
        exit 0
        ### 提示词缓存

        **前缀的 10 个 token 中有 5 个要重新计算**，由下一次请求完成；若不同之处会持续变化（时钟、计数器），则此后每次请求都要重新计算；5 个仍可复用。第一个不同的块是 `bot:rules`（已修改）。

        从 `HEAD` 到工作区。

        | 稳定前缀 | 之前 | 之后 |
        |---|--:|--:|
        | token 数 | 10 | 10 |
        | 仍在缓存中 | | 5 |
        | 重新计算 | | 5 |
        | 摘要 | `sha256:2a468ed642d4` | `sha256:8c81d9bb856f` |

        | 块 | 区 | 变化 | 之前的 token 数 | 之后的 token 数 |
        |---|---|---|--:|--:|
        | `bot:rules` | system | 已修改 | 5 | 5 |

        - `system`: 超出预算：12 / 4（按原文计）

        <sub>token 按词表 o200k 计数。不含工具定义。</sub>
    "#]].assert_eq(&run(folder.path(), &["diff", "--rev", "HEAD", "--format", "markdown"]));
    expect![[r#"
        exit 0
        块         区       顺序  token 数
        人设:身份  system     10         5
        bot:rules  system    120         5
        bot:time   context     1         8
        bot:input  input       0         3

        system    10  超出预算：12 / 4（按原文计）
        prelude    0
        contexts   8
        input      3
        合计      21

        按 o200k 计数，环境为 day；不含工具定义
    "#]]
    .assert_eq(&run(folder.path(), &["tokens"]));
}

#[test]
fn names_do_not_act_in_a_comment() {
    let folder = repository();
    let hostile = r#""<img src=x onerror=a>|`@all` [x](y)\n# big""#;
    write(folder.path(), "e.promptblock", block(hostile, "system", 1, "x").as_bytes());
    let comment = run(folder.path(), &["diff", "--rev", "HEAD", "--format", "markdown"]);
    expect!["| `` <img src=x onerror=a>│`@all` [x](y)␊# big `` | system | added | – | 1 |"]
        .assert_eq(comment.lines().find(|line| line.starts_with("| `` <img")).unwrap_or(&comment));
    assert!(!comment.contains("\n# big"), "{comment}");
}

#[test]
fn a_refused_side() {
    let folder = repository();
    write(folder.path(), "e.promptblock", block("bot:rules", "system", 1, "x").as_bytes());
    let object = |arguments: &[&str]| -> Value {
        let output = run_with(folder.path(), &[arguments, &["--format", "json"]].concat(), "");
        assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    // As `check` says it.
    let refused = object(&["diff", "--rev", "HEAD"]);
    let mut found = object(&["check"])["diagnostics"].as_array().expect("a list").clone();
    found.retain(|it| it["code"] == "duplicate-id");
    assert_eq!((refused["version"].as_u64(), found.len()), (Some(1), 2));
    assert_eq!(refused["refused"], Value::from(found));
    expect![[r#"
        exit 1
        ### Prompt cache

        **The blocks of the work tree give no prompt:** `duplicate-id` × 2. `promptblock check` shows where.
        -- standard error --
        error[duplicate-id]: another block has the id `bot:rules` too
         --> b.promptblock:2:5
          |
        2 | id: bot:rules
          |     ^^^^^^^^^
          |
        note: the other `bot:rules`
         --> e.promptblock:2:5
          |
        2 | id: bot:rules
          |     ---------
        help: Rename this one to `bot:rules-2`

        error[duplicate-id]: another block has the id `bot:rules` too
         --> e.promptblock:2:5
          |
        2 | id: bot:rules
          |     ^^^^^^^^^
          |
        note: the other `bot:rules`
         --> b.promptblock:2:5
          |
        2 | id: bot:rules
          |     ---------
        help: Rename this one to `bot:rules-2`

        2 findings in 2 files (2 blocks): 2 errors, 0 warnings, 0 information, 0 hints
    "#]]
    .assert_eq(&run(folder.path(), &["diff", "--rev", "HEAD", "--format", "markdown"]));
    commit(folder.path());
    fs::remove_file(folder.path().join("e.promptblock")).expect("removed");
    expect![[r#"
        exit 1
        -- standard error --
        promptblock: HEAD: the blocks give no prompt
        error[duplicate-id]: another block has the id `bot:rules` too
         --> HEAD:b.promptblock:2:5
          |
        2 | id: bot:rules
          |     ^^^^^^^^^
          |
        note: the other `bot:rules`
         --> HEAD:e.promptblock:2:5
          |
        2 | id: bot:rules
          |     ---------

        error[duplicate-id]: another block has the id `bot:rules` too
         --> HEAD:e.promptblock:2:5
          |
        2 | id: bot:rules
          |     ^^^^^^^^^
          |
        note: the other `bot:rules`
         --> HEAD:b.promptblock:2:5
          |
        2 | id: bot:rules
          |     ---------

        2 findings in 2 files (2 blocks): 2 errors, 0 warnings, 0 information, 0 hints
    "#]]
    .assert_eq(&run(folder.path(), &["diff", "--rev", "HEAD"]));
    expect![[r#"
        exit 0
        block      zone     order  tokens
        人设:身份  system      10       5
        bot:rules  system     120       5
        bot:time   context      1       8
        bot:input  input        0       3

        system    10  budget: 11 of 40, as written
        prelude    0
        contexts   8  budget exceeded: 17 of 4, as written
        input      3
        total     21

        counted with o200k, in environment day; tool schemas are not counted
    "#]]
    .assert_eq(&run(folder.path(), &["tokens"]));
}

#[test]
fn wrong_use() {
    let folder = repository();
    let all: Vec<String> = [
        &["diff"][..],
        &["diff", "--rev", ""],
        &["diff", "--rev", "--upload-pack=x"],
        &["diff", "--rev=-x"],
        &["diff", "--rev", "no-such"],
        &["diff", "--rev", "^HEAD"],
        &["diff", "--rev", "HEAD:a.promptblock"],
        &["diff", "--rev", "HEAD..HEAD"],
        &["diff", "--rev", "HEAD", "--env", "day"],
        &["diff", "--env", "day"],
        &["diff", "--then", "day"],
        &["diff", "--env", "day", "--then", "noon"],
        &["diff", "no-such-path", "--rev", "HEAD"],
        &["diff", "--rev", "HEAD", "--format", "html"],
    ]
    .iter()
    .map(|arguments| format!("{}: {}", arguments.join(" "), run(folder.path(), arguments)))
    .collect();
    expect![[r#"
        diff: exit 2
        -- standard error --
        promptblock: give --rev, or --env and --then (`promptblock --help` says more)
        diff --rev : exit 2
        -- standard error --
        promptblock: no commit `` in this repository
        diff --rev --upload-pack=x: exit 2
        -- standard error --
        promptblock: no commit `--upload-pack=x` in this repository
        diff --rev=-x: exit 2
        -- standard error --
        promptblock: no commit `-x` in this repository
        diff --rev no-such: exit 2
        -- standard error --
        promptblock: no commit `no-such` in this repository
        diff --rev ^HEAD: exit 2
        -- standard error --
        promptblock: no commit `^HEAD` in this repository
        diff --rev HEAD:a.promptblock: exit 2
        -- standard error --
        promptblock: no commit `HEAD:a.promptblock` in this repository
        diff --rev HEAD..HEAD: exit 2
        -- standard error --
        promptblock: no commit `HEAD..HEAD` in this repository
        diff --rev HEAD --env day: exit 2
        -- standard error --
        promptblock: --rev <REV> cannot be used with --env <NAME> (`promptblock --help` says more)
        diff --env day: exit 2
        -- standard error --
        promptblock: --then <NAME> is missing (`promptblock --help` says more)
        diff --then day: exit 2
        -- standard error --
        promptblock: give --rev, or --env and --then (`promptblock --help` says more)
        diff --env day --then noon: exit 2
        -- standard error --
        promptblock: no environment `noon`; known: day, night
        diff no-such-path --rev HEAD: exit 2
        -- standard error --
        promptblock: no-such-path: no such file or folder
        diff --rev HEAD --format html: exit 2
        -- standard error --
        promptblock: `html` is no value of --format <FORMAT>; there are: text, json, markdown
    "#]]
    .assert_eq(&all.concat());
}

#[test]
fn no_repository_and_no_git() {
    let folder = project(&[("promptblock.toml", "")]);
    let text = run(folder.path(), &["diff", "--rev", "HEAD"]);
    let path = folder.path().canonicalize().expect("a folder");
    expect![[r#"
        exit 2
        -- standard error --
        promptblock: <folder> is not in a git repository
    "#]]
    .assert_eq(&text.replace(path.to_str().expect("UTF-8"), "<folder>"));

    let output = Command::new(env!("CARGO_BIN_EXE_promptblock"))
        .args(["diff", "--rev", "HEAD"])
        .current_dir(folder.path())
        .env("PATH", folder.path())
        .env("LC_ALL", "zh_CN.UTF-8")
        .output()
        .expect("the binary");
    expect![[r#"
        exit 2
        -- standard error --
        promptblock: 找不到 `git`：读取版本需要它
    "#]]
    .assert_eq(&shown(&output));

    // A repository without a commit.
    git(folder.path(), &["init", "-q"]);
    expect![[r#"
        exit 2
        -- standard error --
        promptblock: no commit `HEAD` in this repository
    "#]]
    .assert_eq(&run(folder.path(), &["diff", "--rev", "HEAD"]));
}

#[test]
fn a_path_in_another_repository() {
    let (here, there) = (repository(), repository());
    write(there.path(), "a.promptblock", block("人设:身份", "system", 10, "Another.").as_bytes());
    let path = there.path().to_str().expect("UTF-8");
    // The path's own repository counts, wherever one stands.
    let found = json(here.path(), &["diff", path, "--rev", "HEAD", "--format", "json"]);
    assert_eq!(found["firstChanged"], "人设:身份");
}

#[test]
fn a_block_that_leaves_its_zone() {
    let folder = repository();
    write(folder.path(), "b.promptblock", block("bot:rules", "context", 120, "Be brief, {hero}.").as_bytes());
    let text = run(folder.path(), &["diff", "--rev", "HEAD"]);
    let lines = |text: &str| {
        text.lines().filter(|it| it.contains("bot:rules")).map(|it| format!("{it}\n")).collect::<String>()
    };
    expect![[r#"
        first block of the prefix that differs: bot:rules (moved from system to context)
        bot:rules  context  moved from system to context       5      5
    "#]]
    .assert_eq(&lines(&text));
    let comment = run(folder.path(), &["diff", "--rev", "HEAD", "--format", "markdown"]);
    expect![[r#"
        **0 of 5 prefix tokens are computed anew**, by the next request, and by every one from then on if what differs goes on changing (a clock, a counter); 5 survive. The first block that differs is `bot:rules` (moved from system to context).
        | `bot:rules` | context | moved from system to context | 5 | 5 |
    "#]].assert_eq(&lines(&comment));
    write(folder.path(), "promptblock.toml", b"environment = \"day\"\nlocale = \"zh-CN\"\n");
    expect![[r#"
        前缀中第一个不同的块：bot:rules（从 system 区移到 context 区）
        bot:rules  context  从 system 区移到 context 区     5     5
    "#]]
    .assert_eq(&lines(&run(folder.path(), &["diff", "--rev", "HEAD"])));
    // The object is a contract, and goes on naming the prefix alone.
    assert_eq!(
        json(folder.path(), &["diff", "--rev", "HEAD", "--format", "json"])["firstChanged"],
        "bot:rules"
    );
}

#[test]
fn no_blocks_in_the_revision() {
    let folder = repository();
    let moved = folder.path().join("moved");
    write(&moved, "promptblock.toml", b"");
    write(&moved, "x.promptblock", block("x:a", "system", 1, "inner").as_bytes());
    let text = run(folder.path(), &["diff", "moved", "--rev", "HEAD"]);
    assert!(text.contains("\n`HEAD` has no blocks in `moved`\n"), "{text}");
    assert!(text.contains("x:a"), "{text}");
    let text = run(folder.path(), &["diff", "moved", "--rev", "HEAD", "--format", "markdown"]);
    assert!(text.contains("\n`HEAD` has no blocks in `moved`.\n"), "{text}");
    let text = run(&moved, &["diff", "--rev", "HEAD", "--format", "json"]);
    assert!(text.contains("promptblock: `HEAD` has no blocks in `.`\n"), "{text}");
    let text = run(folder.path(), &["diff", "--rev", "HEAD"]);
    assert!(!text.contains("no blocks"), "{text}");
}

#[test]
fn a_refused_revision() {
    let folder = repository();
    let inner = folder.path().join("plugins/chat");
    write(&inner, "promptblock.toml", b"");
    write(&inner, "x.promptblock", block("x:a", "system", 1, "x").as_bytes());
    write(&inner, "y.promptblock", block("x:a", "system", 2, "y").as_bytes());
    commit(folder.path());
    fs::remove_file(inner.join("y.promptblock")).expect("removed");
    let comment = run(&inner, &["diff", "--rev", "HEAD", "--format", "markdown"]);
    expect![[r#"
        exit 1
        ### Prompt cache

        **The blocks of `HEAD` give no prompt:** `duplicate-id` × 2.
        -- standard error --
        error[duplicate-id]: another block has the id `x:a` too
         --> HEAD:plugins/chat/x.promptblock:2:5
          |
        2 | id: x:a
          |     ^^^
          |
        note: the other `x:a`
         --> HEAD:plugins/chat/y.promptblock:2:5
          |
        2 | id: x:a
          |     ---

        error[duplicate-id]: another block has the id `x:a` too
         --> HEAD:plugins/chat/y.promptblock:2:5
          |
        2 | id: x:a
          |     ^^^
          |
        note: the other `x:a`
         --> HEAD:plugins/chat/x.promptblock:2:5
          |
        2 | id: x:a
          |     ---

        2 findings in 2 files (2 blocks): 2 errors, 0 warnings, 0 information, 0 hints
    "#]]
    .assert_eq(&comment);
    // The work tree is what `check` sees.
    write(&inner, "promptblock.toml", b"locale = \"zh-CN\"\n");
    commit(folder.path());
    write(&inner, "y.promptblock", block("x:a", "system", 2, "y").as_bytes());
    let comment = run(&inner, &["diff", "--rev", "HEAD", "--format", "markdown"]);
    let said = "**工作区中的块无法组装成提示词：**`duplicate-id` × 2。位置可用 `promptblock check` 查看。\n";
    assert!(comment.contains(said), "{comment}");
    fs::remove_file(inner.join("y.promptblock")).expect("removed");
    let object = run(&inner, &["diff", "--rev", "HEAD~1", "--format", "json"]);
    assert!(object.contains(r#""path": "HEAD~1:plugins/chat/y.promptblock""#), "{object}");
    assert!(object.contains(r#""fixes": []"#) && !object.contains("title"), "{object}");
}
