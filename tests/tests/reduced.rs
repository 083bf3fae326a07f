//! Clients that can little. What they cannot take must not be sent to them.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, applied};
use serde_json::{Value, json};
use std::time::Duration;

const TEXT: &str =
    "---\nid: t:a\nzone: system\norder: 120\ntemplate: true\n---\n{name} {nmae}\n{if name}\na\n{/if}\n{\n";
const CATALOG: &str = r#"{"variables": {
  "name": {"description": "who", "args": [], "example": "x"},
  "time": {"mutable": true},
  "weather": {"args": ["city"]}
}}
"#;

fn start(capabilities: Value) -> (Client, Project, String) {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    project.write("b.promptblock", TEXT);
    let mut client = Start::in_folders(&[&project]).capabilities(capabilities).start();
    let uri = project.uri("a.promptblock");
    client.open(&uri, 1, TEXT);
    client.wait_for_codes(&uri, &["duplicate-id", "order-conflict", "unknown-variable", "stray-brace"]);
    client.settle();
    client.listen(Duration::from_millis(50));
    (client, project, uri)
}

fn at(uri: &str, line: u32, character: u32) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

#[test]
fn a_client_that_can_nothing_gets_nothing_that_it_cannot_take() {
    let (mut client, project, uri) = start(json!({}));
    assert!(client.requests.is_empty(), "nothing is asked of it: {:?}", client.requests);
    assert!(client.notifications.is_empty(), "and nothing told but diagnostics: {:?}", client.notifications);
    assert_eq!(client.initialized["capabilities"]["positionEncoding"], "utf-16");
    for published in client.published.values() {
        for one in &published.diagnostics {
            for absent in ["relatedInformation", "tags", "data", "codeDescription"] {
                assert!(one.get(absent).is_none(), "{absent} in {one}");
            }
        }
    }
    let unused = &client.published[&project.uri("promptblock.catalog.json")];
    assert!(unused.codes().contains(&"unused-variable"));

    let items = client.request("textDocument/completion", at(&uri, 10, 1));
    let items = items.as_array().unwrap().clone();
    assert!(items.iter().any(|item| item["label"] == "name"), "{items:?}");
    for item in &items {
        for absent in ["labelDetails", "tags", "command"] {
            assert!(item.get(absent).is_none(), "{absent} in {item}");
        }
        assert!(item.get("insertTextFormat").is_none_or(|format| format == 1), "{item}");
        let new = item["textEdit"]["newText"].as_str().unwrap();
        assert!(!new.contains("${") && !new.contains("$0") && !new.contains("$1"), "{new}");
        assert!(item.get("documentation").is_none_or(|text| text["kind"] == "plaintext"), "{item}");
    }
    let time = items.iter().find(|item| item["label"] == "time").unwrap();
    assert!(!time["detail"].as_str().unwrap().is_empty(), "the objection is in the one line that is shown");

    assert_eq!(client.request("textDocument/hover", at(&uri, 6, 2))["contents"]["kind"], "plaintext");
    let found = client.request("textDocument/definition", at(&uri, 6, 2));
    assert_eq!(found[0]["uri"], json!(project.uri("promptblock.catalog.json")), "a plain location");
    let symbols = client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    let flat = symbols.as_array().unwrap();
    assert!(flat.len() >= 2 && flat.iter().all(|one| one["location"]["uri"] == json!(uri)), "{flat:?}");
    assert_eq!(flat[1]["containerName"], flat[0]["name"]);
    let range = json!({"start": {"line": 6, "character": 8}, "end": {"line": 6, "character": 12}});
    let actions = json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
    assert_eq!(
        client.request("textDocument/codeAction", actions),
        Value::Null,
        "it knows commands only, and makes no edit that it is asked for"
    );
    assert_eq!(client.initialized["capabilities"]["codeActionProvider"], false);
    assert_eq!(commands(&client), ["promptblock.showAssembly"]);
    client.stop();
}

fn commands(client: &Client) -> Vec<&str> {
    let commands = client.initialized["capabilities"]["executeCommandProvider"]["commands"].as_array();
    commands.unwrap().iter().map(|command| command.as_str().unwrap()).collect()
}

