//! One project: its configuration, catalogs and environments as they are in force, and what is known of its blocks.

use crate::files::{
    BLOCK_EXTENSION, CONFIG_NAME, ENVIRONMENTS_NAME, FileKind, Files, LOCAL_CATALOG_NAME, TOOLS_NAME,
    absolute,
};
use crate::instructions::Places;
use crate::read::ReadError;
use crate::sources::{Foreign, Sourced, dialect, is_source};
use crate::{EnvironmentField, ProjectView};
use camino::{Utf8Path, Utf8PathBuf};
use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use promptblock_core::assemble::{
    Environment, Environments, Frame, Tools, instruction_parts, parse_environments, parse_tools,
    unknown_tools,
};
use promptblock_core::catalog::{self, Catalog, CatalogFile, Layer, Mutability};
use promptblock_core::jsonc;
use promptblock_core::lint::{Judge, across};
use promptblock_core::project::{
    BlockFacts, Config, ContextPlacement, Index, is_plain, parse_config, parse_config_after,
};
use promptblock_core::source::Framework;
use promptblock_core::span::Spanned;
use promptblock_core::syntax::Document;
use promptblock_core::{Code, Diagnostic, FileId};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Where a text comes from: the open buffer, else the disk.
pub(crate) type Source<'a> = &'a dyn Fn(&Utf8Path) -> Result<String, ReadError>;

/// Judges are numbered across projects, so that a file which moves from one to another is judged anew.
static REVISION: AtomicU64 = AtomicU64::new(1);

/// A number that was never given before.
pub(crate) fn new_revision() -> u64 {
    REVISION.fetch_add(1, Ordering::Relaxed) + 1
}

/// A project.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) root: Utf8PathBuf,
    state: Mutex<State>,
}

/// What is known of a block that is not open.
#[derive(Clone, Debug)]
pub(crate) struct Closed {
    pub(crate) findings: Arc<[Diagnostic]>,
    /// The revision of the judge that said so.
    pub(crate) revision: u64,
    /// Names that the findings depend on.
    asked: Box<[Arc<str>]>,
    /// Whether a name is unknown: then any new name may be the one that was meant.
    has_unknown: bool,
    /// Another one for every time that the file was read.
    pub(crate) text_revision: u64,
}

impl Closed {
    /// Judges a block's text, and keeps what the project needs of it.
    pub(crate) fn judge(text: &str, judge: &Judge) -> (Self, BlockFacts) {
        let mut document = Document::new(text, Arc::clone(&judge.profile));
        document.judge(judge);
        let findings: Arc<[Diagnostic]> = document.findings(judge).into();
        let unknown = [Code::UnknownVariable, Code::NoCatalog];
        let has_unknown = findings.iter().any(|finding| unknown.contains(&finding.code));
        let asked = document.asked().cloned().collect();
        let text_revision = new_revision();
        let closed = Self { findings, revision: judge.revision, asked, has_unknown, text_revision };
        (closed, document.facts())
    }
}

/// A file of the project that is no block, with what it says of itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Own {
    pub(crate) findings: Vec<Diagnostic>,
}

