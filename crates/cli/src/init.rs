//! `promptblock init [PATH]`: configuration, catalog, environment and one block to begin with, never over what is there.

use crate::failure::Failure;
use crate::surroundings;
use crate::visible::visible;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::{Locale, msg};
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The folder that becomes a project; it is made where there is none. The working directory by default.
    #[arg(default_value = ".")]
    path: Utf8PathBuf,
}

const CONFIG: &str = "promptblock.toml";
const CATALOG: &str = "promptblock.catalog.json";
const ENVIRONMENTS: &str = "promptblock.env.json";
const BLOCK: &str = "blocks/persona.promptblock";

/// What the files say in one language.
struct Texts {
    config: &'static str,
    catalog: &'static str,
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
    // The folder of the block first: where it cannot be made, nothing is written at all.
    if !taken(BLOCK) {
        let blocks = folder.join("blocks");
        std::fs::create_dir_all(&blocks).map_err(|error| failed(&blocks, &error))?;
    }

    let texts = texts(locale);
    // A catalog or profile that was there before may not know the variable of the block.
    let block = if taken(CONFIG) || taken(CATALOG) { texts.plain_block } else { texts.block };
    let mut out = std::io::stdout().lock();
    let mut any = false;
    for (name, text) in
        [(CONFIG, texts.config), (CATALOG, texts.catalog), (ENVIRONMENTS, texts.environments), (BLOCK, block)]
    {
        let path = folder.join(name);
        let is_new = !taken(name) && create(&path, text).map_err(|error| failed(&path, &error))?;
        any |= is_new;
        let what = if is_new {
            msg!("created {path}", "已创建 {path}")
        } else {
            msg!("kept    {path}, which was there already", "已保留 {path}，它原本就在")
        };
        writeln!(out, "{}", visible(what.text(locale)))?;
    }
    let last = if any {
        msg!("`promptblock check` judges the project.", "用 `promptblock check` 检查这个项目。")
    } else {
        msg!("Nothing to do: every file was there already.", "无事可做：所有文件都已存在。")
    };
    writeln!(out, "{}", last.text(locale))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes a new file whole or not at all. Gives `false` where somebody else was faster.
fn create(path: &Utf8Path, text: &str) -> std::io::Result<bool> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".promptblock-init-");
    // A temporary file is its owner's alone; this one becomes an ordinary file, as the umask says.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let folder = path.parent().filter(|folder| !folder.as_str().is_empty());
    let mut file = builder.tempfile_in(folder.unwrap_or(Utf8Path::new(".")))?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(true),
        Err(failed) if failed.error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(failed) => Err(failed.error),
    }
}
