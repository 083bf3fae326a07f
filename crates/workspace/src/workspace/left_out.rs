//! Blocks that do not count, for those who ask why nothing is said of them.

use super::Workspace;
use crate::discover::{project_above, walk, walk_ignored_too};
use crate::files::BLOCK_EXTENSION;
use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeSet;

/// Block files of a project that are passed over.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// Those that a pattern of `exclude` names, by path.
    pub excluded: Vec<Utf8PathBuf>,
    /// How many a `.gitignore` names.
    pub ignored: usize,
}

impl Workspace {
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
