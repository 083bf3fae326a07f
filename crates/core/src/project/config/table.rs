//! Tables of a TOML file with places, and the findings that any of them can give.

use super::fault::Fault;
use crate::diagnostic::{Diagnostic, Remedy};
use crate::excerpt::excerpt;
use crate::lint::Code;
use crate::message::{Message, and, or};
use crate::msg;
use crate::nearest::nearest;
use crate::span::{Span, Spanned};
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// A key and its value.
pub(super) struct Entry<'a> {
    /// The table that it stands in.
    table: &'a DeTable<'a>,
    pub(super) name: &'a str,
    pub(super) key: Span,
    pub(super) value: &'a DeValue<'a>,
    pub(super) span: Span,
}

/// What is said of a file, with what is needed to say it.
pub(super) struct Findings<'a> {
    text: &'a str,
    fault: Option<&'a Fault>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl<'a> Findings<'a> {
    pub(super) fn new(text: &'a str, fault: Option<&'a Fault>) -> Self {
        Self { text, fault, diagnostics: Vec::new() }
    }

    pub(super) fn invalid(&mut self, span: Span, message: Message, remedy: Remedy) {
        self.diagnostics.push(Diagnostic::new(Code::InvalidConfig, span, message).remedy(remedy));
    }

    /// The entries of a table in the order of the file, without those that a fault reaches into.
    pub(super) fn entries(&self, table: &'a DeTable<'a>, root: bool) -> Vec<Entry<'a>> {
        let mut entries: Vec<Entry<'a>> = table
            .iter()
            .map(|(key, value)| Entry {
                table,
                name: key.get_ref(),
                key: Span::of(key.span()),
                value: value.get_ref(),
                span: Span::of(value.span()),
            })
            .filter(|entry| !self.is_faulty(entry, root))
            .collect();
        entries.sort_by_key(|entry| entry.key);
        entries
    }

    fn is_faulty(&self, entry: &Entry<'_>, root: bool) -> bool {
        let Some(fault) = self.fault else { return false };
        let table = matches!(entry.value, DeValue::Table(_)) || entry.is_array_of_tables(self.text);
        let reaches = |place: &Span| entry.span.touches(place.start) || entry.span.touches(place.end);
        // Where a table's header is broken, the keys below it seem to be the root's.
        let adrift = root && fault.in_header && entry.key.start > fault.span.start && !table;
        let faulty = fault.places.iter().any(|place| reaches(place) || entry.key.touches(place.start));
        // A name or a value left out has no place.
        entry.key.is_empty() || adrift || !table && (faulty || entry.span.is_empty())
    }

    /// Says that `entry` is none of `known`. One that stands in the table already is not what it should become.
    pub(super) fn unknown_key(&mut self, entry: &Entry<'_>, known: &[&str], what: &Message) {
        let near = nearest(entry.name, known.iter().copied().filter(|key| !entry.table.contains_key(*key)));
        let name = excerpt(entry.name);
        let message = match near.best() {
            Some(best) => {
                msg!("unknown key `{name}`; did you mean `{best}`?", "未知的键 `{name}`；是不是 `{best}`？")
            }
            None if known.len() > 12 => {
                msg!("unknown key `{name}`; {what}", "未知的键 `{name}`；{what}"; what = what)
            }
            None => msg!(
                "unknown key `{name}`; {what}: {known}",
                "未知的键 `{name}`；{what}：{known}";
                what = what,
                known = and(known.iter().copied())
            ),
        };
        let quote = entry.key.of_str(self.text).chars().next().filter(|c| matches!(c, '"' | '\''));
        let remedy = match near.best() {
            Some(_) => near.replace(near.plain().is_some(), |name| match quote {
                Some(quote) => format!("{quote}{name}{quote}").into(),
                None => name.into(),
            }),
            // A table's values lie below its header, and go nowhere without it.
            None if matches!(entry.value, DeValue::Table(_)) || entry.is_array_of_tables(self.text) => {
                Remedy::None
            }
            None => Remedy::RemoveLines(entry.key.cover(entry.span)),
        };
        self.diagnostics.push(Diagnostic::new(Code::UnknownKey, entry.key, message).remedy(remedy));
    }

    /// Says that `what` takes something else.
    pub(super) fn wrong_type(&mut self, what: &str, takes: &Message, value: &DeValue<'_>, span: Span) {
        self.takes(what, takes, &kind(value), span);
    }

    fn takes(&mut self, what: &str, takes: &Message, is: &Message, span: Span) {
        let message = msg!("`{what}` takes {takes}, not {is}", "`{what}` 要填{takes}，不能是{is}"; takes = takes, is = is);
        self.invalid(span, message, Remedy::None);
    }

    pub(super) fn text(&mut self, entry: &Entry<'_>) -> Option<Spanned<Arc<str>>> {
        if let DeValue::String(text) = entry.value {
            return Some(Spanned::new(Arc::from(&**text), entry.span));
        }
        self.wrong_type(entry.name, &msg!("a text", "文本"), entry.value, entry.span);
        None
    }

    /// One of a few words; `None` where it is none of them.
    pub(super) fn choice<T: Copy>(
        &mut self,
        entry: &Entry<'_>,
        all: &[T],
        spell: impl Fn(T) -> &'static str,
    ) -> Option<T> {
        let names = || all.iter().map(|choice| spell(*choice));
        let DeValue::String(text) = entry.value else {
            self.wrong_type(entry.name, &or(names()), entry.value, entry.span);
            return None;
        };
        let found = all.iter().copied().find(|choice| spell(*choice) == text);
        if found.is_none() {
            let near = nearest(text, names());
            let (shown, name, question) = (excerpt(text), excerpt(entry.name), near.question());
            let message = msg!(
                "`{shown}` is no value of `{name}`; it is {allowed}{question}",
                "`{shown}` 不是 `{name}` 的有效值，可用的值是 {allowed}{question}";
                allowed = or(names()),
                question = question
            );
            self.invalid(entry.span, message, near.replace(false, |name| format!("\"{name}\"").into()));
        }
        found
    }

    /// A list of texts, those that are none left out.
    pub(super) fn texts(&mut self, entry: &Entry<'_>) -> Option<Vec<Spanned<Arc<str>>>> {
        let DeValue::Array(items) = entry.value else {
            self.wrong_type(entry.name, &msg!("a list of texts", "文本的列表"), entry.value, entry.span);
            return None;
        };
        let mut texts = Vec::with_capacity(items.len());
        for item in items.iter() {
            let span = Span::of(item.span());
            match item.get_ref() {
                DeValue::String(text) => texts.push(Spanned::new(Arc::from(&**text), span)),
                other => self.wrong_type(entry.name, &msg!("texts", "文本"), other, span),
            }
        }
        Some(texts)
    }

    /// An integer between two bounds.
    pub(super) fn integer(&mut self, entry: &Entry<'_>, from: i64, to: i64) -> Option<i64> {
        let DeValue::Integer(integer) = entry.value else {
            let is = match entry.value {
                DeValue::Float(_) => msg!("a fraction", "小数"),
                other => kind(other),
            };
            self.takes(entry.name, &msg!("a whole number", "整数"), &is, entry.span);
            return None;
        };
        let value = i64::from_str_radix(integer.as_str(), integer.radix()).ok();
        let value = value.filter(|value| (from..=to).contains(value));
        if value.is_none() {
            let (name, shown) = (excerpt(entry.name), excerpt(entry.span.of_str(self.text)));
            let message = if to == i64::MAX {
                msg!(
                    "`{name}` takes an integer of {from} or more, not `{shown}`",
                    "`{name}` 要填不小于 {from} 的整数，不能是 `{shown}`"
                )
            } else {
                msg!(
                    "`{name}` takes an integer from {from} to {to}, not `{shown}`",
                    "`{name}` 要填 {from} 到 {to} 的整数，不能是 `{shown}`"
                )
            };
            self.invalid(entry.span, message, Remedy::None);
        }
        value
    }
}

impl Entry<'_> {
    fn is_array_of_tables(&self, text: &str) -> bool {
        matches!(self.value, DeValue::Array(_))
            && self.span.of_str(text).starts_with("[[")
            && self.key.start > self.span.start
    }
}

fn kind(value: &DeValue<'_>) -> Message {
    match value {
        DeValue::String(_) => msg!("a text", "文本"),
        DeValue::Integer(_) | DeValue::Float(_) => msg!("a number", "数字"),
        DeValue::Boolean(_) => msg!("a boolean", "布尔值"),
        DeValue::Datetime(_) => msg!("a date", "日期"),
        DeValue::Array(_) => msg!("a list", "列表"),
        DeValue::Table(_) => msg!("a table", "表"),
    }
}
