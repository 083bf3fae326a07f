//! A closer that is misspelt: `{/iff}` is no tag, and its `{if}` is not closed.

use super::tag::{DEEPEST, Found};
use super::{Edit, Fix};
use crate::msg;
use crate::nearest::nearest;
use crate::span::Span;
use crate::syntax::{Control, Document, keyword_of};

/// A closer further behind its opener than this is not looked for.
const REACH: u32 = 1 << 14;

/// So many candidates are tried.
const MOST: usize = 4;

/// The braces behind `opener` that hold its closer but for one letter, put right.
pub(super) fn misspelt(document: &Document, opener: Span) -> Option<Fix> {
    let behind = Span::new(opener.end, opener.end.saturating_add(REACH));
    let literals = document.body().literals_within(document.header().body, behind).into_iter();
    let behind =
        literals.map(|(open, close)| Span::new(open, close + 1)).filter(|span| span.start >= opener.end);
    let keyword = keyword_of(&document.slice(opener)).to_owned();
    let meant = behind.filter(|span| meant(document, *span) == Some(&keyword));
    meant.take(MOST).find_map(|span| put_right(document, opener, span))
}

/// The same, asked for at the literal braces that begin at `open`.
pub(super) fn misspelt_here(document: &Document, open: u32) -> Option<Fix> {
    let body = document.body();
    let base = document.header().body;
    let (open, close) = body.literals_within(base, Span::empty(open)).into_iter().find(|it| it.0 == open)?;
    let span = Span::new(open, close + 1);
    let keyword = meant(document, span)?;
    let view = body.view_around(document.text(), base, open)?;
    // The nearest one of the kind is the one that a closer takes.
    let nearest = view.innermost_open_at(open, DEEPEST).stack.into_iter().rev();
    let opener = nearest.into_iter().find(|open| open.control.keyword() == keyword)?.tag.tag;
    put_right(document, body.spans_of([opener], base).pop()?, span)
}

/// The keyword whose closer literal braces hold but for one letter.
fn meant(document: &Document, literal: Span) -> Option<&'static str> {
    // Two keywords are no longer than `{/repeatrepeat}`.
    if literal.len() >= 24 {
        return None;
    }
    let braces = document.slice(literal);
    let word = braces.trim_matches(['{', '}', ' ', '\t']).strip_prefix('/')?;
    nearest(word, Control::ALL.iter().map(|control| control.keyword())).plain()
}

/// The closer of `opener` in place of `written`, if it takes it there.
fn put_right(document: &Document, opener: Span, written: Span) -> Option<Fix> {
    let closer = format!("{{/{}}}", keyword_of(&document.slice(opener)));
    let mut closed = document.clone();
    closed.edit(written, &closer);
    if !closes(&closed, opener, written.start) {
        return None;
    }
    let braces = document.slice(written);
    let title = msg!("Replace `{braces}` with `{closer}`", "将 `{braces}` 替换为 `{closer}`");
    Some(Fix::one(title, Edit::new(written, closer)).safe(true))
}

/// Whether the closer at `at` closes the tag at `opener`.
fn closes(document: &Document, opener: Span, at: u32) -> bool {
    let Some(found) = Found::at(document, at + 1) else { return false };
    let pair = document.body().pair_of(found.tag).filter(|pair| pair.closer == Some(found.tag));
    pair.is_some_and(|pair| document.body().spans_of([pair.opener], document.header().body) == [opener])
}

#[cfg(test)]
mod tests {
    use crate::Code::{LiteralBraces, UnclosedTag};
    use crate::lint::fixture::{every_fix, fixed, system};

    #[test]
    fn one_letter_too_many_too_few_another_or_swapped() {
        for (opener, wrong, right) in [
            ("{if is_group}", "{/iff}", "{/if}"),
            ("{if is_group}", "{/fi}", "{/if}"),
            ("{for m in members}", "{/fro}", "{/for}"),
            ("{for m in members}", "{ /fo }", "{/for}"),
            ("{repeat 2}", "{/repaet}", "{/repeat}"),
            ("{while false}", "{/While}", "{/while}"),
        ] {
            let text = system(&format!("名🎉{opener}é{wrong}b"));
            let (after, safe) = fixed(UnclosedTag, &text);
            assert_eq!((after, safe), (text.replace(wrong, right) + "\n", true));
            // From the braces too, before they are escaped: what is rendered stays the same, and is not what was meant.
            let ways = every_fix(LiteralBraces, &text);
            assert_eq!(ways[0], (text.replace(wrong, right) + "\n", true));
            assert!(ways[1].0.contains("{{"), "{ways:?}");
        }
    }

    #[test]
    fn in_an_outer_tag_that_is_closed() {
        let text = system("{if is_group}{for m in members}{m}{/fro}{/if}");
        assert_eq!(fixed(UnclosedTag, &text).0, text.replace("fro", "for") + "\n");
    }

    #[test]
    fn not_what_means_another_tag_or_nothing() {
        for body in [
            "{if is_group}{/fore}",
            "{if is_group}{/end}",
            "{if is_group}{/}",
            "{if is_group}{\"a\": {/iff}}",
            "{/iff}{if is_group}",
            "{if is_group}{repeat 2}{/iff",
        ] {
            for (after, _) in every_fix(UnclosedTag, &system(body)) {
                assert!(after.contains(body) || !after.contains("{if is_group}"), "{body}: {after}");
            }
        }
    }

    #[test]
    fn the_inner_one_of_two_takes_it() {
        let text = system("{if is_group}a{if count}b{/iff}");
        // The first finding is on the outer one.
        assert!(every_fix(UnclosedTag, &text).iter().all(|(after, _)| !after.contains("b{/if}")));
    }
}
