//! The tree of a source text, which an editor's edits are told, so that reading it again costs what has changed.

use super::Dialect;
use crate::span::Span;
use ropey::Rope;
use std::ops::ControlFlow;
use tree_sitter::{InputEdit, ParseOptions, ParseState, Parser, Point, Tree};

/// What is kept of the last reading of a text.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    tree: Option<Tree>,
}

impl Kept {
    /// The bytes of `span` in `before` are about to become `new`.
    pub fn edit(&mut self, before: &Rope, span: Span, new: &str) {
        let Some(tree) = &mut self.tree else { return };
        let range = span.range();
        let (start, end) = (range.start.min(before.len_bytes()), range.end.min(before.len_bytes()));
        let (start_position, old_end_position) = (point(before, start), point(before, end));
        let rows = memchr::memchr_iter(b'\n', new.as_bytes()).count();
        let column = new.rfind('\n').map_or(start_position.column + new.len(), |at| new.len() - at - 1);
        tree.edit(&InputEdit {
            start_byte: start,
            old_end_byte: end,
            new_end_byte: start + new.len(),
            start_position,
            old_end_position,
            new_end_position: Point::new(start_position.row + rows, column),
        });
    }

    /// Another text altogether.
    pub fn forget(&mut self) {
        self.tree = None;
    }
}

/// A place as the parser counts: by LF alone, in bytes.
fn point(text: &Rope, at: usize) -> Point {
    let (mut row, mut line, mut seen) = (0, 0, 0);
    for chunk in text.chunks() {
        let piece = chunk.as_bytes().get(..at - seen).unwrap_or(chunk.as_bytes());
        row += memchr::memchr_iter(b'\n', piece).count();
        if let Some(last) = memchr::memrchr(b'\n', piece) {
            line = seen + last + 1;
        }
        seen += piece.len();
        if seen >= at {
            break;
        }
    }
    Point::new(row, at - line)
}

/// Parses `text`, which `kept` has heard every edit of. `None` where a broken source makes the parser try ever more readings.
pub(super) fn parse(text: &str, dialect: Dialect, kept: &mut Kept) -> Option<Tree> {
    let old = kept.tree.take();
    // Around a mistake what is kept of the last tree may be read otherwise than from the start.
    let again = old.as_ref().and_then(|old| run(text, dialect, Some(old)));
    let tree = match again.filter(|tree| !tree.root_node().has_error()) {
        Some(tree) => tree,
        None => run(text, dialect, None)?,
    };
    kept.tree = Some(tree.clone());
    Some(tree)
}

fn run(text: &str, dialect: Dialect, old: Option<&Tree>) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&dialect.language()).ok()?;
    // It is asked every hundred steps or so. Sound code takes 5 to 17 a kilobyte.
    let mut left = 10_000 + text.len() / 32;
    let mut progress = |_: &ParseState| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let bytes = text.as_bytes();
    let mut input = |at: usize, _| bytes.get(at..).unwrap_or_default();
    parser.parse_with_options(&mut input, old, Some(ParseOptions::new().progress_callback(&mut progress)))
}

#[cfg(test)]
mod tests {
    use super::super::SourceFile;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn places_count_lf_alone() {
        let text = Rope::from_str(&"你\r\nb\rc\n🎉d".repeat(300));
        for at in 0..text.len_bytes() {
            let head = text.byte_slice(..text.char_to_byte(text.byte_to_char(at)));
            let head = head.to_string();
            let line = head.rfind('\n').map_or(0, |at| at + 1);
            let expected = Point::new(head.matches('\n').count(), head.len() - line);
            assert_eq!(point(&text, head.len()), expected, "{at}");
        }
    }

    /// Each sound by itself.
    const STATEMENTS: [&str; 8] = [
        "ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: '{x}' })\n",
        "const A = '你🎉', { prompt } = ctx\n",
        "ctx.systemPrompt.section({ name: A, order: 2, text: `\r\n{{y}}` + A })\n",
        "if (a) { prompt.variable({ name: 'b' }) } else { ctx.prompt.environment(() => ({ c: 1 })) }\n",
        "\r\n/* 'a */ class B { m() { return `${A}` } }\n",
        "x\n  .prompt.block({ ...y, content: ['a', \"b\"].join('\\n') })\n",
        "let re = /[/]'/, q = a / b\n",
        "\n",
    ];
    /// Anything may come of these.
    const PIECES: [&str; 8] = ["'", "`", "{ ", " }", " + A", "/* ", "<b>{", "b"];

    fn statement() -> impl Strategy<Value = &'static str> {
        proptest::sample::select(STATEMENTS.to_vec())
    }

    /// Edits `rope` at characters, and compares.
    fn compare(rope: &mut Rope, kept: &mut Kept, dialect: Dialect, (start, end): (usize, usize), new: &str) {
        let span = Span::of(rope.char_to_byte(start)..rope.char_to_byte(end));
        kept.edit(rope, span, new);
        rope.remove(start..end);
        rope.insert(start, new);
        let text = rope.to_string();
        let (again, fresh) = (SourceFile::read_again(&text, dialect, kept), SourceFile::read(&text, dialect));
        assert_eq!(again, fresh, "{text}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn an_edit_gives_what_a_fresh_reading_gives(
            first in proptest::collection::vec(statement(), 0..8),
            lines in proptest::collection::vec((0_usize..40, 0_usize..3, statement()), 1..8),
            pieces in proptest::collection::vec(
                (0_usize..4000, 0_usize..12, proptest::sample::select(PIECES.to_vec())), 0..5),
        ) {
            for dialect in [Dialect::TypeScript, Dialect::Tsx] {
                let mut rope = Rope::from_str(&first.concat());
                let mut kept = Kept::default();
                for (at, count, new) in &lines {
                    let line = at % rope.len_lines();
                    let end = (line + count).min(rope.len_lines());
                    let place = (rope.line_to_char(line), rope.line_to_char(end));
                    compare(&mut rope, &mut kept, dialect, place, new);
                }
                for (at, len, new) in &pieces {
                    let start = at % (rope.len_chars() + 1);
                    let place = (start, (start + len).min(rope.len_chars()));
                    compare(&mut rope, &mut kept, dialect, place, new);
                }
            }
        }
    }
}
