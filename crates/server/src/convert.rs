//! Byte offsets to line and character, and back. The only place of the project that knows encodings.
//!
//! Lines end at `\n`, `\r\n` and `\r`, as in the protocol; not at U+2028 and its like. Whatever a client sends is moved
//! to the nearest place that exists: a line behind the last is the end of the text, a character behind the end of its line
//! is that end, the middle of a surrogate pair or of a character's bytes is the start of the character.

use promptblock_core::Span;
use ropey::{Rope, RopeSlice};
use tower_lsp::ls_types::{Position, PositionEncodingKind, Range};

/// What a position's `character` counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units: what holds where nothing is negotiated.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// The first of the client's encodings that is known, which are in the client's order of preference.
    pub fn negotiate(offered: Option<&[PositionEncodingKind]>) -> Self {
        offered.into_iter().flatten().find_map(Self::from_kind).unwrap_or_default()
    }

    fn from_kind(kind: &PositionEncodingKind) -> Option<Self> {
        match kind.as_str() {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            "utf-32" => Some(Self::Utf32),
            _ => None,
        }
    }

    /// The protocol's name for it.
    pub const fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// How long `text` is.
    pub fn width(self, text: RopeSlice<'_>) -> usize {
        match self {
            Self::Utf8 => text.len_bytes(),
            Self::Utf16 => text.len_utf16_cu(),
            Self::Utf32 => text.len_chars(),
        }
    }
}

/// A text with a way to speak of places in it.
#[derive(Clone, Copy)]
pub struct Lines<'a> {
    text: &'a Rope,
    encoding: Encoding,
    /// Bytes of a byte order mark that the reader of the positions does not see.
    hidden: usize,
}

impl<'a> Lines<'a> {
    /// A buffer as the client has it: a byte order mark in it is a character like any other.
    pub const fn buffer(text: &'a Rope, encoding: Encoding) -> Self {
        Self { text, encoding, hidden: 0 }
    }

    /// A file on disk: editors strip a byte order mark when they open it, so it takes no place in the first line.
    pub fn disk(text: &'a Rope, encoding: Encoding) -> Self {
        let hidden = if text.get_char(0) == Some('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Self { text, encoding, hidden }
    }

    /// The first and the last byte offset of what a cursor can reach in a line, without its break.
    fn line(&self, line: usize) -> (usize, usize) {
        let start = self.text.try_line_to_byte(line).unwrap_or_else(|_| self.text.len_bytes());
        let next = self.text.try_line_to_byte(line + 1).unwrap_or_else(|_| self.text.len_bytes());
        let byte = |at: usize| self.text.get_byte(at);
        let mut end = next;
        if end > start && byte(end - 1) == Some(b'\n') {
            end -= 1;
        }
        if end > start && byte(end - 1) == Some(b'\r') {
            end -= 1;
        }
        let start = if line == 0 { start + self.hidden } else { start };
        (start, end.max(start))
    }

    fn floor(&self, at: usize) -> usize {
        let at = at.min(self.text.len_bytes());
        let char = self.text.try_byte_to_char(at);
        char.and_then(|char| self.text.try_char_to_byte(char)).unwrap_or_else(|_| self.text.len_bytes())
    }

    fn width(&self, start: usize, end: usize) -> usize {
        self.text.get_byte_slice(start..end).map_or(0, |text| self.encoding.width(text))
    }

    /// The position of a byte offset.
    pub fn position(&self, at: u32) -> Position {
        let at = self.floor(at as usize);
        let line = self.text.try_byte_to_line(at).unwrap_or_default();
        let (start, end) = self.line(line);
        Position::new(small(line), small(self.width(start, at.clamp(start, end))))
    }

    /// The range of a span.
    pub fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start), self.position(span.end.max(span.start)))
    }

    /// The byte offset of a position.
    pub fn offset(&self, position: Position) -> u32 {
        let line = position.line as usize;
        if line >= self.text.len_lines() {
            return small(self.text.len_bytes());
        }
        let (start, end) = self.line(line);
        let column = position.character as usize;
        let at = match self.encoding {
            Encoding::Utf8 => self.floor(start.saturating_add(column).min(end)),
            Encoding::Utf16 | Encoding::Utf32 => self.by_characters(start, column),
        };
        small(at.clamp(start, end))
    }

    fn by_characters(&self, start: usize, column: usize) -> usize {
        let text = self.text;
        let first = text.try_byte_to_char(start).unwrap_or_default();
        let char = if self.encoding == Encoding::Utf32 {
            first.saturating_add(column).min(text.len_chars())
        } else {
            let units = text.try_char_to_utf16_cu(first).unwrap_or_default().saturating_add(column);
            text.try_utf16_cu_to_char(units.min(text.len_utf16_cu())).unwrap_or_else(|_| text.len_chars())
        };
        text.try_char_to_byte(char).unwrap_or_else(|_| text.len_bytes())
    }

    /// The span of a range; one that ends before it starts is empty.
    pub fn span(&self, range: Range) -> Span {
        let start = self.offset(range.start);
        Span::new(start, self.offset(range.end).max(start))
    }

    /// Positions of offsets that mostly ascend, each for the price of the text between it and the one before.
    pub fn cursor(&self) -> Cursor<'a> {
        Cursor { lines: *self, line: 0, line_end: 0, next_line: 0, at: 0, column: 0, fresh: true }
    }
}

