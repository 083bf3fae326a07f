//! Every code at its place, in all three encodings: with CJK, emoji, combining marks and joined emoji before it, with and without a
//! byte order mark, with both line ends, from the disk and from the buffer.
//!
//! A fixture marks the bytes of its code with `⟪` and `⟫`; `§` stands for what is longer in one encoding than in another.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_core::Code;
use promptblock_tests::{Client, Encoding, Project, Start, offset};
use serde_json::Value;
use std::collections::BTreeSet;

const WIDE: &str = "e\u{301}你😀👩\u{200d}👧";
/// Only an assembly reports these.
const LATER: [Code; 3] = [Code::MissingValue, Code::InvalidCount, Code::LimitReached];
/// Before these no other character than a byte order mark can stand in their line.
const AT_THE_START: [Code; 1] = [Code::MissingKey];

const CATALOG: &str = r#"{"variables": {"time": {"mutable": true}, "mood": {"mutable": {"when": "is_group == true"}},
  "here": {"zones": ["context"]}, "city": {"args": ["a"]}, "name": {}, "words": {"type": "text"}}}
"#;

/// Files of a project, each a name and a text with its marks.
type Files = Vec<(&'static str, String)>;

fn block(header: &str, body: &str) -> String {
    format!("---\n{header}\n---\n§\n{body}\n")
}

/// A block whose body is the matter.
fn in_zone(zone: &str, body: &str) -> Files {
    let header = format!("id: 群§:a\nzone: {zone}\norder: 120\ntemplate: true");
    vec![("promptblock.catalog.json", CATALOG.to_owned()), ("a.promptblock", block(&header, body))]
}

/// Blocks whose headers are the matter, each on one line, so that something can stand before each value.
fn headers(config: &str, headers: &[&str]) -> Files {
    let names = ["a.promptblock", "b.promptblock"];
    let blocks = names.into_iter().zip(headers).map(|(name, header)| (name, block(header, "§ text §")));
    [("promptblock.catalog.json", CATALOG.to_owned()), ("promptblock.toml", config.to_owned())]
        .into_iter()
        .chain(blocks)
        .collect()
}

fn fixture(code: Code) -> Option<Files> {
    let context = |body| in_zone("context", body);
    let system = |body| in_zone("system", body);
    let header = |one| headers("", &[one]);
    Some(match code {
        Code::UnknownVariable => context("§ {⟪nobody⟫} § {if ⟪缺e\u{301}⟫.a > 1}{/if}"),
        Code::MutableInSystem => system("§ {⟪time⟫} {if ⟪time⟫ == \"😀\"}§{/if}"),
        Code::MutabilityUndetermined => system("§{⟪mood⟫}"),
        Code::ZoneMismatch => system("§ {⟪here⟫}"),
        Code::ArgumentCount => context("§{city ⟪你 😀⟫}§{⟪city⟫}"),
        Code::DuplicateId => headers(
            "",
            &[
                "{description: \"§\", id: ⟪\"群😀:x\"⟫, zone: context, order: 1}",
                "{description: \"§\", zone: context, order: 2, id: ⟪群😀:x⟫}",
            ],
        ),
        Code::OrderOutOfRange => header("{id: \"§:a\", zone: system, order: ⟪300⟫}"),
        Code::MissingPrompt => header("{id: \"§:a\", zone: ⟪input⟫}"),
        Code::MultipleComplete => headers(
            "",
            &[
                "{id: \"§:a\", zone: system, order: 1, complete: ⟪true⟫}",
                "{id: \"§:b\", complete: ⟪true⟫, zone: system, order: 2}",
            ],
        ),
        Code::InvalidHeader => header("{id: \"§:a\", ⟪id⟫: \"t:b\", zone: context, order: 1}"),
        Code::MissingKey => {
            vec![("a.promptblock", "⟪---⟫\ndescription: §\nzone: context\norder: 1\n---\n§\n".to_owned())]
        }
        Code::InvalidValue => header("{id: \"§:a\", zone: ⟪\"nowhere😀\"⟫, order: 1}"),
        Code::InvalidCatalog => vec![(
            "promptblock.catalog.json",
            "{\"variables\": {\"a\": {\"description\": \"§\"}, \"b\": {\"mutable\": ⟪\"你\"⟫}}}\n".to_owned(),
        )],
        Code::DuplicateVariable => vec![(
            "promptblock.catalog.json",
            "{\"variables\": {\"你\": {\"description\": \"§\"}, ⟪\"你\"⟫: {}}}\n".to_owned(),
        )],
        Code::InvalidEnvironment => {
            vec![("promptblock.env.json", "{\"群\": {\"x\": \"§\"}, \"b\": ⟪\"😀\"⟫}\n".to_owned())]
        }
        Code::InvalidConfig => {
            vec![("promptblock.toml", "# §\ncatalogs = [\"§\", ⟪1⟫]\n".to_owned())]
        }
        Code::MalformedReference => {
            let mut files = system("§ ⟪{{Bad 名字}}⟫ {{name}}");
            files.push(("promptblock.toml", "profile = \"harness\"\n".to_owned()));
            files
        }
        Code::UnclosedTag => context("§ ⟪{if name == \"😀\"}⟫ §"),
        Code::UnexpectedTag => context("§ ⟪{/if}⟫ §"),
        Code::InvalidExpression => context("§ ⟪{if 你 >}⟫ §{/if}"),
        Code::EscapedVariable => context("§ ⟪{{name}}⟫ §"),
        Code::NoCatalog => vec![(
            "a.promptblock",
            block("id: 群§:a\nzone: context\norder: 1\ntemplate: true", "§ {⟪你好⟫} {b}"),
        )],
        Code::LiteralBraces => context("§ ⟪{⟫\"你\": {\"😀\": 1}} §"),
        Code::InertTag => context("§ {\"你\": ⟪{name}⟫} §"),
        Code::UnknownKey => header("{id: \"§:a\", zone: context, order: 1, ⟪\"键😀\"⟫: x}"),
        Code::OrderConflict => headers(
            "",
            &["{id: \"§:a\", zone: context, order: ⟪5⟫}", "{id: \"§:b\", order: ⟪5.0⟫, zone: context}"],
        ),
        Code::EndlessWhile => context("§ {while ⟪name == \"😀\"⟫}§{/while}"),
        Code::NotAList => context("§ {for x in ⟪words⟫}{x}{/for}"),
        Code::OverBudget => headers(
            "[budget]\ncontext = 1\n",
            &["{description: \"§\", id: ⟪群😀:x⟫, zone: context, order: 1}"],
        ),
        Code::OrderOffBand => header("{id: \"§:a\", zone: system, order: ⟪-250⟫}"),
        Code::ReplacedByComplete => headers(
            "",
            &[
                "{id: \"§:a\", zone: system, order: 1, complete: true}",
                "{description: \"§\", id: ⟪群😀:b⟫, zone: system, order: 2}",
            ],
        ),
        Code::VolatileLiteral => system("§ 现在是 ⟪2026-11-30 14:00⟫ §"),
        Code::StrayBrace => context("§ ⟪}⟫ § ⟪{⟫ §"),
        Code::IdWithoutPrefix => header("{description: \"§\", id: ⟪\"群😀\"⟫, zone: context, order: 1}"),
        Code::TemplateNotEnabled => {
            let header = "id: 群§:a\nzone: context\norder: 1";
            vec![
                ("promptblock.catalog.json", CATALOG.to_owned()),
                ("a.promptblock", block(header, "§ ⟪{name}⟫ {name}")),
            ]
        }
        Code::UnusedVariable => vec![(
            "promptblock.catalog.json",
            "{\"$schema\": \"§\", \"variables\": {⟪\"没人\"⟫: {\"description\": \"§\"}, ⟪\"用\"⟫: {}}}\n"
                .to_owned(),
        )],
        _ => return None,
    })
}

/// A file as it is written, and what is expected in it.
struct File {
    path: String,
    text: String,
    code: Code,
    spans: BTreeSet<(usize, usize)>,
}

/// Takes the marks out.
fn read(marked: &str) -> (String, BTreeSet<(usize, usize)>) {
    let (mut text, mut spans, mut start) = (String::new(), BTreeSet::new(), None);
    for char in marked.chars() {
        match char {
            '⟪' => start = Some(text.len()),
            '⟫' => {
                spans.insert((start.take().unwrap(), text.len()));
            }
            char => text.push(char),
        }
    }
    (text, spans)
}

/// Every file of every code, in each way that a file can be written.
fn files() -> Vec<File> {
    let mut all = Vec::new();
    for code in Code::ALL.iter().copied().filter(|code| !LATER.contains(code)) {
        let fixture = fixture(code).unwrap_or_else(|| panic!("no fixture for {}", code.name()));
        assert!(fixture.iter().any(|(_, text)| text.contains('⟪')), "{} is nowhere", code.name());
        for (way, mark, line_end) in [
            ("lf", "", "\n"),
            ("crlf", "", "\r\n"),
            ("mark-lf", "\u{feff}", "\n"),
            ("mark-crlf", "\u{feff}", "\r\n"),
        ] {
            for (name, text) in &fixture {
                // Where no mark stands a file is only needed.
                let marked = text.replace('§', WIDE).replace('\n', line_end);
                let (text, spans) = read(&format!("{mark}{marked}"));
                for (start, _) in &spans {
                    let line = &text[text[..*start].rfind('\n').map_or(0, |at| at + 1)..*start];
                    assert!(!line.is_ascii() || AT_THE_START.contains(&code), "{}: {line:?}", code.name());
                }
                all.push(File { path: format!("{}/{way}/{name}", code.name()), text, code, spans });
            }
        }
    }
    all
}

/// The ranges of a code as bytes of the text that the client has.
fn spans(found: &[Value], code: Code, text: &str, encoding: Encoding) -> BTreeSet<(usize, usize)> {
    let of_code = found.iter().filter(|one| one["code"] == code.name());
    of_code
        .map(|one| {
            let place = |end: &str| {
                let number = |key: &str| usize::try_from(one["range"][end][key].as_u64().unwrap()).unwrap();
                offset(text, (number("line"), number("character")), encoding)
            };
            (place("start"), place("end"))
        })
        .collect()
}

fn shown<'t>(text: &'t str, spans: &BTreeSet<(usize, usize)>) -> Vec<&'t str> {
    spans.iter().map(|(start, end)| text.get(*start..*end).unwrap_or("not on characters")).collect()
}

