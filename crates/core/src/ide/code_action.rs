//! Quick fixes: the ways out of the findings at a place.

use super::{Context, Edit};
use crate::Diagnostic;
use crate::span::Span;

/// One way out of one finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeAction {
    /// For a menu.
    pub title: String,
    /// The finding that it answers.
    pub diagnostic: Diagnostic,
    /// The changes of this file, in order and without overlap.
    pub edits: Vec<Edit>,
    /// Whether an editor may choose it when asked for the obvious one.
    pub preferred: bool,
    /// Whether it may be done without asking.
    pub safe: bool,
}

/// The fixes for those of `findings` that touch `span`; in the order of the findings, the best of each first.
pub fn code_actions(cx: &Context<'_>, findings: &[Diagnostic], span: Span) -> Vec<CodeAction> {
    let _ = (cx, findings, span);
    Vec::new()
}
