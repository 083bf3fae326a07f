//! What is offered, by texts with a cursor.

mod header;
mod settings;
mod tag;

use super::{Completion, completions, documentation};
use crate::assemble::{Environments, parse_environments};
use crate::ide::Context;
use crate::ide::testing::{Project, cursor};
use expect_test::Expect;

fn items(text: &str) -> (String, Vec<Completion>) {
    let (text, at) = cursor(text);
    let project = Project::new(&text);
    let items = all(&project.context(), at);
    (text, items)
}

/// What is offered, with the documentation that is made later.
fn all(cx: &Context<'_>, at: u32) -> Vec<Completion> {
    let mut found = completions(cx, &environments(), at);
    assert!(!found.incomplete);
    for item in &mut found.items {
        if let Some(about) = &item.about {
            assert_eq!(item.documentation, None, "it is made once");
            item.documentation = documentation(cx, about);
        }
    }
    found.items
}

/// Two environments that know more than the catalog says.
fn environments() -> Environments {
    let text = r#"{
        "private": {"platform": "qq", "hour": 8, "is_group": false, "hero": {"name": "阿\"桂", "level": 3, "no name": 1}},
        "group": {
            "platform": "discord", "hour": 20.5, "is_group": true, "hero": {"name": "x", "weapon": {"kind": "弓"}},
            "extra": {"party": [{"name": "甲", "hp": 1}, {"name": "乙", "mp": 2}, 3], "note": "two\nlines", "none": null}
        }
    }"#;
    let (environments, diagnostics) = parse_environments(text);
    assert_eq!(diagnostics, []);
    environments
}

/// What is offered: label, `!` where it would be an error, and the line after choosing it, as a snippet and without.
fn check(text: &str, expected: Expect) {
    let (text, items) = items(text);
    let mut out = String::new();
    for item in items {
        let applied = |new: &str| {
            let mut after = text.clone();
            after.replace_range(item.edit.span.range(), new);
            let start = after[..item.edit.span.range().start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
            let line = &after[start..];
            line[..line.find(['\n', '\r']).unwrap_or(line.len())].to_owned()
        };
        let objection = if item.objection.is_some() { "!" } else { "" };
        let plain = applied(&item.edit.text);
        out.push_str(&format!("{}{objection} {plain:?}", item.label));
        if let Some(snippet) = item.snippet.as_deref().map(applied) {
            out.push_str(&format!(" {snippet:?}"));
        }
        out.push('\n');
    }
    expected.assert_eq(&out);
}

/// The labels offered.
fn labels(text: &str) -> Vec<String> {
    items(text).1.into_iter().map(|item| item.label).collect()
}
