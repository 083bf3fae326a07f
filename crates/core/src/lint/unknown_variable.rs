//! `unknown-variable`: a name that is neither in the catalog nor a loop variable. [S0]

use super::judge::{Case, Position, Use};
use crate::profile::TagSyntax;
use crate::syntax::{Control, is_foreign_elseif};
use crate::{Code, Diagnostic, Locale, Severity, msg};

pub(super) fn check(case: &Case<'_>, used: &Use<'_>) -> Diagnostic {
    let name = used.first;
    // `{endif}` and `{elif x}` are how other languages write a tag; the nearest variable would be no help.
    let may_be_tag = used.position == Position::Tag && used.name == name;
    if may_be_tag && case.judge.profile.tags == TagSyntax::SingleBraces {
        let tag = match name.strip_prefix("end").and_then(Control::of) {
            Some(control) => {
                let closer = format!("{{/{}}}", control.keyword());
                Some(msg!("a tag is closed with `{closer}`", "结束标签应写作 `{closer}`"))
            }
            None => is_foreign_elseif(name).then(|| {
                msg!(
                    "a further branch of an `{{if}}` is written `{{elseif …}}`",
                    "`{{if}}` 的其他分支应写作 `{{elseif …}}`"
                )
            }),
        };
        if let Some(tag) = tag {
            let message = crate::Message::new(
                format!("`{name}` is not a registered variable; {}", tag.text(Locale::En)),
                format!("变量 `{name}` 未注册；{}", tag.text(Locale::ZhCn)),
            );
            return incomplete(case, used.on_name(Code::UnknownVariable, message));
        }
    }
    let (question, remedy) = case.near(name);
    let (en, zh) = (question.text(Locale::En), question.text(Locale::ZhCn));
    let message = crate::Message::new(
        format!("`{name}` is not a registered variable{en}"),
        format!("变量 `{name}` 未注册{zh}"),
    );
    incomplete(case, used.on_name(Code::UnknownVariable, message).remedy(remedy))
}

/// Where a name is registered that only the running program knows, it may be this one.
fn incomplete(case: &Case<'_>, mut found: Diagnostic) -> Diagnostic {
    let Some((file, span)) = case.judge.catalog.incomplete() else { return found };
    found.severity = Severity::Warning;
    let there = msg!(
        "the name of the variable registered here is computed; it may be this one",
        "此处注册的变量名在运行时计算，可能就是这一个"
    );
    found.related_in(file, span, there)
}

#[cfg(test)]
mod tests {
    use crate::Code::UnknownVariable;
    use crate::lint::fixture::{block, check, every_fix, finding, fixed, system};

    #[test]
    fn the_name_alone_and_the_nearest_known_one() {
        check(&system(
            "
你好🎉é {user_nme}, { characer_name }, {角色名}
      ^^^^^^^^ unknown-variable: did you mean `user_name`?
                   ^^^^^^^^^^^^^ unknown-variable: did you mean `character_name`?
                                     ^^^ unknown-variable: `角色名` is not a registered variable
",
        ));
    }

    #[test]
    fn in_tags_conditions_loops_and_counts() {
        check(&system(
            r#"
{if a == b}{elseif "x" < c}{/if}{for x in d}{/for}{repeat e}{/repeat}{f g}
    ^ unknown-variable
         ^ unknown-variable
                         ^ unknown-variable
                                          ^ unknown-variable
                                                          ^ unknown-variable
                                                                      ^ unknown-variable
"#,
        ));
    }

    #[test]
    fn a_dotted_name_on_its_first_segment() {
        check(&system(
            "
{hero.weapon.if} {character_name.weapon} {if hero.age > 3}{/if}
 ^^^^ unknown-variable
                                             ^^^^ unknown-variable
",
        ));
    }

    #[test]
    fn names_compare_by_code_points() {
        check(&format!(
            "//- json {}\n{}",
            "{\"variables\": {\"caf\u{e9}\": {}}}",
            system(&format!(
                "
{{caf\u{e9}}} {{cafe\u{301}}}
        {} unknown-variable: did you mean `caf\u{e9}`",
                "^".repeat(5)
            ))
        ));
    }

