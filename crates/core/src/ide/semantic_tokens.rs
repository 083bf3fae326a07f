//! Colours by meaning.

use super::Context;
use crate::Severity;
use crate::block::{Field, Header, HeaderEntry, HeaderState};
use crate::lint::Position;
use crate::span::{Span, offset};
use crate::syntax::{
    ChunkView, Document, OpenTag, OpenTags, PartKind, State, Text, Token, TokenKind, first_segment,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

macro_rules! token_types {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal $(or $instead:literal)*;)+) => {
        /// What a token is. The names are standard ones, so that every client has a colour for each.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum TokenType { $($(#[doc = $doc])+ $variant,)+ }

        impl TokenType {
            /// Every type; a type's number is its place here.
            pub const ALL: &'static [TokenType] = &[$(TokenType::$variant,)+];

            /// The name in the protocol.
            pub const fn name(self) -> &'static str {
                match self { $(TokenType::$variant => $name,)+ }
            }

            /// Standard types that come nearest, the nearest first, for a client that does not know this one.
            pub const fn instead(self) -> &'static [&'static str] {
                match self { $(TokenType::$variant => &[$($instead),*],)+ }
            }
        }
    };
}

token_types! {
    /// A key of the header; a field of a variable.
    Property "property" or "variable";
    /// A word that a key of the header takes.
    EnumMember "enumMember" or "enum" or "keyword";
    /// A number.
    Number "number" or "string";
    /// A text in the header, a quoted argument or operand, text in literal braces.
    String "string";
    /// A control word, `in`, `true` and `false`.
    Keyword "keyword" or "modifier";
    /// The braces of a tag, a comparison, the header's delimiters.
    Operator "operator" or "keyword";
    /// A variable.
    Variable "variable" or "parameter" or "property";
    /// A bare word as argument.
    Parameter "parameter" or "string";
    /// An escape.
    Macro "macro" or "regexp" or "operator" or "keyword";
    /// A tag that is none, because it stands in literal braces.
    Comment "comment" or "string";
}

/// What else there is to say of a token, as a set of bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Modifiers(u32);

impl Modifiers {
    /// Nothing.
    pub const NONE: Self = Self(0);
    /// A loop variable where it is introduced.
    pub const DECLARATION: Self = Self(1);
    /// A variable whose value changes within a session.
    pub const MUTABLE: Self = Self(1 << 1);
    /// A variable that is not in the catalog.
    pub const UNKNOWN: Self = Self(1 << 2);
    /// A loop variable.
    pub const LOOP: Self = Self(1 << 3);
    /// A tag without effect.
    pub const INERT: Self = Self(1 << 4);
    /// A variable of the catalog that is an error where it stands.
    pub const DEPRECATED: Self = Self(1 << 5);

    /// The names in the protocol; a modifier's bit is its place here.
    pub const NAMES: [&'static str; 6] = ["declaration", "mutable", "unknown", "loop", "inert", "deprecated"];

    /// As the protocol wants them.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Both together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl std::fmt::Debug for Modifiers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let set = Self::NAMES.iter().enumerate().filter(|(bit, _)| self.0 & (1 << bit) != 0);
        f.debug_set().entries(set.map(|(_, name)| name)).finish()
    }
}

/// A piece of text on one line, with its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SemanticToken {
    /// Where; never empty, never over the end of a line.
    pub span: Span,
    /// What it is.
    pub token_type: TokenType,
    /// What else there is to say.
    pub modifiers: Modifiers,
}

/// The tokens of the file, or those that touch `range`, in order and without overlap. Of a text in source code they are those of
/// the text alone, in its own places.
pub fn semantic_tokens(cx: &Context<'_>, range: Option<Span>) -> Vec<SemanticToken> {
    let range = range.unwrap_or_else(|| Span::new(0, cx.document.text().len()));
    let mut out = Collector { cx, out: Vec::new(), known: FxHashMap::default() };
    let header = cx.document.header();
    if header.is_in_text() && range.start <= header.span.end {
        out.header(header);
    }
    if cx.is_template() && range.end >= header.body {
        out.body(range);
    }
    let mut all = out.out;
    all.sort_by_key(|token| token.span);
    let mut end = 0;
    all.retain(|token| {
        // A header that is broken in some new way must not break the colours of the rest.
        let keep = token.span.start >= end && token.span.start <= range.end && range.start <= token.span.end;
        if keep {
            end = token.span.end;
        }
        keep
    });
    all
}

