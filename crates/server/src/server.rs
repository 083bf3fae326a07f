//! The methods of the protocol. What a method does stands elsewhere; here stands when.

use crate::assembly;
use crate::assembly::wire::{AssemblyAnswer, AssemblyParams};
use crate::capabilities::{self, Client as Can};
use crate::dispatch::error;
use crate::look::{Occasion, look};
use crate::outbox::Outbox;
use crate::settings::Settings;
use crate::state::Shared;
use crate::{diagnostics, handlers, load, refresh, registrations, sync, uri, watch};
use promptblock_workspace::{Options, Snapshot};
use std::sync::Arc;
use tower_lsp::jsonrpc::{ErrorCode, Result};
use tower_lsp::ls_types::*;
use tower_lsp::{Client, ClientSocket, LanguageServer, LspService};

/// What was asked for cannot be done, though nothing is wrong with the question.
const REQUEST_FAILED: ErrorCode = ErrorCode::ServerError(-32803);

/// The server as the framework sees it.
pub(crate) struct Backend {
    pub(crate) shared: Arc<Shared>,
    client: Client,
}

impl Backend {
    /// The methods, and the end of them that speaks to the client.
    pub(crate) fn service(options: Options, outbox: Outbox) -> (LspService<Self>, ClientSocket) {
        let shared = Arc::new(Shared::new(options, outbox));
        LspService::build(move |client| Self { shared, client })
            .custom_method("promptblock/assembly", Self::assembly)
            .finish()
    }

    /// `promptblock/assembly`
    async fn assembly(&self, params: AssemblyParams) -> Result<Option<AssemblyAnswer>> {
        let shared = Arc::clone(&self.shared);
        let path = shared.path(&params.text_document.uri);
        let work = {
            let shared = Arc::clone(&shared);
            move |wanted: &dyn Fn() -> bool| assembly::current(&shared, &path, &params, wanted)
        };
        let Some((number, answer)) = handlers::compute_while(work).await? else { return Ok(None) };
        if shared.assemblies.sent(number) {
            assembly::tell(&shared, vec![number.to_string()]);
        }
        Ok(Some(answer))
    }

    /// Takes the snapshot now, in the order of arrival, and computes elsewhere.
    async fn ask<T: Send + 'static>(
        &self,
        uri: &Uri,
        compute: impl FnOnce(&Shared, &Snapshot) -> Option<T> + Send + 'static,
    ) -> Result<Option<T>> {
        let Some(snapshot) = self.shared.snapshot(uri) else { return Ok(None) };
        let shared = Arc::clone(&self.shared);
        handlers::compute(move || compute(&shared, &snapshot)).await
    }
}

