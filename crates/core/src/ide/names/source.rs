//! Names in source code: registrations, the texts that they hold, the fields of environments.

use super::{Place, PlaceKind, Subject, Written, references};
use crate::source::{Cooked, Field, Part, SourceFile};
use crate::span::{Span, offset};

/// The places of a source file that name `subject`, in order, each once: what a constant holds is named by all that use it. A loop
/// variable is that of the block `of` alone; `parts` are the blocks.
pub fn in_source(source: &SourceFile, parts: &[Part], subject: &Subject, of: Option<usize>) -> Vec<Place> {
    let mut places = Vec::new();
    for registration in &source.registrations {
        if let Subject::Variable(name) = subject {
            places.extend(registration.fields.iter().filter(|field| field.name == *name).map(field_place));
        }
        let written = match subject {
            Subject::Variable(name) => {
                let variable = registration.variable.as_ref();
                variable.and_then(|variable| variable.written.as_ref()).filter(|it| *it.text == **name)
            }
            Subject::Block(id) => {
                let block = registration.block.as_ref();
                block.and_then(|block| block.id.as_ref()).filter(|it| *it.text == **id)
            }
            Subject::Loop { .. } => None,
        };
        if let Some(cooked) = written {
            let all = Span::new(0, offset(cooked.text.len()));
            places.push(place(cooked, all, PlaceKind::Declaration));
        }
    }
    if !matches!(subject, Subject::Block(_)) {
        let ours = parts.iter().enumerate().filter(|(index, _)| of.is_none_or(|of| of == *index));
        places.extend(ours.flat_map(|(_, part)| in_part(part, subject)));
    }
    // A constant that names what it registers is where that is introduced, wherever else it is used.
    places.sort_by_key(|place| (place.span, place.kind != PlaceKind::Declaration, place.kind));
    places.dedup_by_key(|place| place.span);
    places
}

/// The places of the text of one block that name `subject`, in its order.
pub fn in_part(part: &Part, subject: &Subject) -> Vec<Place> {
    let (Some(cooked), Some(document)) = (&part.cooked, &part.document) else { return Vec::new() };
    let kind = |declares| if declares { PlaceKind::Declaration } else { PlaceKind::Use };
    let found = references(document, subject).into_iter();
    found.map(|one| place(cooked, one.span, kind(one.declares))).collect()
}

/// Where a text of `part` takes something from the place `source` that is no name of `subject` there: a constant that is both a name
/// and prose.
pub fn prose_from(part: &Part, subject: &Subject, source: Span) -> Option<Span> {
    let (cooked, document) = part.cooked.as_ref().zip(part.document.as_ref())?;
    let names = references(document, subject);
    let is_name = |text: Span| names.iter().any(|name| name.span.cover(text) == name.span);
    cooked.texts_from(source).find(|text| !is_name(*text)).map(|text| cooked.to_source(text))
}

/// A field that is handed over to environments.
fn field_place(field: &Field) -> Place {
    if let Some(cooked) = &field.written {
        return place(cooked, Span::new(0, offset(cooked.text.len())), PlaceKind::Field);
    }
    let written = if field.shorthand { Written::Shorthand } else { Written::Plain };
    Place { span: field.span, kind: PlaceKind::Field, written }
}

/// A place of a text, in the source.
fn place(cooked: &Cooked, span: Span, kind: PlaceKind) -> Place {
    let written = match cooked.is_whole(span) {
        true => Written::Literal(cooked.quote_at(span.start)),
        false => Written::Pieces,
    };
    Place { span: cooked.to_source(span), kind, written }
}
