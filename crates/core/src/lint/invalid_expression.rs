//! `invalid-expression`: a control tag that does not fit its form. It is kept as text and still pairs with its closer. [S0]

use crate::message::or;
use crate::syntax::{Control, Malformed, Part, Token};
use crate::{Code, Diagnostic, Remedy, msg};

pub(super) fn check(text: &str, token: &Token, parts: &[Part], meant: Malformed) -> Diagnostic {
    let word = parts.first().map(|part| part.span.of_str(text)).unwrap_or_default();
    let tag = token.span.of_str(text);
    let inner = tag.trim_matches(['{', '}', ' ', '\t']);
    let form = |forms: &[&str]| {
        msg!(
            "malformed tag, kept as text; write {forms}",
            "标签格式不正确，按原文保留；应写作 {forms}";
            forms = or(forms.iter().copied())
        )
    };
    let mut remedy = Remedy::None;
    let message = match meant {
        Malformed::Opener(Control::If) => form(&["{if NAME}", "{if NAME == \"text\"}"]),
        Malformed::Opener(Control::For) => form(&["{for x in LIST}"]),
        Malformed::Opener(Control::While) => form(&["{while NAME}", "{while NAME == \"text\"}"]),
        Malformed::Opener(Control::Repeat) => form(&["{repeat 3}", "{repeat NAME}"]),
        Malformed::Branch if word == "else" => match inner.strip_prefix("else").map(str::trim_start) {
            Some(rest)
                if rest.strip_prefix("if").is_some_and(|r| r.is_empty() || r.starts_with([' ', '\t'])) =>
            {
                let condition = rest.trim_start_matches("if").trim();
                let tag = format!("{{elseif {condition}}}");
                if crate::syntax::parse_condition(condition).is_some() {
                    remedy = Remedy::Replace { with: vec![tag.as_str().into()], safe: false };
                }
                msg!(
                    "`else if` is written as one word: `{{elseif COND}}`",
                    "`else if` 要连写：`{{elseif 条件}}`"
                )
            }
            _ => msg!("`{{else}}` takes nothing behind it", "`{{else}}` 后面不能有内容"),
        },
        Malformed::Branch => form(&["{elseif NAME}", "{elseif NAME == \"text\"}"]),
        Malformed::Closer(control) => {
            let closer = format!("{{/{}}}", control.keyword());
            remedy = Remedy::Replace { with: vec![closer.as_str().into()], safe: false };
            msg!(
                "a closing tag takes nothing behind its word: `{closer}`",
                "结束标签的关键字后面不能有内容：`{closer}`"
            )
        }
        Malformed::BranchCloser => {
            msg!(
                "`{{{word}}}` has no closing tag of its own; close with `{{/if}}`",
                "`{{{word}}}` 没有单独的结束标签；请用 `{{/if}}` 结束"
            )
        }
    };
    Diagnostic::new(Code::InvalidExpression, token.span, message).remedy(remedy)
}

#[cfg(test)]
mod tests {
    use crate::Code::InvalidExpression;
    use crate::lint::fixture::{check, every_fix, fixed, fresh, judge_with, system};

    #[test]
    fn each_control_tag_that_does_not_fit_its_form() {
        check(&system(
            r#"
名🎉é {if}a{/if}{if count >}b{/if}{if count is 3}c{/if}{if a == b == c}d{/if}
    ^^^^ invalid-expression: write `{if NAME}`
              ^^^^^^^^^^^^ invalid-expression
                                ^^^^^^^^^^^^^^^ invalid-expression
                                                     ^^^^^^^^^^^^^^^^ invalid-expression
{for x in}a{/for}{for in members}b{/for}{for x of members}c{/for}{for a.b in members}d{/for}{for x in 3}e{/for}
^^^^^^^^^^ invalid-expression: write `{for x in LIST}`
                 ^^^^^^^^^^^^^^^^ invalid-expression
                                        ^^^^^^^^^^^^^^^^^^ invalid-expression
                                                                 ^^^^^^^^^^^^^^^^^^^^ invalid-expression
                                                                                            ^^^^^^^^^^^^ invalid-expression
{while}a{/while}{repeat}b{/repeat}{repeat three times}c{/repeat}{repeat "3"}d{/repeat}{repeat true}e{/repeat}
^^^^^^^ invalid-expression: write `{while NAME}`
                ^^^^^^^^ invalid-expression: write `{repeat 3}`
                                  ^^^^^^^^^^^^^^^^^^^^ invalid-expression
                                                                ^^^^^^^^^^^^ invalid-expression
                                                                                      ^^^^^^^^^^^^^ invalid-expression
"#,
        ));
    }

