//! The assembled prompt over the real server: `promptblock/assembly`, the word that it has changed, lenses, and the command for
//! clients without a panel.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, position, range, range_of};
use serde_json::{Value, json};
use std::time::Duration;

const METHOD: &str = "promptblock/assembly";
const CHANGED: &str = "promptblock/assemblyChanged";
const SHOW: &str = "promptblock.showAssembly";

const PROJECT: &str = r#"
//- promptblock.toml
environment = "day"
[budget]
system = 5
//- promptblock.catalog.json
{"variables": {"名字": {}, "tone": {}, "time": {"mutable": true}, "city": {"example": "绍兴"}, "lost": {}}}
//- promptblock.env.json
{"day": {"名字": "阿桂", "tone": "warm", "time": "14:00"}, "night": {"名字": "阿桂", "tone": "quiet", "time": "23:00"}}
//- rules.promptblock
---
id: t:rules
zone: system
order: 120
template: true
---
Be {tone}.
//- example.promptblock
---
id: t:example
zone: system
order: 80
role: user
---
hello
//- clock.promptblock
---
id: t:clock
zone: context
order: 1
template: true
---
{time} {lost} {city}
//- input.promptblock
---
id: t:input
zone: input
template: true
---
> {prompt}
"#;

/// What the open block holds: CRLF, a mark, CJK, emoji, a combining mark, an escape.
const IDENTITY: &str = "\u{feff}---\r\nid: t:identity\r\nzone: system\r\norder: -300\r\ntemplate: true\r\n---\r\n你😀{名字}e\u{301}\r\n👩\u{200d}👧 {{x}} 第三";

struct Session {
    client: Client,
    project: Project,
    uri: String,
}

fn session(start: impl FnOnce(Start) -> Start) -> Session {
    let project = Project::new(PROJECT);
    let mut client = start(Start::in_folders(&[&project])).start();
    let uri = project.uri("identity.promptblock");
    client.open(&uri, 1, IDENTITY);
    client.diagnostics(&uri, 1);
    client.settle();
    let mut session = Session { client, project, uri };
    // The folder is read while the client goes on.
    loop {
        let answer = session.ask(json!({}));
        if texts(&answer).len() == 5 {
            break session;
        }
        session.wait_until_told(&answer["resultId"]);
    }
}

impl Session {
    fn ask(&mut self, more: Value) -> Value {
        let mut params = json!({"textDocument": {"uri": self.uri}});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.client.request(METHOD, params)
    }

    fn told(&self, id: &Value) -> usize {
        let of = |told: &&Value| {
            told["method"] == CHANGED && told["params"]["resultIds"].as_array().unwrap().contains(id)
        };
        self.client.notifications.iter().filter(of).count()
    }

    fn wait_until_told(&mut self, id: &Value) {
        let told = |client: &Client| {
            client.notifications.iter().any(|one| {
                one["method"] == CHANGED && one["params"]["resultIds"].as_array().unwrap().contains(id)
            })
        };
        self.client.wait_until("the word that the assembly has changed", told);
    }
}

fn text(block: &Value) -> String {
    block["pieces"].as_array().unwrap().iter().map(|piece| piece["text"].as_str().unwrap()).collect()
}

fn texts(answer: &Value) -> Vec<String> {
    answer["blocks"].as_array().unwrap().iter().map(text).collect()
}

fn kinds(block: &Value) -> Vec<&str> {
    block["pieces"].as_array().unwrap().iter().map(|piece| piece["kind"].as_str().unwrap()).collect()
}

