//! Rules across the files of a project.

mod duplicate_id;
mod multiple_complete;
mod order_conflict;
mod over_budget;
mod replaced_by_complete;
mod unused_variable;

pub(crate) use duplicate_id::check as duplicate_id;
pub(crate) use multiple_complete::check as multiple_complete;
pub(crate) use order_conflict::check as order_conflict;
pub use over_budget::{check as over_budget, spent};
pub(crate) use replaced_by_complete::check as replaced_by_complete;
pub use unused_variable::check as unused_variables;

/// So many other places are named; a thousand files with one id need no thousand links each.
const MOST_RELATED: usize = 8;
