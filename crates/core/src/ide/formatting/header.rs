//! The header: keys in the order of the reference, unknown ones behind, each with the comments above it; one blank behind the
//! colon. A header that cannot be read whole is left alone.

use super::{Edit, edit};
use crate::block::{Header, HeaderEntry};
use crate::profile::Profile;
use crate::span::Span;
use crate::syntax::{Document, Line, parse_header};

/// The changes, in order.
pub(super) fn edits(document: &Document) -> Vec<Edit> {
    let header = document.header();
    let text = document.slice(Span::new(0, header.body));
    let mut edits = Vec::new();
    // Blanks behind the delimiters. Their lines' breaks stay.
    let opening = text.get(header.opening.end as usize..header.content.start as usize).unwrap_or_default();
    edits.extend(trailing_blanks(header.opening.end, opening));
    if let Some(content) = content(&text, header, document.profile())
        && says_the_same(document, &text, &content)
    {
        edits.extend(changed(document, header.content, &content));
    }
    let closing = text.get(header.content.end as usize..).unwrap_or_default();
    let dashes = closing.len() - closing.trim_start_matches('-').len();
    edits.extend(trailing_blanks(header.content.end + crate::span::offset(dashes), &closing[dashes..]));
    edits
}

fn trailing_blanks(start: u32, text: &str) -> Option<Edit> {
    let blanks = text.len() - text.trim_start_matches([' ', '\t']).len();
    let span = Span::new(start, start + crate::span::offset(blanks));
    (blanks > 0).then(|| Edit { span, text: "".into() })
}

/// One edit for what lies between the first and the last line that differ.
fn changed(document: &Document, span: Span, new: &str) -> Option<Edit> {
    let old = document.slice(span);
    let (old, new) = (lines(&old), lines(new));
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let before = old.iter().zip(&new).take_while(same).count();
    let (old_rest, new_rest) = (&old[before..], &new[before..]);
    let behind = old_rest.iter().rev().zip(new_rest.iter().rev()).take_while(same).count();
    let len = |lines: &[&str]| lines.iter().map(|line| line.len()).sum::<usize>();
    let start = span.start as usize + len(&old[..before]);
    let end = span.end as usize - len(&old[old.len() - behind..]);
    edit(document, Span::of(start..end), &new_rest[..new_rest.len() - behind].concat())
}

/// The lines of a text with their breaks.
fn lines(text: &str) -> Vec<&str> {
    let first = Some(Line::at(text, 0));
    let lines = std::iter::successors(first, |line| line.following(text));
    lines.filter_map(|line| text.get(line.start..line.next)).filter(|line| !line.is_empty()).collect()
}

/// The text between the delimiters as it should be; `None` where it is not plain lines of keys.
fn content(text: &str, header: &Header, profile: &Profile) -> Option<String> {
    let mut entries: Vec<&HeaderEntry> = header.entries.iter().collect();
    entries.sort_by_key(|entry| entry.key);
    let mut line = Line::at(text, header.content.start as usize);
    let end = header.content.end as usize;
    let mut lead: Vec<&str> = Vec::new();
    let mut top: Vec<&str> = Vec::new();
    let mut parts: Vec<Part<'_>> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let key = entry.key.range();
        // What stands above the key: comments and blank lines.
        while line.next <= key.start {
            let shown = line.text(text).trim_matches([' ', '\t']);
            if shown.is_empty() {
                if index == 0 {
                    // A comment that a blank line sets apart speaks of the file, not of the first key.
                    top.append(&mut lead);
                }
            } else if shown.starts_with('#') {
                lead.push(text.get(line.start..line.next)?);
            } else {
                return None;
            }
            line = line.following(text)?;
        }
        if line.start != key.start {
            // Another key before it on its line, or an indentation that others may depend on.
            return None;
        }
        let last = entry.value.range().end.max(key.end);
        let first = line;
        while line.next < last && line.next < end {
            line = line.following(text)?;
        }
        let single = line == first;
        let mut out = text.get(key.clone())?.to_owned();
        let rest = text.get(key.end..first.end)?.trim_start_matches([' ', '\t']).strip_prefix(':')?;
        let rest = rest.trim_start_matches([' ', '\t']);
        let rest = if single { rest.trim_end_matches([' ', '\t']) } else { rest };
        out.push(':');
        if !rest.is_empty() {
            out.push(' ');
            out.push_str(rest);
        }
        out.push_str(text.get(first.end..line.next)?);
        parts.push(Part { name: &entry.name, lead: std::mem::take(&mut lead), text: out });
        line = line.following(text)?;
    }
    let mut tail: Vec<&str> = Vec::new();
    while line.start < end {
        let shown = line.text(text).trim_matches([' ', '\t']);
        if shown.starts_with('#') {
            tail.push(text.get(line.start..line.next)?);
        } else if !shown.is_empty() {
            return None;
        }
        line = line.following(text)?;
    }
    let rank = |part: &Part<'_>| profile.header_keys().position(|key| key == part.name).unwrap_or(usize::MAX);
    parts.sort_by_key(rank);
    let mut out = String::new();
    for line in &top {
        out.push_str(line);
    }
    if let Some(last) = top.last() {
        let shown = last.trim_end_matches(['\n', '\r']);
        out.push_str(&last[shown.len()..]);
    }
    for part in &parts {
        part.lead.iter().for_each(|line| out.push_str(line));
        out.push_str(&part.text);
    }
    tail.iter().for_each(|line| out.push_str(line));
    Some(out)
}

/// A key with what belongs to it.
struct Part<'a> {
    name: &'a str,
    lead: Vec<&'a str>,
    text: String,
}

/// Whether the header reads as before with `content` between its delimiters. YAML has anchors, block scalars that keep their
/// blank lines, and more that a look at the lines does not tell.
fn says_the_same(document: &Document, text: &str, content: &str) -> bool {
    let old = document.header().content.range();
    let new = format!("{}{content}{}", &text[..old.start], &text[old.end..]);
    let (before, before_found) = parse_header(text, document.profile());
    let (after, after_found) = parse_header(&new, document.profile());
    let codes = |found: &[crate::Diagnostic]| {
        let mut codes: Vec<_> = found.iter().map(|found| found.code).collect();
        codes.sort();
        codes
    };
    values(&before, text) == values(&after, &new) && codes(&before_found) == codes(&after_found)
}

/// All that a header says, whatever the order of its keys.
fn values(header: &Header, text: &str) -> impl PartialEq + use<> {
    let mut entries: Vec<_> = header
        .entries
        .iter()
        .map(|entry| (entry.name.to_string(), entry.value.of_str(text).trim_end().to_owned()))
        .collect();
    entries.sort();
    let text = |field: &Option<crate::block::Field<std::sync::Arc<str>>>| {
        field.as_ref().map(|field| field.value.to_string())
    };
    let allow: Vec<_> = header.allow.iter().map(|(code, _)| *code).collect();
    (
        entries,
        text(&header.id),
        header.zone(),
        header.order.as_ref().map(|field| field.value.to_bits()),
        header.role(),
        header.template.as_ref().map(|field| field.value),
        header.complete.as_ref().map(|field| field.value),
        header.cache.as_ref().map(|field| field.value.name()),
        text(&header.plugin),
        text(&header.description),
        allow,
    )
}
