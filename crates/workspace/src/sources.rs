//! Source files: what they register, judged by the rules of the framework that they call.

use crate::files::FileKind;
use crate::open::Content;
use crate::project::{Project, Rejudge, State, new_revision};
use crate::read::{ReadError, read};
use crate::workspace::lock;
use crate::{EnvironmentField, FileFindings, Workspace};
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::block::Header;
use promptblock_core::catalog::{Catalog, CatalogFile};
use promptblock_core::lint::{Judge, finish};
use promptblock_core::profile::Bands;
use promptblock_core::project::Index;
use promptblock_core::source::{
    Cooked, Dialect, Framework, Kept, Part, SourceFile, Unread, catalog_of, parts,
};
use promptblock_core::{Diagnostic, FileId, Locale};
use rayon::prelude::*;
use ropey::Rope;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Folders whose sources are no part of the program, unless `sources` names them.
const NO_SOURCES: [&str; 4] = ["test", "tests", "dist", "build"];

/// Whether a path below a project's root is a source file where `sources` does not say.
pub(crate) fn is_source(inside: &Utf8Path) -> bool {
    let Some(name) = inside.file_name() else { return false };
    let Some(stem) = inside.file_stem() else { return false };
    let marks = [".d", ".test", ".spec"];
    dialect(inside).is_some()
        && !marks.iter().any(|mark| stem.ends_with(mark))
        && !name.contains(".test.")
        && !name.contains(".spec.")
        && !inside
            .parent()
            .is_some_and(|folder| folder.components().any(|folder| NO_SOURCES.contains(&folder.as_str())))
}

pub(crate) fn dialect(path: &Utf8Path) -> Option<Dialect> {
    Dialect::of_extension(path.extension()?)
}

/// A source file that registers something.
#[derive(Clone, Debug)]
pub struct Sourced {
    /// The registrations.
    pub file: Arc<SourceFile>,
    /// The blocks among them.
    pub parts: Vec<Part>,
    /// Numbers of the blocks, by which the project knows them.
    pub ids: Vec<FileId>,
    /// The variables, by framework.
    catalogs: Vec<(Framework, Arc<CatalogFile>)>,
    /// Another one for every text.
    pub(crate) revision: u64,
}

/// A block that source code registers, with what it is judged by.
#[derive(Clone, Debug)]
pub struct Registered {
    /// The block; judged.
    pub part: Part,
    /// Its number.
    pub file: FileId,
    /// Catalog, bands, profile, environment of its framework.
    pub judge: Arc<Judge>,
    /// The blocks of its framework.
    pub index: Arc<Index>,
}

/// A source file as it is now; `None` where it registers nothing.
pub(crate) type Read = (FileId, Option<Arc<Sourced>>);

/// What is judged by the rules of a framework that is not the project's.
#[derive(Clone, Debug)]
pub(crate) struct Foreign {
    pub(crate) framework: Framework,
    pub(crate) judge: Arc<Judge>,
    pub(crate) index: Arc<Index>,
}

impl State {
    /// Whether the project's own blocks are of this framework.
    pub(crate) fn is_own(&self, framework: Framework) -> bool {
        self.config.profile.name == framework.profile_name()
    }

    pub(crate) fn judge_of(&self, framework: Framework) -> Arc<Judge> {
        let foreign = self.foreign.iter().find(|foreign| foreign.framework == framework);
        Arc::clone(foreign.filter(|_| !self.is_own(framework)).map_or(&self.judge, |foreign| &foreign.judge))
    }

    pub(crate) fn index_of(&self, framework: Framework) -> &Arc<Index> {
        let foreign = self.foreign.iter().find(|foreign| foreign.framework == framework);
        foreign.filter(|_| !self.is_own(framework)).map_or(&self.index, |foreign| &foreign.index)
    }

    fn index_mut(&mut self, framework: Framework) -> &mut Index {
        let own = self.is_own(framework);
        let foreign = self.foreign.iter_mut().find(|foreign| foreign.framework == framework);
        Arc::make_mut(foreign.filter(|_| !own).map_or(&mut self.index, |foreign| &mut foreign.index))
    }

    /// Every index, the project's own first.
    pub(crate) fn indexes(&self) -> impl Iterator<Item = &Index> {
        std::iter::once(&*self.index).chain(self.foreign.iter().map(|foreign| &*foreign.index))
    }

    /// Whether a live tag of any block, of whichever framework, uses `name`.
    pub(crate) fn is_used(&self, name: &str) -> bool {
        self.indexes().any(|index| index.is_used(name))
    }

