//! `promptblock catalog`.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use serde_json::{Value, json};
use std::path::Path;
use support::{project, run_with};

const SOURCE: &str = "ctx.prompt.variable({ name: 'tone', description: '语气', mutable: () => true, args: ['a'] }, f)\nctx.systemPrompt.variable('cwd', f)\nctx.prompt.block({ id: 't:a', zone: 'context', order: 1, template: true, content: '{tone x} {mood}' })\n";

fn filled() -> tempfile::TempDir {
    let catalog = r#"{"variables": {"mood": {"mutable": {"when": "a==1"}}}}"#;
    project(&[("src/a.ts", SOURCE), ("promptblock.catalog.json", catalog)])
}

fn variables(folder: &Path) -> Vec<Value> {
    let output = run_with(folder, &["catalog", "--format", "json"], "");
    let all: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(all["version"], 1);
    all["variables"].as_array().expect("variables").clone()
}

#[test]
fn every_variable_with_its_layer_place_and_uses() {
    let folder = filled();
    let all = variables(folder.path());
    let names: Vec<&str> = all.iter().filter_map(|variable| variable["name"].as_str()).collect();
    assert_eq!(names, ["cwd", "mood", "prompt", "tone"]);
    assert_eq!(all[1]["mutable"], json!({"when": "a == 1"}));
    assert_eq!((&all[1]["layer"], &all[1]["uses"]), (&json!("project"), &json!(1)));
    assert_eq!(all[1]["type"], "text", "where it is left out");
    let tone = &all[3];
    assert_eq!((&tone["layer"], &tone["path"]), (&json!("source"), &json!("src/a.ts")));
    let range = json!({"start": {"line": 0, "character": 28}, "end": {"line": 0, "character": 34}});
    assert_eq!((&tone["range"], &tone["args"]), (&range, &json!([{"name": "a"}])));
}

#[test]
fn what_source_code_registers_is_kept_and_nothing_is_overwritten() {
    let folder = filled();
    let output = run_with(folder.path(), &["catalog", "--write", "kept.json"], "");
    assert!(output.status.success());
    let kept = std::fs::read_to_string(folder.path().join("kept.json")).expect("the file");
    let kept: Value = serde_json::from_str(&kept).expect("JSON");
    let tone = json!({"description": "语气", "mutable": true, "args": [{"name": "a"}]});
    assert_eq!(kept, json!({"variables": {"cwd": {}, "tone": tone}}));
    let again = run_with(folder.path(), &["catalog", "--write", "kept.json"], "");
    assert_eq!(again.status.code(), Some(2));
}
