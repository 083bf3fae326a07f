//! The names that a file binds: which `const` holds a text, and whether `prompt` comes from a destructuring.

use super::calls::span_of;
use rustc_hash::FxHashMap;
use tree_sitter::{Node, Tree};

/// What is known of a name.
#[derive(Clone, Copy)]
enum Bound<'t> {
    /// Once in the file, by a `const` with this value.
    Const(Node<'t>),
    /// Otherwise, or more than once: which one is meant is not guessed.
    Otherwise,
}

/// The names of a file.
pub(super) struct Bindings<'a, 't> {
    names: FxHashMap<&'a str, Bound<'t>>,
    /// Whether a destructuring gives a `prompt` its name.
    pub(super) prompt_destructured: bool,
}

impl<'a, 't> Bindings<'a, 't> {
    /// Reads them all, once a file and only where they are needed.
    pub(super) fn read(tree: &'t Tree, text: &'a str) -> Self {
        let mut bindings = Self { names: FxHashMap::default(), prompt_destructured: false };
        let mut cursor = tree.walk();
        // The node above the one that is looked at, so that no name costs the depth it stands in.
        let mut above: Vec<Node<'t>> = Vec::new();
        loop {
            let node = cursor.node();
            if matches!(node.kind(), "identifier" | "shorthand_property_identifier_pattern") {
                bindings.see(text, node, &above, cursor.field_name());
            }
            if cursor.goto_first_child() {
                above.push(node);
                continue;
            }
            while !cursor.goto_next_sibling() {
                above.pop();
                if !cursor.goto_parent() {
                    return bindings;
                }
            }
        }
    }

    fn see(&mut self, text: &'a str, node: Node<'t>, above: &[Node<'t>], field: Option<&str>) {
        let name = span_of(node).of_str(text);
        let Some(parent) = above.last() else { return };
        let destructured = node.kind() == "shorthand_property_identifier_pattern";
        self.prompt_destructured |= destructured && name == "prompt";
        let binds = destructured
            || match parent.kind() {
                "variable_declarator"
                | "function_declaration"
                | "function_expression"
                | "generator_function"
                | "generator_function_declaration"
                | "class"
                | "enum_declaration"
                | "import_alias"
                | "function_signature" => field == Some("name"),
                "required_parameter" | "optional_parameter" => field != Some("value"),
                "arrow_function" => field == Some("parameter"),
                "catch_clause" => field == Some("parameter"),
                "for_in_statement"
                | "assignment_pattern"
                | "assignment_expression"
                | "augmented_assignment_expression" => field == Some("left"),
                "pair_pattern" => field == Some("value"),
                "import_specifier" | "import_clause" | "namespace_import" | "array_pattern"
                | "rest_pattern" | "formal_parameters" => true,
                _ => false,
            };
        if !binds {
            return;
        }
        let is_const = parent.kind() == "variable_declarator"
            && above.len().checked_sub(2).and_then(|at| above.get(at)).is_some_and(|declaration| {
                declaration.kind() == "lexical_declaration"
                    && declaration.child(0).is_some_and(|word| word.kind() == "const")
            });
        let value = parent.child_by_field_name("value").filter(|_| is_const && !parent.has_error());
        let bound = value.filter(|_| !self.names.contains_key(name)).map_or(Bound::Otherwise, Bound::Const);
        self.names.insert(name, bound);
    }

    /// The value of the one `const` of that name.
    pub(super) fn constant(&self, name: &str) -> Option<Node<'t>> {
        match self.names.get(name)? {
            Bound::Const(value) => Some(*value),
            Bound::Otherwise => None,
        }
    }
}
