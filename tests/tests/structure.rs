//! Selections that grow, and words that are edited together, in each encoding.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, offset, position};
use serde_json::{Value, json};

const CATALOG: &str =
    "\u{feff}// 说明😀\r\n{\"variables\": {\"名字😀\": {\"zones\": [\"context\"]}, \"人们\": {}}}\r\n";

fn text(mark: &str) -> String {
    let header = "---\r\nid: 群😀:e\u{301}\r\nzone: context\r\norder: 120\r\ntemplate: true\r\n---\r\n";
    format!(
        "{mark}{header}e\u{301}你😀 {{if 人们 == \"👩\u{200d}👧\"}}\r\n好\u{2028}{{for 项 in 人们}}😀{{项}}{{/for}}{{else}}\r无{{/if}} 尾\r\n"
    )
}

struct Session {
    client: Client,
    project: Project,
    uri: String,
    text: String,
    encoding: Encoding,
}

fn each(test: impl Fn(Session)) {
    for encoding in Encoding::ALL {
        for mark in ["", "\u{feff}"] {
            let project = Project::new("//- promptblock.toml\n");
            project.write("promptblock.catalog.json", CATALOG);
            let mut client = Start::in_folders(&[&project]).encoding(encoding).start();
            let uri = project.uri("a.promptblock");
            let text = text(mark);
            client.open(&uri, 1, &text);
            test(Session { client, project, uri, text, encoding });
        }
    }
}

/// The bytes of a range.
fn piece<'t>(text: &'t str, range: &Value, encoding: Encoding) -> &'t str {
    let place = |end: &str| {
        let number = |key: &str| usize::try_from(range[end][key].as_u64().unwrap()).unwrap();
        offset(text, (number("line"), number("character")), encoding)
    };
    &text[place("start")..place("end")]
}

impl Session {
    fn selections(&mut self, uri: &str, text: &str, places: &[usize]) -> Vec<Vec<String>> {
        let positions: Vec<Value> = places
            .iter()
            .map(|at| {
                let (line, character) = position(text, *at, self.encoding);
                json!({"line": line, "character": character})
            })
            .collect();
        let params = json!({"textDocument": {"uri": uri}, "positions": positions});
        let answer = self.client.request("textDocument/selectionRange", params);
        let steps = |mut step: &Value| {
            let mut all = Vec::new();
            while step.is_object() {
                all.push(piece(text, &step["range"], self.encoding).to_owned());
                step = &step["parent"];
            }
            all
        };
        answer.as_array().unwrap().iter().map(steps).collect()
    }
}

#[test]
fn selections_grow() {
    each(|mut session| {
        let (uri, text) = (session.uri.clone(), session.text.clone());
        let places = [text.find("{项}").unwrap() + 2, text.find("无").unwrap(), text.find("群").unwrap() + 3];
        let found = session.selections(&uri, &text, &places);
        assert_eq!(found.len(), 3, "one for each place, in their order");
        let lone = "{for 项 in 人们}😀{项}{/for}";
        assert_eq!(found[0][..4], ["项", "{项}", "😀{项}", lone]);
        assert_eq!(found[0][4], format!("\r\n好\u{2028}{lone}"), "the branch");
        assert!(found[0][5].starts_with("{if ") && found[0][5].ends_with("{/if}"));
        assert!(found[0][6].starts_with("e\u{301}你") && found[0][6].ends_with("尾"), "the content");
        assert_eq!(found[0].last(), Some(&text));
        assert_eq!(found[1][0], "\r无");
        assert_eq!(found[2][..2], ["群😀:e\u{301}", "id: 群😀:e\u{301}"]);
        assert_eq!(found[2].last(), Some(&text));

        let catalog = session.project.uri("promptblock.catalog.json");
        let seen = CATALOG.trim_start_matches('\u{feff}');
        let at = seen.find("context").unwrap() + 3;
        let steps = session.selections(&catalog, seen, &[at]).remove(0);
        assert_eq!(steps[..4], ["context", "\"context\"", "[\"context\"]", "\"zones\": [\"context\"]"]);
        assert_eq!(steps[5], "\"名字😀\": {\"zones\": [\"context\"]}");
        session.client.open(&catalog, 1, CATALOG);
        let steps = session.selections(&catalog, CATALOG, &[CATALOG.find("context").unwrap()]).remove(0);
        assert_eq!(steps[0], "context", "in its buffer");
        session.client.stop();
    });
}

#[test]
fn what_has_no_structure_of_ours_has_no_steps() {
    let project = Project::new("//- promptblock.toml\nprofile = \"blocks\"\n//- a.ts\nlet a = 1;\n");
    let mut client = Start::in_folders(&[&project]).start();
    for file in ["promptblock.toml", "a.ts"] {
        let params =
            json!({"textDocument": {"uri": project.uri(file)}, "positions": [{"line": 0, "character": 1}]});
        assert_eq!(client.request("textDocument/selectionRange", params), Value::Null, "{file}");
    }
    client.stop();
}

#[test]
fn words_are_edited_together() {
    each(|mut session| {
        let (uri, text, encoding) = (session.uri.clone(), session.text.clone(), session.encoding);
        for (word, opener, closer) in [("for", "{for", "{/for"), ("if", "{if", "{/if")] {
            for place in [text.find(opener).unwrap() + 1, text.rfind(closer).unwrap() + closer.len()] {
                let method = "textDocument/linkedEditingRange";
                let found = session.client.request_at(method, &uri, &text, place, encoding);
                let ranges = found["ranges"].as_array().unwrap();
                assert_eq!(ranges.len(), 2, "{found}");
                assert!(ranges.iter().all(|range| piece(&text, range, encoding) == word), "{found}");
                assert_eq!(found["wordPattern"], "[a-z]*");
            }
        }
        for place in ["else", "项 in", "人们 ==", "尾", "id:"] {
            let at = text.find(place).unwrap();
            let found =
                session.client.request_at("textDocument/linkedEditingRange", &uri, &text, at, encoding);
            assert_eq!(found, Value::Null, "{place}");
        }
        session.client.stop();
    });
}
