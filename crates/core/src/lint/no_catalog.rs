//! `no-catalog`: where no variable is known at all, none can be called unknown. One word a file takes the place of many.

use super::judge::Case;
use crate::excerpt::excerpt;
use crate::message::and;
use crate::project::FirstCatalog;
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
        let message = match &case.judge.first_catalog {
            FirstCatalog::At(path) => {
                let path = excerpt(path);
                msg!(
                    "no variable catalog in this project, so no variable can be checked; write `{path}`",
                    "此项目没有变量目录，无法检查变量；请编写 `{path}`"
                )
            }
            FirstCatalog::Nowhere(patterns) if patterns.is_empty() => msg!(
                "no variable catalog in this project, so no variable can be checked: `catalogs` in promptblock.toml names none",
                "此项目没有变量目录，无法检查变量：promptblock.toml 中的 `catalogs` 没有列出任何文件"
            ),
            FirstCatalog::Nowhere(patterns) => msg!(
                "no variable catalog in this project, so no variable can be checked: no file is found by {patterns} in `catalogs` of promptblock.toml",
                "此项目没有变量目录，无法检查变量：promptblock.toml 的 `catalogs` 中的 {patterns} 匹配不到任何文件";
                patterns = and(patterns.iter().map(String::as_str))
            ),
        };
        *finding = Diagnostic::new(Code::NoCatalog, finding.span, message);
        true
    });
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::project::Project;
    use crate::lint::fixture::{block, check, system};
    use crate::{Code, Locale};

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
    fn where_the_configuration_wants_one() {
        for (catalogs, said) in [
            ("", "write `promptblock.catalog.json`"),
            ("catalogs = [\"./变量/a.json\", \"**/*.vars.json\"]", "write `变量/a.json`"),
            ("catalogs = [\"vars/*.json\"]", "write `vars/promptblock.catalog.json`"),
            (
                "catalogs = [\"p/*/a.json\", \"{b,c}.json\"]",
                "no file is found by `p/*/a.json` and `{b,c}.json` in `catalogs` of promptblock.toml",
            ),
            ("catalogs = []", "`catalogs` in promptblock.toml names none"),
        ] {
            let files = [("promptblock.toml", catalogs.to_owned()), ("a.promptblock", system("{hero}"))];
            let files = files.map(|(name, text)| (name.to_owned(), text)).to_vec();
            let project = Project::read_with(files, false);
            let [found] = project.findings("a.promptblock") else { panic!("one finding: {catalogs}") };
            let message = found.message.text(Locale::En);
            assert!(found.code == Code::NoCatalog && message.ends_with(said), "{message}");
        }
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
