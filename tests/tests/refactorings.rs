//! Refactorings: what is offered where, edits at once or when one is chosen, and clients that can less.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, applied, range, range_of};
use serde_json::{Value, json};

const CATALOG: &str = "{\"variables\": {\"hero\": {\"example\": \"阿{桂}\"}, \"vip\": {\"type\": \"boolean\"}, \"now\": {\"mutable\": true, \"zones\": [\"context\"]}}}\n";
const HEAD: &str = "---\r\nid: t:a\r\nzone: system\r\norder: 110\r\ntemplate: true\r\n---\r\n";
const BODY: &str = "名🎉 {hero}\r\n\r\n二🎉e\u{301}: {hero}\r\n{\"k\": 1} 三🎉\r\n";

fn project() -> (Project, String, String) {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    let text = format!("{HEAD}{BODY}");
    project.write("规则.promptblock", &text);
    let uri = project.uri("规则.promptblock");
    (project, uri, text)
}

/// A client that can all of it, but for what `change` takes away.
fn client(project: &Project, encoding: Encoding, change: impl Fn(&mut Value)) -> Client {
    let mut capabilities = json!({
        "general": {"positionEncodings": [encoding.name()]},
        "workspace": {"workspaceEdit": {"documentChanges": true, "resourceOperations": ["create"]}},
        "textDocument": {"codeAction": {
            "disabledSupport": true,
            "dataSupport": true,
            "resolveSupport": {"properties": ["edit"]},
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor"]}},
        }},
    });
    change(&mut capabilities);
    Start::in_folders(&[project]).capabilities(capabilities).start()
}

fn ask(client: &mut Client, uri: &str, range: &Value, only: &str) -> Vec<Value> {
    let context = json!({"diagnostics": [], "only": [only], "triggerKind": 1});
    let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
    match client.request("textDocument/codeAction", params) {
        Value::Null => Vec::new(),
        Value::Array(actions) => actions,
        other => panic!("{other}"),
    }
}

fn titles(actions: &[Value]) -> Vec<&str> {
    actions.iter().map(|action| action["title"].as_str().unwrap()).collect()
}

fn titled(actions: &[Value], part: &str) -> Value {
    let found = actions.iter().find(|action| action["title"].as_str().unwrap().contains(part));
    found.unwrap_or_else(|| panic!("{part} in {:?}", titles(actions))).clone()
}

/// The edit of an action, asked for where it does not come along.
fn edit_of(client: &mut Client, action: &Value) -> Value {
    assert!(action.get("disabled").is_none(), "{action}");
    match action.get("edit") {
        Some(edit) => edit.clone(),
        None => client.request("codeAction/resolve", action.clone())["edit"].clone(),
    }
}

fn cursor(text: &str, piece: &str, encoding: Encoding) -> Value {
    let at = text.find(piece).unwrap_or_else(|| panic!("{piece}"));
    range(text, at, at, encoding)
}

