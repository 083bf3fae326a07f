//! `promptblock doctor [PATH]`: what was found and from where.

mod json;
mod sources;
mod text;

use crate::assemble::print_json;
use crate::failure::Failure;
use crate::opened::{self, Place};
use crate::surroundings;
use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueEnum;
use promptblock_core::catalog::{Definition, Layer, Variable};
use promptblock_core::{Message, msg};
use promptblock_workspace::{FileKind, ProjectView, ReadError, Workspace};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file or folder of the project; the working directory by default.
    #[arg(default_value = ".", value_parser = crate::named::path)]
    path: Utf8PathBuf,
    /// How to print it.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// One fact a line.
    Text,
    /// One JSON object.
    Json,
}

const CONFIG: &str = "promptblock.toml";
const ENVIRONMENTS: &str = "promptblock.env.json";
const TOOLS: &str = "promptblock.tools.json";
const LOCAL_CATALOG: &str = "promptblock.catalog.local.json";
/// The oldest and newest version of tables that can be read.
const GRAMMAR_ABI: (usize, usize) =
    (tree_sitter::MIN_COMPATIBLE_LANGUAGE_VERSION, tree_sitter::LANGUAGE_VERSION);

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let locale = surroundings::of_system();
    let Place { path, is_folder, root, here } = Place::of(&arguments.path)?;
    let user_catalog = surroundings::user_folder().map(|folder| folder.join("catalog.json"));
    let workspace = opened::read(&root, None, arguments.format == Format::Json);
    let is_asked_for = |view: &ProjectView| {
        view.root == root || (is_folder && view.root.starts_with(&path) && view.root.starts_with(&root))
    };
    let projects: Vec<ProjectView> = workspace.projects().into_iter().filter(is_asked_for).collect();

    let unreadable = workspace.unreadable().into_iter().collect();
    let found = Found { workspace, here, user_catalog, unreadable, projects };
    match arguments.format {
        Format::Text => {
            std::io::stdout().lock().write_all(text::lines(&found, locale).as_bytes())?;
        }
        Format::Json => print_json(&json::object(&found, locale))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// What was found.
struct Found {
    workspace: Workspace,
    here: Utf8PathBuf,
    user_catalog: Option<Utf8PathBuf>,
    unreadable: BTreeMap<Utf8PathBuf, ReadError>,
    /// Those that were asked for, by root.
    projects: Vec<ProjectView>,
}

impl Found {
    /// Why a file does not count; `None` where it does.
    fn presence(&self, path: &Utf8Path) -> Option<Message> {
        if let Some(error) = self.unreadable.get(path) {
            return Some(error.message());
        }
        std::fs::metadata(path).is_err().then(|| msg!("not there", "不存在"))
    }

    /// The catalog files of the project layer, there or not.
    fn project_catalogs(&self, view: &ProjectView) -> BTreeSet<Utf8PathBuf> {
        let local = view.root.join(LOCAL_CATALOG);
        // A name without a pattern is looked for, so its absence is worth a line.
        let named = view.config.catalogs.iter().filter(|glob| promptblock_core::project::is_plain(glob));
        let mut paths: BTreeSet<Utf8PathBuf> =
            named.map(|name| Workspace::absolute(Utf8Path::new(name), &view.root)).collect();
        let found = self.workspace.all_findings().into_iter().map(|found| found.path);
        let found = found.chain(self.unreadable.keys().cloned());
        paths.extend(found.filter(|path| {
            path.starts_with(&view.root)
                && *path != local
                && Some(path) != self.user_catalog.as_ref()
                && self.workspace.kind(path) == FileKind::Catalog
                && self.workspace.project_view(path).root == view.root
        }));
        paths
    }

    /// How many variables a catalog file defines.
    fn entries(&self, view: &ProjectView, layer: Layer, path: &Utf8Path) -> usize {
        let file = self.workspace.file(path);
        let of_file = |definition: Option<Definition>| definition.is_some_and(|it| it.file == file);
        let entries = view.catalogs.iter().filter(|catalog| catalog.layer == layer);
        let entries = entries.flat_map(|catalog| &catalog.variables);
        entries.filter(|variable| of_file(variable.definition)).count()
    }

    /// Variables that hide others, by name: each with what it hides at once.
    fn shadows<'a>(&self, view: &'a ProjectView) -> Vec<(&'a Variable, &'a Variable)> {
        let mut variables: Vec<_> = view.judge.catalog.iter().collect();
        variables.sort_by(|a, b| a.name.cmp(&b.name));
        let mut all = Vec::new();
        for variable in variables {
            let mut above: &Variable = variable;
            while let Some(below) = &above.shadows {
                all.push((above, &**below));
                above = below;
            }
        }
        all
    }

    /// What cannot be read though it is called like a block; without a reason where it is a folder.
    fn left_out(&self, view: &ProjectView) -> Vec<(Utf8PathBuf, Option<ReadError>)> {
        let is_of = |path: &Utf8Path| self.workspace.project_view(path).root == view.root;
        let folders = self.workspace.block_folders().into_iter().filter(|path| is_of(path));
        // The other kinds of files have said so in their own lines.
        let silent = |path: &Utf8Path| matches!(self.workspace.kind(path), FileKind::Block | FileKind::Other);
        let files = self.unreadable.iter().filter(|(path, _)| silent(path) && is_of(path));
        let files = files.map(|(path, error)| (path.clone(), Some(error.clone())));
        folders.map(|path| (path, None)).chain(files).collect()
    }
}

/// The version of the grammar's tables.
fn abi() -> usize {
    tree_sitter::Language::new(tree_sitter_prompt_template::LANGUAGE).abi_version()
}

/// The path from the project's root where it lies in it.
fn shown(path: &Utf8Path, view: &ProjectView) -> String {
    path.strip_prefix(&view.root).unwrap_or(path).to_string()
}
