//! `textDocument/selectionRange`

use super::context;
use crate::state::Shared;
use promptblock_core::{Span, ide};
use promptblock_workspace::{FileKind, Snapshot};
use tower_lsp::ls_types::{Position, Range, SelectionRange};

/// The steps of each position. None where the document has no structure of ours, or where nobody wants them any more.
pub(crate) fn ranges(
    shared: &Shared,
    snapshot: &Snapshot,
    positions: &[Position],
    wanted: &dyn Fn() -> bool,
) -> Option<Vec<SelectionRange>> {
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let context = context(shared, snapshot);
    let is_json = matches!(snapshot.kind, FileKind::Catalog | FileKind::Environments);
    let json = is_json.then(|| ide::JsonSelection::new(snapshot.text.to_string()));
    let steps = |at: u32| match (&context, &json) {
        (Some(context), _) => Some(ide::selection(context, at)),
        (None, Some(json)) => Some(json.at(at)),
        (None, None) => None,
    };
    let mut all = Vec::with_capacity(positions.len());
    for position in positions {
        if !wanted() {
            return None;
        }
        let at = lines.offset(*position);
        let ranges = steps(at)?.into_iter().map(|step: Span| lines.range(step));
        all.push(nested(ranges.collect()).unwrap_or_else(|| alone(lines.position(at))));
    }
    Some(all)
}

/// Each range in the one behind it. Two that are different in bytes alone, as where one has a line's break and the other has not, are one.
fn nested(ranges: Vec<Range>) -> Option<SelectionRange> {
    let mut outer: Option<SelectionRange> = None;
    for range in ranges.into_iter().rev() {
        if outer.as_ref().is_none_or(|outer| outer.range != range) {
            outer = Some(SelectionRange { range, parent: outer.map(Box::new) });
        }
    }
    outer
}

fn alone(position: Position) -> SelectionRange {
    SelectionRange { range: Range::new(position, position), parent: None }
}
