//! `not-a-list`: a `{for}` over a variable that is declared as something else. Never for a field or an undeclared type.

use super::judge::{Position, Use};
use crate::catalog::{ValueType, Variable};
use crate::{Code, Diagnostic, msg};

pub(super) fn check(used: &Use<'_>, variable: &Variable) -> Option<Diagnostic> {
    let declared = variable.value_type.filter(|declared| *declared != ValueType::List)?;
    if used.position != Position::List || used.name != used.first {
        return None;
    }
    let (name, declared) = (used.first, declared.name());
    Some(used.on_name(
        Code::NotAList,
        msg!(
            "`{name}` is declared as `{declared}`, so this loop never runs; its type should be `list`",
            "`{name}` 的类型是 `{declared}`，不是 `list`，循环不会执行"
        ),
    ))
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::{check, system};

    #[test]
    fn on_the_name_of_the_list() {
        check(&system(
            "
循环🎉é {for c in count}{c}{/for}{ for  c  in  is_group }{/for}
               ^^^^^ not-a-list: declared as `number`
                                            ^^^^^^^^ not-a-list: declared as `boolean`
",
        ));
    }

    #[test]
    fn never_for_a_list_a_field_or_an_undeclared_type() {
        check(&system(
            "{for m in members}{m}{/for}{for c in character_name}{/for}{for c in count.each}{/for}",
        ));
    }

    #[test]
    fn never_for_a_loop_variable() {
        check(&system("{for count in members}{for c in count}{c}{/for}{/for}"));
    }

    #[test]
    fn not_where_it_is_no_list_that_is_wanted() {
        check(&system("{count}{if count}{/if}{repeat count}{/repeat}"));
    }

    #[test]
    fn not_in_a_malformed_or_inert_one() {
        check(&system(
            r#"
{for c of count}{/for}
^^^^^^^^^^^^^^^^ invalid-expression
{"a": {for c in count}}
^ literal-braces
"#,
        ));
    }
}
