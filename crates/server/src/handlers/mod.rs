//! One file a request: from a snapshot to the protocol's answer.

pub(crate) mod call_hierarchy;
pub(crate) mod code_action;
pub(crate) mod code_lens;
pub(crate) mod completion;
pub(crate) mod definition;
pub(crate) mod diagnostic;
pub(crate) mod document_highlight;
pub(crate) mod document_link;
pub(crate) mod document_symbol;
mod embedded;
pub(crate) mod execute_command;
pub(crate) mod folding_range;
pub(crate) mod formatting;
pub(crate) mod hover;
pub(crate) mod inlay_hint;
pub(crate) mod linked_editing_range;
pub(crate) mod references;
pub(crate) mod rename;
pub(crate) mod selection_range;
pub(crate) mod semantic_tokens;
pub(crate) mod signature_help;
pub(crate) mod will_rename_files;
mod workspace_edit;
pub(crate) mod workspace_symbol;

use crate::dispatch::{error, panic_text};
use crate::judge;
use crate::state::Shared;
use promptblock_core::ide::Context;
use promptblock_workspace::{Snapshot, Workspace};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::task::JoinHandle;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};

/// Computes on the pool. A cancelled request that has not begun never does; a panic is an error of this request alone.
pub(crate) async fn compute<T: Send + 'static>(
    work: impl FnOnce() -> Option<T> + Send + 'static,
) -> Result<Option<T>> {
    compute_while(|_| work()).await
}

/// The same for work that takes longer, which can ask whether it is still wanted.
pub(crate) async fn compute_while<T: Send + 'static>(
    work: impl FnOnce(&dyn Fn() -> bool) -> Option<T> + Send + 'static,
) -> Result<Option<T>> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    let task = tokio::task::spawn_blocking(move || {
        let wanted = || !flag.load(Ordering::Relaxed);
        if wanted() { work(&wanted) } else { None }
    });
    let mut task = CancelOnDrop { task, cancelled };
    match (&mut task.task).await {
        Ok(answer) => Ok(answer),
        Err(fault) => {
            if let Ok(panic) = fault.try_into_panic() {
                tracing::error!("a request panicked: {}", panic_text(&*panic));
            }
            Err(error(ErrorCode::InternalError, "internal error"))
        }
    }
}

/// The framework drops a cancelled request's future; its work must go with it.
struct CancelOnDrop<T> {
    task: JoinHandle<T>,
    cancelled: Arc<AtomicBool>,
}

impl<T> Drop for CancelOnDrop<T> {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        self.task.abort();
    }
}

/// A copy of the workspace in which everything that has changed is judged: what names something is known in it as of now.
struct Fresh {
    workspace: Workspace,
    snapshot: Snapshot,
}

impl Fresh {
    /// Around the text of `snapshot`, once the folders have been read.
    fn of(shared: &Shared, snapshot: &Snapshot, wanted: &dyn Fn() -> bool) -> Result<Self> {
        judge::wait_for_load(shared, wanted);
        let workspace = shared.fork(&snapshot.path);
        workspace.refresh();
        // Places of one text are none of another.
        let fresh = workspace.snapshot(&snapshot.path).filter(|fresh| fresh.text == snapshot.text);
        let snapshot = fresh.ok_or_else(stale)?;
        Ok(Self { workspace, snapshot })
    }
}

/// The text that was asked about is another one by now.
fn stale() -> Error {
    error(ErrorCode::ContentModified, "the text has been changed")
}

/// What the core needs to know; none for what is no block.
fn context<'a>(shared: &Shared, snapshot: &'a Snapshot) -> Option<Context<'a>> {
    Some(Context {
        file: snapshot.file,
        document: snapshot.document.as_ref()?,
        judge: &snapshot.project.judge,
        index: &snapshot.project.index,
        locale: shared.locale(&snapshot.project),
    })
}
