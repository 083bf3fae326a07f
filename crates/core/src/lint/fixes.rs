//! From what a rule knows of the way out to edits of the text.

use crate::message::Message;
use crate::span::Span;
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
        Remedy::EscapeBraces(span) => vec![escape_braces(document, *span)],
        Remedy::RemoveKey(span) => {
            vec![Fix::one(msg!("Remove this line", "删除此行"), false, *span, "")]
        }
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

/// Doubles every brace of a literal pair: the same text is rendered, and it says what is meant.
fn escape_braces(document: &Document, span: Span) -> Fix {
    let braces = document.body().braces_within(document.header().body, span);
    let text = document.slice(span);
    let edits = braces.into_iter().filter_map(|at| {
        let brace = text.get((at - span.start) as usize..(at - span.start) as usize + 1)?;
        Some(Edit { span: Span::empty(at), text: brace.into() })
    });
    Fix { title: msg!("Escape these braces", "转义这些花括号"), safe: true, edits: edits.collect() }
}
