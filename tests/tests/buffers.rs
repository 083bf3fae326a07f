//! What is not saved yet, and what changes behind the editor's back: each kind of file counts for the others at once.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Project, Start};
use serde_json::json;

const CATALOG: &str = r#"{"variables": {"mood": {"mutable": {"when": "is_group == true"}}, "name": {}}}"#;

fn block(id: &str, order: i32, body: &str) -> String {
    format!("---\nid: t:{id}\nzone: system\norder: {order}\ntemplate: true\n---\n{body}\n")
}

fn project(environments: &str) -> Project {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    project.write("promptblock.env.json", environments);
    project.write("a.promptblock", block("a", 110, "{mood} {name}"));
    project
}

#[test]
fn an_unsaved_block_counts_for_the_others() {
    let project = project(r#"{"private": {"is_group": false}}"#);
    project.write("b.promptblock", block("b", 120, "x"));
    let mut client = Start::in_folders(&[&project]).start();
    let (a, b) = (project.uri("a.promptblock"), project.uri("b.promptblock"));
    client.open(&b, 1, &block("a", 110, "x"));
    client.wait_for_codes(&a, &["duplicate-id", "order-conflict"]);
    // One that is on no disk yet.
    let fresh = project.uri("new.promptblock");
    client.replace(&b, 2, &block("b", 120, "x"));
    client.wait_for_codes(&a, &[]);
    client.open(&fresh, 1, &block("a", 130, "x"));
    client.wait_for_codes(&a, &["duplicate-id"]);
    // Closed without being saved: the disk counts again.
    client.close(&fresh);
    client.wait_for_codes(&a, &[]);
    client.stop();
}

#[test]
fn unsaved_configuration_and_environments_win_over_the_disk() {
    let project = project(r#"{"private": {"is_group": false}, "group": {"is_group": true}}"#);
    let mut client = Start::in_folders(&[&project]).start();
    let a = project.uri("a.promptblock");
    let (config, environments) = (project.uri("promptblock.toml"), project.uri("promptblock.env.json"));
    client.wait_for_codes(&a, &["mutability-undetermined"]);
    client.open(&config, 1, "environment = \"group\"\n");
    client.wait_for_codes(&a, &["mutable-in-system"]);
    client.open(&environments, 1, r#"{"group": {"is_group": false}}"#);
    client.wait_for_codes(&a, &[]);
    // A block that is open is judged by them too.
    client.open(&a, 1, &block("a", 110, "{mood} {name}"));
    client.replace(&environments, 2, r#"{"group": {"is_group": true}}"#);
    client.wait_for_codes(&a, &["mutable-in-system"]);
    client.replace(&config, 2, "environment = \"group\"\n[severity]\nmutable-in-system = \"off\"\n");
    client.wait_for_codes(&a, &[]);
    client.close(&config);
    client.close(&environments);
    client.wait_for_codes(&a, &["mutability-undetermined"]);
    client.stop();
}

#[test]
fn environments_on_disk_are_felt() {
    let project = project(r#"{"private": {"is_group": false}}"#);
    project.write("b.promptblock", block("b", 120, "{mood}"));
    let mut client = Start::in_folders(&[&project]).start();
    let (a, b) = (project.uri("a.promptblock"), project.uri("b.promptblock"));
    client.open(&a, 1, &block("a", 110, "{mood} {name}"));
    client.wait_for_codes(&a, &[]);
    let environments = project.uri("promptblock.env.json");
    project.write("promptblock.env.json", r#"{"group": {"is_group": true}}"#);
    client.watched(&[(&environments, 2)]);
    client.wait_for_codes(&a, &["mutable-in-system"]);
    client.wait_for_codes(&b, &["mutable-in-system"]);
    project.remove("promptblock.env.json");
    client.watched(&[(&environments, 3)]);
    client.wait_for_codes(&a, &["mutability-undetermined"]);
    client.wait_for_codes(&b, &["mutability-undetermined"]);
    client.stop();
}

#[test]
fn a_renamed_block_is_followed() {
    let project = project(r#"{"private": {"is_group": false}}"#);
    project.write("b.promptblock", block("a", 120, "x"));
    let mut client = Start::in_folders(&[&project]).start();
    let (a, b) = (project.uri("a.promptblock"), project.uri("b.promptblock"));
    client.wait_for_codes(&a, &["duplicate-id"]);
    client.wait_for_codes(&b, &["duplicate-id"]);
    let c = project.uri("sub/c.promptblock");
    std::fs::create_dir(project.path("sub")).unwrap();
    std::fs::rename(project.path("b.promptblock"), project.path("sub/c.promptblock")).unwrap();
    client.watched(&[(&c, 1), (&b, 3)]);
    client.wait_for_codes(&c, &["duplicate-id"]);
    client.wait_for_codes(&b, &[]);
    let related = &client.published[&a].diagnostics[0]["relatedInformation"];
    assert_eq!(related[0]["location"]["uri"], json!(c), "the second place moves too");
    // Out of the project's sight by another name.
    std::fs::rename(project.path("sub/c.promptblock"), project.path("sub/c.txt")).unwrap();
    client.watched(&[(&c, 3), (&project.uri("sub/c.txt"), 1)]);
    client.wait_for_codes(&a, &[]);
    client.wait_for_codes(&c, &[]);
    client.stop();
}

#[test]
fn what_has_no_effect_is_faded() {
    let project = Project::new("//- promptblock.toml\n");
    let complete = block("whole", 110, "x").replace("template: true", "complete: true");
    project.write("whole.promptblock", complete);
    project.write("b.promptblock", block("b", 120, "}"));
    let mut client = Start::in_folders(&[&project]).start();
    let found =
        client.wait_for_codes(&project.uri("b.promptblock"), &["replaced-by-complete", "stray-brace"]);
    assert_eq!(found.diagnostics[0]["tags"], json!([1]));
    assert_eq!(found.diagnostics[1].get("tags"), None, "a brace has its effect");
    client.stop();
}
