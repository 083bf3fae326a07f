//! Blocks and variables in TypeScript, as an editor sees them.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, range_of};
use serde_json::json;
use std::time::{Duration, Instant};

const CATALOG: &str = r#"{"variables": {"user_name": {"description": "昵称"}}}"#;
const SOURCE: &str = r#"// 你🎉
ctx.prompt.variable({ name: 'tone', description: '语气', mutable: () => true }, () => '')
ctx.prompt.block({ id: 't:src', zone: 'context', order: 30, template: true, content: '\u4f60\n🎉 {nme} {tone}' })
"#;

fn project() -> Project {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    project.write("src/p.ts", SOURCE);
    project.write(
        "a.promptblock",
        "---\nid: t:a\nzone: system\norder: 10\ntemplate: true\n---\n{tone} {user_name}\n",
    );
    project
}

#[test]
fn the_rules_work_inside_texts_and_what_is_registered_counts() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let (a, source) = (project.uri("a.promptblock"), project.uri("src/p.ts"));
    client.wait_for_codes(&a, &["mutable-in-system"]);
    client.wait_for_codes(&source, &["unknown-variable"]);
    client.open(&source, 1, SOURCE);
    let found = client.diagnostics(&source, 1);
    assert_eq!(found.codes(), ["unknown-variable"]);
    // Where the variable is no longer registered, nobody knows it.
    let without = SOURCE.lines().filter(|line| !line.contains("variable")).collect::<Vec<_>>().join("\n");
    client.replace(&source, 2, &without);
    client.wait_for_codes(&source, &["unknown-variable", "unknown-variable"]);
    client.wait_for_codes(&a, &["unknown-variable"]);
    client.close(&source);
    client.wait_for_codes(&a, &["mutable-in-system"]);
    // An id that a block has too.
    project.write("src/p.ts", SOURCE.replace("t:src", "t:a"));
    client.watched(&[(&source, 2)]);
    client.wait_for_codes(&source, &["duplicate-id", "unknown-variable"]);
    client.wait_for_codes(&a, &["duplicate-id", "mutable-in-system"]);
    project.remove("src/p.ts");
    client.watched(&[(&source, 3)]);
    client.wait_for_codes(&a, &["unknown-variable"]);
    client.stop();
}

#[test]
fn hover_completion_and_definition_at_their_places() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let source = project.uri("src/p.ts");
    client.open(&source, 1, SOURCE);
    client.diagnostics(&source, 1);
    let place = |piece: &str| range_of(SOURCE, piece, Encoding::Utf16);
    let ask = |position: &serde_json::Value| json!({"textDocument": {"uri": source}, "position": position});
    let within = |mut range: serde_json::Value, by: u64| {
        range["start"]["character"] = (range["start"]["character"].as_u64().unwrap() + by).into();
        range["start"].clone()
    };

    let hover = client.request("textDocument/hover", ask(&within(place("{tone}"), 2)));
    assert!(hover["contents"].to_string().contains("语气"), "{hover}");
    assert_eq!(hover["range"]["start"], within(place("{tone}"), 1), "{hover}");

    let found = client.request("textDocument/completion", ask(&within(place("{nme}"), 4)));
    let name = found.as_array().unwrap().iter().find(|item| item["label"] == "user_name").unwrap();
    assert_eq!(name["textEdit"]["range"]["start"], within(place("{nme}"), 1), "{name}");

    let there = client.request("textDocument/definition", ask(&within(place("{tone}"), 2)));
    let there = there.as_array().map_or(there.clone(), |all| all[0].clone());
    let range = there.get("targetSelectionRange").or_else(|| there.get("range")).unwrap();
    assert_eq!(*range, place("'tone'"), "{there}");

    // Outside the texts nothing is said.
    for piece in ["zone:", "ctx.prompt.block", "'context'", "// 你"] {
        let at = within(place(piece), 1);
        assert!(client.request("textDocument/hover", ask(&at)).is_null(), "{piece}");
        assert!(client.request("textDocument/completion", ask(&at)).is_null(), "{piece}");
    }
    client.stop();
}

#[test]
fn a_source_that_registers_nothing_is_none_of_ours() {
    let project = project();
    project.write("src/p.test.ts", SOURCE);
    project.write("dist/p.js", SOURCE);
    let mut client = Start::in_folders(&[&project]).start();
    for path in ["src/p.test.ts", "dist/p.js"] {
        client.open(&project.uri(path), 1, SOURCE);
        assert_eq!(client.diagnostics(&project.uri(path), 1).codes(), [""; 0]);
    }
    let other = project.uri("src/other.ts");
    client.open(&other, 1, "const prompt = '{nme} {if x}'\nprompt.block({ content: prompt })\n");
    assert_eq!(client.diagnostics(&other, 1).codes(), [""; 0]);
    let position = json!({"line": 0, "character": 18});
    let ask = json!({"textDocument": {"uri": other}, "position": position});
    for method in ["hover", "completion", "definition", "documentSymbol", "foldingRange", "formatting"] {
        let mut params = ask.clone();
        params["options"] = json!({"tabSize": 2, "insertSpaces": true});
        let answer = client.request(&format!("textDocument/{method}"), params);
        assert!(answer.is_null() || answer == json!([]), "{method}: {answer}");
    }
    client.stop();
}

