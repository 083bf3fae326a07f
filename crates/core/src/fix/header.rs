//! Keys of the header: put in, filled in, taken out.

use super::{Context, Edit, Fix, elsewhere, identity, order, remove};
use crate::block::{HeaderEntry, HeaderState, Role, Zone};
use crate::message::Message;
use crate::span::{Span, offset};
use crate::syntax::{Document, Text};
use crate::{Diagnostic, msg};
use std::borrow::Cow;

/// A longer list does not go as a whole: each of its items would look at all of it.
const LONGEST_LIST: u32 = 1 << 12;

/// Into a header of more keys none is put.
const MOST_KEYS: usize = 256;

/// The whole lines of a header key with its value; `None` where other keys share them.
pub(super) fn lines_of_key(document: &Document, key: Span) -> Option<Span> {
    let content = document.header().content;
    let text = document.text();
    // From the line on, and not from the header's start: a header may be long.
    let number = text.try_byte_to_line(key.range().start).ok()?;
    let start = offset(text.try_line_to_byte(number).ok()?).max(content.start);
    if !document.slice(Span::new(start, key.start)).trim().is_empty() {
        return None;
    }
    let end = content.range().end;
    let lines = text.get_lines_at(number)?.map(Cow::<str>::from);
    let mut at = start as usize;
    let mut lines = lines.take_while(move |line| {
        at += line.len();
        at <= end && !line.is_empty()
    });
    let first = lines.next()?.len();
    let (mut end, mut blank) = (first, 0);
    for line in lines {
        // What follows indented, as an item of a list or as its end, belongs to the value, blank lines in between too.
        if line.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
            blank += line.len();
        } else if line.starts_with([' ', '\t', '-', ']', '}']) {
            end += blank + line.len();
            blank = 0;
        } else {
            break;
        }
    }
    Some(Span::new(start, start + offset(end)))
}

/// Whether the header is a flow mapping (`{id: a, …}`), in which no key has a line of its own.
pub(super) fn flow_root(document: &Document) -> bool {
    let content = document.header().content;
    let text = document.text().get_byte_slice(content.range());
    text.is_some_and(|text| text.chars().find(|c| !c.is_whitespace()) == Some('{'))
}

/// Removes a key with its whole lines.
pub(crate) fn without_key(document: &Document, key: Span) -> Option<Edit> {
    lines_of_key(document, key).map(|span| Edit::new(span, ""))
}

/// A new key on a line of its own, behind those that come before it by habit; `None` where it stands there already.
pub(crate) fn insert_key(document: &Document, key: &str, value: &str) -> Option<Edit> {
    let header = document.header();
    // Nobody has so many keys, and whoever asks may ask for every finding.
    if header.entries.len() > MOST_KEYS {
        return None;
    }
    let written = header.entries.iter().any(|entry| &*entry.name == key);
    if written || header.state != HeaderState::Closed || flow_root(document) {
        return None;
    }
    // What is put in at the end is easiest to find, but an id belongs to the start.
    let before = match key {
        "id" => {
            return Some(Edit::insert(
                header.content.start,
                format!("id: {value}{}", document.text().line_break()),
            ));
        }
        "zone" => &["id"][..],
        "order" => &["zone"],
        _ => &[],
    };
    let behind = before.iter().find_map(|name| entry(document, name));
    let at =
        behind.and_then(|entry| lines_of_key(document, entry.key)).map_or(header.content.end, |it| it.end);
    Some(Edit::insert(at, format!("{key}: {value}{}", document.text().line_break())))
}

fn entry<'a>(document: &'a Document, name: &str) -> Option<&'a HeaderEntry> {
    document.header().entries.iter().find(|entry| &*entry.name == name)
}

/// A value that a key could have, and what to say of it.
struct Candidate {
    value: String,
    /// Put behind the title in brackets.
    note: Option<Message>,
    /// Other keys that it asks for.
    more: Vec<Edit>,
}

impl Candidate {
    fn plain(value: impl Into<String>) -> Self {
        Self { value: value.into(), note: None, more: Vec::new() }
    }

    fn title(&self, what: Message) -> Message {
        match &self.note {
            Some(note) => msg!("{what}: {note}", "{what}：{note}"; what = what, note = note),
            None => what,
        }
    }
}

fn candidates(cx: &Context<'_>, document: &Document, key: &str) -> Vec<Candidate> {
    let header = document.header();
    match key {
        "id" => identity::fresh(cx, document).into_iter().map(Candidate::plain).collect(),
        "zone" => {
            let zones = [Zone::Context, Zone::System, Zone::Input];
            let fits = |zone: Zone| Some((zone, elsewhere::fits(cx, document, zone)?));
            let candidate =
                |(zone, more): (Zone, Vec<Edit>)| Candidate { more, ..Candidate::plain(zone.name()) };
            zones.into_iter().filter_map(fits).map(candidate).collect()
        }
        "order" => {
            let of = |(order, note): (i32, Option<Message>)| Candidate {
                note,
                ..Candidate::plain(order.to_string())
            };
            order::fresh(cx, header).into_iter().map(of).collect()
        }
        "role" if header.zone() == Some(Zone::System) && document.profile().plain_blocks => {
            Role::ALL.iter().map(|role| Candidate::plain(role.name())).collect()
        }
        _ => Vec::new(),
    }
}

