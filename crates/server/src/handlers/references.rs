//! `textDocument/references`

use super::Fresh;
use crate::state::Shared;
use promptblock_core::ide::names::PlaceKind;
use promptblock_workspace::Snapshot;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Location, Position, Range};

/// Every place of the project that names what is at `position`. None where there is nothing, or where nobody wants it any more.
///
/// # Errors
///
/// The text has become another one meanwhile.
pub(crate) fn references(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
    with_declarations: bool,
    wanted: &dyn Fn() -> bool,
) -> Result<Option<Vec<Location>>> {
    let at = shared.lines(&snapshot.text, snapshot.version).offset(position);
    if shared.workspace.named_at(snapshot, at).is_none() {
        return Ok(None);
    }
    let fresh = Fresh::of(shared, snapshot, wanted)?;
    let Some(named) = fresh.workspace.named_at(&fresh.snapshot, at) else { return Ok(None) };
    let mut found = Vec::new();
    let all = fresh.workspace.places(&fresh.snapshot.project, &named, wanted, |file| {
        let Some(uri) = shared.uri(&file.path) else { return };
        let mut places = shared.lines(&file.text, file.version).cursor();
        let shown = file.places.iter().filter(|it| with_declarations || it.kind != PlaceKind::Declaration);
        found.extend(shown.map(|place| {
            let range = Range::new(places.position(place.span.start), places.position(place.span.end));
            Location::new(uri.clone(), range)
        }));
    });
    Ok(all.then_some(found))
}
