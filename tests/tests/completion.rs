//! Completion over the real binary: what clients of different abilities get, in block files and in the project's own.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, offset};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const CATALOG: &str = r#"{"variables": {
  "名字": {"description": "叫什么", "example": "阿桂"},
  "time": {"mutable": true},
  "weather": {"args": ["city", {"name": "unit", "optional": true}]}
}}
"#;
const ENVIRONMENTS: &str = r#"{"private": {"platform": "qq", "hero": {"name": "甲"}}, "group": {"platform": "discord", "is_group": true}}"#;

fn modern() -> Value {
    json!({"completionItem": {
        "snippetSupport": true, "labelDetailsSupport": true, "insertReplaceSupport": true, "deprecatedSupport": true,
        "tagSupport": {"valueSet": [1]}, "documentationFormat": ["markdown"],
        "resolveSupport": {"properties": ["documentation", "detail"]},
    }})
}

fn block(body: &str) -> String {
    format!(
        "---\r\nid: 群😀:e\u{301}\r\nzone: system\r\norder: 120\r\ntemplate: true\r\n---\r\ne\u{301}你😀 {body}"
    )
}

struct Session {
    client: Client,
    project: Project,
    encoding: Encoding,
    version: i64,
}

impl Session {
    fn new(start: impl FnOnce(Start) -> Start, encoding: Encoding) -> Self {
        let project = Project::new("//- promptblock.toml\n");
        project.write("promptblock.catalog.json", CATALOG);
        project.write("promptblock.env.json", ENVIRONMENTS);
        let mut client = start(Start::in_folders(&[&project]).encoding(encoding)).start();
        client.open(&project.uri("a.promptblock"), 1, &block("{lacking}"));
        client.settle();
        Self { client, project, encoding, version: 1 }
    }

    /// The answer for the place `$0` of a file that is given that text.
    fn ask(&mut self, path: &str, text: &str) -> Value {
        let at = text.find("$0").unwrap();
        let text = text.replacen("$0", "", 1);
        let uri = self.project.uri(path);
        self.version += 1;
        if path == "a.promptblock" {
            self.client.replace(&uri, self.version, &text);
        } else {
            self.client.open(&uri, self.version, &text);
        }
        let answer = self.client.request_at("textDocument/completion", &uri, &text, at, self.encoding);
        if path != "a.promptblock" {
            self.client.close(&uri);
        }
        answer
    }

    fn items(&mut self, path: &str, text: &str) -> Vec<Value> {
        self.ask(path, text).as_array().cloned().unwrap_or_default()
    }
}

fn labels(items: &[Value]) -> Vec<&str> {
    items.iter().map(|item| item["label"].as_str().unwrap()).collect()
}

fn item<'a>(items: &'a [Value], label: &str) -> &'a Value {
    items.iter().find(|item| item["label"] == label).unwrap_or_else(|| panic!("no {label} in {items:?}"))
}

/// What a range covers.
fn covered<'t>(text: &'t str, range: &Value, encoding: Encoding) -> &'t str {
    let place = |place: &Value| {
        let number = |key: &str| usize::try_from(place[key].as_u64().unwrap()).unwrap();
        offset(text, (number("line"), number("character")), encoding)
    };
    &text[place(&range["start"])..place(&range["end"])]
}

#[test]
fn what_is_inserted_and_what_replaced_in_every_encoding() {
    for encoding in Encoding::ALL {
        let mut session = Session::new(|start| start.can("completion", modern()), encoding);
        let text = block("{名$0字} 后");
        let items = session.items("a.promptblock", &text);
        let text = text.replace("$0", "");
        let edit = &item(&items, "名字")["textEdit"];
        assert_eq!(covered(&text, &edit["insert"], encoding), "名");
        assert_eq!(covered(&text, &edit["replace"], encoding), "名字");
        assert_eq!((&edit["newText"], &edit["range"]), (&json!("名字"), &Value::Null));
        // Where no word goes on behind the cursor there is nothing to choose.
        let text = block("{名字$0 😀");
        let items = session.items("a.promptblock", &text);
        let edit = &item(&items, "名字")["textEdit"];
        assert_eq!(covered(&text.replace("$0", ""), &edit["range"], encoding), "名字");
        session.client.stop();
    }
}