    #[test]
    fn each_language_joins_the_forms_by_its_own_word() {
        let [found] = &fresh(&system("{if}{/if}"), &judge_with(None))[..] else { panic!("one finding") };
        let said = |locale| found.message.text(locale).to_owned();
        assert!(said(crate::Locale::En).ends_with("write `{if NAME}` or `{if NAME == \"text\"}`"));
        assert!(said(crate::Locale::ZhCn).ends_with("应写作 `{if NAME}` 或 `{if NAME == \"text\"}`"));
    }

    #[test]
    fn a_variable_with_arguments_is_no_operand() {
        check(&system(
            r#"
{if weather 上海 == "rain"}x{/if}{for m in members all}{/for}
^^^^^^^^^^^^^^^^^^^^^^^^^ invalid-expression
                               ^^^^^^^^^^^^^^^^^^^^^^ invalid-expression
"#,
        ));
    }

    #[test]
    fn a_malformed_opener_pairs_with_its_branches_and_its_closer() {
        check(&system(
            "
{if count is 3}a{elseif is_group}b{else}c{/if} {repeat a b}d{/repeat} {for x y}e{/for} {while a b}f{/while}
^^^^^^^^^^^^^^^ invalid-expression
                                               ^^^^^^^^^^^^ invalid-expression
                                                                      ^^^^^^^^^ invalid-expression
                                                                                       ^^^^^^^^^^^ invalid-expression
",
        ));
    }

    #[test]
    fn a_malformed_opener_without_a_closer_gives_its_one_diagnostic() {
        check(&system(
            "
{if count is 3}a{else}b
^^^^^^^^^^^^^^^ invalid-expression
{for x of members}{x}
^^^^^^^^^^^^^^^^^^ invalid-expression
",
        ));
    }

    #[test]
    fn the_variable_of_a_malformed_for_is_in_scope() {
        check(&system(
            "
{for x of members}{x} {x.y} {if x}{{x}}{/if}{/for}{x}
^^^^^^^^^^^^^^^^^^ invalid-expression
                                  ^^^^^ escaped-variable
                                                   ^ unknown-variable
",
        ));
    }

    #[test]
    fn names_in_it_are_not_judged() {
        check(&system(
            "
{if nme >}{/if}{for x of time}{/for}{repeat guild guild}{/repeat}
^^^^^^^^^^ invalid-expression
               ^^^^^^^^^^^^^^^ invalid-expression
                                    ^^^^^^^^^^^^^^^^^^^^ invalid-expression
",
        ));
    }

    #[test]
    fn its_body_is_judged_as_usual() {
        check(&system(
            "
{if count is 3}{nme}{time}{/if}
^^^^^^^^^^^^^^^ invalid-expression
                ^^^ unknown-variable
                     ^^^^ mutable-in-system
",
        ));
    }

    #[test]
    fn else_with_a_word_is_text_of_its_branch() {
        check(&system(
            "
{if is_group}a{else x}b{else}c{/if}{if is_group}a{else x}b{elseif count}c{/if}
              ^^^^^^^^ invalid-expression: takes nothing behind it
                                                 ^^^^^^^^ invalid-expression
",
        ));
    }

    #[test]
    fn else_if_is_one_word() {
        check(&system(
            "
{if is_group}a{else if count > 3}b{else  if}c{else iffy}d{/if}
              ^^^^^^^^^^^^^^^^^^^ invalid-expression: written as one word
                                  ^^^^^^^^^^ invalid-expression: written as one word
                                             ^^^^^^^^^^^ invalid-expression: takes nothing behind it
",
        ));
        let (text, safe) = fixed(InvalidExpression, &system("{if is_group}a{ else if  count > 3 }b{/if}"));
        assert_eq!((text, safe), (system("{if is_group}a{elseif count > 3}b{/if}") + "\n", false));
        assert_eq!(every_fix(InvalidExpression, &system("{if is_group}a{else if a b}b{/if}")), []);
    }

