//! Names of variables: Unicode identifiers that are no keyword.

/// Words that are no names: control words, `in` and the booleans.
pub const KEYWORDS: [&str; 9] = ["if", "elseif", "else", "for", "while", "repeat", "in", "true", "false"];

/// Whether `text` is a plain name: `XID_Start` or `_`, then `XID_Continue`, and no keyword.
pub fn is_name(text: &str) -> bool {
    is_identifier(text) && !KEYWORDS.contains(&text)
}

/// Whether `text` has the shape of a name, be it a keyword or not.
pub fn is_identifier(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == '_' || unicode_ident::is_xid_start(c))
        && chars.all(unicode_ident::is_xid_continue)
}

/// Whether `text` is a name with optional fields: `hero`, `hero.weapon`. A field may be a keyword.
pub fn is_dotted_name(text: &str) -> bool {
    let mut segments = text.split('.');
    segments.next().is_some_and(is_name) && segments.all(is_identifier)
}

/// Whether `text` can stand between double braces: `[a-z][a-z0-9_]*`. [S1]
pub fn is_reference_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.bytes().all(is_reference_byte)
}

/// Whether such a name may go on with `byte`.
pub(crate) fn is_reference_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_'
}

/// The first segment of a dotted name: what the catalog is asked for.
pub fn first_segment(name: &str) -> &str {
    name.split('.').next().unwrap_or(name)
}

/// Whether a word is how other languages write `elseif`.
pub(crate) fn is_foreign_elseif(word: &str) -> bool {
    matches!(word, "elif" | "elsif" | "elseIf" | "elsf")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for name in ["a", "_", "角色名", "_1", "é2", "If", "endif", "e\u{301}"] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "1a", "a.b", "a b", "if", "true", "in", "🎉", "-", "\u{301}a"] {
            assert!(!is_name(name), "{name}");
        }
        assert!(is_dotted_name("hero.if.for") && !is_dotted_name("if.x") && !is_dotted_name("a..b"));
    }
}
