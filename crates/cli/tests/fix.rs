//! `check --fix`: what is safe is done, nothing else is, and no file is left worse or half-written.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::expect;
use std::fs;
use std::path::Path;
use support::{CATALOG, HEADER, project, run, run_with, shown, write};

fn read(folder: &Path, path: &str) -> String {
    fs::read_to_string(folder.join(path)).expect("a file in UTF-8")
}

/// Every file below, with its text.
fn all(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry"))
        .filter(|entry| entry.path().is_file())
        .map(|entry| {
            (entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path()).expect("a file"))
        })
        .collect();
    files.sort();
    files
}

#[test]
fn safe_fixes_are_done_and_the_rest_is_printed() {
    let text = format!("{HEADER}名🎉 {{hro}} {{hero}} {{time}}\n{{\"a\": {{\"b\": 1}}}}\n");
    let folder = project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &text)]);
    let expected = expect![[r#"
        exit 1
        error[unknown-variable]: `hro` is not a registered variable; did you mean `hero`?
         --> a.promptblock:7:5
          |
        7 | 名🎉 {hro} {hero} {time}
          |       ^^^
          |
        help: Replace with `hero`

        error[mutable-in-system]: `time` changes within a session and breaks the cached prefix here; use it in the context zone
         --> a.promptblock:7:18
          |
        7 | 名🎉 {hro} {hero} {time}
          |                    ^^^^
          |
        help: Move this block to the context zone

        2 findings in 2 files (1 block): 2 errors, 0 warnings, 0 information, 0 hints
        -- standard error --
        promptblock: 1 finding fixed in 1 file
    "#]];
    expected.assert_eq(&run(folder.path(), &["check", "--fix"]));
    let fixed = text.replace("{\"a\": {\"b\": 1}}", "{{\"a\": {{\"b\": 1}}}}");
    assert_eq!(read(folder.path(), "a.promptblock"), fixed);

    let before = all(folder.path());
    let again = run(folder.path(), &["check", "--fix"]);
    assert!(again.ends_with("promptblock: 0 findings fixed in 0 files\n"), "{again}");
    assert_eq!(all(folder.path()), before);
}

#[test]
fn line_ends_and_a_byte_order_mark_stay() {
    let text = format!("\u{feff}{HEADER}名🎉e\u{301} {{hero}}\n{{\"a\": 1}}").replace('\n', "\r\n");
    let folder = project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &text)]);
    let said = run(folder.path(), &["check", "--fix", "a.promptblock"]);
    assert!(said.starts_with("exit 0\n") && said.ends_with("1 finding fixed in 1 file\n"), "{said}");
    let expected = text.replace("{\"a\": 1}", "{{\"a\": 1}}");
    assert_eq!(read(folder.path(), "a.promptblock"), expected);
}

#[test]
fn one_fix_after_the_other_where_they_are_nested_or_many() {
    let many = "{\"a\": [{\"b\": {}}, {\"c\": 1}]} x {\"y\": 2}\n".repeat(200);
    let text = format!("---\nid: t:a\nzone: system\nordr: 10\ntemplate: true\n---\n{many}");
    let folder = project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &text)]);
    let said = run(folder.path(), &["check", "--fix", "a.promptblock"]);
    assert!(said.starts_with("exit 0\n0 findings in 1 file"), "{said}");
    let fixed = text.replace("ordr", "order");
    let (header, body) = fixed.split_at(fixed.find("---\n{").expect("a body") + 4);
    let body = body.replace('{', "{{").replace('}', "}}");
    assert_eq!(read(folder.path(), "a.promptblock"), format!("{header}{body}"));
}

#[test]
fn a_fix_that_makes_any_file_worse_is_not_done() {
    // With its key spelt right, the order is that of the other block.
    let a = "---\nid: t:a\nzone: system\nordr: 10\n---\nx\n";
    let b = "---\nid: t:b\nzone: system\norder: 10\n---\nx\n";
    let files = [("promptblock.catalog.json", CATALOG), ("a.promptblock", a), ("b.promptblock", b)];
    let folder = project(&files);
    let said = run(folder.path(), &["check", "--fix"]);
    assert!(said.contains("unknown-key") && !said.contains("order-conflict"), "{said}");
    assert!(said.ends_with("0 findings fixed in 0 files\n"), "{said}");
    assert_eq!((&*read(folder.path(), "a.promptblock"), &*read(folder.path(), "b.promptblock")), (a, b));
}

