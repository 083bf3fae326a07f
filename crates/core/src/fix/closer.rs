//! A closer that is misspelt: `{/iff}` is no tag, and its `{if}` is not closed.

use super::tag::{DEEPEST, Found, LONGEST};
use super::{Edit, Fix};
use crate::msg;
use crate::nearest::nearest;
use crate::span::Span;
use crate::syntax::{Control, Document, TokenRef, keyword_of};

/// A closer further behind its opener than this is not looked for.
const REACH: u32 = 1 << 14;

/// So many literal braces are looked at.
const MOST_LITERALS: usize = 64;

/// So many candidates are looked at closely.
const MOST: usize = 4;

/// The braces behind `opener` that hold its closer but for one letter, put right.
pub(super) fn misspelt(document: &Document, opener: Span) -> Option<Fix> {
    let tag = Found::at(document, opener.start)?.tag;
    let behind = document.body().literals_from(document.header().body, opener.end).take(MOST_LITERALS);
    let behind = behind.take_while(|(open, _)| open - opener.end <= REACH);
    let keyword = keyword_of(&document.slice(opener)).to_owned();
    let spans = behind.map(|(open, close)| Span::new(open, close + 1));
    let meant = spans.filter(|span| meant(document, *span) == Some(&keyword));
    meant.take(MOST).find_map(|span| put_right(document, Some(tag), span))
}

/// The same, asked for at the literal braces that begin at `open`.
pub(super) fn misspelt_here(document: &Document, open: u32) -> Option<Fix> {
    let literal = document.body().literals_from(document.header().body, open).next();
    let (open, close) = literal.filter(|literal| literal.0 == open)?;
    put_right(document, None, Span::new(open, close + 1))
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

/// The closer that was meant in place of `written`, if something takes it there: `opener`, where one is given. Nothing is tried out: in
/// a file of many such closers each trial would cost the file.
fn put_right(document: &Document, opener: Option<TokenRef>, written: Span) -> Option<Fix> {
    let keyword = meant(document, written)?;
    let (body, base) = (document.body(), document.header().body);
    let around = |at: u32| document.slice(Span::new(at, at + 1));
    // With another brace right before or behind it would be read as something else.
    let doubled = around(written.start.saturating_sub(1)) == "{" || around(written.end) == "}";
    if doubled || body.length_around(base, written.start) > LONGEST {
        return None;
    }
    let view = body.view_around(document.text(), base, written.start)?;
    // The nearest one of the kind is the one that a closer takes.
    let open = view.innermost_open_at(written.start, DEEPEST).stack.into_iter().rev();
    let nearest = open.into_iter().find(|open| open.control.keyword() == keyword)?.tag.tag;
    let pair = body.pair_of(nearest)?;
    // Below so many others it may be closed by then.
    let end = pair.closer.or(pair.cut_by).and_then(|end| body.span_of(end, base));
    if opener.is_some_and(|opener| opener != nearest) || end.is_some_and(|end| end.start < written.start) {
        return None;
    }
    let (braces, closer) = (document.slice(written), format!("{{/{keyword}}}"));
    let title = msg!("Replace `{braces}` with `{closer}`", "将 `{braces}` 替换为 `{closer}`");
    Some(Fix::one(title, Edit::new(written, closer)).safe(true))
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
