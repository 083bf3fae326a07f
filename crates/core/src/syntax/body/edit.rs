//! Edits: which chunks one touches, and what of the others has to be worked out again.

use super::Body;
use super::chunk::{Chunk, cut, ops_of};
use crate::profile::TagSyntax;
use crate::span::{Span, offset};
use crate::syntax::braces::Matching;
use crate::syntax::control::{Scope, Structure};
use crate::syntax::fence;
use crate::syntax::reading::{Entry, Reading};
use crate::syntax::text::Text;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use tree_sitter::{InputEdit, Point};

impl Body {
    /// Takes over an edit: the bytes `removed` (of the body, before the edit) became `inserted` bytes. `text` is the file
    /// after the edit, in which the body begins at `base`.
    pub fn edit<T: Text + ?Sized>(&mut self, text: &T, base: u32, removed: Span, inserted: u32) {
        self.sums = super::Sums::default();
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

    /// Carries open code fences from chunk to chunk.
    pub(super) fn refence(&mut self) {
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

    pub(super) fn rematch(&mut self) {
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
    pub(super) fn read<T: Text + ?Sized>(
        &mut self,
        text: &T,
        base: u32,
        from: usize,
        touched: &Range<usize>,
    ) -> bool {
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

    pub(super) fn restructure(&mut self) {
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
