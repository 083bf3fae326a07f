//! `malformed-reference`: `{{` up to the next `}}` with something between them that is no name; the assembly fails on it. [S1]

use super::judge::Case;
use crate::syntax::{Token, is_reference_name};
use crate::{Code, Diagnostic, Remedy, msg};

pub(super) fn check(case: &Case<'_>, text: &str, token: &Token) -> Diagnostic {
    let message = msg!(
        "this is no reference, and the assembly fails on it: between `{{{{` and `}}}}` stands a name of small letters, digits and `_`, without blanks",
        "这不是合法的引用，组装会因此失败：`{{{{` 与 `}}}}` 之间只能是由小写字母、数字和 `_` 组成的名称，不含空白"
    );
    let found = Diagnostic::new(Code::MalformedReference, token.span, message);
    let inside = token.span.of_str(text).strip_prefix("{{").and_then(|rest| rest.strip_suffix("}}"));
    let name = inside.map(str::trim).filter(|name| is_reference_name(name));
    match name.filter(|name| case.lookup(name).is_some()) {
        Some(name) => {
            let with = vec![format!("{{{{{name}}}}}").into()];
            found.remedy(Remedy::Replace { with, safe: false })
        }
        None => found,
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::project::check;

    #[test]
    fn up_to_the_next_closer() {
        check(
            r#"
//- file promptblock.toml
profile = "harness"
//- file promptblock.catalog.json
{"variables": {"hero": {}, "time": {"mutable": true}}}
//- file a.promptblock
---
id: t:a
zone: system
order: 1
---
你🎉é {{ hero }}! {{hero}} {{Hero}} {{}} {{hero.name}} {{名}}
     ^^^^^^^^^^ malformed-reference: the assembly fails
                          ^^^^^^^^ malformed-reference
                                   ^^^^ malformed-reference
                                        ^^^^^^^^^^^^^ malformed-reference
                                                      ^^^^^ malformed-reference
{{ and {{hero}} then {{hero}} {{time}} {{herro}} {{prompt}}
^^^^^^^^^^^^^^^ malformed-reference
                                ^^^^ mutable-in-system
                                         ^^^^^ unknown-variable: did you mean `hero`?
                                                   ^^^^^^ unknown-variable
{hero} { hero } {time.a} {other} {"hero": {hero} } {if hero}x{/if} {hero}}
^^^^^^ escaped-variable: `{{hero}}` would be
       ^^^^^^^^ escaped-variable
                                          ^^^^^^ escaped-variable
"#,
        );
    }

    #[test]
    fn a_lone_opener_is_text() {
        check(
            r#"
//- file promptblock.toml
profile = "harness"
//- file promptblock.catalog.json
{"variables": {"hero": {}}}
//- file a.promptblock
---
id: t:a
zone: context
order: 1
---
}} {{hero}} a {{hero and {{ {{{
{ {{hero} {a: {b} } } {{
"#,
        );
    }
}
