//! The pin: the system zone keeps the values that it was first rendered with, and what has changed since is told in the
//! context zone. [S0]

use super::assembly::{Assembly, Part};
use super::content::Content;
use super::escape::escaped;
use super::frame::Frame;
use super::render::{Limits, Piece, PieceKind, Rendered};
use super::scene::Scene;
use super::value::spell;
use crate::block::{List, Role, Zone};
use crate::message::Locale;
use crate::span::Span;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::sync::Arc;

/// A variable of the system zone whose value is another now.
#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    /// Its name.
    pub name: Arc<str>,
    /// The value that the system zone holds; none where it had none.
    pub before: Option<Value>,
    /// The value now.
    pub after: Option<Value>,
}

/// The variables used in the system zone of `first` whose values `then` differ, by name.
pub fn changes(first: &Assembly, before: &Scene, then: &Scene) -> Vec<Change> {
    let used: BTreeSet<&Arc<str>> = first.prefix().flat_map(|part| &part.content.rendered.used).collect();
    let change = |name: &Arc<str>| Change {
        name: Arc::clone(name),
        before: before.value(name).cloned(),
        after: then.value(name).cloned(),
    };
    used.into_iter().map(change).filter(|change| change.before != change.after).collect()
}

/// An assembly in a changed environment with the system zone of `first`: byte for byte the same, and one more context that
/// names what has changed.
pub fn pin(first: &Assembly, then: Assembly, changes: &[Change], locale: Locale) -> Assembly {
    let mut pinned = Assembly { system: first.system.clone(), prelude: first.prelude.clone(), ..then };
    // Of the new rendering of the system zone nothing is left, its findings neither.
    let stable: BTreeSet<_> = pinned.prefix().filter_map(|part| part.file).collect();
    pinned.findings.retain(|(file, _)| !stable.contains(file));
    pinned.findings.extend(first.findings.iter().filter(|(file, _)| stable.contains(file)).cloned());
    for part in first.prefix() {
        for name in &part.content.rendered.used {
            if let (false, Some(value)) = (pinned.values.contains_key(&**name), first.values.get(&**name)) {
                pinned.values.insert(name.to_string(), value.clone());
            }
        }
    }
    pinned.values.sort_keys();
    if !changes.is_empty() {
        let rules = &pinned.frame.profile.messages;
        let contexts = rules.iter().rposition(|rule| rule.list == List::Contexts && rule.plugin.is_none());
        let note = note(changes, locale, contexts.unwrap_or_default(), &pinned.frame);
        pinned.contexts.push(note);
        pinned.contexts.sort_by_key(|part| part.rule);
    }
    pinned
}

fn note(changes: &[Change], locale: Locale, rule: usize, frame: &Frame) -> Part {
    let mut text = match locale {
        Locale::En => "The environment has been updated:".to_owned(),
        Locale::ZhCn => "环境已更新：".to_owned(),
    };
    for change in changes {
        let value = match (&change.after, locale) {
            (Some(value), _) => spell(value),
            (None, Locale::En) => "(no value any more)".into(),
            (None, Locale::ZhCn) => "（不再有值）".into(),
        };
        // The lines of a value stay within its item.
        let value = value.replace("\r\n", "\n").replace(['\n', '\r'], "\n  ");
        let between = if locale == Locale::En { ": " } else { "：" };
        // Writing to a string cannot fail.
        let _ = write!(text, "\n- {}{between}{value}", change.name);
    }
    let piece = Piece { start: 0, source: Span::default(), kind: PieceKind::Value };
    let rendered = Rendered {
        text: text.into(),
        pieces: [piece].into(),
        used: changes.iter().map(|change| Arc::clone(&change.name)).collect(),
        findings: Box::default(),
        took: Limits { rounds: 0, bytes: 0, effort: 0 },
        cut: false,
    };
    let rendered = match frame.escape(rule) {
        Some(tag) => escaped(rendered, tag),
        None => rendered,
    };
    Part {
        file: None,
        id: None,
        zone: Zone::Context,
        role: Role::System,
        order: f64::INFINITY,
        rule,
        content: Arc::new(Content::new(rendered)),
    }
}