struct Collector<'a> {
    cx: &'a Context<'a>,
    out: Vec<SemanticToken>,
    /// What has been said of a name in a position: a long text says few names over and over.
    known: FxHashMap<(Arc<str>, Position), Modifiers>,
}

impl Collector<'_> {
    fn push(&mut self, span: Span, token_type: TokenType, modifiers: Modifiers) {
        if !span.is_empty() {
            self.out.push(SemanticToken { span, token_type, modifiers });
        }
    }

    /// A piece of text that may run over several lines.
    fn push_lines(&mut self, span: Span, token_type: TokenType) {
        let text = self.cx.document.slice(span);
        for piece in lines(&text) {
            self.push(piece.shift(span.start), token_type, Modifiers::NONE);
        }
    }

    fn header(&mut self, header: &Header) {
        self.push(header.opening, TokenType::Operator, Modifiers::NONE);
        for entry in &header.entries {
            self.push_lines(entry.key, TokenType::Property);
            match value_type(header, entry) {
                Some(token_type) => self.push_lines(entry.value, token_type),
                None => {
                    for (_, span) in &header.allow {
                        self.push_lines(*span, TokenType::EnumMember);
                    }
                }
            }
        }
        if header.state == HeaderState::Closed {
            let closing = Span::new(header.content.end, header.body);
            self.push_lines(closing, TokenType::Operator);
        }
    }

    fn body(&mut self, range: Span) {
        let document = self.cx.document;
        let base = document.header().body;
        let mut inert = Vec::new();
        for view in document.body().views_within(document.text(), base, range) {
            let mut open = view.open_at(view.start);
            for (index, token) in view.tokens().iter().enumerate() {
                match token.state {
                    State::Border => {}
                    State::Inert => {
                        if self.looks_alive(&view, token, &open) {
                            inert.push(token.span.shift(view.start));
                        }
                    }
                    State::Live => {
                        self.live(&view, token, &open);
                        view.pass(&mut open, index, token);
                    }
                }
            }
        }
        for (open, close) in document.body().literals_within(base, range) {
            self.literal(whole_lines(document, Span::new(open, close + 1), range), &inert);
        }
        for span in inert {
            self.push(span, TokenType::Comment, Modifiers::INERT);
        }
    }

    fn live(&mut self, view: &ChunkView<'_>, token: &Token, open: &OpenTags<OpenTag>) {
        let span = token.span.shift(view.start);
        match token.kind {
            TokenKind::OpenBrace
            | TokenKind::CloseBrace
            | TokenKind::BareName
            | TokenKind::MalformedReference => return,
            TokenKind::Escape => return self.push(span, TokenType::Macro, Modifiers::NONE),
            _ => {}
        }
        let sound = !matches!(token.kind, TokenKind::Malformed(_));
        let braces = if self.cx.has_controls() { 1 } else { 2 };
        if sound {
            self.push(Span::new(span.start, span.start + braces), TokenType::Operator, Modifiers::NONE);
        }
        let parts = view.tokens().parts(token).iter();
        for part in parts.filter(|part| sound || part.kind == PartKind::Keyword) {
            let at = part.span.shift(view.start);
            let token_type = match part.kind {
                PartKind::Name => {
                    self.name(view.text_of(part.span), at.start, Position::in_tag(token.kind), open);
                    continue;
                }
                PartKind::Binding => {
                    let modifiers = Modifiers::DECLARATION.with(Modifiers::LOOP);
                    self.push(at, TokenType::Variable, modifiers);
                    continue;
                }
                PartKind::Keyword => {
                    // The slash of a closer belongs to its word.
                    let before = view.text_of(Span::new(part.span.start.saturating_sub(1), part.span.start));
                    let start = if before == "/" { at.start - 1 } else { at.start };
                    self.push(Span::new(start, at.end), TokenType::Keyword, Modifiers::NONE);
                    continue;
                }
                PartKind::Number => TokenType::Number,
                PartKind::String => TokenType::String,
                PartKind::Word => TokenType::Parameter,
                PartKind::Boolean => TokenType::Keyword,
                PartKind::Operator => TokenType::Operator,
            };
            self.push(at, token_type, Modifiers::NONE);
        }
        if sound {
            self.push(Span::new(span.end - braces, span.end), TokenType::Operator, Modifiers::NONE);
        }
    }

    fn name(&mut self, name: &str, mut start: u32, position: Position, open: &OpenTags<OpenTag>) {
        for (index, segment) in name.split('.').enumerate() {
            let span = Span::new(start, start + offset(segment.len()));
            if index == 0 {
                let modifiers = self.modifiers(segment, position, open);
                self.push(span, TokenType::Variable, modifiers);
            } else {
                self.push(span, TokenType::Property, Modifiers::NONE);
            }
            start = span.end + 1;
        }
    }

    fn modifiers(&mut self, name: &str, position: Position, open: &OpenTags<OpenTag>) -> Modifiers {
        if open.loop_of(name).is_some() {
            return Modifiers::LOOP;
        }
        let judge = self.cx.judge;
        let Some(variable) = judge.catalog.get(name) else {
            return if judge.catalog.is_known() { Modifiers::UNKNOWN } else { Modifiers::NONE };
        };
        let key = (Arc::clone(&variable.name), position);
        let header = self.cx.document.header();
        *self.known.entry(key).or_insert_with(|| {
            let mut modifiers = Modifiers::NONE;
            if judge.is_mutable(variable) == Some(true) {
                modifiers = modifiers.with(Modifiers::MUTABLE);
            }
            let objection = judge.objection(header, variable, position);
            if objection.is_some_and(|objection| objection.severity == Severity::Error) {
                modifiers = modifiers.with(Modifiers::DEPRECATED);
            }
            modifiers
        })
    }

    /// Whether a tag in literal braces would mean something outside of them. What else stands there is the text's own business.
    fn looks_alive(&self, view: &ChunkView<'_>, token: &Token, open: &OpenTags<OpenTag>) -> bool {
        if token.kind != TokenKind::Variable {
            return token.is_tag() && !matches!(token.kind, TokenKind::Malformed(_));
        }
        let Some(part) = view.tokens().parts(token).first() else { return false };
        let name = first_segment(view.text_of(part.span));
        open.loop_of(name).is_some() || self.cx.judge.catalog.get(name).is_some()
    }

    /// Literal text, line by line, with holes where `inert` tags stand.
    fn literal(&mut self, span: Span, inert: &[Span]) {
        let text = self.cx.document.slice(span);
        for line in lines(&text) {
            let line = line.shift(span.start);
            let mut start = line.start;
            let first = inert.partition_point(|hole| hole.start < line.start);
            for hole in inert[first..].iter().take_while(|hole| hole.start < line.end) {
                self.push(Span::new(start, hole.start), TokenType::String, Modifiers::NONE);
                start = hole.end;
            }
            self.push(Span::new(start, line.end), TokenType::String, Modifiers::NONE);
        }
    }
}

