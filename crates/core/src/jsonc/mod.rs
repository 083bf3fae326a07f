//! JSON with comments and trailing commas, read into a tree with the exact place of every key and value.
//!
//! Written here because a file is read while somebody types in it: the tree holds everything that can be read of a
//! broken file, and the first fault. The parsers at hand stop at the first fault and let a string run over line ends,
//! so that one missing quote takes the rest of the file away.

mod lexer;
mod parser;
mod place;

pub use parser::parse;
pub(crate) use place::{Place, Step, place};

use crate::diagnostic::{Diagnostic, Remedy};
use crate::lint::Code;
use crate::message::Message;
use crate::nearest::Nearest;
use crate::span::{Span, Spanned};
use std::sync::Arc;

/// How deep lists and objects may be nested. Deeper ones are a fault, so that walking a tree is safe.
pub const DEEPEST: usize = 64;

/// A value and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    /// The value.
    pub value: Value,
    /// Its bytes, quotes and brackets included.
    pub span: Span,
}

/// What a value is.
#[derive(Clone, PartialEq, Debug)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Boolean(bool),
    /// A number.
    Number(serde_json::Number),
    /// A string, its escapes read.
    Text(Arc<str>),
    /// A list.
    Array(Vec<Node>),
    /// An object, its members in the order of the file, a key given twice included.
    Object(Vec<Member>),
    /// What cannot be read. The fault says why, so nothing else needs to.
    Broken,
}

/// One member of an object.
#[derive(Clone, PartialEq, Debug)]
pub struct Member {
    /// The key, its span with the quotes.
    pub key: Spanned<Arc<str>>,
    /// The value; an empty span where it is missing.
    pub value: Node,
}

impl Member {
    /// Key and value.
    pub fn span(&self) -> Span {
        self.key.span.cover(self.value.span)
    }
}

/// Where and why a text is no JSON.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    /// The offending bytes.
    pub span: Span,
    /// Why.
    pub message: Message,
    /// What was plainly meant.
    pub remedy: Remedy,
}

/// What a text holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Document {
    /// The root; broken where there is none.
    pub root: Node,
    /// The first fault, if the text is not JSON throughout.
    pub fault: Option<Fault>,
    /// Where a value belongs in a text that has none, and the line break that must come before it.
    pub blank: Option<(u32, &'static str)>,
}

impl Node {
    /// Whether nothing is lost with it: `null`, or an object or list without entries.
    pub fn holds_nothing(&self) -> bool {
        match &self.value {
            Value::Null => true,
            Value::Array(items) => items.is_empty(),
            Value::Object(members) => members.is_empty(),
            _ => false,
        }
    }

    /// Its members, where it is an object.
    pub fn as_object(&self) -> Option<&[Member]> {
        if let Value::Object(members) = &self.value { Some(members) } else { None }
    }

    /// Its items, where it is a list.
    pub fn as_array(&self) -> Option<&[Node]> {
        if let Value::Array(items) = &self.value { Some(items) } else { None }
    }

    /// Its text, where it is a string.
    pub fn as_text(&self) -> Option<&Arc<str>> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    /// Whether it could not be read, and so has its fault already.
    pub fn is_broken(&self) -> bool {
        self.value == Value::Broken
    }

    /// Without places. Of a key given twice the first counts; what cannot be read is left out.
    pub fn to_json(&self) -> Option<serde_json::Value> {
        Some(match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Boolean(boolean) => (*boolean).into(),
            Value::Number(number) => number.clone().into(),
            Value::Text(text) => (&**text).into(),
            Value::Array(items) => items.iter().filter_map(Node::to_json).collect(),
            Value::Object(members) => {
                let mut map = serde_json::Map::new();
                for member in members {
                    if let (false, Some(value)) =
                        (map.contains_key(&*member.key.value), member.value.to_json())
                    {
                        map.insert(member.key.value.as_ref().to_owned(), value);
                    }
                }
                map.into()
            }
            Value::Broken => return None,
        })
    }

    /// What kind of value it is, for messages.
    pub fn kind(&self) -> Message {
        match &self.value {
            Value::Null => crate::msg!("null", "null"),
            Value::Boolean(_) => crate::msg!("a boolean", "布尔值"),
            Value::Number(_) => crate::msg!("a number", "数字"),
            Value::Text(_) => crate::msg!("a text", "文本"),
            Value::Array(_) => crate::msg!("a list", "列表"),
            Value::Object(_) => crate::msg!("an object", "对象"),
            Value::Broken => crate::msg!("nothing", "无效内容"),
        }
    }
}

/// The members whose key is the first of its name; of each other one a finding of `code`, made by `message` from the
/// key.
pub fn first_of_each<'d>(
    members: &'d [Member],
    code: Code,
    message: impl Fn(&str) -> Message,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<&'d Member> {
    let mut seen = rustc_hash::FxHashMap::<&str, Span>::default();
    let mut first = Vec::with_capacity(members.len());
    for member in members {
        if let Some(before) = seen.get(&*member.key.value) {
            let there = crate::msg!("first given here", "第一次出现在这里");
            diagnostics.push(
                Diagnostic::new(code, member.key.span, message(&member.key.value))
                    .related(*before, there)
                    .remedy(Remedy::RemoveEntry(member.span())),
            );
        } else {
            seen.insert(&member.key.value, member.key.span);
            first.push(member);
        }
    }
    first
}

/// Offers the nearest names as JSON strings; automatically, where `safe` and one was plainly meant.
pub fn quoted(nearest: &Nearest<'_>, safe: bool) -> Remedy {
    nearest.replace(safe && nearest.plain().is_some(), |name| format!("\"{name}\"").into())
}

#[cfg(test)]
mod tests;
