//! Conditions of `{if}`, `{elseif}` and `{while}`, and of a catalog entry's `when`.

use crate::span::Span;
use std::sync::Arc;

/// A comparison. [S0]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    LessOrEqual,
    /// `>=`
    GreaterOrEqual,
}

/// One side of a condition, or all of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// A variable or loop variable, with its fields: `hero.weapon` is two segments.
    Variable {
        /// The segments joined by `.`, as written.
        name: Arc<str>,
        /// Its place in the text parsed.
        span: Span,
    },
    /// A number, as written.
    Number(Arc<str>),
    /// A quoted string, without quotes and escapes.
    Text(Arc<str>),
    /// `true` or `false`.
    Boolean(bool),
}

/// `OPERAND` or `OPERAND OP OPERAND`.
#[derive(Clone, PartialEq, Debug)]
pub struct Condition {
    /// The left or only operand.
    pub left: Operand,
    /// Operator and right operand.
    pub right: Option<(Comparison, Operand)>,
}

impl Condition {
    /// Its operands, one or two.
    pub fn operands(&self) -> impl Iterator<Item = &Operand> {
        std::iter::once(&self.left).chain(self.right.iter().map(|(_, operand)| operand))
    }
}

/// The condition that `text` spells, blanks around it allowed; `None` where it spells none.
pub fn parse_condition(text: &str) -> Option<Condition> {
    let _ = text;
    None
}
