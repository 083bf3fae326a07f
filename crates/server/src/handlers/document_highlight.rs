//! `textDocument/documentHighlight`

use super::context;
use crate::state::Shared;
use promptblock_core::ide;
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{DocumentHighlight, DocumentHighlightKind, Position};

pub(crate) fn highlights(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
) -> Option<Vec<DocumentHighlight>> {
    let context = context(shared, snapshot)?;
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let found = ide::highlights(&context, lines.offset(position)).into_iter();
    let shown = found.map(|one| {
        let kind = match one.declares {
            Some(true) => DocumentHighlightKind::WRITE,
            Some(false) => DocumentHighlightKind::READ,
            None => DocumentHighlightKind::TEXT,
        };
        DocumentHighlight { range: lines.range(one.span), kind: Some(kind) }
    });
    Some(shown.collect())
}
