//! `textDocument/linkedEditingRange`

use super::context;
use crate::state::Shared;
use promptblock_core::ide;
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{LinkedEditingRanges, Position};

pub(crate) fn ranges(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
) -> Option<LinkedEditingRanges> {
    let context = context(shared, snapshot)?;
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let words = ide::linked(&context, lines.offset(position))?;
    let ranges = words.into_iter().map(|word| lines.range(word)).collect();
    Some(LinkedEditingRanges { ranges, word_pattern: Some(ide::WORD_PATTERN.to_owned()) })
}
