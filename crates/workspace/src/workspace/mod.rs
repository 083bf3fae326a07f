//! The workspace: which file belongs to which project, what is open, and what has to be judged again.
//!
//! Locks are held one at a time: the map of open files, one open file, or the state of one project. Nothing is read from the
//! disk while an open file is locked.

mod buffers;
mod counts;
mod findings;
mod left_out;
mod load;
mod named;
mod outside;
mod refresh;

pub use left_out::{LeftOut, PassedOver};

use crate::files::{CONFIG_NAME, FileKind, Files, absolute};
use crate::open::{Content, OpenFile};
use crate::project::{Around, Project, Rejudge};
use crate::read::{ReadError, read};
use crate::{Options, ProjectView, Snapshot};
use camino::{Utf8Path, Utf8PathBuf};
use dashmap::DashMap;
use promptblock_core::FileId;
use ropey::Rope;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
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
    /// Source files that the log says are not read.
    pub(crate) refused: Mutex<FxHashSet<FileId>>,
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
                gone.extend(state.sources.keys());
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
        let user = self.user_catalog();
        let around = Around {
            environment: self.options.environment.as_deref(),
            user_catalog: user.as_deref(),
            home: self.options.home.as_deref(),
        };
        project.read_settings(&self.files, &|path| self.source(path), around, walked)
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
                    Content::Source(text, _) | Content::Text(text) => (version, text.clone(), None),
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
        let registered = match kind {
            FileKind::Source => self.registered(file, version, &project),
            _ => Vec::new(),
        };
        let path = path.to_owned();
        Some(Snapshot { file, path, kind, version, text, document, registered, project: view })
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
        let copies: FxHashMap<_, _> = {
            let projects = self.projects.read().unwrap_or_else(PoisonError::into_inner);
            // Those around it may leave out what is in it.
            let around = project.root.ancestors().skip(1).filter_map(|above| projects.get(above));
            let all: Vec<_> = around.chain([&project]).cloned().collect();
            drop(projects);
            all.iter().map(|project| (project.root.clone(), Arc::new(project.copy()))).collect()
        };
        let open = self.open_files().into_iter().filter(counts).filter_map(|file| {
            let open = self.open_file(file)?;
            let copy = lock(&open).clone();
            Some((file, Arc::new(Mutex::new(copy))))
        });
        Self {
            options: self.options.clone(),
            files: Arc::clone(&self.files),
            folders: RwLock::new(self.folders.read().unwrap_or_else(PoisonError::into_inner).clone()),
            projects: RwLock::new(copies),
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

    /// Whether a path lies in a project: below a `promptblock.toml` or in a folder of the editor's. A block on disk makes its own
    /// folder one; any other file does not, and what is on no disk neither.
    pub fn is_in_project(&self, path: &Utf8Path) -> bool {
        let root = &self.project(path).root;
        let is_folder = self.folders.read().unwrap_or_else(PoisonError::into_inner).contains(root);
        let is_block = || path.is_absolute() && self.kind(path) == FileKind::Block;
        is_folder || self.has_config(root) || is_block()
    }

    /// The project that a path belongs to.
    pub fn project_view(&self, path: &Utf8Path) -> ProjectView {
        self.project(path).view()
    }

    /// Every project, by root, but those that one around them leaves out.
    pub fn projects(&self) -> Vec<ProjectView> {
        let mut projects: Vec<Arc<Project>> =
            self.projects.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        projects.retain(|project| !self.is_excluded_around(&project.root.join(CONFIG_NAME), &project.root));
        let mut views: Vec<ProjectView> = projects.iter().map(|project| project.view()).collect();
        views.sort_by(|a, b| a.root.cmp(&b.root));
        views
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
