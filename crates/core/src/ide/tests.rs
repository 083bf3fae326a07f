//! What holds of every feature, whatever the text and wherever the cursor.

use super::testing::{Project, context, system};
use super::*;
use crate::assemble::Environments;
use crate::span::Span;
use proptest::prelude::*;

const PIECES: [&str; 46] = [
    "{",
    "}",
    "{{",
    "}}",
    "{if ",
    "{if is_vip}",
    "{/if}",
    "{else}",
    "{elseif b}",
    "{for x in ",
    "{for x in members}",
    "{/for}",
    "{x}",
    "{character_name}",
    "{time}",
    "{weather 北京}",
    "{weather ",
    "{repeat 2}",
    "{/",
    "{/i",
    "{if a >}",
    "{\"k\": ",
    "{hero.weapon}",
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
    "==",
    "---\n",
    "id: a:b\n",
    "zone: system\n",
    "zone: ",
    "order: ",
    "120\n",
    "template: true\n",
    "allow: [",
    "- ",
    "\u{feff}",
    "\0",
    "role: user\n",
];

fn texts() -> impl Strategy<Value = String> {
    let piece = proptest::sample::select(PIECES.to_vec());
    let text = proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat());
    (text, 0..4_u8).prop_map(|(text, wrap)| match wrap {
        0 => text,
        1 => context(&text),
        2 => format!("\u{feff}{}", system(&text)).replace('\n', "\r\n"),
        _ => system(&text),
    })
}

/// Fails where a span does not fit the text.
fn fits(text: &str, span: Span) -> Result<(), TestCaseError> {
    prop_assert!(text.get(span.range()).is_some(), "{span:?} of {text:?}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn tokens_are_sound(text in texts(), from in any::<proptest::sample::Index>(), len in 0_u32..60) {
        let project = Project::new(&text);
        let all = semantic_tokens(&project.context(), None);
        let mut end = 0;
        for token in &all {
            fits(&text, token.span)?;
            let piece = token.span.of_str(&text);
            prop_assert!(!piece.is_empty() && !piece.contains(['\n', '\r']), "{piece:?} of {text:?}");
            prop_assert!(token.span.start >= end, "{token:?} of {text:?}");
            end = token.span.end;
        }
        let start = crate::span::offset(from.index(text.len() + 1));
        let range = Span::new(start, start + len);
        let some: Vec<_> = all
            .into_iter()
            .filter(|token| token.span.start <= range.end && range.start <= token.span.end)
            .collect();
        prop_assert_eq!(semantic_tokens(&project.context(), Some(range)), some, "{:?} of {:?}", range, text);
    }

    #[test]
    fn whole_file_features_are_sound(text in texts()) {
        let project = Project::new(&text);
        let cx = project.context();
        for fold in folds(&cx) {
            fits(&text, fold.span)?;
            prop_assert!(text[fold.span.range()].contains(['\n', '\r']));
        }
        let mut level = symbols(&cx);
        while let Some(symbol) = level.pop() {
            fits(&text, symbol.span)?;
            fits(&text, symbol.selection)?;
            prop_assert!(!symbol.name.is_empty());
            prop_assert!(symbol.span.cover(symbol.selection) == symbol.span, "{symbol:?} of {text:?}");
            for child in &symbol.children {
                prop_assert!(symbol.span.cover(child.span) == symbol.span, "{child:?} of {text:?}");
            }
            level.extend(symbol.children);
        }
    }

    #[test]
    fn features_at_any_place_are_sound(text in texts()) {
        let project = Project::new(&text);
        let cx = project.context();
        // Off the border of a character and behind the end, too.
        for at in 0..=crate::span::offset(text.len()) + 2 {
            for item in completions(&cx, &Environments::default(), at).items {
                fits(&text, item.edit.span)?;
                let Span { start, end } = item.edit.span;
                prop_assert!(start <= at && at <= end, "{item:?} at {at} of {text:?}");
                prop_assert!(!text[item.edit.span.range()].contains(['\n', '\r']), "{item:?} of {text:?}");
            }
            if let Some(hover) = hover(&cx, at) {
                fits(&text, hover.span)?;
                prop_assert!(hover.span.touches(at) && !hover.markdown.is_empty(), "{hover:?} at {at} of {text:?}");
            }
            if let Some(definition) = definition(&cx, at) {
                fits(&text, definition.origin)?;
                prop_assert!(definition.origin.touches(at));
                for target in definition.targets.iter().filter(|target| target.file == cx.file) {
                    fits(&text, target.selection)?;
                    prop_assert!(target.full.cover(target.selection) == target.full, "{target:?} of {text:?}");
                }
            }
            for highlight in highlights(&cx, at) {
                fits(&text, highlight.span)?;
            }
            let steps = selection(&cx, at);
            for step in &steps {
                fits(&text, *step)?;
                prop_assert!(at > text.len() as u32 || step.touches(at), "{step:?} at {at} of {text:?}");
            }
            for pair in steps.windows(2) {
                prop_assert!(pair[0] != pair[1] && pair[1].cover(pair[0]) == pair[1], "{pair:?} at {at} of {text:?}");
            }
            if let Some([first, last]) = linked(&cx, at) {
                prop_assert!(first.end < last.start && (first.touches(at) || last.touches(at)));
                prop_assert_eq!(first.of_str(&text), last.of_str(&text));
            }
        }
    }

    #[test]
    fn edited_equals_fresh(
        text in texts(),
        edits in proptest::collection::vec((any::<proptest::sample::Index>(), 0_usize..30, texts()), 1..6),
        places in proptest::collection::vec(any::<proptest::sample::Index>(), 8),
    ) {
        let long = |text: &str| text.replace("text ", &"很长的一行 {m} text\n".repeat(90));
        let mut text = system(&format!("{{for m in members}}{{if a}}\n{}", long(&text)));
        let mut edited = Project::new(&text);
        for (at, removed, inserted) in edits {
            let floor = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let start = floor(at.index(text.len() + 1));
            let end = floor(start + removed).max(start);
            let inserted = long(&inserted);
            edited.document.edit(Span::of(start..end), &inserted);
            text.replace_range(start..end, &inserted);
        }
        edited.judge_again();
        let fresh = Project::new(&text);
        let (edited, fresh) = (edited.context(), fresh.context());
        prop_assert_eq!(semantic_tokens(&edited, None), semantic_tokens(&fresh, None));
        prop_assert_eq!(symbols(&edited), symbols(&fresh));
        for at in places {
            let at = crate::span::offset(at.index(text.len() + 1));
            let none = Environments::default();
            prop_assert_eq!(completions(&edited, &none, at), completions(&fresh, &none, at), "at {} of {:?}", at, text);
            prop_assert_eq!(hover(&edited, at), hover(&fresh, at));
            prop_assert_eq!(definition(&edited, at), definition(&fresh, at), "at {} of {:?}", at, text);
            prop_assert_eq!(highlights(&edited, at), highlights(&fresh, at));
        }
    }
}
