//! Where a source file registers something: the calls, found without recursion, and only near the words that they need.

use super::registration::{Framework, Kind};
use crate::span::Span;
use tree_sitter::{Node, Tree};

/// The methods that register something.
pub(super) const METHODS: [&str; 5] = ["block", "variable", "environment", "section", "context"];

/// A registering call.
#[derive(Clone, Copy)]
pub(super) struct Call<'t> {
    pub(super) framework: Framework,
    pub(super) kind: Kind,
    /// The method's name.
    pub(super) callee: Span,
    /// What the method is called on.
    pub(super) receiver: Node<'t>,
    pub(super) arguments: Node<'t>,
    /// The whole call.
    pub(super) node: Node<'t>,
    /// Whether it is called on a bare `prompt`, which may be anything unless it comes from a destructuring.
    pub(super) bare: bool,
}

pub(super) fn span_of(node: Node<'_>) -> Span {
    Span::of(node.byte_range())
}

/// The calls at `mentions`, in their order.
pub(super) fn find<'t>(tree: &'t Tree, text: &str, mentions: &[usize]) -> Vec<Call<'t>> {
    let mut calls = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let range = node.byte_range();
        let first = mentions.partition_point(|at| *at < range.start);
        let holds = mentions.get(first).is_some_and(|at| *at < range.end);
        if holds && node.kind() == "call_expression" {
            calls.extend(call(node, text));
        }
        if holds && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                calls.sort_by_key(|call| call.callee.start);
                return calls;
            }
        }
    }
}

fn call<'t>(node: Node<'t>, text: &str) -> Option<Call<'t>> {
    let function = node.child_by_field_name("function").filter(|node| node.kind() == "member_expression")?;
    let method =
        function.child_by_field_name("property").filter(|node| node.kind() == "property_identifier")?;
    let receiver = function.child_by_field_name("object")?;
    let arguments = node.child_by_field_name("arguments").filter(|node| node.kind() == "arguments")?;
    let service = match receiver.kind() {
        "non_null_expression" => receiver.named_child(0)?,
        _ => receiver,
    };
    let (name, bare) = match service.kind() {
        "identifier" => (service, true),
        "member_expression" => (
            service.child_by_field_name("property").filter(|node| node.kind() == "property_identifier")?,
            false,
        ),
        _ => return None,
    };
    let framework = match span_of(name).of_str(text) {
        "prompt" => Framework::Blocks,
        "systemPrompt" => Framework::Harness,
        _ => return None,
    };
    let kind = match (framework, span_of(method).of_str(text)) {
        (Framework::Blocks, "block") => Kind::Block,
        (Framework::Blocks, "environment") => Kind::Environment,
        (_, "variable") => Kind::Variable,
        (Framework::Harness, "section") => Kind::Section,
        (Framework::Harness, "context") => Kind::Context,
        _ => return None,
    };
    let callee = span_of(method);
    Some(Call {
        framework,
        kind,
        callee,
        receiver,
        arguments,
        node,
        bare: bare && framework == Framework::Blocks,
    })
}
