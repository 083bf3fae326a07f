//! The header's YAML as entries with exact places, also where it is broken.
//!
//! The parser stops at the first fault. What it read before counts; behind the fault, reading starts again at every
//! line that looks like a key, so that a quote left open while typing does not take the rest of the header away.

use super::fault::{Stop, fault};
use super::lines::{Line, is_blank, trim};
use super::scalar::Scalar;
use crate::message::Message;
use crate::span::Span;
use rustc_hash::FxHashMap;
use saphyr_parser::{Event, Parser, ScalarStyle, StrInput, Tag};
use std::ops::Range;
use std::sync::Arc;

/// What stands behind a key, or an item of a list.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Value {
    pub(super) content: Content,
    /// Quotes included, anchors and tags not; empty where nothing is written.
    pub(super) span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Content {
    Scalar(Scalar),
    List(Arc<[Value]>),
    Mapping,
    /// Of a type or with a tag that no key of ours takes.
    Other,
    /// Reading stopped in it: there is nothing to say about it.
    Unread,
}

/// One key and its value.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entry {
    /// The key's text; `None` where the key is no text at all.
    pub(super) name: Option<Arc<str>>,
    pub(super) key: Span,
    pub(super) value: Value,
}

/// Where and why reading stopped.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fault {
    pub(super) span: Span,
    pub(super) message: Message,
}

/// Every entry that can be read, in the order of the file, and the first fault.
pub(super) fn read(text: &str, content: Span) -> (Vec<Entry>, Option<Fault>) {
    let content = content.range();
    let mut entries = Vec::new();
    let Some(stop) = read_piece(text, content.clone(), &mut entries) else { return (entries, None) };
    let fault = fault(text, content.clone(), &stop);
    if let Some(last) = entries.last_mut() {
        // A fault right behind a value concerns the value: it was meant to go on.
        let between = text.get(last.value.span.end as usize..fault.span.start as usize);
        if between.is_some_and(|between| !between.contains(['\n', '\r'])) {
            last.value.content = Content::Unread;
        }
    }
    let behind = match entries.last() {
        Some(entry) if entry.value.content != Content::Unread => {
            entry.value.span.end.max(entry.key.end) as usize
        }
        Some(entry) => entry.key.end as usize,
        None => content.start,
    };
    let mut start = key_line_after(text, behind.max(stop.unprintable.unwrap_or(0)), content.end);
    while let Some(at) = start {
        start = key_line_after(text, at, content.end);
        // What else is wrong shows once the first fault is mended.
        read_piece(text, at..start.unwrap_or(content.end), &mut entries);
    }
    (entries, Some(fault))
}

/// The start of the first line behind `at` that begins with a key.
fn key_line_after(text: &str, at: usize, end: usize) -> Option<usize> {
    let mut line = Line::at(text, at).following(text)?;
    while line.start < end {
        if is_key_line(line.text(text)) {
            return Some(line.start);
        }
        line = line.following(text)?;
    }
    None
}

fn is_key_line(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    line.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && rest
            .trim_start_matches(is_blank)
            .strip_prefix(':')
            .is_some_and(|value| value.is_empty() || value.starts_with(is_blank))
}

/// Reads one stretch of the text as YAML of its own.
fn read_piece(text: &str, piece: Range<usize>, entries: &mut Vec<Entry>) -> Option<Stop> {
    let slice = text.get(piece.clone()).unwrap_or_default();
    // YAML allows no control characters, and the parser takes NUL for the end of the text.
    let unprintable = slice.bytes().position(|b| b < b' ' && !matches!(b, b'\t' | b'\n' | b'\r'));
    let slice = slice.get(..unprintable.unwrap_or(slice.len())).unwrap_or_default();
    let before = entries.len();
    let mut reader = Reader {
        parser: Parser::new_from_str(slice),
        text,
        base: piece.start,
        index: CharIndex::new(slice),
        anchors: FxHashMap::default(),
        flow: None,
    };
    let stop = reader.document(entries).err();
    match unprintable {
        None => stop,
        Some(at) => {
            if let Some(last) = entries.get_mut(before..).and_then(<[Entry]>::last_mut) {
                last.value.content = Content::Unread;
            }
            Some(Stop { at: piece.start + at, unprintable: Some(piece.start + at), ..Stop::default() })
        }
    }
}

