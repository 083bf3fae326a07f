//! Where YAML breaks, said in our own words and shown on the text at fault.

use super::lines::{Line, trim};
use super::yaml::Fault;
use crate::message::Message;
use crate::msg;
use crate::span::Span;
use std::ops::Range;

/// Why the parser stopped.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Stop {
    /// The parser's own place, in bytes of the file.
    pub(super) at: usize,
    /// The parser's own words.
    pub(super) info: String,
    /// The bracket of the flow collection that was open.
    pub(super) flow: Option<usize>,
    /// A control character, which no YAML may hold.
    pub(super) unprintable: Option<usize>,
}

impl Stop {
    pub(super) const SECOND_DOCUMENT: &str = "a second document";
    pub(super) const NO_MAPPING: &str = "no mapping";
}

/// The fault as a person would see it: one line, never empty where there is any text at all.
pub(super) fn fault(text: &str, content: Range<usize>, stop: &Stop) -> Fault {
    let (range, message) = if let Some(at) = stop.unprintable {
        let code = text.as_bytes().get(at).copied().unwrap_or_default();
        (
            at..at + 1,
            msg!(
                "the control character U+{code:04X} is not allowed in the header",
                "文件头里不能有控制字符 U+{code:04X}"
            ),
        )
    } else if let Some(open) = stop.flow.filter(|open| never_closed(text, *open, stop)) {
        let bracket = text.get(open..=open).unwrap_or_default();
        (rest_of_line(text, open), msg!("this `{bracket}` is never closed", "这个 `{bracket}` 没有闭合"))
    } else {
        let at = stop.at.clamp(content.start, content.end);
        let range = match stop.info.as_str() {
            info if info.contains("simple key expect") => before(text, &content, at),
            info if info.contains("tab") => {
                tabs(text, at, content.end).unwrap_or_else(|| rest_of_line(text, at))
            }
            _ => rest_of_line(text, at),
        };
        let message =
            if is_no_key(&stop.info) { no_key(text, range.start) } else { explain(text, at, &stop.info) };
        (range, message)
    };
    let range = range.start.min(content.end)..range.end.min(content.end);
    let range = if range.is_empty() { before(text, &content, range.start) } else { range };
    Fault { span: Span::of(range), message }
}

/// Whether a fault further down is better told as the bracket that stands open.
fn never_closed(text: &str, open: usize, stop: &Stop) -> bool {
    let misread = ["illegal placement of ':'", "expected ',' or", "invalid indentation", "unexpected end"];
    stop.at > Line::at(text, open).end && misread.iter().any(|part| stop.info.contains(part))
        || stop.info.contains("expected ',' or") && trim(text, stop.at..text.len()).is_empty()
}

fn rest_of_line(text: &str, at: usize) -> Range<usize> {
    trim(text, at..Line::at(text, at).end)
}

/// The last line with text on it that ends before `at`.
fn before(text: &str, content: &Range<usize>, at: usize) -> Range<usize> {
    let written = trim(text, content.start..at);
    let start = text
        .get(written.clone())
        .unwrap_or_default()
        .rfind(['\n', '\r'])
        .map_or(written.start, |line_break| written.start + line_break + 1);
    trim(text, start..written.end)
}

/// The blanks with a tab at the start of a line, at or behind `at`.
fn tabs(text: &str, at: usize, end: usize) -> Option<Range<usize>> {
    let start = text.get(..at)?.rfind(['\n', '\r']).map_or(0, |line_break| line_break + 1);
    let mut line = Line::at(text, start);
    while line.start < end {
        let slice = line.text(text);
        let blanks = slice.len() - slice.trim_start_matches(super::lines::is_blank).len();
        if slice.get(..blanks)?.contains('\t') && line.start + blanks >= at {
            return Some(line.start..line.start + blanks);
        }
        line = line.following(text)?;
    }
    None
}

/// Whether something stands where a key should.
fn is_no_key(info: &str) -> bool {
    info == Stop::NO_MAPPING
        || ["simple key expect", "did not find expected key"].iter().any(|it| info.contains(it))
}

/// What to say of a text at `at` that is no key with a value.
fn no_key(text: &str, at: usize) -> Message {
    let line = text.get(..at).and_then(|before| before.rsplit(['\n', '\r']).next()).unwrap_or_default();
    // YAML took the beginning of a text for a list or a mapping of its own.
    if line.trim_end().ends_with([']', '}']) {
        msg!(
            "expected `key: value` here; a text that begins with `{{` or `[` needs quotes",
            "这里应为 `键: 值`；以 `{{` 或 `[` 开头的文本要加引号"
        )
    } else {
        msg!("expected `key: value` here", "这里应为 `键: 值`")
    }
}

fn explain(text: &str, at: usize, info: &str) -> Message {
    let c = text.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
    let has = |part: &str| info.contains(part);
    if has("byte order mark") {
        msg!("a byte order mark is not allowed here", "这里不能有字节顺序标记（BOM）")
    } else if info == Stop::SECOND_DOCUMENT || has("document") && !has("quoted") {
        msg!("the header holds one YAML document and no more", "文件头只能有一个 YAML 文档")
    } else if has("quoted scalar, found unexpected") || has("indentation in quoted") {
        msg!("this quote is never closed", "这个引号没有闭合")
    } else if has("escape") || has("hexadecimal") {
        msg!(
            "unknown escape in a text in double quotes; write `\\\\` for a backslash",
            "双引号文本里有无效的转义；反斜杠要写成 `\\\\`"
        )
    } else if has("trailing content") {
        msg!("unexpected text behind the closing quote", "引号之后有多余的内容")
    } else if has("mapping values are not allowed") || has("':'") {
        msg!(
            "a `:` is not allowed here: is the line indented? a text that holds `: ` needs quotes",
            "这里不能有 `:`：这一行是否缩进了？含有 `: ` 的文本要加引号"
        )
    } else if has("tab") {
        msg!("YAML does not allow tabs as indentation", "YAML 不允许用制表符缩进")
    } else if has("',' or ']'") {
        msg!("expected `,` or `]`", "这里应为 `,` 或 `]`")
    } else if has("',' or '}'") {
        msg!("expected `,` or `}}`", "这里应为 `,` 或 `}}`")
    } else if has("anchor") {
        msg!(
            "this alias names no anchor; put a text that begins with `*` or `&` in quotes",
            "这个别名没有对应的锚点；以 `*` 或 `&` 开头的文本要加引号"
        )
    } else if has("unexpected character") {
        msg!("a value cannot begin with `{c}`; put it in quotes", "值不能以 `{c}` 开头；请加引号")
    } else if has("recursion") {
        msg!("nested too deeply", "嵌套太深")
    } else if has("sequence entries") || has("'-'") {
        msg!(
            "a list item is not allowed here; put a text that begins with `- ` in quotes",
            "这里不能有列表项；以 `- ` 开头的文本要加引号"
        )
    } else if has("indent") {
        msg!("wrong indentation", "缩进不对")
    } else if has("block scalar") {
        msg!("unexpected text behind `|` or `>`", "`|` 或 `>` 之后有多余的内容")
    } else if has("tag") || has("handle") || has("directive") || has("TAG") {
        msg!(
            "YAML tags and directives have no meaning here; put a text that begins with `!` or `%` in quotes",
            "这里不支持 YAML 标签和指令；以 `!` 或 `%` 开头的文本要加引号"
        )
    } else {
        msg!("this is not valid YAML", "这不是有效的 YAML")
    }
}
