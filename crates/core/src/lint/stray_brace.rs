//! `stray-brace`: a lone `}` or a `{` that nothing closes.

use crate::syntax::{Token, TokenKind};
use crate::{Code, Diagnostic, Remedy, msg};

pub(super) fn check(token: &Token) -> Diagnostic {
    let (message, double) = if token.kind == TokenKind::OpenBrace {
        (
            msg!(
                "nothing closes this brace; write `{{{{` for the character",
                "这个花括号没有闭合；要输出该字符请写 `{{{{`"
            ),
            "{{",
        )
    } else {
        (
            msg!(
                "nothing opens this brace; write `}}}}` for the character",
                "这个花括号没有对应的左括号；要输出该字符请写 `}}}}`"
            ),
            "}}",
        )
    };
    let remedy = Remedy::Replace { with: vec![double.into()], safe: false };
    Diagnostic::new(Code::StrayBrace, token.span, message).remedy(remedy)
}
