//! What uses what: a block uses variables, and so does a variable whose `when` asks for another.

use super::{FilePlaces, Named};
use crate::ProjectView;
use crate::files::FileKind;
use crate::workspace::Workspace;
use camino::Utf8PathBuf;
use promptblock_core::FileId;
use promptblock_core::block::Header;
use promptblock_core::catalog::Variable;
use promptblock_core::ide::Subject;
use promptblock_core::ide::names::{Place, PlaceKind, Written, in_block, in_catalog, in_part};
use promptblock_core::lint::Judge;
use promptblock_core::project::{BlockFacts, Index};
use promptblock_core::span::Span;
use ropey::Rope;
use std::sync::Arc;

/// Something that uses, or is used.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Party {
    /// A variable, or a field of the environment.
    Variable(Arc<str>),
    /// A block; of source code, the one of that place among those of its file.
    Block(Utf8PathBuf, Option<usize>),
}

/// One of them, with where it stands.
#[derive(Clone, Debug)]
pub struct Described {
    /// Which.
    pub party: Party,
    /// Its name: a variable's, or a block's id, which may be missing.
    pub name: Option<Arc<str>>,
    /// What it is, in a few words.
    pub detail: Option<Arc<str>>,
    /// Its file.
    pub path: Utf8PathBuf,
    /// The text of the file.
    pub text: Rope,
    /// The version of the text, where it is an open buffer's.
    pub version: Option<i32>,
    /// All of it.
    pub full: Span,
    /// What names it; within all of it.
    pub selection: Span,
}

/// Somebody who uses, or is used, with the places of it in the file of the one who uses.
#[derive(Clone, Debug)]
pub struct Call {
    /// The other one.
    pub other: Described,
    /// The file of the places: its text and version.
    pub text: Rope,
    /// The version of that text, where it is an open buffer's.
    pub version: Option<i32>,
    /// The places.
    pub places: Vec<Span>,
}

impl Workspace {
    /// What stands at a place, as one that uses or is used: a variable at its name, a block at its id.
    pub fn party(&self, named: &Named) -> Option<Party> {
        match &named.subject {
            Subject::Variable(name) => Some(Party::Variable(Arc::clone(name))),
            Subject::Loop { .. } => None,
            Subject::Block(_) => self.party_of(named.block?),
        }
    }

    fn party_of(&self, block: FileId) -> Option<Party> {
        let whole = self.files.whole(block);
        let path = self.files.path(whole);
        if whole == block {
            return Some(Party::Block(path, None));
        }
        let sourced = self.sourced(whole).ok()??;
        Some(Party::Block(path, Some(sourced.ids.iter().position(|id| *id == block)?)))
    }

    /// Where a party stands; `None` where there is no such one any more.
    pub fn describe(&self, project: &ProjectView, party: &Party) -> Option<Described> {
        match party {
            Party::Variable(name) => self.variable(project, name),
            Party::Block(path, None) => {
                let (path, text, version, document) = self.block(self.files.id(path), project)?;
                let header = document.header();
                let selection = header.id.as_ref().map_or(header.opening, |id| id.span);
                let full = Span::new(header.span.start.min(selection.start), end(&text));
                Some(block(party, header, path, text, version, full, selection))
            }
            Party::Block(path, Some(index)) => {
                let file = self.files.id(path);
                let (text, version) = self.versioned_text(file)?;
                let sourced = self.sourced(file).ok()??;
                let part = sourced.parts.get(*index)?;
                let id = part.header.id.as_ref().map(|id| id.span);
                let selection = id.filter(|id| part.call.cover(*id) == part.call).unwrap_or(part.callee);
                let full = part.call.cover(selection);
                Some(block(party, &part.header, path.clone(), text, version, full, selection))
            }
        }
    }

    fn variable(&self, project: &ProjectView, name: &Arc<str>) -> Option<Described> {
        let party = Party::Variable(Arc::clone(name));
        let known = judges(project).find_map(|(judge, _)| judge.catalog.get(name).cloned());
        let layers = std::iter::successors(known.as_ref(), |variable| variable.shadows.as_ref());
        let detail = known.as_ref().and_then(|variable| variable.description.clone());
        let defined = |variable: &Arc<Variable>| {
            let there = variable.definition?;
            let (text, version) = self.versioned_text(there.file)?;
            (there.entry.end <= end(&text)).then_some((there.file, text, version, there.entry, there.key))
        };
        let found = layers.into_iter().find_map(defined).or_else(|| {
            // A field that only environments and predicates know, or a name that nobody registered.
            let place = Place { span: Span::default(), kind: PlaceKind::Use, written: Written::Plain };
            let named = Named { subject: Subject::Variable(Arc::clone(name)), place, block: None };
            let mut first = None;
            self.places(project, &named, &|| true, |found: FilePlaces| {
                if let (None, Some(place)) = (&first, found.places.first()) {
                    first = Some((found.file, found.text.clone(), found.version, place.span, place.span));
                }
            });
            first
        });
        let (file, text, version, full, selection) = found?;
        let path = self.files.path(file);
        Some(Described { party, name: Some(Arc::clone(name)), detail, path, text, version, full, selection })
    }

