//! Inlay hints over the real server: places in every encoding, settings, and the word to ask again.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, position};
use serde_json::{Value, json};

const CATALOG: &str = r#"{"variables": {"名😀": {}, "名字": {"example": "阿桂"}, "n": {"example": 2.0}}}"#;
const TEXT: &str = "\u{feff}---\r\nid: 群😀:e\u{301}\r\nzone: system\r\norder: 120\r\ntemplate: true\r\n---\r\ne\u{301}😀{名字}\r\n{n}";

fn start(encoding: Encoding, options: Value) -> (Client, Project, String) {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    let capabilities = json!({"workspace": {"inlayHint": {"refreshSupport": true}, "configuration": true}});
    let start = Start::in_folders(&[&project]).capabilities(capabilities).encoding(encoding);
    let mut client = start.param("initializationOptions", options).start();
    let uri = project.uri("a.promptblock");
    client.open(&uri, 1, TEXT);
    client.settle();
    (client, project, uri)
}

/// (line, character, label) of each hint.
fn hints(client: &mut Client, uri: &str) -> Vec<(u64, u64, String)> {
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}});
    let found =
        client.request("textDocument/inlayHint", json!({"textDocument": {"uri": uri}, "range": range}));
    let one = |hint: &Value| {
        let number = |pointer| hint.pointer(pointer).unwrap().as_u64().unwrap();
        let label = hint["label"].as_str().unwrap().to_owned();
        (number("/position/line"), number("/position/character"), label)
    };
    found.as_array().unwrap().iter().map(one).collect()
}

fn refreshes(client: &Client, method: &str) -> usize {
    client.requests.iter().filter(|request| request["method"] == method).count()
}

#[test]
fn bands_and_examples_in_every_encoding() {
    for encoding in Encoding::ALL {
        let options = json!({"inlayHints": {"examples": true}});
        let (mut client, _project, uri) = start(encoding, options);
        let behind = |piece: &str, label: &str| {
            let (line, column) = position(TEXT, TEXT.find(piece).unwrap() + piece.len(), encoding);
            (line as u64, column as u64, label.to_owned())
        };
        let expected = [behind("120", "tool guidance"), behind("{名字}", "= 阿桂"), behind("{n}", "= 2")];
        assert_eq!(hints(&mut client, &uri), expected, "{encoding:?}");
        client.stop();
    }
}

#[test]
fn settings_and_the_catalog_change_them_and_the_client_hears_of_it() {
    const METHOD: &str = "workspace/inlayHint/refresh";
    let (mut client, project, uri) = start(Encoding::Utf16, json!({"locale": "zh-CN"}));
    let labels = |client: &mut Client, uri: &str| -> Vec<String> {
        hints(client, uri).into_iter().map(|(_, _, label)| label).collect()
    };
    assert_eq!(labels(&mut client, &uri), ["工具指引"], "bands are on, examples are off");
    let told = refreshes(&client, METHOD);

    client.configuration = json!({"inlayHints": {"bands": false, "examples": true}});
    client.notify("workspace/didChangeConfiguration", json!({"settings": null}));
    client.wait_until("a refresh", |client| refreshes(client, METHOD) > told);
    assert_eq!(labels(&mut client, &uri), ["= 阿桂", "= 2"]);

    let told = refreshes(&client, METHOD);
    let catalog = project.uri("promptblock.catalog.json");
    client.open(&catalog, 1, &CATALOG.replace("阿桂", "小满"));
    client.wait_until("a refresh", |client| refreshes(client, METHOD) > told);
    assert_eq!(labels(&mut client, &uri), ["= 小满", "= 2"]);

    // What is typed in a block changes no hint of another.
    client.settle();
    client.listen(std::time::Duration::from_millis(400));
    let told = refreshes(&client, METHOD);
    client.replace(&uri, 2, &TEXT.replace("{n}", "{n}!"));
    client.settle();
    client.listen(std::time::Duration::from_millis(400));
    assert_eq!(refreshes(&client, METHOD), told);
    client.stop();
}
