//! Code actions: ways out that lie in other files, all safe fixes at once, and clients that can less.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, range_of};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const CATALOG: &str = "{\r\n\t// 名🎉\r\n\t\"variables\": {\r\n\t\t\"hero\": {}, // the one\r\n\t}\r\n}\r\n";

fn block(body: &str) -> String {
    format!("---\nid: t:a\nzone: system\norder: 110\ntemplate: true\n---\n名🎉 {body}\n")
}

fn project(body: &str) -> (Project, String) {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    project.write("a.promptblock", block(body));
    let uri = project.uri("a.promptblock");
    (project, uri)
}

/// A client that can create files.
fn able(project: &Project) -> Client {
    let changes = json!({"documentChanges": true, "resourceOperations": ["create", "rename", "delete"]});
    with_edits(project, changes)
}

fn with_edits(project: &Project, edits: Value) -> Client {
    let capabilities = json!({
        "general": {"positionEncodings": ["utf-16"]},
        "workspace": {"workspaceEdit": edits},
        "textDocument": {"codeAction": {
            "isPreferredSupport": true,
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "source.fixAll"]}},
        }},
    });
    Start::in_folders(&[project]).capabilities(capabilities).start()
}

fn ask(client: &mut Client, uri: &str, range: Value, context: Value) -> Vec<Value> {
    let mut context = context;
    if context.get("diagnostics").is_none() {
        context["diagnostics"] = json!([]);
    }
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

fn titled<'a>(actions: &'a [Value], part: &str) -> &'a Value {
    let found = actions.iter().find(|action| action["title"].as_str().unwrap().contains(part));
    found.unwrap_or_else(|| panic!("{part} in {:?}", titles(actions)))
}

/// The texts of files after an edit: `texts` are those that the client has.
fn applied(edit: &Value, texts: &[(&str, &str)]) -> BTreeMap<String, String> {
    promptblock_tests::applied(edit, texts, Encoding::Utf16)
}

#[test]
fn a_variable_is_registered_in_the_catalog() {
    let (project, uri) = project("{weather \"城 市\" c}");
    let catalog = project.uri("promptblock.catalog.json");
    let mut client = able(&project);
    let text = block("{weather \"城 市\" c}");
    client.open(&uri, 1, &text);
    client.diagnostics(&uri, 1);
    let expected = CATALOG.replace(
        "// the one",
        "// the one\r\n\t\t\"weather\": {\"description\": \"\", \"args\": [\"arg1\", \"arg2\"]},",
    );
    let place = range_of(&text, "weather", Encoding::Utf16);
    let actions = ask(&mut client, &uri, place.clone(), json!({}));
    assert_eq!(
        titles(&actions),
        ["Register `weather` in `promptblock.catalog.json`", "Switch off `unknown-variable` in this file"]
    );
    let edit = &actions[0]["edit"];
    assert_eq!(edit["documentChanges"][0]["textDocument"], json!({"uri": catalog, "version": null}));
    assert_eq!(applied(edit, &[(&catalog, CATALOG)])[&catalog], expected);
    assert!(
        actions.iter().all(|action| action.get("isPreferred").is_none()),
        "nothing is obvious: {actions:?}"
    );

    // An open catalog: its buffer counts, with its version, and the client's next edit of it is no obstacle.
    let typed = CATALOG.replace("\"hero\": {}", "\"hero\": {}, \"名\": {}");
    client.open(&catalog, 7, CATALOG);
    client.replace(&catalog, 8, &typed);
    let actions = ask(&mut client, &uri, place.clone(), json!({}));
    let edit = &titled(&actions, "Register")["edit"];
    assert_eq!(edit["documentChanges"][0]["textDocument"], json!({"uri": catalog, "version": 8}));
    let after = applied(edit, &[(&catalog, &typed)])[&catalog].clone();
    assert!(after.contains("\"名\": {}, // the one"), "{after}");
    client.replace(&catalog, 9, &after);
    client.wait_for_codes(&uri, &[]);

    // A broken one has no place for an entry, though what it said last is still in force.
    client.replace(&catalog, 10, "{\"variables\": {\"hero\": {}");
    client.settle();
    let other = text.replace("weather", "wetter");
    client.replace(&uri, 2, &other);
    client.diagnostics(&uri, 2);
    let actions = ask(&mut client, &uri, place, json!({}));
    assert!(titles(&actions).iter().all(|title| !title.contains("Register")), "{:?}", titles(&actions));
    client.stop();
}

