//! Diagnostics appear, change and vanish, for open files and for those on disk.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Project, Start};
use serde_json::json;

const CATALOG: &str = r#"{"variables": {
  "time": {"description": "now", "mutable": true},
  "name": {"description": "who"}
}}
"#;

fn block(id: &str, zone: &str, order: i32, body: &str) -> String {
    format!("---\nid: t:{id}\nzone: {zone}\norder: {order}\ntemplate: true\n---\n{body}\n")
}

fn project() -> Project {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    project.write("blocks/closed.promptblock", block("closed", "context", 10, "{name} {nobody}"));
    project
}

#[test]
fn appear_change_and_vanish() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let uri = project.uri("blocks/open.promptblock");
    client.open(&uri, 1, &block("open", "system", 110, "{time} {name}"));
    let first = client.diagnostics(&uri, 1);
    assert_eq!(first.codes(), ["mutable-in-system"]);
    let found = &first.diagnostics[0];
    assert_eq!(
        found["range"],
        json!({"start": {"line": 6, "character": 1}, "end": {"line": 6, "character": 5}})
    );
    assert_eq!((found["severity"].as_i64(), found["source"].as_str()), (Some(1), Some("promptblock")));
    assert_eq!(found["data"], json!({"block": "t:open", "plugin": "t"}));
    assert!(found.get("codeDescription").is_none(), "there is no page to go to");

    let range = json!({"start": {"line": 6, "character": 1}, "end": {"line": 6, "character": 5}});
    client.change(&uri, 2, json!([{"range": range, "text": "nmae"}]));
    assert_eq!(client.diagnostics(&uri, 2).codes(), ["unknown-variable"]);
    client.change(&uri, 3, json!([{"range": range, "text": "name"}]));
    assert_eq!(client.diagnostics(&uri, 3).codes(), [""; 0]);
    client.close(&uri);
    client.stop();
}