#[test]
fn a_selection_becomes_a_block_of_its_own() {
    for encoding in Encoding::ALL {
        let (project, uri, text) = project();
        project.write("规则-2.promptblock", "---\nid: t:b\nzone: system\norder: 111\n---\n{vip}\n");
        let mut client = client(&project, encoding, |_| {});
        client.open(&uri, 5, &text);
        client.wait_for_codes(&uri, &["literal-braces"]);
        client.wait_for_codes(&project.uri("规则-2.promptblock"), &["template-not-enabled"]);
        let selected = range_of(&text, "二🎉e\u{301}: {hero}\r\n{\"k\": 1} 三🎉", encoding);
        let actions = ask(&mut client, &uri, &selected, "refactor.extract");
        let action = titled(&actions, "Extract into a new block `t:a-3`, order 112");
        assert_eq!(action["kind"], "refactor.extract");
        assert!(action.get("edit").is_none(), "it is worked out when it is chosen");
        let edit = edit_of(&mut client, &action);
        let new = project.uri("规则-3.promptblock");
        assert_eq!(edit["documentChanges"][0], json!({"kind": "create", "uri": new}));
        assert_eq!(edit["documentChanges"][1]["textDocument"], json!({"uri": uri, "version": 5}));
        let after = applied(&edit, &[(&uri, &text)], encoding);
        assert_eq!(after[&uri], format!("{HEAD}名🎉 {{hero}}\r\n"));
        let head = HEAD.replace("t:a", "t:a-3").replace("110", "112");
        assert_eq!(after[&new], format!("{head}二🎉e\u{301}: {{hero}}\r\n{{\"k\": 1}} 三🎉\r\n"));

        // Of another text nobody knows the places.
        client.replace(&uri, 6, &after[&uri]);
        assert_eq!(client.refused("codeAction/resolve", action)["code"], -32801);
        // The new block counts as soon as it is there.
        client.open(&new, 1, &after[&new]);
        client.wait_for_codes(&new, &["literal-braces"]);
        client.stop();
    }
}

#[test]
fn the_other_ones() {
    for encoding in Encoding::ALL {
        let (project, uri, text) = project();
        let mut client = client(&project, encoding, |_| {});
        client.open(&uri, 1, &text);
        client.diagnostics(&uri, 1);
        let mut done = |place: Value, kind: &str, title: &str| {
            let actions = ask(&mut client, &uri, &place, kind);
            let action = titled(&actions, title);
            assert_eq!(action["kind"], kind);
            let edit = edit_of(&mut client, &action);
            applied(&edit, &[(&uri, &text)], encoding)[&uri].clone()
        };
        let words = range_of(&text, "二🎉", encoding);
        assert_eq!(
            done(words, "refactor.rewrite", "Wrap in `{if}`"),
            text.replace("二🎉", "{if vip}二🎉{/if}")
        );
        let tag = || cursor(&text, "hero}\r\n{\"k", encoding);
        assert_eq!(
            done(tag(), "refactor.inline", "Replace this `hero`"),
            text.replace(": {hero}", ": 阿{{桂}}")
        );
        assert_eq!(
            done(tag(), "refactor.inline", "Replace every `hero`"),
            text.replace("{hero}", "阿{{桂}}")
        );
        let json = cursor(&text, "\"k\"", encoding);
        assert_eq!(done(json, "refactor.rewrite", "Escape"), text.replace("{\"k\": 1}", "{{\"k\": 1}}"));
        let zone = cursor(&text, "system", encoding);
        assert_eq!(
            done(zone.clone(), "refactor.move", "Move this block to the context zone"),
            text.replace("system", "context")
        );
        assert_eq!(
            done(zone, "refactor.rewrite", "Add a `description`"),
            text.replace("true\r\n", "true\r\ndescription: \"名🎉 {hero}\"\r\n")
        );
        let three = range_of(&text, "三🎉", encoding);
        let actions = ask(&mut client, &uri, &three, "refactor.extract");
        let edit = edit_of(&mut client, &titled(&actions, "Extract into a new variable `三`"));
        let catalog = project.uri("promptblock.catalog.json");
        let after = applied(&edit, &[(&uri, &text), (&catalog, CATALOG)], encoding);
        assert_eq!(after[&uri], text.replace("三🎉", "{三}"));
        assert!(after[&catalog].contains("\"三\": {\"description\": \"\", \"example\": \"三🎉\"}"));
        client.stop();
    }
}

