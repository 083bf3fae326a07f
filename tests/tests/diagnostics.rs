//! Diagnostics appear, change and vanish, for open files and for those on disk.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, range_of};
use serde_json::{Value, json};
use std::time::Duration;

const CATALOG: &str = r#"{"variables": {
  "time": {"description": "now", "mutable": true},
  "name": {"description": "who"}
}}
"#;

fn block(id: &str, zone: &str, order: i32, body: &str) -> String {
    format!("---\nid: t:{id}\nzone: {zone}\norder: {order}\ntemplate: true\n---\n{body}\n")
}

fn project() -> Project {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    project.write("blocks/closed.promptblock", block("closed", "context", 10, "{name} {nobody}"));
    project
}

#[test]
fn appear_change_and_vanish() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let uri = project.uri("blocks/open.promptblock");
    client.open(&uri, 1, &block("open", "system", 110, "{time} {name}"));
    let first = client.diagnostics(&uri, 1);
    assert_eq!(first.codes(), ["mutable-in-system"]);
    let found = &first.diagnostics[0];
    assert_eq!(
        found["range"],
        json!({"start": {"line": 6, "character": 1}, "end": {"line": 6, "character": 5}})
    );
    assert_eq!((found["severity"].as_i64(), found["source"].as_str()), (Some(1), Some("promptblock")));
    assert_eq!(found["data"], json!({"block": "t:open", "plugin": "t"}));
    assert!(found.get("codeDescription").is_none(), "there is no page to go to");

    let range = json!({"start": {"line": 6, "character": 1}, "end": {"line": 6, "character": 5}});
    client.change(&uri, 2, json!([{"range": range, "text": "nmae"}]));
    assert_eq!(client.diagnostics(&uri, 2).codes(), ["unknown-variable"]);
    client.change(&uri, 3, json!([{"range": range, "text": "name"}]));
    assert_eq!(client.diagnostics(&uri, 3).codes(), [""; 0]);
    client.close(&uri);
    client.stop();
}

#[test]
fn closed_files_are_spoken_of_too() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let uri = project.uri("blocks/closed.promptblock");
    let closed = client.wait_for_codes(&uri, &["unknown-variable"]);
    assert_eq!(closed.version, None);
    let catalog = project.uri("promptblock.catalog.json");
    let unused = client.wait_for_codes(&catalog, &["unused-variable"]);
    assert_eq!(unused.diagnostics[0]["tags"], json!([1]), "shown faded");
    assert_eq!(unused.diagnostics[0]["range"], range_of(CATALOG, "\"time\"", Encoding::Utf16));

    // Opened: the same with a version. Closed with other words in the buffer: as on disk again.
    client.open(&uri, 7, &block("closed", "context", 10, "{name}"));
    assert_eq!(client.diagnostics(&uri, 7).codes(), [""; 0]);
    client.close(&uri);
    assert_eq!(client.wait_for_codes(&uri, &["unknown-variable"]).version, None);
    client.stop();
}

#[test]
fn only_open_files_where_that_is_wished() {
    let project = project();
    let options = json!({"diagnostics": {"scope": "open"}});
    let mut client = Start::in_folders(&[&project]).param("initializationOptions", options).start();
    let uri = project.uri("blocks/open.promptblock");
    // The whole project is read all the same.
    client.open(&uri, 1, &block("closed", "context", 11, "{name}"));
    client.wait_for_codes(&uri, &["duplicate-id"]);
    client.settle();
    assert_eq!(client.codes(&project.uri("blocks/closed.promptblock")), [""; 0]);

    // Changed while it runs, both ways.
    client.configuration = json!({"diagnostics": {"scope": "workspace"}});
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    client.wait_for_codes(&project.uri("blocks/closed.promptblock"), &["duplicate-id", "unknown-variable"]);
    client.configuration = json!({"diagnostics": {"scope": "open"}});
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    client.wait_for_codes(&project.uri("blocks/closed.promptblock"), &[]);
    assert_eq!(client.codes(&uri), ["duplicate-id"], "the open one stays");
    client.stop();
}

