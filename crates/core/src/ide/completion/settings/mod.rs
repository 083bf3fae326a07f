//! Completion in a project's own files: catalogs, sample environments, the configuration.

mod catalog;
mod config;
mod environments;
mod json;

use super::Completions;
use crate::Locale;
use crate::assemble::Environments;
use crate::lint::Judge;
use crate::project::Index;
use std::sync::Arc;

/// Which file it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SettingsFile {
    /// A catalog of variables.
    Catalog,
    /// `promptblock.env.json`
    Environments,
    /// `promptblock.toml`
    Config,
}

/// What a project knows that its files may name.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    /// Catalog, profile.
    pub judge: &'a Judge,
    /// The blocks.
    pub index: &'a Index,
    /// The sample environments, as they could last be read.
    pub environments: &'a Environments,
    /// Fields that source code is known to give every environment. [S0]
    pub fields: &'a [Arc<str>],
    /// The reader's language.
    pub locale: Locale,
    /// Whether the editor completes JSON from its schema by itself. Then only what no schema can know is offered.
    pub schema: bool,
}

/// What may be put in at byte `at` of the file.
pub fn completions_in_settings(cx: &Settings<'_>, file: SettingsFile, text: &str, at: u32) -> Completions {
    if !text.is_char_boundary(at as usize) {
        return Completions::default();
    }
    let mut all = match file {
        SettingsFile::Catalog => catalog::completions(cx, text, at),
        SettingsFile::Environments => environments::completions(cx, text, at),
        SettingsFile::Config => config::completions(cx, text, at),
    };
    all.items.sort_by(|a, b| a.sort_text.cmp(&b.sort_text));
    all
}
