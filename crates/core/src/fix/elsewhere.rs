//! Ways out that lie elsewhere than the finding: in the header, or at the end of the body.

use super::header::{insert_key, merged};
use super::tag::MOST_FAULTS;
use super::{Context, Edit, Fix, order};
use crate::block::{Cache, Field, Role, Zone};
use crate::catalog::Catalog;
use crate::lint::{Judge, Position};
use crate::span::Span;
use crate::syntax::{Document, Text, keyword_of};
use crate::{Code, Diagnostic, msg};

/// A block with more names is looked at no further.
const MOST_NAMES: usize = 256;

/// `template: true`, in place of `false` or as the header's last key.
fn template_true(document: &Document) -> Option<Edit> {
    match &document.header().template {
        Some(field) => (!field.value).then(|| Edit::new(field.span, "true")),
        None => insert_key(document, "template", "true"),
    }
}

pub(super) fn enable_template(document: &Document) -> Option<Fix> {
    let title = msg!("Make this block a template", "将此块设为模板");
    // The block's braces were text so far.
    Some(Fix::one(title, template_true(document)?))
}

pub(super) fn add_prompt(document: &Document) -> Option<Fix> {
    let mut edits = Vec::new();
    let mut has_prompt = false;
    let becomes = !document.is_template();
    if becomes {
        let edit = template_true(document)?;
        // Whether a `{prompt}` that stands there comes to life shows only when the body is read as a template.
        let mut template = document.clone();
        template.edit(edit.span, &edit.text);
        template.judge(&Judge::new(Catalog::default()));
        has_prompt = template.body().has_prompt();
        edits.push(edit);
    }
    if !has_prompt {
        let end = document.content_end();
        let before = if document.body().is_blank() { "" } else { document.text().line_break() };
        edits.push(Edit::insert(end, format!("{before}{{prompt}}")));
    }
    let title = match (becomes, has_prompt) {
        (true, true) => msg!("Make this block a template", "将此块设为模板"),
        (true, false) => {
            msg!("Make this block a template and add `{{prompt}}`", "将此块设为模板并加上 `{{prompt}}`")
        }
        (false, _) => msg!("Add `{{prompt}}`", "加上 `{{prompt}}`"),
    };
    Some(Fix::new(title, edits))
}

/// What else has to change for the block to stand in `zone`; `None` where something speaks against it.
pub(super) fn fits(cx: &Context<'_>, document: &Document, zone: Zone) -> Option<Vec<Edit>> {
    let header = document.header();
    if document.profile().zones().all(|known| known != zone) || document.uses().nth(MOST_NAMES).is_some() {
        return None;
    }
    let mut there = (**header).clone();
    let place = header.zone.as_ref().map_or(Span::default(), |field| field.span);
    there.zone = Some(Field { value: zone, key: place, span: place });
    let objects = |name: &std::sync::Arc<str>| {
        let variable = cx.judge.catalog.get(name);
        variable.is_some_and(|variable| cx.judge.objection(&there, variable, Position::Tag).is_some())
    };
    let is_system = zone == Zone::System;
    let complete = header.complete.as_ref().is_some_and(|field| field.value);
    if document.uses().any(objects) || !is_system && (header.role() != Role::System || complete) {
        return None;
    }
    if zone == Zone::Input {
        return (document.is_template() && document.body().has_prompt()).then(Vec::new);
    }
    let range = cx.judge.profile.order_range.filter(|_| is_system);
    let in_range = |order: f64| {
        range.is_none_or(|(from, to)| {
            order.fract() == 0.0 && (f64::from(from)..=f64::from(to)).contains(&order)
        })
    };
    let free = || order::fresh(cx, &there).into_iter().next().map(|(order, _)| order.to_string());
    let edit = match &header.order {
        Some(order) if in_range(order.value) && !cx.index.takes(&there, order.value) => {
            return Some(Vec::new());
        }
        // It is out of range there, or another block of that zone has it.
        Some(order) => Edit::new(order.span, free()?),
        None => insert_key(document, "order", &free()?)?,
    };
    Some(vec![edit])
}

