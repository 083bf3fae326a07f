//! `promptblock init`, `doctor`, `schema` and `completions` as a user runs them.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

use expect_test::expect;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::{TempDir, tempdir};

const ENGLISH: &str = "C.UTF-8";
const CHINESE: &str = "zh_CN.UTF-8";

/// Exit status, standard output, standard error; the folder's own path reads `<folder>`.
fn run_in(locale: &str, folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_promptblock"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", folder.join("settings"))
        .env("LC_ALL", locale)
        .env_remove("LANGUAGE")
        .output()
        .expect("the binary");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let mut all = format!("exit {}\n{}", output.status.code().expect("no signal"), text(output.stdout));
    if !output.stderr.is_empty() {
        all += &format!("-- standard error --\n{}", text(output.stderr));
    }
    let folder = folder.canonicalize().expect("a folder");
    let all = all.replace(concat!("promptblock ", env!("CARGO_PKG_VERSION")), "promptblock <version>");
    all.replace(folder.to_str().expect("UTF-8"), "<folder>")
}

fn run(folder: &Path, arguments: &[&str]) -> String {
    run_in(ENGLISH, folder, arguments)
}

/// A folder with these files.
fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempdir().expect("a temporary folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    folder
}

fn read(folder: &TempDir, path: &str) -> String {
    fs::read_to_string(folder.path().join(path)).expect("a file")
}

/// Every file below, by path.
fn files(folder: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("UTF-8");
        if entry.path().is_dir() {
            all.extend(files(&entry.path()).iter().map(|below| format!("{name}/{below}")));
        } else {
            all.push(name);
        }
    }
    all.sort();
    all
}

/// Neither finding nor hint.
const SOUND: &str = r#"{"version":1,"diagnostics":[],"summary":{"files":4,"blocks":1,"errors":0,"warnings":0,"information":0,"hints":0}}"#;

fn assert_sound(folder: &Path) {
    let found: String =
        run(folder, &["check", "--format", "json", "--fail-on", "hint"]).split_whitespace().collect();
    assert_eq!(found, format!("exit0{SOUND}"));
}

