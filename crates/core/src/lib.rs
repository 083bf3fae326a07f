//! Prompt blocks: their syntax, the variable catalog, the diagnostics and the editor features.
//!
//! Pure: no I/O, no async, no LSP types, no global state. Offsets are bytes. Nothing here fails: parsing gives a
//! value and a list of diagnostics, whatever the input.

pub mod assemble;
pub mod block;
pub mod catalog;
pub mod diagnostic;
pub mod excerpt;
pub mod fix;
pub mod ide;
pub mod jsonc;
pub mod lint;
pub mod message;
pub mod nearest;
pub mod profile;
pub mod project;
pub mod refactor;
pub mod source;
pub mod span;
pub mod syntax;

pub use diagnostic::{Diagnostic, FileId, Owner, Related, Remedy, Severity};
pub use lint::Code;
pub use message::{Locale, Message};
pub use span::{Span, Spanned};
