//! Places in a text, in bytes. Nothing in this crate knows lines, characters or encodings.

use std::fmt;
use std::ops::Range;

/// A half-open range of bytes in one text. A text is at most 4 GiB.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty place at `at`.
    pub const fn empty(at: u32) -> Self {
        Self { start: at, end: at }
    }

    /// From a range of `usize`; offsets over 4 GiB stick to the limit.
    pub fn of(range: Range<usize>) -> Self {
        Self::new(offset(range.start), offset(range.end))
    }

    /// Length in bytes.
    pub const fn len(self) -> u32 {
        self.end.saturating_sub(self.start)
    }

    /// Whether nothing lies between start and end.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The same span, `by` bytes further on.
    #[must_use]
    pub const fn shift(self, by: u32) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// Whether `at` lies in the span or at its end, as a cursor touching a word does.
    pub const fn touches(self, at: u32) -> bool {
        self.start <= at && at <= self.end
    }

    /// Whether the byte at `at` belongs to the span.
    pub const fn contains(self, at: u32) -> bool {
        self.start <= at && at < self.end
    }

    /// The smallest span over both.
    #[must_use]
    pub fn cover(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// As a range for slicing.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The slice of `text`; empty where the span does not fit it.
    pub fn of_str(self, text: &str) -> &str {
        text.get(self.range()).unwrap_or_default()
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// A byte offset as stored in a [`Span`]; anything over 4 GiB sticks to the limit.
pub fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A value and where it stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Its bytes, quotes included.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `value` at `span`.
    pub const fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}
