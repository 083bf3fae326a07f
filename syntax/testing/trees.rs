//! What the tests of both grammars need: listings of trees, edits, random texts, and the captures of
//! a query. Each takes this file in as a module.

use std::fmt::Write as _;
use std::ops::Range;

use tree_sitter::{
    InputEdit, Language, Node, Parser, Point, Query, QueryCursor, StreamingIterator as _, Tree,
};

/// A node as one line of a listing: two trees are equal if their listings are.
#[derive(Debug, PartialEq, Eq)]
pub struct Line<'tree> {
    pub depth: usize,
    pub kind: &'tree str,
    pub field: Option<&'tree str>,
    pub range: Range<usize>,
    pub is_leaf: bool,
}

/// All nodes in reading order.
pub fn listing(tree: &Tree) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        assert!(!node.is_error() && !node.is_missing(), "{}", tree.root_node().to_sexp());
        lines.push(Line {
            depth,
            kind: node.kind(),
            field: cursor.field_name(),
            range: node.byte_range(),
            is_leaf: node.child_count() == 0,
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

/// The library steps over a byte order mark at the start of a text, before any scanner sees it. It
/// does so only when it reads a token there: one that an edit brought to the start stays a text.
fn bom_length(text: &[u8]) -> usize {
    if text.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 }
}

/// There is no ERROR and no MISSING node, the root is the whole text, and no byte is in no node but
/// where `may_be_left_out` (of the parent's kind and the bytes) says so.
pub fn assert_sound(text: &[u8], tree: &Tree, may_be_left_out: fn(&str, &[u8]) -> bool) {
    let shown = String::from_utf8_lossy(text);
    let root = tree.root_node();
    assert!(!root.has_error(), "an error in {shown:?}: {}", root.to_sexp());
    let Range { start, end } = root.byte_range();
    assert!(start == 0 || start == bom_length(text), "the root of {shown:?} starts at {start}");
    assert_eq!(end, text.len(), "the end of the root of {shown:?}");
    assert_tiled(text, root, may_be_left_out);
}

fn assert_tiled(text: &[u8], node: Node<'_>, may_be_left_out: fn(&str, &[u8]) -> bool) {
    let check = |gap: &[u8]| {
        let fine = gap.is_empty() || may_be_left_out(node.kind(), gap);
        let shown = String::from_utf8_lossy(text);
        assert!(fine, "{gap:?} is in no child of {} in {shown:?}", node.kind());
    };
    let mut at = node.start_byte();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        check(&text[at..child.start_byte()]);
        at = child.end_byte();
        assert_tiled(text, child, may_be_left_out);
    }
    if node.child_count() > 0 {
        check(&text[at..node.end_byte()]);
    }
}

fn point(text: &str, byte: usize) -> Point {
    let before = &text[..byte];
    let row = before.matches('\n').count();
    Point { row, column: byte - before.rfind('\n').map_or(0, |at| at + 1) }
}

/// Puts `insert` in place of `range` and says so to the tree.
pub fn edit(text: &mut String, tree: &mut Tree, range: Range<usize>, insert: &str) {
    let start_position = point(text, range.start);
    let old_end_position = point(text, range.end);
    text.replace_range(range.clone(), insert);
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

/// After each of some random edits the tree is the one that a fresh parse gives. Of a text behind a
/// byte order mark the mark itself is not compared, see `bom_length`.
pub fn assert_edits_equal_fresh_parses(parser: &mut Parser, random: &mut Random, alphabet: &[&str]) {
    let mut text = random.text(alphabet, 60);
    let mut tree = parser.parse(&text, None).unwrap();
    for _ in 0..10 {
        let (a, b) = (random.boundary(&text), random.boundary(&text));
        // Mostly insertions, as a keyboard makes them.
        let end = if random.below(3) == 0 { a.max(b) } else { a.min(b) };
        let insert = random.text(alphabet, 3);
        let before = text.clone();
        edit(&mut text, &mut tree, a.min(b)..end, &insert);
        tree = parser.parse(&text, Some(&tree)).unwrap();
        let fresh = parser.parse(&text, None).unwrap();
        let start = bom_length(text.as_bytes());
        let [edited, fresh] = [&tree, &fresh].map(|tree| {
            let mut lines = listing(tree);
            lines.iter_mut().for_each(|line| line.range.start = line.range.start.max(start));
            lines.retain(|line| line.depth == 0 || !line.range.is_empty());
            lines
        });
        assert_eq!(edited, fresh, "from {before:?} to {text:?}");
    }
}

/// A small generator (xorshift), so that every run reads the same texts.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }

    /// A text of at most `longest` pieces.
    pub fn text(&mut self, alphabet: &[&str], longest: usize) -> String {
        let length = self.below(longest + 1);
        (0..length).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }

    fn boundary(&mut self, text: &str) -> usize {
        let at = self.below(text.len() + 1);
        (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
    }
}

/// What a query captures in a text, a capture a line: its name, the text, and the language that the
/// pattern injects. In reading order, and it must not take a node twice.
pub fn captures(language: &Language, source: &str, text: &str) -> String {
    let query = Query::new(language, source).unwrap_or_else(|error| panic!("{error}"));
    let mut parser = Parser::new();
    parser.set_language(language).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let mut cursor = QueryCursor::new();
    let mut found = cursor.captures(&query, tree.root_node(), text.as_bytes());
    let mut out = String::new();
    let mut taken: Vec<Range<usize>> = Vec::new();
    while let Some((matched, index)) = found.next() {
        let capture = matched.captures()[*index];
        let range = capture.node.byte_range();
        let _ = write!(out, "{} {:?}", query.capture_names()[capture.index as usize], &text[range.clone()]);
        for property in query.property_settings(matched.pattern_index) {
            match &property.value {
                Some(value) => _ = write!(out, " {value}"),
                None => _ = write!(out, " {}", property.key),
            }
        }
        out.push('\n');
        assert!(!taken.contains(&range), "taken twice: {:?}", &text[range]);
        taken.push(range);
    }
    out
}
