//! Where TOML breaks, said in both languages and shown on text.

use crate::message::Message;
use crate::msg;
use crate::span::Span;

/// The first fault of a file: where its values cannot be trusted, and what to show.
pub(super) struct Fault {
    /// Every place where reading stumbled, the first one first.
    pub(super) places: Vec<Span>,
    /// The offending text, never empty.
    pub(super) span: Span,
    pub(super) message: Message,
    /// Whether it stands in a table's header, so that what follows belongs to another table.
    pub(super) in_header: bool,
}

pub(super) fn first(text: &str, errors: &[toml::de::Error]) -> Option<Fault> {
    let mut found: Vec<(Span, &str)> =
        errors.iter().map(|error| (Span::of(error.span().unwrap_or(0..0)), error.message())).collect();
    // One place may have several, each the consequence of the one before.
    found.sort_by_key(|(span, _)| span.start);
    let (place, said) = *found.first()?;
    let line = line_of(text, place.start as usize);
    let header = line.of_str(text).trim_start().starts_with('[');
    Some(Fault {
        places: found.iter().map(|(span, _)| *span).collect(),
        span: shown(text, place, line, said),
        message: explain(said, place),
        in_header: header && place.start <= line.end,
    })
}

/// The line around `at` without its break and the blanks at its ends.
fn line_of(text: &str, at: usize) -> Span {
    let (before, behind) = text.split_at_checked(at).unwrap_or((text, ""));
    let start = before.rfind('\n').map_or(0, |line_break| line_break + 1);
    let end = at + behind.find(['\r', '\n']).unwrap_or(behind.len());
    let line = text.get(start..end).unwrap_or_default();
    let start = end - line.trim_start().len();
    Span::of(start..start + line.trim().len())
}

/// The parser's place, widened to something that can be seen.
fn shown(text: &str, place: Span, line: Span, said: &str) -> Span {
    let (at, written) = (place.range().start, place.of_str(text));
    if said.contains("escape") && text.get(..at).is_some_and(|before| before.ends_with('\\')) {
        let escaped = text.get(at..).and_then(|rest| rest.chars().next()).filter(|c| !c.is_control());
        return Span::of(at - 1..at + escaped.map_or(0, char::len_utf8));
    }
    if !written.trim().is_empty() {
        let first = written.split(['\r', '\n']).find(|line| !line.trim().is_empty()).unwrap_or(written);
        let start = at + (first.as_ptr() as usize - written.as_ptr() as usize);
        return Span::of(start..start + first.len());
    }
    if let Some(quote) = line.of_str(text).find(['"', '\'']).filter(|_| is_open_quote(said)) {
        return Span::of(line.range().start + quote..line.range().end);
    }
    // Something is missing here: show what stands there instead, else what it should have ended.
    let word = |c: char| !c.is_whitespace() && !matches!(c, ',' | ']' | '}' | '#');
    let rest = text.get(at..line.range().end.max(at)).unwrap_or_default();
    let length: usize = rest.chars().take_while(|c| word(*c)).map(char::len_utf8).sum();
    if length > 0 {
        return Span::of(at..at + length);
    }
    if !line.is_empty() {
        return line;
    }
    // At the end of the text: the last line that has any.
    let written = text.trim_end().len();
    let last = line_of(text, written);
    if last.is_empty() { Span::of(0..text.chars().next().map_or(0, char::len_utf8)) } else { last }
}

fn is_open_quote(said: &str) -> bool {
    ["expected `\"", "expected `'"].iter().any(|part| said.contains(part))
}

fn explain(said: &str, place: Span) -> Message {
    let has = |part: &str| said.contains(part);
    if has("duplicate key") {
        msg!("this key or table is given twice; the first one counts", "这个键或表重复；以第一个为准")
    } else if has("must be quoted") && place.is_empty() {
        msg!("expected a value", "这里应为一个值")
    } else if has("must be quoted") {
        msg!("a text needs quotes", "文本要加引号")
    } else if has("no value") || has("cannot be empty") || has("expected `=`") {
        msg!("expected `key = value`", "这里应为 `键 = 值`")
    } else if has("unclosed array") || has("array elements") || has("in array") {
        msg!("expected `,` or `]` in this list", "列表里应为 `,` 或 `]`")
    } else if has("unclosed") {
        msg!("this bracket is never closed", "这个括号没有闭合")
    } else if has("escape") {
        msg!(
            "unknown escape; write `\\\\` for a backslash, or use single quotes",
            "无效的转义；反斜杠要写成 `\\\\`，或改用单引号"
        )
    } else if is_open_quote(said) {
        msg!("this quote is never closed", "这个引号没有闭合")
    } else if has("unquoted key") {
        msg!(
            "a key with other characters than letters, digits, `-` and `_` needs quotes",
            "键里除字母、数字、`-`、`_` 以外有其他字符时要加引号"
        )
    } else if has("expected newline") {
        msg!("only one `key = value` may stand on a line", "一行只能有一个 `键 = 值`")
    } else if has("recursion") || has("recurse") {
        msg!("nested too deeply", "嵌套太深")
    } else {
        msg!("this is not valid TOML", "这不是有效的 TOML")
    }
}