#[derive(Clone, Debug)]
pub(crate) struct State {
    pub(crate) config: Arc<Config>,
    /// The last version of the configuration that could be read as a whole.
    readable_config: Option<Config>,
    /// The environments in force: a broken file's at its last readable version.
    environments: Arc<Environments>,
    /// Whether they are of a version that could be read as a whole.
    environments_readable: bool,
    /// The tools of the file: a broken one's at its last readable version.
    tools: Option<Arc<Tools>>,
    /// What an assembly has besides blocks and values.
    frame: Arc<Frame>,
    /// Where instructions are looked for.
    instruction_paths: Arc<[Utf8PathBuf]>,
    /// Another one for every time that the settings were read.
    settings: u64,
    /// Catalogs in force, by layer and path: a broken one at its last readable version.
    catalogs: BTreeMap<(Layer, Utf8PathBuf), Arc<CatalogFile>>,
    /// Files that are no blocks.
    pub(crate) own: FxHashMap<FileId, Own>,
    pub(crate) judge: Arc<Judge>,
    pub(crate) index: Arc<Index>,
    /// Source files that register something.
    pub(crate) sources: BTreeMap<FileId, Arc<Sourced>>,
    /// What source files register with a framework that is not the project's.
    pub(crate) foreign: Vec<Foreign>,
    /// Fields that source files give every environment, by name, each once.
    pub(crate) environment_fields: Arc<[EnvironmentField]>,
    /// Name of the environment to judge in, before what the configuration says.
    environment: Option<String>,
    pub(crate) closed: FxHashMap<FileId, Closed>,
    pub(crate) unreadable: BTreeMap<FileId, ReadError>,
    /// Findings on the blocks that cross a budget, and the revision of the index and the budgets they were worked out from.
    over_budget: Vec<(FileId, Diagnostic)>,
    budgeted: Option<(u64, Arc<Config>)>,
    exclude: GlobSet,
    catalog_globs: GlobSet,
    /// What source files look like; `None` where the default holds.
    source_globs: Option<GlobSet>,
    /// Catalog files that a pattern found.
    globbed: BTreeSet<Utf8PathBuf>,
}

/// What does not depend on the project's files.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    /// Name of the environment to judge in, before what the configuration says.
    pub(crate) environment: Option<&'a str>,
    pub(crate) user_catalog: Option<&'a Utf8Path>,
    /// The user's home folder.
    pub(crate) home: Option<&'a Utf8Path>,
}

/// A file of the settings.
enum Text {
    None,
    /// It is there and cannot be read: not UTF-8, too large, no permission.
    Unreadable,
    Is(String),
}

/// What has to be judged again after a change of what the blocks are judged by.
#[derive(Debug, Default)]
pub(crate) struct Rejudge {
    /// Closed blocks.
    pub(crate) closed: Vec<FileId>,
    /// Whether every file may show other findings though none is judged again.
    pub(crate) shown: bool,
    /// Whether the open ones have to ask.
    pub(crate) open: bool,
    /// Whether those in source code have to.
    pub(crate) sources: bool,
}

impl Project {
    /// A project that knows nothing yet.
    pub(crate) fn new(root: Utf8PathBuf) -> Self {
        let config = Config::default();
        let state = State {
            judge: Arc::new(Judge::new(Catalog::default())),
            config: Arc::new(config),
            readable_config: None,
            environments: Arc::default(),
            environments_readable: false,
            tools: None,
            frame: Arc::default(),
            instruction_paths: Arc::default(),
            settings: 0,
            catalogs: BTreeMap::new(),
            own: FxHashMap::default(),
            index: Arc::default(),
            sources: BTreeMap::new(),
            foreign: Vec::new(),
            environment_fields: [].into(),
            environment: None,
            source_globs: None,
            closed: FxHashMap::default(),
            unreadable: BTreeMap::new(),
            over_budget: Vec::new(),
            budgeted: None,
            exclude: GlobSet::empty(),
            catalog_globs: GlobSet::empty(),
            globbed: BTreeSet::new(),
        };
        Self { root, state: Mutex::new(state) }
    }

    /// The same project, as of now.
    pub(crate) fn copy(&self) -> Self {
        Self { root: self.root.clone(), state: Mutex::new(self.state().clone()) }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        // What a panicking rule left behind is still what was known before.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn judge(&self) -> Arc<Judge> {
        Arc::clone(&self.state().judge)
    }

    pub(crate) fn view(&self) -> ProjectView {
        let state = self.state();
        ProjectView {
            root: self.root.clone(),
            config: Arc::clone(&state.config),
            judge: Arc::clone(&state.judge),
            index: Arc::clone(&state.index),
            foreign: (state.foreign.iter())
                .map(|foreign| (Arc::clone(&foreign.judge), Arc::clone(&foreign.index)))
                .collect(),
            catalogs: state.catalogs.values().cloned().collect(),
            catalog_paths: state.catalogs.keys().cloned().collect(),
            environments: Arc::clone(&state.environments),
            frame: Arc::clone(&state.frame),
            instruction_paths: Arc::clone(&state.instruction_paths),
            settings: state.settings,
            known_environment_fields: Arc::clone(&state.environment_fields),
        }
    }

