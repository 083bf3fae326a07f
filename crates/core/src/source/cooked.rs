//! A text as the program has it, and where each of its bytes stands in the source.

use crate::diagnostic::{Diagnostic, Remedy};
use crate::span::{Span, offset};

/// How a literal is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quote {
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// `` `…` ``
    Template,
}

/// A run of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    /// Where it begins in the text.
    text: u32,
    /// Its bytes in the source: as many as in the text where it is written as it is, any number where it is an escape.
    source: Span,
    /// Whether it is one escape: then it is all or nothing.
    escape: bool,
    quote: Quote,
    /// Which of the literals it belongs to.
    literal: u32,
}

/// A text put together from literals.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cooked {
    /// The text.
    pub text: String,
    pieces: Vec<Piece>,
    /// Where the first literal begins, behind its quote, for a text without a byte.
    start: u32,
    quote: Option<Quote>,
    /// How many literals there are.
    literals: u32,
}

impl Cooked {
    /// Begins a literal whose content starts at `at`.
    pub(super) fn begin(&mut self, at: u32, quote: Quote) {
        self.literals += 1;
        if self.quote.is_none() {
            self.start = at;
            self.quote = Some(quote);
        }
    }

    /// Adds what is written as it is.
    pub(super) fn verbatim(&mut self, text: &str, at: u32, quote: Quote) {
        if !text.is_empty() {
            self.push(text, Span::new(at, at + offset(text.len())), false, quote);
        }
    }

    /// Adds what `source` stands for. Nothing may be added for a continued line.
    pub(super) fn escape(&mut self, text: &str, source: Span, quote: Quote) {
        if !text.is_empty() {
            self.push(text, source, true, quote);
        }
    }

    fn push(&mut self, text: &str, source: Span, escape: bool, quote: Quote) {
        self.pieces.push(Piece {
            text: offset(self.text.len()),
            source,
            escape,
            quote,
            literal: self.literals,
        });
        self.text.push_str(text);
    }

    /// Adds all of another text behind this one.
    pub(super) fn append(&mut self, other: &Self) {
        let (by, before) = (offset(self.text.len()), self.literals);
        if let Some(quote) = other.quote {
            self.begin(other.start, quote);
        }
        self.literals = before + other.literals;
        let moved =
            |piece: &Piece| Piece { text: piece.text + by, literal: piece.literal + before, ..*piece };
        self.pieces.extend(other.pieces.iter().map(moved));
        self.text.push_str(&other.text);
    }

    /// Bytes it takes, for a limit on what `join` makes.
    pub(super) fn weight(&self) -> usize {
        self.text.len() + self.pieces.len() * size_of::<Piece>()
    }

    fn len_of(&self, index: usize) -> u32 {
        let end = self.pieces.get(index + 1).map_or(offset(self.text.len()), |next| next.text);
        end - self.pieces.get(index).map_or(end, |piece| piece.text)
    }

    /// The piece that holds the byte at `at`.
    fn holding(&self, at: u32) -> Option<(usize, &Piece)> {
        let index = self.pieces.partition_point(|piece| piece.text <= at).checked_sub(1)?;
        (at < offset(self.text.len())).then_some(())?;
        Some((index, self.pieces.get(index)?))
    }

    /// Where the byte at `at` of the text begins in the source.
    fn start_of(&self, at: u32) -> Option<u32> {
        let (_, piece) = self.holding(at)?;
        Some(if piece.escape { piece.source.start } else { piece.source.start + (at - piece.text) })
    }

    /// Where the byte before `at` of the text ends in the source.
    fn end_of(&self, at: u32) -> Option<u32> {
        let (_, piece) = self.holding(at.checked_sub(1)?)?;
        Some(if piece.escape { piece.source.end } else { piece.source.start + (at - piece.text) })
    }

    /// A place of the text in the source. An empty one stands behind the byte before it.
    pub fn to_source(&self, span: Span) -> Span {
        if span.is_empty() {
            let at = self.end_of(span.start).or_else(|| self.start_of(span.start)).unwrap_or(self.start);
            return Span::empty(at);
        }
        let start = self.start_of(span.start).unwrap_or(self.start);
        let end = self.end_of(span.end).unwrap_or(start);
        // A text of several literals may be written in another order than it is read: then the first byte stands for all.
        if end < start {
            Span::new(start, self.end_of(span.start + 1).unwrap_or(start))
        } else {
            Span::new(start, end)
        }
    }

