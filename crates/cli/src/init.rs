//! `promptblock init [PATH]`: configuration, catalog, environment and one block to begin with, never over what is there.

use crate::failure::Failure;
use crate::named::working_directory;
use crate::surroundings;
use crate::visible::visible;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::block::Zone;
use promptblock_core::{Locale, msg};
use promptblock_workspace::Workspace;
use std::collections::BTreeSet;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use tempfile::NamedTempFile;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder that becomes a project; it is made where there is none. The working directory by default.
    #[arg(default_value = ".", value_parser = crate::named::path)]
    path: Utf8PathBuf,
}

const CONFIG: &str = "promptblock.toml";
const CATALOG: &str = "promptblock.catalog.json";
const ENVIRONMENTS: &str = "promptblock.env.json";
const BLOCK: &str = "blocks/persona.promptblock";
/// The id of the block where no other has it.
const ID: &str = "example:persona";

/// What the files say in one language.
struct Texts {
    config: &'static str,
    catalog: &'static str,
    /// The catalog for the block without a template.
    plain_catalog: &'static str,
    environments: &'static str,
    block: &'static str,
    /// The block without a template: sound in every profile and with every catalog.
    plain_block: &'static str,
}

macro_rules! texts {
    ($folder:literal) => {
        Texts {
            config: include_str!(concat!("init/", $folder, "/promptblock.toml")),
            catalog: include_str!(concat!("init/", $folder, "/promptblock.catalog.json")),
            plain_catalog: include_str!(concat!("init/", $folder, "/plain.catalog.json")),
            environments: include_str!(concat!("init/", $folder, "/promptblock.env.json")),
            block: include_str!(concat!("init/", $folder, "/blocks/persona.promptblock")),
            plain_block: include_str!(concat!("init/", $folder, "/blocks/plain.promptblock")),
        }
    };
}

