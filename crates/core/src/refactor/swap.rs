//! The branches of an `{if}` in each other's place, under the contrary condition.

use super::selected::{alike, reading, whole};
use super::unwrap::tags_at;
use super::{At, Draft};
use crate::fix::Edit;
use crate::msg;
use crate::span::Span;
use crate::syntax::{PartKind, TokenKind};

pub(super) fn draft(at: At<'_>) -> Option<Draft<'_>> {
    let (tags, _) = tags_at(&at)?;
    let [opener, middle, closer] = *tags.as_slice() else { return None };
    let (body, base) = (at.document.body(), at.document.header().body);
    let token = |span: Span| {
        let view = body.view_around(at.document.text(), base, span.start)?;
        let (_, token) = view.token_at(span.start + 1)?;
        let parts = view.tokens().parts(token);
        let operator = parts.iter().find(|part| part.kind == PartKind::Operator);
        Some((token.kind, operator.map(|part| part.span.shift(view.start))))
    };
    if token(middle)?.0 != TokenKind::Else {
        return None;
    }
    // Whether a value alone is false has no spelling of its own.
    let operator = token(opener)?.1?;
    let contrary = match &*at.document.slice(operator) {
        "==" => "!=",
        "!=" => "==",
        "<" => ">=",
        ">=" => "<",
        ">" => "<=",
        "<=" => ">",
        _ => return None,
    };
    let (first, second) = (Span::new(opener.end, middle.start), Span::new(middle.end, closer.start));
    let title = msg!("Negate the condition and swap the branches", "取反条件并交换两个分支");
    Some(Draft::costly(title, move || {
        // What lacks its partner in a branch may find one, or another end, in the other's place.
        for branch in [first, second] {
            whole(at.document, branch).ok()?;
        }
        let text = |span: Span| at.document.slice(span).into_owned();
        let edits = vec![
            Edit::new(operator, contrary),
            Edit::new(first, text(second)),
            Edit::new(second, text(first)),
        ];
        let read = reading(at.document);
        let after = reading(&at.after(&edits));
        let within = |span: Span| {
            read.iter().filter(move |read| span.start <= read.span.start && read.span.end <= span.end)
        };
        let before = Span::new(0, opener.start);
        let rest = Span::new(closer.start, u32::MAX);
        let middle = Span::new(first.end, second.start);
        let expected = within(before)
            .chain(after.get(within(before).count()))
            .chain(within(second))
            .chain(within(middle))
            .chain(within(first))
            .chain(within(rest));
        alike(expected, &after).then(|| edits.into())
    }))
}

#[cfg(test)]
mod tests {
    use crate::refactor::Refactoring::SwapBranches;
    use crate::refactor::testing::{done_in_all_shapes, not_offered};

    #[test]
    fn the_contrary_condition() {
        for (body, after) in [
            (
                "{if$0 limit == 3}🎉\n一{else}{if is_vip}b{/if}{/if}",
                "{if limit != 3}{if is_vip}b{/if}{else}🎉\n一{/if}",
            ),
            ("{if limit!='a'}a{else$0}b{/if}", "{if limit=='a'}b{else}a{/if}"),
            ("{if limit < 3}a{else}{/if$0}", "{if limit >= 3}{else}a{/if}"),
            ("{if$0 limit >= 3}a{else}b{/if}", "{if limit < 3}b{else}a{/if}"),
            ("{if$0 limit > 3}a{else}b{/if}", "{if limit <= 3}b{else}a{/if}"),
            ("{if$0 limit <= 3}a{else}b{/if}", "{if limit > 3}b{else}a{/if}"),
        ] {
            done_in_all_shapes(SwapBranches, body, after);
        }
    }

    #[test]
    fn not_there() {
        for body in [
            "{if$0 is_vip}a{else}b{/if}",
            "{if$0 limit > 3}a{/if}",
            "{if$0 limit > 3}a{elseif is_vip}b{/if}",
            "{if$0 limit > 3}a{elseif is_vip}b{else}c{/if}",
            "{if limit > 3}a$0b{else}c{/if}",
            "{if$0 limit > 3}{else}{else}{/if}",
            "{if$0 limit > 3}{for m in members}{m}{else}b{/if}",
        ] {
            not_offered(SwapBranches, body);
        }
    }
}
