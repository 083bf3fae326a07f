//! From a name or a tag to where it comes from, and from one tag of a construct to the others.

use super::Context;
use crate::FileId;
use crate::span::Span;

/// A place to go to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// The file.
    pub file: FileId,
    /// What to select: a name, a key, a tag.
    pub selection: Span,
    /// What belongs to it, around the selection.
    pub full: Span,
}

/// Where something comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// What was pointed at, in this file.
    pub origin: Span,
    /// Where it comes from.
    pub targets: Vec<Target>,
}

/// What a highlighted place is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HighlightKind {
    /// A tag of the same construct.
    Tag,
    /// Where a loop variable gets its value.
    Write,
    /// Where a variable is used.
    Read,
}

/// A place that belongs to what the cursor is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Highlight {
    /// Where.
    pub span: Span,
    /// What.
    pub kind: HighlightKind,
}

/// Where the variable or tag at byte `at` comes from.
pub fn definition(cx: &Context<'_>, at: u32) -> Option<Definition> {
    let _ = (cx, at);
    None
}

/// The places of this file that belong to what stands at byte `at`, in order: the tags of one construct.
pub fn highlights(cx: &Context<'_>, at: u32) -> Vec<Highlight> {
    let _ = (cx, at);
    Vec::new()
}
