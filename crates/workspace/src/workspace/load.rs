//! Reading a whole folder, and single files of the disk.

use super::{Workspace, lock};
use crate::Progress;
use crate::discover::{project_above, walk};
use crate::files::{CONFIG_NAME, FileKind};
use crate::project::{Closed, Project, State};
use crate::read::{ReadError, read};
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::FileId;
use promptblock_core::project::BlockFacts;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

type Judged = Result<(Closed, BlockFacts), ReadError>;

impl Workspace {
    /// Finds the projects of the folders, reads and judges their files. Open buffers win over the disk. May be called again.
    pub fn load(&self, progress: &(dyn Fn(Progress) + Sync), cancel: &AtomicBool) {
        for base in self.bases() {
            self.load_below(&base, progress, cancel);
        }
    }

    /// The folders to walk, none inside another. A folder inside a project is judged with the whole project.
    pub(super) fn bases(&self) -> BTreeSet<Utf8PathBuf> {
        let folders: Vec<_> =
            self.folders.read().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        let mut bases: BTreeSet<Utf8PathBuf> = BTreeSet::new();
        for folder in folders {
            let base = project_above(&folder).unwrap_or(folder);
            if !bases.iter().any(|other| base.starts_with(other)) {
                bases.insert(base);
            }
        }
        bases
    }

    fn load_below(&self, base: &Utf8Path, progress: &(dyn Fn(Progress) + Sync), cancel: &AtomicBool) {
        let found = walk(base);
        lock(&self.block_folders).extend(found.block_folders);
        lock(&self.walk_errors).extend(found.errors);
        let mut roots: BTreeSet<Utf8PathBuf> = BTreeSet::from([base.to_owned()]);
        let configs = found.files.iter().filter(|path| path.file_name() == Some(CONFIG_NAME));
        roots.extend(configs.filter_map(|path| path.parent()).map(Utf8Path::to_owned));
        let mut by_root: FxHashMap<&Utf8Path, Vec<Utf8PathBuf>> = FxHashMap::default();
        for path in &found.files {
            let root = path.ancestors().skip(1).find(|above| roots.contains(*above)).unwrap_or(base);
            by_root.entry(root).or_default().push(path.clone());
        }
        let total =
            found.files.iter().filter(|path| path.extension() == Some(crate::files::BLOCK_EXTENSION)).count();
        let done = AtomicUsize::new(0);
        for root in &roots {
            let files = by_root.remove(root.as_path()).unwrap_or_default();
            let project = self.project_at(root.clone());
            let rejudge = self.read_settings(&project, Some(&files));
            self.rejudge(&project, rejudge);
            // Before the blocks, which are judged by what these register.
            self.load_sources(&project, &files);
            let blocks: Vec<&Utf8PathBuf> = files
                .iter()
                .filter(|path| {
                    path.extension() == Some(crate::files::BLOCK_EXTENSION)
                        && !self.is_excluded(path, &project)
                })
                .collect();
            // Numbered in the order of the paths, so that the output is the same on every run.
            let ids: Vec<FileId> = blocks.iter().map(|path| self.files.id(path)).collect();
            let judge = project.judge();
            let judged = ids.par_iter().filter_map(|file| {
                if cancel.load(Ordering::Relaxed) {
                    return None;
                }
                let result = self.judge_closed(*file, &judge);
                progress(Progress { done: done.fetch_add(1, Ordering::Relaxed) + 1, total });
                Some((*file, result))
            });
            for (file, result) in judged.collect::<Vec<_>>() {
                self.put(&project, file, result);
            }
        }
    }

    /// Judges a file of the disk; `None` where it is open and judged elsewhere.
    pub(super) fn judge_closed(&self, file: FileId, judge: &promptblock_core::lint::Judge) -> Option<Judged> {
        if self.open.contains_key(&file) {
            return None;
        }
        self.judged.fetch_add(1, Ordering::Relaxed);
        Some(read(&self.files.path(file)).map(|text| Closed::judge(&text, judge)))
    }

    /// Takes over what a file of the disk says. Gives the files that feel it.
    pub(super) fn put(&self, project: &Project, file: FileId, judged: Option<Judged>) -> BTreeSet<FileId> {
        let mut state = project.state();
        // Asked under the lock: whoever opens the file from here on tells the project after this.
        let Some(judged) = judged.filter(|_| !self.open.contains_key(&file)) else {
            drop(state);
            lock(&self.changed).insert(file);
            return BTreeSet::new();
        };
        let facts = match judged {
            // What it was judged by has changed meanwhile, and those who changed it do not know of this verdict.
            Ok((closed, _)) if closed.revision != state.judge.revision => {
                drop(state);
                lock(&self.changed).insert(file);
                return BTreeSet::new();
            }
            Ok((closed, facts)) => {
                state.unreadable.remove(&file);
                state.closed.insert(file, closed);
                Some(facts)
            }
            // Editors mark what they have open by links to nothing.
            Err(ReadError::Missing | ReadError::DeadLink) => return Self::take_out(&mut state, file),
            Err(error) => {
                let touched = Self::take_out(&mut state, file);
                state.unreadable.insert(file, error);
                return touched;
            }
        };
        let mut touched = Arc::make_mut(&mut state.index).update(file, facts);
        touched.extend(state.catalog_files());
        touched
    }

    /// Forgets a block. Gives the files that feel it.
    pub(super) fn take_out(state: &mut State, file: FileId) -> BTreeSet<FileId> {
        state.unreadable.remove(&file);
        state.closed.remove(&file);
        let mut touched = Arc::make_mut(&mut state.index).update(file, None);
        touched.extend(state.catalog_files());
        touched
    }

    /// Lets a file count though it is ignored or excluded, because somebody named it.
    pub fn add_file(&self, path: &Utf8Path) {
        let project = self.project(path);
        let file = self.files.id(path);
        lock(&self.named).insert(file);
        if project.kind(path, None) == FileKind::Source {
            self.refresh_source(file, &project, false);
            return;
        }
        let judged = self.judge_closed(file, &project.judge());
        self.put(&project, file, judged);
    }
}