#[test]
fn blocks_and_pieces_in_every_encoding() {
    for encoding in Encoding::ALL {
        let mut session = session(|start| start.encoding(encoding));
        let answer = session.ask(json!({}));
        assert_eq!(answer["environment"], "day");
        assert_eq!(answer["environments"], json!(["day", "night"]));
        assert_eq!(answer["vocabulary"], "o200k");
        assert_eq!(answer["refused"], false);
        assert_eq!(
            texts(&answer),
            [
                "你😀阿桂e\u{301}\n👩\u{200d}👧 {x} 第三",
                "Be warm.",
                "hello",
                "14:00 {lost} 绍兴",
                "> {prompt}"
            ]
        );
        let ids: Vec<&Value> =
            answer["blocks"].as_array().unwrap().iter().map(|block| &block["id"]).collect();
        assert_eq!(ids, ["t:identity", "t:rules", "t:example", "t:clock", "t:input"]);
        let messages = &answer["messages"];
        assert_eq!(messages[0]["tokens"], answer["tokens"]["system"]);
        assert_eq!(answer["tokens"]["prefix"], answer["tokens"]["system"].as_u64().unwrap() + 1);
        assert_eq!(
            *messages,
            json!([
                {"role": "system", "sections": [{"blocks": [0, 2]}], "tokens": messages[0]["tokens"], "cache": false, "prefixEnd": false},
                {"role": "user", "sections": [{"blocks": [2, 1]}], "tokens": 1, "cache": true, "prefixEnd": true},
                {"role": "user", "sections": [{"blocks": [3, 1]}], "tokens": answer["tokens"]["contexts"], "cache": false, "prefixEnd": false},
                {"role": "user", "sections": [{"blocks": [4, 1]}], "tokens": answer["tokens"]["input"], "cache": false, "prefixEnd": false},
            ])
        );
        assert!(answer["digest"].as_str().unwrap().starts_with("sha256:"));
        assert_eq!(answer["tokens"]["prelude"], 1);
        assert_eq!(answer["budget"]["system"]["tokens"], 5);
        assert_eq!(answer["budget"]["system"]["over"], true);

        // Each piece with its place in the file, in the client's units.
        let identity = &answer["blocks"][0];
        assert_eq!(identity["uri"], json!(session.uri));
        let pieces: Vec<(&str, &str)> = [
            ("text", "你😀"),
            ("value", "{名字}"),
            ("text", "e\u{301}\r\n👩\u{200d}👧 "),
            ("text", "{{"),
            ("text", "x"),
            ("text", "}}"),
            ("text", " 第三"),
        ]
        .into();
        let start = IDENTITY.find("你").unwrap();
        let mut at = start;
        for (piece, (kind, source)) in identity["pieces"].as_array().unwrap().iter().zip(pieces) {
            assert_eq!(piece["kind"], kind);
            assert_eq!(
                piece["range"],
                range(IDENTITY, at, at + source.len(), encoding),
                "{encoding:?} {source:?}"
            );
            at += source.len();
        }
        assert_eq!(at, IDENTITY.len());
        assert_eq!(identity["pieces"][1]["source"], "{名字}");
        let clock = &answer["blocks"][3];
        assert_eq!(kinds(clock), ["value", "text", "missing", "text", "example"]);
        let file = session.project.read("clock.promptblock");
        assert_eq!(clock["pieces"][2]["range"], range_of(&file, "{lost}", encoding));
        let finding = answer["findings"]
            .as_array()
            .unwrap()
            .iter()
            .find(|it| it["diagnostic"]["code"] == "missing-value");
        let finding = finding.expect("the missing value");
        assert_eq!(finding["uri"], json!(session.project.uri("clock.promptblock")));
        assert_eq!(finding["diagnostic"]["range"], range_of(&file, "lost", encoding));
        session.client.stop();
    }
}

#[test]
fn without_examples_and_with_an_input() {
    let mut session = session(|start| start);
    let answer = session.ask(json!({"examples": false, "input": "hi {tone}"}));
    let texts = texts(&answer);
    assert_eq!(texts[3], "14:00 {lost} {city}");
    assert_eq!(texts[4], "> hi {tone}", "a value is not read again");
    session.client.stop();
}

