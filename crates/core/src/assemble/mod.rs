//! What the model is sent: sample environments, values, rendering.

mod decimal;
mod environment;
pub mod estimate;
mod value;

pub use environment::{Environment, Environments, parse_environments};
pub use value::{Lookup, count, holds, is_true, is_truthy, spell, value_of};
