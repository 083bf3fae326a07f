//! Where a name stands, and another name for it, in sessions with the real server.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, applied, position, range};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

const CATALOG: &str = "\u{feff}{\"variables\": {\"群😀\": {}, \"语气\": {\"description\": \"e\u{301}\"}, \"天气\": {\"mutable\": {\"when\": \"'😀' == \\u8bed气\"}}}}\r\n";
const ENVIRONMENTS: &str = "{\"😀\": {\"extra\": {\"语气\": \"语气\"}}}\n";
const OTHER: &str = "\u{feff}---\r\nid: 群😀:别\r\nzone: context\r\norder: 130\r\ntemplate: true\r\n---\r\ne\u{301}😀{语气}{for 语气 in 人们}{语气}{/for}\r\n";
const SOURCE: &str = "// 你😀\r\nctx.prompt.block({ id: 't:a', zone: 'context', order: 30, template: true, content: '\\u4f60\\n😀 {\\u8bed气} {{语气}}' })\r\n";

fn block(mark: &str) -> String {
    format!(
        "{mark}---\r\nid: 群😀:e\u{301}\r\nzone: system\r\norder: 120\r\ntemplate: true\r\n---\r\ne\u{301}你😀 {{语气}} 👩\u{200d}👧{{if 语气}}😀{{/if}}\r{{\"k\": {{语气}}}}\r\n"
    )
}

struct Session {
    client: Client,
    project: Project,
    uri: String,
    text: String,
    encoding: Encoding,
}

fn capabilities(encoding: Encoding) -> Value {
    json!({
        "general": {"positionEncodings": [encoding.name()]},
        "workspace": {"workspaceEdit": {"documentChanges": true}},
        "textDocument": {"rename": {"prepareSupport": true}},
    })
}

fn session(encoding: Encoding, mark: &str, capabilities: Value) -> Session {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    project.write("promptblock.env.json", ENVIRONMENTS);
    project.write("other.promptblock", OTHER);
    project.write("src/a.ts", SOURCE);
    let mut client = Start::in_folders(&[&project]).capabilities(capabilities).start();
    let (uri, text) = (project.uri("a.promptblock"), block(mark));
    client.open(&uri, 1, &text);
    Session { client, project, uri, text, encoding }
}

impl Session {
    fn at(&self, piece: &str, by: usize) -> Value {
        let at = self.text.find(piece).unwrap() + by;
        let (line, character) = position(&self.text, at, self.encoding);
        json!({"textDocument": {"uri": self.uri}, "position": {"line": line, "character": character}})
    }

    fn rename(&mut self, piece: &str, by: usize, new: &str) -> Value {
        let mut params = self.at(piece, by);
        params["newName"] = new.into();
        self.client.request("textDocument/rename", params)
    }

    fn refused(&mut self, method: &str, piece: &str, by: usize, new: &str) -> String {
        let mut params = self.at(piece, by);
        params["newName"] = new.into();
        let error = self.client.refused(method, params);
        assert_eq!(error["code"], -32803, "{error}");
        error["message"].as_str().unwrap().to_owned()
    }

    /// The files as the client has them: an editor strips the mark of what it reads from a disk.
    fn texts(&self) -> BTreeMap<String, String> {
        let closed =
            |path: &str, text: &str| (self.project.uri(path), text.trim_start_matches('\u{feff}').to_owned());
        BTreeMap::from([
            (self.uri.clone(), self.text.clone()),
            closed("promptblock.catalog.json", CATALOG),
            closed("promptblock.env.json", ENVIRONMENTS),
            closed("other.promptblock", OTHER),
            closed("src/a.ts", SOURCE),
        ])
    }

    fn applied(&self, edit: &Value) -> BTreeMap<String, String> {
        let texts = self.texts();
        let texts: Vec<(&str, &str)> = texts.iter().map(|(uri, text)| (&**uri, &**text)).collect();
        applied(edit, &texts, self.encoding)
    }

