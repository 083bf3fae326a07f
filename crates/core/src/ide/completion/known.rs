//! What is known of a name's value: what the sample environments give it, and the catalog's example.

use crate::assemble::{Environments, spell, value_of};
use crate::catalog::Catalog;
use crate::excerpt::excerpt;
use crate::ide::Context;
use crate::project::Index;
use crate::syntax::{Control, OpenTag, OpenTags, is_identifier};
use crate::{FileId, Message, msg};
use serde_json::Value;
use std::collections::BTreeSet;

/// So many are offered at most.
const MOST: usize = 50;
/// A longer text is no value that somebody compares with.
const LONGEST: usize = 60;
/// Loops over the items of loops are followed so far.
const DEEPEST: usize = 8;
/// So many items of lists say what the items are like.
const ITEMS: usize = 200;

/// Which quote a text is to be written in, and whether anything but texts is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// Anything; texts in that quote.
    Any(char),
    /// Texts in that quote, which is typed already.
    Quoted(char),
}

/// What is known of values.
pub(super) struct Known<'a> {
    pub(super) catalog: &'a Catalog,
    pub(super) environments: &'a Environments,
    /// The loops around the place, in a block.
    pub(super) loops: Option<(&'a Context<'a>, &'a OpenTags<OpenTag>)>,
}

/// A value or a field, as written in a tag, and where it is known from.
pub(super) struct Found {
    pub(super) text: String,
    pub(super) origin: Message,
}

impl<'a> Known<'a> {
    /// The values of a name, dotted or not, each with where it is from.
    pub(super) fn values(&self, name: &str, depth: usize) -> Vec<(&'a Value, Message)> {
        let first = name.split('.').next().unwrap_or(name);
        if let Some(list) = self.list_of_loop(first) {
            if depth >= DEEPEST || list == first {
                return Vec::new();
            }
            let lists = self.values(&list, depth + 1);
            let items = lists.iter().filter_map(|(list, origin)| Some((list.as_array()?, origin)));
            let items = items.flat_map(|(items, origin)| items.iter().map(move |item| (item, origin)));
            let field = |item: &'a Value| value_of(name, &|_| Some(item));
            let found = items.filter_map(|(item, origin)| Some((field(item)?, origin.clone())));
            return found.take(ITEMS).collect();
        }
        let mut out = Vec::new();
        for environment in &self.environments.0 {
            if let Some(value) = value_of(name, &|name| environment.get(name)) {
                let name = excerpt(&environment.name);
                out.push((value, msg!("environment `{name}`", "环境 `{name}`")));
            }
        }
        if let Some(example) = self.catalog.get(first).and_then(|variable| variable.example.as_ref())
            && let Some(value) = value_of(name, &|_| Some(example))
        {
            out.push((value, msg!("example", "示例")));
        }
        out
    }

    /// The list, as written, that the innermost open loop over `name` runs over.
    fn list_of_loop(&self, name: &str) -> Option<String> {
        let (cx, open) = self.loops?;
        let (tag, document) = (open.loop_of(name)?, cx.document);
        let token = document.body().token_of(tag)?;
        let view = document.body().view(document.text(), document.header().body, tag.chunk as usize)?;
        let text = view.text_of(token.span).trim_matches(['{', '}', ' ', '\t']);
        let mut words = text.strip_prefix(Control::For.keyword())?.split_ascii_whitespace();
        let (_, word, list) = (words.next()?, words.next()?, words.next()?);
        (word == "in").then(|| list.to_owned())
    }

    /// Values that `name` is known to have, each once, as they are written in a condition.
    pub(super) fn literals(&self, name: &str, spelling: Spelling) -> Vec<Found> {
        let mut out: Vec<Found> = Vec::new();
        for (value, origin) in self.values(name, 0) {
            let Some(text) = literal(value, spelling) else { continue };
            if out.len() < MOST && !out.iter().any(|found| found.text == text) {
                out.push(Found { text, origin });
            }
        }
        out
    }

    /// Fields that `name` is known to have, each once, with a value of it.
    pub(super) fn fields(&self, name: &str) -> Vec<Found> {
        let mut out: Vec<Found> = Vec::new();
        for (value, origin) in self.values(name, 0) {
            for (field, value) in value.as_object().into_iter().flatten() {
                if out.len() >= MOST {
                    return out;
                }
                if is_identifier(field) && !out.iter().any(|found| found.text == *field) {
                    let shown = excerpt(&spell(value)).into_owned();
                    let origin =
                        msg!("{shown} · {origin}", "{shown} · {origin}", shown = shown; origin = origin);
                    out.push(Found { text: field.clone(), origin });
                }
            }
        }
        out
    }

    /// Whether every value that is known of `name` is a boolean, and one is.
    pub(super) fn is_boolean(&self, name: &str) -> bool {
        let values = self.values(name, 0);
        !values.is_empty() && values.iter().all(|(value, _)| value.is_boolean())
    }
}

/// A value as it is written in a condition.
fn literal(value: &Value, spelling: Spelling) -> Option<String> {
    match (value, spelling) {
        (Value::Number(_), Spelling::Any(_)) => Some(spell(value).into_owned()),
        (Value::String(text), spelling) => {
            let (Spelling::Any(quote) | Spelling::Quoted(quote)) = spelling;
            let plain = !text.contains(|c: char| c.is_control() || matches!(c, '{' | '}'));
            if !plain || text.chars().count() > LONGEST {
                return None;
            }
            let mut out = String::from(quote);
            for c in text.chars() {
                if c == quote || c == '\\' {
                    out.push('\\');
                }
                out.push(c);
            }
            out.push(quote);
            Some(out)
        }
        _ => None,
    }
}

/// The plugins that blocks and variables of the project are from, each once; the block of `except` does not count.
pub(super) fn plugins<'a>(
    index: &'a Index,
    catalog: &'a Catalog,
    except: Option<FileId>,
) -> BTreeSet<&'a str> {
    let blocks = index.blocks().filter(|(file, _)| Some(*file) != except);
    let blocks = blocks.filter_map(|(_, facts)| facts.header.plugin());
    let variables = catalog.iter().filter_map(|variable| variable.plugin.as_deref());
    // What YAML would read as something else than a text is left to its author.
    let plain = |name: &&str| {
        name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/'))
    };
    blocks.chain(variables).filter(plain).collect()
}