#[test]
fn catalogs_too() {
    let catalog = "// 名\r\n{\"variabels\": {\"hero\": {}}}\r\n";
    let folder =
        project(&[("promptblock.catalog.json", catalog), ("a.promptblock", &format!("{HEADER}{{hero}}\n"))]);
    let said = run(folder.path(), &["check", "--fix"]);
    assert!(said.starts_with("exit 0\n0 findings"), "{said}");
    assert_eq!(read(folder.path(), "promptblock.catalog.json"), catalog.replace("variabels", "variables"));
}

#[test]
fn only_what_is_listed() {
    let text = format!("{HEADER}{{hero}}{{\"a\": 1}}\n");
    let other = text.replace("t:a", "t:b").replace("10", "20");
    let folder = project(&[
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &text),
        ("sub/b.promptblock", &other),
        ("ignored/c.promptblock", &other),
        (".gitignore", "ignored/\n"),
    ]);
    let said = run(folder.path(), &["check", "--fix", "sub"]);
    assert!(said.ends_with("1 finding fixed in 1 file\n"), "{said}");
    assert_eq!(read(folder.path(), "a.promptblock"), text);
    assert_ne!(read(folder.path(), "sub/b.promptblock"), other);
    run(folder.path(), &["check", "--fix"]);
    assert_eq!(read(folder.path(), "ignored/c.promptblock"), other);
    assert_ne!(read(folder.path(), "a.promptblock"), text);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay_and_what_is_read_only_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let text = format!("{HEADER}{{hero}}{{\"a\": 1}}\n");
    let folder = project(&[
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &text),
        ("b.promptblock", &text.replace("t:a", "t:b").replace("10", "20")),
    ]);
    let mode = |path: &str, mode: u32| {
        let path = folder.path().join(path);
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("permissions");
    };
    mode("a.promptblock", 0o640);
    mode("b.promptblock", 0o444);
    let before = read(folder.path(), "b.promptblock");
    let said = run(folder.path(), &["check", "--fix", "a.promptblock", "b.promptblock"]);
    assert!(
        said.starts_with("exit 2\n") && said.contains("b.promptblock: is read-only, left as it is"),
        "{said}"
    );
    assert!(said.contains("literal-braces") && said.ends_with("1 finding fixed in 1 file\n"), "{said}");
    assert_eq!(read(folder.path(), "b.promptblock"), before);
    let meta = fs::metadata(folder.path().join("a.promptblock")).expect("a file");
    assert_eq!(meta.permissions().mode() & 0o777, 0o640);

    write(folder.path(), "real.txt", text.as_bytes());
    fs::remove_file(folder.path().join("a.promptblock")).expect("removed");
    std::os::unix::fs::symlink("real.txt", folder.path().join("a.promptblock")).expect("a link");
    run(folder.path(), &["check", "--fix", "a.promptblock"]);
    assert!(folder.path().join("a.promptblock").is_symlink());
    assert_ne!(read(folder.path(), "real.txt"), text);
    let names: Vec<_> = all(folder.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a.promptblock", "b.promptblock", "promptblock.catalog.json", "real.txt"]);
}

#[test]
fn standard_input_cannot_be_fixed() {
    let folder = project(&[("a.promptblock", HEADER)]);
    let arguments = ["check", "--fix", "--stdin", "--stdin-path", "a.promptblock"];
    let said = shown(&run_with(folder.path(), &arguments, ""));
    assert!(said.starts_with("exit 2\n") && said.contains("--fix"), "{said}");
    assert_eq!(read(folder.path(), "a.promptblock"), HEADER);
}

#[test]
fn tags_are_closed_from_the_inside() {
    let text = format!("{HEADER}{{if hero}}名{{repeat 2}}🎉\n\n");
    let folder = project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &text)]);
    let said = run(folder.path(), &["check", "--fix", "a.promptblock"]);
    assert!(said.starts_with("exit 0\n0 findings"), "{said}");
    assert_eq!(read(folder.path(), "a.promptblock"), text.replace("🎉", "🎉{/repeat}{/if}"));
    let before = all(folder.path());
    run(folder.path(), &["check", "--fix"]);
    assert_eq!(all(folder.path()), before, "once is enough");
}

#[test]
fn a_catalog_is_never_written_without_being_asked() {
    let text = format!("{HEADER}{{hero}}\n");
    let folder = project(&[("a.promptblock", &text)]);
    let said = run(folder.path(), &["check", "--fix", "--format", "json"]);
    let title = "Write `promptblock.catalog.json` with the variables in use";
    assert!(said.contains(title) && said.contains("\"path\": \"promptblock.catalog.json\""), "{said}");
    let names: Vec<_> = all(folder.path()).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a.promptblock"]);
}
