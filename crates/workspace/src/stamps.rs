//! What the files of the workspace looked like from outside, for those whom nobody tells of changes.

use camino::{Utf8Path, Utf8PathBuf};
use std::collections::BTreeMap;
use std::time::SystemTime;

/// Time and size of each file, as of one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stamps(BTreeMap<Utf8PathBuf, (Option<SystemTime>, u64)>);

impl Stamps {
    /// Notes a file, where there is one.
    pub(crate) fn note(&mut self, path: &Utf8Path) {
        if let Ok(meta) = std::fs::metadata(path)
            && meta.is_file()
        {
            self.0.insert(path.to_owned(), (meta.modified().ok(), meta.len()));
        }
    }

    /// Files that are in one and not in the other, or look different.
    pub fn differences(&self, other: &Self) -> Vec<Utf8PathBuf> {
        let differs = |(path, stamp): &(&Utf8PathBuf, _)| other.0.get(*path) != Some(*stamp);
        let gone = other.0.keys().filter(|path| !self.0.contains_key(*path));
        self.0.iter().filter(differs).map(|(path, _)| path).chain(gone).cloned().collect()
    }
}