/// How the value of an entry is coloured; none for `allow`, whose items have colours of their own.
fn value_type(header: &Header, entry: &HeaderEntry) -> Option<TokenType> {
    fn valid<T>(field: Option<&Field<T>>, entry: &HeaderEntry) -> bool {
        field.is_some_and(|field| field.key == entry.key)
    }
    let (token_type, valid) = match &*entry.name {
        "zone" => (TokenType::EnumMember, valid(header.zone.as_ref(), entry)),
        "role" => (TokenType::EnumMember, valid(header.role.as_ref(), entry)),
        "cache" => (TokenType::EnumMember, valid(header.cache.as_ref(), entry)),
        "order" => (TokenType::Number, valid(header.order.as_ref(), entry)),
        "template" => (TokenType::Keyword, valid(header.template.as_ref(), entry)),
        "complete" => (TokenType::Keyword, valid(header.complete.as_ref(), entry)),
        "allow" if !header.allow.is_empty() => return None,
        _ => (TokenType::String, true),
    };
    Some(if valid { token_type } else { TokenType::String })
}

/// The lines of a text without the blanks around them; none that is empty.
fn lines(text: &str) -> impl Iterator<Item = Span> {
    let mut start = 0;
    text.split(['\n', '\r']).filter_map(move |line| {
        let at = start;
        start += line.len() + 1;
        let lead = line.len() - line.trim_start_matches([' ', '\t']).len();
        let trimmed = line.trim_matches([' ', '\t']);
        (!trimmed.is_empty()).then(|| Span::of(at + lead..at + lead + trimmed.len()))
    })
}

/// The part of `span` on the lines that `range` touches, so that a line looks the same whatever was asked for.
fn whole_lines(document: &Document, span: Span, range: Span) -> Span {
    let text = document.text();
    let line_of = |at: u32| text.byte_to_line((at as usize).min(text.len_bytes()));
    let start = offset(text.line_to_byte(line_of(range.start)));
    let behind = (line_of(range.end) + 1).min(text.len_lines());
    let end = offset(text.line_to_byte(behind));
    Span::new(span.start.max(start), span.end.min(end))
}

#[cfg(test)]
mod tests;
