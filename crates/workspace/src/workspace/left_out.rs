//! Blocks that do not count, for those who ask why nothing is said of them.

use super::Workspace;
use crate::discover::{is_ignored, is_in_skipped, project_above, walk, walk_ignored_too};
use crate::files::BLOCK_EXTENSION;
use crate::project::Project;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

/// Block files of a project that are passed over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// Those that a pattern of `exclude` names, by path.
    pub excluded: Vec<Utf8PathBuf>,
    /// How many a `.gitignore` names.
    pub ignored: usize,
}

/// Why nothing is said of a folder that has blocks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PassedOver {
    /// Some are named by a `.gitignore`.
    pub ignored: bool,
    /// Some are named by a pattern of `exclude`.
    pub excluded: bool,
    /// Some lie in a hidden folder or in `node_modules`.
    pub hidden: bool,
}

impl Workspace {
    /// Why no block in a folder counts; `None` where one does, or there is none to speak of. Walks the disk.
    pub fn passed_over(&self, folder: &Utf8Path) -> Option<PassedOver> {
        let projects: Vec<_> =
            self.projects.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        let counts = |project: &Arc<Project>| {
            let state = project.state();
            let mut files = state.index.blocks().map(|(file, _)| file).chain(state.sources.keys().copied());
            files.any(|file| self.files.path(file).starts_with(folder))
        };
        if projects.iter().any(counts) {
            return None;
        }
        let found = walk_ignored_too(folder).files;
        let mut why = PassedOver::default();
        for path in found.iter().filter(|path| path.extension() == Some(BLOCK_EXTENSION)) {
            let project = self.project(path);
            let base = self.base_of(path).unwrap_or_else(|| project.root.clone());
            let excluded = self.is_excluded(path, &project);
            let hidden = !excluded && is_in_skipped(&base, path);
            why.excluded |= excluded;
            why.hidden |= hidden;
            why.ignored |= !excluded && !hidden && is_ignored(&base, path);
        }
        (why != PassedOver::default()).then_some(why)
    }

    /// What is passed over of the project at `root`. Walks the disk.
    pub fn left_out(&self, root: &Utf8Path) -> LeftOut {
        let project = self.project_at(root.to_owned());
        let is_of = |path: &Utf8Path| {
            let above = path.parent().and_then(project_above);
            path.extension() == Some(BLOCK_EXTENSION)
                && above.is_none_or(|above| above == root || !above.starts_with(root))
        };
        let blocks = |files: Vec<Utf8PathBuf>| files.into_iter().filter(|path| is_of(path));
        let counted: BTreeSet<Utf8PathBuf> = blocks(walk(root).files).collect();
        let ignored = blocks(walk_ignored_too(root).files).filter(|path| !counted.contains(path)).count();
        let excluded = counted.into_iter().filter(|path| project.is_excluded(path)).collect();
        LeftOut { excluded, ignored }
    }
}
