//! Another name for a variable, a loop variable or a block, everywhere at once; or why not.

use super::{FilePlaces, Holder, Named};
use crate::files::CONFIG_NAME;
use crate::fixes::FileEdits;
use crate::read::ReadError;
use crate::workspace::Workspace;
use crate::{ProjectView, Snapshot};
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::catalog::{Catalog, Layer};
use promptblock_core::fix::Edit;
use promptblock_core::ide::Subject;
use promptblock_core::ide::names::{Name, Place, PlaceKind, prose_from};
use promptblock_core::ide::rename::{Obstacle, edit, fixed_name, id_edit, obstacle, unfit};
use promptblock_core::lint::Judge;
use promptblock_core::profile::Profile;
use promptblock_core::project::Index;
use promptblock_core::span::Span;
use promptblock_core::{FileId, Message, msg};
use ropey::Rope;
use std::sync::Arc;

/// Why something cannot be renamed, and where that shows.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// Why.
    pub why: Message,
    /// The place, where there is one.
    pub at: Option<RefusedAt>,
}

/// A place that stands against a new name.
#[derive(Clone, Debug)]
pub struct RefusedAt {
    /// The file.
    pub path: Utf8PathBuf,
    /// Its text.
    pub text: Rope,
    /// The version of the text, where it is an open buffer's.
    pub version: Option<i32>,
    /// Where in it.
    pub span: Option<Span>,
}

/// What a new name changes.
#[derive(Clone, Debug, Default)]
pub struct Renamed {
    /// The changes, file by file.
    pub files: Vec<FileEdits>,
    /// What the user has to look at besides, and where that is.
    pub note: Option<Refusal>,
}

impl Refusal {
    const fn new(why: Message) -> Self {
        Self { why, at: None }
    }
}

type Outcome<T> = Result<T, Box<Refusal>>;

impl Workspace {
    /// Whether what is named may have another name at all.
    ///
    /// # Errors
    ///
    /// It may not: it is built in, or the user's own catalog alone knows it.
    pub fn may_rename(&self, snapshot: &Snapshot, named: &Named) -> Outcome<()> {
        let Subject::Variable(old) = &named.subject else { return Ok(()) };
        self.renaming(snapshot, named, "").may(old)
    }

    /// Gives what stands at a place of `snapshot` the name `new`, everywhere. This workspace has just been refreshed, and `snapshot`
    /// is of it. `Ok(None)` where nobody wants it any more.
    ///
    /// # Errors
    ///
    /// Something would break, or cannot be known.
    pub fn rename(
        &self,
        snapshot: &Snapshot,
        named: &Named,
        new: &str,
        wanted: &dyn Fn() -> bool,
    ) -> Outcome<Option<Renamed>> {
        if **named.name() == *new {
            return Ok(Some(Renamed::default()));
        }
        let renaming = self.renaming(snapshot, named, new);
        match &named.subject {
            Subject::Variable(old) => renaming.variable(old, wanted),
            Subject::Loop { .. } => renaming.in_one_block(wanted),
            Subject::Block(_) => renaming.block(),
        }
    }

    fn renaming<'a>(&'a self, snapshot: &'a Snapshot, named: &'a Named, new: &'a str) -> Renaming<'a> {
        Renaming { workspace: self, project: &snapshot.project, named, new }
    }
}

struct Renaming<'a> {
    workspace: &'a Workspace,
    project: &'a ProjectView,
    named: &'a Named,
    new: &'a str,
}

