//! The body of a block: chunks cut at line ends, each with a small tree of its own.
//!
//! A tag never spans lines, so what an edit can change in a chunk it touches is known from that chunk alone. The rest is
//! joined from summaries: braces by [`Matching`], control tags by [`Structure`]. Both are worked out again only where a
//! summary changed, so typing costs the chunk and not the file. (One tree for the whole file re-visits its long flat list
//! of children at every edit, which costs the file.)

use super::braces::{Braces, Matching};
use super::control::{Op, Pair, Scope, Structure, TagPair, TokenRef};
use super::fence::{self, Fence};
use super::reading::{Entry, Literal, Reading};
use super::text::Text;
use super::token::{Token, TokenKind, Tokens};
use super::{references, tree};
use crate::assemble::estimate::weight;
use crate::lint::ChunkVerdict;
use crate::profile::TagSyntax;
use crate::span::{Span, offset};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use tree_sitter::{InputEdit, Point, Tree};

/// How long chunks are, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    /// A chunk is cut at the first line end behind this many.
    target: usize,
    /// A chunk is cut only where it is longer than this.
    most: usize,
    /// A chunk shorter than this is joined with a neighbour that changes.
    least: usize,
}

impl Default for Lengths {
    fn default() -> Self {
        Self { target: 1536, most: 3072, least: 384 }
    }
}

#[cfg(test)]
impl Lengths {
    /// Chunks of a few bytes, so that a short text has many.
    const SMALL: Self = Self { target: 12, most: 24, least: 5 };
}

/// A piece of the body that ends with a line end, or is the last.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) len: u32,
    blank: bool,
    /// By the token estimate.
    weight: u32,
    /// Whether the control tags of other chunks matter here, or those here to them.
    has_ops: bool,
    entry: Entry,
    /// What its reading needs of the chunks behind it: how many of its openers never end; where braces are not counted, 1 if a
    /// closer follows.
    outlook: u32,
    /// Unpaired closers and openers, and the opener whose literal runs over the end: here, so that a pass over all chunks reads
    /// one array and follows no pointers.
    summary: (u32, u32),
    exit: Option<u32>,
    /// `None` where there is no brace: then there is no tree, and nothing to read either.
    braces: Option<Arc<Braces>>,
    tree: Option<Tree>,
    reading: Option<Arc<Reading>>,
    /// Lines that open or close a code fence.
    fences: Box<[Fence]>,
    /// The code fence that is open where the chunk begins.
    fence: Option<Fence>,
    /// What the rules said of this chunk; `None` where they must be asked again.
    verdict: Option<Arc<ChunkVerdict>>,
    /// Whether they found anything, here so that a million clean lines are passed over without a look at their verdicts.
    found: bool,
}

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

    /// Indices of tokens that no earlier chunk can make expected.
    pub(crate) fn unexpected(&self) -> &[u32] {
        &self.reading.control.unexpected
    }

    /// The control word of a token.
    pub(crate) fn keyword(&self, token: &Token) -> &str {
        super::keyword_of(token.span.of_str(&self.text))
    }
}

/// A body, read.
#[derive(Clone, Debug, Default)]
pub struct Body {
    lengths: Lengths,
    syntax: TagSyntax,
    chunks: Vec<Chunk>,
    matching: Arc<Matching>,
    structure: Arc<Structure>,
    /// Indices of chunks whose verdict is gone, so that nobody has to look for them.
    pub(crate) stale: Vec<u32>,
    /// Verdicts that were given up since the last judging, for those who keep count of the names in them.
    pub(crate) gone: Vec<Arc<ChunkVerdict>>,
}

impl Body {
    /// Reads the body that begins at byte `base` of `text`.
    pub fn new<T: Text + ?Sized>(text: &T, base: u32, syntax: TagSyntax) -> Self {
        Self::with_lengths(text, base, syntax, Lengths::default())
    }

    fn with_lengths<T: Text + ?Sized>(text: &T, base: u32, syntax: TagSyntax, lengths: Lengths) -> Self {
        let whole = text.at(Span::new(base, text.len()));
        let chunks = cut(&whole, lengths).map(|text| Chunk::new(text, syntax)).collect();
        let mut body = Self { lengths, syntax, chunks, ..Self::default() };
        let all = 0..body.chunks.len();
        body.rematch();
        body.read(text, base, 0, &all);
        body.restructure();
        body.refence();
        body.stale = (0..offset(all.end)).collect();
        body
    }

