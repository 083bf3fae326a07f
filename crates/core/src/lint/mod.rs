//! The rules: one file a rule or family, and one registry of codes.
//!
//! Three levels, by what an edit makes them look at again: the chunk (`chunk.rs`), the file (`file.rs`), the project
//! ([`crate::project`]).

pub mod across;
mod chunk;
mod code;
mod file;
mod judge;

mod argument_count;
mod endless_while;
mod escaped_variable;
mod id_without_prefix;
mod inert_tag;
mod invalid_expression;
mod literal_braces;
mod malformed_reference;
mod missing_prompt;
mod mutability_undetermined;
mod mutable_in_system;
mod no_catalog;
mod not_a_list;
mod order_off_band;
mod order_out_of_range;
mod stray_brace;
mod template_not_enabled;
mod unclosed_tag;
mod unexpected_tag;
mod unknown_variable;
mod volatile_literal;
mod zone_mismatch;

#[cfg(test)]
#[path = "explain/examples.rs"]
mod examples;
#[cfg(test)]
mod false_alarms;
#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod properties;

pub(crate) use chunk::ChunkVerdict;
pub use code::{Code, Fade};
pub use file::finish;
pub(crate) use file::{Names, judge_body, judge_file, judge_header, judge_text};
pub use judge::{Judge, Position};
