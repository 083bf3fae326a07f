//! `workspace/symbol`

use crate::convert::Lines;
use crate::judge;
use crate::state::Shared;
use promptblock_core::FileId;
use promptblock_core::ide::{self, WorkspaceSymbolKind};
use promptblock_core::span::offset;
use ropey::Rope;
use std::collections::HashMap;
use tower_lsp::ls_types::{Location, SymbolInformation, SymbolKind, WorkspaceSymbolResponse};

/// What fits `query`, in every project, the best first. None where nobody wants it any more.
pub(crate) fn symbols(
    shared: &Shared,
    query: &str,
    wanted: &dyn Fn() -> bool,
) -> Option<WorkspaceSymbolResponse> {
    judge::wait_for_load(shared, wanted);
    judge::settled(shared, wanted, || Some(found(shared, query)))
}

fn found(shared: &Shared, query: &str) -> WorkspaceSymbolResponse {
    let mut all = Vec::new();
    for project in shared.workspace.projects() {
        let locale = shared.locale(&project);
        let foreign = project.foreign.iter().map(|(judge, index)| (judge, index));
        for (judge, index) in std::iter::once((&project.judge, &project.index)).chain(foreign) {
            all.extend(ide::workspace_symbols(judge, index, query, locale));
        }
    }
    // Every file is read once, however much of it is listed.
    let mut files: HashMap<FileId, _> = HashMap::new();
    let mut shown = Vec::new();
    for symbol in ide::best(all) {
        let file = files.entry(symbol.file).or_insert_with(|| {
            let (path, text, version) = shared.text(symbol.file);
            (shared.uri(&path), text, version)
        });
        let (Some(uri), text, version) = file else { continue };
        if symbol.span.end > offset(Rope::len_bytes(text)) {
            // It has been changed on disk, and nobody has told yet.
            continue;
        }
        let lines: Lines<'_> = shared.lines(text, *version);
        #[expect(deprecated, reason = "the field has to be given")]
        shown.push(SymbolInformation {
            name: symbol.name,
            kind: kind(symbol.kind),
            tags: None,
            deprecated: None,
            location: Location::new(uri.clone(), lines.range(symbol.span)),
            container_name: symbol.container,
        });
    }
    WorkspaceSymbolResponse::Flat(shown)
}

const fn kind(kind: WorkspaceSymbolKind) -> SymbolKind {
    match kind {
        WorkspaceSymbolKind::Block => SymbolKind::MODULE,
        WorkspaceSymbolKind::Variable => SymbolKind::VARIABLE,
        WorkspaceSymbolKind::Band => SymbolKind::NAMESPACE,
    }
}
