//! Files that change outside of the editor, for clients that do not watch them; and the user's own catalog, for those that do.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Project, Start};
use serde_json::{Value, json};
use std::fs;

const CATALOG: &str = r#"{"variables": {"name": {}, "time": {"mutable": true}}}"#;

fn block(id: &str, order: i32, body: &str) -> String {
    format!("---\nid: t:{id}\nzone: context\norder: {order}\ntemplate: true\n---\n{body}\n")
}

fn project() -> Project {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    project.write("blocks/a.promptblock", block("a", 1, "{name} {time}"));
    project.write("blocks/deep/b.promptblock", block("b", 2, "{nobody}"));
    project
}

/// A client that watches nothing, with one open block that is sound, and the folders read.
fn start(project: &Project, capabilities: Value) -> (Client, String) {
    let mut client = Start::in_folders(&[project]).capabilities(capabilities).start();
    let open = project.uri("blocks/open.promptblock");
    client.open(&open, 1, &block("open", 3, "{name}"));
    client.wait_for_codes(&project.uri("blocks/deep/b.promptblock"), &["unknown-variable"]);
    client.settle();
    (client, open)
}

/// Something small that any client says now and then: a file was saved, and none of those that changed.
fn save(client: &mut Client, uri: &str) {
    client.notify("textDocument/didSave", json!({"textDocument": {"uri": uri}}));
}

#[test]
fn changed_added_renamed_and_deleted() {
    let project = project();
    let (mut client, open) = start(&project, json!({}));
    let (a, b) = (project.uri("blocks/a.promptblock"), project.uri("blocks/deep/b.promptblock"));
    // Changed: a block, then the catalog.
    project.write("blocks/a.promptblock", block("a", 3, "{name} {time}"));
    save(&mut client, &open);
    client.wait_for_codes(&open, &["order-conflict"]);
    client.wait_for_codes(&a, &["order-conflict"]);
    project.write("promptblock.catalog.json", CATALOG.replace("\"name\"", "\"nobody\""));
    save(&mut client, &open);
    client.wait_for_codes(&open, &["order-conflict", "unknown-variable"]);
    client.wait_for_codes(&b, &[]);
    project.write("promptblock.catalog.json", CATALOG);
    project.write("blocks/a.promptblock", block("a", 1, "{name} {time}"));
    save(&mut client, &open);
    client.wait_for_codes(&open, &[]);
    // Added, in a folder that is new; and a catalog that is ignored and counts all the same.
    project.write("new/folder/c.promptblock", block("open", 9, "{name}"));
    project.write(".gitignore", "*.local.json\n");
    project.write("promptblock.catalog.local.json", r#"{"variables": {"nobody": {}}}"#);
    save(&mut client, &open);
    client.wait_for_codes(&open, &["duplicate-id"]);
    client.wait_for_codes(&project.uri("new/folder/c.promptblock"), &["duplicate-id"]);
    client.wait_for_codes(&b, &[]);
    // Renamed: the folder with all in it.
    fs::rename(project.path("new"), project.path("newer")).unwrap();
    save(&mut client, &open);
    client.wait_for_codes(&project.uri("newer/folder/c.promptblock"), &["duplicate-id"]);
    client.wait_for_codes(&project.uri("new/folder/c.promptblock"), &[]);
    // Deleted: the folder, and the local catalog.
    fs::remove_dir_all(project.path("newer")).unwrap();
    project.remove("promptblock.catalog.local.json");
    save(&mut client, &open);
    client.wait_for_codes(&open, &[]);
    client.wait_for_codes(&project.uri("newer/folder/c.promptblock"), &[]);
    client.wait_for_codes(&b, &["unknown-variable"]);
    // Ignored.
    project.write(".gitignore", "deep/\n");
    save(&mut client, &open);
    client.wait_for_codes(&b, &[]);
    assert!(client.requests.is_empty(), "and nothing is asked of the client: {:?}", client.requests);
    client.stop();
}

#[test]
fn on_every_occasion() {
    let project = project();
    let (mut client, open) = start(&project, json!({}));
    let other = project.uri("blocks/other.promptblock");
    let change = |client: &mut Client, order: i32, occasion: &dyn Fn(&mut Client)| {
        project.write("blocks/a.promptblock", block("a", order, "{name} {time}"));
        occasion(client);
        let codes: &[&str] = if order == 3 { &["order-conflict"] } else { &[] };
        client.wait_for_codes(&open, codes);
    };
    change(&mut client, 3, &|client| client.open(&other, 1, &block("other", 7, "")));
    change(&mut client, 1, &|client| client.close(&other));
    let pause = std::time::Duration::from_millis(3100);
    client.listen(pause);
    change(&mut client, 3, &|client| client.replace(&open, 2, &block("open", 3, "{name}!")));
    change(&mut client, 1, &|client| {
        let folder = json!({"uri": project.uri("blocks"), "name": "blocks"});
        let event = json!({"event": {"added": [folder], "removed": []}});
        client.notify("workspace/didChangeWorkspaceFolders", event);
    });
    client.stop();
}

#[test]
fn what_the_client_does_with_files_itself() {
    let project = project();
    let (mut client, open) = start(&project, json!({"workspace": {"fileOperations": {"didRename": true}}}));
    let filters = json!([{"scheme": "file", "pattern": {"glob": "**/*"}}]);
    let offered = &client.initialized["capabilities"]["workspace"]["fileOperations"];
    for what in ["didCreate", "didRename", "didDelete"] {
        assert_eq!(offered[what]["filters"], filters, "{offered}");
    }
    let (old, new) = (project.uri("blocks/deep"), project.uri("blocks/更深"));
    project.write("blocks/new.promptblock", block("open", 9, ""));
    let files = json!({"files": [{"uri": project.uri("blocks/new.promptblock")}]});
    client.notify("workspace/didCreateFiles", files.clone());
    client.wait_for_codes(&open, &["duplicate-id"]);
    project.remove("blocks/new.promptblock");
    client.notify("workspace/didDeleteFiles", files);
    client.wait_for_codes(&open, &[]);
    fs::rename(project.path("blocks/deep"), project.path("blocks/更深")).unwrap();
    client.notify("workspace/didRenameFiles", json!({"files": [{"oldUri": old, "newUri": new}]}));
    client.wait_for_codes(&format!("{new}/b.promptblock"), &["unknown-variable"]);
    client.wait_for_codes(&format!("{old}/b.promptblock"), &[]);
    client.stop();
}

#[test]
fn a_file_outside_of_every_folder() {
    let project = Project::new("");
    project.write("promptblock.catalog.json", CATALOG);
    project.write("beside.promptblock", block("beside", 1, "{name}"));
    let mut client = Start::default().capabilities(json!({})).start();
    let open = project.uri("open.promptblock");
    client.open(&open, 1, &block("open", 3, "{name}"));
    client.wait_for_codes(&open, &[]);
    client.wait_for_codes(&project.uri("promptblock.catalog.json"), &["unused-variable"]);
    client.settle();
    project.write("beside.promptblock", block("open", 1, "{name}"));
    save(&mut client, &open);
    client.wait_for_codes(&open, &["duplicate-id"]);
    project.write("promptblock.catalog.json", CATALOG.replace("name", "nobody"));
    save(&mut client, &open);
    client.wait_for_codes(&open, &["duplicate-id", "unknown-variable"]);
    client.stop();
}

#[test]
fn one_that_watches_is_not_second_guessed() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let open = project.uri("blocks/open.promptblock");
    assert_eq!(client.initialized["capabilities"]["workspace"].get("fileOperations"), None);
    client.open(&open, 1, &block("open", 3, "{name}"));
    client.wait_for_codes(&project.uri("blocks/deep/b.promptblock"), &["unknown-variable"]);
    project.write("blocks/a.promptblock", block("a", 3, "text"));
    save(&mut client, &open);
    client.settle();
    assert_eq!(client.codes(&open), [""; 0], "it will say so itself");
    client.watched(&[(&project.uri("blocks/a.promptblock"), 2)]);
    client.wait_for_codes(&open, &["order-conflict"]);
    client.stop();
}

