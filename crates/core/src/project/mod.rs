//! A project: its configuration, the index of its blocks, and the rules across files.

pub(crate) mod config;
mod index;
mod moved;
pub(crate) mod orders;

pub use config::{
    CATALOG_NAME, Config, ContextPlacement, FirstCatalog, UNLISTED_TOOLS, is_plain, parse_config,
    parse_config_after,
};
pub use index::{BlockFacts, Index, Origin};
pub use moved::moved;
