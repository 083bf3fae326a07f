//! `textDocument/documentLink`

use super::context;
use crate::state::Shared;
use crate::uri;
use promptblock_core::ide::{self, Link, LinkTarget};
use promptblock_workspace::{FileKind, Snapshot, Workspace};
use tower_lsp::ls_types::{DocumentLink, Uri};

pub(crate) fn links(shared: &Shared, snapshot: &Snapshot) -> Option<Vec<DocumentLink>> {
    let found = match (context(shared, snapshot), snapshot.kind) {
        (Some(context), _) => ide::links(&context),
        (None, FileKind::Catalog | FileKind::Environments) => ide::links_in_json(&snapshot.text.to_string()),
        (None, FileKind::Config) => ide::links_in_config(&snapshot.text.to_string()),
        _ => return None,
    };
    let folder = snapshot.path.parent()?;
    let globs: Vec<&str> = found
        .iter()
        .filter_map(|link| match &link.target {
            LinkTarget::Glob(glob) => Some(&**glob),
            LinkTarget::Path(_) | LinkTarget::Url(_) => None,
        })
        .collect();
    let mut named = Workspace::named_files(folder, &globs).into_iter();
    let mut target = |link: &Link| -> Option<Uri> {
        match &link.target {
            LinkTarget::Url(url) => uri::lenient(url).parse().ok(),
            LinkTarget::Glob(_) => shared.uri(&named.next()??),
            // A path that is none is no link: nothing would open.
            LinkTarget::Path(path) => {
                let path = Workspace::absolute(camino::Utf8Path::new(&**path), folder);
                if path.is_file() { shared.uri(&path) } else { None }
            }
        }
    };
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let mut cursor = lines.cursor();
    let mut all = Vec::with_capacity(found.len());
    for link in &found {
        let Some(target) = target(link) else { continue };
        let range =
            tower_lsp::ls_types::Range::new(cursor.position(link.span.start), cursor.position(link.span.end));
        all.push(DocumentLink { range, target: Some(target), tooltip: None, data: None });
    }
    Some(all)
}