/// Moves the block to where all that it uses is allowed.
pub(super) fn move_to_zones(cx: &Context<'_>, document: &Document, finding: &Diagnostic) -> Vec<Fix> {
    let Some(field) = &document.header().zone else { return Vec::new() };
    let mut fixes = Vec::new();
    for zone in [Zone::Context, Zone::System, Zone::Input].into_iter().filter(|zone| *zone != field.value) {
        let Some(more) = fits(cx, document, zone) else { continue };
        let title = match zone {
            Zone::Context => msg!("Move this block to the context zone", "将此块移到上下文区"),
            Zone::System => msg!("Move this block to the system zone", "将此块移到系统区"),
            Zone::Input => msg!("Move this block to the input zone", "将此块移到输入区"),
        };
        let mut edits = vec![Edit::new(field.span, zone.name())];
        edits.extend(more);
        edits.sort_by_key(|edit| edit.span);
        fixes.push(Fix::new(title, merged(edits)));
    }
    let cache = document.header().cache.as_ref().filter(|field| field.value == Cache::Stable);
    if let (Some(cache), true) = (cache, finding.code != Code::ZoneMismatch) {
        let title = msg!("Set `cache` to `dynamic`", "将 `cache` 改为 `dynamic`");
        fixes.push(Fix::one(title, Edit::new(cache.span, Cache::Dynamic.name())));
    }
    fixes
}

/// An unclosed tag is rendered as if it were closed at the end, so a closer there says what is.
pub(super) fn close_at_end(document: &Document, opener: Span) -> Option<Fix> {
    // Each is tried on a copy; nobody wants ten thousand closers at the end. One that an outer closer cuts is closed already.
    if document.body().open_count() > MOST_FAULTS || !document.open_at_end().contains(&opener) {
        return None;
    }
    let closer = format!("{{/{}}}", keyword_of(&document.slice(opener)));
    // It must take this tag, not one of its kind inside, and must not run together with what stands before it.
    let mut closed = document.clone();
    closed.edit(Span::empty(document.content_end()), &closer);
    let (before, after) = (document.open_at_end(), closed.open_at_end());
    let taken: Vec<_> = before.iter().filter(|open| !after.contains(open)).collect();
    if taken.first() != Some(&&opener) {
        return None;
    }
    let title = msg!("Close with `{closer}` at the end", "在末尾用 `{closer}` 结束");
    Some(Fix::one(title, Edit::insert(document.content_end(), closer)).safe(true))
}

#[cfg(test)]
mod tests {
    use crate::Code;
    use crate::lint::fixture::{every_fix, fixed};

    #[test]
    fn a_template() {
        let text = "---\nid: t:a\nzone: system\norder: 10\n---\n你好 {character_name}\n";
        let (after, safe) = fixed(Code::TemplateNotEnabled, text);
        assert_eq!((after.as_str(), safe), (&*text.replace("10\n", "10\ntemplate: true\n"), false));
        let text = text.replace("10\n", "10\ntemplate: false\n");
        assert_eq!(fixed(Code::TemplateNotEnabled, &text).0, text.replace("false", "true"));
    }

    #[test]
    fn a_prompt() {
        let text = "---\nid: t:a\nzone: input\ntemplate: true\n---\nFrom {user_name}\n\n";
        let (after, _) = fixed(Code::MissingPrompt, text);
        assert_eq!(after, text.replace("{user_name}", "{user_name}\n{prompt}"));
        let text = "---\nid: t:a\nzone: input\n---\n{prompt}\n";
        assert_eq!(fixed(Code::MissingPrompt, text).0, text.replace("input\n", "input\ntemplate: true\n"));
        let text = "---\nid: t:a\nzone: input\n---\n";
        assert_eq!(
            fixed(Code::MissingPrompt, text).0,
            "---\nid: t:a\nzone: input\ntemplate: true\n---\n{prompt}"
        );
    }

    #[test]
    fn to_the_context_zone() {
        let text = "---\nid: t:a\nzone: system\norder: 10\ntemplate: true\n---\n{time}\n";
        assert_eq!(fixed(Code::MutableInSystem, text).0, text.replace("system", "context"));
    }

    #[test]
    fn a_closer_at_the_end() {
        let text = "---\nid: t:a\nzone: system\norder: 10\ntemplate: true\n---\n{if is_group}a\nb\n\n";
        let (after, safe) = fixed(Code::UnclosedTag, text);
        assert_eq!((after.as_str(), safe), (&*text.replace("b\n", "b{/if}\n"), true));
        let text = text.replace("}a", "}{if is_group}{repeat 2}a");
        assert!(every_fix(Code::UnclosedTag, &text).is_empty(), "the closer would take the inner one");
        let text = "---\nid: t:a\nzone: system\norder: 10\ntemplate: true\n---\n{if is_group}{\n";
        assert!(every_fix(Code::UnclosedTag, text).is_empty(), "behind a brace it would be another tag");
    }
}
