//! What a check found, and the forms it is printed in.

mod github;
mod json;
mod sarif;
mod text;

use clap::ValueEnum;
use promptblock_core::syntax::Document;
use promptblock_core::{FileId, Locale, Severity};
use promptblock_workspace::FileFindings;
use ropey::Rope;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// A form of output.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Source excerpts for people.
    Text,
    /// One JSON object.
    Json,
    /// A SARIF 2.1.0 log.
    Sarif,
    /// Workflow commands of GitHub Actions.
    Github,
}

/// How much was found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Summary {
    pub(crate) files: usize,
    pub(crate) blocks: usize,
    pub(crate) errors: usize,
    pub(crate) warnings: usize,
    pub(crate) information: usize,
    pub(crate) hints: usize,
}

impl Summary {
    /// The count of one severity.
    pub(crate) fn count(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Information => &mut self.information,
            Severity::Hint => &mut self.hints,
        }
    }
}

/// Every file that was checked, in order, with all that printing needs.
pub(crate) struct Report {
    /// Printed path, language, findings, and the block for its fixes.
    pub(crate) files: Vec<(String, Locale, FileFindings, Option<Document>)>,
    /// Printed path and text of files that findings of others speak of.
    pub(crate) related: BTreeMap<FileId, (String, Rope)>,
    pub(crate) summary: Summary,
}

impl Format {
    /// Prints a report.
    pub(crate) fn print(self, report: &Report, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Text => text::print(report, out),
            Self::Json => json::print(report, out),
            Self::Sarif => sarif::print(report, out),
            Self::Github => github::print(report, out),
        }
    }
}
