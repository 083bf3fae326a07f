//! From findings to the protocol's diagnostics: the one place, for what is pushed and for what is pulled.

use crate::state::Shared;
use promptblock_core::lint::Fade;
use promptblock_core::{Diagnostic, Locale, Related, Severity};
use promptblock_workspace::FileFindings;
use std::hash::Hasher;
use tower_lsp::ls_types::{
    Diagnostic as LspDiagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Range,
};

/// The diagnostics of a file as the client takes them.
pub(crate) fn convert(shared: &Shared, findings: &FileFindings) -> Vec<LspDiagnostic> {
    let locale = shared.locale(&shared.workspace.project_view(&findings.path));
    let lines = shared.lines(&findings.text, findings.version);
    let client = shared.client();
    let block = |finding: &Diagnostic| {
        let (id, plugin) = (findings.block_of(finding), findings.plugin_of(finding));
        id.filter(|_| client.diagnostic_data).map(|id| serde_json::json!({"block": id, "plugin": plugin}))
    };
    let mut cursor = lines.cursor();
    let convert = |finding: &Diagnostic| {
        let start = cursor.position(finding.span.start);
        let end = lines.position(finding.span.end.max(finding.span.start));
        let fades = finding.code.fade() == Fade::Unnecessary && client.unnecessary_tag;
        LspDiagnostic {
            range: Range::new(start, end),
            severity: Some(severity(finding.severity)),
            code: Some(NumberOrString::String(finding.code.name().to_owned())),
            source: Some("promptblock".to_owned()),
            message: finding.message.text(locale).to_owned(),
            tags: fades.then(|| vec![DiagnosticTag::UNNECESSARY]),
            related_information: related(shared, findings, finding, locale),
            data: block(finding),
            ..LspDiagnostic::default()
        }
    };
    findings.diagnostics.iter().map(convert).collect()
}

fn related(
    shared: &Shared,
    findings: &FileFindings,
    finding: &Diagnostic,
    locale: Locale,
) -> Option<Vec<DiagnosticRelatedInformation>> {
    if finding.related.is_empty() || !shared.client().related_information {
        return None;
    }
    let place = |related: &Related| {
        let message = related.message.text(locale).to_owned();
        let other = related.file.filter(|file| *file != findings.file);
        let (uri, range) = match other {
            None => {
                let range = shared.lines(&findings.text, findings.version).range(related.span);
                (shared.uri(&findings.path)?, range)
            }
            Some(file) => {
                let (path, text, version) = shared.text(file);
                (shared.uri(&path)?, shared.lines(&text, version).range(related.span))
            }
        };
        Some(DiagnosticRelatedInformation { location: Location::new(uri, range), message })
    };
    Some(finding.related.iter().filter_map(place).collect())
}

const fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Information => DiagnosticSeverity::INFORMATION,
        Severity::Hint => DiagnosticSeverity::HINT,
    }
}

/// What a set of diagnostics is known by. The same for the same diagnostics, so that nobody has to remember who was told what.
pub(super) fn fingerprint(diagnostics: &[LspDiagnostic]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(&serde_json::to_vec(diagnostics).unwrap_or_default());
    hasher.finish()
}

/// The id of a result: of a buffer's only together with its version. An editor moves what it shows along with an edit; told
/// "unchanged" behind an edit and its taking back, it would keep the wrong places.
pub(super) fn result_id(version: Option<i32>, fingerprint: u64) -> String {
    match version {
        Some(version) => format!("{version}:{fingerprint:016x}"),
        None => format!("{fingerprint:016x}"),
    }
}

/// Whether an id is of a buffer's result.
pub(super) fn is_of_buffer(id: &str) -> bool {
    id.contains(':')
}