    #[test]
    fn elseif_without_a_condition() {
        check(&system(
            "
{if is_group}a{elseif}b{elseif a b}c{/if}
              ^^^^^^^^ invalid-expression: write `{elseif NAME}`
                       ^^^^^^^^^^^^ invalid-expression
",
        ));
    }

    #[test]
    fn a_closer_with_a_word_behind_it_still_closes() {
        check(&system(
            "
{if is_group}a{/if is_group}{for m in members}{m}{/for m}{m}
              ^^^^^^^^^^^^^^ invalid-expression: takes nothing behind its word: `{/if}`
                                                 ^^^^^^^^ invalid-expression
                                                          ^ unknown-variable
",
        ));
        let (text, safe) = fixed(InvalidExpression, &system("{if is_group}a{ /if is_group}"));
        assert_eq!((text, safe), (system("{if is_group}a{/if}") + "\n", false));
    }

    #[test]
    fn a_malformed_closer_of_nothing_gives_its_one_diagnostic() {
        check(&system(
            "
a{/if x}
 ^^^^^^^ invalid-expression
",
        ));
    }

    #[test]
    fn branches_have_no_closers() {
        check(&system(
            "
{if is_group}a{else}b{/else}c{/elseif}d{/if}
                     ^^^^^^^ invalid-expression: `{else}` has no closing tag of its own
                             ^^^^^^^^^ invalid-expression: `{elseif}` has no closing tag of its own
",
        ));
    }

    #[test]
    fn prose_that_begins_with_a_control_word() {
        check(&system(
            "
{if in doubt, ask} {if it's late} and 'more}' {for example} {while you're here} {repeat after me} {else nothing}
^^^^^^^^^^^^^^^^^^ invalid-expression
                   ^^^^^^^^^^^^^^ invalid-expression
                                              ^^^^^^^^^^^^^ invalid-expression
                                                            ^^^^^^^^^^^^^^^^^^^ invalid-expression
                                                                                ^^^^^^^^^^^^^^^^^ invalid-expression
                                                                                                  ^^^^^^^^^^^^^^ invalid-expression
                                           ^ stray-brace
",
        ));
    }

    #[test]
    fn not_what_is_no_control_tag_at_all() {
        check(&system(
            "
{else:} {if.x} {/ if} {if-x} {IF a} {if　a}
^ literal-braces
        ^ literal-braces
               ^ literal-braces
                      ^ literal-braces
                              ^^ unknown-variable
                                    ^ literal-braces
",
        ));
    }

    #[test]
    fn a_brace_or_a_line_break_before_its_end_makes_it_none() {
        check(&system(
            "
{if count {character_name} x
^ stray-brace
{if in doubt,
^ stray-brace
ask {character_name}
",
        ));
    }

    #[test]
    fn a_lone_cr_ends_the_line_and_u_2028_does_not() {
        let body = "
{if a␤b}x{/if}
^^^^^^^^ invalid-expression
";
        check(&system(&body.replace('␤', "\u{2028}")));
    }

    #[test]
    fn sound_tags_are_quiet() {
        check(&system(
            r#"
{if is_group}a{elseif count>=2}b{elseif "}" == 'it\'s'}c{else}d{/if}{ if	count != -2.5e3 }e{ /if }
"#,
        ));
        check(&system(
            "{for m in members}{m}{/for}{for m in members.new.if}{for n in m}{n}{/for}{/for}{repeat 3}{/repeat}{repeat 2.0}{/repeat}{repeat count}{/repeat}{repeat -1}{/repeat}{if true}{/if}{if false == is_group}{/if}",
        ));
    }

    #[test]
    fn not_inside_literal_braces() {
        check(&system(
            r#"
{"a": "{if}", "b": "{else x}", "c": "{/if x}"}
^ literal-braces
"#,
        ));
    }
}
