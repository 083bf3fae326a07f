//! What the client can, and what the server says that it can.

use crate::convert::Encoding;
use crate::legend::Legend;
use crate::{handlers, registrations};
use promptblock_core::ide;
use tower_lsp::ls_types::*;

/// All safe fixes of a document at once.
pub(crate) const FIX_ALL: CodeActionKind = CodeActionKind::new("source.fixAll.promptblock");

/// Editors that are Visual Studio Code.
const SUGGEST_AGAIN: [&str; 5] = ["Visual Studio Code", "code-server", "VSCodium", "Code - OSS", "Cursor"];

/// Editors to which diagnostics are pushed though they could ask for them: without the word to ask again (`refreshSupport`) they ask for
/// what is edited and never for what a change of the catalog or of another block has touched.
const ASKS_ONCE: [&str; 2] = ["Neovim", "Eglot"];

/// The part of the client's capabilities that changes what is sent to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    pub(crate) encoding: Encoding,
    /// Whether the client knows Visual Studio Code's command to ask for completion once more.
    pub(crate) suggests_again: bool,
    /// Whether its extension brings the schemas of our JSON files, and it completes from them by itself.
    pub(crate) knows_schemas: bool,
    pub(crate) snippets: bool,
    pub(crate) label_details: bool,
    pub(crate) deprecated_tag: bool,
    /// The older way to strike an item out.
    pub(crate) deprecated_property: bool,
    /// Whether it can be told what to replace apart from what to insert.
    pub(crate) insert_replace: bool,
    /// Whether it asks for an item's documentation when somebody looks at it.
    pub(crate) resolves_documentation: bool,
    pub(crate) markdown_documentation: bool,
    pub(crate) markdown_hover: bool,
    pub(crate) definition_links: bool,
    pub(crate) hierarchical_symbols: bool,
    pub(crate) whole_lines_folded: bool,
    pub(crate) code_actions: CodeActions,
    pub(crate) preferred_actions: bool,
    /// Whether it shows actions that cannot be done, with the reason.
    pub(crate) disabled_actions: bool,
    /// Whether it asks for the edit of an action when that is chosen.
    pub(crate) resolves_edits: bool,
    pub(crate) document_changes: bool,
    pub(crate) creates_files: bool,
    /// Whether it asks the user about changes that want to be confirmed.
    pub(crate) annotates_changes: bool,
    /// Whether it asks what follows a file before it moves it.
    pub(crate) asks_before_moves: bool,
    /// Whether it asks what is to be renamed before it asks for the new name.
    pub(crate) prepares_rename: bool,
    pub(crate) related_information: bool,
    pub(crate) unnecessary_tag: bool,
    pub(crate) diagnostic_data: bool,
    pub(crate) watches_files: bool,
    pub(crate) relative_patterns: bool,
    /// Whether it tells of files that it creates, renames and deletes itself.
    pub(crate) tells_of_files: bool,
    pub(crate) registers_configuration: bool,
    pub(crate) configuration: bool,
    pub(crate) progress: bool,
    pub(crate) markdown_signatures: bool,
    /// Whether an argument may be named by its place in a signature.
    pub(crate) label_offsets: bool,
    /// The types of tokens as it knows them.
    pub(crate) legend: Legend,
    /// Whether it asks for what has changed of the tokens.
    pub(crate) token_deltas: bool,
    pub(crate) refreshes_tokens: bool,
    pub(crate) refreshes_hints: bool,
    pub(crate) refreshes_lenses: bool,
    pub(crate) shows_documents: bool,
    /// Whether the client asks for the diagnostics of what it has open; then they are not pushed to it.
    pub(crate) pulls: bool,
    /// Whether it asks for the workspace's without being asked to.
    pub(crate) polls: bool,
    /// Whether it can be told to ask again.
    pub(crate) refreshes_diagnostics: bool,
    /// Features of blocks that it can be told of after the start.
    pub(crate) deferred: Vec<&'static str>,
}

/// How the client takes code actions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum CodeActions {
    /// Not at all: it knows commands only, and makes no edit that it is asked for.
    #[default]
    None,
    /// As commands; the edit is asked for when one is called.
    Commands,
    /// As literals, with kind and edit.
    Literal,
}

impl Client {
    pub(crate) fn of(params: &InitializeParams) -> Self {
        let capabilities = &params.capabilities;
        let name = params.client_info.as_ref().map_or("", |info| info.name.as_str());
        let vscode = SUGGEST_AGAIN.iter().any(|known| name.contains(known));
        let mut client = Self { suggests_again: vscode, knows_schemas: vscode, ..Self::default() };
        if let Some(general) = &capabilities.general {
            client.encoding = Encoding::negotiate(general.position_encodings.as_deref());
        }
        if let Some(document) = &capabilities.text_document {
            client.document(document);
            client.deferred = registrations::deferred(document);
        }
        if let Some(workspace) = &capabilities.workspace {
            client.workspace(workspace);
        }
        let offered = capabilities.text_document.as_ref().is_some_and(|can| can.diagnostic.is_some());
        client.pulls = offered && (client.refreshes_diagnostics || !ASKS_ONCE.contains(&name));
        // Neovim asks for the workspace at a command only; and where it could, its 0.12 asks at a refresh for nothing but that.
        client.polls = client.pulls && name != "Neovim";
        let window = capabilities.window.as_ref();
        client.shows_documents =
            window.and_then(|window| window.show_document.as_ref()).is_some_and(|show| show.support);
        client.progress = window.and_then(|window| window.work_done_progress).unwrap_or_default();
        client
    }

