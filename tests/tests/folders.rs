//! Several folders, none at all, and documents that are on no disk.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Project, Start, uri};
use serde_json::json;

fn block(id: &str, order: i32, body: &str) -> String {
    format!("---\nid: t:{id}\nzone: context\norder: {order}\ntemplate: true\n---\n{body}\n")
}

fn with_catalog(name: &str, variable: &str) -> Project {
    let project = Project::named(name, "");
    project.write("promptblock.catalog.json", format!("{{\"variables\": {{\"{variable}\": {{}}}}}}"));
    project.write("a.promptblock", block("same", 1, &format!("{{{variable}}}")));
    project
}

#[test]
fn each_folder_has_its_own_catalog_and_ids() {
    let (one, two) = (with_catalog("one", "first"), with_catalog("two", "second"));
    let mut client = Start::in_folders(&[&one, &two]).start();
    let open = |client: &mut Client, project: &Project| {
        let uri = project.uri("open.promptblock");
        client.open(&uri, 1, &block("open", 2, "{first} {second}"));
        let found = client.diagnostics(&uri, 1);
        assert_eq!(found.codes(), ["unknown-variable"]);
        found.diagnostics[0]["message"].as_str().unwrap().to_owned()
    };
    assert!(open(&mut client, &one).contains("second"));
    assert!(open(&mut client, &two).contains("first"));
    client.settle();
    assert_eq!(client.codes(&one.uri("a.promptblock")), [""; 0], "one id in two projects is no duplicate");
    client.stop();
}

#[test]
fn folders_come_and_go() {
    let (one, two) = (with_catalog("one", "first"), with_catalog("two", "second"));
    two.write("broken.promptblock", block("broken", 3, "{nobody} {second}"));
    let mut client = Start::in_folders(&[&one]).start();
    let broken = two.uri("broken.promptblock");
    let folder = json!({"uri": two.uri(""), "name": "two"});
    client.settle();
    assert_eq!(client.codes(&broken), [""; 0]);
    let event = json!({"event": {"added": [folder], "removed": []}});
    client.notify("workspace/didChangeWorkspaceFolders", event);
    client.wait_for_codes(&broken, &["unknown-variable"]);
    let event = json!({"event": {"added": [], "removed": [folder]}});
    client.notify("workspace/didChangeWorkspaceFolders", event);
    client.wait_for_codes(&broken, &[]);
    let event = json!({"event": {"added": [folder], "removed": []}});
    client.notify("workspace/didChangeWorkspaceFolders", event);
    client.wait_for_codes(&broken, &["unknown-variable"]);
    client.stop();
}

