//! `textDocument/codeAction`

use super::context;
use crate::convert::Lines;
use crate::state::Shared;
use promptblock_core::ide;
use promptblock_workspace::Snapshot;
use std::collections::HashMap;
use tower_lsp::ls_types::*;

pub(crate) fn actions(
    shared: &Shared,
    snapshot: &Snapshot,
    params: &CodeActionParams,
) -> Option<CodeActionResponse> {
    let context = context(shared, snapshot)?;
    let client = shared.client();
    let wanted = params.context.only.as_ref().is_none_or(|only| only.iter().any(covers));
    if !wanted || !client.code_action_literals {
        return None;
    }
    let lines = shared.lines(&snapshot.text, snapshot.version);
    // As the snapshot has it: what the client shows may be of an older text.
    let mut findings = context.document.findings(context.judge);
    findings.extend(context.index.findings(context.file));
    let findings = context.document.finish(context.judge, findings);
    let span = lines.span(params.range);
    let actions = ide::code_actions(&context, &findings, span);
    let convert = |action: ide::CodeAction| {
        let edits =
            action.edits.iter().map(|edit| TextEdit::new(lines.range(edit.span), edit.text.to_string()));
        CodeActionOrCommand::CodeAction(CodeAction {
            title: action.title,
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: answered(&lines, &action.diagnostic, &params.context.diagnostics),
            edit: Some(workspace_edit(
                client.document_changes,
                &params.text_document.uri,
                snapshot.version,
                edits.collect(),
            )),
            is_preferred: (action.preferred && client.preferred_actions).then_some(true),
            ..CodeAction::default()
        })
    };
    Some(actions.into_iter().map(convert).collect())
}

/// Whether a kind that the client asks for holds quick fixes: itself or what it is below.
fn covers(kind: &CodeActionKind) -> bool {
    let asked = kind.as_str();
    asked.is_empty() || asked == CodeActionKind::QUICKFIX.as_str()
}

/// The client's own diagnostic that the action answers, so that it finds the action beside it.
fn answered(
    lines: &Lines<'_>,
    finding: &promptblock_core::Diagnostic,
    shown: &[Diagnostic],
) -> Option<Vec<Diagnostic>> {
    let range = lines.range(finding.span);
    let code = NumberOrString::String(finding.code.name().to_owned());
    let same = shown.iter().find(|shown| shown.range == range && shown.code.as_ref() == Some(&code));
    same.map(|shown| vec![shown.clone()])
}

fn workspace_edit(versioned: bool, uri: &Uri, version: Option<i32>, edits: Vec<TextEdit>) -> WorkspaceEdit {
    if versioned {
        let document = TextDocumentEdit {
            text_document: OptionalVersionedTextDocumentIdentifier { uri: uri.clone(), version },
            edits: edits.into_iter().map(OneOf::Left).collect(),
        };
        return WorkspaceEdit {
            document_changes: Some(DocumentChanges::Edits(vec![document])),
            ..WorkspaceEdit::default()
        };
    }
    WorkspaceEdit { changes: Some(HashMap::from([(uri.clone(), edits)])), ..WorkspaceEdit::default() }
}
