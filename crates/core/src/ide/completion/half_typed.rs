//! The tag around the cursor while it is typed.
//!
//! A tag that is not whole yet is a brace and text to the syntax, so what is wanted is read off the text between that brace
//! and the cursor.

use crate::ide::Context;
use crate::span::{Span, offset};
use crate::syntax::{ChunkView, State, TokenKind, is_dotted_name, is_identifier, is_reference_byte};

const BLANK: [char; 2] = [' ', '\t'];

/// What closes the tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Closing {
    /// Nothing yet.
    Missing,
    /// A `}` right behind the word at the cursor, blanks aside.
    Next,
    /// A `}` further on.
    Later,
}

/// What can be put in at the cursor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wanted<'t> {
    /// Any tag.
    Tag,
    /// A word behind `{/`.
    Closer,
    /// An operand of a condition; behind a comparison, `left` is what stands before it.
    Operand {
        /// The left operand, as written.
        left: Option<&'t str>,
    },
    /// A comparison.
    Operator,
    /// `in`
    In,
    /// The list of a loop.
    List,
    /// How often to repeat.
    Count,
    /// A field of a structured value.
    Field {
        /// The name up to the dot.
        of: &'t str,
        /// Whether the name is a tag of its own, rather than an operand or a list.
        tag: bool,
    },
    /// What a quoted text behind a comparison says.
    Quoted {
        /// The left operand, as written.
        left: &'t str,
        /// The quote.
        quote: char,
    },
}

/// The tag around the cursor.
pub(super) struct HalfTyped<'a> {
    pub(super) view: ChunkView<'a>,
    /// The brace, an offset of the file.
    pub(super) open: u32,
    /// The word at the cursor, in the file.
    pub(super) word: Span,
    /// From behind the brace to the cursor, in the chunk.
    inside: Span,
    pub(super) closing: Closing,
    /// What is to be put in to end the tag.
    pub(super) closer: &'static str,
    /// Whether a blank follows the word.
    pub(super) gap: bool,
    /// Whether it is a whole control tag.
    pub(super) control: bool,
}

impl<'a> HalfTyped<'a> {
    /// The tag that the cursor at `at` is in, with what can be put in there.
    pub(super) fn around(cx: &Context<'a>, at: u32) -> Option<Self> {
        let document = cx.document;
        let base = document.header().body;
        if !cx.is_template() || at < base {
            return None;
        }
        let view = document.body().view_around(document.text(), base, at)?;
        if !cx.has_controls() {
            return Self::reference(view, at);
        }
        let relative = at - view.start;
        let (_, token) = view.last_before(at)?;
        let whole = token.is_tag() && relative < token.span.end;
        if token.state == State::Inert || !(whole || token.kind == TokenKind::OpenBrace) {
            return None;
        }
        let inside = Span::new(token.span.start + 1, relative);
        let before = view.text.get(inside.range())?;
        let rest = view.text.get(relative as usize..)?;
        let line = rest.split(['\n', '\r']).next()?;
        if before.contains(['\n', '\r']) {
            return None;
        }
        let (wanted, from) = wanted(before)?;
        let operator = wanted == Wanted::Operator;
        if !operator && before.ends_with(is_sign) && line.starts_with(is_sign) {
            // Within a comparison.
            return None;
        }
        let belongs = if operator { is_sign } else { unicode_ident::is_xid_continue };
        let word_len = match wanted {
            Wanted::Quoted { quote, .. } => quoted_len(line, quote),
            _ => line.find(|c: char| !belongs(c)).unwrap_or(line.len()),
        };
        let behind = line[word_len..].trim_start_matches(BLANK);
        let gap = line[word_len..].len() > behind.len();
        let closing = match (behind.starts_with('}'), whole) {
            (true, _) => Closing::Next,
            (false, true) => Closing::Later,
            (false, false) => Closing::Missing,
        };
        // The brace of a literal is a half-typed tag only if nothing else stands in it: what it closes with may be the `}`
        // that the editor put in, or one far below that has lost its partner to this brace.
        let literal = token.state == State::Border;
        if literal
            && closing != Closing::Next
            && (!behind.is_empty() || before.trim_matches(BLANK).is_empty())
        {
            return None;
        }
        // Where nothing closes the tag, what follows the cursor is the author's text: Chinese knows no blanks between words.
        let taken = if closing == Closing::Missing { 0 } else { word_len };
        let word = Span::new(view.start + inside.start + offset(from), at + offset(taken));
        let control = whole && token.kind != TokenKind::Variable;
        let closer = if closing == Closing::Missing { "}" } else { "" };
        Some(Self { open: view.start + token.span.start, word, inside, closing, closer, gap, control, view })
    }

