//! Completion inside tags and in the header.

mod half_typed;
mod header;
mod tag;

use super::{Context, Edit};
use crate::block::HeaderState;
use crate::span::Span;

pub(super) use header::summary;

/// Characters that ask for completion when typed.
pub const TRIGGERS: [&str; 4] = ["{", "/", " ", ":"];

/// What a completion stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CompletionKind {
    /// A variable of the catalog.
    Variable,
    /// A loop variable.
    LoopVariable,
    /// A control tag with its closer.
    Snippet,
    /// A control word, a closer, `in`, `true`, `false`.
    Keyword,
    /// A key of the header.
    Property,
    /// A value that a key takes.
    EnumMember,
    /// An order.
    Value,
    /// A comparison.
    Operator,
}

/// One thing to put in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// What is listed.
    pub label: String,
    /// What it stands for.
    pub kind: CompletionKind,
    /// Right behind the label, e.g. the arguments (LSP's `labelDetails.detail`, with its leading blank).
    pub signature: Option<String>,
    /// At the line's end, e.g. the type or the reason against it (LSP's `labelDetails.description`).
    pub description: Option<String>,
    /// One line, for clients that show no more than that (LSP's `detail`).
    pub detail: Option<String>,
    /// Markdown.
    pub documentation: Option<String>,
    /// What typed letters are compared with.
    pub filter_text: String,
    /// What the list is sorted by.
    pub sort_text: String,
    /// The change, as plain text; on one line, around the cursor.
    pub edit: Edit,
    /// The same as a snippet in LSP's syntax, where it has places to fill.
    pub snippet: Option<String>,
    /// Why it would be an error here. The item is listed last and shown as struck out (LSP's tag `Deprecated`).
    pub objection: Option<String>,
    /// Whether it is the one most likely meant.
    pub preselect: bool,
    /// Whether more is to be completed once it is put in.
    pub again: bool,
}

impl Completion {
    fn new(label: &str, kind: CompletionKind, span: Span) -> Self {
        Self {
            label: label.to_owned(),
            kind,
            signature: None,
            description: None,
            detail: None,
            documentation: None,
            filter_text: label.to_owned(),
            sort_text: label.to_owned(),
            edit: Edit { span, text: label.into() },
            snippet: None,
            objection: None,
            preselect: false,
            again: false,
        }
    }
}

/// What may be put in at byte `at`, sorted as it is to be shown.
pub fn completions(cx: &Context<'_>, at: u32) -> Vec<Completion> {
    let header = cx.document.header();
    let in_body = header.state == HeaderState::Closed && at >= header.body;
    let mut all = if in_body { Vec::new() } else { header::completions(cx, at) };
    if all.is_empty() {
        all = tag::completions(cx, at);
    }
    all.sort_by(|a, b| a.sort_text.cmp(&b.sort_text));
    all
}

#[cfg(test)]
mod tests;
