//! The files and folders that a command's arguments name, with the projects they lie in.

use crate::failure::{Failure, say};
use crate::progress::ProgressLine;
use crate::surroundings;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::{Locale, Message, msg};
use promptblock_workspace::{FileKind, ReadError, Workspace, project_above};
use std::io::Read;
use std::sync::atomic::AtomicBool;

/// A workspace that holds what is named.
pub(crate) struct Named {
    pub(crate) workspace: Workspace,
    /// The working directory.
    pub(crate) here: Utf8PathBuf,
    /// Absolute paths of what was named and is there.
    pub(crate) paths: Vec<Utf8PathBuf>,
    /// What could not be read, and why. It has been said.
    pub(crate) unreadable: Vec<(String, Message)>,
}

/// The working directory.
pub(crate) fn working_directory() -> Result<Utf8PathBuf, Failure> {
    Utf8PathBuf::from_path_buf(std::env::current_dir()?).map_err(|path| {
        let path = path.display();
        let what = msg!("the working directory {path} is not UTF-8", "工作目录 {path} 不是 UTF-8");
        Failure::new(what.text(surroundings::of_system()))
    })
}

impl Named {
    /// What stands below `given`; below the working directory where nothing is given. `environment` is the sample environment
    /// to judge in.
    pub(crate) fn paths(
        given: &[Utf8PathBuf],
        environment: Option<String>,
        line: &mut ProgressLine,
    ) -> Result<Self, Failure> {
        let mut named = Self::empty(environment)?;
        let default = [Utf8PathBuf::from(".")];
        for path in if given.is_empty() { &default[..] } else { given } {
            let full = Workspace::absolute(path, &named.here);
            match std::fs::metadata(&full) {
                Ok(meta) => {
                    // No link is followed on the way through a folder, but whoever names one means what it leads to.
                    let full = if meta.is_dir() { resolved(full, &named.here) } else { full };
                    let folder = if meta.is_dir() { &full } else { full.parent().unwrap_or(&full) };
                    let inside = full.starts_with(&named.here);
                    named.workspace.add_folder(if inside { &named.here } else { folder });
                    named.step_into(folder);
                    let first = if meta.is_dir() { None } else { named.workspace.first_name(&full) };
                    named.paths.push(first.unwrap_or(full));
                }
                Err(error) => {
                    let why = ReadError::of(&full, error).message();
                    named.complain(relative(&full, &named.here), why);
                }
            }
        }
        if !named.paths.is_empty() {
            named.load(line);
        }
        Ok(named)
    }

    /// The text of standard input, as if it stood at `path`; outside of any project it is alone.
    pub(crate) fn standard_input(
        path: &Utf8Path,
        environment: Option<String>,
        line: &mut ProgressLine,
    ) -> Result<Self, Failure> {
        let mut named = Self::empty(environment)?;
        let path = Workspace::absolute(path, &named.here);
        let text = standard_input()?;
        let folder = path.parent().unwrap_or(&named.here);
        if path.starts_with(&named.here) {
            named.workspace.add_folder(&named.here);
            named.step_into(folder);
        } else if project_above(folder).is_some() {
            named.workspace.add_folder(folder);
        }
        named.workspace.open(&path, 0, &text);
        named.paths.push(path);
        named.load(line);
        Ok(named)
    }

    /// Whoever names something in an inner project means that project, whatever one around it excludes.
    fn step_into(&self, folder: &Utf8Path) {
        if let Some(root) = project_above(folder).filter(|root| root.starts_with(&self.here)) {
            self.workspace.add_folder(&root);
        }
    }

    fn empty(environment: Option<String>) -> Result<Self, Failure> {
        let here = working_directory()?;
        let workspace = Workspace::new(surroundings::options(environment));
        Ok(Self { workspace, here, paths: Vec::new(), unreadable: Vec::new() })
    }

    fn load(&mut self, line: &mut ProgressLine) {
        let workspace = &self.workspace;
        let mut strangers = Vec::new();
        workspace.load(&|progress| line.update(progress), &AtomicBool::new(false));
        let open: Vec<Utf8PathBuf> =
            workspace.open_files().into_iter().map(|file| workspace.path(file)).collect();
        for path in self.paths.iter().filter(|path| !path.is_dir() || open.contains(*path)) {
            match workspace.kind(path) {
                FileKind::Block | FileKind::Source => workspace.add_file(path),
                FileKind::Catalog
                | FileKind::Environments
                | FileKind::Config
                | FileKind::Tools
                | FileKind::Instructions => {}
                FileKind::Other => {
                    let what = msg!(
                        "neither a block (`*.promptblock`) nor a file of a project",
                        "既不是块（`*.promptblock`），也不是项目文件"
                    );
                    strangers.push((relative(path, &self.here), what));
                }
            }
        }
        workspace.refresh();
        line.clear();
        for (path, why) in strangers {
            self.complain(path, why);
        }
        self.say_passed_over();
    }

