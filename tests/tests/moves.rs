//! What follows a file or folder that gets another name or place, in sessions with the real server.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, applied, range_of};
use serde_json::{Value, json};

const CONFIG: &str =
    "# 你🎉\r\ncatalogs = [\"data/cat.json\"]\r\nexclude = ['prompts/old/**', \"*.bak\"]\r\n";

fn block(id: &str) -> String {
    format!("---\r\nid: {id} # 名\r\nzone: context\r\norder: {}\r\n---\r\n你好\r\n", id.len())
}

fn project() -> Project {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.toml", CONFIG);
    project.write("data/cat.json", "{\"variables\": {}}");
    for name in ["one", "two", "三"] {
        project.write(&format!("prompts/{name}.promptblock"), block(&format!("demo:{name}")));
    }
    project
}

fn start(project: &Project, edits: Value, operations: Value) -> Client {
    let capabilities = json!({"workspace": {"workspaceEdit": edits, "fileOperations": operations}});
    let mut client = Start::in_folders(&[project]).capabilities(capabilities).start();
    client.settle();
    client
}

fn asking(project: &Project) -> Client {
    let edits = json!({"documentChanges": true, "changeAnnotationSupport": {"groupsOnLabel": true}});
    start(project, edits, json!({"willRename": true}))
}

fn moved(client: &mut Client, project: &Project, from: &str, to: &str) -> Value {
    let files = json!([{"oldUri": project.uri(from), "newUri": project.uri(to)}]);
    client.request("workspace/willRenameFiles", json!({"files": files}))
}

#[test]
fn the_configuration_follows() {
    let project = project();
    let mut client = asking(&project);
    let config = project.uri("promptblock.toml");
    let offered = &client.initialized["capabilities"]["workspace"]["fileOperations"];
    assert_eq!(offered["willRename"]["filters"][0]["pattern"]["glob"], "**/*");
    for (from, to, old, new) in [
        ("data/cat.json", "data/目录.json", "data/cat.json", "data/目录.json"),
        ("data", "in/data", "data/cat.json", "in/data/cat.json"),
        ("prompts", "提示", "prompts/old", "提示/old"),
    ] {
        let edit = moved(&mut client, &project, from, to);
        assert_eq!(edit["documentChanges"][0]["textDocument"], json!({"uri": config, "version": null}));
        let after = applied(&edit, &[(&config, CONFIG)], Encoding::Utf16);
        assert_eq!(after[&config], CONFIG.replace(old, new), "{from}");
    }
    // What it does not name is nobody's business: no edit.
    for (from, to) in
        [("prompts/one.promptblock", "prompts/x/one.promptblock"), ("dat", "x"), ("a.bak", "b.bak")]
    {
        assert_eq!(moved(&mut client, &project, from, to), Value::Null, "{from}");
    }
    // As it stands in its buffer, with its version.
    let typed = CONFIG.replace("\"*.bak\"", "\"*.bak\", \"data\"");
    client.open(&config, 5, &typed);
    let edit = moved(&mut client, &project, "data", "d");
    assert_eq!(edit["documentChanges"][0]["textDocument"]["version"], 5);
    let after = applied(&edit, &[(&config, &typed)], Encoding::Utf16);
    assert_eq!(after[&config], typed.replace("data", "d"));
    client.replace(&config, 6, "catalogs = [\"data/cat.json\n");
    assert_eq!(
        moved(&mut client, &project, "data", "d"),
        Value::Null,
        "nothing is written into what is broken"
    );
    client.stop();
}

#[test]
fn an_id_that_is_called_as_its_file_is_asked_about() {
    let project = project();
    let mut client = asking(&project);
    let uri = project.uri("prompts/one.promptblock");
    let text = block("demo:one");
    client.open(&uri, 3, &text);
    let edit = moved(&mut client, &project, "prompts/one.promptblock", "prompts/一.promptblock");
    let change = &edit["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({"uri": uri, "version": 3}));
    assert_eq!(change["edits"][0]["range"], range_of(&text, "demo:one", Encoding::Utf16));
    assert_eq!(change["edits"][0]["newText"], "demo:一");
    let annotation = change["edits"][0]["annotationId"].as_str().unwrap();
    assert_eq!(edit["changeAnnotations"][annotation]["needsConfirmation"], true);
    // An id that is taken, another kind of file, a place that is called alike.
    for to in ["prompts/two.promptblock", "prompts/one.md", "other/one.promptblock"] {
        assert_eq!(moved(&mut client, &project, "prompts/one.promptblock", to), Value::Null, "{to}");
    }
    // Where one block is called otherwise it is no habit.
    client.replace(&uri, 4, &block("demo:first"));
    client.diagnostics(&uri, 4);
    assert_eq!(
        moved(&mut client, &project, "prompts/two.promptblock", "prompts/zwei.promptblock"),
        Value::Null
    );
    client.stop();
}

#[test]
fn clients_that_can_less() {
    let project = project();
    let config = project.uri("promptblock.toml");
    // No question before a change: the id stays. No versions: plain changes.
    let mut client = start(&project, json!({}), json!({"willRename": true, "didRename": true}));
    assert_eq!(moved(&mut client, &project, "prompts/one.promptblock", "prompts/x.promptblock"), Value::Null);
    let edit = moved(&mut client, &project, "data", "d");
    assert!(edit.get("documentChanges").is_none() && edit.get("changeAnnotations").is_none(), "{edit}");
    assert_eq!(applied(&edit, &[(&config, CONFIG)], Encoding::Utf16)[&config], CONFIG.replace("data", "d"));
    client.stop();
    let client = start(&project, json!({}), json!({"didRename": true}));
    let offered = &client.initialized["capabilities"]["workspace"]["fileOperations"];
    assert!(offered.get("willRename").is_none() && offered.get("didRename").is_some(), "{offered}");
    client.stop();
}
