//! The word to the client that it should ask for hints and lenses again: they depend on other files than their own.
//!
//! Said at most so often that a person does not see it, whatever is typed in the other file.

use crate::state::Shared;
use camino::Utf8PathBuf;
use promptblock_core::FileId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tower_lsp::Client;

/// What changes within this time is told together.
const TOGETHER: Duration = Duration::from_millis(200);
/// How long a client may take to say that it has heard.
const DEAF: Duration = Duration::from_secs(10);

/// What is to be asked for again.
#[derive(Default)]
pub(crate) struct Refresh {
    hints: AtomicBool,
    lenses: AtomicBool,
    /// What the open files were judged by when their hints were last known to be right.
    judged: Mutex<HashMap<FileId, u64>>,
    wanted: Notify,
}

impl Refresh {
    /// The hints of all documents may be others.
    pub(crate) fn want_hints(&self) {
        self.hints.store(true, Ordering::Relaxed);
        self.wanted.notify_one();
    }

    /// The lenses of all documents may be others.
    pub(crate) fn want_lenses(&self) {
        self.lenses.store(true, Ordering::Relaxed);
        self.wanted.notify_one();
    }
}

/// Something has changed and was judged again: finds out for which open documents what they show depends on it.
pub(crate) fn after_change(shared: &Shared, files: &[FileId], all: bool) {
    let mut judged = shared.refresh.judged.lock().unwrap_or_else(PoisonError::into_inner);
    let mut now = HashMap::new();
    let mut open = Vec::new();
    for file in shared.workspace.open_files() {
        let view = shared.workspace.project_view(&shared.workspace.path(file));
        now.insert(file, view.judge.revision);
        open.push((file, view.root));
    }
    // One that was just opened is asked for anyway.
    if now.iter().any(|(file, revision)| judged.get(file).is_some_and(|before| before != revision)) {
        shared.refresh.want_hints();
    }
    *judged = now;
    // What a block costs depends on every other. An edit of its own is no reason: behind that a client asks by itself.
    let root = |file: &FileId| shared.workspace.project_view(&shared.workspace.path(*file)).root;
    let others = |file: FileId, of: &Utf8PathBuf| {
        all || files.iter().any(|other| *other != file && root(other) == *of)
    };
    if open.iter().any(|(file, of)| others(*file, of)) {
        shared.refresh.want_lenses();
    }
}

/// Tells the client, until the server ends.
pub(crate) async fn tell(shared: Arc<Shared>, client: Client) {
    loop {
        shared.refresh.wanted.notified().await;
        tokio::time::sleep(TOGETHER).await;
        if shared.refresh.hints.swap(false, Ordering::Relaxed) && shared.client().refreshes_hints {
            let _ = tokio::time::timeout(DEAF, client.inlay_hint_refresh()).await;
        }
        if shared.refresh.lenses.swap(false, Ordering::Relaxed) && shared.client().refreshes_lenses {
            let _ = tokio::time::timeout(DEAF, client.code_lens_refresh()).await;
        }
    }
}
