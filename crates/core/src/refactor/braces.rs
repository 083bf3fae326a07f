//! Literal braces as escapes, and escapes as literal braces, where both render alike.

use super::selected::{self, Read, text_of, whole};
use super::{At, Change, Draft};
use crate::assemble::Template;
use crate::fix::Edit;
use crate::msg;
use crate::span::Span;
use crate::syntax::{State, TokenKind};

/// So far is looked for the partner of an escape.
const MOST: usize = 4096;

/// Doubles the braces of the literals in the selection, or of the one around the cursor.
pub(super) fn escape(at: At<'_>) -> Option<Draft<'_>> {
    let base = at.document.header().body;
    // For who only moves the cursor the finding on the opening brace says it.
    let asked = at.invoked || !at.selection.is_empty();
    if !(at.has_controls() && asked) || at.selection.start < base {
        return None;
    }
    let title = msg!("Escape the literal braces", "转义按原文保留的花括号");
    let (from, to) = (at.selection.start, at.selection.end);
    let touching = at.document.body().literals_within(base, at.selection);
    let within = |open: u32, close: u32| from <= open && close < to;
    let around = |open: u32, close: u32| open <= from && to <= close + 1;
    let mut wanted: Vec<Span> = Vec::new();
    for (open, close) in touching {
        if within(open, close) || around(open, close) {
            wanted.push(Span::new(open, close + 1));
        } else if !at.selection.is_empty() {
            return Some(Draft::refused(title, super::selected::Cut::Braces.reason()));
        }
    }
    if wanted.is_empty() {
        return None;
    }
    Some(Draft::costly(title, move || {
        let double = |span: &Span| crate::fix::escaped_braces(at.document, *span);
        alike(&at, wanted.iter().flat_map(double).collect())
    }))
}

/// Makes one brace of each escape in the selection, or of the pair of escapes at the cursor.
pub(super) fn unescape(at: At<'_>) -> Option<Draft<'_>> {
    if !at.has_controls() || at.selection.start < at.document.header().body {
        return None;
    }
    let title = msg!("Make the escapes literal braces", "将转义改为按原文保留的花括号");
    let span = if at.selection.is_empty() {
        pair_at(&at)?
    } else {
        let span = text_of(&at)?;
        if whole(at.document, span).is_err() {
            return None;
        }
        span
    };
    let escapes = escapes_in(&at, span);
    let opens = |span: &Span| at.document.slice(Span::new(span.start, span.start + 1)) == "{";
    if !escapes.iter().any(opens) {
        return None;
    }
    let single = |span: Span| Edit::new(Span::new(span.start, span.start + 1), "");
    // A brace without a partner is literal too, but nobody means one.
    let before = selected::reading(at.document);
    let sound = |change: &Change| {
        let after = selected::reading(&at.after(&change.edits));
        strays(&after) <= strays(&before) && selected::alike(tags(&before), tags(&after))
    };
    Some(match alike(&at, escapes.into_iter().map(single).collect()).filter(sound) {
        Some(change) => Draft::now(title, change.edits),
        None => Draft::refused(
            title,
            msg!("With single braces something else would be rendered", "改用单个花括号会渲染出不同的内容"),
        ),
    })
}

/// The edits, where the block renders alike with them.
fn alike(at: &At<'_>, edits: Vec<Edit>) -> Option<Change> {
    let (before, after) = (Template::of(at.document), Template::of(&at.after(&edits)));
    before.renders_like(&after).then(|| edits.into())
}

/// How many braces have no partner.
fn strays(read: &[Read]) -> usize {
    read.iter().filter(|read| read.state == State::Live && read.is_brace()).count()
}

/// The live tags: one that closes nothing is rendered as its text, as the escapes were, and is a mistake all the same.
fn tags(read: &[Read]) -> impl Iterator<Item = &Read> {
    read.iter().filter(|read| read.state == State::Live && !read.is_brace() && read.kind != TokenKind::Escape)
}

fn escapes_in(at: &At<'_>, span: Span) -> Vec<Span> {
    let mut all = Vec::new();
    for view in at.document.body().views_within(at.document.text(), at.document.header().body, span) {
        let escapes =
            view.tokens().iter().filter(|it| it.kind == TokenKind::Escape && it.state == State::Live);
        let places = escapes.map(|token| token.span.shift(view.start));
        all.extend(places.filter(|place| span.start <= place.start && place.end <= span.end));
    }
    all
}

/// From the escape `{{` that the cursor touches, or whose `}}` it touches, to its partner.
fn pair_at(at: &At<'_>) -> Option<Span> {
    let (document, cursor) = (at.document, at.selection.start);
    let here = Span::new(cursor.saturating_sub(2), cursor + 2);
    let touched = escapes_in(at, here).into_iter().find(|span| span.touches(cursor))?;
    let opens = |span: Span| document.slice(Span::new(span.start, span.start + 1)) == "{";
    let base = document.header().body;
    let all = escapes_in(at, Span::new(base, document.content_end()));
    let here = all.iter().position(|span| *span == touched)?;
    let mut depth = 0_usize;
    if opens(touched) {
        for span in all.iter().skip(here).take(MOST) {
            depth = if opens(*span) { depth + 1 } else { depth - 1 };
            if depth == 0 {
                return Some(Span::new(touched.start, span.end));
            }
        }
    } else {
        for span in all.get(..=here)?.iter().rev().take(MOST) {
            depth = if opens(*span) { depth - 1 } else { depth + 1 };
            if depth == 0 {
                return Some(Span::new(span.start, touched.end));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::refactor::Refactoring::{EscapeBraces, UnescapeBraces};
    use crate::refactor::testing::{done_in_all_shapes, not_offered, refused};

    #[test]
    fn both_ways() {
        for (literal, escaped) in [
            ("一{$0\"🎉\": {\"a\": []}}二", "一$0{{\"🎉\": {{\"a\": []}}}}二"),
            ("{\n  \"e\u{301}\": 1$0\n}", "$0{{\n  \"e\u{301}\": 1\n}}"),
            ("$0{1 a: 1} {c: 2}$0", "$0{{1 a: 1}} {{c: 2}}$0"),
            ("{is_vip: 1$0} {is_vip}", "{{is_vip: 1$0}} {is_vip}"),
        ] {
            let plain = |text: &str| text.replace("$0", "");
            done_in_all_shapes(EscapeBraces, literal, &plain(escaped));
            done_in_all_shapes(UnescapeBraces, escaped, &plain(literal));
        }
    }

    #[test]
    fn what_would_come_to_life_or_die_stays_as_it_is() {
        // A tag would come to life.
        refused(UnescapeBraces, "{{$0is_vip}}");
        refused(UnescapeBraces, "$0{{is_vip}}$0");
        // Rendered alike, but a closer that closes nothing.
        refused(UnescapeBraces, "$0{{/repeat}}$0");
        refused(UnescapeBraces, "{{$0elseif limit>3}}");
        // A live tag would become text.
        refused(UnescapeBraces, "$0{{\"a\": {is_vip}}}$0");
        refused(UnescapeBraces, "$0a {{ b$0");
        // An escape inside of what becomes literal.
        refused(UnescapeBraces, "$0{{ a $0}} {{ b }}");
        for body in ["{$0{ a", "a$0b {{ c }}", "$0{is_vip}$0", "}}$0", "{\"a\": $0{{x}}}"] {
            not_offered(UnescapeBraces, body);
        }
    }

    #[test]
    fn no_literal_here() {
        for body in ["{is_vi$0p}", "a $0b {c: 1}", "{{$0a}}", "{ $0"] {
            not_offered(EscapeBraces, body);
        }
        refused(EscapeBraces, "{\"a$0\": 1} b$0");
    }
}
