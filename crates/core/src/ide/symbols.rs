//! The outline of a block: itself, its control blocks.

use super::Context;
use crate::span::Span;

/// What a symbol is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// The block.
    Block,
    /// A control block.
    Control,
    /// A branch of a control block.
    Branch,
}

/// One entry of the outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The block's id, or the tag.
    pub name: String,
    /// Zone and order, or the first line of text.
    pub detail: Option<String>,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it.
    pub span: Span,
    /// What to select when it is chosen; within the span.
    pub selection: Span,
    /// What stands in it, in order.
    pub children: Vec<Symbol>,
}

/// The outline.
pub fn symbols(cx: &Context<'_>) -> Vec<Symbol> {
    let _ = cx;
    Vec::new()
}
