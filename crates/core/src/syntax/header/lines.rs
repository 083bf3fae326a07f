//! Lines of a text: they end at LF, CRLF or a lone CR, and nowhere else.

use std::ops::Range;

/// One line, by offsets in its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Line {
    pub(crate) start: usize,
    /// Without the break.
    pub(crate) end: usize,
    /// Behind the break; equal to `end` on the last line.
    pub(crate) next: usize,
}

impl Line {
    /// The line that starts at `start`.
    pub(crate) fn at(text: &str, start: usize) -> Self {
        let rest = text.as_bytes().get(start..).unwrap_or_default();
        let end = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let width = match rest.get(end..) {
            Some([b'\r', b'\n', ..]) => 2,
            Some([_, ..]) => 1,
            _ => 0,
        };
        Self { start, end: start + end, next: start + end + width }
    }

    /// The line after this one.
    pub(crate) fn following(self, text: &str) -> Option<Self> {
        (self.next > self.end).then(|| Self::at(text, self.next))
    }

    pub(super) fn range(self) -> Range<usize> {
        self.start..self.end
    }

    pub(crate) fn text(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

/// Space or tab. No other character is blank, U+3000 least of all.
pub(super) fn is_blank(c: char) -> bool {
    c == ' ' || c == '\t'
}

/// The part of `range` that is left without spaces, tabs and line breaks at its ends.
pub(super) fn trim(text: &str, range: Range<usize>) -> Range<usize> {
    let white = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    let slice = text.get(range.clone()).unwrap_or_default();
    let end = range.start + slice.trim_end_matches(white).len();
    let start = end - text.get(range.start..end).unwrap_or_default().trim_start_matches(white).len();
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_break() {
        let text = "a\r\n你\rc\n\n\u{2028}d";
        let mut lines = vec![Line::at(text, 0)];
        while let Some(line) = lines.last().and_then(|line| line.following(text)) {
            lines.push(line);
        }
        let texts: Vec<_> = lines.iter().map(|line| line.text(text)).collect();
        assert_eq!(texts, ["a", "你", "c", "", "\u{2028}d"]);
        assert_eq!(Line::at("x\n", 0).following("x\n").map(|line| line.text("x\n")), Some(""));
        assert_eq!(trim(" a b \r\n", 0..7), 1..4);
        assert_eq!(trim(" \n", 0..2), 0..0);
    }
}
