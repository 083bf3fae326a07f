//! One chunk read from left to right: which tokens are live, which stand in literal braces.
//!
//! A `{` that starts no tag and is closed somewhere makes everything up to its partner literal, tags and escapes included.
//! Where the partner cuts a token in two (the first half of a `}}`, say), the rest of the line is read again from there.

use super::braces::{Braces, Partner};
use super::control::LocalControl;
use super::name::first_segment;
use super::token::{Part, PartKind, State, Token, TokenKind, Tokens};
use super::tree;
use crate::span::{Span, offset};
use std::sync::Arc;
use tree_sitter::Tree;

/// How a chunk begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Entry {
    /// Outside literal braces.
    #[default]
    Outside,
    /// Inside; the closing brace stands at this offset of the chunk.
    Until(u32),
    /// Inside from end to end.
    Through,
}

/// An outermost pair of literal braces that opens in a chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Literal {
    pub(crate) open: u32,
    /// The closing brace, where it stands in the same chunk.
    pub(crate) close: Option<u32>,
}

/// What one chunk says, given how it begins.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Reading {
    pub(crate) tokens: Tokens,
    pub(crate) literals: Vec<Literal>,
    /// Number of the unpaired opener whose literal runs over the end of the chunk.
    pub(crate) exit: Option<u32>,
    pub(crate) control: LocalControl,
}

/// A tag that a literal's end cuts in two is read again no further than this, so that no line can make it quadratic.
const REREAD_LIMIT: usize = 256;

impl Reading {
    /// Reads `text`. `unclosed` is how many of the chunk's unpaired openers are never closed.
    pub(crate) fn new(text: &str, tree: Option<&Tree>, braces: &Braces, entry: Entry, unclosed: u32) -> Self {
        let flat = tree.map(|tree| tree::tokens(text, tree)).unwrap_or_default();
        let mut reader = Reader {
            text,
            braces,
            unclosed,
            flat,
            next: 0,
            anew: Vec::new(),
            out: Tokens::default(),
            literals: Vec::new(),
        };
        let exit = reader.run(entry);
        let (tokens, literals) = (reader.out, reader.literals);
        let live = || (0_u32..).zip(&tokens.tokens).filter(|(_, token)| token.state == State::Live);
        let control = LocalControl::of(live(), |token| binding(text, &tokens, token).map(Arc::from));
        Self { tokens, literals, exit, control }
    }
}

/// The loop variable that a `{for}` introduces, a malformed one too.
pub(crate) fn binding<'t>(text: &'t str, tokens: &Tokens, token: &Token) -> Option<&'t str> {
    let part = tokens.parts(token).iter().find(|part| part.kind == PartKind::Binding)?;
    Some(part.span.of_str(text))
}

/// The first segment of the first name in a tag.
pub(crate) fn name_of<'t>(text: &'t str, tokens: &Tokens, token: &Token) -> Option<&'t str> {
    let part = tokens.parts(token).iter().find(|part| part.kind == PartKind::Name)?;
    Some(first_segment(part.span.of_str(text)))
}

struct Reader<'a> {
    text: &'a str,
    braces: &'a Braces,
    unclosed: u32,
    /// Tokens still to be read, from `next` on.
    flat: Tokens,
    next: usize,
    /// Tokens read anew, to come before those of `flat`; the next one last. Their parts stand in `flat`.
    anew: Vec<Token>,
    out: Tokens,
    literals: Vec<Literal>,
}

