//! What the command line shows, the editor shows: the findings of `promptblock check` and of the server, over the examples and
//! the given cases.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Project, Start, binary};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// One finding, the same from either side: URI, code, severity, message, range.
type Finding = (String, String, u64, String, String);

fn place(range: &Value) -> String {
    let at = |end: &str| format!("{}:{}", range[end]["line"], range[end]["character"]);
    format!("{}-{}", at("start"), at("end"))
}

fn on_the_command_line(project: &Project) -> Vec<Finding> {
    let output = Command::new(binary())
        .args(["check", "--format", "json", "--fail-on", "never", "."])
        .current_dir(project.root())
        .env("XDG_CONFIG_HOME", project.path("no-such-folder"))
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    let severities = ["error", "warning", "information", "hint"];
    let found = report["diagnostics"].as_array().unwrap().iter().map(|found| {
        let severity = severities.iter().position(|name| found["severity"] == *name).unwrap() as u64 + 1;
        let text = |key: &str| found[key].as_str().unwrap().to_owned();
        (project.uri(&text("path")), text("code"), severity, text("message"), place(&found["range"]))
    });
    let mut found: Vec<Finding> = found.collect();
    found.sort();
    found
}

fn in_the_editor(client: &Client) -> Vec<Finding> {
    let all = client.published.iter().flat_map(|(uri, published)| {
        published.diagnostics.iter().map(move |found| {
            let text = |key: &str| found[key].as_str().unwrap().to_owned();
            (
                uri.clone(),
                text("code"),
                found["severity"].as_u64().unwrap(),
                text("message"),
                place(&found["range"]),
            )
        })
    });
    let mut all: Vec<Finding> = all.collect();
    all.sort();
    all
}

/// Compares the two on the files as they lie on the disk, then with every block opened.
fn compare(name: &str, project: &Project) {
    let expected = on_the_command_line(project);
    let mut client = Start::in_folders(&[project])
        .env("XDG_CONFIG_HOME", project.path("no-such-folder").to_str().unwrap())
        .start();
    client.wait_until(&format!("{name}: {expected:#?}"), |client| in_the_editor(client) == expected);
    client.settle();
    assert_eq!(in_the_editor(&client), expected, "{name}, on disk");
    for path in blocks(project.root()) {
        let Ok(text) = fs::read_to_string(project.path(&path)) else { continue };
        // An editor strips the mark when it opens a file.
        client.open(&project.uri(&path), 1, text.trim_start_matches('\u{feff}'));
        client.diagnostics(&project.uri(&path), 1);
    }
    client.settle();
    assert_eq!(in_the_editor(&client), expected, "{name}, opened");
    client.stop();
}

fn blocks(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "promptblock") {
                found.push(path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/"));
            }
        }
    }
    found.sort();
    found
}

#[test]
fn the_examples() {
    for name in ["chat-bot", "mistakes"] {
        let project = Project::new("");
        copy(&Path::new(REPOSITORY).join("examples").join(name), project.root());
        assert!(!blocks(project.root()).is_empty());
        compare(name, &project);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() { copy(&path, &target) } else { assert!(fs::copy(&path, &target).is_ok()) }
    }
}

#[test]
fn the_given_cases() {
    let compared = compare_cases("public_cases.json", 1);
    assert!(compared > 100, "only {compared} cases were compared");
}

/// One in a handful: all of them take a minute.
#[test]
fn our_own_cases() {
    let compared = compare_cases("own_cases.json", 5);
    assert!(compared > 150, "only {compared} cases were compared");
}

/// Compares every so manieth case that is whole: a folder of files, checked from above. Gives how many these were.
fn compare_cases(file: &str, every: usize) -> usize {
    let cases = fs::read_to_string(Path::new(REPOSITORY).join("tests/cases").join(file)).unwrap();
    let cases: Vec<Value> = serde_json::from_str(&cases).unwrap();
    let comparable = cases.iter().filter(|case| {
        let plain = ["xdg", "links", "git", "files_b64", "cwd", "stdin", "env"]
            .iter()
            .all(|key| case.get(*key).is_none());
        let whole = case.get("cmd").is_none_or(|cmd| *cmd == json!(["check", "--format", "json", "."]));
        // An ignored file is judged when it is opened, and an editor strips one mark of two.
        let name = case["name"].as_str().unwrap();
        let opened_alike =
            !["walk:", "exclude", "two byte order marks"].iter().any(|part| name.contains(part));
        plain && whole && opened_alike
    });
    let mut compared = 0;
    for case in comparable.step_by(every) {
        let project = Project::new("");
        for (path, text) in case["files"].as_object().unwrap() {
            project.write(path, text.as_str().unwrap());
        }
        // A project above, so that a buffer that is no file of it cannot join in.
        if !project.path("promptblock.toml").exists() {
            project.write("promptblock.toml", "");
        }
        compare(case["name"].as_str().unwrap(), &project);
        compared += 1;
    }
    compared
}
