//! Braces by plain counting, as literal braces close: each `{` with the `}` that ends it, in a chunk and across chunks.
//!
//! The partner of a brace does not depend on where the counting starts, so one pass finds the partners of all. What a chunk
//! cannot pair by itself is a run of closers followed by a run of openers; these two numbers are all that its neighbours need.

use crate::span::offset;
use rustc_hash::FxHashMap;

/// The braces of one chunk. Offsets are relative to it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Braces {
    /// Pairs within the chunk, sorted by the opening brace.
    pairs: Vec<(u32, u32)>,
    /// `}` whose partner stands in an earlier chunk, or nowhere.
    pub(crate) closers: Vec<u32>,
    /// `{` whose partner stands in a later chunk, or nowhere.
    pub(crate) openers: Vec<u32>,
}

/// Where a `{` ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Partner {
    /// In the same chunk.
    Here(u32),
    /// Not here: it is opener number so and so.
    Later(u32),
}

impl Braces {
    /// Counts the braces of `text`; `None` where it has none.
    pub(crate) fn scan(text: &str) -> Option<Self> {
        let mut found = memchr::memchr2_iter(b'{', b'}', text.as_bytes()).peekable();
        found.peek()?;
        let mut braces = Self::default();
        for at in found {
            let position = offset(at);
            if text.as_bytes()[at] == b'{' {
                braces.openers.push(position);
            } else if let Some(open) = braces.openers.pop() {
                braces.pairs.push((open, position));
            } else {
                braces.closers.push(position);
            }
        }
        braces.pairs.sort_unstable();
        Some(braces)
    }

    /// Where braces are not counted: the one closer that a neighbour may need.
    pub(crate) fn with_closer(closer: Option<u32>) -> Self {
        Self { closers: closer.into_iter().collect(), ..Self::default() }
    }

    /// Where the `{` at `open` ends.
    pub(crate) fn partner(&self, open: u32) -> Partner {
        match self.pairs.binary_search_by_key(&open, |pair| pair.0) {
            Ok(index) => Partner::Here(self.pairs[index].1),
            Err(_) => Partner::Later(offset(self.openers.partition_point(|at| *at < open))),
        }
    }

    /// The braces from one offset up to another that lie in no pair which begins before, in order. A literal's braces are such.
    pub(crate) fn positions(&self, from: u32, to: u32) -> Vec<u32> {
        let within = |list: &[u32]| {
            let first = list.partition_point(|at| *at < from);
            list[first..].iter().copied().take_while(|at| *at < to).collect::<Vec<_>>()
        };
        let first = self.pairs.partition_point(|pair| pair.0 < from);
        let pairs = self.pairs[first..].iter().take_while(|pair| pair.0 < to);
        let mut all: Vec<u32> = pairs.flat_map(|pair| [pair.0, pair.1]).filter(|at| *at < to).collect();
        all.extend(within(&self.closers));
        all.extend(within(&self.openers));
        all.sort_unstable();
        all
    }

    /// What the neighbours see: how many closers, how many openers.
    pub(crate) fn summary(&self) -> (u32, u32) {
        (offset(self.closers.len()), offset(self.openers.len()))
    }
}

/// A run of openers of one chunk, closed by a run of closers of a later one.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// One past the last opener of the run; the run goes down from here.
    openers_end: u32,
    count: u32,
    close_chunk: u32,
    /// The closer that ends opener `openers_end - 1`.
    first_closer: u32,
}

/// The pairs across chunks.
#[derive(Clone, Debug, Default)]
pub(crate) struct Matching {
    pieces: FxHashMap<u32, Vec<Piece>>,
    /// Where braces are not counted and the first closer ends what is open: the chunks that have one.
    closing: Vec<u32>,
}

impl Matching {
    /// Pairs the runs of `summaries`, a (closers, openers) for each chunk. The second value is how many openers of each chunk
    /// never end: its first so many.
    pub(crate) fn of(summaries: impl Iterator<Item = (u32, u32)>) -> (Self, FxHashMap<u32, u32>) {
        let mut matching = Self::default();
        let mut open: Vec<(u32, u32)> = Vec::new();
        for (chunk, (closers, openers)) in (0_u32..).zip(summaries) {
            let mut done = 0;
            while done < closers {
                let Some((open_chunk, left)) = open.last_mut() else { break };
                let count = (closers - done).min(*left);
                let piece = Piece { openers_end: *left, count, close_chunk: chunk, first_closer: done };
                matching.pieces.entry(*open_chunk).or_default().push(piece);
                done += count;
                *left -= count;
                if *left == 0 {
                    open.pop();
                }
            }
            if openers > 0 {
                open.push((chunk, openers));
            }
        }
        (matching, open.into_iter().collect())
    }

    /// The same where an opener ends at the first closer behind its chunk, however many stand open.
    pub(crate) fn by_first_closer(summaries: impl Iterator<Item = (u32, u32)>) -> Self {
        let closing = (0_u32..).zip(summaries).filter(|(_, (closers, _))| *closers > 0);
        Self { pieces: FxHashMap::default(), closing: closing.map(|(chunk, _)| chunk).collect() }
    }

    /// The last chunk that has a first closer.
    pub(crate) fn last_closing(&self) -> Option<u32> {
        self.closing.last().copied()
    }

    /// Whether no pair crosses the border of a chunk.
    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.is_empty() && self.closing.is_empty()
    }

    /// Where opener number `opener` of `chunk` ends: chunk and number of the closer.
    pub(crate) fn close_of(&self, chunk: u32, opener: u32) -> Option<(u32, u32)> {
        let next = self.closing.partition_point(|closing| *closing <= chunk);
        if let Some(closing) = self.closing.get(next) {
            return Some((*closing, 0));
        }
        self.pieces.get(&chunk)?.iter().find_map(|piece| {
            let within = (piece.openers_end - piece.count..piece.openers_end).contains(&opener);
            within.then(|| (piece.close_chunk, piece.first_closer + piece.openers_end - 1 - opener))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_chunk() {
        let braces = Braces::scan("}} a {b{c}d {").expect("braces");
        assert_eq!(braces.summary(), (2, 2));
        assert_eq!(braces.partner(7), Partner::Here(9));
        assert_eq!(braces.partner(5), Partner::Later(0));
        assert_eq!(braces.partner(12), Partner::Later(1));
        assert_eq!(braces.positions(0, 99), [0, 1, 5, 7, 9, 12]);
        assert_eq!(braces.positions(5, 10), [5, 7, 9]);
        assert_eq!(Braces::scan("no brace, 没有"), None);
    }

    #[test]
    fn across_chunks() {
        // { {  |  }{  |  }}  |  }
        let (matching, unclosed) = Matching::of([(0, 2), (1, 1), (2, 0), (1, 0)].into_iter());
        assert_eq!(matching.close_of(0, 1), Some((1, 0)));
        assert_eq!(matching.close_of(1, 0), Some((2, 0)));
        assert_eq!(matching.close_of(0, 0), Some((2, 1)));
        assert!(unclosed.is_empty());
        let (matching, unclosed) = Matching::of([(0, 3), (1, 0)].into_iter());
        assert_eq!((matching.close_of(0, 2), matching.close_of(0, 1)), (Some((1, 0)), None));
        assert_eq!(unclosed.get(&0), Some(&2));
    }
}
