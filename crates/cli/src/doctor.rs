//! `promptblock doctor [PATH]`: what was found and from where, one fact a line.

use crate::failure::Failure;
use crate::named::working_directory;
use crate::progress::ProgressLine;
use crate::surroundings;
use crate::visible::visible;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::catalog::{Definition, Layer, Variable};
use promptblock_core::{Locale, Message, Severity, msg};
use promptblock_workspace::{FileKind, Options, ProjectView, ReadError, Workspace};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file or folder of the project; the working directory by default.
    #[arg(default_value = ".", value_parser = crate::named::path)]
    path: Utf8PathBuf,
}

const CONFIG: &str = "promptblock.toml";
const ENVIRONMENTS: &str = "promptblock.env.json";
const LOCAL_CATALOG: &str = "promptblock.catalog.local.json";

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let locale = surroundings::of_system();
    let here = working_directory()?;
    let path = Workspace::absolute(&arguments.path, &here);
    let meta = std::fs::metadata(&path).map_err(|error| {
        Failure::new(format!("{}: {}", arguments.path, ReadError::from(error).message().text(locale)))
    })?;
    let folder = if meta.is_dir() { path.as_path() } else { path.parent().unwrap_or(&path) };
    let root = folder.ancestors().find(|above| above.join(CONFIG).is_file());
    let around = root.unwrap_or(if folder.starts_with(&here) { &here } else { folder });

    let user_folder = surroundings::user_folder();
    let user_catalog = user_folder.as_ref().map(|folder| folder.join("catalog.json"));
    let workspace = Workspace::new(Options { user_folder, environment: None });
    workspace.add_folder(around);
    let mut line = ProgressLine::new(false);
    workspace.load(&|progress| line.update(progress), &AtomicBool::new(false));
    workspace.refresh();
    line.clear();
    let is_asked_for = |view: &ProjectView| {
        view.root == around
            || (meta.is_dir() && view.root.starts_with(&path) && view.root.starts_with(around))
    };
    let projects: Vec<ProjectView> = workspace.projects().into_iter().filter(is_asked_for).collect();

    let unreadable = workspace.unreadable().into_iter().collect();
    let mut sheet = Sheet { locale, workspace, here, user_catalog, unreadable, lines: String::new() };
    sheet.general();
    for view in &projects {
        sheet.lines.push('\n');
        sheet.project(view);
    }
    std::io::stdout().lock().write_all(sheet.lines.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// The lines, and what they are made from.
struct Sheet {
    locale: Locale,
    workspace: Workspace,
    here: Utf8PathBuf,
    user_catalog: Option<Utf8PathBuf>,
    unreadable: BTreeMap<Utf8PathBuf, ReadError>,
    lines: String,
}

impl Sheet {
    fn line(&mut self, message: &Message) {
        self.lines.push_str(&visible(message.text(self.locale)));
        self.lines.push('\n');
    }

    fn general(&mut self) {
        let version = env!("CARGO_PKG_VERSION");
        let abi = tree_sitter::Language::new(tree_sitter_prompt_template::LANGUAGE).abi_version();
        let (least, most) = (tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION, tree_sitter::LANGUAGE_VERSION);
        self.line(&msg!(
            "promptblock {version}; tree-sitter grammar with ABI {abi} ({least} to {most} can be read)",
            "promptblock {version}；tree-sitter 语法的 ABI 为 {abi}（可读取 {least} 到 {most}）"
        ));
        self.line(&msg!("language of the system: English", "系统语言：简体中文"));
        let here = self.here.clone();
        self.line(&msg!("working directory: {here}", "工作目录：{here}"));
        match self.user_catalog.clone() {
            Some(path) => {
                let state = self.presence(&path);
                let state = state.unwrap_or_else(|| msg!("found", "已找到"));
                self.line(&msg!(
                    "user's catalog: {path}, {state}",
                    "用户的变量目录：{path}，{state}", path = path; state = state
                ));
            }
            None => self.line(&msg!(
                "user's catalog: not looked for, since neither XDG_CONFIG_HOME nor HOME is set",
                "用户的变量目录：没有查找，因为 XDG_CONFIG_HOME 和 HOME 都没有设置"
            )),
        }
    }

    fn project(&mut self, view: &ProjectView) {
        let root = &view.root;
        let why = if root.join(CONFIG).is_file() {
            msg!("it holds {CONFIG}", "其中有 {CONFIG}")
        } else if *root == self.here {
            msg!(
                "the working directory, as no folder above holds {CONFIG}",
                "即工作目录，因为上级文件夹都没有 {CONFIG}"
            )
        } else {
            msg!(
                "the folder itself, as none above holds {CONFIG}",
                "即该文件夹本身，因为上级文件夹都没有 {CONFIG}"
            )
        };
        self.line(&msg!("project: {root} ({why})", "项目：{root}（{why}）", root = root; why = why));
        let state = self.state(&root.join(CONFIG));
        self.line(&msg!(
            "configuration: {CONFIG}, {state}",
            "配置：{CONFIG}，{state}", CONFIG = CONFIG; state = state
        ));
        let profile = &view.config.profile.name;
        self.line(&msg!("profile: {profile}", "方案：{profile}"));
        if let Some(locale) = view.config.locale {
            let name = match locale {
                Locale::En => "English",
                Locale::ZhCn => "简体中文",
            };
            self.line(&msg!("language of the findings: {name}", "诊断的语言：{name}"));
        }
        self.environments(view);
        self.catalogs(view);
        self.blocks(view);
    }

    fn environments(&mut self, view: &ProjectView) {
        let state = self.state(&view.root.join(ENVIRONMENTS));
        let names: Vec<&str> = view.environments.0.iter().map(|it| &*it.name).collect();
        let (en, zh) = (names.join(", "), names.join("、"));
        let known = match names.as_slice() {
            [] => Message::new("", ""),
            _ => Message::new(format!("; known: {en}"), format!("；已有：{zh}")),
        };
        self.line(&msg!(
            "environments: {ENVIRONMENTS}, {state}{known}",
            "示例环境：{ENVIRONMENTS}，{state}{known}", ENVIRONMENTS = ENVIRONMENTS; state = state, known = known
        ));
        let wanted = view.config.environment.as_ref().map(|name| &*name.value);
        self.line(&match (&view.judge.environment, wanted) {
            (Some(chosen), Some(_)) => {
                let name = &chosen.name;
                msg!("environment: `{name}`, which {CONFIG} names", "当前环境：`{name}`，由 {CONFIG} 指定")
            }
            (Some(chosen), None) => {
                let name = &chosen.name;
                msg!("environment: `{name}`, the only one", "当前环境：`{name}`，唯一的一个")
            }
            (None, Some(name)) => {
                msg!(
                    "environment: none; {CONFIG} names `{name}`, which is not there",
                    "当前环境：无；{CONFIG} 指定的 `{name}` 不存在"
                )
            }
            (None, None) if names.is_empty() => msg!("environment: none", "当前环境：无"),
            (None, None) => {
                msg!(
                    "environment: none; {CONFIG} names none of several",
                    "当前环境：无；有多个环境，{CONFIG} 没有指定"
                )
            }
        });
    }

    fn catalogs(&mut self, view: &ProjectView) {
        let patterns = &view.config.catalogs;
        let (en, zh) = (patterns.join(", "), patterns.join("、"));
        self.line(&Message::new(format!("catalog patterns: {en}"), format!("变量目录的通配模式：{zh}")));
        if let Some(path) = self.user_catalog.clone().filter(|path| path.exists()) {
            self.catalog(view, Layer::User, &path);
        }
        let local = view.root.join(LOCAL_CATALOG);
        // A name without a pattern is looked for, so its absence is worth a line.
        let named = patterns.iter().filter(|glob| !glob.contains(['*', '?', '[', '{']));
        let mut paths: BTreeSet<Utf8PathBuf> =
            named.map(|name| Workspace::absolute(Utf8Path::new(name), &view.root)).collect();
        let found = self.workspace.all_findings().into_iter().map(|found| found.path);
        let found = found.chain(self.unreadable.keys().cloned());
        paths.extend(found.filter(|path| {
            path.starts_with(&view.root)
                && *path != local
                && Some(path) != self.user_catalog.as_ref()
                && self.workspace.kind(path) == FileKind::Catalog
                && self.workspace.project_view(path).root == view.root
        }));
        for path in &paths {
            self.catalog(view, Layer::Project, path);
        }
        self.catalog(view, Layer::Local, &local);

        let mut variables: Vec<_> = view.judge.catalog.iter().collect();
        variables.sort_by(|a, b| a.name.cmp(&b.name));
        let count = variables.len();
        self.line(&msg!(
            "variables known: {count}, `prompt` among them",
            "已知变量：{count} 个，其中包括 `prompt`"
        ));
        for variable in variables {
            let mut above = variable;
            while let Some(below) = &above.shadows {
                let name = &variable.name;
                let (wins, hidden) = (self.origin(view, above), self.origin(view, below));
                self.line(&msg!(
                    "`{name}`: {wins} shadows {hidden}",
                    "`{name}`：{wins}遮盖了{hidden}", name = name; wins = wins, hidden = hidden
                ));
                above = below;
            }
        }
    }

    fn catalog(&mut self, view: &ProjectView, layer: Layer, path: &Utf8Path) {
        let file = self.workspace.file(path);
        let of_file = |definition: Option<Definition>| definition.is_some_and(|it| it.file == file);
        let entries = view.catalogs.iter().filter(|catalog| catalog.layer == layer);
        let entries = entries.flat_map(|catalog| &catalog.variables);
        let count = entries.filter(|variable| of_file(variable.definition)).count();
        let state = self.state(path);
        let state = match (self.presence(path), count) {
            (Some(_), _) => state,
            (None, 1) => msg!("1 entry, {state}", "1 个条目，{state}"; state = state),
            (None, _) => {
                msg!("{count} entries, {state}", "{count} 个条目，{state}", count = count; state = state)
            }
        };
        let (layer, path) = (layer_name(layer), shown(path, view));
        self.line(&msg!(
            "catalog, {layer}: {path}, {state}",
            "变量目录，{layer}：{path}，{state}", path = path; layer = layer, state = state
        ));
    }

    fn origin(&self, view: &ProjectView, variable: &Variable) -> Message {
        let layer = layer_name(variable.layer);
        match variable.definition {
            Some(definition) => {
                let path = shown(&self.workspace.path(definition.file), view);
                msg!("{layer} ({path})", "{layer}（{path}）", path = path; layer = layer)
            }
            None => layer,
        }
    }

    fn blocks(&mut self, view: &ProjectView) {
        let count = view.index.len();
        self.line(&msg!("blocks: {count}", "块：{count} 个"));
        let is_of = |path: &Utf8Path| self.workspace.project_view(path).root == view.root;
        let mut rest = Vec::new();
        for path in self.workspace.block_folders().iter().filter(|path| is_of(path)) {
            let path = shown(path, view);
            rest.push(msg!(
                "left out: {path} is a folder, not a block file",
                "未读取：{path} 是文件夹，不是块文件"
            ));
        }
        // The other kinds of files have said so in their own lines.
        let silent = |path: &Utf8Path| matches!(self.workspace.kind(path), FileKind::Block | FileKind::Other);
        for (path, error) in self.unreadable.iter().filter(|(path, _)| silent(path) && is_of(path)) {
            let (path, why) = (shown(path, view), error.message());
            rest.push(msg!("left out: {path}: {why}", "未读取：{path}：{why}", path = path; why = why));
        }
        for line in &rest {
            self.line(line);
        }
    }

    /// Why a file does not count; `None` where it does.
    fn presence(&self, path: &Utf8Path) -> Option<Message> {
        if let Some(error) = self.unreadable.get(path) {
            return Some(error.message());
        }
        std::fs::metadata(path).is_err().then(|| msg!("not there", "不存在"))
    }

    /// What is to be said of a file that is no block.
    fn state(&self, path: &Utf8Path) -> Message {
        if let Some(state) = self.presence(path) {
            return state;
        }
        let Some(found) = self.workspace.findings(self.workspace.file(path)) else {
            return msg!("found", "已找到");
        };
        let all = found.diagnostics.len();
        let errors = found.diagnostics.iter().filter(|it| it.severity == Severity::Error).count();
        let plural = if all == 1 { "" } else { "s" };
        match (all, errors) {
            (0, _) => msg!("no findings", "没有诊断"),
            (_, 0) => {
                Message::new(format!("{all} finding{plural}, no error"), format!("{all} 条诊断，没有错误"))
            }
            _ => Message::new(
                format!("{all} finding{plural} (errors: {errors})"),
                format!("{all} 条诊断，其中错误 {errors} 条"),
            ),
        }
    }
}

/// The path from the project's root where it lies in it.
fn shown(path: &Utf8Path, view: &ProjectView) -> String {
    path.strip_prefix(&view.root).unwrap_or(path).to_string()
}

fn layer_name(layer: Layer) -> Message {
    match layer {
        Layer::BuiltIn => msg!("built-in layer", "内置层"),
        Layer::User => msg!("user layer", "用户层"),
        Layer::Source => msg!("source code layer", "源代码层"),
        Layer::Project => msg!("project layer", "项目层"),
        Layer::Local => msg!("local layer", "本地层"),
    }
}
