//! `textDocument/semanticTokens/full`

use super::context;
use crate::state::Shared;
use promptblock_core::ide;
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{Position, SemanticToken, SemanticTokens, SemanticTokensResult};

pub(crate) fn full(shared: &Shared, snapshot: &Snapshot) -> Option<SemanticTokensResult> {
    let context = context(shared, snapshot)?;
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let mut cursor = lines.cursor();
    let mut last = Position::default();
    let mut data = Vec::new();
    for token in ide::semantic_tokens(&context, None) {
        let start = cursor.position(token.span.start);
        let end = cursor.position(token.span.end);
        if end.line != start.line || end.character <= start.character {
            continue;
        }
        let delta_line = start.line - last.line;
        data.push(SemanticToken {
            delta_line,
            delta_start: if delta_line == 0 { start.character - last.character } else { start.character },
            length: end.character - start.character,
            token_type: token.token_type as u32,
            token_modifiers_bitset: token.modifiers.bits(),
        });
        last = start;
    }
    Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data }))
}
