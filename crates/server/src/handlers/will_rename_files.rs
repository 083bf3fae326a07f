//! `workspace/willRenameFiles`

use super::workspace_edit::workspace_edit;
use crate::state::Shared;
use crate::{judge, uri};
use camino::Utf8PathBuf;
use promptblock_core::msg;
use promptblock_workspace::FileEdits;
use std::collections::HashMap;
use tower_lsp::ls_types::*;

/// The annotation of what is not done without asking.
const ASK: &str = "promptblock.id";

/// What follows the files and folders that are about to move; none where nothing does.
pub(crate) fn edits(
    shared: &Shared,
    params: &RenameFilesParams,
    wanted: &dyn Fn() -> bool,
) -> Option<WorkspaceEdit> {
    judge::wait_for_load(shared, wanted);
    let path = |uri: &str| uri::file_path(uri);
    let moves: Vec<(Utf8PathBuf, Utf8PathBuf)> =
        params.files.iter().filter_map(|file| path(&file.old_uri).zip(path(&file.new_uri))).collect();
    let configs = shared.workspace.configs_after_move(&moves);
    let edit = if configs.is_empty() { None } else { workspace_edit(shared, &configs) };
    // Another id is another prompt: nobody gets it unasked.
    if !shared.client().annotates_changes {
        return edit;
    }
    let mut ids: Vec<FileEdits> = Vec::new();
    for (from, to) in &moves {
        if !wanted() {
            return None;
        }
        let fork = shared.fork(from);
        fork.refresh();
        ids.extend(fork.id_after_move(from, to));
    }
    if ids.is_empty() {
        return edit;
    }
    let mut all = edit.unwrap_or_default();
    asking(shared, &mut all, workspace_edit(shared, &ids)?);
    Some(all)
}

/// Adds changes that the client asks about before it does them.
fn asking(shared: &Shared, all: &mut WorkspaceEdit, more: WorkspaceEdit) {
    let Some(DocumentChanges::Edits(mut documents)) = more.document_changes else { return };
    for document in &mut documents {
        let edits = std::mem::take(&mut document.edits).into_iter();
        document.edits = edits
            .map(|edit| match edit {
                OneOf::Left(text_edit) => {
                    OneOf::Right(AnnotatedTextEdit { text_edit, annotation_id: ASK.to_owned() })
                }
                annotated => annotated,
            })
            .collect();
    }
    let label = msg!("Give the block the id of its file's name", "让块的 id 与文件名一致");
    let description = msg!("The id is part of the prompt's digest.", "id 会计入提示词的摘要。");
    let locale = shared.settings().locale;
    let annotation = ChangeAnnotation {
        label: label.text(locale).to_owned(),
        needs_confirmation: Some(true),
        description: Some(description.text(locale).to_owned()),
    };
    all.change_annotations.get_or_insert_with(HashMap::new).insert(ASK.to_owned(), annotation);
    match &mut all.document_changes {
        Some(DocumentChanges::Edits(edits)) => edits.extend(documents),
        other => *other = Some(DocumentChanges::Edits(documents)),
    }
}