    /// The same where tags stand in double braces and hold a name alone.
    fn reference(view: ChunkView<'a>, at: u32) -> Option<Self> {
        let before = view.text.get(..(at - view.start) as usize)?;
        let line = before.rsplit(['\n', '\r']).next()?;
        let brace = line.rfind("{{")?;
        let typed = &line[brace + 2..];
        if !typed.bytes().all(is_reference_byte) {
            return None;
        }
        let open = at - offset(line.len() - brace);
        let rest = view.text.get((at - view.start) as usize..)?;
        let word_len = rest.bytes().take_while(|byte| is_reference_byte(*byte)).count();
        let closer = match &rest[word_len..] {
            behind if behind.starts_with("}}") => "",
            behind if behind.starts_with('}') => "}",
            _ => "}}",
        };
        let closing = if closer.is_empty() { Closing::Next } else { Closing::Missing };
        let taken = if closer == "}}" { 0 } else { word_len };
        let word = Span::new(open + 2, at + offset(taken));
        let inside = Span::new(open + 2 - view.start, at - view.start);
        Some(Self { open, word, inside, closing, closer, gap: false, control: false, view })
    }

    /// What is wanted at the cursor.
    pub(super) fn wanted(&self) -> Option<Wanted<'_>> {
        wanted(self.view.text_of(self.inside)).map(|(wanted, _)| wanted)
    }
}

/// How much of `line`, which begins within a quoted text, belongs to that text: up to its quote, if that stands before the tag's end.
fn quoted_len(line: &str, quote: char) -> usize {
    let end = line.find([quote, '{', '}']).unwrap_or(line.len());
    if line[end..].starts_with(quote) { end + 1 } else { 0 }
}

fn is_sign(c: char) -> bool {
    matches!(c, '=' | '!' | '<' | '>')
}

/// What is wanted behind `before`, the text between a tag's brace and the cursor, and where the word at the cursor starts.
fn wanted(before: &str) -> Option<(Wanted<'_>, usize)> {
    let lead = before.trim_start_matches(BLANK);
    let at = |rest: &str| before.len() - rest.len();
    if let Some(word) = lead.strip_prefix('/') {
        let closer = word.bytes().all(|byte| byte.is_ascii_lowercase());
        return closer.then_some((Wanted::Closer, at(lead)));
    }
    if is_begun(lead) {
        return Some((Wanted::Tag, at(lead)));
    }
    if let Some((of, field)) = field(lead) {
        return Some((Wanted::Field { of, tag: true }, at(field)));
    }
    let (word, tail) = lead.split_once(BLANK)?;
    let tail = tail.trim_start_matches(BLANK);
    let (wanted, rest) = match word {
        "if" | "elseif" | "while" => condition(tail)?,
        "for" => {
            let (_, tail) = tail.split_once(BLANK)?;
            let tail = tail.trim_start_matches(BLANK);
            match tail.split_once(BLANK) {
                None if "in".starts_with(tail) => (Wanted::In, tail),
                Some(("in", list)) => (Wanted::List, list.trim_start_matches(BLANK)),
                _ => return None,
            }
        }
        "repeat" => (Wanted::Count, tail),
        _ => return None,
    };
    settled(wanted, rest).map(|(wanted, word)| (wanted, at(word)))
}

/// What is wanted behind `before`, the beginning of a condition that stands alone, and where the word at the cursor starts.
pub(super) fn wanted_in_condition(before: &str) -> Option<(Wanted<'_>, usize)> {
    let (wanted, rest) = condition(before.trim_start_matches(BLANK))?;
    settled(wanted, rest).map(|(wanted, word)| (wanted, before.len() - word.len()))
}

/// What is wanted, and the word, where that may still become one.
fn settled<'t>(wanted: Wanted<'t>, rest: &'t str) -> Option<(Wanted<'t>, &'t str)> {
    if let Some((of, field)) = field(rest) {
        return Some((Wanted::Field { of, tag: false }, field));
    }
    let sound = matches!(wanted, Wanted::Operator | Wanted::Quoted { .. }) || is_begun(rest);
    sound.then_some((wanted, rest))
}

/// A dotted name that may go on, and its last segment, which may be empty.
fn field(text: &str) -> Option<(&str, &str)> {
    let (of, field) = text.rsplit_once('.')?;
    (is_dotted_name(of) && is_begun(field)).then_some((of, field))
}

/// Whether `text` may become a name.
fn is_begun(text: &str) -> bool {
    text.is_empty() || is_identifier(text)
}

