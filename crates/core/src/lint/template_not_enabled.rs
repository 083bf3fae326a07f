//! `template-not-enabled`: `template` is off and the body has a tag of a known variable. Once a file, the first. [S0]

use super::judge::Case;
use crate::block::HeaderState;
use crate::syntax::{ChunkView, PartKind, State, first_segment};
use crate::{Code, Diagnostic, msg};

/// The first such tag of a chunk; the file keeps the first of all.
pub(super) fn check(case: &Case<'_>, view: &ChunkView<'_>) -> Option<Diagnostic> {
    // Without a whole header nobody knows what the author wants.
    if case.header.state != HeaderState::Closed {
        return None;
    }
    let tokens = view.tokens();
    let known = |name: &str| case.lookup(first_segment(name));
    let token = tokens.iter().find(|token| {
        let mut names = tokens.parts(token).iter().filter(|part| part.kind == PartKind::Name);
        token.state == State::Live && names.any(|part| known(part.span.of_str(&view.text)).is_some())
    })?;
    let message = msg!(
        "this tag is sent as it is: the block has no `template: true`",
        "此标签会原样发送：该块没有设置 `template: true`"
    );
    Some(Diagnostic::new(Code::TemplateNotEnabled, token.span, message))
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::check;

    fn off(body: &str) -> String {
        let body = body.strip_prefix('\n').unwrap_or(body);
        format!("---\nid: t:a\nzone: system\norder: 10\n---\n{body}\n")
    }

    #[test]
    fn once_a_file_on_the_first_tag_of_a_known_variable() {
        check(&off("
名🎉é {what} { character_name } {time}
           ^^^^^^^^^^^^^^^^^^ template-not-enabled: no `template: true`
{time}"));
    }

    #[test]
    fn a_control_tag_with_a_known_variable_is_one() {
        for tag in [
            "{if is_group}",
            "{elseif 3 < count}",
            "{for m in members}",
            "{while count}",
            "{repeat count}",
            "{weather 上海 x y z}",
            "{guild.name}",
        ] {
            let carets = "^".repeat(tag.chars().count());
            check(&off(&format!("é {tag} {{time}}\n  {carets} template-not-enabled")));
        }
    }

    #[test]
    fn where_template_is_false_or_no_boolean() {
        check(
            "
---
id: t:a
zone: system
order: 10
template: false
---
{time}
^^^^^^ template-not-enabled
",
        );
        check(
            "
---
id: t:a
zone: system
order: 10
template: yes
          ^^^ invalid-value
---
{time}
^^^^^^ template-not-enabled
",
        );
    }

    #[test]
    fn not_for_unknown_names_escapes_and_literal_braces() {
        check(&off(
            "{what} {{time}} {\"a\": {time}} {if what}{/if}{else} {if} {if time >}{for time in what} {what time}",
        ));
    }

    #[test]
    fn nothing_else_of_the_template_is_judged() {
        check(&off(
            "} { {if} {/if} {else x} {{time}}} {\"a\": 1} {for x of y} {while true} {unknown 1 2} ```{a: {b}}```",
        ));
    }

    #[test]
    fn not_where_template_is_on() {
        check("---\nid: t:a\nzone: context\norder: 10\ntemplate: true\n---\n{time}\n");
    }

    #[test]
    fn not_without_a_whole_header() {
        check(
            "
{time}
^^^^^^ invalid-header
",
        );
        check(
            "
---
^^^ invalid-header
id: t:a
zone: system

{time}
",
        );
    }

    #[test]
    fn in_a_later_chunk() {
        let line = "没有任何标签的一行 {what} 只是为了让文件变长。\n".repeat(150);
        check(&off(&format!("{line}{{time}}\n^^^^^^ template-not-enabled\n{line}{{count}}")));
    }

    #[test]
    fn without_a_catalog_only_prompt_is_known() {
        check(&format!("//- no catalog\n{}", off("{time} {hero}")));
        check(&format!("//- no catalog\n{}", off("{time} {prompt}\n       ^^^^^^^^ template-not-enabled")));
    }
}
