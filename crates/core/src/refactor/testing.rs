//! Texts with a selection, and what comes of a refactoring of them.

use super::{Ask, Change, Offer, Outcome, Refactoring, refactoring, refactorings};
use crate::FileId;
use crate::catalog::{Layer, parse};
use crate::fix::testing::Alone;
use crate::fix::{Context, Register};
use crate::ide::testing::{CATALOG, Project, catalog, system};
use crate::lint::Judge;
use crate::profile::Profile;
use crate::span::Span;

/// A catalog file for what is registered.
const REGISTER: &str = "{\n  \"variables\": {\n    \"a\": {}\n  }\n}\n";

/// The text without its one or two `$0`, and what they select.
pub(super) fn selection(text: &str) -> (String, Span) {
    let start = text.find("$0").expect("a cursor");
    let text = text.replacen("$0", "", 1);
    let end = text.find("$0").unwrap_or(start);
    (text.replacen("$0", "", 1), Span::of(start..end))
}

/// What a test asks about: a text, the project around it, the selection.
pub(super) struct Case {
    pub(super) project: Project,
    around: Alone,
    selection: Span,
}

impl Case {
    pub(super) fn new(fixture: &str) -> Self {
        let mut judge = Judge::new(catalog());
        let mut text = fixture;
        while let Some((directive, rest)) = text.strip_prefix("//- ").and_then(|rest| rest.split_once('\n')) {
            match directive.split_once(' ').expect("two words") {
                ("no", _) => judge.catalog = std::sync::Arc::default(),
                ("json", json) => {
                    let file = parse(json, CATALOG, Layer::Project, &Profile::blocks());
                    judge.catalog = std::sync::Arc::new(crate::catalog::Catalog::merge([&file]));
                }
                (other, _) => panic!("no directive {other}"),
            }
            text = rest;
        }
        let (text, selection) = selection(text);
        Self::of(&text, selection, judge)
    }

    /// A text in a project with a catalog that can be written to.
    pub(super) fn of(text: &str, selection: Span, judge: Judge) -> Self {
        let registers = Register::into(CATALOG, "c.json", REGISTER).into_iter().collect();
        let around = Alone { stem: Some("here"), registers, taken: vec!["here-2"], ..Alone::default() };
        Self { project: Project::with(text, judge), around, selection }
    }

    pub(super) fn context(&self) -> Context<'_> {
        let Project { document, judge, index, .. } = &self.project;
        Context {
            file: crate::ide::testing::FILE,
            text: document.text(),
            document: Some(document),
            judge,
            index,
            surroundings: &self.around,
        }
    }

    pub(super) fn offer(&self, refactoring: Refactoring, invoked: bool, later: bool) -> Option<Offer> {
        let ask = Ask { selection: self.selection, invoked, later };
        refactorings(&self.context(), &ask).into_iter().find(|offer| offer.refactoring == refactoring)
    }

    pub(super) fn text(&self) -> String {
        self.project.document.text().to_string()
    }

    pub(super) fn applied(&self, change: &Change) -> String {
        let mut text = self.text();
        let mut start = usize::MAX;
        for edit in change.edits.iter().rev() {
            assert!(edit.span.range().end <= start && edit.span.start <= edit.span.end, "{change:?}");
            start = edit.span.range().start;
            text.replace_range(edit.span.range(), &edit.text);
        }
        text
    }

    /// The change of a refactoring, the same whether it is asked for at once or later.
    pub(super) fn change(&self, what: Refactoring) -> Option<Change> {
        let offer = self.offer(what, true, false);
        let later = self.offer(what, true, true);
        let resolved = refactoring(&self.context(), self.selection, what);
        let Some(Offer { outcome: Outcome::Change(change), title, .. }) = offer else {
            assert_eq!(resolved, None, "{what:?}");
            return None;
        };
        assert_eq!(resolved.as_ref(), Some(&change), "{what:?}");
        let later = later.expect("offered as well");
        assert_eq!(later.title, title);
        assert!(later.outcome == Outcome::Later || later.outcome == Outcome::Change(change.clone()));
        if let Some((edit, span)) = change.placeholder {
            assert!(!span.of_str(&change.edits[edit].text).is_empty());
        }
        Some(change)
    }
}

pub(super) fn offered(what: Refactoring, text: &str) -> Option<Offer> {
    Case::new(text).offer(what, true, false)
}

pub(super) fn offered_while_moving(what: Refactoring, text: &str) -> Option<Offer> {
    Case::new(text).offer(what, false, false)
}

/// The text after a refactoring, if there is one.
pub(super) fn outcome(what: Refactoring, text: &str) -> Option<String> {
    let case = Case::new(text);
    if let Some(offer) = case.offer(what, true, false) {
        assert!(matches!(offer.outcome, Outcome::Change(_)), "{offer:?}");
    }
    case.change(what).map(|change| case.applied(&change))
}

pub(super) fn done(what: Refactoring, text: &str) -> String {
    outcome(what, text).unwrap_or_else(|| panic!("{what:?} in {text}"))
}

/// Why a refactoring cannot be done.
pub(super) fn reason(what: Refactoring, text: &str) -> Option<String> {
    match offered(what, text)?.outcome {
        Outcome::Refused(reason) => Some(reason.text(crate::Locale::En).to_owned()),
        other => panic!("{other:?}"),
    }
}

/// A body of a system block before and after, with each kind of line end, with a BOM and without.
pub(super) fn done_in_all_shapes(what: Refactoring, before: &str, after: &str) {
    for (mark, line_break) in [("", "\n"), ("\u{feff}", "\r\n"), ("", "\r"), ("\u{feff}", "\n")] {
        let shape = |body: &str| format!("{mark}{}\n", system(body)).replace('\n', line_break);
        assert_eq!(done(what, &shape(before)), shape(after), "{before}");
    }
}

pub(super) fn not_offered(what: Refactoring, body: &str) {
    let text = format!("{}\n", system(body));
    let offer = offered(what, &text);
    assert_eq!(offer, None, "{body}");
    let case = Case::new(&text);
    assert_eq!(refactoring(&case.context(), case.selection, what), None);
}

pub(super) fn refused(what: Refactoring, body: &str) {
    let text = format!("{}\n", system(body));
    assert!(reason(what, &text).is_some_and(|reason| !reason.is_empty()), "{body}");
    let case = Case::new(&text);
    assert_eq!(refactoring(&case.context(), case.selection, what), None);
}

/// The body after a refactoring, and the other file that it changes.
pub(super) fn done_elsewhere(what: Refactoring, body: &str) -> (String, String) {
    let case = Case::new(&system(body));
    let change = case.change(what).unwrap_or_else(|| panic!("{what:?} in {body}"));
    let [other] = change.elsewhere.as_slice() else { panic!("{change:?}") };
    let mut text = if other.creates { String::new() } else { REGISTER.to_owned() };
    for edit in other.edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.text);
    }
    let after = case.applied(&change);
    (after.strip_prefix(&system("")).expect("the header stays").to_owned(), text)
}

/// The file that [`Alone`] gives for a new one.
pub(super) const NEW: FileId = FileId(90);