    /// What source code adds to the catalog of a framework.
    pub(crate) fn merge_catalog(&self, framework: Option<Framework>) -> Catalog {
        let sources = self.sources.values().flat_map(|sourced| &sourced.catalogs);
        let sources = sources.filter(|(of, _)| Some(*of) == framework).map(|(_, catalog)| &**catalog);
        let files = self.catalogs().map(|file| &**file);
        let incomplete = framework.and_then(|framework| {
            self.sources.iter().find_map(|(file, sourced)| Some((*file, sourced.file.incomplete(framework)?)))
        });
        Catalog::merge(files.chain(sources)).incomplete_at(incomplete)
    }

    /// Makes new judges for frameworks that are not the project's, where anything they judge by has changed. Says whether it has.
    pub(crate) fn renew_foreign(&mut self) -> bool {
        let mut changed = false;
        for framework in Framework::ALL {
            let present = self.sources.values().any(|sourced| {
                sourced.file.registrations.iter().any(|registration| registration.framework == framework)
            });
            if !present || self.is_own(framework) {
                continue;
            }
            let catalog = self.merge_catalog(Some(framework));
            let at = self.foreign.iter().position(|foreign| foreign.framework == framework);
            let old = at.and_then(|at| self.foreign.get(at));
            let same = old.filter(|old| {
                let judge = &old.judge;
                catalog.changed_names(&judge.catalog).is_empty()
                    && catalog.is_known() == judge.catalog.is_known()
                    && catalog.incomplete().is_some() == judge.catalog.incomplete().is_some()
                    && judge.first_catalog == self.judge.first_catalog
                    && judge.environment == self.judge.environment
                    && judge.no_environment == self.judge.no_environment
                    && judge.severity == self.judge.severity
            });
            changed |= same.is_none();
            let revision = same.map_or_else(new_revision, |old| old.judge.revision);
            let profile = framework.profile();
            let judge = Arc::new(Judge {
                revision,
                bands: Bands(profile.bands.clone()),
                profile,
                catalog: Arc::new(catalog),
                first_catalog: self.judge.first_catalog.clone(),
                environment: self.judge.environment.clone(),
                no_environment: self.judge.no_environment.clone(),
                severity: self.judge.severity.clone(),
                counts: self.judge.counts,
            });
            match at.and_then(|at| self.foreign.get_mut(at)) {
                Some(foreign) => foreign.judge = judge,
                None => self.foreign.push(Foreign { framework, judge, index: Arc::default() }),
            }
        }
        changed
    }

    /// Takes over what source files register, `None` where one registers nothing any more. Gives the files that feel it.
    pub(crate) fn put_sources(&mut self, sources: Vec<Read>) -> (BTreeSet<FileId>, Rejudge) {
        let mut touched: BTreeSet<FileId> = sources.iter().map(|(file, _)| *file).collect();
        let mut changes = Vec::with_capacity(sources.len());
        for (file, sourced) in sources {
            let before = match &sourced {
                Some(sourced) => self.sources.insert(file, Arc::clone(sourced)),
                None => self.sources.remove(&file),
            };
            changes.push((before, sourced));
        }
        let rejudge = self.renew_judge();
        for (before, now) in changes {
            let numbered = |sourced: Option<Arc<Sourced>>| {
                let ids = sourced.as_ref().map(|sourced| sourced.ids.clone()).unwrap_or_default();
                let parts = sourced.map(|sourced| sourced.parts.clone()).unwrap_or_default();
                ids.into_iter().zip(parts)
            };
            let now: Vec<(FileId, Part)> = numbered(now).collect();
            for (at, (id, part)) in numbered(before).enumerate() {
                if now.get(at).is_none_or(|(_, now)| now.framework != part.framework) {
                    touched.extend(self.index_mut(part.framework).update(id, None));
                }
            }
            for (id, mut part) in now {
                part.judge(&self.judge_of(part.framework));
                touched.extend(self.index_mut(part.framework).update(id, Some(part.facts())));
            }
        }
        self.renew_environment_fields();
        touched.extend(self.catalog_files());
        (touched, rejudge)
    }

