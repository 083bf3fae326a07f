//! `zone-mismatch`: a variable outside the zones that its catalog entry names. [S0]

use super::judge::{Case, Use};
use crate::catalog::Variable;
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>, used: &Use<'_>, variable: &Variable) -> Option<Diagnostic> {
    let zone = case.header.zone()?;
    let zones = variable.zones.as_ref().filter(|_| !variable.allowed_in(zone))?;
    let (name, zone) = (used.first, zone.name());
    let allowed = zones.iter().map(|zone| format!("`{}`", zone.name())).collect::<Vec<_>>();
    let (en, zh) = (allowed.join(", "), allowed.join("、"));
    let message = if allowed.is_empty() {
        msg!("`{name}` may be used in no zone", "`{name}` 不允许在任何区使用")
    } else {
        crate::Message::new(
            format!("`{name}` may not be used in zone `{zone}`, only in {en}"),
            format!("`{name}` 不能用在 `{zone}` 区，只能用在 {zh} 区"),
        )
    };
    Some(used.on_name(Code::ZoneMismatch, message))
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::{block, check, context, system};

    #[test]
    fn outside_of_its_zones() {
        check(&system(
            r#"
群🎉é {guild} { guild.name } {if guild == "x"}{/if}{for g in guild}{/for}{repeat guild}{/repeat}
     ^^^^^ zone-mismatch: may not be used in zone `system`, only in `context`
              ^^^^^ zone-mismatch
                               ^^^^^ zone-mismatch
                                                           ^^^^^ zone-mismatch
                                                                               ^^^^^ zone-mismatch
"#,
        ));
        check(&block(
            "zone: input\ntemplate: true",
            "
{prompt}{guild}
         ^^^^^ zone-mismatch: in zone `input`
",
        ));
    }

    #[test]
    fn prompt_belongs_to_the_input_zone() {
        check(&context(
            "
{prompt}
 ^^^^^^ zone-mismatch: only in `input`
",
        ));
        check(&block("zone: input\ntemplate: true", "{prompt}"));
    }

    #[test]
    fn all_zones_where_the_catalog_names_none_or_one_that_is_wrong() {
        for zones in ["", r#", "zones": ["system", "context", "input"]"#, r#", "zones": ["sys"]"#] {
            for fixture in
                [system("{x}"), context("{x}"), block("zone: input\ntemplate: true", "{x}{prompt}")]
            {
                check(&format!(
                    "//- json {{\"variables\": {{\"x\": {{\"description\": \"\"{zones}}}}}}}\n{fixture}"
                ));
            }
        }
    }

    #[test]
    fn not_in_its_zone_nor_as_a_loop_variable() {
        check(&context("{guild}"));
        check(&system("{for guild in members}{guild}{/for}"));
    }

    #[test]
    fn not_where_the_zone_is_unknown() {
        check(
            "
---
^^^ missing-key
id: t:a
order: 1
template: true
---
{guild} {prompt}
",
        );
    }

    #[test]
    fn several_zones_are_named() {
        check(&format!(
            "//- json {}\n{}",
            r#"{"variables": {"x": {"zones": ["context", "input"]}}}"#,
            system(
                "
{x}
 ^ zone-mismatch: only in `context`, `input`
"
            )
        ));
    }
}
