//! `textDocument/rename` and `textDocument/prepareRename`

use super::workspace_edit::workspace_edit;
use super::{Fresh, stale};
use crate::state::Shared;
use promptblock_core::{Locale, Message, msg};
use promptblock_workspace::{Refusal, Snapshot};
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{Position, PrepareRenameResponse, WorkspaceEdit};

/// A request that is sound and cannot be done; the protocol's `RequestFailed`.
const FAILED: ErrorCode = ErrorCode::ServerError(-32803);

/// What is renamed at `position`, and how it is called now; none where there is no name.
///
/// # Errors
///
/// It can have no other name.
pub(crate) fn prepare(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
) -> Result<Option<PrepareRenameResponse>> {
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let Some(named) = shared.workspace.named_at(snapshot, lines.offset(position)) else { return Ok(None) };
    shared.workspace.may_rename(snapshot, &named).map_err(|refusal| refused(shared, snapshot, &refusal))?;
    let placeholder = named.name().to_string();
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder {
        range: lines.range(named.place.span),
        placeholder,
    }))
}

/// The edit that gives what is at `position` another name, and what the user has to look at besides. None where nobody wants it any
/// more.
///
/// # Errors
///
/// There is no name, something would break, or the text has become another one meanwhile.
pub(crate) fn rename(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
    new: &str,
    wanted: &dyn Fn() -> bool,
) -> Result<Option<(WorkspaceEdit, Option<String>)>> {
    let at = shared.lines(&snapshot.text, snapshot.version).offset(position);
    let fresh = Fresh::of(shared, snapshot, wanted)?;
    let locale = shared.locale(&snapshot.project);
    if !shared.wake.is_loaded() {
        return Err(failed(&msg!("the folders are still being read", "文件夹仍在读取中"), locale));
    }
    let Some(named) = fresh.workspace.named_at(&fresh.snapshot, at) else {
        return Err(failed(&msg!("there is no name here", "这里没有可以重命名的名称"), locale));
    };
    let renamed = fresh.workspace.rename(&fresh.snapshot, &named, new, wanted);
    let renamed = renamed.map_err(|refusal| refused(shared, snapshot, &refusal))?;
    let Some(renamed) = renamed else { return Ok(None) };
    // Where the client cannot be told which versions the edit is of, it must not come too late.
    let same = |path, version| shared.buffer(path).map(|buffer| buffer.version) == version;
    if !renamed.files.iter().all(|file| same(&file.path, file.version)) {
        return Err(stale());
    }
    let note = renamed.note.map(|note| said(shared, snapshot, &note));
    let edit = workspace_edit(shared, &renamed.files);
    let edit = edit.ok_or_else(|| {
        failed(&msg!("a file has a name that no URI can hold", "有文件的路径无法写成 URI"), locale)
    })?;
    Ok(Some((edit, note)))
}

fn failed(message: &Message, locale: Locale) -> Error {
    Error { code: FAILED, message: message.text(locale).to_owned().into(), data: None }
}

fn refused(shared: &Shared, snapshot: &Snapshot, refusal: &Refusal) -> Error {
    Error { code: FAILED, message: said(shared, snapshot, refusal).into(), data: None }
}

/// The reason with the place that shows it, from the project's root.
fn said(shared: &Shared, snapshot: &Snapshot, refusal: &Refusal) -> String {
    let why = refusal.why.text(shared.locale(&snapshot.project));
    let Some(at) = &refusal.at else { return why.to_owned() };
    let path = at.path.strip_prefix(&snapshot.project.root).unwrap_or(&at.path);
    match at.span {
        Some(span) => {
            let line = shared.lines(&at.text, at.version).position(span.start).line + 1;
            format!("{path}:{line}: {why}")
        }
        None => format!("{path}: {why}"),
    }
}
