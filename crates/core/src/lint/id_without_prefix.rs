//! `id-without-prefix`: an id without the plugin's name in front, which would say where a conflict comes from. [S0]

use super::judge::Case;
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>) -> Option<Diagnostic> {
    let id = case.header.id.as_ref()?;
    if id.value.split_once(':').is_some_and(|(plugin, _)| !plugin.is_empty()) {
        return None;
    }
    let name = &id.value;
    let message = msg!(
        "by habit an id begins with its plugin, e.g. `my-plugin:{name}`",
        "建议给 id 加上插件前缀，例如 `my-plugin:{name}`"
    );
    Some(Diagnostic::new(Code::IdWithoutPrefix, id.span, message))
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::check;

    fn with_id(id: &str) -> String {
        let id = id.strip_prefix('\n').unwrap_or(id);
        format!("---\nzone: context\norder: 1\n{id}\n---\nx\n")
    }

    #[test]
    fn no_colon_or_nothing_before_it() {
        check(&with_id(
            "
id: 规则🎉é
    ^^^^ id-without-prefix: e.g. `my-plugin:规则🎉é`",
        ));
        check(&with_id(
            r#"
id: "rules"
    ^^^^^^^ id-without-prefix: `my-plugin:rules`"#,
        ));
        check(&with_id(
            "
id: ':rules'
    ^^^^^^^^ id-without-prefix",
        ));
    }

    #[test]
    fn a_plugin_in_front_is_quiet() {
        for id in ["id: a:b", "id: 插件:规则", "id: \"a:b:c\"", "id: a:b # not c"] {
            check(&with_id(id));
        }
    }

    #[test]
    fn the_key_plugin_does_not_replace_it() {
        check(&with_id(
            "
plugin: chat
id: rules
    ^^^^^ id-without-prefix",
        ));
    }

    #[test]
    fn an_id_that_is_none_has_its_own_diagnostic() {
        check(&with_id(
            "
id: ''
    ^^ invalid-value",
        ));
        check(&with_id(
            "
id:
^^ invalid-value",
        ));
        check(&with_id(
            "
id: 12
    ^^ invalid-value",
        ));
    }
}
