//! The header of a block file: YAML front matter, with the exact place of every key and value.

mod fault;
mod fields;
mod lines;
mod property;
mod scalar;
mod yaml;

#[cfg(test)]
mod properties;
#[cfg(test)]
mod tests;

use super::text::Text;
use crate::block::{Header, HeaderState};
use crate::diagnostic::{Diagnostic, Remedy};
use crate::lint::Code;
use crate::msg;
use crate::profile::Profile;
use crate::span::{Span, offset};
pub(crate) use lines::Line;
use lines::is_blank;
pub(crate) use property::{Given, Property, header_of};

/// Reads the header of a block file. `text` is the file's text from its first byte (a BOM included).
pub fn parse_header(text: &str, profile: &Profile) -> (Header, Vec<Diagnostic>) {
    let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let first = Line::at(text, start);
    if !is_delimiter(first.text(text)) {
        return missing(text, first);
    }
    let mut header = Header {
        state: HeaderState::Unclosed,
        opening: Span::of(start..start + "---".len()),
        ..Header::default()
    };
    let mut blank = None;
    let mut line = first;
    while let Some(next) = line.following(text) {
        line = next;
        if is_delimiter(line.text(text)) {
            header.state = HeaderState::Closed;
            break;
        }
        if blank.is_none() && line.text(text).trim_start_matches(is_blank).is_empty() {
            blank = Some(line.start);
        }
    }
    let mut diagnostics = Vec::new();
    let content_end = match header.state {
        HeaderState::Closed => line.start,
        _ => blank.unwrap_or(text.len()),
    };
    let body = if header.state == HeaderState::Closed { line.next } else { text.len() };
    header.body = offset(body);
    header.span = Span::of(start..body);
    header.content = Span::of(first.next..content_end);

    let (entries, fault) = yaml::read(text, header.content);
    let sound = fault.is_none();
    if header.state != HeaderState::Closed {
        diagnostics.push(unclosed(text, header.opening, keys_end(text, profile, first, &entries)));
    }
    if let Some(fault) = fault.filter(|_| header.state == HeaderState::Closed) {
        let span = if fault.span.is_empty() { header.opening } else { fault.span };
        diagnostics.push(Diagnostic::new(Code::InvalidHeader, span, fault.message));
    }
    diagnostics.extend(fields::fill(text, profile, entries, sound, &mut header));
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    (header, diagnostics)
}

/// `---` and blanks behind it.
fn is_delimiter(line: &str) -> bool {
    line.strip_prefix("---").is_some_and(|rest| rest.chars().all(is_blank))
}

fn missing(text: &str, first: Line) -> (Header, Vec<Diagnostic>) {
    let header = Header {
        body: offset(first.start),
        span: Span::empty(offset(first.start)),
        opening: Span::empty(offset(first.start)),
        content: Span::empty(offset(first.start)),
        ..Header::default()
    };
    let message = if first.text(text).trim_start().starts_with("---") {
        msg!(
            "the first line must be `---` and nothing else, so that the header can begin",
            "第一行必须只有 `---`，文件头才能开始"
        )
    } else {
        msg!(
            "the header is missing: the file must begin with a line `---`, the keys `id`, `zone` and `order`, and another `---`",
            "缺少文件头：文件必须以一行 `---` 开头，接着是键 `id`、`zone` 和 `order`，再以一行 `---` 结束"
        )
    };
    (header, vec![Diagnostic::new(Code::InvalidHeader, Span::of(first.range()), message)])
}

/// The end of the last line that belongs to a key of ours: behind it the body may begin without a blank line.
fn keys_end(text: &str, profile: &Profile, opening: Line, entries: &[yaml::Entry]) -> usize {
    let known = |entry: &&yaml::Entry| {
        entry.name.as_ref().is_some_and(|name| profile.header_keys().any(|key| key == &**name))
    };
    let last = entries.iter().filter(known).map(|entry| entry.value.span.end.max(entry.key.end)).max();
    last.map_or(opening.next, |end| Line::at(text, end as usize).next)
}

fn unclosed(text: &str, opening: Span, keys_end: usize) -> Diagnostic {
    let line_break = text.line_break();
    let before = text.get(..keys_end).unwrap_or_default();
    let closer = if before.ends_with(['\n', '\r']) {
        format!("---{line_break}")
    } else {
        format!("{line_break}---{line_break}")
    };
    let message = msg!(
        "the header is not closed: a line `---` must stand between its keys and the body",
        "文件头没有结束：键与正文之间必须有一行 `---`"
    );
    Diagnostic::new(Code::InvalidHeader, opening, message).remedy(Remedy::Insert {
        at: offset(keys_end),
        text: closer.into(),
        safe: false,
    })
}
