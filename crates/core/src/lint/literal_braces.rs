//! `literal-braces`: braces that are no tag are kept word for word, once per outermost pair, so that JSON passes unharmed. [S0]

use crate::span::Span;
use crate::syntax::ChunkView;
use crate::{Code, Diagnostic, Message, Remedy, msg};

/// The pairs that open in this chunk. Where one ends in a later chunk, [`complete`] fills in the rest.
pub(super) fn check(view: &ChunkView<'_>) -> Vec<Diagnostic> {
    let literals = view.literals();
    let found = literals.iter().map(|literal| {
        let message = msg!(
            "these braces are no tag and are kept as text; double them to say so",
            "这对花括号不是标签，会按原文保留；如本意如此，请双写转义"
        );
        let found = Diagnostic::new(Code::LiteralBraces, Span::new(literal.open, literal.open + 1), message);
        match literal.close {
            Some(close) => with_end(found, close),
            None => found,
        }
    });
    found.collect()
}

/// Adds the closing brace at `close`, in the same coordinates as the finding.
pub(super) fn with_end(found: Diagnostic, close: u32) -> Diagnostic {
    let open = found.span.start;
    found
        .related(Span::new(close, close + 1), ends_here())
        .remedy(Remedy::EscapeBraces(Span::new(open, close + 1)))
}

fn ends_here() -> Message {
    msg!("they end here", "到这里结束")
}
