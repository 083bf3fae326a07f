//! `no-catalog`: where no variable is known at all, none can be called unknown. One word a file takes the place of many.

use super::judge::Case;
use crate::{Code, Diagnostic, msg};

/// Puts one `no-catalog` in place of every `unknown-variable`, where the project knows nothing. `findings` are in order.
pub(super) fn replace(case: &Case<'_>, findings: &mut Vec<Diagnostic>) {
    if case.judge.catalog.is_known() {
        return;
    }
    let mut first = true;
    findings.retain_mut(|finding| {
        if finding.code != Code::UnknownVariable {
            return true;
        }
        if !std::mem::take(&mut first) {
            return false;
        }
        let message = msg!(
            "no variable catalog in this project, so no variable can be checked; write `promptblock.catalog.json`",
            "此项目没有变量目录，无法检查变量；请编写 `promptblock.catalog.json`"
        );
        *finding = Diagnostic::new(Code::NoCatalog, finding.span, message);
        true
    });
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::{block, check, system};

    fn without(fixture: &str) -> String {
        format!("//- no catalog\n{fixture}")
    }

    #[test]
    fn one_a_file_at_its_first_unknown_variable() {
        check(&without(&system(
            "
名🎉é {if hero.age > 3}{villain}{/if} {hero}
        ^^^^ no-catalog: no variable catalog in this project
{villain}
",
        )));
    }

    #[test]
    fn what_is_known_without_a_catalog_is_no_reason() {
        check(&without(&block("zone: input\ntemplate: true", "{prompt}{if prompt}{/if}")));
        check(&without(&system("{if 3 < 4}{repeat 3}x{/repeat}{/if} {{hero}}")));
        check(&without(&system(
            "
{for m in heroes}{m}{/for}
          ^^^^^^ no-catalog
",
        )));
    }

    #[test]
    fn the_rest_is_judged_as_ever() {
        check(&without(&system(
            r#"
{hero}{if}{/if}{prompt}{"a": {hero}}{/for}
 ^^^^ no-catalog
      ^^^^ invalid-expression
                ^^^^^^ mutable-in-system
                       ^ literal-braces
                                    ^^^^^^ unexpected-tag
"#,
        )));
    }

    #[test]
    fn endif_too_is_no_reason_to_say_more() {
        check(&without(&system(
            "
{endif}{endfor}
 ^^^^^ no-catalog
",
        )));
    }

    #[test]
    fn not_with_a_catalog_be_it_empty_or_broken() {
        for catalog in ["{}", r#"{"variables": {}}"#, "{", "nothing"] {
            check(&format!(
                "//- json {catalog}\n{}",
                system(
                    "
{hero}{hero}
 ^^^^ unknown-variable
       ^^^^ unknown-variable
"
                )
            ));
        }
    }

    #[test]
    fn not_in_a_body_that_is_no_template() {
        check(&without("---\nid: t:a\nzone: system\norder: 10\n---\n{hero}\n"));
    }

    #[test]
    fn across_chunks_too_it_is_one() {
        let line = "名字很长的一行，只是为了让文件变长。\n".repeat(200);
        check(&without(&system(&format!("{line}{{hero}}\n ^^^^ no-catalog\n{line}{{hero}}\n{{villain}}\n"))));
    }
}
