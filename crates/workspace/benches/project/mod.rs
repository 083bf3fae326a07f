//! A project on disk to measure with.

use camino::{Utf8Path, Utf8PathBuf};
use promptblock_workspace::{Options, Workspace};
use std::fs;
use std::sync::atomic::AtomicBool;

/// A project that goes away with the value.
pub(crate) struct Project {
    pub(crate) root: Utf8PathBuf,
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.root);
    }
}

impl Project {
    /// One with these files, each a name and a text.
    pub(crate) fn new<'a>(name: &str, files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let name = format!("promptblock-bench-{name}-{}", std::process::id());
        let project =
            Self { root: Utf8PathBuf::from_path_buf(std::env::temp_dir()).unwrap_or_default().join(name) };
        project.write("promptblock.toml", "");
        for (name, text) in files {
            project.write(name, text);
        }
        project
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text));
        assert!(made.is_ok(), "cannot write {path}");
    }

    /// A workspace that has read all of it.
    pub(crate) fn workspace(&self) -> Workspace {
        let workspace = Workspace::new(Options::default());
        workspace.add_folder(&self.root);
        workspace.load(&|_| {}, &AtomicBool::new(false));
        workspace
    }

    pub(crate) fn path(&self, name: impl AsRef<Utf8Path>) -> Utf8PathBuf {
        self.root.join(name)
    }
}
