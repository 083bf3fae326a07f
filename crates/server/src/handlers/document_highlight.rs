//! `textDocument/documentHighlight`

use super::context;
use super::embedded::embedded;
use crate::state::Shared;
use promptblock_core::Span;
use promptblock_core::ide::names::PlaceKind;
use promptblock_core::ide::{self, Highlight};
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{DocumentHighlight, DocumentHighlightKind, Position};

pub(crate) fn highlights(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
) -> Option<Vec<DocumentHighlight>> {
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let at = lines.offset(position);
    let found = match context(shared, snapshot) {
        Some(context) => ide::highlights(&context, at),
        None => elsewhere(shared, snapshot, at)?,
    };
    let shown = found.into_iter().map(|one| {
        let kind = match one.declares {
            Some(true) => DocumentHighlightKind::WRITE,
            Some(false) => DocumentHighlightKind::READ,
            None => DocumentHighlightKind::TEXT,
        };
        DocumentHighlight { range: lines.range(one.span), kind: Some(kind) }
    });
    Some(shown.collect())
}

/// In a catalog, in environments, in source code.
fn elsewhere(shared: &Shared, snapshot: &Snapshot, at: u32) -> Option<Vec<Highlight>> {
    if let Some(named) = shared.workspace.named_at(snapshot, at) {
        let places = shared.workspace.places_here(snapshot, &named)?;
        let highlight = |span: Span, kind| Highlight { span, declares: Some(kind == PlaceKind::Declaration) };
        return Some(places.into_iter().map(|place| highlight(place.span, place.kind)).collect());
    }
    let text = embedded(shared, snapshot, at)?;
    let tags = ide::highlights(&text.context, text.at).into_iter();
    Some(tags.map(|one| Highlight { span: text.span(one.span), ..one }).collect())
}
