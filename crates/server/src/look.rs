//! Looks for changes on the disk by itself, for a client that does not watch files: whenever it opens, saves or closes something or
//! speaks of files, and now and then while somebody types.

use crate::state::Shared;
use promptblock_workspace::Stamps;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// While somebody types: not more often than this, and never more than a fiftieth of the time.
const SELDOM: Duration = Duration::from_secs(3);
const SHARE: u32 = 50;

/// What was seen, and whether somebody is looking.
#[derive(Default)]
pub(crate) struct Look(Mutex<State>);

#[derive(Default)]
struct State {
    /// What the files looked like; none before the folders are read.
    seen: Option<Stamps>,
    looking: bool,
    again: bool,
    last: Option<Instant>,
    took: Duration,
}

impl Look {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why somebody looks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Occasion {
    /// Something has been done with a file.
    File,
    /// Somebody types.
    Typing,
}

/// Notes what is there before it is read, so that no change in between is missed.
pub(crate) fn begin(shared: &Shared) {
    if !shared.client().watches_files {
        let seen = shared.workspace.stamps();
        shared.look.state().seen.get_or_insert(seen);
    }
}

/// Looks, on a thread of its own.
pub(crate) fn look(shared: &Arc<Shared>, occasion: Occasion) {
    if shared.client().watches_files {
        return;
    }
    let mut state = shared.look.state();
    if state.looking {
        state.again |= occasion == Occasion::File;
        return;
    }
    let pause = SELDOM.max(state.took * SHARE);
    if state.seen.is_none()
        || (occasion == Occasion::Typing && state.last.is_some_and(|last| last.elapsed() < pause))
    {
        return;
    }
    state.looking = true;
    drop(state);
    let on_thread = Arc::clone(shared);
    let run = move || {
        let shared = on_thread;
        loop {
            look_now(&shared);
            let mut state = shared.look.state();
            if !std::mem::take(&mut state.again) {
                state.looking = false;
                return;
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("look".to_owned()).spawn(run) {
        tracing::error!("cannot look for changed files: {error}");
        shared.look.state().looking = false;
    }
}

fn look_now(shared: &Shared) {
    let start = Instant::now();
    let now = shared.workspace.stamps();
    let mut state = shared.look.state();
    let differs = state.seen.as_ref().map(|seen| now.differences(seen)).unwrap_or_default();
    state.seen = Some(now);
    state.last = Some(Instant::now());
    state.took = start.elapsed();
    drop(state);
    if !differs.is_empty() {
        shared.workspace.disk_changed(&differs);
        shared.wake.bump();
    }
}
