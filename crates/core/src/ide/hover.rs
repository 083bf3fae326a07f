//! What stands at a place, explained.

use super::describe::{self, code};
use super::{Context, completion, orders, texts};
use crate::block::{Header, HeaderEntry, HeaderState, Zone};
use crate::lint::Position;
use crate::message::{Message, and};
use crate::msg;
use crate::span::{Span, offset};
use crate::syntax::{ChunkView, Malformed, Part, PartKind, State, Token, TokenKind, first_segment};
use std::fmt::Write as _;

/// How many blocks before and behind are named.
const NEIGHBOURS: usize = 2;

/// How many free numbers are named.
const FREE: usize = 5;

/// An explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hover {
    /// What it explains.
    pub span: Span,
    /// Markdown.
    pub markdown: String,
}

/// What stands at byte `at`.
pub fn hover(cx: &Context<'_>, at: u32) -> Option<Hover> {
    let header = cx.document.header();
    if at < header.body && header.state != HeaderState::Missing {
        return in_header(cx, header, at);
    }
    if cx.is_template() { in_body(cx, at) } else { None }
}

fn in_header(cx: &Context<'_>, header: &Header, at: u32) -> Option<Hover> {
    let touched = |entry: &&HeaderEntry| entry.key.touches(at) || entry.value.touches(at);
    let entry = header.entries.iter().find(touched)?;
    let profile = cx.document.profile();
    let meaning = texts::key(&entry.name, profile)?;
    let on_key = entry.key.touches(at);
    let of_key = || format!("**{}**\n\n{}", code(&entry.name), meaning.text(cx.locale));
    let of_value = |name: &str, meaning: Message| {
        format!("**{}**\n\n{}", code(&format!("{}: {name}", entry.name)), meaning.text(cx.locale))
    };
    let is = |key: Option<Span>| !on_key && key == Some(entry.key);
    let key_of = |key: &str| (&*entry.name == key).then_some(entry.key);
    let markdown = match &*entry.name {
        "order" => {
            let key = if on_key { of_key() } else { String::new() };
            match &header.order {
                Some(order) => join(&[key, order_markdown(cx, header, order.value)]),
                None => of_key(),
            }
        }
        // What the block says of itself.
        "id" if is(header.id.as_ref().map(|f| f.key)) => {
            let description = header.description.as_ref().map_or("", |field| field.value.trim());
            join(&[of_key(), description.to_owned()])
        }
        "zone" if is(header.zone.as_ref().map(|f| f.key)) => {
            let zone = header.zone()?;
            of_value(zone.name(), texts::zone(zone, profile))
        }
        "role" if is(header.role.as_ref().map(|f| f.key)) => {
            of_value(header.role().name(), texts::role(header.role()))
        }
        "cache" if is(header.cache.as_ref().map(|f| f.key)) => {
            let cache = header.cache.as_ref()?.value;
            of_value(cache.name(), texts::cache(cache))
        }
        "template" | "complete" if !on_key => {
            let field = if key_of("template").is_some() { &header.template } else { &header.complete };
            let value = field.as_ref().filter(|field| field.key == entry.key).map(|field| field.value);
            match value.and_then(|value| Some((value, texts::boolean(&entry.name, value)?))) {
                Some((value, meaning)) => of_value(if value { "true" } else { "false" }, meaning),
                None => of_key(),
            }
        }
        "allow" if !on_key => {
            let (allowed, span) = header.allow.iter().find(|(_, span)| span.touches(at))?;
            return Some(Hover { span: *span, markdown: completion::summary(*allowed, cx) });
        }
        _ => of_key(),
    };
    let span = if on_key { entry.key } else { entry.value };
    Some(Hover { span, markdown })
}

