//! What holds for every file: the tree has no ERROR and no MISSING node, leaves nothing out but blanks
//! and line breaks beside the delimiters, and is the same after an edit as from scratch. What single
//! constructs look like stands in `test/corpus`.

mod queries;
#[path = "../../../testing/trees.rs"]
mod trees;

use tree_sitter::{Parser, Tree};
use trees::{Random, assert_edits_equal_fresh_parses, assert_sound, listing};

const CHARACTERS: &[&str] = &[
    "-", "---", " ", "\t", "\n", "\r", "\r\n", ":", "#", "\"", "'", "\\", "template", "true", "x", "é", "名",
    "🎉", "\0", "\u{feff}", "{", "}", "[", "|",
];

const PIECES: &[&str] = &[
    "---\n",
    "---\r\n",
    "--- \t\n",
    "---",
    "\n",
    "\r",
    "template: true\n",
    "template: false\n",
    "template: TRUE # on\r",
    "\"template\" : True\n",
    "'template': true",
    "template:",
    " true",
    "id: t:a\n",
    "名: 字\r\n",
    "  ",
    "\t",
    "- a\n",
    "# c\n",
    "a b : c\n",
    "\"k\\\"\": v\n",
    "text {x} {if y}\n",
    "----\n",
    "-",
    "\0",
    "\u{feff}",
    "🎉",
    ": ",
    "#",
];

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&crate::LANGUAGE.into()).unwrap();
    parser
}

/// What the tree says of a file: the header's content, and the body with its kind.
fn parts(text: &str, tree: &Tree) -> (Option<String>, Option<(&'static str, String)>) {
    let mut header = None;
    let mut body = None;
    for line in listing(tree) {
        let part = text[line.range].to_owned();
        match line.kind {
            "yaml" => header = Some(part),
            "template_body" => body = Some(("template_body", part)),
            "markdown_body" => body = Some(("markdown_body", part)),
            _ => {}
        }
    }
    (header, body)
}

/// The same, from the description of the file, and with no scanner.
fn expected_parts(text: &str) -> (Option<String>, Option<(&'static str, String)>) {
    let filled = |part: &str| (!part.is_empty()).then(|| part.to_owned());
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = lines(text);
    let is_delimiter = |line: &&str| line.trim_end_matches([' ', '\t', '\r', '\n']) == "---";
    if !lines.first().is_some_and(is_delimiter) {
        return (None, filled(text).map(|body| ("markdown_body", body)));
    }
    let closer = lines.iter().skip(1).position(is_delimiter).map_or(lines.len(), |at| at + 1);
    let header = &lines[1..closer];
    let body: String = lines.iter().skip(closer + 1).copied().collect();
    let kind = if says_template(header) { "template_body" } else { "markdown_body" };
    (filled(&header.concat()), filled(&body).map(|body| (kind, body)))
}

/// The lines with their breaks.
fn lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let length = match rest.find(['\n', '\r']) {
            Some(at) if rest[at..].starts_with("\r\n") => at + 2,
            Some(at) => at + 1,
            None => rest.len(),
        };
        lines.push(&rest[..length]);
        rest = &rest[length..];
    }
    lines
}

fn says_template(header: &[&str]) -> bool {
    let blank = [' ', '\t'];
    let content = header
        .iter()
        .map(|line| line.trim_end_matches(['\n', '\r']))
        .filter(|line| !line.trim_start_matches(blank).is_empty())
        .filter(|line| !line.trim_start_matches(blank).starts_with('#'));
    let indent = |line: &str| line.len() - line.trim_start_matches(blank).len();
    let top = content.clone().next().map_or(0, indent);
    let value = content.filter(|line| indent(line) == top).find_map(|line| {
        let line = line.trim_start_matches(blank);
        let rest =
            ["template", "\"template\"", "'template'"].into_iter().find_map(|key| line.strip_prefix(key))?;
        let value = rest.trim_start_matches(blank).strip_prefix(':')?;
        (value.is_empty() || value.starts_with(blank)).then(|| value.trim_start_matches(blank))
    });
    value.is_some_and(|value| {
        ["true", "True", "TRUE"].into_iter().filter_map(|word| value.strip_prefix(word)).any(|rest| {
            let behind = rest.trim_start_matches(blank);
            behind.is_empty() || behind.len() < rest.len() && behind.starts_with('#')
        })
    })
}

fn assert_as_described(text: &str, tree: &Tree) {
    assert_sound(text.as_bytes(), tree, |parent, gap| {
        ["document", "front_matter"].contains(&parent)
            && gap.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
            || parent == "yaml"
    });
    assert_eq!(parts(text, tree), expected_parts(text), "{text:?}");
}

#[test]
fn every_file_has_a_sound_tree_as_described() {
    let mut parser = parser();
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let (alphabet, opening) =
            [(CHARACTERS, ""), (CHARACTERS, "---\n"), (PIECES, ""), (PIECES, "---\n")][random.below(4)];
        let text = format!("{opening}{}", random.text(alphabet, 20));
        let tree = parser.parse(&text, None).unwrap();
        assert_as_described(&text, &tree);
    }
}

#[test]
fn an_edited_tree_equals_a_fresh_one() {
    let mut parser = parser();
    for seed in 0..3_000 {
        let mut random = Random::new(seed);
        let alphabet = [CHARACTERS, PIECES][random.below(2)];
        assert_edits_equal_fresh_parses(&mut parser, &mut random, alphabet);
    }
}

/// The body's kind hangs on a word far above it, which the parser must not forget when it reuses nodes.
#[test]
fn an_edit_of_the_header_changes_the_body() {
    let mut parser = parser();
    let before = "---\nid: t:a\ntemplate: true\n---\nHello {name}\n";
    let mut tree = parser.parse(before, None).unwrap();
    assert_eq!(parts(before, &tree).1.unwrap().0, "template_body");
    let mut text = before.to_owned();
    let at = text.find("true").unwrap();
    trees::edit(&mut text, &mut tree, at..at + "true".len(), "false");
    let tree = parser.parse(&text, Some(&tree)).unwrap();
    assert_eq!(parts(&text, &tree).1.unwrap(), ("markdown_body", "Hello {name}\n".to_owned()));
}

#[test]
fn bytes_that_are_no_utf_8_break_nothing() {
    let mut parser = parser();
    for seed in 0..5_000 {
        let mut random = Random::new(seed);
        let mut bytes = format!("---\n{}", random.text(PIECES, 20)).into_bytes();
        for _ in 0..3 {
            let at = random.below(bytes.len() + 1);
            bytes.insert(at, [0xff, 0xc3, 0x80, 0xed][random.below(4)]);
        }
        let tree = parser.parse(&bytes, None).unwrap();
        assert!(!tree.root_node().has_error(), "{bytes:?}");
        assert!(!listing(&tree).is_empty());
    }
}

/// A file is read once, however long its lines are. The bound is wide: tests run on slow machines.
#[test]
fn a_megabyte_is_read_in_linear_time() {
    let mut parser = parser();
    for pattern in ["-", "---\n", "a", "a ", "a: ", "'", "\"\\", "\n", " ", " \n", ": ", "# ", "k: v\n", "\0"]
    {
        for opening in ["", "---\n", "---\ntemplate: true\n---\n"] {
            let text = format!("{opening}{}", pattern.repeat((1 << 20) / pattern.len()));
            let start = std::time::Instant::now();
            let tree = parser.parse(&text, None).unwrap();
            assert!(start.elapsed() < std::time::Duration::from_secs(10), "{opening:?} and {pattern:?}");
            assert!(!tree.root_node().has_error());
        }
    }
}
