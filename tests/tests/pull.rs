//! Clients that ask for diagnostics instead of being sent them: each file reaches them in one way, whole and not doubled.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Project, Start};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

const CATALOG: &str = r#"{"variables": {
  "time": {"description": "now", "mutable": true},
  "name": {"description": "who"}
}}
"#;
const REFRESH: &str = "workspace/diagnostic/refresh";

fn block(id: &str, zone: &str, order: i32, body: &str) -> String {
    format!("---\nid: t:{id}\nzone: {zone}\norder: {order}\ntemplate: true\n---\n{body}\n")
}

/// Two sound blocks that use all there is, and one with a fault.
fn project() -> Project {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    project.write("blocks/closed.promptblock", block("closed", "context", 10, "{name} {nobody}"));
    project.write("blocks/sound.promptblock", block("sound", "context", 20, "{name} {time}"));
    project
}

fn start(project: &Project) -> Client {
    Start::in_folders(&[project]).pulling().start()
}

fn codes(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|item| item["code"].as_str().unwrap()).collect()
}

fn document(uri: &str, previous: Option<&str>) -> Value {
    let mut params = json!({"textDocument": {"uri": uri}});
    if let Some(previous) = previous {
        params["previousResultId"] = json!(previous);
    }
    params
}

/// The document's diagnostics; asks again where the server wants that.
fn pull(client: &mut Client, uri: &str, previous: Option<&str>) -> Value {
    for _ in 0..50 {
        let id = client.ask("textDocument/diagnostic", document(uri, previous));
        let answer = client.answer(id);
        let Some(error) = answer.get("error") else { return answer["result"].clone() };
        assert_eq!((&error["code"], &error["data"]["retriggerRequest"]), (&json!(-32802), &json!(true)));
    }
    panic!("never an answer");
}

/// Asks until the document has these codes.
fn pull_until(client: &mut Client, uri: &str, wanted: &[&str]) -> Value {
    for _ in 0..200 {
        let report = pull(client, uri, None);
        if codes(&report["items"]) == wanted {
            return report;
        }
        client.listen(Duration::from_millis(10));
    }
    panic!("{uri} has never {wanted:?}, but {}", pull(client, uri, None));
}

fn previous(ids: &BTreeMap<String, String>) -> Value {
    ids.iter().map(|(uri, value)| json!({"uri": uri, "value": value})).collect()
}

/// What an answer for the workspace says, by file; keeps the ids.
fn take(ids: &mut BTreeMap<String, String>, items: &Value) -> BTreeMap<String, String> {
    let mut said = BTreeMap::new();
    for item in items.as_array().unwrap() {
        let uri = item["uri"].as_str().unwrap().to_owned();
        assert!(item.get("version").is_some(), "null for a file on disk: {item}");
        ids.insert(uri.clone(), item["resultId"].as_str().unwrap().to_owned());
        let what =
            if item["kind"] == "full" { codes(&item["items"]).join(" ") } else { "unchanged".to_owned() };
        assert!(said.insert(uri, what).is_none(), "one report a file: {items}");
    }
    said
}

fn refreshes(client: &Client) -> usize {
    client.requests.iter().filter(|request| request["method"] == REFRESH).count()
}

