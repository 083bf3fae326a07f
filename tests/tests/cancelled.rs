//! Requests that are taken back, and requests across edits.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Project, Start};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// So many requests at once that most of them must wait.
const MANY: usize = 60;

fn project(blocks: usize, lines: usize) -> Project {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", r#"{"variables": {"name": {}, "time": {}}}"#);
    let body = "{name}说：{if name == \"😀\"}{ time }{/if}\n".repeat(lines);
    for n in 0..blocks {
        let header = format!("---\nid: t:b{n}\nzone: context\norder: {n}\ntemplate: true\n---\n");
        project.write(&format!("b{n}.promptblock"), format!("{header}{body}"));
    }
    project
}

fn start(project: &Project) -> (Client, String) {
    let mut client = Start::in_folders(&[project]).start();
    let uri = project.uri("b0.promptblock");
    client.open(&uri, 1, &project.read("b0.promptblock"));
    client.settle();
    (client, uri)
}

fn requests(uri: &str) -> [(&'static str, Value); 4] {
    let document = json!({"uri": uri});
    let at = json!({"line": 6, "character": 2});
    [
        ("textDocument/completion", json!({"textDocument": document, "position": at})),
        ("textDocument/hover", json!({"textDocument": document, "position": at})),
        (
            "textDocument/references",
            json!({"textDocument": document, "position": at, "context": {"includeDeclaration": true}}),
        ),
        (
            "textDocument/formatting",
            json!({"textDocument": document, "options": {"tabSize": 4, "insertSpaces": true}}),
        ),
    ]
}

#[test]
fn what_is_cancelled_is_answered_as_that_and_nobody_waits_for_it() {
    let project = project(100, 60);
    let (mut client, uri) = start(&project);
    for (method, params) in requests(&uri) {
        let begun = Instant::now();
        let whole = client.request(method, params.clone());
        let one = begun.elapsed();
        assert!(!whole.is_null(), "{method}");
        let ids: Vec<i64> = (0..MANY).map(|_| client.ask(method, params.clone())).collect();
        let begun = Instant::now();
        for id in ids.iter().rev() {
            client.notify("$/cancelRequest", json!({"id": id}));
        }
        // Each is answered once: cancelled, or whole.
        let mut cancelled = 0;
        for id in ids {
            let answer = client.answer(id);
            match answer.get("error") {
                Some(error) => {
                    assert_eq!(error["code"], -32800, "{method}: {error}");
                    cancelled += 1;
                }
                None => assert_eq!(answer["result"], whole, "{method}"),
            }
        }
        // The next question does not stand behind work that nobody wants.
        client.request("textDocument/hover", requests(&uri)[1].1.clone());
        let took = begun.elapsed();
        if method == "textDocument/references" {
            assert!(cancelled > MANY / 2, "{method}: {cancelled}");
            let patience = (one * (MANY as u32) / 2).max(Duration::from_millis(500));
            assert!(took < patience, "{method}: {took:?} behind {one:?} for one");
        }
    }
    client.stop();
}

#[test]
fn an_answer_is_of_the_text_that_was_there_when_it_was_asked_for() {
    let project = project(1, 1);
    let (mut client, uri) = start(&project);
    let header = "---\nid: t:b0\nzone: context\norder: 0\ntemplate: true\n---\n";
    // Edit, question, edit, question, all on their way before the first answer.
    let mut asked = Vec::new();
    for version in 2..40_usize {
        let lines = version % 7;
        client.replace(&uri, version as i64, &format!("{header}{}你😀{{name}}", "\n".repeat(lines)));
        let at = json!({"textDocument": {"uri": uri}, "position": {"line": 6 + lines, "character": 6}});
        let ask = json!({"textDocument": {"uri": uri}, "options": {"tabSize": 4, "insertSpaces": true}});
        let mut references = at.clone();
        references["context"] = json!({"includeDeclaration": false});
        let hover = client.ask("textDocument/hover", at.clone());
        let completion = client.ask("textDocument/completion", at);
        let formatting = client.ask("textDocument/formatting", ask);
        let references = client.ask("textDocument/references", references);
        asked.push((lines, hover, completion, formatting, references));
    }
    for (lines, hover, completion, formatting, references) in asked {
        let line = 6 + lines;
        let span = |from: usize, to: usize| json!({"start": {"line": line, "character": from}, "end": {"line": line, "character": to}});
        let current = |answer: Value| match answer.get("error") {
            // Said plainly is right as well.
            Some(error) => {
                assert_eq!(error["code"], -32801, "{error}");
                None
            }
            None => Some(answer["result"].clone()),
        };
        if let Some(hover) = current(client.answer(hover)) {
            assert_eq!(hover["range"], span(4, 8));
        }
        if let Some(items) = current(client.answer(completion)) {
            let name = items.as_array().unwrap().iter().find(|item| item["label"] == "name").unwrap();
            assert_eq!(name["textEdit"]["range"], span(4, 8));
        }
        if let Some(edits) = current(client.answer(formatting)) {
            // Blank lines before the text go; behind it comes a line break.
            let start =
                if lines > 0 { json!({"line": 6, "character": 0}) } else { span(9, 9)["end"].clone() };
            assert_eq!(edits[0]["range"]["start"], start);
        }
        if let Some(places) = current(client.answer(references)) {
            assert_eq!(places, json!([{"uri": uri, "range": span(4, 8)}]));
        }
    }
    client.stop();
}
