//! `promptblock.toml`.

mod fault;
mod pattern;
mod reader;
mod table;

#[cfg(test)]
mod tests;

pub use pattern::is_plain;
pub(crate) use reader::{KEYS, SEVERITIES, VOCABULARIES};
pub use reader::{parse_config, parse_config_after};

use crate::assemble::Vocabulary;
use crate::diagnostic::Severity;
use crate::lint::Code;
use crate::message::Locale;
use crate::profile::{Bands, Profile};
use crate::span::Spanned;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What a project's configuration says; what it does not say stands at its default.
#[derive(Clone, PartialEq, Debug)]
pub struct Config {
    /// Whether the whole file could be read as TOML.
    pub readable: bool,
    /// Which framework's rules hold.
    pub profile: Arc<Profile>,
    /// Name of the default sample environment.
    pub environment: Option<Spanned<Arc<str>>>,
    /// Globs of catalog files, from the project's root. None of these leads out of it.
    pub catalogs: Vec<String>,
    /// Globs of source files; `None` where the default holds.
    pub sources: Option<Vec<String>>,
    /// Globs of files that are left out, with those of what lies in a folder that is named.
    pub exclude: Vec<String>,
    /// Every glob that is written in the file and counts, with its place. Whether it is one is for those to say who match paths.
    pub globs: Vec<Spanned<Arc<str>>>,
    /// Language of the messages.
    pub locale: Option<Locale>,
    /// Name of the token vocabulary: `o200k`, `cl100k`, `estimate`.
    pub vocabulary: Arc<str>,
    /// Changed severities; `None` is off.
    pub severity: FxHashMap<Code, Option<Severity>>,
    /// Most tokens of the system zone.
    pub budget_system: Option<u64>,
    /// Most tokens of the context zone.
    pub budget_context: Option<u64>,
    /// The bands in force: the file's, else the profile's.
    pub bands: Bands,
    /// The order of the tools in the prefix, `<unlisted-tools>` among them; by name where there is none.
    pub tool_order: Option<Vec<Spanned<Arc<str>>>>,
    /// Where the contexts stand.
    pub context_placement: ContextPlacement,
}

impl Config {
    /// Where a first catalog belongs: the first path in `catalogs`, else one that a pattern there finds.
    pub fn first_catalog(&self) -> FirstCatalog {
        let is_free = |pattern: &&String| is_plain(pattern) && !OWN_NAMES.contains(&&***pattern);
        let plain = self.catalogs.iter().find(is_free).cloned();
        let path = plain.or_else(|| self.catalogs.iter().find_map(|pattern| pattern::example(pattern)));
        path.map_or_else(|| FirstCatalog::Nowhere(self.catalogs.clone()), FirstCatalog::At)
    }

    /// What blocks are counted with to see whether they keep to a budget; `None` where there is none.
    pub fn counts(&self) -> Option<Vocabulary> {
        let is_budgeted = self.budget_system.is_some() || self.budget_context.is_some();
        is_budgeted.then(|| Vocabulary::from_name(&self.vocabulary).unwrap_or_default())
    }
}

/// Where a project that has no catalog should have one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FirstCatalog {
    /// At that path, from the project's root.
    At(String),
    /// Nobody knows a path: no file is found by these patterns.
    Nowhere(Vec<String>),
}

/// The catalog of a project that names none.
pub const CATALOG_NAME: &str = "promptblock.catalog.json";

/// Files that have another meaning, whatever pattern finds them.
const OWN_NAMES: [&str; 3] = ["promptblock.toml", "promptblock.env.json", "promptblock.catalog.local.json"];

/// The entry of `tool_order` that stands for every tool not named.
pub const UNLISTED_TOOLS: &str = "<unlisted-tools>";

/// Where the texts of the context zone stand among the messages. [S3]
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ContextPlacement {
    /// As messages before the input, as the profile has it.
    #[default]
    Messages,
    /// In the input's message.
    Input,
}

impl ContextPlacement {
    /// Every placement.
    pub const ALL: [Self; 2] = [Self::Messages, Self::Input];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Input => "input",
        }
    }
}

impl Default for Config {
    fn default() -> Self {
        let profile = Profile::blocks();
        Self {
            readable: true,
            bands: Bands(profile.bands.clone()),
            profile,
            environment: None,
            catalogs: vec![CATALOG_NAME.to_owned()],
            sources: None,
            exclude: Vec::new(),
            globs: Vec::new(),
            locale: None,
            vocabulary: "o200k".into(),
            severity: FxHashMap::default(),
            budget_system: None,
            budget_context: None,
            tool_order: None,
            context_placement: ContextPlacement::default(),
        }
    }
}
