//! The file format: header with spans, template syntax in chunked incremental trees.

mod around;
mod body;
mod braces;
mod condition;
mod control;
mod document;
mod fence;
mod header;
mod name;
mod reading;
mod references;
mod text;
mod token;
mod tree;

pub(crate) use around::OpenTag;
pub use body::{Body, ChunkView};
pub use condition::{Comparison, Condition, Operand, parse_condition, single_tag};
pub(crate) use condition::{condition_of, operand};
pub(crate) use control::{Branching, OpenTags};
pub use control::{TagPair, TokenRef};
pub use document::Document;
pub(crate) use fence::{Fence, prose};
pub use header::parse_header;
pub(crate) use header::{Given, Line, Property, header_of};
pub use name::{KEYWORDS, first_segment, is_dotted_name, is_identifier, is_name, is_reference_name};
pub(crate) use name::{is_foreign_elseif, is_reference_byte};
pub use text::Text;
pub use token::{Control, Malformed, Part, PartKind, State, Token, TokenKind, Tokens};

/// The control word of a tag's text, the slash of a closer left out.
pub fn keyword_of(tag: &str) -> &str {
    let word = tag.trim_start_matches(['{', ' ', '\t', '/']);
    word.split(|c: char| !c.is_ascii_lowercase()).next().unwrap_or(word)
}
