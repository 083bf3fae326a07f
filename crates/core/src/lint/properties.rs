//! What holds for every text: judging never fails, and judged in steps it is what it is when judged at once.

use super::fixture::{COMMON, finding_list_is_presentable, findings, fresh, judge_with};
use super::{Code, Judge};
use crate::fix::testing::{Alone, fixes_in, fixes_of};
use crate::profile::{Profile, TagSyntax};
use crate::span::{Span, offset};
use crate::syntax::{Body, Document, State, TokenKind};
use crate::{Diagnostic, Severity};
use proptest::prelude::*;
use std::sync::Arc;

const BODY: [&str; 52] = [
    "```
",
    "~~~
",
    "````",
    "`",
    "    ",
    "today is ",
    "2026-01-31",
    " 10:11:12",
    "{",
    "}",
    "{{",
    "}}",
    "{if is_group}",
    "{/if}",
    "{else}",
    "{elseif count}",
    "{for x in members}",
    "{for x of y}",
    "{/for}",
    "{x}",
    "{{x}}",
    "{prompt}",
    "{repeat 2}",
    "{/repeat}",
    "{if a >}",
    "{/if x}",
    "{else x}",
    "{\"k\": ",
    "{x \"}\"}",
    "{x '",
    "'",
    "\"",
    " ",
    "\n",
    "\r\n",
    "\r",
    "text ",
    "名",
    "🎉",
    "e\u{301}",
    "if",
    "/",
    "\0",
    "{time}",
    "{weather}",
    "{nme}",
    "{{time}}",
    "{while x}",
    "{/while}",
    "{guild.x y}",
    "---\n",
    "\u{feff}",
];

const HEADER: [&str; 36] = [
    "---",
    "---\n",
    "---\r\n",
    "\n",
    "\r\n",
    "\r",
    "id: t:a\n",
    "id: rules\n",
    "zone: system\n",
    "zone: context\r\n",
    "zone: input\n",
    "zone: wrong\n",
    "order: 10\n",
    "order: -222\n",
    "order: 300.5\n",
    "template: true\n",
    "template: false\n",
    "template: true\r\n",
    "complete: true\n",
    "role: user\n",
    "allow: [unknown-variable]\n",
    "allow: [nothing,\n  unknown-variable]\n",
    "cache: stable\n",
    "plugin: x\n",
    "description: >\n  名🎉\n",
    "x: &a [*a]\n",
    "\"id\": 'é'\n",
    "id",
    ":",
    " ",
    "\t",
    "{",
    "]",
    "\"",
    "#",
    "\u{feff}",
];

