//! Fixes in a catalog for what is found in a block.

pub use super::register::{Register, Usages};

use super::register::Usage;

use super::tag::Found;
use super::{Context, Edit, Fix};
use crate::catalog::Layer;
use crate::jsonc;
use crate::span::{Span, offset};
use crate::syntax::{
    ChunkView, Control, Document, PartKind, State, Text, Token, TokenKind, first_segment, is_foreign_elseif,
};
use crate::{Diagnostic, msg};

/// So many catalogs are worth offering.
const MOST: usize = 3;

impl Usages {
    /// What one block uses that the catalog does not know; it has been judged.
    pub fn of(document: &Document, is_known: &dyn Fn(&str) -> bool) -> Self {
        let mut usages = Self::default();
        for view in document.body().views(document.text(), document.header().body) {
            for token in view.tokens().iter().filter(|token| token.state == State::Live) {
                for (name, usage) in used(&view, token) {
                    usages.add(name, usage);
                }
            }
        }
        // A loop variable is none of the names that count as used.
        let live: Vec<_> = document.uses().filter(|name| can_register(name) && !is_known(name)).collect();
        usages.0.retain(|name, _| live.contains(&name));
        usages
    }
}

/// The variables of a tag and how it uses them.
fn used<'a>(view: &'a ChunkView<'_>, token: &Token) -> Vec<(&'a str, Usage)> {
    let parts = view.tokens().parts(token);
    let names = parts.iter().filter(|part| part.kind == PartKind::Name);
    let arguments = if token.kind == TokenKind::Variable { parts.len().saturating_sub(1) } else { 0 };
    let names = names.take(if token.kind == TokenKind::Variable { 1 } else { usize::MAX });
    let usage = |name: &'a str| {
        let first = first_segment(name);
        let list = token.kind == TokenKind::Opener(Control::For) && first == name;
        (first, Usage { arguments: (arguments, arguments), list })
    };
    names.map(|part| usage(view.text_of(part.span))).collect()
}

/// What is built in nobody can register, and the keywords of other languages nobody means to.
fn can_register(name: &str) -> bool {
    name != "prompt" && name.strip_prefix("end").and_then(Control::of).is_none() && !is_foreign_elseif(name)
}

/// Registers an unknown variable, as the tag uses it.
pub(super) fn register(cx: &Context<'_>, finding: &Diagnostic) -> Vec<Fix> {
    let Some(document) = cx.document else { return Vec::new() };
    let name = document.slice(finding.span);
    if !can_register(&name) || !cx.judge.profile.can_write(&name) {
        return Vec::new();
    }
    // How it is used nobody looks up in a line of a book's length.
    let Some(found) = Found::at(document, finding.span.start) else { return Vec::new() };
    let used = used(&found.view, &found.token).into_iter().find(|(used, _)| **used == *name);
    let usage = used.map(|(_, usage)| usage).unwrap_or(Usage { arguments: (0, 0), list: false });
    let registers = cx.surroundings.registers();
    let fix = |register: &Register| {
        let file = &register.name;
        let title = if register.is_new() {
            msg!("Register `{name}` in a new `{file}`", "新建 `{file}` 并登记 `{name}`")
        } else {
            msg!("Register `{name}` in `{file}`", "在 `{file}` 中登记 `{name}`")
        };
        Fix { elsewhere: vec![register.register(&name, usage)], ..Fix::new(title, Vec::new()) }
    };
    registers.iter().take(MOST).map(fix).collect()
}

/// Writes a catalog with everything that the project uses.
pub(super) fn write(cx: &Context<'_>) -> Option<Fix> {
    let registers = cx.surroundings.registers();
    let register = registers.first().filter(|register| register.is_new())?;
    let file = &register.name;
    let title = msg!("Write `{file}` with the variables in use", "用现有变量生成 `{file}`");
    let elsewhere = vec![register.write(&cx.surroundings.usages())];
    Some(Fix { elsewhere, ..Fix::new(title, Vec::new()) })
}

/// Declares the variable of a loop as a list, where its entry is the project's own.
pub(super) fn declare_list(cx: &Context<'_>, finding: &Diagnostic) -> Option<Fix> {
    let document = cx.document?;
    let name = document.slice(finding.span);
    let variable = cx.judge.catalog.get(&name)?;
    if !matches!(variable.layer, Layer::Project | Layer::Local) {
        return None;
    }
    let definition = variable.definition?;
    let text = cx.surroundings.text(definition.file)?;
    // The places of a catalog that is broken now are those of an older text.
    let entry = format!("{{{}}}", text.at(definition.entry));
    let read = jsonc::parse(&entry);
    let [member] = read.root.as_object()? else { return None };
    if read.fault.is_some() || *member.key.value != *name {
        return None;
    }
    let field = member.value.as_object()?.iter().find(|field| &*field.key.value == "type")?;
    let by = definition.entry.start.checked_sub(offset("{".len()))?;
    let span = Span::new(field.value.span.start + by, field.value.span.end + by);
    let title = msg!("Declare `{name}` as a `list`", "把 `{name}` 声明为 `list`");
    Some(Fix::in_file(title, definition.file, vec![Edit::new(span, "\"list\"")]))
}
