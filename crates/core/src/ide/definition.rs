//! From a name or a tag to where it comes from, and from one tag of a construct to the others.

use super::Context;
use super::references::{references, subject};
use crate::FileId;
use crate::span::{Span, offset};
use crate::syntax::{ChunkView, PartKind, State, Token, TokenRef, first_segment};

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

/// A place that belongs to what the cursor is on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Highlight {
    /// Where.
    pub span: Span,
    /// Whether a name is used or introduced here; none for a tag.
    pub declares: Option<bool>,
}

/// Where the variable or tag at byte `at` comes from.
pub fn definition(cx: &Context<'_>, at: u32) -> Option<Definition> {
    let document = cx.document;
    let base = document.header().body;
    let (view, tag, token) = live_tag(cx, at)?;
    if let Some(part) =
        view.part_at(&token, at).filter(|part| matches!(part.kind, PartKind::Name | PartKind::Binding))
    {
        let name = first_segment(view.text_of(part.span));
        let start = view.start + part.span.start;
        let origin = Span::new(start, start + offset(name.len()));
        if part.kind == PartKind::Binding {
            return Some(cx.definition(origin, origin, token.span.shift(view.start)));
        }
        if !origin.touches(at) {
            // A field has no place of its own.
            return None;
        }
        if let Some(opener) = view.open_at(view.start + token.span.start).loop_of(name) {
            let full = document.body().spans_of([opener], base).pop()?;
            let binding = binding_in(cx, opener)?.shift(full.start);
            return Some(cx.definition(origin, binding, full));
        }
        let definition = cx.judge.catalog.get(name)?.definition?;
        let target = Target { file: definition.file, selection: definition.key, full: definition.entry };
        return Some(Definition { origin, targets: vec![target] });
    }
    let pair = document.body().pair_of(tag).filter(|pair| pair.opener != tag)?;
    let spans = document.body().spans_of(std::iter::once(pair.opener).chain(pair.closer), base);
    let opener = *spans.first()?;
    let full = spans.iter().fold(opener, |all, span| all.cover(*span));
    Some(cx.definition(token.span.shift(view.start), opener, full))
}

/// The places of this file that belong to what stands at byte `at`, in order: the tags of one construct, the uses of one name.
pub fn highlights(cx: &Context<'_>, at: u32) -> Vec<Highlight> {
    if let Some(subject) = subject(cx, at) {
        let found = references(cx.document, &subject).into_iter();
        return found.map(|one| Highlight { span: one.span, declares: Some(one.declares) }).collect();
    }
    let Some((view, tag, token)) = live_tag(cx, at) else { return Vec::new() };
    let on_word = match view.part_at(&token, at) {
        Some(part) => part.kind == PartKind::Keyword,
        None => true,
    };
    let body = cx.document.body();
    let Some(pair) = body.pair_of(tag).filter(|_| on_word) else { return Vec::new() };
    let spans = body.spans_of(pair.tags(), cx.document.header().body);
    spans.into_iter().map(|span| Highlight { span, declares: None }).collect()
}

/// The live tag that the cursor at `at` touches, the one that begins there before the one that ends there.
pub(super) fn live_tag<'a>(cx: &Context<'a>, at: u32) -> Option<(ChunkView<'a>, TokenRef, Token)> {
    let document = cx.document;
    let base = document.header().body;
    if !cx.is_template() || at < base {
        return None;
    }
    let view = document.body().view_around(document.text(), base, at)?;
    let (tag, token) = view.token_at(at)?;
    let token = *token;
    let live = token.state == State::Live && token.is_tag();
    live.then_some((view, tag, token))
}

/// The loop variable of an opener, relative to the tag.
fn binding_in(cx: &Context<'_>, opener: TokenRef) -> Option<Span> {
    let document = cx.document;
    let view = document.body().view(document.text(), document.header().body, opener.chunk as usize)?;
    let token = document.body().token_of(opener)?;
    let part = view.tokens().parts(token).iter().find(|part| part.kind == PartKind::Binding)?;
    Some(Span::new(part.span.start - token.span.start, part.span.end - token.span.start))
}

impl Context<'_> {
    fn definition(&self, origin: Span, selection: Span, full: Span) -> Definition {
        Definition { origin, targets: vec![Target { file: self.file, selection, full }] }
    }
}

#[cfg(test)]
mod tests;
