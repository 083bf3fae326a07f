//! Hints within the text: the band behind an order, an example behind a variable's tag.

use super::Context;
use super::orders;
use crate::assemble::spell;
use crate::block::HeaderState;
use crate::excerpt::excerpt;
use crate::span::Span;
use crate::syntax::{ChunkView, OpenTag, OpenTags, PartKind, State, Token, TokenKind, first_segment};

/// Which hints are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HintKinds {
    /// The band behind `order`.
    pub bands: bool,
    /// An example behind a variable's tag.
    pub examples: bool,
}

/// A hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InlayHint {
    /// Behind this byte.
    pub at: u32,
    /// What it says, on one line.
    pub label: String,
    /// What more there is to say; may be empty.
    pub tooltip: String,
}

/// The hints that stand in `range`, in order.
pub fn inlay_hints(cx: &Context<'_>, range: Span, kinds: HintKinds) -> Vec<InlayHint> {
    let mut all = Vec::new();
    if kinds.bands {
        all.extend(band(cx));
    }
    if kinds.examples && cx.is_template() {
        examples(cx, range, &mut all);
    }
    all.retain(|hint| range.touches(hint.at));
    all
}

fn band(cx: &Context<'_>) -> Option<InlayHint> {
    let header = cx.document.header();
    let order = header.order.as_ref().filter(|_| header.state != HeaderState::Missing)?;
    let band = orders::band(cx.judge, header, order.value)?;
    let label = cx.text(&band.title());
    let typical = band.typical(cx.locale);
    let name = cx.text(&orders::band_name(band));
    let tooltip = if typical.is_empty() { name } else { format!("{name} — {typical}") };
    Some(InlayHint { at: order.span.end, label, tooltip })
}

fn examples(cx: &Context<'_>, range: Span, out: &mut Vec<InlayHint>) {
    let document = cx.document;
    let base = document.header().body;
    for view in document.body().views_within(document.text(), base, range) {
        let mut open = view.open_at(view.start);
        for (index, token) in view.tokens().iter().enumerate() {
            if token.state != State::Live {
                continue;
            }
            if token.kind == TokenKind::Variable {
                out.extend(example(cx, &view, token, &open));
            }
            view.pass(&mut open, index, token);
        }
    }
}

/// The example of a tag's variable; a loop variable of that name has none, and of a field nothing is known.
fn example(
    cx: &Context<'_>,
    view: &ChunkView<'_>,
    token: &Token,
    open: &OpenTags<OpenTag>,
) -> Option<InlayHint> {
    let part = view.tokens().parts(token).iter().find(|part| part.kind == PartKind::Name)?;
    let name = view.text_of(part.span);
    let first = first_segment(name);
    if first.len() != name.len() || open.loop_of(first).is_some() {
        return None;
    }
    let value = cx.judge.catalog.get(first)?.example.as_ref().filter(|value| !value.is_null())?;
    let value = spell(value);
    let label = format!("= {}", excerpt(&value));
    Some(InlayHint { at: token.span.shift(view.start).end, label, tooltip: value.into_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Locale;
    use crate::catalog::{Catalog, Layer, parse};
    use crate::ide::testing::Project;
    use crate::lint::Judge;
    use crate::profile::Profile;
    use crate::span::offset;

    const BOTH: HintKinds = HintKinds { bands: true, examples: true };
    const CATALOG: &str = r#"{"variables": {
        "name": {"example": "阿桂\n第二行"}, "n": {"example": 2.0}, "tags": {"example": ["甲", true]}, "none": {},
        "long": {"example": "一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十一"}, "null": {"example": null}
    }}"#;

    fn project(text: &str) -> Project {
        let file = parse(CATALOG, crate::FileId(1), Layer::Project, &Profile::blocks());
        Project::with(text, Judge::new(Catalog::merge([&file])))
    }

    /// The text with each hint in place, as `⟦…⟧`.
    fn shown_in(text: &str, range: Option<&str>, kinds: HintKinds, locale: Locale) -> String {
        let mut project = project(text);
        project.locale = locale;
        let range = range.map_or(Span::new(0, offset(text.len())), |piece| {
            let start = text.find(piece).expect(piece);
            Span::of(start..start + piece.len())
        });
        let mut out = String::new();
        let mut done = 0;
        for hint in inlay_hints(&project.context(), range, kinds) {
            assert!(!hint.label.contains(['\n', '\r']), "{hint:?}");
            out.push_str(&text[done..hint.at as usize]);
            out.push_str(&format!("⟦{}⟧", hint.label));
            done = hint.at as usize;
        }
        out + &text[done..]
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(shown_in(text, None, BOTH, Locale::En), expected);
    }

    fn block(order: &str, body: &str) -> String {
        format!("---\nid: t:a\nzone: system\norder: {order}\ntemplate: true\n---\n{body}")
    }

    #[test]
    fn the_band_of_an_order() {
        for (order, band) in
            [("120", "⟦tool guidance⟧"), ("0.0", "⟦persona⟧"), ("-5", ""), ("300", ""), ("x", "")]
        {
            check(&block(order, ""), &block(&format!("{order}{band}"), ""));
        }
        let text = "\u{feff}---\r\nid: 🎉\r\norder: \"x\"\r\n---\r\n";
        check(text, text);
        let text = "\u{feff}---\r\nid: 人🎉e\u{301}\r\nzone: system\r\norder: 260 # 平台\r\n---\r\n";
        let expected = text.replace("260", "260⟦平台约束⟧");
        assert_eq!(shown_in(text, None, BOTH, Locale::ZhCn), expected);
    }

    #[test]
    fn no_band_outside_the_system_zone_and_without_a_header() {
        for text in [
            "---\nid: t:a\nzone: context\norder: 120\n---\n",
            "---\nid: t:a\nzone: input\norder: 0\n---\n",
            "order: 120\n",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn examples_behind_tags() {
        check(
            &block("5000", "🎉{name}\r\n{ n }{tags x 1}人e\u{301}{long}"),
            &block(
                "5000",
                "🎉{name}⟦= 阿桂…⟧\r\n{ n }⟦= 2⟧{tags x 1}⟦= 甲, true⟧人e\u{301}{long}⟦= 一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十…⟧",
            ),
        );
    }

    #[test]
    fn no_example_where_nothing_is_known_or_nothing_is_rendered() {
        for body in [
            "{none}{null}{nobody}{name.first}",
            "{{name}} {\"a\": \"{name}\"} {name",
            "{if name}{/if}{for x in tags}{x}{/for}",
            "{for name in tags}{name}{/for}",
        ] {
            let text = block("5000", body);
            check(&text, &text);
            let text = block("5000", "{name}").replace("template: true", "template: false");
            check(&text, &text);
        }
    }

    #[test]
    fn only_what_is_asked_for() {
        let text = block("0", "{name}\n{n}\n");
        let bands = HintKinds { bands: true, examples: false };
        assert_eq!(shown_in(&text, None, bands, Locale::En), block("0⟦persona⟧", "{name}\n{n}\n"));
        let examples = HintKinds { bands: false, examples: true };
        assert_eq!(shown_in(&text, Some("{n}"), examples, Locale::En), block("0", "{name}\n{n}⟦= 2⟧\n"));
        assert_eq!(shown_in(&text, Some("zone: system"), BOTH, Locale::En), text);
        let neither = HintKinds { bands: false, examples: false };
        assert_eq!(shown_in(&text, None, neither, Locale::En), text);
    }
}
