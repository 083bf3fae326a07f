//! `mutability-undetermined`: whether the variable changes cannot be judged; that is an error, never a pass. [S0]

use super::judge::{Case, Use};
use crate::catalog::{Mutability, Variable};
use crate::excerpt::excerpt;
use crate::message::and;
use crate::syntax::Operand;
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>, used: &Use<'_>, variable: &Variable) -> Option<Diagnostic> {
    if !case.judge.is_stable(case.header) || case.judge.is_mutable(variable).is_some() {
        return None;
    }
    let name = used.first;
    let message = match (&variable.mutable, &case.judge.environment) {
        (Mutability::When(_), None) => msg!(
            "whether `{name}` changes depends on the environment, and none is chosen: promptblock.env.json describes environments, and `environment` in promptblock.toml chooses among several",
            "`{name}` 是否可变取决于环境，但没有选定环境：环境写在 promptblock.env.json 中，有多个时在 promptblock.toml 中用 `environment` 选定"
        ),
        (Mutability::When(condition), Some(environment)) => {
            let mut lacking: Vec<&str> = Vec::new();
            for operand in condition.operands() {
                if let Operand::Variable { name, .. } = operand
                    && crate::assemble::value_of(name, &|name| environment.get(name)).is_none()
                    && !lacking.contains(&&**name)
                {
                    lacking.push(name);
                }
            }
            let environment = excerpt(&environment.name);
            msg!(
                "whether `{name}` changes cannot be judged: environment `{environment}` lacks {fields}, which its `when` asks for",
                "无法判断 `{name}` 是否可变：环境 `{environment}` 缺少其 `when` 条件用到的字段 {fields}";
                fields = and(lacking.iter().copied())
            )
        }
        _ => msg!(
            "whether `{name}` changes is not known; say so in the catalog with `mutable: true` or `false`",
            "不知道 `{name}` 是否可变；请在变量目录中写明 `mutable: true` 或 `false`"
        ),
    };
    Some(used.on_name(Code::MutabilityUndetermined, message))
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::{block, check, context, system};

    const UNKNOWN: &str = r#"//- json {"variables": {"mode": {"mutable": "unknown"}, "mood": {"mutable": {"when": "is_group == true"}}}}"#;

    fn with(environment: &str, fixture: &str) -> String {
        format!("//- environment {environment}\n{fixture}")
    }

    const MOOD: &str = "
情绪🎉é {mood}
      ^^^^ mutability-undetermined";

    #[test]
    fn without_an_environment_it_is_an_error_and_never_a_pass() {
        check(&system(&format!("{MOOD}: none is chosen: promptblock.env.json")));
        check(&system(
            r#"
{if mood == "calm"}{/if}{repeat mood}{/repeat}{for m in mood}{/for}{ mood.of.day }
    ^^^^ mutability-undetermined
                                ^^^^ mutability-undetermined
                                                        ^^^^ mutability-undetermined
                                                                     ^^^^ mutability-undetermined
"#,
        ));
    }

    #[test]
    fn an_environment_without_the_field_does_not_help() {
        let said = system(&format!("{MOOD}: environment `qq` lacks `is_group`"));
        check(&with(r#"{"qq": {"platform": "qq"}}"#, &said));
        check(&with(r#"{"qq": {"is_group": null}}"#, &said));
        let two = r#"//- json {"variables": {"mood": {"mutable": {"when": "user.age == room.size"}}}}"#;
        let said = system(&format!("{MOOD}: environment `qq` lacks `user.age` and `room.size`"));
        check(&with(r#"{"qq": {"user": {}}}"#, &format!("{two}\n{said}")));
    }

    #[test]
    fn an_environment_with_the_field_decides() {
        check(&with(r#"{"private": {"is_group": false}}"#, &system("{mood}")));
        check(&with(r#"{"private": {"extra": {"is_group": false}}}"#, &system("{mood}")));
        let group = system(
            "
{mood}
 ^^^^ mutable-in-system
",
        );
        check(&with(r#"{"group": {"is_group": true}}"#, &group));
        check(&with(r#"{"group": {"extra": {"is_group": true}}}"#, &group));
    }

    #[test]
    fn several_environments_and_no_choice_are_none() {
        check(&with(
            r#"{"private": {"is_group": false}, "group": {"is_group": true}}"#,
            &system(&format!("{MOOD}: none is chosen")),
        ));
    }

    #[test]
    fn a_predicate_that_nobody_can_read() {
        let fixture = system(
            "
{mode}
 ^^^^ mutability-undetermined: say so in the catalog
",
        );
        check(&format!("{UNKNOWN}\n{fixture}"));
        check(&with(r#"{"group": {"is_group": true}}"#, &format!("{UNKNOWN}\n{fixture}")));
    }

    #[test]
    fn only_where_mutability_matters() {
        check(&context("{mood} {if mood}{/if}"));
        check(&format!("{UNKNOWN}\n{}", context("{mood}{mode}")));
        check(&block("zone: input\ntemplate: true", "{mood}{prompt}"));
    }

    #[test]
    fn not_as_a_loop_variable_or_in_text() {
        check(&system("{for mood in members}{mood}{/for}{weather mood}{if is_group == \"mood\"}{/if}"));
    }

    #[test]
    fn where_the_zone_is_not_known_nothing_matters() {
        check(
            "
---
id: t:a
zone: sistem
      ^^^^^^ invalid-value
order: 1
template: true
---
{mood} {time} {guild}
",
        );
    }

    #[test]
    fn in_zcode_it_matters_in_every_stable_block() {
        let zcode = |header: &str, body: &str| format!("//- profile zcode\n{}", block(header, body));
        check(&zcode("zone: context\norder: 1\ntemplate: true\ncache: stable", MOOD));
        check(&zcode("zone: system\norder: 1\ntemplate: true", MOOD));
        check(&zcode("zone: system\norder: 1\ntemplate: true\ncache: dynamic", "{mood}"));
        check(&zcode("zone: context\norder: 1\ntemplate: true", "{mood}"));
    }
}
