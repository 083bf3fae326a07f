//! The example of a variable in place of its tag.

use super::{At, Change, Draft};
use crate::assemble::{Template, spell, value_of};
use crate::fix::Edit;
use crate::msg;
use crate::profile::TagSyntax;
use crate::span::Span;
use crate::syntax::{ChunkView, State, Text, Token, TokenKind, first_segment};

/// Replaces the tag at the cursor.
pub(super) fn one(at: At<'_>) -> Option<Draft<'_>> {
    let (name, tag) = tag_at(&at)?;
    let first = first_segment(&name);
    let title = msg!("Replace this `{first}` by its example", "用示例值替换这个 `{first}`");
    let edits = vec![Edit::new(tag, text_of(&at, &name)?)];
    let change = checked(&at, &name, edits)?;
    Some(Draft::now(title, change.edits))
}

/// Replaces every tag of the variable that is at the cursor.
pub(super) fn every(at: At<'_>) -> Option<Draft<'_>> {
    let (name, _) = tag_at(&at)?;
    let first = first_segment(&name).to_owned();
    let tags = tags_of(&at, &first, 2);
    if tags.len() < 2 || text_of(&at, &name).is_none() {
        return None;
    }
    let title =
        msg!("Replace every `{first}` in this file by its example", "用示例值替换此文件中所有的 `{first}`");
    Some(Draft::costly(title, move || {
        let tags = tags_of(&at, &first, usize::MAX);
        let edits: Option<Vec<Edit>> =
            tags.into_iter().map(|(name, tag)| Some(Edit::new(tag, text_of(&at, &name)?))).collect();
        checked(&at, &name, edits?)
    }))
}

/// The live variable tag of no loop variable that the cursor is at.
fn tag_at(at: &At<'_>) -> Option<(String, Span)> {
    let base = at.document.header().body;
    if !at.document.is_template() || at.selection.start < base {
        return None;
    }
    let view = at.document.body().view_around(at.document.text(), base, at.selection.start)?;
    let (_, token) = view.token_at(at.selection.start)?;
    let span = token.span.shift(view.start);
    let name = name_of(&view, token)?;
    let here =
        span.touches(at.selection.end) && view.open_at(span.start).loop_of(first_segment(&name)).is_none();
    here.then_some((name, span))
}

fn name_of(view: &ChunkView<'_>, token: &Token) -> Option<String> {
    if token.state != State::Live || token.kind != TokenKind::Variable {
        return None;
    }
    view.tokens().parts(token).first().map(|part| view.text_of(part.span).to_owned())
}

/// The first `most` live tags of a variable, with its fields.
fn tags_of(at: &At<'_>, first: &str, most: usize) -> Vec<(String, Span)> {
    let mut tags = Vec::new();
    for view in at.document.body().views(at.document.text(), at.document.header().body) {
        let mut open = view.open_at(view.start);
        for (index, token) in view.tokens().iter().enumerate() {
            if let Some(name) = name_of(&view, token)
                && first_segment(&name) == first
                && open.loop_of(first).is_none()
            {
                tags.push((name, token.span.shift(view.start)));
                if tags.len() == most {
                    return tags;
                }
            }
            view.pass(&mut open, index, token);
        }
    }
    tags
}

/// What a template writes to render the example of a variable, with fields or without.
fn text_of(at: &At<'_>, name: &str) -> Option<String> {
    let value = |first: &str| at.cx.judge.catalog.get(first)?.example.as_ref();
    let text = spell(value_of(name, &value)?).into_owned();
    // A value's lone carriage return is one; a file's is a line break.
    if text.contains('\r') {
        return None;
    }
    let text = match at.document.profile().tags {
        TagSyntax::SingleBraces => text.replace('{', "{{").replace('}', "}}"),
        TagSyntax::DoubleBraces => text,
    };
    Some(text.replace('\n', at.document.text().line_break()))
}

/// The edits, where the block renders as it does with the example for a value: nothing ran together with what stands beside it.
fn checked(at: &At<'_>, name: &str, edits: Vec<Edit>) -> Option<Change> {
    let first = first_segment(name);
    let value = |asked: &str| at.cx.judge.catalog.get(asked)?.example.as_ref();
    let example = |asked: &str, tag: Span| {
        let replaced = first_segment(asked) == first && edits.iter().any(|edit| edit.span == tag);
        if replaced { value_of(asked, &value).map(|value| spell(value).into_owned()) } else { None }
    };
    let (before, after) = (Template::of(at.document), Template::of(&at.after(&edits)));
    before.renders_like_with(&example, &after).then(|| edits.clone().into())
}

#[cfg(test)]
mod tests {
    use crate::refactor::Refactoring::{InlineExample, InlineExamples};
    use crate::refactor::testing::{done, done_in_all_shapes, not_offered, outcome};

    #[test]
    fn the_example_escaped_as_needed() {
        done_in_all_shapes(
            InlineExample,
            "你是{character$0_name}🎉{character_name}",
            "你是阿桂🎉{character_name}",
        );
        done_in_all_shapes(InlineExamples, "你是{character$0_name}🎉{character_name}", "你是阿桂🎉阿桂");
        let text = |body: &str| {
            format!(
                "//- json {{\"variables\": {{\"a\": {{\"example\": \"x{{y}}\\nz\"}}, \"n\": {{\"example\": 1.50}}, \"o\": {{\"example\": {{\"p\": [1, \"b\"]}}}}, \"c\": {{\"example\": \"a\\rb\"}}, \"b\": {{\"example\": \"{{\"}}}}}}\n---\nid: a:b\nzone: context\norder: 1\ntemplate: true\n---\n{body}\n"
            )
        };
        let after = |body: &str| done(InlineExample, &text(body)).rsplit("---\n").next().map(str::to_owned);
        assert_eq!(after("<{a$0}>").as_deref(), Some("<x{{y}}\nz>\n"));
        assert_eq!(after("{n$0}").as_deref(), Some("1.5\n"));
        assert_eq!(after("{o.p$0}").as_deref(), Some("1, b\n"));
        assert_eq!(after("{o$0}").as_deref(), Some("{{\"p\":[1,\"b\"]}}\n"));
        for body in
            ["{o.q$0}", "{c$0}", "{if a$0}x{/if}", "{for a in o}{a$0}{/for}", "{\"x\": {a$0}}", "{{a$0}}"]
        {
            assert_eq!(outcome(InlineExample, &text(body)), None, "{body}");
        }
    }

    #[test]
    fn no_example_no_offer() {
        for body in ["{time$0}", "{nobody$0}", "a$0b", "{for m in members}{m$0}{/for}"] {
            not_offered(InlineExample, body);
        }
        not_offered(InlineExamples, "{character_name$0}");
        not_offered(
            InlineExamples,
            "{character_name$0} {for character_name in members}{character_name}{/for}",
        );
    }
}
