//! `promptblock init`, `schema` and `completions` as a user runs them.
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
        promptblock: note.txt/below/blocks: 需要文件夹的位置上是一个文件
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
        for word in ["check", "explain", "init", "schema", "completions", "lsp", "stdin-path", "environment"]
        {
            assert!(script.contains(word), "{shell} lacks {word}");
        }
    }
    let said = run(folder.path(), &["completions"]);
    assert!(said.starts_with("exit 2\n-- standard error --\n"), "{said}");
    let said = run(folder.path(), &["completions", "cmd"]);
    assert!(said.starts_with("exit 2\n-- standard error --\n"), "{said}");
    assert!(said.contains("bash, elvish, fish, powershell, zsh"), "the known ones are named: {said}");
}
