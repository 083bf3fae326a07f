//! What a change costs: how much of the stable prefix a provider can go on using, and how much it computes anew.

use super::assembly::{Assembly, Part, joined as text_of};
use super::outline::{Run, runs};
use super::tokens::{Vocabulary, joined};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The cache impact of a change from one assembly to another. What is reused is what a provider reuses: the prefix of the texts as
/// they are sent, token for token. What a block is called is not sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Impact {
    /// Whether the stable prefix is the same.
    pub same: bool,
    /// Whether the tools in front of it are others, or in another sequence: then no block survives.
    pub tools_changed: bool,
    /// The first block that differs: changed, added, removed or moved. `None` where none does.
    pub first_changed: Option<Arc<str>>,
    /// What became of it.
    pub how: Option<How>,
    /// Tokens of the new prefix that are reused.
    pub survives: u64,
    /// Tokens of the new prefix that are computed anew, once; together with `survives` all of it.
    pub recomputed: u64,
}

/// How the first block that differs differs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// Its text or role is another.
    Changed,
    /// It was not there before.
    Added,
    /// It is not there any more.
    Removed,
    /// Another block stood in its place.
    Moved,
}

/// The impact of going from `before` to `after`.
pub fn impact(before: &Assembly, after: &Assembly, vocabulary: Vocabulary) -> Impact {
    let (old, new): (Vec<&Part>, Vec<&Part>) = (before.prefix().collect(), after.prefix().collect());
    let at = old.iter().zip(&new).take_while(|(old, new)| is_same(old, new)).count();
    let first = first_changed(&old, &new, at);
    let all = after.tokens(vocabulary).prefix();
    let tools = tools_recomputed(before, after, vocabulary);
    let recomputed = match (tools, first) {
        (Some(tools), _) => tools + after.tokens(vocabulary).system_zone(),
        (None, Some(_)) => recomputed(before, after, vocabulary).min(all),
        (None, None) => 0,
    };
    Impact {
        same: first.is_none() && tools.is_none(),
        tools_changed: tools.is_some(),
        first_changed: first.map(|(part, _)| part.id().into()),
        how: first.map(|(_, how)| how),
        survives: all - recomputed,
        recomputed,
    }
}

/// Tokens of the tools of `after` from the first on that is not that of `before`; `None` where they are the same.
fn tools_recomputed(before: &Assembly, after: &Assembly, vocabulary: Vocabulary) -> Option<u64> {
    let list = |assembly| Assembly::tools(assembly).map_or(&[][..], |tools| tools.list.as_slice());
    let (old, new) = (list(before), list(after));
    let same = old.iter().zip(new).take_while(|(old, new)| old.schema() == new.schema()).count();
    let differ = same < old.len() || same < new.len();
    differ.then(|| new.iter().skip(same).map(|tool| tool.tokens(vocabulary)).sum())
}

/// Tokens of the prefix of `after` from the first on that is not that of `before`.
fn recomputed(before: &Assembly, after: &Assembly, vocabulary: Vocabulary) -> u64 {
    let (mut old, mut new) = (before.prefix_runs(), after.prefix_runs());
    let cost = loop {
        let Some(new) = new.next() else { break 0 };
        let Some(old) = old.next() else { break new.tokens(vocabulary) };
        if let Some(cost) = changed(old, new, vocabulary) {
            break cost;
        }
    };
    cost + new.map(|run| run.tokens(vocabulary)).sum::<u64>()
}

