//! From a variable, a loop variable or a block id to every place that names it.
//!
//! Which files name something says the index; only these have to be read.

use super::Context;
use super::definition::live_tag;
use crate::FileId;
use crate::project::Index;
use crate::span::{Span, offset};
use crate::syntax::{Document, OpenTags, PartKind, State, TokenRef, first_segment};
use std::sync::Arc;

/// What other places may name as well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Subject {
    /// A variable of the catalog, or one that nobody registered.
    Variable(Arc<str>),
    /// The variable of one loop, within its block.
    Loop {
        /// Its name.
        name: Arc<str>,
        /// The `{for …}` that introduces it.
        opener: TokenRef,
    },
    /// The id of a block.
    Block(Arc<str>),
}

/// A place that names something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reference {
    /// The name alone, without fields.
    pub span: Span,
    /// Whether the name is introduced here.
    pub declares: bool,
}

/// What the name at byte `at` means there.
pub fn subject(cx: &Context<'_>, at: u32) -> Option<Subject> {
    if let Some(id) = cx.document.header().id.as_ref().filter(|id| id.span.touches(at)) {
        return Some(Subject::Block(Arc::clone(&id.value)));
    }
    let (view, tag, token) = live_tag(cx, at)?;
    let part = view.part_at(&token, at)?;
    let name = first_segment(view.text_of(part.span));
    let start = view.start + part.span.start;
    if !Span::new(start, start + offset(name.len())).touches(at) {
        // A field has no place of its own.
        return None;
    }
    let opener = match part.kind {
        PartKind::Binding => Some(tag),
        PartKind::Name => view.open_at(view.start + token.span.start).loop_of(name),
        _ => return None,
    };
    let name = Arc::from(name);
    Some(match opener {
        Some(opener) => Subject::Loop { name, opener },
        None => Subject::Variable(name),
    })
}

/// The files of the project whose blocks name `subject`, with `file`, where it was pointed at.
pub fn files_naming(index: &Index, subject: &Subject, file: FileId) -> Vec<FileId> {
    let mut files = match subject {
        Subject::Variable(name) => index.files_using(name),
        Subject::Loop { .. } => Vec::new(),
        Subject::Block(id) => index.files_with_id(id),
    };
    if let Err(place) = files.binary_search(&file) {
        files.insert(place, file);
    }
    files
}

/// The places of a block that name `subject`, in order.
pub fn references(document: &Document, subject: &Subject) -> Vec<Reference> {
    match subject {
        Subject::Variable(name) => named(document, name, None),
        Subject::Loop { name, opener } => named(document, name, Some(*opener)),
        Subject::Block(id) => {
            let own = document.header().id.as_ref().filter(|own| own.value == *id);
            own.map(|own| Reference { span: own.span, declares: true }).into_iter().collect()
        }
    }
}

/// The places where `name` means the variable of the loop `wanted`, or no loop's.
fn named(document: &Document, name: &str, wanted: Option<TokenRef>) -> Vec<Reference> {
    let mut found = Vec::new();
    occurrences(document, [name], |one| {
        if one.meaning() == wanted {
            found.push(Reference { span: one.span, declares: one.declares });
        }
    });
    found
}

/// A live place of a block that spells one of a few names.
pub(super) struct Occurrence<'o, const N: usize> {
    /// Which of the names.
    pub(super) which: usize,
    /// The name alone, without fields.
    pub(super) span: Span,
    /// Whether a loop introduces it here.
    pub(super) declares: bool,
    /// The tag that it stands in.
    tag: TokenRef,
    /// Of each name the loops over it that stand open here, the innermost last.
    pub(super) loops: &'o [Vec<TokenRef>; N],
}

impl<const N: usize> Occurrence<'_, N> {
    /// The loop whose variable is meant; none where it is no loop's.
    pub(super) fn meaning(&self) -> Option<TokenRef> {
        // What a loop runs over stands outside of it.
        if self.declares { Some(self.tag) } else { self.loops.get(self.which)?.last().copied() }
    }
}

/// Goes through the live places that spell one of `names`, in order.
pub(super) fn occurrences<const N: usize>(
    document: &Document,
    names: [&str; N],
    mut each: impl FnMut(&Occurrence<'_, N>),
) {
    if !document.is_template() {
        return;
    }
    let mut open = OpenTags::default();
    // Looking at the last of them is enough, however deep the tags are.
    let mut loops: [Vec<TokenRef>; N] = std::array::from_fn(|_| Vec::new());
    for view in document.body().views(document.text(), document.header().body) {
        for (index, token) in view.tokens().iter().enumerate() {
            if token.state != State::Live || !token.is_tag() {
                continue;
            }
            let tag = TokenRef { chunk: view.index, index: offset(index) };
            let mut binds = None;
            for part in view.tokens().parts(token) {
                let declares = part.kind == PartKind::Binding;
                if !(declares || part.kind == PartKind::Name) {
                    continue;
                }
                let name = first_segment(view.text_of(part.span));
                let Some(which) = names.iter().position(|wanted| *wanted == name) else { continue };
                if declares {
                    binds = Some(which);
                }
                let start = view.start + part.span.start;
                let span = Span::new(start, start + offset(name.len()));
                each(&Occurrence { which, span, declares, tag, loops: &loops });
            }
            let closed = view.pass(&mut open, index, token);
            if let Some(outermost) = closed.iter().map(|open| open.tag).min() {
                for loops in &mut loops {
                    while loops.last().is_some_and(|tag| *tag >= outermost) {
                        loops.pop();
                    }
                }
            }
            if let Some(loops) = binds.and_then(|which| loops.get_mut(which)) {
                loops.push(tag);
            }
        }
    }
}

#[cfg(test)]
mod tests;