    fn document(&mut self, can: &TextDocumentClientCapabilities) {
        if let Some(item) = can.completion.as_ref().and_then(|completion| completion.completion_item.as_ref())
        {
            self.snippets = item.snippet_support.unwrap_or_default();
            self.label_details = item.label_details_support.unwrap_or_default();
            let tags = item
                .tag_support
                .as_ref()
                .is_some_and(|tags| tags.value_set.contains(&CompletionItemTag::DEPRECATED));
            self.deprecated_tag = tags;
            self.deprecated_property = item.deprecated_support.unwrap_or_default();
            self.insert_replace = item.insert_replace_support.unwrap_or_default();
            let resolved = item.resolve_support.as_ref().map(|resolved| resolved.properties.as_slice());
            self.resolves_documentation =
                resolved.is_some_and(|resolved| resolved.iter().any(|property| property == "documentation"));
            self.markdown_documentation = takes_markdown(item.documentation_format.as_deref());
        }
        self.markdown_hover =
            takes_markdown(can.hover.as_ref().and_then(|hover| hover.content_format.as_deref()));
        self.definition_links =
            can.definition.and_then(|definition| definition.link_support).unwrap_or_default();
        let symbols = can.document_symbol.as_ref();
        self.hierarchical_symbols =
            symbols.and_then(|symbols| symbols.hierarchical_document_symbol_support).unwrap_or_default();
        self.whole_lines_folded =
            can.folding_range.as_ref().and_then(|folding| folding.line_folding_only).unwrap_or_default();
        let signatures = can.signature_help.as_ref().and_then(|can| can.signature_information.as_ref());
        self.markdown_signatures =
            takes_markdown(signatures.and_then(|can| can.documentation_format.as_deref()));
        self.label_offsets = signatures
            .and_then(|can| can.parameter_information.as_ref()?.label_offset_support)
            .unwrap_or_default();
        if let Some(tokens) = &can.semantic_tokens {
            self.legend = Legend::of(&tokens.token_types);
            self.token_deltas =
                matches!(tokens.requests.full, Some(SemanticTokensFullOptions::Delta { delta: Some(true) }));
        }
        self.prepares_rename =
            can.rename.as_ref().and_then(|rename| rename.prepare_support).unwrap_or_default();
        if let Some(actions) = &can.code_action {
            if actions.code_action_literal_support.is_some() {
                self.code_actions = CodeActions::Literal;
            }
            self.preferred_actions = actions.is_preferred_support.unwrap_or_default();
            self.disabled_actions = actions.disabled_support.unwrap_or_default();
            let resolves = actions.resolve_support.as_ref();
            let edits = resolves.is_some_and(|can| can.properties.iter().any(|property| property == "edit"));
            self.resolves_edits = edits && actions.data_support.unwrap_or_default();
        }
        if let Some(pull) = &can.diagnostic {
            self.related_information = pull.related_information.unwrap_or_default();
            self.diagnostic_data = pull.data_support.unwrap_or_default();
        }
        if let Some(diagnostics) = &can.publish_diagnostics {
            // What is said of one way holds for the other.
            self.related_information |= diagnostics.related_information.unwrap_or_default();
            self.diagnostic_data |= diagnostics.data_support.unwrap_or_default();
            let tags = diagnostics.tag_support.as_ref();
            self.unnecessary_tag =
                tags.is_some_and(|tags| tags.value_set.contains(&DiagnosticTag::UNNECESSARY));
        }
    }