    #[test]
    fn a_combining_mark_and_a_joined_emoji_before_it() {
        check(&system("é👩‍🚀e\u{301} {nme}\n        ^^^ unknown-variable"));
    }

    #[test]
    fn other_languages_branches_name_ours() {
        check(&system(
            "
名{if is_group}a{elif user_name}b{elsif}c{/if}
                ^^^^ unknown-variable: a further branch of an `{if}` is written `{elseif …}`
                                 ^^^^^ unknown-variable: a further branch of an `{if}` is written `{elseif …}`
",
        ));
        check(&format!("//- json {}\n{}", "{\"variables\": {\"elif\": {}}}", system("\n{elif}\n")));
    }

    #[test]
    fn other_languages_words_are_names_like_others_where_they_make_no_tag() {
        for body in ["{if elif}{/if}", "{elif.x}", "{if endif}{/if}", "{for m in elif}{/for}", "{endif.x}"] {
            let found = finding(UnknownVariable, &system(body));
            assert!(
                found.message.text(crate::Locale::En).ends_with("is not a registered variable"),
                "{body}"
            );
            let inside = format!("{{if is_group}}{body}{{/if}}");
            assert_eq!(every_fix(UnknownVariable, &system(&inside)), [], "{body}");
        }
    }

    #[test]
    fn other_languages_closers_name_ours() {
        check(&system(
            "
{if is_group}a{/if}{endif}{endfor}{endwhile}{endrepeat}{end}
                    ^^^^^ unknown-variable: closed with `{/if}`
                           ^^^^^^ unknown-variable: closed with `{/for}`
                                   ^^^^^^^^ unknown-variable: closed with `{/while}`
                                             ^^^^^^^^^ unknown-variable: closed with `{/repeat}`
                                                        ^^^ unknown-variable
",
        ));
    }

    #[test]
    fn a_loop_variable_is_known_in_its_body_only() {
        check(&system(
            "
{m}{for m in members}{m}{m.name}{if m}{m}{/if}{for n in m}{n}{/for}{n}{/for}{m}
 ^ unknown-variable
                                                                    ^ unknown-variable
                                                                             ^ unknown-variable
",
        ));
    }

    #[test]
    fn the_list_of_a_loop_is_not_yet_in_its_body() {
        check(&system(
            "
{for xs in xs}{xs}{/for}
           ^^ unknown-variable
",
        ));
    }

    #[test]
    fn not_arguments_texts_escapes_and_inert_tags() {
        check(&system(
            r#"
{weather nme} {if is_group == "nme"}{/if} {{nme}} {{{{nme}}}} nme
{"a": {nme}}
^ literal-braces
"#,
        ));
    }

    #[test]
    fn not_where_the_body_is_no_template() {
        check("---\nid: t:a\nzone: system\norder: 10\ntemplate: false\n---\n{nme}\n");
        check("---\nid: t:a\nzone: system\norder: 10\n---\n{nme}\n");
    }

    #[test]
    fn prompt_is_suggested_in_the_input_zone_only() {
        check(&block(
            "zone: input\ntemplate: true",
            "
{promt}{prompt}
 ^^^^^ unknown-variable: did you mean `prompt`?
",
        ));
        assert_eq!(every_fix(UnknownVariable, &system("{promt}")), []);
    }

    #[test]
    fn three_braces_hold_a_live_tag() {
        check(&system(
            "
{{{nme}}}
   ^^^ unknown-variable
",
        ));
    }

    #[test]
    fn the_fix_puts_in_the_nearest_name_and_asks_first() {
        let (text, safe) = fixed(UnknownVariable, &system("你🎉é {user_nme.a x}"));
        assert_eq!((text, safe), (system("你🎉é {user_name.a x}") + "\n", false));
        assert_eq!(every_fix(UnknownVariable, &system("{endif}")), []);
    }

    #[test]
    fn allow_and_severity() {
        check(&block("zone: system\norder: 1\ntemplate: true\nallow: [unknown-variable]", "{nme}"));
        check(&format!("//- severity unknown-variable off\n{}", system("{nme}")));
    }

    #[test]
    fn a_name_of_thousands_of_characters() {
        let name = "名".repeat(5000);
        check(&system(&format!("{{{name}}}\n {} unknown-variable", "^".repeat(5000))));
    }
}
