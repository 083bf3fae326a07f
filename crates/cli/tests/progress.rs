//! The line of progress: at a terminal, when it takes long, and gone at the end. Nowhere else.
#![cfg(unix)]
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use support::{CATALOG, project, write};
use tempfile::TempDir;

/// What the terminal of standard error got, and standard output unless that is the terminal too.
struct Seen {
    terminal: String,
    output: String,
    status: Option<i32>,
}

/// Runs a command with standard error on a terminal of its own.
fn at_a_terminal(folder: &Path, arguments: &[&str], output_too: bool, environment: &[(&str, &str)]) -> Seen {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a pseudo-terminal");
    grantpt(&master).expect("its other end is ours");
    unlockpt(&master).expect("its other end is open");
    let size = Winsize { ws_row: 24, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&master, size).expect("a size");
    let name = ptsname(&master, Vec::new()).expect("a name");
    let name = Path::new(std::ffi::OsStr::from_bytes(name.to_bytes())).to_owned();
    let terminal = OpenOptions::new().read(true).write(true).open(name).expect("the other end");
    let output = match output_too {
        true => Stdio::from(terminal.try_clone().expect("a second handle")),
        false => Stdio::piped(),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_promptblock"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null()).stdout(output).stderr(terminal);
    command.env("XDG_CONFIG_HOME", folder.join("none")).env("LC_ALL", "C.UTF-8").env("TERM", "xterm");
    command.env_remove("LANGUAGE").env_remove("CI").env_remove("NO_COLOR");
    let mut child = command.envs(environment.iter().copied()).spawn().expect("the binary");
    // It holds our handles of the terminal, whose reading ends with the last of them.
    drop(command);
    let reader = thread::spawn(move || {
        let (mut seen, mut some) = (Vec::new(), [0; 4096]);
        let mut master = File::from(master);
        // Linux ends a terminal that nobody holds any more with an error.
        while let Ok(read @ 1..) = master.read(&mut some) {
            seen.extend_from_slice(&some[..read]);
        }
        String::from_utf8_lossy(&seen).into_owned()
    });
    let mut output = String::new();
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_string(&mut output).expect("UTF-8");
    }
    let status = child.wait().expect("an end").code();
    Seen { terminal: reader.join().expect("read"), output, status }
}

/// A project that takes twice as long as it takes the line to come, on this machine.
fn large_project() -> TempDir {
    let folder = project(&[("promptblock.catalog.json", CATALOG)]);
    let line = "你好 {hero} {if hero}x{/if}\n".repeat(100);
    let mut number = 0;
    for total in (1..200).map(|step| 500 * step) {
        for at in number..total {
            let text = format!("---\nid: t:{at}\nzone: context\norder: {at}\ntemplate: true\n---\n{line}");
            write(folder.path(), &format!("{at}.promptblock"), text.as_bytes());
        }
        number = total;
        let start = Instant::now();
        support::run(folder.path(), &["check"]);
        if start.elapsed() > Duration::from_millis(1000) {
            return folder;
        }
    }
    unreachable!("{number} blocks are read in no time");
}

#[test]
fn a_long_run_shows_a_line_and_takes_it_away() {
    let folder = large_project();
    let folder = folder.path();
    let end = "0 information, 1 hint";

    let seen = at_a_terminal(folder, &["check"], true, &[]);
    assert_eq!(seen.status, Some(0), "{}", seen.terminal);
    let (before, report) = seen.terminal.split_once("hint").expect("a finding is printed");
    assert!(before.contains("reading blocks: "), "{before:?}");
    assert!(report.trim_end().ends_with(end) && !report.contains("reading blocks"), "{report:?}");
    // The last that happens to the line is that it is cleared.
    let last = before.rfind("blocks: ").expect("the line");
    assert!(before[last..].contains("\r\u{1b}[2K"), "{before:?}");

    let seen = at_a_terminal(folder, &["check"], false, &[("LC_ALL", "zh_CN.UTF-8")]);
    assert!(seen.terminal.contains("正在读取块："), "{:?}", seen.terminal);
    let seen = at_a_terminal(folder, &["check", "--format", "json"], false, &[]);
    assert!(seen.terminal.contains("reading blocks: "), "the JSON goes elsewhere: {:?}", seen.terminal);
    assert!(seen.output.starts_with('{') && seen.output.ends_with("}\n"), "{}", seen.output);
    for command in ["doctor", "catalog", "tokens"] {
        let seen = at_a_terminal(folder, &[command], false, &[]);
        assert!(seen.terminal.contains("reading blocks: "), "{command}: {:?}", seen.terminal);
        let seen = at_a_terminal(folder, &[command, "--format", "json"], true, &[]);
        assert!(
            seen.terminal.starts_with('{') && !seen.terminal.contains('\u{1b}'),
            "{command}: {}",
            seen.terminal
        );
    }

    let seen = at_a_terminal(folder, &["check", "--format", "json"], true, &[]);
    assert!(seen.terminal.starts_with('{') && !seen.terminal.contains('\u{1b}'), "{}", seen.terminal);
    for (name, value) in [("TERM", "dumb"), ("CI", "true")] {
        let seen = at_a_terminal(folder, &["check"], false, &[(name, value)]);
        assert_eq!(seen.terminal, "", "{name}={value}");
    }
    let piped = support::run(folder, &["check"]);
    assert!(!piped.contains("standard error"), "{piped}");
}

#[test]
fn a_short_run_shows_none() {
    let folder = project(&[("promptblock.catalog.json", CATALOG)]);
    let seen = at_a_terminal(folder.path(), &["check"], false, &[]);
    assert_eq!(seen.terminal, "");
    assert!(seen.output.ends_with("2 hints\n"), "{}", seen.output);
}
