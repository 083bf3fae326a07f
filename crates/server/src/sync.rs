//! The client's buffers: opened, edited, closed.
//!
//! Plain functions: they do all they have to do before they return. An `await` in between would let the next edit overtake.

use crate::state::{Buffer, Shared};
use crate::uri;
use std::sync::atomic::{AtomicU64, Ordering};
use tower_lsp::ls_types::*;

/// A buffer is becoming another; over when this is dropped.
struct Edit<'a>(&'a AtomicU64);

impl<'a> Edit<'a> {
    fn begin(shared: &'a Shared) -> Self {
        shared.edits.fetch_add(1, Ordering::SeqCst);
        Self(&shared.edits)
    }
}

impl Drop for Edit<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

pub(crate) fn open(shared: &Shared, params: DidOpenTextDocumentParams) {
    let TextDocumentItem { uri, language_id, version, text } = params.text_document;
    let path = uri::path(&uri, Some(language_id.as_str()));
    if path.as_str().is_empty() {
        return;
    }
    let edit = Edit::begin(shared);
    shared.workspace.open(&path, version, &text);
    if shared.buffers.insert(path.clone(), Buffer { uri, version }).is_some() {
        tracing::warn!("{path} is opened a second time; its text is what came last");
    }
    drop(edit);
    shared.wake.bump();
}

pub(crate) fn change(shared: &Shared, params: DidChangeTextDocumentParams) {
    let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
    let path = shared.path(&uri);
    let edit = Edit::begin(shared);
    let known =
        shared.buffers.get_mut(&path).map(|mut buffer| std::mem::replace(&mut buffer.version, version));
    match known {
        Some(before) if version <= before => {
            // Some clients count anew after a reload. The text is what they say it is.
            tracing::warn!("{path}: version {version} comes behind {before}");
        }
        Some(_) => {}
        None => tracing::warn!("{path} is edited and was never opened"),
    }
    shared.workspace.change(&path, version, |buffer| {
        for change in params.content_changes {
            match change.range {
                Some(range) => {
                    let span = shared.lines(buffer.text(), Some(version)).span(range);
                    buffer.edit(span, &change.text);
                }
                None => buffer.replace(&change.text),
            }
        }
    });
    drop(edit);
    shared.wake.bump();
}

pub(crate) fn close(shared: &Shared, params: &DidCloseTextDocumentParams) {
    let path = shared.path(&params.text_document.uri);
    let edit = Edit::begin(shared);
    shared.buffers.remove(&path);
    shared.tokens.forget(&path);
    shared.workspace.close(&path);
    drop(edit);
    shared.wake.bump();
}

/// A client that does not watch files tells at least what it wrote itself.
pub(crate) fn save(shared: &Shared, params: &DidSaveTextDocumentParams) {
    if let Some(path) = uri::file_path(params.text_document.uri.as_str()) {
        shared.workspace.disk_changed(&[path]);
        shared.wake.bump();
    }
}