#[test]
fn the_unsaved_catalog_wins_over_the_disk() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let (block_uri, catalog) =
        (project.uri("blocks/open.promptblock"), project.uri("promptblock.catalog.json"));
    client.open(&block_uri, 1, &block("open", "system", 110, "{time} {name} {fresh}"));
    client.wait_for_codes(&block_uri, &["mutable-in-system", "unknown-variable"]);

    // In the buffer only: `time` does not change any more, and there is a `fresh`.
    let text = CATALOG
        .replace("\"mutable\": true", "\"mutable\": false")
        .replace("{\n  \"time", "{\n  \"fresh\": {},\n  \"time");
    client.open(&catalog, 1, CATALOG);
    client.replace(&catalog, 2, &text);
    client.wait_for_codes(&block_uri, &[]);
    assert_eq!(client.diagnostics(&catalog, 2).codes(), [""; 0]);

    // While it is broken, its last readable version counts.
    client.replace(&catalog, 3, &text[..text.len() / 2]);
    let broken = client.diagnostics(&catalog, 3);
    assert!(broken.codes().contains(&"invalid-catalog"), "{broken:?}");
    client.settle();
    assert_eq!(client.codes(&block_uri), [""; 0]);

    // What is on disk does not matter while the buffer is open, and does when it is closed.
    client.replace(&catalog, 4, &text);
    client.diagnostics(&catalog, 4);
    project.write("promptblock.catalog.json", r#"{"variables": {}}"#);
    client.watched(&[(&catalog, 2)]);
    client.settle();
    assert_eq!(client.codes(&block_uri), [""; 0]);
    client.close(&catalog);
    client.wait_for_codes(&block_uri, &["unknown-variable"; 3]);
    client.stop();
}

#[test]
fn a_catalog_edit_is_told_of_open_and_closed_files_and_of_no_others() {
    let project = project();
    project.write("blocks/timed.promptblock", block("timed", "context", 30, "{time}"));
    project.write("blocks/other.promptblock", block("other", "context", 40, "{name} {if}"));
    let mut client = Start::in_folders(&[&project]).start();
    let uri = |name: &str| project.uri(&format!("blocks/{name}.promptblock"));
    let catalog = project.uri("promptblock.catalog.json");
    client.open(&uri("open"), 1, &block("open", "context", 110, "{time}"));
    client.wait_for_codes(&uri("open"), &[]);
    client.wait_for_codes(&uri("other"), &["invalid-expression"]);
    client.wait_for_codes(&uri("closed"), &["unknown-variable"]);
    client.settle();

    // The entry grows by a line, so that the one behind it moves; the blocks that use only that one are none of its business.
    let before = client.publications.clone();
    let text = CATALOG.replace("\"mutable\": true", "\"mutable\": true,\n    \"zones\": [\"system\"]");
    project.write("promptblock.catalog.json", text);
    client.watched(&[(&catalog, 2)]);
    client.wait_for_codes(&uri("open"), &["zone-mismatch"]);
    client.wait_for_codes(&uri("timed"), &["zone-mismatch"]);
    client.settle();
    for name in ["other", "closed"] {
        assert_eq!(client.publications.get(&uri(name)), before.get(&uri(name)), "{name}");
    }
    // A definition is found where it stands now.
    let place = json!({"textDocument": {"uri": uri("open")}, "position": {"line": 6, "character": 2}});
    let found = client.request("textDocument/definition", place);
    assert_eq!(found[0]["targetUri"], json!(catalog));
    client.replace(&uri("open"), 2, &block("open", "context", 110, "{name}"));
    client.wait_for_codes(&uri("open"), &[]);
    let place = json!({"textDocument": {"uri": uri("open")}, "position": {"line": 6, "character": 2}});
    let found = client.request("textDocument/definition", place);
    assert_eq!(found[0]["targetSelectionRange"]["start"]["line"], 3, "{found}");
    client.stop();
}

