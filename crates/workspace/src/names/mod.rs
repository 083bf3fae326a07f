//! Where a name stands, across the files of a project.

mod calls;
mod moved;
mod rename;

pub use calls::{Call, Described, Party};
pub use rename::{Refusal, RefusedAt, Renamed};

use crate::files::{ENVIRONMENTS_NAME, FileKind};
use crate::sources::Sourced;
use crate::workspace::{Workspace, lock};
use crate::{ProjectView, Snapshot};
use camino::Utf8PathBuf;
use promptblock_core::ide::names::{
    Name, Place, PlaceKind, Written, in_block, in_catalog, in_environments, in_source, name_at,
};
use promptblock_core::ide::{Context, Subject, subject};
use promptblock_core::source::Kept;
use promptblock_core::span::Span;
use promptblock_core::syntax::Document;
use promptblock_core::{FileId, Locale};
use ropey::Rope;
use std::sync::Arc;

/// What stands at a place of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// What is meant.
    pub subject: Subject,
    /// The place.
    pub place: Place,
    /// The block that it stands in: a file, or the number of one that source code registers.
    pub block: Option<FileId>,
}

impl Named {
    /// The name.
    pub fn name(&self) -> &Arc<str> {
        match &self.subject {
            Subject::Variable(name) | Subject::Loop { name, .. } | Subject::Block(name) => name,
        }
    }
}

impl Named {
    /// The block of a source file that a loop variable is known in.
    fn part(&self, sourced: &Sourced) -> Option<usize> {
        let of = self.block.filter(|_| matches!(self.subject, Subject::Loop { .. }))?;
        sourced.ids.iter().position(|id| *id == of)
    }
}

/// The places of one file.
#[derive(Clone, Debug)]
pub struct FilePlaces {
    /// Its number.
    pub file: FileId,
    /// Its path.
    pub path: Utf8PathBuf,
    /// The text that the places are of.
    pub text: Rope,
    /// The version of that text, where it is an open buffer's.
    pub version: Option<i32>,
    /// The places, in order.
    pub places: Vec<Place>,
}

/// A file that is no block and holds names, as it is now.
struct Holder {
    file: FileId,
    path: Utf8PathBuf,
    text: Rope,
    version: Option<i32>,
    names: Vec<Name>,
    /// Whether all of it could be read.
    readable: bool,
}

impl Workspace {
    /// What the name at byte `at` of a snapshot means.
    pub fn named_at(&self, snapshot: &Snapshot, at: u32) -> Option<Named> {
        let among = |names: Vec<Name>| {
            let found = name_at(&names, at)?;
            Some(Named {
                subject: Subject::Variable(Arc::clone(&found.name)),
                place: found.place,
                block: None,
            })
        };
        match snapshot.kind {
            FileKind::Block => {
                let context = Context {
                    file: snapshot.file,
                    document: snapshot.document.as_ref()?,
                    judge: &snapshot.project.judge,
                    index: &snapshot.project.index,
                    locale: Locale::En,
                };
                let subject = subject(&context, at)?;
                let places = in_block(context.document, &subject);
                let place = places.into_iter().find(|place| place.span.touches(at))?;
                Some(Named { subject, place, block: Some(snapshot.file) })
            }
            FileKind::Catalog => among(in_catalog(&snapshot.text.to_string()).0),
            FileKind::Environments => among(in_environments(&snapshot.text.to_string()).0),
            FileKind::Source => self.named_in_source(snapshot, at),
            FileKind::Config | FileKind::Tools | FileKind::Instructions | FileKind::Other => None,
        }
    }