    /// Who uses a party. `None` where nobody wants to know any more.
    pub fn incoming(
        &self,
        project: &ProjectView,
        party: &Party,
        wanted: &dyn Fn() -> bool,
    ) -> Option<Vec<Call>> {
        let Party::Variable(name) = party else { return Some(Vec::new()) };
        let place = Place { span: Span::default(), kind: PlaceKind::Use, written: Written::Plain };
        let named = Named { subject: Subject::Variable(Arc::clone(name)), place, block: None };
        let mut calls = Vec::new();
        let all = self.places(project, &named, wanted, |found| match self.kind(&found.path) {
            FileKind::Block => {
                let places = found.places.iter().map(|place| place.span).collect();
                calls.extend(self.call(project, Party::Block(found.path.clone(), None), &found, places));
            }
            FileKind::Source => {
                let Some(sourced) = self.sourced(found.file).ok().flatten() else { return };
                for (index, part) in sourced.parts.iter().enumerate() {
                    let places: Vec<Span> =
                        in_part(part, &named.subject).iter().map(|place| place.span).collect();
                    if !places.is_empty() {
                        let user = Party::Block(found.path.clone(), Some(index));
                        calls.extend(self.call(project, user, &found, places));
                    }
                }
            }
            FileKind::Catalog => {
                let (names, _) = in_catalog(&found.text.to_string());
                let asks =
                    names.iter().filter(|it| it.place.kind == PlaceKind::Predicate && it.name == *name);
                for one in asks {
                    let user = Party::Variable(Arc::clone(&one.owner));
                    calls.extend(self.call(project, user, &found, vec![one.place.span]));
                }
            }
            _ => {}
        });
        all.then_some(calls)
    }

    fn call(
        &self,
        project: &ProjectView,
        other: Party,
        found: &FilePlaces,
        places: Vec<Span>,
    ) -> Option<Call> {
        let mut other = self.describe(project, &other)?;
        if other.path != found.path {
            // What describes a variable best need not be what asks for the field: the places are of this file.
            let first = places.first()?;
            let FilePlaces { path, text, version, .. } = found.clone();
            other = Described { path, text, version, full: *first, selection: *first, ..other };
        }
        Some(Call { other, text: found.text.clone(), version: found.version, places })
    }

    /// What a party uses.
    pub fn outgoing(&self, project: &ProjectView, party: &Party) -> Vec<Call> {
        let Some(this) = self.describe(project, party) else { return Vec::new() };
        let file = self.files.id(&this.path);
        let names = match party {
            Party::Variable(name) => {
                if self.kind(&this.path) != FileKind::Catalog {
                    return Vec::new();
                }
                let (names, _) = in_catalog(&this.text.to_string());
                let asked =
                    names.into_iter().filter(|it| it.place.kind == PlaceKind::Predicate && it.owner == *name);
                asked.map(|it| (it.name, vec![it.place.span])).collect()
            }
            Party::Block(_, None) => {
                let Some((_, _, _, document)) = self.block(file, project) else { return Vec::new() };
                let uses = project.index.block(file).map(|facts| Arc::clone(&facts.uses));
                names_of(uses, |subject| in_block(&document, subject))
            }
            Party::Block(_, Some(index)) => {
                let Some(sourced) = self.sourced(file).ok().flatten() else { return Vec::new() };
                let Some((part, id)) = sourced.parts.get(*index).zip(sourced.ids.get(*index)) else {
                    return Vec::new();
                };
                let facts: Option<&BlockFacts> = judges(project).find_map(|(_, index)| index.block(*id));
                names_of(facts.map(|facts| Arc::clone(&facts.uses)), |subject| in_part(part, subject))
            }
        };
        let call = |(name, places): (Arc<str>, Vec<Span>)| {
            let other = self.variable(project, &name)?;
            Some(Call { other, text: this.text.clone(), version: this.version, places })
        };
        names.into_iter().filter_map(call).collect()
    }
}

/// Each name in use with its places, in the order of the first ones.
fn names_of(
    uses: Option<Arc<[Arc<str>]>>,
    places: impl Fn(&Subject) -> Vec<Place>,
) -> Vec<(Arc<str>, Vec<Span>)> {
    let names = uses.iter().flat_map(|uses| uses.iter());
    let mut all: Vec<(Arc<str>, Vec<Span>)> = names
        .map(|name| {
            let found = places(&Subject::Variable(Arc::clone(name)));
            (Arc::clone(name), found.iter().map(|place| place.span).collect())
        })
        .filter(|(_, places): &(_, Vec<Span>)| !places.is_empty())
        .collect();
    all.sort_by_key(|(_, places)| places.first().copied());
    all
}

fn judges(project: &ProjectView) -> impl Iterator<Item = (&Judge, &Index)> {
    let foreign = project.foreign.iter().map(|(judge, index)| (&**judge, &**index));
    std::iter::once((&*project.judge, &*project.index)).chain(foreign)
}

fn end(text: &Rope) -> u32 {
    promptblock_core::span::offset(text.len_bytes())
}

fn block(
    party: &Party,
    header: &Header,
    path: Utf8PathBuf,
    text: Rope,
    version: Option<i32>,
    full: Span,
    selection: Span,
) -> Described {
    let place = header.zone().map(|zone| match header.order.as_ref().map(|order| order.value) {
        Some(order) => format!("{} {order}", zone.name()).into(),
        None => zone.name().into(),
    });
    Described {
        party: party.clone(),
        name: header.id().cloned(),
        detail: place,
        path,
        text,
        version,
        full,
        selection,
    }
}
