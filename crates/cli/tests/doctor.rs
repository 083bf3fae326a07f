//! `promptblock doctor --format json`, and what is passed over.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use serde_json::{Value, json};
use std::path::Path;
use support::{HEADER, project, run, run_with, write};

fn doctor(folder: &Path, arguments: &[&str]) -> Value {
    let output = run_with(folder, &[&["doctor", "--format", "json"], arguments].concat(), "");
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty());
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

fn file(path: &str, state: &str, findings: u32, errors: u32) -> Value {
    json!({"path": path, "state": state, "why": null, "findings": findings, "errors": errors})
}

fn with(mut value: Value, more: &Value) -> Value {
    for (key, more) in more.as_object().expect("an object") {
        value[key] = more.clone();
    }
    value
}

#[test]
fn json_says_all_that_the_text_says() {
    let folder = project(&[
        (
            "promptblock.toml",
            "environment = \"群聊\"\ncatalogs = [\"catalogs/*.json\", \"missing.json\"]\nexclude = [\"old/**\"]\n",
        ),
        ("promptblock.env.json", r#"{"群聊": {}, "private": {}}"#),
        ("catalogs/a.json", r#"{"variables": {"hero": {}, "time": {"mutable": true}}}"#),
        ("promptblock.catalog.local.json", r#"{"variables": {"time": {}}"#),
        ("no-such-folder/promptblock/catalog.json", r#"{"variables": {"time": {}}}"#),
        ("blocks/a.promptblock", &format!("{HEADER}{{hero}}{{time}}\n")),
        ("old/b.promptblock", HEADER),
        ("old/名.promptblock", HEADER),
        ("folder.promptblock/x", ""),
        (".gitignore", "out/\n"),
        ("out/c.promptblock", HEADER),
        ("out/d/e.promptblock", HEADER),
        ("out/d/note.txt", ""),
        ("below/promptblock.toml", "locale = \"zh-CN\"\n"),
        ("below/.gitignore", "x.promptblock\n"),
        ("below/x.promptblock", HEADER),
        (".hidden/y.promptblock", HEADER),
    ]);
    write(folder.path(), "bytes.promptblock", b"a\xff");
    let root = folder.path().canonicalize().expect("a folder");
    let user = root.join("no-such-folder/promptblock/catalog.json");
    let said = doctor(folder.path(), &[]);
    assert_eq!(said["version"], 1);
    assert_eq!(said["promptblock"], env!("CARGO_PKG_VERSION"));
    assert_eq!(said["locale"], "en");
    assert_eq!(said["directory"], *root.to_string_lossy());
    assert_eq!(said["userCatalog"]["path"], *user.to_string_lossy());
    assert_eq!(said["userCatalog"]["state"], "found");
    let abi = said["grammar"]["abi"].as_u64().expect("a number");
    let readable = &said["grammar"]["readable"];
    assert!(readable[0].as_u64() <= Some(abi) && Some(abi) <= readable[1].as_u64(), "{said}");

    let first = &said["projects"][0];
    assert_eq!(first["root"], *root.to_string_lossy());
    assert_eq!(first["config"], file("promptblock.toml", "found", 0, 0));
    assert_eq!(first["profile"], "blocks");
    assert_eq!(first["locale"], Value::Null);
    let names = json!({"names": ["群聊", "private"], "chosen": "群聊"});
    assert_eq!(first["environments"], with(file("promptblock.env.json", "found", 0, 0), &names));
    assert_eq!(first["catalogPatterns"], json!(["catalogs/*.json", "missing.json"]));
    let paths: Vec<_> = first["catalogs"]
        .as_array()
        .expect("catalogs")
        .iter()
        .map(|it| {
            (
                it["layer"].as_str().expect("a layer"),
                it["path"].as_str().expect("a path"),
                it["state"].as_str().expect("a state"),
                it["variables"].as_u64().expect("a number"),
                it["errors"].as_u64().expect("a number"),
            )
        })
        .collect();
    assert_eq!(
        paths,
        [
            ("user", "no-such-folder/promptblock/catalog.json", "found", 1, 0),
            ("project", "catalogs/a.json", "found", 2, 0),
            ("project", "missing.json", "missing", 0, 0),
            ("local", "promptblock.catalog.local.json", "found", 1, 1),
        ]
    );
    assert_eq!(first["variables"], 3);
    let local = json!({"layer": "local", "path": "promptblock.catalog.local.json"});
    let middle = json!({"layer": "project", "path": "catalogs/a.json"});
    let user = json!({"layer": "user", "path": "no-such-folder/promptblock/catalog.json"});
    assert_eq!(
        first["shadows"],
        json!([
            {"name": "time", "by": local, "hidden": middle},
            {"name": "time", "by": middle, "hidden": user},
        ])
    );
    assert_eq!(first["blocks"], 1);
    assert_eq!(
        first["unreadable"],
        json!([
            {"path": "folder.promptblock", "why": "not a regular file"},
            {"path": "bytes.promptblock", "why": "not UTF-8: byte 1 fits no character"},
        ])
    );
    assert_eq!(first["excluded"], json!(["old/b.promptblock", "old/名.promptblock"]));
    assert_eq!(first["ignored"], 2);

    let second = &said["projects"][1];
    assert_eq!(second["root"], *root.join("below").to_string_lossy());
    assert_eq!(second["locale"], "zh-CN");
    assert_eq!((&second["excluded"], &second["ignored"]), (&json!([]), &json!(1)));
    assert_eq!(said["projects"].as_array().map(Vec::len), Some(2));
    assert_eq!(said, doctor(folder.path(), &[]), "the same on every run");

    let text = run(folder.path(), &["doctor"]);
    let end = "left out: bytes.promptblock: not UTF-8: byte 1 fits no character\n\
               excluded by promptblock.toml: 2 (old/b.promptblock, old/名.promptblock)\n\
               ignored by .gitignore: 2\n";
    assert!(text.contains(end), "{text}");
}

#[cfg(unix)]
#[test]
fn nothing_in_a_name_acts_on_the_terminal() {
    let config = "exclude = [\"old*\"]\nenvironment = \"a\\u001B[2J\"\n";
    let folder = project(&[
        ("promptblock.toml", config),
        ("promptblock.env.json", r#"{"a\u001b[2J": {}, "b\u202e": {}}"#),
        ("old\u{1b}[31m\n.promptblock", HEADER),
        ("dir\u{202e}.promptblock/x", ""),
        ("a.promptblock", HEADER),
    ]);
    let said = run(folder.path(), &["doctor"]);
    assert!(!said.contains(['\u{1b}', '\u{202e}']), "{said}");
    assert!(said.contains("excluded by promptblock.toml: 1 (old␛[31m␊.promptblock)\n"), "{said}");
    let object = doctor(folder.path(), &[]);
    assert_eq!(
        object["projects"][0]["excluded"],
        json!(["old\u{1b}[31m\n.promptblock"]),
        "a program gets it as it is"
    );
}

#[test]
fn a_long_list_of_excluded_files_is_cut() {
    let mut files = vec![("promptblock.toml".to_owned(), "exclude = [\"old/**\"]\n".to_owned())];
    files.extend((10..25).map(|number| (format!("old/{number}.promptblock"), HEADER.to_owned())));
    let files: Vec<_> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = project(&files);
    let said = run(folder.path(), &["doctor"]);
    assert!(said.contains("excluded by promptblock.toml: 15 (old/10.promptblock, "), "{said}");
    assert!(said.contains("old/19.promptblock, …)\n") && !said.contains("old/20"), "{said}");
}

#[test]
fn what_of_source_code_could_not_be_read() {
    let call = "ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: 'x' })\n";
    let folder = project(&[
        ("promptblock.toml", ""),
        ("src/a.ts", call),
        (
            "src/b.ts",
            "// 你🎉\n/* 你 */ this.ctx.systemPrompt.section({ name: '规则', order: 1, text: f('x') })\n\
             scope.systemPrompt.variable(name, f); ctx.prompt.environment(() => ({ a: 1, extra: { b: 2 } }))\n\
             ctx.prompt.block(options)\n",
        ),
        ("src/large.js", &format!("{call}{}", "const a = 1;\n".repeat(50_000))),
        ("src/large-and-silent.js", &"const a = 1;\n".repeat(50_000)),
    ]);
    let said = doctor(folder.path(), &[]);
    let sources = &said["projects"][0]["sources"];
    let counts = ["files", "blocks", "variables", "environmentFields"].map(|key| sources[key].as_u64());
    assert_eq!(counts, [3, 2, 1, 2].map(Some));
    let unread: Vec<String> = (sources["unread"].as_array().expect("a list").iter())
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap_or("-").to_owned();
            format!(
                "{}:{}:{} {} {}: {}",
                text("path"),
                one["line"],
                one["column"],
                text("call"),
                text("name"),
                text("why")
            )
        })
        .collect();
    assert_eq!(
        unread,
        [
            "src/b.ts:2:69 this.ctx.systemPrompt.section 规则: the text is computed",
            "src/b.ts:3:29 scope.systemPrompt.variable -: the name is computed",
            "src/b.ts:4:18 ctx.prompt.block -: the argument is no object literal",
            "src/large.js:1:1 - -: 634 KiB is more than the 512 KiB of a source file that are read",
        ]
    );
    let text = run(folder.path(), &["doctor"]);
    let end = "source files that register something: 3 (blocks: 2, variables: 1, environment fields: 2)\n\
        not read: src/b.ts:2:69: this.ctx.systemPrompt.section `规则`: the text is computed\n\
        not read: src/b.ts:3:29: scope.systemPrompt.variable: the name is computed\n\
        not read: src/b.ts:4:18: ctx.prompt.block: the argument is no object literal\n\
        not read: src/large.js:1:1: 634 KiB is more than the 512 KiB of a source file that are read\n";
    assert!(text.ends_with(end), "{text}");
}