#[test]
fn no_choice_where_what_closes_would_stand_twice() {
    for encoding in Encoding::ALL {
        let mut session = Session::new(|start| start.can("completion", modern()), encoding);
        for (path, text, label, old, new) in [
            ("promptblock.toml", "# 😀\nprofile = \"bl$0\"\n", "blocks", "\"bl\"", "\"blocks\""),
            ("promptblock.toml", "# 名\n[$0]\n", "[severity]", "[]", "[severity]"),
        ] {
            let items = session.items(path, text);
            let edit = &item(&items, label)["textEdit"];
            assert_eq!(covered(&text.replace("$0", ""), &edit["range"], encoding), old, "{edit}");
            assert_eq!(edit["newText"], new);
        }
        session.client.stop();
    }
}

#[test]
fn documentation_when_somebody_looks() {
    let mut session = Session::new(|start| start.can("completion", modern()), Encoding::Utf16);
    let can = &session.client.initialized["capabilities"]["completionProvider"];
    assert_eq!((&can["resolveProvider"], &can["allCommitCharacters"]), (&json!(true), &Value::Null));
    let items = session.items("a.promptblock", &block("{$0"));
    assert!(
        items.iter().all(|item| item.get("commitCharacters").is_none()),
        "nothing is committed by typing on"
    );
    let time = item(&items, "time").clone();
    assert_eq!((&time["tags"], time.get("documentation")), (&json!([1]), None));
    assert_eq!(labels(&items).last(), Some(&"time"), "what would be an error comes last");
    assert_eq!(time["labelDetails"]["description"], "not allowed here: changes");
    let resolved = session.client.request("completionItem/resolve", time.clone());
    let text = resolved["documentation"]["value"].as_str().unwrap();
    assert!(text.contains("breaks the cached prefix"), "{text}");
    let mut expected = time;
    expected["documentation"] = resolved["documentation"].clone();
    assert_eq!(resolved, expected, "nothing else changes");
    let weather = item(&items, "weather");
    assert_eq!(weather["textEdit"]["newText"], "weather ${1:city}${2: ${3:unit}}\\}");
    // What has gone meanwhile, and what is nobody's.
    session.client.replace(&session.project.uri("a.promptblock"), 100, "no block");
    for data in [
        json!(null),
        json!(7),
        json!({"uri": "file:///nowhere", "at": 1, "tag": "time"}),
        json!({"at": 99999999999_u64}),
    ] {
        let item = json!({"label": "x", "data": data});
        assert_eq!(session.client.request("completionItem/resolve", item.clone())["label"], "x");
    }
    session.client.stop();
}

#[test]
fn clients_that_can_less() {
    // None of it: plain text, documentation at once, one range.
    let mut session = Session::new(|start| start.capabilities(json!({})), Encoding::Utf16);
    assert_eq!(session.client.initialized["capabilities"]["completionProvider"]["resolveProvider"], false);
    let items = session.items("a.promptblock", &block("{we$0ath}"));
    for one in &items {
        assert!(one["textEdit"]["range"].is_object() && one.get("data").is_none(), "{one}");
        assert!(one.get("insertTextFormat").is_none() && one.get("deprecated").is_none(), "{one}");
        assert!(!one["textEdit"]["newText"].as_str().unwrap().contains("${"), "{one}");
    }
    let time = item(&items, "time");
    assert!(time["documentation"]["value"].as_str().unwrap().contains("breaks the cached prefix"));
    assert!(time["detail"].as_str().unwrap().contains("not allowed here"));
    assert_eq!(item(&items, "weather")["textEdit"]["newText"], "weather ");
    session.client.stop();
    // The older way to strike out.
    let older = json!({"completionItem": {"deprecatedSupport": true}});
    let mut session = Session::new(
        |start| start.capabilities(json!({"textDocument": {"completion": older}})),
        Encoding::Utf16,
    );
    let items = session.items("a.promptblock", &block("{$0"));
    assert_eq!(
        (&item(&items, "time")["deprecated"], item(&items, "名字").get("deprecated")),
        (&json!(true), None)
    );
    session.client.stop();
}

