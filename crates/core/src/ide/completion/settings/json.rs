//! Items of a JSON file: quotes, colons and commas as the place needs them.

use super::Settings;
use crate::Message;
use crate::ide::completion::tag::{MOST_VARIABLES, escape};
use crate::ide::completion::{Completion, CompletionKind, Completions};
use crate::ide::matching::{Match, matches};
use crate::jsonc::{Place, Step, place};
use serde_json::Value;

/// A value that is longer is not offered.
const LONGEST: usize = 60;

/// What stands behind a new key: plain, and as a snippet where there is something to fill in.
pub(super) struct Behind {
    pub(super) plain: String,
    pub(super) snippet: Option<String>,
}

impl Behind {
    pub(super) fn snippet(plain: &str, snippet: &str) -> Self {
        Self { plain: plain.to_owned(), snippet: Some(snippet.to_owned()) }
    }

    /// A value to be overwritten.
    pub(super) fn value(plain: String) -> Self {
        let snippet = Some(format!("${{1:{}}}", escape(&plain)));
        Self { plain, snippet }
    }
}

/// The items for a place.
pub(super) struct Items<'a> {
    pub(super) cx: &'a Settings<'a>,
    pub(super) text: &'a str,
    pub(super) at: u32,
    pub(super) place: Place,
    pub(super) out: Completions,
}

impl<'a> Items<'a> {
    pub(super) fn at(cx: &'a Settings<'a>, text: &'a str, at: u32) -> Option<Self> {
        Some(Self { cx, text, at, place: place(text, at)?, out: Completions::default() })
    }

    /// The keys on the way to the place, an item of a list being `[]`.
    pub(super) fn path(&self) -> Vec<String> {
        let steps = self.place.path.iter().map(|step| match step {
            Step::Key(key) => key.to_string(),
            Step::Item => "[]".to_owned(),
        });
        steps.collect()
    }

    /// Puts in one item; `plain` and `snippet` replace the word.
    fn add(
        &mut self,
        label: &str,
        kind: CompletionKind,
        what: Option<&Message>,
        plain: String,
        snippet: Option<String>,
    ) {
        let mut item = Completion::new(label, kind, self.place.word);
        let comma = if self.place.lacks_comma { "," } else { "" };
        item.sort_text = format!("{:04}", self.out.items.len());
        item.filter_text = if self.place.quoted { Value::from(label).to_string() } else { label.to_owned() };
        item.edit.text = format!("{plain}{comma}").into();
        item.snippet = snippet.map(|snippet| format!("{snippet}{comma}"));
        item.description = what.map(|what| what.text(self.cx.locale).to_owned());
        item.detail = item.description.clone();
        self.out.items.push(item);
    }

    /// A key with what stands behind it, unless the object has it or a colon follows.
    pub(super) fn key(&mut self, name: &str, kind: CompletionKind, what: Option<&Message>, behind: Behind) {
        if self.place.given.iter().any(|given| &**given == name) {
            return;
        }
        let quoted = Value::from(name).to_string();
        if self.place.colon {
            self.add(name, kind, what, quoted, None);
            return;
        }
        let plain = format!("{quoted}: {}", behind.plain);
        let snippet = behind.snippet.map(|snippet| format!("{}: {snippet}", escape(&quoted)));
        self.add(name, kind, what, plain, snippet);
    }

    /// A value; where a text has been begun, texts only.
    pub(super) fn value(&mut self, value: &Value, kind: CompletionKind, what: Option<&Message>) {
        let Some(written) = written(value) else { return };
        let label = match value {
            Value::String(text) => text.clone(),
            _ if self.place.quoted => return,
            _ => written.clone(),
        };
        if !self.out.items.iter().any(|item| item.label == label) {
            self.add(&label, kind, what, written, None);
        }
    }

    /// A value with something to fill in.
    pub(super) fn shape(
        &mut self,
        label: &str,
        kind: CompletionKind,
        what: Option<&Message>,
        behind: Behind,
    ) {
        if !self.place.quoted {
            self.add(label, kind, what, behind.plain, behind.snippet);
        }
    }

    /// Those of `names` that are to be listed: all, or of too many those that fit what is typed.
    pub(super) fn listed<'n>(&mut self, mut names: Vec<&'n str>) -> Vec<&'n str> {
        if names.len() <= MOST_VARIABLES {
            return names;
        }
        self.out.incomplete = true;
        let typed = self.text.get(self.place.word.start as usize..self.at as usize).unwrap_or_default();
        let typed = typed.trim_start_matches('"').to_lowercase();
        names.retain(|name| matches(name, &typed).is_some());
        names.sort_by_cached_key(|name| (matches(name, &typed).unwrap_or(Match::Scattered), *name));
        names.truncate(MOST_VARIABLES);
        names
    }
}

/// A value as it is written, where that is short.
pub(super) fn written(value: &Value) -> Option<String> {
    if value.is_null() {
        return None;
    }
    let text = value.to_string();
    (text.chars().count() <= LONGEST).then_some(text)
}
