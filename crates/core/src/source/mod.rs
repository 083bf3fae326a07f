//! Blocks and variables where they are registered: in TypeScript and JavaScript. [S0] [S1]
//!
//! A registration is found by its call, whatever the receiver is called. Its text, where it is literal, is a block of its own with
//! an offset map to the source ([`Cooked`]); everything else is *computed* and never guessed at.

mod bindings;
mod calls;
mod cooked;
mod judged;
mod literal;
mod registration;
mod tree;
mod value;

#[cfg(test)]
mod tests;

pub use cooked::{Cooked, Quote, escaped};
pub use judged::{Part, catalog_of, parts};
pub(crate) use literal::read as read_literal;
pub use registration::{
    Field, Framework, Kind, Registration, SourceBlock, SourceFile, SourceVariable, Unread,
};
pub use tree::Kept;

use memchr::memmem;

/// A larger file is no source that somebody writes but what a bundler made; parsing it would only make the editor hang.
pub const LARGEST: usize = 512 * 1024;

/// The language of a source file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// TypeScript, where `<T>x` is a cast.
    TypeScript,
    /// TypeScript with tags, and JavaScript, which the grammar holds.
    Tsx,
}

impl Dialect {
    /// The extensions of source files.
    pub const EXTENSIONS: [&'static str; 8] = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

    /// The dialect of a file with that extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        match extension {
            "ts" | "mts" | "cts" => Some(Self::TypeScript),
            "tsx" | "js" | "jsx" | "mjs" | "cjs" => Some(Self::Tsx),
            _ => None,
        }
    }

    fn language(self) -> tree_sitter::Language {
        match self {
            Self::TypeScript => tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
            Self::Tsx => tree_sitter_typescript::LANGUAGE_TSX.into(),
        }
    }
}

/// The places of `prompt` and `systemPrompt` that a registering method follows: where there is none, nothing need be parsed.
fn mentions(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let blank = |at: usize| {
        let rest = bytes.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|b| b.is_ascii_whitespace()).count()
    };
    let follows = |at: usize| {
        let mut at = blank(at);
        at += usize::from(bytes.get(at) == Some(&b'!'));
        at = blank(at);
        at += usize::from(bytes.get(at) == Some(&b'?'));
        if bytes.get(at) != Some(&b'.') {
            return false;
        }
        let method = bytes.get(blank(at + 1)..).unwrap_or_default();
        calls::METHODS.iter().any(|name| method.starts_with(name.as_bytes()))
    };
    let found = memmem::find_iter(bytes, b"rompt").filter(|at| follows(at + "rompt".len()));
    found.collect()
}

/// Whether a text may hold registrations.
pub fn may_register(text: &str) -> bool {
    !mentions(text).is_empty()
}
