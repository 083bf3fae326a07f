//! Tells the thread of the diagnostics that something changed.

use crate::diagnostics::{Poll, Pull};
use promptblock_core::FileId;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How soon somebody who waits for the folders sees that it is not wanted any more.
const CANCELLED: Duration = Duration::from_millis(20);

/// A revision that grows with every change, and somebody who waits for the next.
#[derive(Default)]
pub(crate) struct Wake {
    state: Mutex<State>,
    changed: Condvar,
    /// Told when folders have been read, or somebody wants no more of them.
    loaded: Condvar,
}

#[derive(Default)]
struct State {
    revision: u64,
    seen: u64,
    /// Publish everything, not only what changed.
    all: bool,
    /// Publish these besides.
    files: Vec<FileId>,
    pulls: Vec<Pull>,
    polls: Vec<Poll>,
    hung_up: bool,
    /// The same, and it stays so.
    leaving: bool,
    /// So many folders are still to be read.
    to_load: usize,
    closed: bool,
}

/// What to do next.
#[derive(Default)]
pub(crate) struct Work {
    /// Whether all that is known is to be published anew.
    pub(crate) all: bool,
    /// Files to publish besides those that the workspace says have changed.
    pub(crate) files: Vec<FileId>,
    /// Documents that the client asks for.
    pub(crate) pulls: Vec<Pull>,
    /// Questions of the client for the whole workspace.
    pub(crate) polls: Vec<Poll>,
    /// Whether the client is about to go: what it waits for is to be answered now.
    pub(crate) hung_up: bool,
    /// Whether all folders have been read, and what is in them is told in this round at the latest.
    pub(crate) loaded: bool,
}

impl Wake {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Something changed.
    pub(crate) fn bump(&self) {
        self.state().revision += 1;
        self.changed.notify_one();
    }

    /// Everything may be other than what was said.
    pub(crate) fn bump_all(&self) {
        let mut state = self.state();
        state.revision += 1;
        state.all = true;
        drop(state);
        self.changed.notify_one();
    }

    /// Folders are about to be read.
    pub(crate) fn begin_load(&self) {
        self.state().to_load += 1;
    }

    /// Folders have been read; everything may be other than what was said.
    pub(crate) fn end_load(&self) {
        let mut state = self.state();
        state.to_load = state.to_load.saturating_sub(1);
        state.revision += 1;
        state.all = true;
        drop(state);
        self.changed.notify_one();
        self.loaded.notify_all();
    }

    /// Whether all folders have been read.
    pub(crate) fn is_loaded(&self) -> bool {
        self.state().to_load == 0
    }

    /// Waits until all folders have been read, as long as it is wanted and the client stays, at most for `patience`.
    pub(crate) fn wait_for_load(&self, patience: Duration, wanted: &dyn Fn() -> bool) {
        let until = Instant::now() + patience;
        let mut state = self.state();
        while state.to_load > 0 && !state.leaving && !state.closed && wanted() {
            let left = until.saturating_duration_since(Instant::now()).min(CANCELLED);
            if left.is_zero() {
                break;
            }
            state = self.loaded.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// These files are others, or gone.
    pub(crate) fn bump_files(&self, files: Vec<FileId>) {
        let mut state = self.state();
        state.revision += 1;
        state.files.extend(files);
        drop(state);
        self.changed.notify_one();
    }

    /// The client asks for a document's diagnostics.
    pub(crate) fn pull(&self, pull: Pull) {
        let mut state = self.state();
        state.revision += 1;
        state.pulls.push(pull);
        drop(state);
        self.changed.notify_one();
    }

    /// The client asks for the workspace's diagnostics.
    pub(crate) fn poll(&self, poll: Poll) {
        let mut state = self.state();
        state.revision += 1;
        state.polls.push(poll);
        drop(state);
        self.changed.notify_one();
    }

    /// Whether somebody waits for an answer.
    pub(crate) fn is_asked(&self) -> bool {
        let state = self.state();
        !state.pulls.is_empty() || !state.polls.is_empty() || state.hung_up
    }

    /// The client takes its leave.
    pub(crate) fn hang_up(&self) {
        let mut state = self.state();
        state.revision += 1;
        state.hung_up = true;
        state.leaving = true;
        drop(state);
        self.changed.notify_one();
        self.loaded.notify_all();
    }

    /// There is nothing more to do.
    pub(crate) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
        self.loaded.notify_all();
    }

    /// Waits for a change since the last call, at most until `until`; `None` at the end.
    pub(crate) fn wait(&self, until: Option<Instant>) -> Option<Work> {
        let mut state = self.state();
        while state.revision == state.seen && !state.closed {
            let Some(until) = until else {
                state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        if state.closed {
            return None;
        }
        state.seen = state.revision;
        Some(Work {
            all: std::mem::take(&mut state.all),
            files: std::mem::take(&mut state.files),
            pulls: std::mem::take(&mut state.pulls),
            polls: std::mem::take(&mut state.polls),
            hung_up: std::mem::take(&mut state.hung_up),
            loaded: state.to_load == 0,
        })
    }
}
