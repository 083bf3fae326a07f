//! Changes of files as the client can take them.

use crate::state::Shared;
use promptblock_workspace::FileEdits;
use std::collections::HashMap;
use tower_lsp::ls_types::*;

/// The edit of all these files; `None` where the client cannot take it, or cannot name one of them.
pub(super) fn workspace_edit(shared: &Shared, files: &[FileEdits]) -> Option<WorkspaceEdit> {
    let client = shared.client();
    if files.iter().any(|file| file.creates) && !client.creates_files {
        return None;
    }
    let mut documents = Vec::new();
    let mut operations = Vec::new();
    for file in files {
        let uri = shared.uri(&file.path)?;
        let mut places = shared.lines(&file.text, file.version).cursor();
        let edits: Vec<TextEdit> = (file.edits.iter())
            .map(|edit| {
                let range = Range::new(places.position(edit.span.start), places.position(edit.span.end));
                TextEdit::new(range, edit.text.to_string())
            })
            .collect();
        if file.creates {
            let create = CreateFile { uri: uri.clone(), options: None, annotation_id: None };
            operations.push(DocumentChangeOperation::Op(ResourceOp::Create(create)));
        }
        documents.push((OptionalVersionedTextDocumentIdentifier { uri, version: file.version }, edits));
    }
    if !client.document_changes {
        let changes: HashMap<Uri, Vec<TextEdit>> =
            documents.into_iter().map(|(document, edits)| (document.uri, edits)).collect();
        return Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() });
    }
    let edits = documents.into_iter().map(|(text_document, edits)| TextDocumentEdit {
        text_document,
        edits: edits.into_iter().map(OneOf::Left).collect(),
    });
    let document_changes = if operations.is_empty() {
        DocumentChanges::Edits(edits.collect())
    } else {
        operations.extend(edits.map(DocumentChangeOperation::Edit));
        DocumentChanges::Operations(operations)
    };
    Some(WorkspaceEdit { document_changes: Some(document_changes), ..WorkspaceEdit::default() })
}
