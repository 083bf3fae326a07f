//! A header that stands in no block file: the properties of a registration in source code, judged as the keys of a header are.

use super::fields;
use super::scalar::Scalar;
use super::yaml::{Content, Entry, Value};
use crate::block::{Header, HeaderState};
use crate::diagnostic::Diagnostic;
use crate::profile::Profile;
use crate::span::Span;
use std::sync::Arc;

/// What a property is given.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Given {
    Text(Arc<str>),
    Number(f64),
    Boolean(bool),
    /// A literal of a kind that no key takes.
    Other,
    /// What only the running program knows: nothing is said about it.
    Computed,
}

/// A property as a key of a header.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Property {
    pub(crate) name: &'static str,
    pub(crate) key: Span,
    /// The value, quotes included.
    pub(crate) span: Span,
    pub(crate) given: Given,
}

/// The header that `properties` make, each given once, and what is wrong with it. Missing keys are said to be so at `callee`. The
/// body begins at 0: it is a text of its own.
pub(crate) fn header_of(
    text: &str,
    profile: &Profile,
    properties: Vec<Property>,
    callee: Span,
) -> (Header, Vec<Diagnostic>) {
    let mut header = Header {
        state: HeaderState::Closed,
        span: callee,
        opening: callee,
        content: callee,
        ..Header::default()
    };
    let entry = |property: Property| {
        let content = match property.given {
            Given::Text(text) => Content::Scalar(Scalar::Text(text)),
            Given::Number(number) => Content::Scalar(Scalar::Number(number)),
            Given::Boolean(boolean) => Content::Scalar(Scalar::Boolean(boolean)),
            Given::Other => Content::Other,
            Given::Computed => Content::Unread,
        };
        let value = Value { content, span: property.span };
        Entry { name: Some(property.name.into()), key: property.key, value }
    };
    let entries = properties.into_iter().map(entry).collect();
    let mut diagnostics = fields::fill(text, profile, entries, true, &mut header);
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    (header, diagnostics)
}
