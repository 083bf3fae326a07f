//! Tells the thread of the diagnostics that something changed.

use promptblock_core::FileId;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A revision that grows with every change, and somebody who waits for the next.
#[derive(Default)]
pub(crate) struct Wake {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    revision: u64,
    seen: u64,
    /// Publish everything, not only what changed.
    all: bool,
    /// Publish these besides.
    files: Vec<FileId>,
    closed: bool,
}

/// What to do next.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Work {
    /// Whether all that is known is to be published anew.
    pub(crate) all: bool,
    /// Files to publish besides those that the workspace says have changed.
    pub(crate) files: Vec<FileId>,
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

    /// These files are others, or gone.
    pub(crate) fn bump_files(&self, files: Vec<FileId>) {
        let mut state = self.state();
        state.revision += 1;
        state.files.extend(files);
        drop(state);
        self.changed.notify_one();
    }

    /// There is nothing more to do.
    pub(crate) fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// Waits for a change since the last call; `None` at the end.
    pub(crate) fn wait(&self) -> Option<Work> {
        let mut state = self.state();
        while state.revision == state.seen && !state.closed {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        if state.closed {
            return None;
        }
        state.seen = state.revision;
        Some(Work { all: std::mem::take(&mut state.all), files: std::mem::take(&mut state.files) })
    }
}
