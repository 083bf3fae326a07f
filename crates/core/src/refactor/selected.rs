//! What is selected of a body: whole lines without blank ones around them, and whether it cuts what belongs together.

use super::At;
use crate::message::Message;
use crate::msg;
use crate::span::{Span, offset};
use crate::syntax::{Control, Document, Malformed, State, Token, TokenKind, TokenRef};
use rustc_hash::FxHashSet;

/// Why a piece of a body cannot be taken for itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cut {
    /// A tag or an escape stands over its border.
    Tag,
    /// Literal braces stand over its border.
    Braces,
    /// A control tag in it has a partner outside.
    Pair,
    /// A control tag in it has no partner.
    Alone,
}

impl Cut {
    pub(super) fn reason(self) -> Message {
        match self {
            Self::Tag => msg!("The selection cuts a tag in two", "所选内容把一个标签切成了两半"),
            Self::Braces => {
                msg!("The selection cuts a pair of literal braces", "所选内容切断了一对按原文保留的花括号")
            }
            Self::Pair => msg!(
                "The selection holds a control tag without its partner",
                "所选内容里的控制标签缺少与之配对的另一半"
            ),
            Self::Alone => msg!(
                "The selection holds a control tag that is not closed, or closes nothing",
                "所选内容里有未结束的控制标签，或多余的结束标签"
            ),
        }
    }
}

/// The selected text of the content without blank lines and line breaks around it; `None` where nothing is left, or where it begins
/// in the header.
pub(super) fn text_of(at: &At<'_>) -> Option<Span> {
    let content = at.document.content();
    if at.selection.start < at.document.header().body {
        return None;
    }
    let span = Span::new(at.selection.start.max(content.start), at.selection.end.min(content.end));
    if span.start >= span.end {
        return None;
    }
    let text = at.document.slice(span);
    let behind = text.trim_start_matches([' ', '\t', '\n', '\r']);
    let lead = &text[..text.len() - behind.len()];
    let start = lead.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let inner = text.trim_end_matches([' ', '\t', '\n', '\r']);
    let end = text[inner.len()..].find(['\n', '\r']).map_or(text.len(), |at| inner.len() + at);
    (!inner.is_empty()).then(|| Span::new(span.start + offset(start), span.start + offset(end)))
}

/// The blanks beside `span` on its first and last line, where nothing but them stands there: then it is whole lines.
pub(super) fn whole_lines(document: &Document, span: Span) -> Option<Span> {
    let base = document.header().body;
    let window = 4096;
    let before = document
        .slice(Span::new(floor(document, span.start.saturating_sub(window).max(base)), span.start))
        .into_owned();
    let end = offset(document.text().len_bytes());
    let behind = document
        .slice(Span::new(span.end, floor(document, span.end.saturating_add(window).min(end))))
        .into_owned();
    let line = before.trim_end_matches([' ', '\t']);
    let rest = behind.trim_start_matches([' ', '\t']);
    let starts = line.ends_with(['\n', '\r']) || line.is_empty() && span.start - offset(before.len()) == base;
    let ends = rest.starts_with(['\n', '\r']) || rest.is_empty() && span.end + offset(behind.len()) == end;
    let lead = offset(before.len() - line.len());
    let trail = offset(behind.len() - rest.len());
    (starts && ends).then(|| Span::new(span.start - lead, span.end + trail))
}

fn floor(document: &Document, at: u32) -> u32 {
    let text = document.text();
    let char = text.try_byte_to_char(at as usize).unwrap_or_default();
    offset(text.try_char_to_byte(char).unwrap_or_default())
}

/// What stands around a piece of a body that cuts nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Whole {
    /// The innermost construct that it stands in.
    pub(super) inside: Option<Control>,
}

