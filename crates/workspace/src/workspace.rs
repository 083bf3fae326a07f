//! The workspace: which file belongs to which project, what is open, and what has to be judged again.
//!
//! Locks are held one at a time: the map of open files, one open file, or the state of one project. Nothing is read from the
//! disk while an open file is locked.

use crate::discover::{is_ignored, project_above, walk};
use crate::files::{CONFIG_NAME, ENVIRONMENTS_NAME, FileKind, Files, LOCAL_CATALOG_NAME, absolute};
use crate::open::{Content, OpenFile, OpenText};
use crate::project::{Closed, Project, Rejudge, State, new_revision};
use crate::read::{ReadError, read};
use crate::{FileFindings, Options, Progress, ProjectView, Snapshot, Stamps};
use camino::{Utf8Path, Utf8PathBuf};
use dashmap::DashMap;
use promptblock_core::block::Header;
use promptblock_core::lint::finish;
use promptblock_core::project::BlockFacts;
use promptblock_core::{Diagnostic, FileId};
use rayon::prelude::*;
use ropey::Rope;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// Every project of an editor's folders, or of a command's arguments.
#[derive(Debug, Default)]
pub struct Workspace {
    options: Options,
    pub(crate) files: Arc<Files>,
    folders: RwLock<BTreeSet<Utf8PathBuf>>,
    projects: RwLock<FxHashMap<Utf8PathBuf, Arc<Project>>>,
    /// The project of each path that was asked for; forgotten when a configuration or folder comes or goes.
    project_of: DashMap<FileId, Arc<Project>>,
    open: DashMap<FileId, Arc<Mutex<OpenFile>>>,
    /// Files that changed since the last refresh.
    changed: Mutex<FxHashSet<FileId>>,
    /// Files that count though they are ignored or excluded.
    named: Mutex<FxHashSet<FileId>>,
    /// Folders that are called like a block file.
    block_folders: Mutex<BTreeSet<Utf8PathBuf>>,
    /// Paths that the walk could not read.
    walk_errors: Mutex<Vec<(Utf8PathBuf, ReadError)>>,
    judged: AtomicUsize,
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Workspace {
    /// A workspace without folders.
    pub fn new(options: Options) -> Self {
        Self { options, ..Self::default() }
    }

    /// The number of a path.
    pub fn file(&self, path: &Utf8Path) -> FileId {
        self.files.id(path)
    }

    /// The path of a number.
    pub fn path(&self, file: FileId) -> Utf8PathBuf {
        self.files.path(file)
    }

    /// Adds a folder. Its files are found by [`Workspace::load`].
    pub fn add_folder(&self, folder: &Utf8Path) {
        self.folders.write().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned());
        self.project_of.clear();
    }

    /// Removes a folder with the projects below it. Gives the files that are no longer spoken of.
    pub fn remove_folder(&self, folder: &Utf8Path) -> Vec<FileId> {
        self.folders.write().unwrap_or_else(PoisonError::into_inner).remove(folder);
        let folders: Vec<_> =
            self.folders.read().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        let mut projects = self.projects.write().unwrap_or_else(PoisonError::into_inner);
        let mut gone = Vec::new();
        projects.retain(|root, project| {
            let kept = !root.starts_with(folder) || folders.iter().any(|other| root.starts_with(other));
            if !kept {
                let state = project.state();
                gone.extend(state.index.blocks().map(|(file, _)| file).chain(state.own.keys().copied()));
            }
            kept
        });
        drop(projects);
        self.project_of.clear();
        lock(&self.changed).extend(self.open_files());
        gone
    }

    /// The user's own catalog, whether it is there or not.
    pub fn user_catalog(&self) -> Option<Utf8PathBuf> {
        Some(self.options.user_folder.as_ref()?.join("catalog.json"))
    }

    /// The text of a path: the open buffer's, else the disk's.
    fn source(&self, path: &Utf8Path) -> Result<String, ReadError> {
        match self.open_file(self.files.id(path)) {
            Some(open) => Ok(lock(&open).text().to_string()),
            None => read(path),
        }
    }

    pub(crate) fn open_file(&self, file: FileId) -> Option<Arc<Mutex<OpenFile>>> {
        self.open.get(&file).map(|entry| Arc::clone(&entry))
    }

