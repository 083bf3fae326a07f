//! Places in all three encodings, behind everything that is longer in one of them than in another.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, offset, range, range_of};
use serde_json::{Value, json};

/// One line, so that what stands before an entry counts: CJK, an emoji, a combining mark.
const CATALOG: &str = "\u{feff}{\"variables\": {\"人😀\": {}, \"时间\": {\"mutable\": true}, \"名字\": {\"description\": \"e\u{301}你\"}, \"人们\": {}}}\r\n";

fn block(mark: &str, zone: &str) -> String {
    let header =
        format!("---\r\nid: 群😀:e\u{301}\r\nzone: {zone}\r\norder: 120\r\ntemplate: true\r\n---\r\n");
    let body =
        "e\u{301}你😀 {时间} 👩\u{200d}👧\u{2028}{名字}\r\n👍🏽{if 人们 == \"😀\"}好{/if}\r{缺e\u{301}} {\r\n";
    format!("{mark}{header}{body}")
}

struct Session {
    client: Client,
    project: Project,
    uri: String,
    text: String,
    encoding: Encoding,
}

fn session(encoding: Encoding, mark: &str) -> Session {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    let mut client = Start::in_folders(&[&project]).encoding(encoding).start();
    assert_eq!(client.initialized["capabilities"]["positionEncoding"], encoding.name());
    let uri = project.uri("a.promptblock");
    let text = block(mark, "system");
    client.open(&uri, 1, &text);
    Session { client, project, uri, text, encoding }
}

fn each(test: impl Fn(Session)) {
    for encoding in Encoding::ALL {
        // A mark that the client sends is a character of the first line.
        for mark in ["", "\u{feff}"] {
            let mut session = session(encoding, mark);
            session.client.diagnostics(&session.uri, 1);
            test(session);
        }
    }
}

impl Session {
    fn range(&self, piece: &str) -> Value {
        range_of(&self.text, piece, self.encoding)
    }

    fn ask(&mut self, method: &str, piece: &str) -> Value {
        let at = self.text.find(piece).unwrap();
        let (uri, text) = (self.uri.clone(), self.text.clone());
        self.client.request_at(method, &uri, &text, at, self.encoding)
    }
}

#[test]
fn diagnostics() {
    each(|mut session| {
        let found = session.client.diagnostics(&session.uri, 1);
        let place = |code: &str| {
            let of = found.diagnostics.iter().filter(|one| one["code"] == code);
            of.map(|one| one["range"].clone()).collect::<Vec<Value>>()
        };
        assert_eq!(place("mutable-in-system"), [session.range("时间")]);
        assert_eq!(place("unknown-variable"), [session.range("缺e\u{301}")]);
        let brace = session.text.rfind('{').unwrap();
        assert_eq!(place("stray-brace"), [range(&session.text, brace, brace + 1, session.encoding)]);
        assert_eq!(found.diagnostics.len(), 3, "{found:?}");
        session.client.stop();
    });
}

#[test]
fn a_mark_is_a_character_of_the_first_line() {
    for (encoding, width) in [(Encoding::Utf8, 3), (Encoding::Utf16, 1), (Encoding::Utf32, 1)] {
        let mut session = session(encoding, "");
        let text = "\u{feff}no header {x}\n";
        session.client.replace(&session.uri, 2, text);
        let found = session.client.diagnostics(&session.uri, 2);
        let header = found.diagnostics.iter().find(|one| one["code"] == "invalid-header").unwrap();
        assert_eq!(header["range"]["end"]["character"], json!("no header {x}".len() + width), "{encoding:?}");
        session.client.stop();
    }
}

#[test]
fn hover() {
    each(|mut session| {
        for piece in ["名字", "时间", "缺e\u{301}"] {
            let hover = session.ask("textDocument/hover", piece);
            if piece == "名字" {
                assert!(hover["contents"]["value"].as_str().unwrap().contains("e\u{301}你"), "{hover}");
            }
            if !hover.is_null() {
                assert_eq!(hover["range"], session.range(piece));
            }
        }
        assert_eq!(session.ask("textDocument/hover", "👩"), Value::Null);
        session.client.stop();
    });
}