/// What a message costs that another one stood in the place of; `None` where a provider gets the same of both.
fn changed(old: Run<'_>, new: Run<'_>, vocabulary: Vocabulary) -> Option<u64> {
    let around = |run: Run<'_>| (run.role(), run.rule.opening.clone(), run.rule.closing.clone());
    if around(old) != around(new) {
        return Some(new.tokens(vocabulary));
    }
    let same = |(old, new): &(&Part, &Part)| sends_the_same(old, new);
    let at = old.parts.iter().zip(new.parts).take_while(same).count();
    let (old_rest, new_rest) = (&old.parts[at..], &new.parts[at..]);
    let (old_text, new_text) = (text_of(old_rest), text_of(new_rest));
    if old_text == new_text {
        return None;
    }
    let all = if at == 0 { new.tokens(vocabulary) } else { joined(new_rest, vocabulary) };
    let kept = if at == 0 { vocabulary.count(&new.rule.opening) } else { 0 };
    Some(all.saturating_sub(kept + vocabulary.common(&old_text, &new_text)))
}

/// Whether a provider gets the same of both.
fn sends_the_same(old: &Part, new: &Part) -> bool {
    old.role == new.role && old.content.digest() == new.content.digest()
}

fn is_same(old: &Part, new: &Part) -> bool {
    old.id == new.id && sends_the_same(old, new)
}

/// The block to name where the sequences part at index `at`.
fn first_changed<'p>(old: &[&'p Part], new: &[&'p Part], at: usize) -> Option<(&'p Part, How)> {
    let is_in = |part: &Part, others: &[&Part]| others.iter().any(|other| other.id == part.id);
    Some(match (old.get(at), new.get(at)) {
        (Some(before), Some(part)) if before.id == part.id => (*part, How::Changed),
        (Some(gone), _) if !is_in(gone, new) => (*gone, How::Removed),
        (_, Some(part)) if !is_in(part, old) => (*part, How::Added),
        (_, Some(part)) | (Some(part), None) => (*part, How::Moved),
        (None, None) => return None,
    })
}

/// A block that is not the same in two assemblies.
#[derive(Clone, Copy, Debug)]
pub struct Difference<'a> {
    /// What became of it; where it stands among the others is no part of that.
    pub how: How,
    /// As it was; `None` where it was not there.
    pub before: Option<&'a Part>,
    /// As it is; `None` where it is not there any more.
    pub after: Option<&'a Part>,
}

/// The blocks whose text, role or zone differ: those of `after` in their sequence, then those that are gone.
pub fn differences<'a>(before: &'a Assembly, after: &'a Assembly) -> Vec<Difference<'a>> {
    // A block without an id is known by its text.
    let key = |part: &'a Part| match &part.id {
        Some(id) => (Some(&**id), None),
        None => (None, Some(part.content.digest())),
    };
    let mut old: FxHashMap<_, &Part> = before.parts().map(|part| (key(part), part)).collect();
    let mut all = Vec::new();
    for part in after.parts() {
        let was = old.remove(&key(part));
        let how = match was {
            None => How::Added,
            Some(was) if is_same(was, part) && was.zone == part.zone => continue,
            Some(_) => How::Changed,
        };
        all.push(Difference { how, before: was, after: Some(part) });
    }
    let gone = before.parts().filter(|part| old.remove(&key(part)).is_some());
    all.extend(gone.map(|part| Difference { how: How::Removed, before: Some(part), after: None }));
    all
}

impl Assembly {
    /// The messages of the system zone.
    pub(super) fn prefix_runs(&self) -> impl Iterator<Item = Run<'_>> {
        [&self.system, &self.prelude].into_iter().flat_map(|parts| runs(parts, &self.frame))
    }

    /// What an edit of each block of the stable prefix costs: tokens computed anew, its own included, in sequence.
    pub fn costs(&self, vocabulary: Vocabulary) -> Vec<u64> {
        let mut costs: Vec<u64> = Vec::with_capacity(self.system.len() + self.prelude.len());
        let mut behind = 0;
        let runs: Vec<Run<'_>> = self.prefix_runs().collect();
        for run in runs.into_iter().rev() {
            for (index, part) in run.parts.iter().enumerate().rev() {
                let counts = part.content.counts(vocabulary);
                behind += if index + 1 == run.parts.len() { counts.alone } else { counts.ahead };
                costs.push(behind);
            }
            behind += vocabulary.count(&run.rule.opening);
        }
        costs.reverse();
        costs
    }
}