    /// Whether a file of that path may be one that this project reads though it lies elsewhere.
    pub(crate) fn reads(&self, path: &Utf8Path) -> bool {
        self.state().is_instruction(path)
    }

    /// What a path of this project is.
    pub(crate) fn kind(&self, path: &Utf8Path, user_catalog: Option<&Utf8Path>) -> FileKind {
        if path.extension() == Some(BLOCK_EXTENSION) {
            return FileKind::Block;
        }
        if Some(path) == user_catalog {
            return FileKind::Catalog;
        }
        let Ok(inside) = path.strip_prefix(&self.root) else {
            let is_instruction = self.state().is_instruction(path);
            return if is_instruction { FileKind::Instructions } else { FileKind::Other };
        };
        match inside.as_str() {
            CONFIG_NAME => FileKind::Config,
            ENVIRONMENTS_NAME => FileKind::Environments,
            LOCAL_CATALOG_NAME => FileKind::Catalog,
            TOOLS_NAME => FileKind::Tools,
            _ => {
                let state = self.state();
                if state.is_instruction(path) {
                    return FileKind::Instructions;
                }
                if state.catalog_globs.is_match(inside) {
                    return FileKind::Catalog;
                }
                let named = state.source_globs.as_ref().map(|globs| globs.is_match(inside));
                let is_source = dialect(inside).is_some() && named.unwrap_or_else(|| is_source(inside));
                if is_source { FileKind::Source } else { FileKind::Other }
            }
        }
    }

    /// Whether `promptblock.toml` leaves a path out.
    pub(crate) fn is_excluded(&self, path: &Utf8Path) -> bool {
        path.strip_prefix(&self.root).is_ok_and(|inside| self.state().exclude.is_match(inside))
    }