impl LanguageServer for Backend {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let shared = &self.shared;
        shared.set_client(Can::of(&params));
        shared.set(|settings| *settings = Settings::at_start(&params));
        for folder in watch::folders_at_start(&params) {
            shared.workspace.add_folder(&folder);
            shared.folders().insert(folder);
        }
        if let Some(process) = params.process_id {
            shared.watch_parent(process);
        }
        let info = ServerInfo {
            name: "promptblock".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        };
        let can = shared.client();
        let (capabilities, _) = registrations::split(capabilities::server(can), &can.deferred);
        Ok(InitializeResult { capabilities, server_info: Some(info), ..InitializeResult::default() })
    }

    async fn initialized(&self, _: InitializedParams) {
        let shared = &self.shared;
        diagnostics::start(Arc::clone(shared), &self.client);
        load::start(shared, &self.client);
        tokio::spawn(refresh::tell(Arc::clone(shared), self.client.clone()));
        tokio::spawn(registrations::register(Arc::clone(shared), self.client.clone()));
        tokio::spawn(watch::register(Arc::clone(shared), self.client.clone()));
        tokio::spawn(watch::register_settings(Arc::clone(shared), self.client.clone()));
        tokio::spawn(watch::pull_settings(Arc::clone(shared), self.client.clone()));
    }

    async fn shutdown(&self) -> Result<()> {
        self.shared.wake.hang_up();
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let path = uri::file_path(params.text_document.uri.as_str());
        sync::open(&self.shared, params);
        if let Some(path) = path {
            load::around(&self.shared, &self.client, &path);
        }
        look(&self.shared, Occasion::File);
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        sync::change(&self.shared, params);
        look(&self.shared, Occasion::Typing);
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        sync::close(&self.shared, &params);
        look(&self.shared, Occasion::File);
    }

    async fn did_save(&self, params: DidSaveTextDocumentParams) {
        sync::save(&self.shared, &params);
        look(&self.shared, Occasion::File);
    }

    async fn did_change_watched_files(&self, params: DidChangeWatchedFilesParams) {
        watch::files_changed(&self.shared, &params);
    }

    async fn did_create_files(&self, params: CreateFilesParams) {
        watch::files_moved(&self.shared, params.files.iter().map(|file| &*file.uri));
    }

    async fn will_rename_files(&self, params: RenameFilesParams) -> Result<Option<WorkspaceEdit>> {
        let shared = Arc::clone(&self.shared);
        let edits = handlers::will_rename_files::edits;
        handlers::compute_while(move |wanted| edits(&shared, &params, wanted)).await
    }

    async fn did_rename_files(&self, params: RenameFilesParams) {
        let uris = params.files.iter().flat_map(|file| [&*file.old_uri, &*file.new_uri]);
        watch::files_moved(&self.shared, uris);
    }

    async fn did_delete_files(&self, params: DeleteFilesParams) {
        watch::files_moved(&self.shared, params.files.iter().map(|file| &*file.uri));
    }

    async fn did_change_workspace_folders(&self, params: DidChangeWorkspaceFoldersParams) {
        watch::folders_changed(&self.shared, &self.client, &params);
    }

    async fn did_change_configuration(&self, params: DidChangeConfigurationParams) {
        let (shared, client) = (Arc::clone(&self.shared), self.client.clone());
        tokio::spawn(watch::settings_changed(shared, client, params.settings));
    }

    async fn diagnostic(&self, params: DocumentDiagnosticParams) -> Result<DocumentDiagnosticReportResult> {
        handlers::diagnostic::document(&self.shared, params).await
    }

    async fn workspace_diagnostic(
        &self,
        params: WorkspaceDiagnosticParams,
    ) -> Result<WorkspaceDiagnosticReportResult> {
        handlers::diagnostic::workspace(&self.shared, params).await
    }

    async fn semantic_tokens_full(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        self.ask(&params.text_document.uri, handlers::semantic_tokens::full).await
    }

    async fn semantic_tokens_full_delta(
        &self,
        params: SemanticTokensDeltaParams,
    ) -> Result<Option<SemanticTokensFullDeltaResult>> {
        self.ask(&params.text_document.uri, move |shared, snapshot| {
            handlers::semantic_tokens::delta(shared, snapshot, &params.previous_result_id)
        })
        .await
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        self.ask(&params.text_document.uri, move |shared, snapshot| {
            handlers::semantic_tokens::range(shared, snapshot, params.range)
        })
        .await
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        self.ask(&text_document.uri, move |shared, snapshot| {
            handlers::hover::hover(shared, snapshot, position)
        })
        .await
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        let uri = params.text_document.uri;
        let shared = Arc::clone(&self.shared);
        handlers::compute_while(move |wanted| handlers::code_lens::lenses(&shared, &uri, wanted)).await
    }

    async fn execute_command(&self, params: ExecuteCommandParams) -> Result<Option<LSPAny>> {
        if params.command == handlers::code_action::APPLY_EDIT {
            let edit = handlers::code_action::edit_to_apply(&self.shared, params.arguments)?;
            handlers::code_action::apply(self.client.clone(), edit);
            return Ok(None);
        }
        let (uri, environment) = handlers::execute_command::arguments(&params.command, &params.arguments)?;
        let (shared, client) = (Arc::clone(&self.shared), self.client.clone());
        handlers::execute_command::show(shared, client, uri, environment).await
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let range = params.range;
        self.ask(&params.text_document.uri, move |shared, snapshot| {
            handlers::inlay_hint::hints(shared, snapshot, range)
        })
        .await
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        self.ask(&text_document.uri, move |shared, snapshot| {
            handlers::completion::completion(shared, snapshot, position)
        })
        .await
    }

    async fn completion_resolve(&self, item: CompletionItem) -> Result<CompletionItem> {
        let shared = Arc::clone(&self.shared);
        let kept = item.clone();
        let resolved = handlers::compute(move || Some(handlers::completion::resolve(&shared, item))).await?;
        Ok(resolved.unwrap_or(kept))
    }

    async fn goto_definition(&self, params: GotoDefinitionParams) -> Result<Option<GotoDefinitionResponse>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        self.ask(&text_document.uri, move |shared, snapshot| {
            handlers::definition::definition(shared, snapshot, position)
        })
        .await
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let Some(snapshot) = self.shared.snapshot(&text_document.uri) else { return Ok(None) };
        let shared = Arc::clone(&self.shared);
        let declarations = params.context.include_declaration;
        let work = handlers::compute_while(move |wanted| {
            Some(handlers::references::references(&shared, &snapshot, position, declarations, wanted))
        });
        work.await?.unwrap_or(Ok(None))
    }

    async fn prepare_call_hierarchy(
        &self,
        params: CallHierarchyPrepareParams,
    ) -> Result<Option<Vec<CallHierarchyItem>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        let Some(snapshot) = self.shared.snapshot(&text_document.uri) else { return Ok(None) };
        let shared = Arc::clone(&self.shared);
        let work = handlers::compute_while(move |wanted| {
            Some(handlers::call_hierarchy::prepare(&shared, &snapshot, position, wanted))
        });
        work.await?.unwrap_or(Ok(None))
    }

    async fn incoming_calls(
        &self,
        params: CallHierarchyIncomingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyIncomingCall>>> {
        let shared = Arc::clone(&self.shared);
        let incoming = handlers::call_hierarchy::incoming;
        handlers::compute_while(move |wanted| incoming(&shared, &params.item, wanted)).await
    }

    async fn outgoing_calls(
        &self,
        params: CallHierarchyOutgoingCallsParams,
    ) -> Result<Option<Vec<CallHierarchyOutgoingCall>>> {
        let shared = Arc::clone(&self.shared);
        let outgoing = handlers::call_hierarchy::outgoing;
        handlers::compute_while(move |wanted| outgoing(&shared, &params.item, wanted)).await
    }

    async fn prepare_rename(
        &self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        let prepare = self.ask(&params.text_document.uri, move |shared, snapshot| {
            Some(handlers::rename::prepare(shared, snapshot, params.position))
        });
        prepare.await?.unwrap_or(Ok(None))
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        let Some(snapshot) = self.shared.snapshot(&text_document.uri) else { return Ok(None) };
        let shared = Arc::clone(&self.shared);
        let work = handlers::compute_while(move |wanted| {
            Some(handlers::rename::rename(&shared, &snapshot, position, &params.new_name, wanted))
        });
        let Some((edit, note)) = work.await?.unwrap_or(Ok(None))? else { return Ok(None) };
        if let Some(note) = note {
            self.client.show_message(MessageType::WARNING, note).await;
        }
        Ok(Some(edit))
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        self.ask(&text_document.uri, move |shared, snapshot| {
            handlers::document_highlight::highlights(shared, snapshot, position)
        })
        .await
    }

    async fn document_symbol(&self, params: DocumentSymbolParams) -> Result<Option<DocumentSymbolResponse>> {
        self.ask(&params.text_document.uri, handlers::document_symbol::symbols).await
    }

    async fn symbol(&self, params: WorkspaceSymbolParams) -> Result<Option<WorkspaceSymbolResponse>> {
        let shared = Arc::clone(&self.shared);
        let symbols = handlers::workspace_symbol::symbols;
        handlers::compute_while(move |wanted| symbols(&shared, &params.query, wanted)).await
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.ask(&params.text_document.uri, handlers::folding_range::ranges).await
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        self.ask(&text_document.uri, move |shared, snapshot| {
            handlers::signature_help::help(shared, snapshot, position)
        })
        .await
    }

    async fn document_link(&self, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        self.ask(&params.text_document.uri, handlers::document_link::links).await
    }

    async fn selection_range(&self, params: SelectionRangeParams) -> Result<Option<Vec<SelectionRange>>> {
        let Some(snapshot) = self.shared.snapshot(&params.text_document.uri) else { return Ok(None) };
        let shared = Arc::clone(&self.shared);
        handlers::compute_while(move |wanted| {
            handlers::selection_range::ranges(&shared, &snapshot, &params.positions, wanted)
        })
        .await
    }

    async fn linked_editing_range(
        &self,
        params: LinkedEditingRangeParams,
    ) -> Result<Option<LinkedEditingRanges>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position_params;
        self.ask(&text_document.uri, move |shared, snapshot| {
            handlers::linked_editing_range::ranges(shared, snapshot, position)
        })
        .await
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.ask(&params.text_document.uri, handlers::formatting::whole).await
    }

    async fn range_formatting(&self, params: DocumentRangeFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.ask(&params.text_document.uri, move |shared, snapshot| {
            handlers::formatting::range(shared, snapshot, params.range)
        })
        .await
    }

    async fn on_type_formatting(
        &self,
        params: DocumentOnTypeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        let TextDocumentPositionParams { text_document, position } = params.text_document_position;
        self.ask(&text_document.uri, move |shared, snapshot| {
            handlers::formatting::on_type(shared, snapshot, position, &params.ch)
        })
        .await
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        let uri = params.text_document.uri.clone();
        self.ask(&uri, move |shared, snapshot| handlers::code_action::actions(shared, snapshot, &params))
            .await
    }

    async fn code_action_resolve(&self, action: CodeAction) -> Result<CodeAction> {
        let Some(chosen) = handlers::code_action::Chosen::of(&action) else { return Ok(action) };
        let snapshot = self.shared.snapshot(&chosen.uri).filter(|snapshot| chosen.is_current(snapshot));
        let Some(snapshot) = snapshot else {
            return Err(error(ErrorCode::ContentModified, "the text has changed"));
        };
        let shared = Arc::clone(&self.shared);
        let resolve = move || handlers::code_action::resolve(&shared, &snapshot, action, &chosen);
        let resolved = handlers::compute(resolve).await?;
        resolved.ok_or_else(|| error(REQUEST_FAILED, "this would change what is rendered"))
    }
}