#[test]
fn only_what_has_changed_is_sent_again() {
    let mut session = session(|start| start);
    let first = session.ask(json!({}));
    let again = session.ask(json!({"previousResultId": first["resultId"]}));
    assert_eq!(again["blocks"], json!([{"keep": [0, 5]}]));
    assert_eq!(again["digest"], first["digest"]);

    session.client.change(
        &session.uri.clone(),
        2,
        json!([{"range": range_of(IDENTITY, "第三", Encoding::Utf16), "text": "第四"}]),
    );
    session.wait_until_told(&again["resultId"]);
    let edited = session.ask(json!({"previousResultId": again["resultId"]}));
    assert_eq!(edited["blocks"][1], json!({"keep": [1, 4]}));
    assert!(text(&edited["blocks"][0]).ends_with("第四"));
    assert_ne!(edited["digest"], first["digest"]);

    // Another sequence, by an unsaved header.
    let moved = IDENTITY.replace("第三", "第四").replace("-300", "250");
    session.client.replace(&session.uri.clone(), 3, &moved);
    session.wait_until_told(&edited["resultId"]);
    let after = session.ask(json!({"previousResultId": edited["resultId"]}));
    assert_eq!(after["blocks"][0], json!({"keep": [1, 1]}));
    assert_eq!(after["blocks"][1]["order"], 250.0);
    assert_eq!(after["blocks"][2], json!({"keep": [2, 3]}));

    // A number that nobody knows: everything.
    let whole = session.ask(json!({"previousResultId": "4711"}));
    assert_eq!(texts(&whole).len(), 5);
    let whole = session.ask(json!({"previousResultId": "nonsense"}));
    assert_eq!(texts(&whole).len(), 5);
    session.client.stop();
}