/// Band, neighbours and free numbers.
fn order_markdown(cx: &Context<'_>, header: &Header, order: f64) -> String {
    let mut paragraphs = vec![format!("**{}**", code(&format!("order: {order}")))];
    let system = header.zone().is_none_or(|zone| zone == Zone::System);
    let band = orders::band(cx.judge, header, order);
    if let Some(band) = band {
        let (name, typical) = (orders::band_name(band), band.typical(cx.locale));
        paragraphs.push(cx.text(&if typical.is_empty() {
            msg!("Band: {name}", "分带：{name}"; name = name)
        } else {
            msg!("Band: {name} — {typical}", "分带：{name}——{typical}", typical = typical; name = name)
        }));
    } else if system && cx.judge.profile.off_band {
        paragraphs.push(cx.text(&match cx.judge.bands.nearest(order) {
            Some(near) => {
                let near = orders::band_name(near);
                msg!("In no band; the nearest is {near}.", "不在任何分带内；最近的是{near}。"; near = near)
            }
            None => msg!("In no band.", "不在任何分带内。"),
        }));
    }
    if header.zone() == Some(Zone::Input) {
        return join(&paragraphs);
    }
    let taken = orders::taken(cx, header);
    let own = header.id().map_or("", |id| id);
    let (before, behind) = orders::around(&taken, order, own, NEIGHBOURS);
    let here = cx.text(&msg!("**this block**", "**此块**"));
    let line: Vec<String> = before
        .iter()
        .map(orders::Taken::shown)
        .chain([format!("{here} ({order})")])
        .chain(behind.iter().map(orders::Taken::shown))
        .collect();
    paragraphs.push(if taken.is_empty() {
        cx.text(&msg!("No other block stands in this list.", "此列表中没有其他块。"))
    } else {
        line.join(" → ")
    });
    // Where it stands in no band, the way out is the nearest one.
    let band = band.or_else(|| cx.judge.bands.nearest(order).filter(|_| system && cx.judge.profile.off_band));
    let (from, to) = match (band, cx.judge.profile.order_range) {
        (Some(band), _) => (band.from, band.to),
        (None, Some(range)) if system => range,
        _ => (i32::MIN, i32::MAX),
    };
    let mut free = orders::free_near(orders::is_free(&taken), order, (from, to), FREE + 1);
    free.retain(|free| f64::from(*free) != order);
    free.truncate(FREE);
    free.sort_unstable();
    let free: Vec<String> = free.iter().map(i32::to_string).collect();
    if !free.is_empty() {
        let free = and(free.iter().map(String::as_str));
        paragraphs.push(cx.text(&msg!("Free: {free}", "空闲：{free}"; free = free)));
    }
    join(&paragraphs)
}

fn join(paragraphs: &[String]) -> String {
    let full: Vec<&str> = paragraphs.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    full.join("\n\n")
}

fn in_body(cx: &Context<'_>, at: u32) -> Option<Hover> {
    let document = cx.document;
    let view = document.body().view_around(document.text(), document.header().body, at)?;
    let (_, token) = view.token_at(at)?;
    // Behind a tag is not on it.
    if !token.span.shift(view.start).contains(at) {
        return None;
    }
    let whole = token.span.shift(view.start);
    let of = |span: Span, markdown: String| Some(Hover { span, markdown });
    match (token.state, token.kind) {
        (State::Border, _) => of(whole, cx.text(&texts::literal())),
        (State::Inert, TokenKind::Variable) => inert(cx, &view, token, at),
        (State::Inert, _) => None,
        (State::Live, TokenKind::Escape) => {
            let opening = view.text_of(token.span).starts_with('{');
            let form = view.text_of(token.span);
            of(whole, format!("**{}**\n\n{}", code(form), cx.text(&texts::escape(opening))))
        }
        (
            State::Live,
            TokenKind::OpenBrace
            | TokenKind::CloseBrace
            | TokenKind::BareName
            | TokenKind::MalformedReference,
        ) => None,
        (State::Live, _) => {
            let part = view.part_at(token, at);
            match part {
                Some(part) if matches!(part.kind, PartKind::Name | PartKind::Binding) => {
                    name(cx, &view, token, part)
                }
                Some(part) if matches!(part.kind, PartKind::Number | PartKind::String | PartKind::Word) => {
                    argument(cx, &view, token, part)
                }
                Some(part) if part.kind != PartKind::Keyword => None,
                _ if token.kind == TokenKind::Variable => None,
                _ => control(cx, &view, token, part),
            }
        }
    }
}

