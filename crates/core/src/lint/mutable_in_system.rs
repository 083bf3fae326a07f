//! `mutable-in-system`: a value that changes in the part of the prompt that should not. [S0]
//!
//! The system zone begins the cached prefix: one changed value there and the provider computes everything behind it anew.

use super::judge::{Case, Use};
use crate::block::Zone;
use crate::catalog::Variable;
use crate::{Code, Diagnostic, Message, msg};

pub(super) fn check(case: &Case<'_>, used: &Use<'_>, variable: &Variable) -> Option<Diagnostic> {
    if !case.judge.is_stable(case.header) || case.judge.is_mutable(variable) != Some(true) {
        return None;
    }
    let name = used.first;
    let message = if case.header.zone() == Some(Zone::System) && !case.judge.profile.cache_key {
        let advice = if variable.allowed_in(Zone::Context) {
            msg!("; use it in the context zone", "；请移到上下文区")
        } else if variable.allowed_in(Zone::Input) && case.judge.profile.input_zone {
            msg!("; use it in the input zone", "；请移到输入区")
        } else {
            Message::new("", "")
        };
        msg!(
            "`{name}` changes within a session and breaks the cached prefix here{advice}",
            "`{name}` 的值会在会话中变化，放在系统区会使前缀缓存失效{advice}";
            advice = advice
        )
    } else {
        msg!(
            "`{name}` changes within a session and breaks the cached prefix here; use it in a block with `cache: dynamic`",
            "`{name}` 的值会在会话中变化，会使此处的前缀缓存失效；请放到 `cache: dynamic` 的块中"
        )
    };
    Some(used.on_name(Code::MutableInSystem, message))
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::{block, check, context, system};

    #[test]
    fn in_a_tag_a_condition_a_loop_and_a_count() {
        check(&system(
            r#"
名🎉é {time}, { time }, {if time == "noon"}{elseif "x" != time}{/if}
     ^^^^ mutable-in-system: context zone
              ^^^^ mutable-in-system
                          ^^^^ mutable-in-system
                                                        ^^^^ mutable-in-system
{for t in time}{/for}{repeat time}{/repeat}{while time}{/while}
          ^^^^ mutable-in-system
                             ^^^^ mutable-in-system
                                                  ^^^^ mutable-in-system
                                                  ^^^^ endless-while
"#,
        ));
    }

    #[test]
    fn a_dotted_name_on_its_first_segment() {
        check(&system(
            "
{time.hour.if}{if 3 < time.hour}{/if}
 ^^^^ mutable-in-system
                      ^^^^ mutable-in-system
",
        ));
    }

    #[test]
    fn prompt_is_mutable_and_that_comes_before_its_zone() {
        check(&system(
            "
{prompt}
 ^^^^^^ mutable-in-system: breaks the cached prefix here; use it in the input zone
",
        ));
    }

    #[test]
    fn before_a_wrong_zone() {
        check(&format!(
            "//- json {}\n{}",
            r#"{"variables": {"now": {"mutable": true, "zones": ["context"]}}}"#,
            system(
                "
{now}
 ^^^ mutable-in-system
"
            )
        ));
    }

    #[test]
    fn no_zone_is_advised_that_the_variable_is_not_allowed_in() {
        use crate::lint::fixture::{fresh, judge_with};
        let catalog = r#"{"variables": {"now": {"mutable": true, "zones": ["system"]}}}"#;
        let [found] = &fresh(&system("{now}"), &judge_with(Some(catalog)))[..] else { panic!("one finding") };
        let said = |locale| found.message.text(locale).to_owned();
        assert!(said(crate::Locale::En).ends_with("breaks the cached prefix here"));
        assert!(said(crate::Locale::ZhCn).ends_with("会使前缀缓存失效"));
    }

    #[test]
    fn in_every_role_of_the_system_zone() {
        check(&block(
            "zone: system\norder: 80\nrole: assistant\ntemplate: true",
            "
{time}
 ^^^^ mutable-in-system
",
        ));
    }

    #[test]
    fn not_in_the_context_and_input_zones() {
        check(&context("{time}{if time}{/if}"));
        check(&block("zone: input\ntemplate: true", "{time}{prompt}"));
    }

    #[test]
    fn not_as_a_loop_variable_within_its_loop() {
        check(&system(
            "
{for time in members}{time}{if time}{/if}{/for}{time}
                                                ^^^^ mutable-in-system
",
        ));
    }

    #[test]
    fn not_where_it_is_text() {
        check(&system(
            r#"
time {weather time} {if is_group == "time"}{/if} {x.time}
                                                  ^ unknown-variable
{"t": {time}}
^ literal-braces
      ^^^^^^ inert-tag
"#,
        ));
        check("---\nid: t:a\nzone: system\norder: 10\n---\ntime {x}\n");
    }

    #[test]
    fn zcode_asks_for_the_cache_key() {
        let zcode = |header: &str, body: &str| {
            check(&format!("//- profile zcode\n{}", block(&format!("{header}\ntemplate: true"), body)));
        };
        let wrong = "
{time}
 ^^^^ mutable-in-system: use it in a block with `cache: dynamic`";
        zcode("zone: system\norder: 1", wrong);
        zcode("zone: system\norder: 1\ncache: stable", wrong);
        zcode("zone: context\norder: 1\ncache: stable", wrong);
        zcode("zone: system\norder: 1\ncache: dynamic", "{time}");
        zcode("zone: context\norder: 1\ncache: dynamic", "{time}");
        zcode("zone: context\norder: 1", "{time}");
    }

    #[test]
    fn a_later_layer_may_say_that_it_does_not_change() {
        use crate::catalog::{Catalog, Layer, parse};
        use crate::lint::Judge;
        use crate::lint::fixture::fresh;
        let profile = crate::profile::Profile::blocks();
        let file = |id, layer, mutable| {
            parse(
                &format!("{{\"variables\": {{\"x\": {{\"mutable\": {mutable}}}}}}}"),
                crate::FileId(id),
                layer,
                &profile,
            )
        };
        let files = [file(1, Layer::Project, true), file(2, Layer::Local, false)];
        assert_eq!(fresh(&system("{x}"), &Judge::new(Catalog::merge(&files))), []);
        assert_eq!(fresh(&system("{x}"), &Judge::new(Catalog::merge(&files[..1]))).len(), 1);
    }
}
