//! `--format sarif`: SARIF 2.1.0, which code scanning services and editors read.

use super::{Checked, Report};
use crate::surroundings;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use promptblock_core::span::Span;
use promptblock_core::{Code, Diagnostic, Locale, Severity};
use promptblock_server::convert::{Encoding, Lines};
use promptblock_workspace::{FileFindings, Fix};
use ropey::Rope;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::io::{self, Write};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// What relative paths begin at.
const BASE: &str = "%SRCROOT%";
/// Counted up whenever what goes into the hash changes, so that old and new ones are never compared.
const FINGERPRINT: &str = "promptblockFinding/v1";
/// The one kind of trouble that a run can have besides its findings.
const UNREADABLE: &str = "unreadable-file";
/// Unreserved characters and `/` stay. A `:` in the first part of a relative path would read as a scheme.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

pub(super) fn print(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    // One run has one language; the projects of a run rarely differ.
    let locale = report.files.first().map_or_else(surroundings::of_system, |file| file.locale);
    let mut results = Vec::new();
    for file in &report.files {
        let Checked { path, locale, found, .. } = file;
        let mut fingerprints = Fingerprints::default();
        for diagnostic in &found.diagnostics {
            let fixes = report.fixes(file, diagnostic);
            let fixes: Vec<_> = fixes.iter().map(|fix| fix_object(report, fix, *locale)).collect();
            let fingerprint = fingerprints.of(path, found, diagnostic);
            let related = related(report, path, &found.text, diagnostic, *locale);
            let mut result = json!({
                "ruleId": diagnostic.code.name(),
                "ruleIndex": Code::ALL.iter().position(|code| *code == diagnostic.code),
                "level": level(diagnostic.severity),
                // Braces are not doubled: readers replace nothing where there are no arguments, and show the text as it is.
                "message": {"text": diagnostic.message.text(*locale)},
                "locations": [{"physicalLocation": physical(path, &found.text, diagnostic.span)}],
                "partialFingerprints": {FINGERPRINT: fingerprint},
                "properties": {
                    "severity": diagnostic.severity.name(),
                    "block": found.block_of(diagnostic),
                    "plugin": found.plugin_of(diagnostic),
                },
            });
            for (key, list) in [("relatedLocations", related), ("fixes", fixes)] {
                if !list.is_empty() {
                    result[key] = Value::Array(list);
                }
            }
            results.push(result);
        }
    }
    let driver = json!({
        "name": "promptblock",
        "semanticVersion": env!("CARGO_PKG_VERSION"),
        "informationUri": env!("CARGO_PKG_REPOSITORY"),
        "notifications": [{
            "id": UNREADABLE,
            "shortDescription": {"text": match locale {
                Locale::En => "A file cannot be read, so nothing is said of it.",
                Locale::ZhCn => "文件无法读取，因此没有检查。",
            }},
        }],
        "rules": Code::ALL.iter().map(|code| rule(*code, locale)).collect::<Vec<_>>(),
    });
    let (language, base) = match locale {
        Locale::En => ("en", "The folder that `promptblock check` was run in."),
        Locale::ZhCn => ("zh-CN", "运行 `promptblock check` 的文件夹。"),
    };
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": driver},
            "language": language,
            "columnKind": "utf16CodeUnits",
            "originalUriBaseIds": {BASE: {"description": {"text": base}}},
            "invocations": [invocation(report, locale)],
            "results": results,
        }],
    });
    serde_json::to_writer_pretty(&mut *out, &log)?;
    writeln!(out)
}

/// How the run went: what could not be read is no finding, and is not to be taken for a clean file either.
fn invocation(report: &Report<'_>, locale: Locale) -> Value {
    let notifications = report.unreadable.iter().map(|(path, why)| {
        json!({
            "descriptor": {"id": UNREADABLE, "index": 0},
            "level": "error",
            "message": {"text": why.text(locale)},
            "locations": [{"physicalLocation": {"artifactLocation": artifact(path)}}],
        })
    });
    let notifications: Vec<_> = notifications.collect();
    let mut invocation = json!({"executionSuccessful": report.complete});
    if !notifications.is_empty() {
        invocation["toolExecutionNotifications"] = Value::Array(notifications);
    }
    invocation
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Information | Severity::Hint => "note",
    }
}