#[test]
fn what_the_environments_know() {
    let mut session = Session::new(|start| start, Encoding::Utf16);
    let values = session.items("a.promptblock", &block("{if platform == $0}"));
    assert_eq!(labels(&values)[..2], ["\"qq\"", "\"discord\""]);
    assert_eq!(labels(&session.items("a.promptblock", &block("{hero.$0"))), ["name"]);
    let text = block("x").replace("order: 120", "plugin: $0");
    session.client.open(&session.project.uri("b.promptblock"), 1, "---\nid: other:x\n---\n");
    session.client.settle();
    assert_eq!(labels(&session.items("a.promptblock", &text)), ["other"]);
    for prose in ["一句话，$0", "A sentence. $0", "他说：\"$0\"", "{name}: $0", "{{$0", "a/$0", "'$0'"]
    {
        assert_eq!(session.items("a.promptblock", &block(prose)), [] as [Value; 0], "{prose}");
    }
    session.client.stop();
}

#[test]
fn the_projects_own_files() {
    let catalog = |inner: &str| format!("{{\"variables\": {{{inner}}}}}");
    for encoding in Encoding::ALL {
        let mut session = Session::new(|start| start, encoding);
        let path = "promptblock.catalog.json";
        let text = catalog("\"😀\": {}, \"la$0\"");
        let items = session.items(path, &text);
        assert_eq!(labels(&items), ["lacking"]);
        assert_eq!(covered(&text.replace("$0", ""), &items[0]["textEdit"]["range"], encoding), "\"la\"");
        let when = session.items(path, &catalog("\"😀\": {\"mutable\": {\"when\": \"$0\"}}"));
        assert_eq!(labels(&when), ["hero", "is_group", "platform"]);
        assert_eq!(labels(&session.items(path, &catalog("\"😀\": {\"type\": \"$0\"}"))).len(), 4);
        let toml = session.items("promptblock.toml", "# 😀\r\nenvironment = \"$0\"");
        assert_eq!(labels(&toml), ["private", "group"]);
        let extends = session.items("promptblock.env.json", "{\"private\": {}, \"😀\": {\"extends\": [$0]}}");
        assert_eq!(labels(&extends), ["private"]);
        session.client.stop();
    }
}

#[test]
fn no_doubles_where_the_editor_completes_from_the_schema() {
    let vscode = json!({"name": "Visual Studio Code", "version": "1.106.0"});
    let mut session = Session::new(|start| start.param("clientInfo", vscode), Encoding::Utf16);
    let path = "promptblock.catalog.json";
    for inner in
        ["\"a\": {$0}", "\"a\": {\"type\": $0}", "\"a\": {\"zones\": [$0]}", "\"a\": {\"mutable\": $0}"]
    {
        let items = session.items(path, &format!("{{\"variables\": {{{inner}}}}}"));
        assert_eq!(items, [] as [Value; 0], "{inner}");
    }
    assert_eq!(labels(&session.items(path, "{\"variables\": {$0}}")), ["lacking"]);
    session.client.stop();
}

#[test]
fn a_catalog_of_ten_thousand() {
    let mut session = Session::new(|start| start.can("completion", modern()), Encoding::Utf16);
    let entry = |n: usize| {
        let changes = n.is_multiple_of(2);
        format!("\"变量_{n:05}\": {{\"description\": \"第 {n} 个\", \"mutable\": {changes}}}")
    };
    let entries: Vec<String> = (0..10_000).map(entry).collect();
    session
        .project
        .write("promptblock.catalog.json", format!("{{\"variables\": {{{}}}}}", entries.join(",\n")));
    session.client.watched(&[(&session.project.uri("promptblock.catalog.json"), 2)]);
    session.client.settle();
    let begun = Instant::now();
    let all = session.ask("a.promptblock", &block("{$0"));
    let took = begun.elapsed();
    assert_eq!(all["isIncomplete"], true);
    let items = all["items"].as_array().unwrap();
    assert!((100..=250).contains(&items.len()), "{}", items.len());
    let size = all.to_string().len();
    assert!(size < 150_000, "{size} bytes");
    // A debug build on a busy machine; a release build takes a few milliseconds.
    assert!(took < Duration::from_secs(3), "{took:?}");
    let typed = session.ask("a.promptblock", &block("{变量_00017$0"));
    assert_eq!(labels(typed["items"].as_array().unwrap())[0], "变量_00017");
    session.client.stop();
}
