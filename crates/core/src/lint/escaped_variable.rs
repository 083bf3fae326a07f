//! `escaped-variable`: `{{name}}` around a known variable. Here it gives `{name}`, not the value. Where tags stand in double
//! braces, `{name}` is the same slip the other way round.

use super::judge::Case;
use crate::span::Span;
use crate::syntax::{ChunkView, Part, Token, TokenKind, first_segment, is_dotted_name};
use crate::{Code, Diagnostic, Remedy, msg};

/// `token` is a live escape; `around` begins one token before it (or with it) and reaches two behind it.
pub(super) fn check(
    case: &Case<'_>,
    view: &ChunkView<'_>,
    token: &Token,
    around: &[&Token],
    is_loop: impl Fn(&str) -> bool,
) -> Option<Diagnostic> {
    let here = around.iter().position(|other| other.span == token.span)?;
    let closer = around.get(here + 1).filter(|other| other.kind == TokenKind::Escape)?;
    let is_escape = |other: Option<&&Token>, text: &str| {
        other.is_some_and(|other| other.kind == TokenKind::Escape && other.span.of_str(&view.text) == text)
    };
    // Four braces are meant: they spell two. `{{a}}{{b}}` are two names side by side.
    let before = here.checked_sub(1).and_then(|index| around.get(index));
    let before = before.filter(|other| other.span.end == token.span.start);
    let behind = around.get(here + 2).filter(|other| other.span.start == closer.span.end);
    if is_escape(before, "{{") || is_escape(behind, "}}") {
        return None;
    }
    if token.span.of_str(&view.text) != "{{" || closer.span.of_str(&view.text) != "}}" {
        return None;
    }
    let inner = Span::new(token.span.end, closer.span.start);
    let name = inner.of_str(&view.text).trim_matches([' ', '\t']);
    let first = first_segment(name);
    if !is_dotted_name(name) || !(is_loop(first) || case.lookup(first).is_some()) {
        return None;
    }
    let span = token.span.cover(closer.span);
    let message = msg!(
        "doubled braces are an escape: this gives the text `{{{name}}}`, not the value of `{first}`",
        "双写花括号是转义：这里输出的是文本 `{{{name}}}`，不是 `{first}` 的值"
    );
    let with = vec![format!("{{{name}}}").into()];
    Some(Diagnostic::new(Code::EscapedVariable, span, message).remedy(Remedy::Replace { with, safe: false }))
}

/// `{name}` of a known variable where tags stand in double braces.
pub(super) fn check_bare(case: &Case<'_>, text: &str, token: &Token, parts: &[Part]) -> Option<Diagnostic> {
    let name = parts.first()?.span.of_str(text);
    case.lookup(name)?;
    let message = msg!(
        "single braces are plain text here: this is not the value of `{name}`, `{{{{{name}}}}}` would be",
        "单花括号在这里是普通文本：这不是 `{name}` 的值，应写作 `{{{{{name}}}}}`"
    );
    let with = vec![format!("{{{{{name}}}}}").into()];
    let remedy = Remedy::Replace { with, safe: false };
    Some(Diagnostic::new(Code::EscapedVariable, token.span, message).remedy(remedy))
}

#[cfg(test)]
mod tests {
    use crate::Code::EscapedVariable;
    use crate::lint::fixture::{check, fixed, system};

    #[test]
    fn two_names_side_by_side() {
        check(&system(
            "
{{user_name}}{{character_name}} {{{{user_name}}}} {{{{user_name}}{{user_name}}}}
^^^^^^^^^^^^^ escaped-variable
             ^^^^^^^^^^^^^^^^^^ escaped-variable
",
        ));
    }

    #[test]
    fn the_whole_of_it_with_fields_and_blanks_too() {
        check(&system(
            "
你是🎉é {{character_name}} {{ character_name	}} {{character_name.first.if}}
     ^^^^^^^^^^^^^^^^^^ escaped-variable: gives the text `{character_name}`, not the value
                        ^^^^^^^^^^^^^^^^^^^^ escaped-variable: gives the text `{character_name}`
                                             ^^^^^^^^^^^^^^^^^^^^^^^^^^^ escaped-variable: not the value of `character_name`
",
        ));
    }

    #[test]
    fn loop_variables_too_and_only_within_their_loop() {
        check(&system(
            "
{for m in members}{{m}}{/for}{{m}}
                  ^^^^^ escaped-variable
",
        ));
    }

    #[test]
    fn not_inside_four_braces() {
        check(&system("{{{{character_name}}}} {{{{ character_name }} {{character_name}}}}"));
    }

    #[test]
    fn not_in_three_which_hold_a_live_tag() {
        check(&system("{{{character_name}}}"));
    }

    #[test]
    fn a_brace_too_many_behind_it_is_a_matter_of_its_own() {
        check(&system(
            "
{{character_name}}} x
^^^^^^^^^^^^^^^^^^ escaped-variable
                  ^ stray-brace
",
        ));
    }

    #[test]
    fn not_around_what_is_no_known_name_alone() {
        check(&system(
            "{{nme}} {{weather 上海}} {{if}} {{character_name!}} {{a character_name}} {{}} {{ }} {{角色}} {{true}}\n{{\ncharacter_name}}",
        ));
    }

    #[test]
    fn not_inside_literal_braces_where_nothing_is_escaped() {
        check(&system(
            r#"
{"name": "{{character_name}}"}
^ literal-braces
           ^^^^^^^^^^^^^^^^ inert-tag
"#,
        ));
    }

    #[test]
    fn not_where_the_body_is_no_template() {
        check("---\nid: t:a\nzone: system\norder: 10\n---\n{{character_name}}\n");
    }

    #[test]
    fn prompt_is_known_everywhere() {
        check(&crate::lint::fixture::block(
            "zone: input\ntemplate: true",
            "
{{prompt}} {prompt}
^^^^^^^^^^ escaped-variable
",
        ));
    }

    #[test]
    fn the_way_out_is_single_braces_and_changes_what_is_rendered() {
        let (text, safe) = fixed(EscapedVariable, &system("你🎉é {{ character_name.a }}!"));
        assert_eq!((text, safe), (system("你🎉é {character_name.a}!") + "\n", false));
    }
}
