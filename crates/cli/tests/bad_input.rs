//! Wrong use and broken input of every command: the exit status, one clear line, the others still checked, nothing half-written.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use std::fs;
use std::path::Path;
use support::{CATALOG, HEADER, project, run, run_with, shown, write};

/// Exit status 2, nothing on standard output, and this one line on standard error.
fn refused(folder: &Path, arguments: &[&str], says: &str) {
    let said = run(folder, arguments);
    assert_eq!(said, format!("exit 2\n-- standard error --\npromptblock: {says}\n"), "{arguments:?}");
}

const MORE: &str = "(`promptblock --help` says more)";

#[test]
fn wrong_use_of_every_command() {
    let folder = project(&[("promptblock.env.json", r#"{"群聊": {}}"#), ("a.promptblock", HEADER)]);
    let formats = "there are: text, json, sarif, github";
    let table: &[(&[&str], &str)] = &[
        (&["chek"], "no command `chek`; did you mean `check`?"),
        (&["check", "--nope"], &format!("unknown argument `--nope` {MORE}")),
        (&["check", "--format"], &format!("--format <FORMAT> needs a value; {formats}")),
        (&["check", "--format", "xml"], &format!("`xml` is no value of --format <FORMAT>; {formats}")),
        (&["check", "--format", "jsn"], "`jsn` is no value of --format <FORMAT>; did you mean `json`?"),
        (&["check", "--color", "red"], "`red` is no value of --color <WHEN>; there are: auto, always, never"),
        (
            &["check", "--fail-on", "none"],
            "`none` is no value of --fail-on <SEVERITY>; there are: error, warning, information, hint, never",
        ),
        (&["check", "--env"], &format!("--env <NAME> needs a value {MORE}")),
        (&["check", "--env", "群"], "no environment `群`; known: 群聊"),
        (&["check", "--env", ""], "no environment ``; known: 群聊"),
        (&["check", "--fix", "--fix"], &format!("--fix is given twice {MORE}")),
        (
            &["check", "--fix", "--stdin", "--stdin-path", "a.promptblock"],
            &format!("--fix cannot be used with --stdin {MORE}"),
        ),
        (&["check", "--stdin"], &format!("--stdin-path <PATH> is missing {MORE}")),
        (&["check", "--stdin-path", "a.promptblock"], &format!("--stdin is missing {MORE}")),
        (
            &["check", "--stdin", "--stdin-path", "a.promptblock", "."],
            &format!("--stdin cannot be used with [PATHS]... {MORE}"),
        ),
        (&["check", ""], &format!("[PATHS]... needs a value {MORE}")),
        (&["check", "--stdin", "--stdin-path", ""], &format!("--stdin-path <PATH> needs a value {MORE}")),
        (&["fmt", "--chek"], "unknown argument `--chek`; did you mean `--check`?"),
        (&["fmt", "--stdin", "."], &format!("--stdin cannot be used with [PATHS]... {MORE}")),
        (&["fmt", "--stdin-path", "x"], &format!("--stdin is missing {MORE}")),
        (&["fmt", ""], &format!("[PATHS]... needs a value {MORE}")),
        (&["assemble", "a", "b"], &format!("unknown argument `b` {MORE}")),
        (
            &["assemble", "--as", "xml"],
            "`xml` is no value of --as <FORM>; there are: text, json, openai, anthropic",
        ),
        (&["assemble", "--env", "none"], "no environment `none`; known: 群聊"),
        (&["assemble", "--then", "none"], "no environment `none`; known: 群聊"),
        (&["assemble", "--input"], &format!("--input <TEXT> needs a value {MORE}")),
        (&["assemble", ""], &format!("[PATH] needs a value {MORE}")),
        (
            &["explain", "unknown-varable"],
            "no diagnostic code `unknown-varable`; did you mean `unknown-variable`? (`promptblock explain` lists them all)",
        ),
        (&["explain", "什么"], "no diagnostic code `什么` (`promptblock explain` lists them all)"),
        (&["explain", ""], "<CODE> is empty (`promptblock explain` lists them all)"),
        (&["explain", "a", "b"], &format!("unknown argument `b` {MORE}")),
        (&["init", "a", "b"], &format!("unknown argument `b` {MORE}")),
        (&["init", ""], &format!("[PATH] needs a value {MORE}")),
        (&["doctor", "a", "b"], &format!("unknown argument `b` {MORE}")),
        (&["doctor", "--format", "xml"], "`xml` is no value of --format <FORMAT>; there are: text, json"),
        (&["doctor", "nope"], "nope: no such file or folder"),
        (&["doctor", ""], &format!("[PATH] needs a value {MORE}")),
        (&["tokens", ""], &format!("[PATH] needs a value {MORE}")),
        (&["catalog", ""], &format!("[PATH] needs a value {MORE}")),
        (&["diff", "--rev", "HEAD", ""], &format!("[PATH] needs a value {MORE}")),
        (&["schema"], &format!("<NAME> is missing {MORE}")),
        (&["schema", "catalgo"], "`catalgo` is no value of <NAME>; did you mean `catalog`?"),
        (
            &["schema", "block"],
            "`block` is no value of <NAME>; there are: catalog, environment, config, tools",
        ),
        (&["completions"], &format!("<SHELL> is missing {MORE}")),
        (&["completions", "zshh"], "`zshh` is no value of <SHELL>; did you mean `zsh`?"),
        (&["lsp", "--log"], &format!("--log <FILTER> needs a value {MORE}")),
        (&["lsp", "."], &format!("unknown argument `.` {MORE}")),
    ];
    for (arguments, says) in table {
        refused(folder.path(), arguments, says);
    }
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing was written");
}

#[test]
fn standard_input_that_is_no_text() {
    let folder = project(&[("promptblock.catalog.json", CATALOG)]);
    let arguments = ["check", "--stdin", "--stdin-path", "x.txt"];
    let said = shown(&run_with(folder.path(), &arguments, "x"));
    assert!(
        said.ends_with("promptblock: x.txt: neither a block (`*.promptblock`) nor a file of a project\n"),
        "{said}"
    );
    assert!(said.starts_with("exit 2\n"), "{said}");
    for command in ["check", "fmt"] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_promptblock"))
            .args([command, "--stdin", "--stdin-path", "a.promptblock"])
            .current_dir(folder.path())
            .env("LC_ALL", "C.UTF-8")
            .stdin(fs::File::open(folder.path()).expect("a folder"))
            .output()
            .expect("the binary");
        let said = shown(&output);
        assert!(
            said.starts_with("exit 2\n-- standard error --\npromptblock: standard input cannot be read: "),
            "{said}"
        );
    }
}

/// What `check`, `fmt` and `assemble` say of a path, beside a block that is checked all the same.
#[cfg(unix)]
mod paths {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    /// It has a finding of its own, so that it shows whether it was checked.
    const SEEN: &str = "---\nid: t:seen\nzone: system\norder: 10\ncolour: red\n---\nx\n";

    fn fifo(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
    }

    fn zeros(path: &Path, mib: u64) {
        fs::File::create(path).expect("a file").set_len(mib * 1024 * 1024).expect("a length");
    }

    #[test]
    fn each_is_said_and_the_others_are_checked() {
        let folder = project(&[("seen.promptblock", SEEN), ("note.txt", "x")]);
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("dir.promptblock")).expect("a folder");
        fs::create_dir(at("full.promptblock")).expect("a folder");
        write(folder.path(), "full.promptblock/a.promptblock", SEEN.replace("t:seen", "t:other").as_bytes());
        fs::create_dir(at("names")).expect("a folder");
        write(folder.path(), "bytes.promptblock", b"ab\xff");
        write(folder.path(), "wide.promptblock", b"\xff\xfe-\0-\0");
        fs::write(at("names").join(OsStr::from_bytes(b"\xff.promptblock")), SEEN).expect("a file");
        fifo(&at("fifo.promptblock"));
        fifo(&at("fifo"));
        zeros(&at("big.promptblock"), 40);
        symlink("nowhere", at("dead.promptblock")).expect("a link");
        symlink("loop.promptblock", at("loop.promptblock")).expect("a link");
        symlink("../seen.promptblock", at("names/link.promptblock")).expect("a link");

        let neither = "neither a block (`*.promptblock`) nor a file of a project";
        let loops = "cannot be read: Too many levels of symbolic links (os error 40)";
        // From the working directory, as everything is printed.
        let depth = folder.path().canonicalize().expect("a folder").components().count() - 1;
        let up = |path: &str| format!("{}{}", "../".repeat(depth), path.trim_start_matches('/'));
        let table = [
            ("nope", "nope: no such file or folder".to_owned()),
            ("seen.promptblock/below", "seen.promptblock/below: no such file or folder".to_owned()),
            ("note.txt", format!("note.txt: {neither}")),
            ("bytes.promptblock", "bytes.promptblock: not UTF-8: byte 2 fits no character".to_owned()),
            ("wide.promptblock", "wide.promptblock: not UTF-8: byte 0 fits no character".to_owned()),
            ("names", "names/\u{fffd}.promptblock: the name is not UTF-8".to_owned()),
            ("fifo.promptblock", "fifo.promptblock: not a regular file".to_owned()),
            ("fifo", format!("fifo: {neither}")),
            ("/dev/null", format!("{}: {neither}", up("/dev/null"))),
            ("big.promptblock", "big.promptblock: 40 MiB is more than the 32 MiB that are read".to_owned()),
            ("dead.promptblock", "dead.promptblock: a link to what is not there".to_owned()),
            ("loop.promptblock", format!("loop.promptblock: {loops}")),
        ];
        for (path, says) in table {
            let said = run(folder.path(), &["check", path, "seen.promptblock"]);
            assert!(said.starts_with("exit 2\n") && said.contains(&says), "{path}: {said}");
            let (_, errors) = said.split_once("-- standard error --\n").expect("an error");
            assert_eq!(errors, format!("promptblock: {says}\n"), "one line");
            assert!(said.contains("warning[unknown-key]") && said.contains("(1 block)"), "{path}: {said}");
            let said = run(folder.path(), &["fmt", "--check", path, "seen.promptblock"]);
            assert!(
                said.starts_with("exit 2\n") && said.contains("0 of 1 block not formatted"),
                "{path}: {said}"
            );
        }
        for path in ["nope", "dead.promptblock", "loop.promptblock"] {
            for command in ["assemble", "doctor"] {
                let said = run(folder.path(), &[command, path]);
                assert!(
                    said.starts_with(&format!("exit 2\n-- standard error --\npromptblock: {path}: ")),
                    "{said}"
                );
            }
        }

        // A folder that is called like a block is a folder, and a link that leads to a block is that block.
        let said = run(folder.path(), &["check", "dir.promptblock"]);
        assert!(said.starts_with("exit 0\n"), "{said}");
        assert!(said.ends_with("promptblock: dir.promptblock: is a folder, not a block file\n"), "{said}");
        let said = run(folder.path(), &["check", "--format", "json", "full.promptblock"]);
        assert!(said.contains("\"path\": \"full.promptblock/a.promptblock\""), "{said}");
        let said = run(folder.path(), &["check", "--format", "json", "names/link.promptblock"]);
        assert!(said.contains("\"path\": \"seen.promptblock\"") && !said.contains("names/link"), "{said}");
    }

    #[test]
    fn an_argument_that_is_not_utf8() {
        let folder = project(&[("seen.promptblock", SEEN)]);
        for command in ["check", "fmt", "assemble", "doctor", "init"] {
            let output = Command::new(env!("CARGO_BIN_EXE_promptblock"))
                .arg(command)
                .arg(OsStr::from_bytes(b"\xff.promptblock"))
                .current_dir(folder.path())
                .env("LC_ALL", "C.UTF-8")
                .output()
                .expect("the binary");
            let says =
                format!("exit 2\n-- standard error --\npromptblock: an argument is not UTF-8 {MORE}\n");
            assert_eq!(shown(&output), says, "{command}");
        }
    }

    #[test]
    fn a_file_that_nobody_may_read() {
        let folder = project(&[("seen.promptblock", SEEN), ("closed.promptblock", "---\n")]);
        let closed = folder.path().join("closed.promptblock");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).expect("permissions");
        let said = run(folder.path(), &["check"]);
        if fs::read(&closed).is_ok() {
            // To the superuser it is a file like any other.
            assert!(said.starts_with("exit 1\n") && said.contains("closed.promptblock:1:"), "{said}");
        } else {
            let says = "promptblock: closed.promptblock: cannot be read: permission denied\n";
            assert!(said.starts_with("exit 2\n") && said.ends_with(says), "{said}");
        }
    }

    /// The exit status of `check` and a piece of what it says, for each way in which a file of the settings can be broken.
    #[test]
    fn broken_settings() {
        let files: [(&str, &str); 5] = [
            ("promptblock.toml", "invalid-config"),
            ("promptblock.catalog.json", "invalid-catalog"),
            ("promptblock.catalog.local.json", "invalid-catalog"),
            ("no-such-folder/promptblock/catalog.json", "invalid-catalog"),
            ("promptblock.env.json", "invalid-environment"),
        ];
        for (file, code) in files {
            let nested = "[".repeat(200_000);
            let texts: [(&str, &[u8], i32, &str); 9] = [
                ("broken", b"{\"variables\": ", 1, code),
                (
                    "empty",
                    b"",
                    if file.ends_with("toml") { 0 } else { 1 },
                    if file.ends_with("toml") { "" } else { code },
                ),
                ("a number", b"3", 1, code),
                ("nested", nested.as_bytes(), 1, code),
                ("zeros", b"{\"a\0\": 1}\0", 1, code),
                ("wide", b"\xff\xfe{\0}\0", 2, "not UTF-8: byte 0 fits no character"),
                ("bytes", b"{}\xff", 2, "not UTF-8: byte 2 fits no character"),
                ("binary", b"\x89PNG\r\n\x1a\n\0\0", 2, "not UTF-8: byte 0 fits no character"),
                (
                    "a mark and no more",
                    b"\xef\xbb\xbf",
                    if file.ends_with("toml") { 0 } else { 1 },
                    if file.ends_with("toml") { "" } else { code },
                ),
            ];
            for (what, bytes, status, says) in texts {
                let folder = project(&[("seen.promptblock", SEEN)]);
                write(folder.path(), file, bytes);
                holds(folder.path(), &format!("{file}: {what}"), status, says);
            }
            type Make = fn(&Path);
            let makers: [(&str, Make, &str); 4] = [
                ("huge", |path| zeros(path, 40), "40 MiB is more than the 32 MiB that are read"),
                ("a folder", |path| fs::create_dir(path).expect("a folder"), "not a regular file"),
                ("a pipe", fifo, "not a regular file"),
                (
                    "a dead link",
                    |path| symlink("nowhere", path).expect("a link"),
                    "a link to what is not there",
                ),
            ];
            for (what, make, says) in makers {
                let folder = project(&[("seen.promptblock", SEEN)]);
                let path = folder.path().join(file);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                make(&path);
                holds(
                    folder.path(),
                    &format!("{file}: {what}"),
                    2,
                    &format!("promptblock: {file}: {says}\n"),
                );
            }
        }
    }

    /// `check` ends with that status and says so; the block beside it is checked, and every other command ends too.
    fn holds(folder: &Path, what: &str, status: i32, says: &str) {
        let said = run(folder, &["check"]);
        assert!(said.starts_with(&format!("exit {status}\n")), "{what}: {said}");
        assert!(said.contains(says), "{what}: {said}");
        assert!(said.contains("(1 block)"), "{what}: {said}");
        assert!(!said.contains("panicked"), "{what}: {said}");
        for arguments in [&["fmt", "--check"][..], &["assemble"], &["doctor"]] {
            let said = run(folder, arguments);
            assert!(!said.contains("panicked") && !said.starts_with("exit 101"), "{what}: {said}");
        }
    }
}
