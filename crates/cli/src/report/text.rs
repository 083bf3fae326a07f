//! `--format text`: an excerpt, a caret, the second place, a way out.

use super::{Checked, Report, Summary};
use crate::visible::{visible, visible_source};
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use promptblock_core::span::Span;
use promptblock_core::{Diagnostic, Locale, Severity};
use ropey::Rope;
use std::io::{self, Write};
use std::ops::Range;

/// So many bytes around a place are enough to show its line; a line of a megabyte is not printed.
const WINDOW: usize = 200;

pub(super) fn print(report: &Report<'_>, colour: bool, out: &mut dyn Write) -> io::Result<()> {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    let mut last = crate::surroundings::of_system();
    for file in &report.files {
        let Checked { path, locale, found, .. } = file;
        last = *locale;
        for diagnostic in &found.diagnostics {
            let place = Place::of(path, &found.text, diagnostic.span);
            let title = level(diagnostic.severity, *locale)
                .primary_title(visible(diagnostic.message.text(*locale)))
                .id(diagnostic.code.name());
            let mut groups = vec![title.element(place.snippet(AnnotationKind::Primary))];
            let mut places = vec![place];
            for (related, place) in related(report, diagnostic, path, &found.text, *locale) {
                groups.push(related);
                places.push(place);
            }
            if let Some(fix) = report.fixes(file, diagnostic).first() {
                let help = match locale {
                    Locale::En => Level::HELP,
                    Locale::ZhCn => Level::HELP.with_name("修复"),
                };
                let title = visible(fix.title.text(*locale)).into_owned();
                groups.push(Group::with_title(help.secondary_title(title)));
            }
            let rendered = renderer.render(&groups);
            let rendered = places.iter().fold(rendered, |rendered, place| place.set_column(rendered));
            writeln!(out, "{rendered}\n")?;
        }
    }
    writeln!(out, "{}", summary(report.summary, last))
}

fn level(severity: Severity, locale: Locale) -> Level<'static> {
    match (severity, locale) {
        (Severity::Error, Locale::En) => Level::ERROR,
        (Severity::Error, Locale::ZhCn) => Level::ERROR.with_name("错误"),
        (Severity::Warning, Locale::En) => Level::WARNING,
        (Severity::Warning, Locale::ZhCn) => Level::WARNING.with_name("警告"),
        (Severity::Information, Locale::En) => Level::INFO,
        (Severity::Information, Locale::ZhCn) => Level::INFO.with_name("信息"),
        (Severity::Hint, Locale::En) => Level::NOTE.with_name("hint"),
        (Severity::Hint, Locale::ZhCn) => Level::NOTE.with_name("提示"),
    }
}

fn related<'a>(
    report: &'a Report<'_>,
    diagnostic: &'a Diagnostic,
    path: &'a str,
    text: &Rope,
    locale: Locale,
) -> Vec<(Group<'a>, Place)> {
    let groups = diagnostic.related.iter().filter_map(|related| {
        let (path, text) = match related.file {
            Some(file) => report.related.get(&file).map(|(path, text)| (path.as_str(), text))?,
            None => (path, text),
        };
        let place = Place::of(path, text, related.span);
        let note = match locale {
            Locale::En => Level::NOTE,
            Locale::ZhCn => Level::NOTE.with_name("相关"),
        };
        let title = note.secondary_title(visible(related.message.text(locale)).into_owned());
        Some((title.element(place.snippet(AnnotationKind::Context)), place))
    });
    groups.collect()
}

/// An excerpt of a file, with a place in it.
struct Place {
    path: String,
    /// From 1.
    line: usize,
    /// In characters, from 1. A byte order mark is none.
    column: usize,
    /// The lines of the place, or what stands around it where they are long.
    source: String,
    /// The place in that.
    range: Range<usize>,
}

impl Place {
    fn of(path: &str, text: &Rope, span: Span) -> Self {
        let len = text.len_bytes();
        let floor = |at: usize| text.char_to_byte(text.byte_to_char(at.min(len)));
        let start = floor(span.range().start);
        let end = floor(span.range().end).max(start);
        let first_line = text.byte_to_line(start);
        let last_line =
            text.byte_to_line(end.max(start + usize::from(end > start)) - usize::from(end > start));
        let mut line_start = text.line_to_byte(first_line);
        let line_end = text.line_to_byte((last_line + 1).min(text.len_lines()));
        if line_start == 0 && text.get_char(0) == Some('\u{feff}') {
            line_start = '\u{feff}'.len_utf8().min(start);
        }
        let from = line_start.max(floor(start.saturating_sub(WINDOW)));
        let to = line_end.min(floor(start + 2 * WINDOW)).max(from);
        let end = end.min(to);
        let slice = |from: usize, to: usize| text.get_byte_slice(from..to).map(|it| it.to_string());
        let slice = |from: usize, to: usize| slice(from, to).unwrap_or_default();
        let (before, inside, after) = (slice(from, start), slice(start, end), slice(end, to));
        // A line break is no part of what is shown, but the place may be the break itself.
        let after = after.trim_end_matches(['\n', '\r']);
        let inside = if after.is_empty() { inside.trim_end_matches(['\n', '\r']) } else { &inside };
        // `\r\n` within is one break.
        let shown = |text: &str| visible_source(&text.replace("\r\n", "\n").replace('\r', " ")).into_owned();
        let (before, inside, after) = (shown(&before), shown(inside), shown(after));
        let range = before.len()..before.len() + inside.len();
        Self {
            path: visible(path).into_owned(),
            line: first_line + 1,
            column: text.byte_to_char(start) - text.byte_to_char(line_start) + 1,
            source: before + &inside + &after,
            range,
        }
    }

    fn snippet(&self, kind: AnnotationKind) -> Snippet<'static, Annotation<'static>> {
        let snippet = Snippet::source(self.source.clone()).path(self.path.clone()).line_start(self.line);
        snippet.annotation(kind.span(self.range.clone()))
    }

    /// The renderer counts columns from where the excerpt begins, which may be within the line.
    fn set_column(&self, rendered: String) -> String {
        let Self { path, line, column, .. } = self;
        let counted = self.source[..self.range.start].chars().count() + 1;
        if counted == *column {
            return rendered;
        }
        rendered.replacen(&format!("{path}:{line}:{counted}"), &format!("{path}:{line}:{column}"), 1)
    }
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
