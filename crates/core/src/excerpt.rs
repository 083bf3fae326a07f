//! A piece of a file's text, made fit to stand in a message.

use std::borrow::Cow;

const LONGEST: usize = 40;

/// `text` on one line and not too long; what is left out is marked by an ellipsis.
pub fn excerpt(text: &str) -> Cow<'_, str> {
    let line_end = text.find(|c: char| c.is_control()).unwrap_or(text.len());
    let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(at, _)| at).min(line_end);
    if end == text.len() { Cow::Borrowed(text) } else { Cow::Owned(format!("{}…", &text[..end])) }
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn one_short_line() {
        assert_eq!(excerpt("群聊"), "群聊");
        assert_eq!(excerpt("a\r\nb"), "a…");
        assert_eq!(excerpt(&"字".repeat(41)), format!("{}…", "字".repeat(40)));
        assert_eq!(excerpt(&"字".repeat(40)), "字".repeat(40));
        assert_eq!(excerpt("\n"), "…");
    }
}