fn rule(code: Code, locale: Locale) -> Value {
    let page = code.page(locale);
    json!({
        "id": code.name(),
        "shortDescription": {"text": code.headline(locale)},
        "fullDescription": {"text": code.summary(locale)},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": level(code.severity())},
    })
}

fn related(
    report: &Report<'_>,
    path: &str,
    text: &Rope,
    diagnostic: &Diagnostic,
    locale: Locale,
) -> Vec<Value> {
    let places = diagnostic.related.iter().filter_map(|related| {
        let (path, text) = match related.file {
            Some(file) => report.related.get(&file).map(|(path, text)| (path.as_str(), text))?,
            None => (path, text),
        };
        let message = json!({"text": related.message.text(locale)});
        Some(json!({"physicalLocation": physical(path, text, related.span), "message": message}))
    });
    places.collect()
}

fn fix_object(report: &Report<'_>, fix: &Fix, locale: Locale) -> Value {
    let changes = fix.files.iter().map(|file| {
        let replacements = file.edits.iter().map(|edit| {
            json!({"deletedRegion": region(&file.text, edit.span), "insertedContent": {"text": &*edit.text}})
        });
        json!({
            "artifactLocation": artifact(&report.shown(&file.path)),
            "replacements": replacements.collect::<Vec<_>>(),
        })
    });
    json!({"description": {"text": fix.title.text(locale)}, "artifactChanges": changes.collect::<Vec<_>>()})
}

fn physical(path: &str, text: &Rope, span: Span) -> Value {
    json!({"artifactLocation": artifact(path), "region": region(text, span)})
}

/// Where on the disk the base lies is nobody else's affair. What lies above it has none.
fn artifact(path: &str) -> Value {
    let uri = utf8_percent_encode(path, ENCODED).to_string();
    match path.starts_with("../") || path.starts_with('/') {
        true => json!({"uri": uri}),
        false => json!({"uri": uri, "uriBaseId": BASE}),
    }
}

/// Lines and UTF-16 units, from 1; the end is behind the last unit. A byte order mark is no character of the text.
fn region(text: &Rope, span: Span) -> Value {
    let range = Lines::disk(text, Encoding::Utf16).range(span);
    json!({
        "startLine": range.start.line + 1,
        "startColumn": range.start.character + 1,
        "endLine": range.end.line + 1,
        "endColumn": range.end.character + 1,
    })
}

/// Tells the findings of one file apart, whatever lines are put in above them.
#[derive(Default)]
struct Fingerprints {
    /// Of a code in a line of the file. A line may be long and have many findings.
    hashes: HashMap<(Code, usize), String>,
    /// How often each was given.
    given: HashMap<String, usize>,
}

impl Fingerprints {
    fn of(&mut self, path: &str, found: &FileFindings, diagnostic: &Diagnostic) -> String {
        let start = (diagnostic.span.start as usize).min(found.text.len_bytes());
        let (code, line) = (diagnostic.code, found.text.byte_to_line(start));
        let hash = self.hashes.entry((code, line)).or_insert_with(|| {
            let line = found.text.line(line).to_string();
            // A file that is no block, or has no id yet, has nothing but its path to be known by.
            let owner = found.block_of(diagnostic).unwrap_or(path);
            let line = line.trim_start_matches('\u{feff}').trim();
            let hash = Sha256::digest(format!("{}\0{owner}\0{line}", code.name()));
            hash.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
        });
        // The same mistake twice in equal lines.
        let number = self.given.entry(hash.clone()).or_default();
        *number += 1;
        format!("{hash}:{number}")
    }
}
