//! Where files that are no blocks name variables: catalogs, sample environments, source code. And how a name is written there.
//!
//! A variable, the field of an environment that holds its value and the field that a `when` asks for are one name.

mod json;
mod source;

pub use json::{in_catalog, in_environments};
pub use source::{in_part, in_source, prose_from};

use super::references::{Subject, references};
use crate::source::Quote;
use crate::span::Span;
use crate::syntax::Document;
use std::sync::Arc;

/// What a place is to the name that stands there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PlaceKind {
    /// It is used: in a tag of a block.
    Use,
    /// It is introduced: by a catalog, a registration, a loop, a header.
    Declaration,
    /// The `when` of a catalog entry asks for it.
    Predicate,
    /// A field of a sample environment, or of those that source code hands over.
    Field,
}

/// How the name is written at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Written {
    /// As it is.
    Plain,
    /// In a string of JavaScript or JSON.
    Literal(Quote),
    /// As `{name}` in an object of JavaScript, which is key and value in one.
    Shorthand,
    /// As a value of YAML, quotes included.
    Scalar,
    /// In pieces: nobody can write another one there.
    Pieces,
}

/// A place that names something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The name alone: without quotes, without fields.
    pub span: Span,
    /// What it is there.
    pub kind: PlaceKind,
    /// How it is written.
    pub written: Written,
}

/// A place with the name that stands there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// The name, without fields.
    pub name: Arc<str>,
    /// Where.
    pub place: Place,
    /// The catalog entry or the environment that it belongs to.
    pub owner: Arc<str>,
}

/// The places of a block that name `subject`, in order.
pub fn in_block(document: &Document, subject: &Subject) -> Vec<Place> {
    let written = if matches!(subject, Subject::Block(_)) { Written::Scalar } else { Written::Plain };
    let place = |span, declares| {
        let kind = if declares { PlaceKind::Declaration } else { PlaceKind::Use };
        Place { span, kind, written }
    };
    references(document, subject).into_iter().map(|one| place(one.span, one.declares)).collect()
}

/// The name that the cursor at `at` touches.
pub fn name_at(names: &[Name], at: u32) -> Option<&Name> {
    names.iter().find(|name| name.place.span.touches(at))
}

#[cfg(test)]
mod tests;
