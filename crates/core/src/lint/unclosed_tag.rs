//! `unclosed-tag`: a control tag that nothing closes before an outer tag or the text ends.

use crate::span::Span;
use crate::syntax::ChunkView;
use crate::{Code, Diagnostic, msg};

/// Tags that an outer closer of the same chunk cut off. Those that reach over its end are the file's business.
pub(super) fn check_chunk(view: &ChunkView<'_>) -> Vec<Diagnostic> {
    let tokens = view.tokens();
    let open = view.pairs().iter().filter(|pair| pair.closer.is_none() && !pair.malformed);
    let token = |index: u32| tokens.get(index as usize);
    open.filter_map(|pair| {
        let opener = token(pair.opener)?;
        let cut_by = pair.cut_by.and_then(token).map(|token| token.span);
        Some(on(opener.span, view.keyword(opener), cut_by))
    })
    .collect()
}

/// The finding on an opener of that keyword; `cut_by` is the outer closer that came first.
pub(super) fn on(opener: Span, keyword: &str, cut_by: Option<Span>) -> Diagnostic {
    let message = msg!(
        "`{{{keyword}}}` is not closed; it needs `{{/{keyword}}}`",
        "`{{{keyword}}}` 没有结束；需要 `{{/{keyword}}}`"
    );
    let found = Diagnostic::new(Code::UnclosedTag, opener, message);
    match cut_by {
        Some(closer) => {
            let what = msg!("this closes an outer tag first", "这里先结束了外层标签");
            found.related(closer, what)
        }
        None => found,
    }
}

#[cfg(test)]
mod tests {
    use crate::Code::UnclosedTag;
    use crate::lint::fixture::check;
    use crate::lint::fixture::{related, system};

    #[test]
    fn each_opener_from_brace_to_brace() {
        check(&system(
            r#"
名🎉é {if is_group}a
    ^^^^^^^^^^^^^ unclosed-tag: it needs `{/if}`
{ for m in members }b
^^^^^^^^^^^^^^^^^^^^ unclosed-tag: it needs `{/for}`
{repeat 3}c
^^^^^^^^^^ unclosed-tag: it needs `{/repeat}`
{while false}d
^^^^^^^^^^^^^ unclosed-tag: it needs `{/while}`
"#,
        ));
    }

    #[test]
    fn it_is_one_with_its_branches_and_once() {
        check(&system(
            "
{if is_group}a{elseif count}b{else}c
^^^^^^^^^^^^^ unclosed-tag
",
        ));
    }

    #[test]
    fn what_stands_open_when_an_outer_one_closes() {
        check(&system(
            "
{if is_group}{repeat 2}{for m in members}x{/if}
             ^^^^^^^^^^ unclosed-tag
                       ^^^^^^^^^^^^^^^^^^ unclosed-tag
{for m in members}{if is_group}{m}{/for}
                  ^^^^^^^^^^^^^ unclosed-tag
",
        ));
    }

    #[test]
    fn a_closer_closes_the_nearest_of_its_own_kind() {
        check(&system(
            "
{if is_group}{if count}x{/if}
^^^^^^^^^^^^^ unclosed-tag
",
        ));
    }

    #[test]
    fn a_loop_left_open_ends_where_the_outer_one_closes() {
        check(&system(
            "
{if is_group}{for m in members}{m}{/if}{m}
             ^^^^^^^^^^^^^^^^^^ unclosed-tag
                                        ^ unknown-variable
",
        ));
    }

    #[test]
    fn an_unclosed_loop_reaches_to_the_end() {
        check(&system(
            "
{for m in members}{m}
^^^^^^^^^^^^^^^^^^ unclosed-tag

{m} {if m}{/if}
",
        ));
    }

    #[test]
    fn not_a_malformed_opener() {
        check(&system(
            "
{if}{if is_group}x
^^^^ invalid-expression
    ^^^^^^^^^^^^^ unclosed-tag
",
        ));
    }

    #[test]
    fn not_an_inert_or_escaped_one() {
        check(&system(
            r#"
{{if is_group}} {"a": {if is_group}}
                ^ literal-braces
"#,
        ));
    }

    #[test]
    fn over_many_lines_all_is_well() {
        check(&system(
            "{if is_group}\n\n{for m in members}\n- {m}\n{if m}\n{else}\n{/if}\n\n\n{/for}\n{elseif count}\n{repeat 2}\n.\n{/repeat}\n{else}\n{/if}\n",
        ));
    }

    #[test]
    fn the_closer_that_cut_it_short_is_shown() {
        let at = |at: usize| (at, "{/if}".to_owned());
        assert_eq!(related(UnclosedTag, "{if a}{repeat 2}x{/if}\n"), [at(17)]);
        assert_eq!(related(UnclosedTag, "{if a}{repeat 2}{for m in l}{/if}\n"), [at(28), at(28)]);
        // Across chunks too.
        let far = "x\n".repeat(4000);
        assert_eq!(
            related(UnclosedTag, &format!("{{if a}}\n{{repeat 2}}\n{far}{{/if}}\n")),
            [at(18 + far.len())]
        );
        // Where the text ends there is no other place.
        assert_eq!(related(UnclosedTag, "{if a}{repeat 2}\n"), []);
    }
}
