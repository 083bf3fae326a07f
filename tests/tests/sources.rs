//! Blocks and variables in TypeScript, as an editor sees them.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, offset, range_of};
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

/// Blocks of every kind of literal, and two of which only the running program knows the text or the name.
const KINDS: &str = r#"// 你🎉
const RULES = 'x {if a}'
ctx.prompt.block({ id: 't:single', zone: 'system', order: 20, template: true, content: 'it\'s {user_nme}\n{if user_name}y{/if}' })
ctx.prompt.block({ id: 't:double', zone: 'system', order: 30, template: true, content: "\u4f60 {user_nme} {\"a\": 1}" })
ctx.prompt.block({ id: 't:template', zone: 'system', order: 40, template: true, content: `🎉
{user_nme} \${x}` })
ctx.prompt.block({ id: 't:raw', zone: 'system', order: 50, template: true, content: String.raw`{user_nme}` })
ctx.prompt.block({ id: `t:${x}`, zone: 'context', order: 60, content: f() })
"#;

#[test]
fn the_outline_lists_what_is_computed() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let uri = project.uri("src/kinds.ts");
    client.open(&uri, 1, KINDS);
    client.diagnostics(&uri, 1);
    let outline = client.request("textDocument/documentSymbol", json!({"textDocument": {"uri": uri}}));
    let said = |symbol: &serde_json::Value| {
        format!("{} | {}", symbol["name"].as_str().unwrap(), symbol["detail"].as_str().unwrap_or("-"))
    };
    let all: Vec<String> = outline.as_array().unwrap().iter().map(said).collect();
    assert_eq!(
        all,
        [
            "t:single | system 20 · setting and scene",
            "t:double | system 30 · setting and scene",
            "t:template | system 40 · setting and scene",
            "t:raw | system 50 · resident lore · computed",
            "(computed id) | context 60 · computed",
        ]
    );
    assert_eq!(said(&outline[0]["children"][0]), "{if user_name} | y");
    let range = range_of(KINDS, "{if user_name}", Encoding::Utf16);
    assert_eq!(outline[0]["children"][0]["selectionRange"], range);
    client.stop();
}

#[test]
fn edits_inside_strings_are_valid_in_their_kind_of_quote() {
    let project = project();
    for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
        let mut client = Start::in_folders(&[&project]).encoding(encoding).start();
        for (version, line_end) in [(1, "\n"), (2, "\r\n")] {
            let text = KINDS.replace('\n', line_end);
            let uri = project.uri("src/kinds.ts");
            client.open(&uri, version, &text);
            let found = client.diagnostics(&uri, version);
            let unknown = "unknown-variable";
            let codes = [unknown, unknown, "literal-braces", unknown, unknown];
            assert_eq!(found.codes(), codes);
            for (at, piece) in [(0, "user_nme"), (1, "user_nme"), (2, r#"{\"a\": 1}"#), (3, "user_nme")] {
                let range = &found.diagnostics[at]["range"];
                let params =
                    json!({"textDocument": {"uri": uri}, "range": range, "context": {"diagnostics": []}});
                let actions = client.request("textDocument/codeAction", params);
                let first = &actions[0]["edit"]["documentChanges"][0]["edits"];
                let edited = apply(&text, first.as_array().unwrap(), encoding);
                let wanted = if piece == "user_nme" { "{user_name}" } else { r#"{{\"a\": 1}}"# };
                assert!(edited.contains(wanted), "{edited}\n{actions}");
                // The first of the name is the one that was meant only where it stands alone.
                let before = offset(&text, start_of(range), encoding);
                assert_eq!(edited.get(..before), text.get(..before), "what stands before");
                let written = if piece == "user_nme" { piece } else { "{" };
                let behind = text.get(before + written.len()..).unwrap();
                assert!(edited.ends_with(behind) || piece != "user_nme", "{edited}");
            }
            client.close(&uri);
        }
        client.stop();
    }
}

fn start_of(range: &serde_json::Value) -> (usize, usize) {
    place(&range["start"])
}

fn place(position: &serde_json::Value) -> (usize, usize) {
    let number = |key: &str| usize::try_from(position[key].as_u64().unwrap()).unwrap();
    (number("line"), number("character"))
}

/// The text with edits of one answer applied.
fn apply(text: &str, edits: &[serde_json::Value], encoding: Encoding) -> String {
    let mut text = text.to_owned();
    let mut edits: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let at = |key: &str| offset(&text, place(&edit["range"][key]), encoding);
            (at("start"), at("end"), edit["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort();
    for (start, end, new) in edits.into_iter().rev() {
        text.replace_range(start..end, new);
    }
    text
}

#[test]
fn the_assembly_knows_where_a_text_stands_and_names_what_is_computed() {
    let project = project();
    project.write("src/kinds.ts", KINDS);
    let mut client = Start::in_folders(&[&project]).start();
    let uri = project.uri("src/kinds.ts");
    client.wait_for_codes(&project.uri("a.promptblock"), &["mutable-in-system"]);
    client.open(&uri, 1, KINDS);
    client.diagnostics(&uri, 1);
    let answer = client.request("promptblock/assembly", json!({"textDocument": {"uri": uri}}));
    let blocks = answer["blocks"].as_array().unwrap();
    let double = blocks.iter().find(|block| block["id"] == "t:double").unwrap();
    assert_eq!(double["uri"], uri);
    let pieces: Vec<(&str, String)> = double["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .map(|piece| {
            let at = |key: &str| offset(KINDS, place(&piece["range"][key]), Encoding::Utf16);
            (piece["text"].as_str().unwrap(), KINDS[at("start")..at("end")].to_owned())
        })
        .collect();
    let expected = [
        ("你", "\\u4f60"),
        (" {user_nme} {", " {user_nme} {"),
        ("\"", "\\\""),
        ("a", "a"),
        ("\"", "\\\""),
        (": 1}", ": 1}"),
    ];
    assert_eq!(pieces, expected.map(|(text, source)| (text, source.to_owned())));
    let computed: Vec<(&serde_json::Value, String)> = answer["computed"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            let at = |key: &str| offset(KINDS, place(&one["range"][key]), Encoding::Utf16);
            assert_eq!(one["uri"], uri);
            (&one["id"], KINDS[at("start")..at("end")].to_owned())
        })
        .collect();
    assert_eq!(computed, [(&json!("t:raw"), "block".to_owned()), (&json!(null), "block".to_owned())]);
    let lenses = client.request("textDocument/codeLens", json!({"textDocument": {"uri": uri}}));
    let lines: Vec<u64> = lenses
        .as_array()
        .unwrap()
        .iter()
        .map(|lens| lens["range"]["start"]["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [2, 2, 3, 3, 4, 4], "{lenses}");
    client.stop();
}