#[test]
fn only_what_is_asked_for_and_reasons_for_who_shows_them() {
    let (project, uri, text) = project();
    let mut client = client(&project, Encoding::Utf16, |_| {});
    client.open(&uri, 1, &text);
    client.diagnostics(&uri, 1);
    // From within one tag into another.
    let start = text.find("ro}").unwrap();
    let cut = range(&text, start, text.find("\"k\"").unwrap(), Encoding::Utf16);
    let actions = ask(&mut client, &uri, &cut, "refactor");
    assert_eq!(
        titles(&actions),
        ["Extract into a new block", "Wrap in `{if}`", "Escape the literal braces"],
        "none of them can be done"
    );
    for action in &actions {
        assert!(!action["disabled"]["reason"].as_str().unwrap().is_empty());
        assert!(action.get("edit").is_none() && action.get("data").is_none(), "{action}");
    }
    for (only, kinds) in [
        ("refactor.extract", vec!["refactor.extract"]),
        ("refactor.rewrite", vec!["refactor.rewrite", "refactor.rewrite"]),
        ("refactor.move", vec![]),
        ("refactor.ext", vec![]),
        ("quickfix", vec![]),
    ] {
        let actions = ask(&mut client, &uri, &cut, only);
        let found: Vec<&str> = actions
            .iter()
            .map(|action| action["kind"].as_str().unwrap())
            .filter(|kind| kind.starts_with("refactor"))
            .collect();
        assert_eq!(found, kinds, "{only}");
    }
    // Who only moves the cursor is not bothered with what concerns the whole block, nor with reasons.
    let mut automatic = |range: &Value| {
        let context = json!({"diagnostics": [], "triggerKind": 2});
        let params = json!({"textDocument": {"uri": uri}, "range": range, "context": context});
        client.request("textDocument/codeAction", params)
    };
    assert_eq!(automatic(&cursor(&text, "zone", Encoding::Utf16)), Value::Null);
    let touched = automatic(&cut);
    assert!(touched.as_array().unwrap().iter().all(|action| action["kind"] == "quickfix"), "{touched}");
    client.stop();
}

#[test]
fn clients_that_can_less() {
    let (project, uri, text) = project();
    let selected = range_of(&text, "二🎉", Encoding::Utf16);

    // No edits on demand: they come at once.
    let mut at_once = client(&project, Encoding::Utf16, |can| {
        can["textDocument"]["codeAction"].as_object_mut().unwrap().remove("resolveSupport");
    });
    at_once.open(&uri, 1, &text);
    at_once.diagnostics(&uri, 1);
    let actions = ask(&mut at_once, &uri, &selected, "refactor");
    assert!(actions.iter().all(|action| action.get("edit").is_some()), "{actions:?}");
    assert!(titles(&actions).iter().any(|title| title.contains("new block")), "{:?}", titles(&actions));
    at_once.stop();

    // No new files, no versions, no reasons.
    let mut plain = client(&project, Encoding::Utf16, |can| {
        can["workspace"] = json!({});
        can["textDocument"]["codeAction"].as_object_mut().unwrap().remove("disabledSupport");
    });
    plain.open(&uri, 1, &text);
    plain.diagnostics(&uri, 1);
    let actions = ask(&mut plain, &uri, &selected, "refactor");
    assert_eq!(
        titles(&actions),
        ["Extract into a new variable `二` in `promptblock.catalog.json`", "Wrap in `{if}`"]
    );
    for action in &actions {
        assert!(action["edit"].get("documentChanges").is_none());
        assert!(!action["edit"]["changes"][&uri].as_array().unwrap().is_empty());
    }
    let cut = range_of(&text, "ro}\r\n\r\n二🎉", Encoding::Utf16);
    assert_eq!(ask(&mut plain, &uri, &cut, "refactor"), Vec::<Value>::new());
    plain.stop();
}

#[test]
fn in_chinese_too() {
    let (project, uri, text) = project();
    let mut client = Start::in_folders(&[&project]).param("locale", json!("zh-CN")).start();
    client.open(&uri, 1, &text);
    client.diagnostics(&uri, 1);
    let actions = ask(&mut client, &uri, &range_of(&text, "二🎉", Encoding::Utf16), "refactor.rewrite");
    assert_eq!(titles(&actions), ["放入 `{if}`"]);
    client.stop();
}
