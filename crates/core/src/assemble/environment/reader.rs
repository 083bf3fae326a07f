//! Reads the file and puts contributors together.

use super::{Environment, Environments};
use crate::diagnostic::{Diagnostic, Remedy};
use crate::excerpt::excerpt;
use crate::jsonc::{self, Member, Node, first_of_each, quoted};
use crate::lint::Code;
use crate::message::Message;
use crate::msg;
use crate::nearest::nearest;
use crate::span::Span;
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};
use std::sync::Arc;

/// The most that all contributors of a file together may bring in, in bytes. Ten thousand environments that extend
/// each other would otherwise fill the memory from a small file.
const MOST_MERGED: usize = 64 << 20;

/// An environment as it stands in the file.
struct Raw {
    name: Arc<str>,
    key: Span,
    own: Map<String, Value>,
    /// The place of the list of contributors.
    list: Span,
    extends: Vec<Contributor>,
}

#[derive(Clone, Copy)]
struct Contributor {
    /// Its number in the file.
    index: usize,
    /// Where it is named.
    span: Span,
}

/// Reads the file. Environments that cannot be read are left out.
pub fn parse_environments(text: &str) -> (Environments, Vec<Diagnostic>) {
    let document = jsonc::parse(text);
    let mut reader = Reader { diagnostics: Vec::new() };
    let environments = reader.root(&document.root);
    let mut diagnostics = reader.diagnostics;
    if let Some(fault) = document.fault {
        let skeleton = document.blank.map(|(at, line_break)| {
            let text = format!("{line_break}{{\n  \"default\": {{}}\n}}\n").into();
            Remedy::Insert { at, text, safe: false }
        });
        diagnostics.push(
            Diagnostic::new(Code::InvalidEnvironment, fault.span, fault.message)
                .remedy(skeleton.unwrap_or(fault.remedy)),
        );
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    (Environments(environments), diagnostics)
}

struct Reader {
    diagnostics: Vec<Diagnostic>,
}

impl Reader {
    fn invalid(&mut self, span: Span, message: Message, remedy: Remedy) {
        self.diagnostics.push(Diagnostic::new(Code::InvalidEnvironment, span, message).remedy(remedy));
    }

    fn first_of_each<'d>(&mut self, members: &'d [Member]) -> Vec<&'d Member> {
        let twice = |key: &str| {
            let key = excerpt(key);
            msg!("`{key}` is given twice; the first one counts", "`{key}` 重复；以第一个为准")
        };
        first_of_each(members, Code::InvalidEnvironment, twice, &mut self.diagnostics)
    }

    fn root(&mut self, root: &Node) -> Vec<Arc<Environment>> {
        let Some(members) = root.as_object() else {
            if !root.is_broken() {
                let message = msg!(
                    "expected an object of named environments, not {is}",
                    "这里应为由具名环境组成的对象，不能是{is}";
                    is = root.kind()
                );
                self.invalid(root.span, message, Remedy::None);
            }
            return Vec::new();
        };
        let members: Vec<&Member> = self
            .first_of_each(members)
            .into_iter()
            .filter(|member| &*member.key.value != "$schema")
            .collect();
        let sound: Vec<&Member> =
            members.iter().copied().filter(|member| self.is_environment(member)).collect();
        let numbers: FxHashMap<&str, Option<usize>> = members
            .iter()
            .map(|member| (&*member.key.value, None))
            .chain(sound.iter().enumerate().map(|(number, member)| (&*member.key.value, Some(number))))
            .collect();
        let raw: Vec<Raw> = sound.into_iter().map(|member| self.environment(member, &numbers)).collect();
        self.resolve(raw)
    }

    fn is_environment(&mut self, member: &Member) -> bool {
        let is_object = member.value.as_object().is_some();
        if !is_object && !member.value.is_broken() {
            let name = excerpt(&member.key.value);
            let message = msg!(
                "the environment `{name}` must be an object, not {is}",
                "环境 `{name}` 应为对象，不能是{is}";
                is = member.value.kind()
            );
            self.invalid(member.value.span, message, Remedy::None);
        }
        is_object
    }

    fn environment(&mut self, member: &Member, numbers: &FxHashMap<&str, Option<usize>>) -> Raw {
        let mut raw = Raw {
            name: Arc::clone(&member.key.value),
            key: member.key.span,
            own: Map::new(),
            list: Span::default(),
            extends: Vec::new(),
        };
        for field in self.first_of_each(member.value.as_object().unwrap_or_default()) {
            match &*field.key.value {
                "extends" => {
                    raw.list = field.value.span;
                    raw.extends = self.extends(&raw.name, &field.value, numbers);
                }
                "extra" if !self.is_extra(&field.value) => {}
                name => {
                    if let Some(value) = field.value.to_json() {
                        raw.own.insert(name.to_owned(), value);
                    }
                }
            }
        }
        raw
    }

    fn is_extra(&mut self, value: &Node) -> bool {
        match value.as_object() {
            Some(members) => {
                self.first_of_each(members);
                true
            }
            None => {
                if !value.is_broken() && value.value != jsonc::Value::Null {
                    let message = msg!("`extra` takes an object, not {is}", "`extra` 要填对象，不能是{is}"; is = value.kind());
                    self.invalid(value.span, message, Remedy::None);
                }
                false
            }
        }
    }

    fn extends(
        &mut self,
        own: &str,
        value: &Node,
        numbers: &FxHashMap<&str, Option<usize>>,
    ) -> Vec<Contributor> {
        let takes = msg!("a list of names of environments", "环境名的列表");
        let Some(items) = value.as_array() else {
            if !value.is_broken() {
                let remedy = match value.as_text() {
                    Some(name) if numbers.contains_key(&**name) && **name != *own => Remedy::Replace {
                        with: vec![format!("[{}]", Value::from(&**name)).into()],
                        safe: false,
                    },
                    _ => Remedy::None,
                };
                let message = msg!("`extends` takes {takes}, not {is}", "`extends` 要填{takes}，不能是{is}"; takes = takes, is = value.kind());
                self.invalid(value.span, message, remedy);
            }
            return Vec::new();
        };
        let mut contributors = Vec::with_capacity(items.len());
        for item in items.iter().filter(|item| !item.is_broken()) {
            let Some(name) = item.as_text() else {
                let message = msg!("the name of an environment is a text, not {is}", "环境名应为文本，不能是{is}"; is = item.kind());
                self.invalid(item.span, message, Remedy::None);
                continue;
            };
            match numbers.get(&**name) {
                Some(Some(index)) => contributors.push(Contributor { index: *index, span: item.span }),
                // What is wrong with that one is said there.
                Some(None) => {}
                None => {
                    let near = nearest(name, numbers.keys().copied().filter(|other| *other != own));
                    let (shown, question) = (excerpt(name), near.question());
                    let message = msg!(
                        "there is no environment `{shown}`{question}",
                        "没有名为 `{shown}` 的环境{question}";
                        question = question
                    );
                    let remedy = match quoted(&near, false) {
                        Remedy::None => Remedy::RemoveEntry(item.span),
                        near => near,
                    };
                    self.invalid(item.span, message, remedy);
                }
            }
        }
        contributors
    }

    /// Every environment with what its contributors bring in.
    fn resolve(&mut self, raw: Vec<Raw>) -> Vec<Arc<Environment>> {
        let extends: Vec<&[Contributor]> = raw.iter().map(|raw| raw.extends.as_slice()).collect();
        let (circle_of, order) = circles(&extends);
        let mut merged: Vec<Map<String, Value>> = vec![Map::new(); raw.len()];
        let mut weights = vec![0; raw.len()];
        let mut left = MOST_MERGED;
        for index in order {
            let Some(this) = raw.get(index) else { continue };
            let mut fields = Map::new();
            for contributor in &this.extends {
                if circle_of.get(contributor.index) == circle_of.get(index) {
                    let name = excerpt(&this.name);
                    let message = msg!(
                        "this leads back to `{name}` in a circle, and is left out",
                        "这里循环引用到 `{name}`，因此被略去"
                    );
                    self.invalid(contributor.span, message, Remedy::RemoveEntry(contributor.span));
                    continue;
                }
                let cost = weights.get(contributor.index).copied().unwrap_or_default();
                if cost > left {
                    let message =
                        msg!("the environments bring in too much of each other", "环境之间引入的内容太多");
                    self.invalid(this.list, message, Remedy::None);
                    break;
                }
                left -= cost;
                merge(&mut fields, merged.get(contributor.index).into_iter().flatten());
            }
            merge(&mut fields, &this.own);
            if let (Some(weighs), Some(slot)) = (weights.get_mut(index), merged.get_mut(index)) {
                *weighs = weight(&fields);
                *slot = fields;
            }
        }
        raw.into_iter()
            .zip(merged)
            .map(|(raw, fields)| Arc::new(Environment { name: raw.name, key: raw.key, fields }))
            .collect()
    }
}