    /// What a rename of 语气 makes of the files.
    fn expected(&self, new: &str) -> BTreeMap<String, String> {
        let change = |(uri, text): (String, String)| {
            let text = if uri.ends_with(".ts") {
                text.replace("{\\u8bed气}", &format!("{{{new}}}"))
            } else if uri.ends_with("catalog.json") {
                text.replace("\"语气\"", &format!("\"{new}\"")).replace("\\u8bed气", new)
            } else if uri.ends_with("env.json") {
                text.replace("\"语气\":", &format!("\"{new}\":"))
            } else {
                let text = text.replacen("{语气}", &format!("{{{new}}}"), 1);
                text.replace("{if 语气}", &format!("{{if {new}}}"))
            };
            (uri, text)
        };
        self.texts().into_iter().map(change).collect()
    }
}

fn each(test: impl Fn(Session)) {
    for encoding in Encoding::ALL {
        for mark in ["", "\u{feff}"] {
            test(session(encoding, mark, capabilities(encoding)));
        }
    }
}

#[test]
fn a_variable_is_renamed_everywhere() {
    each(|mut session| {
        let at = session.at("{语气}", 1);
        let prepared = session.client.request("textDocument/prepareRename", at);
        let start = session.text.find("{语气}").unwrap() + 1;
        let range = range(&session.text, start, start + "语气".len(), session.encoding);
        assert_eq!(prepared, json!({"range": range, "placeholder": "语气"}));
        let edit = session.rename("{语气}", 4, "口吻");
        assert_eq!(session.applied(&edit), session.expected("口吻"));
        let versions = edit["documentChanges"].as_array().unwrap().iter().map(|change| {
            let document = &change["textDocument"];
            (document["uri"].as_str().unwrap().to_owned(), document["version"].clone())
        });
        let versions: BTreeMap<String, Value> = versions.collect();
        assert_eq!(versions.len(), 5, "{versions:?}");
        for (uri, version) in versions {
            assert_eq!(version, if uri == session.uri { json!(1) } else { Value::Null }, "{uri}");
        }
        session.client.stop();
    });
}

#[test]
fn loops_and_ids() {
    each(|mut session| {
        session.text =
            session.text.replace("{if 语气}😀{/if}", "{for 😀 in 语气}{for 甲 in 语气}{甲}{/for}{甲}");
        let (uri, text) = (session.uri.clone(), session.text.clone());
        session.client.replace(&uri, 2, &text);
        let edit = session.rename("{for 甲", 5, "乙");
        let mut expected = session.texts();
        expected.insert(uri.clone(), text.replace("{for 甲 in 语气}{甲}", "{for 乙 in 语气}{乙}"));
        assert_eq!(session.applied(&edit), expected);
        let edit = session.rename("群😀:e", 0, "群: 一");
        expected.insert(uri.clone(), text.replace("id: 群😀:e\u{301}", "id: \"群: 一\""));
        assert_eq!(session.applied(&edit), expected);
        session.client.stop();
    });
}

