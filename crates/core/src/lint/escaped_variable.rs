//! `escaped-variable`: `{{name}}` around a known variable. Here it gives `{name}`, not the value.

use super::judge::Case;
use crate::span::Span;
use crate::syntax::{ChunkView, Token, TokenKind, first_segment, is_dotted_name};
use crate::{Code, Diagnostic, Remedy, msg};

/// `token` is a live escape; `around` begins one token before it (or with it) and reaches two behind it.
pub(super) fn check(
    case: &Case<'_>,
    view: &ChunkView<'_>,
    token: &Token,
    around: &[&Token],
    is_loop: impl Fn(&str) -> bool,
) -> Option<Diagnostic> {
    let here = around.iter().position(|other| other.span == token.span)?;
    let closer = around.get(here + 1).filter(|other| other.kind == TokenKind::Escape)?;
    let touches = |other: Option<&&Token>, at: u32| {
        other.is_some_and(|other| {
            other.kind == TokenKind::Escape && (other.span.end == at || other.span.start == at)
        })
    };
    // Four braces are meant: they spell two.
    let before = here.checked_sub(1).and_then(|index| around.get(index));
    if touches(before, token.span.start) || touches(around.get(here + 2), closer.span.end) {
        return None;
    }
    if token.span.of_str(&view.text) != "{{" || closer.span.of_str(&view.text) != "}}" {
        return None;
    }
    let inner = Span::new(token.span.end, closer.span.start);
    let name = inner.of_str(&view.text).trim_matches([' ', '\t']);
    let first = first_segment(name);
    if !is_dotted_name(name) || !(is_loop(first) || case.lookup(first).is_some()) {
        return None;
    }
    let span = token.span.cover(closer.span);
    let message = msg!(
        "doubled braces are an escape: this gives the text `{{{name}}}`, not the value of `{first}`",
        "双写花括号是转义：这里输出的是文本 `{{{name}}}`，不是 `{first}` 的值"
    );
    let with = vec![format!("{{{name}}}").into()];
    Some(Diagnostic::new(Code::EscapedVariable, span, message).remedy(Remedy::Replace { with, safe: false }))
}