/// Puts in a key that is missing.
pub(super) fn missing(cx: &Context<'_>, document: &Document, key: &str) -> Vec<Fix> {
    let fix = |candidate: Candidate| {
        let value = &candidate.value;
        let title = candidate.title(msg!("Insert `{key}: {value}`", "插入 `{key}: {value}`"));
        let mut edits = vec![insert_key(document, key, value)?];
        edits.extend(candidate.more);
        edits.sort_by_key(|edit| edit.span);
        Some(Fix::new(title, merged(edits)))
    };
    candidates(cx, document, key).into_iter().filter_map(fix).collect()
}

/// Insertions at one place become one edit, in their order.
pub(crate) fn merged(edits: Vec<Edit>) -> Vec<Edit> {
    let mut out: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match out.last_mut() {
            Some(last) if last.span.is_empty() && last.span == edit.span => {
                last.text = format!("{}{}", last.text, edit.text).into();
            }
            _ => out.push(edit),
        }
    }
    out
}

/// A value that is wrong and near to nothing, or missing: another one where few are possible, else no key.
pub(super) fn value(cx: &Context<'_>, document: &Document, finding: &Diagnostic) -> Vec<Fix> {
    let header = document.header();
    let holds = |entry: &&HeaderEntry| {
        entry.key == finding.span
            || !entry.value.is_empty()
                && entry.value.start <= finding.span.start
                && finding.span.end <= entry.value.end
    };
    // They stand in the order of the text.
    let behind = header.entries.partition_point(|entry| entry.key.start <= finding.span.start);
    let entry = behind.checked_sub(1).and_then(|last| header.entries.get(last)).filter(holds);
    let Some(entry) = entry else { return Vec::new() };
    let in_list = &*entry.name == "allow" && entry.value != finding.span && entry.key != finding.span;
    if in_list {
        return without_item(document, entry, finding.span).into_iter().collect();
    }
    let fill = entry.value.is_empty();
    let fix = |candidate: Candidate| {
        let value = &candidate.value;
        let (title, edit) = if fill {
            let title = msg!("Insert `{value}`", "插入 `{value}`");
            // A blank behind the colon is used, not left behind the value.
            let at = entry.value.start;
            let blank = document.slice(Span::new(at, at + 1)) == " ";
            (title, Edit::new(Span::new(at, at + u32::from(blank)), format!(" {value}")))
        } else {
            (msg!("Replace with `{value}`", "替换为 `{value}`"), Edit::new(entry.value, value.as_str()))
        };
        let title = candidate.title(title);
        let mut edits = vec![edit];
        edits.extend(candidate.more);
        edits.sort_by_key(|edit| edit.span);
        Fix::new(title, merged(edits))
    };
    let mut fixes: Vec<Fix> = candidates(cx, document, &entry.name).into_iter().map(fix).collect();
    let required = matches!(&*entry.name, "id" | "zone" | "order");
    if !required && let Some(edit) = without_key(document, entry.key) {
        fixes.push(Fix::one(msg!("Remove this key", "删除此键"), edit));
    }
    fixes
}

/// Takes an item out of `allow`; the whole key where it is the only one that means anything.
fn without_item(document: &Document, entry: &HeaderEntry, item: Span) -> Option<Fix> {
    let title = msg!("Remove this entry", "删除此项");
    let first = Span::new(entry.value.start, entry.value.start + 1);
    let short = entry.value.len() <= LONGEST_LIST;
    let edit = if document.header().allow.is_empty() && short {
        without_key(document, entry.key)?
    } else if document.slice(first) == "[" {
        remove::entry(document.text(), item)
    } else {
        // A list may be long: its dash stands on the item's line, or on the one before.
        let text = document.text();
        let line = text.try_byte_to_line(item.range().start).ok()?;
        let start = offset(text.try_line_to_byte(line.saturating_sub(1)).ok()?).max(entry.value.start);
        let before = document.slice(Span::new(start, item.start));
        let dash = before.rfind('-').filter(|at| before[at + 1..].trim().is_empty())?;
        remove::lines(text, Span::new(start + offset(dash), item.end))?
    };
    Some(Fix::one(title, edit))
}

/// A header in front of a file that has none.
pub(super) fn add(cx: &Context<'_>, document: &Document) -> Vec<Fix> {
    let header = document.header();
    let text = document.text();
    let line = header.body as usize..text.len_bytes();
    let first = text.at(Span::of(line.start..line.end.min(line.start + 256)));
    let first = first.split(['\n', '\r']).next().unwrap_or_default();
    let dashes = first.trim();
    if dashes.len() >= 3 && dashes.chars().all(|c| c == '-') {
        // The delimiter with a blank before it, or a dash too many.
        let span = Span::new(header.body, header.body + offset(first.len()));
        return vec![super::tag::replace(span, "---")];
    }
    let line_break = text.line_break();
    let id = identity::fresh(cx, document).into_iter().next();
    let id = id.unwrap_or_else(|| "my-plugin:name".to_owned());
    let fix = |zone: Zone| {
        let mut like = (**header).clone();
        like.zone = Some(crate::block::Field { value: zone, key: Span::default(), span: Span::default() });
        let (order, _) = order::fresh(cx, &like).into_iter().next()?;
        let keys = [
            "---",
            &format!("id: {id}"),
            &format!("zone: {}", zone.name()),
            &format!("order: {order}"),
            "---",
            "",
        ];
        let zone = zone.name();
        let title = msg!("Add a header, zone `{zone}`", "加上文件头，区为 `{zone}`");
        Some(Fix::one(title, Edit::insert(header.body, keys.join(line_break))))
    };
    [Zone::System, Zone::Context].into_iter().filter_map(fix).collect()
}
