//! Ways out that lie elsewhere than the finding: in the header, or at the end of the body.

use super::fixes::{Edit, Fix};
use super::judge::Judge;
use crate::block::{HeaderState, Role, Zone};
use crate::catalog::Catalog;
use crate::message::Message;
use crate::span::Span;
use crate::syntax::{Document, keyword_of};
use crate::{Code, Diagnostic, msg};
use std::sync::Arc;

/// The way out of a finding, if it lies elsewhere.
pub(super) fn elsewhere(document: &Document, finding: &Diagnostic) -> Option<Fix> {
    match finding.code {
        Code::TemplateNotEnabled => enable_template(document),
        Code::MissingPrompt => add_prompt(document),
        Code::MutableInSystem => move_to_context(document),
        Code::UnclosedTag => close_at_end(document, finding.span),
        _ => None,
    }
}

fn fix(title: Message, safe: bool, edits: Vec<Edit>) -> Fix {
    Fix { title, safe, edits }
}

fn edit(span: Span, text: impl Into<Arc<str>>) -> Edit {
    Edit { span, text: text.into() }
}

/// `template: true`, in place of `false` or as the header's last key.
fn template_true(document: &Document) -> Option<Edit> {
    let header = document.header();
    if let Some(field) = &header.template {
        return (!field.value).then(|| edit(field.span, "true"));
    }
    let written = header.entries.iter().any(|entry| &*entry.name == "template");
    if written || header.state != HeaderState::Closed {
        return None;
    }
    // A flow mapping (`{id: a, …}`) has no line of its own for a key.
    let content = document.slice(header.content);
    if content.trim_start().starts_with('{') {
        return None;
    }
    Some(edit(Span::empty(header.content.end), format!("template: true{}", line_break(document))))
}

/// The line break that the header uses.
fn line_break(document: &Document) -> &'static str {
    let header = document.header();
    let first = document.slice(Span::new(header.opening.end, header.content.start));
    match first.trim_start_matches([' ', '\t']) {
        "\r\n" => "\r\n",
        "\r" => "\r",
        _ => "\n",
    }
}

fn enable_template(document: &Document) -> Option<Fix> {
    let title = msg!("Make this block a template", "将此块设为模板");
    // The block's braces were text so far.
    Some(fix(title, false, vec![template_true(document)?]))
}

fn add_prompt(document: &Document) -> Option<Fix> {
    let mut edits = Vec::new();
    let mut has_prompt = false;
    if !document.is_template() {
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
        let before = if document.body().is_blank() { "" } else { line_break(document) };
        edits.push(edit(Span::empty(end), format!("{before}{{prompt}}")));
    }
    Some(fix(msg!("Add `{{prompt}}`", "加上 `{{prompt}}`"), false, edits))
}

/// Only where nothing else in the header speaks of the system zone.
fn move_to_context(document: &Document) -> Option<Fix> {
    let header = document.header();
    let zone = header.zone.as_ref().filter(|zone| zone.value == Zone::System)?;
    if header.role() != Role::System || header.is_complete() || document.profile().cache_key {
        return None;
    }
    let title = msg!("Move this block to the context zone", "将此块移到上下文区");
    Some(fix(title, false, vec![edit(zone.span, Zone::Context.name())]))
}

/// An unclosed tag is rendered as if it were closed at the end, so a closer there says what is.
fn close_at_end(document: &Document, opener: Span) -> Option<Fix> {
    // Each is tried on a copy; nobody wants ten thousand closers at the end.
    if document.body().open_count() > 32 {
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
    Some(fix(title, true, vec![edit(Span::empty(document.content_end()), closer)]))
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
