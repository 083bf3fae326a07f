//! Tokens, tag pairs and literals with their places in the file.

use super::Body;
use super::chunk::Chunk;
use crate::span::{Span, offset};
use crate::syntax::control::{TagPair, TokenRef};
use crate::syntax::reading::{Entry, Literal, Reading};
use crate::syntax::token::{State, Token, TokenKind};

impl Body {
    /// First byte of each chunk in the file.
    pub(crate) fn starts(&self, base: u32) -> Vec<u32> {
        let mut at = base;
        let next = |chunk: &Chunk| {
            let start = at;
            at += chunk.len;
            start
        };
        self.chunks.iter().map(next).collect()
    }

    /// First byte of each chunk in the body. What they say is kept until the next edit.
    fn offsets(&self) -> &[u32] {
        self.sums.offsets.get_or_init(|| self.starts(0).into())
    }

    /// The chunk that holds byte `at` of the file, the last one for what lies behind the end, and its first byte in the file.
    pub(super) fn chunk_around(&self, base: u32, at: u32) -> Option<(usize, u32)> {
        let offsets = self.offsets();
        let at = at.saturating_sub(base);
        let index = offsets.partition_point(|start| *start <= at).checked_sub(1)?;
        Some((index, base + offsets.get(index)?))
    }

    /// How long the chunk is that holds byte `at` of the file: one line, where it is longer than a chunk is meant to be.
    pub(crate) fn length_around(&self, base: u32, at: u32) -> u32 {
        self.chunk_around(base, at).map_or(0, |(index, _)| self.chunk_len(offset(index)))
    }

    /// How many tags are malformed, unexpected or not closed at the end.
    pub(crate) fn faults(&self) -> usize {
        *self.sums.faults.get_or_init(|| {
            let readings = self.chunks.iter().filter_map(|chunk| chunk.reading.as_deref());
            let malformed =
                |token: &&Token| token.state == State::Live && matches!(token.kind, TokenKind::Malformed(_));
            let of = |reading: &Reading| {
                reading.control.unexpected.len() + reading.tokens.iter().filter(malformed).count()
            };
            self.open_count() + self.structure.unexpected.len() + readings.map(of).sum::<usize>()
        })
    }

    /// The token that `tag` names, moved to its place in the file; `starts` are those of [`Body::starts`].
    pub(crate) fn token(&self, tag: TokenRef, starts: &[u32]) -> Option<Span> {
        Some(self.token_of(tag)?.span.shift(*starts.get(tag.chunk as usize)?))
    }

    /// The same without the starts of all chunks.
    pub(crate) fn span_of(&self, tag: TokenRef, base: u32) -> Option<Span> {
        Some(self.token_of(tag)?.span.shift(base + self.offsets().get(tag.chunk as usize)?))
    }

    /// A token, with its place in its chunk.
    pub(crate) fn token_of(&self, tag: TokenRef) -> Option<&Token> {
        self.chunks.get(tag.chunk as usize)?.reading.as_ref()?.tokens.get(tag.index as usize)
    }

    /// How many openers nothing closes.
    pub(crate) fn open_count(&self) -> usize {
        self.structure.open_at_end
    }

    /// The openers that nothing closes, malformed ones too, the outermost first.
    pub(crate) fn open_at_end(&self, base: u32) -> Vec<Span> {
        let starts = self.starts(base);
        let pairs = &self.structure.pairs;
        let open = &pairs[pairs.len().saturating_sub(self.structure.open_at_end)..];
        open.iter().filter_map(|pair| self.token(pair.opener, &starts)).collect()
    }

    /// The tag pairs that a chunk decided alone.
    pub(crate) fn pairs_in(&self, chunk: u32) -> impl Iterator<Item = TagPair> {
        let reading = self.chunks.get(chunk as usize).and_then(|chunk| chunk.reading.as_ref());
        reading.into_iter().flat_map(move |reading| {
            reading.control.pairs.iter().map(move |pair| {
                let here = |index: u32| TokenRef { chunk, index };
                TagPair {
                    opener: here(pair.opener),
                    branches: pair.branches.iter().copied().map(here).collect(),
                    closer: pair.closer.map(here),
                    cut_by: pair.cut_by.map(here),
                    malformed: pair.malformed,
                }
            })
        })
    }

    /// Every tag pair of the body, across chunks and within them, each also where it was never closed.
    pub fn pairs(&self) -> Vec<TagPair> {
        let local = (0..offset(self.chunks.len())).flat_map(|chunk| self.pairs_in(chunk));
        local.chain(self.structure.pairs.iter().cloned()).collect()
    }

    /// Where the literal that opens in a chunk ends in the file, if it ends in a later chunk.
    pub(crate) fn literal_end(&self, chunk: u32, starts: &[u32]) -> Option<u32> {
        let exit = self.chunks.get(chunk as usize)?.reading.as_ref()?.exit?;
        let (close_chunk, closer) = self.matching.close_of(chunk, exit)?;
        Some(starts.get(close_chunk as usize)? + self.chunks.get(close_chunk as usize)?.closer(closer))
    }