    /// Says of a folder that is named why nothing is said of it.
    fn say_passed_over(&self) {
        let locale = surroundings::of_system();
        for folder in self.paths.iter().filter(|path| path.is_dir()) {
            let Some(why) = self.workspace.passed_over(folder) else { continue };
            let reasons = [
                (why.ignored, msg!("by .gitignore", ".gitignore")),
                (why.excluded, msg!("by `exclude` in promptblock.toml", "promptblock.toml 的 `exclude`")),
                (
                    why.hidden,
                    msg!("as hidden folders and node_modules are", "隐藏文件夹和 node_modules 一律跳过"),
                ),
            ];
            let reasons = reasons.iter().filter(|(holds, _)| *holds).map(|(_, reason)| reason.text(locale));
            let reasons = reasons.collect::<Vec<_>>().join(match locale {
                Locale::En => " and ",
                Locale::ZhCn => "，",
            });
            let what = msg!(
                "every block in it is passed over, {reasons}; one that is named is checked all the same",
                "其中的块全部被跳过（{reasons}）；直接指明的文件仍会检查"
            );
            say(format!("{}: {}", shown_folder(folder, &self.here), what.text(locale)));
        }
    }

    /// Says why a path cannot be read, and keeps it in mind.
    fn complain(&mut self, path: String, why: Message) {
        say(format!("{path}: {}", why.text(surroundings::of_system())));
        self.unreadable.push((path, why));
    }

    /// Whether a path is named, or lies below one that is.
    pub(crate) fn holds(&self, path: &Utf8Path) -> bool {
        self.paths.iter().any(|named| path.starts_with(named))
    }

    /// Says which of the files that are named or that everything depends on cannot be read.
    pub(crate) fn say_unreadable(&mut self) {
        let locale = surroundings::of_system();
        for (path, error) in self.workspace.unreadable() {
            if self.holds(&path) || path.file_name().is_some_and(|name| name.starts_with("promptblock.")) {
                self.complain(relative(&path, &self.here), error.message());
            }
        }
        for path in self.workspace.block_folders().iter().filter(|path| self.holds(path)) {
            let what = msg!("is a folder, not a block file", "是文件夹，不是块文件");
            say(format!("{}: {}", relative(path, &self.here), what.text(locale)));
        }
    }
}

/// A folder that is named, without the links in it that lie below the working directory.
pub(crate) fn resolved(path: Utf8PathBuf, working_directory: &Utf8Path) -> Utf8PathBuf {
    let (Ok(real), Ok(here)) = (path.canonicalize_utf8(), working_directory.canonicalize_utf8()) else {
        return path;
    };
    match real.strip_prefix(&here) {
        Ok(inside) if inside.as_str().is_empty() => working_directory.to_owned(),
        Ok(inside) => working_directory.join(inside),
        Err(_) if path.starts_with(working_directory) => real,
        Err(_) => path,
    }
}

/// A folder as printed.
fn shown_folder(folder: &Utf8Path, here: &Utf8Path) -> String {
    let shown = relative(folder, here);
    if shown.is_empty() { ".".to_owned() } else { shown }
}

/// A path that is given. An empty one is nobody's working directory, but a variable of a script that is not set.
pub(crate) fn path(given: &str) -> Result<Utf8PathBuf, &'static str> {
    if given.is_empty() { Err("empty") } else { Ok(given.into()) }
}

/// All of standard input.
pub(crate) fn standard_input() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    std::io::stdin().lock().read_to_end(&mut bytes).map_err(|error| {
        let what = msg!("standard input cannot be read: {error}", "无法读取标准输入：{error}");
        Failure::new(what.text(surroundings::of_system()))
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let what = msg!(
            "standard input is not UTF-8: byte {at} fits no character",
            "标准输入不是 UTF-8：第 {at} 字节不成字符"
        );
        Failure::new(what.text(surroundings::of_system()))
    })
}

/// The path as printed: from the working directory, with `/`.
pub(crate) fn relative(path: &Utf8Path, here: &Utf8Path) -> String {
    let mut up = String::new();
    let slashes = |path: &Utf8Path| path.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/");
    for above in here.ancestors() {
        if let Ok(inside) = path.strip_prefix(above) {
            return format!("{up}{}", slashes(inside));
        }
        up.push_str("../");
    }
    path.to_string()
}
