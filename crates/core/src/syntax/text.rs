//! Where the syntax reads its text from: a string, or the rope of an open document.

use crate::span::{Span, offset};
use ropey::Rope;
use std::borrow::Cow;

/// A text that can be sliced by bytes.
pub trait Text {
    /// Length in bytes.
    fn len(&self) -> u32;

    /// Whether it is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of `span`; empty where it does not fit the text.
    fn at(&self, span: Span) -> Cow<'_, str>;
}

impl Text for str {
    fn len(&self) -> u32 {
        offset(str::len(self))
    }

    fn at(&self, span: Span) -> Cow<'_, str> {
        Cow::Borrowed(span.of_str(self))
    }
}

impl Text for Rope {
    fn len(&self) -> u32 {
        offset(self.len_bytes())
    }

    fn at(&self, span: Span) -> Cow<'_, str> {
        self.get_byte_slice(span.range()).map(Cow::from).unwrap_or_default()
    }
}
