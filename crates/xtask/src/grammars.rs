//! The tree-sitter grammars: their parsers are generated and committed, their queries copied to where Neovim
//! looks for them. Neither may drift from its source.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::tools::Project;

/// A grammar: its folder below `syntax/`, and the language's name in queries and injections.
pub(crate) struct Grammar {
    pub(crate) folder: &'static str,
    language: &'static str,
}

pub(crate) const TEMPLATE: &Grammar =
    &Grammar { folder: "syntax/tree-sitter-prompt-template", language: "prompt_template" };
pub(crate) const BLOCK: &Grammar =
    &Grammar { folder: "syntax/tree-sitter-promptblock", language: "promptblock" };
pub(crate) const ALL: [&Grammar; 2] = [TEMPLATE, BLOCK];

/// Generates the parsers and copies the queries.
pub(crate) fn update(project: &Project) -> Result<()> {
    for grammar in ALL {
        generate(project, grammar)?;
        copy_queries(project, grammar)?;
    }
    Ok(())
}

fn generate(project: &Project, grammar: &Grammar) -> Result<()> {
    let tree_sitter = project.tree_sitter()?;
    project.run(tree_sitter).args(&["generate"]).dir(&project.path(grammar.folder)).run()
}

/// The grammar's own tests; and what is committed must be what its source gives.
pub(crate) fn test(project: &Project, grammar: &Grammar) -> Result<()> {
    let source = project.path(grammar.folder).join("src");
    let before = files_below(&source)?;
    ensure!(before.keys().any(|path| path.ends_with("parser.c")), "{} has no parser.c", source.display());
    generate(project, grammar)?;
    let after = files_below(&source)?;
    let changed: Vec<String> = before
        .keys()
        .chain(after.keys())
        .filter(|path| before.get(*path) != after.get(*path))
        .map(|path| path.display().to_string())
        .collect();
    ensure!(
        changed.is_empty(),
        "the parser is not what its grammar gives; cargo xtask grammars writes it anew: {}",
        changed.join(", ")
    );
    // Without a test the command is content.
    let corpus = project.path(grammar.folder).join("test/corpus");
    ensure!(!files_below(&corpus)?.is_empty(), "{} holds no tests", corpus.display());
    let tree_sitter = project.tree_sitter()?;
    project.run(tree_sitter).args(&["test"]).dir(&project.path(grammar.folder)).run()
}

fn queries(project: &Project, grammar: &Grammar) -> PathBuf {
    project.path(grammar.folder).join("queries")
}

fn copies(project: &Project, grammar: &Grammar) -> PathBuf {
    project.path("editors/neovim/queries").join(grammar.language)
}

fn copy_queries(project: &Project, grammar: &Grammar) -> Result<()> {
    let target = copies(project, grammar);
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    fs::create_dir_all(&target)?;
    for (path, content) in files_below(&queries(project, grammar))? {
        fs::write(target.join(&path), content).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(())
}

/// The copies are the originals, byte for byte, and there are no others.
pub(crate) fn check_copies(project: &Project) -> Result<()> {
    for grammar in ALL {
        let (from, to) = (queries(project, grammar), copies(project, grammar));
        let original = files_below(&from)?;
        ensure!(!original.is_empty(), "{} holds no queries", from.display());
        ensure!(
            original == files_below(&to)?,
            "{} does not hold what {} holds; cargo xtask grammars copies it",
            to.display(),
            from.display()
        );
    }
    Ok(())
}

/// All files of a folder, by path relative to it.
fn files_below(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(relative) = folders.pop() {
        let dir = folder.join(&relative);
        for entry in fs::read_dir(&dir).with_context(|| format!("reading {}", dir.display()))? {
            let entry = entry?;
            let path = relative.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else {
                let content =
                    fs::read(entry.path()).with_context(|| format!("reading {}", path.display()))?;
                files.insert(path, content);
            }
        }
    }
    Ok(files)
}