#[test]
fn in_chinese_too() {
    let (project, uri) = project("{weather}");
    let mut client = Start::in_folders(&[&project]).param("locale", json!("zh-CN")).start();
    let text = block("{weather}");
    client.open(&uri, 1, &text);
    let actions = ask(&mut client, &uri, range_of(&text, "weather", Encoding::Utf16), json!({}));
    assert_eq!(
        titles(&actions),
        ["在 `promptblock.catalog.json` 中登记 `weather`", "在此文件中关闭 `unknown-variable`"]
    );
    client.stop();
}

#[test]
fn a_catalog_is_written_where_there_is_none() {
    let text = block("{hero}{prompt} {weather c}");
    let other =
        text.replace("t:a", "t:b").replace("system", "context").replace("weather c", "weather c d} {tone");
    let files = Project::new("//- promptblock.toml\n");
    files.write("a.promptblock", &text);
    files.write("sub/b.promptblock", other);
    let (uri, catalog) = (files.uri("a.promptblock"), files.uri("promptblock.catalog.json"));
    let place = range_of(&text, "hero", Encoding::Utf16);
    let mut client = able(&files);
    client.wait_for_codes(&files.uri("sub/b.promptblock"), &["no-catalog", "zone-mismatch"]);
    client.open(&uri, 1, &text);
    let actions = ask(&mut client, &uri, place.clone(), json!({}));
    let write = titled(&actions, "Write `promptblock.catalog.json` with the variables in use");
    assert_eq!(write["edit"]["documentChanges"][0], json!({"kind": "create", "uri": catalog}));
    let written = applied(&write["edit"], &[])[&catalog].clone();
    assert_eq!(
        written,
        r#"{
  "variables": {
    "hero": {"description": ""},
    "tone": {"description": ""},
    "weather": {"description": "", "args": ["arg1", {"name": "arg2", "optional": true}]}
  }
}
"#
    );
    client.stop();

    // A client that creates no files is not offered to.
    for edits in [
        json!({"documentChanges": true}),
        json!({"documentChanges": true, "resourceOperations": ["rename"]}),
        json!({}),
    ] {
        let mut client = with_edits(&files, edits);
        client.open(&uri, 1, &text);
        let actions = ask(&mut client, &uri, place.clone(), json!({}));
        assert!(titles(&actions).iter().all(|title| !title.contains("Write")), "{:?}", titles(&actions));
        client.stop();
    }

    // Written, it is in force as soon as the client says so.
    files.write("promptblock.catalog.json", written);
    let mut client = able(&files);
    client.wait_for_codes(&uri, &["mutable-in-system"]);
    client.stop();
}

#[test]
fn a_client_without_versioned_edits_gets_plain_ones() {
    let (project, uri) = project("{weather}");
    let catalog = project.uri("promptblock.catalog.json");
    let text = block("{weather}");
    let mut client = with_edits(&project, json!({}));
    client.open(&uri, 1, &text);
    let actions = ask(&mut client, &uri, range_of(&text, "weather", Encoding::Utf16), json!({}));
    let edit = &titled(&actions, "Register")["edit"];
    assert!(edit.get("documentChanges").is_none());
    assert!(applied(edit, &[(&catalog, CATALOG)])[&catalog].contains("\"weather\": {"));
    client.stop();
}

