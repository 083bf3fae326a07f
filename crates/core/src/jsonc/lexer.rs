//! Tokens of JSON with comments. Every byte belongs to a token, a comment or white space; nothing fails.

use crate::message::Message;
use crate::msg;
use std::ops::Range;
use std::sync::Arc;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Colon,
    Comma,
    /// A string and the first fault in it; `None` where it is not closed, and so ends with its line.
    Text(Option<Arc<str>>, Option<(Range<usize>, Message)>),
    /// A literal, a number, or what somebody took for one.
    Word,
    /// Characters that have no place outside a string.
    Stray,
    /// A comment that is not closed, up to the end of the text.
    OpenComment,
    End,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) range: Range<usize>,
}

pub(super) struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'.' | b'$') || byte >= 0x80
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let bom = '\u{feff}';
        Self { text, at: if text.starts_with(bom) { bom.len_utf8() } else { 0 } }
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.text.as_bytes().get(at).copied()
    }

    /// The end of the run of bytes from `at` on that satisfy `test`.
    fn run(&self, at: usize, test: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        at + rest.iter().position(|byte| !test(*byte)).unwrap_or(rest.len())
    }

    fn line_end(&self, at: usize) -> usize {
        self.run(at, |byte| !matches!(byte, b'\n' | b'\r'))
    }

    pub(super) fn next(&mut self) -> Token {
        loop {
            self.at = self.run(self.at, |byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'));
            match (self.byte(self.at), self.byte(self.at + 1)) {
                (Some(b'/'), Some(b'/')) => self.at = self.line_end(self.at),
                (Some(b'/'), Some(b'*')) => {
                    match self.text.get(self.at + 2..).and_then(|rest| rest.find("*/")) {
                        Some(length) => self.at += length + 4,
                        None => return self.token(Kind::OpenComment, self.text.len()),
                    }
                }
                _ => break,
            }
        }
        let Some(byte) = self.byte(self.at) else { return self.token(Kind::End, self.at) };
        match byte {
            b'{' => self.token(Kind::OpenBrace, self.at + 1),
            b'}' => self.token(Kind::CloseBrace, self.at + 1),
            b'[' => self.token(Kind::OpenBracket, self.at + 1),
            b']' => self.token(Kind::CloseBracket, self.at + 1),
            b':' => self.token(Kind::Colon, self.at + 1),
            b',' => self.token(Kind::Comma, self.at + 1),
            b'"' => self.string(),
            b'\'' => self.single_quoted(),
            _ if is_word(byte) => self.token(Kind::Word, self.run(self.at, is_word)),
            _ => {
                let special = |byte| matches!(byte, b'{' | b'}' | b'[' | b']' | b':' | b',' | b'"' | b'/');
                let end =
                    self.run(self.at, |byte| !is_word(byte) && !special(byte) && !byte.is_ascii_whitespace());
                self.token(Kind::Stray, end.max(self.at + 1))
            }
        }
    }

    fn token(&mut self, kind: Kind, end: usize) -> Token {
        let range = self.at..end;
        self.at = end;
        Token { kind, range }
    }

    fn string(&mut self) -> Token {
        let mut value = String::new();
        let mut fault = None;
        let mut at = self.at + 1;
        loop {
            let plain = self.run(at, |byte| !matches!(byte, b'"' | b'\\') && byte >= b' ');
            value.push_str(self.text.get(at..plain).unwrap_or_default());
            at = plain;
            match self.byte(at) {
                Some(b'"') => return self.token(Kind::Text(Some(value.into()), fault), at + 1),
                Some(b'\\') if !matches!(self.byte(at + 1), None | Some(b'\n' | b'\r')) => {
                    let (c, end) = self.escape(at);
                    if c.is_none() && fault.is_none() {
                        let shown = self.text.get(at..end).unwrap_or_default();
                        fault = Some((
                            at..end,
                            msg!("`{shown}` is no escape of JSON", "`{shown}` 不是 JSON 的转义"),
                        ));
                    }
                    value.push(c.unwrap_or(char::REPLACEMENT_CHARACTER));
                    at = end;
                }
                None | Some(b'\n' | b'\r' | b'\\') => {
                    let end = self.line_end(at);
                    return self.token(Kind::Text(None, None), end);
                }
                Some(control) => {
                    let message = msg!(
                        "the control character U+{control:04X} must be written as an escape",
                        "控制字符 U+{control:04X} 必须写成转义"
                    );
                    fault = fault.or(Some((at..at + 1, message)));
                    value.push(char::from(control));
                    at += 1;
                }
            }
        }
    }

    /// A string in the wrong quotes, where they are closed on the line.
    fn single_quoted(&mut self) -> Token {
        let start = self.at + 1;
        let rest = self.text.get(start..self.line_end(start)).unwrap_or_default();
        match rest.split_once('\'') {
            Some((value, _)) => {
                let end = start + value.len() + 1;
                let message = msg!("JSON takes double quotes only", "JSON 只能用双引号");
                self.token(Kind::Text(Some(value.into()), Some((self.at..end, message))), end)
            }
            None => self.token(Kind::Stray, start),
        }
    }

    /// The character of the escape at `at`, and its end.
    fn escape(&self, at: usize) -> (Option<char>, usize) {
        let Some(c) = self.text.get(at + 1..).and_then(|rest| rest.chars().next()) else {
            return (None, at + 1);
        };
        let simple = match c {
            '"' | '\\' | '/' => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => return self.unicode_escape(at),
            _ => return (None, at + 1 + c.len_utf8()),
        };
        (Some(simple), at + 2)
    }

    fn unicode_escape(&self, at: usize) -> (Option<char>, usize) {
        let Some(first) = self.hex(at) else {
            return (None, self.run(at + 2, |byte| byte.is_ascii_hexdigit()).min(at + 6));
        };
        if let Some(c) = char::from_u32(first) {
            return (Some(c), at + 6);
        }
        // Half of a pair: the other half must follow.
        let second = self
            .hex(at + 6)
            .filter(|second| (0xd800..0xdc00).contains(&first) && (0xdc00..0xe000).contains(second));
        match second {
            Some(second) => {
                (char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)), at + 12)
            }
            None => (None, at + 6),
        }
    }

    fn hex(&self, at: usize) -> Option<u32> {
        let digits = self.text.get(at..at + 6)?.strip_prefix("\\u")?;
        digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok())?
    }
}