#[test]
fn what_cannot_be_is_refused_with_a_reason() {
    let mut session = session(Encoding::Utf16, "", capabilities(Encoding::Utf16));
    let message = session.refused("textDocument/rename", "{语气}", 1, "天气");
    assert_eq!(message, "promptblock.catalog.json:1: there is a variable `天气` already");
    assert_eq!(
        session.refused("textDocument/rename", "{语气}", 1, "for"),
        "`for` is a word of the template language"
    );
    // Off a name nothing is offered.
    for (piece, by) in [("你", 0), ("{if", 1), ("zone", 0), ("{\"k\": {语气", 8)] {
        let at = session.at(piece, by);
        assert_eq!(session.client.request("textDocument/prepareRename", at), Value::Null, "{piece}");
        assert_eq!(session.refused("textDocument/rename", piece, by, "x"), "there is no name here");
    }
    session.text = session.text.replace("zone: system", "zone: input").replace("{语气}", "{prompt}");
    let (uri, text) = (session.uri.clone(), session.text.clone());
    session.client.replace(&uri, 2, &text);
    for method in ["textDocument/prepareRename", "textDocument/rename"] {
        assert_eq!(session.refused(method, "{prompt}", 1, "x"), "`prompt` is built in: the user's input");
    }
    // A catalog that is broken in its buffer, and the same in the other language.
    let catalog = session.project.uri("promptblock.catalog.json");
    session.client.open(&catalog, 1, "{\"variables\": {\"语气\": {}");
    let message = session.refused("textDocument/rename", "{if 语气", 5, "x");
    assert_eq!(message, "promptblock.catalog.json: this file is broken, so nobody knows what it names");
    session.project.write("promptblock.toml", "locale = \"zh-CN\"\n");
    let config = session.project.uri("promptblock.toml");
    session.client.watched(&[(&config, 2)]);
    session.client.settle();
    let message = session.refused("textDocument/rename", "{if 语气", 5, "x");
    assert_eq!(message, "promptblock.catalog.json: 此文件有错误，无法得知其中用到哪些名称");
    session.client.stop();
}

#[test]
fn what_was_just_typed_counts() {
    let mut session = session(Encoding::Utf16, "", capabilities(Encoding::Utf16));
    let other = session.project.uri("other.promptblock");
    session.client.open(&other, 1, OTHER);
    session.client.replace(&other, 2, &OTHER.replace("人们", "语气"));
    let edit = session.rename("{语气}", 1, "口吻");
    let change = edit["documentChanges"].as_array().unwrap().iter();
    let mut change = change.filter(|change| change["textDocument"]["uri"] == other);
    let change = change.next().unwrap();
    assert_eq!(change["textDocument"]["version"], 2);
    assert_eq!(change["edits"].as_array().unwrap().len(), 2, "{change}");
    session.client.stop();
}

#[test]
fn a_client_that_can_less() {
    let mut session = session(Encoding::Utf16, "", json!({}));
    assert_eq!(session.client.initialized["capabilities"]["renameProvider"], true);
    let edit = session.rename("{语气}", 1, "口吻");
    assert_eq!(edit["documentChanges"], Value::Null);
    assert_eq!(session.applied(&edit), session.expected("口吻"));
    session.client.stop();
    let mut session = self::session(Encoding::Utf16, "", capabilities(Encoding::Utf16));
    assert_eq!(
        session.client.initialized["capabilities"]["renameProvider"],
        json!({"prepareProvider": true})
    );
    session.client.settle();
    session.client.stop();
}