#[test]
fn the_users_own_catalog() {
    let project = Project::new("//- promptblock.toml\n");
    let user = Project::named("用户", "");
    let file = user.uri("promptblock/catalog.json");
    let watchers = |client: &mut Client| -> Vec<Value> {
        let is_files = |request: &Value| {
            request["params"]["registrations"][0]["method"] == "workspace/didChangeWatchedFiles"
        };
        client.wait_until("the registration", |client| client.requests.iter().any(is_files));
        let request = client.requests.iter().find(|request| is_files(request)).unwrap();
        let options = &request["params"]["registrations"][0]["registerOptions"];
        options["watchers"].as_array().unwrap().clone()
    };
    let home = user.root().to_str().unwrap();
    let mut client = Start::in_folders(&[&project]).env("XDG_CONFIG_HOME", home).start();
    let relative = json!({"baseUri": user.uri("promptblock"), "pattern": "catalog.json"});
    let watched = watchers(&mut client);
    assert!(watched.iter().any(|one| one["globPattern"] == relative), "{watched:?}");

    // It comes, changes, breaks and goes.
    let open = project.uri("a.promptblock");
    client.open(&open, 1, &block("a", 1, "{mine} {name}"));
    client.wait_for_codes(&open, &["no-catalog"]);
    user.write("promptblock/catalog.json", r#"{"variables": {"mine": {}}}"#);
    client.watched(&[(&file, 1)]);
    client.wait_for_codes(&open, &["unknown-variable"]);
    user.write("promptblock/catalog.json", r#"{"variables": {"mine": {}, "name": {}}}"#);
    client.watched(&[(&file, 2)]);
    client.wait_for_codes(&open, &[]);
    user.write("promptblock/catalog.json", "{");
    client.watched(&[(&file, 2)]);
    client.wait_for_codes(&file, &["invalid-catalog"]);
    client.settle();
    assert_eq!(client.codes(&open), [""; 0], "the last readable version holds");
    user.remove("promptblock/catalog.json");
    client.watched(&[(&file, 3)]);
    client.wait_for_codes(&open, &["no-catalog"]);
    client.wait_for_codes(&file, &[]);
    client.stop();

    // Without relative patterns: the whole path.
    let can = json!({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": true}}});
    let mut client = Start::in_folders(&[&project]).capabilities(can).env("XDG_CONFIG_HOME", home).start();
    let whole = json!(format!("{home}/promptblock/catalog.json"));
    let watched = watchers(&mut client);
    assert!(watched.iter().any(|one| one["globPattern"] == whole), "{watched:?}");
    client.stop();
}
