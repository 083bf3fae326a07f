//! Semantic tokens: whole, of a range, and what has changed, as clients of each encoding put them together.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Dice, Encoding, Project, Start, offset, range};
use serde_json::{Value, json};

const CATALOG: &str =
    r#"{"variables": {"time": {"mutable": true}, "名字": {}, "members": {"type": "list"}}}"#;

fn text(mark: &str) -> String {
    format!(
        "{mark}---\r\nid: 群😀:a\r\nzone: system\r\norder: 120\r\ntemplate: true\r\ndescription: |\r\n  e\u{301}你\r\n  好\r\n---\r\n\
         e\u{301}你😀 {{time}} 👩\u{200d}👧\u{2028}{{名字}}\r\n{{for 项 in members}}😀{{项}}{{/for}} {{缺}}\r看 {{\r\n  \"键😀\": {{名字}}\r\n}} {{{{x}}}}\r\n"
    )
}

struct Session {
    client: Client,
    _project: Project,
    uri: String,
    encoding: Encoding,
}

fn session(start: Start, encoding: Encoding, text: &str) -> Session {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    let mut client = start.encoding(encoding).param("rootUri", json!(project.uri(""))).start();
    let uri = project.uri("a.promptblock");
    client.open(&uri, 1, text);
    Session { client, _project: project, uri, encoding }
}

fn start(capability: Value) -> Start {
    Start::default().capabilities(json!({"general": {}, "textDocument": {"semanticTokens": capability}}))
}

fn modern() -> Start {
    start(json!({
        "requests": {"range": true, "full": {"delta": true}}, "tokenTypes": [], "tokenModifiers": [], "formats": ["relative"],
    }))
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

/// `(line, character, length, type, modifiers)` of each token.
fn absolute(data: &[u64]) -> Vec<(u64, u64, u64, u64, u64)> {
    let (mut line, mut character) = (0, 0);
    data.chunks(5)
        .map(|token| {
            character = if token[0] == 0 { character + token[1] } else { token[1] };
            line += token[0];
            (line, character, token[2], token[3], token[4])
        })
        .collect()
}

impl Session {
    fn document(&self) -> Value {
        json!({"uri": self.uri})
    }

    fn full(&mut self) -> (String, Vec<u64>) {
        let answer = self
            .client
            .request("textDocument/semanticTokens/full", json!({"textDocument": {"uri": self.uri}}));
        (answer["resultId"].as_str().unwrap().to_owned(), numbers(&answer["data"]))
    }

    fn delta(&mut self, previous: &str) -> Value {
        let params = json!({"textDocument": self.document(), "previousResultId": previous});
        self.client.request("textDocument/semanticTokens/full/delta", params)
    }

    /// The tokens as pieces of the text; they must stand apart, and each on its line.
    fn pieces<'t>(&self, text: &'t str, data: &[u64]) -> Vec<(&'t str, String, u64)> {
        let legend = &self.client.initialized["capabilities"]["semanticTokensProvider"]["legend"];
        let mut behind = 0;
        absolute(data)
            .into_iter()
            .map(|(line, character, length, kind, modifiers)| {
                let place = |character: u64| {
                    let place = (usize::try_from(line).unwrap(), usize::try_from(character).unwrap());
                    offset(text, place, self.encoding)
                };
                let (start, end) = (place(character), place(character + length));
                assert!(behind <= start && start < end, "{line}:{character}");
                behind = end;
                let kind = legend["tokenTypes"][usize::try_from(kind).unwrap()].as_str().unwrap();
                (&text[start..end], kind.to_owned(), modifiers)
            })
            .collect()
    }
}

fn each(test: impl Fn(Session, String)) {
    for encoding in Encoding::ALL {
        for mark in ["", "\u{feff}"] {
            let text = text(mark);
            test(session(modern(), encoding, &text), text);
        }
    }
}

