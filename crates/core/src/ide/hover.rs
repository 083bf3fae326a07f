//! What stands at a place, explained.

use super::Context;
use crate::span::Span;

/// An explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// What it explains.
    pub span: Span,
    /// Markdown.
    pub markdown: String,
}

/// What stands at byte `at`.
pub fn hover(cx: &Context<'_>, at: u32) -> Option<Hover> {
    let _ = (cx, at);
    None
}
