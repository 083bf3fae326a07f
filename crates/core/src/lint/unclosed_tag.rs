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
