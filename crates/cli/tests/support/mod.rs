//! What every test of the command line needs: a project on disk, and the binary run in it.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]
#![allow(dead_code, unreachable_pub, reason = "not every test uses all of it")]

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Of a block whose body begins in line 7.
pub const HEADER: &str = "---\nid: t:a\nzone: system\norder: 10\ntemplate: true\n---\n";
/// One variable that stays, one that changes.
pub const CATALOG: &str = r#"{"variables": {"hero": {}, "time": {"mutable": true}}}"#;

/// A folder with these files.
pub fn project(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in files {
        write(folder.path(), path, text.as_bytes());
    }
    folder
}

pub fn write(folder: &Path, path: &str, bytes: &[u8]) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
    fs::write(path, bytes).expect("a file");
}

pub fn run_with(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_promptblock"))
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CONFIG_HOME", folder.join("no-such-folder"))
        .env("HOME", folder.join("home"))
        .env("LC_ALL", "C.UTF-8")
        .env_remove("LANGUAGE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    child.stdin.take().expect("standard input").write_all(input.as_bytes()).expect("written");
    child.wait_with_output().expect("an end")
}

/// Exit status, standard output, standard error.
pub fn run(folder: &Path, arguments: &[&str]) -> String {
    shown(&run_with(folder, arguments, ""))
}

pub fn shown(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let mut all = format!("exit {}\n{}", output.status.code().expect("no signal"), text(&output.stdout));
    if !output.stderr.is_empty() {
        all += &format!("-- standard error --\n{}", text(&output.stderr));
    }
    all
}