    fn workspace(&mut self, can: &WorkspaceClientCapabilities) {
        if can.apply_edit.unwrap_or_default() && self.code_actions == CodeActions::None {
            self.code_actions = CodeActions::Commands;
        }
        let edit = can.workspace_edit.as_ref();
        self.document_changes = edit.and_then(|edit| edit.document_changes).unwrap_or_default();
        let operations = edit.and_then(|edit| edit.resource_operations.as_deref()).unwrap_or_default();
        self.creates_files = self.document_changes && operations.contains(&ResourceOperationKind::Create);
        self.annotates_changes =
            self.document_changes && edit.is_some_and(|edit| edit.change_annotation_support.is_some());
        let moves = can.file_operations.as_ref();
        self.asks_before_moves = moves.and_then(|moves| moves.will_rename).unwrap_or_default();
        let watched = can.did_change_watched_files.as_ref();
        self.watches_files = watched.and_then(|watched| watched.dynamic_registration).unwrap_or_default();
        self.relative_patterns =
            watched.and_then(|watched| watched.relative_pattern_support).unwrap_or_default();
        self.tells_of_files = can.file_operations.is_some();
        let configuration = can.did_change_configuration.as_ref();
        self.registers_configuration =
            configuration.and_then(|configuration| configuration.dynamic_registration).unwrap_or_default();
        self.configuration = can.configuration.unwrap_or_default();
        let tokens = can.semantic_tokens.as_ref();
        let diagnostics = can.diagnostics.as_ref();
        self.refreshes_diagnostics = diagnostics.and_then(|can| can.refresh_support).unwrap_or_default();
        let lenses = can.code_lens.as_ref();
        self.refreshes_lenses = lenses.and_then(|lenses| lenses.refresh_support).unwrap_or_default();
        let hints = can.inlay_hint.as_ref();
        self.refreshes_hints = hints.and_then(|hints| hints.refresh_support).unwrap_or_default();
        self.refreshes_tokens = tokens.and_then(|tokens| tokens.refresh_support).unwrap_or_default();
    }
}

fn takes_markdown(formats: Option<&[MarkupKind]>) -> bool {
    formats.is_some_and(|formats| formats.contains(&MarkupKind::Markdown))
}

/// What the server can, for that client.
pub(crate) fn server(client: &Client) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(client.encoding.kind()),
        diagnostic_provider: client.pulls.then(|| {
            DiagnosticServerCapabilities::Options(DiagnosticOptions {
                inter_file_dependencies: true,
                workspace_diagnostics: client.polls,
                ..DiagnosticOptions::default()
            })
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(ide::TRIGGERS.map(str::to_owned).to_vec()),
            completion_item: Some(CompletionOptionsCompletionItem { label_details_support: Some(true) }),
            resolve_provider: Some(client.resolves_documentation),
            ..CompletionOptions::default()
        }),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: commands(client),
            ..ExecuteCommandOptions::default()
        }),
        inlay_hint_provider: Some(OneOf::Left(true)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        call_hierarchy_provider: Some(CallHierarchyServerCapability::Simple(true)),
        rename_provider: Some(match client.prepares_rename {
            true => OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            false => OneOf::Left(true),
        }),
        document_symbol_provider: Some(OneOf::Left(true)),
        workspace_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        document_range_formatting_provider: Some(OneOf::Left(true)),
        document_on_type_formatting_provider: Some(DocumentOnTypeFormattingOptions {
            first_trigger_character: handlers::formatting::TRIGGER.to_owned(),
            more_trigger_character: None,
        }),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(vec![handlers::signature_help::TRIGGER.to_owned()]),
            ..SignatureHelpOptions::default()
        }),
        document_link_provider: Some(DocumentLinkOptions {
            resolve_provider: Some(false),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        }),
        selection_range_provider: Some(SelectionRangeProviderCapability::Simple(true)),
        linked_editing_range_provider: Some(LinkedEditingRangeServerCapabilities::Simple(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: client.legend.told(),
                full: Some(SemanticTokensFullOptions::Delta { delta: Some(true) }),
                range: Some(true),
                ..SemanticTokensOptions::default()
            },
        )),
        code_action_provider: Some(match client.code_actions {
            CodeActions::Literal => CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(handlers::code_action::kinds()),
                resolve_provider: client.resolves_edits.then_some(true),
                ..CodeActionOptions::default()
            }),
            // Others do not know options.
            takes => CodeActionProviderCapability::Simple(takes == CodeActions::Commands),
        }),
        workspace: Some(WorkspaceServerCapabilities {
            workspace_folders: Some(WorkspaceFoldersServerCapabilities {
                supported: Some(true),
                change_notifications: Some(OneOf::Left(true)),
            }),
            file_operations: (client.tells_of_files && (!client.watches_files || client.asks_before_moves))
                .then(|| file_operations(client)),
        }),
        ..ServerCapabilities::default()
    }
}

fn commands(client: &Client) -> Vec<String> {
    let mut commands = vec![handlers::execute_command::SHOW_ASSEMBLY.to_owned()];
    if client.code_actions == CodeActions::Commands {
        commands.push(handlers::code_action::APPLY_EDIT.to_owned());
    }
    commands
}

/// Which files a client that does not watch is to tell of, and which are to be asked about: all, since a folder is one of them.
fn file_operations(client: &Client) -> WorkspaceFileOperationsServerCapabilities {
    let pattern = FileOperationPattern { glob: "**/*".to_owned(), ..FileOperationPattern::default() };
    let filter = FileOperationFilter { scheme: Some("file".to_owned()), pattern };
    let all =
        |wanted: bool| wanted.then(|| FileOperationRegistrationOptions { filters: vec![filter.clone()] });
    let untold = !client.watches_files;
    WorkspaceFileOperationsServerCapabilities {
        did_create: all(untold),
        did_rename: all(untold),
        did_delete: all(untold),
        will_rename: all(client.asks_before_moves),
        ..WorkspaceFileOperationsServerCapabilities::default()
    }
}
