//! Chunks do not matter, and an edited body equals a fresh one.

use super::*;
use crate::syntax::control::TokenRef;
use proptest::prelude::*;

const SMALL: Lengths = Lengths::SMALL;
const WHOLE: Lengths = Lengths { target: usize::MAX, most: usize::MAX, least: 0 };

/// All that a body says, in places of the text.
fn says(body: &Body) -> String {
    let starts = body.starts(0);
    let place = |tag: TokenRef| body.token(tag, &starts);
    let mut pairs: Vec<_> = body
        .pairs()
        .iter()
        .map(|pair| {
            let branches: Vec<_> = pair.branches.iter().map(|tag| place(*tag)).collect();
            (place(pair.opener), branches, pair.closer.map(place), pair.cut_by.map(place), pair.malformed)
        })
        .collect();
    pairs.sort();
    let local = (0_u32..).zip(&body.chunks).filter_map(|(chunk, c)| Some((chunk, c.reading.as_ref()?)));
    let local = local.flat_map(|(chunk, reading)| {
        let here = move |index: u32| TokenRef { chunk, index };
        reading.control.unexpected.iter().map(move |(index, behind)| (here(*index), behind.map(here)))
    });
    let mut unexpected: Vec<_> = local
        .chain(body.structure.unexpected.clone())
        .map(|(tag, behind)| (place(tag), behind.map(place)))
        .collect();
    unexpected.sort();
    let tokens: Vec<_> =
        body.all_tokens(0).iter().map(|token| (token.span, token.kind, token.state)).collect();
    let blank = body.is_blank();
    format!("{tokens:?}\n{:?}\n{pairs:?}\n{unexpected:?}\n{blank}", body.literals(0))
}

fn piece() -> impl Strategy<Value = String> {
    let words = [
        "{",
        "}",
        "{{",
        "}}",
        "{if a}",
        "{/if}",
        "{else}",
        "{elseif b}",
        "{for x in l}",
        "{/for}",
        "{x}",
        "{prompt}",
        "{repeat 2}",
        "{/repeat}",
        "{if a >}",
        "{/if x}",
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
    ];
    proptest::sample::select(words.to_vec()).prop_map(str::to_owned)
}

fn texts(most: usize) -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..most).prop_map(|pieces| pieces.concat())
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

fn syntax() -> impl Strategy<Value = TagSyntax> {
    prop_oneof![3 => Just(TagSyntax::SingleBraces), 1 => Just(TagSyntax::DoubleBraces)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn chunks_do_not_matter(text in texts(60), syntax in syntax()) {
        let whole = Body::with_lengths(&*text, 0, syntax, WHOLE);
        prop_assert_eq!(whole.chunk_count(), 1);
        prop_assert_eq!(says(&Body::with_lengths(&*text, 0, syntax, SMALL)), says(&whole));
    }

    #[test]
    fn edited_equals_fresh(
        text in texts(50),
        syntax in syntax(),
        edits in proptest::collection::vec((any::<proptest::sample::Index>(), 0_usize..30, texts(4)), 1..8),
    ) {
        let mut text = text;
        let mut body = Body::with_lengths(&*text, 0, syntax, SMALL);
        for (at, removed, inserted) in edits {
            let start = floor(&text, at.index(text.len() + 1));
            let end = floor(&text, start + removed).max(start);
            text.replace_range(start..end, &inserted);
            body.edit(&*text, 0, Span::of(start..end), offset(inserted.len()));
            prop_assert_eq!(body.len() as usize, text.len());
            prop_assert_eq!(says(&body), says(&Body::with_lengths(&*text, 0, syntax, WHOLE)), "after {:?}", text);
        }
    }
}
