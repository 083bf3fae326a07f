//! Finds and reads the files of a project, overlays open buffers, and feeds the core.
//!
//! The command line and the language server both get their findings from [`Workspace::refresh`] and [`Workspace::findings`],
//! so what one shows the other shows. Every method takes `&self` and may be called from any thread; none of them awaits.

mod assembly;
mod discover;
mod files;
mod fix;
mod fixes;
mod instructions;
mod names;
mod open;
mod project;
mod read;
mod sources;
mod stamps;
mod wanted;
mod workspace;

pub use discover::project_above;
pub use files::FileKind;
pub use fix::{Fixed, fix};
pub use fixes::{Changed, FileEdits, Fix, Fixes, Refactored};
pub use names::{Call, Described, FilePlaces, Named, Party, Refusal, RefusedAt, Renamed};
pub use open::{OpenFile, OpenText};
pub use read::{LARGEST, ReadError};
pub use sources::{Registered, Sourced};
pub use stamps::Stamps;
pub use wanted::Wanted;
pub use workspace::{LeftOut, PassedOver, Workspace};

use camino::Utf8PathBuf;
use promptblock_core::assemble::{Environments, Frame};
use promptblock_core::catalog::{CatalogFile, Layer};
use promptblock_core::lint::Judge;
use promptblock_core::project::{Config, Index};
use promptblock_core::span::Span;
use promptblock_core::syntax::Document;
use promptblock_core::{Diagnostic, FileId};
use ropey::Rope;
use std::sync::Arc;

/// What does not depend on the files of the workspace.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder of the user's own catalog (`$XDG_CONFIG_HOME/promptblock`).
    pub user_folder: Option<Utf8PathBuf>,
    /// The user's home folder, where a framework may look for instructions.
    pub home: Option<Utf8PathBuf>,
    /// Name of the environment to judge in, before what `promptblock.toml` says.
    pub environment: Option<String>,
}

/// The findings of one file, with the text that they speak of.
#[derive(Clone, Debug)]
pub struct FileFindings {
    /// Which file.
    pub file: FileId,
    /// Its path.
    pub path: Utf8PathBuf,
    /// The version of the open buffer; none for a file on disk.
    pub version: Option<i32>,
    /// The text: the buffer's, else the disk's.
    pub text: Rope,
    /// Sorted by start, end, code.
    pub diagnostics: Vec<Diagnostic>,
    /// Id and source plugin of the block, where the file is one. [S0]
    pub block: Option<Arc<str>>,
    /// Source plugin of the block.
    pub plugin: Option<Arc<str>>,
}

impl FileFindings {
    /// Id of the block that a finding of this file speaks of. [S0]
    pub fn block_of<'f>(&'f self, finding: &'f Diagnostic) -> Option<&'f str> {
        match &finding.owner {
            Some(owner) => owner.id.as_deref(),
            None => self.block.as_deref(),
        }
    }

    /// Source plugin of the block that a finding of this file speaks of. [S0]
    pub fn plugin_of<'f>(&'f self, finding: &'f Diagnostic) -> Option<&'f str> {
        match &finding.owner {
            Some(owner) => owner.plugin.as_deref(),
            None => self.plugin.as_deref(),
        }
    }
}

/// Everything a feature of an editor needs, as of one moment. Cheap to clone, never changes.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Which file.
    pub file: FileId,
    /// Its path.
    pub path: Utf8PathBuf,
    /// What kind of file.
    pub kind: FileKind,
    /// The version of the open buffer.
    pub version: Option<i32>,
    /// Its text.
    pub text: Rope,
    /// The block, where the file is one; judged.
    pub document: Option<Document>,
    /// The blocks that it registers, where it is source code; judged.
    pub registered: Vec<Registered>,
    /// Its project.
    pub project: ProjectView,
}

/// A project as of one moment.
#[derive(Clone, Debug)]
pub struct ProjectView {
    /// Its root folder.
    pub root: Utf8PathBuf,
    /// `promptblock.toml`, or the defaults.
    pub config: Arc<Config>,
    /// Catalog, bands, profile, environment.
    pub judge: Arc<Judge>,
    /// The blocks of the project.
    pub index: Arc<Index>,
    /// The same of each framework that only source files of the project call.
    pub foreign: Vec<(Arc<Judge>, Arc<Index>)>,
    /// The catalog files that count, with their layers.
    pub catalogs: Arc<[Arc<CatalogFile>]>,
    /// Where these and broken ones lie.
    pub catalog_paths: Arc<[(Layer, Utf8PathBuf)]>,
    /// The sample environments.
    pub environments: Arc<Environments>,
    /// What an assembly has besides blocks and values: the tools, the instructions, how messages are made.
    pub frame: Arc<Frame>,
    /// Where instructions are looked for.
    pub instruction_paths: Arc<[Utf8PathBuf]>,
    /// Another one for every time that configuration, catalogs and environments were read.
    pub settings: u64,
    /// Fields that source code gives every environment, by name, each once.
    known_environment_fields: Arc<[EnvironmentField]>,
}

impl ProjectView {
    /// The fields that the project's source code gives every environment (`ctx.prompt.environment(…)`), sorted by name. [S0]
    pub fn known_environment_fields(&self) -> &[EnvironmentField] {
        &self.known_environment_fields
    }
}

/// A field that source code gives every environment. [S0]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnvironmentField {
    /// Its name.
    pub name: Arc<str>,
    /// Whether it stands under `extra`; a `when` names it all the same.
    pub extra: bool,
    /// The source file that contributes it.
    pub file: FileId,
    /// Its name there, quotes included.
    pub span: Span,
}

/// How far [`Workspace::load`] has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Files read.
    pub done: usize,
    /// Files found.
    pub total: usize,
}
