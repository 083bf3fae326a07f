//! Texts inside source code: features ask about the text, and their answers become places of the source.

use crate::state::Shared;
use promptblock_core::ide::Context;
use promptblock_core::source::Cooked;
use promptblock_core::span::Span;
use promptblock_workspace::{Registered, Snapshot};

/// A text of a source file with a place in it.
pub(super) struct Embedded<'s> {
    pub(super) context: Context<'s>,
    pub(super) cooked: &'s Cooked,
    /// The place, in the text.
    pub(super) at: u32,
}

/// Every text of a source file, each at its beginning.
pub(super) fn texts<'s>(shared: &Shared, snapshot: &'s Snapshot) -> impl Iterator<Item = Embedded<'s>> {
    let locale = shared.locale(&snapshot.project);
    snapshot.registered.iter().filter_map(move |registered: &'s Registered| {
        let (cooked, document) = (registered.part.cooked.as_deref()?, registered.part.document.as_ref()?);
        let context = Context {
            file: registered.file,
            document,
            judge: &registered.judge,
            index: &registered.index,
            locale,
        };
        Some(Embedded { context, cooked, at: 0 })
    })
}

/// The text that the place `at` of a source file belongs to.
pub(super) fn embedded<'s>(shared: &Shared, snapshot: &'s Snapshot, at: u32) -> Option<Embedded<'s>> {
    texts(shared, snapshot).find_map(|text| Some(Embedded { at: text.cooked.to_text(at)?, ..text }))
}

impl Embedded<'_> {
    /// A place of the text in the source.
    pub(super) fn span(&self, span: Span) -> Span {
        self.cooked.to_source(span)
    }
}
