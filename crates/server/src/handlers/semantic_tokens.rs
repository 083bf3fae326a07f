//! `textDocument/semanticTokens/full`, `full/delta` and `range`

use super::context;
use crate::state::Shared;
use crate::tokens::edits;
use promptblock_core::Span;
use promptblock_core::ide;
use promptblock_workspace::Snapshot;
use std::sync::Arc;
use tower_lsp::ls_types::{
    Position, Range, SemanticToken, SemanticTokens, SemanticTokensDelta, SemanticTokensFullDeltaResult,
    SemanticTokensRangeResult, SemanticTokensResult,
};

pub(crate) fn full(shared: &Shared, snapshot: &Snapshot) -> Option<SemanticTokensResult> {
    Some(SemanticTokensResult::Tokens(whole(shared, snapshot, tokens(shared, snapshot, None)?)))
}

/// What has changed since the answer `previous`; everything, where that is no longer known.
pub(crate) fn delta(
    shared: &Shared,
    snapshot: &Snapshot,
    previous: &str,
) -> Option<SemanticTokensFullDeltaResult> {
    let new = tokens(shared, snapshot, None)?;
    let Some(old) = shared.tokens.tokens(&snapshot.path, previous) else {
        return Some(SemanticTokensFullDeltaResult::Tokens(whole(shared, snapshot, new)));
    };
    let edits = edits(&old, &new);
    let result_id = Some(shared.tokens.keep(&snapshot.path, new.into()));
    Some(SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta { result_id, edits }))
}

pub(crate) fn range(shared: &Shared, snapshot: &Snapshot, range: Range) -> Option<SemanticTokensRangeResult> {
    let span = shared.lines(&snapshot.text, snapshot.version).span(range);
    let data = tokens(shared, snapshot, Some(span))?;
    Some(SemanticTokensRangeResult::Tokens(SemanticTokens { result_id: None, data }))
}

fn whole(shared: &Shared, snapshot: &Snapshot, data: Vec<SemanticToken>) -> SemanticTokens {
    // Who never asks for what has changed need not be remembered.
    let result_id = shared.client().token_deltas.then(|| {
        let tokens: Arc<[SemanticToken]> = data.as_slice().into();
        shared.tokens.keep(&snapshot.path, tokens)
    });
    SemanticTokens { result_id, data }
}

/// The tokens as the client counts them: each on one line, of a type that it knows.
fn tokens(shared: &Shared, snapshot: &Snapshot, span: Option<Span>) -> Option<Vec<SemanticToken>> {
    let context = context(shared, snapshot)?;
    let legend = &shared.client().legend;
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let mut cursor = lines.cursor();
    let mut last = Position::default();
    let mut data = Vec::new();
    for token in ide::semantic_tokens(&context, span) {
        let Some(token_type) = legend.type_of(token.token_type) else { continue };
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
            token_type,
            token_modifiers_bitset: token.modifiers.bits(),
        });
        last = start;
    }
    Some(data)
}
