//! Braces that are text, escaped.

use super::{Edit, Fix};
use crate::message::Message;
use crate::msg;
use crate::span::Span;
use crate::syntax::Document;

/// In longer braces nobody makes one tag live.
const LONGEST: u32 = 1 << 12;

/// Makes a tag inside literal braces live: what stands around it is rendered as before.
pub(super) fn escape_around(document: &Document, tag: Span) -> Option<Fix> {
    let base = document.header().body;
    let (open, close) = document.body().literal_around(base, tag.start, LONGEST)?;
    // A file of JSON has thousands of tags in one pair of braces, and each would repeat all the others'.
    if open == tag.start || tag.end > close || close - open > LONGEST {
        return None;
    }
    let title = msg!("Escape the braces around this tag", "转义此标签外层的花括号");
    // What was text becomes a value, so somebody has to look at it.
    Some(escape_braces(document, Span::new(open, close + 1), tag, title))
}

/// Doubles every brace of a literal pair but those of the tag `but`: the same text is rendered, and it says what is meant.
pub(super) fn escape_braces(document: &Document, span: Span, but: Span, title: Message) -> Fix {
    let mut edits = escaped_braces(document, span);
    edits.retain(|edit| !but.contains(edit.span.start));
    Fix::new(title, edits)
}

/// Doubles every brace of a literal pair.
pub(crate) fn escaped_braces(document: &Document, span: Span) -> Vec<Edit> {
    let braces = document.body().braces_within(document.header().body, span);
    let text = document.slice(span);
    let double = |at: u32| {
        let brace = text.get((at - span.start) as usize..(at - span.start) as usize + 1)?;
        Some(Edit::insert(at, brace))
    };
    braces.into_iter().filter_map(double).collect()
}