#[test]
fn definition() {
    each(|mut session| {
        let found = session.ask("textDocument/definition", "名字");
        let link = &found[0];
        assert_eq!(link["originSelectionRange"], session.range("名字"));
        assert_eq!(link["targetUri"], json!(session.project.uri("promptblock.catalog.json")));
        // The mark on disk is none of the first line's characters: editors strip it.
        let seen = CATALOG.trim_start_matches('\u{feff}');
        assert_eq!(link["targetSelectionRange"], range_of(seen, "\"名字\"", session.encoding));

        let found = session.ask("textDocument/definition", "{/if}");
        assert_eq!(found[0]["targetUri"], json!(session.uri));
        assert_eq!(found[0]["targetSelectionRange"], session.range("{if 人们 == \"😀\"}"));

        // In a buffer the mark counts.
        let catalog = session.project.uri("promptblock.catalog.json");
        session.client.open(&catalog, 1, CATALOG);
        let found = session.ask("textDocument/definition", "名字");
        assert_eq!(found[0]["targetSelectionRange"], range_of(CATALOG, "\"名字\"", session.encoding));
        session.client.stop();
    });
}

/// The range without the quotes.
fn inside(mut range: Value) -> Value {
    for (end, by) in [("start", 1), ("end", -1)] {
        let character = range[end]["character"].as_i64().unwrap();
        range[end]["character"] = (character + by).into();
    }
    range
}

#[test]
fn references() {
    each(|mut session| {
        // A closed file with a mark that editors strip, behind which places are counted in its own text.
        let closed = "\u{feff}---\r\nid: 群😀:别\r\nzone: context\r\norder: 130\r\ntemplate: true\r\n---\r\ne\u{301}😀{名字}{for 名字 in 人们}{名字}{/for}\r\n";
        session.project.write("b.promptblock", closed);
        session.project.write("c.promptblock", closed.replace("别", "三").replace("名字", "时间"));
        let other = session.project.uri("b.promptblock");
        session.client.notify(
            "workspace/didChangeWatchedFiles",
            json!({"changes": [{"uri": other, "type": 1}, {"uri": session.project.uri("c.promptblock"), "type": 1}]}),
        );
        session.client.settle();
        let seen = closed.trim_start_matches('\u{feff}');
        let place = seen.find("名字").unwrap();
        let first =
            json!({"uri": other, "range": range(seen, place, place + "名字".len(), session.encoding)});
        let own = json!({"uri": session.uri, "range": session.range("名字")});
        let catalog = CATALOG.trim_start_matches('\u{feff}');
        let entry = json!({
            "uri": session.project.uri("promptblock.catalog.json"),
            "range": inside(range_of(catalog, "\"名字\"", session.encoding)),
        });
        let at = session.range("名字")["start"].clone();
        for (declarations, expected) in [(true, vec![&entry, &own, &first]), (false, vec![&own, &first])] {
            let found = session.client.request(
                "textDocument/references",
                json!({
                    "textDocument": {"uri": session.uri},
                    "position": at,
                    "context": {"includeDeclaration": declarations},
                }),
            );
            let found = found.as_array().unwrap();
            assert_eq!(found.len(), expected.len(), "{found:?}");
            assert!(expected.iter().all(|one| found.contains(one)), "{found:?} is not {expected:?}");
        }
        let lit = session.ask("textDocument/documentHighlight", "名字");
        assert_eq!(lit, json!([{"range": session.range("名字"), "kind": 2}]));
        let lit = session.ask("textDocument/documentHighlight", "{/if}");
        assert_eq!(lit.as_array().unwrap().len(), 2);
        assert_eq!(session.ask("textDocument/documentHighlight", "👩"), json!([]));
        session.client.stop();
    });
}

#[test]
fn completion() {
    each(|mut session| {
        session.text = block("", "system").replace("{名字}", "{名");
        session.client.replace(&session.uri, 2, &session.text);
        let at = session.text.find("{名").unwrap() + "{名".len();
        let (uri, text, encoding) = (session.uri.clone(), session.text.clone(), session.encoding);
        let items = session.client.request_at("textDocument/completion", &uri, &text, at, encoding);
        let item = items.as_array().unwrap().iter().find(|item| item["label"] == "名字").unwrap();
        let edited = &item["textEdit"]["range"];
        let place = |place: &Value| {
            let number = |key: &str| usize::try_from(place[key].as_u64().unwrap()).unwrap();
            offset(&text, (number("line"), number("character")), encoding)
        };
        let (start, end) = (place(&edited["start"]), place(&edited["end"]));
        assert!(start <= at && at <= end && end <= at, "{}", &text[start..end]);
        assert!(["名", "{名"].contains(&&text[start..end]), "{:?}", &text[start..end]);
        session.client.stop();
    });
}

