//! Changes of files as the client can take them.

use crate::state::Shared;
use promptblock_workspace::FileEdits;
use std::collections::HashMap;
use tower_lsp::ls_types::*;

/// The edit of all these files; `None` where the client cannot take it, or cannot name one of them.
pub(super) fn workspace_edit(shared: &Shared, files: &[FileEdits]) -> Option<WorkspaceEdit> {
    versioned(shared, files).map(|edit| in_clients_form(shared, edit))
}

/// The same with the versions of the texts that it is of, whether or not the client takes those.
pub(super) fn versioned(shared: &Shared, files: &[FileEdits]) -> Option<WorkspaceEdit> {
    if files.iter().any(|file| file.creates) && !shared.client().creates_files {
        return None;
    }
    let mut documents = Vec::new();
    let mut operations = Vec::new();
    for file in files {
        let uri = shared.uri(&file.path)?;
        let mut places = shared.lines(&file.text, file.version).cursor();
        let edits = (file.edits.iter())
            .map(|edit| {
                let range = Range::new(places.position(edit.span.start), places.position(edit.span.end));
                OneOf::Left(TextEdit::new(range, edit.text.to_string()))
            })
            .collect();
        if file.creates {
            let create = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
            operations.push(DocumentChangeOperation::Op(ResourceOp::Create(create)));
        }
        documents.push(TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri, version: file.version },
            edits,
        });
    }
    let document_changes = if operations.is_empty() {
        DocumentChanges::Edits(documents)
    } else {
        operations.extend(documents.into_iter().map(DocumentChangeOperation::Edit));
        DocumentChanges::Operations(operations)
    };
    Some(WorkspaceEdit { document_changes: Some(document_changes), ..WorkspaceEdit::default() })
}

/// What [`versioned`] gave, without the versions where the client does not take them.
pub(super) fn in_clients_form(shared: &Shared, edit: WorkspaceEdit) -> WorkspaceEdit {
    if shared.client().document_changes {
        return edit;
    }
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for document in documents(&edit) {
        let edits = document.edits.iter().filter_map(|edit| match edit {
            OneOf::Left(edit) => Some(edit.clone()),
            OneOf::Right(_) => None,
        });
        changes.entry(document.text_document.uri.clone()).or_default().extend(edits);
    }
    WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }
}

/// Whether the client's texts are still those that [`versioned`] made the edit for.
pub(super) fn is_current(shared: &Shared, edit: &WorkspaceEdit) -> bool {
    documents(edit).all(|document| {
        let OptionalVersionedTextDocumentIdentifier { uri, version } = &document.text_document;
        shared.buffer(&shared.path(uri)).map(|buffer| buffer.version) == *version
    })
}

fn documents(edit: &WorkspaceEdit) -> impl Iterator<Item = &TextDocumentEdit> {
    let (edits, operations) = match &edit.document_changes {
        Some(DocumentChanges::Edits(edits)) => (edits.as_slice(), [].as_slice()),
        Some(DocumentChanges::Operations(operations)) => ([].as_slice(), operations.as_slice()),
        None => ([].as_slice(), [].as_slice()),
    };
    edits.iter().chain(operations.iter().filter_map(|operation| match operation {
        DocumentChangeOperation::Edit(edit) => Some(edit),
        DocumentChangeOperation::Op(_) => None,
    }))
}
