//! What the model is sent: sample environments, values, rendering.

mod environment;

pub use environment::{Environment, Environments, parse_environments};
