//! `endless-while`: nothing in the language can change a condition while it renders, so a loop ends at the limit or never begins.

use crate::syntax::{Part, PartKind, parse_condition};
use crate::{Code, Diagnostic, msg};

/// `parts` are those of a sound `{while}` tag.
pub(super) fn check(text: &str, parts: &[Part]) -> Option<Diagnostic> {
    let mut condition = parts.iter().filter(|part| part.kind != PartKind::Keyword).map(|part| part.span);
    let first = condition.next()?;
    let span = condition.fold(first, crate::Span::cover);
    // A condition of literals alone that is false never begins.
    let constant = !parts.iter().any(|part| part.kind == PartKind::Name);
    if constant
        && parse_condition(span.of_str(text)).is_some_and(|it| !crate::assemble::is_true(&it, &|_| None))
    {
        return None;
    }
    let message = msg!(
        "nothing can change this condition while it renders: if it is true, the loop runs to the limit",
        "渲染过程中没有什么能改变这个条件：一旦为真，循环就会一直跑到上限"
    );
    Some(Diagnostic::new(Code::EndlessWhile, span, message))
}