#[test]
fn modifiers() {
    each(|mut session, text| {
        let (_, data) = session.full();
        let legend = &session.client.initialized["capabilities"]["semanticTokensProvider"]["legend"];
        let names: Vec<&str> =
            legend["tokenModifiers"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        let variables: Vec<(&str, Vec<&str>)> = session
            .pieces(&text, &data)
            .into_iter()
            .filter(|(_, kind, _)| kind == "variable")
            .map(|(piece, _, bits)| {
                let set = names.iter().enumerate().filter(|(bit, _)| bits & (1 << bit) != 0);
                (piece, set.map(|(_, name)| *name).collect())
            })
            .collect();
        assert_eq!(
            variables,
            [
                ("time", vec!["mutable", "deprecated"]),
                ("名字", vec![]),
                ("项", vec!["declaration", "loop"]),
                ("members", vec![]),
                ("项", vec!["loop"]),
                ("缺", vec!["unknown"]),
            ]
        );
        session.client.stop();
    });
}

#[test]
fn a_range_has_the_tokens_that_touch_it() {
    each(|mut session, text| {
        let (_, data) = session.full();
        let all = absolute(&data);
        let mut dice = Dice::new(7);
        let borders: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        for _ in 0..30 {
            let (a, b) = (*dice.pick(&borders), *dice.pick(&borders));
            let range = range(&text, a.min(b), a.max(b), session.encoding);
            let params = json!({"textDocument": session.document(), "range": range});
            let answer = session.client.request("textDocument/semanticTokens/range", params);
            assert!(answer.get("resultId").is_none());
            let place =
                |end: &str| (range[end]["line"].as_u64().unwrap(), range[end]["character"].as_u64().unwrap());
            let expected: Vec<_> = all
                .iter()
                .copied()
                .filter(|(line, character, length, ..)| {
                    (*line, *character) <= place("end") && place("start") <= (*line, character + length)
                })
                .collect();
            assert_eq!(absolute(&numbers(&answer["data"])), expected, "{range}");
        }
        session.client.stop();
    });
}

#[test]
fn what_changed_put_into_the_old_gives_the_new() {
    each(|mut session, mut text| {
        let mut dice = Dice::new(11);
        let (mut id, mut held) = session.full();
        let pieces = [
            "{time}",
            "😀",
            "\r\n",
            "{if time == 1}",
            "}",
            "{",
            "e\u{301}",
            "",
            "{for x in 名字}",
            "---\r\n",
        ];
        for version in 2..30 {
            // No cursor stands between the two of a line break.
            let border = |at: &usize| {
                text.is_char_boundary(*at) && !text.as_bytes()[at.saturating_sub(1)..].starts_with(b"\r\n")
            };
            let borders: Vec<usize> = (0..=text.len()).filter(border).collect();
            let start = dice.roll(borders.len());
            let end = (start + dice.roll(6)).min(borders.len() - 1);
            let (start, end, new) = (borders[start], borders[end], *dice.pick(&pieces));
            let range = range(&text, start, end, session.encoding);
            text.replace_range(start..end, new);
            session.client.change(&session.uri, version, json!([{"range": range, "text": new}]));
            let answer = session.delta(&id);
            assert!(answer.get("data").is_none(), "what changed is said: {answer}");
            let edits = answer["edits"].as_array().unwrap();
            for edit in edits {
                let at = |key: &str| usize::try_from(edit[key].as_u64().unwrap()).unwrap();
                let data = edit.get("data").map(numbers).unwrap_or_default();
                held.splice(at("start")..at("start") + at("deleteCount"), data);
            }
            id = answer["resultId"].as_str().unwrap().to_owned();
            session.pieces(&text, &held);
            if version % 5 == 0 {
                let (new_id, whole) = session.full();
                assert_eq!(whole, held, "{text:?}");
                assert_eq!(session.delta(&new_id)["edits"], json!([]), "nothing has changed");
                (id, held) = session.full();
            }
        }
        session.client.stop();
    });
}

#[test]
fn an_unknown_answer_is_answered_whole() {
    let mut session = session(modern(), Encoding::Utf16, &text(""));
    let (id, data) = session.full();
    let other = session.uri.replace("a.promptblock", "b.promptblock");
    session.client.open(&other, 1, &text(""));
    for (uri, previous) in
        [(&session.uri.clone(), "nonsense"), (&session.uri.clone(), ""), (&other, id.as_str())]
    {
        let params = json!({"textDocument": {"uri": uri}, "previousResultId": previous});
        let answer = session.client.request("textDocument/semanticTokens/full/delta", params);
        assert_eq!(numbers(&answer["data"]), data, "{previous:?}");
        assert!(answer.get("edits").is_none() && answer["resultId"].is_string());
    }
    // A document that was closed meanwhile is another.
    let (id, _) = session.full();
    session.client.close(&session.uri.clone());
    session.client.open(&session.uri.clone(), 2, &text(""));
    assert_eq!(numbers(&session.delta(&id)["data"]), data);
    session.client.stop();
}

#[test]
fn a_keystroke_costs_its_token() {
    let long = format!("{}{}", text(""), "很长的一行 {time} 和 {名字}\r\n".repeat(500));
    let mut session = session(modern(), Encoding::Utf16, &long);
    let (id, _) = session.full();
    let at = long.find("{time}").unwrap() + 2;
    let range = range(&long, at, at, Encoding::Utf16);
    session.client.change(&session.uri.clone(), 2, json!([{"range": range, "text": "x"}]));
    let edits = session.delta(&id)["edits"].clone();
    assert_eq!(edits.as_array().unwrap().len(), 1);
    // The name, and the brace behind it that has moved.
    assert!(edits[0]["data"].as_array().unwrap().len() <= 10, "{edits}");
    session.client.stop();
}

#[test]
fn a_client_gets_types_that_it_lists() {
    let few = start(json!({
        "requests": {"full": true}, "tokenTypes": ["keyword", "variable", "string"], "tokenModifiers": [], "formats": ["relative"],
    }));
    let text = text("");
    let mut session = session(few, Encoding::Utf16, &text);
    let legend =
        &session.client.initialized["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"];
    let mut told: Vec<&str> = legend.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    told.sort_unstable();
    assert_eq!(told, ["keyword", "string", "variable"]);
    let answer = session
        .client
        .request("textDocument/semanticTokens/full", json!({"textDocument": session.document()}));
    assert!(answer.get("resultId").is_none(), "it does not ask for what has changed");
    let pieces = session.pieces(&text, &numbers(&answer["data"]));
    let of = |piece: &str| pieces.iter().find(|one| one.0 == piece).map(|one| one.1.as_str());
    assert_eq!(of("order"), Some("variable"), "a property");
    assert_eq!(of("{"), Some("keyword"), "an operator");
    assert_eq!(of("120"), Some("string"), "a number");
    assert_eq!(of("{{"), Some("keyword"), "an escape");
    assert_eq!(of("time"), Some("variable"));
    session.client.stop();
}
