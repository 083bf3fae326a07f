//! `textDocument/foldingRange`

use super::context;
use crate::state::Shared;
use promptblock_core::ide;
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{FoldingRange, FoldingRangeKind};

pub(crate) fn ranges(shared: &Shared, snapshot: &Snapshot) -> Option<Vec<FoldingRange>> {
    let context = context(shared, snapshot)?;
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let whole_lines = shared.client().whole_lines_folded;
    let range = |fold: ide::Fold| {
        let (start, end) = (lines.position(fold.span.start), lines.position(fold.span.end));
        let kind = match fold.kind {
            ide::FoldKind::Header => Some(FoldingRangeKind::Imports),
            ide::FoldKind::Block | ide::FoldKind::Braces => None,
        };
        (start.line < end.line).then(|| FoldingRange {
            start_line: start.line,
            // What a client shows of the first line is all of it; only the end's place matters to those that fold less than lines.
            start_character: None,
            end_line: end.line,
            end_character: (!whole_lines).then_some(end.character),
            kind,
            collapsed_text: None,
        })
    };
    Some(ide::folds(&context).into_iter().filter_map(range).collect())
}
