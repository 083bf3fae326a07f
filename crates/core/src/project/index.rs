//! What the blocks of a project share: ids, orders, the exclusive block, the names in use.
//!
//! Kept as maps from the shared thing to the files that have it, so that a change is judged again only where it is felt.

use crate::block::{Cache, Header, List, Zone};
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
    /// Tokens of its content, by the vocabulary that budgets are counted with, else by the estimate.
    pub tokens: u32,
    /// Whether this is what the vocabulary says, and no estimate.
    pub exact: bool,
    /// Where it is registered, if it stands in source code.
    pub origin: Option<Origin>,
}

impl BlockFacts {
    /// Whether two blocks may be registered in two scopes, so that no assembly need hold both; of one name, the nearer one hides
    /// the other. [S1]
    pub(crate) fn may_be_apart(&self, other: &Self) -> bool {
        match (&self.origin, &other.origin) {
            (Some(one), Some(other)) => {
                one.scoped && (one.file != other.file || one.receiver != other.receiver)
            }
            (Some(origin), None) | (None, Some(origin)) => origin.scoped,
            (None, None) => false,
        }
    }
}

/// The call that registers a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// The source file.
    pub file: FileId,
    /// What the method is called on, as it is written.
    pub receiver: Arc<str>,
    /// Whether a name counts in the scope of its receiver, where a nearer one hides it. [S1]
    pub scoped: bool,
    /// Whether only the running program knows the text.
    pub computed: bool,
}

/// The index of a project's blocks.
#[derive(Clone, Debug, Default)]
pub struct Index {
    blocks: BTreeMap<FileId, BlockFacts>,
    ids: FxHashMap<Arc<str>, BTreeSet<FileId>>,
    orders: FxHashMap<(Place, u64), BTreeSet<FileId>>,
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
        let header_differs =
            before.as_ref().map(|facts| &facts.header) != facts.as_ref().map(|facts| &facts.header);
        if let Some(facts) = &before {
            self.unlink(file, facts, &mut touched);
        }
        if let Some(facts) = facts {
            self.link(file, &facts, &mut touched);
            self.blocks.insert(file, facts);
        }
        let exclusive = completes.contains(&file) || self.complete.contains(&file);
        if exclusive && header_differs {
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

    /// The blocks whose live tags use `name`, in order.
    pub fn files_using(&self, name: &str) -> Vec<FileId> {
        if !self.is_used(name) {
            return Vec::new();
        }
        let uses = |facts: &BlockFacts| facts.uses.binary_search_by(|used| (**used).cmp(name)).is_ok();
        self.blocks().filter(|(_, facts)| uses(facts)).map(|(file, _)| file).collect()
    }

    /// The blocks with that id, in order.
    pub fn files_with_id(&self, id: &str) -> Vec<FileId> {
        self.ids.get(id).into_iter().flatten().copied().collect()
    }

    /// Names in use that differ from those of `before`, as two sets.
    pub fn used_names(&self) -> FxHashSet<Arc<str>> {
        self.uses.keys().cloned().collect()
    }

    /// Whether any block has that id.
    pub fn has_id(&self, id: &str) -> bool {
        self.ids.contains_key(id)
    }

    /// Whether a block has that order in the list of `header`.
    pub(crate) fn takes(&self, header: &Header, order: f64) -> bool {
        place(header).is_some_and(|place| self.orders.contains_key(&(place, (order + 0.0).to_bits())))
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
            (place(&a.header)).cmp(&place(&b.header)).then_with(|| in_sequence(a, b))
        });
        all
    }

    /// The blocks of source code whose text only the running program knows, in the sequence of the assembly.
    pub fn computed(&self) -> impl Iterator<Item = (FileId, &BlockFacts)> {
        let is_computed = |facts: &BlockFacts| facts.origin.as_ref().is_some_and(|origin| origin.computed);
        let all = Zone::ALL.into_iter().flat_map(|zone| self.assembled(zone));
        all.filter(move |(_, facts)| is_computed(facts))
    }

    /// The blocks of the list of `header`, in the sequence of the assembly: by order, then by id.
    pub fn sequence(&self, header: &Header) -> Vec<(FileId, &BlockFacts)> {
        let here = place(header);
        let mut all: Vec<_> = self
            .blocks()
            .filter(|(_, facts)| {
                here.is_some() && place(&facts.header) == here && facts.header.order.is_some()
            })
            .collect();
        all.sort_by(|(_, a), (_, b)| in_sequence(a, b));
        all
    }
}

/// The blocks of one list with one key `cache` stand together, what stays the same in front. [S4] Where there is no such key, that is
/// the list as a whole.
type Place = (List, Cache);