impl Reader<'_> {
    fn run(&mut self, entry: Entry) -> Option<u32> {
        match entry {
            Entry::Outside => {}
            Entry::Until(close) => self.literal(None, close),
            Entry::Through => {
                self.inert(u32::MAX);
                return None;
            }
        }
        while let Some(token) = self.bump() {
            if token.kind != TokenKind::OpenBrace {
                self.keep(token, State::Live);
                continue;
            }
            match self.braces.partner(token.span.start) {
                Partner::Here(close) => {
                    self.keep(token, State::Border);
                    self.literal(Some(token.span.start), close);
                }
                Partner::Later(opener) if opener >= self.unclosed => {
                    self.keep(token, State::Border);
                    self.literals.push(Literal { open: token.span.start, close: None });
                    self.inert(u32::MAX);
                    return Some(opener);
                }
                Partner::Later(_) => self.keep(token, State::Live),
            }
        }
        None
    }

    fn peek(&self) -> Option<Token> {
        self.anew.last().or_else(|| self.flat.get(self.next)).copied()
    }

    fn bump(&mut self) -> Option<Token> {
        self.anew.pop().or_else(|| {
            let token = self.flat.get(self.next).copied();
            self.next += 1;
            token
        })
    }

    fn bump_before(&mut self, end: u32) -> Option<Token> {
        self.peek().filter(|token| token.span.start < end)?;
        self.bump()
    }

    fn keep(&mut self, token: Token, state: State) {
        self.out.push(token.kind, state, token.span, self.flat.parts(&token));
    }

    /// Keeps the tokens that begin before `end` as text.
    fn inert(&mut self, end: u32) {
        while let Some(token) = self.bump_before(end) {
            self.keep(token, State::Inert);
        }
    }

    /// A literal up to the brace at `close`, and how reading goes on behind it.
    fn literal(&mut self, open: Option<u32>, close: u32) {
        if let Some(open) = open {
            self.literals.push(Literal { open, close: Some(close) });
        }
        self.inert(close);
        let behind = close + 1;
        // The token that holds the closing brace: one that begins with it, or began before it.
        let mut cut = self.bump_before(behind);
        if let Some(last) = self.out.tokens.last_mut()
            && last.state == State::Inert
            && last.span.end > close
        {
            cut = Some(*last);
            last.span.end = close;
            // A brace in its quotes ends the literal: what is left is no tag.
            if last.kind != TokenKind::Escape {
                (last.kind, last.part_count) = (TokenKind::OpenBrace, 0);
                last.span.end = last.span.start + 1;
            }
        }
        self.out.push(TokenKind::CloseBrace, State::Border, Span::new(close, behind), &[]);
        match cut {
            Some(token) if token.span.end > behind && token.kind == TokenKind::Escape => {
                self.read_closers(behind)
            }
            Some(token) if token.span.end > behind => self.read_line(behind),
            _ => {}
        }
    }

    /// Pairs a run of `}` anew from `from` on: two are an escape, one over is a lone brace.
    fn read_closers(&mut self, from: u32) {
        let run = self.text.as_bytes()[from as usize..].iter().take_while(|byte| **byte == b'}').count();
        let end = from + offset(run);
        while self.bump_before(end).is_some() {}
        if run % 2 == 1 {
            self.again(TokenKind::CloseBrace, Span::new(end - 1, end), &[]);
        }
        for pair in (0..offset(run / 2)).rev() {
            self.again(TokenKind::Escape, Span::new(from + 2 * pair, from + 2 * pair + 2), &[]);
        }
    }

    /// Reads the rest of the line anew from `from` on.
    fn read_line(&mut self, from: u32) {
        let rest = self.text.get(from as usize..).unwrap_or_default();
        let mut len = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
        if len > REREAD_LIMIT {
            len = (REREAD_LIMIT..len).find(|at| rest.is_char_boundary(*at)).unwrap_or(len);
        }
        let line = rest.get(..len).unwrap_or_default();
        let fresh = tree::parse(line, None).map(|tree| tree::tokens(line, &tree)).unwrap_or_default();
        while self.bump_before(from + offset(len)).is_some() {}
        for token in fresh.iter().rev() {
            let parts: Vec<Part> = fresh
                .parts(token)
                .iter()
                .map(|part| Part { kind: part.kind, span: part.span.shift(from) })
                .collect();
            self.again(token.kind, token.span.shift(from), &parts);
        }
    }

    fn again(&mut self, kind: TokenKind, span: Span, parts: &[Part]) {
        let (first_part, part_count) = (offset(self.flat.parts.len()), offset(parts.len()));
        self.flat.parts.extend_from_slice(parts);
        self.anew.push(Token { kind, state: State::Live, span, first_part, part_count });
    }
}
