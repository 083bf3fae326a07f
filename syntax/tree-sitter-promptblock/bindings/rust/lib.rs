//! The tree-sitter grammar of prompt block files.
//!
//! ```
//! let mut parser = tree_sitter::Parser::new();
//! parser
//!     .set_language(&tree_sitter_promptblock::LANGUAGE.into())
//!     .expect("the parser's ABI is one that the library knows");
//! let tree = parser.parse("---\nid: bot:hello\n---\nHello", None).expect("no time limit is set");
//! assert!(!tree.root_node().has_error());
//! ```

use tree_sitter_language::LanguageFn;

unsafe extern "C" {
    fn tree_sitter_promptblock() -> *const ();
}

/// The language, to be handed to `tree_sitter::Parser::set_language`.
// SAFETY: the function is the one that the generated parser defines for this purpose.
pub const LANGUAGE: LanguageFn = unsafe { LanguageFn::from_raw(tree_sitter_promptblock) };

/// The node types and their fields, as JSON.
pub const NODE_TYPES: &str = include_str!("../../src/node-types.json");

/// Colours.
pub const HIGHLIGHTS_QUERY: &str = include_str!("../../queries/highlights.scm");
/// The languages of the header and of the body.
pub const INJECTIONS_QUERY: &str = include_str!("../../queries/injections.scm");
/// What can be folded.
pub const FOLDS_QUERY: &str = include_str!("../../queries/folds.scm");
/// Scopes.
pub const LOCALS_QUERY: &str = include_str!("../../queries/locals.scm");

#[cfg(test)]
mod tests;