const fn texts(locale: Locale) -> Texts {
    match locale {
        Locale::En => texts!("en"),
        Locale::ZhCn => texts!("zh-CN"),
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    // `./promptblock.toml` says no more than `promptblock.toml`.
    let folder = arguments.path.strip_prefix(".").unwrap_or(&arguments.path);
    let locale = surroundings::of_system();
    let failed = |path: &Utf8Path, error: &std::io::Error| {
        let what = match error.kind() {
            ErrorKind::AlreadyExists | ErrorKind::NotADirectory => {
                msg!("a file stands where a folder is needed", "需要文件夹的位置上是一个文件")
            }
            ErrorKind::PermissionDenied => {
                msg!("cannot be written: permission denied", "无法写入：没有权限")
            }
            _ => msg!("cannot be written: {error}", "无法写入：{error}"),
        };
        Failure::new(format!("{path}: {}", what.text(locale)))
    };
    if arguments.path.metadata().is_ok_and(|it| !it.is_dir()) {
        let what = msg!("not a folder", "不是文件夹");
        return Err(Failure::new(format!("{folder}: {}", what.text(locale))));
    }
    let taken = |name: &str| folder.join(name).symlink_metadata().is_ok();
    for name in [CONFIG, CATALOG, ENVIRONMENTS, BLOCK] {
        if folder.join(name).is_dir() {
            let what = msg!("is a folder, not a file", "是文件夹，不是文件");
            return Err(Failure::new(format!("{}: {}", folder.join(name), what.text(locale))));
        }
    }
    let names = [CONFIG, CATALOG, ENVIRONMENTS, BLOCK];
    let mut begun = Begun::default();
    let texts = texts(locale);
    // A catalog or profile that was there before may not know the variable of the block.
    let knows_variable = !taken(CONFIG) && !taken(CATALOG);
    let block = fitting(if knows_variable { texts.block } else { texts.plain_block }, folder)?;
    let catalog = if knows_variable { texts.catalog } else { texts.plain_catalog };
    for (name, text) in names.into_iter().zip([texts.config, catalog, texts.environments, &block]) {
        if !taken(name) {
            begun.prepare(folder.join(name), text).map_err(|(path, error)| failed(&path, &error))?;
        }
    }
    let created = begun.finish().map_err(|(path, error)| failed(&path, &error))?;
    let mut out = std::io::stdout().lock();
    for name in names {
        let path = folder.join(name);
        let what = if created.contains(&path) {
            msg!("created {path}", "已创建 {path}")
        } else {
            msg!("kept    {path}, which was there already", "已保留 {path}，它原本就在")
        };
        writeln!(out, "{}", visible(what.text(locale)))?;
    }
    let any = !created.is_empty();
    let last = if any {
        msg!("`promptblock check` judges the project.", "用 `promptblock check` 检查这个项目。")
    } else {
        msg!("Nothing to do: every file was there already.", "无事可做：所有文件都已存在。")
    };
    writeln!(out, "{}", last.text(locale))?;
    Ok(ExitCode::SUCCESS)
}

/// The block with an id and an order that no block of the project has.
fn fitting(block: &str, folder: &Utf8Path) -> Result<String, Failure> {
    let root = Workspace::absolute(folder, &working_directory()?);
    if !root.is_dir() {
        return Ok(block.to_owned());
    }
    let workspace = Workspace::new(surroundings::options(None));
    workspace.add_folder(&root);
    workspace.load(&|_| {}, &AtomicBool::new(false));
    // Without a configuration of its own the folder may lie in a project, until now.
    let views = workspace.projects();
    let all = || views.iter().flat_map(|view| view.index.blocks()).map(|(_, facts)| &facts.header);
    let ids: BTreeSet<&str> = all().filter_map(|header| header.id()).map(|id| &**id).collect();
    let system = all().filter(|header| header.zone() == Some(Zone::System));
    let orders: Vec<f64> =
        system.filter_map(|header| header.order.as_ref().map(|order| order.value)).collect();
    let id = (2..).map(|number| format!("{ID}-{number}"));
    let id = std::iter::once(ID.to_owned()).chain(id).find(|id| !ids.contains(&**id));
    #[expect(clippy::float_cmp, reason = "orders are the same or not")]
    let order = (0..=1000).find(|order| !orders.iter().any(|taken| *taken == f64::from(*order)));
    let block = block.replacen(ID, &id.unwrap_or_default(), 1);
    Ok(block.replacen("order: 0", &format!("order: {}", order.unwrap_or_default()), 1))
}

/// Files that are written under other names, and get their own only when all are.
#[derive(Default)]
struct Begun {
    files: Vec<(Utf8PathBuf, NamedTempFile)>,
    /// Folders that were made for them, the outermost first.
    folders: Vec<Utf8PathBuf>,
    created: Vec<Utf8PathBuf>,
}

type Failed = (Utf8PathBuf, std::io::Error);

impl Begun {
    fn prepare(&mut self, path: Utf8PathBuf, text: &str) -> Result<(), Failed> {
        let folder = path.parent().filter(|folder| !folder.as_str().is_empty());
        let folder = folder.unwrap_or(Utf8Path::new(".")).to_owned();
        let file = self.make_folder(&folder).map_err(|error| (folder.clone(), error))?;
        let file = file.and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            Ok(file)
        });
        match file {
            Ok(file) => self.files.push((path, file)),
            Err(error) => return Err((path, error)),
        }
        Ok(())
    }

    /// Makes a folder with those above it, and begins a file in it.
    fn make_folder(&mut self, folder: &Utf8Path) -> std::io::Result<std::io::Result<NamedTempFile>> {
        let missing = folder.ancestors().take_while(|it| !it.as_str().is_empty() && !it.exists());
        for folder in missing.collect::<Vec<_>>().into_iter().rev() {
            std::fs::create_dir(folder)?;
            self.folders.push(folder.to_owned());
        }
        if !folder.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".promptblock-init-");
        // A temporary file is its owner's alone; this one becomes an ordinary file, as the umask says.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        Ok(builder.tempfile_in(folder))
    }

    /// Gives the files their names, none over another file. Gives those that are new.
    fn finish(mut self) -> Result<Vec<Utf8PathBuf>, Failed> {
        for (path, file) in std::mem::take(&mut self.files) {
            match file.persist_noclobber(&path) {
                Ok(_) => self.created.push(path),
                // Somebody else was faster.
                Err(failed) if failed.error.kind() == ErrorKind::AlreadyExists => {}
                Err(failed) => return Err((path, failed.error)),
            }
        }
        self.folders.clear();
        Ok(std::mem::take(&mut self.created))
    }
}

/// Where not all could be written, nothing is left of what was. There is nobody to tell where that fails too.
impl Drop for Begun {
    fn drop(&mut self) {
        self.files.clear();
        for path in &self.created {
            let _ = std::fs::remove_file(path);
        }
        for folder in self.folders.iter().rev() {
            let _ = std::fs::remove_dir(folder);
        }
    }
}