#[test]
fn what_blocks_alone_have_is_announced_for_their_language() {
    let project = project();
    let later = json!({"dynamicRegistration": true});
    let tokens = json!({"dynamicRegistration": true, "requests": {}, "tokenTypes": [], "tokenModifiers": [], "formats": []});
    let features = [
        ("formatting", "documentFormattingProvider", &later),
        ("rangeFormatting", "documentRangeFormattingProvider", &later),
        ("onTypeFormatting", "documentOnTypeFormattingProvider", &later),
        ("foldingRange", "foldingRangeProvider", &later),
        ("semanticTokens", "semanticTokensProvider", &tokens),
    ];
    let start = Start::in_folders(&[&project]);
    let start = features.iter().fold(start, |start, (feature, _, can)| start.can(feature, (*can).clone()));
    let mut client = start.start();
    for (_, provider, _) in features {
        assert!(client.initialized["capabilities"].get(provider).is_none(), "{provider}");
    }
    client.wait_until("the registrations", |client| registered(client).len() == features.len());
    for one in registered(&client) {
        assert_eq!(one["registerOptions"]["documentSelector"], json!([{"language": "promptblock"}]), "{one}");
    }
    let block = project.uri("a.promptblock");
    client.open(&block, 1, "---\nid: t:a\nzone:  system\norder: 10\ntemplate: true\n---\n{user_name}\n");
    let params = json!({"textDocument": {"uri": block}, "options": {"tabSize": 2, "insertSpaces": true}});
    assert_eq!(client.request("textDocument/formatting", params).as_array().unwrap().len(), 1);
    client.stop();
}

/// The registrations of features.
fn registered(client: &Client) -> Vec<serde_json::Value> {
    let asked = client.requests.iter().filter(|request| request["method"] == "client/registerCapability");
    let all = asked.flat_map(|request| request["params"]["registrations"].as_array().unwrap().clone());
    all.filter(|one| one["method"].as_str().unwrap().starts_with("textDocument/")).collect()
}

/// A letter typed there.
fn insert(line: u64, character: u64) -> serde_json::Value {
    let at = json!({"line": line, "character": character});
    json!([{"range": {"start": at, "end": at}, "text": "x"}])
}

#[test]
fn large_sources_do_not_stall_the_server() {
    let project = project();
    let minified = format!("{SOURCE}{}", "var a=(b,c)=>{return b?c:[b,c]},d=`e`;\n".repeat(50_000));
    let megabyte =
        format!("{SOURCE}{}", "export function f(a: number): number {\n  return a;\n}\n".repeat(20_000));
    let other = SOURCE.replace("t:src", "t:below").replace("30", "31");
    let below =
        format!("{other}{}", "export function f(a: number): number {\n  return a;\n}\n".repeat(8_000));
    assert!(minified.len() > 1_000_000 && megabyte.len() > 1_000_000 && below.len() > 400_000);
    let mut client = Start::in_folders(&[&project]).start();
    let block = project.uri("a.promptblock");
    client.wait_for_codes(&block, &["mutable-in-system"]);
    let hover = json!({"textDocument": {"uri": block}, "position": {"line": 6, "character": 2}});
    for (name, text) in [("minified.js", &minified), ("megabyte.ts", &megabyte)] {
        let uri = project.uri(name);
        let begun = Instant::now();
        client.open(&uri, 1, text);
        for version in 2..30 {
            client.change(&uri, version, insert(0, 3));
        }
        assert!(!client.request("textDocument/hover", hover.clone()).is_null());
        assert_eq!(client.diagnostics(&uri, 29).codes(), [""; 0], "{name} is not read");
        assert!(begun.elapsed() < Duration::from_secs(5), "{name}: {:?}", begun.elapsed());
        client.close(&uri);
    }
    // Below the limit an edit costs what it changes.
    let uri = project.uri("below.ts");
    client.open(&uri, 1, &below);
    assert_eq!(client.diagnostics(&uri, 1).codes(), ["unknown-variable"]);
    let begun = Instant::now();
    let place = range_of(&below, "{tone}", Encoding::Utf16);
    let (line, character) =
        (place["start"]["line"].as_u64().unwrap(), place["start"]["character"].as_u64().unwrap());
    for version in 2..12 {
        client.change(&uri, version, insert(line, character + 1));
        let wanted: &[&str] = &["unknown-variable", "unknown-variable"];
        assert_eq!(client.diagnostics(&uri, version).codes(), wanted);
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    client.stop();
}
