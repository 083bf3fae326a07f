//! What follows a file or folder that gets another name or place.

use crate::files::{BLOCK_EXTENSION, CONFIG_NAME};
use crate::fixes::FileEdits;
use crate::workspace::Workspace;
use camino::{Utf8Component, Utf8Path, Utf8PathBuf};
use promptblock_core::ide::rename::id_edit;
use promptblock_core::project::{moved, parse_config};

/// So many blocks must have the habit before it is one.
const HABIT: usize = 3;

impl Workspace {
    /// The changes of configurations that name something on the way, each as from its old path to its new one.
    pub fn configs_after_move(&self, moves: &[(Utf8PathBuf, Utf8PathBuf)]) -> Vec<FileEdits> {
        let mut files = Vec::new();
        for project in self.projects() {
            let root = &project.root;
            let path = root.join(CONFIG_NAME);
            // One that moves along finds its files where they were.
            if moves.iter().any(|(from, _)| path.starts_with(from)) {
                continue;
            }
            let Some((text, version)) = self.versioned_text(self.files.id(&path)) else { continue };
            let written = text.to_string();
            let (config, _) = parse_config(&written);
            let mut edits = Vec::new();
            for (from, to) in moves {
                edits.extend(moved(&written, &config, &relative(from, root), &relative(to, root)));
            }
            edits.sort_by_key(|edit| edit.span);
            // Where a folder and a file in it move at once, the folder comes first.
            edits.dedup_by_key(|edit| edit.span);
            if !edits.is_empty() {
                files.push(FileEdits { path, text, version, creates: false, edits });
            }
        }
        files
    }

    /// The change of a block's id to that of its file's new name, where every block of the project is called as its file, and there are
    /// several. This workspace has just been refreshed.
    pub fn id_after_move(&self, from: &Utf8Path, to: &Utf8Path) -> Option<FileEdits> {
        let is_block = |path: &Utf8Path| path.extension() == Some(BLOCK_EXTENSION);
        let new = to.file_stem().filter(|stem| !stem.trim().is_empty() && is_block(to))?;
        if !is_block(from) || from.file_stem() == Some(new) {
            return None;
        }
        let project = self.project_view(from);
        let mut blocks = 0;
        for (file, facts) in project.index.blocks().filter(|(file, _)| !self.is_registered(*file)) {
            let path = self.files.path(file);
            if last(facts.header.id()?) != path.file_stem()? {
                return None;
            }
            blocks += 1;
        }
        let file = self.files.id(from);
        let old = project.index.block(file)?.header.id()?;
        let id = format!("{}{new}", &old[..old.len() - last(old).len()]);
        if blocks < HABIT || project.index.has_id(&id) {
            return None;
        }
        let (path, text, version, document) = self.block(file, &project)?;
        let edits = vec![id_edit(&document, &id).ok()?];
        Some(FileEdits { path, text, version, creates: false, edits })
    }
}

/// What stands behind the plugin in an id.
fn last(id: &str) -> &str {
    id.rsplit(':').next().unwrap_or(id)
}

/// A path as it is called in a folder, with `/`; with `..` where it lies outside. Empty for the folder and what is above it.
fn relative(path: &Utf8Path, folder: &Utf8Path) -> String {
    if folder.starts_with(path) {
        return String::new();
    }
    let above = folder.ancestors().position(|above| path.starts_with(above)).unwrap_or_default();
    let common = folder.ancestors().nth(above).unwrap_or(folder);
    let inside = path.strip_prefix(common).unwrap_or(path);
    let names = inside.components().filter(|part| matches!(part, Utf8Component::Normal(_)));
    let names = names.map(|part| part.as_str());
    std::iter::repeat_n("..", above).chain(names).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_from_a_folder() {
        let from = |path: &str, folder: &str| relative(Utf8Path::new(path), Utf8Path::new(folder));
        assert_eq!(from("/a/b/c", "/a"), "b/c");
        assert_eq!(from("/a/b", "/a/c"), "../b");
        assert_eq!(from("/a/b/c", "/a/d/e"), "../../b/c");
        assert_eq!(
            (from("/a", "/a"), from("/", "/a"), from("/a", "/a/b")),
            (String::new(), String::new(), String::new())
        );
        assert_eq!(from("/ab", "/a"), "../ab");
    }

    #[test]
    fn ids_behind_the_plugin() {
        assert_eq!((last("a:b:c"), last("c"), last("a:")), ("c", "c", ""));
    }
}
