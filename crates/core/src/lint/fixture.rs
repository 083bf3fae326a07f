//! Tests as data: a block file with carets below the lines that are spoken of.
//!
//! ```text
//! ---
//! id: t:a
//! zone: system
//! order: 10
//! template: true
//! ---
//! Hello {nme}
//!        ^^^ unknown-variable: not a registered variable
//! ```
//!
//! A caret line holds blanks, carets, a code and, behind a colon, a part of the English message. Every finding must be there
//! and nothing else. Carets count characters. `//- json TEXT` in front of the file replaces the common catalog by that text
//! (`//- no catalog` by none), `//- environment TEXT` gives sample environments, `//- profile NAME` another profile.
//!
//! Each fixture is judged as it stands, with CRLF, with a byte order mark, and typed character by character.

use super::Judge;
use crate::assemble::parse_environments;
use crate::catalog::{Catalog, Layer, parse};
use crate::profile::{Bands, Profile};
use crate::span::{Span, offset};
use crate::syntax::Document;
use crate::{Diagnostic, FileId, Locale};
use std::fmt::Write;
use std::sync::Arc;

const COMMON: &str = include_str!("explain/catalog-for-examples.json");

struct Fixture {
    judge: Judge,
    lines: Vec<String>,
    /// Line, first and last character, code, part of the message.
    expected: Vec<(usize, usize, usize, String, String)>,
}

fn read(fixture: &str) -> Fixture {
    let mut judge = judge_with(Some(COMMON));
    let (mut lines, mut expected) = (Vec::new(), Vec::new());
    for line in fixture.strip_prefix('\n').unwrap_or(fixture).lines() {
        let rest = line.trim_start_matches(' ');
        if let Some(directive) = line.strip_prefix("//- ") {
            match directive.split_once(' ').expect("a directive has two words") {
                ("json", text) => judge.catalog = judge_with(Some(text)).catalog,
                ("no", _) => judge.catalog = judge_with(None).catalog,
                ("environment", text) => judge.environment = parse_environments(text).0.choose(None).cloned(),
                ("profile", name) => {
                    judge.profile = Profile::named(name).expect("a profile");
                    judge.bands = Bands(judge.profile.bands.clone());
                }
                (other, _) => panic!("no directive {other}"),
            }
        } else if rest.starts_with('^') {
            let carets = rest.chars().take_while(|c| *c == '^').count();
            let start = line.chars().count() - rest.chars().count();
            let said = rest[carets..].trim();
            let (code, message) = said.split_once(": ").unwrap_or((said, ""));
            let on = lines.len().checked_sub(1).expect("carets stand below a line");
            expected.push((on, start, start + carets, code.to_owned(), message.to_owned()));
        } else {
            lines.push(line.to_owned());
        }
    }
    Fixture { judge, lines, expected }
}

fn judge_with(catalog: Option<&str>) -> Judge {
    let file = catalog.map(|text| parse(text, FileId(1), Layer::Project, &Profile::blocks()));
    Judge::new(Catalog::merge(file.iter()))
}

/// Checks the findings of a block file against the carets in it.
pub(crate) fn check(fixture: &str) {
    let fixture = read(fixture);
    for (mark, line_end) in [("", "\n"), ("", "\r\n"), ("\u{feff}", "\n"), ("\u{feff}", "\r\n")] {
        let text = fixture.lines.iter().fold(mark.to_owned(), |text, line| text + line + line_end);
        let mut document = Document::new(&text, Arc::clone(&fixture.judge.profile));
        let found = findings(&mut document, &fixture.judge);
        compare(&fixture, &text, mark, line_end, &found);

        let mut typed = Document::new("", Arc::clone(&fixture.judge.profile));
        for (at, c) in text.char_indices() {
            typed.edit(Span::empty(offset(at)), c.encode_utf8(&mut [0; 4]));
            typed.judge(&fixture.judge);
        }
        assert_eq!(findings(&mut typed, &fixture.judge), found, "typed character by character");
    }
}

fn findings(document: &mut Document, judge: &Judge) -> Vec<Diagnostic> {
    document.judge(judge);
    document.finish(judge, document.findings(judge))
}

fn compare(fixture: &Fixture, text: &str, mark: &str, line_end: &str, found: &[Diagnostic]) {
    let mut starts = vec![mark.len()];
    for line in &fixture.lines {
        starts.push(starts[starts.len() - 1] + line.len() + line_end.len());
    }
    let byte = |line: usize, column: usize| {
        let within =
            fixture.lines[line].char_indices().nth(column).map_or(fixture.lines[line].len(), |(at, _)| at);
        starts[line] + within
    };
    let mut missing: Vec<_> = fixture.expected.iter().collect();
    let mut wrong = String::new();
    for finding in found {
        let hit = missing.iter().position(|(line, from, to, code, message)| {
            Span::of(byte(*line, *from)..byte(*line, *to)) == finding.span
                && code == finding.code.name()
                && finding.message.text(Locale::En).contains(message.as_str())
        });
        match hit {
            Some(index) => {
                missing.remove(index);
            }
            None => {
                let (code, shown) = (finding.code, finding.span.of_str(text));
                let _ = writeln!(wrong, "not expected: {code} on {shown:?}: {:?}", finding.message);
            }
        }
    }
    for expected in missing {
        let _ = writeln!(wrong, "missing: {expected:?}");
    }
    assert!(wrong.is_empty(), "line end {line_end:?}, mark {mark:?}\n{text}\n{wrong}");
}

/// The text after the first fix of the first finding, and whether it is safe.
pub(crate) fn fixed(fixture: &str) -> (String, bool) {
    let fixture = read(fixture);
    let text = fixture.lines.join("\n") + "\n";
    let mut document = Document::new(&text, Arc::clone(&fixture.judge.profile));
    let found = findings(&mut document, &fixture.judge);
    let fix = super::fixes::fixes(&document, &found[0]).into_iter().next().expect("a fix");
    let mut text = text;
    for edit in fix.edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.text);
    }
    (text, fix.safe)
}
