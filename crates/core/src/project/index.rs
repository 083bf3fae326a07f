//! What the blocks of a project share: ids, orders, the exclusive block, the names in use.
//!
//! Kept as maps from the shared thing to the files that have it, so that a change is judged again only where it is felt.

use crate::block::{Header, Role, Zone};
use crate::diagnostic::{Diagnostic, FileId};
use crate::lint::across;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What the project needs to know of one block.
#[derive(Clone, PartialEq, Debug)]
pub struct BlockFacts {
    /// Its header.
    pub header: Arc<Header>,
    /// Whether its content is blank: then it is dropped from the assembly. [S1]
    pub blank: bool,
    /// Names used in live tags, sorted.
    pub uses: Arc<[Arc<str>]>,
    /// Tokens of its content by the estimate.
    pub tokens: u32,
}

/// A list of the assembly in which an order decides the sequence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum List {
    /// The system message.
    System,
    /// The messages of roles user and assistant behind it.
    Prelude,
    /// The context messages.
    Contexts,
}

impl List {
    fn of(header: &Header) -> Option<Self> {
        match (header.zone()?, header.role()) {
            (Zone::System, Role::System) => Some(Self::System),
            (Zone::System, _) => Some(Self::Prelude),
            (Zone::Context, _) => Some(Self::Contexts),
            (Zone::Input, _) => None,
        }
    }
}

/// The index of a project's blocks.
#[derive(Clone, Debug, Default)]
pub struct Index {
    blocks: BTreeMap<FileId, BlockFacts>,
    ids: FxHashMap<Arc<str>, BTreeSet<FileId>>,
    orders: FxHashMap<(List, u64), BTreeSet<FileId>>,
    complete: BTreeSet<FileId>,
    uses: FxHashMap<Arc<str>, u32>,
    revision: u64,
}

impl Index {
    /// Puts in what is now known of a block, or `None` where it is gone. Gives the files whose findings across the project may
    /// be others now, this one included.
    pub fn update(&mut self, file: FileId, facts: Option<BlockFacts>) -> BTreeSet<FileId> {
        let mut touched = BTreeSet::from([file]);
        let before = self.blocks.remove(&file);
        if before == facts {
            if let Some(facts) = facts {
                self.blocks.insert(file, facts);
            }
            return touched;
        }
        self.revision += 1;
        let completes = self.complete.clone();
        if let Some(facts) = &before {
            self.unlink(file, facts, &mut touched);
        }
        if let Some(facts) = facts {
            self.link(file, &facts, &mut touched);
            self.blocks.insert(file, facts);
        }
        if completes != self.complete {
            // An exclusive block decides for the whole system zone.
            let system = self.blocks.iter().filter(|(_, facts)| facts.header.zone() == Some(Zone::System));
            touched.extend(system.map(|(file, _)| *file));
            touched.extend(completes);
        }
        touched
    }

    fn link(&mut self, file: FileId, facts: &BlockFacts, touched: &mut BTreeSet<FileId>) {
        if let Some(id) = facts.header.id() {
            let group = self.ids.entry(Arc::clone(id)).or_default();
            touched.extend(group.iter());
            group.insert(file);
        }
        if let Some(key) = order_key(facts) {
            let group = self.orders.entry(key).or_default();
            touched.extend(group.iter());
            group.insert(file);
        }
        if facts.header.is_complete() {
            self.complete.insert(file);
        }
        for name in facts.uses.iter() {
            *self.uses.entry(Arc::clone(name)).or_default() += 1;
        }
    }

    fn unlink(&mut self, file: FileId, facts: &BlockFacts, touched: &mut BTreeSet<FileId>) {
        if let Some(id) = facts.header.id() {
            leave(&mut self.ids, id, file, touched);
        }
        if let Some(key) = order_key(facts) {
            leave(&mut self.orders, &key, file, touched);
        }
        self.complete.remove(&file);
        for name in facts.uses.iter() {
            if let Some(count) = self.uses.get_mut(name) {
                *count -= 1;
                if *count == 0 {
                    self.uses.remove(name);
                }
            }
        }
    }

    /// Grows with every change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The findings of a block that depend on other files.
    pub fn findings(&self, file: FileId) -> Vec<Diagnostic> {
        let Some(facts) = self.blocks.get(&file) else { return Vec::new() };
        let mut all = Vec::new();
        all.extend(across::duplicate_id(self, file, facts));
        all.extend(across::multiple_complete(self, file, facts));
        all.extend(across::replaced_by_complete(self, file, facts));
        all.extend(across::order_conflict(self, file, facts));
        all
    }

    /// Whether a live tag of any block uses `name`.
    pub fn is_used(&self, name: &str) -> bool {
        self.uses.contains_key(name)
    }

