//! Tokens of a template: what stands between the text.

use crate::span::Span;

/// The four constructs that have a closer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Control {
    /// `{if}`
    If,
    /// `{for}`
    For,
    /// `{while}`
    While,
    /// `{repeat}`
    Repeat,
}

impl Control {
    /// Every construct.
    pub const ALL: [Control; 4] = [Self::If, Self::For, Self::While, Self::Repeat];

    /// The keyword.
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::If => "if",
            Self::For => "for",
            Self::While => "while",
            Self::Repeat => "repeat",
        }
    }

    /// The construct of that keyword.
    pub fn of(keyword: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|control| control.keyword() == keyword)
    }
}

/// What a malformed control tag was meant to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Malformed {
    /// `{if a >}`: still pairs with its closer.
    Opener(Control),
    /// `{else x}`, `{elseif}`: text of its branch.
    Branch,
    /// `{/if x}`: still closes.
    Closer(Control),
    /// `{/else}`, `{/elseif}`: closes nothing.
    BranchCloser,
}

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `{{` or `}}`
    Escape,
    /// A `{` that starts no tag.
    OpenBrace,
    /// A `}` that ends none.
    CloseBrace,
    /// `{name args}`
    Variable,
    /// `{if COND}`, `{for x in LIST}`, `{while COND}`, `{repeat N}`
    Opener(Control),
    /// `{elseif COND}`
    ElseIf,
    /// `{else}`
    Else,
    /// `{/if}` and the like.
    Closer(Control),
    /// A control tag that does not fit its form.
    Malformed(Malformed),
    /// `{{` up to the next `}}` where tags stand in double braces, and no name between them. One that runs over the end of its
    /// chunk ends there; `Body::literal_end` knows where it really does.
    MalformedReference,
    /// `{name}` where tags stand in double braces: text.
    BareName,
}

/// Whether a token takes part in rendering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// It does.
    Live,
    /// It stands inside literal braces and is text.
    Inert,
    /// It is the first or last brace of an outermost literal pair.
    Border,
}

/// A token. Offsets are relative to its chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Whether it counts.
    pub state: State,
    /// From brace to brace.
    pub span: Span,
    /// Index of its first part in the chunk's list.
    pub(crate) first_part: u32,
    /// Number of its parts.
    pub(crate) part_count: u32,
}

impl Token {
    /// Whether it is a tag of any kind, sound or not.
    pub const fn is_tag(&self) -> bool {
        use TokenKind::{BareName, CloseBrace, Escape, OpenBrace};
        !matches!(self.kind, Escape | OpenBrace | CloseBrace | BareName)
    }
}

/// What a piece inside a tag is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartKind {
    /// A variable's name with its fields.
    Name,
    /// The loop variable that a `{for}` introduces.
    Binding,
    /// A control word, `in`, or `/if` behind its slash.
    Keyword,
    /// A number.
    Number,
    /// A quoted string, quotes included.
    String,
    /// A bare word as argument.
    Word,
    /// `true` or `false`.
    Boolean,
    /// `==` and the like.
    Operator,
}

/// A piece inside a tag. Offsets are relative to the chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Where.
    pub span: Span,
}

/// Tokens with their parts, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tokens {
    pub(crate) tokens: Vec<Token>,
    pub(crate) parts: Vec<Part>,
}

impl Tokens {
    /// The tokens.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Token> + ExactSizeIterator {
        self.tokens.iter()
    }

    /// The tokens as a slice.
    pub(crate) fn all(&self) -> &[Token] {
        &self.tokens
    }

    /// The token at an index of this list.
    pub fn get(&self, index: usize) -> Option<&Token> {
        self.tokens.get(index)
    }

    /// The pieces of `token`, which is one of this list.
    pub fn parts(&self, token: &Token) -> &[Part] {
        let first = token.first_part as usize;
        self.parts.get(first..first + token.part_count as usize).unwrap_or_default()
    }

    pub(crate) fn push(&mut self, kind: TokenKind, state: State, span: Span, parts: &[Part]) {
        let first_part = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        let part_count = u32::try_from(parts.len()).unwrap_or(0);
        self.parts.extend_from_slice(parts);
        self.tokens.push(Token { kind, state, span, first_part, part_count });
    }
}
