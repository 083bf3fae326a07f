//! The project that a command is about, read whole.

use crate::failure::{Failure, say};
use crate::named::{relative, resolved, working_directory};
use crate::progress::ProgressLine;
use crate::report::Report;
use crate::surroundings;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::assemble::{Assembler, Assembly, Refused, Scene, Vocabulary};
use promptblock_core::{Diagnostic, FileId, Locale, Message, msg};
use promptblock_workspace::{FileFindings, ProjectView, ReadError, Workspace, project_above};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

const CONFIG: &str = "promptblock.toml";

/// Which project a path is about.
pub(crate) struct Place {
    /// The path, absolute.
    pub(crate) path: Utf8PathBuf,
    pub(crate) is_folder: bool,
    /// The nearest folder above it with a `promptblock.toml`, else the working directory, or the path's own folder outside of that.
    pub(crate) root: Utf8PathBuf,
    /// The working directory.
    pub(crate) here: Utf8PathBuf,
}

impl Place {
    /// Of a path that a command is given.
    pub(crate) fn of(given: &Utf8Path) -> Result<Self, Failure> {
        let here = working_directory()?;
        let full = Workspace::absolute(given, &here);
        let meta = std::fs::metadata(&full).map_err(|error| {
            let what = ReadError::of(&full, error).message();
            Failure::new(format!("{given}: {}", what.text(surroundings::of_system())))
        })?;
        let is_folder = meta.is_dir();
        let path = if is_folder { resolved(full, &here) } else { full };
        let folder = if is_folder { path.as_path() } else { path.parent().unwrap_or(&path) };
        let outside = || if folder.starts_with(&here) { here.clone() } else { folder.to_owned() };
        let root = project_above(folder).unwrap_or_else(outside);
        Ok(Self { path, is_folder, root, here })
    }
}

/// Reads the projects in a folder, and says meanwhile how far that has come.
pub(crate) fn read(root: &Utf8Path, environment: Option<&str>, for_a_program: bool) -> Workspace {
    let workspace = Workspace::new(surroundings::options(environment.map(str::to_owned)));
    workspace.add_folder(root);
    let mut line = ProgressLine::new(for_a_program);
    workspace.load(&|progress| line.update(progress), &AtomicBool::new(false));
    workspace.refresh();
    line.clear();
    workspace
}

/// A project with all of its files.
pub(crate) struct Opened {
    pub(crate) workspace: Workspace,
    pub(crate) view: ProjectView,
    /// The working directory.
    pub(crate) here: Utf8PathBuf,
    /// The language of what is printed.
    pub(crate) locale: Locale,
    /// Whether a file of it could not be read; it has been said.
    pub(crate) unreadable: bool,
}

impl Opened {
    /// The project of a path. `environment` is what its `when` predicates are judged in.
    pub(crate) fn at(
        path: &Utf8Path,
        environment: Option<&str>,
        for_a_program: bool,
    ) -> Result<Self, Failure> {
        let place = Place::of(path)?;
        Self::rooted(&place.root, place.here, environment, for_a_program)
    }

    /// The project in a folder.
    pub(crate) fn rooted(
        root: &Utf8Path,
        here: Utf8PathBuf,
        environment: Option<&str>,
        for_a_program: bool,
    ) -> Result<Self, Failure> {
        let workspace = read(root, environment, for_a_program);
        let view = choose(&workspace, root, &here)?;
        let locale = surroundings::of_project(Some(&view));
        let mut opened = Self { workspace, view, here, locale, unreadable: false };
        opened.environment(environment)?;
        for (path, error) in opened.workspace.unreadable() {
            if opened.is_mine(&path) {
                opened.unreadable = true;
                say(format!("{}: {}", relative(&path, &opened.here), error.message().text(locale)));
            }
        }
        Ok(opened)
    }

    /// Wrong use where the project has no environment of that name.
    pub(crate) fn environment(&self, name: Option<&str>) -> Result<(), Failure> {
        match name {
            Some(name) if self.view.environments.named(name).is_none() => {
                Err(no_environment(name, std::slice::from_ref(&self.view), self.locale))
            }
            _ => Ok(()),
        }
    }

    fn is_mine(&self, path: &Utf8Path) -> bool {
        path.starts_with(&self.view.root) && self.workspace.project_view(path).root == self.view.root
    }

    /// The values of the project's environment.
    pub(crate) fn scene(&self, examples: bool) -> Scene {
        self.view.scene(None, examples)
    }