    /// In how many blocks live tags use `name`.
    pub fn use_count(&self, name: &str) -> u32 {
        self.uses.get(name).copied().unwrap_or(0)
    }

    /// Names in use that differ from those of `before`, as two sets.
    pub fn used_names(&self) -> FxHashSet<Arc<str>> {
        self.uses.keys().cloned().collect()
    }

    /// A block.
    pub fn block(&self, file: FileId) -> Option<&BlockFacts> {
        self.blocks.get(&file)
    }

    /// Every block, by file.
    pub fn blocks(&self) -> impl Iterator<Item = (FileId, &BlockFacts)> {
        self.blocks.iter().map(|(file, facts)| (*file, facts))
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Whether there is no block.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// The other blocks with the id of `facts`.
    pub(crate) fn same_id(
        &self,
        file: FileId,
        facts: &BlockFacts,
    ) -> impl Iterator<Item = (FileId, &BlockFacts)> {
        let group = facts.header.id().and_then(|id| self.ids.get(id));
        self.others(file, group)
    }

    /// The other blocks with the order of `facts` in the same list that are assembled at all.
    pub(crate) fn same_order(
        &self,
        file: FileId,
        facts: &BlockFacts,
    ) -> impl Iterator<Item = (FileId, &BlockFacts)> {
        let group = order_key(facts).and_then(|key| self.orders.get(&key));
        let assembled = self.is_assembled(file, facts);
        self.others(file, group).filter(move |(other, facts)| assembled && self.is_assembled(*other, facts))
    }

    fn others(
        &self,
        file: FileId,
        group: Option<&BTreeSet<FileId>>,
    ) -> impl Iterator<Item = (FileId, &BlockFacts)> {
        let ids: Vec<FileId> = group.into_iter().flatten().copied().filter(|other| *other != file).collect();
        ids.into_iter().filter_map(|id| Some((id, self.blocks.get(&id)?)))
    }

    /// The exclusive blocks.
    pub(crate) fn complete(&self) -> impl Iterator<Item = (FileId, &BlockFacts)> {
        self.complete.iter().filter_map(|file| Some((*file, self.blocks.get(file)?)))
    }

    /// Whether an exclusive block takes the place of this one, or its content is blank.
    fn is_assembled(&self, file: FileId, facts: &BlockFacts) -> bool {
        let replaced = facts.header.zone() == Some(Zone::System)
            && !self.complete.is_empty()
            && !self.complete.contains(&file);
        !replaced && !facts.blank
    }

    /// The blocks of a zone that are assembled, in the sequence of the assembly: the system message before the prelude, then by
    /// order, then by id.
    pub fn assembled(&self, zone: Zone) -> Vec<(FileId, &BlockFacts)> {
        let mut all: Vec<_> = self
            .blocks()
            .filter(|(file, facts)| facts.header.zone() == Some(zone) && self.is_assembled(*file, facts))
            .collect();
        all.sort_by(|(_, a), (_, b)| {
            (List::of(&a.header)).cmp(&List::of(&b.header)).then_with(|| in_sequence(a, b))
        });
        all
    }

    /// The blocks of the list of `header`, in the sequence of the assembly: by order, then by id.
    pub fn sequence(&self, header: &Header) -> Vec<(FileId, &BlockFacts)> {
        let list = List::of(header);
        let mut all: Vec<_> = self
            .blocks()
            .filter(|(_, facts)| {
                list.is_some() && List::of(&facts.header) == list && facts.header.order.is_some()
            })
            .collect();
        all.sort_by(|(_, a), (_, b)| in_sequence(a, b));
        all
    }
}

/// By order, then by id. [S0]
fn in_sequence(a: &BlockFacts, b: &BlockFacts) -> std::cmp::Ordering {
    let order = |facts: &BlockFacts| facts.header.order.as_ref().map_or(0.0, |order| order.value + 0.0);
    order(a).total_cmp(&order(b)).then_with(|| a.header.id().cmp(&b.header.id()))
}

fn leave<K: Eq + std::hash::Hash>(
    groups: &mut FxHashMap<K, BTreeSet<FileId>>,
    key: &K,
    file: FileId,
    touched: &mut BTreeSet<FileId>,
) {
    if let Some(group) = groups.get_mut(key) {
        group.remove(&file);
        touched.extend(group.iter());
        if group.is_empty() {
            groups.remove(key);
        }
    }
}

/// Two blocks with one key have one place in one list. `0` and `-0` are one order.
fn order_key(facts: &BlockFacts) -> Option<(List, u64)> {
    let order = facts.header.order.as_ref()?;
    Some((List::of(&facts.header)?, (order.value + 0.0).to_bits()))
}