    /// Reads configuration, catalogs and environments. `globbed` are the files of the project's walk, where one was made.
    pub(crate) fn read_settings(
        &self,
        files: &Files,
        source: Source<'_>,
        around: Around<'_>,
        walked: Option<&[Utf8PathBuf]>,
    ) -> Rejudge {
        let Around { environment, user_catalog, home } = around;
        let mut state = self.state();
        let state = &mut *state;
        state.own.clear();
        state.settings = new_revision();
        state.unreadable.retain(|file, _| files.path(*file).extension() == Some(BLOCK_EXTENSION));
        let mut read = |path: &Utf8Path| match source(path) {
            Ok(text) => Text::Is(text),
            Err(ReadError::Missing) => Text::None,
            Err(error) => {
                state.unreadable.insert(files.id(path), error);
                Text::Unreadable
            }
        };

        let config_path = self.root.join(CONFIG_NAME);
        let last = state.readable_config.take();
        let (config, written, order, mut config_findings, has_config) = match read(&config_path) {
            Text::Is(text) => {
                let (config, mut findings) = parse_config(&text);
                // Said of the text that stands there now, whatever is in force.
                findings.extend(invalid_globs(&config));
                let in_force = last.as_ref().filter(|_| !config.readable);
                let in_force = in_force.map(|last| parse_config_after(&text, last));
                let (written, order) = (config.environment.clone(), config.tool_order.clone());
                state.readable_config = if config.readable { Some(config.clone()) } else { last };
                (in_force.unwrap_or(config), written, order, findings, true)
            }
            Text::Unreadable => {
                let config = last.clone().unwrap_or_default();
                state.readable_config = last;
                (config, None, None, Vec::new(), true)
            }
            Text::None => (Config::default(), None, None, Vec::new(), false),
        };
        let environments_path = self.root.join(ENVIRONMENTS_NAME);
        let environments_text = read(&environments_path);
        let tools_path = self.root.join(TOOLS_NAME);
        let tools_text = read(&tools_path);
        let mut catalog_paths: BTreeSet<(Layer, Utf8PathBuf)> = BTreeSet::new();
        catalog_paths.extend(user_catalog.map(|path| (Layer::User, path.to_owned())));
        catalog_paths.insert((Layer::Local, self.root.join(LOCAL_CATALOG_NAME)));
        state.catalog_globs = glob_set(&config.catalogs);
        if let Some(walked) = walked {
            // Files that have a meaning of their own keep it, whatever the pattern.
            let own = [CONFIG_NAME, ENVIRONMENTS_NAME, LOCAL_CATALOG_NAME, TOOLS_NAME];
            let inside = |path: &&Utf8PathBuf| {
                let inside =
                    path.strip_prefix(&self.root).ok().filter(|inside| !own.contains(&inside.as_str()));
                inside.is_some_and(|inside| state.catalog_globs.is_match(inside))
            };
            state.globbed = walked.iter().filter(inside).cloned().collect();
        }
        // A name without a pattern counts though it is ignored by git.
        let literal = config.catalogs.iter().filter(|glob| is_plain(glob));
        let literal = literal.map(|name| absolute(Utf8Path::new(name), &self.root));
        catalog_paths.extend(literal.chain(state.globbed.iter().cloned()).map(|path| (Layer::Project, path)));
        let texts: Vec<_> = catalog_paths.into_iter().map(|key| (read(&key.1), key)).collect();

        let mut before = std::mem::take(&mut state.catalogs);
        for (text, key) in texts {
            let file = files.id(&key.1);
            // While a catalog is broken, the last version that could be read stays in force.
            let last = before.remove(&key).filter(|last| last.readable);
            let in_force = match text {
                Text::None => continue,
                // It is there: nobody may say that the project has none.
                Text::Unreadable if last.is_none() && key.1.is_file() => {
                    Some(Arc::new(CatalogFile::unreadable(key.0)))
                }
                Text::Unreadable => last,
                Text::Is(text) => {
                    let parsed = Arc::new(catalog::parse(&text, file, key.0, &config.profile));
                    state.own.insert(file, Own { findings: parsed.diagnostics.clone() });
                    Some(last.filter(|_| !parsed.readable).unwrap_or(parsed))
                }
            };
            state.catalogs.extend(in_force.map(|catalog| (key, catalog)));
        }
        for (file, finding) in Catalog::duplicates(state.catalogs.values().map(|file| &**file)) {
            state.own.entry(file).or_default().findings.push(finding);
        }
        match environments_text {
            Text::Is(text) => {
                let (environments, findings) = parse_environments(&text);
                let readable = findings.is_empty() || jsonc::parse(&text).fault.is_none();
                // As with a catalog: predicates must not lose their values while somebody types.
                if readable || !state.environments_readable {
                    state.environments = Arc::new(environments);
                }
                state.environments_readable |= readable;
                state.own.insert(files.id(&environments_path), Own { findings });
            }
            Text::Unreadable => {}
            Text::None => (state.environments, state.environments_readable) = (Arc::default(), false),
        }
        match tools_text {
            Text::Is(text) => {
                let (tools, findings) = parse_tools(&text);
                // As with a catalog.
                if tools.readable || state.tools.is_none() {
                    state.tools = Some(Arc::new(tools));
                }
                state.own.insert(files.id(&tools_path), Own { findings });
            }
            Text::Unreadable => {}
            Text::None => state.tools = None,
        }
        config_findings.extend(unknown_environment(written.as_ref(), &state.environments));
        let is_known = state.tools.as_ref().is_none_or(|tools| tools.readable)
            && !state.unreadable.contains_key(&files.id(&tools_path));
        if let Some(order) = order.filter(|_| is_known) {
            config_findings.extend(unknown_tools(&order, state.tools.as_deref()));
        }
        if has_config {
            state.own.insert(files.id(&config_path), Own { findings: config_findings });
        }
        state.exclude = glob_set(&config.exclude);
        state.source_globs = config.sources.as_deref().map(glob_set);
        state.environment = environment.map(str::to_owned);
        let locale_differs = state.config.locale != config.locale;
        state.config = Arc::new(config);
        state.renew_frame(&self.root, home, files);
        let mut rejudge = state.renew_judge();
        rejudge.shown |= locale_differs;
        rejudge
    }
}

