//! `promptblock check` and `explain` as a user runs them: output, exit status, bad input.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::{Expect, expect};
use std::fs;
use std::path::Path;
use std::process::Command;
use support::{CATALOG, HEADER, project, run, run_with, shown, write};

fn says(folder: &Path, arguments: &[&str], expected: &Expect) {
    expected.assert_eq(&run(folder, arguments));
}

#[test]
fn text_with_carets_second_places_and_help() {
    let a = format!("{HEADER}名🎉 {{hro}} {{time}}\n{{\"ok\": true}}\n");
    let b = "---\nid: t:a\nzone: context\norder: 1\n---\nx\n";
    let folder =
        project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &a), ("b.promptblock", b)]);
    says(
        folder.path(),
        &["check"],
        &expect![[r#"
        exit 1
        error[duplicate-id]: another block has the id `t:a` too
         --> a.promptblock:2:5
          |
        2 | id: t:a
          |     ^^^
          |
        note: the other `t:a`
         --> b.promptblock:2:5
          |
        2 | id: t:a
          |     ---
        help: Rename this one to `t:a-2`

        error[unknown-variable]: `hro` is not a registered variable; did you mean `hero`?
         --> a.promptblock:7:5
          |
        7 | 名🎉 {hro} {time}
          |       ^^^
          |
        help: Replace with `hero`

        error[mutable-in-system]: `time` changes within a session and breaks the cached prefix here; use it in the context zone
         --> a.promptblock:7:11
          |
        7 | 名🎉 {hro} {time}
          |             ^^^^
          |
        help: Move this block to the context zone

        warning[literal-braces]: these braces are no tag and are kept as text; double them to say so
         --> a.promptblock:8:1
          |
        8 | {"ok": true}
          | ^
          |
        note: they end here
         --> a.promptblock:8:12
          |
        8 | {"ok": true}
          |            -
        help: Escape these braces

        error[duplicate-id]: another block has the id `t:a` too
         --> b.promptblock:2:5
          |
        2 | id: t:a
          |     ^^^
          |
        note: the other `t:a`
         --> a.promptblock:2:5
          |
        2 | id: t:a
          |     ---
        help: Rename this one to `t:a-2`

        hint[unused-variable]: no block uses `hero`
         --> promptblock.catalog.json:1:16
          |
        1 | {"variables": {"hero": {}, "time": {"mutable": true}}}
          |                ^^^^^^
          |
        help: Remove this entry

        6 findings in 3 files (2 blocks): 4 errors, 1 warning, 0 information, 1 hint
    "#]],
    );
}

#[test]
fn nothing_found() {
    let folder =
        project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &format!("{HEADER}{{hero}}\n"))]);
    says(
        folder.path(),
        &["check", "a.promptblock"],
        &expect![[r#"
        exit 0
        0 findings in 1 file (1 block): 0 errors, 0 warnings, 0 information, 0 hints
    "#]],
    );
}

#[test]
fn json_counts_utf16_from_zero_and_bytes_on_disk() {
    let text = format!("\u{feff}{}🎉 {{who}}\r\n", HEADER.replace('\n', "\r\n"));
    let folder = project(&[("promptblock.catalog.json", CATALOG), ("sub/a.promptblock", &text)]);
    let output = run_with(folder.path(), &["check", "--format", "json", "sub"], "");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    let found = &json["diagnostics"][0];
    let at = text.find("who").expect("the name");
    assert_eq!(found["path"], "sub/a.promptblock");
    assert_eq!(found["bytes"], serde_json::json!([at, at + 3]));
    assert_eq!(found["range"]["start"], serde_json::json!({"line": 6, "character": 4}));
    assert_eq!((&found["block"], &found["plugin"]), (&"t:a".into(), &"t".into()));
    assert_eq!(json["summary"]["errors"], 1);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let folder = project(&[
        ("promptblock.catalog.json", CATALOG),
        ("empty.promptblock", ""),
        ("no-header.promptblock", "hello there\n"),
        ("broken.promptblock", "---\nid: [a\nzone: system\n---\nx\n"),
        ("fine.promptblock", &format!("{HEADER}{{hro}}\n")),
        ("folder.promptblock/inside.promptblock", "---\nid: t:b\nzone: context\norder: 1\n---\nx\n"),
    ]);
    write(folder.path(), "binary.promptblock", b"---\nid: \xff\x00\n");
    let big = fs::File::create(folder.path().join("big.promptblock")).expect("a file");
    big.set_len(50 << 20).expect("50 MiB");
    says(
        folder.path(),
        &["check"],
        &expect![[r#"
        exit 2
        error[invalid-header]: this `[` is never closed
         --> broken.promptblock:2:5
          |
        2 | id: [a
          |     ^^

        error[invalid-header]: the header is missing: the file must begin with a line `---`, the keys `id`, `zone` and `order`, and another `---`
         --> empty.promptblock:1:1
          |
        1 |
          | ^
          |
        help: Add a header, zone `system`

        error[unknown-variable]: `hro` is not a registered variable; did you mean `hero`?
         --> fine.promptblock:7:2
          |
        7 | {hro}
          |  ^^^
          |
        help: Replace with `hero`

        error[invalid-header]: the header is missing: the file must begin with a line `---`, the keys `id`, `zone` and `order`, and another `---`
         --> no-header.promptblock:1:1
          |
        1 | hello there
          | ^^^^^^^^^^^
          |
        help: Add a header, zone `system`

        hint[unused-variable]: no block uses `hero`
         --> promptblock.catalog.json:1:16
          |
        1 | {"variables": {"hero": {}, "time": {"mutable": true}}}
          |                ^^^^^^
          |
        help: Remove this entry

        hint[unused-variable]: no block uses `time`
         --> promptblock.catalog.json:1:28
          |
        1 | {"variables": {"hero": {}, "time": {"mutable": true}}}
          |                            ^^^^^^
          |
        help: Remove this entry

        6 findings in 6 files (5 blocks): 4 errors, 0 warnings, 0 information, 2 hints
        -- standard error --
        promptblock: big.promptblock: 50 MiB is more than the 32 MiB that are read
        promptblock: binary.promptblock: not UTF-8: byte 8 fits no character
        promptblock: folder.promptblock: is a folder, not a block file
    "#]],
    );
}

#[test]
fn a_catalog_that_is_a_folder() {
    let folder =
        project(&[("promptblock.catalog.json/x", ""), ("a.promptblock", &format!("{HEADER}{{hero}}\n"))]);
    says(
        folder.path(),
        &["check"],
        &expect![[r#"
        exit 2
        info[no-catalog]: no variable catalog in this project, so no variable can be checked; write `promptblock.catalog.json`
         --> a.promptblock:7:2
          |
        7 | {hero}
          |  ^^^^

        1 finding in 1 file (1 block): 0 errors, 0 warnings, 1 information, 0 hints
        -- standard error --
        promptblock: promptblock.catalog.json: not a regular file
    "#]],
    );
}

#[cfg(unix)]
#[test]
fn pipes_and_links_are_not_read() {
    let folder =
        project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &format!("{HEADER}{{hero}}\n"))]);
    let made = Command::new("mkfifo").arg(folder.path().join("pipe.promptblock")).status().expect("mkfifo");
    assert!(made.success());
    std::os::unix::fs::symlink("a.promptblock", folder.path().join("link.promptblock")).expect("a link");
    std::os::unix::fs::symlink(".", folder.path().join("loop")).expect("a link");
    says(
        folder.path(),
        &["check"],
        &expect![[r#"
        exit 2
        hint[unused-variable]: no block uses `time`
         --> promptblock.catalog.json:1:28
          |
        1 | {"variables": {"hero": {}, "time": {"mutable": true}}}
          |                            ^^^^^^
          |
        help: Remove this entry

        1 finding in 2 files (1 block): 0 errors, 0 warnings, 0 information, 1 hint
        -- standard error --
        promptblock: pipe.promptblock: not a regular file
    "#]],
    );
}

#[test]
fn wrong_use_is_exit_status_2() {
    let folder = project(&[("a.promptblock", &format!("{HEADER}x\n"))]);
    let status = |arguments: &[&str]| {
        let output = run_with(folder.path(), arguments, "");
        assert!(!output.stderr.is_empty(), "{arguments:?} says nothing");
        output.status.code()
    };
    for arguments in [
        &["check", "--bogus"][..],
        &["check", "no-such-file"],
        &["check", "--env", "nowhere"],
        &["check", "--stdin"],
        &["check", "--stdin-path", "a.promptblock"],
        &["check", "--fail-on", "sometimes"],
        &["explain", "no-such-code"],
        &["bogus"],
        &[],
    ] {
        assert_eq!(status(arguments), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_path_that_is_missing_is_said_and_the_others_are_checked() {
    let folder =
        project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &format!("{HEADER}{{hro}}\n"))]);
    let said = run(folder.path(), &["check", "nope", "a.promptblock"]);
    assert!(said.starts_with("exit 2\n"), "{said}");
    assert!(said.contains("nope: no such file or folder") && said.contains("unknown-variable"), "{said}");
}

#[test]
fn standard_input_is_judged_as_the_file() {
    let folder =
        project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &format!("{HEADER}{{hero}}\n"))]);
    let arguments = ["check", "--stdin", "--stdin-path", "a.promptblock"];
    let output = run_with(folder.path(), &arguments, &format!("{HEADER}{{villain}}\n"));
    assert!(shown(&output).contains("`villain` is not a registered variable"), "{}", shown(&output));
    assert_eq!(output.status.code(), Some(1));
    let output = run_with(folder.path(), &arguments, &format!("{HEADER}{{hero}}\n"));
    assert_eq!(output.status.code(), Some(0), "{}", shown(&output));
}

#[test]
fn messages_in_the_language_of_the_configuration() {
    let folder = project(&[
        ("promptblock.toml", "locale = \"zh-CN\"\n"),
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &format!("{HEADER}{{hro}}\n")),
    ]);
    let said = run(folder.path(), &["check"]);
    assert!(said.contains("变量 `hro` 未注册；是不是 `hero`？"), "{said}");
}

#[test]
fn ignored_files_are_checked_only_if_they_are_named() {
    let folder = project(&[
        (".gitignore", "old/\n"),
        ("promptblock.toml", "exclude = [\"drafts/**\"]\n"),
        ("promptblock.catalog.json", CATALOG),
        ("old/a.promptblock", &format!("{HEADER}{{hro}}\n")),
        ("drafts/b.promptblock", &format!("{HEADER}{{hro}}\n")),
        ("node_modules/c.promptblock", &format!("{HEADER}{{hro}}\n")),
        (".hidden/d.promptblock", &format!("{HEADER}{{hro}}\n")),
    ]);
    let said = run(folder.path(), &["check"]);
    assert!(said.contains("in 2 files (0 blocks)"), "{said}");
    for path in ["old/a.promptblock", "drafts/b.promptblock"] {
        let said = run(folder.path(), &["check", path]);
        assert!(said.starts_with("exit 1\n") && said.contains(path), "{said}");
    }
}

#[test]
fn a_project_above_and_projects_below() {
    let folder = project(&[
        ("promptblock.toml", ""),
        ("promptblock.catalog.json", CATALOG),
        ("sub/a.promptblock", &format!("{HEADER}{{hero}}\n")),
        ("own/promptblock.toml", ""),
        ("own/promptblock.catalog.json", r#"{"variables": {"villain": {}}}"#),
        ("own/b.promptblock", &format!("{HEADER}{{hero}}\n")),
    ]);
    let said = run(folder.path(), &["check", "."]);
    assert!(said.contains("own/b.promptblock") && !said.contains("sub/a.promptblock:"), "{said}");
    assert!(!said.contains("duplicate-id"), "ids are judged by project: {said}");
    let below = folder.path().join("sub");
    let output = shown(&run_with(
        &below,
        &["check", "--format", "json", "--fail-on", "hint", "../promptblock.catalog.json"],
        "",
    ));
    assert!(output.contains("\"../promptblock.catalog.json\""), "{output}");
}

#[test]
fn explanations() {
    let folder = project(&[]);
    let said = run(folder.path(), &["explain", "mutable-in-system"]);
    assert!(said.starts_with("exit 0\n# mutable-in-system\n"), "{said}");
    let said = run(folder.path(), &["explain", "mutability-undetermined"]);
    let fences: Vec<_> = said.lines().filter(|line| line.starts_with("```")).collect();
    assert!(fences.contains(&"```promptblock"), "{fences:?}");
    assert!(fences.iter().all(|fence| !fence.contains(' ')), "{fences:?}");
    let said = run(folder.path(), &["explain", "mutable-in-sytem"]);
    assert!(said.contains("did you mean `mutable-in-system`?"), "{said}");
    let all = run(folder.path(), &["explain"]);
    assert!(all.lines().count() > 39 && all.contains("unused-variable"), "{all}");
}

#[test]
fn the_same_on_every_run() {
    let folder = project(&[("promptblock.catalog.json", CATALOG)]);
    for number in 0..50 {
        write(folder.path(), &format!("{number}.promptblock"), format!("{HEADER}{{x{number}}}\n").as_bytes());
    }
    let first = run(folder.path(), &["check", "--format", "json"]);
    for _ in 0..5 {
        assert_eq!(run(folder.path(), &["check", "--format", "json"]), first);
    }
}

#[test]
fn files_of_a_project_can_be_named() {
    let folder = project(&[
        ("promptblock.toml", "profile = \"block\"\n"),
        ("promptblock.catalog.json", r#"{"variables": {"hero": {"type": "int"}}}"#),
        ("promptblock.env.json", r#"{"a": 1}"#),
        ("a.promptblock", &format!("{HEADER}{{hero}}\n")),
        ("notes.txt", "{hero}\n"),
    ]);
    for (path, code) in [
        ("promptblock.toml", "invalid-config"),
        ("promptblock.catalog.json", "invalid-catalog"),
        ("promptblock.env.json", "invalid-environment"),
    ] {
        let said = run(folder.path(), &["check", path]);
        assert!(said.starts_with("exit 1\n") && said.contains(code), "{said}");
        assert!(said.contains("1 finding in 1 file") && !said.contains("invalid-header"), "{said}");
    }
    let said = run(folder.path(), &["check", "notes.txt"]);
    assert!(said.starts_with("exit 2\n") && said.contains("notes.txt: neither a block"), "{said}");
    let said = shown(&run_with(folder.path(), &["check", "--stdin", "--stdin-path", "notes.txt"], "x"));
    assert!(said.starts_with("exit 2\n") && said.contains("notes.txt: neither a block"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_linked_folder_that_is_named_and_a_catalog_that_is_no_text() {
    let text = format!("{HEADER}{{nobody}}\n");
    let folder = project(&[("promptblock.catalog.json", CATALOG), ("real/a.promptblock", &text)]);
    std::os::unix::fs::symlink("real", folder.path().join("prompts")).expect("a link");
    for path in ["prompts", "prompts/", "real"] {
        let said = run(folder.path(), &["check", path]);
        assert!(said.starts_with("exit 1\nerror[unknown-variable]"), "{path}: {said}");
        assert!(said.contains(" --> real/a.promptblock:7:2\n"), "{path}: {said}");
    }
    // On the way through a folder links are not followed: each block counts once.
    assert!(run(folder.path(), &["check"]).contains(" in 2 files (1 block)"));
    write(
        folder.path(),
        "promptblock.catalog.json",
        b"{\"variables\": {\"n\": {\"description\": \"caf\xe9\"}}}",
    );
    let said = run(folder.path(), &["check"]);
    assert!(said.starts_with("exit 2\n") && !said.contains("no-catalog"), "{said}");
}
