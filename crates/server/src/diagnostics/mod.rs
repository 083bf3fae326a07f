//! Judges and tells, on a thread of its own: the newest state only, without a fixed delay, never for a text that is no
//! longer current, and cleared for what went away.
//!
//! A document reaches a client in one way at a time: pushed, or pulled by itself while it is open, or in the answer to a question
//! for the whole workspace.

mod poll;
mod pull;
mod report;

pub(crate) use poll::Poll;
pub(crate) use pull::Pull;
pub(crate) use report::convert;

use crate::dispatch::panic_text;
use crate::judge;
use crate::settings::Scope;
use crate::state::Shared;
use crate::wake::Work;
use poll::Polled;
use promptblock_core::FileId;
use promptblock_workspace::FileFindings;
use pull::Refresh;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tower_lsp::Client;
use tower_lsp::ls_types::notification::PublishDiagnostics;
use tower_lsp::ls_types::{Diagnostic as LspDiagnostic, PublishDiagnosticsParams, Uri};

/// So many files that are not open may show findings; an editor's list of problems is of no use beyond.
const CLOSED_FILES: usize = 1000;
/// A pulling client is left so long to ask for what it has just edited or closed itself.
const LEFT_TO_CLIENT: Duration = Duration::from_secs(1);

/// Starts the thread. It ends when the server does.
pub(crate) fn start(shared: Arc<Shared>, client: &Client) {
    let can = shared.client().refreshes_diagnostics;
    let refresh = Refresh::new(can, client.clone(), tokio::runtime::Handle::current());
    let run = move || {
        let mut publisher = Publisher {
            shared: Arc::clone(&shared),
            shown: HashMap::new(),
            hidden: BTreeSet::new(),
            pulled: HashMap::new(),
            loaded: false,
            early: Vec::new(),
            left: HashMap::new(),
            due: BTreeSet::new(),
            polls: false,
            polled: None,
            refresh,
        };
        while let Some(work) = shared.wake.wait(publisher.next_due()) {
            shared.outbox.wait_for_room(|| shared.wake.is_asked());
            // A fault in one rule must not silence all others for the rest of the day.
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| publisher.publish_changes(work))) {
                tracing::error!("judging panicked: {}", panic_text(&*panic));
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("diagnostics".to_owned()).spawn(run) {
        tracing::error!("cannot start the thread of the diagnostics: {error}");
    }
}

struct Publisher {
    shared: Arc<Shared>,
    /// What the client was last told, of files with findings and of open files, where it does not pull them by themselves.
    shown: HashMap<FileId, Shown>,
    /// Closed files with findings beyond the limit.
    hidden: BTreeSet<FileId>,
    /// What the client last pulled, of each open document.
    pulled: HashMap<FileId, Pulled>,
    /// Documents that the client may still ask for by itself, and how long it may.
    left: HashMap<FileId, Instant>,
    /// Those of them for which it is time in this round.
    due: BTreeSet<FileId>,
    /// Whether all folders have been read.
    loaded: bool,
    /// Questions that came before the folders were read.
    early: Vec<Pull>,
    /// Whether the client asks for the workspace: then nothing is pushed to it that it gets there.
    polls: bool,
    /// The question for the workspace that is not answered to its end.
    polled: Option<Polled>,
    refresh: Refresh,
}

struct Shown {
    uri: Uri,
    open: bool,
    /// Whether there was anything to show.
    any: bool,
    /// Of what was to be shown, where the client asks for the workspace.
    fingerprint: u64,
}

/// An open document that the client asks for by itself.
struct Pulled {
    version: i32,
    /// What the client knows, or was told to ask for again.
    fingerprint: u64,
}

impl Publisher {
    fn publish_changes(&mut self, work: Work) {
        let mut files = judge::changes(&self.shared, work.all);
        self.loaded = work.loaded;
        // What somebody waits for comes first.
        let early = std::mem::take(&mut self.early);
        for pull in early.into_iter().chain(work.pulls) {
            self.answer(pull);
        }
        files.extend(work.files);
        self.take_due();
        files.extend(&self.due);
        let mut done = BTreeSet::new();
        for file in files {
            if done.insert(file) {
                self.publish(file);
            }
        }
        if work.all {
            let shown: Vec<FileId> = self.shown.keys().copied().collect();
            for findings in self.shared.workspace.all_findings() {
                if done.insert(findings.file) {
                    self.publish_found(&findings);
                }
            }
            for file in shown {
                if done.insert(file) {
                    self.publish(file);
                }
            }
        }
        self.show_hidden();
        for poll in work.polls {
            self.take_poll(poll);
        }
        self.begin_poll();
        if work.hung_up {
            self.end_poll();
        }
        self.answer_poll();
        self.refresh.send();
    }

    fn publish(&mut self, file: FileId) {
        match self.shared.workspace.findings(file) {
            Some(findings) => self.publish_found(&findings),
            None => self.clear(file),
        }
    }

    fn publish_found(&mut self, findings: &FileFindings) {
        let file = findings.file;
        let shared = Arc::clone(&self.shared);
        let buffer = shared.buffer(&findings.path);
        match (&buffer, findings.version) {
            // Already another text; the next round speaks of it.
            (Some(buffer), Some(version)) if buffer.version != version => return,
            // Opened or closed this moment; the next round knows.
            (Some(_), None) | (None, Some(_)) => return,
            _ => {}
        }
        let pulls = shared.client().pulls;
        if let (true, Some(buffer)) = (pulls, &buffer) {
            return self.see_open(findings, buffer);
        }
        if pulls && self.polls && self.is_left_to_client(file) {
            return;
        }
        self.pulled.remove(&file);
        let open = buffer.is_some();
        let wanted = open || shared.settings().scope == Scope::Workspace;
        if !wanted || (findings.diagnostics.is_empty() && !open) {
            self.clear(file);
            return;
        }
        let is_new = self.shown.get(&file).is_none_or(|shown| shown.open || !shown.any);
        if !open && is_new && self.closed_shown() >= CLOSED_FILES {
            self.clear(file);
            if self.hidden.insert(file) && self.hidden.len() == 1 {
                tracing::warn!(
                    "over {CLOSED_FILES} files have findings; the rest is shown when it is opened"
                );
            }
            return;
        }
        let uri = match buffer {
            Some(buffer) => Some(buffer.uri),
            None => crate::uri::from_path(&findings.path),
        };
        let Some(uri) = uri else { return };
        self.hidden.remove(&file);
        if self.shown.get(&file).is_some_and(|shown| shown.uri != uri) {
            // The client spelled it otherwise, and would show both.
            self.clear(file);
        }
        let diagnostics = report::convert(&shared, findings);
        let any = !diagnostics.is_empty();
        let fingerprint = if pulls || self.polls { report::fingerprint(&diagnostics) } else { 0 };
        if self.polls && !open {
            self.tell(file, &uri, findings.version, fingerprint, diagnostics);
        } else {
            let params = PublishDiagnosticsParams::new(uri.clone(), diagnostics, findings.version);
            shared.outbox.notify::<PublishDiagnostics>(&params);
        }
        self.shown.insert(file, Shown { uri, open, any, fingerprint });
    }

    fn closed_shown(&self) -> usize {
        self.shown.values().filter(|shown| !shown.open && shown.any).count()
    }

    fn clear(&mut self, file: FileId) {
        self.hidden.remove(&file);
        self.pulled.remove(&file);
        self.tell_gone(file);
        if let Some(Shown { uri, open, any: true, .. }) = self.shown.remove(&file)
            && (open || !self.polls)
        {
            self.push_none(uri);
        }
    }

    fn push_none(&self, uri: Uri) {
        let params = PublishDiagnosticsParams::new(uri, Vec::<LspDiagnostic>::new(), None);
        self.shared.outbox.notify::<PublishDiagnostics>(&params);
    }

    /// Shows files beyond the limit, where others have become sound.
    fn show_hidden(&mut self) {
        let room = CLOSED_FILES.saturating_sub(if self.hidden.is_empty() {
            CLOSED_FILES
        } else {
            self.closed_shown()
        });
        let next: Vec<FileId> = self.hidden.iter().copied().take(room).collect();
        for file in next {
            self.hidden.remove(&file);
            self.publish(file);
        }
    }
}
