//! Colours by meaning.

use super::Context;
use crate::span::Span;

macro_rules! token_types {
    ($($(#[doc = $doc:literal])+ $variant:ident $name:literal;)+) => {
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
        }
    };
}

token_types! {
    /// A key of the header; a field of a variable.
    Property "property";
    /// A word that a key of the header takes.
    EnumMember "enumMember";
    /// A number.
    Number "number";
    /// A text in the header, a quoted argument or operand, text in literal braces.
    String "string";
    /// A control word, `in`, `true` and `false`.
    Keyword "keyword";
    /// The braces of a tag, a comparison, the header's delimiters.
    Operator "operator";
    /// A variable.
    Variable "variable";
    /// A bare word as argument.
    Parameter "parameter";
    /// An escape.
    Macro "macro";
    /// A tag that is none, because it stands in literal braces.
    Comment "comment";
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

    /// The names in the protocol; a modifier's bit is its place here.
    pub const NAMES: [&'static str; 5] = ["declaration", "mutable", "unknown", "loop", "inert"];

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

/// The tokens of the file, or those that touch `range`, in order and without overlap.
pub fn semantic_tokens(cx: &Context<'_>, range: Option<Span>) -> Vec<SemanticToken> {
    let _ = (cx, range);
    Vec::new()
}
