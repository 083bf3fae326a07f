//! The question for the whole workspace: answered when there is something to say, and left open as long as there is not.
//!
//! A client that takes partial results gets each change at once and its question stays open; any other gets an answer with the
//! next change and asks again.

use super::Publisher;
use super::report::{convert, fingerprint, is_of_buffer, result_id};
use crate::state::Shared;
use promptblock_core::FileId;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::*;

/// So many files are told in one partial result.
const CHUNK: usize = 100;

type Answer = oneshot::Sender<Result<WorkspaceDiagnosticReport>>;

/// A question for the workspace.
pub(crate) struct Poll {
    token: Option<ProgressToken>,
    previous: Vec<PreviousResultId>,
    answer: Answer,
}

impl Poll {
    /// The question as it arrives, and where its answer will come.
    pub(crate) fn new(
        params: WorkspaceDiagnosticParams,
    ) -> (Self, oneshot::Receiver<Result<WorkspaceDiagnosticReport>>) {
        let (answer, receiver) = oneshot::channel();
        let token = params.partial_result_params.partial_result_token;
        (Self { token, previous: params.previous_result_ids, answer }, receiver)
    }
}

/// A question that is not answered to its end.
pub(super) struct Polled {
    token: Option<ProgressToken>,
    answer: Answer,
    /// What the client knows: the last id of each file.
    told: HashMap<FileId, (Uri, String)>,
    /// What it is to be told next.
    news: BTreeMap<FileId, WorkspaceDocumentDiagnosticReport>,
    /// Whether what it knew has been looked at.
    begun: bool,
    /// Whether nothing has been said yet.
    silent: bool,
    /// Whether it is answered without news too: a client that asks for the first time must not take silence for a fault.
    at_once: bool,
}

impl Publisher {
    /// A new question takes the place of an older one.
    pub(super) fn take_poll(&mut self, poll: Poll) {
        if poll.answer.is_closed() {
            return;
        }
        self.end_poll();
        let first = !std::mem::replace(&mut self.polls, true);
        if first {
            // From here on the client gets in the answers what was pushed to it before.
            let pushed = self.shown.values().filter(|shown| !shown.open && shown.any);
            for uri in pushed.map(|shown| shown.uri.clone()).collect::<Vec<_>>() {
                self.push_none(uri);
            }
        }
        let at_once = first && poll.token.is_none() && poll.previous.is_empty();
        let known = |previous: PreviousResultId| {
            let file = self.shared.workspace.file(&self.shared.path(&previous.uri));
            (file, (previous.uri, previous.value))
        };
        let told = poll.previous.into_iter().map(known).collect();
        let (token, answer) = (poll.token, poll.answer);
        let news = BTreeMap::new();
        self.polled = Some(Polled { token, answer, told, news, begun: false, silent: true, at_once });
    }

    /// Compares what the client knows with what holds. Not before the folders are read: half the truth would come and go.
    pub(super) fn begin_poll(&mut self) {
        let shared = Arc::clone(&self.shared);
        let loaded = self.loaded;
        let Some(polled) = self.polled.as_mut().filter(|polled| !polled.begun && loaded) else { return };
        polled.begun = true;
        let holds = self.shown.iter().filter(|(_, shown)| !shown.open && shown.any);
        let holds: BTreeMap<FileId, String> =
            holds.map(|(file, shown)| (*file, result_id(None, shown.fingerprint))).collect();
        let known = |file: &FileId, id: &String| polled.told.get(file).is_some_and(|(_, known)| known == id);
        let mut other: BTreeSet<FileId> =
            holds.iter().filter(|(file, id)| !known(file, id)).map(|(file, _)| *file).collect();
        let open = open_documents(&shared);
        let gone: Vec<(FileId, Uri)> = polled
            .told
            .iter()
            .filter(|(file, _)| !holds.contains_key(file) && !open.contains(file))
            .map(|(file, (uri, _))| (*file, uri.clone()))
            .collect();
        other.extend(open);
        for file in other {
            let Some(findings) = shared.workspace.findings(file) else { continue };
            let buffer = shared.buffer(&findings.path);
            if buffer.as_ref().map(|buffer| buffer.version) != findings.version {
                continue;
            }
            let Some(uri) = shared.uri(&findings.path) else { continue };
            let items = convert(&shared, &findings);
            let now = fingerprint(&items);
            if let Some(shown) = self.shown.get_mut(&file) {
                shown.fingerprint = now;
            }
            self.tell(file, &uri, findings.version, now, items);
        }
        for (file, uri) in gone {
            self.tell(file, &uri, None, fingerprint(&[]), Vec::new());
        }
    }

