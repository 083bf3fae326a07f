//! From calls to what they register: blocks with their headers, variables, fields of the environment.

use super::calls::{self, Call, span_of};
use super::cooked::Cooked;
use super::tree::{Kept, parse};
use super::value::{Literal, Scope};
use super::{Dialect, LARGEST, mentions};
use crate::block::{Header, Zone};
use crate::catalog::{Argument, Mutability};
use crate::diagnostic::Diagnostic;
use crate::message::Message;
use crate::msg;
use crate::profile::Profile;
use crate::span::Span;
use crate::syntax::{Given, Property, header_of};
use rustc_hash::FxHashSet;
use std::sync::Arc;
use tree_sitter::Node;

/// The framework that a call belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Framework {
    /// `….prompt.…` [S0]
    Blocks,
    /// `….systemPrompt.…` [S1]
    Harness,
}

impl Framework {
    /// Every framework.
    pub const ALL: [Self; 2] = [Self::Blocks, Self::Harness];

    /// The name of its profile.
    pub const fn profile_name(self) -> &'static str {
        match self {
            Self::Blocks => "blocks",
            Self::Harness => "harness",
        }
    }

    /// Its rules.
    pub fn profile(self) -> Arc<Profile> {
        Profile::named(self.profile_name()).unwrap_or_else(Profile::blocks)
    }
}

/// What a call registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `prompt.block`
    Block,
    /// `systemPrompt.section`
    Section,
    /// `systemPrompt.context`
    Context,
    /// `….variable`
    Variable,
    /// `prompt.environment`
    Environment,
}

impl Kind {
    /// The method's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Block => "block",
            Self::Section => "section",
            Self::Context => "context",
            Self::Variable => "variable",
            Self::Environment => "environment",
        }
    }
}

/// A field that `prompt.environment` contributes. [S0]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name.
    pub name: Arc<str>,
    /// Where the name stands, quotes included.
    pub span: Span,
    /// Whether it stands under `extra`.
    pub extra: bool,
    /// The name as it is written, where it stands in quotes.
    pub written: Option<Cooked>,
    /// Whether it is key and value in one: `{ name }`.
    pub shorthand: bool,
}

/// Why something of a registration could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// What could not be.
    pub span: Span,
    /// For a person.
    pub why: Message,
}

/// One registering call. Offsets are the source's.
#[derive(Clone, PartialEq, Debug)]
pub struct Registration {
    /// Whose it is.
    pub framework: Framework,
    /// What it registers.
    pub kind: Kind,
    /// The method's name.
    pub callee: Span,
    /// The whole call.
    pub call: Span,
    /// What the method is called on, as it is written.
    pub receiver: Arc<str>,
    /// The block, for the kinds that register one.
    pub block: Option<SourceBlock>,
    /// The variable.
    pub variable: Option<SourceVariable>,
    /// Fields that an environment is known to have, at each of their places.
    pub fields: Vec<Field>,
    /// What could not be read.
    pub unread: Vec<Unread>,
}

/// A block of a registration.
#[derive(Clone, PartialEq, Debug)]
pub struct SourceBlock {
    /// What its properties say, with their places in the source; its body begins at 0 of the text.
    pub header: Header,
    /// What is wrong with the properties.
    pub findings: Vec<Diagnostic>,
    /// The text; `None` where it is computed.
    pub text: Option<Cooked>,
    /// Its id as it is written; `None` where it is computed.
    pub id: Option<Cooked>,
}

/// A variable of a registration.
#[derive(Clone, PartialEq, Debug)]
pub struct SourceVariable {
    /// Its name; `None` where it is computed: then the inventory is incomplete.
    pub name: Option<Arc<str>>,
    /// Where the name stands, quotes included; the call's first argument where it is computed.
    pub span: Span,
    /// The name as it is written; `None` where it is computed.
    pub written: Option<Cooked>,
    /// What it is.
    pub description: Option<Arc<str>>,
    /// Whether its value changes.
    pub mutable: Mutability,
    /// Where it may be used; everywhere if `None`.
    pub zones: Option<Vec<Zone>>,
    /// Its arguments; `None` where they are computed.
    pub args: Option<Vec<Argument>>,
    /// A value to show.
    pub example: Option<serde_json::Value>,
}

