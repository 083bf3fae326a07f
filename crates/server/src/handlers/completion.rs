//! `textDocument/completion`, `completionItem/resolve`

use super::context;
use super::embedded::{Embedded, embedded};
use crate::convert::Lines;
use crate::state::Shared;
use promptblock_core::ide::{self, About, CompletionKind, Completions, Context, SettingsFile};
use promptblock_core::{Code, Span};
use promptblock_workspace::{FileKind, Snapshot};
use ropey::Rope;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tower_lsp::ls_types::*;

pub(crate) fn completion(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
) -> Option<CompletionResponse> {
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let at = lines.offset(position);
    let environments = &*snapshot.project.environments;
    let place = Place { shared, text: &snapshot.text, lines: &lines, at, uri: shared.uri(&snapshot.path)? };
    let (cx, found);
    let context = match (settings_file(snapshot.kind), embedded(shared, snapshot, at)) {
        (Some(file), _) => {
            found = in_settings(shared, snapshot, file, at);
            None
        }
        (None, Some(text)) => {
            let Completions { items, incomplete } = ide::completions(&text.context, environments, text.at);
            found = Completions { items: in_source(&text, items), incomplete };
            cx = text.context;
            Some(&cx)
        }
        (None, None) => {
            cx = context(shared, snapshot)?;
            found = ide::completions(&cx, environments, at);
            Some(&cx)
        }
    };
    let items = found.items.into_iter().map(|item| place.convert(context, item)).collect();
    Some(if found.incomplete {
        CompletionResponse::List(CompletionList { is_incomplete: true, items })
    } else {
        CompletionResponse::Array(items)
    })
}

const fn settings_file(kind: FileKind) -> Option<SettingsFile> {
    match kind {
        FileKind::Catalog => Some(SettingsFile::Catalog),
        FileKind::Environments => Some(SettingsFile::Environments),
        FileKind::Config => Some(SettingsFile::Config),
        _ => None,
    }
}

fn in_settings(shared: &Shared, snapshot: &Snapshot, file: SettingsFile, at: u32) -> Completions {
    let project = &snapshot.project;
    let fields = project.known_environment_fields();
    let fields: Vec<Arc<str>> = fields.iter().map(|field| Arc::clone(&field.name)).collect();
    let settings = ide::Settings {
        judge: &project.judge,
        index: &project.index,
        environments: &project.environments,
        fields: &fields,
        locale: shared.locale(project),
        schema: shared.client().knows_schemas,
    };
    ide::completions_in_settings(&settings, file, &snapshot.text.to_string(), at)
}

/// What an item's documentation is made of later, as it travels to the client and back.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    uri: Uri,
    /// The place that was asked for: in source code it tells which text is meant.
    at: u32,
    #[serde(flatten)]
    about: Topic,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Topic {
    Tag(String),
    Operand(String),
    List(String),
    Code(String),
}

impl Topic {
    fn of(about: &About) -> Self {
        match about {
            About::Variable { name, position } => {
                let name = (**name).to_owned();
                match position {
                    ide::Position::Tag => Self::Tag(name),
                    ide::Position::Operand => Self::Operand(name),
                    ide::Position::List => Self::List(name),
                }
            }
            About::Code(code) => Self::Code(code.name().to_owned()),
        }
    }

    fn about(&self) -> Option<About> {
        let variable = |name: &str, position| Some(About::Variable { name: name.into(), position });
        match self {
            Self::Tag(name) => variable(name, ide::Position::Tag),
            Self::Operand(name) => variable(name, ide::Position::Operand),
            Self::List(name) => variable(name, ide::Position::List),
            Self::Code(name) => Code::from_name(name).map(About::Code),
        }
    }
}

/// The item with its documentation, as things stand now; as it came, where nothing can be said any more.
pub(crate) fn resolve(shared: &Shared, mut item: CompletionItem) -> CompletionItem {
    let data = item.data.as_ref().and_then(|data| Data::deserialize(data).ok());
    let text = data.and_then(|data| {
        let snapshot = shared.snapshot(&data.uri)?;
        let about = data.about.about()?;
        match embedded(shared, &snapshot, data.at) {
            Some(text) => ide::documentation(&text.context, &about),
            None => ide::documentation(&context(shared, &snapshot)?, &about),
        }
    });
    if let Some(text) = text {
        item.documentation = Some(documentation(shared, text));
    }
    item
}

