//! Which files of a project can count at all, told by their paths: for those who have to fetch them one by one.

use crate::files::BLOCK_EXTENSION;
use crate::project::glob_set;
use crate::sources::dialect;
use camino::Utf8Path;
use globset::GlobSet;
use promptblock_core::project::parse_config;

/// The files that a project with a certain configuration may read.
#[derive(Debug)]
pub struct Wanted {
    named: GlobSet,
    /// Name of the files with instructions.
    instructions: Option<Box<str>>,
}

impl Wanted {
    /// By the text of the project's `promptblock.toml`.
    pub fn by(config: &str) -> Self {
        let (config, _) = parse_config(config);
        let mut globs = config.catalogs;
        globs.extend(config.sources.unwrap_or_default());
        let instructions = config.profile.instructions.as_ref().map(|rules| rules.name.clone());
        Self { named: glob_set(&globs), instructions }
    }

    /// Whether a file may count; `inside` is its path from the project's root.
    pub fn holds(&self, inside: &Utf8Path) -> bool {
        let name = inside.file_name().unwrap_or_default();
        inside.extension() == Some(BLOCK_EXTENSION)
            || dialect(inside).is_some()
            || name.starts_with("promptblock.")
            || name == ".gitignore"
            || self.instructions.as_deref() == Some(name)
            || self.named.is_match(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_count() {
        let wanted = Wanted::by("catalogs = [\"./vars/*.data\"]\nsources = [\"lib/*.vue\"]");
        for path in [
            "a.promptblock",
            "x/promptblock.toml",
            "promptblock.env.json",
            ".gitignore",
            "x/y.tsx",
            "vars/a.data",
            "lib/a.vue",
        ] {
            assert!(wanted.holds(Utf8Path::new(path)), "{path}");
        }
        for path in ["a.png", "vars/x/a.data", "a.data", "package.json", "promptblock"] {
            assert!(!wanted.holds(Utf8Path::new(path)), "{path}");
        }
    }
}
