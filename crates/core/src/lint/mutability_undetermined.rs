//! `mutability-undetermined`: whether the variable changes cannot be judged; that is an error, never a pass. [S0]

use super::judge::{Case, Use};
use crate::assemble::NoEnvironment;
use crate::catalog::{Mutability, Variable};
use crate::excerpt::excerpt;
use crate::message::{Message, and};
use crate::syntax::{Condition, Operand};
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>, used: &Use<'_>, variable: &Variable) -> Option<Diagnostic> {
    if !case.judge.is_stable(case.header) || case.judge.is_mutable(variable).is_some() {
        return None;
    }
    let name = used.first;
    let message = match (&variable.mutable, &case.judge.environment) {
        (Mutability::When(condition), None) => without(name, condition, &case.judge.no_environment),
        (Mutability::When(condition), Some(environment)) => {
            let given = |name: &str| crate::assemble::value_of(name, &|name| environment.get(name)).is_some();
            let mut lacking = fields(condition);
            lacking.retain(|name| !given(name));
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

/// The fields that a predicate asks for, each once.
fn fields(condition: &Condition) -> Vec<&str> {
    let mut fields: Vec<&str> = Vec::new();
    for operand in condition.operands() {
        if let Operand::Variable { name, .. } = operand
            && !fields.contains(&&**name)
        {
            fields.push(name);
        }
    }
    fields
}

/// What to do where there is no environment to judge in.
fn without(name: &str, condition: &Condition, why: &NoEnvironment) -> Message {
    let fields = and(fields(condition));
    match why {
        NoEnvironment::NoneThere => msg!(
            "whether `{name}` changes depends on {fields}, and there is no sample environment: describe one in promptblock.env.json",
            "`{name}` 是否可变取决于 {fields}，但没有示例环境：请在 promptblock.env.json 中写一个";
            fields = &fields
        ),
        NoEnvironment::NoneChosen => msg!(
            "whether `{name}` changes depends on {fields}, and none of the sample environments is chosen: name one with `environment` in promptblock.toml",
            "`{name}` 是否可变取决于 {fields}，但没有选定示例环境：请在 promptblock.toml 中用 `environment` 指定一个";
            fields = &fields
        ),
        NoEnvironment::Unknown(wanted) => {
            let wanted = excerpt(wanted);
            msg!(
                "whether `{name}` changes depends on {fields}, and the environment `{wanted}` that is asked for is not in promptblock.env.json",
                "`{name}` 是否可变取决于 {fields}，但指定的环境 `{wanted}` 不在 promptblock.env.json 中";
                fields = &fields
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::project::check as project;
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
        check(&system(&format!(
            "{MOOD}: depends on `is_group`, and there is no sample environment: describe one in promptblock.env.json"
        )));
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
            &system(&format!("{MOOD}: none of the sample environments is chosen")),
        ));
    }

    #[test]
    fn an_environment_that_is_asked_for_and_not_there_is_none() {
        let block = system(&format!("{MOOD}: the environment `grup` that is asked for is not in"));
        let judged = |environments: &str, block: &str| {
            project(&format!(
                "//- file promptblock.toml\nenvironment = \"grup\"\n//- file promptblock.env.json\n{environments}\n//- file a.promptblock\n{block}"
            ))
        };
        judged(r#"{"group": {"is_group": true}}"#, &block);
        // Where there is none at all, that is what to say.
        judged("{}", &system(&format!("{MOOD}: there is no sample environment: describe one")));
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
