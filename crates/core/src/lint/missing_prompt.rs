//! `missing-prompt`: an input block that loses the user's input. [S0]

use super::judge::Case;
use crate::block::Zone;
use crate::syntax::Body;
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>, body: &Body) -> Option<Diagnostic> {
    let zone = case.header.zone.as_ref().filter(|zone| zone.value == Zone::Input)?;
    if case.template && body.has_prompt() {
        return None;
    }
    let message = if case.template {
        msg!(
            "the input block has no `{{prompt}}`: the user's input would be lost",
            "输入区的块没有 `{{prompt}}`：用户的输入会丢失"
        )
    } else {
        msg!(
            "the input block is no template, so `{{prompt}}` cannot stand in it: the user's input would be lost; set `template: true`",
            "输入区的块没有启用模板，`{{prompt}}` 不会生效：用户的输入会丢失；请设置 `template: true`"
        )
    };
    Some(Diagnostic::new(Code::MissingPrompt, zone.span, message))
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::check;

    fn input(body: &str) -> String {
        format!(
            "---\nid: t:a\nzone: input\n@\ntemplate: true\n---\n{}\n",
            body.strip_prefix('\n').unwrap_or(body)
        )
    }

    fn missing(body: &str) -> String {
        input(body).replace('@', "      ^^^^^ missing-prompt: has no `{prompt}`")
    }

    fn fine(body: &str) -> String {
        input(body).replace("@\n", "")
    }

    #[test]
    fn without_a_tag_on_the_value_of_zone() {
        check(&missing("用户🎉说"));
        check(&missing(""));
    }

    #[test]
    fn on_the_value_with_its_quotes() {
        check(
            "
---
id: 't:é🎉'
template: true
zone: \"input\"
      ^^^^^^^^^ missing-prompt
---
x
",
        );
    }

    #[test]
    fn one_tag_in_any_branch_is_enough() {
        for body in [
            "{prompt}",
            "名 { prompt }",
            "{if is_group}{user_name}: {prompt}{else}-{/if}",
            "{if false}{prompt}{/if}",
            "{for m in members}{prompt}{/for}",
            "{repeat 0}{prompt}{/repeat}",
            "{{{prompt}}}",
        ] {
            check(&fine(body));
        }
    }

    #[test]
    fn the_body_of_a_malformed_opener_is_one_too() {
        check(&fine(
            "
{if is_group is true}{prompt}{/if}
^^^^^^^^^^^^^^^^^^^^^ invalid-expression",
        ));
    }

    #[test]
    fn an_operand_is_not_enough() {
        check(&missing("{if prompt}a{elseif prompt == \"x\"}b{/if}"));
        check(&missing(
            "
{while prompt}x{/while}
       ^^^^^^ endless-while",
        ));
    }

    #[test]
    fn an_escaped_or_inert_one_is_not_enough() {
        check(&missing(
            "
{{prompt}}
^^^^^^^^^^ escaped-variable",
        ));
        check(&missing(
            r#"
{"q": {prompt}}
^ literal-braces
      ^^^^^^^^ inert-tag"#,
        ));
    }

    #[test]
    fn a_loop_variable_of_that_name_is_another() {
        check(&missing("{for prompt in members}{prompt}{/for}"));
        check(&fine("{for prompt in members}{prompt}{/for}{prompt}"));
    }

    #[test]
    fn with_template_off_the_tag_is_text() {
        check(
            "
---
id: t:a
zone: input
      ^^^^^ missing-prompt: set `template: true`
---
Q: {prompt}
   ^^^^^^^^ template-not-enabled
",
        );
        check(
            "
---
id: t:a
template: false
zone: input
      ^^^^^ missing-prompt: set `template: true`
---
Q
",
        );
    }

    #[test]
    fn not_in_the_other_zones_nor_where_there_is_none() {
        check("---\nid: t:a\nzone: context\norder: 1\ntemplate: true\n---\nx\n");
        check("---\nid: t:a\nzone: system\norder: 1\n---\nx\n");
        check(
            "
---
id: t:a
zone: inptu
      ^^^^^ invalid-value
template: true
---
x
",
        );
    }
}