fn inert(cx: &Context<'_>, view: &ChunkView<'_>, token: &Token, at: u32) -> Option<Hover> {
    let part = view.tokens().parts(token).first()?;
    let name = first_segment(view.text_of(part.span));
    let variable = cx.judge.catalog.get(name)?;
    part.span.shift(view.start).contains(at).then(|| Hover {
        span: token.span.shift(view.start),
        markdown: describe::variable(cx, variable, Some(texts::inert().text(cx.locale))),
    })
}

/// A variable or loop variable.
fn name(cx: &Context<'_>, view: &ChunkView<'_>, token: &Token, part: &Part) -> Option<Hover> {
    let name = first_segment(view.text_of(part.span));
    let start = view.start + part.span.start;
    let span = Span::new(start, start + offset(name.len()));
    let open = view.open_at(token.span.start + view.start);
    let opener = if part.kind == PartKind::Binding { None } else { open.loop_of(name) };
    if part.kind == PartKind::Binding || opener.is_some() {
        let mut markdown = format!("**{}**", code(name));
        let of = opener
            .and_then(|tag| cx.document.body().spans_of([tag], cx.document.header().body).pop())
            .unwrap_or_else(|| token.span.shift(view.start));
        let tag = code(&cx.document.slice(of));
        let line =
            msg!("Loop variable of {tag}; known up to its closer.", "{tag} 的循环变量，到结束标签为止可用。");
        let _ = write!(markdown, "\n\n{}", line.text(cx.locale));
        if cx.judge.catalog.get(name).is_some() {
            let line = msg!("It hides the variable of the same name.", "它遮盖了同名变量。");
            let _ = write!(markdown, "\n\n{}", line.text(cx.locale));
        }
        return Some(Hover { span, markdown });
    }
    let variable = cx.judge.catalog.get(name)?;
    let objection = cx.judge.objection(cx.document.header(), variable, Position::in_tag(token.kind));
    let objection = objection.as_ref().map(|objection| objection.message.text(cx.locale));
    Some(Hover { span, markdown: describe::variable(cx, variable, objection) })
}

/// What an argument of a variable means.
fn argument(cx: &Context<'_>, view: &ChunkView<'_>, token: &Token, part: &Part) -> Option<Hover> {
    if token.kind != TokenKind::Variable {
        return None;
    }
    let (first, given) = view.tokens().parts(token).split_first()?;
    let name = first_segment(view.text_of(first.span));
    let variable = cx.judge.catalog.get(name)?;
    let argument = variable.args.get(given.iter().position(|other| other == part)?)?;
    let mut markdown = format!("**{}**", code(&format!("{name}{}", describe::arguments(variable))));
    let _ = write!(markdown, "\n\n{}", code(&argument.name));
    if let Some(description) = &argument.description {
        let _ = write!(markdown, " — {description}");
    }
    Some(Hover { span: part.span.shift(view.start), markdown })
}

fn control(cx: &Context<'_>, view: &ChunkView<'_>, token: &Token, part: Option<&Part>) -> Option<Hover> {
    let (form, meaning) = match token.kind {
        TokenKind::Opener(control) | TokenKind::Closer(control) => texts::control(control),
        TokenKind::Malformed(Malformed::Opener(control) | Malformed::Closer(control)) => {
            texts::control(control)
        }
        TokenKind::Else => texts::branch("else")?,
        TokenKind::ElseIf => texts::branch("elseif")?,
        _ => return None,
    };
    let span = part.map_or(token.span, |part| part.span).shift(view.start);
    Some(Hover { span, markdown: format!("**{}**\n\n{}", code(form), meaning.text(cx.locale)) })
}

#[cfg(test)]
mod tests;
