//! Runs the example of every explanation page; README.md beside this file tells how they are written.

use crate::lint::code::Label;
use crate::lint::fixture::project::Project;
use crate::{Code, Locale};

/// Codes that nothing reports yet, or not in a check. One that is taken up leaves this list: the test sees to that.
const NOT_CHECKED: [Code; 3] = [Code::MissingValue, Code::InvalidCount, Code::LimitReached];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Before,
    After,
}

struct Fence {
    state: Option<State>,
    name: String,
    text: String,
}

/// The fences of a page that are files.
fn fences(page: &str) -> Vec<Fence> {
    let mut all = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if !line.starts_with("```") {
            continue;
        }
        let mut text = String::new();
        for line in lines.by_ref().take_while(|line| *line != "```") {
            text += line;
            text.push('\n');
        }
        // A language alone is prose.
        let Some(label) = Label::of(line) else { continue };
        assert!(!label.file.contains(' '), "{line}");
        let state = match line.split(' ').nth(1) {
            Some("before") => Some(State::Before),
            Some("after") => Some(State::After),
            _ => None,
        };
        all.push(Fence { state, name: label.file.to_owned(), text });
    }
    all
}

/// What is found in one state of a page.
fn codes(fences: &[Fence], state: State) -> Vec<Code> {
    let there = |fence: &&Fence| fence.state.is_none_or(|of| of == state);
    let files = fences.iter().filter(there).map(|fence| (fence.name.clone(), fence.text.clone()));
    const CATALOG: &str = "promptblock.catalog.json";
    let own_catalog = fences.iter().any(|fence| fence.name == CATALOG);
    let none_here = !fences.iter().filter(there).any(|fence| fence.name == CATALOG);
    Project::read_with(files.collect(), !(own_catalog && none_here)).codes()
}

#[test]
fn every_example_shows_its_code_before_and_not_after() {
    let mut wrong = Vec::new();
    for code in Code::ALL {
        for locale in [Locale::En, Locale::ZhCn] {
            let page = fences(code.explanation(locale));
            let (before, after) = (codes(&page, State::Before), codes(&page, State::After));
            let should = !NOT_CHECKED.contains(code);
            if before.contains(code) != should {
                let not = if should { "not " } else { "" };
                wrong.push(format!("{code} ({locale:?}): before, it is {not}found: {before:?}"));
            }
            if after.contains(code) {
                wrong.push(format!("{code} ({locale:?}): after, it is found: {after:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn both_languages_have_the_same_files() {
    for code in Code::ALL {
        let shape = |locale| {
            let page = fences(code.explanation(locale));
            page.into_iter().map(|fence| (fence.state, fence.name)).collect::<Vec<_>>()
        };
        assert_eq!(shape(Locale::En), shape(Locale::ZhCn), "{code}");
    }
}

#[test]
fn a_reader_sees_which_file_an_example_is() {
    let page = Code::UnusedVariable.page(Locale::ZhCn);
    assert!(page.contains("\n\n`block.promptblock`\n\n```promptblock\n---\nid: demo:greeting\n"), "{page}");
    assert!(page.contains("\n\n`promptblock.catalog.json`\n\n```json\n{\n"), "{page}");
    for code in Code::ALL {
        let page = code.page(Locale::En);
        let labelled = page.lines().filter(|line| Label::of(line).is_some()).count();
        assert_eq!(labelled, 0, "{code}: labels are for the tests");
        let files = fences(code.explanation(Locale::En));
        let captioned = page.lines().filter(|line| files.iter().any(|it| **line == format!("`{}`", it.name)));
        let one_block = files.iter().all(|fence| fence.name == "block.promptblock");
        assert_eq!(captioned.count(), if one_block { 0 } else { files.len() }, "{code}");
    }
}

#[test]
fn each_page_begins_with_its_code_and_severity() {
    for code in Code::ALL {
        let mut page = code.explanation(Locale::En).split("\n\n");
        assert_eq!(page.next(), Some(&*format!("# {code}")));
        let severity = page.next().unwrap_or_default();
        assert!(severity.starts_with(&format!("Severity: {}", code.severity().name())), "{code}: {severity}");
        assert!(code.explanation(Locale::ZhCn).starts_with(&format!("# {code}\n\n")), "{code}");
        assert!(!code.summary(Locale::En).is_empty() && !code.summary(Locale::ZhCn).is_empty(), "{code}");
    }
}
