//! Actions for clients that know commands only: each is a command that brings its edit along, and the server asks the client to make
//! that edit when it is called.

use super::super::stale;
use super::super::workspace_edit::{in_clients_form, is_current};
use crate::dispatch::error;
use crate::state::Shared;
use serde_json::Value;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{ErrorCode, Result};
use tower_lsp::ls_types::{CodeAction, Command, WorkspaceEdit};

/// Makes the edit that is its only argument.
pub(crate) const APPLY_EDIT: &str = "promptblock.applyEdit";

/// The action as a command; `None` where it has no edit to bring along.
pub(super) fn of(action: CodeAction) -> Option<Command> {
    let edit = serde_json::to_value(action.edit?).ok()?;
    Some(Command { title: action.title, command: APPLY_EDIT.to_owned(), arguments: Some(vec![edit]) })
}

/// The edit that the command was called with, as the client takes it.
///
/// # Errors
///
/// Where the argument is no edit, and where it is one of texts that have changed since.
pub(crate) fn edit(shared: &Shared, mut arguments: Vec<Value>) -> Result<WorkspaceEdit> {
    let edit = arguments.pop().filter(|_| arguments.is_empty());
    let Some(edit) = edit.and_then(|edit| serde_json::from_value(edit).ok()) else {
        return Err(error(ErrorCode::InvalidParams, "the only argument is to be the edit of a code action"));
    };
    if !is_current(shared, &edit) {
        return Err(stale());
    }
    Ok(in_clients_form(shared, edit))
}

/// Asks the client to make the edit.
pub(crate) fn apply(client: Client, edit: WorkspaceEdit) {
    // A client may take nothing else before the command is answered.
    tokio::spawn(async move {
        match client.apply_edit(edit).await {
            Ok(answer) if answer.applied => {}
            Ok(answer) => {
                let reason = answer.failure_reason.unwrap_or_default();
                tracing::info!("the client has not made the edit: {reason}");
            }
            Err(fault) => tracing::info!("the client makes no edit: {fault}"),
        }
    });
}
