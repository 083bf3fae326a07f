//! `textDocument/completion`

use super::context;
use super::embedded::{Embedded, embedded};
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
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let at = lines.offset(position);
    let items = match embedded(shared, snapshot, at) {
        Some(text) => in_source(&text),
        None => ide::completions(&context(shared, snapshot)?, at),
    };
    Some(CompletionResponse::Array(items.into_iter().map(|item| convert(shared, &lines, item)).collect()))
}

/// What may be put into a text of source code, written as its literal has it.
fn in_source(text: &Embedded<'_>) -> Vec<ide::Completion> {
    let items = ide::completions(&text.context, text.at).into_iter();
    items
        .filter(|item| text.cooked.is_whole(item.edit.span))
        .map(|mut item| {
            let at = item.edit.span.start;
            // Escapes of the snippet and of the literal would stand in each other's way.
            item.snippet = item.snippet.filter(|snippet| text.cooked.escaped(snippet, at) == *snippet);
            item.edit.text = text.cooked.escaped(&item.edit.text, at).into();
            item.edit.span = text.span(item.edit.span);
            item
        })
        .collect()
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