/// What is wanted behind the beginning of a condition, and the word there.
fn condition(text: &str) -> Option<(Wanted<'_>, &str)> {
    let Some((left, rest)) = operand(text) else { return Some((Wanted::Operand { left: None }, text)) };
    if left.is_empty() {
        return None;
    }
    let behind = rest.trim_start_matches(BLANK);
    let sign = &behind[..behind.find(|c| !is_sign(c)).unwrap_or(behind.len())];
    if sign.len() == behind.len() && matches!(sign, "" | "=" | "!") {
        // A word that just ended may still be going on.
        let settled = !sign.is_empty() || behind.len() < rest.len();
        return settled.then_some((Wanted::Operator, behind));
    }
    if !matches!(sign, "==" | "!=" | "<" | ">" | "<=" | ">=") {
        return None;
    }
    let right = behind[sign.len()..].trim_start_matches(BLANK);
    if let Some(quote @ ('"' | '\'')) = right.chars().next() {
        // A closed one is a whole operand.
        let open = !right[1..].contains([quote, '\\', '{', '}']);
        return open.then_some((Wanted::Quoted { left, quote }, right));
    }
    operand(right).is_none().then_some((Wanted::Operand { left: Some(left) }, right))
}

/// The operand that `text` begins with, if it ends before the text does, and what stands behind it.
fn operand(text: &str) -> Option<(&str, &str)> {
    let end = match text.chars().next()? {
        quote @ ('"' | '\'') => {
            let mut escaped = false;
            let close = text.char_indices().skip(1).find(|(_, c)| {
                let ends = *c == quote && !escaped;
                escaped = *c == '\\' && !escaped;
                ends
            });
            // An open quote is a text of the author's own.
            close.map_or(text.len(), |(at, _)| at + 1)
        }
        _ => text.find(|c: char| BLANK.contains(&c) || is_sign(c))?,
    };
    Some(text.split_at(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(before: &str) -> String {
        match wanted(before) {
            None => "nothing".to_owned(),
            Some((wanted, from)) => format!("{wanted:?} {:?}", &before[from..]),
        }
    }

    #[test]
    fn what_is_wanted() {
        for (before, expected) in [
            ("", "Tag \"\""),
            (" ti", "Tag \"ti\""),
            ("天", "Tag \"天\""),
            ("hero.", "Field { of: \"hero\", tag: true } \"\""),
            ("hero.wea", "Field { of: \"hero\", tag: true } \"wea\""),
            ("hero.weapon.", "Field { of: \"hero.weapon\", tag: true } \"\""),
            ("if hero.", "Field { of: \"hero\", tag: false } \"\""),
            ("if a == hero.n", "Field { of: \"hero\", tag: false } \"n\""),
            ("for x in hero.l", "Field { of: \"hero\", tag: false } \"l\""),
            ("repeat hero.", "Field { of: \"hero\", tag: false } \"\""),
            ("if.", "nothing"),
            ("1.", "nothing"),
            ("if 1.", "nothing"),
            ("hero..", "nothing"),
            ("等等.", "Field { of: \"等等\", tag: true } \"\""),
            ("\"a", "nothing"),
            ("weather ", "nothing"),
            ("/", "Closer \"/\""),
            (" /i", "Closer \"/i\""),
            ("/ i", "nothing"),
            ("if ", "Operand { left: None } \"\""),
            ("if is_gr", "Operand { left: None } \"is_gr\""),
            ("if a ", "Operator \"\""),
            ("if a =", "Operator \"=\""),
            ("if a !", "Operator \"!\""),
            ("if a ==", "Operand { left: Some(\"a\") } \"\""),
            ("if a== b", "Operand { left: Some(\"a\") } \"b\""),
            ("if a == b ", "nothing"),
            ("if a = b", "nothing"),
            ("if a b", "nothing"),
            ("if == ", "nothing"),
            ("if \"a b\" != ", "Operand { left: Some(\"\\\"a b\\\"\") } \"\""),
            ("if \"a == ", "nothing"),
            ("if 'it\\'s' ", "Operator \"\""),
            ("if a == 'x", "Quoted { left: \"a\", quote: '\\'' } \"'x\""),
            ("if a == \"", "Quoted { left: \"a\", quote: '\"' } \"\\\"\""),
            ("if a == \"x\"", "nothing"),
            ("if a == \"x\" ", "nothing"),
            ("if a == \"x\\", "nothing"),
            ("if a == 1", "nothing"),
            ("elseif x", "Operand { left: None } \"x\""),
            ("while ", "Operand { left: None } \"\""),
            ("else ", "nothing"),
            ("for ", "nothing"),
            ("for x", "nothing"),
            ("for x ", "In \"\""),
            ("for x i", "In \"i\""),
            ("for x in", "In \"in\""),
            ("for x in ", "List \"\""),
            ("for x in mem", "List \"mem\""),
            ("for x in members ", "nothing"),
            ("for x of ", "nothing"),
            ("repeat ", "Count \"\""),
            ("repeat n", "Count \"n\""),
            ("repeat 3", "nothing"),
            ("/if ", "nothing"),
            ("你好 ", "nothing"),
        ] {
            assert_eq!(shown(before), expected, "{before:?}");
        }
    }
}
