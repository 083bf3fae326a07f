//! Text from files, file names and arguments, made fit for a terminal: what would move the cursor, set a colour or turn
//! the direction of writing is shown instead of done.

use std::borrow::Cow;

/// One line of text, with a sign in the place of each control character, tabs and line breaks among them.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, sign)
}

/// The same for lines of source: line breaks and tabs stay, since the excerpt is laid out by them.
pub(crate) fn visible_source(text: &str) -> Cow<'_, str> {
    replaced(text, |char| if matches!(char, '\n' | '\t') { None } else { sign(char) })
}

fn replaced(text: &str, sign: impl Fn(char) -> Option<char>) -> Cow<'_, str> {
    if text.chars().all(|char| sign(char).is_none()) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|char| sign(char).unwrap_or(char)).collect())
}

fn sign(char: char) -> Option<char> {
    match char {
        // Unicode has a picture of each of the first ones.
        '\0'..='\u{1f}' => char::from_u32(0x2400 + char as u32),
        '\u{7f}' => Some('␡'),
        // The others; marks and overrides of direction; separators that some terminals break lines at.
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => Some('\u{fffd}'),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_done_and_everything_is_shown() {
        assert_eq!(visible("a\u{1b}[31m\r\n\t\u{7f}\u{9b}2J\u{202e}z"), "a␛[31m␍␊␉␡\u{fffd}2J\u{fffd}z");
        assert_eq!(visible_source("\ta\u{1b}\r\n\u{9b}"), "\ta␛␍\n\u{fffd}");
        let plain = "你好 e\u{301} 👨\u{200d}👩\u{200d}👧 مرحبا";
        assert!(matches!(visible(plain), Cow::Borrowed(text) if text == plain));
    }
}