impl State {
    /// Makes a new judge where anything it judges by has changed, and says what must ask it.
    pub(crate) fn renew_judge(&mut self) -> Rejudge {
        let mut rejudge = self.renew_own();
        rejudge.sources = self.renew_foreign() || rejudge.open;
        rejudge
    }

    /// Puts together what an assembly has besides blocks and values.
    fn renew_frame(&mut self, root: &Utf8Path, home: Option<&Utf8Path>, files: &Files) {
        let (profile, placement) = (Arc::clone(&self.config.profile), self.config.context_placement);
        let places = profile.instructions.as_ref().map(|rules| (rules, Places::of(rules, root, home)));
        let (found, unreadable) = match &places {
            Some((rules, places)) => places.read(rules, files),
            None => Default::default(),
        };
        self.unreadable.extend(unreadable.into_iter().map(|(path, error)| (files.id(&path), error)));
        let apart = placement == ContextPlacement::Messages;
        let instructions = instruction_parts(&profile, &found, apart).into();
        let order = self.config.tool_order.as_deref();
        let tools = self.tools.as_ref().map(|tools| Arc::new(tools.in_order(order)));
        self.instruction_paths = places.iter().flat_map(|(_, places)| places.all()).cloned().collect();
        self.frame = Arc::new(Frame { profile, placement, tools, instructions });
    }

    /// Whether instructions are looked for there.
    fn is_instruction(&self, path: &Utf8Path) -> bool {
        self.instruction_paths.iter().any(|known| known == path)
    }

    /// The catalog files in force.
    pub(crate) fn catalogs(&self) -> impl Iterator<Item = &Arc<CatalogFile>> {
        self.catalogs.values()
    }

    fn renew_own(&mut self) -> Rejudge {
        let config = &self.config;
        let framework = Framework::ALL.into_iter().find(|framework| self.is_own(*framework));
        let catalog = self.merge_catalog(framework);
        let wanted = self.environment.as_deref().or(config.environment.as_ref().map(|name| &*name.value));
        let environment: Option<Arc<Environment>> = self.environments.choose(wanted).cloned();
        let no_environment = self.environments.lack(wanted);
        let old = Arc::clone(&self.judge);
        let counts = config.counts();
        let all = old.profile != config.profile || old.bands != config.bands || old.counts != counts;
        let names = catalog.changed_names(&old.catalog);
        let first_catalog = config.first_catalog();
        let known = catalog.is_known() != old.catalog.is_known()
            || first_catalog != old.first_catalog
            || catalog.incomplete().is_some() != old.catalog.incomplete().is_some();
        let environment_differs =
            environment != old.environment || environment.is_none() && no_environment != old.no_environment;
        let severity_differs = old.severity != config.severity;
        if !(all || known || environment_differs || severity_differs || !names.is_empty()) {
            // Entries that have moved are found where they are now; no verdict is another for that.
            self.judge = Arc::new(Judge { catalog: Arc::new(catalog), ..(*old).clone() });
            return Rejudge::default();
        }
        let depends: BTreeSet<&Arc<str>> = if environment_differs {
            let conditional = catalog.iter().filter(|v| matches!(v.mutable, Mutability::When(_)));
            conditional.map(|variable| &variable.name).collect()
        } else {
            BTreeSet::new()
        };
        let names: BTreeSet<&Arc<str>> = names.iter().chain(depends).collect();
        let set_differs =
            names.iter().any(|name| catalog.get(name).is_some() != old.catalog.get(name).is_some());
        let closed = self.closed.iter().filter(|(_, closed)| {
            all || (closed.has_unknown && (known || set_differs))
                || closed.asked.iter().any(|name| names.contains(name))
        });
        let closed = closed.map(|(file, _)| *file).collect();
        self.judge = Arc::new(Judge {
            revision: new_revision(),
            profile: Arc::clone(&config.profile),
            bands: config.bands.clone(),
            catalog: Arc::new(catalog),
            first_catalog,
            environment,
            no_environment,
            severity: config.severity.clone(),
            counts,
        });
        Rejudge { closed, shown: all || severity_differs, open: true, sources: true }
    }

    /// Whether the project sets a budget.
    pub(crate) fn is_budgeted(&self) -> bool {
        self.judge.counts.is_some()
    }