const CATALOGS: [Option<&str>; 4] = [
    None,
    Some(COMMON),
    Some(r#"{"variables": {"x": {"mutable": true}, "nme": {"args": ["a"]}, "members": {"type": "text"}}}"#),
    Some(r#"{"variables": {"time": {"zones": ["context"]}, "a": {"mutable": "unknown"}}"#),
];

fn pieces(words: &[&str], most: usize) -> impl Strategy<Value = String> + use<> {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    proptest::collection::vec(proptest::sample::select(words), 0..most).prop_map(|pieces| pieces.concat())
}

fn bodies(most: usize) -> impl Strategy<Value = String> {
    pieces(&BODY, most)
}

/// Mostly sound headers, some of pieces.
fn headers() -> impl Strategy<Value = String> {
    let sound = (
        proptest::sample::select(vec!["", "\u{feff}"]),
        proptest::sample::select(vec![
            "system\norder: 10",
            "context\norder: 1",
            "input",
            "system\r\norder: -5\r\ncomplete: true",
        ]),
        proptest::sample::select(vec!["true", "true", "true", "false"]),
        pieces(&HEADER[6..28], 3),
    );
    let sound = sound.prop_map(|(mark, zone, template, more)| {
        format!("{mark}---\nid: t:a\nzone: {zone}\ntemplate: {template}\n{more}---\n")
    });
    prop_oneof![3 => sound, 1 => pieces(&HEADER, 12)]
}

fn texts() -> impl Strategy<Value = String> {
    (headers(), bodies(40)).prop_map(|(header, body)| header + &body)
}

/// Where an edit begins, as a place of the whole text or one near the header's end.
#[derive(Clone, Debug)]
struct Change {
    at: proptest::sample::Index,
    near_border: Option<u32>,
    removed: usize,
    inserted: String,
    /// The catalog that holds from then on.
    catalog: Option<usize>,
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let inserted = prop_oneof![3 => bodies(4), 1 => pieces(&HEADER, 4)];
    let change = (
        any::<proptest::sample::Index>(),
        proptest::option::weighted(0.3, 0_u32..12),
        prop_oneof![Just(0), 0_usize..20, 0_usize..200],
        inserted,
        proptest::option::weighted(0.3, 0..CATALOGS.len()),
    );
    let change = change.prop_map(|(at, near_border, removed, inserted, catalog)| Change {
        at,
        near_border,
        removed,
        inserted,
        catalog,
    });
    proptest::collection::vec(change, 1..8)
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn judges() -> Vec<Judge> {
    let numbered = |(index, catalog): (usize, &Option<&str>)| Judge {
        revision: index as u64 + 1,
        ..judge_with(*catalog)
    };
    CATALOGS.iter().enumerate().map(numbered).collect()
}

/// The names that a document says it uses and asks for.
fn names(document: &Document) -> (Vec<Arc<str>>, Vec<Arc<str>>) {
    let sorted = |names: Vec<Arc<str>>| {
        let mut names = names;
        names.sort();
        names
    };
    (sorted(document.uses().cloned().collect()), sorted(document.asked().cloned().collect()))
}

/// What a reader sees of a template: escapes as single braces, all else as it stands, live tags marked.
fn seen(text: &str) -> String {
    let body = Body::new(text, 0, TagSyntax::SingleBraces);
    let mut out = String::new();
    let mut at = 0;
    for token in body.all_tokens(0) {
        if token.state != State::Live || token.span.start < at {
            continue;
        }
        out += Span::new(at, token.span.start).of_str(text);
        let shown = token.span.of_str(text);
        match token.kind {
            TokenKind::Escape => out += &shown[..1],
            TokenKind::OpenBrace | TokenKind::CloseBrace => out += shown,
            _ => out += &format!("⟨{shown}⟩"),
        }
        at = token.span.end;
    }
    out + &text[at as usize..]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn judged_never_fails_and_is_presentable(text in texts(), profile in 0..Profile::NAMES.len(), catalog in 0..CATALOGS.len()) {
        let mut judge = judge_with(CATALOGS[catalog]);
        judge.profile = Profile::named(Profile::NAMES[profile]).expect("a profile");
        let found = fresh(&text, &judge);
        finding_list_is_presentable(&text, &found);
        let mut small = Document::in_small_chunks(&text, Arc::clone(&judge.profile));
        prop_assert_eq!(findings(&mut small, &judge), found);
    }

    #[test]
    fn edited_equals_fresh(text in texts(), changes in changes()) {
        let judges = judges();
        let mut judge = &judges[1];
        let mut text = text;
        let mut document = Document::in_small_chunks(&text, Arc::clone(&judge.profile));
        document.judge(judge);
        for change in changes {
            let start = match change.near_border {
                Some(by) => (document.header().body + by).saturating_sub(6) as usize,
                None => change.at.index(text.len() + 1),
            };
            let start = floor(&text, start);
            let end = floor(&text, start + change.removed).max(start);
            text.replace_range(start..end, &change.inserted);
            document.edit(Span::of(start..end), &change.inserted);
            let used = names(&document).0;
            if let Some(catalog) = change.catalog {
                judge = &judges[catalog];
            }
            let others = document.judge(judge);
            let mut whole = Document::new(&text, Arc::clone(&judge.profile));
            whole.judge(judge);
            prop_assert_eq!(document.header(), whole.header(), "after {:?}", text);
            prop_assert_eq!(findings(&mut document, judge), findings(&mut whole, judge), "after {:?}", text);
            let ((uses, asked), (fresh_uses, fresh_asked)) = (names(&document), names(&whole));
            prop_assert_eq!(uses, fresh_uses, "after {:?}", text);
            // Where the body is no template, each chunk is asked for its first tag: more chunks ask for more.
            let missing = fresh_asked.iter().filter(|name| !asked.contains(name)).count();
            prop_assert!(missing == 0 && (!document.is_template() || asked == fresh_asked), "{:?} {:?} after {:?}", asked, fresh_asked, text);
            prop_assert_eq!(document.facts(), whole.facts(), "after {:?}", text);
            prop_assert!(others || used == names(&document).0, "a name came or went unsaid: {:?}", text);
        }
    }

    /// What the project goes by when a catalog changes: a file that asked for none of the changed names, and knows every name,
    /// need not be judged again.
    #[test]
    fn names_asked_for_are_all_that_matters(text in texts(), from in 0..CATALOGS.len(), to in 0..CATALOGS.len()) {
        let judges = judges();
        let (from, to) = (&judges[from], &judges[to]);
        let mut document = Document::new(&text, Arc::clone(&from.profile));
        document.judge(from);
        // As they are before `allow` and the severities have their say.
        let before = document.findings(from);
        let changed = from.catalog.changed_names(&to.catalog);
        let unknown = before.iter().any(|f| matches!(f.code, Code::UnknownVariable | Code::NoCatalog));
        if !unknown && document.asked().all(|name| !changed.contains(name)) {
            document.judge(to);
            prop_assert_eq!(document.findings(to), before);
        }
    }

    #[test]
    fn every_fix_can_be_done_and_does_something(text in texts(), catalog in 0..CATALOGS.len()) {
        let judge = judge_with(CATALOGS[catalog]);
        let mut document = Document::new(&text, Arc::clone(&judge.profile));
        let around = Alone { stem: Some("规则 1"), plugins: vec!["demo"], ..Alone::default() };
        for finding in findings(&mut document, &judge) {
            for fix in fixes_in(&document, &judge, &around, &finding) {
                prop_assert!(!fix.edits.is_empty() || !fix.elsewhere.is_empty(), "{:?}", finding);
                if fix.edits.is_empty() {
                    continue;
                }
                let mut end = 0;
                for edit in &fix.edits {
                    prop_assert!(end <= edit.span.start && text.get(edit.span.range()).is_some(), "{:?}", fix);
                    end = edit.span.end;
                }
                let mut fixed = text.clone();
                for edit in fix.edits.iter().rev() {
                    fixed.replace_range(edit.span.range(), &edit.text);
                }
                let of_code = |found: &[Diagnostic]| found.iter().filter(|f| f.code == finding.code).count();
                let (before, after) = (of_code(&fresh(&text, &judge)), of_code(&fresh(&fixed, &judge)));
                // A header that is not closed hides the body behind it, and a key the other of its name.
                let hidden = fresh(&text, &judge).iter().any(|f| f.code == Code::InvalidHeader);
                prop_assert!(after < before || hidden, "{:?} by {:?}: {:?} became {:?}", finding, fix, text, fixed);
                let errors = |found: &[Diagnostic]| found.iter().filter(|f| f.severity == Severity::Error).count();
                let (before, after) = (errors(&fresh(&text, &judge)), errors(&fresh(&fixed, &judge)));
                // Where a loop ends earlier its variable is unknown behind it.
                let ends_loop = finding.code == Code::UnexpectedTag && text.contains("{for");
                // Others bring to life what was text before, with its own mistakes.
                let reveals = !matches!(
                    finding.code,
                    Code::UnexpectedTag | Code::UnclosedTag | Code::ArgumentCount | Code::MissingKey | Code::ZoneMismatch
                        | Code::MutableInSystem | Code::MutabilityUndetermined | Code::EndlessWhile | Code::OrderOffBand
                        | Code::OrderOutOfRange | Code::IdWithoutPrefix
                );
                prop_assert!(after <= before || hidden || reveals || ends_loop, "{:?} by {:?}: {:?} became {:?}", finding, fix, text, fixed);
            }
        }
    }

    #[test]
    fn safe_fixes_keep_what_is_rendered(text in bodies(30)) {
        let judge = judge_with(Some(COMMON));
        let block = format!("---\nid: t:a\nzone: context\norder: 1\ntemplate: true\n---\n{text}");
        let mut document = Document::new(&block, Arc::clone(&judge.profile));
        let found = findings(&mut document, &judge);
        let base = block.len() - text.len();
        for finding in found.iter().filter(|finding| finding.code == Code::LiteralBraces) {
            let fixes = fixes_of(&document, &judge, finding);
            prop_assert!(fixes.len() == 1 && fixes[0].safe, "{:?}", fixes);
            let mut fixed = block.clone();
            for edit in fixes[0].edits.iter().rev() {
                fixed.replace_range(edit.span.range(), &edit.text);
            }
            prop_assert_eq!(seen(&fixed[base..]), seen(&text), "{:?} became {:?}", text, &fixed[base..]);
            let open = finding.span.start;
            prop_assert!(
                !fresh(&fixed, &judge).iter().any(|f| f.code == Code::LiteralBraces && f.span.start == open),
                "{:?} became {:?}", text, fixed
            );
        }
    }
}

#[test]
fn a_loop_that_an_earlier_if_decides_on_is_judged_again() {
    let judge = judge_with(Some(COMMON));
    let text = "---\nid: t:a\nzone: context\norder: 1\ntemplate: true\n---\n一行 {if is_group}\n二行 {count}\n{for x in members}{/if}{x}\n";
    let mut document = Document::in_small_chunks(text, Arc::clone(&judge.profile));
    assert_eq!(findings(&mut document, &judge), fresh(text, &judge));
    let without = text.replace("{if is_group}", "");
    let at = offset(text.find("{if").expect("an if"));
    document.edit(Span::new(at, at + 13), "");
    assert_eq!(findings(&mut document, &judge), fresh(&without, &judge));
    document.edit(Span::empty(at), "{if is_group}");
    assert_eq!(findings(&mut document, &judge), fresh(text, &judge));
}

#[test]
fn spans_do_not_depend_on_what_stands_before() {
    let judge = judge_with(Some(COMMON));
    let body =
        "{nme} {\"a\": {time}} {if}x{/if} {/for} {weather} {{time}} } {for m in members}{m}{/for}{m}\n";
    let block =
        |before: &str| format!("---\nid: t:a\nzone: context\norder: 1\ntemplate: true\n---\n{before}{body}");
    let plain = fresh(&block(""), &judge);
    for before in ["名", "🎉", "e\u{301}", "👩‍🚀 ", "\r\n", "\u{2028}", &"长\n".repeat(3000)] {
        let found = fresh(&block(before), &judge);
        let moved: Vec<Span> = plain.iter().map(|finding| finding.span.shift(offset(before.len()))).collect();
        assert_eq!(found.iter().map(|finding| finding.span).collect::<Vec<_>>(), moved, "{before:?}");
    }
}

#[test]
fn an_edit_judges_its_neighbourhood_alone() {
    let judge = judge_with(Some(COMMON));
    let line =
        "名字 {character_name} 🎉 {\"a\": [{}]} {if is_group}一{else}二{/if} {for m in members}{m}{/for}\n";
    let text = format!("---\nid: t:a\nzone: system\norder: 10\ntemplate: true\n---\n{}", line.repeat(20_000));
    let mut document = Document::new(&text, Arc::clone(&judge.profile));
    document.judge(&judge);
    let chunks = document.body().chunk_count();
    assert!(chunks > 500, "{chunks}");
    let middle = text.len() / 2 / line.len() * line.len();
    let at = offset(middle + text.get(middle..).and_then(|rest| rest.find(" 🎉")).expect("the emoji"));
    for typed in ["x", "{nme}", "\n", "{", "}", "{/if}", "{if is_group}x{/if}", "{\"b\": 2}", "🎉", "`"] {
        document.edit(Span::empty(at), typed);
        let judged = document.body().stale.len();
        assert!((1..4).contains(&judged), "{typed:?} judges {judged} of {chunks} chunks");
        document.judge(&judge);
        document.edit(Span::new(at, at + offset(typed.len())), "");
        let judged = document.body().stale.len();
        assert!((1..4).contains(&judged), "without {typed:?} {judged} of {chunks} chunks are judged");
        document.judge(&judge);
    }
}
