//! `promptblock assemble` as a user runs it.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::expect;
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};
use support::{project, run, run_with, shown, write};
use tempfile::TempDir;

fn block(id: &str, zone: &str, order: i32, body: &str) -> String {
    format!("---\nid: {id}\nzone: {zone}\norder: {order}\ntemplate: true\n---\n{body}\n")
}

const CATALOG: &str = r#"{"variables": {
    "hero": {"example": "Zoe"}, "night": {"type": "boolean"}, "time": {"mutable": true}, "names": {"type": "list"}, "n": {"type": "number"}
}}"#;

fn bot() -> TempDir {
    project(&[
        ("promptblock.toml", "environment = \"day\"\n"),
        ("promptblock.catalog.json", CATALOG),
        (
            "promptblock.env.json",
            r#"{"day": {"hero": "Ada", "night": false, "extra": {"time": "9:00"}}, "night": {"hero": "Bob", "night": true, "time": 22}}"#,
        ),
        ("a.promptblock", &block("bot:人设", "system", 10, "I am {hero}{if night}, awake{/if}.")),
        ("b.promptblock", &block("bot:q", "system", 85, "你好").replace("template", "role: user\ntemplate")),
        ("c.promptblock", &block("bot:time", "context", 100, "It is {time}.")),
        ("d.promptblock", &block("bot:i2", "input", 2, "<{prompt}>")),
        ("e.promptblock", &block("bot:i1", "input", 1, "{hero}: {prompt}")),
    ])
}

fn json(folder: &Path, arguments: &[&str]) -> Value {
    let output = run_with(folder, arguments, "");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn codes(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|it| it["code"].as_str().expect("a code")).collect()
}

