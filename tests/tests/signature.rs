//! The arguments of a variable while they are written, in each encoding, for clients that can more and less.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start};
use serde_json::{Value, json};

const CATALOG: &str = r#"{"variables": {"天😀气": {}, "天气": {"description": "某城市的*天气*", "args": [{"name": "城市", "description": "哪里"}, {"name": "unit", "optional": true}]}}}"#;

fn asked(client: &mut Client, project: &Project, encoding: Encoding, mark: &str, marked: &str) -> Value {
    let header = "---\r\nid: 群😀:a\r\nzone: context\r\norder: 1\r\ntemplate: true\r\n---\r\n";
    let marked = format!("{mark}{header}e\u{301}你😀 {marked}\r\n");
    let at = marked.find('|').unwrap();
    let text = marked.replace('|', "");
    let uri = project.uri("a.promptblock");
    client.open(&uri, 1, &text);
    let found = client.request_at("textDocument/signatureHelp", &uri, &text, at, encoding);
    client.close(&uri);
    found
}

#[test]
fn arguments() {
    for encoding in Encoding::ALL {
        for mark in ["", "\u{feff}"] {
            let project = Project::new("//- promptblock.toml\n");
            project.write("promptblock.catalog.json", CATALOG);
            let mut client = Start::in_folders(&[&project]).encoding(encoding);
            client = client.capabilities(json!({
                "general": {"positionEncodings": [encoding.name()]},
                "textDocument": {"signatureHelp": {"signatureInformation": {
                    "documentationFormat": ["markdown"], "parameterInformation": {"labelOffsetSupport": true},
                }}},
            }));
            let mut client = client.start();
            let trigger = &client.initialized["capabilities"]["signatureHelpProvider"]["triggerCharacters"];
            assert_eq!(trigger, &json!([" "]));
            for (marked, active) in
                [("{天气 |}", 0), ("{天气 \"北 |京\"}", 0), ("{天气 😀 |}", 1), ("{天气 a b |}", 2)]
            {
                let found = asked(&mut client, &project, encoding, mark, marked);
                assert_eq!(found["activeParameter"], active, "{marked}");
                let signature = &found["signatures"][0];
                assert_eq!(signature["label"], "天气 城市 [unit]");
                // Counted in UTF-16, whatever is negotiated for texts.
                assert_eq!(signature["parameters"][0]["label"], json!([3, 5]));
                assert_eq!(signature["parameters"][1]["label"], json!([6, 12]));
                assert_eq!(
                    signature["documentation"],
                    json!({"kind": "markdown", "value": "某城市的*天气*"})
                );
            }
            for marked in ["{天|气 }", "{nobody |}", "天气 |", "{天😀气 |}"] {
                assert_eq!(asked(&mut client, &project, encoding, mark, marked), Value::Null, "{marked}");
            }
            client.stop();
        }
    }
}

#[test]
fn a_client_that_can_less() {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    let mut client = Start::in_folders(&[&project]).capabilities(json!({})).start();
    let found = asked(&mut client, &project, Encoding::Utf16, "", "{天气 |}");
    let signature = &found["signatures"][0];
    assert_eq!(signature["parameters"][0]["label"], "城市");
    assert_eq!(signature["parameters"][1]["label"], "[unit]");
    assert_eq!(signature["parameters"][0]["documentation"]["kind"], "plaintext");
    client.stop();
}