#[test]
fn changes_on_disk_are_noticed() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let uri = project.uri("blocks/open.promptblock");
    client.open(&uri, 1, &block("open", "context", 110, "{name} {time}"));
    client.wait_for_codes(&uri, &[]);
    client.wait_for_codes(&project.uri("blocks/closed.promptblock"), &["unknown-variable"]);

    // Created.
    let other = project.uri("blocks/new/other.promptblock");
    project.write("blocks/new/other.promptblock", block("open", "context", 5, "{name}"));
    client.watched(&[(&other, 1)]);
    client.wait_for_codes(&uri, &["duplicate-id"]);
    client.wait_for_codes(&other, &["duplicate-id"]);
    // Changed.
    project.write("blocks/new/other.promptblock", block("other", "context", 110, "{name}"));
    client.watched(&[(&other, 2)]);
    client.wait_for_codes(&uri, &["order-conflict"]);
    // Its folder deleted: that is one event, for the folder.
    std::fs::remove_dir_all(project.path("blocks/new")).unwrap();
    client.watched(&[(&project.uri("blocks/new"), 3)]);
    client.wait_for_codes(&uri, &[]);
    client.wait_for_codes(&other, &[]);
    // A folder renamed: two events, for the folders, of which one is called like a file.
    project.write("blocks/v1.2/deep/other.promptblock", block("open", "context", 5, "{name}"));
    client.watched(&[(&project.uri("blocks/v1.2/deep/other.promptblock"), 1)]);
    client.wait_for_codes(&uri, &["duplicate-id"]);
    std::fs::rename(project.path("blocks/v1.2"), project.path("blocks/v2")).unwrap();
    client.watched(&[(&project.uri("blocks/v1.2"), 3), (&project.uri("blocks/v2"), 1)]);
    client.wait_for_codes(&project.uri("blocks/v2/deep/other.promptblock"), &["duplicate-id"]);
    client.wait_for_codes(&project.uri("blocks/v1.2/deep/other.promptblock"), &[]);
    std::fs::rename(project.path("blocks/v2"), project.path("elsewhere.d")).unwrap();
    client.watched(&[(&project.uri("elsewhere.d"), 1), (&project.uri("blocks/v2"), 3)]);
    client.wait_for_codes(&project.uri("elsewhere.d/deep/other.promptblock"), &["duplicate-id"]);
    std::fs::remove_dir_all(project.path("elsewhere.d")).unwrap();
    client.watched(&[(&project.uri("elsewhere.d"), 3)]);
    client.wait_for_codes(&uri, &[]);
    // The catalog deleted: gone at once.
    project.remove("promptblock.catalog.json");
    client.watched(&[(&project.uri("promptblock.catalog.json"), 3)]);
    client.wait_for_codes(&uri, &["no-catalog"]);
    // And one that comes anew.
    project.write("promptblock.catalog.json", CATALOG);
    client.watched(&[(&project.uri("promptblock.catalog.json"), 1)]);
    client.wait_for_codes(&uri, &[]);
    // Severities.
    project.write("promptblock.toml", "[severity]\nunknown-variable = \"hint\"\n");
    client.watched(&[(&project.uri("promptblock.toml"), 2)]);
    let closed = project.uri("blocks/closed.promptblock");
    client.wait_until("the milder severity", |client| {
        client
            .published
            .get(&closed)
            .is_some_and(|last| last.diagnostics.first().is_some_and(|d| d["severity"] == 4))
    });
    // Ignored.
    project.write(".gitignore", "closed.promptblock\n");
    client.watched(&[(&project.uri(".gitignore"), 1)]);
    client.wait_for_codes(&closed, &[]);
    client.stop();
}

#[test]
fn asks_to_be_told_of_files() {
    let project = Project::new("//- promptblock.toml\ncatalogs = [\"vars/*.jsonc\"]\n");
    let mut client = Start::in_folders(&[&project]).start();
    let globs = |client: &Client| -> Vec<String> {
        let registered =
            client.requests.iter().filter(|request| request["method"] == "client/registerCapability");
        let all = registered.flat_map(|request| request["params"]["registrations"].as_array().unwrap());
        let files: Vec<&Value> =
            all.filter(|one| one["method"] == "workspace/didChangeWatchedFiles").collect();
        let watchers =
            files.last().map(|last| last["registerOptions"]["watchers"].as_array().unwrap().as_slice());
        watchers
            .unwrap_or_default()
            .iter()
            // The user's own catalog has one that is relative to its folder.
            .filter_map(|one| one["globPattern"].as_str().map(str::to_owned))
            .collect()
    };
    client
        .wait_until("the catalog's pattern", |client| globs(client).contains(&"**/vars/*.jsonc".to_owned()));
    let globs = globs(&client);
    for expected in ["**/*.promptblock", "**/promptblock*.json", "**/promptblock.toml", "**/.gitignore"] {
        assert!(globs.iter().any(|glob| glob == expected), "{expected} in {globs:?}");
    }
    client.stop();
}

