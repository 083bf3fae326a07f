//! Which files count: what is excluded, ignored or another file under a second name does not, but where somebody names it.

use super::{Workspace, lock};
use crate::FileKind;
use crate::discover::{is_ignored, project_above};
use crate::project::Project;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::FileId;
use std::sync::{Arc, PoisonError};

impl Workspace {
    /// Whether a file does not count on disk, and nobody named it.
    pub(super) fn is_passed_over(&self, file: FileId, project: &Project) -> bool {
        if lock(&self.named).contains(&file) {
            return false;
        }
        let path = self.files.path(file);
        self.is_excluded(&path, project)
            || is_ignored(&project.root, &path)
            || is_linked(&project.root, &path)
    }

    /// Whether an open buffer does not count, and nobody named it. What is only ignored does: somebody works on it.
    pub(super) fn is_left_out(&self, file: FileId, project: &Project) -> bool {
        !lock(&self.named).contains(&file) && self.is_excluded(&self.files.path(file), project)
    }

    /// Whether a `promptblock.toml` leaves a path out: that of its own project, or one of those around it that are looked at
    /// too.
    pub(crate) fn is_excluded(&self, path: &Utf8Path, project: &Project) -> bool {
        project.is_excluded(path) || self.is_excluded_around(path, &project.root)
    }

    /// Whether a project around that at `root` leaves a path out. One that nobody looks at has no say: who works in the inner
    /// project alone wants to see it.
    pub(super) fn is_excluded_around(&self, path: &Utf8Path, root: &Utf8Path) -> bool {
        let around: Vec<Arc<Project>> = {
            let projects = self.projects.read().unwrap_or_else(PoisonError::into_inner);
            root.ancestors().skip(1).filter_map(|above| projects.get(above).cloned()).collect()
        };
        let mut excluding = around.iter().filter(|outer| outer.is_excluded(path)).peekable();
        if excluding.peek().is_none() {
            return false;
        }
        let base = self.base_of(path);
        excluding.any(|outer| base.as_ref().is_some_and(|base| outer.root.starts_with(base)))
    }

    /// From where on the files around a path are looked at: the project of the nearest folder that was added.
    pub(super) fn base_of(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        let nearest = folders.iter().filter(|folder| path.starts_with(folder));
        let nearest = nearest.max_by_key(|folder| folder.as_str().len())?.clone();
        drop(folders);
        Some(project_above(&nearest).unwrap_or(nearest))
    }

    /// The file of the project that `path` is a second name of, by a link, where that one counts.
    pub fn first_name(&self, path: &Utf8Path) -> Option<Utf8PathBuf> {
        let project = self.project(path);
        let (real, base) = (path.canonicalize_utf8().ok()?, project.root.canonicalize_utf8().ok()?);
        let first = project.root.join(real.strip_prefix(&base).ok()?);
        // A file that is none of a project may be one by the name of the link.
        let counts = first != path
            && self.kind(&first) != FileKind::Other
            && self.project(&first).root == project.root
            && !self.is_passed_over(self.files.id(&first), &project);
        counts.then_some(first)
    }
}

/// Whether a walk of `root` would have to follow a link to get to `path`.
fn is_linked(root: &Utf8Path, path: &Utf8Path) -> bool {
    path.ancestors().take_while(|part| *part != root && part.starts_with(root)).any(Utf8Path::is_symlink)
}
