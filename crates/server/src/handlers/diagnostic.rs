//! Diagnostics that the client asks for. The thread that judges answers, so that what is pulled and what is pushed is the same.

use crate::diagnostics::{Poll, Pull};
use crate::dispatch::error;
use crate::state::Shared;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::*;

/// A fault took the answer away. Not "cancelled": clients ask again at once then, and would meet the same fault without an end.
fn unanswered() -> Error {
    error(ErrorCode::InternalError, "internal error")
}

/// A document's.
pub(crate) async fn document(
    shared: &Shared,
    params: DocumentDiagnosticParams,
) -> Result<DocumentDiagnosticReportResult> {
    // In the queue before the first `await`: what the client edits from here on comes behind.
    let (pull, answer) = Pull::new(shared, params);
    shared.wake.pull(pull);
    answer.await.unwrap_or_else(|_| Err(unanswered())).map(Into::into)
}

/// The workspace's: answered when there is something new.
pub(crate) async fn workspace(
    shared: &Shared,
    params: WorkspaceDiagnosticParams,
) -> Result<WorkspaceDiagnosticReportResult> {
    let (poll, answer) = Poll::new(params);
    shared.wake.poll(poll);
    answer.await.unwrap_or_else(|_| Err(unanswered())).map(Into::into)
}