    /// The root of the project that a path belongs to: the nearest folder above it with a `promptblock.toml`, else the
    /// workspace folder, else its own folder.
    fn root_of(&self, path: &Utf8Path) -> Utf8PathBuf {
        let folder = path.parent().unwrap_or(path);
        if let Some(root) = folder.ancestors().find(|above| self.has_config(above)) {
            return root.to_owned();
        }
        let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        let around = folders.iter().filter(|root| path.starts_with(root));
        around.max_by_key(|root| root.as_str().len()).map_or_else(|| folder.to_owned(), Clone::clone)
    }

    fn has_config(&self, folder: &Utf8Path) -> bool {
        let config = folder.join(CONFIG_NAME);
        self.open.contains_key(&self.files.id(&config)) || config.is_file()
    }

    pub(crate) fn project(&self, path: &Utf8Path) -> Arc<Project> {
        let file = self.files.id(path);
        if let Some(project) = self.project_of.get(&file) {
            return Arc::clone(&project);
        }
        let project = self.project_at(self.root_of(path));
        self.project_of.insert(file, Arc::clone(&project));
        project
    }

    pub(crate) fn project_at(&self, root: Utf8PathBuf) -> Arc<Project> {
        if let Some(project) = self.projects.read().unwrap_or_else(PoisonError::into_inner).get(&root) {
            return Arc::clone(project);
        }
        let project = Arc::new(Project::new(root.clone()));
        self.read_settings(&project, None);
        let mut projects = self.projects.write().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(projects.entry(root).or_insert(project))
    }

    fn read_settings(&self, project: &Project, walked: Option<&[Utf8PathBuf]>) -> Rejudge {
        let environment = self.options.environment.as_deref();
        let user = self.user_catalog();
        project.read_settings(&self.files, &|path| self.source(path), environment, user.as_deref(), walked)
    }

    /// Finds the projects of the folders, reads and judges their files. Open buffers win over the disk. May be called again.
    pub fn load(&self, progress: &(dyn Fn(Progress) + Sync), cancel: &AtomicBool) {
        let folders: Vec<_> =
            self.folders.read().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        let mut walked: BTreeSet<Utf8PathBuf> = BTreeSet::new();
        for folder in folders {
            // A folder inside a project is judged with the whole project.
            let base = project_above(&folder).unwrap_or(folder);
            if walked.iter().any(|other| base.starts_with(other)) {
                continue;
            }
            self.load_below(&base, progress, cancel);
            walked.insert(base);
        }
    }

