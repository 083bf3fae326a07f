//! A chunk: its text is known by length alone, its reading, and the verdict on it.

use super::counted::Counted;
use crate::assemble::estimate::weight;
use crate::lint::ChunkVerdict;
use crate::profile::TagSyntax;
use crate::span::offset;
use crate::syntax::braces::Braces;
use crate::syntax::control::Op;
use crate::syntax::fence::{self, Fence};
use crate::syntax::reading::{Entry, Reading};
use crate::syntax::{references, tree};
use std::sync::{Arc, OnceLock};
use tree_sitter::Tree;

/// How long chunks are, in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lengths {
    /// A chunk is cut at the first line end behind this many.
    pub(super) target: usize,
    /// A chunk is cut only where it is longer than this.
    pub(super) most: usize,
    /// A chunk shorter than this is joined with a neighbour that changes.
    pub(super) least: usize,
}

impl Default for Lengths {
    fn default() -> Self {
        Self { target: 1536, most: 3072, least: 384 }
    }
}

#[cfg(test)]
impl Lengths {
    /// Chunks of a few bytes, so that a short text has many.
    pub(super) const SMALL: Self = Self { target: 12, most: 24, least: 5 };
}

/// A piece of the body that ends with a line end, or is the last.
#[derive(Clone, Debug)]
pub(crate) struct Chunk {
    pub(crate) len: u32,
    pub(super) blank: bool,
    /// By the token estimate.
    pub(super) weight: u32,
    /// By a real vocabulary, once that was asked for.
    pub(super) counted: OnceLock<Counted>,
    /// Whether the control tags of other chunks matter here, or those here to them.
    pub(super) has_ops: bool,
    pub(super) entry: Entry,
    /// What its reading needs of the chunks behind it: how many of its openers never end; where braces are not counted, 1 if a
    /// closer follows.
    pub(super) outlook: u32,
    /// Unpaired closers and openers, and the opener whose literal runs over the end: here, so that a pass over all chunks reads
    /// one array and follows no pointers.
    pub(super) summary: (u32, u32),
    pub(super) exit: Option<u32>,
    /// `None` where there is no brace: then there is no tree, and nothing to read either.
    pub(super) braces: Option<Arc<Braces>>,
    pub(super) tree: Option<Tree>,
    pub(super) reading: Option<Arc<Reading>>,
    /// Lines that open or close a code fence.
    pub(super) fences: Box<[Fence]>,
    /// The code fence that is open where the chunk begins.
    pub(super) fence: Option<Fence>,
    /// What the rules said of this chunk; `None` where they must be asked again.
    pub(super) verdict: Option<Arc<ChunkVerdict>>,
    /// Whether they found anything, here so that a million clean lines are passed over without a look at their verdicts.
    pub(super) found: bool,
}

impl Chunk {
    pub(super) fn new(text: &str, syntax: TagSyntax) -> Self {
        let braces = match syntax {
            TagSyntax::SingleBraces => Braces::scan(text),
            TagSyntax::DoubleBraces => references::summary(text),
        };
        Self {
            len: offset(text.len()),
            blank: text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')),
            weight: weight(text),
            counted: OnceLock::new(),
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

    pub(super) fn summary(&self) -> (u32, u32) {
        self.summary
    }

    pub(super) fn closer(&self, number: u32) -> u32 {
        self.braces.as_ref().and_then(|braces| braces.closers.get(number as usize)).copied().unwrap_or(0)
    }

    pub(super) fn is_read(&self) -> bool {
        self.braces.is_none() || self.reading.is_some()
    }

    pub(super) fn read(&mut self, text: &str, syntax: TagSyntax) {
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
pub(super) fn ops_of(reading: Option<&Reading>) -> &[Op] {
    reading.map_or(&[], |reading| &reading.control.ops)
}

/// Cuts a text into chunks. An empty text is one empty chunk.
pub(super) fn cut(text: &str, lengths: Lengths) -> impl Iterator<Item = &str> {
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
