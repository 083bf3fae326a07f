//! Tags put right: one too many, one of another language, arguments that nobody takes.

use super::{Context, Edit, Fix};
use crate::span::{Span, offset};
use crate::syntax::{
    ChunkView, Control, Document, Malformed, PartKind, State, Token, TokenKind, first_segment, keyword_of,
    parse_condition,
};
use crate::{Diagnostic, Remedy, msg};

/// Deeper nesting is looked at no further: what a fix there would do nobody can see.
pub(super) const DEEPEST: usize = 64;

/// A token of the body with the chunk that it stands in.
pub(super) struct Found<'a> {
    pub(super) view: ChunkView<'a>,
    pub(super) token: Token,
    pub(super) tag: crate::syntax::TokenRef,
}

impl<'a> Found<'a> {
    /// The token that `at` stands in.
    pub(super) fn at(document: &'a Document, at: u32) -> Option<Self> {
        let view = document.body().view_around(document.text(), document.header().body, at)?;
        let (tag, token) = view.token_at(at).map(|(tag, token)| (tag, *token))?;
        Some(Self { view, token, tag })
    }

    /// From brace to brace, in the file.
    pub(super) fn span(&self) -> Span {
        self.token.span.shift(self.view.start)
    }

    /// The constructs that stand open before it, the innermost first, and whether each is closed further on.
    pub(super) fn open(&self, document: &Document) -> Vec<(Control, bool)> {
        // Where nothing is left open at the end there is no need to look.
        let all_closed = document.body().open_count() == 0;
        let closed =
            |tag| all_closed || document.body().pair_of(tag).is_none_or(|pair| pair.closer.is_some());
        let open = self.view.innermost_open_at(self.span().start, DEEPEST);
        open.stack.iter().rev().map(|open| (open.control, closed(open.tag.tag))).collect()
    }

    /// The closer that is missing here: of the innermost construct, or of the innermost one of that kind.
    fn missing_closer(&self, document: &Document, kind: Option<Control>) -> Option<String> {
        if document.body().open_count() > 32 {
            return None;
        }
        let open = self.open(document);
        let (control, closed) = match kind {
            None => *open.first()?,
            Some(kind) => *open.iter().find(|(control, _)| *control == kind)?,
        };
        (!closed).then(|| format!("{{/{}}}", control.keyword()))
    }
}

/// More faults than these in a file, and nobody can tell what one more tag would do.
const MOST_FAULTS: usize = 32;

/// How many tags are malformed, unexpected or not closed; `None` where there are too many to tell.
fn faults(document: &Document) -> Option<usize> {
    let body = document.body();
    let mut count = body.open_count() + body.structure().unexpected.len();
    for view in body.views(document.text(), document.header().body) {
        let malformed =
            |token: &&Token| token.state == State::Live && matches!(token.kind, TokenKind::Malformed(_));
        count += view.unexpected().len() + view.tokens().iter().filter(malformed).count();
        if count > MOST_FAULTS {
            return None;
        }
    }
    Some(count)
}

/// Those of `fixes` after which so many more of the file's tags are in order.
pub(super) fn settled(document: &Document, fewer: usize, mut fixes: Vec<Fix>) -> Vec<Fix> {
    let Some(before) = faults(document).filter(|_| !fixes.is_empty()) else { return Vec::new() };
    fixes.retain(|fix| {
        let mut after = document.clone();
        for edit in fix.edits.iter().rev() {
            after.edit(edit.span, &edit.text);
        }
        faults(&after).is_some_and(|after| after + fewer <= before)
    });
    fixes
}

fn remove(document: &Document, span: Span) -> Option<Fix> {
    // What stood apart must not run together into another tag or escape.
    let before = document.slice(Span::new(span.start.saturating_sub(1), span.start));
    let behind = document.slice(Span::new(span.end, span.end + 1));
    let brace = |text: &str| matches!(text, "{" | "}");
    if brace(&before) || brace(&behind) {
        return None;
    }
    Some(Fix::one(msg!("Remove this tag", "删除此标签"), Edit::new(span, "")))
}

/// A closer or branch that nothing is open for.
pub(super) fn unexpected(document: &Document, span: Span) -> Vec<Fix> {
    let mut fixes = Vec::new();
    let tag = document.slice(span);
    let is_closer = tag.trim_start_matches(['{', ' ', '\t']).starts_with('/');
    if is_closer {
        let closer = Found::at(document, span.start).and_then(|tag| tag.missing_closer(document, None));
        // Both the closer and what it should close are in order then.
        fixes = settled(document, 2, closer.map(|closer| replace(span, &closer)).into_iter().collect());
    }
    fixes.extend(settled(document, 1, remove(document, span).into_iter().collect()));
    fixes
}