#[test]
fn a_project_within_a_folder() {
    let project = Project::new("");
    project.write("inner/promptblock.toml", "");
    project.write("inner/promptblock.catalog.json", r#"{"variables": {"inside": {}}}"#);
    project.write("promptblock.catalog.json", r#"{"variables": {"outside": {}}}"#);
    let mut client = Start::in_folders(&[&project]).start();
    let (inner, outer) = (project.uri("inner/deep/a.promptblock"), project.uri("b.promptblock"));
    client.open(&inner, 1, &block("x", 1, "{inside} {outside}"));
    client.open(&outer, 1, &block("x", 1, "{inside} {outside}"));
    let message = |client: &mut Client, uri: &str| {
        let found = client.diagnostics(uri, 1);
        assert_eq!(found.codes(), ["unknown-variable"]);
        found.diagnostics[0]["message"].as_str().unwrap().to_owned()
    };
    assert!(message(&mut client, &inner).contains("outside"));
    assert!(message(&mut client, &outer).contains("inside"));
    client.stop();
}

#[test]
fn older_clients_name_one_root() {
    let project = with_catalog("one", "first");
    project.write("b.promptblock", block("b", 2, "{nobody}"));
    let path = project.root().to_str().unwrap();
    for (key, value) in [("rootUri", json!(project.uri(""))), ("rootPath", json!(path))] {
        let mut client = Start::default().param(key, value).start();
        client.wait_for_codes(&project.uri("b.promptblock"), &["unknown-variable"]);
        client.stop();
    }
}

#[test]
fn without_a_folder_the_nearest_project_counts() {
    let project = with_catalog("one", "first");
    project.write("promptblock.toml", "");
    project.write("blocks/b.promptblock", block("b", 2, "{nobody}"));
    let mut client = Start::default().start();
    let uri = project.uri("blocks/deep/open.promptblock");
    client.open(&uri, 1, &block("same", 3, "{first}"));
    client.wait_for_codes(&uri, &["duplicate-id"]);
    client.wait_for_codes(&project.uri("blocks/b.promptblock"), &["unknown-variable"]);
    client.stop();
}

#[test]
fn without_a_folder_and_a_project_the_files_own_folder_counts() {
    let project = with_catalog("one", "first");
    project.write("below/c.promptblock", block("c", 2, "{nobody}"));
    let mut client = Start::default().start();
    let uri = project.uri("open.promptblock");
    client.open(&uri, 1, &block("same", 3, "{first}"));
    client.wait_for_codes(&uri, &["duplicate-id"]);
    client.settle();
    assert_eq!(client.codes(&project.uri("promptblock.catalog.json")), [""; 0], "`first` is used");
    assert_eq!(client.codes(&project.uri("below/c.promptblock")), [""; 0], "nobody asked for what is below");
    client.stop();
}

#[test]
fn buffers_that_are_on_no_disk() {
    let mut client = Start::default().start();
    for uri in ["untitled:Untitled-1", "untitled:///%E4%BD%A0%20b", "vscode-notebook-cell:/x/y.ipynb#C1"] {
        client.open(uri, 1, &block("x", 1, "{if}"));
        assert_eq!(client.diagnostics(uri, 1).codes(), ["invalid-expression"], "{uri}");
        assert!(!client.tokens(uri).is_empty(), "{uri}");
        client.replace(uri, 2, &block("x", 1, "{repeat 2}a{/repeat}"));
        assert_eq!(client.diagnostics(uri, 2).codes(), [""; 0], "{uri}");
        client.replace(uri, 3, &block("x", 1, "{if}"));
        client.diagnostics(uri, 3);
        client.close(uri);
        client.wait_for_codes(uri, &[]);
    }
    client.stop();
}

#[test]
fn names_with_everything_in_them() {
    let project = Project::named("提示 词 100% #1 [x] & (y)", "");
    project.write("promptblock.catalog.json", r#"{"variables": {"known": {}}}"#);
    project.write("sub folder/é 你😀.promptblock", block("a", 1, "{nobody} {known}"));
    let mut client = Start::in_folders(&[&project]).start();
    client.wait_for_codes(&project.uri("sub folder/é 你😀.promptblock"), &["unknown-variable"]);

    // The same file, spelled in ways that clients have: raw, in lower case, with more percent signs than needed.
    let path = project.path("sub folder/é 你😀.promptblock");
    let plain = uri(&path);
    let lower = plain.replace("%E4%BD%A0", "%e4%bd%a0");
    let more = plain.replace("promptblock", "prompt%62lock");
    let raw = format!("file://{}", path.display()).replace('%', "%25").replace('#', "%23");
    for (version, spelled) in [(1, &lower), (2, &more)] {
        client.open(spelled, version, &block("a", 1, "{known} {if}"));
        assert_eq!(
            client.diagnostics(spelled, version).codes(),
            ["invalid-expression"],
            "answered as it was asked"
        );
        client.wait_for_codes(&plain, &[]);
        client.close(spelled);
        client.wait_for_codes(spelled, &[]);
        client.wait_for_codes(&plain, &["unknown-variable"]);
    }
    client.open(&raw, 5, &block("a", 1, "{known}"));
    client.wait_for_codes(&plain, &[]);
    client.stop();
}
