//! A language client as small as can be, for sessions with the real server over its standard input and output; and the
//! projects that it opens.
//!
//! Whatever goes wrong here is a failed test, so it panics with what it knows.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

mod binary;
mod client;
mod edit;
mod project;
mod text;

pub use binary::binary;
pub use client::{Client, Published, Start};
pub use edit::applied;
pub use project::{Project, uri};
pub use text::{Dice, Encoding, offset, position, range, range_of};