pub(super) fn replace(span: Span, text: &str) -> Fix {
    Fix::one(msg!("Replace with `{text}`", "替换为 `{text}`"), Edit::new(span, text))
}

/// An opener that nothing closes, where nothing depends on it.
pub(super) fn remove_opener(document: &Document, span: Span) -> Vec<Fix> {
    // A loop variable would be unknown without its loop.
    if keyword_of(&document.slice(span)) == Control::For.keyword() {
        return Vec::new();
    }
    settled(document, 1, remove(document, span).into_iter().collect())
}

/// A word of another template language that stands where a variable could.
pub(super) fn other_language(document: &Document, name: Span) -> Vec<Fix> {
    let Some(found) = Found::at(document, name.start) else { return Vec::new() };
    if found.token.kind != TokenKind::Variable {
        return Vec::new();
    }
    let word = document.slice(name);
    let parts = found.view.tokens().parts(&found.token);
    if let Some((_, arguments)) = parts.split_first()
        && matches!(&*word, "elif" | "elsif" | "elseIf" | "elsf")
        && found.open(document).first().is_some_and(|(control, _)| *control == Control::If)
    {
        let condition = arguments
            .first()
            .zip(arguments.last())
            .map(|(first, last)| found.view.text_of(first.span.cover(last.span)).to_owned());
        let condition = condition.filter(|condition| parse_condition(condition).is_some());
        let fix = condition.map(|it| replace(found.span(), &format!("{{elseif {it}}}")));
        return settled(document, 0, fix.into_iter().collect());
    }
    if parts.len() != 1 {
        return Vec::new();
    }
    let closer = match word.strip_prefix("end") {
        Some("") => found.missing_closer(document, None),
        Some(kind) => Control::of(kind).and_then(|kind| found.missing_closer(document, Some(kind))),
        None if matches!(&*word, "fi" | "done") => found.missing_closer(document, None),
        None => None,
    };
    settled(document, 1, closer.map(|closer| replace(found.span(), &closer)).into_iter().collect())
}

/// More arguments than the variable takes: those too many go.
pub(super) fn surplus(cx: &Context<'_>, document: &Document, finding: &Diagnostic) -> Option<Fix> {
    if finding.remedy != Remedy::None {
        return None;
    }
    let found = Found::at(document, finding.span.start)?;
    let parts = found.view.tokens().parts(&found.token);
    let (name, arguments) = parts.split_first().filter(|(name, _)| name.kind == PartKind::Name)?;
    let variable = cx.judge.catalog.get(first_segment(found.view.text_of(name.span)))?;
    let (_, most) = variable.arity();
    let kept = parts.get(most)?;
    if found.token.kind != TokenKind::Variable || arguments.len() <= most {
        return None;
    }
    let span = Span::new(kept.span.end, arguments.last()?.span.end).shift(found.view.start);
    let title = msg!("Remove the surplus arguments", "删除多余的参数");
    Some(Fix::one(title, Edit::new(span, "")))
}

/// Nothing changes a condition while it renders, so whoever writes `{while}` wants the body once.
pub(super) fn while_to_if(document: &Document, condition: Span) -> Option<Fix> {
    let found = Found::at(document, condition.start)?;
    let body = document.body();
    // A branch in it that belongs to nothing would belong to the `{if}`.
    if !found.view.unexpected().is_empty() || !body.structure().unexpected.is_empty() {
        return None;
    }
    // Nor may an `{if}` stand open in it, whose closer this one would be, or a malformed closer that would be its own.
    let cut = found.view.pairs().iter().any(|pair| pair.cut_by.is_some());
    let malformed = |token: &Token| {
        let kinds = [Malformed::Opener(Control::If), Malformed::Closer(Control::If)];
        kinds.iter().any(|kind| token.kind == TokenKind::Malformed(*kind))
    };
    let malformed = found.view.tokens().iter().any(malformed);
    if cut || malformed || body.structure().pairs.iter().any(|pair| pair.cut_by.is_some()) {
        return None;
    }
    let pair = body.pair_of(found.tag)?;
    let spans = document.body().spans_of([pair.opener, pair.closer?], document.header().body);
    let word = Control::While.keyword();
    let edits = spans.iter().map(|span| {
        let tag = document.slice(*span);
        let at = span.start + offset(tag.find(word)?);
        Some(Edit::new(Span::new(at, at + offset(word.len())), Control::If.keyword()))
    });
    let edits: Vec<Edit> = edits.collect::<Option<_>>()?;
    (edits.len() == 2).then(|| Fix::new(msg!("Make it an `{{if}}`", "改为 `{{if}}`"), edits))
}
