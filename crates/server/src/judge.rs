//! Judges what has changed: for the diagnostics, and for a request whose answer depends on the headers of all blocks.

use crate::state::Shared;
use crate::{assembly, refresh};
use promptblock_core::FileId;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// So long a request waits for the folders; behind that it speaks of what is known.
const PATIENCE: Duration = Duration::from_secs(60);
/// So long an answer is begun anew because somebody types meanwhile.
const RESTLESS: Duration = Duration::from_secs(5);
/// How long it is left alone then, so that a storm of edits does not cost an assembly each.
const PAUSE: Duration = Duration::from_millis(5);

/// Judges what has changed, tells who shows something that depends on it, and gives the files whose findings may be others. `all`:
/// everything may be another.
pub(crate) fn changes(shared: &Shared, all: bool) -> Vec<FileId> {
    // Who comes second must not take what the first is still at for done.
    let one_at_a_time = shared.judging.lock().unwrap_or_else(PoisonError::into_inner);
    let files = shared.workspace.refresh();
    assembly::after_change(shared, &files, all);
    refresh::after_change(shared, &files, all);
    drop(one_at_a_time);
    files
}

/// Waits until the folders are read.
pub(crate) fn wait_for_load(shared: &Shared, wanted: &dyn Fn() -> bool) {
    shared.wake.wait_for_load(PATIENCE, wanted);
}

/// What `compute` says when all that came before is judged, and nothing was edited while it computed: its texts and headers are of
/// one version. `None` where it is not wanted any more.
pub(crate) fn settled<T>(
    shared: &Shared,
    wanted: &dyn Fn() -> bool,
    mut compute: impl FnMut() -> Option<T>,
) -> Option<T> {
    let until = Instant::now() + RESTLESS;
    loop {
        let before = shared.edits.load(Ordering::SeqCst);
        let files = changes(shared, false);
        if !files.is_empty() {
            // Their findings are still to be told.
            shared.wake.bump_files(files);
        }
        if !wanted() {
            return None;
        }
        let answer = compute()?;
        let is_one_version = before.is_multiple_of(2) && before == shared.edits.load(Ordering::SeqCst);
        if is_one_version || Instant::now() >= until {
            return Some(answer);
        }
        std::thread::sleep(PAUSE);
    }
}
