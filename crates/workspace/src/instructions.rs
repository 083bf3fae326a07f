//! The files with instructions that a framework adds to the prompt: the user's own, and the nearest one from the project's folder up to
//! the root of its git repository. Nothing else outside of a project is read. [S4]

use crate::files::Files;
use crate::read::ReadError;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::assemble::Instruction;
use promptblock_core::profile::Instructions;
use std::fs;
use std::io::Read;

/// Where they may lie: the places that were looked at, the last of them where there is one.
#[derive(Debug)]
pub(crate) struct Places {
    pub(crate) user: Option<Utf8PathBuf>,
    /// From the project's folder upwards.
    pub(crate) project: Vec<Utf8PathBuf>,
}

impl Places {
    /// The places for the project at `root`; `home` is the user's folder.
    pub(crate) fn of(rules: &Instructions, root: &Utf8Path, home: Option<&Utf8Path>) -> Self {
        let user = home.map(|home| home.join(&*rules.user_folder).join(&*rules.name));
        let mut project = Vec::new();
        for folder in root.ancestors() {
            let path = folder.join(&*rules.name);
            let is_there = path.is_file();
            project.push(path);
            if is_there || folder.join(".git").exists() {
                break;
            }
        }
        Self { user, project }
    }

    /// Every place.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Utf8PathBuf> {
        self.user.iter().chain(&self.project)
    }

    /// What lies there, and what cannot be read.
    pub(crate) fn read(
        &self,
        rules: &Instructions,
        files: &Files,
    ) -> (Vec<Instruction>, Vec<(Utf8PathBuf, ReadError)>) {
        let (mut found, mut unreadable) = (Vec::new(), Vec::new());
        let nearest = self.project.last().filter(|nearest| Some(*nearest) != self.user.as_ref());
        for (path, is_users) in self.user.iter().map(|path| (path, true)).chain(nearest.map(|it| (it, false)))
        {
            match head(path, rules.limit) {
                Ok((text, cut)) => {
                    let file = files.id(path);
                    found.push(Instruction { file, path: path.to_string(), is_users, text, cut });
                }
                Err(ReadError::Missing | ReadError::NotAFile) => {}
                Err(error) => unreadable.push((path.clone(), error)),
            }
        }
        (found, unreadable)
    }
}

/// No more than `limit` bytes of a text, and whether it goes on.
fn head(path: &Utf8Path, limit: usize) -> Result<(String, bool), ReadError> {
    let meta = fs::metadata(path).map_err(|error| ReadError::of(path, error))?;
    // Opening a pipe would wait for somebody to write.
    if !meta.is_file() {
        return Err(ReadError::NotAFile);
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    let cut = bytes.len() > limit;
    bytes.truncate(limit);
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error();
            // The limit may lie within a character.
            if !cut || at.error_len().is_some() {
                return Err(ReadError::NotUtf8(at.valid_up_to()));
            }
            let mut bytes = error.into_bytes();
            bytes.truncate(at.valid_up_to());
            String::from_utf8(bytes).map_err(|_| ReadError::NotUtf8(at.valid_up_to()))?
        }
    };
    Ok((text, cut))
}

#[cfg(test)]
mod tests {
    use super::*;
    use promptblock_core::profile::Profile;

    fn rules() -> Instructions {
        Profile::named("zcode").and_then(|profile| profile.instructions.clone()).expect("rules")
    }

    fn folder() -> (tempfile::TempDir, Utf8PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = Utf8PathBuf::from_path_buf(folder.path().canonicalize().expect("a path")).expect("UTF-8");
        (folder, path)
    }

    fn write(path: &Utf8Path, text: impl AsRef<[u8]>) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    #[test]
    fn the_nearest_up_to_the_git_root() {
        let (_keep, top) = folder();
        let repository = top.join("repository");
        fs::create_dir_all(repository.join(".git")).expect("a folder");
        let project = repository.join("a/b");
        write(&top.join("AGENTS.md"), "outside");
        write(&project.join("x.promptblock"), "");
        let read = || {
            let places = Places::of(&rules(), &project, Some(&top.join("home")));
            let (found, unreadable) = places.read(&rules(), &Files::default());
            assert_eq!(unreadable, []);
            found.into_iter().map(|it| (it.is_users, it.text)).collect::<Vec<_>>()
        };
        assert_eq!(read(), [], "nothing above the repository");
        write(&repository.join("AGENTS.md"), "root");
        assert_eq!(read(), [(false, "root".to_owned())]);
        write(&repository.join("a/AGENTS.md"), "near");
        write(&top.join("home/.zcode/AGENTS.md"), "mine");
        assert_eq!(
            read(),
            [(true, "mine".to_owned()), (false, "near".to_owned())],
            "one alone of the project"
        );
    }

    #[test]
    fn no_more_than_the_limit() {
        let (_keep, top) = folder();
        let path = top.join("AGENTS.md");
        let text = |path: &Utf8Path| head(path, 102_400);
        write(&path, "a".repeat(102_400));
        assert_eq!(text(&path).map(|(text, cut)| (text.len(), cut)), Ok((102_400, false)));
        write(&path, "你".repeat(40_000));
        assert_eq!(text(&path).map(|(text, cut)| (text.len(), cut)), Ok((102_399, true)), "whole characters");
        write(&path, b"a\xff");
        assert_eq!(text(&path), Err(ReadError::NotUtf8(1)));
        assert_eq!(text(&top), Err(ReadError::NotAFile));
        assert_eq!(text(&top.join("none")), Err(ReadError::Missing));
    }
}
