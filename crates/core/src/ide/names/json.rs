//! Names in catalogs and in sample environments.

use super::{Name, Place, PlaceKind, Written};
use crate::jsonc::{self, Member, Node};
use crate::source::{Cooked, Quote, read_literal};
use crate::span::{Span, offset};
use crate::syntax::{Operand, first_segment, parse_condition};
use std::sync::Arc;

/// The names in a catalog, in order, and whether all of it could be read.
pub fn in_catalog(text: &str) -> (Vec<Name>, bool) {
    let document = jsonc::parse(text);
    let mut names = Vec::new();
    let variables = member(&document.root, "variables").and_then(|variables| variables.value.as_object());
    for entry in variables.unwrap_or_default() {
        names.extend(key(text, entry, PlaceKind::Declaration, &entry.key.value));
        let when = member(&entry.value, "mutable").and_then(|mutable| member(&mutable.value, "when"));
        if let Some(when) = when {
            predicate(text, &when.value, &entry.key.value, &mut names);
        }
    }
    (names, document.fault.is_none())
}

/// The names in a file of sample environments, in order, and whether all of it could be read.
pub fn in_environments(text: &str) -> (Vec<Name>, bool) {
    let document = jsonc::parse(text);
    let mut names = Vec::new();
    for environment in document.root.as_object().unwrap_or_default() {
        let owner = &environment.key.value;
        for field in environment.value.as_object().unwrap_or_default() {
            match &*field.key.value {
                "extends" => {}
                "extra" => {
                    let extra = field.value.as_object().unwrap_or_default();
                    names.extend(extra.iter().filter_map(|field| key(text, field, PlaceKind::Field, owner)));
                }
                _ => names.extend(key(text, field, PlaceKind::Field, owner)),
            }
        }
    }
    (names, document.fault.is_none())
}

/// The member of that name; the first one counts.
fn member<'d>(node: &'d Node, name: &str) -> Option<&'d Member> {
    node.as_object()?.iter().find(|member| *member.key.value == *name)
}

fn key(text: &str, member: &Member, kind: PlaceKind, owner: &Arc<str>) -> Option<Name> {
    let cooked = read_literal(member.key.span.of_str(text), member.key.span.start)?;
    let span = cooked.to_source(Span::new(0, offset(cooked.text.len())));
    let place = Place { span, kind, written: Written::Literal(Quote::Double) };
    Some(Name { name: Arc::clone(&member.key.value), place, owner: Arc::clone(owner) })
}

fn predicate(text: &str, when: &Node, owner: &Arc<str>, out: &mut Vec<Name>) {
    let cooked: Option<Cooked> =
        when.as_text().and_then(|_| read_literal(when.span.of_str(text), when.span.start));
    let Some(cooked) = cooked else { return };
    let Some(condition) = parse_condition(&cooked.text) else { return };
    for operand in condition.operands() {
        let Operand::Variable { name, span } = operand else { continue };
        let first = first_segment(name);
        let span = cooked.to_source(Span::new(span.start, span.start + offset(first.len())));
        let place = Place { span, kind: PlaceKind::Predicate, written: Written::Literal(Quote::Double) };
        out.push(Name { name: first.into(), place, owner: Arc::clone(owner) });
    }
}
