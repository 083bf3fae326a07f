//! What holds for any text and any selection: what is offered can be done, keeps what is rendered, and brings no new finding.

use super::testing::Case;
use super::{Ask, Change, Outcome, Refactoring, refactoring, refactorings};
use crate::assemble::Assembly;
use crate::assemble::fixture::{assembly_of, sent};
use crate::catalog::{Catalog, Layer, Variable};
use crate::lint::Judge;
use crate::profile::Profile;
use crate::span::{Span, offset};
use crate::syntax::Document;
use crate::{Code, ide};
use proptest::prelude::*;
use std::sync::Arc;

/// A text with a selection.
#[derive(Clone, Debug)]
struct Selected {
    text: String,
    selection: Span,
}

const PIECES: [&str; 38] = [
    "{",
    "}",
    "{{",
    "}}",
    "{if is_vip}",
    "{/if}",
    "{/if}",
    "{else}",
    "{else}",
    "{elseif limit>3}",
    "{if limit > 3}",
    "{if is_vip == limit}",
    "{for m in members}",
    "{/for}",
    "{m}",
    "{character_name}",
    "{character_name}",
    "{time}",
    "{nobody}",
    "{weather x \"}\"}",
    "{repeat 2}",
    "{/repeat}",
    "{if a >}",
    "{/if x}",
    "{\"k\": ",
    "{\"k\": {}}",
    "{{a}}",
    " ",
    "\t",
    "\n",
    "\n\n",
    "\n \n",
    "文字",
    "🎉",
    "e\u{301}",
    "word",
    "two words",
    "\u{3000}",
];

fn selected() -> impl Strategy<Value = Selected> {
    let header = prop::sample::select(vec![
        "id: a:b\nzone: system\norder: 120\ntemplate: true\n",
        "id: a:b\nzone: system\norder: 120\ntemplate: true\nallow: [stray-brace, unknown-variable]\n",
        "zone: context\n# why\norder: 120\nid: a:b\ntemplate: true\n",
        "template: true\nrole: user\nid: \"a:b\"\nzone: system\norder: 5\ncomplete: false\n",
        "id: a:b\nzone: system\norder: 120\n",
        "complete: true\nid: a:b\nzone: system\norder: 120\ntemplate: true\n",
    ]);
    let pieces = prop::collection::vec(prop::sample::select(PIECES.to_vec()), 1..16);
    let ends = prop::sample::select(vec!["\n", "\r\n", "\r"]);
    let mark = prop::sample::select(vec!["", "\u{feff}"]);
    (mark, header, pieces, ends, any::<(u8, u8, bool)>()).prop_map(
        |(mark, header, pieces, end, (from, to, cursor))| {
            let shape = |text: &str| text.replace('\n', end);
            let mut text = format!("{mark}---{end}{}---{end}", shape(header));
            let mut borders = vec![text.len()];
            for piece in pieces {
                let start = text.len();
                text.push_str(&shape(piece));
                // Within a tag too.
                borders.extend(
                    (start + 1 < text.len() && text.is_char_boundary(start + 1)).then_some(start + 1),
                );
                borders.push(text.len());
            }
            let pick = |by: u8| borders[usize::from(by) * borders.len() / 256];
            let (from, to) = (pick(from).min(pick(to)), pick(from).max(pick(to)));
            let selection = if cursor { Span::of(from..from) } else { Span::of(from..to) };
            Selected { text, selection }
        },
    )
}

const SCENES: [&str; 3] = [
    "{\"is_vip\": true, \"limit\": 9, \"members\": [\"一\", \"b\"], \"time\": \"now\", \"character_name\": \"\"}",
    "{\"is_vip\": false, \"limit\": 1, \"members\": [], \"character_name\": \"{x}\"}",
    "{\"limit\": \"true\", \"is_vip\": \"true\", \"members\": \"no list\", \"extra\": {\"time\": \"🎉\"}}",
];

/// The lines that are not blank.
fn lines(assembly: &Assembly) -> Vec<String> {
    let texts: Vec<&str> = assembly.parts().map(crate::assemble::Part::text).collect();
    let joined = texts.join("\n");
    joined.lines().filter(|line| !line.trim_matches([' ', '\t']).is_empty()).map(str::to_owned).collect()
}

fn characters(assembly: &Assembly) -> Vec<char> {
    let mut all: Vec<char> = lines(assembly).concat().chars().filter(|c| !c.is_whitespace()).collect();
    all.sort_unstable();
    all
}

