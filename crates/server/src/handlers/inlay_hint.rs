//! `textDocument/inlayHint`

use super::context;
use crate::state::Shared;
use promptblock_core::ide;
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range};

pub(crate) fn hints(shared: &Shared, snapshot: &Snapshot, range: Range) -> Option<Vec<InlayHint>> {
    let context = context(shared, snapshot)?;
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let hints = ide::inlay_hints(&context, lines.span(range), shared.settings().hints);
    let convert = |hint: ide::InlayHint| InlayHint {
        position: lines.position(hint.at),
        label: InlayHintLabel::String(hint.label),
        kind: None,
        text_edits: None,
        tooltip: Some(hint.tooltip).filter(|text| !text.is_empty()).map(InlayHintTooltip::String),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    };
    Some(hints.into_iter().map(convert).collect())
}
