//! Ids that nobody else has.

use super::{Context, Edit, Fix};
use crate::block::Field;
use crate::msg;
use crate::span::Span;
use crate::syntax::Document;
use std::sync::Arc;

/// So many plugins are worth offering.
const MOST: usize = 2;
/// Whoever has that many blocks of one name has to think of another.
const MOST_NUMBERED: u32 = 1000;

/// The id with a number behind it that is free.
pub(super) fn another(cx: &Context<'_>, document: &Document) -> Option<Fix> {
    let field = document.header().id.as_ref()?;
    let end = within_quotes(document, field)?.end;
    let number = (2..MOST_NUMBERED).find(|number| !cx.index.has_id(&format!("{}-{number}", field.value)))?;
    let id = format!("{}-{number}", field.value);
    let title = msg!("Rename this one to `{id}`", "将这一个改名为 `{id}`");
    Some(Fix::one(title, Edit::insert(end, format!("-{number}"))))
}

/// The id with the plugin in front that its neighbours have.
pub(super) fn prefixed(cx: &Context<'_>, document: &Document) -> Vec<Fix> {
    let Some(field) = &document.header().id else { return Vec::new() };
    let Some(span) = within_quotes(document, field) else { return Vec::new() };
    let fix = |plugin: Arc<str>| {
        let id = format!("{plugin}:{}", field.value);
        if cx.index.has_id(&id) || !is_plain(&plugin) {
            return None;
        }
        let title = msg!("Rename to `{id}`", "改名为 `{id}`");
        Some(Fix::one(title, Edit::insert(span.start, format!("{plugin}:"))))
    };
    plugins(cx, document).into_iter().filter_map(fix).collect()
}

/// Ids for a block that has none, after its file's name.
pub(super) fn fresh(cx: &Context<'_>, document: &Document) -> Vec<String> {
    let Some(stem) = cx.surroundings.stem().filter(|stem| !stem.trim().is_empty()) else { return Vec::new() };
    let free = |id: String| {
        let numbered = (2..MOST_NUMBERED).map(|number| format!("{id}-{number}"));
        std::iter::once(id.clone()).chain(numbered).find(|id| !cx.index.has_id(id))
    };
    let mut ids: Vec<String> =
        plugins(cx, document).into_iter().filter_map(|plugin| free(format!("{plugin}:{stem}"))).collect();
    if ids.is_empty() {
        ids.extend(free(stem));
    }
    ids.into_iter().map(spelled).collect()
}

fn plugins(cx: &Context<'_>, document: &Document) -> Vec<Arc<str>> {
    match &document.header().plugin {
        Some(plugin) => vec![Arc::clone(&plugin.value)],
        None => cx.surroundings.plugins().into_iter().take(MOST).collect(),
    }
}

/// Where the text of a value stands that has no escapes in it.
fn within_quotes(document: &Document, field: &Field<Arc<str>>) -> Option<Span> {
    let written = document.slice(field.span);
    if *written == *field.value {
        return Some(field.span);
    }
    let inner = Span::new(field.span.start + 1, field.span.end.checked_sub(1)?);
    let quoted = written.starts_with(['"', '\'']) && *document.slice(inner) == *field.value;
    quoted.then_some(inner)
}

/// Whether a text needs no quotes in YAML, whatever stands behind it.
fn is_plain(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
}

/// An id as YAML writes it.
pub(crate) fn spelled(id: String) -> String {
    let words = ["true", "false", "null"];
    let plain = id.split(':').all(is_plain) && !words.contains(&id.to_ascii_lowercase().as_str());
    if plain { id } else { serde_json::Value::from(id).to_string() }
}