fn documentation(shared: &Shared, value: String) -> Documentation {
    let markdown = shared.client().markdown_documentation;
    let kind = if markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    Documentation::MarkupContent(MarkupContent { kind, value })
}

/// What may be put into a text of source code, written as its literal has it.
fn in_source(text: &Embedded<'_>, items: Vec<ide::Completion>) -> Vec<ide::Completion> {
    items
        .into_iter()
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
        CompletionKind::LoopVariable | CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::Module => CompletionItemKind::MODULE,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
        CompletionKind::Keyword => CompletionItemKind::KEYWORD,
        CompletionKind::Property => CompletionItemKind::PROPERTY,
        CompletionKind::EnumMember => CompletionItemKind::ENUM_MEMBER,
        CompletionKind::Value => CompletionItemKind::VALUE,
        CompletionKind::Operator => CompletionItemKind::OPERATOR,
    }
}

/// Where completion was asked for.
struct Place<'a> {
    shared: &'a Shared,
    text: &'a Rope,
    lines: &'a Lines<'a>,
    at: u32,
    uri: Uri,
}

impl Place<'_> {
    fn convert(&self, context: Option<&Context<'_>>, item: ide::Completion) -> CompletionItem {
        let client = self.shared.client();
        let struck = item.objection.is_some();
        let snippet = item.snippet.filter(|_| client.snippets);
        let format = snippet.is_some().then_some(InsertTextFormat::SNIPPET);
        let new_text = snippet.unwrap_or_else(|| item.edit.text.to_string());
        let details = (item.signature.is_some() || item.description.is_some()) && client.label_details;
        // Where label details are not shown, the one line that is has to say it.
        let detail =
            if client.label_details { item.detail } else { item.detail.or(item.description.clone()) };
        let (mut text, mut data) = (item.documentation, None);
        if let Some(about) = item.about {
            if client.resolves_documentation {
                let about = Topic::of(&about);
                data = serde_json::to_value(Data { uri: self.uri.clone(), at: self.at, about }).ok();
            } else {
                text = context.and_then(|context| ide::documentation(context, &about));
            }
        }
        CompletionItem {
            label: item.label,
            label_details: details.then_some(CompletionItemLabelDetails {
                detail: item.signature,
                description: item.description,
            }),
            kind: Some(kind(item.kind)),
            detail,
            documentation: text.map(|text| documentation(self.shared, text)),
            tags: (struck && client.deprecated_tag).then(|| vec![CompletionItemTag::DEPRECATED]),
            deprecated: (struck && client.deprecated_property && !client.deprecated_tag).then_some(true),
            preselect: item.preselect.then_some(true),
            sort_text: Some(item.sort_text),
            filter_text: Some(item.filter_text),
            insert_text_format: format,
            text_edit: Some(self.edit(item.edit.span, new_text)),
            command: (item.again && client.suggests_again).then(|| Command {
                title: String::new(),
                command: "editor.action.triggerSuggest".to_owned(),
                arguments: None,
            }),
            data,
            ..CompletionItem::default()
        }
    }

    /// The edit; where a word goes on behind the cursor, its reader's editor may have the choice to leave that.
    fn edit(&self, span: Span, new_text: String) -> CompletionTextEdit {
        let replace = self.lines.range(span);
        if span.end <= self.at || !self.shared.client().insert_replace || !self.goes_on_as_word(span.end) {
            return CompletionTextEdit::Edit(TextEdit { range: replace, new_text });
        }
        let insert = self.lines.range(Span::new(span.start, self.at));
        CompletionTextEdit::InsertAndReplace(InsertReplaceEdit { new_text, insert, replace })
    }

    /// Whether nothing but the rest of a word lies between the cursor and `end`. A quote or a bracket that closes the new text too
    /// would stand there twice if it were left, and half an operator would make another one.
    fn goes_on_as_word(&self, end: u32) -> bool {
        let rest = self.text.get_byte_slice(self.at as usize..end as usize);
        let ends_word = |c: char| c.is_whitespace() || c.is_ascii_punctuation() && !"_-.:".contains(c);
        rest.is_some_and(|rest| !rest.chars().any(ends_word))
    }
}
