//! The file format: header with spans, template syntax in chunked incremental trees.

mod condition;
mod header;

pub use condition::{Comparison, Condition, Operand, parse_condition};
pub use header::parse_header;
