//! `check --fix`: every safe fix. A file is written once, when all is judged.

use crate::replace::replace;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::Message;
use promptblock_workspace::Workspace;

/// What was done.
pub(crate) struct Outcome {
    /// Fixes done.
    pub(crate) fixed: usize,
    /// Files written.
    pub(crate) files: usize,
    /// Files that could not be written, and why.
    pub(crate) failed: Vec<(Utf8PathBuf, Message)>,
}

/// Fixes the files that are `named`, and has the workspace judge what stands on disk then.
pub(crate) fn fix(workspace: &Workspace, named: &dyn Fn(&Utf8Path) -> bool) -> Outcome {
    let mut outcome = Outcome { fixed: 0, files: 0, failed: Vec::new() };
    for file in promptblock_workspace::fix(workspace, named, &|_| true) {
        match replace(&file.path, &file.original, &file.text) {
            Ok(()) => {
                outcome.fixed += file.count;
                outcome.files += 1;
            }
            Err(why) => outcome.failed.push((file.path, why)),
        }
    }
    for file in workspace.open_files() {
        workspace.close(&workspace.path(file));
    }
    workspace.refresh();
    outcome
}