    fn named_in_source(&self, snapshot: &Snapshot, at: u32) -> Option<Named> {
        let sourced = self.sourced_of(snapshot)?;
        let found = |subject: Subject, block: Option<FileId>| {
            let place = Place { span: Span::empty(at), kind: PlaceKind::Use, written: Written::Plain };
            let named = Named { subject, place, block };
            let places = in_source(&sourced.file, &sourced.parts, &named.subject, named.part(&sourced));
            let place = places.into_iter().find(|place| place.span.touches(at))?;
            Some(Named { place, ..named })
        };
        for registered in &snapshot.registered {
            let Some((cooked, document)) =
                registered.part.cooked.as_ref().zip(registered.part.document.as_ref())
            else {
                continue;
            };
            let Some(within) = cooked.to_text(at) else { continue };
            let context = Context {
                file: registered.file,
                document,
                judge: &registered.judge,
                index: &registered.index,
                locale: Locale::En,
            };
            // Two texts may share a constant; what one of them makes of it is enough.
            if let Some(subject) = subject(&context, within).filter(|it| !matches!(it, Subject::Block(_))) {
                return found(subject, Some(registered.file));
            }
        }
        let mut fields = sourced.file.registrations.iter().flat_map(|registration| &registration.fields);
        if let Some(field) = fields.find(|field| field.span.touches(at)) {
            return found(Subject::Variable(Arc::clone(&field.name)), None);
        }
        let mut ids = sourced.ids.iter();
        for registration in &sourced.file.registrations {
            let block = registration.block.as_ref().and_then(|block| Some((block, *ids.next()?)));
            if let Some(variable) = &registration.variable
                && let Some((name, written)) = variable.name.as_ref().zip(variable.written.as_ref())
                && written.touches(at)
            {
                return found(Subject::Variable(Arc::clone(name)), None);
            }
            if let Some((block, file)) = block
                && let Some(id) = block.id.as_ref().filter(|id| id.touches(at))
            {
                return found(Subject::Block(id.text.as_str().into()), Some(file));
            }
        }
        None
    }

    /// What a snapshot's source code registers, where it is still of that version.
    fn sourced_of(&self, snapshot: &Snapshot) -> Option<Arc<Sourced>> {
        // What is left out of the project is known to nobody.
        if !self.project(&snapshot.path).state().sources.contains_key(&snapshot.file) {
            return None;
        }
        let sourced = self.sourced(snapshot.file).ok()??;
        let version = self.open_file(snapshot.file).map(|open| lock(&open).version);
        (version == snapshot.version).then_some(sourced)
    }

    /// The places of a snapshot's own file that name it, in order.
    pub fn places_here(&self, snapshot: &Snapshot, named: &Named) -> Option<Vec<Place>> {
        let among = |names: Vec<Name>| {
            let same = names.into_iter().filter(|it| it.name == *named.name());
            Some(same.map(|it| it.place).collect())
        };
        match snapshot.kind {
            FileKind::Block => Some(in_block(snapshot.document.as_ref()?, &named.subject)),
            FileKind::Catalog => among(in_catalog(&snapshot.text.to_string()).0),
            FileKind::Environments => among(in_environments(&snapshot.text.to_string()).0),
            FileKind::Source => {
                let sourced = self.sourced_of(snapshot)?;
                Some(in_source(&sourced.file, &sourced.parts, &named.subject, named.part(&sourced)))
            }
            FileKind::Config | FileKind::Tools | FileKind::Instructions | FileKind::Other => None,
        }
    }

    /// Every place of the project that names what `named` stands for, file by file: catalogs, environments, source code, blocks.
    /// `false` where nobody wants it any more. This workspace has just been refreshed.
    pub fn places(
        &self,
        project: &ProjectView,
        named: &Named,
        wanted: &dyn Fn() -> bool,
        mut each: impl FnMut(FilePlaces),
    ) -> bool {
        if let Subject::Variable(name) = &named.subject {
            for holder in self.holders(project) {
                let places: Vec<Place> =
                    holder.names.iter().filter(|it| it.name == *name).map(|it| it.place).collect();
                let Holder { file, path, text, version, .. } = holder;
                if !places.is_empty() {
                    each(FilePlaces { file, path, text, version, places });
                }
            }
        }
        for file in self.source_files_naming(project, named) {
            if !wanted() {
                return false;
            }
            if let Some((found, _)) = self.places_in_source(file, named) {
                each(found);
            }
        }
        for file in self.block_files_naming(project, named) {
            if !wanted() {
                return false;
            }
            let Some((path, text, version, document)) = self.block(file, project) else { continue };
            let places = in_block(&document, &named.subject);
            if !places.is_empty() {
                each(FilePlaces { file, path, text, version, places });
            }
        }
        true
    }

