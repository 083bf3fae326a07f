//! `invalid-expression`: a control tag that does not fit its form. It is kept as text and still pairs with its closer. [S0]

use crate::syntax::{Control, Malformed, Part, Token};
use crate::{Code, Diagnostic, Message, Remedy, msg};

pub(super) fn check(text: &str, token: &Token, parts: &[Part], meant: Malformed) -> Diagnostic {
    let word = parts.first().map(|part| part.span.of_str(text)).unwrap_or_default();
    let tag = token.span.of_str(text);
    let inner = tag.trim_matches(['{', '}', ' ', '\t']);
    let form = |en: &str| {
        Message::new(
            format!("malformed tag, kept as text; write {en}"),
            format!("标签格式不正确，按原文保留；应写作 {en}"),
        )
    };
    let mut remedy = Remedy::None;
    let message = match meant {
        Malformed::Opener(Control::If) => form("`{if NAME}` or `{if NAME == \"text\"}`"),
        Malformed::Opener(Control::For) => form("`{for x in LIST}`"),
        Malformed::Opener(Control::While) => form("`{while NAME}` or `{while NAME == \"text\"}`"),
        Malformed::Opener(Control::Repeat) => form("`{repeat 3}` or `{repeat NAME}`"),
        Malformed::Branch if word == "else" => match inner.strip_prefix("else").map(str::trim_start) {
            Some(rest)
                if rest.strip_prefix("if").is_some_and(|r| r.is_empty() || r.starts_with([' ', '\t'])) =>
            {
                let condition = rest.trim_start_matches("if").trim();
                let tag = format!("{{elseif {condition}}}");
                if crate::syntax::parse_condition(condition).is_some() {
                    remedy = Remedy::Replace { with: vec![tag.as_str().into()], safe: false };
                }
                msg!(
                    "`else if` is written as one word: `{{elseif COND}}`",
                    "`else if` 要连写：`{{elseif 条件}}`"
                )
            }
            _ => msg!("`{{else}}` takes nothing behind it", "`{{else}}` 后面不能有内容"),
        },
        Malformed::Branch => form("`{elseif NAME}` or `{elseif NAME == \"text\"}`"),
        Malformed::Closer(control) => {
            let closer = format!("{{/{}}}", control.keyword());
            remedy = Remedy::Replace { with: vec![closer.as_str().into()], safe: false };
            msg!(
                "a closing tag takes nothing behind its word: `{closer}`",
                "结束标签的关键字后面不能有内容：`{closer}`"
            )
        }
        Malformed::BranchCloser => {
            msg!(
                "`{{{word}}}` has no closing tag of its own; close with `{{/if}}`",
                "`{{{word}}}` 没有单独的结束标签；请用 `{{/if}}` 结束"
            )
        }
    };
    Diagnostic::new(Code::InvalidExpression, token.span, message).remedy(remedy)
}
