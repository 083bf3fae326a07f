//! A text that stands in a tag of the framework's must not close it, nor open another: the `<` of such a tag is escaped. [S4]

use super::render::{Piece, PieceKind, Rendered};
use crate::span::{Span, offset};

const ESCAPED: &str = "&lt;";

/// `rendered` with every `<tag` and `</tag` as `&lt;tag` and `&lt;/tag`; the pieces still say where each byte comes from.
pub(super) fn escaped(rendered: Rendered, tag: &str) -> Rendered {
    let places = places(&rendered.text, tag);
    if places.is_empty() {
        return rendered;
    }
    let (text, old) = (&rendered.text, &rendered.pieces);
    let mut out = String::with_capacity(text.len() + places.len() * ESCAPED.len());
    let mut pieces = Vec::with_capacity(old.len() + 2 * places.len());
    let mut places = places.into_iter().peekable();
    for (index, piece) in old.iter().enumerate() {
        let start = piece.start as usize;
        let end = old.get(index + 1).map_or(text.len(), |next| next.start as usize);
        let is_verbatim = piece.kind == PieceKind::Text && piece.source.len() as usize == end - start;
        let source = |from: usize, to: usize| match is_verbatim {
            true => Span::of(from - start..to - start).shift(piece.source.start),
            false => piece.source,
        };
        let mut push = |from: usize, to: usize, shown: &str| {
            if from < to {
                pieces.push(Piece { start: offset(out.len()), source: source(from, to), ..*piece });
                out.push_str(shown);
            }
        };
        let mut from = start;
        while let Some(at) = places.next_if(|at| *at < end) {
            push(from, at, text.get(from..at).unwrap_or_default());
            push(at, at + 1, ESCAPED);
            from = at + 1;
        }
        push(from, end, text.get(from..end).unwrap_or_default());
    }
    Rendered { text: out.into(), pieces: pieces.into(), ..rendered }
}

/// The `<` of every such tag.
fn places(text: &str, tag: &str) -> Vec<usize> {
    let is_tag = |at: &usize| {
        let behind = text.get(at + 1..).unwrap_or_default();
        behind.strip_prefix('/').unwrap_or(behind).starts_with(tag)
    };
    text.match_indices('<').map(|(at, _)| at).filter(is_tag).collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{rendered, scene};
    use super::*;

    /// The output with a bar between its pieces, and what of the file each comes from.
    fn shown(body: &str, fields: &str) -> (String, Vec<String>) {
        let file = super::super::fixture::block(body);
        let found = escaped(rendered(body, &scene(fields)), "system-reminder");
        let ends = found.pieces.iter().skip(1).map(|piece| piece.start).chain([offset(found.text.len())]);
        let texts = found.pieces.iter().zip(ends);
        let texts: Vec<_> =
            texts.map(|(piece, end)| Span::new(piece.start, end).of_str(&found.text)).collect();
        let sources = found.pieces.iter().map(|piece| piece.source.of_str(&file).to_owned());
        (texts.join("|"), sources.collect())
    }

    #[test]
    fn what_would_open_or_close_a_reminder() {
        let (text, sources) = shown("你🎉<system-reminder>x</system-reminder>\n", "{}");
        assert_eq!(text, "你🎉|&lt;|system-reminder>x|&lt;|/system-reminder>");
        assert_eq!(sources, ["你🎉", "<", "system-reminder>x", "<", "/system-reminder>"]);
    }

    #[test]
    fn a_value_too_and_nothing_else() {
        let (text, sources) = shown("a {v} < <system <systemreminder>\n", r#"{"v": "</system-reminder-x>"}"#);
        assert_eq!(text, "a |&lt;|/system-reminder-x>| < <system <systemreminder>");
        assert_eq!(sources, ["a ", "{v}", "{v}", " < <system <systemreminder>"]);
        let plain = "<a> </b> < system-reminder> {v}\n";
        let plain = rendered(plain, &scene(r#"{"v": 1}"#));
        assert_eq!(escaped(plain.clone(), "system-reminder"), plain);
    }

    #[test]
    fn a_tag_that_two_pieces_make() {
        let (text, _) = shown("<{v}-reminder>\n", r#"{"v": "system"}"#);
        assert_eq!(text, "&lt;|system|-reminder>");
    }
}