/// A source file, read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SourceFile {
    /// The registrations in the order of the file.
    pub registrations: Vec<Registration>,
    /// Why the whole file could not be read.
    pub unread: Option<Unread>,
}

impl SourceFile {
    /// Reads a source file. Costs one search where it registers nothing.
    pub fn read(text: &str, dialect: Dialect) -> Self {
        Self::read_again(text, dialect, &mut Kept::default())
    }

    /// The same for a text that was read before and edited since; `kept` has heard of each edit.
    pub fn read_again(text: &str, dialect: Dialect, kept: &mut Kept) -> Self {
        let mentions = mentions(text);
        if mentions.is_empty() {
            return Self::default();
        }
        if text.len() > LARGEST {
            kept.forget();
            let (size, most) = (text.len() / 1024, LARGEST / 1024);
            let why = msg!(
                "{size} KiB is more than the {most} KiB of a source file that are read",
                "源文件有 {size} KiB，超过 {most} KiB 的上限"
            );
            return Self::refused(why);
        }
        let Some(tree) = parse(text, dialect, kept) else {
            return Self::refused(msg!(
                "the source is too entangled to be parsed",
                "源代码过于复杂，无法解析"
            ));
        };
        let calls = calls::find(&tree, text, &mentions);
        if calls.is_empty() {
            return Self::default();
        }
        let scope = Scope::new(text, &tree);
        let real = calls.iter().filter(|call| !call.bare || scope.bindings().prompt_destructured);
        Self { registrations: real.map(|call| Reader { scope: &scope, call }.read()).collect(), unread: None }
    }

    fn refused(why: Message) -> Self {
        Self { registrations: Vec::new(), unread: Some(Unread { span: Span::empty(0), why }) }
    }

    /// Whether it registers nothing.
    pub fn is_empty(&self) -> bool {
        self.registrations.is_empty()
    }
}

/// A property of an object literal.
#[derive(Clone, Copy)]
struct Pair<'t> {
    key: Node<'t>,
    /// `None` for a method, and for what a spread behind it may replace.
    value: Option<Node<'t>>,
    whole: Node<'t>,
}

struct Object<'a, 't> {
    pairs: Vec<(std::borrow::Cow<'a, str>, Pair<'t>)>,
    /// Whether a spread or a computed key may add anything.
    open: bool,
}

impl<'t> Object<'_, 't> {
    /// The property of that name; the last one counts.
    fn get(&self, name: &str) -> Option<Pair<'t>> {
        self.pairs.iter().rev().find(|(key, _)| key == name).map(|(_, pair)| *pair)
    }
}

struct Reader<'s, 'a, 't> {
    scope: &'s Scope<'a, 't>,
    call: &'s Call<'t>,
}

