//! The selected text put into an `{if}`. The tags stand right at the text, so that nothing but the condition decides what is rendered.

use super::selected::{alike, reading, text_of, whole};
use super::{At, Change, Draft};
use crate::catalog::{ValueType, Variable};
use crate::fix::Edit;
use crate::lint::Position;
use crate::msg;
use crate::span::{Span, offset};

pub(super) fn draft(at: At<'_>) -> Option<Draft<'_>> {
    if !at.has_controls() {
        return None;
    }
    let span = text_of(&at)?;
    let title = msg!("Wrap in `{{if}}`", "放入 `{{if}}`");
    if let Err(cut) = whole(at.document, span) {
        return Some(Draft::refused(title, cut.reason()));
    }
    Some(Draft::costly(title, move || {
        let condition = condition(&at);
        let open = format!("{{if {condition}}}");
        let edits = vec![Edit::insert(span.start, open.as_str()), Edit::insert(span.end, "{/if}")];
        // What stands beside the tags must not run together with them.
        let (before, after) = (reading(at.document), reading(&at.after(&edits)));
        let first = before.iter().take_while(|read| read.span.start < span.start).count();
        let inside = before.iter().skip(first).take_while(|read| read.span.start < span.end).count();
        let tags = [first, first + inside + 1];
        let is_ours = |index: &usize| tags.contains(index);
        let added: Vec<&str> = tags.iter().filter_map(|tag| Some(after.get(*tag)?.text.as_str())).collect();
        let rest = after.iter().enumerate().filter(|(index, _)| !is_ours(index)).map(|(_, read)| read);
        if added != [open.as_str(), "{/if}"] || !alike(rest, &before) {
            return None;
        }
        let start = offset("{if ".len());
        let placeholder = Some((0, Span::new(start, start + offset(condition.len()))));
        Some(Change { edits, placeholder, ..Change::default() })
    }))
}

/// A variable that may stand in a condition of this block: a boolean one rather than another.
fn condition(at: &At<'_>) -> String {
    let judge = at.cx.judge;
    let fits = |variable: &&std::sync::Arc<Variable>| {
        judge.profile.can_write(&variable.name)
            && judge.objection(at.document.header(), variable, Position::Operand).is_none()
    };
    let mut fitting: Vec<_> = judge.catalog.iter().filter(fits).filter(|it| &*it.name != "prompt").collect();
    fitting.sort_by(|a, b| a.name.cmp(&b.name));
    let boolean = fitting.iter().find(|variable| variable.value_type == Some(ValueType::Boolean));
    let found =
        boolean.or_else(|| fitting.iter().find(|variable| variable.value_type != Some(ValueType::List)));
    found.map_or_else(|| "true".to_owned(), |variable| variable.name.to_string())
}

#[cfg(test)]
mod tests {
    use crate::refactor::Refactoring::WrapInIf;
    use crate::refactor::testing::{done, done_in_all_shapes, not_offered, refused};

    #[test]
    fn the_tags_stand_right_at_the_text() {
        for (body, after) in [
            ("一🎉$0二$0三", "一🎉{if is_vip}二{/if}三"),
            ("a\n$0b\ne\u{301}\n\n$0d", "a\n{if is_vip}b\ne\u{301}{/if}\n\nd"),
            ("$0\n\na\n$0", "\n\n{if is_vip}a{/if}\n"),
            ("{time}$0{if limit > 3}x{else}y{/if}$0", "{time}{if is_vip}{if limit > 3}x{else}y{/if}{/if}"),
            ("{if is_vip}a$0b$0{else}c{/if}", "{if is_vip}a{if is_vip}b{/if}{else}c{/if}"),
            ("{{$0{character_name}$0}}", "{{{if is_vip}{character_name}{/if}}}"),
            ("$0{\"a\": {}}$0", "{if is_vip}{\"a\": {}}{/if}"),
        ] {
            done_in_all_shapes(WrapInIf, body, after);
        }
    }

    #[test]
    fn without_a_variable_that_fits_it_is_true() {
        let text = "//- no catalog\n---\nid: a:b\nzone: system\norder: 1\ntemplate: true\n---\n$0x$0\n";
        assert!(done(WrapInIf, text).ends_with("---\n{if true}x{/if}\n"));
    }

    #[test]
    fn what_belongs_together_is_not_cut() {
        for body in [
            "{char$0acter_name} x$0",
            "$0a{if is_vip}b$0c{/if}",
            "{if is_vip}a$0b{else}c$0{/if}",
            "{$0\"a\"$0: 1}",
            "$0{\"a\"$0: 1}",
            "$0{/if}$0",
            "$0{else}$0",
            "$0{if is_vip}x$0",
            "{$0{a$0}}",
        ] {
            refused(WrapInIf, body);
        }
    }

    #[test]
    fn nothing_to_wrap() {
        for body in ["a$0$0b", "$0 \n\n$0x", "a\n$0\n$0\nb"] {
            not_offered(WrapInIf, body);
        }
        let text = "---\nid: a:b\nzone: system\norder: 1\n---\n$0x$0\n";
        assert_eq!(crate::refactor::testing::outcome(WrapInIf, text), None, "no template");
        let text = "---\nid: a:$0b\nzone: system\norder: 1\ntemplate: true\n---\nx$0\n";
        assert_eq!(crate::refactor::testing::outcome(WrapInIf, text), None, "from the header on");
    }

    #[test]
    fn a_brace_beside_it_would_run_together_with_the_tag() {
        // The lone brace before the text would become an escape.
        not_offered(WrapInIf, "{$0y$0");
        done_in_all_shapes(WrapInIf, "}x { $0y$0", "}x { {if is_vip}y{/if}");
    }
}
