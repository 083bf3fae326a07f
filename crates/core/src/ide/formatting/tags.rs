//! Blanks in tags: none beside the braces, one between words and around operators.

use crate::ide::{Context, Edit};
use crate::span::Span;
use crate::syntax::{ChunkView, OpenTag, OpenTags, State, Token, TokenKind, TokenRef, first_segment};
use rustc_hash::FxHashSet;
use std::cell::OnceCell;

/// The changes in the tags that touch `span` and are `wanted` by their place in the file.
pub(super) fn edits(cx: &Context<'_>, span: Span, wanted: impl Fn(Span) -> bool) -> Vec<Edit> {
    let document = cx.document;
    let mut tags = Tags { cx, partners: OnceCell::new(), out: Vec::new() };
    for view in document.body().views_within(document.text(), document.header().body, span) {
        let mut open = view.open_at(view.start);
        for (index, token) in view.tokens().iter().enumerate() {
            if token.state != State::Live {
                continue;
            }
            let place = token.span.shift(view.start);
            if token.is_tag() && place.end >= span.start && place.start <= span.end && wanted(place) {
                tags.tag(&view, index, token, &open);
            }
            view.pass(&mut open, index, token);
        }
    }
    tags.out
}

struct Tags<'a> {
    cx: &'a Context<'a>,
    /// Branches and closers of sound openers.
    partners: OnceCell<FxHashSet<TokenRef>>,
    out: Vec<Edit>,
}

impl Tags<'_> {
    fn tag(&mut self, view: &ChunkView<'_>, index: usize, token: &Token, open: &OpenTags<OpenTag>) {
        let parts = view.tokens().parts(token);
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return };
        let takes_effect = match token.kind {
            TokenKind::Variable => {
                let name = first_segment(view.text_of(first.span));
                open.loop_of(name).is_some() || self.cx.judge.catalog.get(name).is_some()
            }
            TokenKind::Opener(_) => true,
            TokenKind::Else | TokenKind::ElseIf | TokenKind::Closer(_) => {
                self.is_partner(TokenRef { chunk: view.index, index: crate::span::offset(index) })
            }
            _ => false,
        };
        if !takes_effect {
            return;
        }
        let lead = if matches!(token.kind, TokenKind::Closer(_)) { "/" } else { "" };
        self.gap(view, Span::new(token.span.start + 1, first.span.start), lead);
        for pair in parts.windows(2) {
            self.gap(view, Span::new(pair[0].span.end, pair[1].span.start), " ");
        }
        self.gap(view, Span::new(last.span.end, token.span.end - 1), "");
    }

    fn gap(&mut self, view: &ChunkView<'_>, span: Span, text: &str) {
        if view.text_of(span) != text {
            self.out.push(Edit { span: span.shift(view.start), text: text.into() });
        }
    }

    fn is_partner(&self, tag: TokenRef) -> bool {
        let of_sound_openers = || {
            let pairs = self.cx.document.body().pairs().into_iter().filter(|pair| !pair.malformed);
            pairs.flat_map(|pair| pair.branches.into_iter().chain(pair.closer)).collect()
        };
        self.partners.get_or_init(of_sound_openers).contains(&tag)
    }
}
