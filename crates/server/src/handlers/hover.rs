//! `textDocument/hover`

use super::context;
use super::embedded::embedded;
use crate::state::Shared;
use promptblock_core::ide;
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

pub(crate) fn hover(shared: &Shared, snapshot: &Snapshot, position: Position) -> Option<Hover> {
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let at = lines.offset(position);
    let hover = match embedded(shared, snapshot, at) {
        Some(text) => {
            let hover = ide::hover(&text.context, text.at)?;
            ide::Hover { span: text.span(hover.span), ..hover }
        }
        None => ide::hover(&context(shared, snapshot)?, at)?,
    };
    // A client without Markdown shows its marks, which are easy to read.
    let kind = if shared.client().markdown_hover { MarkupKind::Markdown } else { MarkupKind::PlainText };
    let contents = HoverContents::Markup(MarkupContent { kind, value: hover.markdown });
    Some(Hover { contents, range: Some(lines.range(hover.span)) })
}
