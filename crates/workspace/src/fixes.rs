//! The ways out of findings, with what only the keeper of the files can say: where other files are, and what they hold.

use crate::files::{BLOCK_EXTENSION, FileKind};
use crate::workspace::Workspace;
use crate::{ProjectView, Registered, Snapshot};
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::catalog::Layer;
use promptblock_core::fix::{self, Context, Edit, Elsewhere, Register, Surroundings, Usages};
use promptblock_core::project::FirstCatalog;
use promptblock_core::refactor::{self, Change, Outcome, Refactoring};
use promptblock_core::{Code, Diagnostic, FileId, Message, Span};
use rayon::prelude::*;
use ropey::Rope;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A way out of a finding.
#[derive(Clone, Debug)]
pub struct Fix {
    /// What it does, for a menu.
    pub title: Message,
    /// Whether it may be done without asking.
    pub safe: bool,
    /// Whether it is the obvious one.
    pub preferred: bool,
    /// The changes, file by file.
    pub files: Vec<FileEdits>,
}

/// What a fix changes in one file.
#[derive(Clone, Debug)]
pub struct FileEdits {
    /// Its path.
    pub path: Utf8PathBuf,
    /// The text that the edits are of.
    pub text: Rope,
    /// The version of that text, where it is an open buffer's.
    pub version: Option<i32>,
    /// Whether the file does not exist yet; the edits make its text from nothing.
    pub creates: bool,
    /// The changes, in order and without overlap.
    pub edits: Vec<Edit>,
}

/// A refactoring that can be done at a place, or why it cannot.
#[derive(Clone, Debug)]
pub struct Refactored {
    /// Which.
    pub refactoring: Refactoring,
    /// What it does, for a menu.
    pub title: Message,
    /// Its edits, or `None` where [`Fixes::refactoring`] works them out; or the reason why there are none.
    pub outcome: Result<Option<Changed>, Message>,
}

/// The edits of a refactoring.
#[derive(Clone, Debug)]
pub struct Changed {
    /// The changes, file by file; those of the block's own file first.
    pub files: Vec<FileEdits>,
    /// The number of an edit of the first file, and the bytes of its text that only stand for what a person will write.
    pub placeholder: Option<(usize, Span)>,
}

/// A new catalog is the same for every file that lacks it, and holds what all of them use: a report on thousands of files need not
/// repeat it in each.
const MOST_WRITTEN: usize = 4 << 20;

/// Findings whose ways out lie in the text and in other files alone: what stands in a header is source code's own there.
const IN_TEXTS: [Code; 11] = [
    Code::ArgumentCount,
    Code::EscapedVariable,
    Code::InertTag,
    Code::InvalidExpression,
    Code::LiteralBraces,
    Code::MalformedReference,
    Code::NoCatalog,
    Code::StrayBrace,
    Code::UnclosedTag,
    Code::UnexpectedTag,
    Code::UnknownVariable,
];

/// A text and its version, where an open buffer holds it.
type Versioned = Option<(Rope, Option<i32>)>;

/// Works out fixes. What it has learnt of a project it keeps, so one of these is for one moment.
#[derive(Debug)]
pub struct Fixes<'w> {
    workspace: &'w Workspace,
    projects: Mutex<FxHashMap<Utf8PathBuf, Arc<Known>>>,
}

/// What fixes ask about a project again and again.
#[derive(Debug, Default)]
struct Known {
    registers: OnceLock<Vec<Register>>,
    usages: OnceLock<Usages>,
    /// The plugins of the blocks of each folder, the most frequent first; of all blocks at the root.
    plugins: OnceLock<FxHashMap<Utf8PathBuf, Vec<Arc<str>>>>,
    texts: Mutex<FxHashMap<FileId, Versioned>>,
    /// Bytes of new files in the fixes given so far.
    written: AtomicUsize,
}

impl<'w> Fixes<'w> {
    pub(crate) fn new(workspace: &'w Workspace) -> Self {
        Self { workspace, projects: Mutex::default() }
    }

    /// The ways out of a finding that was made in the text of `snapshot`, the best first.
    pub fn of(&self, snapshot: &Snapshot, finding: &Diagnostic) -> Vec<Fix> {
        let around = Around { fixes: self, snapshot, known: self.known(&snapshot.project.root) };
        if finding.code == Code::NoCatalog && around.known.written.load(Ordering::Relaxed) > MOST_WRITTEN {
            return Vec::new();
        }
        let fixes = around.in_source(finding).unwrap_or_else(|| fix::fixes(&around.context(), finding));
        fixes.into_iter().map(|fix| around.finish(fix)).collect()
    }

