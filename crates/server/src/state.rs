//! What all handlers share.

use crate::assembly::Assemblies;
use crate::capabilities::Client;
use crate::convert::Lines;
use crate::look::Look;
use crate::outbox::Outbox;
use crate::refresh::Refresh;
use crate::settings::Settings;
use crate::tokens::Kept;
use crate::uri;
use crate::wake::Wake;
use camino::{Utf8Path, Utf8PathBuf};
use dashmap::DashMap;
use promptblock_core::{FileId, Locale};
use promptblock_workspace::{Options, ProjectView, Snapshot, Workspace};
use ropey::Rope;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use tokio::sync::Notify;
use tower_lsp::ls_types::Uri;

/// A buffer that the client has open.
#[derive(Clone, Debug)]
pub(crate) struct Buffer {
    /// The file as the client spells it; what is sent about it is spelled the same.
    pub(crate) uri: Uri,
    /// The client's version of the text.
    pub(crate) version: i32,
}

/// The server's state. Everything in it may be used from any thread.
pub(crate) struct Shared {
    pub(crate) workspace: Workspace,
    pub(crate) outbox: Outbox,
    pub(crate) wake: Wake,
    /// What the client should ask for again.
    pub(crate) refresh: Refresh,
    /// What is kept of the assemblies that were asked for.
    pub(crate) assemblies: Assemblies,
    /// What is kept of the semantic tokens that were asked for.
    pub(crate) tokens: Kept,
    pub(crate) buffers: DashMap<Utf8PathBuf, Buffer>,
    /// Grows when a buffer begins to become another and when it is that: odd in between.
    pub(crate) edits: AtomicU64,
    /// Held while what has changed is judged.
    pub(crate) judging: Mutex<()>,
    /// Stops the reading of the folders.
    pub(crate) cancel_load: AtomicBool,
    /// For a client that does not watch files.
    pub(crate) look: Look,
    /// The folders that are being read, one after the other.
    pub(crate) loading: Mutex<()>,
    /// The patterns of the files that the client watches.
    pub(crate) watched: tokio::sync::Mutex<Vec<String>>,
    /// The client's folders, and those that were read for a file outside of them.
    folders: Mutex<BTreeSet<Utf8PathBuf>>,
    client: OnceLock<Client>,
    settings: RwLock<Settings>,
    parent: Notify,
}

impl Shared {
    pub(crate) fn new(options: Options, outbox: Outbox) -> Self {
        Self {
            workspace: Workspace::new(options),
            outbox,
            wake: Wake::default(),
            refresh: Refresh::default(),
            assemblies: Assemblies::default(),
            tokens: Kept::default(),
            buffers: DashMap::new(),
            edits: AtomicU64::new(0),
            judging: Mutex::new(()),
            cancel_load: AtomicBool::new(false),
            look: Look::default(),
            loading: Mutex::new(()),
            watched: tokio::sync::Mutex::default(),
            folders: Mutex::default(),
            client: OnceLock::new(),
            settings: RwLock::default(),
            parent: Notify::new(),
        }
    }

    /// What the client can.
    pub(crate) fn client(&self) -> &Client {
        self.client.get_or_init(Client::default)
    }

    /// Keeps what the client can, once.
    pub(crate) fn set_client(&self, client: Client) {
        let _ = self.client.set(client);
    }

    pub(crate) fn folders(&self) -> MutexGuard<'_, BTreeSet<Utf8PathBuf>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn settings(&self) -> Settings {
        *self.settings.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the settings; all that was said may be other then.
    pub(crate) fn set(&self, change: impl FnOnce(&mut Settings)) {
        let mut settings = self.settings.write().unwrap_or_else(PoisonError::into_inner);
        let before = *settings;
        change(&mut settings);
        let differs = before != *settings;
        let hints = before.hints != settings.hints || before.locale != settings.locale;
        drop(settings);
        if hints {
            self.refresh.want_hints();
        }
        if differs {
            self.wake.bump_all();
        }
    }

    /// The language for the files of a project: what the project says counts more than what the reader's editor says.
    pub(crate) fn locale(&self, project: &ProjectView) -> Locale {
        project.config.locale.unwrap_or_else(|| self.settings().locale)
    }

    /// The open buffer of a path.
    pub(crate) fn buffer(&self, path: &Utf8Path) -> Option<Buffer> {
        self.buffers.get(path).map(|buffer| buffer.clone())
    }

    /// The path of a document that the client speaks of: an open one's is as it was opened.
    pub(crate) fn path(&self, uri: &Uri) -> Utf8PathBuf {
        let path = uri::path(uri, None);
        if uri::file_path(uri.as_str()).is_none() && !self.buffers.contains_key(&path) {
            let block = uri::path(uri, Some("promptblock"));
            if self.buffers.contains_key(&block) {
                return block;
            }
        }
        path
    }

    /// How the client calls a path.
    pub(crate) fn uri(&self, path: &Utf8Path) -> Option<Uri> {
        match self.buffer(path) {
            Some(buffer) => Some(buffer.uri),
            None => uri::from_path(path),
        }
    }

    /// A text with its positions, as the client counts them.
    pub(crate) fn lines<'a>(&self, text: &'a Rope, version: Option<i32>) -> Lines<'a> {
        let encoding = self.client().encoding;
        if version.is_some() { Lines::buffer(text, encoding) } else { Lines::disk(text, encoding) }
    }

    /// The text of another file, and whether a buffer holds it.
    pub(crate) fn text(&self, file: FileId) -> (Utf8PathBuf, Rope, Option<i32>) {
        let path = self.workspace.path(file);
        let version = self.buffer(&path).map(|buffer| buffer.version);
        let text = self.workspace.text(file);
        (path, text, version)
    }

    /// Everything about a document as of now.
    pub(crate) fn snapshot(&self, uri: &Uri) -> Option<Snapshot> {
        self.workspace.snapshot(&self.path(uri))
    }

    /// A copy of the project of `path` with all that has been changed, to be judged by whoever asks for it.
    pub(crate) fn fork(&self, path: &Utf8Path) -> Workspace {
        // What is being judged is neither judged nor still to be: a copy of that moment would never hear of it.
        let _no_one_judges = self.judging.lock().unwrap_or_else(PoisonError::into_inner);
        self.workspace.fork(path)
    }

    /// Ends what runs on other threads.
    pub(crate) fn close(&self) {
        self.cancel_load.store(true, Ordering::Relaxed);
        self.wake.close();
    }

    /// Waits until the client's process is gone.
    pub(crate) async fn parent_gone(&self) {
        self.parent.notified().await;
    }

    /// Ends the server when the client's process ends.
    pub(crate) fn watch_parent(self: &Arc<Self>, process: u32) {
        let shared = Arc::clone(self);
        crate::parent::watch(process, move || shared.parent.notify_one());
    }
}