    fn renew_environment_fields(&mut self) {
        let fields = self.sources.iter().flat_map(|(file, sourced)| {
            let fields = sourced.file.registrations.iter().flat_map(|registration| &registration.fields);
            fields.map(|field| EnvironmentField {
                name: Arc::clone(&field.name),
                extra: field.extra,
                file: *file,
                span: field.span,
            })
        });
        let mut fields: Vec<EnvironmentField> = fields.collect();
        fields.sort_by(|a, b| (&a.name, a.file, a.span).cmp(&(&b.name, b.file, b.span)));
        fields.dedup_by(|a, b| a.name == b.name);
        self.environment_fields = fields.into();
    }

    /// The findings of the blocks of a source file.
    fn source_findings(&self, sourced: &Sourced) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = Vec::new();
        for (part, id) in sourced.parts.iter().zip(&sourced.ids) {
            let judge = self.judge_of(part.framework);
            let mut part = part.clone();
            part.judge(&judge);
            all.extend(part.findings(&judge));
            let mut across = self.index_of(part.framework).findings(*id);
            across.extend(self.over_budget_of(*id));
            part.own(&mut across);
            all.append(&mut across);
        }
        // A text that several blocks share is wrong once.
        let mut seen = rustc_hash::FxHashSet::default();
        all.retain(|finding| seen.insert((finding.span, finding.code, finding.message.clone())));
        all
    }
}

impl Sourced {
    /// The block of that number.
    pub fn part(&self, id: FileId) -> Option<&Part> {
        let at = self.ids.iter().position(|other| *other == id)?;
        self.parts.get(at)
    }
}

impl Workspace {
    /// Reads a source text; `None` where it registers nothing.
    pub(crate) fn read_source(&self, file: FileId, text: &str, kept: &mut Kept) -> Option<Arc<Sourced>> {
        let path = self.files.path(file);
        let source = SourceFile::read_again(text, dialect(&path)?, kept);
        self.tell_refused(file, source.unread.as_ref());
        if source.is_empty() && source.unread.is_none() {
            return None;
        }
        let parts = parts(&source, file);
        let ids = (0..parts.len()).map(|index| self.files.part(file, index)).collect();
        let catalogs = Framework::ALL
            .into_iter()
            .filter_map(|framework| Some((framework, Arc::new(catalog_of(&source, file, framework)?))));
        let catalogs = catalogs.collect();
        Some(Arc::new(Sourced { file: Arc::new(source), parts, ids, catalogs, revision: new_revision() }))
    }

    /// Writes into the log that a source file is not read, once.
    fn tell_refused(&self, file: FileId, unread: Option<&Unread>) {
        let mut refused = lock(&self.refused);
        match unread {
            Some(unread) if refused.insert(file) => {
                tracing::warn!("{} is not read: {}", self.files.path(file), unread.why.text(Locale::En));
            }
            Some(_) => {}
            None => {
                refused.remove(&file);
            }
        }
    }

    /// What a source file registers: the open buffer's, else the disk's.
    pub(crate) fn sourced(&self, file: FileId) -> Result<Option<Arc<Sourced>>, ReadError> {
        let Some(open) = self.open_file(file) else {
            return Ok(self.read_source(file, &read(&self.files.path(file))?, &mut Kept::default()));
        };
        let (text, mut kept, revision) = {
            let open = lock(&open);
            if let Some((of, sourced)) = &open.sourced
                && *of == open.revision
            {
                return Ok(sourced.clone());
            }
            let kept = match &open.content {
                Content::Source(_, kept) => kept.clone(),
                _ => Kept::default(),
            };
            (open.text().clone(), kept, open.revision)
        };
        let sourced = self.read_source(file, &text.to_string(), &mut kept);
        let mut open = lock(&open);
        if open.revision == revision {
            open.sourced = Some((revision, sourced.clone()));
            if let Content::Source(_, last) = &mut open.content {
                *last = kept;
            }
        }
        Ok(sourced)
    }

    /// Reads the source files of a project that are among `files`.
    pub(crate) fn load_sources(&self, project: &Project, files: &[Utf8PathBuf]) -> BTreeSet<FileId> {
        let user = self.user_catalog();
        let files: Vec<FileId> = files
            .iter()
            .filter(|path| dialect(path).is_some())
            .filter(|path| {
                project.kind(path, user.as_deref()) == FileKind::Source && !self.is_excluded(path, project)
            })
            .map(|path| self.files.id(path))
            .collect();
        // A source that is no text or too large is none of ours.
        let read = |file: &FileId| Some((*file, Some(self.sourced(*file).ok()??)));
        let read: Vec<Read> = files.par_iter().filter_map(read).collect();
        if read.is_empty() {
            return BTreeSet::new();
        }
        self.put_sources(project, read)
    }