/// Nothing was pushed that shows anything.
fn nothing_pushed(client: &Client) {
    let shown = client.published.iter().filter(|(_, last)| !last.diagnostics.is_empty());
    assert_eq!(shown.map(|(uri, _)| uri.clone()).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn offered_to_those_who_ask_and_to_nobody_else() {
    let project = project();
    let mut client = start(&project);
    assert_eq!(
        client.initialized["capabilities"]["diagnosticProvider"],
        json!({"interFileDependencies": true, "workspaceDiagnostics": true})
    );
    client.request("shutdown", Value::Null);
    drop(client);

    let uri = project.uri("blocks/open.promptblock");
    let pushed = |start: Start| {
        let mut client = start.start();
        assert_eq!(client.initialized["capabilities"].get("diagnosticProvider"), None);
        client.open(&uri, 1, &block("open", "context", 110, "{nobody}"));
        assert_eq!(client.diagnostics(&uri, 1).codes(), ["unknown-variable"]);
        client.wait_for_codes(&project.uri("blocks/closed.promptblock"), &["unknown-variable"]);
        client.settle();
        assert_eq!(refreshes(&client), 0);
        client.stop();
    };
    pushed(Start::in_folders(&[&project]));
    // Asks for what it edits only and cannot be told to ask again: it would show what a change of the catalog has made untrue.
    let mut neovim = json!({"textDocument": {"diagnostic": {"dynamicRegistration": false}}});
    let info = json!({"name": "Neovim", "version": "0.11.4"});
    pushed(Start::in_folders(&[&project]).capabilities(neovim.clone()).param("clientInfo", info.clone()));
    // A later one can be told, and asks for the workspace at a command only.
    neovim["workspace"] = json!({"diagnostics": {"refreshSupport": true}});
    let client = Start::in_folders(&[&project]).capabilities(neovim).param("clientInfo", info).start();
    assert_eq!(
        client.initialized["capabilities"]["diagnosticProvider"],
        json!({"interFileDependencies": true, "workspaceDiagnostics": false})
    );
    client.stop();
}

#[test]
fn a_document_is_pulled_and_not_pushed() {
    let project = project();
    let mut client = start(&project);
    let (uri, closed) = (project.uri("blocks/open.promptblock"), project.uri("blocks/closed.promptblock"));
    client.open(&uri, 1, &block("open", "system", 110, "{time} {name}"));
    let first = pull_until(&mut client, &uri, &["mutable-in-system"]);
    assert_eq!(first["kind"], "full");
    let found = &first["items"][0];
    assert_eq!(
        found["range"],
        json!({"start": {"line": 6, "character": 1}, "end": {"line": 6, "character": 5}})
    );
    assert_eq!(found["data"], json!({"block": "t:open", "plugin": "t"}), "as what is pushed");
    let id = first["resultId"].as_str().unwrap();
    assert_eq!(pull(&mut client, &uri, Some(id)), json!({"kind": "unchanged", "resultId": id}));

    // Behind each edit: what holds for the text as it is now.
    let range = json!({"start": {"line": 6, "character": 1}, "end": {"line": 6, "character": 5}});
    client.change(&uri, 2, json!([{"range": range, "text": "nmae"}]));
    let second = pull(&mut client, &uri, Some(id));
    assert_eq!(codes(&second["items"]), ["unknown-variable"]);
    // Taken back: the diagnostics are those of before, and what the editor shows has moved meanwhile.
    client.change(&uri, 3, json!([{"range": range, "text": "time"}]));
    let third = pull(&mut client, &uri, Some(id));
    assert_eq!((&third["kind"], &third["items"]), (&json!("full"), &first["items"]));

    // What is closed is pushed to a client that has not asked for the workspace, until it is opened.
    client.wait_for_codes(&closed, &["unknown-variable"]);
    assert!(!client.published.contains_key(&uri), "{:?}", client.published);
    client.open(&closed, 1, &project.read("blocks/closed.promptblock"));
    assert_eq!(codes(&pull(&mut client, &closed, None)["items"]), ["unknown-variable"]);
    client.wait_for_codes(&closed, &[]);
    client.close(&closed);
    client.wait_for_codes(&closed, &["unknown-variable"]);
    // A document that the server does not have open is answered from the disk, and one that is nowhere has none.
    assert_eq!(codes(&pull(&mut client, &closed, None)["items"]), ["unknown-variable"]);
    assert_eq!(pull(&mut client, &project.uri("none.promptblock"), None)["items"], json!([]));
    client.stop();
}

#[test]
fn a_change_elsewhere_makes_the_client_ask_again() {
    let project = project();
    let mut client = start(&project);
    let (uri, other) = (project.uri("blocks/open.promptblock"), project.uri("blocks/other.promptblock"));
    let catalog = project.uri("promptblock.catalog.json");
    client.open(&uri, 1, &block("open", "system", 110, "{name}"));
    client.open(&other, 1, &block("other", "system", 120, "none"));
    client.open(&catalog, 1, CATALOG);
    for uri in [&uri, &other, &catalog] {
        pull_until(&mut client, uri, &[]);
    }
    // The folders may have been read behind the first question.
    client.listen(Duration::from_millis(300));
    for uri in [&uri, &other, &catalog] {
        pull_until(&mut client, uri, &[]);
    }

    // An edit that touches nothing else is nobody's business.
    let before = refreshes(&client);
    client.replace(&uri, 2, &block("open", "system", 110, "{name}!"));
    pull_until(&mut client, &uri, &[]);
    client.listen(Duration::from_millis(300));
    assert_eq!(refreshes(&client), before, "{:?}", client.requests);

    // The catalog in its buffer.
    client.replace(&catalog, 2, &CATALOG.replace("\"who\"", "\"who\", \"mutable\": true"));
    pull(&mut client, &catalog, None);
    client.wait_until("the word to ask again", |client| refreshes(client) > before);
    assert_eq!(codes(&pull(&mut client, &uri, None)["items"]), ["mutable-in-system"]);

    // Another block takes the same id.
    let before = refreshes(&client);
    client.replace(&other, 2, &block("open", "system", 120, "none"));
    assert_eq!(codes(&pull(&mut client, &other, None)["items"]), ["duplicate-id"]);
    client.wait_until("the word to ask again", |client| refreshes(client) > before);
    assert_eq!(codes(&pull(&mut client, &uri, None)["items"]), ["duplicate-id", "mutable-in-system"]);

    // On disk: a closed one that clashes with the open one.
    let before = refreshes(&client);
    project.write("blocks/new.promptblock", block("new", "system", 110, "none"));
    client.watched(&[(&project.uri("blocks/new.promptblock"), 1)]);
    client.wait_until("the word to ask again", |client| refreshes(client) > before);
    let found = pull(&mut client, &uri, None);
    assert!(codes(&found["items"]).contains(&"order-conflict"), "{found}");
    client.stop();
}

#[test]
fn a_capability_that_is_spelled_in_helixs_way_counts() {
    let project = project();
    let capabilities = json!({
        "textDocument": {"diagnostic": {"dynamicRegistration": false, "relatedDocumentSupport": true}},
        "workspace": {"diagnostic": {"refreshSupport": true}},
    });
    let mut client = Start::in_folders(&[&project]).capabilities(capabilities).start();
    let uri = project.uri("blocks/open.promptblock");
    client.open(&uri, 1, &block("open", "system", 110, "{name}"));
    pull_until(&mut client, &uri, &[]);
    project.write("promptblock.catalog.json", CATALOG.replace("\"who\"", "\"who\", \"mutable\": true"));
    client.watched(&[(&project.uri("promptblock.catalog.json"), 2)]);
    client.wait_until("the word to ask again", |client| refreshes(client) > 0);
    assert_eq!(codes(&pull(&mut client, &uri, None)["items"]), ["mutable-in-system"]);
    // It has not asked for the workspace: what is closed is pushed.
    client.wait_for_codes(&project.uri("blocks/closed.promptblock"), &["unknown-variable"]);
    client.stop();
}

#[test]
fn an_edit_that_the_client_does_not_ask_for_is_brought_to_its_mind() {
    let project = project();
    let mut client = start(&project);
    let uri = project.uri("blocks/open.promptblock");
    client.open(&uri, 1, &block("open", "context", 110, "{name}"));
    pull_until(&mut client, &uri, &[]);
    client.listen(Duration::from_millis(300));
    pull_until(&mut client, &uri, &[]);
    let before = refreshes(&client);
    // A buffer in no window, changed by a rename: some editors do not ask for it.
    client.replace(&uri, 2, &block("open", "context", 110, "{nobody}"));
    client.wait_until("the word to ask again", |client| refreshes(client) > before);
    assert_eq!(codes(&pull(&mut client, &uri, None)["items"]), ["unknown-variable"]);
    client.stop();
}

#[test]
fn the_workspace_in_single_answers() {
    let project = project();
    let mut client = start(&project);
    let (closed, sound) = (project.uri("blocks/closed.promptblock"), project.uri("blocks/sound.promptblock"));
    let open = project.uri("blocks/open.promptblock");
    client.open(&open, 3, &block("open", "context", 110, "{nmae}"));
    let mut ids = BTreeMap::new();
    let first = client.request("workspace/diagnostic", json!({"previousResultIds": []}));
    let said = take(&mut ids, &first["items"]);
    assert_eq!(said[&closed], "unknown-variable", "{first}");
    assert_eq!(said[&open], "unknown-variable");
    assert_eq!(said.len(), 2, "sound files are not spoken of: {said:?}");
    let version = |uri: &str| {
        let item = first["items"].as_array().unwrap().iter().find(|item| item["uri"] == json!(uri));
        item.unwrap()["version"].clone()
    };
    assert_eq!((version(&open), version(&closed)), (json!(3), Value::Null));
    // From here on nothing is pushed, and what was is taken back.
    client.listen(Duration::from_millis(100));
    nothing_pushed(&client);

    // Nothing new: the question stays open. A change on disk answers it.
    let id = client.ask("workspace/diagnostic", json!({"previousResultIds": previous(&ids)}));
    client.listen(Duration::from_millis(300));
    assert!(!client.is_answered(id), "there is nothing to say");
    project.write("blocks/sound.promptblock", block("sound", "context", 20, "{name} {nobody}"));
    client.watched(&[(&sound, 2)]);
    let answer = client.answer(id);
    let said = take(&mut ids, &answer["result"]["items"]);
    assert_eq!(said.get(&sound).map(String::as_str), Some("unknown-variable"), "{answer}");
    assert_eq!((&*said[&closed], &*said[&open]), ("unchanged", "unchanged"));

    // What happened while nobody asked is told at the next question: one repaired, one gone.
    project.write("blocks/sound.promptblock", block("sound", "context", 20, "{name} {time}"));
    project.remove("blocks/closed.promptblock");
    client.watched(&[(&sound, 2), (&closed, 3)]);
    client.listen(Duration::from_millis(200));
    let answer = client.request("workspace/diagnostic", json!({"previousResultIds": previous(&ids)}));
    let said = take(&mut ids, &answer["items"]);
    assert_eq!((&*said[&sound], &*said[&closed]), ("", ""), "told as empty: {said:?}");
    nothing_pushed(&client);
    client.stop();
}

#[test]
fn an_edited_document_is_not_called_unchanged() {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", r#"{"variables": {"name": {}}}"#);
    project.write("b.promptblock", block("b", "context", 10, "{name}"));
    let mut client = start(&project);
    let (a, b) = (project.uri("a.promptblock"), project.uri("b.promptblock"));
    client.open(&a, 1, &block("a", "context", 20, "{foo}"));
    let mut ids = BTreeMap::new();
    let first = client.request("workspace/diagnostic", json!({"previousResultIds": []}));
    assert_eq!(take(&mut ids, &first["items"])[&a], "unknown-variable", "{first}");

    // What the edit does to the closed one is told at once, before the edited one is no longer left to the client.
    let id = client.ask("workspace/diagnostic", json!({"previousResultIds": previous(&ids)}));
    client.listen(Duration::from_millis(200));
    assert!(!client.is_answered(id), "there is nothing to say");
    client.replace(&a, 2, &block("b", "context", 20, "{name}"));
    let answer = client.answer(id);
    let mut said = take(&mut ids, &answer["result"]["items"]);
    assert_eq!(said[&b], "duplicate-id", "{answer}");
    if !said.contains_key(&a) {
        let next = client.request("workspace/diagnostic", json!({"previousResultIds": previous(&ids)}));
        said = take(&mut ids, &next["items"]);
    }
    assert_eq!(said[&a], "duplicate-id", "{answer}");
    assert!(ids[&a].starts_with("2:"), "{ids:?}");

    // The same text, and other findings: the closed one becomes another.
    let id = client.ask("workspace/diagnostic", json!({"previousResultIds": previous(&ids)}));
    client.listen(Duration::from_millis(200));
    project.write("b.promptblock", block("c", "context", 10, "{name}"));
    client.watched(&[(&b, 2)]);
    let answer = client.answer(id);
    let said = take(&mut ids, &answer["result"]["items"]);
    assert_eq!(said[&b], "", "{answer}");
    assert_ne!(said.get(&a).map(String::as_str), Some("unchanged"), "{answer}");
    client.stop();
}

#[test]
fn a_sound_workspace_answers_the_first_question_at_once() {
    let project = Project::new("//- promptblock.toml\n");
    let mut client = start(&project);
    assert_eq!(
        client.request("workspace/diagnostic", json!({"previousResultIds": []})),
        json!({"items": []})
    );
    let id = client.ask("workspace/diagnostic", json!({"previousResultIds": []}));
    client.listen(Duration::from_millis(300));
    assert!(!client.is_answered(id), "and the second when there is something");
    client.stop();
}

/// What came in parts to a question, the last of each file.
fn parts(client: &Client, token: &str) -> BTreeMap<String, String> {
    let mut last = BTreeMap::new();
    let of = client.notifications.iter().filter(|one| one["method"] == "$/progress");
    for part in of.filter(|one| one["params"]["token"] == json!(token)) {
        last.extend(take(&mut BTreeMap::new(), &part["params"]["value"]["items"]));
    }
    last
}

fn wait_for_part(client: &mut Client, token: &str, uri: &str, wanted: &str) {
    client.wait_until(&format!("{wanted:?} in {uri}"), |client| {
        parts(client, token).get(uri).is_some_and(|last| last == wanted)
    });
}

#[test]
fn the_workspace_in_parts_as_things_change() {
    let project = project();
    let mut client = start(&project);
    let (closed, sound) = (project.uri("blocks/closed.promptblock"), project.uri("blocks/sound.promptblock"));
    let catalog = project.uri("promptblock.catalog.json");
    let params = json!({"previousResultIds": [], "partialResultToken": "t"});
    let id = client.ask("workspace/diagnostic", params);
    wait_for_part(&mut client, "t", &closed, "unknown-variable");

    // A catalog edit reaches every closed file that it touches, at once.
    project.write("promptblock.catalog.json", CATALOG.replace("\"name\"", "\"nobody\""));
    client.watched(&[(&catalog, 2)]);
    wait_for_part(&mut client, "t", &sound, "unknown-variable");
    project.write("promptblock.catalog.json", CATALOG);
    client.watched(&[(&catalog, 2)]);
    wait_for_part(&mut client, "t", &sound, "");
    wait_for_part(&mut client, "t", &closed, "unknown-variable");

    // Opened, changed and closed without saving: the disk's again, though the client has had the buffer's last.
    client.open(&closed, 1, &project.read("blocks/closed.promptblock"));
    pull_until(&mut client, &closed, &["unknown-variable"]);
    client.replace(&closed, 2, &block("closed", "context", 10, "{if}"));
    pull_until(&mut client, &closed, &["invalid-expression"]);
    wait_for_part(&mut client, "t", &closed, "invalid-expression");
    let last = client.ask("textDocument/diagnostic", document(&closed, None));
    client.close(&closed);
    client.answer(last);
    wait_for_part(&mut client, "t", &closed, "unknown-variable");
    nothing_pushed(&client);
    assert!(!client.is_answered(id), "it stays open");

    // A new question takes the place of the old one, and knows what the client knows.
    let mut ids = BTreeMap::new();
    for part in client.notifications.iter().filter(|one| one["params"]["token"] == "t") {
        take(&mut ids, &part["params"]["value"]["items"]);
    }
    let params = json!({"previousResultIds": previous(&ids), "partialResultToken": "u"});
    client.ask("workspace/diagnostic", params);
    assert_eq!(client.answer(id)["result"], json!({"items": []}));
    wait_for_part(&mut client, "u", &closed, "unchanged");
    client.stop();
}

#[test]
fn cancelled_and_asked_anew() {
    let project = project();
    let mut client = start(&project);
    let params = || json!({"previousResultIds": [], "partialResultToken": "t"});
    let closed = project.uri("blocks/closed.promptblock");
    for _ in 0..100 {
        let id = client.ask("workspace/diagnostic", params());
        client.notify("$/cancelRequest", json!({"id": id}));
        let answer = client.answer(id);
        assert_eq!(answer["error"]["code"], -32800, "{answer}");
    }
    client.notifications.clear();
    let id = client.ask("workspace/diagnostic", params());
    wait_for_part(&mut client, "t", &closed, "unknown-variable");
    client.notify("$/cancelRequest", json!({"id": id}));
    assert_eq!(client.answer(id)["error"]["code"], -32800);
    client.notifications.clear();
    // Nobody is told anything that was not asked.
    project.write("blocks/closed.promptblock", block("closed", "context", 10, "{name}"));
    client.watched(&[(&closed, 2)]);
    client.listen(Duration::from_millis(200));
    assert_eq!(parts(&client, "t"), BTreeMap::new());
    nothing_pushed(&client);
    // A document's question, cancelled, leaves the next one alone.
    client.open(&closed, 1, &block("closed", "context", 10, "{if}"));
    let id = client.ask("textDocument/diagnostic", document(&closed, None));
    client.notify("$/cancelRequest", json!({"id": id}));
    client.answer(id);
    assert_eq!(codes(&pull(&mut client, &closed, None)["items"]), ["invalid-expression"]);
    client.stop();
}

#[test]
fn one_that_cannot_be_told_later_is_told_when_all_is_read() {
    let project = project();
    for number in 0..500 {
        project.write(
            &format!("many/n{number}.promptblock"),
            block(&format!("n{number}"), "context", number, ""),
        );
    }
    let capabilities = json!({"textDocument": {"diagnostic": {}}});
    for _ in 0..5 {
        let mut client = Start::in_folders(&[&project]).capabilities(capabilities.clone()).start();
        let offered = &client.initialized["capabilities"]["diagnosticProvider"];
        assert_eq!(offered["interFileDependencies"], true);
        let uri = project.uri("blocks/open.promptblock");
        client.open(&uri, 1, &block("n499", "context", 10_000, ""));
        let id = client.ask("textDocument/diagnostic", document(&uri, None));
        let answer = client.answer(id);
        assert_eq!(codes(&answer["result"]["items"]), ["duplicate-id"], "the other one is on the disk");
        assert_eq!(refreshes(&client), 0);
        client.stop();
    }
}

#[test]
fn at_most_a_thousand_closed_files_in_the_answers() {
    let project = project();
    for number in 0..1010 {
        let text = block(&format!("n{number}"), "context", 100 + number, "{nobody}");
        project.write(&format!("many/n{number:04}.promptblock"), text);
    }
    let mut client = start(&project);
    let mut ids = BTreeMap::new();
    let first = client.request("workspace/diagnostic", json!({"previousResultIds": []}));
    assert_eq!(take(&mut ids, &first["items"]).len(), 1000);
    // One repaired makes room for another.
    let told = ids.keys().find(|uri| uri.contains("/many/")).unwrap().clone();
    let name = told.rsplit('/').next().unwrap();
    let id = client.ask("workspace/diagnostic", json!({"previousResultIds": previous(&ids)}));
    project.write(&format!("many/{name}"), block("repaired", "context", 5000, "{name}"));
    client.watched(&[(&told, 2)]);
    let answer = client.answer(id);
    let said = take(&mut ids, &answer["result"]["items"]);
    let count = |what: &str| said.values().filter(|one| *one == what).count();
    assert_eq!((said[&told].as_str(), count("unknown-variable"), count("unchanged")), ("", 1, 999));
    client.stop();
}

#[test]
fn more_questions_than_the_server_works_on_at_once() {
    let project = project();
    let mut client = start(&project);
    let ids: Vec<i64> = (0..300)
        .map(|number| {
            let params = json!({"previousResultIds": [], "partialResultToken": number});
            client.ask("workspace/diagnostic", params)
        })
        .collect();
    for id in &ids[..ids.len() - 1] {
        assert_eq!(client.answer(*id)["result"], json!({"items": []}));
    }
    assert!(!client.is_answered(ids[ids.len() - 1]), "the last one holds");
    client.stop();
}

#[test]
fn at_the_end_an_open_question_is_answered() {
    let project = project();
    let mut client = start(&project);
    let params = json!({"previousResultIds": [], "partialResultToken": "t"});
    let id = client.ask("workspace/diagnostic", params);
    wait_for_part(&mut client, "t", &project.uri("blocks/closed.promptblock"), "unknown-variable");
    assert_eq!(client.request("shutdown", Value::Null), Value::Null);
    assert_eq!(client.answer(id)["result"], json!({"items": []}));
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end(Duration::from_secs(5)).code(), Some(0));
}

#[test]
fn an_open_question_is_answered_where_the_end_comes_in_one_breath() {
    let project = project();
    for _ in 0..20 {
        let mut client = start(&project);
        let first = client.request("workspace/diagnostic", json!({"previousResultIds": []}));
        let mut ids = BTreeMap::new();
        take(&mut ids, &first["items"]);
        let id = client.ask("workspace/diagnostic", json!({"previousResultIds": previous(&ids)}));
        let shutdown = client.ask("shutdown", Value::Null);
        client.notify("exit", Value::Null);
        assert_eq!(client.answer(id)["result"], json!({"items": []}));
        assert_eq!(client.answer(shutdown)["result"], Value::Null);
        assert_eq!(client.wait_for_end(Duration::from_secs(5)).code(), Some(0));
    }
}

#[test]
fn an_older_text_is_never_spoken_of() {
    let project = project();
    let mut client = start(&project);
    let uri = project.uri("blocks/open.promptblock");
    // The fault is in the line of the version's number.
    let text = |version: i64| {
        let lines = usize::try_from(version).unwrap();
        block("open", "context", 110, &format!("{}{{nobody}}", "\n".repeat(lines)))
    };
    client.open(&uri, 1, &text(1));
    let mut asked = Vec::new();
    for version in 2..200 {
        client.replace(&uri, version, &text(version));
        asked.push((client.ask("textDocument/diagnostic", document(&uri, None)), version));
    }
    for (id, version) in asked {
        let answer = client.answer(id);
        if let Some(error) = answer.get("error") {
            assert_eq!((&error["code"], &error["data"]["retriggerRequest"]), (&json!(-32802), &json!(true)));
            assert!(version < 199, "the last text is current");
        } else {
            let found = &answer["result"]["items"][0];
            assert_eq!(found["range"]["start"]["line"], json!(6 + version), "{answer}");
        }
    }
    client.stop();
}

#[test]
fn only_open_files_where_that_is_wished() {
    let project = project();
    let options = json!({"diagnostics": {"scope": "open"}});
    let mut client = Start::in_folders(&[&project]).pulling().param("initializationOptions", options).start();
    let (open, closed) = (project.uri("blocks/open.promptblock"), project.uri("blocks/closed.promptblock"));
    client.open(&open, 1, &block("open", "context", 110, "{if}"));
    let mut ids = BTreeMap::new();
    let answer = client.request("workspace/diagnostic", json!({"previousResultIds": []}));
    assert_eq!(take(&mut ids, &answer["items"]), BTreeMap::from([(open, "invalid-expression".to_owned())]));
    // And back: the closed ones are told.
    let id = client.ask("workspace/diagnostic", json!({"previousResultIds": previous(&ids)}));
    client.configuration = json!({"diagnostics": {"scope": "workspace"}});
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    let answer = client.answer(id);
    assert_eq!(take(&mut ids, &answer["result"]["items"])[&closed], "unknown-variable");
    nothing_pushed(&client);
    client.stop();
}