    /// What tokens are counted with.
    pub(crate) fn vocabulary(&self) -> Vocabulary {
        Vocabulary::from_name(&self.view.config.vocabulary).unwrap_or_default()
    }

    /// The assembled prompt.
    pub(crate) fn assemble(&self, scene: &Scene, input: Option<&str>) -> Result<Assembly, Refused> {
        self.workspace.assemble(&self.view, &mut Assembler::default(), scene, input)
    }

    /// The project's findings, with those of an assembly.
    pub(crate) fn findings(&self, found: &[(FileId, Diagnostic)]) -> Vec<FileFindings> {
        let mut by_file: BTreeMap<FileId, Vec<Diagnostic>> = BTreeMap::new();
        for (file, finding) in found {
            by_file.entry(*file).or_default().push(finding.clone());
        }
        let all = self.workspace.all_findings().into_iter().filter(|found| self.is_mine(&found.path));
        all.filter_map(|found| match by_file.remove(&found.file) {
            Some(more) => self.workspace.findings_with(found.file, more),
            None => Some(found),
        })
        .collect()
    }

    /// Only these findings, as they are.
    pub(crate) fn only(&self, found: &[(FileId, Diagnostic)]) -> Vec<FileFindings> {
        let mut all: BTreeMap<Utf8PathBuf, FileFindings> = BTreeMap::new();
        for (file, finding) in found {
            let path = self.workspace.path(*file);
            let entry = all.entry(path.clone()).or_insert_with(|| {
                let header = self.view.index.block(*file).map(|facts| &facts.header);
                FileFindings {
                    file: *file,
                    path,
                    version: None,
                    text: self.workspace.text(*file),
                    diagnostics: Vec::new(),
                    block: header.and_then(|header| header.id().cloned()),
                    plugin: header.and_then(|header| header.plugin().map(Into::into)),
                }
            });
            entry.diagnostics.push(finding.clone());
        }
        all.into_values().collect()
    }

    /// Why there is no assembly, as it is printed.
    pub(crate) fn refused(&self, refused: &Refused) -> Report<'_> {
        self.report(self.only(refused))
    }

    /// Findings as they are printed.
    pub(crate) fn report(&self, findings: Vec<FileFindings>) -> Report<'_> {
        crate::check::report(&self.workspace, findings, &self.here)
    }
}

/// The project in `root`; where that has no blocks, the only one below that has.
fn choose(workspace: &Workspace, root: &Utf8Path, here: &Utf8Path) -> Result<ProjectView, Failure> {
    let own = workspace.project_view(&root.join(CONFIG));
    if !own.index.is_empty() || root.join(CONFIG).is_file() {
        return Ok(own);
    }
    let mut below: Vec<ProjectView> = workspace.projects();
    below.retain(|view| view.root.starts_with(root) && !view.index.is_empty());
    match below.as_slice() {
        [] => Ok(own),
        [only] => Ok(only.clone()),
        several => {
            let names: Vec<String> = several.iter().map(|view| relative(&view.root, here)).collect();
            let (en, zh) = (names.join(", "), names.join("、"));
            let what = Message::new(
                format!("several projects below; name one: {en}"),
                format!("下面有多个项目，请指定一个：{zh}"),
            );
            Err(Failure::new(what.text(surroundings::of_system())))
        }
    }
}

/// Wrong use where no project has an environment of that name.
pub(crate) fn check_environment(name: Option<&str>, workspace: &Workspace) -> Result<(), Failure> {
    let Some(name) = name else { return Ok(()) };
    let projects = workspace.projects();
    if projects.iter().any(|project| project.environments.named(name).is_some()) {
        return Ok(());
    }
    Err(no_environment(name, &projects, surroundings::of_system()))
}

fn no_environment(name: &str, projects: &[ProjectView], locale: Locale) -> Failure {
    let known: Vec<_> =
        projects.iter().flat_map(|it| &it.environments.0).map(|it| it.name.to_string()).collect();
    let (en, zh) = (known.join(", "), known.join("、"));
    let message = if known.is_empty() {
        msg!("no environment `{name}`; there are none", "没有环境 `{name}`；此项目没有任何环境")
    } else {
        Message::new(
            format!("no environment `{name}`; known: {en}"),
            format!("没有环境 `{name}`；已有：{zh}"),
        )
    };
    Failure::new(message.text(locale))
}
