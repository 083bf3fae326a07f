//! Formatting: the header's keys in their order, single blanks in tags, no blank lines around the content.
//!
//! Nothing of it changes what is rendered. A tag that renders as its own text (of an unknown variable, malformed, without its
//! partner, in literal braces) is text, and stays as it is. What is formatted once does not change when it is formatted again.

mod header;
mod tags;

use super::{Context, Edit};
use crate::block::HeaderState;
use crate::span::{Span, offset};
use crate::syntax::{Document, Text};

/// The changes that format the file, in order and without overlap; with `range`, those that touch it alone.
pub fn formatting(cx: &Context<'_>, range: Option<Span>) -> Vec<Edit> {
    let document = cx.document;
    let header = document.header();
    if header.state != HeaderState::Closed {
        // Nobody knows where the header ends, so nobody knows what is content.
        return Vec::new();
    }
    let text_end = offset(document.text().len_bytes());
    let range = range.unwrap_or(Span::new(0, text_end));
    let touches = |edit: &Edit| edit.span.start <= range.end && range.start <= edit.span.end;
    let content = document.content();
    let mut edits = header::edits(document);
    edits.extend(edit(document, Span::new(header.body, content.start), ""));
    edits.retain(touches);
    if cx.is_template() && cx.has_controls() {
        edits.extend(tags::edits(cx, range, |_| true));
    }
    let last = if content.is_empty() { "" } else { document.text().line_break() };
    edits.extend(edit(document, Span::new(content.end, text_end), last).filter(touches));
    edits
}

/// The changes that format the tag that a `}` typed right before byte `at` has ended.
pub fn formatting_on_type(cx: &Context<'_>, at: u32) -> Vec<Edit> {
    let in_body = cx.document.header().state == HeaderState::Closed && at > cx.document.header().body;
    if !(in_body && cx.is_template() && cx.has_controls()) {
        return Vec::new();
    }
    tags::edits(cx, Span::new(at - 1, at), |tag| tag.end == at)
}

/// A text after edits that are in order and do not overlap.
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let mut after = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        after.push_str(text.get(done..edit.span.range().start).unwrap_or_default());
        after.push_str(&edit.text);
        done = edit.span.range().end;
    }
    after.push_str(text.get(done..).unwrap_or_default());
    after
}

/// `text` in place of `span`, if that is a change.
fn edit(document: &Document, span: Span, text: &str) -> Option<Edit> {
    (document.slice(span) != text).then(|| Edit { span, text: text.into() })
}

#[cfg(test)]
mod tests;
