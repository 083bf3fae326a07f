//! `--format github`: workflow commands, which a GitHub runner turns into annotations of the lines.

use super::{Checked, Report};
use promptblock_core::Severity;
use promptblock_server::convert::{Encoding, Lines};
use std::io::{self, Write};

pub(super) fn print(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for Checked { path, locale, found, .. } in &report.files {
        let lines = Lines::disk(&found.text, Encoding::Utf16);
        for diagnostic in &found.diagnostics {
            let command = match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Information | Severity::Hint => "notice",
            };
            let range = lines.range(diagnostic.span);
            let (start, end) = (range.start, range.end);
            write!(out, "::{command} file={},line={}", property(path), start.line + 1)?;
            // The runner takes columns within one line only.
            if start.line == end.line {
                let (from, to) = (start.character + 1, end.character + 1);
                write!(out, ",col={from},endLine={},endColumn={to}", end.line + 1)?;
            } else {
                write!(out, ",endLine={}", end.line + 1)?;
            }
            let title = property(diagnostic.code.name());
            writeln!(out, ",title={title}::{}", data(diagnostic.message.text(*locale)))?;
        }
    }
    Ok(())
}

/// What stands behind `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The value of a property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
