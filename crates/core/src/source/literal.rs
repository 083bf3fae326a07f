//! String literals and templates of JavaScript: what they mean, byte by byte.

use super::cooked::{Cooked, Quote};
use crate::span::{Span, offset};

/// Reads a literal: `source` is the whole of it with its quotes, `at` where it begins. `None` where it is none, or holds an escape
/// that is no escape. A string of JSON is one of JavaScript.
pub(crate) fn read(source: &str, at: u32) -> Option<Cooked> {
    let quote = match source.as_bytes().first()? {
        b'\'' => Quote::Single,
        b'"' => Quote::Double,
        b'`' => Quote::Template,
        _ => return None,
    };
    let inside = source.get(1..)?;
    let inside = inside.strip_suffix(source.get(..1)?)?;
    let mut cooked = Cooked::default();
    cooked.begin(at + 1, quote);
    let bytes = inside.as_bytes();
    let place = |from: usize, to: usize| Span::new(at + 1 + offset(from), at + 1 + offset(to));
    let mut from = 0;
    let mut next = 0;
    while let Some(found) = memchr::memchr2(b'\\', b'\r', bytes.get(next..)?).map(|found| next + found) {
        if bytes.get(found) == Some(&b'\r') {
            next = found + 1;
            // The language makes one LF of every line break in a template.
            if quote == Quote::Template {
                cooked.verbatim(inside.get(from..found)?, at + 1 + offset(from), quote);
                next += usize::from(bytes.get(next) == Some(&b'\n'));
                cooked.escape("\n", place(found, next), quote);
                from = next;
            }
            continue;
        }
        cooked.verbatim(inside.get(from..found)?, at + 1 + offset(from), quote);
        let (text, len) = escape(inside.get(found..)?, quote)?;
        next = found + len;
        from = next;
        let mut buffer = [0; 4];
        if let Some(c) = text {
            cooked.escape(c.encode_utf8(&mut buffer), place(found, next), quote);
        }
    }
    cooked.verbatim(inside.get(from..)?, at + 1 + offset(from), quote);
    Some(cooked)
}

/// What the escape at the start of `text` stands for, nothing for a continued line, and how long it is.
fn escape(text: &str, quote: Quote) -> Option<(Option<char>, usize)> {
    let c = text.chars().nth(1)?;
    let plain = |c| Some((Some(c), 2));
    match c {
        'n' => plain('\n'),
        't' => plain('\t'),
        'r' => plain('\r'),
        'b' => plain('\u{8}'),
        'f' => plain('\u{c}'),
        'v' => plain('\u{b}'),
        'x' => {
            let code = hex(text.get(2..4)?)?;
            Some((char::from_u32(code), 4))
        }
        'u' => unicode(text),
        '0'..='7' => {
            let digits = text.get(1..)?.bytes().take(if c < '4' { 3 } else { 2 });
            let digits: Vec<u8> = digits.take_while(|b| (b'0'..=b'7').contains(b)).collect();
            let more = text.as_bytes().get(1 + digits.len()).is_some_and(u8::is_ascii_digit);
            // Octal escapes are an error in a template.
            if quote == Quote::Template && (digits.as_slice() != b"0" || more) {
                return None;
            }
            let code = digits.iter().fold(0, |code, digit| code * 8 + u32::from(digit - b'0'));
            Some((char::from_u32(code), 1 + digits.len()))
        }
        '\r' if text.as_bytes().get(2) == Some(&b'\n') => Some((None, 3)),
        '\n' | '\r' | '\u{2028}' | '\u{2029}' => Some((None, 1 + c.len_utf8())),
        c => Some((Some(c), 1 + c.len_utf8())),
    }
}

/// `\uXXXX`, `\u{…}`, or two of the first that make one character together.
fn unicode(text: &str) -> Option<(Option<char>, usize)> {
    if let Some(rest) = text.strip_prefix("\\u{") {
        let len = rest.find('}')?;
        let code = hex(rest.get(..len)?)?;
        return Some((Some(lone(code)?), 3 + len + 1));
    }
    let first = hex(text.get(2..6)?)?;
    if (0xD800..0xDC00).contains(&first)
        && let Some(second) = text.get(6..12).and_then(|next| next.strip_prefix("\\u")).and_then(hex)
        && (0xDC00..0xE000).contains(&second)
    {
        let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
        return Some((char::from_u32(code), 12));
    }
    Some((Some(lone(first)?), 6))
}

/// Half of a pair is no character, and shows as what stands for none.
fn lone(code: u32) -> Option<char> {
    match code {
        0xD800..0xE000 => Some(char::REPLACEMENT_CHARACTER),
        code => char::from_u32(code),
    }
}

fn hex(digits: &str) -> Option<u32> {
    let all = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit());
    all.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}
