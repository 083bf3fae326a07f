//! Removing a piece of a file of JSON or TOML with all that goes with it: its comma, its line, the comment behind it.

use super::Edit;
use crate::span::{Span, offset};
use crate::syntax::Text;
use ropey::Rope;

/// What goes with an entry stands near it. A longer comment stays where it is.
const WINDOW: usize = 1024;

const BLANK: [char; 2] = [' ', '\t'];
const LINE_BREAK: [char; 2] = ['\n', '\r'];

/// The text before and behind a place, as far as it matters.
struct Around {
    before: String,
    behind: String,
}

impl Around {
    fn new(text: &Rope, span: Span) -> Self {
        let floor = |at: usize| {
            text.try_byte_to_char(at.min(text.len_bytes())).map_or(0, |char| text.char_to_byte(char))
        };
        let (start, end) = (floor(span.range().start), floor(span.range().end));
        let before = Span::of(floor(start.saturating_sub(WINDOW))..start);
        let behind = Span::of(end..floor(end.saturating_add(WINDOW)));
        Self { before: text.at(before).into_owned(), behind: text.at(behind).into_owned() }
    }

    /// How much of the line before the place is blank, where it is nothing else; that includes the start of the text.
    fn blanks_of_line(&self) -> Option<usize> {
        let line = self.before.rsplit(LINE_BREAK).next().unwrap_or_default();
        let whole = line.len() < self.before.len() || line.len() < WINDOW - 4;
        let line = line.trim_start_matches('\u{feff}');
        (whole && line.chars().all(|c| BLANK.contains(&c))).then_some(line.len())
    }
}

/// How long the blanks, breaks and comments at the start of `text` are.
fn trivia(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\n', '\r']).len();
        let comment = comment(&rest[blank..]);
        at += blank + comment;
        if comment == 0 {
            return at;
        }
    }
}

/// How long the comment at the start of `text` is; 0 where there is none.
fn comment(text: &str) -> usize {
    if text.starts_with("//") || text.starts_with('#') {
        return text.find(LINE_BREAK).unwrap_or(text.len());
    }
    let block = text.strip_prefix("/*").and_then(|rest| rest.find("*/"));
    block.map_or(0, |length| length + 4)
}

/// The blanks and comments up to the end of the line, where there is nothing else.
fn rest_of_line(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let blank = rest.len() - rest.trim_start_matches(BLANK).len();
        let comment = comment(&rest[blank..]);
        // A block comment over several lines is no part of this one.
        if rest[blank..blank + comment].contains(LINE_BREAK) {
            return None;
        }
        at += blank + comment;
        if comment == 0 {
            let rest = &text[at..];
            return (rest.is_empty() || rest.starts_with(LINE_BREAK)).then_some(at);
        }
    }
}

/// The length of the line break at the start of `text`.
fn line_break(text: &str) -> usize {
    match text.as_bytes() {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Removes a member of an object or an item of a list.
pub(super) fn entry(text: &Rope, entry: Span) -> Edit {
    let around = Around::new(text, entry);
    let trivia = trivia(&around.behind);
    let has_comma = around.behind[trivia..].starts_with(',');
    let end = if has_comma { trivia + 1 } else { 0 };
    let own_line = around.blanks_of_line();
    if !has_comma {
        // The last one: the comma before it would be one too many for a strict reader.
        let before = around.before.trim_end_matches([' ', '\t', '\n', '\r']);
        if before.ends_with(',') {
            let rest = own_line.and_then(|_| rest_of_line(&around.behind)).unwrap_or(0);
            let from = around.before.len() - before.len() + 1;
            return Edit::new(Span::new(entry.start - offset(from), entry.end + offset(rest)), "");
        }
    }
    let behind = &around.behind[end..];
    let (from, to) = match (own_line, rest_of_line(behind)) {
        (Some(blanks), Some(rest)) => (blanks, rest + line_break(&behind[rest..])),
        (None, Some(_)) => (around.before.len() - around.before.trim_end_matches(BLANK).len(), 0),
        // What follows on the line takes its place.
        (_, None) => (0, behind.len() - behind.trim_start_matches(BLANK).len()),
    };
    Edit::new(Span::new(entry.start - offset(from), entry.end + offset(end + to)), "")
}

/// Removes the lines of `span`, where nothing but a comment shares them.
pub(super) fn lines(text: &Rope, span: Span) -> Option<Edit> {
    let around = Around::new(text, span);
    let blanks = around.blanks_of_line()?;
    let rest = rest_of_line(&around.behind)?;
    let end = rest + line_break(&around.behind[rest..]);
    Some(Edit::new(Span::new(span.start - offset(blanks), span.end + offset(end)), ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without what stands between `«` and `»`.
    fn without(marked: &str, remove: impl Fn(&Rope, Span) -> Option<Edit>) -> Option<String> {
        let (start, end) = (marked.find('«').expect("«"), marked.find('»').expect("»") - '«'.len_utf8());
        let mut text = marked.replace(['«', '»'], "");
        let edit = remove(&Rope::from_str(&text), Span::of(start..end))?;
        text.replace_range(edit.span.range(), &edit.text);
        Some(text)
    }

    #[test]
    fn an_entry_goes_with_its_comma_and_its_line() {
        for (marked, left) in [
            ("{«\"a\": {}», \"b\": {}}", "{\"b\": {}}"),
            ("{\"a\": {}, «\"b\": {}»}", "{\"a\": {}}"),
            ("{\"a\": {}, «\"b\": {}»,}", "{\"a\": {}, }"),
            ("{«\"a\": {}»}", "{}"),
            ("[«1»]", "[]"),
            ("[«1» , 2]", "[2]"),
            ("{\n  «\"a\": {}»\n}", "{\n}"),
            ("{\n  «\"a\": {}», // 它🎉\n  // next\n  \"b\": {}\n}", "{\n  // next\n  \"b\": {}\n}"),
            ("{\r\n\t«\"a\": {\r\n}»,\r\n\t\"b\": {}\r\n}", "{\r\n\t\"b\": {}\r\n}"),
            ("{\n  \"a\": {},\n  «\"b\": {}»\n}", "{\n  \"a\": {}\n}"),
            ("{\n  \"a\": {},\n  «\"b\": {}» // last\n}", "{\n  \"a\": {}\n}"),
            ("{\n  \"a\": {},\n  «\"b\": {}»,\n}", "{\n  \"a\": {},\n}"),
            ("{\n  \"a\": {}, // a\n  «\"b\": {}»\n}", "{\n  \"a\": {}, // a\n}"),
            ("{\n  \"a\": {}, «\"b\": {}»,\n  \"c\": {}\n}", "{\n  \"a\": {},\n  \"c\": {}\n}"),
            ("{\n  «\"a\": {}» /* x */ , \"c\": {}\n}", "{\n  \"c\": {}\n}"),
            ("a = [\n  «\"x\"», # why\n  \"y\"\n]", "a = [\n  \"y\"\n]"),
        ] {
            let removed = without(marked, |text, span| Some(entry(text, span)));
            assert_eq!(removed.as_deref(), Some(left), "{marked}");
        }
    }

    #[test]
    fn lines_go_whole_or_stay() {
        assert_eq!(without("\u{feff}«a = 1» # x\nb = 2", lines).as_deref(), Some("\u{feff}b = 2"));
        assert_eq!(without("b = 2\r\n  «a = 1»", lines).as_deref(), Some("b = 2\r\n"));
        assert_eq!(without("t = { «a = 1», b = 2 }", lines), None);
    }
}