    /// Every outermost pair of literal braces, as offsets of its two braces in the file.
    pub fn literals(&self, base: u32) -> Vec<(u32, u32)> {
        self.literals_within(base, Span::new(0, u32::MAX))
    }

    /// The outermost pairs of literal braces that touch `span`, as offsets of their two braces in the file.
    pub(crate) fn literals_within(&self, base: u32, span: Span) -> Vec<(u32, u32)> {
        let starts = self.starts(base);
        let mut all = Vec::new();
        for ((index, chunk), start) in (0_u32..).zip(&self.chunks).zip(&starts) {
            let Some(reading) = &chunk.reading else { continue };
            // One that goes on behind its chunk can reach any place.
            if *start > span.end || (start + chunk.len < span.start && reading.exit.is_none()) {
                continue;
            }
            // They stand in order and apart.
            let ends_before =
                |literal: &Literal| literal.close.is_some_and(|close| close + 1 + start < span.start);
            let first = reading.literals.partition_point(ends_before);
            let near =
                reading.literals[first..].iter().take_while(|literal| literal.open + start <= span.end);
            for Literal { open, close } in near {
                let close = close.map(|close| close + start).or_else(|| self.literal_end(index, &starts));
                let pair = close.map(|close| (open + start, close));
                all.extend(pair.filter(|(open, close)| *open <= span.end && span.start <= close + 1));
            }
        }
        all
    }

    /// The outermost pairs of literal braces that open at `at` or behind it, in order.
    pub(crate) fn literals_from(&self, base: u32, at: u32) -> impl Iterator<Item = (u32, u32)> {
        let first = self.chunk_around(base, at).map_or(self.chunks.len(), |(index, _)| index);
        (first..self.chunks.len()).flat_map(move |index| {
            let start = base + self.offsets().get(index).copied().unwrap_or_default();
            let literals = self.literals_in(index);
            let from = literals.partition_point(|literal| literal.open + start < at);
            literals[from..].iter().filter_map(move |literal| self.place_of(literal, index, base))
        })
    }

    /// The outermost pair of literal braces that `at` stands in, if it opens no more than `reach` bytes before the chunk of `at`.
    pub(crate) fn literal_around(&self, base: u32, at: u32, reach: u32) -> Option<(u32, u32)> {
        let (mut index, start) = self.chunk_around(base, at)?;
        let literals = self.literals_in(index);
        let before = literals.partition_point(|literal| literal.open + start <= at);
        let mut last = before.checked_sub(1).and_then(|index| literals.get(index));
        // Inside from the start of the chunk: it opens in an earlier one.
        let mut inside = before == 0 && self.chunks.get(index)?.entry != Entry::Outside;
        while last.is_none() && inside {
            index = index.checked_sub(1)?;
            if self.offsets().get(index)? + reach + base < start {
                return None;
            }
            last = self.literals_in(index).last();
            inside =
                self.chunks.get(index)?.entry != Entry::Outside || self.chunks.get(index)?.reading.is_none();
        }
        self.place_of(last?, index, base).filter(|(_, close)| at <= *close)
    }

    fn literals_in(&self, index: usize) -> &[Literal] {
        let reading = self.chunks.get(index).and_then(|chunk| chunk.reading.as_deref());
        reading.map_or(&[], |reading| &reading.literals)
    }

    fn place_of(&self, literal: &Literal, index: usize, base: u32) -> Option<(u32, u32)> {
        let start = *self.offsets().get(index)?;
        let close = literal.close.map(|close| close + start);
        let close = close.or_else(|| self.literal_end(offset(index), self.offsets()))?;
        Some((base + start + literal.open, base + close))
    }

    /// Offsets in the file of every brace within `span`, by plain counting.
    pub(crate) fn braces_within(&self, base: u32, span: Span) -> Vec<u32> {
        let Some((first, mut at)) = self.chunk_around(base, span.start) else { return Vec::new() };
        let mut all = Vec::new();
        for chunk in &self.chunks[first..] {
            if at >= span.end {
                break;
            }
            if at + chunk.len > span.start
                && let Some(braces) = &chunk.braces
            {
                let within = braces.positions(span.start.saturating_sub(at), span.end - at);
                all.extend(within.into_iter().map(|position| position + at));
            }
            at += chunk.len;
        }
        all
    }

    /// The tokens with their places in the file, for comparing one body with another.
    pub fn all_tokens(&self, base: u32) -> Vec<Token> {
        let starts = self.starts(base);
        let mut all = Vec::new();
        for ((index, chunk), start) in (0_u32..).zip(&self.chunks).zip(&starts) {
            let Some(reading) = &chunk.reading else { continue };
            let moved = |token: &Token| Token { span: token.span.shift(*start), first_part: 0, ..*token };
            all.extend(reading.tokens.iter().map(moved));
            if let Some(last) = all.last_mut().filter(|last| last.kind == TokenKind::MalformedReference)
                && let Some(close) = self.literal_end(index, &starts)
            {
                last.span.end = close + 1;
            }
        }
        all
    }
}
