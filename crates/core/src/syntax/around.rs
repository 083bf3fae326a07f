//! What stands around a place of the body: the token there, the tags that stand open, the other tags of a construct.

use super::body::{Body, ChunkView};
use super::control::{OpenTags, TagPair, TokenRef};
use super::reading::binding;
use super::text::Text;
use super::token::{Malformed, Part, State, Token, TokenKind};
use crate::span::Span;
use std::sync::Arc;

/// A tag that stands open somewhere.
#[derive(Clone, Debug)]
pub(crate) struct OpenTag {
    /// The opener.
    pub(crate) tag: TokenRef,
    /// The loop variable that it introduces.
    pub(crate) binding: Option<Arc<str>>,
}

impl ChunkView<'_> {
    /// The last token that begins before `at`, an offset of the file.
    pub(crate) fn last_before(&self, at: u32) -> Option<(TokenRef, &Token)> {
        let at = at.checked_sub(self.start)?;
        let tokens = &self.tokens().tokens;
        let index = tokens.partition_point(|token| token.span.start < at).checked_sub(1)?;
        Some((self.tag(index), tokens.get(index)?))
    }

    /// The token that `at` lies in, or that ends there if none begins.
    pub(crate) fn token_at(&self, at: u32) -> Option<(TokenRef, &Token)> {
        let relative = at.checked_sub(self.start)?;
        let tokens = &self.tokens().tokens;
        let index = tokens.partition_point(|token| token.span.start <= relative).checked_sub(1)?;
        let here = tokens.get(index).filter(|token| token.span.touches(relative))?;
        Some((self.tag(index), here))
    }

    /// The piece of `token` that the cursor at `at` touches.
    pub(crate) fn part_at(&self, token: &Token, at: u32) -> Option<&Part> {
        let relative = at.checked_sub(self.start)?;
        let touching = || self.tokens().parts(token).iter().filter(|part| part.span.touches(relative));
        touching().find(|part| part.span.contains(relative)).or_else(|| touching().next())
    }

    /// The text of a span that is relative to the chunk.
    pub(crate) fn text_of(&self, span: Span) -> &str {
        span.of_str(&self.text)
    }

    /// The tags that stand open at `at`, an offset of the file.
    pub(crate) fn open_at(&self, at: u32) -> OpenTags<OpenTag> {
        self.innermost_open_at(at, usize::MAX)
    }

    /// The same with so many at most of those that stand open where the chunk begins, the innermost of them.
    pub(crate) fn innermost_open_at(&self, at: u32, most: usize) -> OpenTags<OpenTag> {
        let mut open = OpenTags::default();
        let mut outer = Vec::new();
        let mut scope = self.scope;
        while let Some(frame) = scope.filter(|_| outer.len() < most) {
            outer.push(frame);
            scope = frame.outer.as_ref();
        }
        for frame in outer.into_iter().rev() {
            open.open(frame.control, false, OpenTag { tag: frame.tag, binding: frame.binding.clone() });
        }
        let before = self.tokens().iter().enumerate();
        for (index, token) in before.take_while(|(_, token)| token.span.end + self.start <= at) {
            self.pass(&mut open, index, token);
        }
        open
    }

    /// Takes over what the token of that index does to the tags that stand open. Gives those that it closes.
    pub(crate) fn pass(&self, open: &mut OpenTags<OpenTag>, index: usize, token: &Token) -> Vec<OpenTag> {
        if token.state != State::Live {
            return Vec::new();
        }
        let binding = || binding(&self.text, self.tokens(), token).map(Arc::from);
        let new = || OpenTag { tag: self.tag(index), binding: binding() };
        match token.kind {
            TokenKind::Opener(control) => open.open(control, false, new()),
            TokenKind::Malformed(Malformed::Opener(control)) => open.open(control, true, new()),
            TokenKind::Closer(control) | TokenKind::Malformed(Malformed::Closer(control)) => {
                let closed = open.close(control).map(|(outer, inner)| inner.into_iter().chain([outer]));
                return closed.into_iter().flatten().map(|open| open.tag).collect();
            }
            TokenKind::Else | TokenKind::ElseIf => {
                open.branch(token.kind == TokenKind::Else, new());
            }
            _ => {}
        }
        Vec::new()
    }

    fn tag(&self, index: usize) -> TokenRef {
        TokenRef { chunk: self.index, index: crate::span::offset(index) }
    }
}

impl OpenTags<OpenTag> {
    /// The innermost open loop over `name`.
    pub(crate) fn loop_of(&self, name: &str) -> Option<TokenRef> {
        let mut open = self.stack.iter().rev().map(|open| &open.tag);
        open.find(|open| open.binding.as_deref() == Some(name)).map(|open| open.tag)
    }
}

impl TagPair {
    /// Its tags in the order of the text.
    pub(crate) fn tags(&self) -> impl Iterator<Item = TokenRef> {
        std::iter::once(self.opener).chain(self.branches.iter().copied()).chain(self.closer)
    }
}

impl Body {
    /// The tags that stand open at `at`, an offset of the file, the innermost first and so many at most.
    pub(crate) fn open_around<T: Text + ?Sized>(
        &self,
        text: &T,
        base: u32,
        at: u32,
        most: usize,
    ) -> Vec<TokenRef> {
        if let Some(view) = self.view_around(text, base, at) {
            let open = view.innermost_open_at(at, most);
            return open.stack.iter().rev().take(most).map(|open| open.tag.tag).collect();
        }
        // A chunk without a brace opens and closes nothing.
        let innermost = self.scope_around(base, at);
        std::iter::successors(innermost, |scope| scope.outer.as_ref())
            .take(most)
            .map(|scope| scope.tag)
            .collect()
    }

    /// The construct that a control tag belongs to.
    pub(crate) fn pair_of(&self, tag: TokenRef) -> Option<TagPair> {
        let local = || self.pairs_in(tag.chunk).find(|pair| pair.tags().any(|other| other == tag));
        local().or_else(|| self.structure().pair_of(tag).cloned())
    }

    /// The loop variables, in order.
    pub(crate) fn bindings<'a>(
        &'a self,
        text: &'a ropey::Rope,
        base: u32,
    ) -> impl Iterator<Item = String> + 'a {
        self.views(text, base).flat_map(|view| {
            let tokens = view.tokens().iter().filter(|token| token.state == State::Live);
            let names = tokens.filter_map(|token| binding(&view.text, view.tokens(), token));
            names.map(str::to_owned).collect::<Vec<_>>()
        })
    }

    /// What `tag` is.
    pub(crate) fn kind_of(&self, tag: TokenRef) -> Option<TokenKind> {
        Some(self.token_of(tag)?.kind)
    }

    /// The spans of several tokens in the file, in the order asked for. `base` is where the body begins.
    pub(crate) fn spans_of(&self, tags: impl IntoIterator<Item = TokenRef>, base: u32) -> Vec<Span> {
        tags.into_iter().filter_map(|tag| self.span_of(tag, base)).collect()
    }
}
