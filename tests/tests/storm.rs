//! Edits and requests as fast as they can be sent. Whatever the server does in between, in the end it must know exactly the text
//! that the client has, and a request must have seen the text of its moment.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Dice, Encoding, Project, Start, position, range};
use serde_json::{Value, json};

const EDITS: usize = 10_000;
const REQUESTS: usize = 2_000;
/// Every so many requests for tokens one is compared with a fresh server's.
const SAMPLE: usize = 40;
/// The text is cut when it grows beyond.
const LARGEST: usize = 4_000;

const HEADER: &str = "---\r\nid: 群:规则\nzone: system\norder: 120\ntemplate: true\n---\n";
const BODY: &str = "你好 {名字}，\r\n{if is_group}大家{else}你{/if}\n";

const CATALOG: &str = r#"{"variables": {
  "名字": {"description": "谁"},
  "time": {"mutable": true, "zones": ["context"]},
  "is_group": {"type": "boolean"},
  "items": {"type": "list"},
  "weather": {"args": ["city"]}
}}
"#;

const PIECES: &[&str] = &[
    "a",
    " ",
    "你",
    "😀",
    "e\u{301}",
    "\u{200d}",
    "\n",
    "\r\n",
    "\r",
    "{",
    "}",
    "{{",
    "}}",
    "{名字}",
    "{time}",
    "{nmae}",
    "{if is_group}",
    "{elseif time == \"晚\"}",
    "{else}",
    "{/if}",
    "{for x in items}",
    "{x.名}",
    "{/for}",
    "{weather 北京}",
    "{repeat 3}",
    "{/repeat}",
    "{\"a\": {\"b\": 1}}",
    "\u{2028}",
    "\u{feff}",
    "今天是 2026-11-30",
    "2026-11-30 14:00",
    "```\n",
    "",
];
const HEADER_PIECES: &[&str] = &[
    "---\n",
    "zone: context\n",
    "id: 别的:规则\n",
    "order: 5\n",
    "template: false\n",
    "\n",
    "😀",
    "allow: [stray-brace]\r\n",
    "",
];

/// A place that a client could name: not within a line break.
fn place(text: &str, within: std::ops::RangeInclusive<usize>, dice: &mut Dice) -> usize {
    let mut at = within.start() + dice.roll(within.end() + 1 - within.start());
    while !text.is_char_boundary(at) || splits_a_break(text, at) {
        at -= 1;
    }
    at
}

fn splits_a_break(text: &str, at: usize) -> bool {
    text[..at].ends_with('\r') && text[at..].starts_with('\n')
}

