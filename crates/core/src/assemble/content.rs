//! A rendered block with what is worked out from its text once and kept: its digest, its tokens.

use super::digest;
use super::render::Rendered;
use super::tokens::{Counts, Vocabulary};
use std::sync::OnceLock;

/// What a block renders as.
#[derive(Debug)]
pub struct Content {
    /// The text and where it comes from.
    pub rendered: Rendered,
    digest: OnceLock<[u8; 32]>,
    counts: [OnceLock<Counts>; Vocabulary::ALL.len()],
    /// Tokens of its text and one line break.
    line: [OnceLock<u64>; Vocabulary::ALL.len()],
}

impl Content {
    pub(super) fn new(rendered: Rendered) -> Self {
        Self { rendered, digest: OnceLock::new(), counts: Default::default(), line: Default::default() }
    }

    pub(super) fn digest(&self) -> &[u8; 32] {
        self.digest.get_or_init(|| digest::of_text(&self.rendered.text))
    }

    pub(super) fn counts(&self, vocabulary: Vocabulary) -> Counts {
        let Some(slot) = self.counts.get(vocabulary as usize) else {
            return Counts::of(&self.rendered.text, vocabulary);
        };
        *slot.get_or_init(|| Counts::of(&self.rendered.text, vocabulary))
    }

    pub(super) fn line(&self, vocabulary: Vocabulary) -> u64 {
        let count = || vocabulary.count(&[&*self.rendered.text, "\n"].concat());
        self.line.get(vocabulary as usize).map_or_else(count, |slot| *slot.get_or_init(count))
    }

    /// Tokens of the text alone.
    pub fn tokens(&self, vocabulary: Vocabulary) -> u64 {
        self.counts(vocabulary).alone
    }
}
