//! Switching a code off in one file.

use super::header::{flow_root, insert_key};
use super::{Edit, Fix};
use crate::block::HeaderState;
use crate::span::{Span, offset};
use crate::syntax::{Document, Text};
use crate::{Code, msg};

/// Adds a code to `allow`. The last thing to offer, and nothing to do without being asked; `None` for what says that a file
/// cannot be read, and where the header leaves no place for it.
pub fn allow(document: &Document, code: Code) -> Option<Fix> {
    let header = document.header();
    if code.name().starts_with("invalid-") || header.state != HeaderState::Closed || header.allows(code) {
        return None;
    }
    let name = code.name();
    let edit = match header.entries.iter().find(|entry| &*entry.name == "allow") {
        None => insert_key(document, "allow", &format!("[{name}]"))?,
        Some(entry) if entry.value.is_empty() => Edit::insert(entry.value.start, format!(" [{name}]")),
        Some(entry) => into_list(document, entry.value, name)?,
    };
    // Whatever the list looks like: the header must say so afterwards.
    let mut allowed = document.clone();
    allowed.edit(edit.span, &edit.text);
    let sound = allowed.header().allows(code) && allowed.header().entries.len() >= header.entries.len();
    let title = msg!("Switch off `{name}` in this file", "在此文件中关闭 `{name}`");
    sound.then(|| Fix::one(title, edit))
}

fn into_list(document: &Document, value: Span, name: &str) -> Option<Edit> {
    let text = document.slice(value);
    if let Some(inner) = text.strip_prefix('[') {
        let inner = inner.strip_suffix(']')?;
        let items = inner.trim_end_matches([' ', '\t', '\n', '\r']);
        let at = value.start + offset("[".len() + items.len());
        // A comment may hold the last character.
        let comment = items.rsplit(['\n', '\r']).next().is_some_and(|line| line.contains('#'));
        let separator = if items.trim().is_empty() || items.ends_with(',') { "" } else { ", " };
        let space = if items.ends_with(',') { " " } else { "" };
        return (!comment).then(|| Edit::insert(at, format!("{separator}{space}{name}")));
    }
    if !text.starts_with('-') || flow_root(document) {
        return None;
    }
    // A block list: another item below the last one, as far in.
    let last = text.trim_end_matches([' ', '\t', '\n', '\r']);
    let before = document.slice(Span::new(document.header().content.start, value.start));
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    let line_break = document.text().line_break();
    let end = value.start + offset(last.len());
    let rest = document.slice(Span::new(end, document.header().content.end));
    let rest = rest.find(['\n', '\r']).unwrap_or(rest.len());
    Some(Edit::insert(end + offset(rest), format!("{line_break}{line}- {name}")))
}
