//! Where the syntax reads its text from: a string, or the rope of an open document.

use crate::span::{Span, offset};
use ropey::Rope;
use std::borrow::Cow;

/// A text that can be sliced by bytes.
pub trait Text {
    /// Length in bytes.
    fn len(&self) -> u32;

    /// Whether it is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of `span`; empty where it does not fit the text.
    fn at(&self, span: Span) -> Cow<'_, str>;

    /// The line break that is used in it: the first one, and `\n` where there is none.
    fn line_break(&self) -> &'static str;
}

impl Text for str {
    fn len(&self) -> u32 {
        offset(str::len(self))
    }

    fn at(&self, span: Span) -> Cow<'_, str> {
        Cow::Borrowed(span.of_str(self))
    }

    fn line_break(&self) -> &'static str {
        let first = self.find(['\n', '\r']).map(|at| &self[at..]);
        match first {
            Some(rest) if rest.starts_with("\r\n") => "\r\n",
            Some(rest) if rest.starts_with('\r') => "\r",
            _ => "\n",
        }
    }
}

impl Text for Rope {
    fn len(&self) -> u32 {
        offset(self.len_bytes())
    }

    fn at(&self, span: Span) -> Cow<'_, str> {
        self.get_byte_slice(span.range()).map(Cow::from).unwrap_or_default()
    }

    fn line_break(&self) -> &'static str {
        // From its end, since the line may be long.
        let line = self.line(0);
        let char = |from_end| line.len_chars().checked_sub(from_end).and_then(|at| line.get_char(at));
        match (char(2), char(1)) {
            (Some('\r'), Some('\n')) => "\r\n",
            (_, Some('\r')) => "\r",
            _ => "\n",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_uses_its_first_line_break() {
        for (text, expected) in [
            ("", "\n"),
            ("名", "\n"),
            ("\n\r", "\n"),
            ("名\r", "\r"),
            ("\r\r\n", "\r"),
            ("\u{feff}---\r\nid: 🎉\n", "\r\n"),
            ("\u{2028}\u{85}\u{b}\r\n", "\r\n"),
        ] {
            assert_eq!((text.line_break(), Rope::from(text).line_break()), (expected, expected), "{text:?}");
        }
    }
}