    /// Notes what a file has now, where the client does not know it yet.
    pub(super) fn tell(
        &mut self,
        file: FileId,
        uri: &Uri,
        version: Option<i32>,
        fingerprint: u64,
        items: Vec<Diagnostic>,
    ) {
        let Some(polled) = self.polled.as_mut().filter(|polled| polled.begun) else { return };
        let id = result_id(version, fingerprint);
        match polled.told.get(&file) {
            None if items.is_empty() => return,
            Some((_, known)) if *known == id => return,
            _ => {}
        }
        polled.told.insert(file, (uri.clone(), id.clone()));
        let report = WorkspaceFullDocumentDiagnosticReport {
            uri: uri.clone(),
            version: version.map(i64::from),
            full_document_diagnostic_report: FullDocumentDiagnosticReport { result_id: Some(id), items },
        };
        polled.news.insert(file, WorkspaceDocumentDiagnosticReport::Full(report));
    }

    /// A file is no longer spoken of.
    pub(super) fn tell_gone(&mut self, file: FileId) {
        let told = self.polled.as_ref().and_then(|polled| polled.told.get(&file));
        if let Some(uri) = told.map(|(uri, _)| uri.clone()) {
            self.tell(file, &uri, None, fingerprint(&[]), Vec::new());
        }
    }

    /// Says what there is to say.
    pub(super) fn answer_poll(&mut self) {
        let Some(polled) = &mut self.polled else { return };
        if polled.answer.is_closed() {
            self.polled = None;
            return;
        }
        if !polled.begun || (polled.news.is_empty() && !polled.at_once && !polled.silent) {
            return;
        }
        let silent = std::mem::replace(&mut polled.silent, false);
        let mut items: Vec<_> = Vec::new();
        // Once to each question: what is as the client knows it.
        if (silent && polled.token.is_some()) || !polled.news.is_empty() && polled.token.is_none() {
            let same = polled.told.iter().filter(|(file, _)| !polled.news.contains_key(file));
            items.extend(same.filter_map(|(file, (uri, id))| unchanged(&self.shared, *file, uri, id)));
        }
        items.extend(std::mem::take(&mut polled.news).into_values());
        match &polled.token {
            Some(token) => {
                for items in items.chunks(CHUNK) {
                    self.shared.outbox.send(&serde_json::json!({
                        "jsonrpc": "2.0",
                        "method": "$/progress",
                        "params": {"token": token, "value": {"items": items}},
                    }));
                }
            }
            None if items.is_empty() && !polled.at_once => {}
            None => {
                if let Some(polled) = self.polled.take() {
                    let _ = polled.answer.send(Ok(WorkspaceDiagnosticReport { items }));
                }
            }
        }
    }

    /// Answers what is open with what there is to say, and be it nothing.
    pub(super) fn end_poll(&mut self) {
        if let Some(polled) = self.polled.take() {
            let items = polled.news.into_values().collect();
            let _ = polled.answer.send(Ok(WorkspaceDiagnosticReport { items }));
        }
    }
}

/// The open documents, for a client to which they are not pushed.
fn open_documents(shared: &Shared) -> BTreeSet<FileId> {
    if !shared.client().pulls {
        return BTreeSet::new();
    }
    shared.buffers.iter().map(|buffer| shared.workspace.file(buffer.key())).collect()
}

/// That a file is as the client knows it; `None` where it is not. An open one that has just become another is left to the client for
/// a while, and nothing is said of it meanwhile.
fn unchanged(
    shared: &Shared,
    file: FileId,
    uri: &Uri,
    id: &str,
) -> Option<WorkspaceDocumentDiagnosticReport> {
    let buffer = shared.buffer(&shared.workspace.path(file));
    let version = match buffer {
        Some(buffer) => {
            let findings = shared.workspace.findings(file)?;
            let holds = result_id(findings.version, fingerprint(&convert(shared, &findings)));
            if findings.version != Some(buffer.version) || holds != id {
                return None;
            }
            Some(i64::from(buffer.version))
        }
        // An id of a buffer that has just been closed.
        None if is_of_buffer(id) => return None,
        None => None,
    };
    Some(WorkspaceDocumentDiagnosticReport::Unchanged(WorkspaceUnchangedDocumentDiagnosticReport {
        uri: uri.clone(),
        version,
        unchanged_document_diagnostic_report: UnchangedDocumentDiagnosticReport { result_id: id.to_owned() },
    }))
}