fn each_code_at_its_place(encoding: Encoding) {
    let project = Project::new("");
    let files = files();
    assert!(files.len() > 200, "{}", files.len());
    for file in &files {
        let folder = file.path.rsplit_once('/').unwrap().0;
        let config = format!("{folder}/promptblock.toml");
        // Each is a project of its own.
        if !project.path(&config).exists() {
            project.write(&config, "");
        }
        project.write(&file.path, &file.text);
    }
    let mut client = Start::in_folders(&[&project]).encoding(encoding).start();
    let mut wrong = Vec::new();
    let mut compare = |file: &File, text: &str, cut: usize, found: &[Value], from: &str| {
        let expected: BTreeSet<(usize, usize)> =
            file.spans.iter().map(|(start, end)| (start - cut, end - cut)).collect();
        let found = spans(found, file.code, text, encoding);
        if found != expected {
            let (found, expected) = (shown(text, &found), shown(text, &expected));
            wrong.push(format!("{} {from}: {found:?}, not {expected:?}", file.path));
        }
    };
    let marked = || files.iter().filter(|file| !file.spans.is_empty());
    // From the disk: an editor strips the mark, so it takes no place.
    for file in marked() {
        let uri = project.uri(&file.path);
        let has_code = |client: &Client| client.codes(&uri).iter().any(|code| code == file.code.name());
        client.wait_until(&format!("{} in {}", file.code.name(), file.path), has_code);
    }
    client.settle();
    for file in marked() {
        let text = file.text.trim_start_matches('\u{feff}');
        let found = &client.published[&project.uri(&file.path)].diagnostics;
        compare(file, text, file.text.len() - text.len(), found, "on disk");
    }
    // From the buffer: a mark that the client sends is a character.
    for file in &files {
        client.open(&project.uri(&file.path), 1, &file.text);
    }
    client.settle();
    for file in marked() {
        let found = client.diagnostics(&project.uri(&file.path), 1).diagnostics;
        compare(file, &file.text, 0, &found, "in its buffer");
    }
    assert!(wrong.is_empty(), "{encoding:?}:\n{}", wrong.join("\n"));
    client.stop();
}

#[test]
fn utf_8() {
    each_code_at_its_place(Encoding::Utf8);
}

#[test]
fn utf_16() {
    each_code_at_its_place(Encoding::Utf16);
}

#[test]
fn utf_32() {
    each_code_at_its_place(Encoding::Utf32);
}