/// See [`Lines::cursor`].
pub struct Cursor<'a> {
    lines: Lines<'a>,
    line: usize,
    line_end: usize,
    next_line: usize,
    at: usize,
    column: usize,
    fresh: bool,
}

impl Cursor<'_> {
    /// The position of a byte offset.
    pub fn position(&mut self, at: u32) -> Position {
        let at = self.lines.floor(at as usize);
        let text = self.lines.text;
        if self.fresh || at < self.at || at >= self.next_line {
            self.fresh = false;
            self.line = text.try_byte_to_line(at).unwrap_or_default();
            let (start, end) = self.lines.line(self.line);
            self.next_line = text.try_line_to_byte(self.line + 1).unwrap_or_else(|_| text.len_bytes());
            (self.at, self.column, self.line_end) = (start, 0, end);
        }
        let reached = at.clamp(self.at, self.line_end.max(self.at));
        self.column += self.lines.width(self.at, reached);
        self.at = reached;
        Position::new(small(self.line), small(self.column))
    }
}

fn small(at: usize) -> u32 {
    promptblock_core::span::offset(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ALL: [Encoding; 3] = [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32];

    /// Start, end without the break, for every line: by looking at one character after the other.
    fn naive_lines(text: &str) -> Vec<(usize, usize)> {
        let bytes = text.as_bytes();
        let (mut lines, mut start, mut at) = (Vec::new(), 0, 0);
        while at < bytes.len() {
            let len = match bytes[at] {
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => 2,
                b'\r' | b'\n' => 1,
                _ => 0,
            };
            if len > 0 {
                lines.push((start, at));
                start = at + len;
            }
            at += len.max(1);
        }
        lines.push((start, bytes.len()));
        lines
    }

    fn naive_width(text: &str, encoding: Encoding) -> usize {
        match encoding {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.encode_utf16().count(),
            Encoding::Utf32 => text.chars().count(),
        }
    }

    fn naive_position(text: &str, mut at: usize, encoding: Encoding) -> Position {
        at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let lines = naive_lines(text);
        let line = lines.iter().rposition(|(start, _)| *start <= at).unwrap();
        let (start, end) = lines[line];
        Position::new(line as u32, naive_width(&text[start..at.min(end)], encoding) as u32)
    }

    fn naive_offset(text: &str, position: Position, encoding: Encoding) -> usize {
        let lines = naive_lines(text);
        let Some(&(start, end)) = lines.get(position.line as usize) else { return text.len() };
        let mut column = 0;
        for (at, char) in text[start..end].char_indices() {
            column += naive_width(char.encode_utf8(&mut [0; 4]), encoding);
            if column > position.character as usize {
                return start + at;
            }
        }
        end
    }

    /// Texts made of what hurts.
    fn text() -> impl Strategy<Value = String> {
        let pieces = prop::sample::select(vec![
            "a",
            "{",
            "\n",
            "\r\n",
            "\r",
            "你",
            "😀",
            "e\u{301}",
            "\u{2028}",
            "\u{85}",
            "\u{feff}",
            "👨\u{200d}👩",
            "\u{b}",
        ]);
        prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

        #[test]
        fn like_the_naive_one(text in text(), line in 0u32..12, character in 0u32..40) {
            let rope = Rope::from_str(&text);
            for encoding in ALL {
                let lines = Lines::buffer(&rope, encoding);
                let mut cursor = lines.cursor();
                for at in 0..=text.len() + 2 {
                    let expected = naive_position(&text, at, encoding);
                    prop_assert_eq!(lines.position(at as u32), expected, "{} at {}", text.escape_debug(), at);
                    prop_assert_eq!(cursor.position(at as u32), expected, "cursor: {} at {}", text.escape_debug(), at);
                }
                let position = Position::new(line, character);
                prop_assert_eq!(lines.offset(position) as usize, naive_offset(&text, position, encoding));
            }
        }

        #[test]
        fn there_and_back(text in text()) {
            let rope = Rope::from_str(&text);
            for encoding in ALL {
                let lines = Lines::buffer(&rope, encoding);
                for (start, end) in naive_lines(&text) {
                    for at in (start..=end).filter(|at| text.is_char_boundary(*at)) {
                        prop_assert_eq!(lines.offset(lines.position(at as u32)) as usize, at);
                    }
                }
            }
        }
    }

    #[test]
    fn out_of_bounds_goes_to_the_nearest_place() {
        let rope = Rope::from_str("ab\r\n你😀\r\nz");
        let lines = Lines::buffer(&rope, Encoding::Utf16);
        let offset = |line, character| lines.offset(Position::new(line, character));
        assert_eq!(offset(0, 2), 2);
        assert_eq!(offset(0, 3), 2, "not into the line break");
        assert_eq!(offset(0, u32::MAX), 2);
        assert_eq!(offset(1, 2), 7, "the middle of a surrogate pair is its start");
        assert_eq!(offset(1, 3), 11);
        assert_eq!(offset(2, 9), 14);
        assert_eq!(offset(3, 0), 14);
        assert_eq!(offset(u32::MAX, u32::MAX), 14);
        let utf8 = Lines::buffer(&rope, Encoding::Utf8);
        assert_eq!(utf8.offset(Position::new(1, 1)), 4, "the middle of a character is its start");
        let backwards = Range::new(Position::new(2, 1), Position::new(0, 0));
        assert_eq!(lines.span(backwards), Span::new(14, 14));
    }

    #[test]
    fn a_mark_on_disk_is_not_seen() {
        let rope = Rope::from_str("\u{feff}ab\ncd");
        assert_eq!(Lines::buffer(&rope, Encoding::Utf16).position(4), Position::new(0, 2));
        for encoding in ALL {
            let disk = Lines::disk(&rope, encoding);
            assert_eq!(disk.position(0), Position::new(0, 0));
            assert_eq!(disk.position(4), Position::new(0, 1));
            assert_eq!(disk.position(6), Position::new(1, 0));
            assert_eq!(disk.offset(Position::new(0, 0)), 3);
            assert_eq!(disk.cursor().position(4), Position::new(0, 1));
        }
    }

    #[test]
    fn negotiation_takes_the_clients_first() {
        let kinds = |names: &[&str]| {
            names.iter().map(|n| (*n).to_owned().into()).collect::<Vec<PositionEncodingKind>>()
        };
        assert_eq!(Encoding::negotiate(None), Encoding::Utf16);
        assert_eq!(Encoding::negotiate(Some(&[])), Encoding::Utf16);
        assert_eq!(Encoding::negotiate(Some(&kinds(&["utf-7", "utf-32", "utf-8"]))), Encoding::Utf32);
        assert_eq!(Encoding::negotiate(Some(&kinds(&["utf-8", "utf-16"]))), Encoding::Utf8);
    }
}
