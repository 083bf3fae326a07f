//! A project: its configuration, the index of its blocks, and the rules across files.

mod config;

pub use config::{Config, parse_config};
