//! Walks a folder: block files, and the folders that are projects of their own.

use crate::files::{BLOCK_EXTENSION, CONFIG_NAME};
use crate::read::ReadError;
use camino::{Utf8Path, Utf8PathBuf};
use ignore::WalkBuilder;

/// What a walk found, in the order of the paths.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Every file that is not ignored. Which of them are catalogs is known only when the configuration is read.
    pub(crate) files: Vec<Utf8PathBuf>,
    /// Folders that are called like a block file.
    pub(crate) block_folders: Vec<Utf8PathBuf>,
    /// Paths that cannot be read, or are not UTF-8, with the reason.
    pub(crate) errors: Vec<(Utf8PathBuf, ReadError)>,
}

/// Walks `root`. `.gitignore` counts without a repository too; hidden folders and `node_modules` are skipped, symbolic links
/// not followed.
pub(crate) fn walk(root: &Utf8Path) -> Found {
    walk_by(root, true)
}

/// The same as if there were no `.gitignore`.
pub(crate) fn walk_ignored_too(root: &Utf8Path) -> Found {
    walk_by(root, false)
}

fn walk_by(root: &Utf8Path, rules: bool) -> Found {
    let mut found = Found::default();
    // Above a repository's root its rules end; without one the rules of the folders above are nobody's business.
    let in_repository = root.ancestors().any(|folder| folder.join(".git").exists());
    let walk = WalkBuilder::new(root)
        // Hidden folders are skipped, hidden files are not.
        .hidden(false)
        .parents(rules && in_repository)
        .git_ignore(rules)
        .ignore(false)
        .git_global(false)
        .git_exclude(rules && in_repository)
        .require_git(false)
        .filter_entry(|entry| {
            let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
            entry.depth() == 0 || !is_folder || !entry.file_name().to_str().is_some_and(is_skipped)
        })
        .sort_by_file_path(Ord::cmp)
        .build();
    for entry in walk {
        match entry {
            Ok(entry) => {
                let Some(path) = Utf8Path::from_path(entry.path()) else {
                    let shown = Utf8PathBuf::from(entry.path().to_string_lossy().into_owned());
                    found.errors.push((shown, ReadError::NameNotUtf8));
                    continue;
                };
                let is_block = path.extension() == Some(BLOCK_EXTENSION);
                match entry.file_type() {
                    Some(kind) if kind.is_dir() && is_block && entry.depth() > 0 => {
                        found.block_folders.push(path.to_owned());
                    }
                    Some(kind) if kind.is_dir() => {}
                    // A link is not followed; a pipe called `x.promptblock` is said to be no file when it is read.
                    Some(kind) if kind.is_symlink() => {}
                    Some(_) => found.files.push(path.to_owned()),
                    None => {}
                }
            }
            Err(error) => {
                let path = failed_path(&error).unwrap_or_else(|| root.to_owned());
                let text = error.to_string();
                let why = error.into_io_error().map_or(ReadError::Io(text), ReadError::from);
                found.errors.push((path, why));
            }
        }
    }
    found
}

/// Whether a folder of that name is passed over.
fn is_skipped(folder: &str) -> bool {
    folder.starts_with('.') || folder == "node_modules"
}

fn failed_path(error: &ignore::Error) -> Option<Utf8PathBuf> {
    match error {
        ignore::Error::WithPath { path, .. } => Utf8PathBuf::from_path_buf(path.clone()).ok(),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => failed_path(err),
        _ => None,
    }
}

/// Whether `path` lies below `root` in a folder that is passed over for its name.
pub(crate) fn is_in_skipped(root: &Utf8Path, path: &Utf8Path) -> bool {
    let folder = path.strip_prefix(root).ok().and_then(Utf8Path::parent);
    folder.is_some_and(|folder| folder.components().any(|part| is_skipped(part.as_str())))
}

/// Whether a walk of `root` would pass over `path`, which lies below it.
pub(crate) fn is_ignored(root: &Utf8Path, path: &Utf8Path) -> bool {
    if !path.starts_with(root) {
        return false;
    }
    if is_in_skipped(root, path) {
        return true;
    }
    let in_repository = root.ancestors().any(|folder| folder.join(".git").exists());
    let folders = path.ancestors().skip(1).take_while(|folder| in_repository || folder.starts_with(root));
    for folder in folders {
        let file = folder.join(".gitignore");
        if file.is_file() {
            let (rules, _) = ignore::gitignore::Gitignore::new(&file);
            match rules.matched_path_or_any_parents(path, false) {
                ignore::Match::None => {}
                // The rules nearest to the file win.
                decided => return decided.is_ignore(),
            }
        }
        if folder.join(".git").exists() {
            break;
        }
    }
    false
}

/// The nearest folder at or above `folder` that holds a `promptblock.toml`.
pub fn project_above(folder: &Utf8Path) -> Option<Utf8PathBuf> {
    folder.ancestors().find(|above| above.join(CONFIG_NAME).is_file()).map(Utf8Path::to_owned)
}