#[test]
fn references_from_every_kind_of_file() {
    each(|mut session| {
        let texts = session.texts();
        let mut expected = Vec::new();
        let mut declared = Vec::new();
        for (uri, text) in &texts {
            let pieces: &[(&str, usize, usize)] = match uri {
                uri if uri.ends_with(".ts") => &[("{\\u8bed气}", 1, 9)],
                uri if uri.ends_with("env.json") => &[("\"语气\":", 1, 6)],
                uri if uri.ends_with("catalog.json") => &[("\\u8bed气", 0, 9)],
                uri if *uri == session.uri => &[("{语气}", 1, 6), ("{if 语气", 4, 6)],
                _ => &[("{语气}", 1, 6)],
            };
            for (piece, by, len) in pieces {
                let at = text.find(piece).unwrap() + by;
                expected.push(json!({"uri": uri, "range": range(text, at, at + len, session.encoding)}));
            }
            if uri.ends_with("catalog.json") {
                let at = text.find("\"语气\"").unwrap() + 1;
                declared.push(json!({"uri": uri, "range": range(text, at, at + 6, session.encoding)}));
            }
        }
        let catalog = session.project.uri("promptblock.catalog.json");
        let environments = session.project.uri("promptblock.env.json");
        let source = session.project.uri("src/a.ts");
        let asked = [
            (session.uri.clone(), "{语气}", 1),
            (catalog, "\"语气\"", 1),
            (environments, "\"语气\":", 1),
            (source, "\\u8bed气", 2),
        ];
        for (uri, piece, by) in asked {
            let text = &texts[&uri];
            if uri != session.uri {
                session.client.open(&uri, 1, text);
            }
            let (line, character) = position(text, text.find(piece).unwrap() + by, session.encoding);
            for with in [true, false] {
                let found = session.client.request(
                    "textDocument/references",
                    json!({
                        "textDocument": {"uri": uri},
                        "position": {"line": line, "character": character},
                        "context": {"includeDeclaration": with},
                    }),
                );
                let mut wanted = expected.clone();
                if with {
                    wanted.extend(declared.clone());
                }
                let mut found = found.as_array().unwrap().clone();
                let key = |value: &Value| value.to_string();
                found.sort_by_key(key);
                wanted.sort_by_key(key);
                assert_eq!(found, wanted, "{uri}");
            }
            let lit = session.client.request_at(
                "textDocument/documentHighlight",
                &uri,
                text,
                text.find(piece).unwrap() + by,
                session.encoding,
            );
            let here = expected.iter().chain(&declared).filter(|place| place["uri"] == uri);
            let mut here: Vec<String> = here.map(|place| place["range"].to_string()).collect();
            let mut lit: Vec<String> =
                lit.as_array().unwrap().iter().map(|place| place["range"].to_string()).collect();
            here.sort();
            lit.sort();
            assert_eq!(lit, here, "{uri}");
            if uri != session.uri {
                session.client.close(&uri);
            }
        }
        session.client.stop();
    });
}

#[test]
fn cancelled_or_overtaken() {
    let mut session = session(Encoding::Utf16, "", capabilities(Encoding::Utf16));
    let (uri, text) = (session.uri.clone(), session.text.clone());
    let mut params = session.at("{语气}", 1);
    params["newName"] = "口吻".into();
    params["context"] = json!({"includeDeclaration": true});
    for method in ["textDocument/rename", "textDocument/references"] {
        let id = session.client.ask(method, params.clone());
        session.client.notify("$/cancelRequest", json!({"id": id}));
        let answer = session.client.answer(id);
        // It may have been quicker.
        assert!(answer["error"]["code"] == -32800 || answer.get("result").is_some(), "{answer}");
    }
    // Asked of one text and overtaken by the next: the answer is of the first, or says that it is none.
    for version in 2..30 {
        let id = session.client.ask("textDocument/rename", params.clone());
        let longer = format!("{}{}", text.replace("e\u{301}你😀", "换了"), "\r\n字".repeat(version));
        let next = if version % 2 == 0 { &longer } else { &text };
        session.client.replace(&uri, i64::try_from(version).unwrap(), next);
        let answer = session.client.answer(id);
        if let Some(error) = answer.get("error") {
            assert!([-32801, -32803].contains(&error["code"].as_i64().unwrap()), "{answer}");
            continue;
        }
        let changes = answer["result"]["documentChanges"].as_array().unwrap();
        let own = changes.iter().find(|change| change["textDocument"]["uri"] == uri).unwrap();
        assert_eq!(own["textDocument"]["version"], i64::try_from(version - 1).unwrap(), "{own}");
    }
    session.client.listen(Duration::from_millis(50));
    session.client.stop();
}