    /// A place of the text in pieces that are each written as they are, or each one escape.
    pub fn runs(&self, span: Span) -> Vec<Span> {
        let first = self.pieces.partition_point(|piece| piece.text <= span.start).saturating_sub(1);
        let mut runs = Vec::new();
        let mut start = span.start;
        for piece in self.pieces.iter().skip(first + 1).take_while(|piece| piece.text < span.end) {
            if piece.text > start {
                runs.push(Span::new(start, piece.text));
                start = piece.text;
            }
        }
        runs.push(Span::new(start, span.end));
        runs
    }

    /// Whether all of a place of the text stands in one literal.
    pub fn is_whole(&self, span: Span) -> bool {
        if span.is_empty() {
            return self.quote.is_some();
        }
        let (first, last) = (self.holding(span.start), self.holding(span.end - 1));
        first.zip(last).is_some_and(|((_, first), (_, last))| first.literal == last.literal)
    }

    /// The place of the text that a place of the source stands for: `None` outside its literals.
    pub fn to_text(&self, at: u32) -> Option<u32> {
        let index = self.pieces.iter().position(|piece| piece.source.touches(at));
        let Some(index) = index else {
            return (self.quote.is_some() && self.text.is_empty() && at == self.start).then_some(0);
        };
        // At a seam the piece that begins here is the one that is meant, but for the end of the last one.
        let next = index + 1;
        let index = match (self.pieces.get(index), self.pieces.get(next)) {
            (Some(piece), Some(behind)) if piece.source.end == at && behind.source.start == at => next,
            _ => index,
        };
        let piece = self.pieces.get(index)?;
        let len = self.len_of(index);
        Some(match (piece.escape, at == piece.source.end) {
            (_, true) => piece.text + len,
            (true, false) => piece.text,
            (false, false) => piece.text + (at - piece.source.start),
        })
    }

    /// The places of the text that come from within `source`: several, where a constant stands in it more than once.
    pub fn texts_from(&self, source: Span) -> impl Iterator<Item = Span> {
        self.pieces.iter().enumerate().filter_map(move |(index, piece)| {
            let start = piece.source.start.max(source.start);
            let end = piece.source.end.min(source.end);
            (start < end).then_some(())?;
            if piece.escape {
                return Some(Span::new(piece.text, piece.text + self.len_of(index)));
            }
            let at = |place: u32| piece.text + (place - piece.source.start);
            Some(Span::new(at(start), at(end)))
        })
    }

    /// Whether a place of the source stands in the text or at its end.
    pub fn touches(&self, at: u32) -> bool {
        self.to_text(at).is_some()
    }

    /// From the first literal's content to the last one's.
    pub fn source(&self) -> Span {
        let spans = self.pieces.iter().map(|piece| piece.source);
        spans.fold(Span::empty(self.start), Span::cover)
    }

    /// How the literal is written that the place `at` of this text stands in.
    pub fn quote_at(&self, at: u32) -> Quote {
        let near = self.holding(at).or_else(|| self.holding(at.checked_sub(1)?));
        near.map(|(_, piece)| piece.quote).or(self.quote).unwrap_or(Quote::Double)
    }

    /// `text` as it must be written at `at` of this text.
    pub fn escaped(&self, text: &str, at: u32) -> String {
        escaped(text, self.quote_at(at))
    }

    /// A finding of the text as one of the source. What it knows of the way out goes where it cannot be said there.
    #[must_use]
    pub(super) fn finding(&self, mut finding: Diagnostic) -> Diagnostic {
        finding.remedy = match finding.remedy {
            Remedy::Replace { with, safe } if self.is_whole(finding.span) => {
                let with = with.iter().map(|text| self.escaped(text, finding.span.start).into()).collect();
                Remedy::Replace { with, safe }
            }
            Remedy::Delete(span) if self.is_whole(span) => Remedy::Delete(self.to_source(span)),
            _ => Remedy::None,
        };
        finding.span = self.to_source(finding.span);
        for related in finding.related.iter_mut().filter(|related| related.file.is_none()) {
            related.span = self.to_source(related.span);
        }
        finding
    }
}

/// `text` written in a literal of that kind.
pub fn escaped(text: &str, quote: Quote) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', _) => out.push_str("\\\\"),
            ('\'', Quote::Single) => out.push_str("\\'"),
            ('"', Quote::Double) => out.push_str("\\\""),
            ('`', Quote::Template) => out.push_str("\\`"),
            ('$', Quote::Template) if chars.peek() == Some(&'{') => out.push_str("\\$"),
            ('\n', Quote::Template) => out.push('\n'),
            ('\n', _) => out.push_str("\\n"),
            ('\r', _) => out.push_str("\\r"),
            ('\t', Quote::Single | Quote::Double) => out.push_str("\\t"),
            ('\u{2028}' | '\u{2029}', _) => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            (c, _) => out.push(c),
        }
    }
    out
}
