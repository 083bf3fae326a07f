//! `textDocument/definition`

use super::context;
use super::embedded::{Embedded, embedded};
use crate::state::Shared;
use promptblock_core::ide::{self, Target};
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{GotoDefinitionResponse, Location, LocationLink, Position};

pub(crate) fn definition(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
) -> Option<GotoDefinitionResponse> {
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let at = lines.offset(position);
    let definition = match embedded(shared, snapshot, at) {
        Some(text) => in_source(&text, snapshot)?,
        None => ide::definition(&context(shared, snapshot)?, at)?,
    };
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

/// Where something in a text of source code comes from, in places of the source.
fn in_source(text: &Embedded<'_>, snapshot: &Snapshot) -> Option<ide::Definition> {
    let mut definition = ide::definition(&text.context, text.at)?;
    definition.origin = text.span(definition.origin);
    for target in definition.targets.iter_mut().filter(|target| target.file == text.context.file) {
        *target = Target {
            file: snapshot.file,
            selection: text.span(target.selection),
            full: text.span(target.full),
        };
    }
    Some(definition)
}