    fn load_below(&self, base: &Utf8Path, progress: &(dyn Fn(Progress) + Sync), cancel: &AtomicBool) {
        let found = walk(base);
        lock(&self.block_folders).extend(found.block_folders);
        let errors = found.errors.into_iter().map(|(path, what)| (path, ReadError::Io(what)));
        lock(&self.walk_errors).extend(errors);
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
            let blocks: Vec<&Utf8PathBuf> = files
                .iter()
                .filter(|path| {
                    path.extension() == Some(crate::files::BLOCK_EXTENSION) && !project.is_excluded(path)
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
    fn judge_closed(&self, file: FileId, judge: &promptblock_core::lint::Judge) -> Option<Judged> {
        if self.open.contains_key(&file) {
            return None;
        }
        self.judged.fetch_add(1, Ordering::Relaxed);
        Some(read(&self.files.path(file)).map(|text| Closed::judge(&text, judge)))
    }

    /// Takes over what a file of the disk says. Gives the files that feel it.
    fn put(&self, project: &Project, file: FileId, judged: Option<Judged>) -> BTreeSet<FileId> {
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
            Err(ReadError::Missing) => return Self::take_out(&mut state, file),
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
    fn take_out(state: &mut State, file: FileId) -> BTreeSet<FileId> {
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
        let judged = self.judge_closed(file, &project.judge());
        self.put(&project, file, judged);
    }

    /// Opens a buffer; it wins over the disk from here on.
    pub fn open(&self, path: &Utf8Path, version: i32, text: &str) -> FileId {
        let file = self.files.id(path);
        if path.file_name() == Some(CONFIG_NAME) {
            self.project_of.clear();
        }
        let project = self.project(path);
        let kind = project.kind(path, self.user_catalog().as_deref());
        let profile = Arc::clone(&project.judge().profile);
        let open = OpenFile::new(kind, version, text, profile);
        self.open.insert(file, Arc::new(Mutex::new(open)));
        lock(&self.changed).insert(file);
        file
    }

    /// Edits an open buffer. `false` where the path is not open.
    pub fn change(&self, path: &Utf8Path, version: i32, edit: impl FnOnce(&mut OpenText<'_>)) -> bool {
        let file = self.files.id(path);
        let Some(open) = self.open_file(file) else { return false };
        let mut open = lock(&open);
        open.version = version;
        open.revision = new_revision();
        edit(&mut OpenText { content: &mut open.content });
        drop(open);
        lock(&self.changed).insert(file);
        true
    }

    /// Closes a buffer; the disk counts again.
    pub fn close(&self, path: &Utf8Path) {
        let file = self.files.id(path);
        if self.open.remove(&file).is_some() {
            lock(&self.changed).insert(file);
        }
    }

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
    fn known_files(&self) -> BTreeMap<Utf8PathBuf, FileId> {
        let projects = self.projects.read().unwrap_or_else(PoisonError::into_inner);
        let of = |project: &Arc<Project>| {
            let state = project.state();
            state.index.blocks().map(|(file, _)| file).chain(state.own.keys().copied()).collect::<Vec<_>>()
        };
        projects.values().flat_map(of).map(|file| (self.files.path(file), file)).collect()
    }

    /// What the files that may count look like from outside: everything in the folders, and what counts though it is ignored.
    pub fn stamps(&self) -> Stamps {
        let mut stamps = Stamps::default();
        let folders: Vec<_> =
            self.folders.read().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect();
        let mut walked: BTreeSet<Utf8PathBuf> = BTreeSet::new();
        for folder in folders {
            let base = project_above(&folder).unwrap_or(folder);
            if walked.iter().any(|other| base.starts_with(other)) {
                continue;
            }
            walk(&base).files.iter().for_each(|path| stamps.note(path));
            walked.insert(base);
        }
        self.user_catalog().iter().for_each(|path| stamps.note(path));
        for view in self.projects() {
            let settings = [CONFIG_NAME, ENVIRONMENTS_NAME, LOCAL_CATALOG_NAME].map(Utf8Path::new);
            let catalogs = view.config.catalogs.iter().map(|glob| Utf8Path::new(&**glob));
            for name in settings.into_iter().chain(catalogs) {
                stamps.note(&absolute(name, &view.root));
            }
            // A file outside of every folder was opened, and those beside it count.
            let outside = |path: &Utf8PathBuf| !walked.iter().any(|base| path.starts_with(base));
            let blocks = view.index.blocks().map(|(file, _)| self.files.path(file));
            blocks.filter(outside).for_each(|path| stamps.note(&path));
        }
        stamps
    }

    /// The open buffers.
    pub fn open_files(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> = self.open.iter().map(|entry| *entry.key()).collect();
        files.sort_unstable();
        files
    }

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
            let mut projects: FxHashMap<Utf8PathBuf, Arc<Project>> = FxHashMap::default();
            for file in changed {
                let path = self.files.path(file);
                let project = self.project(&path);
                touched.insert(file);
                match project.kind(&path, user.as_deref()) {
                    FileKind::Block => blocks.push((file, project)),
                    FileKind::Other => {}
                    FileKind::Catalog if Some(&*path) == user.as_deref() => {
                        let all = self.projects.read().unwrap_or_else(PoisonError::into_inner);
                        projects
                            .extend(all.iter().map(|(root, project)| (root.clone(), Arc::clone(project))));
                    }
                    FileKind::Config | FileKind::Catalog | FileKind::Environments => {
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
                if (&before.exclude, &before.catalogs) != (&now.exclude, &now.catalogs) {
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
                lock(&self.changed).extend(blocks.into_iter().map(|(file, _)| file));
                continue;
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
    fn rejudge(&self, project: &Project, rejudge: Rejudge) -> BTreeSet<FileId> {
        let mut touched = BTreeSet::new();
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

    /// Whether `promptblock.toml` leaves a file out, and nobody named it.
    fn is_left_out(&self, file: FileId, project: &Project) -> bool {
        project.is_excluded(&self.files.path(file)) && !lock(&self.named).contains(&file)
    }

    fn refresh_block(&self, file: FileId, project: &Project) -> BTreeSet<FileId> {
        let judge = project.judge();
        let budgeted = project.state().is_budgeted();
        let Some(open) = self.open_file(file) else {
            let path = self.files.path(file);
            let named = lock(&self.named).contains(&file);
            if !named && (project.is_excluded(&path) || is_ignored(&project.root, &path)) {
                return Self::take_out(&mut project.state(), file);
            }
            let judged = self.judge_closed(file, &judge);
            return self.put(project, file, judged);
        };
        if self.is_left_out(file, project) {
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

    /// The findings of a file; `None` where there is no such file any more.
    pub fn findings(&self, file: FileId) -> Option<FileFindings> {
        let path = self.files.path(file);
        let project = self.project(&path);
        let judge = project.judge();
        if let Some(open) = self.open_file(file) {
            let mut open = lock(&open);
            let version = Some(open.version);
            let text = open.text().clone();
            let OpenFile { content, uses_differ, .. } = &mut *open;
            let own = match content {
                Content::Block(document) => {
                    document.set_profile(Arc::clone(&judge.profile));
                    *uses_differ |= document.judge(&judge);
                    Some((document.findings(&judge), Arc::clone(document.header())))
                }
                Content::Text(_) => None,
            };
            drop(open);
            if own.is_some() && self.is_left_out(file, &project) {
                return Some(shown(file, path, version, text, &Header::default(), Vec::new()));
            }
            let state = project.state();
            let (mut findings, header) = match own {
                Some(own) => own,
                None => (state.own_findings(file).unwrap_or_default(), Arc::default()),
            };
            findings.extend(state.findings(file));
            drop(state);
            return Some(shown(file, path, version, text, &header, finish(&judge, &header, findings)));
        }
        let state = project.state();
        let (mut findings, header) = match (state.closed.get(&file), state.index.block(file)) {
            (Some(closed), Some(facts)) => (closed.findings.to_vec(), Arc::clone(&facts.header)),
            _ => (state.own_findings(file)?, Arc::default()),
        };
        findings.extend(state.findings(file));
        drop(state);
        let findings = finish(&judge, &header, findings);
        let text = if findings.is_empty() { Rope::new() } else { Rope::from_str(&read(&path).ok()?) };
        Some(shown(file, path, None, text, &header, findings))
    }

    /// Every file that counts with its findings, by path (bytes).
    pub fn all_findings(&self) -> Vec<FileFindings> {
        let mut files: BTreeSet<FileId> = BTreeSet::new();
        for project in self.projects.read().unwrap_or_else(PoisonError::into_inner).values() {
            let state = project.state();
            files.extend(state.index.blocks().map(|(file, _)| file).chain(state.own.keys().copied()));
        }
        let mut all: Vec<FileFindings> = files
            .into_iter()
            .collect::<Vec<_>>()
            .into_par_iter()
            .filter_map(|file| self.findings(file))
            .collect();
        all.sort_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
        all
    }

    /// Files that cannot be judged, by path.
    pub fn unreadable(&self) -> Vec<(Utf8PathBuf, ReadError)> {
        let mut all: Vec<_> = lock(&self.walk_errors).clone();
        for project in self.projects.read().unwrap_or_else(PoisonError::into_inner).values() {
            let state = project.state();
            all.extend(state.unreadable.iter().map(|(file, error)| (self.files.path(*file), error.clone())));
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.dedup();
        all
    }

    /// Folders that are called like a block file.
    pub fn block_folders(&self) -> Vec<Utf8PathBuf> {
        lock(&self.block_folders).iter().cloned().collect()
    }

    /// Everything a feature of an editor needs of a file; `None` where there is none.
    pub fn snapshot(&self, path: &Utf8Path) -> Option<Snapshot> {
        let file = self.files.id(path);
        let project = self.project(path);
        let kind = project.kind(path, self.user_catalog().as_deref());
        let view = project.view();
        let (version, text, document) = match self.open_file(file) {
            Some(open) => {
                let mut open = lock(&open);
                let version = Some(open.version);
                let OpenFile { content, uses_differ, .. } = &mut *open;
                match content {
                    Content::Block(document) => {
                        document.set_profile(Arc::clone(&view.judge.profile));
                        *uses_differ |= document.judge(&view.judge);
                        (version, document.text().clone(), Some((**document).clone()))
                    }
                    Content::Text(text) => (version, text.clone(), None),
                }
            }
            None => {
                let text = read(path).ok()?;
                let document = (kind == FileKind::Block).then(|| {
                    let profile = Arc::clone(&view.judge.profile);
                    let mut document = promptblock_core::syntax::Document::new(&text, profile);
                    document.judge(&view.judge);
                    document
                });
                (None, Rope::from_str(&text), document)
            }
        };
        Some(Snapshot { file, path: path.to_owned(), kind, version, text, document, project: view })
    }

    /// The text of a file with its version, where an open buffer holds it.
    pub(crate) fn versioned_text(&self, file: FileId) -> Option<(Rope, Option<i32>)> {
        match self.open_file(file) {
            Some(open) => {
                let open = lock(&open);
                Some((open.text().clone(), Some(open.version)))
            }
            None => Some((Rope::from_str(&read(&self.files.path(file)).ok()?), None)),
        }
    }

    /// A copy of the project of `path`, to try in it what nobody is to see. Files keep their numbers.
    #[must_use]
    pub fn fork(&self, path: &Utf8Path) -> Self {
        let project = self.project(path);
        let user = self.user_catalog();
        let counts = |file: &FileId| {
            let path = self.files.path(*file);
            path.starts_with(&project.root) || Some(&path) == user.as_ref()
        };
        // Before the files: what changes from here on is none of the copy's business.
        let changed = lock(&self.changed).iter().copied().filter(&counts).collect();
        let copy = Arc::new(project.copy());
        let open = self.open_files().into_iter().filter(counts).filter_map(|file| {
            let open = self.open_file(file)?;
            let copy = lock(&open).clone();
            Some((file, Arc::new(Mutex::new(copy))))
        });
        Self {
            options: self.options.clone(),
            files: Arc::clone(&self.files),
            folders: RwLock::new(self.folders.read().unwrap_or_else(PoisonError::into_inner).clone()),
            projects: RwLock::new(FxHashMap::from_iter([(project.root.clone(), copy)])),
            open: open.collect(),
            changed: Mutex::new(changed),
            named: Mutex::new(lock(&self.named).clone()),
            ..Self::default()
        }
    }

    /// What a path is to its project.
    pub fn kind(&self, path: &Utf8Path) -> FileKind {
        self.project(path).kind(path, self.user_catalog().as_deref())
    }

    /// The project that a path belongs to.
    pub fn project_view(&self, path: &Utf8Path) -> ProjectView {
        self.project(path).view()
    }

    /// The text of a file: the open buffer's, else the disk's; empty where there is none.
    pub fn text(&self, file: FileId) -> Rope {
        match self.open_file(file) {
            Some(open) => lock(&open).text().clone(),
            None => read(&self.files.path(file)).map(|text| Rope::from_str(&text)).unwrap_or_default(),
        }
    }

    /// Every project, by root.
    pub fn projects(&self) -> Vec<ProjectView> {
        let projects = self.projects.read().unwrap_or_else(PoisonError::into_inner);
        let mut views: Vec<ProjectView> = projects.values().map(|project| project.view()).collect();
        views.sort_by(|a, b| a.root.cmp(&b.root));
        views
    }

    /// What an editor should watch: patterns of every file that may count.
    pub fn watch_globs(&self) -> Vec<String> {
        let mut globs: BTreeSet<String> =
            ["**/*.promptblock", "**/promptblock*.json", "**/promptblock.toml", "**/.gitignore"]
                .map(str::to_owned)
                .into();
        for view in self.projects() {
            globs.extend(
                view.config.catalogs.iter().map(|glob| format!("**/{}", glob.trim_start_matches("./"))),
            );
        }
        globs.into_iter().collect()
    }

    /// How many times a block that is not open was read and judged: what a change costs.
    pub fn judged(&self) -> usize {
        self.judged.load(Ordering::Relaxed)
    }

    /// The path that a caller means, from the root, without `.` and `..`.
    pub fn absolute(path: &Utf8Path, from: &Utf8Path) -> Utf8PathBuf {
        absolute(path, from)
    }
}

type Judged = Result<(Closed, BlockFacts), ReadError>;

fn shown(
    file: FileId,
    path: Utf8PathBuf,
    version: Option<i32>,
    text: Rope,
    header: &Header,
    diagnostics: Vec<Diagnostic>,
) -> FileFindings {
    let (block, plugin) = (header.id().cloned(), header.plugin().map(Arc::from));
    FileFindings { file, path, version, text, diagnostics, block, plugin }
}
