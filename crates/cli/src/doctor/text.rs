//! What was found, one fact a line.

use super::sources::{NotRead, Sources};
use super::{CONFIG, ENVIRONMENTS, Found, GRAMMAR_ABI, LOCAL_CATALOG, TOOLS, shown};
use crate::visible::visible;
use camino::Utf8Path;
use promptblock_core::catalog::{Layer, Variable};
use promptblock_core::{Locale, Message, Severity, msg};
use promptblock_workspace::ProjectView;

/// So many excluded files are named.
const MOST_NAMES: usize = 10;

/// The whole sheet.
pub(super) fn lines(found: &Found, locale: Locale) -> String {
    let mut sheet = Sheet { found, locale, lines: String::new() };
    sheet.general();
    for view in &found.projects {
        sheet.lines.push('\n');
        sheet.project(view);
    }
    sheet.lines
}

/// The lines, and what they are made from.
struct Sheet<'a> {
    found: &'a Found,
    locale: Locale,
    lines: String,
}

impl Sheet<'_> {
    fn line(&mut self, message: &Message) {
        self.lines.push_str(&visible(message.text(self.locale)));
        self.lines.push('\n');
    }

    fn general(&mut self) {
        let version = env!("CARGO_PKG_VERSION");
        let (abi, (least, most)) = (super::abi(), GRAMMAR_ABI);
        self.line(&msg!(
            "promptblock {version}; tree-sitter grammar with ABI {abi} ({least} to {most} can be read)",
            "promptblock {version}；tree-sitter 语法的 ABI 为 {abi}（可读取 {least} 到 {most}）"
        ));
        self.line(&msg!("language of the system: English", "系统语言：简体中文"));
        let here = self.found.here.clone();
        self.line(&msg!("working directory: {here}", "工作目录：{here}"));
        match self.found.user_catalog.clone() {
            Some(path) => {
                let state = self.found.presence(&path);
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
        } else if *root == self.found.here {
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
        self.besides(view);
        self.blocks(view);
        self.sources(view);
    }

    /// What stands in the prompt besides the blocks: tools and instructions.
    fn besides(&mut self, view: &ProjectView) {
        let state = self.state(&view.root.join(TOOLS));
        let count = view.frame.tools.as_ref().map_or(0, |tools| tools.list.len());
        self.line(&match count {
            0 => msg!("tool schemas: {TOOLS}, {state}", "工具定义：{TOOLS}，{state}", TOOLS = TOOLS; state = state),
            _ => msg!(
                "tool schemas: {TOOLS}, {count} read, {state}",
                "工具定义：{TOOLS}，已读 {count} 个，{state}", TOOLS = TOOLS, count = count; state = state
            ),
        });
        for path in view.instruction_paths.iter() {
            let state = self.found.presence(path).unwrap_or_else(|| msg!("found", "已找到"));
            let path = shown(path, view);
            self.line(&msg!("instructions: {path}, {state}", "指令文件：{path}，{state}", path = path; state = state));
        }
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
        if let Some(path) = self.found.user_catalog.clone().filter(|path| path.exists()) {
            self.catalog(view, Layer::User, &path);
        }
        for path in self.found.project_catalogs(view) {
            self.catalog(view, Layer::Project, &path);
        }
        self.catalog(view, Layer::Local, &view.root.join(LOCAL_CATALOG));

        let count = view.judge.catalog.iter().count();
        self.line(&msg!(
            "variables known: {count}, `prompt` among them",
            "已知变量：{count} 个，其中包括 `prompt`"
        ));
        for (above, below) in self.found.shadows(view) {
            let name = &above.name;
            let (wins, hidden) = (self.origin(view, above), self.origin(view, below));
            self.line(&msg!(
                "`{name}`: {wins} shadows {hidden}",
                "`{name}`：{wins}遮盖了{hidden}", name = name; wins = wins, hidden = hidden
            ));
        }
    }

    fn catalog(&mut self, view: &ProjectView, layer: Layer, path: &Utf8Path) {
        let count = self.found.entries(view, layer, path);
        let state = self.state(path);
        let state = match (self.found.presence(path), count) {
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
                let path = shown(&self.found.workspace.path(definition.file), view);
                msg!("{layer} ({path})", "{layer}（{path}）", path = path; layer = layer)
            }
            None => layer,
        }
    }

    fn blocks(&mut self, view: &ProjectView) {
        let count = view.index.len();
        self.line(&msg!("blocks: {count}", "块：{count} 个"));
        let mut rest = Vec::new();
        for (path, why) in self.found.left_out(view) {
            let path = shown(&path, view);
            rest.push(match why {
                Some(error) => {
                    let why = error.message();
                    msg!("left out: {path}: {why}", "未读取：{path}：{why}", path = path; why = why)
                }
                None => msg!(
                    "left out: {path} is a folder, not a block file",
                    "未读取：{path} 是文件夹，不是块文件"
                ),
            });
        }
        let passed_over = self.found.workspace.left_out(&view.root);
        let excluded = passed_over.excluded.len();
        if excluded > 0 {
            let names = passed_over.excluded.iter().map(|path| shown(path, view));
            let mut names: Vec<String> = names.take(MOST_NAMES).collect();
            if excluded > MOST_NAMES {
                names.push("…".to_owned());
            }
            let (en, zh) = (names.join(", "), names.join("、"));
            rest.push(Message::new(
                format!("excluded by {CONFIG}: {excluded} ({en})"),
                format!("由 {CONFIG} 排除：{excluded} 个（{zh}）"),
            ));
        }
        let ignored = passed_over.ignored;
        if ignored > 0 {
            rest.push(msg!("ignored by .gitignore: {ignored}", "由 .gitignore 忽略：{ignored} 个"));
        }
        for line in &rest {
            self.line(line);
        }
    }

    /// What source code registers, and each thing of it that could not be read.
    fn sources(&mut self, view: &ProjectView) {
        let Sources { files, blocks, variables, fields, unread } = Sources::of(self.found, view);
        self.line(&msg!(
            "source files that register something: {files} (blocks: {blocks}, variables: {variables}, environment fields: {fields})",
            "注册了内容的源文件：{files} 个（块 {blocks} 个，变量 {variables} 个，环境字段 {fields} 个）"
        ));
        for NotRead { path, line, column, call, name, why } in unread {
            let what = match (call, name) {
                (Some(call), Some(name)) => format!("{call} `{name}`: "),
                (Some(call), None) => format!("{call}: "),
                (None, _) => String::new(),
            };
            self.line(&msg!(
                "not read: {path}:{line}:{column}: {what}{why}",
                "无法读取：{path}:{line}:{column}：{what}{why}", path = path, line = line, column = column, what = what; why = why
            ));
        }
    }

    /// What is to be said of a file that is no block.
    fn state(&self, path: &Utf8Path) -> Message {
        if let Some(state) = self.found.presence(path) {
            return state;
        }
        let Some(found) = self.found.workspace.findings(self.found.workspace.file(path)) else {
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

fn layer_name(layer: Layer) -> Message {
    match layer {
        Layer::BuiltIn => msg!("built-in layer", "内置层"),
        Layer::User => msg!("user layer", "用户层"),
        Layer::Source => msg!("source code layer", "源代码层"),
        Layer::Project => msg!("project layer", "项目层"),
        Layer::Local => msg!("local layer", "本地层"),
    }
}
