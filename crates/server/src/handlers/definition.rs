//! `textDocument/definition`

use super::context;
use crate::state::Shared;
use promptblock_core::ide::{self, Target};
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{GotoDefinitionResponse, Location, LocationLink, Position};

pub(crate) fn definition(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
) -> Option<GotoDefinitionResponse> {
    let context = context(shared, snapshot)?;
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let definition = ide::definition(&context, lines.offset(position))?;
    let origin = lines.range(definition.origin);
    let link = |target: &Target| {
        let (path, text, version) = if target.file == snapshot.file {
            (snapshot.path.clone(), snapshot.text.clone(), snapshot.version)
        } else {
            shared.text(target.file)
        };
        let there = shared.lines(&text, version);
        Some(LocationLink {
            origin_selection_range: Some(origin),
            target_uri: shared.uri(&path)?,
            target_range: there.range(target.full),
            target_selection_range: there.range(target.selection),
        })
    };
    let links: Vec<LocationLink> = definition.targets.iter().filter_map(link).collect();
    if links.is_empty() {
        return None;
    }
    if shared.client().definition_links {
        return Some(GotoDefinitionResponse::Link(links));
    }
    let locations = links.into_iter().map(|link| Location::new(link.target_uri, link.target_selection_range));
    Some(GotoDefinitionResponse::Array(locations.collect()))
}
