//! Whole assemblies: sequence, zones, digest, pin, cache impact.

use super::fixture::{Files, scene, scene_with};
use super::{
    Assembler, Assembly, Difference, Frame, How, Vocabulary, changes, differences, impact, messages, pin,
};
use crate::block::Zone;
use crate::message::Locale;
use crate::project::ContextPlacement;
use crate::{Code, FileId};
use proptest::prelude::*;
use std::sync::Arc;

/// Files from lines `zone order id key=value: body`; `-` is no further key.
fn files(lines: &[&str]) -> Files {
    let file = |line: &&str| {
        let (header, body) = line.split_once(": ").expect("a body");
        let words: Vec<&str> = header.split(' ').collect();
        let &[zone, order, id, more] = words.as_slice() else { panic!("{line}") };
        let more = if more == "-" { String::new() } else { format!("{}\n", more.replace('=', ": ")) };
        format!("---\nid: {id}\nzone: {zone}\norder: {order}\n{more}template: true\n---\n{body}\n")
    };
    Files(lines.iter().map(file).collect())
}

fn texts(parts: &[super::Part]) -> Vec<&str> {
    parts.iter().map(super::Part::text).collect()
}

#[test]
fn zones_in_sequence() {
    let files = files(&[
        "context 2 t:c2 -: second {n}",
        "context -5.5 t:c1 -: first",
        "system 20 t:b -: B",
        "system 20 t:a -: A {hero}",
        "system -300 t:z -: Z",
        "system 85 t:q role=user: question",
        "system 86 t:r role=assistant: answer",
        "system 30 t:blank -: {if no}x{/if}",
        "system 31 t:empty -:  ",
        "input 2 t:i2 -: <{prompt}>",
        "input 1 t:i1 -: {hero}: {prompt}",
        "input 3 t:i3 -: {if no}{prompt}{/if}",
    ]);
    let assembly = files.assembled(r#"{"hero": "Ada", "n": 2, "unused": 1}"#);
    assert_eq!(assembly.system_text(), "Z\n\nA Ada\n\nB");
    assert_eq!(texts(&assembly.prelude), ["question", "answer"]);
    assert_eq!(texts(&assembly.contexts), ["first", "second 2"]);
    assert_eq!(&*assembly.input, "<Ada: {prompt}>");
    assert_eq!(assembly.section_names().collect::<Vec<_>>(), ["t:z", "t:a", "t:b", "t:q", "t:r"]);
    assert_eq!(serde_json::to_string(&assembly.values).expect("JSON"), r#"{"hero":"Ada","n":2}"#);
    assert!(assembly.findings.is_empty());
    let with_input =
        files.assemble(&scene(r#"{"hero": "Ada"}"#), Some("{hero} {if x}")).expect("an assembly");
    assert_eq!(&*with_input.input, "<Ada: {hero} {if x}>");

    let all = messages(&assembly);
    let shown: Vec<_> =
        all.iter().map(|m| (m.role.name(), m.text.as_str(), m.blocks.len(), m.cache)).collect();
    assert_eq!(
        shown,
        [
            ("system", "Z\n\nA Ada\n\nB", 3, false),
            ("user", "question", 1, false),
            ("assistant", "answer", 1, true),
            ("user", "first", 1, false),
            ("user", "second 2", 1, false),
            ("user", "<Ada: {prompt}>", 2, false),
        ]
    );
    let frame = Arc::new(Frame { placement: ContextPlacement::Input, ..Frame::default() });
    let all = messages(&Assembly { frame, ..assembly });
    let last = all.last().expect("the input");
    assert_eq!((all.len(), last.blocks.len()), (4, 4));
    assert_eq!(last.text, "<system-context>\nfirst\n\nsecond 2\n</system-context>\n\n<Ada: {prompt}>");
}

#[test]
fn nothing_gives_the_input_alone() {
    let assembly = files(&[]).assembled("{}");
    assert_eq!((assembly.system_text().as_str(), &*assembly.input), ("", "{prompt}"));
    let frame = Arc::new(Frame { placement: ContextPlacement::Input, ..Frame::default() });
    let all = messages(&Assembly { frame, ..assembly });
    assert_eq!((all.len(), all[0].cache, all[0].text.as_str()), (1, false, "{prompt}"));
}

#[test]
fn an_exclusive_block_replaces_the_system_zone() {
    let mut files = files(&[
        "system 1 t:a -: A",
        "system 2 t:b complete=true: B",
        "system 3 t:c role=user: C",
        "context 1 t:d -: D",
    ]);
    let assembly = files.assembled("{}");
    assert_eq!(assembly.section_names().collect::<Vec<_>>(), ["t:b"]);
    assert_eq!(texts(&assembly.contexts), ["D"]);
    files.0[0] = files.0[0].replace("order: 1\n", "order: 1\ncomplete: true\n");
    let refused = files.assemble(&scene("{}"), None).expect_err("two are too many");
    let shown: Vec<_> = refused.iter().map(|(file, it)| (file.0, it.code)).collect();
    assert_eq!(shown, [(0, Code::MultipleComplete), (1, Code::MultipleComplete)]);
}

#[test]
fn a_duplicate_id_refuses() {
    let files = files(&["system 1 t:a -: A", "context 2 t:a -:  ", "context 3 t:b -: B"]);
    let refused = files.assemble(&scene("{}"), None).expect_err("the id is there twice");
    let shown: Vec<_> = refused.iter().map(|(file, it)| (file.0, it.code)).collect();
    assert_eq!(shown, [(0, Code::DuplicateId), (1, Code::DuplicateId)]);
}

#[test]
fn limits_are_those_of_the_whole_assembly() {
    let files = files(&[
        "system 1 t:a -: {repeat 6000}x{/repeat}",
        "system 2 t:b -: {repeat 6000}x{/repeat}end",
        "context 1 t:c -: {repeat 1}x{/repeat}end",
    ]);
    let mut assembler = Assembler::default();
    for _ in 0..2 {
        let assembly = files.assemble_with(&mut assembler, &scene("{}"), None).expect("an assembly");
        let lengths: Vec<_> = assembly.parts().map(|part| part.text().len()).collect();
        assert_eq!(lengths, [6000, 4003, 3]);
        let found: Vec<_> = assembly.findings.iter().map(|(file, it)| (file.0, it.code)).collect();
        assert_eq!(found, [(1, Code::LimitReached), (2, Code::LimitReached)]);
    }
}

#[test]
fn the_pin_holds_the_system_zone_and_tells_what_changed() {
    let files = files(&[
        "system 1 t:a -: I am {hero}{if night}, awake{/if}.",
        "system 2 t:b role=user: {who}",
        "context 1 t:c -: {time} {hero}",
    ]);
    let before = scene(r#"{"hero": "Ada", "night": false, "time": 1}"#);
    let after = scene(r#"{"hero": "Bob", "night": true, "time": 2, "who": [1, 2]}"#);
    let first = files.assemble(&before, None).expect("an assembly");
    let changed = changes(&first, &before, &after);
    let shown: Vec<_> = changed.iter().map(|it| (&*it.name, it.before.clone(), it.after.clone())).collect();
    assert_eq!(
        shown,
        [
            ("hero", Some("Ada".into()), Some("Bob".into())),
            ("night", Some(false.into()), Some(true.into())),
            ("who", None, Some(vec![1, 2].into())),
        ]
    );
    let then = pin(&first, files.assemble(&after, None).expect("an assembly"), &changed, Locale::En);
    assert_eq!(then.system_text(), first.system_text());
    assert_eq!(texts(&then.prelude), texts(&first.prelude));
    assert_eq!(then.digest(), first.digest());
    let note = "The environment has been updated:\n- hero: Bob\n- night: true\n- who: 1, 2";
    assert_eq!(texts(&then.contexts), ["2 Bob", note]);
    assert_eq!(then.contexts[1].id, None);
    assert_eq!(
        serde_json::to_string(&then.values).expect("JSON"),
        r#"{"hero":"Bob","night":true,"time":2,"who":[1,2]}"#
    );
    assert_eq!(then.findings.len(), 1, "`who` has no value in the pinned block");
    let same = pin(&first, files.assemble(&before, None).expect("an assembly"), &[], Locale::ZhCn);
    assert_eq!(texts(&same.contexts), ["1 Ada"], "nothing changed, nothing told");
}

#[test]
fn the_first_block_that_differs() {
    let base = ["system 1 t:a -: alpha", "system 2 t:b -: beta", "system 85 t:q role=user: question"];
    let before = files(&base).assembled("{}");
    let of = |lines: &[&str]| {
        let after = files(lines).assembled("{}");
        let impact = impact(&before, &after, Vocabulary::O200k);
        assert_eq!(impact.survives + impact.recomputed, after.tokens(Vocabulary::O200k).prefix());
        (impact.first_changed.as_deref().map(str::to_owned), impact.how, impact.survives, impact.recomputed)
    };
    assert_eq!(of(&base), (None, None, 4, 0));
    let named = |id: &str, how| (Some(id.to_owned()), Some(how));
    let (id, how, ..) = of(&[base[0], "system 2 t:b -: gamma", base[2]]);
    assert_eq!((id, how), named("t:b", How::Changed));
    let (id, how, survives, recomputed) = of(&[base[1], base[2]]);
    assert_eq!(((id, how), survives, recomputed), (named("t:a", How::Removed), 0, 2));
    let (id, how, ..) = of(&[base[0], base[1], base[2], "system 3 t:c -: gamma"]);
    assert_eq!((id, how), named("t:c", How::Added));
    let (id, how, survives, _) = of(&["system 3 t:a -: alpha", base[1], base[2]]);
    assert_eq!(((id, how), survives), (named("t:b", How::Moved), 0));
    let (id, how, _, recomputed) = of(&[base[0], base[1]]);
    assert_eq!(((id, how), recomputed), (named("t:q", How::Removed), 0));
    let (id, how, _, recomputed) = of(&[base[0], base[1], "system 85 t:q role=assistant: question"]);
    assert_eq!(((id, how), recomputed), (named("t:q", How::Changed), 1));
}

#[test]
fn an_example_stands_in_for_what_is_missing() {
    let files = files(&["system 1 t:a -: {for x in names}{x}{/for} {mood}"]);
    let catalog =
        r#"{"variables": {"names": {"type": "list", "example": ["甲", "乙"]}, "mood": {"example": "calm"}}}"#;
    let mut scene = scene_with(r#"{"mood": "wild"}"#, Some(catalog));
    scene.examples = true;
    let assembly = files.assemble(&scene, None).expect("an assembly");
    assert_eq!(assembly.system_text(), "甲乙 wild");
    assert_eq!(
        serde_json::to_string(&assembly.values).expect("JSON"),
        r#"{"mood":"wild","names":["甲","乙"]}"#
    );
}

/// A block: zone, order, role, body.
type Draft = (usize, i32, usize, String);

fn drafts() -> impl Strategy<Value = Vec<Draft>> {
    let body = proptest::sample::select(vec![
        "x",
        "alpha beta",
        "{hero}",
        "{if night}n{/if}",
        "名 {n}\n\n- a",
        "  ",
        "/b\n",
        "{repeat 3}y{/repeat}",
    ]);
    let draft = (0_usize..3, -3_i32..4, 0_usize..3, body.prop_map(str::to_owned));
    proptest::collection::vec(draft, 1..8)
}

/// The id is the place in the list, so that a block can be followed.
fn project(drafts: &[Option<Draft>]) -> Files {
    let file = |(number, draft): (usize, &Option<Draft>)| match draft {
        Some((zone, order, role, body)) => {
            let zone = ["system", "context", "input"][*zone];
            let role = if zone == "system" { ["", "role: user\n", "role: assistant\n"][*role] } else { "" };
            format!("---\nid: t:{number}\nzone: {zone}\norder: {order}\n{role}template: true\n---\n{body}\n")
        }
        // A file without a header is no block.
        None => String::new(),
    };
    Files(drafts.iter().enumerate().map(file).collect())
}

fn all_of(drafts: &[Draft]) -> Vec<Option<Draft>> {
    drafts.iter().cloned().map(Some).collect()
}

const DAY: &str = r#"{"hero": "Ada", "n": 1}"#;
const NIGHT: &str = r#"{"hero": "Bob", "night": true, "n": 1}"#;

fn shown(assembly: &Assembly) -> String {
    let parts: Vec<_> =
        assembly.parts().map(|part| (part.id().to_owned(), part.role, part.text().to_owned())).collect();
    let tokens = Vocabulary::ALL.map(|vocabulary| assembly.tokens(vocabulary));
    format!(
        "{parts:?} {} {:?} {} {:?} {tokens:?}",
        assembly.input,
        assembly.values,
        assembly.digest(),
        assembly.findings
    )
}

/// Whether a difference concerns the stable prefix.
fn in_prefix(it: &Difference<'_>) -> bool {
    [it.before, it.after].into_iter().flatten().any(|part| part.zone == Zone::System)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The digest is another where any block of the system zone is added, removed, moved or changed, and only there.
    #[test]
    fn the_digest_is_that_of_the_system_zone(drafts in drafts(), at in any::<proptest::sample::Index>(), change in 0_usize..4) {
        let before = all_of(&drafts);
        let mut after = before.clone();
        let at = at.index(drafts.len());
        let (zone, order, role, body) = drafts[at].clone();
        match change {
            0 => after[at] = None,
            1 => after[at] = Some((zone, order, role, format!("{body}!"))),
            2 => after[at] = Some((zone, order + 10, role, body)),
            _ => after.push(Some((zone, order, role, "new".to_owned()))),
        }
        let (before, after) = (project(&before).assembled(DAY), project(&after).assembled(DAY));
        let prefix = |assembly: &Assembly| assembly.prefix().map(|part| (part.id().to_owned(), part.role, part.text().to_owned())).collect::<Vec<_>>();
        let same = prefix(&before) == prefix(&after);
        prop_assert_eq!(before.digest() == after.digest(), same);
        prop_assert!(zone == 0 || same, "a change outside the system zone");
        let impact = impact(&before, &after, Vocabulary::Cl100k);
        prop_assert_eq!(impact.same, same);
        prop_assert_eq!(impact.first_changed.is_none(), same);
    }

    /// Surviving and recomputed tokens are all there are; nothing is lost on the way to itself.
    #[test]
    fn tokens_survive_or_do_not(one in drafts(), other in drafts()) {
        let (one, other) = (project(&all_of(&one)).assembled(DAY), project(&all_of(&other)).assembled(NIGHT));
        for vocabulary in Vocabulary::ALL {
            let between = impact(&one, &other, vocabulary);
            prop_assert_eq!(between.survives + between.recomputed, other.tokens(vocabulary).prefix());
            let none = impact(&one, &one, vocabulary);
            prop_assert!(differences(&one, &one).is_empty());
            prop_assert_eq!(between.same, differences(&one, &other).iter().all(|it| !in_prefix(it)) && between.how != Some(How::Moved));
            prop_assert!(none.same && none.recomputed == 0 && none.survives == one.tokens(vocabulary).prefix());
            if vocabulary != Vocabulary::Estimate {
                prop_assert_eq!(one.tokens(vocabulary).system, vocabulary.count(&one.system_text()));
                prop_assert!(one.costs(vocabulary).first().is_none_or(|all| *all >= one.tokens(vocabulary).prefix()));
            }
        }
    }

    /// Pinned, the stable prefix stays as it was, byte for byte, whatever has changed outside.
    #[test]
    fn the_pinned_prefix_is_the_same(drafts in drafts()) {
        let files = project(&all_of(&drafts));
        let (before, after) = (scene(DAY), scene(NIGHT));
        let first = files.assemble(&before, None).expect("an assembly");
        let changed = changes(&first, &before, &after);
        let then = pin(&first, files.assemble(&after, None).expect("an assembly"), &changed, Locale::ZhCn);
        prop_assert_eq!(then.system_text(), first.system_text());
        prop_assert_eq!(texts(&then.prelude), texts(&first.prelude));
        prop_assert_eq!(then.digest(), first.digest());
        let plain = files.assemble(&after, None).expect("an assembly");
        prop_assert_eq!(then.contexts.len(), plain.contexts.len() + usize::from(!changed.is_empty()));
    }

    /// An assembler that has seen other versions gives what a new one gives.
    #[test]
    fn kept_equals_fresh(versions in proptest::collection::vec((drafts(), any::<bool>()), 1..5)) {
        let mut assembler = Assembler::default();
        for (drafts, night) in versions {
            let files = project(&all_of(&drafts));
            let mut scene = scene(if night { NIGHT } else { DAY });
            scene.revision = u64::from(night);
            let kept = files.assemble_with(&mut assembler, &scene, Some("hi")).expect("an assembly");
            let fresh = files.assemble(&scene, Some("hi")).expect("an assembly");
            prop_assert_eq!(shown(&kept), shown(&fresh));
        }
    }
}

#[test]
fn a_block_without_an_id_is_still_sent() {
    let assembly =
        Files(vec!["---\nzone: context\norder: 1\n---\nhello\n".to_owned(), "no block".to_owned()])
            .assembled("{}");
    assert_eq!(texts(&assembly.contexts), ["hello"]);
    assert_eq!(assembly.contexts[0].file, Some(FileId(0)));
}
