//! `template-not-enabled`: `template` is off and the body has a tag of a known variable. Once a file, the first. [S0]

use super::judge::Case;
use crate::block::HeaderState;
use crate::syntax::{ChunkView, PartKind, State, first_segment};
use crate::{Code, Diagnostic, msg};

/// The first such tag of a chunk; the file keeps the first of all.
pub(super) fn check(case: &Case<'_>, view: &ChunkView<'_>) -> Option<Diagnostic> {
    // Without a whole header nobody knows what the author wants, and `missing-prompt` says more in the input zone.
    if case.header.state != HeaderState::Closed {
        return None;
    }
    let tokens = view.tokens();
    let known = |name: &str| case.lookup(first_segment(name));
    let token = tokens.iter().find(|token| {
        let mut names = tokens.parts(token).iter().filter(|part| part.kind == PartKind::Name);
        token.state == State::Live && names.any(|part| known(part.span.of_str(&view.text)).is_some())
    })?;
    let message = msg!(
        "this tag is sent as it is: the block has no `template: true`",
        "此标签会原样发送：该块没有设置 `template: true`"
    );
    Some(Diagnostic::new(Code::TemplateNotEnabled, token.span, message))
}
