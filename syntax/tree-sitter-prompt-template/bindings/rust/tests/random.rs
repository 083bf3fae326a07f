//! Random texts, and random edits of them.

use super::trees::{Random, assert_edits_equal_fresh_parses, listing};
use super::{assert_sound, oracle, parser};

/// Single characters that mean something, and what stands beside them.
const CHARACTERS: &[&str] = &[
    "{", "}", "/", "\"", "'", "\\", ".", " ", "\t", "\n", "\r", "\r\n", "if", "else", "elseif", "for", "in",
    "while", "repeat", "true", "x", "_", "1", "-", "e", "+", "=", "<", ">", "!", "é", "e\u{301}", "名", "🎉",
    "\0", "\u{feff}", "\u{2028}", "\u{3000}",
];

/// Larger pieces, so that sound tags are frequent.
const PIECES: &[&str] = &[
    "{",
    "}",
    "{{",
    "}}",
    " ",
    "\n",
    "\r\n",
    "text ",
    "名",
    "🎉",
    "\"a}b\"",
    "'{'",
    "\"",
    "'",
    "\\\"",
    "{x}",
    "{x.if 1 -2.5e3 w \"q\"}",
    "{ 名.字\t}",
    "{if ",
    "{if x}",
    "{if a == 'b'}",
    "{elseif 1<2}",
    "{else}",
    "{/if}",
    "{for ",
    "{for x in xs}",
    "{for 名 in a.b }",
    "{/for}",
    "{ /for }",
    "{while ",
    "{while true}",
    "{/while}",
    "{repeat ",
    "{repeat 3}",
    "{repeat n}",
    "{/repeat}",
    "{if}",
    "{/else}",
    "{else x}",
    "{if it's late}",
    "in ",
    "x",
    "== ",
    "1",
    "true",
    "\0",
    "{\"a\": {\"b\": 1}}",
    "{ ",
    "{/",
    "{ /if x}",
];

fn alphabet(random: &mut Random) -> &'static [&'static str] {
    if random.below(2) == 0 { CHARACTERS } else { PIECES }
}

fn assert_as_described(text: &str, tree: &tree_sitter::Tree) {
    let lines = listing(tree);
    let leaves: Vec<_> = lines
        .iter()
        .filter(|line| line.is_leaf && line.kind != "template")
        .map(|line| (line.kind, line.range.clone()))
        .collect();
    let expected = oracle::tokens(text);
    assert_eq!(leaves, expected, "the tokens of {text:?}");

    let mut blocks = Vec::new();
    let mut cursor = tree.walk();
    for (index, line) in lines.iter().enumerate() {
        let Some(keyword) = line.kind.strip_suffix("_block") else { continue };
        cursor.goto_descendant(index);
        let node = cursor.node();
        let closer = node.child_by_field_name("end").map(|tag| tag.start_byte());
        blocks.push((keyword, line.range.start, closer));
    }
    assert_eq!(blocks, oracle::blocks(&expected), "the blocks of {text:?}");
}

#[test]
fn every_text_has_a_sound_tree_as_described() {
    let mut parser = parser();
    for seed in 0..20_000 {
        let mut random = Random::new(seed);
        let alphabet = alphabet(&mut random);
        let text = random.text(alphabet, 30);
        let tree = parser.parse(&text, None).unwrap();
        assert_sound(text.as_bytes(), &tree);
        assert_as_described(&text, &tree);
    }
}

#[test]
fn an_edited_tree_equals_a_fresh_one() {
    let mut parser = parser();
    for seed in 0..3_000 {
        let mut random = Random::new(seed);
        let alphabet = alphabet(&mut random);
        assert_edits_equal_fresh_parses(&mut parser, &mut random, alphabet);
    }
}

/// Bytes that are no UTF-8 are text.
#[test]
fn bytes_that_are_no_utf_8_break_nothing() {
    let mut parser = parser();
    for seed in 0..5_000 {
        let mut random = Random::new(seed);
        let mut bytes = random.text(PIECES, 20).into_bytes();
        for _ in 0..3 {
            let at = random.below(bytes.len() + 1);
            bytes.insert(at, [0xff, 0xc3, 0x80, 0xed][random.below(4)]);
        }
        let tree = parser.parse(&bytes, None).unwrap();
        assert_sound(&bytes, &tree);
    }
}

/// Deeper than the scanner keeps count: no block, and no error.
#[test]
fn nesting_beyond_the_cap_is_flat() {
    let mut parser = parser();
    for depth in [199, 200, 201, 300, 2_000] {
        for text in [
            "{if x}".repeat(depth),
            "{if x}".repeat(depth) + &"{/if}".repeat(depth + 1),
            "{if x}{for x in xs}".repeat(depth / 2) + &"{/if}".repeat(depth),
            "{while x}".repeat(depth) + "{repeat 2}{/while}" + &"{/repeat}".repeat(depth),
        ] {
            let tree = parser.parse(&text, None).unwrap();
            assert_sound(text.as_bytes(), &tree);
            assert_as_described(&text, &tree);
        }
    }
}
