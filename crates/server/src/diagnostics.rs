//! Judges and publishes, on a thread of its own: the newest state only, without a fixed delay, never for a text that is no
//! longer current, and cleared for what went away.

use crate::dispatch::panic_text;
use crate::settings::Scope;
use crate::state::Shared;
use crate::wake::Work;
use promptblock_core::lint::Fade;
use promptblock_core::{Diagnostic, FileId, Locale, Related, Severity};
use promptblock_workspace::FileFindings;
use std::collections::{BTreeSet, HashMap};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use tower_lsp::ls_types::notification::PublishDiagnostics;
use tower_lsp::ls_types::{
    Diagnostic as LspDiagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, PublishDiagnosticsParams, Uri,
};

/// So many files that are not open may show findings; an editor's list of problems is of no use beyond.
const CLOSED_FILES: usize = 1000;

/// Starts the thread. It ends when the server does.
pub(crate) fn start(shared: Arc<Shared>) {
    let run = move || {
        let mut publisher =
            Publisher { shared: Arc::clone(&shared), shown: HashMap::new(), hidden: BTreeSet::new() };
        while let Some(work) = shared.wake.wait() {
            shared.outbox.wait_for_room();
            // A fault in one rule must not silence all others for the rest of the day.
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| publisher.publish_changes(work))) {
                tracing::error!("judging panicked: {}", panic_text(&*panic));
            }
        }
    };
    if let Err(error) = std::thread::Builder::new().name("diagnostics".to_owned()).spawn(run) {
        tracing::error!("cannot start the thread of the diagnostics: {error}");
    }
}

struct Publisher {
    shared: Arc<Shared>,
    /// What the client was last told, of files with findings and of open files.
    shown: HashMap<FileId, Shown>,
    /// Closed files with findings beyond the limit.
    hidden: BTreeSet<FileId>,
}

struct Shown {
    uri: Uri,
    open: bool,
    /// Whether there was anything to show.
    any: bool,
}

impl Publisher {
    fn publish_changes(&mut self, work: Work) {
        let mut files = self.shared.workspace.refresh();
        files.extend(work.files);
        let mut done = BTreeSet::new();
        for file in files {
            if done.insert(file) {
                self.publish(file);
            }
        }
        if work.all {
            let shown: Vec<FileId> = self.shown.keys().copied().collect();
            for findings in self.shared.workspace.all_findings() {
                if done.insert(findings.file) {
                    self.publish_found(&findings);
                }
            }
            for file in shown {
                if done.insert(file) {
                    self.publish(file);
                }
            }
        }
        self.show_hidden();
    }

    fn publish(&mut self, file: FileId) {
        match self.shared.workspace.findings(file) {
            Some(findings) => self.publish_found(&findings),
            None => self.clear(file),
        }
    }

    fn publish_found(&mut self, findings: &FileFindings) {
        let file = findings.file;
        let shared = Arc::clone(&self.shared);
        let buffer = shared.buffer(&findings.path);
        match (&buffer, findings.version) {
            // Already another text; the next round speaks of it.
            (Some(buffer), Some(version)) if buffer.version != version => return,
            // Opened or closed this moment; the next round knows.
            (Some(_), None) | (None, Some(_)) => return,
            _ => {}
        }
        let open = buffer.is_some();
        let wanted = open || shared.settings().scope == Scope::Workspace;
        if !wanted || (findings.diagnostics.is_empty() && !open) {
            self.clear(file);
            return;
        }
        let is_new = self.shown.get(&file).is_none_or(|shown| shown.open || !shown.any);
        if !open && is_new && self.closed_shown() >= CLOSED_FILES {
            self.clear(file);
            if self.hidden.insert(file) && self.hidden.len() == 1 {
                tracing::warn!(
                    "over {CLOSED_FILES} files have findings; the rest is shown when it is opened"
                );
            }
            return;
        }
        let uri = match buffer {
            Some(buffer) => Some(buffer.uri),
            None => crate::uri::from_path(&findings.path),
        };
        let Some(uri) = uri else { return };
        self.hidden.remove(&file);
        if self.shown.get(&file).is_some_and(|shown| shown.uri != uri) {
            // The client spelled it otherwise, and would show both.
            self.clear(file);
        }
        let diagnostics = self.convert(findings);
        let any = !diagnostics.is_empty();
        let params = PublishDiagnosticsParams::new(uri.clone(), diagnostics, findings.version);
        shared.outbox.notify::<PublishDiagnostics>(&params);
        self.shown.insert(file, Shown { uri, open, any });
    }