#[test]
fn the_object() {
    let folder = bot();
    expect![[r#"
        exit 0
        {
          "version": 1,
          "profile": "blocks",
          "environment": "day",
          "system": "I am Ada.",
          "prelude": [
            {
              "id": "bot:q",
              "role": "user",
              "text": "你好"
            }
          ],
          "contexts": [
            {
              "id": "bot:time",
              "text": "It is 9:00."
            }
          ],
          "input": "<Ada: Hi {hero}>",
          "values": {
            "hero": "Ada",
            "night": false,
            "time": "9:00"
          },
          "sectionNames": [
            "bot:人设",
            "bot:q"
          ],
          "digest": "sha256:d4aa61d37223959c33a6dac76db52a701077fc540f159c9c0b10a9f44319b847",
          "tokens": {
            "system": 4,
            "prelude": 1,
            "contexts": 7,
            "input": 7
          },
          "usage": [
            {
              "class": "tools",
              "tokens": 0
            },
            {
              "class": "system",
              "tokens": 4
            },
            {
              "class": "prelude",
              "tokens": 1
            },
            {
              "class": "contexts",
              "tokens": 7
            },
            {
              "class": "input",
              "tokens": 7
            }
          ],
          "messages": [
            {
              "role": "system",
              "text": "I am Ada.",
              "blocks": [
                "bot:人设"
              ],
              "cache": false
            },
            {
              "role": "user",
              "text": "你好",
              "blocks": [
                "bot:q"
              ],
              "cache": true
            },
            {
              "role": "user",
              "text": "It is 9:00.",
              "blocks": [
                "bot:time"
              ],
              "cache": false
            },
            {
              "role": "user",
              "text": "<Ada: Hi {hero}>",
              "blocks": [
                "bot:i1",
                "bot:i2"
              ],
              "cache": false
            }
          ],
          "diagnostics": [
            {
              "path": "promptblock.catalog.json",
              "code": "unused-variable",
              "severity": "hint",
              "message": "no block uses `names`",
              "range": {
                "start": {
                  "line": 1,
                  "character": 89
                },
                "end": {
                  "line": 1,
                  "character": 96
                }
              },
              "bytes": [
                105,
                112
              ],
              "block": null,
              "plugin": null,
              "related": [],
              "fixes": [
                {
                  "title": "Remove this entry",
                  "edits": [
                    {
                      "path": "promptblock.catalog.json",
                      "bytes": [
                        105,
                        132
                      ],
                      "text": ""
                    }
                  ]
                }
              ]
            },
            {
              "path": "promptblock.catalog.json",
              "code": "unused-variable",
              "severity": "hint",
              "message": "no block uses `n`",
              "range": {
                "start": {
                  "line": 1,
                  "character": 116
                },
                "end": {
                  "line": 1,
                  "character": 119
                }
              },
              "bytes": [
                132,
                135
              ],
              "block": null,
              "plugin": null,
              "related": [],
              "fixes": [
                {
                  "title": "Remove this entry",
                  "edits": [
                    {
                      "path": "promptblock.catalog.json",
                      "bytes": [
                        130,
                        155
                      ],
                      "text": ""
                    }
                  ]
                }
              ]
            }
          ]
        }
    "#]]
    .assert_eq(&run(folder.path(), &["assemble", "--as", "json", "--input", "Hi {hero}"]));
    let none = json(folder.path(), &["assemble", "--as", "json"]);
    assert_eq!(none["input"], "<Ada: {prompt}>");
}

#[test]
fn the_messages() {
    let folder = bot();
    expect![[r#"
        exit 0
        ── system · 4 tokens · bot:人设
        I am Ada.

        ── user · 1 token · bot:q
        你好

        ══ the stable prefix ends here: 5 tokens without tool schemas, sha256:d4aa61d37223959c33a6dac76db52a701077fc540f159c9c0b10a9f44319b847

        ── user · 7 tokens · bot:time
        It is 9:00.

        ── user · 5 tokens · bot:i1, bot:i2
        <Ada: Hi>

    "#]].assert_eq(&run(folder.path(), &["assemble", "--input", "Hi"]));
    expect![[r#"
        exit 0
        ── system · 4 tokens · bot:人设
        I am Ada.

        ── user · 1 token · bot:q
        你好

        ══ the stable prefix ends here: 5 tokens without tool schemas, sha256:d4aa61d37223959c33a6dac76db52a701077fc540f159c9c0b10a9f44319b847

        ── user · 5 tokens · bot:time
        It is 22.

        ── user · 15 tokens
        The environment has been updated:
        - hero: Bob
        - night: true

        ── user · 6 tokens · bot:i1, bot:i2
        <Bob: {prompt}>

        changed: hero: Ada → Bob
        changed: night: false → true
    "#]].assert_eq(&run(folder.path(), &["assemble", "--then", "night"]));
}

#[test]
fn the_bodies() {
    let folder = bot();
    expect![[r#"
        exit 0
        {
          "model": "gpt-5",
          "messages": [
            {
              "role": "system",
              "content": "I am Ada."
            },
            {
              "role": "user",
              "content": "你好"
            },
            {
              "role": "user",
              "content": "It is 9:00."
            },
            {
              "role": "user",
              "content": "<Ada: Hi>"
            }
          ],
          "prompt_cache_key": "d4aa61d37223959c33a6dac76db52a70"
        }
    "#]]
    .assert_eq(&run(folder.path(), &["assemble", "--as", "openai", "--input", "Hi"]));
    expect![[r#"
        exit 0
        {
          "model": "claude-sonnet-4-5",
          "max_tokens": 1024,
          "system": [
            {
              "type": "text",
              "text": "I am Ada."
            }
          ],
          "messages": [
            {
              "role": "user",
              "content": [
                {
                  "type": "text",
                  "text": "你好",
                  "cache_control": {
                    "type": "ephemeral"
                  }
                },
                {
                  "type": "text",
                  "text": "It is 9:00."
                },
                {
                  "type": "text",
                  "text": "<Ada: Hi>"
                }
              ]
            }
          ]
        }
    "#]]
    .assert_eq(&run(folder.path(), &["assemble", "--as", "anthropic", "--input", "Hi"]));
}

#[test]
fn two_environments() {
    let folder = bot();
    let both = json(folder.path(), &["assemble", "--as", "json", "--env", "day", "--then", "night"]);
    let (first, then) = (&both["first"], &both["then"]);
    assert_eq!(first["system"], then["system"]);
    assert_eq!(first["digest"], then["digest"]);
    assert_eq!(first["prelude"], then["prelude"]);
    expect![[r#"
        [
          {
            "name": "hero",
            "before": "Ada",
            "after": "Bob"
          },
          {
            "name": "night",
            "before": false,
            "after": true
          }
        ]
        [
          {
            "id": "bot:time",
            "text": "It is 22."
          },
          {
            "id": null,
            "text": "The environment has been updated:\n- hero: Bob\n- night: true"
          }
        ]
    "#]]
    .assert_eq(&format!("{:#}\n{:#}\n", both["changed"], then["contexts"]));
    // The note speaks the project's language, whoever looks.
    write(folder.path(), "promptblock.toml", b"environment = \"day\"\nlocale = \"zh-CN\"\n");
    let then = &json(folder.path(), &["assemble", "--as", "json", "--then", "night"])["then"];
    assert_eq!(then["contexts"][1]["text"], "环境已更新：\n- hero：Bob\n- night：true");
}

#[test]
fn what_is_missing() {
    let folder = bot();
    write(folder.path(), "promptblock.env.json", br#"{"day": {}}"#);
    let it = json(folder.path(), &["assemble", "--as", "json"]);
    assert_eq!(it["system"], "I am {hero}.");
    // An operand is no tag.
    let missing =
        |it: &Value| codes(&it["diagnostics"]).into_iter().filter(|code| *code == "missing-value").count();
    assert_eq!(missing(&it), 3);
    assert_eq!(run_with(folder.path(), &["assemble"], "").status.code(), Some(0), "warnings");
    let it = json(folder.path(), &["assemble", "--as", "json", "--examples"]);
    assert_eq!(it["system"], "I am Zoe.");
    assert_eq!(missing(&it), 1);
}

#[test]
fn no_environment_at_all() {
    let folder = project(&[("a.promptblock", &block("t:a", "system", 10, "plain"))]);
    let it = json(folder.path(), &["assemble", "--as", "json"]);
    assert_eq!((&it["environment"], &it["system"]), (&Value::Null, &"plain".into()));
}

#[test]
fn errors_in_blocks_do_not_keep_the_text_back() {
    let folder = bot();
    write(folder.path(), "a.promptblock", block("bot:a", "system", 10, "{hreo} {if night}x").as_bytes());
    expect![[r#"
        exit 1
        ── system · 5 tokens · bot:a
        {hreo} 

        ── user · 1 token · bot:q
        你好

        ══ the stable prefix ends here: 6 tokens without tool schemas, sha256:8554ce73c95bf539b524d9caa9e7c1f061c415fb8841e36d79bb4572bc3a5976

        ── user · 7 tokens · bot:time
        It is 9:00.

        ── user · 4 tokens · bot:i1, bot:i2
        <Ada: >

        -- standard error --
        promptblock: 2 errors in the project; `promptblock check` shows them
    "#]].assert_eq(&run(folder.path(), &["assemble", "--input", ""]));
    assert_eq!(run_with(folder.path(), &["assemble", "--as", "json"], "").status.code(), Some(1));
}

#[test]
fn refused() {
    let folder = bot();
    write(folder.path(), "x.promptblock", block("bot:time", "system", 11, "x").as_bytes());
    let output = run_with(folder.path(), &["assemble", "--as", "json"], "");
    assert_eq!(output.status.code(), Some(1));
    let object: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(object.as_object().expect("an object").len(), 2);
    assert_eq!(codes(&object["refused"]), ["duplicate-id", "duplicate-id"]);
    for form in ["text", "openai", "anthropic"] {
        let output = run_with(folder.path(), &["assemble", "--as", form], "");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{}", shown(&output));
    }
}

#[test]
fn a_broken_environment_file() {
    let folder = bot();
    // The fields before the fault count; the fault is an error of the project.
    write(folder.path(), "promptblock.env.json", br#"{"day": {"hero": "Ada", "night": tru"#);
    let output = run_with(folder.path(), &["assemble", "--as", "json"], "");
    assert_eq!(output.status.code(), Some(1));
    let it: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(codes(&it["diagnostics"]).contains(&"invalid-environment"), "{it}");
    assert_eq!(it["system"], "I am Ada.");
    // A contributor that is not there is left out.
    let text =
        br#"{"day": {"extends": ["nobody", "more"], "night": false}, "more": {"hero": "Eve", "time": 1}}"#;
    write(folder.path(), "promptblock.env.json", text);
    let it = json(folder.path(), &["assemble", "--as", "json"]);
    assert!(codes(&it["diagnostics"]).contains(&"invalid-environment"), "{it}");
    assert_eq!(it["system"], "I am Eve.");
}

/// Lists and objects for texts, values that look like tags, loops without an end, output without a bound.
#[test]
fn hostile_values_and_templates() {
    let huge = "x".repeat(3 << 20);
    let folder = project(&[
        ("promptblock.catalog.json", CATALOG),
        (
            "promptblock.env.json",
            &format!(
                r#"{{"e": {{"hero": ["{{time}}", {{"a": null}}], "night": true, "time": "{{hero}}{{if night}}", "n": 1e18, "names": "no list", "extra": {{"huge": "{huge}"}}}}}}"#
            ),
        ),
        ("a.promptblock", &block("t:a", "context", 1, "{hero} {time}{for x in names}never{/for}")),
        ("b.promptblock", &block("t:b", "context", 2, "{while night}y{/while}end")),
        ("c.promptblock", &block("t:c", "context", 3, "{repeat n}z{/repeat}end")),
        ("promptblock.toml", ""),
    ]);
    let start = Instant::now();
    let it = json(folder.path(), &["assemble", "--as", "json"]);
    assert_eq!(it["contexts"][0]["text"], "{time}, {\"a\":null} {hero}{if night}", "no value is read again");
    let loops = it["contexts"][1]["text"].as_str().expect("a text");
    assert!(loops.starts_with("yyy") && loops.ends_with("yend") && loops.len() == 10_003, "{}", loops.len());
    assert_eq!(it["contexts"][2]["text"], "end", "the rounds are those of the whole assembly");
    let found = codes(&it["diagnostics"]);
    assert_eq!(found.iter().filter(|code| **code == "limit-reached").count(), 2, "{found:?}");
    assert!(found.contains(&"not-a-list"), "{found:?}");

    // 8 MiB, and no more, whatever the blocks ask for.
    let catalog = CATALOG.replace("\"n\":", "\"huge\": {}, \"n\":");
    write(folder.path(), "promptblock.catalog.json", catalog.as_bytes());
    for (name, body) in
        [("a", "{huge}{huge}{huge}{huge}"), ("b", "{repeat 9}{huge}{/repeat}"), ("c", "{huge}")]
    {
        write(
            folder.path(),
            &format!("{name}.promptblock"),
            block(&format!("t:{name}"), "context", 1, body).as_bytes(),
        );
    }
    let it = json(folder.path(), &["assemble", "--as", "json"]);
    let all: usize = it["contexts"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|it| it["text"].as_str().expect("a text").len())
        .sum();
    assert!(all <= (8 << 20) + 1000, "{all}");
    assert!(codes(&it["diagnostics"]).contains(&"limit-reached"));
    // A debug build; what must not happen is that it does not end.
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn the_harness_refuses_what_it_cannot_resolve() {
    let section = |body: &str| format!("---\nid: h:a\nzone: system\norder: 0\n---\n{body}\n");
    let folder = project(&[
        ("promptblock.toml", "profile = \"harness\"\n"),
        ("promptblock.catalog.json", r#"{"variables": {"hero": {}, "time": {"mutable": true}}}"#),
        ("promptblock.env.json", r#"{"e": {"hero": "Ada"}}"#),
        ("a.promptblock", &section("I am {{hero}}, {hero} {{ hero }} {if x} }} {{ alone")),
    ]);
    let of = |body: &str| {
        write(folder.path(), "a.promptblock", section(body).as_bytes());
        let it = json(folder.path(), &["assemble", "--as", "json"]);
        match it.get("refused") {
            Some(refused) => {
                let severities =
                    refused.as_array().expect("a list").iter().all(|it| it["severity"] == "error");
                assert!(severities, "{refused}");
                codes(refused).join(" ")
            }
            None => it["system"].as_str().expect("a text").to_owned(),
        }
    };
    assert_eq!(of("I am {{hero}}, {hero} {if x} }} {{ alone"), "I am Ada, {hero} {if x} }} {{ alone");
    assert_eq!(of("{{hero}} at {{time}}"), "missing-value");
    assert_eq!(of("{{hreo}}"), "unknown-variable");
    assert_eq!(of("{{a b}}"), "malformed-reference");
    // Where nothing is known of any variable, only a missing value refuses.
    std::fs::remove_file(folder.path().join("promptblock.catalog.json")).expect("removed");
    assert_eq!(of("{{hero}}"), "Ada");
    assert_eq!(of("{{hreo}}"), "missing-value");
}

#[test]
fn wrong_use() {
    let folder = bot();
    let all: Vec<String> = [
        &["assemble", "--env", "noon"][..],
        &["assemble", "--then", "noon"],
        &["assemble", "--as", "xml"],
        &["assemble", "nowhere"],
        &["assemble", "a", "b"],
        &["assemble", "--input"],
    ]
    .iter()
    .map(|arguments| format!("{}: {}", arguments.join(" "), run(folder.path(), arguments)))
    .collect();
    expect![[r#"
        assemble --env noon: exit 2
        -- standard error --
        promptblock: no environment `noon`; known: day, night
        assemble --then noon: exit 2
        -- standard error --
        promptblock: no environment `noon`; known: day, night
        assemble --as xml: exit 2
        -- standard error --
        promptblock: `xml` is no value of --as <FORM>; there are: text, json, openai, anthropic
        assemble nowhere: exit 2
        -- standard error --
        promptblock: nowhere: no such file or folder
        assemble a b: exit 2
        -- standard error --
        promptblock: unknown argument `b` (`promptblock --help` says more)
        assemble --input: exit 2
        -- standard error --
        promptblock: --input <TEXT> needs a value (`promptblock --help` says more)
    "#]]
    .assert_eq(&all.concat());
}

#[test]
fn what_is_said_besides() {
    let folder = project(&[("promptblock.toml", "")]);
    let text = run(folder.path(), &["assemble"]);
    assert!(text.contains("promptblock: no blocks found here\n"), "{text}");
    let folder = bot();
    let text = run(folder.path(), &["assemble"]);
    assert!(!text.contains("no blocks"), "{text}");
    // The blocks begin with a user's turn, and there is an input.
    let text = run(folder.path(), &["assemble", "--as", "anthropic", "--input", "Hi"]);
    assert!(!text.contains("the API wants"), "{text}");

    write(
        folder.path(),
        "b.promptblock",
        block("bot:q", "system", 85, "你好").replace("template", "role: assistant\ntemplate").as_bytes(),
    );
    let text = run(folder.path(), &["assemble", "--as", "anthropic", "--input", "Hi"]);
    assert!(
        text.contains(
            "promptblock: the API wants a user message first, and the blocks give none: `…` stands there\n"
        ),
        "{text}"
    );
    assert!(!text.contains("message last"), "{text}");
    let text = run(folder.path(), &["assemble", "--as", "openai", "--input", "Hi"]);
    assert!(!text.contains("the API wants"), "{text}");
    write(folder.path(), "promptblock.toml", b"environment = \"day\"\nlocale = \"zh-CN\"\n");
    let text = run(folder.path(), &["assemble", "--as", "anthropic", "--input", "Hi"]);
    assert!(
        text.contains("promptblock: 该 API 要求第一条消息来自用户，而这些块没有给出：已用 `…` 代替\n"),
        "{text}"
    );

    write(folder.path(), "c.promptblock", block("bot:人设", "system", 11, "x").as_bytes());
    let text = run(folder.path(), &["assemble"]);
    assert!(text.contains("promptblock: 未组装：这些块无法组装成提示词\n"), "{text}");
}

#[test]
fn lines_of_a_value_stay_in_their_item() {
    let folder = bot();
    let environments =
        r#"{"day": {"hero": "Ada", "time": 1}, "night": {"hero": "Bob\n- time: 3\r\nx", "time": 1}}"#;
    write(folder.path(), "promptblock.env.json", environments.as_bytes());
    let text = run(folder.path(), &["assemble", "--env", "day", "--then", "night"]);
    assert!(text.contains("- hero: Bob\n  - time: 3\n  x\n"), "{text}");
    assert!(text.contains("changed: hero: Ada → Bob\n  - time: 3\n  x\n"), "{text}");
}

#[test]
fn an_empty_count() {
    let folder = bot();
    write(
        folder.path(),
        "a.promptblock",
        block("bot:a", "system", 10, "{repeat hero}x{/repeat}{repeat names}x{/repeat}").as_bytes(),
    );
    write(folder.path(), "promptblock.env.json", br#"{"day": {"hero": "", "names": [], "time": 1}}"#);
    let text = run(folder.path(), &["assemble"]);
    assert!(text.contains("an empty value is no count of rounds: nothing is repeated"), "{text}");
    assert!(text.contains("an empty list is no count of rounds: nothing is repeated"), "{text}");
    assert!(!text.contains("``"), "{text}");
}
