//! Completion inside tags and in the header.

mod half_typed;
mod header;
mod known;
mod settings;
mod tag;

use super::{Context, Edit};
use crate::assemble::Environments;
use crate::block::HeaderState;
use crate::lint::{Code, Position};
use crate::span::Span;
use std::sync::Arc;

pub(super) use header::summary;
pub use settings::{Settings, SettingsFile, completions_in_settings};

/// Characters that ask for completion when typed.
pub const TRIGGERS: [&str; 7] = ["{", "/", " ", ":", ".", "\"", "'"];

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
    /// A field of a structured value.
    Field,
    /// The plugin that a block is from.
    Module,
}

/// What an item stands for, where its documentation is made when somebody looks at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum About {
    /// A variable of the catalog.
    Variable {
        /// Its name.
        name: Arc<str>,
        /// Where it would be put in.
        position: Position,
    },
    /// A diagnostic code.
    Code(Code),
}

/// What may be put in at a place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Completions {
    /// Sorted as it is to be shown.
    pub items: Vec<Completion>,
    /// Whether more would be there for another word, so that it must be asked for again when more is typed.
    pub incomplete: bool,
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
    /// Markdown, where it is short or always the same.
    pub documentation: Option<String>,
    /// What [`documentation`] is to be asked for instead.
    pub about: Option<About>,
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
            about: None,
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

/// What may be put in at byte `at`. `environments` are those of the project: values to compare with, and fields.
pub fn completions(cx: &Context<'_>, environments: &Environments, at: u32) -> Completions {
    let header = cx.document.header();
    let in_body = header.state == HeaderState::Closed && at >= header.body;
    let mut all = Completions::default();
    if !in_body {
        all.items = header::completions(cx, at);
    }
    if all.items.is_empty() {
        all = tag::completions(cx, environments, at);
    }
    all.items.sort_by(|a, b| a.sort_text.cmp(&b.sort_text));
    all
}

/// The documentation of an item, Markdown.
pub fn documentation(cx: &Context<'_>, about: &About) -> Option<String> {
    match about {
        About::Variable { name, position } => tag::documentation(cx, name, *position),
        About::Code(code) => Some(summary(*code, cx)),
    }
}

#[cfg(test)]
mod tests;
