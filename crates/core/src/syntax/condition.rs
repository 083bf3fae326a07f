//! Conditions of `{if}`, `{elseif}` and `{while}`, and of a catalog entry's `when`.

use super::reading::name_of;
use super::token::{Control, Part, PartKind, TokenKind};
use super::tree;
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

impl Comparison {
    fn of(operator: &str) -> Option<Self> {
        Some(match operator {
            "==" => Self::Equal,
            "!=" => Self::NotEqual,
            "<" => Self::Less,
            ">" => Self::Greater,
            "<=" => Self::LessOrEqual,
            ">=" => Self::GreaterOrEqual,
            _ => return None,
        })
    }
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
    let tag = format!("{{if {text}}}");
    let tree = tree::parse(&tag, None)?;
    let tokens = tree::tokens(&tag, &tree);
    let token = *tokens.get(0).filter(|token| token.kind == TokenKind::Opener(Control::If))?;
    if token.span.end as usize != tag.len() {
        return None;
    }
    // The tag's text begins behind `{if `.
    condition_of(&tag, tokens.parts(&token), 4)
}

/// The condition that the parts of a tag of `text` spell. Its places are counted from byte `before` on.
pub(crate) fn condition_of(text: &str, parts: &[Part], before: u32) -> Option<Condition> {
    let mut operands =
        parts.iter().filter(|part| !matches!(part.kind, PartKind::Keyword | PartKind::Operator));
    let left = operand(text, operands.next()?, before)?;
    let operator = parts.iter().find(|part| part.kind == PartKind::Operator);
    let Some(operator) = operator else { return Some(Condition { left, right: None }) };
    let comparison = Comparison::of(operator.span.of_str(text))?;
    let right = operand(text, operands.next()?, before)?;
    Some(Condition { left, right: Some((comparison, right)) })
}

pub(crate) fn operand(tag: &str, part: &Part, before: u32) -> Option<Operand> {
    let text = part.span.of_str(tag);
    Some(match part.kind {
        PartKind::Name => {
            let span = Span::new(part.span.start.checked_sub(before)?, part.span.end.checked_sub(before)?);
            Operand::Variable { name: text.into(), span }
        }
        PartKind::Number => Operand::Number(text.into()),
        PartKind::String => Operand::Text(unquote(text).into()),
        PartKind::Boolean => Operand::Boolean(text == "true"),
        _ => return None,
    })
}

/// The text of a quoted argument: without its quotes, `\"` `\'` `\\` resolved, any other backslash kept.
pub(super) fn unquote(quoted: &str) -> String {
    let inner = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    let mut out = String::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        match chars.peek() {
            Some(next) if c == '\\' && matches!(next, '"' | '\'' | '\\') => {
                out.push(*next);
                chars.next();
            }
            _ => out.push(c),
        }
    }
    out
}

/// The first segment of the variable, where `text` is one sound variable tag from brace to brace.
pub fn single_tag(text: &str) -> Option<String> {
    let tree = tree::parse(text, None)?;
    let tokens = tree::tokens(text, &tree);
    let token = tokens.get(0).filter(|token| token.kind == TokenKind::Variable)?;
    let whole = token.span.start == 0 && token.span.end as usize == text.len();
    name_of(text, &tokens, token).filter(|_| whole).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        match parse_condition(text) {
            Some(condition) => format!("{condition:?}"),
            None => "none".to_owned(),
        }
    }

    #[test]
    fn sound() {
        for text in ["a", " a.b ", "a==1", "a >= -2.5e3", "'x' != b", "true", "角色 == \"\\\"\"", "3<4"] {
            assert_ne!(shown(text), "none", "{text}");
        }
        assert_eq!(
            parse_condition("is_group == 'a\\'b\\n'"),
            Some(Condition {
                left: Operand::Variable { name: "is_group".into(), span: Span::new(0, 8) },
                right: Some((Comparison::Equal, Operand::Text("a'b\\n".into()))),
            })
        );
    }

    #[test]
    fn not_sound() {
        for text in
            ["", "== 3", "a b", "a = b", "not a", "a ==", "a} {if b", "if", "a == b == c", "1a", "\"x"]
        {
            assert_eq!(shown(text), "none", "{text}");
        }
    }
}
