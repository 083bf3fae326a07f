//! `--format text`: an excerpt, a caret, the second place, a way out.

use super::{Checked, Report, Summary};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use promptblock_core::span::Span;
use promptblock_core::{Diagnostic, Locale, Severity};
use ropey::Rope;
use std::io::{self, IsTerminal, Write};

/// So many bytes around a place are enough to show its line; a line of a megabyte is not printed.
const WINDOW: usize = 200;

pub(super) fn print(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let colour =
        std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut last = crate::surroundings::of_system();
    for file in &report.files {
        let Checked { path, locale, found, .. } = file;
        last = *locale;
        for diagnostic in &found.diagnostics {
            let (text, line, span) = excerpt(&found.text, diagnostic.span);
            let here = Snippet::source(text)
                .path(path.as_str())
                .line_start(line)
                .annotation(AnnotationKind::Primary.span(span));
            let title = level(diagnostic.severity)
                .primary_title(diagnostic.message.text(*locale))
                .id(diagnostic.code.name());
            let mut groups = vec![title.element(here)];
            groups.extend(related(report, diagnostic, path, &found.text, *locale));
            if let Some(fix) = report.fixes(file, diagnostic).first() {
                groups
                    .push(Group::with_title(Level::HELP.secondary_title(fix.title.text(*locale).to_owned())));
            }
            writeln!(out, "{}\n", renderer.render(&groups))?;
        }
    }
    writeln!(out, "{}", summary(report.summary, last))
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Information => Level::INFO,
        Severity::Hint => Level::NOTE.with_name("hint"),
    }
}

fn related<'a>(
    report: &'a Report<'_>,
    diagnostic: &'a Diagnostic,
    path: &'a str,
    text: &Rope,
    locale: Locale,
) -> Vec<Group<'a>> {
    let groups = diagnostic.related.iter().filter_map(|related| {
        let (path, text) = match related.file {
            Some(file) => report.related.get(&file).map(|(path, text)| (path.as_str(), text))?,
            None => (path, text),
        };
        let (source, line, span) = excerpt(text, related.span);
        let place = Snippet::source(source).path(path).line_start(line);
        let place = place.annotation(AnnotationKind::Context.span(span));
        Some(Level::NOTE.secondary_title(related.message.text(locale).to_owned()).element(place))
    });
    groups.collect()
}

/// The lines of a place, where it begins, and the place within them. A byte order mark is left out.
fn excerpt(text: &Rope, span: Span) -> (String, usize, std::ops::Range<usize>) {
    let len = text.len_bytes();
    let (start, end) = (span.range().start.min(len), span.range().end.min(len));
    let first_line = text.byte_to_line(start);
    let last_line = text.byte_to_line(end.max(start + usize::from(end > start)) - usize::from(end > start));
    let line_start = text.line_to_byte(first_line);
    let line_end = text.line_to_byte((last_line + 1).min(text.len_lines()));
    let floor = |at: usize| text.char_to_byte(text.byte_to_char(at.min(len)));
    let mut from = line_start.max(floor(start.saturating_sub(WINDOW)));
    if from == 0 && text.get_char(0) == Some('\u{feff}') {
        from = '\u{feff}'.len_utf8().min(start);
    }
    let to = line_end.min(floor(start + 2 * WINDOW));
    let slice = text.get_byte_slice(from..to.max(from)).map(|slice| slice.to_string()).unwrap_or_default();
    let shown = slice.trim_end_matches(['\n', '\r']).replace('\r', " ");
    let at = |offset: usize| offset.saturating_sub(from).min(shown.len());
    let range = at(start)..at(end);
    (shown, first_line + 1, range)
}

fn summary(s: Summary, locale: Locale) -> String {
    match locale {
        Locale::En => {
            let of = |n: usize, one: &str| format!("{n} {one}{}", if n == 1 { "" } else { "s" });
            format!(
                "{} in {} ({}): {}, {}, {} information, {}",
                of(s.errors + s.warnings + s.information + s.hints, "finding"),
                of(s.files, "file"),
                of(s.blocks, "block"),
                of(s.errors, "error"),
                of(s.warnings, "warning"),
                s.information,
                of(s.hints, "hint")
            )
        }
        Locale::ZhCn => format!(
            "{} 个文件（{} 个块）：{} 个错误，{} 个警告，{} 个信息，{} 个提示",
            s.files, s.blocks, s.errors, s.warnings, s.information, s.hints
        ),
    }
}