    /// The body that begins at byte `base` of another text, in chunks as long as those here.
    pub(crate) fn anew<T: Text + ?Sized>(&self, text: &T, base: u32) -> Self {
        Self::with_lengths(text, base, self.syntax, self.lengths)
    }

    #[cfg(test)]
    pub(crate) fn in_small_chunks<T: Text + ?Sized>(text: &T, base: u32, syntax: TagSyntax) -> Self {
        Self::with_lengths(text, base, syntax, Lengths::SMALL)
    }

    /// Length in bytes.
    pub fn len(&self) -> u32 {
        self.chunks.iter().map(|chunk| chunk.len).sum()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.chunks.iter().all(|chunk| chunk.len == 0)
    }

    /// Whether only blanks and line breaks stand in it.
    pub fn is_blank(&self) -> bool {
        self.chunks.iter().all(|chunk| chunk.blank)
    }

    /// Weight of the content by the token estimate: without leading and trailing blank lines and the last line's break.
    pub fn weight<T: Text + ?Sized>(&self, text: &T, base: u32) -> u32 {
        let total: u32 = self.chunks.iter().map(|chunk| chunk.weight).sum();
        let mut around = 0;
        let mut at = base;
        for chunk in &self.chunks {
            if !chunk.blank {
                let text = text.at(Span::new(at, at + chunk.len));
                around += weight(&text[..text.len() - skip_blank_lines(&text).len()]);
                break;
            }
            around += chunk.weight;
            at += chunk.len;
        }
        let mut end = base + self.len();
        for chunk in self.chunks.iter().rev() {
            if !chunk.blank {
                let text = text.at(Span::new(end - chunk.len, end));
                around += weight(&text[until_blank_lines(&text).len()..]);
                break;
            }
            around += chunk.weight;
            end -= chunk.len;
        }
        total.saturating_sub(around)
    }

    /// Where the content ends in the file: before trailing blank lines and the last line's break.
    pub(crate) fn content_end<T: Text + ?Sized>(&self, text: &T, base: u32) -> u32 {
        let mut end = base + self.len();
        for chunk in self.chunks.iter().rev() {
            let start = end - chunk.len;
            if !chunk.blank {
                return start + offset(until_blank_lines(&text.at(Span::new(start, end))).len());
            }
            end = start;
        }
        base
    }

