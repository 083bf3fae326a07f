//! `textDocument/references`

use super::context;
use crate::state::Shared;
use promptblock_core::FileId;
use promptblock_core::ide::{self, Subject};
use promptblock_core::syntax::Document;
use promptblock_workspace::{FileKind, Snapshot};
use std::sync::Arc;
use tower_lsp::ls_types::{Location, Position};

/// Every place of the project that names what is at `position`. None where there is nothing, or where nobody wants it any more.
pub(crate) fn references(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
    with_declarations: bool,
    wanted: &dyn Fn() -> bool,
) -> Option<Vec<Location>> {
    let at = shared.lines(&snapshot.text, snapshot.version).offset(position);
    let subject = match context(shared, snapshot) {
        Some(context) => ide::subject(&context, at)?,
        None => Subject::Variable(entry_at(snapshot, at)?),
    };
    let mut found = Vec::new();
    if let (Subject::Variable(name), true) = (&subject, with_declarations) {
        let variables = snapshot.project.catalogs.iter().flat_map(|catalog| &catalog.variables);
        let entries = variables.filter(|one| one.name == *name).filter_map(|one| one.definition);
        for entry in entries {
            let (path, text, version) = shared.text(entry.file);
            let uri = shared.uri(&path)?;
            found.push(Location::new(uri, shared.lines(&text, version).range(entry.key)));
        }
    }
    for file in ide::files_naming(&snapshot.project.index, &subject, snapshot.file) {
        if !wanted() {
            return None;
        }
        in_file(shared, snapshot, file, &subject, with_declarations, &mut found);
    }
    Some(found)
}

/// The variable whose entry's key is at `at` of a catalog.
fn entry_at(snapshot: &Snapshot, at: u32) -> Option<Arc<str>> {
    let mut variables = snapshot.project.catalogs.iter().flat_map(|catalog| &catalog.variables);
    let here = variables.find(|variable| {
        variable.definition.is_some_and(|entry| entry.file == snapshot.file && entry.key.touches(at))
    });
    here.map(|variable| Arc::clone(&variable.name))
}

fn in_file(
    shared: &Shared,
    asked: &Snapshot,
    file: FileId,
    subject: &Subject,
    with_declarations: bool,
    out: &mut Vec<Location>,
) {
    // The text and what was read from it stay together: the places are those of this text, whatever is typed meanwhile.
    let (path, text, version, document) = if file == asked.file {
        (asked.path.clone(), asked.text.clone(), asked.version, asked.document.clone())
    } else {
        let path = shared.workspace.path(file);
        if shared.workspace.kind(&path) != FileKind::Block {
            return;
        }
        match shared.buffer(&path).and_then(|_| shared.workspace.snapshot(&path)) {
            Some(open) => (path, open.text, open.version, open.document),
            None => {
                let text = shared.workspace.text(file);
                let document = Document::from_rope(text.clone(), Arc::clone(&asked.project.judge.profile));
                (path, text, None, Some(document))
            }
        }
    };
    let (Some(document), Some(uri)) = (document, shared.uri(&path)) else { return };
    let lines = shared.lines(&text, version);
    let all = ide::references(&document, subject);
    let shown = all.into_iter().filter(|one| with_declarations || !one.declares);
    out.extend(shown.map(|one| Location::new(uri.clone(), lines.range(one.span))));
}