    fn put_sources(&self, project: &Project, read: Vec<Read>) -> BTreeSet<FileId> {
        let (mut touched, rejudge) = project.state().put_sources(read);
        touched.extend(self.rejudge(project, rejudge));
        touched
    }

    /// Reads a source file again.
    pub(crate) fn refresh_source(&self, file: FileId, project: &Project, ignored: bool) -> BTreeSet<FileId> {
        let sourced = if ignored { None } else { self.sourced(file).ok().flatten() };
        if sourced.is_none() && !project.state().sources.contains_key(&file) {
            return BTreeSet::from([file]);
        }
        self.put_sources(project, vec![(file, sourced)])
    }

    /// The findings of a source file; `None` where it registers nothing and is not open.
    pub(crate) fn source_findings(&self, file: FileId, project: &Project) -> Option<FileFindings> {
        let path = self.files.path(file);
        let (version, text, sourced) = match self.open_file(file) {
            Some(open) => {
                let sourced = self.sourced(file).ok().flatten();
                let open = lock(&open);
                (Some(open.version), Some(open.text().clone()), sourced)
            }
            None => (None, None, None),
        };
        let state = project.state();
        let known = state.sources.get(&file);
        let sourced = match (version, sourced) {
            // What is left out of the project is known to nobody.
            (Some(_), sourced) => sourced.filter(|_| known.is_some()),
            (None, _) => Some(Arc::clone(known?)),
        };
        let findings = sourced.map(|sourced| state.source_findings(&sourced)).unwrap_or_default();
        let diagnostics = finish(&state.judge, &Header::default(), findings);
        drop(state);
        let text = match text {
            Some(text) => text,
            None if diagnostics.is_empty() => Rope::new(),
            None => Rope::from_str(&read(&path).ok()?),
        };
        Some(FileFindings { file, path, version, text, diagnostics, block: None, plugin: None })
    }

    /// The blocks that a source file registers, where it is still of that version.
    pub(crate) fn registered(
        &self,
        file: FileId,
        version: Option<i32>,
        project: &Project,
    ) -> Vec<Registered> {
        let sourced = self.sourced(file).ok().flatten();
        if self.open_file(file).map(|open| lock(&open).version) != version {
            return Vec::new();
        }
        let state = project.state();
        // What is left out of the project is known to nobody.
        let sourced = sourced.filter(|_| state.sources.contains_key(&file));
        let parts = sourced.iter().flat_map(|sourced| sourced.parts.iter().zip(&sourced.ids));
        let registered = |(part, id): (&Part, &FileId)| {
            let (judge, index) = (state.judge_of(part.framework), Arc::clone(state.index_of(part.framework)));
            let mut part = part.clone();
            part.judge(&judge);
            Registered { part, file: *id, judge, index }
        };
        parts.map(registered).collect()
    }

    /// The source files of the project at `root` that register something or could not be read, by path.
    pub fn sources(&self, root: &Utf8Path) -> Vec<(Utf8PathBuf, Arc<SourceFile>)> {
        let project = self.project_at(root.to_owned());
        let sources: Vec<(FileId, Arc<SourceFile>)> = {
            let state = project.state();
            state.sources.iter().map(|(file, sourced)| (*file, Arc::clone(&sourced.file))).collect()
        };
        let mut sources: Vec<_> =
            sources.into_iter().map(|(file, source)| (self.files.path(file), source)).collect();
        sources.sort_by(|(a, _), (b, _)| a.cmp(b));
        sources
    }

    /// From the text of a block that source code registers to the source; `None` for any other file and for a computed text.
    pub fn cooked(&self, file: FileId) -> Option<Arc<Cooked>> {
        let whole = self.files.whole(file);
        if whole == file {
            return None;
        }
        let project = self.project(&self.files.path(whole));
        let state = project.state();
        state.sources.get(&whole)?.part(file)?.cooked.clone()
    }

    /// Whether a number stands for a block that source code registers.
    pub fn is_registered(&self, file: FileId) -> bool {
        self.files.whole(file) != file
    }

    /// How many blocks a file holds.
    pub fn block_count(&self, file: FileId) -> usize {
        let path = self.files.path(file);
        match self.kind(&path) {
            FileKind::Block => 1,
            FileKind::Source => {
                self.project(&path).state().sources.get(&file).map_or(0, |sourced| sourced.parts.len())
            }
            _ => 0,
        }
    }
}
