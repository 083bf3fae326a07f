//! The selected text as a block of its own, in a file beside this one.
//!
//! It takes the next free order of the band: behind this block, or before it where the selection is the beginning of the text, so
//! that what is rendered keeps its sequence where it can. A text in the middle comes behind what is left.

use super::selected::{alike, reading, text_of, whole, whole_lines};
use super::{At, Change, Draft};
use crate::Code;
use crate::block::{Header, Zone};
use crate::fix::{Edit, Elsewhere, spelled};
use crate::message::Message;
use crate::msg;
use crate::span::{Span, offset};
use crate::syntax::{Control, Document, Text};
use std::sync::Arc;

/// So many orders are tried, and so many names.
const MOST: i32 = 10_000;
const MOST_NUMBERED: u32 = 1000;

pub(super) fn draft(at: At<'_>) -> Option<Draft<'_>> {
    let (document, header) = (at.document, at.document.header());
    let selected = text_of(&at)?;
    let lines = whole_lines(document, selected);
    let span = lines.unwrap_or(selected);
    let content = document.content();
    if span.start <= content.start && content.end <= span.end {
        return None;
    }
    let (id, zone, order) = (header.id()?, header.zone()?, header.order.as_ref());
    let title = msg!("Extract into a new block", "提取为新的块");
    if zone == Zone::Input {
        let reason = msg!(
            "An input block is all that the user's words become",
            "输入块是用户输入的完整结果，不能拆开"
        );
        return Some(Draft::refused(title, reason));
    }
    if header.is_complete() {
        let reason = msg!(
            "This block replaces the system zone, the new one included",
            "此块会替换整个系统区，新块也不例外"
        );
        return Some(Draft::refused(title, reason));
    }
    match whole(document, span) {
        Err(cut) => return Some(Draft::refused(title, cut.reason())),
        Ok(found) => {
            if let Some(control) = found.inside {
                return Some(Draft::refused(title, inside(control)));
            }
        }
    }
    let first = document.slice(Span::new(content.start, span.start.max(content.start))).trim().is_empty();
    let Some(order) = free(&at, order?.value, first) else {
        let reason =
            msg!("No order beside this one is free in its band", "此块所在的区段里，相邻的顺序号都已被占用");
        return Some(Draft::refused(title, reason));
    };
    let stem = at.cx.surroundings.stem()?;
    let (file, new_id) = fresh(&at, id, &stem)?;
    let title =
        msg!("Extract into a new block `{new_id}`, order {order}", "提取为新的块 `{new_id}`，顺序 {order}");
    Some(Draft::costly(title, move || {
        let text = text(&at, &new_id, order, span);
        let edits = vec![removed(document, span, lines.is_some())];
        if !keeps_reading(&at, span, &edits, &text) {
            return None;
        }
        let elsewhere = vec![Elsewhere { file, creates: true, edits: vec![Edit::insert(0, text)] }];
        Some(Change { edits, elsewhere, placeholder: None })
    }))
}

fn inside(control: Control) -> Message {
    let tag = format!("{{{}}}", control.keyword());
    msg!(
        "The selection stands in `{tag}`, which a block of its own would not",
        "所选内容位于 `{tag}` 之中，单独成块后就不再受它控制"
    )
}

/// The next order of the band in that direction that no block has.
fn free(at: &At<'_>, order: f64, before: bool) -> Option<i32> {
    let header = at.document.header();
    let is_system = header.zone() == Some(Zone::System);
    let range = at.cx.judge.profile.order_range.filter(|_| is_system).unwrap_or((i32::MIN, i32::MAX));
    let band = at.cx.judge.bands.find(order).filter(|_| is_system);
    let (from, to) = band.map_or(range, |band| (band.from.max(range.0), band.to.min(range.1)));
    let is_free = |order: &i32| !at.cx.index.takes(header, f64::from(*order));
    #[expect(clippy::cast_possible_truncation, reason = "a cast of a float sticks to the limits")]
    let (below, above) = ((order.ceil() as i32).saturating_sub(1), (order.floor() as i32).saturating_add(1));
    if before {
        let least = below.saturating_sub(MOST).max(from);
        (least..=below.min(to)).rev().find(is_free)
    } else {
        let most = above.saturating_add(MOST).min(to);
        (above.max(from)..=most).find(is_free)
    }
}

/// A file beside this one and an id, both with the same number behind them and both new.
fn fresh(at: &At<'_>, id: &Arc<str>, stem: &str) -> Option<(crate::FileId, String)> {
    let (id, next) = numbered(id);
    let (stem, other) = numbered(stem);
    let numbers = next.max(other)..MOST_NUMBERED;
    let beside = |number: u32| {
        let id = format!("{id}-{number}");
        if at.cx.index.has_id(&id) {
            return None;
        }
        Some((at.cx.surroundings.beside(&format!("{stem}-{number}"))?, id))
    };
    numbers.into_iter().find_map(beside)
}

/// A name without the number at its end, and the number that comes next.
fn numbered(name: &str) -> (&str, u32) {
    let number = name.rsplit_once('-').and_then(|(before, number)| {
        let plain = !before.is_empty() && !number.starts_with('0') && number.len() <= 2;
        Some((before, number.parse::<u32>().ok().filter(|_| plain)?.saturating_add(1)))
    });
    number.unwrap_or((name, 2))
}

/// The new file: the header says what this one's says, the text is as it is here.
fn text(at: &At<'_>, id: &str, order: i32, span: Span) -> String {
    let header = at.document.header();
    let mut out = file(at, header, id, order, span, &[]);
    // What is allowed here is allowed there, as far as it is about this text.
    let mut document = Document::new(&out, Arc::clone(at.document.profile()));
    document.judge(at.cx.judge);
    let found = document.findings(at.cx.judge);
    let needed: Vec<Code> = header
        .allow
        .iter()
        .map(|(code, _)| *code)
        .filter(|code| found.iter().any(|it| it.code == *code))
        .collect();
    if !needed.is_empty() {
        out = file(at, header, id, order, span, &needed);
    }
    out
}

fn file(at: &At<'_>, header: &Header, id: &str, order: i32, span: Span, allow: &[Code]) -> String {
    let document = at.document;
    let line_break = document.text().line_break();
    let mark = if document.text().get_char(0) == Some('\u{feff}') { "\u{feff}" } else { "" };
    let zone = header.zone().map_or("", Zone::name);
    let mut keys = vec![
        format!("{mark}---"),
        format!("id: {}", spelled(id.to_owned())),
        format!("zone: {zone}"),
        format!("order: {order}"),
    ];
    keys.extend(header.role.as_ref().map(|role| format!("role: {}", role.value.name())));
    keys.extend(header.template.as_ref().map(|template| format!("template: {}", template.value)));
    keys.extend(header.cache.as_ref().map(|cache| format!("cache: {}", cache.value.name())));
    keys.extend(
        header.plugin.as_ref().map(|plugin| format!("plugin: {}", spelled(plugin.value.to_string()))),
    );
    if !allow.is_empty() {
        let codes: Vec<&str> = allow.iter().map(|code| code.name()).collect();
        keys.push(format!("allow: [{}]", codes.join(", ")));
    }
    keys.push("---".to_owned());
    keys.push(document.slice(span).into_owned());
    keys.push(String::new());
    keys.join(line_break)
}

/// What goes here: whole lines go with the smaller one of the gaps beside them, so that no blank lines pile up.
fn removed(document: &Document, span: Span, lines: bool) -> Edit {
    if !lines {
        return Edit::new(span, "");
    }
    let content = document.content();
    let before = document.slice(Span::new(content.start.min(span.start), span.start)).into_owned();
    let behind = document.slice(Span::new(span.end, content.end.max(span.end))).into_owned();
    let blank = |c: char| matches!(c, ' ' | '\t' | '\n' | '\r');
    // The gaps reach from the end of the line before to the start of the line behind.
    let above = before.trim_end_matches(blank);
    let line_end =
        |text: &str, from: usize| text[from..].find(['\n', '\r']).map_or(text.len(), |at| from + at);
    let gap_before =
        Span::new(span.start - offset(before.len() - line_end(&before, above.len())), span.start);
    let below = behind.trim_start_matches(blank);
    let lead = &behind[..behind.len() - below.len()];
    let line_start = lead.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let gap_behind = Span::new(span.end, span.end + offset(line_start));
    if above.is_empty() {
        return Edit::new(Span::new(span.start, gap_behind.end), "");
    }
    if below.is_empty() {
        return Edit::new(Span::new(gap_before.start, span.end), "");
    }
    if gap_before.len() >= gap_behind.len() {
        Edit::new(Span::new(span.start, gap_behind.end), "")
    } else {
        Edit::new(Span::new(gap_before.start, span.end), "")
    }
}

/// Whether every tag is read as it was, here or there.
fn keeps_reading(at: &At<'_>, span: Span, edits: &[Edit], text: &str) -> bool {
    let new = Document::new(text, Arc::clone(at.document.profile()));
    let read = reading(at.document);
    let (moved, kept): (Vec<_>, Vec<_>) =
        read.iter().partition(|read| span.start <= read.span.start && read.span.end <= span.end);
    alike(moved, &reading(&new)) && alike(kept, &reading(&at.after(edits)))
}

#[cfg(test)]
mod tests;
