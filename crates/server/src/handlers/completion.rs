//! `textDocument/completion`

use super::context;
use crate::convert::Lines;
use crate::state::Shared;
use promptblock_core::ide::{self, CompletionKind};
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::*;

pub(crate) fn completion(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
) -> Option<CompletionResponse> {
    let context = context(shared, snapshot)?;
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let items = ide::completions(&context, lines.offset(position));
    Some(CompletionResponse::Array(items.into_iter().map(|item| convert(shared, &lines, item)).collect()))
}

const fn kind(kind: CompletionKind) -> CompletionItemKind {
    match kind {
        CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::LoopVariable => CompletionItemKind::FIELD,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Property => CompletionItemKind::PROPERTY,
        CompletionKind::EnumMember => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Value => CompletionItemKind::VALUE,
        CompletionKind::Operator => CompletionItemKind::OPERATOR,
    }
}

fn convert(shared: &Shared, lines: &Lines<'_>, item: ide::Completion) -> CompletionItem {
    let client = shared.client();
    let struck = item.objection.is_some();
    let snippet = item.snippet.filter(|_| client.snippets);
    let format = snippet.is_some().then_some(InsertTextFormat::SNIPPET);
    let new_text = snippet.unwrap_or_else(|| item.edit.text.to_string());
    let edit = TextEdit { range: lines.range(item.edit.span), new_text };
    let details = (item.signature.is_some() || item.description.is_some()) && client.label_details;
    // Where label details are not shown, the one line that is has to say it.
    let detail = if client.label_details { item.detail } else { item.detail.or(item.description.clone()) };
    let markdown = if client.markdown_documentation { MarkupKind::Markdown } else { MarkupKind::PlainText };
    CompletionItem {
        label: item.label,
        label_details: details
            .then_some(CompletionItemLabelDetails { detail: item.signature, description: item.description }),
        kind: Some(kind(item.kind)),
        detail,
        documentation: item
            .documentation
            .map(|value| Documentation::MarkupContent(MarkupContent { kind: markdown, value })),
        tags: (struck && client.deprecated_tag).then(|| vec![CompletionItemTag::DEPRECATED]),
        preselect: item.preselect.then_some(true),
        sort_text: Some(item.sort_text),
        filter_text: Some(item.filter_text),
        insert_text_format: format,
        text_edit: Some(CompletionTextEdit::Edit(edit)),
        command: (item.again && client.suggests_again).then(|| Command {
            title: String::new(),
            command: "editor.action.triggerSuggest".to_owned(),
            arguments: None,
        }),
        ..CompletionItem::default()
    }
}
