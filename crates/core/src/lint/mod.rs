//! The rules: one file a rule or family, and one registry of codes.

mod code;

pub use code::{Code, Fade};
