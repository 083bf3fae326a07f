//! Numbers for paths, and what kind of file a path names.

use camino::{Utf8Path, Utf8PathBuf};
use dashmap::DashMap;
use promptblock_core::FileId;
use std::sync::{PoisonError, RwLock};

/// Extension of block files.
pub(crate) const BLOCK_EXTENSION: &str = "promptblock";
/// Name of a project's configuration.
pub(crate) const CONFIG_NAME: &str = "promptblock.toml";
/// Name of the file of sample environments.
pub(crate) const ENVIRONMENTS_NAME: &str = "promptblock.env.json";
/// Name of the file of tool schemas.
pub(crate) const TOOLS_NAME: &str = "promptblock.tools.json";
/// Name of the catalog that is not committed.
pub(crate) const LOCAL_CATALOG_NAME: &str = "promptblock.catalog.local.json";

/// What a file is to its project.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FileKind {
    /// A block.
    Block,
    /// A catalog of any layer.
    Catalog,
    /// The sample environments.
    Environments,
    /// `promptblock.toml`.
    Config,
    /// The tool schemas.
    Tools,
    /// Instructions that the project's framework adds to the prompt.
    Instructions,
    /// A source file, whether it registers anything or not.
    Source,
    /// Nothing that counts.
    Other,
}

/// Numbers paths, for good: a path keeps its number while the program runs.
#[derive(Debug, Default)]
pub(crate) struct Files {
    ids: DashMap<Utf8PathBuf, FileId>,
    paths: RwLock<Vec<Utf8PathBuf>>,
    /// Numbers of the blocks that a source file registers: the project knows each as a file of its own.
    parts: DashMap<(FileId, usize), FileId>,
    /// The file that such a block stands in.
    wholes: DashMap<FileId, FileId>,
}

impl Files {
    /// The number of a path.
    pub(crate) fn id(&self, path: &Utf8Path) -> FileId {
        if let Some(id) = self.ids.get(path) {
            return *id;
        }
        let mut paths = self.paths.write().unwrap_or_else(PoisonError::into_inner);
        *self.ids.entry(path.to_owned()).or_insert_with(|| {
            paths.push(path.to_owned());
            FileId(u32::try_from(paths.len() - 1).unwrap_or(u32::MAX))
        })
    }

    /// The number of a block that a source file registers, by its place among them.
    pub(crate) fn part(&self, file: FileId, index: usize) -> FileId {
        *self.parts.entry((file, index)).or_insert_with(|| {
            let path = self.path(file);
            let mut paths = self.paths.write().unwrap_or_else(PoisonError::into_inner);
            paths.push(path);
            let part = FileId(u32::try_from(paths.len() - 1).unwrap_or(u32::MAX));
            self.wholes.insert(part, file);
            part
        })
    }

    /// The file that a block stands in: itself, but for those that source code registers.
    pub(crate) fn whole(&self, file: FileId) -> FileId {
        self.wholes.get(&file).map_or(file, |whole| *whole)
    }

    /// The path of a number.
    pub(crate) fn path(&self, file: FileId) -> Utf8PathBuf {
        let paths = self.paths.read().unwrap_or_else(PoisonError::into_inner);
        paths.get(file.0 as usize).cloned().unwrap_or_default()
    }
}

/// A path without `.`, `..` and doubled separators, from the root. Symbolic links stay as they are.
pub(crate) fn absolute(path: &Utf8Path, from: &Utf8Path) -> Utf8PathBuf {
    let mut out = Utf8PathBuf::new();
    for part in from.join(path).components() {
        match part {
            camino::Utf8Component::CurDir => {}
            camino::Utf8Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}
