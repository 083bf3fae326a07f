//! `mutable-in-system`: a value that changes in the part of the prompt that should not. [S0]
//!
//! The system zone begins the cached prefix: one changed value there and the provider computes everything behind it anew.

use super::judge::{Case, Use};
use crate::block::Zone;
use crate::catalog::Variable;
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>, used: &Use<'_>, variable: &Variable) -> Option<Diagnostic> {
    if !case.judge.is_stable(case.header) || case.judge.is_mutable(variable) != Some(true) {
        return None;
    }
    let name = used.first;
    let message = if case.header.zone() == Some(Zone::System) && !case.judge.profile.cache_key {
        msg!(
            "`{name}` changes within a session and breaks the cached prefix here; use it in the context zone",
            "`{name}` 的值会在会话中变化，放在系统区会使前缀缓存失效；请移到上下文区"
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
    use crate::lint::fixture::check;

    #[test]
    fn in_a_tag_a_condition_and_a_loop() {
        check(
            r#"
---
id: t:a
zone: system
order: 10
template: true
---
名🎉é {time}, {if time == "noon"}{/if}
      ^^^^ mutable-in-system: context zone
                 ^^^^ mutable-in-system
"#,
        );
    }

    #[test]
    fn not_in_the_context_zone_nor_as_a_loop_variable() {
        check(
            r#"
---
id: t:a
zone: context
order: 10
template: true
---
{time}
"#,
        );
        check(
            r#"
---
id: t:a
zone: system
order: 10
template: true
---
{for time in members}{time}{/for}
"#,
        );
    }
}