fn place(header: &Header) -> Option<Place> {
    Some((List::of(header)?, header.cache()))
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
fn order_key(facts: &BlockFacts) -> Option<(Place, u64)> {
    let order = facts.header.order.as_ref()?;
    Some((place(&facts.header)?, (order.value + 0.0).to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{Field, Role};
    use crate::span::Span;
    use proptest::prelude::*;

    /// A block of few possible ids and orders, so that many meet.
    fn facts() -> impl Strategy<Value = BlockFacts> {
        let field = |at: u32| (Span::empty(at), Span::new(at, at + 1));
        let zone =
            proptest::sample::select(vec![None, Some(Zone::System), Some(Zone::Context), Some(Zone::Input)]);
        let role = proptest::sample::select(vec![Role::System, Role::User, Role::Assistant]);
        let names = proptest::collection::btree_set(proptest::sample::select(vec!["a", "b", "c"]), 0..3);
        let order = proptest::sample::select(vec![None, Some(0.0), Some(-0.0), Some(1.5)]);
        let id = proptest::sample::select(vec![None, Some("t:a"), Some("t:b")]);
        (id, zone, role, order, any::<(bool, bool)>(), names, 0_u32..3).prop_map(
            move |(id, zone, role, order, (complete, blank), names, at)| {
                let (key, span) = field(at);
                let header = Header {
                    id: id.map(|value| Field { value: value.into(), key, span }),
                    zone: zone.map(|value| Field { value, key, span }),
                    order: order.map(|value| Field { value, key, span }),
                    role: Some(Field { value: role, key, span }),
                    complete: Some(Field { value: complete, key, span }),
                    ..Header::default()
                };
                let uses = names.into_iter().map(Arc::from).collect::<Vec<_>>().into();
                BlockFacts { header: Arc::new(header), blank, uses, tokens: at, exact: false, origin: None }
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        /// Whoever asks again for the files named, and for no other, knows everything.
        #[test]
        fn updated_equals_fresh(changes in proptest::collection::vec((0_u32..5, proptest::option::weighted(0.8, facts())), 1..25)) {
            let mut index = Index::default();
            let mut known: BTreeMap<FileId, Vec<Diagnostic>> = BTreeMap::new();
            let mut blocks: BTreeMap<FileId, BlockFacts> = BTreeMap::new();
            for (file, facts) in changes {
                let file = FileId(file);
                match &facts {
                    Some(facts) => blocks.insert(file, facts.clone()),
                    None => blocks.remove(&file),
                };
                for touched in index.update(file, facts) {
                    known.insert(touched, index.findings(touched));
                }
                let mut fresh = Index::default();
                for (file, facts) in &blocks {
                    fresh.update(*file, Some(facts.clone()));
                }
                prop_assert_eq!(index.len(), blocks.len());
                for file in 0..5 {
                    let file = FileId(file);
                    prop_assert_eq!(known.get(&file).cloned().unwrap_or_default(), fresh.findings(file));
                    prop_assert_eq!(index.block(file), blocks.get(&file));
                }
                for name in ["a", "b", "c"] {
                    let count = blocks.values().filter(|facts| facts.uses.iter().any(|used| &**used == name)).count();
                    prop_assert_eq!(index.use_count(name) as usize, count);
                    prop_assert_eq!(index.is_used(name), count > 0);
                    prop_assert_eq!(index.used_names().contains(name), count > 0);
                }
            }
        }
    }

    fn block(text: &str) -> BlockFacts {
        crate::syntax::Document::new(text, crate::profile::Profile::blocks()).facts()
    }

    #[test]
    fn what_is_the_same_touches_nothing_else() {
        let text = "---\nid: t:a\nzone: system\norder: 1\ncomplete: true\n---\nx\n";
        let mut index = Index::default();
        index.update(FileId(1), Some(block(text)));
        index.update(FileId(2), Some(block(text)));
        assert_eq!(index.update(FileId(1), Some(block(text))), BTreeSet::from([FileId(1)]));
        assert_eq!(index.update(FileId(3), None), BTreeSet::from([FileId(3)]));
    }

    #[test]
    fn only_groups_that_a_change_touches_are_judged_again() {
        let mut index = Index::default();
        let text = |id: &str, order: u32| format!("---\nid: {id}\nzone: context\norder: {order}\n---\nx\n");
        for (file, id, order) in [(1, "t:a", 1), (2, "t:a", 2), (3, "t:b", 2), (4, "t:c", 4)] {
            index.update(FileId(file), Some(block(&text(id, order))));
        }
        let touched = index.update(FileId(1), Some(block(&text("t:d", 1))));
        assert_eq!(touched, BTreeSet::from([FileId(1), FileId(2)]));
        let touched = index.update(FileId(4), Some(block(&text("t:c", 2))));
        assert_eq!(touched, BTreeSet::from([FileId(2), FileId(3), FileId(4)]));
    }

    #[test]
    fn a_new_name_of_the_exclusive_block_is_told_to_those_it_replaces() {
        let mut index = Index::default();
        let complete =
            |id: &str| block(&format!("---\nid: {id}\nzone: system\norder: 1\ncomplete: true\n---\nx\n"));
        index.update(FileId(1), Some(complete("t:a")));
        index.update(FileId(2), Some(block("---\nid: t:b\nzone: system\norder: 2\n---\nx\n")));
        let touched = index.update(FileId(1), Some(complete("t:renamed")));
        assert!(touched.contains(&FileId(2)), "{touched:?}");
        let mut other = complete("t:renamed");
        other.uses = [Arc::from("name")].into();
        assert_eq!(
            index.update(FileId(1), Some(other)),
            BTreeSet::from([FileId(1)]),
            "a use is nobody else's business"
        );
    }

    #[test]
    fn the_sequence_is_that_of_the_assembly() {
        let mut index = Index::default();
        let blocks = [
            ("t:b", "system", "1"),
            ("t:a", "system", "1"),
            ("t:z", "system", "-5"),
            ("t:c", "context", "0"),
        ];
        for (file, (id, zone, order)) in (0..).zip(blocks) {
            index.update(
                FileId(file),
                Some(block(&format!("---\nid: {id}\nzone: {zone}\norder: {order}\n---\nx\n"))),
            );
        }
        let header = Arc::clone(&index.block(FileId(0)).expect("a block").header);
        let ids: Vec<_> =
            index.sequence(&header).into_iter().filter_map(|(_, facts)| facts.header.id().cloned()).collect();
        assert_eq!(ids, ["t:z", "t:a", "t:b"].map(Arc::from));
    }
}
