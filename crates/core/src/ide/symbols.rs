//! The outline of a block: itself, its control blocks.

use super::{Context, orders};
use crate::block::Header;
use crate::excerpt::excerpt;
use crate::lint::Judge;
use crate::message::Locale;
use crate::project::Index;
use crate::source::{Cooked, Part};
use crate::span::Span;
use crate::syntax::{Document, Text};
use crate::{FileId, msg};
use std::sync::Arc;

/// What a symbol is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    /// The block.
    Block,
    /// A control block.
    Control,
    /// A branch of a control block.
    Branch,
}

/// One entry of the outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// The block's id, or the tag.
    pub name: String,
    /// Zone and order, or the first line of text.
    pub detail: Option<String>,
    /// What it is.
    pub kind: SymbolKind,
    /// All of it.
    pub span: Span,
    /// What to select when it is chosen; within the span.
    pub selection: Span,
    /// What stands in it, in order.
    pub children: Vec<Symbol>,
}

/// Deeper ones are listed where this deep ones are: nobody looks there, and no client needs to nest without end.
const DEEPEST: usize = 32;

/// The outline.
pub fn symbols(cx: &Context<'_>) -> Vec<Symbol> {
    let document = cx.document;
    let header = document.header();
    let end = Text::len(document.text());
    let name = header.id().map_or_else(|| cx.text(&msg!("(no id)", "（无 id）")), |id| id.to_string());
    let selection = header.id.as_ref().map_or(header.opening, |id| id.span);
    let block = Symbol {
        name,
        detail: Some(detail(cx)).filter(|detail| !detail.is_empty()),
        kind: SymbolKind::Block,
        span: Span::new(header.span.start.min(selection.start), end),
        selection,
        children: if cx.is_template() { controls(cx, Span::new(header.body, end)) } else { Vec::new() },
    };
    vec![block]
}

/// The outline of a block that source code registers, in places of the source.
pub fn symbol_in_source(part: &Part, judge: &Judge, index: &Index, locale: Locale) -> Symbol {
    let computed = part.document.is_none();
    let none;
    let document = match &part.document {
        Some(document) => document,
        None => {
            none = Document::embedded("", Arc::clone(&part.header), Vec::new(), part.framework.profile());
            &none
        }
    };
    // The number matters to features that ask for neighbours alone.
    let cx = Context { file: FileId(u32::MAX), document, judge, index, locale };
    let mut children = Vec::new();
    if let Some(cooked) = part.cooked.as_deref().filter(|_| cx.is_template()) {
        let end = Text::len(document.text());
        let mapped = controls(&cx, Span::new(0, end)).into_iter().map(|child| to_source(child, cooked));
        // A text may stand in a constant elsewhere; what is listed here stands here.
        children.extend(mapped.filter(|child| part.call.cover(child.span) == part.call));
    }
    let mut pieces: Vec<String> = Some(detail(&cx)).filter(|detail| !detail.is_empty()).into_iter().collect();
    pieces.extend(computed.then(|| cx.text(&msg!("computed", "运行时计算"))));
    let id = part.header.id.as_ref().filter(|id| part.call.cover(id.span) == part.call);
    Symbol {
        name: part
            .header
            .id()
            .map_or_else(|| cx.text(&msg!("(computed id)", "（id 在运行时计算）")), |id| id.to_string()),
        detail: Some(pieces.join(" · ")).filter(|detail| !detail.is_empty()),
        kind: SymbolKind::Block,
        span: part.call,
        selection: id.map_or(part.callee, |id| id.span),
        children,
    }
}

fn to_source(symbol: Symbol, cooked: &Cooked) -> Symbol {
    let (span, selection) = (cooked.to_source(symbol.span), cooked.to_source(symbol.selection));
    let children = symbol.children.into_iter().map(|child| to_source(child, cooked)).collect();
    // Both are put together from literals that may stand anywhere; what is selected has to be in the whole.
    Symbol { span: span.cover(selection), selection, children, ..symbol }
}

/// `system 120 · tool guidance · what it is for`
fn detail(cx: &Context<'_>) -> String {
    let header = cx.document.header();
    let mut pieces = standing(header, cx.judge, cx.locale);
    pieces.extend(header.description.as_ref().map(|field| excerpt(&field.value).into_owned()));
    pieces.join(" · ")
}

/// Where a block stands: zone and order, the band.
pub(super) fn standing(header: &Header, judge: &Judge, locale: Locale) -> Vec<String> {
    let zone = header.zone().map(|zone| zone.name().to_owned());
    let order = header.order.as_ref().map(|order| order.value.to_string());
    let place: Vec<String> = zone.into_iter().chain(order).collect();
    let band = header.order.as_ref().and_then(|order| orders::band(judge, header, order.value));
    let place = (!place.is_empty()).then(|| place.join(" "));
    place.into_iter().chain(band.map(|band| band.title().text(locale).to_owned())).collect()
}

/// A tag that begins a stretch of text, and where that ends.
struct Stretch {
    tag: Span,
    end: u32,
    kind: SymbolKind,
}

