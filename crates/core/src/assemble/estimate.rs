//! The rough count of tokens: a CJK character counts as two, and three characters are a token. [S4]

/// Weight of a text, in thirds of a token. A `\r\n` is one character, as it is in a block's content.
pub fn weight(text: &str) -> u32 {
    let weight: usize = text.chars().map(|c| if is_cjk(c) { 2 } else { usize::from(c != '\r') }).sum();
    // A lone `\r` becomes a line break and does count.
    let lone = text.as_bytes().windows(2).filter(|pair| pair[0] == b'\r' && pair[1] != b'\n').count();
    let last = usize::from(text.ends_with('\r'));
    crate::span::offset(weight + lone + last)
}

/// Tokens of so many thirds, rounded up.
pub const fn tokens(weight: u32) -> u32 {
    weight.div_ceil(3)
}

fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights() {
        assert_eq!(weight("abc"), 3);
        assert_eq!(weight("你好，a"), 6);
        assert_eq!((weight("a\r\nb"), weight("a\nb"), weight("a\rb"), weight("a\r")), (3, 3, 3, 2));
        assert_eq!((tokens(0), tokens(1), tokens(3), tokens(4)), (0, 1, 1, 2));
    }
}