fn codes(text: &str, judge: &Judge) -> Vec<Code> {
    let mut document = Document::new(text, Arc::clone(&judge.profile));
    document.judge(judge);
    let found = document.findings(judge);
    // Of a tag that is text, one says in which braces it stands.
    let same = |code| if code == Code::EscapedVariable { Code::InertTag } else { code };
    document.finish(judge, found).into_iter().map(|found| same(found.code)).collect()
}

/// Checks what a refactoring does to a text.
fn kept(case: &Case, what: Refactoring, change: &Change) {
    let (before, after) = (case.text(), case.applied(change));
    let judge = &case.project.judge;
    let catalog = &judge.catalog;
    let new: Option<String> =
        change.elsewhere.iter().find(|other| other.creates).map(|other| other.edits[0].text.to_string());
    match what {
        Refactoring::EscapeBraces
        | Refactoring::UnescapeBraces
        | Refactoring::SwapBranches
        | Refactoring::SortHeader
        | Refactoring::Describe => {
            for scene in SCENES {
                let of = |text: &str| sent(assembly_of(&[text], catalog, scene, false));
                assert_eq!(of(&after), of(&before), "{what:?} of {before:?}");
            }
        }
        Refactoring::WrapInIf => {
            let of = |text: &str| sent(assembly_of(&[text], catalog, SCENES[0], false));
            let (edit, span) = change.placeholder.expect("a condition");
            assert_eq!(span.of_str(&change.edits[edit].text), "is_vip");
            assert_eq!(of(&after), of(&before), "{before:?}");
        }
        Refactoring::InlineExample | Refactoring::InlineExamples => {
            let scene = "{\"is_vip\": true, \"limit\": 9, \"members\": [\"一\", \"b\"]}";
            let of = |text: &str| sent(assembly_of(&[text], catalog, scene, true));
            assert_eq!(of(&after), of(&before), "{before:?}");
        }
        Refactoring::ExtractVariable => {
            let mut grown: Vec<Arc<Variable>> = catalog.iter().cloned().collect();
            let text = &change.elsewhere[0].edits.last().expect("an entry").text;
            let entry: serde_json::Value =
                serde_json::from_str(&format!("{{{}}}", text.trim_matches([',', ' ', '\n']))).expect("JSON");
            let (name, entry) = entry.as_object().and_then(|it| it.iter().next()).expect("one");
            grown.push(Arc::new(Variable {
                example: Some(entry["example"].clone()),
                ..Variable::named(name.as_str(), Layer::Project)
            }));
            let file = crate::catalog::CatalogFile {
                layer: Layer::Project,
                variables: grown,
                diagnostics: Vec::new(),
                readable: true,
            };
            let grown = Arc::new(Catalog::merge([&file]));
            let of = |text: &str| sent(assembly_of(&[text], &grown, SCENES[0], true));
            assert_eq!(of(&after), of(&before), "{before:?}");
        }
        Refactoring::ExtractBlock => {
            let new = new.as_deref().expect("a file");
            for scene in SCENES {
                let one = assembly_of(&[&before], catalog, scene, false).expect("an assembly");
                let two = assembly_of(&[&after, new], catalog, scene, false).expect("an assembly");
                assert_eq!(characters(&two), characters(&one), "{before:?}");
            }
            assert!(new.starts_with('\u{feff}') == before.starts_with('\u{feff}'));
            let ends = |text: &str| {
                (
                    text.contains("\r\n"),
                    text.replace("\r\n", "").contains('\r'),
                    text.replace("\r\n", "").contains('\n'),
                )
            };
            assert_eq!(ends(new), ends(&before), "{before:?}");
        }
        Refactoring::MoveToContext | Refactoring::MoveToSystem => {
            let content = |text: &str| {
                let all = assembly_of(&[text], catalog, SCENES[0], false).expect("an assembly");
                all.parts().map(|part| part.text().to_owned()).collect::<Vec<_>>()
            };
            assert_eq!(content(&after), content(&before), "{before:?}");
        }
        Refactoring::UnwrapIf => {
            let opener = change.edits.first().map(|edit| edit.span.of_str(&before));
            if opener.is_some_and(|opener| ["{if is_vip}", "{if limit > 3}"].contains(&opener)) {
                let of = |text: &str| sent(assembly_of(&[text], catalog, SCENES[0], false));
                assert_eq!(of(&after), of(&before), "{before:?}");
            }
        }
    }
    // Nothing new to complain about; literal braces are what was asked for there.
    let allowed = |code: &Code| {
        what == Refactoring::UnescapeBraces && *code == Code::LiteralBraces
            || what == Refactoring::ExtractVariable && *code == Code::UnknownVariable
            // Once a file, and now there are two.
            || what == Refactoring::ExtractBlock && *code == Code::TemplateNotEnabled
    };
    let mut had = codes(&before, judge);
    let now = codes(&after, judge).into_iter().chain(new.iter().flat_map(|text| codes(text, judge)));
    for code in now.filter(|code| !allowed(code)) {
        let at = had.iter().position(|other| *other == code);
        assert!(at.is_some(), "{what:?} brings {code:?}: {before:?} -> {after:?}");
        had.remove(at.unwrap_or_default());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, max_shrink_iters: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_rendered_stays(selected in selected()) {
        let case = Case::of(&selected.text, selected.selection, Judge::new(ide::testing::catalog()));
        for later in [false, true] {
            let ask = Ask { selection: selected.selection, invoked: true, later };
            for offer in refactorings(&case.context(), &ask) {
                let what = offer.refactoring;
                let resolved = refactoring(&case.context(), selected.selection, what);
                match offer.outcome {
                    Outcome::Change(change) => {
                        prop_assert_eq!(Some(&change), resolved.as_ref());
                        kept(&case, what, &change);
                    }
                    Outcome::Refused(reason) => {
                        prop_assert_eq!(resolved, None);
                        prop_assert!(!reason.text(crate::Locale::ZhCn).is_empty());
                    }
                    Outcome::Later => if let Some(change) = resolved {
                        kept(&case, what, &change);
                    },
                }
            }
        }
    }

    /// At the end or the beginning, on lines of its own, the whole assembly keeps its lines in their sequence.
    #[test]
    fn an_extracted_paragraph_stays_where_it_is(
        paragraphs in prop::collection::vec("(文|🎉|e\u{301}|a| |\\{character_name\\}){1,6}(\n(b|\\{\\{|\\}\\}| ){0,3}x){0,2}", 2..5),
        cut in any::<prop::sample::Index>(),
        first in any::<bool>(),
        end in prop::sample::select(vec!["\n", "\r\n"]),
    ) {
        let paragraphs: Vec<String> = paragraphs.into_iter().map(|text| format!("p{text}")).collect();
        let at = 1 + cut.index(paragraphs.len() - 1);
        let (head, tail) = (paragraphs[..at].join("\n\n"), paragraphs[at..].join("\n\n"));
        let header = "---\nid: a:b\nzone: system\norder: 120\ntemplate: true\n---\n";
        let text = format!("{header}{head}\n\n{tail}\n").replace('\n', end);
        let behind = text.len() - format!("{tail}\n").replace('\n', end).len();
        let body = header.replace('\n', end).len();
        let selection = if first { Span::of(body..behind) } else { Span::of(behind..text.len()) };
        let case = Case::of(&text, selection, Judge::new(ide::testing::catalog()));
        let change = refactoring(&case.context(), selection, Refactoring::ExtractBlock).expect("a change");
        let new = change.elsewhere[0].edits[0].text.to_string();
        let system = |texts: &[&str]| {
            assembly_of(texts, &case.project.judge.catalog, SCENES[1], false).expect("an assembly").system_text()
        };
        prop_assert_eq!(system(&[&case.applied(&change), &new]), system(&[&text]));
    }
}

#[test]
fn a_large_text_takes_no_time() {
    let piece = "{if is_vip}文{else}b{/if} {\"k\": {}} {{a}} {character_name}\n";
    let body = piece.repeat((1 << 20) / piece.len());
    let text = format!("---\nid: a:b\nzone: system\norder: 120\ntemplate: true\n---\n{body}");
    let half = (text.len() / 2..).find(|at| text.is_char_boundary(*at)).expect("a border");
    let middle = offset(half + text[half..].find(piece).expect("one more"));
    let start = std::time::Instant::now();
    for selection in [Span::empty(middle + 3), Span::new(middle, middle + offset(piece.len()))] {
        let case = Case::of(
            &text,
            selection,
            Judge { profile: Profile::blocks(), ..Judge::new(ide::testing::catalog()) },
        );
        let offers = refactorings(&case.context(), &Ask { selection, invoked: true, later: false });
        assert!(offers.len() > 2, "{offers:?}");
    }
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}