/// The control blocks of the body, with their branches, nested as they stand.
fn controls(cx: &Context<'_>, within: Span) -> Vec<Symbol> {
    let document = cx.document;
    let body = document.body();
    let starts = body.starts(within.start);
    let mut all: Vec<Stretch> = Vec::new();
    for pair in body.pairs() {
        let place = |tag| body.token(tag, &starts);
        let Some(opener) = place(pair.opener) else { continue };
        let end = pair.closer.and_then(place).map_or(within.end, |closer| closer.end);
        all.push(Stretch { tag: opener, end, kind: SymbolKind::Control });
        let branches: Vec<Span> = pair.branches.iter().copied().filter_map(place).collect();
        let stop = pair.closer.and_then(place).map_or(within.end, |closer| closer.start);
        for (index, branch) in branches.iter().enumerate() {
            let end = branches.get(index + 1).map_or(stop, |next| next.start);
            all.push(Stretch { tag: *branch, end, kind: SymbolKind::Branch });
        }
    }
    all.sort_by_key(|stretch| stretch.tag);
    let mut top = Vec::new();
    let mut open: Vec<Symbol> = Vec::new();
    let close = |open: &mut Vec<Symbol>, top: &mut Vec<Symbol>| {
        if let Some(done) = open.pop() {
            open.last_mut().map_or(&mut *top, |outer| &mut outer.children).push(done);
        }
    };
    for stretch in all {
        while open.last().is_some_and(|outer| outer.span.end <= stretch.tag.start) || open.len() >= DEEPEST {
            close(&mut open, &mut top);
        }
        // One that was never closed ends with what it stands in.
        let end = open.last().map_or(within.end, |outer| outer.span.end).min(stretch.end);
        open.push(Symbol {
            name: excerpt(&document.slice(stretch.tag)).into_owned(),
            detail: first_line(cx, stretch.tag.end, end),
            kind: stretch.kind,
            span: Span::new(stretch.tag.start, end.max(stretch.tag.end)),
            selection: stretch.tag,
            children: Vec::new(),
        });
    }
    while !open.is_empty() {
        close(&mut open, &mut top);
    }
    top
}

/// The first line of text between two places, if any stands soon.
fn first_line(cx: &Context<'_>, start: u32, end: u32) -> Option<String> {
    const WINDOW: usize = 200;
    let text = cx.document.text();
    let start = text.try_byte_to_char(start as usize).ok()?;
    let end = text.try_byte_to_char(end as usize).ok()?.min(start + WINDOW);
    let window = text.get_slice(start..end)?.to_string();
    let line = window.split(['\n', '\r']).map(str::trim).find(|line| !line.is_empty())?;
    // The closer is no text.
    let line = line.split("{/").next().unwrap_or(line).trim();
    (!line.is_empty()).then(|| excerpt(line).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::testing::{Project, context, system};
    use expect_test::{Expect, expect};

    fn outline(all: &[Symbol], depth: usize, text: &str, out: &mut String) {
        for symbol in all {
            let (kind, name) = (symbol.kind, &symbol.name);
            let detail = symbol.detail.as_deref().unwrap_or("-");
            let selected = symbol.selection.of_str(text);
            out.push_str(&format!("{}{kind:?} {name} | {detail} | {selected}\n", "  ".repeat(depth)));
            for child in &symbol.children {
                assert!(
                    symbol.span.start <= child.span.start && child.span.end <= symbol.span.end,
                    "{child:?}"
                );
            }
            assert!(symbol.span.start <= symbol.selection.start && symbol.selection.end <= symbol.span.end);
            outline(&symbol.children, depth + 1, text, out);
        }
    }

    fn check(text: &str, expected: Expect) {
        let mut out = String::new();
        outline(&symbols(&Project::new(text).context()), 0, text, &mut out);
        expected.assert_eq(&out);
    }

    #[test]
    fn nested() {
        check(
            &system(
                "{if is_vip}\r\n贵宾🎉\r\n{for m in members}{m}{/for}{elseif limit > 3}b{else}c{/if}\n{repeat 2}x{/repeat}",
            ),
            expect![[r#"
                Block demo:here | system 120 · tool guidance | demo:here
                  Control {if is_vip} | 贵宾🎉 | {if is_vip}
                    Control {for m in members} | {m} | {for m in members}
                    Branch {elseif limit > 3} | b | {elseif limit > 3}
                    Branch {else} | c | {else}
                  Control {repeat 2} | x | {repeat 2}
            "#]],
        );
    }

    #[test]
    fn unclosed_and_none() {
        check(
            &context("{if a}x{for b in c}\n{/if} {while d}"),
            expect![[r#"
                Block demo:here | context 120 | demo:here
                  Control {if a} | x{for b in c} | {if a}
                    Control {for b in c} | - | {for b in c}
                  Control {while d} | - | {while d}
            "#]],
        );
        check(
            "no header {if a}",
            expect![[r#"
            Block (no id) | - | 
        "#]],
        );
        check(
            "\u{feff}---\nid: x\ndescription: 说明\n---\n{if a}",
            expect![[r#"
            Block x | 说明 | x
        "#]],
        );
        check(
            "",
            expect![[r#"
            Block (no id) | - | 
        "#]],
        );
    }

    #[test]
    fn what_the_block_is_for() {
        check(
            "---\nid: t:x\nzone: system\norder: 120\ndescription: 怎样用工具 🎉\n---\nx\n",
            expect![[r#"
                Block t:x | system 120 · tool guidance · 怎样用工具 🎉 | t:x
            "#]],
        );
    }

    #[test]
    fn nested_without_end() {
        let text = system(&"{if a}".repeat(5000));
        let project = Project::new(&text);
        let mut depth = 0;
        let mut level = symbols(&project.context());
        while let Some(symbol) = level.pop() {
            depth += 1;
            level = symbol.children;
        }
        assert!(depth <= DEEPEST + 1, "{depth}");
    }
}
