//! What holds for every text: the tree has no ERROR and no MISSING node, leaves no byte out, agrees
//! with a second lexer written from the language's description, and is the same after an edit as
//! from scratch. What single constructs look like stands in `test/corpus`.

mod hostile;
mod oracle;
mod queries;
mod random;
mod tables;

use std::ops::Range;

use tree_sitter::{InputEdit, Node, Parser, Point, Tree};

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&crate::LANGUAGE.into()).unwrap();
    parser
}

fn parse(parser: &mut Parser, text: &[u8], old: Option<&Tree>) -> Tree {
    parser.parse(text, old).unwrap()
}

/// A node as one line of a listing: two trees are equal if their listings are.
#[derive(Debug, PartialEq, Eq)]
struct Line<'tree> {
    depth: usize,
    kind: &'tree str,
    field: Option<&'tree str>,
    range: Range<usize>,
    is_leaf: bool,
    /// ERROR or MISSING.
    is_broken: bool,
}

/// All nodes in reading order.
fn listing(tree: &Tree) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        lines.push(Line {
            depth,
            kind: node.kind(),
            field: cursor.field_name(),
            range: node.byte_range(),
            is_leaf: node.child_count() == 0,
            is_broken: node.is_error() || node.is_missing(),
        });
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return lines;
            }
            depth -= 1;
        }
    }
}

/// Nodes that hold template items rather than the tokens of a tag.
fn holds_items(kind: &str) -> bool {
    kind == "template" || kind.ends_with("_block")
}

/// The children of a node that holds items stand side by side from its start to its end; between
/// the tokens of a tag there are only blanks.
fn assert_tiled(text: &[u8], node: Node<'_>) {
    let mut at = node.start_byte();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        let gap = &text[at..child.start_byte()];
        let blanks = gap.iter().all(|byte| matches!(byte, b' ' | b'\t'));
        assert!(
            gap.is_empty() || blanks && !holds_items(node.kind()),
            "{gap:?} is in no child of {} in {:?}",
            node.kind(),
            String::from_utf8_lossy(text)
        );
        at = child.end_byte();
        assert_tiled(text, child);
    }
    if node.child_count() > 0 {
        assert_eq!(at, node.end_byte(), "the last child of {}", node.kind());
    }
}

/// Everything that holds for a tree of whatever text.
fn assert_sound(text: &[u8], tree: &Tree) {
    let shown = String::from_utf8_lossy(text);
    let lines = listing(tree);
    assert!(!tree.root_node().has_error(), "an error in {shown:?}");
    assert!(lines.iter().all(|line| !line.is_broken), "a broken node in {shown:?}");
    let Range { start, end } = tree.root_node().byte_range();
    assert!(start == 0 || start == bom_length(text), "the root of {shown:?} starts at {start}");
    assert_eq!(end, text.len(), "the end of the root of {shown:?}");
    assert_tiled(text, tree.root_node());
}

/// The library steps over a byte order mark at the start of a text, before any scanner sees it. It
/// does so only when it reads a token there: one that an edit brought to the start stays a text.
fn bom_length(text: &[u8]) -> usize {
    if text.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 }
}

/// The listing without a byte order mark at the start.
fn listing_behind_bom<'tree>(text: &[u8], tree: &'tree Tree) -> Vec<Line<'tree>> {
    let start = bom_length(text);
    let mut lines = listing(tree);
    lines.iter_mut().for_each(|line| line.range.start = line.range.start.max(start));
    lines.retain(|line| line.kind != "text" || !line.range.is_empty());
    lines
}

fn point(text: &[u8], byte: usize) -> Point {
    let before = &text[..byte];
    let row = before.iter().filter(|&&byte| byte == b'\n').count();
    let line = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    Point { row, column: byte - line }
}

/// Puts `insert` in place of `range` and says so to the tree.
fn edit(text: &mut Vec<u8>, tree: &mut Tree, range: Range<usize>, insert: &[u8]) {
    let start_position = point(text, range.start);
    let old_end_position = point(text, range.end);
    text.splice(range.clone(), insert.iter().copied());
    let new_end_byte = range.start + insert.len();
    tree.edit(&InputEdit {
        start_byte: range.start,
        old_end_byte: range.end,
        new_end_byte,
        start_position,
        old_end_position,
        new_end_position: point(text, new_end_byte),
    });
}
