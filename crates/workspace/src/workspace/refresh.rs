//! Judging again what a change touches, and no more.

use super::{Workspace, lock};
use crate::files::{CONFIG_NAME, FileKind};
use crate::open::{Content, OpenFile};
use crate::project::{Project, Rejudge};
use camino::Utf8PathBuf;
use promptblock_core::FileId;
use promptblock_core::project::Config;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError};

impl Workspace {
    /// Judges what changed since the last call. Gives the files whose findings may be others now, open ones first.
    pub fn refresh(&self) -> Vec<FileId> {
        let mut touched: BTreeSet<FileId> = BTreeSet::new();
        loop {
            let changed = std::mem::take(&mut *lock(&self.changed));
            if changed.is_empty() {
                break;
            }
            if self.projects_differ(&changed) {
                touched.extend(self.reload());
            }
            let user = self.user_catalog();
            let mut blocks = Vec::new();
            let mut sources = Vec::new();
            let mut projects: FxHashMap<Utf8PathBuf, Arc<Project>> = FxHashMap::default();
            for file in changed {
                let path = self.files.path(file);
                let project = self.project(&path);
                touched.insert(file);
                {
                    // Instructions may lie above the projects that have them, in no project or another one's.
                    let all = self.projects.read().unwrap_or_else(PoisonError::into_inner);
                    let reading = all.iter().filter(|(_, project)| project.reads(&path));
                    projects.extend(reading.map(|(root, project)| (root.clone(), Arc::clone(project))));
                }
                match project.kind(&path, user.as_deref()) {
                    FileKind::Block => blocks.push((file, project)),
                    FileKind::Source => sources.push((file, project)),
                    FileKind::Other | FileKind::Instructions => {}
                    FileKind::Catalog if Some(&*path) == user.as_deref() => {
                        let all = self.projects.read().unwrap_or_else(PoisonError::into_inner);
                        projects
                            .extend(all.iter().map(|(root, project)| (root.clone(), Arc::clone(project))));
                    }
                    FileKind::Config | FileKind::Catalog | FileKind::Environments | FileKind::Tools => {
                        projects.insert(project.root.clone(), project);
                    }
                }
            }
            let mut reloaded = false;
            for project in projects.into_values() {
                let (own, before): (Vec<FileId>, _) = {
                    let state = project.state();
                    (state.own.keys().copied().collect(), Arc::clone(&state.config))
                };
                touched.extend(own);
                let rejudge = self.read_settings(&project, None);
                let now = Arc::clone(&project.state().config);
                let which = |config: &Config| {
                    let profile = Arc::clone(&config.profile);
                    (config.exclude.clone(), config.catalogs.clone(), config.sources.clone(), profile)
                };
                if which(&before) != which(&now) {
                    // Which files count is another question now.
                    touched.extend(self.reload());
                    reloaded = true;
                    break;
                }
                touched.extend(project.state().own.keys());
                touched.extend(self.rejudge(&project, rejudge));
            }
            if reloaded {
                // Their projects are others now; what is told to the old ones nobody hears.
                lock(&self.changed).extend(blocks.into_iter().chain(sources).map(|(file, _)| file));
                continue;
            }
            for (file, project) in sources {
                let ignored = self.is_passed_over(file, &project);
                touched.extend(self.refresh_source(file, &project, ignored));
            }
            for (file, project) in blocks {
                touched.extend(self.refresh_block(file, &project));
            }
        }
        let projects: Vec<_> =
            self.projects.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        for project in projects {
            touched.extend(project.state().renew_budget());
        }
        let touched: BTreeSet<FileId> = touched.into_iter().map(|file| self.files.whole(file)).collect();
        let (mut open, closed): (Vec<_>, Vec<_>) =
            touched.into_iter().partition(|file| self.open.contains_key(file));
        open.extend(closed);
        open
    }

