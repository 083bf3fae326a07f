//! One branch of an `{if}` kept, and the tags with the other branches gone.

use super::selected::{alike, reading, whole};
use super::{At, Draft};
use crate::fix::Edit;
use crate::msg;
use crate::span::Span;
use crate::syntax::{Control, TokenKind};

/// The tags of the sound `{if}` at the cursor, from the opener to the closer, and which of them the cursor is at.
pub(super) fn tags_at(at: &At<'_>) -> Option<(Vec<Span>, usize)> {
    if !at.has_controls() || at.selection.start < at.document.header().body {
        return None;
    }
    let (body, base) = (at.document.body(), at.document.header().body);
    let view = body.view_around(at.document.text(), base, at.selection.start)?;
    let (tag, token) = view.token_at(at.selection.start)?;
    // What is selected beyond the tag is about something else.
    if at.selection.end > view.start + token.span.end {
        return None;
    }
    let kinds =
        [TokenKind::Opener(Control::If), TokenKind::Closer(Control::If), TokenKind::Else, TokenKind::ElseIf];
    if !kinds.contains(&token.kind) {
        return None;
    }
    let pair = body.pair_of(tag)?;
    if pair.malformed
        || body.kind_of(pair.opener) != Some(TokenKind::Opener(Control::If))
        || body.kind_of(pair.closer?) != Some(TokenKind::Closer(Control::If))
    {
        return None;
    }
    let index = pair.tags().position(|other| other == tag)?;
    let spans = body.spans_of(pair.tags(), base);
    (spans.len() == pair.tags().count()).then_some((spans, index))
}

pub(super) fn draft(at: At<'_>) -> Option<Draft<'_>> {
    let (tags, index) = tags_at(&at)?;
    // A closer ends the branch before it.
    let branch = index.min(tags.len() - 2);
    let title = if tags.len() == 2 {
        msg!("Remove this `{{if}}` and keep what is in it", "去掉这个 `{{if}}`，保留其中的内容")
    } else {
        msg!("Replace this `{{if}}` by this branch of it", "用这一分支替换整个 `{{if}}`")
    };
    Some(Draft::costly(title, move || {
        let (first, last) = (tags.first()?, tags.last()?);
        let before = Span::new(first.start, tags.get(branch)?.end);
        let behind = Span::new(tags.get(branch + 1)?.start, last.end);
        let edits = vec![Edit::new(before, ""), Edit::new(behind, "")];
        let gone =
            |span: Span| [before, behind].iter().any(|cut| cut.start <= span.start && span.end <= cut.end);
        // What is left open in the branch ends with it, and would go on without its tags.
        whole(at.document, Span::new(before.end, behind.start)).ok()?;
        let read = reading(at.document);
        let kept = read.iter().filter(|read| !gone(read.span));
        alike(kept, &reading(&at.after(&edits))).then(|| edits.into())
    }))
}

#[cfg(test)]
mod tests {
    use crate::refactor::Refactoring::UnwrapIf;
    use crate::refactor::testing::{done_in_all_shapes, not_offered};

    #[test]
    fn the_branch_that_the_cursor_is_at() {
        for (body, after) in [
            ("一{i$0f is_vip}🎉\nb{/if}c", "一🎉\nbc"),
            ("a{if is_vip}b{/if$0}c", "abc"),
            ("{$0if is_vip}a{elseif limit > 3}b{else}c{/if}", "a"),
            ("{if is_vip}a{$0elseif limit > 3}b{else}c{/if}", "b"),
            ("{if is_vip}a{elseif limit > 3}b{else$0}c{/if}", "c"),
            ("{if is_vip}a{elseif limit > 3}b{else}c{/if$0}", "c"),
            ("{if$0 is_vip}{for m in members}{m}{/for}{/if}", "{for m in members}{m}{/for}"),
            ("{if is_vip}{if$0 is_vip}a{/if}{else}b{/if}", "{if is_vip}a{else}b{/if}"),
        ] {
            done_in_all_shapes(UnwrapIf, body, after);
        }
    }

    #[test]
    fn not_there() {
        for body in [
            "{if is_vip}a$0b{/if}",
            "{if$0 is_vip}a",
            "{if is_vip >$0}a{/if}",
            "{for m$0 in members}{m}{/for}",
            "{else$0}",
            "{if is_vip}a{/if x$0}",
            "{\"a\": {if$0 is_vip}b{/if}}",
        ] {
            not_offered(UnwrapIf, body);
        }
        // The loop would go on behind the branch that ends it.
        not_offered(UnwrapIf, "{if$0 is_vip}{for m in members}{m}{/if}二{m}");
        not_offered(UnwrapIf, "{/if}{if$0 is_vip}{repeat 2}{/if}\u{3000}{if is_vip == limit}");
        // Without the tags two lone braces would be an escape.
        not_offered(UnwrapIf, "}{if$0 is_vip}} {/if}");
    }
}
