//! What an expression is known to be without running anything.

use super::bindings::Bindings;
use super::calls::span_of;
use super::cooked::Cooked;
use super::literal;
use std::cell::OnceCell;
use tree_sitter::{Node, Tree};

/// So much one text may hold with its map: `join` can make a long one of a short source.
const LARGEST_TEXT: usize = 16 * 1024 * 1024;
/// So many expressions are looked at for one text. Constants may name each other in a circle.
const MOST_STEPS: usize = 100_000;

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Literal {
    Text(Cooked),
    Number(f64),
    Boolean(bool),
    /// A literal that is neither.
    Other,
}

/// Where values are looked up.
pub(super) struct Scope<'a, 't> {
    pub(super) text: &'a str,
    tree: &'t Tree,
    /// Read when the first name is looked up: it takes a walk over the whole file.
    bindings: OnceCell<Bindings<'a, 't>>,
}

impl<'a, 't> Scope<'a, 't> {
    pub(super) fn new(text: &'a str, tree: &'t Tree) -> Self {
        Self { text, tree, bindings: OnceCell::new() }
    }

    /// The names that the file binds.
    pub(super) fn bindings(&self) -> &Bindings<'a, 't> {
        self.bindings.get_or_init(|| Bindings::read(self.tree, self.text))
    }

    pub(super) fn str_of(&self, node: Node<'_>) -> &'a str {
        span_of(node).of_str(self.text)
    }

    /// What `node` is, `None` where it is computed.
    pub(super) fn value(&self, node: Node<'t>) -> Option<Literal> {
        let node = self.resolve(node)?;
        if node.has_error() {
            return None;
        }
        match node.kind() {
            "true" => Some(Literal::Boolean(true)),
            "false" => Some(Literal::Boolean(false)),
            "null" | "array" | "object" | "regex" => Some(Literal::Other),
            "number" => number(self.str_of(node)).map(Literal::Number),
            "unary_expression" => {
                let sign = match self.str_of(node.child_by_field_name("operator")?) {
                    "-" => -1.0,
                    "+" => 1.0,
                    _ => return None,
                };
                let operand = node.child_by_field_name("argument").filter(|node| node.kind() == "number")?;
                Some(Literal::Number(sign * number(self.str_of(operand))?))
            }
            _ => self.text(node).map(Literal::Text),
        }
    }

    /// The expression behind parentheses, type assertions and constants' names.
    pub(super) fn resolve(&self, mut node: Node<'t>) -> Option<Node<'t>> {
        for _ in 0..100 {
            node = match node.kind() {
                "parenthesized_expression"
                | "as_expression"
                | "satisfies_expression"
                | "non_null_expression" => node.named_child(0)?,
                "identifier" | "shorthand_property_identifier" => {
                    self.bindings().constant(self.str_of(node))?
                }
                _ => return Some(node),
            };
        }
        None
    }

    /// The text that an expression makes of literals alone.
    pub(super) fn text(&self, node: Node<'t>) -> Option<Cooked> {
        let mut out = Cooked::default();
        let mut todo = vec![Step::Node(node)];
        for _ in 0..MOST_STEPS {
            let Some(step) = todo.pop() else { return Some(out) };
            if out.weight() > LARGEST_TEXT {
                return None;
            }
            let node = match step {
                Step::Text(text) => {
                    out.append(&text);
                    continue;
                }
                Step::Node(node) => self.resolve(node)?,
            };
            if node.is_error() || node.is_missing() {
                return None;
            }
            match node.kind() {
                "string" => out.append(&self.literal(node)?),
                "template_string" => {
                    let mut cursor = node.walk();
                    let computed =
                        node.named_children(&mut cursor).any(|child| child.kind() == "template_substitution");
                    if computed {
                        return None;
                    }
                    out.append(&self.literal(node)?);
                }
                "binary_expression" => {
                    if self.str_of(node.child_by_field_name("operator")?) != "+" {
                        return None;
                    }
                    todo.push(Step::Node(node.child_by_field_name("right")?));
                    todo.push(Step::Node(node.child_by_field_name("left")?));
                }
                "call_expression" => self.join(node, &mut todo)?,
                _ => return None,
            }
        }
        None
    }

    fn literal(&self, node: Node<'t>) -> Option<Cooked> {
        (!node.has_error()).then(|| literal::read(self.str_of(node), span_of(node).start)).flatten()
    }

    /// `[…].join('…')`
    fn join(&self, call: Node<'t>, todo: &mut Vec<Step<'t>>) -> Option<()> {
        let function =
            call.child_by_field_name("function").filter(|node| node.kind() == "member_expression")?;
        let array = self.resolve(function.child_by_field_name("object")?)?;
        let method = self.str_of(function.child_by_field_name("property")?);
        if array.kind() != "array" || method != "join" {
            return None;
        }
        let arguments = call.child_by_field_name("arguments").filter(|node| node.kind() == "arguments")?;
        let mut cursor = arguments.walk();
        let mut given = arguments.named_children(&mut cursor).filter(|node| node.kind() != "comment");
        let separator = match given.next() {
            Some(node) => {
                let node =
                    self.resolve(node).filter(|node| matches!(node.kind(), "string" | "template_string"))?;
                self.text(node)?
            }
            None => {
                let mut comma = Cooked::default();
                let at = span_of(arguments);
                comma.escape(",", crate::span::Span::empty(at.start), super::cooked::Quote::Double);
                comma
            }
        };
        if given.next().is_some() {
            return None;
        }
        let mut cursor = array.walk();
        // A hole between two commas is an empty text; nobody writes it, and it is not guessed at.
        let items: Vec<Node<'t>> =
            array.named_children(&mut cursor).filter(|node| node.kind() != "comment").collect();
        for (index, item) in items.iter().enumerate().rev() {
            todo.push(Step::Node(*item));
            if index > 0 {
                todo.push(Step::Text(separator.clone()));
            }
        }
        Some(())
    }
}

enum Step<'t> {
    Node(Node<'t>),
    Text(Cooked),
}

fn number(text: &str) -> Option<f64> {
    let text = text.replace('_', "");
    let radix = |digits: &str, radix| u64::from_str_radix(digits, radix).ok().map(|n| n as f64);
    match text.get(..2).map(str::to_ascii_lowercase).as_deref() {
        Some("0x") => radix(text.get(2..)?, 16),
        Some("0o") => radix(text.get(2..)?, 8),
        Some("0b") => radix(text.get(2..)?, 2),
        _ => text.parse().ok(),
    }
}
