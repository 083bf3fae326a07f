//! `argument-count`: too few or too many arguments. [S0]

use super::judge::{Position, Use};
use crate::catalog::Variable;
use crate::{Code, Diagnostic, Message};

/// `variable` is none for a loop variable, which takes no arguments.
pub(super) fn check(used: &Use<'_>, variable: Option<&Variable>) -> Option<Diagnostic> {
    if variable.is_some_and(|variable| !variable.args_known) {
        return None;
    }
    let given = used.arguments.map_or(0, |(_, count)| count);
    let (least, most) = variable.map_or((0, 0), Variable::arity);
    if (least..=most).contains(&given) {
        return None;
    }
    let name = used.first;
    let (takes, takes_zh) = match (least, most) {
        (0, 0) => ("no arguments".to_owned(), "不带参数".to_owned()),
        (1, 1) => ("1 argument".to_owned(), "需要 1 个参数".to_owned()),
        (least, most) if least == most => (format!("{least} arguments"), format!("需要 {least} 个参数")),
        (least, most) => (format!("{least} to {most} arguments"), format!("需要 {least} 到 {most} 个参数")),
    };
    let message = if used.position == Position::Tag {
        Message::new(
            if most > 0 {
                format!("`{name}` takes {takes}, not {given}")
            } else {
                let are = if given == 1 { "is" } else { "are" };
                format!("`{name}` takes no arguments, but {given} {are} given")
            },
            format!("`{name}` {takes_zh}，这里写了 {given} 个"),
        )
    } else {
        let them = if (least, most) == (1, 1) { "it" } else { "them" };
        Message::new(
            format!("`{name}` takes {takes}, and cannot be used without {them} here"),
            format!("`{name}` {takes_zh}，不能在此处使用"),
        )
    };
    let span = used.arguments.map_or(used.span, |(span, _)| span);
    let mut found = Diagnostic::new(Code::ArgumentCount, span, message);
    if most == 0 {
        // Nothing else can have been meant than the name alone; the blanks in front of the arguments go with them.
        found.remedy = crate::Remedy::Delete(crate::Span::new(used.span.start + name_len(used), span.end));
    }
    Some(found)
}

fn name_len(used: &Use<'_>) -> u32 {
    crate::span::offset(used.name.len())
}

#[cfg(test)]
mod tests {
    use crate::Code::ArgumentCount;
    use crate::lint::fixture::{check, fixed, system};

    #[test]
    fn too_many_on_the_arguments_from_the_first_to_the_last() {
        check(&system(
            r#"
天气🎉é {weather 上海 "a b"  c}
              ^^^^^^^^^^^ argument-count: takes 1 to 2 arguments, not 3
{ character_name	x }, {count 'two words' 2}
                 ^ argument-count: takes no arguments, but 1 is given
                             ^^^^^^^^^^^^^ argument-count: no arguments, but 2 are given
"#,
        ));
    }

    #[test]
    fn too_few_on_the_name_since_there_are_no_arguments() {
        check(&system(
            r#"
天气🎉é {weather}, { weather.today }
      ^^^^^^^ argument-count: takes 1 to 2 arguments, not 0
                  ^^^^^^^ argument-count: not 0
"#,
        ));
    }

    #[test]
    fn as_many_as_it_takes_are_quiet() {
        check(&system(r#"{weather 上海} {weather "New } York"} {weather Paris f} {weather 'a' "b" }"#));
    }

    #[test]
    fn an_empty_quoted_argument_is_an_argument() {
        check(&system(
            r#"
{weather ""} {weather '' ""}
{count ""}
       ^^ argument-count: but 1 is given
"#,
        ));
    }

    #[test]
    fn arguments_are_literal_text_and_no_names() {
        check(&system("{weather nme} {weather time} {weather if} {weather else: guild}"));
    }

    #[test]
    fn an_operand_whose_variable_needs_arguments() {
        check(&system(
            r#"
{if weather == "rain"}a{elseif "x" != weather}b{/if}{repeat weather}c{/repeat}
    ^^^^^^^ argument-count: cannot be used without them here
                                      ^^^^^^^ argument-count
                                                            ^^^^^^^ argument-count
{for w in weather}d{/for}
          ^^^^^^^ argument-count
          ^^^^^^^ not-a-list
"#,
        ));
    }

    #[test]
    fn an_operand_whose_arguments_are_all_optional_is_quiet() {
        check(&format!(
            "//- json {}\n{}",
            r#"{"variables": {"tide": {"args": [{"name": "port", "optional": true}]}}}"#,
            system("{if tide}{tide}{tide Kiel}{/if}")
        ));
    }

    #[test]
    fn how_many_it_takes_is_said_in_the_singular_too() {
        check(&format!(
            "//- json {}\n{}",
            r#"{"variables": {"one": {"args": ["a"]}, "two": {"args": ["a", "b"]}}}"#,
            system(
                "
{one} {two x}
 ^^^ argument-count: takes 1 argument, not 0
           ^ argument-count: takes 2 arguments, not 1
"
            )
        ));
    }

    #[test]
    fn a_loop_variable_takes_none() {
        check(&system(
            "
{for weather in members}{weather}{weather x y}{if weather}a{/if}{/for}
                                          ^^^ argument-count: `weather` takes no arguments
",
        ));
    }

    #[test]
    fn besides_what_is_wrong_with_the_name() {
        check(&system(
            "
{time x} {guild x} {mood y}
 ^^^^ mutable-in-system
      ^ argument-count
          ^^^^^ zone-mismatch
                ^ argument-count
                    ^^^^ mutability-undetermined
                         ^ argument-count
",
        ));
    }

    #[test]
    fn an_unknown_variable_may_take_any_number() {
        check(&system(
            "
{nme a b c}
 ^^^ unknown-variable
",
        ));
    }

    #[test]
    fn not_where_the_tag_is_text() {
        check(&system(
            r#"
{"sky": {weather}}
^ literal-braces
        ^^^^^^^^^ inert-tag
{{weather}} {if weather >}{/if}
^^^^^^^^^^^ escaped-variable
            ^^^^^^^^^^^^^^ invalid-expression
"#,
        ));
    }

    #[test]
    fn surplus_arguments_go_and_fields_stay() {
        let (text, safe) = fixed(ArgumentCount, &system("{character_name.first  x 'y z' }."));
        assert_eq!((text, safe), (system("{character_name.first }.") + "\n", false));
        let (text, safe) = fixed(ArgumentCount, &system("{weather a  '名 🎉' \"c\" d}"));
        assert_eq!((text, safe), (system("{weather a  '名 🎉'}") + "\n", false), "it takes two");
        assert_eq!(crate::lint::fixture::every_fix(ArgumentCount, &system("{weather}")), []);
    }
}