    /// The catalogs and the environments of a project, as they are now.
    fn holders(&self, project: &ProjectView) -> Vec<Holder> {
        let catalogs = project.catalog_paths.iter().map(|(_, path)| (path.clone(), true));
        let environments = (project.root.join(ENVIRONMENTS_NAME), false);
        let holder = |(path, is_catalog): (Utf8PathBuf, bool)| {
            let file = self.files.id(&path);
            let (text, version) = self.versioned_text(file)?;
            let read = if is_catalog { in_catalog } else { in_environments };
            let (names, readable) = read(&text.to_string());
            Some(Holder { file, path, text, version, names, readable })
        };
        catalogs.chain([environments]).filter_map(holder).collect()
    }

    /// The source files that may name it, in order.
    fn source_files_naming(&self, project: &ProjectView, named: &Named) -> Vec<FileId> {
        if let (Subject::Loop { .. }, Some(block)) = (&named.subject, named.block) {
            let whole = self.files.whole(block);
            return if whole == block { Vec::new() } else { vec![whole] };
        }
        let project = self.project_at(project.root.clone());
        let state = project.state();
        let names = |sourced: &Sourced| match &named.subject {
            Subject::Variable(name) => {
                let registers = sourced.file.registrations.iter().any(|one| {
                    one.variable.as_ref().is_some_and(|variable| variable.name.as_ref() == Some(name))
                        || one.fields.iter().any(|field| field.name == *name)
                });
                registers
                    || sourced.ids.iter().zip(&sourced.parts).any(|(id, part)| {
                        let facts = state.index_of(part.framework).block(*id);
                        facts.is_some_and(|facts| facts.uses.contains(name))
                    })
            }
            Subject::Block(id) => sourced.parts.iter().any(|part| part.header.id() == Some(id)),
            Subject::Loop { .. } => false,
        };
        state.sources.iter().filter(|(_, sourced)| names(sourced)).map(|(file, _)| *file).collect()
    }

    fn places_in_source(&self, file: FileId, named: &Named) -> Option<(FilePlaces, Arc<Sourced>)> {
        let (text, version) = self.versioned_text(file)?;
        // The text and what was read from it stay together.
        let sourced = match version {
            Some(_) => self.sourced(file).ok()??,
            None => self.read_source(file, &text.to_string(), &mut Kept::default())?,
        };
        let places = in_source(&sourced.file, &sourced.parts, &named.subject, named.part(&sourced));
        let found = FilePlaces { file, path: self.files.path(file), text, version, places };
        Some((found, sourced)).filter(|(found, _)| !found.places.is_empty())
    }

    /// The block files that may name it, in order.
    fn block_files_naming(&self, project: &ProjectView, named: &Named) -> Vec<FileId> {
        let files = match &named.subject {
            Subject::Variable(name) => project.index.files_using(name),
            Subject::Block(id) => project.index.files_with_id(id),
            Subject::Loop { .. } => named.block.into_iter().collect(),
        };
        files.into_iter().filter(|file| !self.is_registered(*file)).collect()
    }

    /// A block file as it is now.
    fn block(
        &self,
        file: FileId,
        project: &ProjectView,
    ) -> Option<(Utf8PathBuf, Rope, Option<i32>, Document)> {
        let path = self.files.path(file);
        if self.open_file(file).is_some() {
            let open = self.snapshot(&path)?;
            return Some((path, open.text, open.version, open.document?));
        }
        let (text, _) = self.versioned_text(file)?;
        let document = Document::from_rope(text.clone(), Arc::clone(&project.judge.profile));
        Some((path, text, None, document))
    }
}
