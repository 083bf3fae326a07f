//! What happens to files outside of the editor: what to watch for, and what a change there touches.

use super::{Workspace, lock};
use crate::Stamps;
use crate::discover::walk;
use crate::files::{CONFIG_NAME, ENVIRONMENTS_NAME, LOCAL_CATALOG_NAME, TOOLS_NAME, absolute};
use crate::project::Project;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::FileId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, PoisonError};

impl Workspace {
    /// Files were created, changed or deleted outside the editor; a folder stands for all that is below it and all that was.
    pub fn disk_changed(&self, paths: &[Utf8PathBuf]) {
        let mut changed: Vec<FileId> = Vec::new();
        // In the order of the folders, so that what was below one is found without asking all.
        let mut known: Option<BTreeMap<Utf8PathBuf, FileId>> = None;
        for path in paths {
            changed.push(self.files.id(path));
            if path.is_file() {
                continue;
            }
            let below = known.get_or_insert_with(|| self.known_files()).range(path.clone()..);
            changed.extend(below.take_while(|(file, _)| file.starts_with(path)).map(|(_, file)| *file));
            // A link to a folder is not followed, here as in a walk.
            if path.symlink_metadata().is_ok_and(|meta| meta.is_dir()) {
                changed.extend(walk(path).files.iter().map(|file| self.files.id(file)));
            }
        }
        lock(&self.changed).extend(changed);
    }

    /// Every file that is spoken of, by path.
    pub(super) fn known_files(&self) -> BTreeMap<Utf8PathBuf, FileId> {
        let projects = self.projects.read().unwrap_or_else(PoisonError::into_inner);
        let of = |project: &Arc<Project>| {
            let state = project.state();
            let blocks = state.index.blocks().map(|(file, _)| file).chain(state.own.keys().copied());
            blocks.chain(state.sources.keys().copied()).map(|file| self.files.whole(file)).collect::<Vec<_>>()
        };
        projects.values().flat_map(of).map(|file| (self.files.path(file), file)).collect()
    }

    /// What the files that may count look like from outside: everything in the folders, and what counts though it is ignored.
    pub fn stamps(&self) -> Stamps {
        let mut stamps = Stamps::default();
        let walked = self.bases();
        for base in &walked {
            walk(base).files.iter().for_each(|path| stamps.note(path));
        }
        self.user_catalog().iter().for_each(|path| stamps.note(path));
        for view in self.projects() {
            let settings =
                [CONFIG_NAME, ENVIRONMENTS_NAME, LOCAL_CATALOG_NAME, TOOLS_NAME].map(Utf8Path::new);
            let catalogs = view.config.catalogs.iter().map(|glob| Utf8Path::new(&**glob));
            for name in settings.into_iter().chain(catalogs) {
                stamps.note(&absolute(name, &view.root));
            }
            view.instruction_paths.iter().for_each(|path| stamps.note(path));
            // A file outside of every folder was opened, and those beside it count.
            let outside = |path: &Utf8PathBuf| !walked.iter().any(|base| path.starts_with(base));
            let blocks = view.index.blocks().map(|(file, _)| self.files.path(file));
            blocks.filter(outside).for_each(|path| stamps.note(&path));
        }
        stamps
    }

    /// What an editor should watch: patterns of every file that may count.
    pub fn watch_globs(&self) -> Vec<String> {
        let mut globs: BTreeSet<String> = [
            "**/*.promptblock",
            "**/promptblock*.json",
            "**/promptblock.toml",
            "**/.gitignore",
            "**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}",
        ]
        .map(str::to_owned)
        .into();
        for view in self.projects() {
            globs.extend(view.config.catalogs.iter().map(|glob| format!("**/{glob}")));
            let instructions = view.judge.profile.instructions.as_ref();
            globs.extend(instructions.map(|rules| format!("**/{}", rules.name)));
        }
        globs.into_iter().collect()
    }
}
