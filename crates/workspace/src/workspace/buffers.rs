//! Open buffers, which win over the disk.

use super::{Workspace, lock};
use crate::files::{CONFIG_NAME, FileKind};
use crate::open::{OpenFile, OpenText};
use crate::project::new_revision;
use crate::read::{ReadError, read};
use camino::Utf8Path;
use promptblock_core::FileId;
use ropey::Rope;
use std::sync::{Arc, Mutex};

impl Workspace {
    pub(crate) fn open_file(&self, file: FileId) -> Option<Arc<Mutex<OpenFile>>> {
        self.open.get(&file).map(|entry| Arc::clone(&entry))
    }

    /// Opens a buffer; it wins over the disk from here on.
    pub fn open(&self, path: &Utf8Path, version: i32, text: &str) -> FileId {
        let file = self.files.id(path);
        if path.file_name() == Some(CONFIG_NAME) {
            self.project_of.clear();
        }
        let project = self.project(path);
        let kind = project.kind(path, self.user_catalog().as_deref());
        let profile = Arc::clone(&project.judge().profile);
        let is_second = kind == FileKind::Block && self.first_name(path).is_some();
        let open = OpenFile::new(kind, version, text, profile, is_second);
        self.open.insert(file, Arc::new(Mutex::new(open)));
        lock(&self.changed).insert(file);
        file
    }

    /// Edits an open buffer. `false` where the path is not open.
    pub fn change(&self, path: &Utf8Path, version: i32, edit: impl FnOnce(&mut OpenText<'_>)) -> bool {
        let file = self.files.id(path);
        let Some(open) = self.open_file(file) else { return false };
        let mut open = lock(&open);
        open.version = version;
        open.revision = new_revision();
        edit(&mut OpenText { content: &mut open.content });
        drop(open);
        lock(&self.changed).insert(file);
        true
    }

    /// Closes a buffer; the disk counts again.
    pub fn close(&self, path: &Utf8Path) {
        let file = self.files.id(path);
        if self.open.remove(&file).is_some() {
            lock(&self.changed).insert(file);
        }
    }

    /// The open buffers.
    pub fn open_files(&self) -> Vec<FileId> {
        let mut files: Vec<FileId> = self.open.iter().map(|entry| *entry.key()).collect();
        files.sort_unstable();
        files
    }

    /// The text of a path: the open buffer's, else the disk's.
    pub(super) fn source(&self, path: &Utf8Path) -> Result<String, ReadError> {
        match self.open_file(self.files.id(path)) {
            Some(open) => Ok(lock(&open).text().to_string()),
            None => read(path),
        }
    }

    /// The text of a file with its version, where an open buffer holds it.
    pub(crate) fn versioned_text(&self, file: FileId) -> Option<(Rope, Option<i32>)> {
        match self.open_file(file) {
            Some(open) => {
                let open = lock(&open);
                Some((open.text().clone(), Some(open.version)))
            }
            None => Some((Rope::from_str(&read(&self.files.path(file)).ok()?), None)),
        }
    }

    /// The text of a file: the open buffer's, else the disk's; empty where there is none.
    pub fn text(&self, file: FileId) -> Rope {
        let file = self.files.whole(file);
        match self.open_file(file) {
            Some(open) => lock(&open).text().clone(),
            None => read(&self.files.path(file)).map(|text| Rope::from_str(&text)).unwrap_or_default(),
        }
    }
}
