//! What reaches a terminal: nothing of a file's that would act on it, columns that are true, colour where it is wanted.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::expect;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use support::{CATALOG, HEADER, project, run};

const CONTEXT: &str = "---\nid: t:a\nzone: context\norder: 1\ntemplate: true\n---\n";

/// Everything but line breaks and what a table is laid out with.
fn acts_on_a_terminal(char: char) -> bool {
    (char.is_control() && char != '\n') || ('\u{202a}'..='\u{202e}').contains(&char)
}

#[cfg(unix)]
#[test]
fn nothing_of_a_file_acts_on_the_terminal() {
    let evil = "\u{1b}[31m\u{1b}]0;title\u{7}\u{9b}2J\u{202e}\u{8}\0\u{7f}";
    let id = "---\nid: \"t:\\e[31m\\u202E\\r\\n\"\nzone: context\norder: 1\n---\nx\n";
    let folder = project(&[
        ("promptblock.toml", "environment = \"\\u001b[31m\"\n"),
        ("promptblock.catalog.json", "{\"variables\": {\"a\\u001b[31m\\u202e\": {}}}"),
        ("promptblock.env.json", "{\"e\\u001b[31m\": {\"extends\": [\"\\u001b[31m\"]}}"),
        ("body.promptblock", &format!("{CONTEXT}{evil}{{nope}}{evil}\n")),
        ("header.promptblock", &format!("---\n{evil}: 1\nid: t:h\n---\nx\n")),
        ("name\u{1b}[31m\n\u{202e}.promptblock", &CONTEXT.replace("t:a", "a")),
        ("b.promptblock", id),
        ("c.promptblock", id),
    ]);
    support::write(folder.path(), "\u{1b}[31m.promptblock", b"\xff");
    for arguments in [
        &["check"][..],
        &["check", "no\u{1b}[31m"],
        &["check", "--env", "\u{1b}[31m"],
        &["check", "--fix"],
        &["doctor"],
        &["init"],
        &["init", "new\u{1b}[31m"],
        &["explain", "\u{1b}[31m"],
        &["schema", "\u{1b}[31m"],
        &["check", "--\u{1b}[31m"],
        &["check", "--fail-on", "\u{1b}[31m"],
    ] {
        let said = run(folder.path(), arguments);
        let found = said.find(acts_on_a_terminal);
        assert_eq!(found, None, "{arguments:?}: {said:?}");
    }
    let said = run(folder.path(), &["check", "body.promptblock", "name\u{1b}[31m\n\u{202e}.promptblock"]);
    assert!(
        said.contains(" --> body.promptblock:7:") && said.contains("| ␛[31m␛]0;title␇�2J�␈␀␡{nope}␛[31m")
    );
    assert!(said.contains(" --> name␛[31m␊�.promptblock:2:5\n"), "{said}");
}

#[test]
fn carets_stand_below_what_they_mean() {
    let folder = project(&[
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &format!("{HEADER}\t你\t{{hro}}\n🎉e\u{301}{{hro}} x\r\n")),
        (
            "long.promptblock",
            &format!(
                "{}{}{{hro}}{}\n",
                CONTEXT.replace("t:a", "t:long"),
                "你".repeat(50_000),
                "x".repeat(50_000)
            ),
        ),
    ]);
    expect![[r#"
        exit 1
        error[unknown-variable]: `hro` is not a registered variable; did you mean `hero`?
         --> a.promptblock:7:5
          |
        7 |     你    {hro}
          |            ^^^
          |
        help: Replace with `hero`

        error[unknown-variable]: `hro` is not a registered variable; did you mean `hero`?
         --> a.promptblock:8:5
          |
        8 | 🎉é{hro} x
          |     ^^^
          |
        help: Replace with `hero`

        2 findings in 1 file (1 block): 2 errors, 0 warnings, 0 information, 0 hints
    "#]]
    .assert_eq(&run(folder.path(), &["check", "a.promptblock"]));
    let said = run(folder.path(), &["check", "long.promptblock"]);
    assert!(said.contains(" --> long.promptblock:7:50002\n"), "{said}");
    assert!(said.len() < 2000 && said.contains("你{hro}x"), "{said}");
}

#[test]
fn labels_are_in_the_language_of_the_messages() {
    let folder = project(&[
        ("promptblock.toml", "locale = \"zh-CN\"\n"),
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &format!("{HEADER}{{hero}} {{hro}} {{\"a\": 1}} }}\n")),
    ]);
    let said = run(folder.path(), &["check"]);
    for label in [
        "错误[unknown-variable]: ",
        "警告[literal-braces]: ",
        "信息[stray-brace]: ",
        "提示[unused-variable]: ",
    ] {
        assert!(said.contains(&format!("\n{label}")), "{label}: {said}");
    }
    assert!(said.contains("\n相关: ") && said.contains("\n修复: "), "{said}");
    for english in ["error", "warning", "info[", "hint", "note", "help"] {
        assert!(!said.contains(english), "{english}: {said}");
    }
}

/// Standard output with these settings; it is no terminal.
fn output(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_promptblock"));
    command.args(arguments).current_dir(folder).env("XDG_CONFIG_HOME", folder.join("none"));
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "LANGUAGE"] {
        command.env_remove(name);
    }
    command.env("LC_ALL", "C.UTF-8").env("TERM", "xterm").envs(environment.iter().copied());
    String::from_utf8(command.output().expect("the binary").stdout).expect("UTF-8")
}

#[test]
fn colour_is_for_terminals_and_for_who_asks() {
    let folder =
        project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &format!("{HEADER}{{hro}}\n"))]);
    let force = ("CLICOLOR_FORCE", "1");
    let none = ("NO_COLOR", "1");
    for (arguments, environment, colour) in [
        (&["check"][..], &[][..], false),
        (&["check"], &[force], true),
        (&["check"], &[("CLICOLOR_FORCE", "0")], false),
        (&["check"], &[force, ("NO_COLOR", "")], true),
        (&["check"], &[force, none], false),
        (&["check", "--color", "always"], &[none], true),
        (&["check", "--color", "never"], &[force], false),
        (&["check", "--color", "auto"], &[], false),
        (&["check", "--format", "json", "--color", "always"], &[force], false),
        (&["check", "--format", "sarif", "--color", "always"], &[force], false),
        (&["check", "--format", "github", "--color", "always"], &[force], false),
    ] {
        let said = output(folder.path(), arguments, environment);
        assert_eq!(said.contains('\u{1b}'), colour, "{arguments:?} {environment:?}: {said}");
    }
}

#[test]
fn whoever_has_read_enough_hears_no_complaint() {
    let folder = project(&[
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &format!("{HEADER}{}", "{hro}\n".repeat(5000))),
    ]);
    for format in ["text", "json", "sarif", "github"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_promptblock"))
            .args(["check", "--format", format])
            .current_dir(folder.path())
            .env("XDG_CONFIG_HOME", folder.path().join("none"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        let mut line = String::new();
        let mut reader = BufReader::new(child.stdout.take().expect("a pipe"));
        reader.read_line(&mut line).expect("a line");
        drop(reader);
        let output = child.wait_with_output().expect("an end");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{format}");
        assert!(output.status.code().is_some(), "{format}: no signal ends it");
    }
}