    /// Switches the code of a finding off in its file, where that can be done.
    pub fn allow(&self, snapshot: &Snapshot, finding: &Diagnostic) -> Option<Fix> {
        let around = Around { fixes: self, snapshot, known: self.known(&snapshot.project.root) };
        Some(around.finish(fix::allow(snapshot.document.as_ref()?, finding.code)?))
    }

    /// What can be done to a block, or to what is selected of it.
    pub fn refactorings(&self, snapshot: &Snapshot, ask: &refactor::Ask) -> Vec<Refactored> {
        let around = Around { fixes: self, snapshot, known: self.known(&snapshot.project.root) };
        let offers = refactor::refactorings(&around.context(), ask);
        let refactored = |offer: refactor::Offer| Refactored {
            refactoring: offer.refactoring,
            title: offer.title,
            outcome: match offer.outcome {
                Outcome::Change(change) => Ok(Some(around.changed(change))),
                Outcome::Later => Ok(None),
                Outcome::Refused(reason) => Err(reason),
            },
        };
        offers.into_iter().map(refactored).collect()
    }

    /// The edits of a refactoring that was offered at the same place of the same text.
    pub fn refactoring(
        &self,
        snapshot: &Snapshot,
        selection: Span,
        refactoring: Refactoring,
    ) -> Option<Changed> {
        let around = Around { fixes: self, snapshot, known: self.known(&snapshot.project.root) };
        let change = refactor::refactoring(&around.context(), selection, refactoring)?;
        Some(around.changed(change))
    }

    fn known(&self, root: &Utf8Path) -> Arc<Known> {
        let mut projects = self.projects.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(projects.entry(root.to_owned()).or_default())
    }
}

struct Around<'a> {
    fixes: &'a Fixes<'a>,
    snapshot: &'a Snapshot,
    known: Arc<Known>,
}

impl Around<'_> {
    fn context(&self) -> Context<'_> {
        let snapshot = self.snapshot;
        Context {
            file: snapshot.file,
            text: &snapshot.text,
            document: snapshot.document.as_ref(),
            judge: &snapshot.project.judge,
            index: &snapshot.project.index,
            surroundings: self,
        }
    }

    /// The ways out of a finding in a text of source code, as edits of its literals; `None` for any other.
    fn in_source(&self, finding: &Diagnostic) -> Option<Vec<fix::Fix>> {
        if !IN_TEXTS.contains(&finding.code) {
            return None;
        }
        self.snapshot.registered.iter().find_map(|registered| {
            let Registered { part, file, judge, index } = registered;
            let in_text = part.in_text(judge, finding)?;
            let document = part.document.as_ref()?;
            let (text, document) = (document.text(), Some(document));
            let context = Context { file: *file, text, document, judge, index, surroundings: self };
            let fixes = fix::fixes(&context, &in_text).into_iter();
            Some(
                fixes
                    .filter_map(|fix| Some(fix::Fix { edits: part.edits_in_source(&fix.edits)?, ..fix }))
                    .collect(),
            )
        })
    }

    fn versioned(&self, file: FileId) -> Versioned {
        let mut texts = self.known.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.entry(file).or_insert_with(|| self.fixes.workspace.versioned_text(file)).clone()
    }

    fn finish(&self, fix: fix::Fix) -> Fix {
        let files = self.files(fix.edits, fix.elsewhere);
        Fix { title: fix.title, safe: fix.safe, preferred: fix.preferred, files }
    }

    fn changed(&self, change: Change) -> Changed {
        Changed { files: self.files(change.edits, change.elsewhere), placeholder: change.placeholder }
    }

    /// The edits of the file itself first, then those of others.
    fn files(&self, edits: Vec<Edit>, elsewhere: Vec<Elsewhere>) -> Vec<FileEdits> {
        let snapshot = self.snapshot;
        let mut files = Vec::with_capacity(1 + elsewhere.len());
        if !edits.is_empty() {
            files.push(FileEdits {
                path: snapshot.path.clone(),
                text: snapshot.text.clone(),
                version: snapshot.version,
                creates: false,
                edits,
            });
        }
        for other in elsewhere {
            let (text, version) = self.versioned(other.file).unwrap_or_default();
            let path = self.fixes.workspace.path(other.file);
            if other.creates {
                let bytes = other.edits.iter().map(|edit| edit.text.len()).sum();
                self.known.written.fetch_add(bytes, Ordering::Relaxed);
            }
            files.push(FileEdits { path, text, version, creates: other.creates, edits: other.edits });
        }
        files
    }

    fn project(&self) -> &ProjectView {
        &self.snapshot.project
    }

    fn find_registers(&self) -> Vec<Register> {
        let (workspace, project) = (self.fixes.workspace, self.project());
        let shown = |path: &Utf8Path| {
            path.strip_prefix(&project.root)
                .unwrap_or(path)
                .components()
                .map(|part| part.as_str())
                .collect::<Vec<_>>()
                .join("/")
        };
        let files = project.catalog_paths.iter().filter(|(layer, _)| *layer == Layer::Project);
        let files: Vec<&Utf8PathBuf> = files.map(|(_, path)| path).collect();
        if files.is_empty() {
            let Some(path) = workspace.new_catalog(project) else { return Vec::new() };
            return vec![Register::new(workspace.file(&path), shown(&path))];
        }
        let register = |path: &&Utf8PathBuf| {
            let file = workspace.file(path);
            let (text, _) = self.versioned(file)?;
            Register::into(file, shown(path), &text.to_string())
        };
        files.iter().filter_map(register).collect()
    }

    /// What every block of the project uses. They are read again: nobody keeps the tags of a closed file.
    fn find_usages(&self) -> Usages {
        let project = self.project();
        let catalog = &project.judge.catalog;
        let is_known = |name: &str| catalog.get(name).is_some();
        let uses_some =
            project.index.blocks().filter(|(_, facts)| facts.uses.iter().any(|name| !is_known(name)));
        let files: Vec<FileId> = uses_some.map(|(file, _)| file).collect();
        let of = |file: FileId| {
            let snapshot = self.fixes.workspace.snapshot(&self.fixes.workspace.path(file))?;
            Some(Usages::of(snapshot.document.as_ref()?, &is_known))
        };
        let each: Vec<Usages> = files.into_par_iter().filter_map(of).collect();
        let mut all = Usages::default();
        // The block that is asked about need not be in the index yet.
        all.extend(self.snapshot.document.as_ref().map(|it| Usages::of(it, &is_known)).unwrap_or_default());
        each.into_iter().for_each(|usages| all.extend(usages));
        all
    }

    fn find_plugins(&self) -> FxHashMap<Utf8PathBuf, Vec<Arc<str>>> {
        let project = self.project();
        let mut counts: FxHashMap<Utf8PathBuf, FxHashMap<Arc<str>, usize>> = FxHashMap::default();
        for (file, facts) in project.index.blocks() {
            let Some(plugin) = facts.header.plugin() else { continue };
            let path = self.fixes.workspace.path(file);
            let folder = path.parent().unwrap_or(&project.root);
            for folder in [folder, project.root.as_path()] {
                *counts.entry(folder.to_owned()).or_default().entry(plugin.into()).or_default() += 1;
            }
        }
        let by_frequency = |counts: FxHashMap<Arc<str>, usize>| {
            let mut all: Vec<_> = counts.into_iter().collect();
            all.sort_by(|(a, most), (b, other)| other.cmp(most).then_with(|| a.cmp(b)));
            all.into_iter().map(|(plugin, _)| plugin).collect()
        };
        counts.into_iter().map(|(folder, counts)| (folder, by_frequency(counts))).collect()
    }
}