#[test]
fn who_shows_nothing_hears_nothing_and_who_does_hears_once() {
    let mut session = session(|start| start);
    let told = |session: &Session| {
        session.client.notifications.iter().filter(|one| one["method"] == CHANGED).count()
    };
    // The question of the session's begin is still shown: an edit takes it away.
    session.client.replace(&session.uri.clone(), 2, &IDENTITY.replace("第三", "0"));
    session.client.settle();
    session.client.notifications.clear();
    session.client.replace(&session.uri.clone(), 3, &IDENTITY.replace("第三", "1"));
    session.client.settle();
    assert_eq!(told(&session), 0);

    let answer = session.ask(json!({}));
    let id = answer["resultId"].clone();
    for version in 4..9 {
        session.client.replace(
            &session.uri.clone(),
            version,
            &IDENTITY.replace("第三", &version.to_string()),
        );
        session.client.settle();
    }
    assert_eq!(session.told(&id), 1);
    // Another project's files are none of its business.
    let other = Project::new("//- promptblock.toml\n");
    let answer = session.ask(json!({"previousResultId": id}));
    session.client.settle();
    session.client.open(&other.uri("x.promptblock"), 1, "---\nid: o:x\nzone: system\norder: 1\n---\nx\n");
    session.client.settle();
    session.client.listen(Duration::from_millis(100));
    let heard = session.told(&answer["resultId"]);
    session.client.replace(&other.uri("x.promptblock"), 2, "---\nid: o:x\nzone: system\norder: 1\n---\ny\n");
    session.client.settle();
    assert_eq!(session.told(&answer["resultId"]), heard);

    // On disk: a block, a catalog, an environment.
    for (name, text) in [
        ("clock.promptblock", "---\nid: t:clock\nzone: context\norder: 1\n---\nno clock\n"),
        ("promptblock.env.json", r#"{"day": {"tone": "loud"}}"#),
    ] {
        let answer = session.ask(json!({}));
        session.project.write(name, text);
        session.client.watched(&[(&session.project.uri(name), 2)]);
        session.wait_until_told(&answer["resultId"]);
    }
    let answer = session.ask(json!({}));
    assert_eq!(texts(&answer)[1..4], ["Be loud.", "hello", "no clock"]);
    session.client.stop();
}

#[test]
fn a_chosen_environment_and_the_pin() {
    let mut session = session(|start| start);
    let night = session.ask(json!({"environment": "night"}));
    assert_eq!((night["environment"].as_str(), texts(&night)[1].as_str()), (Some("night"), "Be quiet."));
    assert!(night.get("changed").is_none());
    let pinned = session.ask(json!({"environment": "day", "then": "night"}));
    assert_eq!((pinned["environment"].as_str(), pinned["then"].as_str()), (Some("day"), Some("night")));
    let texts = texts(&pinned);
    assert_eq!(texts[1], "Be warm.", "the system zone stays as it was");
    assert!(texts[3].starts_with("23:00"), "the contexts are new");
    assert!(texts[4].contains("tone") && texts[4].contains("quiet"), "{texts:?}");
    assert_eq!((&pinned["blocks"][4]["id"], &pinned["blocks"][4]["uri"]), (&Value::Null, &Value::Null));
    assert_eq!(pinned["changed"], json!([{"name": "tone", "before": "warm", "after": "quiet"}]));
    assert_eq!(pinned["withoutPin"]["firstChanged"], "t:rules");
    assert!(pinned["withoutPin"]["recomputed"].as_u64().unwrap() > 0);
    assert_eq!(pinned["digest"], session.ask(json!({}))["digest"]);
    // What does not exist is not chosen, nor another in its place, and the answer says so.
    let none = session.ask(json!({"environment": "dusk", "then": "dawn"}));
    assert_eq!((&none["environment"], &none["then"]), (&Value::Null, &Value::Null));
    assert_eq!(self::texts(&none)[1], "Be {tone}.");
    assert!(none.get("changed").is_none());
    let show = json!({"command": SHOW, "arguments": [session.uri, "dusk"]});
    let shown = session.client.request("workspace/executeCommand", show);
    assert!(shown.as_str().unwrap().contains("Be {tone}."), "{shown}");
    session.client.stop();
}

#[test]
fn a_refused_assembly_says_why() {
    let mut session = session(|start| start);
    session.project.write("twin.promptblock", "---\nid: t:rules\nzone: system\norder: 1\n---\nx\n");
    let first = session.ask(json!({}));
    session.client.watched(&[(&session.project.uri("twin.promptblock"), 1)]);
    session.wait_until_told(&first["resultId"]);
    let answer = session.ask(json!({"previousResultId": first["resultId"]}));
    assert_eq!(answer["refused"], true);
    let uris: Vec<&str> =
        answer["findings"].as_array().unwrap().iter().map(|it| it["uri"].as_str().unwrap()).collect();
    assert_eq!(uris.len(), 2);
    assert!(
        answer["findings"].as_array().unwrap().iter().all(|it| it["diagnostic"]["code"] == "duplicate-id")
    );
    for absent in ["digest", "tokens", "blocks", "messages"] {
        assert!(answer.get(absent).is_none(), "{absent}");
    }
    // And comes back, whole.
    session.project.remove("twin.promptblock");
    session.client.watched(&[(&session.project.uri("twin.promptblock"), 3)]);
    session.wait_until_told(&answer["resultId"]);
    let answer = session.ask(json!({"previousResultId": answer["resultId"]}));
    assert_eq!(texts(&answer).len(), 5);
    session.client.stop();
}

#[test]
fn a_framework_that_refuses_missing_values() {
    let project = Project::new(
        r#"
//- promptblock.toml
profile = "harness"
//- promptblock.catalog.json
{"variables": {"who": {"example": "阿桂"}, "lost": {}}}
//- a.promptblock
---
id: a
zone: system
order: 1
---
😀{{who}} {x}
//- c.promptblock
---
id: c
zone: context
order: 1
---
{{lost}}
"#,
    );
    let mut client = Start::in_folders(&[&project]).start();
    let uri = project.uri("a.promptblock");
    client.settle();
    let ask = |client: &mut Client, refused: bool| {
        for _ in 0..200 {
            let answer = client.request(METHOD, json!({"textDocument": {"uri": uri}}));
            if answer["refused"] == refused {
                return answer;
            }
            client.listen(Duration::from_millis(20));
        }
        panic!("refused should be {refused}");
    };
    let answer = ask(&mut client, true);
    let diagnostic = &answer["findings"][0]["diagnostic"];
    assert_eq!(
        (diagnostic["code"].as_str(), diagnostic["severity"].as_u64()),
        (Some("missing-value"), Some(1))
    );
    assert_eq!(answer["findings"][0]["uri"], json!(project.uri("c.promptblock")));
    project.write("c.promptblock", "---\nid: c\nzone: context\norder: 1\n---\nnow\n");
    client.watched(&[(&project.uri("c.promptblock"), 2)]);
    let answer = ask(&mut client, false);
    assert_eq!(texts(&answer), ["😀阿桂 {x}", "now"]);
    assert_eq!(kinds(&answer["blocks"][0]), ["text", "example", "text"]);
    assert_eq!(answer["blocks"][0]["pieces"][1]["source"], "{{who}}");
    client.stop();
}

#[test]
fn a_template_that_loops_for_ever_is_cut_and_its_text_is_bounded() {
    let mut session = session(|start| start);
    let head = IDENTITY.split("你").next().unwrap();
    for (version, body) in [
        (2, format!("{{while 名字}}{}😀{{/while}}\r\n", "长".repeat(500))),
        (3, format!("{{while 名字}}{}{{/while}}\r\n", "{名字}.".repeat(20))),
    ] {
        session.client.replace(&session.uri.clone(), version, &format!("{head}{body}"));
        session.client.settle();
        let answer = session.ask(json!({}));
        let block = &answer["blocks"][0];
        assert_eq!(block["truncated"], true);
        assert!(text(block).len() <= 1 << 20 && block["pieces"].as_array().unwrap().len() <= 20_000);
        assert!(block["tokens"].as_u64().unwrap() > 100_000, "it is counted whole");
        let found = answer["findings"].as_array().unwrap();
        assert!(found.iter().any(|it| it["diagnostic"]["code"] == "limit-reached"), "{found:?}");
    }
    session.client.stop();
}

#[test]
fn a_summary_and_why_a_block_is_absent() {
    let mut session = session(|start| start);
    let answer = session.ask(json!({"summary": true}));
    assert!(answer.get("blocks").is_none() && answer.get("messages").is_none());
    assert!(answer["tokens"]["system"].as_u64().unwrap() > 10);
    assert!(answer.get("absent").is_none());
    for (version, text, why) in [
        (2, IDENTITY.replace("你😀{名字}e\u{301}\r\n👩\u{200d}👧 {{x}} 第三", "{if lost}x{/if}"), "blank"),
        (3, IDENTITY.replace("zone: system", "zone: nowhere"), "zone"),
    ] {
        let before = session.ask(json!({"summary": true}));
        session.client.replace(&session.uri.clone(), version, &text);
        session.wait_until_told(&before["resultId"]);
        assert_eq!(session.ask(json!({"summary": true}))["absent"], why);
    }
    session.client.stop();
}

#[test]
fn broken_questions_are_refused_and_the_server_lives() {
    let mut session = session(|start| start);
    for params in [
        json!({}),
        json!({"textDocument": {}}),
        json!({"textDocument": {"uri": session.uri}, "input": 3}),
        json!([]),
    ] {
        let error = session.client.refused(METHOD, params);
        assert_eq!(error["code"], -32602, "{error}");
    }
    let elsewhere =
        json!({"textDocument": {"uri": "untitled:x"}, "environment": null, "then": null, "input": null});
    assert_eq!(session.client.request(METHOD, elsewhere)["refused"], false);
    for arguments in [json!([]), json!([3]), json!([{"uri": 1}]), json!([""])] {
        let params = json!({"command": "promptblock.showAssembly", "arguments": arguments});
        assert_eq!(session.client.refused("workspace/executeCommand", params)["code"], -32602);
    }
    let unknown = json!({"command": "promptblock.nothing", "arguments": []});
    assert_eq!(session.client.refused("workspace/executeCommand", unknown)["code"], -32602);
    session.client.stop();
}

#[test]
fn a_question_that_is_cancelled_is_over() {
    let mut session = session(|start| start);
    let id = session.client.ask(METHOD, json!({"textDocument": {"uri": session.uri}}));
    session.client.notify("$/cancelRequest", json!({"id": id}));
    let answer = session.client.answer(id);
    // Whichever was faster.
    assert!(answer["error"]["code"] == -32800 || answer["result"]["refused"] == false, "{answer}");
    assert_eq!(session.ask(json!({}))["refused"], false);
    session.client.stop();
}

fn lenses(session: &mut Session, uri: &str) -> Vec<String> {
    let found = session.client.request("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let found = found.as_array().unwrap().clone();
    for lens in &found {
        assert_eq!(lens["command"]["command"], "promptblock.showAssembly");
        assert_eq!(lens["command"]["arguments"], json!([uri]));
    }
    found.iter().map(|lens| lens["command"]["title"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn lenses_say_place_and_cost_and_follow_other_files() {
    const REFRESH: &str = "workspace/codeLens/refresh";
    let capabilities = json!({"workspace": {"codeLens": {"refreshSupport": true}}});
    let mut session = session(|start| start.capabilities(capabilities));
    let uri = session.uri.clone();
    let all = lenses(&mut session, &uri);
    assert!(all[0].starts_with("system 1 of 2 · "), "{all:?}");
    assert!(all[1].starts_with("an edit recomputes "), "{all:?}");
    let clock = session.project.uri("clock.promptblock");
    assert!(lenses(&mut session, &clock)[0].starts_with("context 1 of 1"), "a closed file, too");
    let lens = session.client.request("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let (line, character) = position(IDENTITY, 3, Encoding::Utf16);
    assert_eq!(lens[0]["range"]["start"], json!({"line": line, "character": character}));

    // Another file grows: the cost of an edit here does, too.
    session.client.listen(Duration::from_millis(500));
    let refreshes = |client: &Client| client.requests.iter().filter(|it| it["method"] == REFRESH).count();
    let told = refreshes(&session.client);
    let rules = session.project.uri("rules.promptblock");
    let text = session.project.read("rules.promptblock").replace("Be", "Be good and");
    session.client.open(&rules, 1, &text);
    session.client.wait_until("a refresh", |client| refreshes(client) > told);
    assert_ne!(lenses(&mut session, &uri)[1], all[1]);
    assert_eq!(lenses(&mut session, &uri)[0], all[0]);
    session.client.stop();
}

#[test]
fn a_client_without_a_panel_gets_a_document() {
    let show = |session: &mut Session| {
        let params = json!({"command": "promptblock.showAssembly", "arguments": [session.uri, "night"]});
        session.client.request("workspace/executeCommand", params)
    };
    let mut able =
        session(|start| start.capabilities(json!({"window": {"showDocument": {"support": true}}})));
    assert_eq!(show(&mut able), Value::Null);
    let asked = |client: &Client| client.requests.iter().any(|it| it["method"] == "window/showDocument");
    able.client.wait_until("the question for a document", asked);
    let request = able.client.requests.iter().find(|it| it["method"] == "window/showDocument").unwrap();
    let path = request["params"]["uri"].as_str().unwrap().strip_prefix("file://").unwrap().to_owned();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("Be quiet."), "{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with(" tokens · t:identity, t:rules"), "{text}");
    assert!(lines.contains(&"── user · 1 token · t:example"), "{text}");
    assert!(lines.iter().any(|line| line.contains(" tokens without tool schemas, sha256:")), "{text}");
    // Who reads it must not take an example for a value; what has none is no example.
    let said = "══ the catalog's examples stand in for values that are missing: city";
    assert_eq!(lines.last(), Some(&said), "{text}");
    let _ = std::fs::remove_file(path);
    able.client.stop();

    let mut plain = session(|start| start.capabilities(json!({})).param("locale", json!("zh-CN")));
    let text = show(&mut plain);
    assert!(text.as_str().unwrap().contains("稳定前缀到此为止："), "{text}");
    assert!(text.as_str().unwrap().ends_with("══ 以下变量没有值，用变量目录中的示例代替：city\n"), "{text}");
    assert!(!plain.client.requests.iter().any(|it| it["method"] == "window/showDocument"));
    plain.client.stop();
}

/// The figures of the page on caching are those of the example.
#[test]
fn the_page_on_caching_says_what_is_so() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let example = root.join("examples/chat-bot");
    let project = Project::new("");
    let copy = |folder: &str| {
        for entry in std::fs::read_dir(example.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                let name = path.file_name().unwrap().to_str().unwrap();
                project.write(&format!("{folder}/{name}"), std::fs::read(&path).unwrap());
            }
        }
    };
    copy(".");
    copy("blocks");
    let mut client = Start::in_folders(&[&project]).start();
    let uri = project.uri("blocks/identity.promptblock");
    client.open(&uri, 1, &project.read("blocks/identity.promptblock"));
    client.diagnostics(&uri, 1);
    let answer = loop {
        let answer = client.request(METHOD, json!({"textDocument": {"uri": uri}}));
        if answer["blocks"].as_array().unwrap().len() == 13 {
            break answer;
        }
        client.listen(Duration::from_millis(20));
    };
    let tokens = |zone: &str| answer["tokens"][zone].as_u64().unwrap();
    let (prefix, contexts) = (tokens("system") + tokens("prelude"), tokens("contexts"));
    let mut rows = Vec::new();
    for block in answer["blocks"].as_array().unwrap().iter().filter(|block| block["zone"] == "system") {
        let lens = client.request("textDocument/codeLens", json!({"textDocument": {"uri": block["uri"]}}));
        let title = lens[1]["command"]["title"].as_str().unwrap().to_owned();
        let cost: u64 = title.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap();
        rows.push((block["id"].as_str().unwrap().to_owned(), block["tokens"].as_u64().unwrap(), cost));
    }
    assert_eq!(rows[0].2, prefix, "an edit of the first block costs all");
    for page in ["docs/caching.md", "docs/caching.zh-CN.md"] {
        let page = std::fs::read_to_string(root.join(page)).unwrap();
        for (id, tokens, cost) in &rows {
            let row = page.lines().find(|line| line.starts_with(&format!("| `{id}` "))).expect(id);
            assert!(row.ends_with(&format!(" | {tokens} | {cost} |")), "{row}: {tokens}, {cost}");
        }
        let (prefix, contexts) = (format!(" {prefix} "), format!(" {contexts} "));
        assert!(page.contains(&prefix) && page.contains(&contexts), "{prefix}, {contexts}");
    }
    client.stop();
}

/// A project that takes a while to read.
fn large() -> Project {
    let project = Project::new(PROJECT);
    for number in 0..1500 {
        let text = format!("---\nid: t:more-{number}\nzone: context\norder: 5\n---\nnumber {number}\n");
        project.write(&format!("more/{number}.promptblock"), text);
    }
    project.write("identity.promptblock", IDENTITY);
    project
}

#[test]
fn a_question_behind_the_opening_waits_for_the_folders() {
    let project = large();
    let uri = project.uri("identity.promptblock");
    let mut client = Start::in_folders(&[&project]).start();
    client.open(&uri, 1, IDENTITY);
    let asked = client.ask(METHOD, json!({"textDocument": {"uri": uri}}));
    let shown = client.ask("workspace/executeCommand", json!({"command": SHOW, "arguments": [uri, "night"]}));
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let cancelled = client.ask(METHOD, json!({"textDocument": {"uri": uri}}));
    client.notify("$/cancelRequest", json!({"id": cancelled}));
    assert_eq!(client.answer(cancelled)["error"]["code"], -32800);
    assert_eq!(texts(&client.answer(asked)["result"]).len(), 1505);
    let text = client.answer(shown)["result"].as_str().unwrap().to_owned();
    assert!(text.contains("Be quiet.") && text.contains("number 1499"));
    // A client that does not hear when lenses are others gets none before they are right.
    let lenses = client.answer(lenses);
    let title = lenses["result"][0]["command"]["title"].as_str().unwrap();
    assert!(title.starts_with("system 1 of 2 · "), "{title}");
    client.stop();
}

#[test]
fn lenses_behind_the_opening_say_nothing_and_come() {
    const REFRESH: &str = "workspace/codeLens/refresh";
    let project = large();
    let uri = project.uri("identity.promptblock");
    let capabilities = json!({"workspace": {"codeLens": {"refreshSupport": true}}});
    let mut client = Start::in_folders(&[&project]).capabilities(capabilities).start();
    client.open(&uri, 1, IDENTITY);
    let refreshes = |client: &Client| client.requests.iter().filter(|it| it["method"] == REFRESH).count();
    let lenses = loop {
        let told = refreshes(&client);
        let lenses = client.request("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
        if lenses != json!([]) {
            break lenses;
        }
        client.wait_until("a refresh", |client| refreshes(client) > told);
    };
    let title = lenses[0]["command"]["title"].as_str().unwrap();
    assert!(title.starts_with("system 1 of 2 · "), "{title}");
    client.stop();
}

#[test]
fn an_answer_is_of_one_version_of_the_document() {
    let mut session = session(|start| start);
    let uri = session.uri.clone();
    let mut ids = Vec::new();
    for version in 2..202 {
        let role = if version % 2 == 0 { "user" } else { "assistant" };
        let text = format!(
            "---\nid: t:v{version}\nzone: system\norder: -{version}\nrole: {role}\n---\nversion {version}"
        );
        session.client.replace(&uri, version, &text);
        ids.push((version, session.client.ask(METHOD, json!({"textDocument": {"uri": uri}}))));
        if version % 3 == 0 {
            // Some are answered before the next edit, some while it arrives.
            session.client.listen(Duration::from_millis(5));
        }
    }
    for (asked, id) in ids {
        let answer = session.client.answer(id)["result"].clone();
        let block = own(&answer, &uri);
        let version: i64 = text(block).strip_prefix("version ").unwrap().parse().unwrap();
        assert!(version >= asked, "{version} for {asked}");
        assert_eq!(block["id"], format!("t:v{version}"));
        assert_eq!(block["order"], json!(-version as f64));
        assert_eq!(block["role"], if version % 2 == 0 { "user" } else { "assistant" });
    }
    // What was judged for an answer reaches the findings, too.
    session.client.replace(&uri, 202, "---\nid: t:v\nzone: nowhere\norder: 1\n---\nx");
    session.ask(json!({}));
    session.client.diagnostics(&uri, 202);
    assert!(!session.client.codes(&uri).is_empty());
    session.client.stop();
}

fn own<'a>(answer: &'a Value, uri: &str) -> &'a Value {
    answer["blocks"].as_array().unwrap().iter().find(|block| block["uri"] == uri).unwrap()
}

#[test]
fn documents_outside_of_any_project_have_none() {
    let mut session = session(|start| start);
    assert_eq!(session.ask(json!({}))["project"].as_str().map(|it| it.ends_with('/')), Some(false));
    let nowhere = Project::new("//- notes.txt\nx\n");
    for uri in ["untitled:x".to_owned(), nowhere.uri("notes.txt")] {
        let answer = session.client.request(METHOD, json!({"textDocument": {"uri": uri}}));
        assert_eq!((&answer["project"], answer["refused"].as_bool()), (&Value::Null, Some(false)));
    }
    session.client.stop();
}
