//! `endless-while`: nothing in the language can change a condition while it renders, so a loop ends at the limit or never begins.

use crate::syntax::{Part, PartKind, parse_condition};
use crate::{Code, Diagnostic, msg};

/// `parts` are those of a sound `{while}` tag.
pub(super) fn check(text: &str, parts: &[Part]) -> Option<Diagnostic> {
    let mut condition = parts.iter().filter(|part| part.kind != PartKind::Keyword).map(|part| part.span);
    let first = condition.next()?;
    let span = condition.fold(first, crate::Span::cover);
    // A condition of literals alone that is false never begins.
    let constant = !parts.iter().any(|part| part.kind == PartKind::Name);
    if constant
        && parse_condition(span.of_str(text)).is_some_and(|it| !crate::assemble::is_true(&it, &|_| None))
    {
        return None;
    }
    let message = msg!(
        "nothing can change this condition while it renders: if it is true, the loop runs to the limit",
        "渲染过程中没有什么能改变这个条件：一旦为真，循环就会一直跑到上限"
    );
    Some(Diagnostic::new(Code::EndlessWhile, span, message))
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::{check, system};

    #[test]
    fn on_the_condition() {
        check(&system(
            r#"
循环🎉é {while is_group}x{/while}
            ^^^^^^^^ endless-while: nothing can change this condition
{ while  count>=2 }x{/while} {while 'a' == character_name.b}x{/while}
         ^^^^^^^^ endless-while
                                    ^^^^^^^^^^^^^^^^^^^^^^^ endless-while
"#,
        ));
    }

    #[test]
    fn literals_that_hold_for_ever() {
        check(&system(
            r#"
{while true}x{/while}{while 1}x{/while}{while "0"}x{/while}{while 1 < 2}x{/while}{while -1}x{/while}
       ^^^^ endless-while
                            ^ endless-while
                                              ^^^ endless-while
                                                                  ^^^^^ endless-while
                                                                                        ^^ endless-while
"#,
        ));
    }

    #[test]
    fn while_false_is_quiet() {
        check(&system(
            r#"{while false}x{/while}{while 0}x{/while}{while ""}x{/while}{while 2<1}x{/while}{while 'a' == "b"}x{/while}"#,
        ));
    }

    #[test]
    fn a_loop_variable_does_not_change_within_its_round() {
        check(&system(
            "
{for m in members}{while m}x{/while}{/for}
                         ^ endless-while
",
        ));
    }

    #[test]
    fn a_word_about_the_name_besides() {
        check(&system(
            r#"
{while nme}x{/while}{while time == "noon"}x{/while}
       ^^^ unknown-variable
       ^^^ endless-while
                           ^^^^ mutable-in-system
                           ^^^^^^^^^^^^^^ endless-while
"#,
        ));
    }

    #[test]
    fn not_on_a_malformed_or_inert_one_nor_on_if() {
        check(&system(
            r#"
{while}x{/while}{if is_group}x{/if}
^^^^^^^ invalid-expression
{"loop": "{while is_group}x{/while}"}
^ literal-braces
"#,
        ));
    }
}
