//! In a catalog.

use super::Settings;
use super::json::{Behind, Items};
use crate::block::Zone;
use crate::catalog::{KEYS, ValueType};
use crate::ide::completion::half_typed::{Wanted, wanted_in_condition};
use crate::ide::completion::known::{Found, Known, Spelling, plugins};
use crate::ide::completion::tag::comparisons;
use crate::ide::completion::{Completion, CompletionKind, Completions};
use crate::span::{Span, offset};
use crate::{Message, msg};
use serde_json::Value;
use std::collections::BTreeSet;

pub(super) fn completions(cx: &Settings<'_>, text: &str, at: u32) -> Completions {
    let Some(mut items) = Items::at(cx, text, at) else { return Completions::default() };
    let path = items.path();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let key = items.place.key;
    match path.as_slice() {
        [] if key && !cx.schema => {
            items.key("variables", CompletionKind::Property, None, Behind::snippet("{}", "{$1}"));
        }
        ["variables"] if key => lacking(&mut items),
        ["variables", _] if key && !cx.schema => {
            KEYS.into_iter().for_each(|name| entry_key(&mut items, name))
        }
        ["variables", _, "mutable"] if key && !cx.schema => {
            items.key("when", CompletionKind::Property, None, Behind::snippet("\"\"", "\"$1\""));
        }
        ["variables", _, "mutable"] if !cx.schema => {
            for value in [Value::from(false), Value::from(true), Value::from("unknown")] {
                items.value(&value, CompletionKind::EnumMember, None);
            }
            let when = Behind::snippet("{\"when\": \"\"}", "{\"when\": \"$1\"\\}");
            items.shape("{\"when\": …}", CompletionKind::Snippet, None, when);
        }
        ["variables", _, "mutable", "when"] if !key => return condition(&items),
        ["variables", _, "zones", "[]"] if !cx.schema => {
            for zone in cx
                .judge
                .profile
                .zones()
                .map(Zone::name)
                .filter(|zone| !is_given(&items, zone))
                .collect::<Vec<_>>()
            {
                items.value(&Value::from(zone), CompletionKind::EnumMember, None);
            }
        }
        ["variables", _, "type"] if !key && !cx.schema => {
            for kind in ValueType::ALL {
                items.value(&Value::from(kind.name()), CompletionKind::EnumMember, None);
            }
        }
        ["variables", _, "plugin"] if !key => {
            for plugin in plugins(cx.index, &cx.judge.catalog, None) {
                items.value(&Value::from(plugin), CompletionKind::Module, None);
            }
        }
        ["variables", _, "args", "[]"] if key && !cx.schema => {
            for name in ["name", "description"] {
                items.key(name, CompletionKind::Property, None, Behind::snippet("\"\"", "\"$1\""));
            }
            items.key("optional", CompletionKind::Property, None, Behind::value("true".to_owned()));
        }
        ["variables", _, "args", "[]", "optional"] if !key && !cx.schema => {
            for value in [true, false] {
                items.value(&Value::from(value), CompletionKind::EnumMember, None);
            }
        }
        _ => {}
    }
    items.out
}

fn is_given(items: &Items<'_>, text: &str) -> bool {
    items.place.given.iter().any(|given| &**given == text)
}

/// The variables that blocks use and no catalog has, as entries to fill in.
fn lacking(items: &mut Items<'_>) {
    let cx = items.cx;
    let used = cx.index.used_names();
    let lacking = used.iter().map(|name| &**name).filter(|name| {
        cx.judge.catalog.get(name).is_none() && cx.judge.profile.can_write(name) && *name != "prompt"
    });
    let lacking: BTreeSet<&str> = lacking.collect();
    for name in items.listed(lacking.into_iter().collect()) {
        let what = match cx.index.use_count(name) {
            1 => msg!("used in 1 block, in no catalog", "有 1 个块使用，目录中没有"),
            count => msg!("used in {count} blocks, in no catalog", "有 {count} 个块使用，目录中没有"),
        };
        let entry = Behind::snippet("{\"description\": \"\"}", "{\"description\": \"$1\"\\}");
        items.key(name, CompletionKind::Variable, Some(&what), entry);
    }
}

fn entry_key(items: &mut Items<'_>, name: &str) {
    let behind = match name {
        "mutable" => Behind::value("true".to_owned()),
        "zones" | "args" => Behind::snippet("[]", "[$1]"),
        _ => Behind::snippet("\"\"", "\"$1\""),
    };
    items.key(name, CompletionKind::Property, None, behind);
}

/// Within a condition: fields of the environment, comparisons, values that the environments have.
fn condition(items: &Items<'_>) -> Completions {
    let (cx, place) = (items.cx, &items.place);
    let mut out = Completions::default();
    let start = place.word.start as usize + 1;
    let before = items.text.get(start..items.at as usize).filter(|_| place.quoted);
    // What an escape stands for is longer than it looks.
    let Some(before) = before.filter(|before| !before.contains('\\')) else { return out };
    let Some((wanted, from)) = wanted_in_condition(before) else { return out };
    let behind = items.text.get(items.at as usize..place.word.end as usize).unwrap_or_default();
    let taken = match wanted {
        Wanted::Operator => behind.find(|c| !"=!<>".contains(c)),
        Wanted::Quoted { quote, .. } => Some(match behind.find([quote, '"']) {
            Some(end) if behind[end..].starts_with(quote) => end + 1,
            _ => 0,
        }),
        _ => behind.find(|c| !unicode_ident::is_xid_continue(c)),
    };
    let span = Span::new(offset(start + from), items.at + offset(taken.unwrap_or(behind.len())));
    let mut add = |label: &str, kind: CompletionKind, what: Option<&Message>| {
        let mut item = Completion::new(label, kind, span);
        item.sort_text = format!("{:04}", out.items.len());
        // In quotes all the same, so that backslashes count twice.
        let written = Value::from(label).to_string();
        item.edit.text = written.trim_start_matches('"').strip_suffix('"').unwrap_or_default().into();
        item.description = what.map(|what| what.text(cx.locale).to_owned());
        item.detail = item.description.clone();
        out.items.push(item);
    };
    let known = Known { catalog: &cx.judge.catalog, environments: cx.environments, loops: None };
    match wanted {
        Wanted::Operand { left } => {
            let literals = left.map(|left| known.literals(left, Spelling::Any('\'')));
            for Found { text, origin } in literals.unwrap_or_default() {
                add(&text, CompletionKind::Value, Some(&origin));
            }
            if left.is_some_and(|left| known.is_boolean(left)) {
                ["true", "false"].into_iter().for_each(|word| add(word, CompletionKind::Keyword, None));
            }
            for (name, origin) in super::environments::fields(cx) {
                add(name, CompletionKind::Field, Some(&origin));
            }
        }
        Wanted::Operator => {
            for (sign, meaning) in comparisons() {
                add(sign, CompletionKind::Operator, Some(&meaning));
            }
        }
        Wanted::Field { of, .. } => {
            for Found { text, origin } in known.fields(of) {
                add(&text, CompletionKind::Field, Some(&origin));
            }
        }
        Wanted::Quoted { left, quote } => {
            for Found { text, origin } in known.literals(left, Spelling::Quoted(quote)) {
                add(&text, CompletionKind::Value, Some(&origin));
            }
        }
        _ => {}
    }
    out
}