    fn closed_shown(&self) -> usize {
        self.shown.values().filter(|shown| !shown.open && shown.any).count()
    }

    fn clear(&mut self, file: FileId) {
        self.hidden.remove(&file);
        if let Some(Shown { uri, any: true, .. }) = self.shown.remove(&file) {
            self.shared.outbox.notify::<PublishDiagnostics>(&PublishDiagnosticsParams::new(
                uri,
                Vec::new(),
                None,
            ));
        }
    }

    /// Shows files beyond the limit, where others have become sound.
    fn show_hidden(&mut self) {
        let room = CLOSED_FILES.saturating_sub(if self.hidden.is_empty() {
            CLOSED_FILES
        } else {
            self.closed_shown()
        });
        let next: Vec<FileId> = self.hidden.iter().copied().take(room).collect();
        for file in next {
            self.hidden.remove(&file);
            self.publish(file);
        }
    }

    fn convert(&self, findings: &FileFindings) -> Vec<LspDiagnostic> {
        let shared = &self.shared;
        let locale = shared.locale(&shared.workspace.project_view(&findings.path));
        let lines = shared.lines(&findings.text, findings.version);
        let client = shared.client();
        let block = client.diagnostic_data.then(|| {
            let (id, plugin) = (findings.block.as_deref(), findings.plugin.as_deref());
            serde_json::json!({"block": id, "plugin": plugin})
        });
        let mut cursor = lines.cursor();
        let convert = |finding: &Diagnostic| {
            let start = cursor.position(finding.span.start);
            let end = lines.position(finding.span.end.max(finding.span.start));
            let fades = finding.code.fade() == Fade::Unnecessary && client.unnecessary_tag;
            LspDiagnostic {
                range: tower_lsp::ls_types::Range::new(start, end),
                severity: Some(severity(finding.severity)),
                code: Some(NumberOrString::String(finding.code.name().to_owned())),
                source: Some("promptblock".to_owned()),
                message: finding.message.text(locale).to_owned(),
                tags: fades.then(|| vec![DiagnosticTag::UNNECESSARY]),
                related_information: self.related(findings, finding, locale),
                data: block.clone().filter(|_| findings.block.is_some()),
                ..LspDiagnostic::default()
            }
        };
        findings.diagnostics.iter().map(convert).collect()
    }

    fn related(
        &self,
        findings: &FileFindings,
        finding: &Diagnostic,
        locale: Locale,
    ) -> Option<Vec<DiagnosticRelatedInformation>> {
        if finding.related.is_empty() || !self.shared.client().related_information {
            return None;
        }
        let place = |related: &Related| {
            let message = related.message.text(locale).to_owned();
            let other = related.file.filter(|file| *file != findings.file);
            let (uri, range) = match other {
                None => {
                    let range = self.shared.lines(&findings.text, findings.version).range(related.span);
                    (self.shared.uri(&findings.path)?, range)
                }
                Some(file) => {
                    let (path, text, version) = self.shared.text(file);
                    (self.shared.uri(&path)?, self.shared.lines(&text, version).range(related.span))
                }
            };
            Some(DiagnosticRelatedInformation { location: Location::new(uri, range), message })
        };
        Some(finding.related.iter().filter_map(place).collect())
    }
}

const fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Information => DiagnosticSeverity::INFORMATION,
        Severity::Hint => DiagnosticSeverity::HINT,
    }
}