/// Whether `span` can be taken for itself.
pub(super) fn whole(document: &Document, span: Span) -> Result<Whole, Cut> {
    let mut found = Whole { inside: None };
    if !document.is_template() {
        return Ok(found);
    }
    let base = document.header().body;
    let body = document.body();
    let within = |other: Span| span.start <= other.start && other.end <= span.end;
    let apart = |other: Span| other.end <= span.start || span.end <= other.start;
    let cut = |other: Span| !within(other) && !apart(other);
    if body.literals_within(base, span).into_iter().any(|(open, close)| cut(Span::new(open, close + 1))) {
        return Err(Cut::Braces);
    }
    let mut partners: FxHashSet<TokenRef> = FxHashSet::default();
    let starts = body.starts(base);
    let mut innermost = 0;
    for pair in body.pairs() {
        let Some(opener) = body.token(pair.opener, &starts) else { continue };
        let tags: Vec<Span> = pair.tags().filter_map(|tag| body.token(tag, &starts)).collect();
        if tags.iter().any(|tag| cut(*tag)) {
            return Err(Cut::Tag);
        }
        let holds = within(opener);
        if tags.iter().any(|tag| within(*tag) != holds) {
            return Err(Cut::Pair);
        }
        if holds {
            if pair.closer.is_none() {
                return Err(Cut::Alone);
            }
            partners.extend(pair.tags());
            continue;
        }
        // One that nothing closes is rendered as closed at the end, or before the tag that closes what it stands in.
        let closer = pair.closer.or(pair.cut_by).and_then(|tag| body.token(tag, &starts));
        let open = opener.end <= span.start && closer.is_none_or(|closer| span.end <= closer.start);
        if open && opener.end >= innermost {
            innermost = opener.end;
            found.inside = match body.kind_of(pair.opener) {
                Some(TokenKind::Opener(control) | TokenKind::Malformed(Malformed::Opener(control))) => {
                    Some(control)
                }
                _ => found.inside,
            };
        }
    }
    for view in body.views_within(document.text(), base, span) {
        for (index, token) in (0..).zip(view.tokens().iter()) {
            let place = token.span.shift(view.start);
            if token.state == State::Inert || apart(place) {
                continue;
            }
            if cut(place) {
                return Err(Cut::Tag);
            }
            let is_partner = || partners.contains(&TokenRef { chunk: view.index, index });
            if token.state == State::Live && needs_partner(token) && !is_partner() {
                return Err(Cut::Alone);
            }
        }
    }
    Ok(found)
}

fn needs_partner(token: &Token) -> bool {
    matches!(
        token.kind,
        TokenKind::Opener(_)
            | TokenKind::Else
            | TokenKind::ElseIf
            | TokenKind::Closer(_)
            | TokenKind::Malformed(Malformed::Opener(_) | Malformed::Closer(_))
    )
}

/// A token by what it is and says, wherever it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Read {
    pub(super) span: Span,
    pub(super) kind: TokenKind,
    pub(super) state: State,
    pub(super) text: String,
}

impl Read {
    pub(super) fn is_brace(&self) -> bool {
        matches!(self.kind, TokenKind::OpenBrace | TokenKind::CloseBrace)
    }

    /// Whether two are the same tag, or the same brace.
    fn like(&self, other: &Self) -> bool {
        self.kind == other.kind && self.state == other.state && self.text == other.text
    }
}

/// The tokens of a body, in order; none where it is no template.
pub(super) fn reading(document: &Document) -> Vec<Read> {
    if !document.is_template() {
        return Vec::new();
    }
    let tokens = document.body().all_tokens(document.header().body);
    let read = |token: Token| Read {
        span: token.span,
        kind: token.kind,
        state: token.state,
        text: document.slice(token.span).into_owned(),
    };
    tokens.into_iter().map(read).collect()
}

/// Whether two readings are of the same tags in the same sequence.
pub(super) fn alike<'r>(
    one: impl IntoIterator<Item = &'r Read>,
    other: impl IntoIterator<Item = &'r Read>,
) -> bool {
    let (mut one, mut other) = (one.into_iter(), other.into_iter());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a.like(b) => {}
            _ => return false,
        }
    }
}