/// Bytes of the characters that the parser counts.
struct CharIndex {
    /// Of each character; none where a character is a byte.
    table: Option<Vec<u32>>,
    len: usize,
}

impl CharIndex {
    fn new(text: &str) -> Self {
        let table = || text.char_indices().map(|(at, _)| crate::span::offset(at)).collect();
        Self { table: (!text.is_ascii()).then(table), len: text.len() }
    }

    fn byte(&self, character: usize) -> usize {
        match &self.table {
            None => character.min(self.len),
            Some(table) => table.get(character).map_or(self.len, |at| *at as usize),
        }
    }
}

struct Reader<'t> {
    parser: Parser<'t, StrInput<'t>>,
    /// The whole file.
    text: &'t str,
    /// Where the piece starts in it.
    base: usize,
    index: CharIndex,
    anchors: FxHashMap<usize, Value>,
    /// The bracket of the outermost flow collection that is open.
    flow: Option<usize>,
}

type Spanned<'t> = (Event<'t>, Range<usize>);

impl<'t> Reader<'t> {
    fn next(&mut self) -> Result<Spanned<'t>, Stop> {
        let flow = self.flow;
        match self.parser.next_event() {
            Some(Ok((event, span))) => {
                let start = self.byte(span.start.index());
                Ok((event, start..self.byte(span.end.index()).max(start)))
            }
            Some(Err(error)) => Err(Stop {
                at: self.byte(error.marker().index()),
                info: error.info().to_owned(),
                flow,
                ..Stop::default()
            }),
            None => Ok((Event::StreamEnd, 0..0)),
        }
    }

    fn byte(&self, character: usize) -> usize {
        self.base + self.index.byte(character)
    }

    fn document(&mut self, entries: &mut Vec<Entry>) -> Result<(), Stop> {
        let another = |at: usize| Err(Stop { at, info: Stop::SECOND_DOCUMENT.to_owned(), ..Stop::default() });
        self.next()?;
        match self.next()? {
            (Event::DocumentStart(true), span) => return another(span.start),
            (Event::DocumentStart(false), _) => {}
            _ => return Ok(()),
        }
        match self.next()? {
            (Event::MappingStart(..), span) => self.mapping(span.start, entries)?,
            (Event::Scalar(text, ScalarStyle::Plain, 0, None), span)
                if text.is_empty() && span.is_empty() => {}
            (_, span) => {
                return Err(Stop { at: span.start, info: Stop::NO_MAPPING.to_owned(), ..Stop::default() });
            }
        }
        self.next()?;
        match self.next()? {
            (Event::DocumentStart(_), span) => another(span.start),
            _ => Ok(()),
        }
    }

    fn mapping(&mut self, start: usize, entries: &mut Vec<Entry>) -> Result<(), Stop> {
        self.enter(start);
        loop {
            let (event, span) = self.next()?;
            if event == Event::MappingEnd {
                self.flow = None;
                return Ok(());
            }
            let (name, key) = self.key(event, span)?;
            let unread = Value { content: Content::Unread, span: Span::of(self.behind_colon(key.end)) };
            // The key counts even where its value cannot be read.
            entries.push(Entry { name, key: Span::of(key.clone()), value: unread });
            let (event, span) = self.next()?;
            let value = self.value(event, span, Some(key.end))?;
            if let Some(entry) = entries.last_mut() {
                entry.value = value;
            }
        }
    }

    fn key(
        &mut self,
        event: Event<'t>,
        span: Range<usize>,
    ) -> Result<(Option<Arc<str>>, Range<usize>), Stop> {
        let value = self.value(event.clone(), span, None)?;
        let name = match (&value.content, event) {
            (_, Event::Scalar(text, ..)) => (!value.span.is_empty()).then(|| Arc::from(&*text)),
            (Content::Scalar(Scalar::Text(text)), Event::Alias(_)) => Some(Arc::clone(text)),
            _ => None,
        };
        // A key left out altogether (`: x`, `? `) is shown at its indicator.
        let key = value.span.range();
        let key = if key.is_empty() { self.indicator(key.start) } else { key };
        Ok((name, key))
    }

    /// The colon at `at`, else what is written last before it.
    fn indicator(&self, at: usize) -> Range<usize> {
        if self.text.as_bytes().get(at) == Some(&b':') {
            return at..at + 1;
        }
        let before = trim(self.text, self.base..at);
        let last = self.text.get(before.clone()).and_then(|written| written.chars().next_back());
        before.end - last.map_or(0, char::len_utf8)..before.end
    }

    /// The empty place behind the colon that follows a key.
    fn behind_colon(&self, key_end: usize) -> Range<usize> {
        let rest = self.text.get(key_end..).unwrap_or_default();
        let blanks = rest.len() - rest.trim_start_matches(is_blank).len();
        let at = if rest[blanks..].starts_with(':') { key_end + blanks + 1 } else { key_end };
        at..at
    }

    /// The node that `event` begins; `key` is the end of the key that it belongs to.
    fn value(&mut self, event: Event<'t>, span: Range<usize>, key: Option<usize>) -> Result<Value, Stop> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let span = self.scalar_range(&text, style, span, key);
                let value =
                    Value { content: scalar_content(&text, style, tag.as_deref()), span: Span::of(span) };
                self.remember(anchor, &value);
                Ok(value)
            }
            Event::Alias(anchor) => {
                let content = self.anchors.get(&anchor).map_or(Content::Other, |value| value.content.clone());
                Ok(Value { content, span: Span::of(span) })
            }
            Event::SequenceStart(anchor, tag) => {
                let value = self.list(span.start, key, tag.as_deref())?;
                self.remember(anchor, &value);
                Ok(value)
            }
            Event::MappingStart(..) => {
                let start = self.collection_start(span.start, key);
                let end = self.skip(span.start, start)?;
                Ok(Value { content: Content::Mapping, span: Span::of(trim(self.text, start..end)) })
            }
            _ => Ok(Value { content: Content::Other, span: Span::of(span) }),
        }
    }

    /// A list with the scalars in it; what is nested deeper is nothing that a key of ours takes.
    fn list(&mut self, event_start: usize, key: Option<usize>, tag: Option<&Tag>) -> Result<Value, Stop> {
        let start = self.collection_start(event_start, key);
        let flow = self.enter(start);
        let mut items = Vec::new();
        let mut end = start;
        loop {
            let (event, span) = self.next()?;
            let value = match event {
                Event::SequenceEnd => {
                    if flow {
                        end = span.start + 1;
                        self.flow = None;
                    }
                    break;
                }
                Event::SequenceStart(..) | Event::MappingStart(..) => {
                    let item = self.behind_properties(span.start);
                    let end = self.skip(span.start, item)?;
                    Value { content: Content::Other, span: Span::of(trim(self.text, item..end)) }
                }
                event => self.value(event, span, None)?,
            };
            let mut value = self.at_its_dash(value);
            // No list in a list, or a chain of aliases would nest without end.
            if matches!(value.content, Content::List(_)) {
                value.content = Content::Other;
            }
            end = end.max(value.span.end as usize);
            items.push(value);
        }
        let content = if is_core(tag, "seq") { Content::List(items.into()) } else { Content::Other };
        Ok(Value { content, span: Span::of(trim(self.text, start..end)) })
    }

    /// An empty item of a block list stands at its dash.
    fn at_its_dash(&self, value: Value) -> Value {
        if !value.span.is_empty() {
            return value;
        }
        let at = value.span.start as usize;
        let before = self.text.get(..at).unwrap_or_default().trim_end_matches(is_blank);
        let span = match self.text.as_bytes().get(at) {
            Some(b'-') => at..at + 1,
            _ if before.ends_with('-') => before.len() - 1..before.len(),
            _ => at..at,
        };
        Value { span: Span::of(span), ..value }
    }

    /// Reads over a collection whose start has been read; gives the end of what is written of it.
    fn skip(&mut self, event_start: usize, start: usize) -> Result<usize, Stop> {
        let outermost = self.flow.is_none();
        self.enter(start);
        let (mut depth, mut end) = (1_usize, event_start.max(start));
        while depth > 0 {
            let (event, span) = self.next()?;
            match event {
                Event::SequenceStart(..) | Event::MappingStart(..) => depth += 1,
                Event::SequenceEnd | Event::MappingEnd => {
                    depth -= 1;
                    let bracket = matches!(self.text.as_bytes().get(span.start), Some(b']' | b'}'));
                    end = if bracket && !span.is_empty() { span.start + 1 } else { end };
                }
                Event::StreamEnd => break,
                event => {
                    end = end.max(self.value(event, span, None)?.span.end as usize);
                }
            }
        }
        if outermost {
            self.flow = None;
        }
        Ok(end)
    }

    /// Whether the collection at `start` is one in brackets; the outermost one is remembered until it ends.
    fn enter(&mut self, start: usize) -> bool {
        let flow = matches!(self.text.as_bytes().get(start), Some(b'[' | b'{'));
        if flow && self.flow.is_none() {
            self.flow = Some(start);
        }
        flow
    }

    fn remember(&mut self, anchor: usize, value: &Value) {
        if anchor > 0 {
            self.anchors.insert(anchor, value.clone());
        }
    }

    /// Where a collection begins: its bracket, else the first dash or key behind the colon.
    fn collection_start(&self, event_start: usize, key: Option<usize>) -> usize {
        let start = self.behind_properties(event_start);
        match key {
            Some(key) if !matches!(self.text.as_bytes().get(start), Some(b'[' | b'{')) => {
                self.behind_properties(self.behind_colon(key).start)
            }
            _ => start,
        }
    }

    fn scalar_range(
        &self,
        text: &str,
        style: ScalarStyle,
        span: Range<usize>,
        key: Option<usize>,
    ) -> Range<usize> {
        match style {
            ScalarStyle::Plain if text.is_empty() => {
                let properties = matches!(self.text.as_bytes().get(span.start), Some(b'&' | b'!'));
                match key {
                    _ if properties => trim(self.text, span),
                    // Without any, the parser's span is the token that follows.
                    Some(key) => self.behind_colon(key),
                    None => span.start..span.start,
                }
            }
            ScalarStyle::Plain => trim(self.text, self.behind_properties(span.start)..span.end),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                let start = self.behind_properties(span.start);
                start..self.behind_quote(start).clamp(start, span.end.max(start))
            }
            // The parser's span leaves out the `|` or `>`.
            ScalarStyle::Literal | ScalarStyle::Folded => {
                let behind = key.map_or(span.start, |key| self.behind_colon(key).start);
                trim(self.text, self.behind_properties(behind).min(span.start)..span.end)
            }
        }
    }

    /// The end of the quoted text at `start`; the parser's own end is behind the blanks and the comment that follow.
    fn behind_quote(&self, start: usize) -> usize {
        let bytes = self.text.as_bytes();
        let Some(&quote) = bytes.get(start) else { return start };
        let mut at = start + 1;
        while let Some(&byte) = bytes.get(at) {
            at += match byte {
                b'\\' if quote == b'"' => 2,
                b'\'' if quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') => 2,
                _ if byte == quote => return at + 1,
                _ => 1,
            };
        }
        bytes.len()
    }

    /// Over blanks, line breaks, comments, anchors and tags.
    fn behind_properties(&self, start: usize) -> usize {
        let mut at = start;
        loop {
            let rest = self.text.get(at..).unwrap_or_default();
            let white = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
            let skipped = match rest.bytes().next() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => rest.find(|c| !white(c)).unwrap_or(rest.len()),
                Some(b'&' | b'!') => rest.find(white).unwrap_or(rest.len()),
                Some(b'#') => Line::at(self.text, at).end - at,
                _ => return at,
            };
            at += skipped;
        }
    }
}

fn scalar_content(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Content {
    let plain = || Scalar::plain(text);
    let as_text = || Content::Scalar(Scalar::Text(text.into()));
    let Some(tag) = tag else {
        return if style == ScalarStyle::Plain { Content::Scalar(plain()) } else { as_text() };
    };
    if tag.handle.is_empty() && tag.suffix == "!" || tag.handle == "!" && tag.suffix.is_empty() {
        return as_text();
    }
    match (tag.is_yaml_core_schema(), tag.suffix.as_str(), plain()) {
        (true, "str", _) => as_text(),
        (true, "null", scalar @ Scalar::Null)
        | (true, "bool", scalar @ Scalar::Boolean(_))
        | (true, "int" | "float", scalar @ Scalar::Number(_)) => Content::Scalar(scalar),
        _ => Content::Other,
    }
}

fn is_core(tag: Option<&Tag>, suffix: &str) -> bool {
    tag.is_none_or(|tag| tag.is_yaml_core_schema() && tag.suffix == suffix)
}
