//! What can be folded: the header, control blocks with their branches, literal braces.

use super::Context;
use crate::span::Span;

/// What is folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldKind {
    /// The header.
    Header,
    /// A control block or one of its branches.
    Block,
    /// Literal braces.
    Braces,
}

/// A region of whole lines: the line of its first byte stays visible, the lines behind it up to the one of its last byte go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fold {
    /// From somewhere on the first line to the end of the last one, its line break left out.
    pub span: Span,
    /// What it is.
    pub kind: FoldKind,
}

/// Every region of the file, in order.
pub fn folds(cx: &Context<'_>) -> Vec<Fold> {
    let _ = cx;
    Vec::new()
}
