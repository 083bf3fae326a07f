//! In the file of sample environments.

use super::Settings;
use super::json::{Behind, Items, written};
use crate::catalog::{Layer, ValueType, Variable};
use crate::excerpt::excerpt;
use crate::ide::completion::known::Known;
use crate::ide::completion::tag::MOST_VARIABLES;
use crate::ide::completion::{CompletionKind, Completions};
use crate::jsonc;
use crate::syntax::is_name;
use crate::{Message, msg};
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) fn completions(cx: &Settings<'_>, text: &str, at: u32) -> Completions {
    let Some(mut items) = Items::at(cx, text, at) else { return Completions::default() };
    let path = items.path();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let key = items.place.key;
    match path.as_slice() {
        [environment] if key => {
            if !cx.schema && *environment != "$schema" {
                items.key("extends", CompletionKind::Property, None, Behind::snippet("[]", "[$1]"));
                items.key("extra", CompletionKind::Property, None, Behind::snippet("{}", "{$1\\}"));
            }
            names(&mut items);
        }
        [_, "extra"] if key => names(&mut items),
        [environment, "extends", "[]"] => {
            for other in others(&items, environment) {
                if !items.place.given.contains(&other) {
                    items.value(&Value::from(&*other), CompletionKind::Value, None);
                }
            }
        }
        [environment, "extends"] if !key && !items.place.quoted => {
            for other in others(&items, environment) {
                items.value(&Value::from(vec![&*other]), CompletionKind::Value, None);
            }
        }
        [_, "extra", field] | [_, field] if !key => values(&mut items, field),
        _ => {}
    }
    items.out
}

/// The other environments, as the file has them now.
fn others(items: &Items<'_>, environment: &str) -> Vec<Arc<str>> {
    let document = jsonc::parse(items.text);
    let members = document.root.as_object().unwrap_or_default().iter();
    let names =
        members.map(|member| &member.key.value).filter(|name| ![environment, "$schema"].contains(&&***name));
    names.take(MOST_VARIABLES).cloned().collect()
}

/// The fields that environments are known to have, by name, each with where it is from.
pub(super) fn fields<'a>(cx: &Settings<'a>) -> BTreeMap<&'a str, Message> {
    let mut out: BTreeMap<&str, Message> = BTreeMap::new();
    for environment in &cx.environments.0 {
        let extra = environment.fields.get("extra").and_then(Value::as_object);
        let names = environment
            .fields
            .keys()
            .filter(|name| *name != "extra")
            .chain(extra.into_iter().flat_map(|extra| extra.keys()));
        for name in names.filter(|name| is_name(name)) {
            let shown = excerpt(&environment.name);
            out.entry(name).or_insert_with(|| msg!("environment `{shown}`", "环境 `{shown}`"));
        }
    }
    for name in cx.fields.iter().filter(|name| is_name(name)) {
        out.entry(name).or_insert_with(|| msg!("source code", "源代码"));
    }
    out
}

/// Names that an environment may give a value to: the variables', and the fields of the others.
fn names(items: &mut Items<'_>) {
    let cx = items.cx;
    let mut all: FxHashMap<&str, Message> = fields(cx).into_iter().collect();
    let variables =
        cx.judge.catalog.iter().filter(|variable| {
            variable.layer != Layer::BuiltIn && cx.judge.profile.can_write(&variable.name)
        });
    for variable in variables {
        all.entry(&variable.name).or_insert_with(|| msg!("variable", "变量"));
    }
    let mut sorted: Vec<&str> = all.keys().copied().collect();
    sorted.sort_unstable();
    for name in items.listed(sorted) {
        let behind = value_for(cx, name);
        items.key(name, CompletionKind::Variable, all.get(name), behind);
    }
}

/// A value to begin with: that of another environment, else the example, else one of the type.
fn value_for(cx: &Settings<'_>, name: &str) -> Behind {
    let given = cx.environments.0.iter().find_map(|environment| environment.get(name));
    let variable = cx.judge.catalog.get(name).map(|variable| &**variable);
    let known = given.or(variable.and_then(|variable: &Variable| variable.example.as_ref()));
    if let Some(known) = known.and_then(written) {
        return Behind::value(known);
    }
    match variable.and_then(|variable| variable.value_type) {
        Some(ValueType::Number) => Behind::value("0".to_owned()),
        Some(ValueType::Boolean) => Behind::snippet("true", "${1|true,false|}"),
        Some(ValueType::List) => Behind::snippet("[]", "[$1]"),
        Some(ValueType::Text) | None => Behind::snippet("\"\"", "\"$1\""),
    }
}

/// Values that the field has elsewhere.
fn values(items: &mut Items<'_>, field: &str) {
    let cx = items.cx;
    let known = Known { catalog: &cx.judge.catalog, environments: cx.environments, loops: None };
    for (value, origin) in known.values(field, 0) {
        items.value(value, CompletionKind::Value, Some(&origin));
    }
    let declared = cx.judge.catalog.get(field).and_then(|variable| variable.value_type);
    if declared == Some(ValueType::Boolean) || known.is_boolean(field) {
        for value in [true, false] {
            items.value(&Value::from(value), CompletionKind::Value, None);
        }
    }
}
