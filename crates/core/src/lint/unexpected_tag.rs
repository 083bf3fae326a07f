//! `unexpected-tag`: a closer or branch without its opener, or a branch behind `{else}`.

use crate::span::Span;
use crate::syntax::ChunkView;
use crate::{Code, Diagnostic, msg};

/// Tags that nothing before this chunk can make expected.
pub(super) fn check_chunk(view: &ChunkView<'_>) -> Vec<Diagnostic> {
    let tokens = view.tokens();
    let tags = view.unexpected().iter().filter_map(|index| tokens.get(*index as usize));
    tags.map(|token| on(token.span, token.span.of_str(&view.text))).collect()
}

/// The finding on such a tag.
pub(super) fn on(span: Span, tag: &str) -> Diagnostic {
    let word = tag.trim_matches(['{', '}', ' ', '\t']);
    let message = match word.strip_prefix('/') {
        Some(keyword) => msg!("no `{{{keyword}}}` is open here", "这里没有未结束的 `{{{keyword}}}`"),
        None => {
            let word = word.split([' ', '\t']).next().unwrap_or(word);
            msg!(
                "`{{{word}}}` must stand in an `{{if}}`, before or as its `{{else}}`",
                "`{{{word}}}` 只能出现在 `{{if}}` 中，且不能在 `{{else}}` 之后"
            )
        }
    };
    Diagnostic::new(Code::UnexpectedTag, span, message)
}
