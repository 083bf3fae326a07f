//! A project: its configuration, the index of its blocks, and the rules across files.

mod config;
mod index;
pub(crate) mod orders;

pub use config::{Config, ContextPlacement, UNLISTED_TOOLS, parse_config, parse_config_after};
pub use index::{BlockFacts, Index, Origin};