impl<'a, 't> Reader<'_, 'a, 't> {
    fn read(&self) -> Registration {
        let call = self.call;
        let mut registration = Registration {
            framework: call.framework,
            kind: call.kind,
            callee: call.callee,
            call: span_of(call.node),
            receiver: self.scope.str_of(call.receiver).into(),
            block: None,
            variable: None,
            fields: Vec::new(),
            unread: Vec::new(),
        };
        let mut cursor = call.arguments.walk();
        let arguments: Vec<Node<'t>> =
            call.arguments.named_children(&mut cursor).filter(|node| node.kind() != "comment").collect();
        let first = arguments.first().copied();
        match (call.kind, call.framework) {
            (Kind::Block | Kind::Section | Kind::Context, _) => {
                match first.filter(|node| node.kind() == "object") {
                    Some(node) => self.block(&self.object(node), &mut registration),
                    None => registration.unread.push(self.no_object(first)),
                }
            }
            (Kind::Variable, Framework::Blocks) => match first.filter(|node| node.kind() == "object") {
                Some(node) => self.variable(&self.object(node), span_of(node), &mut registration),
                None => {
                    registration.unread.push(self.no_object(first));
                    registration.variable = Some(computed(first.map_or(call.callee, span_of)));
                }
            },
            (Kind::Variable, Framework::Harness) => {
                let name = first.and_then(|node| self.scope.text(node));
                let span = first.map_or(call.callee, span_of);
                if name.is_none() {
                    registration.unread.push(computed_name(span));
                }
                registration.variable = Some(SourceVariable {
                    name: name.as_ref().map(|name| name.text.as_str().into()),
                    written: name,
                    ..computed(span)
                });
            }
            (Kind::Environment, _) => {
                registration.fields = first.map(|node| self.fields(node)).unwrap_or_default();
                if registration.fields.is_empty() {
                    registration.unread.push(Unread {
                        span: first.map_or(call.callee, span_of),
                        why: msg!("the fields are computed", "字段在运行时计算"),
                    });
                }
            }
        }
        registration
    }

    fn no_object(&self, first: Option<Node<'t>>) -> Unread {
        Unread {
            span: first.map_or(self.call.callee, span_of),
            why: msg!("the argument is no object literal", "参数不是对象字面量"),
        }
    }

    fn object(&self, node: Node<'t>) -> Object<'a, 't> {
        let mut object = Object { pairs: Vec::new(), open: node.has_error() };
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let (key, value) = match child.kind() {
                "pair" => (child.child_by_field_name("key"), child.child_by_field_name("value")),
                "method_definition" => (child.child_by_field_name("name"), None),
                "shorthand_property_identifier" => (Some(child), Some(child)),
                "comment" => continue,
                _ => {
                    // What is spread here may replace all that stands before it.
                    object.open = true;
                    for (_, pair) in &mut object.pairs {
                        pair.value = None;
                    }
                    continue;
                }
            };
            let name = key.and_then(|key| match key.kind() {
                "property_identifier" | "shorthand_property_identifier" => {
                    Some(self.scope.str_of(key).into())
                }
                "string" => Some(self.scope.text(key)?.text.into()),
                _ => None,
            });
            match (name, key) {
                (Some(name), Some(key)) => object.pairs.push((name, Pair { key, value, whole: child })),
                _ => object.open = true,
            }
        }
        object
    }

    fn block(&self, object: &Object<'a, 't>, registration: &mut Registration) {
        let call = self.call;
        let names: &[(&'static str, &'static str)] = match call.framework {
            Framework::Blocks => &[
                ("id", "id"),
                ("zone", "zone"),
                ("order", "order"),
                ("role", "role"),
                ("template", "template"),
                ("complete", "complete"),
            ],
            Framework::Harness => &[("name", "id"), ("order", "order"), ("complete", "complete")],
        };
        let mut properties = Vec::new();
        let mut id = None;
        for (name, key) in names {
            let Some(pair) = object.get(name) else {
                if object.open {
                    // It may come from there.
                    properties.push(Property {
                        name: key,
                        key: call.callee,
                        span: call.callee,
                        given: Given::Computed,
                    });
                }
                continue;
            };
            let value = pair.value.and_then(|value| self.scope.value(value));
            if let ("id", Some(Literal::Text(text))) = (*key, &value) {
                id = Some(text.clone());
            }
            let given = match value {
                Some(Literal::Text(text)) => Given::Text(text.text.into()),
                Some(Literal::Number(number)) => Given::Number(number),
                Some(Literal::Boolean(boolean)) => Given::Boolean(boolean),
                Some(Literal::Other) => Given::Other,
                None => Given::Computed,
            };
            let span = span_of(pair.value.unwrap_or(pair.whole));
            if *key == "id" && given == Given::Computed {
                registration.unread.push(computed_name(span));
            }
            properties.push(Property { name: key, key: span_of(pair.key), span, given });
        }
        if let Some(zone) = match call.kind {
            Kind::Section => Some("system"),
            Kind::Context => Some("context"),
            _ => None,
        } {
            let (key, span) = (call.callee, call.callee);
            properties.push(Property { name: "zone", key, span, given: Given::Text(zone.into()) });
        }
        let template_computed = properties
            .iter()
            .any(|property| property.name == "template" && property.given == Given::Computed);
        let profile = call.framework.profile();
        let (header, mut findings) = header_of(self.scope.text, &profile, properties, call.callee);
        if call.framework == Framework::Harness {
            for finding in &mut findings {
                finding.message = named(&finding.message);
            }
        }
        for finding in &mut findings {
            // How a property is written is the language's business.
            finding.remedy = crate::Remedy::None;
        }
        let key = if call.framework == Framework::Blocks { "content" } else { "text" };
        let pair = object.get(key);
        let text = pair.and_then(|pair| self.scope.text(pair.value?));
        if text.is_none() {
            let span = pair.map_or(call.callee, |pair| span_of(pair.value.unwrap_or(pair.whole)));
            let why = msg!("the text is computed", "文本在运行时计算");
            registration.unread.push(Unread { span, why });
        }
        // Whether braces mean anything is not known.
        let text = text.filter(|_| !template_computed);
        registration.block = Some(SourceBlock { header, findings, text, id });
    }

    fn variable(&self, object: &Object<'a, 't>, whole: Span, registration: &mut Registration) {
        let text = |pair: Pair<'t>| Some(self.scope.text(pair.value?)?.text);
        let name = object.get("name");
        let span = name.map_or(whole, |pair| span_of(pair.value.unwrap_or(pair.whole)));
        let mut variable = computed(span);
        variable.written = name.and_then(|pair| self.scope.text(pair.value?));
        variable.name = variable.written.as_ref().map(|name| name.text.as_str().into());
        if variable.name.is_none() {
            registration.unread.push(computed_name(span));
        }
        variable.description = object.get("description").and_then(text).map(Arc::from);
        variable.mutable = match object.get("mutable") {
            Some(pair) => pair.value.map_or(Mutability::Unknown, |value| self.mutability(value)),
            None if object.open => Mutability::Unknown,
            None => Mutability::No,
        };
        variable.zones = object.get("zones").and_then(|pair| self.zones(pair.value?));
        variable.args = match object.get("args") {
            Some(pair) => pair.value.and_then(|value| self.args(value)),
            None if object.open => None,
            None => Some(Vec::new()),
        };
        variable.example = object.get("example").and_then(|pair| {
            Some(match self.scope.value(pair.value?)? {
                Literal::Text(text) => text.text.into(),
                Literal::Number(number) => serde_json::Number::from_f64(number)?.into(),
                Literal::Boolean(boolean) => boolean.into(),
                Literal::Other => return None,
            })
        });
        registration.variable = Some(variable);
    }

    /// `() => true` and `() => false` can be read, whatever they take; no other function can.
    fn mutability(&self, node: Node<'t>) -> Mutability {
        let node = match node.kind() {
            "arrow_function" => node.child_by_field_name("body").unwrap_or(node),
            _ => node,
        };
        match node.kind() {
            "true" => Mutability::Yes,
            "false" => Mutability::No,
            _ => Mutability::Unknown,
        }
    }

    fn items(&self, node: Node<'t>) -> Option<Vec<Node<'t>>> {
        if node.kind() != "array" || node.has_error() {
            return None;
        }
        let mut cursor = node.walk();
        Some(node.named_children(&mut cursor).filter(|node| node.kind() != "comment").collect())
    }

    fn zones(&self, node: Node<'t>) -> Option<Vec<Zone>> {
        let zone = |node: Node<'t>| Zone::from_name(&self.scope.text(node)?.text);
        self.items(node)?.into_iter().map(zone).collect()
    }

    fn args(&self, node: Node<'t>) -> Option<Vec<Argument>> {
        let argument = |node: Node<'t>| {
            if node.kind() != "object" {
                let name = self.scope.text(node)?.text.into();
                return Some(Argument { name, description: None, optional: false });
            }
            let object = self.object(node);
            let text = |name| Some(self.scope.text(object.get(name)?.value?)?.text);
            let optional = match object.get("optional") {
                Some(pair) => self.scope.value(pair.value?)? == Literal::Boolean(true),
                None => false,
            };
            let description = text("description").map(Arc::from);
            (!object.open).then_some(())?;
            Some(Argument { name: text("name")?.into(), description, optional })
        };
        self.items(node)?.into_iter().map(argument).collect()
    }

    /// The literal keys of the objects that a function returns, those under `extra` too.
    fn fields(&self, function: Node<'t>) -> Vec<Field> {
        let mut fields: Vec<Field> = Vec::new();
        let mut seen = FxHashSet::default();
        let mut add = |object: &Object<'a, 't>, extra: bool| {
            let named = object.pairs.iter().filter(|(name, _)| extra || name != "extra");
            for (name, pair) in named {
                let span = span_of(pair.key);
                // Two returns may give one constant.
                if seen.insert(span) {
                    let written = (pair.key.kind() == "string").then(|| self.scope.text(pair.key)).flatten();
                    let shorthand = pair.key.kind() == "shorthand_property_identifier";
                    fields.push(Field { name: Arc::from(&**name), span, extra, written, shorthand });
                }
            }
        };
        let Some(function) = self.scope.resolve(function) else { return fields };
        let objects = returned(function).into_iter().filter_map(|value| self.scope.resolve(value));
        for node in objects.filter(|node| node.kind() == "object") {
            let object = self.object(node);
            add(&object, false);
            let extra = object.get("extra").and_then(|pair| self.scope.resolve(pair.value?));
            if let Some(extra) = extra.filter(|value| value.kind() == "object") {
                add(&self.object(extra), true);
            }
        }
        fields
    }
}

