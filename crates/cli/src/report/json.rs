//! `--format json`: one object, the same on every run.

use super::{Checked, Report};
use promptblock_core::span::Span;
use promptblock_server::convert::{Encoding, Lines};
use ropey::Rope;
use serde::Serialize;
use serde_json::Value;
use std::io::{self, Write};

#[derive(Serialize)]
struct Output<'a> {
    version: u8,
    diagnostics: Vec<Item<'a>>,
    summary: Counts,
}

#[derive(Serialize)]
struct Counts {
    files: usize,
    blocks: usize,
    errors: usize,
    warnings: usize,
    information: usize,
    hints: usize,
}

#[derive(Serialize)]
struct Item<'a> {
    path: &'a str,
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    range: Value,
    bytes: [u32; 2],
    block: Option<&'a str>,
    plugin: Option<&'a str>,
    related: Vec<RelatedItem<'a>>,
    fixes: Vec<FixItem>,
}

#[derive(Serialize)]
struct RelatedItem<'a> {
    path: &'a str,
    range: Value,
    message: &'a str,
}

#[derive(Serialize)]
struct FixItem {
    title: String,
    edits: Vec<EditItem>,
}

#[derive(Serialize)]
struct EditItem {
    path: String,
    bytes: [u32; 2],
    text: String,
}

/// The findings as an array.
pub(crate) fn diagnostics(report: &Report<'_>) -> Value {
    serde_json::to_value(items(report)).unwrap_or_default()
}

pub(super) fn print(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let s = report.summary;
    let summary = Counts {
        files: s.files,
        blocks: s.blocks,
        errors: s.errors,
        warnings: s.warnings,
        information: s.information,
        hints: s.hints,
    };
    serde_json::to_writer_pretty(&mut *out, &Output { version: 1, diagnostics: items(report), summary })?;
    writeln!(out)
}

fn items<'r>(report: &'r Report<'_>) -> Vec<Item<'r>> {
    let mut diagnostics = Vec::new();
    for file in &report.files {
        let Checked { path, locale, found, .. } = file;
        for diagnostic in &found.diagnostics {
            let related = diagnostic.related.iter().filter_map(|related| {
                let here = (path, &found.text);
                let (path, text) = match related.file {
                    Some(file) => report.related.get(&file).map(|(path, text)| (path, text))?,
                    None => here,
                };
                let message = related.message.text(*locale);
                Some(RelatedItem { path, range: place(text, related.span), message })
            });
            let fixes = report.fixes(file, diagnostic).into_iter().map(|fix| {
                let edits = fix.files.iter().flat_map(|file| {
                    let path = report.shown(&file.path);
                    file.edits.iter().map(move |edit| EditItem {
                        path: path.clone(),
                        bytes: [edit.span.start, edit.span.end],
                        text: edit.text.to_string(),
                    })
                });
                FixItem { title: fix.title.text(*locale).to_owned(), edits: edits.collect() }
            });
            diagnostics.push(Item {
                path,
                code: diagnostic.code.name(),
                severity: diagnostic.severity.name(),
                message: diagnostic.message.text(*locale),
                range: place(&found.text, diagnostic.span),
                bytes: [diagnostic.span.start, diagnostic.span.end],
                block: found.block_of(diagnostic),
                plugin: found.plugin_of(diagnostic),
                related: related.collect(),
                fixes: fixes.collect(),
            });
        }
    }
    diagnostics
}

/// Lines and UTF-16 units, from 0. A byte order mark is no character of the text.
fn place(text: &Rope, span: Span) -> Value {
    serde_json::to_value(Lines::disk(text, Encoding::Utf16).range(span)).unwrap_or_default()
}