    /// Where the content begins in the file: behind leading blank lines.
    pub(crate) fn content_start<T: Text + ?Sized>(&self, text: &T, base: u32) -> u32 {
        let mut start = base;
        for chunk in &self.chunks {
            let end = start + chunk.len;
            if !chunk.blank {
                return end - offset(skip_blank_lines(&text.at(Span::new(start, end))).len());
            }
            start = end;
        }
        base
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

    /// Whether a live `{prompt}` tag stands anywhere that is no loop variable, as far as it has been judged.
    pub fn has_prompt(&self) -> bool {
        self.chunks.iter().any(|chunk| chunk.verdict.as_ref().is_some_and(|verdict| verdict.has_prompt))
    }

    /// Drops the trees: a file that nobody edits needs tokens only.
    pub fn forget_trees(&mut self) {
        for chunk in &mut self.chunks {
            chunk.tree = None;
        }
    }

    /// Takes over an edit: the bytes `removed` (of the body, before the edit) became `inserted` bytes. `text` is the file
    /// after the edit, in which the body begins at `base`.
    pub fn edit<T: Text + ?Sized>(&mut self, text: &T, base: u32, removed: Span, inserted: u32) {
        let Some(mut region) = self.region(removed) else {
            *self = self.anew(text, base);
            return;
        };
        let start: u32 = self.chunks[..region.start].iter().map(|chunk| chunk.len).sum();
        let grown = |region: &Range<usize>, chunks: &[Chunk]| {
            let before: u32 = chunks[region.clone()].iter().map(|chunk| chunk.len).sum();
            (before + inserted).saturating_sub(removed.len())
        };
        let mut first = start;
        let mut len = grown(&region, &self.chunks);
        loop {
            let at_end = region.end == self.chunks.len();
            let slice = text.at(Span::new(base + first, base + first + len));
            let cut_well = slice.ends_with(['\n', '\r']) && (len as usize) >= self.lengths.least;
            if !at_end && !cut_well {
                region.end += 1;
            } else if (len as usize) < self.lengths.least && region.start > 0 {
                region.start -= 1;
                first -= self.chunks[region.start].len;
            } else {
                break;
            }
            len = grown(&region, &self.chunks);
        }
        let slice = text.at(Span::new(base + first, base + first + len));
        let old = &self.chunks[region.clone()];
        let old_summary: Vec<_> = old.iter().map(Chunk::summary).collect();
        let old_readings: Vec<Option<Arc<Reading>>> = old.iter().map(|chunk| chunk.reading.clone()).collect();
        let old_entry = old[0].entry;
        let mut fresh: Vec<Chunk> =
            cut(&slice, self.lengths).map(|text| Chunk::new(text, self.syntax)).collect();
        if let ([old], [new]) = (old, fresh.as_mut_slice())
            && let Some(tree) = &old.tree
        {
            let mut tree = tree.clone();
            tree.edit(&input_edit(removed.shift(0), first, inserted));
            new.tree = Some(tree);
        }
        let summary: Vec<_> = fresh.iter().map(Chunk::summary).collect();
        let same_count = fresh.len() == region.len();
        let rematched =
            if same_count { summary != old_summary } else { self.matters(&old_summary, &summary) };
        if !rematched {
            for (new, old) in fresh.iter_mut().zip(old) {
                new.outlook = old.outlook;
            }
        }
        fresh[0].entry = old_entry;
        let touched = region.start..region.start + fresh.len();
        fresh[0].fence = old[0].fence;
        let fenced = old.iter().chain(&fresh).any(|chunk| !chunk.fences.is_empty() || chunk.fence.is_some());
        self.renumber(&region, fresh.len());
        let gone = self.chunks.splice(region.clone(), fresh).filter_map(|chunk| chunk.verdict);
        self.gone.extend(gone);
        if rematched {
            self.rematch();
        }
        // Where the edit begins inside a literal of several chunks, the way back to its opener is the start of the body.
        let from = if rematched || old_entry != Entry::Outside { 0 } else { touched.start };
        let reread = self.read(text, base, from, &touched);
        let ops_changed = reread
            || !same_count && !self.structure.entry.is_empty()
            || !same_count && self.chunks[touched.clone()].iter().any(|chunk| chunk.has_ops)
            || same_count
                && old_readings
                    .iter()
                    .map(|reading| ops_of(reading.as_deref()))
                    .ne(self.chunks[touched].iter().map(|chunk| ops_of(chunk.reading.as_deref())));
        if ops_changed {
            self.restructure();
        }
        if fenced {
            self.refence();
        }
    }

    /// Carries open code fences from chunk to chunk.
    fn refence(&mut self) {
        let mut open = None;
        for (index, chunk) in (0_u32..).zip(&mut self.chunks) {
            if chunk.fence != open {
                chunk.fence = open;
                self.gone.extend(chunk.verdict.take());
                self.stale.push(index);
            }
            open = fence::behind(open, &chunk.fences);
        }
    }

    /// The chunks that an edit of `removed` touches.
    fn region(&self, removed: Span) -> Option<Range<usize>> {
        let mut at = 0;
        let mut first = None;
        for (index, chunk) in self.chunks.iter().enumerate() {
            let end = at + chunk.len;
            let last = index + 1 == self.chunks.len();
            if first.is_none() && (removed.start < end || last) {
                first = Some(index);
            }
            if removed.end < end || last {
                return first.map(|first| first..index + 1);
            }
            at = end;
        }
        None
    }

    /// Whether other chunks can feel the difference between two runs of chunks.
    fn matters(&self, old: &[(u32, u32)], new: &[(u32, u32)]) -> bool {
        !self.matching.is_empty() || old.iter().chain(new).any(|summary| *summary != (0, 0))
    }

    /// Keeps the list of stale chunks true when chunks are replaced.
    fn renumber(&mut self, region: &Range<usize>, count: usize) {
        let (start, end) = (offset(region.start), offset(region.end));
        self.stale.retain(|index| !(start..end).contains(index));
        for index in self.stale.iter_mut().filter(|index| **index >= end) {
            *index = *index - end + start + offset(count);
        }
        self.stale.extend(start..start + offset(count));
    }

    fn rematch(&mut self) {
        let summaries = self.chunks.iter().map(Chunk::summary);
        let (matching, unclosed) = match self.syntax {
            TagSyntax::SingleBraces => Matching::of(summaries),
            TagSyntax::DoubleBraces => (Matching::by_first_closer(summaries), FxHashMap::default()),
        };
        let last = matching.last_closing().unwrap_or(0);
        for (index, chunk) in (0_u32..).zip(&mut self.chunks) {
            let outlook = match self.syntax {
                TagSyntax::SingleBraces if unclosed.is_empty() => 0,
                TagSyntax::SingleBraces => unclosed.get(&index).copied().unwrap_or(0),
                TagSyntax::DoubleBraces => u32::from(index < last),
            };
            if chunk.outlook != outlook {
                chunk.outlook = outlook;
                chunk.reading = None;
            }
        }
        self.matching = Arc::new(matching);
    }

    /// Reads chunks from `from` on, where what is known of them is out of date. Says whether one outside `touched` was read.
    fn read<T: Text + ?Sized>(&mut self, text: &T, base: u32, from: usize, touched: &Range<usize>) -> bool {
        let mut at = base + self.chunks[..from].iter().map(|chunk| chunk.len).sum::<u32>();
        let mut pending: Option<(u32, u32)> = None;
        let mut others = false;
        for index in from..self.chunks.len() {
            let here = offset(index);
            let entry = match pending {
                None => Entry::Outside,
                Some((chunk, closer)) if chunk == here => {
                    pending = None;
                    Entry::Until(self.chunks[index].closer(closer))
                }
                Some(_) => Entry::Through,
            };
            let chunk = &mut self.chunks[index];
            let span = Span::new(at, at + chunk.len);
            at = span.end;
            let inside = touched.contains(&index);
            let settled = entry == Entry::Outside && chunk.entry == entry && chunk.is_read();
            if settled && index >= touched.end && from == touched.start {
                // Nothing behind can differ: neither this chunk's beginning nor the matching changed. (Inside a literal the
                // beginning alone does not tell where it ends.)
                break;
            }
            if inside || chunk.entry != entry || !chunk.is_read() {
                chunk.entry = entry;
                if chunk.braces.is_some() {
                    chunk.read(&text.at(span), self.syntax);
                    others |= !inside;
                    self.gone.extend(chunk.verdict.take());
                    if !inside {
                        self.stale.push(here);
                    }
                }
            }
            if entry != Entry::Through
                && let Some(exit) = chunk.exit
            {
                pending = self.matching.close_of(here, exit);
            }
        }
        others
    }

    fn restructure(&mut self) {
        let old = Arc::clone(&self.structure);
        let ops = self.chunks.iter().map(|chunk| match &chunk.reading {
            Some(reading) if chunk.has_ops => ops_of(Some(reading)),
            _ => &[],
        });
        let structure = if self.chunks.iter().any(|chunk| chunk.has_ops) {
            Structure::of(ops)
        } else {
            Structure::default()
        };
        if !(old.entry.is_empty() && structure.entry.is_empty()) {
            for (index, chunk) in self.chunks.iter_mut().enumerate() {
                let scope = structure.entry.get(index).and_then(Option::as_ref);
                let signature = Scope::signature(scope, chunk.has_ops);
                if chunk.verdict.as_ref().is_some_and(|verdict| verdict.scope_signature != signature) {
                    self.gone.extend(chunk.verdict.take());
                    self.stale.push(offset(index));
                }
            }
        }
        self.structure = Arc::new(structure);
    }

    /// Length of a chunk in bytes.
    pub(crate) fn chunk_len(&self, index: u32) -> u32 {
        self.chunks.get(index as usize).map_or(0, |chunk| chunk.len)
    }

    /// Number of chunks.
    pub(crate) fn chunk_count(&self) -> usize {
        self.chunks.len()
    }

    /// Stores a chunk's verdict; the one it replaces is gone.
    pub(crate) fn set_verdict(&mut self, index: usize, verdict: Option<Arc<ChunkVerdict>>) {
        if let Some(chunk) = self.chunks.get_mut(index) {
            chunk.found = verdict.as_ref().is_some_and(|verdict| !verdict.findings.is_empty());
            self.gone.extend(std::mem::replace(&mut chunk.verdict, verdict));
        }
    }

    /// The verdicts that found something, each with its chunk's index and first byte in the file.
    pub(crate) fn findings(&self, base: u32) -> impl Iterator<Item = (u32, u32, &ChunkVerdict)> {
        let mut start = base;
        self.chunks.iter().enumerate().filter_map(move |(index, chunk)| {
            let at = start;
            start += chunk.len;
            let verdict = if chunk.found { chunk.verdict.as_deref() } else { None };
            verdict.map(|verdict| (offset(index), at, verdict))
        })
    }

    /// What a verdict on that chunk depends on besides the chunk itself.
    pub(crate) fn signature(&self, index: usize) -> u64 {
        let has_ops = self.chunks.get(index).is_some_and(|chunk| chunk.has_ops);
        Scope::signature(self.structure.entry.get(index).and_then(Option::as_ref), has_ops)
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
        let mut start = base;
        for (index, chunk) in self.chunks.iter().enumerate() {
            let last = index + 1 == self.chunks.len();
            if at < start + chunk.len || last {
                return self.view_at(text, start, index);
            }
            start += chunk.len;
        }
        None
    }

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

    /// The token that `tag` names, moved to its place in the file; `starts` are those of [`Body::starts`].
    pub(crate) fn token(&self, tag: TokenRef, starts: &[u32]) -> Option<Span> {
        Some(self.token_of(tag)?.span.shift(*starts.get(tag.chunk as usize)?))
    }

    /// Tags paired across chunks.
    pub(crate) fn structure(&self) -> &Structure {
        &self.structure
    }

    /// A token, with its place in its chunk.
    pub(crate) fn token_of(&self, tag: TokenRef) -> Option<&Token> {
        self.chunks.get(tag.chunk as usize)?.reading.as_ref()?.tokens.get(tag.index as usize)
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

    /// Offsets in the file of every brace within `span`, by plain counting.
    pub(crate) fn braces_within(&self, base: u32, span: Span) -> Vec<u32> {
        let mut at = base;
        let mut all = Vec::new();
        for chunk in &self.chunks {
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

impl Chunk {
    fn new(text: &str, syntax: TagSyntax) -> Self {
        let braces = match syntax {
            TagSyntax::SingleBraces => Braces::scan(text),
            TagSyntax::DoubleBraces => references::summary(text),
        };
        Self {
            len: offset(text.len()),
            blank: text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')),
            weight: weight(text),
            has_ops: false,
            entry: Entry::Outside,
            outlook: 0,
            summary: braces.as_ref().map_or((0, 0), Braces::summary),
            exit: None,
            braces: braces.map(Arc::new),
            tree: None,
            reading: None,
            fences: fence::fences(text).into(),
            fence: None,
            verdict: None,
            found: false,
        }
    }

    fn summary(&self) -> (u32, u32) {
        self.summary
    }

    fn closer(&self, number: u32) -> u32 {
        self.braces.as_ref().and_then(|braces| braces.closers.get(number as usize)).copied().unwrap_or(0)
    }

    fn is_read(&self) -> bool {
        self.braces.is_none() || self.reading.is_some()
    }

    fn read(&mut self, text: &str, syntax: TagSyntax) {
        let Some(braces) = &self.braces else { return };
        if syntax == TagSyntax::DoubleBraces {
            let reading = references::read(text, self.entry, self.outlook == 1);
            self.exit = reading.exit;
            self.reading = Some(Arc::new(reading));
            return;
        }
        if self.reading.is_none() {
            // Never read since its text changed: the tree, if there is one, is an edited earlier one.
            self.tree = tree::parse(text, self.tree.as_ref());
        } else if self.tree.is_none() {
            self.tree = tree::parse(text, None);
        }
        let reading = Reading::new(text, self.tree.as_ref(), braces, self.entry, self.outlook);
        self.has_ops = !reading.control.ops.is_empty();
        self.exit = reading.exit;
        self.reading = Some(Arc::new(reading));
    }
}

/// What a chunk hands on to others of its control tags.
fn ops_of(reading: Option<&Reading>) -> &[Op] {
    reading.map_or(&[], |reading| &reading.control.ops)
}

/// `text` from its first line that is not blank.
fn skip_blank_lines(text: &str) -> &str {
    let content = text.trim_start_matches([' ', '\t', '\n', '\r']);
    let before = &text[..text.len() - content.len()];
    let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    &text[line..]
}

/// `text` up to the end of its last line that is not blank, without its break.
fn until_blank_lines(text: &str) -> &str {
    let content = text.trim_end_matches([' ', '\t', '\n', '\r']);
    let behind = &text[content.len()..];
    let line = behind.find(['\n', '\r']).unwrap_or(behind.len());
    &text[..content.len() + line]
}

fn input_edit(removed: Span, first: u32, inserted: u32) -> InputEdit {
    // The grammar knows no rows and columns, and nobody here asks for them.
    let point = Point::new(0, 0);
    let start = (removed.start - first) as usize;
    InputEdit {
        start_byte: start,
        old_end_byte: start + removed.len() as usize,
        new_end_byte: start + inserted as usize,
        start_position: point,
        old_end_position: point,
        new_end_position: point,
    }
}

/// Cuts a text into chunks. An empty text is one empty chunk.
fn cut(text: &str, lengths: Lengths) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        let bytes = text.as_bytes();
        let mut end = bytes.len();
        if end > lengths.most
            && let Some(at) = memchr::memchr2(b'\n', b'\r', &bytes[lengths.target..])
        {
            let at = lengths.target + at;
            end = at + if bytes[at] == b'\r' && bytes.get(at + 1) == Some(&b'\n') { 2 } else { 1 };
        }
        let (piece, behind) = text.split_at(end);
        if !behind.is_empty() {
            rest = Some(behind);
        }
        Some(piece)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const SMALL: Lengths = Lengths::SMALL;
    const WHOLE: Lengths = Lengths { target: usize::MAX, most: usize::MAX, least: 0 };

    /// All that a body says, in places of the text.
    fn says(body: &Body) -> String {
        let starts = body.starts(0);
        let place = |tag: TokenRef| body.token(tag, &starts);
        let mut pairs: Vec<_> = body
            .pairs()
            .iter()
            .map(|pair| {
                let branches: Vec<_> = pair.branches.iter().map(|tag| place(*tag)).collect();
                (place(pair.opener), branches, pair.closer.map(place), pair.malformed)
            })
            .collect();
        pairs.sort();
        let local = (0_u32..).zip(&body.chunks).filter_map(|(chunk, c)| Some((chunk, c.reading.as_ref()?)));
        let local = local.flat_map(|(chunk, reading)| {
            reading.control.unexpected.iter().map(move |index| TokenRef { chunk, index: *index })
        });
        let mut unexpected: Vec<_> = local.chain(body.structure.unexpected.clone()).map(place).collect();
        unexpected.sort();
        let tokens: Vec<_> =
            body.all_tokens(0).iter().map(|token| (token.span, token.kind, token.state)).collect();
        let blank = body.is_blank();
        format!("{tokens:?}\n{:?}\n{pairs:?}\n{unexpected:?}\n{blank}", body.literals(0))
    }

    fn piece() -> impl Strategy<Value = String> {
        let words = [
            "{",
            "}",
            "{{",
            "}}",
            "{if a}",
            "{/if}",
            "{else}",
            "{elseif b}",
            "{for x in l}",
            "{/for}",
            "{x}",
            "{prompt}",
            "{repeat 2}",
            "{/repeat}",
            "{if a >}",
            "{/if x}",
            "{\"k\": ",
            "{x \"}\"}",
            "{x '",
            "'",
            "\"",
            " ",
            "\n",
            "\r\n",
            "\r",
            "text ",
            "名",
            "🎉",
            "e\u{301}",
            "if",
            "/",
            "\0",
        ];
        proptest::sample::select(words.to_vec()).prop_map(str::to_owned)
    }

    fn texts(most: usize) -> impl Strategy<Value = String> {
        proptest::collection::vec(piece(), 0..most).prop_map(|pieces| pieces.concat())
    }

    fn floor(text: &str, at: usize) -> usize {
        (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
    }

    fn syntax() -> impl Strategy<Value = TagSyntax> {
        prop_oneof![3 => Just(TagSyntax::SingleBraces), 1 => Just(TagSyntax::DoubleBraces)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        #[test]
        fn chunks_do_not_matter(text in texts(60), syntax in syntax()) {
            let whole = Body::with_lengths(&*text, 0, syntax, WHOLE);
            prop_assert_eq!(whole.chunk_count(), 1);
            prop_assert_eq!(says(&Body::with_lengths(&*text, 0, syntax, SMALL)), says(&whole));
        }

        #[test]
        fn edited_equals_fresh(
            text in texts(50),
            syntax in syntax(),
            edits in proptest::collection::vec((any::<proptest::sample::Index>(), 0_usize..30, texts(4)), 1..8),
        ) {
            let mut text = text;
            let mut body = Body::with_lengths(&*text, 0, syntax, SMALL);
            for (at, removed, inserted) in edits {
                let start = floor(&text, at.index(text.len() + 1));
                let end = floor(&text, start + removed).max(start);
                text.replace_range(start..end, &inserted);
                body.edit(&*text, 0, Span::of(start..end), offset(inserted.len()));
                prop_assert_eq!(body.len() as usize, text.len());
                prop_assert_eq!(says(&body), says(&Body::with_lengths(&*text, 0, syntax, WHOLE)), "after {:?}", text);
            }
        }
    }
}
