//! `textDocument/inlayHint`

use super::context;
use super::embedded::texts;
use crate::state::Shared;
use promptblock_core::ide::{self, HintKinds};
use promptblock_core::source::Cooked;
use promptblock_core::span::Span;
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintTooltip, Range};

/// The hints of a text of source code, in places of the source. Its header is the properties of the call, which stand there already.
fn in_source(
    context: &ide::Context<'_>,
    cooked: &Cooked,
    within: Span,
    kinds: HintKinds,
) -> Vec<ide::InlayHint> {
    let whole = Span::new(0, u32::MAX);
    let bands = ide::inlay_hints(context, whole, HintKinds { examples: false, ..kinds });
    let mut all: Vec<ide::InlayHint> = bands;
    let examples = ide::inlay_hints(context, whole, HintKinds { bands: false, ..kinds }).into_iter();
    all.extend(
        examples.map(|hint| ide::InlayHint { at: cooked.to_source(Span::empty(hint.at)).start, ..hint }),
    );
    all.retain(|hint| within.touches(hint.at));
    all
}

pub(crate) fn hints(shared: &Shared, snapshot: &Snapshot, range: Range) -> Option<Vec<InlayHint>> {
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let (within, kinds) = (lines.span(range), shared.settings().hints);
    let hints = match context(shared, snapshot) {
        Some(context) => ide::inlay_hints(&context, within, kinds),
        None if snapshot.registered.is_empty() => return None,
        None => {
            let texts = texts(shared, snapshot);
            texts.flat_map(|text| in_source(&text.context, text.cooked, within, kinds)).collect()
        }
    };
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
