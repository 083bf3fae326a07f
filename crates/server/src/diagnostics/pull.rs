//! Documents that the client asks for one by one, and the word to it that it should ask again.

use super::report::{convert, fingerprint, result_id};
use super::{LEFT_TO_CLIENT, Publisher, Pulled};
use crate::dispatch::error;
use crate::state::{Buffer, Shared};
use promptblock_core::FileId;
use promptblock_workspace::FileFindings;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::*;

/// How long a client may take to say that it has heard; behind that it is told the next time all the same.
const DEAF: Duration = Duration::from_secs(10);

/// A question for one document.
pub(crate) struct Pull {
    uri: Uri,
    /// The version that the client had when it asked.
    version: Option<i32>,
    previous: Option<String>,
    answer: oneshot::Sender<Result<DocumentDiagnosticReport>>,
}

impl Pull {
    /// The question as it arrives, and where its answer will come.
    pub(crate) fn new(
        shared: &Shared,
        params: DocumentDiagnosticParams,
    ) -> (Self, oneshot::Receiver<Result<DocumentDiagnosticReport>>) {
        let (answer, receiver) = oneshot::channel();
        let uri = params.text_document.uri;
        let version = shared.buffer(&shared.path(&uri)).map(|buffer| buffer.version);
        (Self { uri, version, previous: params.previous_result_id, answer }, receiver)
    }
}

/// Answered where the text is already another: the client asks again, and shows nothing at a wrong place meanwhile. Not
/// `ContentModified`, which some clients take for "no diagnostics".
fn outdated() -> Error {
    let data = DiagnosticServerCancellationData { retrigger_request: true };
    Error {
        data: serde_json::to_value(data).ok(),
        ..error(ErrorCode::ServerError(-32802), "the document has changed")
    }
}

impl Publisher {
    pub(super) fn answer(&mut self, pull: Pull) {
        if pull.answer.is_closed() {
            return;
        }
        let shared = Arc::clone(&self.shared);
        if !self.loaded && !shared.client().refreshes_diagnostics {
            // What the folders will say could not be told to this client later.
            self.early.push(pull);
            return;
        }
        let path = shared.path(&pull.uri);
        let file = shared.workspace.file(&path);
        let findings = shared.workspace.findings(file);
        let version = findings.as_ref().and_then(|findings| findings.version);
        let current = shared.buffer(&path).map(|buffer| buffer.version);
        if current != pull.version || (findings.is_some() && version != pull.version) {
            let _ = pull.answer.send(Err(outdated()));
            return;
        }
        let items = findings.map(|findings| convert(&shared, &findings)).unwrap_or_default();
        let fingerprint = fingerprint(&items);
        let id = result_id(version, fingerprint);
        if let Some(version) = version {
            self.pulled.insert(file, Pulled { version, fingerprint });
        }
        let report = if pull.previous.as_deref() == Some(&*id) {
            DocumentDiagnosticReport::Unchanged(RelatedUnchangedDocumentDiagnosticReport {
                related_documents: None,
                unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: id },
            })
        } else {
            DocumentDiagnosticReport::Full(RelatedFullDocumentDiagnosticReport {
                related_documents: None,
                full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(id), items },
            })
        };
        let _ = pull.answer.send(Ok(report));
    }

    /// An open document of a client that pulls has perhaps other findings now.
    pub(super) fn see_open(&mut self, findings: &FileFindings, buffer: &Buffer) {
        let file = findings.file;
        self.hidden.remove(&file);
        // What was said of the file on disk is over.
        if let Some(shown) = self.shown.remove(&file)
            && shown.any
            && !self.polls
        {
            self.push_none(shown.uri);
        }
        let due = self.due.contains(&file);
        let items = convert(&self.shared, findings);
        let now = fingerprint(&items);
        // A client that has edited it asks by itself, if not for long; one that has not must hear that something else has changed it.
        if let Some(pulled) = self.pulled.get_mut(&file)
            && (pulled.version == buffer.version || due)
            && pulled.fingerprint != now
        {
            pulled.fingerprint = now;
            self.refresh.want();
        }
        if due {
            self.tell(file, &buffer.uri, findings.version, now, items);
        } else {
            self.left.entry(file).or_insert_with(|| Instant::now() + LEFT_TO_CLIENT);
        }
    }

    /// Whether the client may still be busy with its own last question for a document that it has just closed. Answers to both at
    /// once cross each other in some clients, and the older stays.
    pub(super) fn is_left_to_client(&mut self, file: FileId) -> bool {
        if !self.pulled.contains_key(&file) || self.due.contains(&file) {
            return false;
        }
        self.left.entry(file).or_insert_with(|| Instant::now() + LEFT_TO_CLIENT);
        true
    }

    /// When the next document is no longer left to the client.
    pub(super) fn next_due(&self) -> Option<Instant> {
        self.left.values().min().copied()
    }

    /// The documents that are no longer left to the client.
    pub(super) fn take_due(&mut self) {
        let now = Instant::now();
        let due = self.left.iter().filter(|(_, until)| **until <= now);
        self.due = due.map(|(file, _)| *file).collect();
        self.left.retain(|_, until| *until > now);
    }
}

/// Asks the client to ask again: once for whatever many changes, and never a second time while it has not answered.
pub(super) struct Refresh {
    /// Whether the client hears it.
    can: bool,
    client: Client,
    handle: Handle,
    wanted: bool,
    under_way: Arc<AtomicBool>,
    again: Arc<AtomicBool>,
}

impl Refresh {
    pub(super) fn new(can: bool, client: Client, handle: Handle) -> Self {
        Self { can, client, handle, wanted: false, under_way: Arc::default(), again: Arc::default() }
    }

    /// Something is other than what the client knows.
    pub(super) fn want(&mut self) {
        self.wanted = self.can;
    }

    /// Sends what is wanted.
    pub(super) fn send(&mut self) {
        if !std::mem::take(&mut self.wanted) {
            return;
        }
        self.again.store(true, Ordering::SeqCst);
        if self.under_way.swap(true, Ordering::SeqCst) {
            return;
        }
        let (client, under_way, again) =
            (self.client.clone(), Arc::clone(&self.under_way), Arc::clone(&self.again));
        self.handle.spawn(async move {
            loop {
                while again.swap(false, Ordering::SeqCst) {
                    match tokio::time::timeout(DEAF, client.workspace_diagnostic_refresh()).await {
                        Ok(Err(error)) => tracing::debug!("the client does not ask again: {error}"),
                        Ok(Ok(())) => {}
                        Err(_) => tracing::debug!("the client does not say whether it asks again"),
                    }
                }
                under_way.store(false, Ordering::SeqCst);
                // Wanted between the last look and the word that nobody looks any more.
                if !again.load(Ordering::SeqCst) || under_way.swap(true, Ordering::SeqCst) {
                    return;
                }
            }
        });
    }
}