#[test]
fn semantic_tokens() {
    each(|mut session| {
        let numbers = session.client.tokens(&session.uri);
        let legend =
            session.client.initialized["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"]
                .clone();
        let (mut line, mut character) = (0, 0);
        let mut pieces = Vec::new();
        for token in numbers.chunks(5) {
            let number = |at: usize| usize::try_from(token[at]).unwrap();
            character = if number(0) == 0 { character + number(1) } else { number(1) };
            line += number(0);
            let start = offset(&session.text, (line, character), session.encoding);
            let end = offset(&session.text, (line, character + number(2)), session.encoding);
            pieces
                .push((session.text[start..end].to_owned(), legend[number(3)].as_str().unwrap().to_owned()));
        }
        let variables: Vec<&str> =
            pieces.iter().filter(|one| one.1 == "variable").map(|one| one.0.as_str()).collect();
        assert_eq!(variables, ["时间", "名字", "人们", "缺e\u{301}"]);
        assert!(pieces.contains(&("order".to_owned(), "property".to_owned())), "{pieces:?}");
        assert!(pieces.contains(&("\"😀\"".to_owned(), "string".to_owned())), "{pieces:?}");
        session.client.stop();
    });
}

#[test]
fn edits_behind_wide_characters() {
    each(|mut session| {
        // One range in the middle of the line, then one over a line break of each kind.
        for (version, piece, new) in
            [(2, "{时间}", "{人们}"), (3, "\u{2028}{名字}\r\n👍🏽", "你\r"), (4, "好{/if}\r{", "{/if}\n{")]
        {
            let start = session.text.find(piece).unwrap();
            let range = range(&session.text, start, start + piece.len(), session.encoding);
            session.text.replace_range(start..start + piece.len(), new);
            session.client.change(&session.uri, version, json!([{"range": range, "text": new}]));
        }
        let found = session.client.diagnostics(&session.uri, 4);
        let tokens = session.client.tokens(&session.uri);
        let (uri, text) = (session.uri.clone(), session.text.clone());
        session.client.replace(&uri, 5, &text);
        assert_eq!(session.client.diagnostics(&uri, 5).diagnostics, found.diagnostics);
        assert_eq!(session.client.tokens(&uri), tokens);
        session.client.stop();
    });
}

#[test]
fn formatting() {
    each(|mut session| {
        let (uri, encoding) = (session.uri.clone(), session.encoding);
        let text =
            session.text.replace("id: 群😀:e\u{301}\r\nzone: system", "zone:  system\r\nid: 群😀:e\u{301}");
        let ugly = format!(
            "{}\r\n\r\n",
            text.replace("{时间} 👩", "{ 时间\t} 👩").replace("{if 人们 == ", "{ if 人们==")
        );
        session.client.replace(&uri, 2, &ugly);
        let options = json!({"tabSize": 4, "insertSpaces": true});
        let document = json!({"uri": uri});
        let params = json!({"textDocument": document, "options": options});
        let edits = session.client.request("textDocument/formatting", params);
        // The order of the keys is that of the reference; the rest is as it was before.
        assert_eq!(applied(&ugly, &edits, encoding), session.text);
        let tag = range_of(&ugly, "{ 时间\t}", encoding);
        let params = json!({"textDocument": document, "range": tag, "options": options});
        let edits = session.client.request("textDocument/rangeFormatting", params);
        assert_eq!(applied(&ugly, &edits, encoding), ugly.replace("{ 时间\t}", "{时间}"));
        let typed = json!({"textDocument": document, "position": tag["end"], "ch": "}", "options": options});
        let edits = session.client.request("textDocument/onTypeFormatting", typed);
        assert_eq!(applied(&ugly, &edits, encoding), ugly.replace("{ 时间\t}", "{时间}"));
    });
}

/// A text after the edits of an answer.
fn applied(text: &str, edits: &Value, encoding: Encoding) -> String {
    let at = |place: &Value| {
        let number = |key: &str| usize::try_from(place[key].as_u64().unwrap()).unwrap();
        offset(text, (number("line"), number("character")), encoding)
    };
    let mut edits: Vec<_> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|edit| {
            (at(&edit["range"]["start"]), at(&edit["range"]["end"]), edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_unstable();
    let mut after = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        after.replace_range(start..end, new);
    }
    after
}