#[test]
fn second_places_are_in_the_other_file() {
    let project = Project::new("//- promptblock.toml\n");
    project.write("a.promptblock", format!("\u{feff}{}", block("same", "context", 1, "甲")));
    let mut client = Start::in_folders(&[&project]).start();
    let (a, b) = (project.uri("a.promptblock"), project.uri("b.promptblock"));
    let text = block("same", "context", 2, "乙");
    client.open(&b, 1, &text);
    let found = client.wait_for_codes(&b, &["duplicate-id"]);
    let related = &found.diagnostics[0]["relatedInformation"][0]["location"];
    assert_eq!(related["uri"], json!(a));
    assert_eq!(
        related["range"],
        range_of(&text, "t:same", Encoding::Utf16),
        "the mark on disk takes no place"
    );
    client.wait_for_codes(&a, &["duplicate-id"]);
    assert_eq!(client.published[&a].diagnostics[0]["relatedInformation"][0]["location"]["uri"], json!(b));
    client.stop();
}

#[test]
fn versions_go_their_own_way() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let uri = project.uri("blocks/open.promptblock");
    client.open(&uri, 10, &block("open", "context", 110, "{name}"));
    client.diagnostics(&uri, 10);
    // Backwards, as after a reload.
    client.replace(&uri, 3, &block("open", "context", 110, "{none}"));
    assert_eq!(client.diagnostics(&uri, 3).codes(), ["unknown-variable"]);
    // Opened once more without a close.
    client.open(&uri, 1, &block("open", "context", 110, "{name}"));
    assert_eq!(client.diagnostics(&uri, 1).codes(), [""; 0]);
    // Several changes in one message, each on the text that the one before left, and places that do not exist.
    let at = |line: u32, character: u32| json!({"line": line, "character": character});
    let changes = json!([
        {"range": {"start": at(999, 0), "end": at(999, 5)}, "text": "{one}"},
        {"range": {"start": at(6, 1), "end": at(6, 5)}, "text": "two"},
        {"range": {"start": at(6, 5), "end": at(6, 4_000_000_000)}, "text": "{three}"},
    ]);
    client.change(&uri, 2, changes);
    let found = client.diagnostics(&uri, 2);
    let messages: Vec<&str> = found.diagnostics.iter().map(|one| one["message"].as_str().unwrap()).collect();
    assert_eq!(found.codes(), ["unknown-variable"; 3], "{messages:?}");
    for (message, name) in messages.iter().zip(["two", "three", "one"]) {
        assert!(message.contains(name), "{message}");
    }
    client.stop();
}

#[test]
fn the_projects_language_beats_the_options_and_these_the_clients() {
    let chinese = |text: &str| text.chars().any(|char| ('\u{4e00}'..='\u{9fff}').contains(&char));
    let message = |config: &str, client: Value, options: Value| {
        let project = Project::new("");
        project.write("promptblock.toml", config);
        project.write("promptblock.catalog.json", CATALOG);
        let start =
            Start::in_folders(&[&project]).param("locale", client).param("initializationOptions", options);
        let mut client = start.start();
        let uri = project.uri("a.promptblock");
        client.open(&uri, 1, &block("a", "context", 1, "{nobody}"));
        let found = client.diagnostics(&uri, 1);
        let hover = client.request(
            "textDocument/hover",
            json!({"textDocument": {"uri": uri}, "position": {"line": 2, "character": 2}}),
        );
        client.stop();
        let message = found.diagnostics[0]["message"].as_str().unwrap().to_owned();
        assert_eq!(
            chinese(&message),
            chinese(hover["contents"]["value"].as_str().unwrap()),
            "diagnostics and hover agree"
        );
        message
    };
    assert!(!chinese(&message("", Value::Null, Value::Null)));
    assert!(chinese(&message("", json!("zh-cn"), Value::Null)));
    assert!(!chinese(&message("", json!("zh-cn"), json!({"locale": "en"}))));
    assert!(chinese(&message("locale = \"zh-CN\"\n", json!("en"), json!({"locale": "en"}))));
    assert!(!chinese(&message("locale = \"en\"\n", json!("zh-cn"), json!({"locale": "zh-CN"}))));
}