/// What a function returns, at each of its own `return`s.
fn returned(function: Node<'_>) -> Vec<Node<'_>> {
    let body = match function.kind() {
        "arrow_function" | "function_expression" | "function_declaration" => {
            function.child_by_field_name("body")
        }
        _ => None,
    };
    let Some(body) = body else { return Vec::new() };
    if body.kind() != "statement_block" {
        return vec![body];
    }
    let mut values = Vec::new();
    let mut cursor = body.walk();
    loop {
        let node = cursor.node();
        if node.kind() == "return_statement" {
            values.extend(node.named_child(0));
        }
        // What stands in an expression is returned by another function.
        let inside = node.kind().ends_with("_statement") || STATEMENT_PARTS.contains(&node.kind());
        if inside && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return values;
            }
        }
    }
}

/// What a statement consists of that is none by its name and may hold one.
const STATEMENT_PARTS: [&str; 8] = [
    "statement_block",
    "else_clause",
    "catch_clause",
    "finally_clause",
    "switch_body",
    "switch_case",
    "switch_default",
    "ERROR",
];

/// A variable of which nothing is known.
fn computed(span: Span) -> SourceVariable {
    SourceVariable {
        name: None,
        span,
        written: None,
        description: None,
        mutable: Mutability::No,
        zones: None,
        args: Some(Vec::new()),
        example: None,
    }
}

fn computed_name(span: Span) -> Unread {
    Unread { span, why: msg!("the name is computed", "名称在运行时计算") }
}

/// A message on a header's key as one on the property that stands for it here.
fn named(message: &Message) -> Message {
    let named = |locale| message.text(locale).replace("`id`", "`name`");
    Message::new(named(crate::Locale::En), named(crate::Locale::ZhCn))
}
