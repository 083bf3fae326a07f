//! What a check found, and the forms it is printed in.

mod github;
pub(crate) mod json;
mod sarif;
mod text;

use camino::Utf8Path;
use clap::ValueEnum;
use promptblock_core::{Diagnostic, FileId, Locale, Message, Severity};
use promptblock_workspace::{FileFindings, Fix, Fixes, Snapshot};
use ropey::Rope;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};

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

/// When to print in colour.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless `NO_COLOR` is set; elsewhere if `CLICOLOR_FORCE` is.
    Auto,
    Always,
    Never,
}

impl Color {
    /// Whether standard output gets colours.
    fn is_on(self) -> bool {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        match self {
            Self::Always => true,
            Self::Never => false,
            // https://no-color.org, then https://bixense.com/clicolors
            Self::Auto if set("NO_COLOR").is_some() => false,
            Self::Auto if set("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            Self::Auto => io::stdout().is_terminal() && set("TERM").is_none_or(|term| term != "dumb"),
        }
    }
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

/// A file that was checked.
pub(crate) struct Checked {
    /// Printed path.
    pub(crate) path: String,
    pub(crate) locale: Locale,
    pub(crate) found: FileFindings,
    /// For its fixes; none where there is nothing to fix.
    pub(crate) snapshot: Option<Snapshot>,
}

/// Every file that was checked, in order, with all that printing needs.
pub(crate) struct Report<'w> {
    pub(crate) files: Vec<Checked>,
    /// Printed path and text of files that findings of others speak of.
    pub(crate) related: BTreeMap<FileId, (String, Rope)>,
    pub(crate) summary: Summary,
    pub(crate) fixes: Fixes<'w>,
    /// The working directory.
    pub(crate) here: &'w Utf8Path,
    /// Printed paths of what could not be read, with the reason.
    pub(crate) unreadable: &'w [(String, Message)],
    /// Everything asked for could be read, and written.
    pub(crate) complete: bool,
}

impl Report<'_> {
    /// The ways out of a finding of a file, the best first.
    fn fixes(&self, file: &Checked, finding: &Diagnostic) -> Vec<Fix> {
        file.snapshot.as_ref().map(|snapshot| self.fixes.of(snapshot, finding)).unwrap_or_default()
    }

    /// As of a revision's files: its name stands before their paths, and nothing offers to change what is past.
    pub(crate) fn of_revision(mut self, name: &str) -> Self {
        let named = |path: &mut String| path.insert_str(0, &format!("{name}:"));
        for file in &mut self.files {
            named(&mut file.path);
            file.snapshot = None;
        }
        for (path, _) in self.related.values_mut() {
            named(path);
        }
        self
    }

    /// The path as printed.
    fn shown(&self, path: &Utf8Path) -> String {
        crate::named::relative(path, self.here)
    }
}

impl Format {
    /// Prints a report; colour is for people.
    pub(crate) fn print(self, report: &Report<'_>, color: Color, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Text => text::print(report, color.is_on(), out),
            Self::Json => json::print(report, out),
            Self::Sarif => sarif::print(report, out),
            Self::Github => github::print(report, out),
        }
    }
}
