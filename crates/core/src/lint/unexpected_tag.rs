//! `unexpected-tag`: a closer or branch without its opener, or a branch behind `{else}`.

use crate::span::Span;
use crate::syntax::ChunkView;
use crate::{Code, Diagnostic, msg};

/// Tags that nothing before this chunk can make expected.
pub(super) fn check_chunk(view: &ChunkView<'_>) -> Vec<Diagnostic> {
    let tokens = view.tokens();
    let span = |index: u32| tokens.get(index as usize).map(|token| token.span);
    let on = |(tag, behind): &(u32, Option<u32>)| {
        let tag = span(*tag)?;
        Some(on(tag, tag.of_str(&view.text), behind.and_then(span)))
    };
    view.unexpected().iter().filter_map(on).collect()
}

/// The finding on such a tag; `behind` is the `{else}` that came before.
pub(super) fn on(span: Span, tag: &str, behind: Option<Span>) -> Diagnostic {
    let word = tag.trim_matches(['{', '}', ' ', '\t']);
    let message = match word.strip_prefix('/') {
        Some(keyword) => msg!("no `{{{keyword}}}` is open here", "这里没有未结束的 `{{{keyword}}}`"),
        None => {
            let word = word.split([' ', '\t']).next().unwrap_or(word);
            msg!(
                "`{{{word}}}` must stand in an `{{if}}`, and not behind its `{{else}}`",
                "`{{{word}}}` 只能出现在 `{{if}}` 中，且不能在 `{{else}}` 之后"
            )
        }
    };
    let found = Diagnostic::new(Code::UnexpectedTag, span, message);
    match behind {
        Some(behind) => found.related(behind, msg!("the `{{else}}`", "此处的 `{{else}}`")),
        None => found,
    }
}

#[cfg(test)]
mod tests {
    use crate::Code::UnexpectedTag;
    use crate::lint::fixture::check;
    use crate::lint::fixture::{related, system};

    #[test]
    fn closers_without_an_opener() {
        check(&system(
            "
名🎉é {/if} { /for } {/while}{/repeat}
    ^^^^^ unexpected-tag: no `{if}` is open here
          ^^^^^^^^ unexpected-tag: no `{for}` is open here
                   ^^^^^^^^ unexpected-tag
                           ^^^^^^^^^ unexpected-tag
",
        ));
    }

    #[test]
    fn a_closer_of_another_kind() {
        check(&system(
            "
{if is_group}{/for}{/if}{/if}
             ^^^^^^ unexpected-tag: no `{for}` is open
                        ^^^^^ unexpected-tag
",
        ));
    }

    #[test]
    fn crossed_ones_give_an_unclosed_and_an_unexpected_one() {
        check(&system(
            "
{if is_group}{repeat 2}x{/if}{/repeat}
             ^^^^^^^^^^ unclosed-tag
                             ^^^^^^^^^ unexpected-tag
",
        ));
    }

    #[test]
    fn branches_without_an_if() {
        check(&system(
            "
名🎉é {else} {elseif count}
    ^^^^^^ unexpected-tag: `{else}` must stand in an `{if}`
           ^^^^^^^^^^^^^^ unexpected-tag: `{elseif}` must stand in an `{if}`
",
        ));
    }

    #[test]
    fn branches_behind_else() {
        check(&system(
            "
{if is_group}a{else}b{else}c{elseif count}d{/if}
                     ^^^^^^ unexpected-tag
                            ^^^^^^^^^^^^^^ unexpected-tag
",
        ));
    }

    #[test]
    fn else_in_a_loop_that_stands_open_in_an_if() {
        check(&system(
            "
{if is_group}{for m in members}{else}{/for}{/if}
                               ^^^^^^ unexpected-tag
{if is_group}{repeat 2}{else}{/if}
             ^^^^^^^^^^ unclosed-tag
                       ^^^^^^ unexpected-tag
{while false}{elseif count}{/while}
             ^^^^^^^^^^^^^^ unexpected-tag
",
        ));
    }

    #[test]
    fn else_behind_a_loop_belongs_to_the_if() {
        check(&system(
            "{if is_group}{for m in members}{/for}{else}x{/if}{if is_group}{if count}{else}{/if}{else}{/if}",
        ));
    }

    #[test]
    fn a_second_else_of_a_malformed_if_is_quiet() {
        check(&system(
            "
{if count is 3}a{else}b{else}c{/if}
^^^^^^^^^^^^^^^ invalid-expression
",
        ));
    }

    #[test]
    fn an_operand_in_it_is_judged_too() {
        check(&system(
            "
{elseif nme}
^^^^^^^^^^^^ unexpected-tag
        ^^^ unknown-variable
",
        ));
    }

    #[test]
    fn not_inert_or_escaped_ones() {
        check(&system(
            r#"
{{/if}} {{else}} {"a": {/if}, "b": {else}}
                 ^ literal-braces
"#,
        ));
    }

    #[test]
    fn far_from_each_other() {
        let filler = "名字很长的一行，只是为了让文件变长。\n".repeat(150);
        check(&system(&format!(
            "{{if is_group}}\n{filler}{{else}}\n{filler}{{/if}}\n{filler}{{/if}}\n^^^^^ unexpected-tag\n"
        )));
        check(&system(&format!(
            "{{for m in members}}\n{filler}{{m}}\n{{/for}}\n{filler}{{m}}\n ^ unknown-variable\n"
        )));
        check(&system(&format!(
            "{{\n^ literal-braces\n{filler}{{character_name}}\n^^^^^^^^^^^^^^^^ inert-tag\n{filler}}}\n{{/if}}\n^^^^^ unexpected-tag\n"
        )));
    }

    #[test]
    fn the_else_before_it_is_shown() {
        let at = |at: usize| (at, "{else}".to_owned());
        assert_eq!(related(UnexpectedTag, "{if a}名{else}b{else}c{elseif d}e{/if}\n"), [at(9), at(9)]);
        // Across chunks too.
        let far = "x\n".repeat(4000);
        assert_eq!(
            related(UnexpectedTag, &format!("{{if a}}\n{{else}}\n{far}{{else}}\n{far}{{/if}}\n")),
            [at(7)]
        );
        // Without one there is no other place.
        assert_eq!(related(UnexpectedTag, "{else}{/if}{repeat 2}{else}{/repeat}\n"), []);
    }
}