#[test]
fn at_most_a_thousand_closed_files() {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    for number in 0..1010 {
        let text = block(&format!("n{number}"), "context", number, "{name} {time} {nobody}");
        project.write(&format!("blocks/n{number:04}.promptblock"), text);
    }
    let mut client = Start::in_folders(&[&project]).start();
    let shown =
        |client: &Client| client.published.values().filter(|last| !last.diagnostics.is_empty()).count();
    client.wait_until("a thousand files", |client| shown(client) == 1000);
    client.settle();
    assert_eq!(shown(&client), 1000);
    // One that was left out is shown when it is opened, and another takes the place of one that is sound now.
    let hidden = (0..1010).map(|n| project.uri(&format!("blocks/n{n:04}.promptblock")));
    let hidden: Vec<String> = hidden.filter(|uri| !client.published.contains_key(uri)).collect();
    assert_eq!(hidden.len(), 10);
    client.open(&hidden[0], 1, &block("other", "context", 5000, "{nobody}"));
    assert_eq!(client.diagnostics(&hidden[0], 1).codes(), ["unknown-variable"]);
    let sound = client.published.keys().find(|uri| uri.contains("/n0")).unwrap().clone();
    client.open(&sound, 1, &block("sound", "context", 6000, "{name}"));
    client.wait_for_codes(&sound, &[]);
    client.wait_until("another one", |client| hidden[1..].iter().any(|uri| !client.codes(uri).is_empty()));
    client.stop();
}

#[test]
fn progress_is_begun_and_ended() {
    let project = Project::new("//- promptblock.toml\n");
    for number in 0..3000 {
        project.write(
            &format!("b/n{number}.promptblock"),
            block(&format!("n{number}"), "context", number, &"text {name}\n".repeat(100)),
        );
    }
    let mut client = Start::in_folders(&[&project]).start();
    client.wait_until("the last file", |client| !client.published.is_empty());
    client.settle();
    client.listen(Duration::from_millis(300));
    let kinds: Vec<&str> = client
        .notifications
        .iter()
        .filter(|one| one["method"] == "$/progress")
        .map(|one| one["params"]["value"]["kind"].as_str().unwrap())
        .collect();
    let created = client.requests.iter().any(|one| one["method"] == "window/workDoneProgress/create");
    // A quick machine reads it before there is anything to show.
    if created && !kinds.is_empty() {
        assert_eq!((kinds[0], kinds[kinds.len() - 1]), ("begin", "end"), "{kinds:?}");
        assert!(kinds[1..kinds.len() - 1].iter().all(|kind| *kind == "report"), "{kinds:?}");
    }
    assert!(client.notifications.iter().all(|one| one["method"] != "window/showMessage"));
    client.stop();
}

#[test]
fn a_request_right_behind_an_edit_takes_nothing_from_the_project() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let (uri, catalog) = (project.uri("blocks/open.promptblock"), project.uri("promptblock.catalog.json"));
    client.open(&uri, 1, &block("open", "context", 110, "{name}"));
    client.wait_for_codes(&catalog, &["unused-variable"]);
    let hover = json!({"textDocument": {"uri": uri}, "position": {"line": 6, "character": 2}});
    for version in 2..100 {
        let used = version % 2 == 0;
        // The request judges the text before the thread of the diagnostics does.
        let (end, text) = if used { (6, "{time}") } else { (12, "") };
        let range = json!({"start": {"line": 6, "character": 6}, "end": {"line": 6, "character": end}});
        client.change(&uri, version, json!([{"range": range, "text": text}]));
        let id = client.ask("textDocument/hover", hover.clone());
        client.answer(id);
        client.wait_for_codes(&catalog, if used { &[] } else { &["unused-variable"] });
    }
    client.stop();
}

#[test]
fn files_that_cannot_be_judged_are_said_in_the_log_and_the_others_are_judged() {
    let project = project();
    project.write("binary.promptblock", b"---\nid: \xff\n");
    project.write("folder.promptblock/inside.promptblock", "no header\n");
    std::fs::File::create(project.path("big.promptblock")).unwrap().set_len(50 << 20).unwrap();
    let mut client = Start::in_folders(&[&project]).start();
    client.wait_for_codes(&project.uri("folder.promptblock/inside.promptblock"), &["invalid-header"]);
    client.wait_until("both in the log", |client| {
        let logged = |what: &str| {
            client.notifications.iter().any(|note| {
                let message = note["params"]["message"].as_str().unwrap_or_default();
                note["method"] == "window/logMessage" && message.contains(what)
            })
        };
        logged("binary.promptblock: not UTF-8") && logged("big.promptblock: 50 MiB is more than")
    });
    client.stop();
}
