//! Folders with files, gone when the test is over.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder of files.
#[derive(Debug)]
pub struct Project {
    root: PathBuf,
}

impl Project {
    /// Writes the files of a fixture: each behind a line `//- path`.
    pub fn new(fixture: &str) -> Self {
        Self::named("project", fixture)
    }

    /// The same in a folder of that name.
    pub fn named(name: &str, fixture: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let above = std::env::temp_dir().join(format!("promptblock-{}-{number}", std::process::id()));
        fs::create_dir_all(&above).unwrap();
        // Where the temporary folder is behind a link, the server and the test must not spell it differently.
        let project = Self { root: above.canonicalize().unwrap().join(name) };
        fs::create_dir_all(&project.root).unwrap();
        for file in fixture.split("//- ").skip(1) {
            let (path, text) = file.split_once('\n').unwrap_or((file, ""));
            project.write(path.trim(), text);
        }
        project
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The place of a file in it.
    pub fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// Writes a file, with the folders above it.
    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// What a file holds.
    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Deletes a file.
    pub fn remove(&self, path: &str) {
        fs::remove_file(self.path(path)).unwrap();
    }

    /// The URI of a file in it, or of the folder itself for an empty path.
    pub fn uri(&self, path: &str) -> String {
        if path.is_empty() { uri(&self.root) } else { uri(&self.path(path)) }
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        if let Some(above) = self.root.parent() {
            let _ = fs::remove_dir_all(above);
        }
    }
}

/// The `file:` URI of a path, spelled as most clients do.
pub fn uri(path: &Path) -> String {
    let path = path.to_str().unwrap().replace('\\', "/");
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { "file:///".to_owned() };
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}
