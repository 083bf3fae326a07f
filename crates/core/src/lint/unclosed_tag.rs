//! `unclosed-tag`: a control tag that nothing closes before an outer tag or the text ends.

use crate::span::Span;
use crate::syntax::ChunkView;
use crate::{Code, Diagnostic, msg};

/// Tags that an outer closer of the same chunk cut off. Those that reach over its end are the file's business.
pub(super) fn check_chunk(view: &ChunkView<'_>) -> Vec<Diagnostic> {
    let tokens = view.tokens();
    let open = view.pairs().iter().filter(|pair| pair.closer.is_none() && !pair.malformed);
    open.filter_map(|pair| tokens.get(pair.opener as usize))
        .map(|token| on(token.span, view.keyword(token)))
        .collect()
}

/// The finding on an opener of that keyword.
pub(super) fn on(opener: Span, keyword: &str) -> Diagnostic {
    let message = msg!(
        "`{{{keyword}}}` is not closed; it needs `{{/{keyword}}}`",
        "`{{{keyword}}}` 没有结束；需要 `{{/{keyword}}}`"
    );
    Diagnostic::new(Code::UnclosedTag, opener, message)
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::{check, system};

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
}