/// The later wins, `extra` key by key.
fn merge<'a>(into: &mut Map<String, Value>, from: impl IntoIterator<Item = (&'a String, &'a Value)>) {
    for (name, value) in from {
        if let ("extra", Some(Value::Object(before)), Value::Object(extra)) =
            (&**name, into.get_mut(name), value)
        {
            before.extend(extra.iter().map(|(name, value)| (name.clone(), value.clone())));
        } else {
            into.insert(name.clone(), value.clone());
        }
    }
}

/// Roughly what a copy costs, in bytes.
fn weight(fields: &Map<String, Value>) -> usize {
    fields.iter().map(|(name, value)| name.len() + weight_of(value)).sum()
}

fn weight_of(value: &Value) -> usize {
    let inner = match value {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight_of).sum(),
        Value::Object(fields) => weight(fields),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    };
    inner + size_of::<Value>()
}

/// For each environment a number that it shares with those it leads to and that lead back to it; and an order in which
/// each comes behind those it extends. Tarjan's algorithm, with a stack of its own: the file decides how deep it goes.
fn circles(extends: &[&[Contributor]]) -> (Vec<usize>, Vec<usize>) {
    const NONE: usize = usize::MAX;
    let count = extends.len();
    let (mut reached, mut lowest, mut circle) = (vec![NONE; count], vec![NONE; count], vec![NONE; count]);
    let (mut order, mut open, mut next) = (Vec::with_capacity(count), Vec::new(), 0);
    for start in 0..count {
        if reached[start] != NONE {
            continue;
        }
        // Where each visit stands in its list of contributors.
        let mut visits = vec![(start, 0)];
        while let Some((index, position)) = visits.pop() {
            if position == 0 {
                reached[index] = next;
                lowest[index] = next;
                next += 1;
                open.push(index);
            }
            if let Some(contributor) = extends[index].get(position) {
                visits.push((index, position + 1));
                let other = contributor.index;
                if reached[other] == NONE {
                    visits.push((other, 0));
                } else if circle[other] == NONE {
                    lowest[index] = lowest[index].min(reached[other]);
                }
                continue;
            }
            if lowest[index] == reached[index] {
                while let Some(member) = open.pop() {
                    circle[member] = reached[index];
                    order.push(member);
                    if member == index {
                        break;
                    }
                }
            }
            if let Some((parent, _)) = visits.last() {
                lowest[*parent] = lowest[*parent].min(lowest[index]);
            }
        }
    }
    (circle, order)
}
