//! The fields of one entry. A faulty field stands at its default; the entry exists all the same.

use super::Reader;
use crate::block::Zone;
use crate::catalog::{Argument, Mutability, ValueType, Variable};
use crate::diagnostic::{Diagnostic, Remedy};
use crate::excerpt::excerpt;
use crate::jsonc::{Member, Node, Value, quoted};
use crate::lint::Code;
use crate::message::or;
use crate::msg;
use crate::nearest::nearest;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The keys of an entry.
pub(crate) const KEYS: [&str; 7] = ["description", "mutable", "zones", "args", "type", "example", "plugin"];

impl Reader<'_> {
    pub(super) fn entry(&mut self, fields: &[Member], variable: &mut Variable) {
        for field in self.known("a variable", &KEYS, fields) {
            let (name, value) = (&*field.key.value, &field.value);
            match name {
                "description" => variable.description = self.text(name, value),
                "plugin" => variable.plugin = self.text(name, value),
                "mutable" => variable.mutable = self.mutability(value),
                "zones" => variable.zones = self.zones(field),
                "args" => variable.args = self.arguments(value),
                "type" => variable.value_type = self.value_type(value),
                "example" => variable.example = value.to_json(),
                _ => {}
            }
        }
    }

    fn text(&mut self, name: &str, value: &Node) -> Option<Arc<str>> {
        let text = value.as_text().cloned();
        if text.is_none() {
            self.wrong_type(name, &msg!("a text", "文本"), value, Remedy::None);
        }
        text
    }

    /// One of a few words.
    fn choice<T: Copy>(
        &mut self,
        name: &str,
        value: &Node,
        all: &[T],
        spell: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let names = || all.iter().map(|choice| spell(*choice));
        let Some(text) = value.as_text() else {
            self.wrong_type(name, &or(names()), value, Remedy::None);
            return None;
        };
        let found = all.iter().copied().find(|choice| spell(*choice) == &**text);
        if found.is_none() {
            // Words of other languages first, which no edit leads to.
            let near = nearest(synonym(text), names());
            let (shown, question) = (excerpt(text), near.question());
            let message = msg!(
                "`{shown}` is no `{name}`; it is {allowed}{question}",
                "`{shown}` 不是有效的 `{name}`，可用的值是 {allowed}{question}";
                allowed = or(names()),
                question = question
            );
            let found = Diagnostic::new(Code::InvalidCatalog, value.span, message);
            self.diagnostics.push(found.remedy(quoted(&near, false)));
        }
        found
    }

    fn value_type(&mut self, value: &Node) -> Option<ValueType> {
        self.choice("type", value, &ValueType::ALL, ValueType::name)
    }

    fn mutability(&mut self, value: &Node) -> Mutability {
        match &value.value {
            Value::Boolean(true) => Mutability::Yes,
            Value::Boolean(false) => Mutability::No,
            Value::Text(text) if &**text == "unknown" => Mutability::Unknown,
            Value::Object(members) => self.predicate(value, members),
            _ => {
                let takes = msg!(
                    "`true`, `false`, `\"unknown\"` or `{{\"when\": \"…\"}}`",
                    " `true`、`false`、`\"unknown\"` 或 `{{\"when\": \"…\"}}`"
                );
                let remedy = match value.as_text().map(|text| &**text) {
                    Some(text @ ("true" | "false")) => {
                        Remedy::Replace { with: vec![text.into()], safe: false }
                    }
                    _ => Remedy::None,
                };
                self.wrong_type("mutable", &takes, value, remedy);
                Mutability::No
            }
        }
    }

    fn predicate(&mut self, value: &Node, members: &[Member]) -> Mutability {
        let when = self.known("`mutable`", &["when"], members).into_iter().next();
        let Some(when) = when else {
            if members.is_empty() {
                let message = msg!(
                    "`when` is missing: the condition under which the value changes",
                    "缺少 `when`：值在什么条件下会变"
                );
                self.invalid(value.span, message);
            }
            return Mutability::No;
        };
        let Some(text) = when.value.as_text() else {
            self.wrong_type("when", &msg!("a condition", "条件"), &when.value, Remedy::None);
            return Mutability::No;
        };
        match crate::syntax::parse_condition(text) {
            Some(condition) => Mutability::When(Arc::new(condition)),
            None => {
                let shown = excerpt(text);
                let message = msg!(
                    "`{shown}` is no condition; one is `name`, or `name == \"text\"` with one of `== != < > <= >=`",
                    "`{shown}` 不是条件；条件写作 `名称`，或 `名称 == \"文本\"`，运算符为 `== != < > <= >=` 之一"
                );
                self.invalid(when.value.span, message);
                Mutability::No
            }
        }
    }

    /// A zone that is wrong leaves all zones: better no finding than one that the author cannot explain.
    fn zones(&mut self, field: &Member) -> Option<Vec<Zone>> {
        let value = &field.value;
        let takes = msg!("a list of zones", "区的列表");
        let Some(items) = value.as_array() else {
            let remedy = match value.as_text() {
                Some(text) if Zone::from_name(text).is_some() => {
                    Remedy::Replace { with: vec![format!("[\"{text}\"]").into()], safe: false }
                }
                _ => Remedy::None,
            };
            self.wrong_type("zones", &takes, value, remedy);
            return None;
        };
        if items.is_empty() {
            let message = msg!(
                "`zones` is empty, so the variable could be used nowhere; leave it out for all zones",
                "`zones` 是空的，变量哪里都不能用；所有区都可用时请删去这个键"
            );
            let found = Diagnostic::new(Code::InvalidCatalog, value.span, message);
            self.diagnostics.push(found.remedy(Remedy::RemoveEntry(field.span())));
            return None;
        }
        let zones: Vec<_> =
            items.iter().map(|item| self.choice("zone", item, &Zone::ALL, Zone::name)).collect();
        zones.into_iter().collect()
    }

    fn arguments(&mut self, value: &Node) -> Vec<Argument> {
        let Some(items) = value.as_array() else {
            self.wrong_type(
                "args",
                &msg!("a list of names or objects", "由名称或对象组成的列表"),
                value,
                Remedy::None,
            );
            return Vec::new();
        };
        let mut names = FxHashSet::default();
        let mut arguments: Vec<Argument> = Vec::with_capacity(items.len());
        let mut misplaced = false;
        for item in items.iter().filter(|item| !item.is_broken()) {
            let (argument, name) = self.argument(item);
            if let Some(name) = name.filter(|_| !names.insert(Arc::clone(&argument.name))) {
                let shown = excerpt(&argument.name);
                let message = msg!("two arguments are named `{shown}`", "有两个参数都叫 `{shown}`");
                self.invalid(name.span, message);
            }
            if !misplaced && !argument.optional && arguments.last().is_some_and(|before| before.optional) {
                misplaced = true;
                let message = msg!(
                    "an argument that is required cannot follow an optional one",
                    "必填参数不能放在可选参数之后"
                );
                self.invalid(item.span, message);
            }
            arguments.push(argument);
        }
        arguments
    }

    /// An argument and the place of its name. One that cannot be read still is an argument.
    fn argument<'d>(&mut self, item: &'d Node) -> (Argument, Option<&'d Node>) {
        let mut argument = Argument { name: "".into(), description: None, optional: false };
        let mut name_node = None;
        match &item.value {
            Value::Text(name) => {
                argument.name = Arc::clone(name);
                name_node = Some(item);
            }
            Value::Object(members) => {
                let fields = self.known("an argument", &["name", "description", "optional"], members);
                for field in &fields {
                    let (key, value) = (&*field.key.value, &field.value);
                    match (key, &value.value) {
                        ("optional", Value::Boolean(optional)) => argument.optional = *optional,
                        ("optional", _) => {
                            self.wrong_type(
                                key,
                                &msg!("`true` or `false`", " `true` 或 `false`"),
                                value,
                                Remedy::None,
                            );
                        }
                        ("description", _) => argument.description = self.text(key, value),
                        (_, _) => {
                            if let Some(name) = self.text(key, value) {
                                argument.name = name;
                                name_node = Some(value);
                            }
                        }
                    }
                }
                if !fields.iter().any(|field| &*field.key.value == "name") {
                    self.invalid(item.span, msg!("this argument has no `name`", "这个参数没有 `name`"));
                }
            }
            _ => {
                let message = msg!("an argument is a name or an object, not {is}", "参数应为名称或对象，不能是{is}"; is = item.kind());
                self.invalid(item.span, message);
            }
        }
        if let Some(name) = name_node.filter(|_| argument.name.trim().is_empty()) {
            self.invalid(name.span, msg!("the name of an argument cannot be empty", "参数名不能为空"));
            name_node = None;
        }
        (argument, name_node)
    }
}

/// Our word for a type that goes by another name elsewhere.
fn synonym(word: &str) -> &str {
    match word.to_ascii_lowercase().as_str() {
        "str" | "string" => "Text",
        "int" | "integer" | "float" | "double" => "Number",
        "bool" => "Boolean",
        "array" => "List",
        _ => word,
    }
}