/// One edit, applied to the text, as the protocol has it. Mostly small and in the body, so that the text has some structure.
fn edit(text: &mut String, dice: &mut Dice, encoding: Encoding) -> Value {
    let sound = text.starts_with(HEADER);
    if dice.roll(if sound { 700 } else { 20 }) == 0 {
        // The header is mended by giving all of the text, the body is as it was.
        let body = text.rsplit_once("---\n").map_or(BODY, |(_, body)| body);
        *text = format!("{HEADER}{body}");
        return json!({"text": *text});
    }
    let in_header = !sound || dice.roll(200) == 0;
    let within = if in_header { 0..=text.len().min(HEADER.len()) } else { HEADER.len()..=text.len() };
    let start = place(text, within, dice);
    let mut end = start;
    let long = if text.len() > LARGEST { 2000 } else { 6 };
    for _ in 0..dice.roll(long) {
        end = (end + 1..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(end);
    }
    if splits_a_break(text, end) {
        end += 1;
    }
    let pieces = if in_header { HEADER_PIECES } else { PIECES };
    let new: String = (0..=dice.roll(3)).map(|_| *dice.pick(pieces)).collect();
    let range = range(text, start, end, encoding);
    text.replace_range(start..end, &new);
    json!({"range": range, "text": new})
}

fn request(client: &mut Client, uri: &str, text: &str, dice: &mut Dice, encoding: Encoding) -> i64 {
    let (line, character) = position(text, place(text, 0..=text.len(), dice), encoding);
    let place = json!({"line": line, "character": character});
    let document = json!({"uri": uri});
    let at = json!({"textDocument": document, "position": place});
    match dice.roll(6) {
        0 => client.ask("textDocument/hover", at),
        1 => client.ask("textDocument/completion", at),
        2 => client.ask("textDocument/definition", at),
        3 => client.ask("textDocument/documentSymbol", json!({"textDocument": document})),
        4 => client.ask("textDocument/foldingRange", json!({"textDocument": document})),
        _ => {
            let range = json!({"start": {"line": 0, "character": 0}, "end": place});
            let context = json!({"diagnostics": []});
            client.ask(
                "textDocument/codeAction",
                json!({"textDocument": document, "range": range, "context": context}),
            )
        }
    }
}

/// Tokens of a text that a fresh server gives.
fn fresh(project: &Project, uri: &str, text: &str, encoding: Encoding) -> (Vec<u64>, Vec<Value>, Vec<Value>) {
    let mut client = Start::in_folders(&[project]).encoding(encoding).start();
    client.open(uri, 1, text);
    // When the folders are read, everything is published once more.
    client.wait_until("the folder is read", |client| {
        client.published.contains_key(&project.uri("read.promptblock"))
    });
    client.settle();
    let found = client.diagnostics(uri, 1).diagnostics;
    let catalog = client.published.get(&project.uri("promptblock.catalog.json")).cloned().unwrap_or_default();
    let tokens = client.tokens(uri);
    client.stop();
    (tokens, found, catalog.diagnostics)
}

fn storm(encoding: Encoding, seed: u64) {
    let project = Project::new("//- promptblock.toml\n");
    project.write("promptblock.catalog.json", CATALOG);
    // Has a finding in any case, and so shows when the folder is read.
    project.write(
        "read.promptblock",
        "---\nid: 群:规则\nzone: context\norder: 5\ntemplate: true\n---\n{nobody}\n",
    );
    let mut client = Start::in_folders(&[&project]).encoding(encoding).start();
    let uri = project.uri("群 规则.promptblock");
    let mut dice = Dice::new(seed);
    let mut text = format!("{HEADER}{BODY}");
    client.open(&uri, 0, &text);
    let (mut asked, mut samples) = (Vec::new(), Vec::new());
    let mut version = 0;
    let mut edits = 0;
    while edits < EDITS {
        version += 1;
        let changes: Vec<Value> = (0..=dice.roll(3)).map(|_| edit(&mut text, &mut dice, encoding)).collect();
        edits += changes.len();
        client.change(&uri, version, json!(changes));
        while asked.len() * EDITS < edits * REQUESTS {
            let id = if asked.len() % 4 == 0 {
                let id =
                    client.ask("textDocument/semanticTokens/full", json!({"textDocument": {"uri": uri}}));
                if asked.len() % (4 * SAMPLE) == 0 {
                    samples.push((id, text.clone()));
                }
                id
            } else {
                request(&mut client, &uri, &text, &mut dice, encoding)
            };
            asked.push(id);
        }
    }
    assert!(asked.len() >= REQUESTS);
    let mut seen = Vec::new();
    for id in asked {
        let answer = client.answer(id);
        assert!(answer.get("error").is_none(), "{answer}");
        if let Some((_, then)) = samples.iter().find(|(sample, _)| *sample == id) {
            seen.push((answer["result"]["data"].clone(), then.clone()));
        }
    }
    let found = client.diagnostics(&uri, version).diagnostics;
    client.settle();
    let catalog = client.published.get(&project.uri("promptblock.catalog.json")).cloned().unwrap_or_default();
    let tokens = client.tokens(&uri);
    client.stop();

    let expected = fresh(&project, &uri, &text, encoding);
    assert_eq!(tokens, expected.0, "tokens, seed {seed}, of {text:?}");
    assert_eq!(found, expected.1, "diagnostics, seed {seed}, of {text:?}");
    assert_eq!(catalog.diagnostics, expected.2, "unused variables, seed {seed}, of {text:?}");
    // Otherwise the storm blows over an empty field.
    assert!(tokens.len() > 500 && found.len() > 30, "{} tokens, {} findings", tokens.len() / 5, found.len());
    assert!(seen.len() > 5);
    for (tokens, then) in seen {
        let expected = fresh(&project, &uri, &then, encoding).0;
        assert_eq!(
            tokens,
            json!(expected),
            "a request saw another text than that of its moment, seed {seed}: {then:?}"
        );
    }
}

#[test]
fn utf8() {
    storm(Encoding::Utf8, 1);
}

#[test]
fn utf16() {
    storm(Encoding::Utf16, 2);
}

#[test]
fn utf32() {
    storm(Encoding::Utf32, 3);
}