#[test]
fn init_writes_a_sound_project_in_the_users_language() {
    let folder = project(&[]);
    expect![[r"
        exit 0
        created promptblock.toml
        created promptblock.catalog.json
        created promptblock.env.json
        created blocks/persona.promptblock
        `promptblock check` judges the project.
    "]]
    .assert_eq(&run(folder.path(), &["init"]));
    assert_sound(folder.path());
    assert!(read(&folder, "blocks/persona.promptblock").contains("You are {assistant_name}."));

    let folder = project(&[]);
    expect![[r"
        exit 0
        已创建 新项目/提示词/promptblock.toml
        已创建 新项目/提示词/promptblock.catalog.json
        已创建 新项目/提示词/promptblock.env.json
        已创建 新项目/提示词/blocks/persona.promptblock
        用 `promptblock check` 检查这个项目。
    "]]
    .assert_eq(&run_in(CHINESE, folder.path(), &["init", "新项目/提示词"]));
    assert_sound(&folder.path().join("新项目/提示词"));
    assert!(read(&folder, "新项目/提示词/blocks/persona.promptblock").contains("你叫{assistant_name}"));
}

#[test]
fn init_leaves_nothing_but_its_files_behind() {
    let folder = project(&[]);
    run(folder.path(), &["init"]);
    assert_eq!(
        files(folder.path()),
        [
            "blocks/persona.promptblock",
            "promptblock.catalog.json",
            "promptblock.env.json",
            "promptblock.toml"
        ]
    );
}

#[cfg(unix)]
#[test]
fn init_writes_files_that_others_may_read_where_the_umask_says_so() {
    use std::os::unix::fs::PermissionsExt;
    let folder = project(&[("usual", "")]);
    run(folder.path(), &["init"]);
    let mode = |name: &str| fs::metadata(folder.path().join(name)).expect("a file").permissions().mode();
    assert_eq!(mode("promptblock.toml"), mode("usual"));
}

#[test]
fn init_keeps_what_is_there() {
    let folder = project(&[("promptblock.catalog.json", "{\"variables\": {}}")]);
    expect![[r"
        exit 0
        created promptblock.toml
        kept    promptblock.catalog.json, which was there already
        created promptblock.env.json
        created blocks/persona.promptblock
        `promptblock check` judges the project.
    "]]
    .assert_eq(&run(folder.path(), &["init"]));
    assert_eq!(read(&folder, "promptblock.catalog.json"), "{\"variables\": {}}");
    // The block names no variable that the kept catalog lacks.
    assert_sound(folder.path());

    fs::write(folder.path().join("promptblock.env.json"), "mine").expect("a file");
    expect![[r"
        exit 0
        kept    promptblock.toml, which was there already
        kept    promptblock.catalog.json, which was there already
        kept    promptblock.env.json, which was there already
        kept    blocks/persona.promptblock, which was there already
        Nothing to do: every file was there already.
    "]]
    .assert_eq(&run(folder.path(), &["init", "."]));
    assert_eq!(read(&folder, "promptblock.env.json"), "mine");
    expect![[r"
        exit 0
        已保留 promptblock.toml，它原本就在
        已保留 promptblock.catalog.json，它原本就在
        已保留 promptblock.env.json，它原本就在
        已保留 blocks/persona.promptblock，它原本就在
        无事可做：所有文件都已存在。
    "]]
    .assert_eq(&run_in(CHINESE, folder.path(), &["init", "."]));
}

#[test]
fn init_is_sound_in_every_profile() {
    for profile in ["blocks", "harness", "zcode"] {
        let config = format!("profile = \"{profile}\"\n");
        let folder = project(&[("promptblock.toml", &config)]);
        run(folder.path(), &["init"]);
        let found = run(folder.path(), &["check", "--fail-on", "warning"]);
        assert!(found.starts_with("exit 0\n"), "{profile}: {found}");
        assert_eq!(read(&folder, "promptblock.toml"), config);
    }
}

#[test]
fn init_fits_in_beside_the_blocks_that_are_there() {
    let other = |id: &str, order: u32| format!("---\nid: {id}\nzone: system\norder: {order}\n---\nx\n");
    for (locale, config) in [(ENGLISH, None), (CHINESE, None), (ENGLISH, Some(("promptblock.toml", "")))] {
        let (first, second, third) =
            (other("example:persona", 0), other("example:persona-2", 1), other("example:z", 3));
        let mut given =
            vec![("a.promptblock", &*first), ("b.promptblock", &second), ("c/d.promptblock", &third)];
        given.extend(config);
        let folder = project(&given);
        assert!(run_in(locale, folder.path(), &["init"]).starts_with("exit 0\n"));
        let block = read(&folder, "blocks/persona.promptblock");
        assert!(block.starts_with("---\nid: example:persona-3\nzone: system\norder: 2\n"), "{block}");
        let found = run(folder.path(), &["check", "--fail-on", "hint"]);
        assert!(found.starts_with("exit 0\n") && found.contains("\n0 findings in 7 files"), "{found}");
        assert_eq!(run(folder.path(), &["fmt", "--check"]).lines().next(), Some("exit 0"));
    }
}

#[cfg(unix)]
#[test]
fn init_leaves_nothing_where_it_cannot_write_all() {
    use std::os::unix::fs::PermissionsExt;
    let folder = project(&[("note.txt", ""), ("closed/note.txt", "")]);
    // No folder can be made in this one, whoever asks.
    for (path, says) in [
        ("/proc/promptblock", "/proc/promptblock: cannot be written: "),
        ("/dev/null/x", "/dev/null/x: a file stands where a folder is needed"),
        ("note.txt/below/it", "note.txt/below/it: a file stands where a folder is needed"),
    ] {
        let said = run(folder.path(), &["init", path]);
        let start = format!("exit 2\n-- standard error --\npromptblock: {says}");
        assert!(said.starts_with(&start) && said.lines().count() == 3, "{said}");
    }
    // The folder of the block comes last, and what was begun before it goes again.
    std::os::unix::fs::symlink("/proc/nothing", folder.path().join("blocks")).expect("a link");
    let said = run(folder.path(), &["init"]);
    assert!(said.starts_with("exit 2\n-- standard error --\npromptblock: blocks: "), "{said}");
    assert_eq!(files(folder.path()), ["blocks", "closed/note.txt", "note.txt"]);

    let closed = folder.path().join("closed");
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o555)).expect("permissions");
    // To the superuser it is a folder like any other.
    if fs::write(closed.join("probe"), "").is_err() {
        let says = "exit 2\n-- standard error --\npromptblock: closed/promptblock.toml: cannot be written: permission denied\n";
        assert_eq!(run(folder.path(), &["init", "closed"]), says);
    }
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o755)).expect("permissions");
    assert!(!closed.join("blocks").exists());
}

#[test]
fn init_writes_nothing_where_a_file_or_folder_is_in_the_way() {
    let folder = project(&[("blocks", "a file"), ("note.txt", "")]);
    let before = files(folder.path());
    expect![[r"
        exit 2
        -- standard error --
        promptblock: blocks: a file stands where a folder is needed
    "]]
    .assert_eq(&run(folder.path(), &["init"]));
    expect![[r"
        exit 2
        -- standard error --
        promptblock: note.txt: not a folder
    "]]
    .assert_eq(&run(folder.path(), &["init", "note.txt"]));
    expect![[r"
        exit 2
        -- standard error --
        promptblock: note.txt/below: 需要文件夹的位置上是一个文件
    "]]
    .assert_eq(&run_in(CHINESE, folder.path(), &["init", "note.txt/below"]));
    assert_eq!(files(folder.path()), before);

    let folder = project(&[("promptblock.toml/x", "")]);
    expect![[r"
        exit 2
        -- standard error --
        promptblock: promptblock.toml: is a folder, not a file
    "]]
    .assert_eq(&run(folder.path(), &["init"]));
    assert_eq!(files(folder.path()), ["promptblock.toml/x"]);
}

#[cfg(unix)]
#[test]
fn init_does_not_write_through_a_dangling_link() {
    let folder = project(&[]);
    std::os::unix::fs::symlink("elsewhere.toml", folder.path().join("promptblock.toml")).expect("a link");
    let said = run(folder.path(), &["init"]);
    assert!(said.contains("kept    promptblock.toml"), "{said}");
    assert!(!folder.path().join("elsewhere.toml").exists());
}

#[test]
fn schemas_are_those_of_the_editors() {
    let folder = project(&[]);
    let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../syntax/schemas");
    for name in ["catalog", "environment", "config"] {
        let file = fs::read_to_string(schemas.join(format!("{name}.schema.json"))).expect("a schema");
        let printed = run(folder.path(), &["schema", name]);
        let printed = printed.strip_prefix("exit 0\n").expect("no error");
        assert_eq!(printed, file);
        serde_json::from_str::<serde_json::Value>(printed).expect("JSON");
    }
    for wrong in [&["schema"][..], &["schema", "block"], &["schema", "../config"], &["schema", "config", "x"]]
    {
        let said = run(folder.path(), wrong);
        assert!(said.starts_with("exit 2\n-- standard error --\n"), "{said}");
    }
}

#[test]
fn completions_know_every_command() {
    let folder = project(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = run(folder.path(), &["completions", shell]);
        assert!(script.starts_with("exit 0\n"), "{script}");
        for word in [
            "check",
            "explain",
            "init",
            "doctor",
            "schema",
            "completions",
            "lsp",
            "stdin-path",
            "environment",
        ] {
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    let said = run(folder.path(), &["completions"]);
    assert!(said.starts_with("exit 2\n-- standard error --\n"), "{said}");
    let said = run(folder.path(), &["completions", "cmd"]);
    assert!(said.starts_with("exit 2\n-- standard error --\n"), "{said}");
    assert!(said.contains("bash, elvish, fish, powershell, zsh"), "the known ones are named: {said}");
}

const BLOCK: &str = "---\nid: t:a\nzone: system\norder: 10\n---\n名🎉\n";

#[test]
fn doctor_says_what_is_in_force_and_where_it_comes_from() {
    let folder = project(&[
        (
            "promptblock.toml",
            "environment = \"群聊\"\ncatalogs = [\"catalogs/*.json\", \"missing/extra.json\"]\n",
        ),
        ("promptblock.env.json", r#"{"群聊": {}, "private": {}}"#),
        ("catalogs/a.json", r#"{"variables": {"hero": {}, "time": {"mutable": true}}}"#),
        ("catalogs/b.json", "{\"variables\": {}}"),
        ("promptblock.catalog.json", r#"{"variables": {"not_read": {}}}"#),
        ("promptblock.catalog.local.json", r#"{"variables": {"time": {}}}"#),
        ("settings/promptblock/catalog.json", r#"{"variables": {"time": {}, "mine": {}}}"#),
        ("blocks/a.promptblock", BLOCK),
    ]);
    expect![[r#"
        exit 0
        promptblock <version>; tree-sitter grammar with ABI 15 (13 to 15 can be read)
        language of the system: English
        working directory: <folder>
        user's catalog: <folder>/settings/promptblock/catalog.json, found

        project: <folder> (it holds promptblock.toml)
        configuration: promptblock.toml, no findings
        profile: blocks
        environments: promptblock.env.json, no findings; known: 群聊, private
        environment: `群聊`, which promptblock.toml names
        catalog patterns: catalogs/*.json, missing/extra.json
        catalog, user layer: settings/promptblock/catalog.json, 2 entries, no findings
        catalog, project layer: catalogs/a.json, 2 entries, 2 findings, no error
        catalog, project layer: catalogs/b.json, 0 entries, no findings
        catalog, project layer: missing/extra.json, not there
        catalog, local layer: promptblock.catalog.local.json, 1 entry, no findings
        variables known: 4, `prompt` among them
        `time`: local layer (promptblock.catalog.local.json) shadows project layer (catalogs/a.json)
        `time`: project layer (catalogs/a.json) shadows user layer (settings/promptblock/catalog.json)
        tool schemas: promptblock.tools.json, not there
        blocks: 1
        source files that register something: 0 (blocks: 0, variables: 0, environment fields: 0)
    "#]]
    .assert_eq(&run(folder.path(), &["doctor"]));
    expect![[r#"
        exit 0
        promptblock <version>；tree-sitter 语法的 ABI 为 15（可读取 13 到 15）
        系统语言：简体中文
        工作目录：<folder>
        用户的变量目录：<folder>/settings/promptblock/catalog.json，已找到

        项目：<folder>（其中有 promptblock.toml）
        配置：promptblock.toml，没有诊断
        方案：blocks
        示例环境：promptblock.env.json，没有诊断；已有：群聊、private
        当前环境：`群聊`，由 promptblock.toml 指定
        变量目录的通配模式：catalogs/*.json、missing/extra.json
        变量目录，用户层：settings/promptblock/catalog.json，2 个条目，没有诊断
        变量目录，项目层：catalogs/a.json，2 个条目，2 条诊断，没有错误
        变量目录，项目层：catalogs/b.json，0 个条目，没有诊断
        变量目录，项目层：missing/extra.json，不存在
        变量目录，本地层：promptblock.catalog.local.json，1 个条目，没有诊断
        已知变量：4 个，其中包括 `prompt`
        `time`：本地层（promptblock.catalog.local.json）遮盖了项目层（catalogs/a.json）
        `time`：项目层（catalogs/a.json）遮盖了用户层（settings/promptblock/catalog.json）
        工具定义：promptblock.tools.json，不存在
        块：1 个
        注册了内容的源文件：0 个（块 0 个，变量 0 个，环境字段 0 个）
    "#]]
    .assert_eq(&run_in(CHINESE, folder.path(), &["doctor", "blocks/a.promptblock"]));
}

#[test]
fn doctor_says_what_cannot_be_read() {
    let folder = project(&[
        ("promptblock.env.json", "{"),
        ("promptblock.catalog.json", r#"{"variables": {"hero": {}, "time": {"mutable": 1}}"#),
        ("promptblock.catalog.local.json/x", ""),
        ("folder.promptblock/x", ""),
        ("sound.promptblock", BLOCK),
    ]);
    for name in ["promptblock.toml", "broken.promptblock", "settings/promptblock/catalog.json"] {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, b"a\xff").expect("a file");
    }
    expect![[r#"
        exit 0
        promptblock <version>; tree-sitter grammar with ABI 15 (13 to 15 can be read)
        language of the system: English
        working directory: <folder>
        user's catalog: <folder>/settings/promptblock/catalog.json, not UTF-8: byte 1 fits no character

        project: <folder> (it holds promptblock.toml)
        configuration: promptblock.toml, not UTF-8: byte 1 fits no character
        profile: blocks
        environments: promptblock.env.json, 1 finding (errors: 1)
        environment: none
        catalog patterns: promptblock.catalog.json
        catalog, user layer: settings/promptblock/catalog.json, not UTF-8: byte 1 fits no character
        catalog, project layer: promptblock.catalog.json, 2 entries, 4 findings (errors: 2)
        catalog, local layer: promptblock.catalog.local.json, not a regular file
        variables known: 3, `prompt` among them
        tool schemas: promptblock.tools.json, not there
        blocks: 1
        left out: folder.promptblock is a folder, not a block file
        left out: broken.promptblock: not UTF-8: byte 1 fits no character
        source files that register something: 0 (blocks: 0, variables: 0, environment fields: 0)
    "#]]
    .assert_eq(&run(folder.path(), &["doctor"]));
    expect![[r#"
        exit 0
        promptblock <version>；tree-sitter 语法的 ABI 为 15（可读取 13 到 15）
        系统语言：简体中文
        工作目录：<folder>
        用户的变量目录：<folder>/settings/promptblock/catalog.json，不是 UTF-8：第 1 字节不属于任何字符

        项目：<folder>（其中有 promptblock.toml）
        配置：promptblock.toml，不是 UTF-8：第 1 字节不属于任何字符
        方案：blocks
        示例环境：promptblock.env.json，1 条诊断，其中错误 1 条
        当前环境：无
        变量目录的通配模式：promptblock.catalog.json
        变量目录，用户层：settings/promptblock/catalog.json，不是 UTF-8：第 1 字节不属于任何字符
        变量目录，项目层：promptblock.catalog.json，2 个条目，4 条诊断，其中错误 2 条
        变量目录，本地层：promptblock.catalog.local.json，不是普通文件
        已知变量：3 个，其中包括 `prompt`
        工具定义：promptblock.tools.json，不存在
        块：1 个
        未读取：folder.promptblock 是文件夹，不是块文件
        未读取：broken.promptblock：不是 UTF-8：第 1 字节不属于任何字符
        注册了内容的源文件：0 个（块 0 个，变量 0 个，环境字段 0 个）
    "#]]
    .assert_eq(&run_in(CHINESE, folder.path(), &["doctor"]));
}

#[test]
fn doctor_without_a_project_and_with_several() {
    let folder = project(&[]);
    expect![[r#"
        exit 0
        promptblock <version>; tree-sitter grammar with ABI 15 (13 to 15 can be read)
        language of the system: English
        working directory: <folder>
        user's catalog: <folder>/settings/promptblock/catalog.json, not there

        project: <folder> (the working directory, as no folder above holds promptblock.toml)
        configuration: promptblock.toml, not there
        profile: blocks
        environments: promptblock.env.json, not there
        environment: none
        catalog patterns: promptblock.catalog.json
        catalog, project layer: promptblock.catalog.json, not there
        catalog, local layer: promptblock.catalog.local.json, not there
        variables known: 1, `prompt` among them
        tool schemas: promptblock.tools.json, not there
        blocks: 0
        source files that register something: 0 (blocks: 0, variables: 0, environment fields: 0)
    "#]]
    .assert_eq(&run(folder.path(), &["doctor"]));

    let folder = project(&[
        ("all/one/promptblock.toml", "profile = \"harness\"\nenvironment = \"gone\"\n"),
        ("all/two/promptblock.toml", "locale = \"zh-CN\"\n"),
        ("all/two/promptblock.env.json", r#"{"a": {}, "b": {}}"#),
        ("other/promptblock.toml", ""),
    ]);
    expect![[r#"
        exit 0
        promptblock <version>; tree-sitter grammar with ABI 15 (13 to 15 can be read)
        language of the system: English
        working directory: <folder>
        user's catalog: <folder>/settings/promptblock/catalog.json, not there

        project: <folder> (the working directory, as no folder above holds promptblock.toml)
        configuration: promptblock.toml, not there
        profile: blocks
        environments: promptblock.env.json, not there
        environment: none
        catalog patterns: promptblock.catalog.json
        catalog, project layer: promptblock.catalog.json, not there
        catalog, local layer: promptblock.catalog.local.json, not there
        variables known: 1, `prompt` among them
        tool schemas: promptblock.tools.json, not there
        blocks: 0
        source files that register something: 0 (blocks: 0, variables: 0, environment fields: 0)

        project: <folder>/all/one (it holds promptblock.toml)
        configuration: promptblock.toml, 1 finding (errors: 1)
        profile: harness
        environments: promptblock.env.json, not there
        environment: none; promptblock.toml names `gone`, which is not there
        catalog patterns: promptblock.catalog.json
        catalog, project layer: promptblock.catalog.json, not there
        catalog, local layer: promptblock.catalog.local.json, not there
        variables known: 1, `prompt` among them
        tool schemas: promptblock.tools.json, not there
        blocks: 0
        source files that register something: 0 (blocks: 0, variables: 0, environment fields: 0)

        project: <folder>/all/two (it holds promptblock.toml)
        configuration: promptblock.toml, no findings
        profile: blocks
        language of the findings: 简体中文
        environments: promptblock.env.json, no findings; known: a, b
        environment: none; promptblock.toml names none of several
        catalog patterns: promptblock.catalog.json
        catalog, project layer: promptblock.catalog.json, not there
        catalog, local layer: promptblock.catalog.local.json, not there
        variables known: 1, `prompt` among them
        tool schemas: promptblock.tools.json, not there
        blocks: 0
        source files that register something: 0 (blocks: 0, variables: 0, environment fields: 0)
    "#]]
    .assert_eq(&run(folder.path(), &["doctor", "all"]));
    // From a folder inside a project, that project alone.
    let said = run(folder.path(), &["doctor", "all/two/promptblock.env.json"]);
    assert_eq!(said.matches("project: ").count(), 1, "{said}");
    assert!(said.contains("project: <folder>/all/two (it holds promptblock.toml)"), "{said}");
}

#[test]
fn doctor_of_a_missing_path() {
    let folder = project(&[]);
    expect![[r#"
        exit 2
        -- standard error --
        promptblock: no/such: no such file or folder
    "#]]
    .assert_eq(&run(folder.path(), &["doctor", "no/such"]));
    expect![[r#"
        exit 2
        -- standard error --
        promptblock: 没有: 文件或文件夹不存在
    "#]]
    .assert_eq(&run_in(CHINESE, folder.path(), &["doctor", "没有"]));
    assert!(run(folder.path(), &["doctor", ".", "."]).starts_with("exit 2\n-- standard error --\n"));
    assert!(files(folder.path()).is_empty(), "it looks and leaves nothing");
}
