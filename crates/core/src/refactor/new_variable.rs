//! The selected text as the example of a new variable, which the catalog gets and the text is replaced by.

use super::selected::text_of;
use super::{At, Change, Draft};
use crate::assemble::Template;
use crate::fix::Edit;
use crate::msg;
use crate::profile::TagSyntax;
use crate::span::Span;
use crate::syntax::first_segment;

/// A longer text is no value of a variable.
const MOST: u32 = 200;
/// A name is a few words at most.
const LONGEST: usize = 24;

pub(super) fn draft(at: At<'_>) -> Option<Draft<'_>> {
    let span = text_of(&at)?;
    let document = at.document;
    if !document.is_template() || span.len() > MOST {
        return None;
    }
    let text = document.slice(span).into_owned();
    // A catalog is written for what a project uses, not begun with one variable that makes all others unknown.
    let registers = at.cx.surroundings.registers();
    let register =
        registers.into_iter().next().filter(|it| !it.is_new() || at.cx.judge.catalog.is_known())?;
    if text.contains(['{', '}', '\n', '\r']) || text.trim() != text {
        return None;
    }
    let name = name(&at, &text)?;
    let tag = match document.profile().tags {
        TagSyntax::SingleBraces => format!("{{{name}}}"),
        TagSyntax::DoubleBraces => format!("{{{{{name}}}}}"),
    };
    let file = &register.name;
    let title =
        msg!("Extract into a new variable `{name}` in `{file}`", "提取为 `{file}` 中的新变量 `{name}`");
    Some(Draft::costly(title, move || {
        let edits = vec![Edit::new(span, tag.as_str())];
        let (before, after) = (Template::of(document), Template::of(&at.after(&edits)));
        let example = |asked: &str, _: Span| (first_segment(asked) == name).then(|| text.clone());
        // Within literal braces, or beside a brace, the tag would be none.
        if !after.renders_like_with(&example, &before) {
            return None;
        }
        Some(Change { edits, elsewhere: vec![register.register_example(&name, &text)], placeholder: None })
    }))
}

/// A name after the words of the text that no variable has, of the catalog or of a loop; else `text` and a number.
fn name(at: &At<'_>, text: &str) -> Option<String> {
    let taken = |name: &str| {
        at.cx.judge.catalog.get(name).is_some()
            || at.cx.index.is_used(name)
            || at.document.body().bindings(at.document.text(), at.document.header().body).any(|it| it == name)
    };
    let writable = |name: &str| at.document.profile().can_write(name);
    let words = text.to_lowercase();
    let words: Vec<&str> =
        words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let joined = words.join("_");
    let mine = (joined.chars().count() <= LONGEST && writable(&joined)).then_some(joined);
    let base = mine.unwrap_or_else(|| "text".to_owned());
    let numbered = (2..1000).map(|number| format!("{base}_{number}"));
    std::iter::once(base.clone()).chain(numbered).find(|name| writable(name) && !taken(name))
}

#[cfg(test)]
mod tests {
    use crate::refactor::Refactoring::ExtractVariable;
    use crate::refactor::testing::{done_elsewhere, not_offered};

    #[test]
    fn a_variable_with_the_text_as_its_example() {
        for (body, after, entry) in [
            ("叫我$0阿桂🎉$0吧", "叫我{阿桂}吧", None),
            (
                "叫我$0阿桂$0吧",
                "叫我{阿桂}吧",
                Some("\"阿桂\": {\"description\": \"\", \"example\": \"阿桂\"}"),
            ),
            (
                "say $0Good \"day\"!$0",
                "say {good_day}",
                Some("\"good_day\": {\"description\": \"\", \"example\": \"Good \\\"day\\\"!\"}"),
            ),
            ("$03 apples$0", "{text}", Some("\"text\": {\"description\": \"\", \"example\": \"3 apples\"}")),
            ("a$0time$0b", "a{time_2}b", Some("\"time_2\": {\"description\": \"\", \"example\": \"time\"}")),
            (
                "{for x in members}$0X$0{x}{/for}",
                "{for x in members}{x_2}{x}{/for}",
                Some("\"x_2\": {\"description\": \"\", \"example\": \"X\"}"),
            ),
        ] {
            let Some(entry) = entry else { continue };
            let (text, catalog) = done_elsewhere(ExtractVariable, body);
            assert_eq!(text, after);
            assert!(catalog.contains(entry), "{catalog}");
        }
    }

    #[test]
    fn only_plain_text_of_one_line() {
        for body in [
            "$0a\nb$0",
            "$0{time}$0",
            "a$0$0b",
            "{char$0acter$0_name}",
            "{\"a\": \"$0x$0\"}",
            "$0a $0b",
            "{if $0is_vip$0}x{/if}",
        ] {
            not_offered(ExtractVariable, body);
        }
    }
}