    /// Works out anew which blocks cross a budget. Gives those that did and those that do.
    pub(crate) fn renew_budget(&mut self) -> Vec<FileId> {
        if !self.is_budgeted() && self.over_budget.is_empty() {
            return Vec::new();
        }
        let revision = self.index.revision();
        let same = |(of, config): &(u64, Arc<Config>)| *of == revision && Arc::ptr_eq(config, &self.config);
        if self.budgeted.as_ref().is_some_and(same) {
            return Vec::new();
        }
        let now = across::over_budget(&self.index, &self.config);
        self.budgeted = Some((revision, Arc::clone(&self.config)));
        let before = std::mem::replace(&mut self.over_budget, now);
        before.iter().chain(&self.over_budget).map(|(file, _)| *file).collect()
    }

    /// The findings of a block that depend on other files.
    pub(crate) fn findings(&self, file: FileId) -> Vec<Diagnostic> {
        let mut findings = self.index.findings(file);
        findings.extend(self.over_budget_of(file));
        findings
    }

    pub(crate) fn over_budget_of(&self, file: FileId) -> impl Iterator<Item = Diagnostic> {
        self.over_budget.iter().filter(move |(on, _)| *on == file).map(|(_, finding)| finding.clone())
    }

    /// Findings of a file that is no block.
    pub(crate) fn own_findings(&self, file: FileId) -> Option<Vec<Diagnostic>> {
        let mut findings = self.own.get(&file)?.findings.clone();
        let in_force = self.catalogs.values().find(|catalog| {
            catalog.variables.iter().any(|v| v.definition.is_some_and(|definition| definition.file == file))
        });
        // The places of an older version would be wrong in the text that stands there now.
        if let Some(catalog) = in_force.filter(|catalog| findings.starts_with(&catalog.diagnostics)) {
            findings.extend(across::unused_variables(&|name| self.is_used(name), &self.judge, catalog));
        }
        Some(findings)
    }

    /// The catalog files of the project's own layer, whose unused entries depend on the blocks.
    pub(crate) fn catalog_files(&self) -> impl Iterator<Item = FileId> {
        let defined = self.catalogs.values().flat_map(|file| file.variables.first());
        defined.filter_map(|variable| variable.definition.map(|definition| definition.file))
    }
}

fn unknown_environment(name: Option<&Spanned<Arc<str>>>, environments: &Environments) -> Option<Diagnostic> {
    let name = name?;
    if environments.named(&name.value).is_some() {
        return None;
    }
    let wanted = &name.value;
    let near = promptblock_core::nearest::nearest(wanted, environments.0.iter().map(|it| &*it.name));
    let question = near.question();
    let (en, zh) = (
        question.text(promptblock_core::Locale::En).to_owned(),
        question.text(promptblock_core::Locale::ZhCn).to_owned(),
    );
    let message = promptblock_core::Message::new(
        format!("no environment `{wanted}` in {ENVIRONMENTS_NAME}{en}"),
        format!("{ENVIRONMENTS_NAME} 中没有环境 `{wanted}`{zh}"),
    );
    let remedy = near.replace(false, |name| format!("\"{name}\"").into());
    Some(Diagnostic::new(Code::InvalidConfig, name.span, message).remedy(remedy))
}

fn invalid_globs(config: &Config) -> impl Iterator<Item = Diagnostic> {
    config.globs.iter().filter_map(|glob| {
        let error = parse_glob(&glob.value).err()?;
        let what = error.kind();
        let message =
            promptblock_core::msg!("this pattern cannot be read: {what}", "无法读取此通配模式：{what}");
        Some(Diagnostic::new(Code::InvalidConfig, glob.span, message))
    })
}

/// A pattern as editors read it: `*` stays within a folder, `**` does not.
pub(crate) fn parse_glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}

/// Patterns as one set; one that is none is left out, and the configuration says so.
pub(crate) fn glob_set(globs: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for glob in globs {
        if let Ok(glob) = parse_glob(glob) {
            set.add(glob);
        }
    }
    set.build().unwrap_or_else(|_| GlobSet::empty())
}
