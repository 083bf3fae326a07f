//! Reads the client's folders, and says how far it has come if that takes a while.

use crate::state::Shared;
use crate::{look, watch};
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::{Locale, Message, msg};
use promptblock_workspace::Progress;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tower_lsp::Client;
use tower_lsp::ls_types::notification::{LogMessage, Progress as ProgressNotification};
use tower_lsp::ls_types::*;

/// Reading that is over sooner is not spoken of.
const PATIENCE: Duration = Duration::from_millis(200);
/// How often the client hears how far it is.
const EVERY: Duration = Duration::from_millis(100);

/// Reads all folders on a thread of its own; open buffers are judged meanwhile.
pub(crate) fn start(shared: &Arc<Shared>, client: &Client) {
    let (shared, client, handle) = (Arc::clone(shared), client.clone(), Handle::current());
    let loading = Loading::begin(&shared);
    let run = move || {
        let one_at_a_time = shared.loading.lock().unwrap_or_else(PoisonError::into_inner);
        look::begin(&shared);
        let report = Report::start(&shared, &client, &handle);
        shared.workspace.load(&|progress| report.update(progress), &shared.cancel_load);
        report.done();
        drop(one_at_a_time);
        tell_unreadable(&shared);
        drop(loading);
        // The configurations that were read may name catalogs elsewhere.
        handle.spawn(watch::register(shared, client));
    };
    if let Err(error) = std::thread::Builder::new().name("load".to_owned()).spawn(run) {
        tracing::error!("cannot start reading the folders: {error}");
    }
}

/// Folders are being read; over when this is dropped, by a panic too, and then everything is told anew.
struct Loading(Arc<Shared>);

impl Loading {
    fn begin(shared: &Arc<Shared>) -> Self {
        shared.wake.begin_load();
        Self(Arc::clone(shared))
    }
}

impl Drop for Loading {
    fn drop(&mut self) {
        self.0.wake.end_load();
    }
}

/// Files that cannot be judged are said in the client's log, so that nobody waits for their findings.
fn tell_unreadable(shared: &Shared) {
    let locale = shared.settings().locale;
    for (path, error) in shared.workspace.unreadable() {
        let message = format!("{path}: {}", error.message().text(locale));
        tracing::warn!("{message}");
        shared.outbox.notify::<LogMessage>(&LogMessageParams { typ: MessageType::WARNING, message });
    }
}

/// A file outside of all folders was opened: reads what else belongs to its project. That is the nearest `promptblock.toml` above
/// it with all below, else the files beside it; never all of a home folder because one file of it is looked at.
pub(crate) fn around(shared: &Arc<Shared>, client: &Client, path: &Utf8Path) {
    let Some(folder) = path.parent().filter(|folder| folder.is_absolute()) else { return };
    let (root, whole) = {
        let mut folders = shared.folders();
        if folders.iter().any(|known| path.starts_with(known)) || !folders.insert(folder.to_owned()) {
            return;
        }
        let config = |above: &&Utf8Path| above.join("promptblock.toml").is_file();
        match folder.ancestors().find(config) {
            Some(root) => {
                folders.insert(root.to_owned());
                (root.to_owned(), true)
            }
            None => (folder.to_owned(), false),
        }
    };
    if whole {
        shared.workspace.add_folder(&root);
        start(shared, client);
        return;
    }
    let shared = Arc::clone(shared);
    let loading = Loading::begin(&shared);
    let run = move || {
        look::begin(&shared);
        let entries = root.read_dir_utf8().into_iter().flatten().flatten();
        let blocks =
            entries.map(|entry| entry.into_path()).filter(|path| path.extension() == Some("promptblock"));
        let mut blocks: Vec<Utf8PathBuf> = blocks.filter(|path| path.is_file()).collect();
        blocks.sort();
        for path in blocks {
            shared.workspace.add_file(&path);
        }
        drop(loading);
    };
    if let Err(error) = std::thread::Builder::new().name("load".to_owned()).spawn(run) {
        tracing::error!("cannot start reading the folder: {error}");
    }
}

/// What the client's progress bar shows.
struct Report {
    shared: Arc<Shared>,
    token: NumberOrString,
    state: Arc<Mutex<Bar>>,
    done: AtomicBool,
    percent: AtomicU32,
}

/// Where the bar is in its life.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bar {
    Planned,
    Shown { last: std::time::Instant },
    Over,
}

fn lock(state: &Mutex<Bar>) -> std::sync::MutexGuard<'_, Bar> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn title() -> Message {
    msg!("Reading prompt blocks", "正在读取提示词块")
}

impl Report {
    fn start(shared: &Arc<Shared>, client: &Client, handle: &Handle) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let token = NumberOrString::String(format!("promptblock/load/{number}"));
        let state = Arc::new(Mutex::new(Bar::Planned));
        if shared.client().progress {
            let bar = Arc::clone(&state);
            let (shared, client, token) = (Arc::clone(shared), client.clone(), token.clone());
            handle.spawn(async move {
                tokio::time::sleep(PATIENCE).await;
                if *lock(&bar) != Bar::Planned
                    || client.create_work_done_progress(token.clone()).await.is_err()
                {
                    return;
                }
                let mut bar = lock(&bar);
                if *bar == Bar::Planned {
                    *bar = Bar::Shown { last: std::time::Instant::now() };
                    send(&shared, &token, begin(shared.settings().locale));
                }
            });
        }
        let shared = Arc::clone(shared);
        Self { shared, token, state, done: AtomicBool::new(false), percent: AtomicU32::new(0) }
    }

    fn update(&self, progress: Progress) {
        let percent = progress.done * 100 / progress.total.max(1);
        let percent = u32::try_from(percent.min(100)).unwrap_or(100);
        if percent <= self.percent.fetch_max(percent, Ordering::Relaxed) {
            return;
        }
        if let Bar::Shown { last } = &mut *lock(&self.state)
            && last.elapsed() >= EVERY
        {
            *last = std::time::Instant::now();
            let report = WorkDoneProgressReport {
                message: Some(format!("{}/{}", progress.done, progress.total)),
                percentage: Some(percent),
                cancellable: Some(false),
            };
            send(&self.shared, &self.token, WorkDoneProgress::Report(report));
        }
    }

    fn done(&self) {
        if self.done.swap(true, Ordering::Relaxed) {
            return;
        }
        let before = std::mem::replace(&mut *lock(&self.state), Bar::Over);
        if matches!(before, Bar::Shown { .. }) {
            send(&self.shared, &self.token, WorkDoneProgress::End(WorkDoneProgressEnd { message: None }));
        }
    }
}

/// A panic while reading must not leave a bar that never ends.
impl Drop for Report {
    fn drop(&mut self) {
        self.done();
    }
}

fn begin(locale: Locale) -> WorkDoneProgress {
    WorkDoneProgress::Begin(WorkDoneProgressBegin {
        title: title().text(locale).to_owned(),
        cancellable: Some(false),
        message: None,
        percentage: Some(0),
    })
}

fn send(shared: &Shared, token: &NumberOrString, value: WorkDoneProgress) {
    let params = ProgressParams { token: token.clone(), value: ProgressParamsValue::WorkDone(value) };
    shared.outbox.notify::<ProgressNotification>(&params);
}
