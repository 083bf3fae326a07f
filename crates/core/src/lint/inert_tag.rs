//! `inert-tag`: a tag of a known variable inside literal braces. It looks alive and is not.

use super::judge::Case;
use crate::span::{Span, offset};
use crate::syntax::{ChunkView, Token, TokenKind, first_segment, single_tag};
use crate::{Code, Diagnostic, msg};

/// `token` is a variable tag or an escape inside literal braces.
pub(super) fn check(
    case: &Case<'_>,
    view: &ChunkView<'_>,
    token: &Token,
    is_loop: impl Fn(&str) -> bool,
) -> Option<Diagnostic> {
    let known = |name: &str| is_loop(name) || case.lookup(name).is_some();
    let (span, name) = if token.kind == TokenKind::Variable {
        let name = view.tokens().parts(token).first()?.span.of_str(&view.text);
        (token.span, first_segment(name).to_owned())
    } else {
        // Inside literal braces there are no escapes: `{{name}}` is a brace, the tag `{name}` and a brace.
        let from = token.span.end.checked_sub(1)?;
        let rest = view.text.get(from as usize..)?;
        let end = rest.find(['}', '\n', '\r'])?;
        let tag = rest.get(..=end)?;
        if !rest.starts_with('{') || tag.len() > 256 {
            return None;
        }
        (Span::new(from, from + offset(tag.len())), single_tag(tag)?)
    };
    if !known(&name) {
        return None;
    }
    let message = msg!(
        "this tag stands inside literal braces and is sent as it is; escape the outer braces to make it live",
        "此标签位于字面花括号内，会原样发送；转义外层花括号后才会生效"
    );
    Some(Diagnostic::new(Code::InertTag, span, message))
}