fn call_hierarchy(encoding: Encoding) {
    let mut session = session(encoding, "", capabilities(encoding));
    let texts = session.texts();
    let (catalog, source) =
        (session.project.uri("promptblock.catalog.json"), session.project.uri("src/a.ts"));
    let place = |uri: &str, at: usize, len: usize| range(&texts[uri], at, at + len, encoding);
    let at = session.at("{语气}", 1);
    let items = session.client.request("textDocument/prepareCallHierarchy", at);
    let variable = items[0].clone();
    assert_eq!(variable["name"], "语气");
    assert_eq!(variable["detail"], "e\u{301}");
    assert_eq!(variable["uri"], json!(catalog));
    let key = texts[&catalog].find("\"语气\"").unwrap();
    assert_eq!(variable["selectionRange"], place(&catalog, key, 8));

    let calls = session.client.request("callHierarchy/incomingCalls", json!({"item": variable}));
    let mut shown: Vec<(String, String, String, usize)> = Vec::new();
    for call in calls.as_array().unwrap() {
        let from = &call["from"];
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let ranges = call["fromRanges"].as_array().unwrap();
        shown.push((text(&from["name"]), text(&from["detail"]), text(&from["uri"]), ranges.len()));
    }
    shown.sort();
    let of = |name: &str, detail: &str, uri: &str, uses| {
        (name.to_owned(), detail.to_owned(), uri.to_owned(), uses)
    };
    let other = session.project.uri("other.promptblock");
    let mut expected = vec![
        of("t:a", "context 30", &source, 1),
        of("天气", "-", &catalog, 1),
        of("群😀:e\u{301}", "system 120", &session.uri, 2),
        of("群😀:别", "context 130", &other, 1),
    ];
    expected.sort();
    assert_eq!(shown, expected);
    let from = |name: &str| {
        let mut calls = calls.as_array().unwrap().iter().filter(|call| call["from"]["name"] == name);
        calls.next().unwrap().clone()
    };
    let use_ = texts[&source].find("\\u8bed气").unwrap();
    assert_eq!(from("t:a")["fromRanges"], json!([place(&source, use_, 9)]));
    let call = texts[&source].find("ctx.prompt").unwrap();
    let len = texts[&source].trim_end().len() - call;
    assert_eq!(from("t:a")["from"]["range"], place(&source, call, len));

    // What comes back is what was sent, and leads on.
    for name in ["t:a", "群😀:别"] {
        let item = from(name)["from"].clone();
        let calls = session.client.request("callHierarchy/outgoingCalls", json!({"item": item}));
        let to: Vec<&str> =
            calls.as_array().unwrap().iter().map(|it| it["to"]["name"].as_str().unwrap()).collect();
        // A name that nobody registered is used all the same; a loop's variable is none.
        let expected: &[&str] = if name == "t:a" { &["语气"] } else { &["语气", "人们"] };
        assert_eq!(to, expected, "{calls}");
        assert_eq!(calls[0]["to"]["selectionRange"], variable["selectionRange"]);
        let none = session.client.request("callHierarchy/incomingCalls", json!({"item": item}));
        assert_eq!(none, json!([]));
    }
    let weather = from("天气")["from"].clone();
    let calls = session.client.request("callHierarchy/outgoingCalls", json!({"item": weather}));
    assert_eq!(calls[0]["to"]["name"], "语气");
    let when = texts[&catalog].find("\\u8bed气").unwrap();
    assert_eq!(calls[0]["fromRanges"], json!([place(&catalog, when, 9)]));

    // A block by its id; off a name there is nothing.
    let at = session.at("id: 群", 4);
    let items = session.client.request("textDocument/prepareCallHierarchy", at);
    assert_eq!(items[0]["name"], "群😀:e\u{301}");
    let calls = session.client.request("callHierarchy/outgoingCalls", json!({"item": items[0]}));
    assert_eq!(calls.as_array().unwrap().len(), 1);
    let at = session.at("{\"k\": {语气", 8);
    assert_eq!(session.client.request("textDocument/prepareCallHierarchy", at), Value::Null);
    // An item that is not ours, and one of a file that is gone.
    let mut foreign = items[0].clone();
    foreign["data"] = json!({"x": 1});
    assert_eq!(session.client.request("callHierarchy/incomingCalls", json!({"item": foreign})), Value::Null);
    let gone = from("群😀:别")["from"].clone();
    session.project.remove("other.promptblock");
    assert_eq!(session.client.request("callHierarchy/outgoingCalls", json!({"item": gone})), json!([]));
    session.client.stop();
}

#[test]
fn where_a_variable_is_used_and_what_a_block_uses() {
    Encoding::ALL.into_iter().for_each(call_hierarchy);
}
