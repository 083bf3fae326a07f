//! Tags put right: one too many, one of another language, arguments that nobody takes.

use super::{Context, Edit, Fix};
use crate::span::{Span, offset};
use crate::syntax::{
    ChunkView, Control, Document, Malformed, PartKind, TagPair, Token, TokenKind, TokenRef, first_segment,
    is_foreign_elseif, keyword_of, parse_condition,
};
use crate::{Diagnostic, Remedy, msg};

/// Deeper nesting is looked at no further: what a fix there would do nobody can see.
pub(super) const DEEPEST: usize = 64;

/// In a longer line nothing is looked at: each finding would cost the whole of it.
pub(super) const LONGEST: u32 = 1 << 15;

/// A token of the body with the chunk that it stands in.
pub(super) struct Found<'a> {
    pub(super) view: ChunkView<'a>,
    pub(super) token: Token,
    pub(super) tag: TokenRef,
}

impl<'a> Found<'a> {
    /// The token that `at` stands in.
    pub(super) fn at(document: &'a Document, at: u32) -> Option<Self> {
        let (body, base) = (document.body(), document.header().body);
        if body.length_around(base, at) > LONGEST {
            return None;
        }
        let view = body.view_around(document.text(), base, at)?;
        let (tag, token) = view.token_at(at).map(|(tag, token)| (tag, *token))?;
        Some(Self { view, token, tag })
    }

    /// From brace to brace, in the file.
    pub(super) fn span(&self) -> Span {
        self.token.span.shift(self.view.start)
    }

    /// The constructs that stand open before it, the innermost first.
    pub(super) fn open(&self, document: &Document) -> impl Iterator<Item = (Control, Option<TagPair>)> {
        let open = self.view.innermost_open_at(self.span().start, DEEPEST);
        open.stack.into_iter().rev().map(|open| (open.control, document.body().pair_of(open.tag.tag)))
    }

    /// The closer that is missing here: of the innermost construct, or of the innermost one of that kind.
    pub(super) fn missing_closer(&self, document: &Document, kind: Option<Control>) -> Option<String> {
        for (control, pair) in self.open(document) {
            let pair = pair?;
            // What is closed further on, or goes on with a branch there, would be torn apart.
            let goes_on = pair.branches.last().is_some_and(|branch| *branch > self.tag);
            if pair.closer.is_some() || pair.cut_by.is_some() || goes_on {
                return None;
            }
            if kind.is_none_or(|kind| kind == control) {
                return Some(format!("{{/{}}}", control.keyword()));
            }
        }
        None
    }

    /// Whether a branch could stand here: in an `{if}` without an `{else}` so far.
    fn can_branch(&self, document: &Document) -> bool {
        let Some((Control::If, Some(pair))) = self.open(document).next() else { return false };
        let is_else = |tag: &TokenRef| document.body().kind_of(*tag) == Some(TokenKind::Else);
        let ends_here = pair.closer.or(pair.cut_by).is_some_and(|end| end < self.tag);
        !ends_here && !pair.branches.iter().take_while(|tag| **tag < self.tag).any(is_else)
    }
}

/// More faults than these in a file, and nobody can tell what one more tag would do.
pub(super) const MOST_FAULTS: usize = 32;

/// Those of `fixes` after which so many more of the file's tags are in order. Each is tried on a copy of the text, so this is to be
/// asked only about tags that are among the faults: they are few, or none is tried.
pub(super) fn settled(document: &Document, fewer: usize, mut fixes: Vec<Fix>) -> Vec<Fix> {
    if fixes.is_empty() {
        return fixes;
    }
    let before = document.body().faults();
    if !(fewer..=MOST_FAULTS).contains(&before) {
        return Vec::new();
    }
    fixes.retain(|fix| {
        let mut after = document.clone();
        for edit in fix.edits.iter().rev() {
            after.edit(edit.span, &edit.text);
        }
        after.body().faults() + fewer <= before
    });
    fixes
}

/// Whether a brace stands right before or behind.
pub(super) fn touches_brace(document: &Document, span: Span) -> bool {
    let before = document.slice(Span::new(span.start.saturating_sub(1), span.start));
    let behind = document.slice(Span::new(span.end, span.end + 1));
    let brace = |text: &str| matches!(text, "{" | "}");
    brace(&before) || brace(&behind)
}

fn remove(document: &Document, span: Span) -> Option<Fix> {
    // What stood apart must not run together into another tag or escape.
    if touches_brace(document, span) {
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
    // One that an outer closer cuts is not among the faults.
    if document.body().open_count() > MOST_FAULTS || !document.open_at_end().contains(&span) {
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
    let Some((whole, arguments)) = parts.split_first() else { return Vec::new() };
    // With a field behind it, it is a name like others.
    if found.view.text_of(whole.span) != word {
        return Vec::new();
    }
    if is_foreign_elseif(&word) {
        if !found.can_branch(document) {
            return Vec::new();
        }
        if arguments.is_empty() {
            return vec![replace(found.span(), "{else}")];
        }
        let condition = arguments
            .first()
            .zip(arguments.last())
            .map(|(first, last)| found.view.text_of(first.span.cover(last.span)).to_owned());
        let condition = condition.filter(|condition| parse_condition(condition).is_some());
        return condition.map(|it| replace(found.span(), &format!("{{elseif {it}}}"))).into_iter().collect();
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
    closer.map(|closer| replace(found.span(), &closer)).into_iter().collect()
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
    if cut || malformed || body.structure().has_cut() {
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
