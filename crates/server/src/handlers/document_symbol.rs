//! `textDocument/documentSymbol`

use super::context;
use crate::convert::Lines;
use crate::state::Shared;
use promptblock_core::ide;
use promptblock_workspace::{Registered, Snapshot};
use tower_lsp::ls_types::{
    DocumentSymbol, DocumentSymbolResponse, Location, SymbolInformation, SymbolKind, Uri,
};

pub(crate) fn symbols(shared: &Shared, snapshot: &Snapshot) -> Option<DocumentSymbolResponse> {
    let symbols = match context(shared, snapshot) {
        Some(context) => ide::symbols(&context),
        None if snapshot.registered.is_empty() => return None,
        None => in_source(shared, snapshot),
    };
    let lines = shared.lines(&snapshot.text, snapshot.version);
    if shared.client().hierarchical_symbols {
        return Some(DocumentSymbolResponse::Nested(
            symbols.into_iter().map(|symbol| nested(&lines, symbol)).collect(),
        ));
    }
    let uri = shared.uri(&snapshot.path)?;
    let mut all = Vec::new();
    for symbol in symbols {
        flatten(&lines, &uri, symbol, None, &mut all);
    }
    Some(DocumentSymbolResponse::Flat(all))
}

/// The blocks that source code registers, those among them whose text is computed.
fn in_source(shared: &Shared, snapshot: &Snapshot) -> Vec<ide::Symbol> {
    let locale = shared.locale(&snapshot.project);
    let symbol = |one: &Registered| ide::symbol_in_source(&one.part, &one.judge, &one.index, locale);
    snapshot.registered.iter().map(symbol).collect()
}

const fn kind(kind: ide::SymbolKind) -> SymbolKind {
    match kind {
        ide::SymbolKind::Block => SymbolKind::MODULE,
        ide::SymbolKind::Control => SymbolKind::STRUCT,
        ide::SymbolKind::Branch => SymbolKind::FIELD,
    }
}

fn nested(lines: &Lines<'_>, symbol: ide::Symbol) -> DocumentSymbol {
    let children: Vec<DocumentSymbol> =
        symbol.children.into_iter().map(|child| nested(lines, child)).collect();
    #[expect(deprecated, reason = "the field has to be given")]
    DocumentSymbol {
        name: symbol.name,
        detail: symbol.detail,
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        range: lines.range(symbol.span),
        selection_range: lines.range(symbol.selection),
        children: (!children.is_empty()).then_some(children),
    }
}

fn flatten(
    lines: &Lines<'_>,
    uri: &Uri,
    symbol: ide::Symbol,
    container: Option<&str>,
    all: &mut Vec<SymbolInformation>,
) {
    #[expect(deprecated, reason = "the field has to be given")]
    all.push(SymbolInformation {
        name: symbol.name.clone(),
        kind: kind(symbol.kind),
        tags: None,
        deprecated: None,
        location: Location::new(uri.clone(), lines.range(symbol.span)),
        container_name: container.map(str::to_owned),
    });
    for child in symbol.children {
        flatten(lines, uri, child, Some(&symbol.name), all);
    }
}
