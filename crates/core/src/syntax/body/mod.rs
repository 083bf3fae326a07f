//! The body of a block: chunks cut at line ends, each with a small tree of its own.
//!
//! A tag never spans lines, so what an edit can change in a chunk it touches is known from that chunk alone. The rest is
//! joined from summaries: braces by [`Matching`], control tags by [`Structure`]. Both are worked out again only where a
//! summary changed, so typing costs the chunk and not the file. (One tree for the whole file re-visits its long flat list
//! of children at every edit, which costs the file.)

mod chunk;
mod content;
mod counted;
mod edit;
mod place;
#[cfg(test)]
mod tests;
mod view;

pub use view::ChunkView;

use super::braces::Matching;
use super::control::{Scope, Structure};
use super::text::Text;
use crate::lint::ChunkVerdict;
use crate::profile::TagSyntax;
use crate::span::{Span, offset};
use chunk::{Chunk, Lengths, cut};
use std::sync::{Arc, OnceLock};

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
    sums: Sums,
}

/// What is summed up over all chunks when somebody first asks, until the next edit: a report asks for each of its findings.
#[derive(Clone, Debug, Default)]
struct Sums {
    /// First byte of each chunk in the body.
    offsets: OnceLock<Arc<[u32]>>,
    /// How many tags are malformed, unexpected or not closed.
    faults: OnceLock<usize>,
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

    /// Tags paired across chunks.
    pub(crate) fn structure(&self) -> &Structure {
        &self.structure
    }
}
