//! The files that a configuration names.

use super::Workspace;
use crate::discover::walk;
use crate::files::absolute;
use crate::project::parse_glob;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::project::is_plain;

/// So many patterns of one configuration at most are compared with the files.
const MOST: usize = 256;

impl Workspace {
    /// For each path or pattern of a configuration in `root` the file that it means: a path, if there is a file; a pattern, if exactly
    /// one file fits it. The folders are walked once, where a pattern is among them.
    pub fn named_files(root: &Utf8Path, globs: &[&str]) -> Vec<Option<Utf8PathBuf>> {
        let is_pattern = |glob: &str| !is_plain(glob);
        let walked = if globs.iter().any(|glob| is_pattern(glob)) { walk(root).files } else { Vec::new() };
        let one = |(number, glob): (usize, &&str)| {
            if !is_pattern(glob) {
                return Some(absolute(Utf8Path::new(glob), root)).filter(|path| path.is_file());
            }
            let matcher =
                parse_glob(glob.trim_start_matches("./")).ok().filter(|_| number < MOST)?.compile_matcher();
            let fits =
                |path: &&Utf8PathBuf| path.strip_prefix(root).is_ok_and(|inside| matcher.is_match(inside));
            let mut fitting = walked.iter().filter(fits);
            match (fitting.next(), fitting.next()) {
                (Some(only), None) => Some(only.clone()),
                _ => None,
            }
        };
        globs.iter().enumerate().map(one).collect()
    }
}
