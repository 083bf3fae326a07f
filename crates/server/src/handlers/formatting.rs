//! `textDocument/formatting`, `textDocument/rangeFormatting` and `textDocument/onTypeFormatting`

use super::context;
use crate::state::Shared;
use promptblock_core::ide::{self, Context, Edit};
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{Position, Range, TextEdit};

/// What is typed when a tag is done.
pub(crate) const TRIGGER: &str = "}";

pub(crate) fn whole(shared: &Shared, snapshot: &Snapshot) -> Option<Vec<TextEdit>> {
    let context = context(shared, snapshot)?;
    Some(convert(shared, snapshot, &ide::formatting(&context, None)))
}

pub(crate) fn range(shared: &Shared, snapshot: &Snapshot, range: Range) -> Option<Vec<TextEdit>> {
    let context = context(shared, snapshot)?;
    let span = shared.lines(&snapshot.text, snapshot.version).span(range);
    Some(convert(shared, snapshot, &ide::formatting(&context, Some(span))))
}

pub(crate) fn on_type(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
    typed: &str,
) -> Option<Vec<TextEdit>> {
    let context: Context<'_> = context(shared, snapshot)?;
    let at = shared.lines(&snapshot.text, snapshot.version).offset(position);
    let edits = if typed == TRIGGER { ide::formatting_on_type(&context, at) } else { Vec::new() };
    Some(convert(shared, snapshot, &edits))
}

fn convert(shared: &Shared, snapshot: &Snapshot, edits: &[Edit]) -> Vec<TextEdit> {
    let lines = shared.lines(&snapshot.text, snapshot.version);
    edits.iter().map(|edit| TextEdit::new(lines.range(edit.span), edit.text.to_string())).collect()
}
