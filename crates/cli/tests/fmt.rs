//! `fmt`: files are formatted whole or not at all, and a second time changes nothing.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::expect;
use std::fs;
use support::{CATALOG, project, run, run_with, shown, write};

const UGLY: &str =
    "---\nzone:  system\nid: t:a\ntemplate: true\norder: 10\n---\n\n名🎉e\u{301} { hero } { nobody }\n\n\n";
const FINE: &str =
    "---\nid: t:a\nzone: system\norder: 10\ntemplate: true\n---\n名🎉e\u{301} {hero} { nobody }\n";

#[test]
fn files_and_folders() {
    let crlf = format!("\u{feff}{UGLY}").replace('\n', "\r\n").replace("t:a", "t:b");
    let files = [
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", UGLY),
        ("deep/b.promptblock", &crlf),
        ("c.promptblock", &FINE.replace("t:a", "t:c").replace("10", "11")),
        ("promptblock.toml", "exclude = [\"generated/**\"]\n"),
        ("generated/d.promptblock", UGLY),
    ];
    let folder = project(&files);
    let check = expect![[r#"
        exit 1
        a.promptblock
        deep/b.promptblock
        -- standard error --
        promptblock: 2 of 3 blocks not formatted
    "#]];
    check.assert_eq(&run(folder.path(), &["fmt", "--check"]));
    let read = |path: &str| fs::read_to_string(folder.path().join(path)).expect("a file");
    assert_eq!(read("a.promptblock"), UGLY, "a check writes nothing");
    expect![[r#"
        exit 0
        deep/b.promptblock
        -- standard error --
        promptblock: 1 of 1 block formatted
    "#]]
    .assert_eq(&run(folder.path(), &["fmt", "deep"]));
    let formatted = format!("\u{feff}{FINE}").replace('\n', "\r\n").replace("t:a", "t:b");
    assert_eq!(read("deep/b.promptblock"), formatted);
    run(folder.path(), &["fmt"]);
    assert_eq!((&*read("a.promptblock"), &*read("generated/d.promptblock")), (FINE, UGLY));
    let again = run(folder.path(), &["fmt", "--check"]);
    assert_eq!(again, "exit 0\n-- standard error --\npromptblock: 0 of 3 blocks not formatted\n");
    // A file that is named is formatted though it is excluded.
    run(folder.path(), &["fmt", "generated/d.promptblock"]);
    assert_eq!(read("generated/d.promptblock"), FINE);
}

#[test]
fn standard_input() {
    let folder = project(&[("promptblock.catalog.json", CATALOG)]);
    let format = |arguments: &[&str], text: &str| {
        let output = run_with(folder.path(), &[&["fmt", "--stdin"], arguments].concat(), text);
        (output.status.code(), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    assert_eq!(format(&["--stdin-path", "x.promptblock"], UGLY), (Some(0), FINE.to_owned()));
    // Without a project no variable is known, and a tag of an unknown one is text.
    assert_eq!(format(&[], UGLY), (Some(0), FINE.replace("{hero}", "{ hero }")));
    assert_eq!(format(&["--check"], UGLY), (Some(1), String::new()));
    assert_eq!(format(&["--check"], FINE), (Some(0), String::new()));
    assert_eq!(format(&[], "no block\n\n"), (Some(0), "no block\n\n".to_owned()));
    assert_eq!(format(&[], ""), (Some(0), String::new()));
}

#[test]
fn wrong_use() {
    let folder = project(&[("a.promptblock", UGLY), ("notes.md", "x")]);
    write(folder.path(), "b.promptblock", b"---\nid: \xff\n---\n");
    let wrong = |arguments: &[&str]| {
        let said = run(folder.path(), arguments);
        assert!(said.starts_with("exit 2\n"), "{said}");
        said
    };
    assert!(wrong(&["fmt", "--stdin", "a.promptblock"]).contains("cannot be used with"));
    assert!(wrong(&["fmt", "--stdin-path", "a.promptblock"]).contains("--stdin"));
    assert!(wrong(&["fmt", "missing"]).contains("missing: "));
    assert!(wrong(&["fmt", "notes.md"]).contains("notes.md: neither a block"));
    assert!(wrong(&["fmt", "--stdin", "--stdin-path", "promptblock.toml"]).contains("is no block file"));
    // The others are formatted all the same.
    let said = wrong(&["fmt"]);
    assert!(said.contains("a.promptblock\n") && said.contains("b.promptblock: "), "{said}");
    assert!(
        fs::read_to_string(folder.path().join("a.promptblock"))
            .expect("a file")
            .starts_with("---\nid: t:a\nzone")
    );
    let output = run_with(folder.path(), &["fmt", "--stdin"], "");
    assert_eq!(shown(&output), "exit 0\n");
}
