//! From what a rule knows of the way out to edits of the text.

use crate::message::Message;
use crate::span::{Span, offset};
use crate::syntax::Document;
use crate::{Code, Diagnostic, Remedy, msg};
use std::sync::Arc;

/// One change of the file that the finding is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What goes.
    pub span: Span,
    /// What comes in its place.
    pub text: Arc<str>,
}

/// One way out of a finding. Its edits do not overlap and are in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, for a menu.
    pub title: Message,
    /// Whether it may be done without asking: what is rendered stays the same, or gains only what was plainly meant.
    pub safe: bool,
    /// The changes.
    pub edits: Vec<Edit>,
}

impl Fix {
    fn one(title: Message, safe: bool, span: Span, text: impl Into<Arc<str>>) -> Self {
        Self { title, safe, edits: vec![Edit { span, text: text.into() }] }
    }
}

/// The ways out of a finding of `document`, the best first.
pub fn fixes(document: &Document, finding: &Diagnostic) -> Vec<Fix> {
    match &finding.remedy {
        Remedy::None => Vec::new(),
        Remedy::Replace { with, safe } => with
            .iter()
            .enumerate()
            .map(|(index, text)| {
                let title = msg!("Replace with `{text}`", "替换为 `{text}`");
                Fix::one(title, *safe && index == 0, finding.span, Arc::clone(text))
            })
            .collect(),
        Remedy::EscapeBraces(span) => {
            vec![escape_braces(
                document,
                *span,
                Span::empty(0),
                msg!("Escape these braces", "转义这些花括号"),
            )]
        }
        Remedy::EscapeAround(tag) => escape_around(document, *tag).into_iter().collect(),
        Remedy::RemoveKey(key) => lines_of_key(document, *key)
            .map(|span| Fix::one(msg!("Remove this key", "删除此键"), false, span, ""))
            .into_iter()
            .collect(),
        Remedy::Insert { at, text, safe } => {
            let shown = text.trim();
            vec![Fix::one(
                msg!("Insert `{shown}`", "插入 `{shown}`"),
                *safe,
                Span::empty(*at),
                Arc::clone(text),
            )]
        }
        Remedy::Delete(span) => {
            let title = match finding.code {
                Code::ArgumentCount => msg!("Remove the arguments", "删除参数"),
                _ => msg!("Remove it", "删除"),
            };
            vec![Fix::one(title, false, *span, "")]
        }
    }
}

/// The whole lines of a header key with its value; `None` where other keys share them.
fn lines_of_key(document: &Document, key: Span) -> Option<Span> {
    let content = document.header().content;
    let before = document.slice(Span::new(content.start, key.start));
    let start = before.rfind(['\n', '\r']).map_or(content.start, |at| content.start + offset(at) + 1);
    if !document.slice(Span::new(start, key.start)).trim().is_empty() {
        return None;
    }
    let rest = document.slice(Span::new(start, content.end));
    let mut lines = rest.split_inclusive('\n');
    let first = lines.next()?.len();
    // What follows indented, or as an item of a list, belongs to the value.
    let more: usize = lines.take_while(|line| line.starts_with([' ', '\t', '-'])).map(str::len).sum();
    Some(Span::new(start, start + offset(first + more)))
}

/// Makes a tag inside literal braces live: what stands around it is rendered as before.
fn escape_around(document: &Document, tag: Span) -> Option<Fix> {
    let literals = document.body().literals(document.header().body);
    let (open, close) = *literals.iter().find(|(open, close)| *open < tag.start && tag.end <= *close)?;
    let title = msg!("Escape the braces around this tag", "转义此标签外层的花括号");
    // What was text becomes a value, so somebody has to look at it.
    Some(Fix { safe: false, ..escape_braces(document, Span::new(open, close + 1), tag, title) })
}

/// Doubles every brace of a literal pair but those of the tag `but`: the same text is rendered, and it says what is meant.
fn escape_braces(document: &Document, span: Span, but: Span, title: Message) -> Fix {
    let braces = document.body().braces_within(document.header().body, span);
    let text = document.slice(span);
    let edits = braces.into_iter().filter(|at| !but.contains(*at)).filter_map(|at| {
        let brace = text.get((at - span.start) as usize..(at - span.start) as usize + 1)?;
        Some(Edit { span: Span::empty(at), text: brace.into() })
    });
    Fix { title, safe: true, edits: edits.collect() }
}