#[test]
fn a_client_that_knows_commands_only_is_asked_to_make_the_edit() {
    for documents in [false, true] {
        let can = json!({"workspace": {"applyEdit": true, "workspaceEdit": {"documentChanges": documents}}});
        let (mut client, _project, uri) = start(can);
        assert_eq!(client.initialized["capabilities"]["codeActionProvider"], true, "it knows no options");
        assert_eq!(commands(&client), ["promptblock.showAssembly", "promptblock.applyEdit"]);
        let range = json!({"start": {"line": 6, "character": 8}, "end": {"line": 6, "character": 12}});
        let context = json!({"diagnostics": []});
        let ask = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
        let actions = client.request("textDocument/codeAction", ask.clone());
        let actions = actions.as_array().unwrap();
        assert!(actions.len() > 2, "{actions:?}");
        for action in actions {
            let keys: Vec<&String> = action.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["title", "command", "arguments"], "{action}");
            assert_eq!(action["command"], "promptblock.applyEdit");
        }
        let call = |action: &Value| json!({"command": action["command"], "arguments": action["arguments"]});
        assert_eq!(client.request("workspace/executeCommand", call(&actions[0])), Value::Null);
        client.wait_until("the edit", |client| !client.requests.is_empty());
        let request = client.requests.pop().unwrap();
        assert_eq!((request["method"].as_str(), client.requests.len()), (Some("workspace/applyEdit"), 0));
        let edit = &request["params"]["edit"];
        assert_eq!(edit.get("documentChanges").is_some(), documents, "{edit}");
        assert_eq!(edit.get("changes").is_some(), !documents, "{edit}");
        let after = applied(edit, &[(&uri, TEXT)], Encoding::Utf16);
        assert_eq!(after[&uri], TEXT.replace("{nmae}", "{name}"));

        // An edit of a text that is another one by now would spoil it.
        let change = json!([{"range": {"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 0}}, "text": "名"}]);
        client.notify(
            "textDocument/didChange",
            json!({"textDocument": {"uri": uri, "version": 2}, "contentChanges": change}),
        );
        assert_eq!(client.refused("workspace/executeCommand", call(&actions[0]))["code"], -32801);
        for wrong in [json!([]), json!([1]), json!([{}, {}]), json!([{"changes": 1}])] {
            let call = json!({"command": "promptblock.applyEdit", "arguments": wrong});
            assert_eq!(client.refused("workspace/executeCommand", call)["code"], -32602, "{wrong}");
        }
        client.settle();
        assert!(client.requests.is_empty(), "{:?}", client.requests);
        client.stop();
    }
}

#[test]
fn the_same_for_one_that_can_all() {
    let project = Project::new("");
    drop(project);
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    let mut client = Start::in_folders(&[&project]).start();
    let uri = project.uri("a.promptblock");
    client.open(&uri, 1, TEXT);
    let found = client.diagnostics(&uri, 1);
    let items = client.request("textDocument/completion", at(&uri, 10, 1));
    let items = items.as_array().unwrap();
    let snippet = |item: &&Value| {
        item["insertTextFormat"] == 2 && item["textEdit"]["newText"].as_str().unwrap().contains('$')
    };
    assert!(items.iter().any(|item| snippet(&item)), "{items:?}");
    let time = items.iter().find(|item| item["label"] == "time").unwrap();
    assert_eq!(time["tags"], json!([1]), "struck out");
    assert_eq!(client.request("textDocument/hover", at(&uri, 6, 2))["contents"]["kind"], "markdown");
    assert!(client.request("textDocument/definition", at(&uri, 6, 2))[0]["targetUri"].is_string());
    let symbols = client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    assert_eq!(symbols[0]["name"], "t:a");
    assert!(!symbols[0]["children"].as_array().unwrap().is_empty());
    let folds = client.request("textDocument/foldingRange", json!({"textDocument": {"uri": uri}}));
    let lines: Vec<(u64, u64)> = folds
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap()))
        .collect();
    assert!(lines.contains(&(0, 5)), "the header: {lines:?}");

    // The quick fix for the misspelt name, with the diagnostic that it answers.
    let wrong = found.diagnostics.iter().find(|one| one["code"] == "unknown-variable").unwrap();
    let context = json!({"diagnostics": [wrong]});
    let ask = json!({"textDocument": {"uri": uri}, "range": wrong["range"], "context": context});
    let actions = client.request("textDocument/codeAction", ask);
    let fix = &actions[0];
    assert_eq!((fix["kind"].as_str(), fix["isPreferred"].as_bool()), (Some("quickfix"), Some(true)));
    assert_eq!(fix["diagnostics"], json!([wrong]));
    let change = &fix["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": uri, "version": 1}));
    assert_eq!(change["edits"], json!([{"range": wrong["range"], "newText": "name"}]));
    // Other kinds are not offered where only they are asked for.
    let context = json!({"diagnostics": [wrong], "only": ["refactor"]});
    let ask = json!({"textDocument": {"uri": uri}, "range": wrong["range"], "context": context});
    assert_eq!(client.request("textDocument/codeAction", ask), Value::Null);
    client.stop();
}

#[test]
fn a_client_without_watching_is_answered_when_it_saves() {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    let mut client = Start::in_folders(&[&project]).capabilities(json!({})).encoding(Encoding::Utf16).start();
    let uri = project.uri("a.promptblock");
    client.open(&uri, 1, TEXT);
    client.wait_for_codes(&uri, &["unknown-variable", "stray-brace"]);
    project.write("promptblock.catalog.json", CATALOG.replace("\"name\"", "\"nmae\""));
    let saved = json!({"textDocument": {"uri": project.uri("promptblock.catalog.json")}});
    client.notify("textDocument/didSave", saved);
    client.wait_for_codes(&uri, &["unknown-variable", "unknown-variable", "stray-brace"]);
    client.stop();
}
