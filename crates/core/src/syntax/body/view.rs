//! Single chunks with their places and texts, for the rules and features.

use super::Body;
use crate::span::{Span, offset};
use crate::syntax::control::{Pair, Scope};
use crate::syntax::fence::Fence;
use crate::syntax::reading::{Literal, Reading};
use crate::syntax::text::Text;
use crate::syntax::token::{Token, Tokens};
use std::borrow::Cow;
use std::sync::Arc;

/// One chunk with its place and text, for the rules and features.
#[derive(Debug)]
pub struct ChunkView<'a> {
    /// Its first byte in the file.
    pub start: u32,
    /// Its place among the chunks.
    pub(crate) index: u32,
    /// Its text.
    pub text: Cow<'a, str>,
    pub(crate) reading: &'a Reading,
    pub(crate) scope: Option<&'a Arc<Scope>>,
}

impl ChunkView<'_> {
    /// Its tokens; offsets are relative to the chunk.
    pub fn tokens(&self) -> &Tokens {
        &self.reading.tokens
    }

    pub(crate) fn literals(&self) -> &[Literal] {
        &self.reading.literals
    }

    /// Control tags paired within the chunk.
    pub(crate) fn pairs(&self) -> &[Pair] {
        &self.reading.control.pairs
    }

    /// Indices of tokens that no earlier chunk can make expected, each with the `{else}` that it stands behind.
    pub(crate) fn unexpected(&self) -> &[(u32, Option<u32>)] {
        &self.reading.control.unexpected
    }

    /// The control word of a token.
    pub(crate) fn keyword(&self, token: &Token) -> &str {
        crate::syntax::keyword_of(token.span.of_str(&self.text))
    }
}

impl Body {
    /// The chunk of that index, if it has a brace. `base` is where the body begins in `text`.
    pub(crate) fn view<'a, T: Text + ?Sized>(
        &'a self,
        text: &'a T,
        base: u32,
        index: usize,
    ) -> Option<ChunkView<'a>> {
        let start = base + self.chunks.get(..index)?.iter().map(|chunk| chunk.len).sum::<u32>();
        self.view_at(text, start, index)
    }

    fn view_at<'a, T: Text + ?Sized>(
        &'a self,
        text: &'a T,
        start: u32,
        index: usize,
    ) -> Option<ChunkView<'a>> {
        let chunk = self.chunks.get(index)?;
        let reading = chunk.reading.as_deref()?;
        let text = text.at(Span::new(start, start + chunk.len));
        let scope = self.structure.entry.get(index).and_then(Option::as_ref);
        Some(ChunkView { start, index: offset(index), text, reading, scope })
    }

    /// Every chunk that has a brace.
    pub fn views<'a, T: Text + ?Sized>(
        &'a self,
        text: &'a T,
        base: u32,
    ) -> impl Iterator<Item = ChunkView<'a>> {
        let mut start = base;
        self.chunks.iter().enumerate().filter_map(move |(index, chunk)| {
            let at = start;
            start += chunk.len;
            self.view_at(text, at, index)
        })
    }

    /// The chunks that have a brace and touch `span` of the file.
    pub fn views_within<'a, T: Text + ?Sized>(
        &'a self,
        text: &'a T,
        base: u32,
        span: Span,
    ) -> impl Iterator<Item = ChunkView<'a>> {
        let mut start = base;
        self.chunks.iter().enumerate().filter_map(move |(index, chunk)| {
            let at = start;
            start += chunk.len;
            let touches = at <= span.end && span.start <= start;
            if touches { self.view_at(text, at, index) } else { None }
        })
    }

    /// The chunk that holds or touches byte `at` of the file.
    pub fn view_around<'a, T: Text + ?Sized>(
        &'a self,
        text: &'a T,
        base: u32,
        at: u32,
    ) -> Option<ChunkView<'a>> {
        let (index, start) = self.chunk_around(base, at)?;
        self.view_at(text, start, index)
    }

    /// The innermost of the tags that stand open where the chunk around `at` begins.
    pub(crate) fn scope_around(&self, base: u32, at: u32) -> Option<&Arc<Scope>> {
        let (index, _) = self.chunk_around(base, at)?;
        self.structure.entry.get(index).and_then(Option::as_ref)
    }

    /// The text of a chunk, and the code fence that is open where it begins.
    pub(crate) fn prose<'a, T: Text + ?Sized>(
        &self,
        text: &'a T,
        base: u32,
        index: usize,
    ) -> Option<(Cow<'a, str>, Option<Fence>)> {
        let start = base + self.chunks.get(..index)?.iter().map(|chunk| chunk.len).sum::<u32>();
        let chunk = self.chunks.get(index)?;
        Some((text.at(Span::new(start, start + chunk.len)), chunk.fence))
    }
}