    /// Whether a project came or went, or the rules of what is ignored are others.
    fn projects_differ(&self, changed: &FxHashSet<FileId>) -> bool {
        let known = self.projects.read().unwrap_or_else(PoisonError::into_inner);
        changed.iter().any(|file| {
            let path = self.files.path(*file);
            let Some(folder) = path.parent() else { return false };
            match path.file_name() {
                Some(".gitignore") => true,
                Some(CONFIG_NAME) => {
                    let had = known.get(folder).is_some_and(|project| project.state().own.contains_key(file));
                    had != self.has_config(folder)
                }
                _ => false,
            }
        })
    }

    /// Forgets every project and reads all again. Gives every file that was or is spoken of.
    fn reload(&self) -> BTreeSet<FileId> {
        let all = || -> BTreeSet<FileId> {
            let projects = self.projects.read().unwrap_or_else(PoisonError::into_inner);
            let of = |project: &Arc<Project>| {
                let state = project.state();
                state
                    .index
                    .blocks()
                    .map(|(file, _)| file)
                    .chain(state.own.keys().copied())
                    .chain(state.sources.keys().copied())
                    .collect::<Vec<_>>()
            };
            projects.values().flat_map(of).collect()
        };
        let mut files = all();
        self.projects.write().unwrap_or_else(PoisonError::into_inner).clear();
        self.project_of.clear();
        lock(&self.walk_errors).clear();
        lock(&self.block_folders).clear();
        for file in self.open_files() {
            if let Some(open) = self.open_file(file) {
                lock(&open).told = None;
            }
            lock(&self.changed).insert(file);
        }
        self.load(&|_| {}, &AtomicBool::new(false));
        files.extend(all());
        files
    }

    /// Judges again what a change of the settings touches.
    pub(crate) fn rejudge(&self, project: &Project, rejudge: Rejudge) -> BTreeSet<FileId> {
        let mut touched = BTreeSet::new();
        if rejudge.sources {
            touched.extend(project.state().sources.keys());
        }
        if rejudge.shown {
            touched.extend(project.state().index.blocks().map(|(file, _)| file));
        }
        if rejudge.open {
            let open = self
                .open_files()
                .into_iter()
                .filter(|file| self.root_of(&self.files.path(*file)) == project.root);
            lock(&self.changed).extend(open);
        }
        let judge = project.judge();
        let judged: Vec<_> =
            rejudge.closed.par_iter().map(|file| (*file, self.judge_closed(*file, &judge))).collect();
        for (file, judged) in judged {
            touched.extend(self.put(project, file, judged));
        }
        touched
    }

    fn refresh_block(&self, file: FileId, project: &Project) -> BTreeSet<FileId> {
        let judge = project.judge();
        let budgeted = project.state().is_budgeted();
        let Some(open) = self.open_file(file) else {
            if self.is_passed_over(file, project) {
                return Self::take_out(&mut project.state(), file);
            }
            let judged = self.judge_closed(file, &judge);
            return self.put(project, file, judged);
        };
        // A second name of a file that counts says everything twice.
        if self.is_left_out(file, project) || lock(&open).is_second {
            lock(&open).told = None;
            return Self::take_out(&mut project.state(), file);
        }
        let mut open = lock(&open);
        let OpenFile { content: Content::Block(document), told, uses_differ, .. } = &mut *open else {
            return BTreeSet::new();
        };
        document.set_profile(Arc::clone(&judge.profile));
        let uses_differ = document.judge(&judge) | std::mem::take(uses_differ);
        // Where nobody has set a budget, nobody asks how long a block is.
        let tokens = if budgeted { document.tokens() } else { 0 };
        let now = (Arc::clone(document.header()), document.body().is_blank(), tokens);
        let same = told
            .as_ref()
            .is_some_and(|told| Arc::ptr_eq(&told.0, &now.0) && (told.1, told.2) == (now.1, now.2));
        if same && !uses_differ {
            return BTreeSet::from([file]);
        }
        *told = Some(now);
        let facts = document.facts();
        drop(open);
        let mut state = project.state();
        state.closed.remove(&file);
        state.unreadable.remove(&file);
        let mut touched = Arc::make_mut(&mut state.index).update(file, Some(facts));
        touched.extend(state.catalog_files());
        touched
    }
}