impl Surroundings for Around<'_> {
    fn stem(&self) -> Option<String> {
        let path = &self.snapshot.path;
        (path.extension() == Some(BLOCK_EXTENSION)).then(|| path.file_stem().map(str::to_owned)).flatten()
    }

    fn beside(&self, stem: &str) -> Option<FileId> {
        let path = self.snapshot.path.parent()?.join(format!("{stem}.{BLOCK_EXTENSION}"));
        let workspace = self.fixes.workspace;
        let file = workspace.file(&path);
        // An open buffer may have the name of no file yet.
        let free = path.is_absolute() && !path.exists() && workspace.versioned_text(file).is_none();
        free.then_some(file)
    }

    fn plugins(&self) -> Vec<Arc<str>> {
        let plugins = self.known.plugins.get_or_init(|| self.find_plugins());
        let folder = self.snapshot.path.parent().unwrap_or(&self.snapshot.path);
        let near = plugins.get(folder).or_else(|| plugins.get(&self.project().root));
        near.cloned().unwrap_or_default()
    }

    fn registers(&self) -> Vec<Register> {
        self.known.registers.get_or_init(|| self.find_registers()).clone()
    }

    fn text(&self, file: FileId) -> Option<Rope> {
        Some(self.versioned(file)?.0)
    }

    fn usages(&self) -> Usages {
        self.known.usages.get_or_init(|| self.find_usages()).clone()
    }
}

impl Workspace {
    /// Works out fixes, as of now.
    pub fn fixes(&self) -> Fixes<'_> {
        Fixes::new(self)
    }

    /// The file that a project's first catalog is to be.
    fn new_catalog(&self, project: &ProjectView) -> Option<Utf8PathBuf> {
        let FirstCatalog::At(path) = project.config.first_catalog() else { return None };
        let path = Self::absolute(Utf8Path::new(&path), &project.root);
        // What nothing would find is no place to write to, and a name may be taken.
        (self.kind(&path) == FileKind::Catalog && !path.exists()).then_some(path)
    }
}
