//! `inert-tag`: a tag of a known variable inside literal braces. It looks alive and is not.

use super::judge::Case;
use crate::span::{Span, offset};
use crate::syntax::{ChunkView, Token, TokenKind, first_segment, single_tag};
use crate::{Code, Diagnostic, Remedy, msg};

/// `token` is a variable tag or an escape inside literal braces.
pub(super) fn check(
    case: &Case<'_>,
    view: &ChunkView<'_>,
    token: &Token,
    is_loop: impl Fn(&str) -> bool,
) -> Option<Diagnostic> {
    let known = |name: &str| is_loop(name) || case.lookup(name).is_some();
    let (span, name) = if token.kind == TokenKind::Variable {
        let name = view.tokens().parts(token).first()?.span.of_str(&view.text);
        (token.span, first_segment(name).to_owned())
    } else {
        // Inside literal braces there are no escapes: `{{name}}` is a brace, the tag `{name}` and a brace.
        let from = token.span.end.checked_sub(1)?;
        let rest = view.text.get(from as usize..)?;
        let end = rest.find(['}', '\n', '\r'])?;
        let tag = rest.get(..=end)?;
        if !rest.starts_with('{') || tag.len() > 256 {
            return None;
        }
        (Span::new(from, from + offset(tag.len())), single_tag(tag)?)
    };
    if !known(&name) {
        return None;
    }
    let message = msg!(
        "this tag stands inside literal braces and is sent as it is; escape the outer braces to make it live",
        "此标签位于字面花括号内，会原样发送；转义外层花括号后才会生效"
    );
    Some(Diagnostic::new(Code::InertTag, span, message).remedy(Remedy::EscapeAround(span)))
}

#[cfg(test)]
mod tests {
    use crate::Code::InertTag;
    use crate::lint::fixture::{check, fixed, system};

    #[test]
    fn a_tag_of_a_known_variable_from_brace_to_brace() {
        check(&system(
            r#"
示例🎉é {"name": "{character_name}", "sky": { weather "上海" }}
     ^ literal-braces
               ^^^^^^^^^^^^^^^^ inert-tag: inside literal braces
                                         ^^^^^^^^^^^^^^^^ inert-tag
"#,
        ));
    }

    #[test]
    fn whatever_its_zone_arguments_and_mutability() {
        check(&system(
            r#"
{"a": {time}, "b": {guild}, "c": {weather}, "d": {prompt}, "e": {character_name.x y}}
^ literal-braces
      ^^^^^^ inert-tag
                   ^^^^^^^ inert-tag
                                 ^^^^^^^^^ inert-tag
                                                 ^^^^^^^^ inert-tag
                                                                ^^^^^^^^^^^^^^^^^^^^ inert-tag
"#,
        ));
    }

    #[test]
    fn loop_variables_too() {
        check(&system(
            r#"
{for m in members}{"who": "{m}"}{/for}{"who": "{m}"}
                  ^ literal-braces
                           ^^^ inert-tag
                                      ^ literal-braces
"#,
        ));
    }

    #[test]
    fn doubled_braces_inside_literal_ones_count() {
        check(&system(
            r#"
{"a": "{{character_name}}", "b": {{{character_name}}}}
^ literal-braces
        ^^^^^^^^^^^^^^^^ inert-tag
                                   ^^^^^^^^^^^^^^^^ inert-tag
"#,
        ));
    }

    #[test]
    fn not_unknown_names_and_not_control_tags() {
        check(&system(
            r#"
{"a": {nme}, "b": "{if is_group}x{else}y{/if}", "c": {for m in members}, "d": {repeat count}}
^ literal-braces
"#,
        ));
    }

    #[test]
    fn not_one_that_the_end_of_the_literal_cuts() {
        check(&system(
            r#"
{"sky": {weather "}" }, {weather "x"}
^ literal-braces
{"sky": {weather "}}" }
^ literal-braces
                      ^ stray-brace
"#,
        ));
    }

    #[test]
    fn not_escaped_json_where_the_tag_is_live() {
        check(&system(r#"{{"name": "{character_name}"}}"#));
    }

    #[test]
    fn over_many_lines() {
        check(&system(
            r#"
{
^ literal-braces
  "name": "{character_name}",
           ^^^^^^^^^^^^^^^^ inert-tag
  "more": {
    "名": "🎉{count}"
           ^^^^^^^ inert-tag
  }
}
{character_name}
"#,
        ));
    }

    #[test]
    fn escaping_the_outer_braces_makes_it_live() {
        let (text, safe) =
            fixed(InertTag, &system("名 {\"a\": {\"b\": {character_name}}, \"c\": {count}} {nme}"));
        assert_eq!(
            (text, safe),
            (system("名 {{\"a\": {{\"b\": {character_name}}}, \"c\": {{count}}}} {nme}") + "\n", false)
        );
        let (text, _) = fixed(InertTag, &system("{\n  \"a\": \"{{character_name}}\"\n}"));
        assert_eq!(text, system("{{\n  \"a\": \"{{{character_name}}}\"\n}}") + "\n");
    }
}