#[test]
fn all_that_is_safe_at_once_and_no_more() {
    let body = "{\"a\": {\"b\": 1}} {hro}\n{\"c\": {hero}}\n{if hero}🎉";
    let (project, uri) = project(body);
    let text = block(body).replace("order:", "ordr:");
    let mut client = able(&project);
    client.open(&uri, 3, &text);
    let nowhere = json!({"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 0}});
    let expected = block("{{\"a\": {{\"b\": 1}}}} {hro}\n{{\"c\": {{hero}}}}\n{if hero}🎉{/if}");
    for only in ["source", "source.fixAll", "source.fixAll.promptblock", ""] {
        let actions = ask(&mut client, &uri, nowhere.clone(), json!({"only": [only], "triggerKind": 1}));
        let all = titled(&actions, "Fix all that is safe to fix");
        assert_eq!(all["kind"], "source.fixAll.promptblock");
        let edit = &all["edit"];
        assert_eq!(edit["documentChanges"][0]["textDocument"], json!({"uri": uri, "version": 3}));
        assert_eq!(applied(edit, &[(&uri, &text)])[&uri], expected, "{only}");
    }
    for only in [
        "quickfix",
        "source.organizeImports",
        "source.fixAll.other",
        "source.fixAllThings",
        "refactors",
        "sourc",
    ] {
        let actions = ask(&mut client, &uri, nowhere.clone(), json!({"only": [only]}));
        assert!(actions.is_empty(), "{only}: {:?}", titles(&actions));
    }
    // As a person moves the cursor nobody asks for it; asked for by name, on saving, it comes.
    assert!(ask(&mut client, &uri, nowhere.clone(), json!({"triggerKind": 2})).is_empty());
    let on_save = json!({"only": ["source.fixAll"], "triggerKind": 2});
    assert_eq!(ask(&mut client, &uri, nowhere.clone(), on_save.clone()).len(), 1);

    // Nothing of what was only tried is said, and done twice it changes nothing.
    client.settle();
    assert_eq!(client.published[&uri].version, Some(3));
    client.replace(&uri, 4, &expected);
    let left = client.diagnostics(&uri, 4);
    assert_eq!(left.codes(), ["unknown-variable"]);
    assert!(ask(&mut client, &uri, nowhere, on_save).is_empty());
    client.stop();
}

#[test]
fn all_of_a_code_where_there_are_several() {
    let body = "{\"a\": 1}\n{\"b\": 2}\n{if hero}";
    let (project, uri) = project(body);
    let text = block(body);
    let mut client = able(&project);
    client.open(&uri, 1, &text);
    let brace = json!({"start": {"line": 7, "character": 0}, "end": {"line": 7, "character": 0}});
    let actions = ask(&mut client, &uri, brace, json!({}));
    let all = titled(&actions, "Fix all `literal-braces` in this file");
    assert_eq!(all["kind"], "quickfix");
    let after = applied(&all["edit"], &[(&uri, &text)])[&uri].clone();
    assert_eq!(after, block("{{\"a\": 1}}\n{{\"b\": 2}}\n{if hero}"), "of this code only");
    let tag = json!({"start": {"line": 8, "character": 0}, "end": {"line": 8, "character": 0}});
    let actions = ask(&mut client, &uri, tag, json!({"only": ["quickfix"]}));
    assert_eq!(
        titles(&actions),
        ["Close with `{/if}` at the end", "Remove this tag", "Switch off `unclosed-tag` in this file"],
        "one is not several"
    );
    assert_eq!(actions[0]["isPreferred"], true);
    client.stop();
}

#[test]
fn in_catalogs_environments_and_configurations() {
    let (project, uri) = project("{hero}");
    let catalog = "{\"variables\": {\"hero\": {\"typ\": \"text\", \"zones\": [\"sytem\"]}, \"名\": {}}}";
    let config = "environment = \"grop\"\nlocal = \"en\"\n";
    let environments = "{\"group\": {}, \"other\": {\"extends\": [\"grup\"]}}";
    let mut client = able(&project);
    client.open(&uri, 1, &block("{hero}"));
    let mut fixes = |path: &str, text: &str, place: &str, context: Value| {
        let uri = project.uri(path);
        client.open(&uri, 1, text);
        // At once: nobody waits for the diagnostics first.
        let actions = ask(&mut client, &uri, range_of(text, place, Encoding::Utf16), context);
        let all: Vec<_> =
            actions.iter().map(|action| applied(&action["edit"], &[(&uri, text)])[&uri].clone()).collect();
        assert!(titles(&actions).iter().all(|title| !title.starts_with("Switch off")), "there is no `allow`");
        client.close(&uri);
        all
    };
    let quick = || json!({"only": ["quickfix"]});
    let path = "promptblock.catalog.json";
    assert_eq!(fixes(path, catalog, "\"typ\"", quick()), [catalog.replace("typ\"", "type\""); 1]);
    assert_eq!(fixes(path, catalog, "\"sytem\"", quick()), [catalog.replace("sytem", "system")]);
    assert_eq!(fixes(path, catalog, "\"名\"", quick()), [catalog.replace(", \"名\": {}", "")]);
    let all = json!({"only": ["source.fixAll.promptblock"]});
    assert_eq!(fixes(path, catalog, "\"名\"", all.clone()), [catalog.replace("typ\"", "type\"")]);
    let environment = fixes("promptblock.env.json", environments, "\"grup\"", quick());
    assert_eq!(environment, [environments.replace("grup", "group")]);
    project.write("promptblock.env.json", environments);
    assert_eq!(fixes("promptblock.toml", config, "\"grop\"", quick())[0], config.replace("grop", "group"));
    assert_eq!(fixes("promptblock.toml", config, "local", all), [config.replace("local ", "locale ")]);
    client.stop();
}