impl Renaming<'_> {
    /// Everything of the project that judges blocks, its own first.
    fn judges(&self) -> impl Iterator<Item = (&Judge, &Index)> {
        let foreign = self.project.foreign.iter().map(|(judge, index)| (&**judge, &**index));
        std::iter::once((&*self.project.judge, &*self.project.index)).chain(foreign)
    }

    fn catalogs(&self) -> impl Iterator<Item = &Catalog> {
        self.judges().map(|(judge, _)| &*judge.catalog)
    }

    fn refused(&self, obstacle: Obstacle, file: FileId) -> Box<Refusal> {
        let file = self.workspace.files.whole(file);
        let text = self.workspace.versioned_text(file);
        let at = text.map(|(text, version)| RefusedAt {
            path: self.workspace.files.path(file),
            text,
            version,
            span: obstacle.span,
        });
        Box::new(Refusal { why: obstacle.why, at })
    }

    /// A catalog that is no file of the project's: what is written there others may use.
    fn is_outside(&self, holder: &Holder) -> bool {
        !holder.path.starts_with(&self.project.root)
    }

    fn is_user(&self, path: &Utf8Path) -> bool {
        self.project.catalog_paths.iter().any(|(layer, other)| *layer == Layer::User && other == path)
    }

    /// Whether a variable may have another name.
    fn may(&self, old: &Arc<str>) -> Outcome<()> {
        if let Some(obstacle) = fixed_name(old) {
            return Err(Box::new(Refusal::new(obstacle.why)));
        }
        let (mut outside, mut inside) = (None, false);
        let holders = self.workspace.holders(self.project);
        for holder in &holders {
            for name in holder.names.iter().filter(|name| name.name == *old) {
                let declares = name.place.kind == PlaceKind::Declaration;
                if !self.is_outside(holder) {
                    inside |= declares;
                } else if !declares || !self.is_user(&holder.path) {
                    return Err(self.outside(name, holder));
                } else {
                    outside = outside.or(Some((name, holder)));
                }
            }
        }
        // What the user's catalog says of it is hidden by what the project says, and stays.
        match outside.filter(|_| !inside && !self.is_registered_in_source(old)) {
            Some((name, holder)) => Err(self.outside(name, holder)),
            None => Ok(()),
        }
    }

    fn outside(&self, name: &Name, holder: &Holder) -> Box<Refusal> {
        let old = &name.name;
        let why = msg!(
            "`{old}` stands in a catalog outside of the project, which others may use too",
            "`{old}` 写在项目之外的目录文件里，其他项目可能也在使用"
        );
        self.refused(Obstacle::at(why, name.place.span), holder.file)
    }

    fn is_registered_in_source(&self, name: &str) -> bool {
        let mut known = self.catalogs().filter_map(|catalog| catalog.get(name));
        known.any(|variable| {
            let mut layers = std::iter::successors(Some(variable), |variable| variable.shadows.as_ref());
            layers.any(|variable| variable.layer == Layer::Source)
        })
    }

    /// Everything that could name a variable can be read.
    fn readable(&self, holders: &[Holder]) -> Outcome<()> {
        if !self.project.config.readable {
            let file = self.workspace.files.id(&self.project.root.join(CONFIG_NAME));
            return Err(self.refused(Obstacle::new(broken()), file));
        }
        if let Some(broken_one) = holders.iter().find(|holder| !holder.readable) {
            return Err(self.refused(Obstacle::new(broken()), broken_one.file));
        }
        let project = self.workspace.project_at(self.project.root.clone());
        let unreadable: Option<(FileId, ReadError)> =
            project.state().unreadable.iter().next().map(|(file, error)| (*file, error.clone()));
        let Some((file, error)) = unreadable else { return Ok(()) };
        let path = self.workspace.files.path(file);
        let why = msg!(
            "not everything of the project can be read: {error}",
            "项目中有文件无法读取：{error}";
            error = error.message()
        );
        let at = Some(RefusedAt { path, text: Rope::new(), version: None, span: None });
        Err(Box::new(Refusal { why, at }))
    }

    fn fits(&self, old: &str) -> Outcome<()> {
        // What only another framework's source code uses is written by its rules as well.
        let foreign = self.project.foreign.iter().filter(|(judge, index)| {
            let registered = judge.catalog.get(old).is_some_and(|variable| variable.layer == Layer::Source);
            registered || index.is_used(old)
        });
        let profiles: Vec<&Profile> = std::iter::once(&*self.project.judge.profile)
            .chain(foreign.map(|(judge, _)| &*judge.profile))
            .collect();
        for profile in profiles {
            if let Some(obstacle) = unfit(&self.named.subject, self.new, profile) {
                return Err(Box::new(Refusal::new(obstacle.why)));
            }
        }
        Ok(())
    }

    /// Nothing else is called so.
    fn free(&self, holders: &[Holder]) -> Outcome<()> {
        let new = self.new;
        for holder in holders {
            let Some(name) = holder.names.iter().find(|name| *name.name == *new) else { continue };
            let owner = &name.owner;
            let why = match name.place.kind {
                PlaceKind::Predicate => msg!(
                    "the predicate of `{owner}` asks for a field `{new}` already",
                    "`{owner}` 的条件已经用到字段 `{new}`"
                ),
                PlaceKind::Field => msg!(
                    "the environment `{owner}` has a field `{new}` already",
                    "环境 `{owner}` 已有字段 `{new}`"
                ),
                _ => taken(new),
            };
            return Err(self.refused(Obstacle::at(why, name.place.span), holder.file));
        }
        let fields = self.project.known_environment_fields();
        if let Some(field) = fields.iter().find(|field| *field.name == *new) {
            let why = msg!("there is a field `{new}` already", "已有名为 `{new}` 的字段");
            return Err(self.refused(Obstacle::at(why, field.span), field.file));
        }
        for (judge, index) in self.judges() {
            if let Some(variable) = judge.catalog.get(new) {
                let refusal = match variable.definition {
                    Some(there) => self.refused(Obstacle::at(taken(new), there.key), there.file),
                    None => Box::new(Refusal::new(taken(new))),
                };
                return Err(refusal);
            }
            if let Some(file) = index.files_using(new).first() {
                let why = msg!(
                    "`{new}` is used here already, and nothing registers it",
                    "这里已经用到未登记的 `{new}`"
                );
                return Err(self.refused(Obstacle::new(why), *file));
            }
        }
        Ok(())
    }

    fn variable(&self, old: &Arc<str>, wanted: &dyn Fn() -> bool) -> Outcome<Option<Renamed>> {
        self.may(old)?;
        self.fits(old)?;
        let holders = self.workspace.holders(self.project);
        self.readable(&holders)?;
        self.free(&holders)?;
        let unread = self.unread_name();
        let is_known = self.catalogs().any(|catalog| catalog.get(old).is_some());
        if let Some((file, span)) = unread.filter(|_| !is_known) {
            let why = msg!(
                "the name that is registered here is computed; it may be `{old}`, which nothing else registers",
                "这里登记的名称在运行时计算，可能就是 `{old}`，而别处没有登记它"
            );
            return Err(self.refused(Obstacle::at(why, span), file));
        }
        let Some(files) = self.edits(wanted)? else { return Ok(None) };
        let note = unread.map(|(file, span)| {
            let why = msg!(
                "the name that is registered here is computed; if it is `{old}`, it has to be changed by hand",
                "这里登记的名称在运行时计算；如果它就是 `{old}`，需要手动修改"
            );
            *self.refused(Obstacle::at(why, span), file)
        });
        Ok(Some(Renamed { files, note }))
    }

    /// A registration whose name only the running program knows.
    fn unread_name(&self) -> Option<(FileId, Span)> {
        self.catalogs().find_map(Catalog::incomplete)
    }

    fn in_one_block(&self, wanted: &dyn Fn() -> bool) -> Outcome<Option<Renamed>> {
        if let Some(obstacle) = unfit(&self.named.subject, self.new, &self.project.judge.profile) {
            return Err(Box::new(Refusal::new(obstacle.why)));
        }
        let files = self.edits(wanted)?;
        Ok(files.map(|files| Renamed { files, note: None }))
    }

    /// The edits of all files that name it.
    fn edits(&self, wanted: &dyn Fn() -> bool) -> Outcome<Option<Vec<FileEdits>>> {
        let (workspace, named, new) = (self.workspace, self.named, self.new);
        for file in workspace.source_files_naming(self.project, named) {
            let Some((found, sourced)) = workspace.places_in_source(file, named) else { continue };
            let is_variable = matches!(named.subject, Subject::Variable(_));
            for part in sourced.parts.iter().filter(|_| is_variable) {
                let mut prose =
                    found.places.iter().filter_map(|place| prose_from(part, &named.subject, place.span));
                if let Some(span) = prose.next() {
                    let why = msg!(
                        "a text of a block holds the same constant as prose, and would change with it",
                        "块的文本也把这个常量当作普通文字使用，会随之改变"
                    );
                    return Err(self.refused(Obstacle::at(why, span), file));
                }
            }
            for (id, part) in sourced.ids.iter().zip(&sourced.parts) {
                let ours = matches!(named.subject, Subject::Variable(_)) || named.block == Some(*id);
                let Some(document) = part.document.as_ref().filter(|_| ours) else { continue };
                if let Some(mut found) = obstacle(document, &named.subject, new) {
                    found.span =
                        found.span.zip(part.cooked.as_ref()).map(|(span, cooked)| cooked.to_source(span));
                    return Err(self.refused(found, file));
                }
            }
        }
        for file in workspace.block_files_naming(self.project, named) {
            if !wanted() {
                return Ok(None);
            }
            let Some((_, _, _, document)) = workspace.block(file, self.project) else { continue };
            if let Some(found) = obstacle(&document, &named.subject, new) {
                return Err(self.refused(found, file));
            }
        }
        let mut files = Vec::new();
        let mut refused = None;
        let all = workspace.places(self.project, named, wanted, |found: FilePlaces| {
            // The user's own catalog stays: what the project says of the name hides it.
            if self.is_user(&found.path) || refused.is_some() {
                return;
            }
            let FilePlaces { file, path, text, version, places } = found;
            match places.iter().map(|place| edit(place, new)).collect::<Result<Vec<Edit>, Obstacle>>() {
                Ok(edits) => files.push(FileEdits { path, text, version, creates: false, edits }),
                Err(obstacle) => refused = Some(self.refused(obstacle, file)),
            }
        });
        match refused {
            Some(refused) => Err(refused),
            None => Ok(all.then_some(files)),
        }
    }

    /// Another id for one block. Where several have it by mistake, this one gets its own.
    fn block(&self) -> Outcome<Option<Renamed>> {
        let (workspace, new) = (self.workspace, self.new);
        let Some(file) = self.named.block else { return Ok(None) };
        if let Some(obstacle) = unfit(&self.named.subject, new, &self.project.judge.profile) {
            return Err(Box::new(Refusal::new(obstacle.why)));
        }
        for (_, index) in self.judges().filter(|(_, index)| index.block(file).is_some()) {
            if let Some(other) = index.files_with_id(new).first() {
                let span = index.block(*other).and_then(|facts| Some(facts.header.id.as_ref()?.span));
                let why = msg!("there is a block `{new}` already", "已有名为 `{new}` 的块");
                return Err(self.refused(Obstacle { why, span }, *other));
            }
        }
        let whole = workspace.files.whole(file);
        if whole == file {
            let Some((path, text, version, document)) = workspace.block(file, self.project) else {
                return Ok(None);
            };
            let edit = id_edit(&document, new).map_err(|obstacle| self.refused(obstacle, file))?;
            let files = vec![FileEdits { path, text, version, creates: false, edits: vec![edit] }];
            return Ok(Some(Renamed { files, note: None }));
        }
        let Some((text, version)) = workspace.versioned_text(whole) else { return Ok(None) };
        let place: &Place = &self.named.place;
        let edits = vec![edit(place, new).map_err(|obstacle| self.refused(obstacle, whole))?];
        let path = workspace.files.path(whole);
        Ok(Some(Renamed {
            files: vec![FileEdits { path, text, version, creates: false, edits }],
            note: None,
        }))
    }
}

fn taken(new: &str) -> Message {
    msg!("there is a variable `{new}` already", "已有名为 `{new}` 的变量")
}

fn broken() -> Message {
    msg!("this file is broken, so nobody knows what it names", "此文件有错误，无法得知其中用到哪些名称")
}
