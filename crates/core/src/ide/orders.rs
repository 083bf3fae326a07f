//! Orders in a list of the assembly: who stands before and behind, which numbers are free.

use super::Context;
use super::describe::code;
use crate::block::{Header, Zone};
use crate::lint::Judge;
use crate::profile::Band;
pub(super) use crate::project::orders::{band_name, free_in, free_near};

/// A block of the same list.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Taken<'a> {
    pub(super) order: f64,
    pub(super) id: &'a str,
}

impl Taken<'_> {
    /// `` `plugin:name` (120) ``
    pub(super) fn shown(&self) -> String {
        let id = if self.id.is_empty() { "?".to_owned() } else { code(self.id) };
        format!("{id} ({})", self.order)
    }
}

/// The other blocks of the list of `header`, in the sequence of the assembly.
pub(super) fn taken<'a>(cx: &Context<'a>, header: &Header) -> Vec<Taken<'a>> {
    let others = cx.index.sequence(header).into_iter().filter(|(file, _)| *file != cx.file);
    others
        .filter_map(|(_, facts)| {
            let order = facts.header.order.as_ref()?.value;
            Some(Taken { order, id: facts.header.id().map_or("", |id| id) })
        })
        .collect()
}

/// The last ones before a block of that order and id, and the first ones behind it; at most `most` of each.
pub(super) fn around<'t, 'a>(
    taken: &'t [Taken<'a>],
    order: f64,
    id: &str,
    most: usize,
) -> (&'t [Taken<'a>], &'t [Taken<'a>]) {
    let before = taken.partition_point(|other| (other.order, other.id) < (order, id));
    let (before, behind) = taken.split_at(before);
    (&before[before.len().saturating_sub(most)..], &behind[..behind.len().min(most)])
}

/// Whether no other block has that order.
pub(super) fn is_free(taken: &[Taken<'_>]) -> impl Fn(i32) -> bool {
    |order| !taken.iter().any(|other| other.order == f64::from(order))
}

/// Free numbers where there are no bands: before the first block, behind the last one, and in the gaps between.
pub(super) fn free_between(taken: &[Taken<'_>], most: usize) -> Vec<i32> {
    #[expect(clippy::cast_possible_truncation, reason = "a cast of a float sticks to the limits")]
    let ten_behind = |order: f64| ((order / 10.0).floor() as i32).saturating_add(1).saturating_mul(10);
    let mut free = vec![taken.last().map_or(100, |last| ten_behind(last.order))];
    free.extend(taken.first().map(|first| ten_behind(first.order - 1.0).saturating_sub(10)));
    for pair in taken.windows(2) {
        let (low, high) = (pair[0].order, pair[1].order);
        #[expect(clippy::cast_possible_truncation, reason = "a cast of a float sticks to the limits")]
        let middle = (low + (high - low) / 2.0).floor() as i32;
        let round = ten_behind(low);
        let fits = |order: i32| low < f64::from(order) && f64::from(order) < high;
        free.extend([round, middle].into_iter().find(|order| fits(*order)));
    }
    free.truncate(most);
    free.sort_unstable();
    free.dedup();
    free
}

/// The band of an order in this block's zone; there are none outside the system zone.
pub(super) fn band<'a>(judge: &'a Judge, header: &Header, order: f64) -> Option<&'a Band> {
    if header.zone().is_some_and(|zone| zone != Zone::System) {
        return None;
    }
    judge.bands.find(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(orders: &[i32]) -> Vec<Taken<'static>> {
        orders.iter().map(|order| Taken { order: f64::from(*order), id: "a:b" }).collect()
    }

    fn band(from: i32, to: i32) -> Band {
        let name = "x".to_owned();
        Band { from, to, name, name_zh: None, content: String::new(), content_zh: String::new() }
    }

    #[test]
    fn free_numbers() {
        assert_eq!(free_in(is_free(&taken(&[])), &band(1, 29)), [1, 10, 20]);
        assert_eq!(free_in(is_free(&taken(&[100, 110, 114])), &band(100, 120)), [105, 115, 120]);
        assert!(free_in(is_free(&taken(&[-100])), &band(-100, -100)).is_empty());
        assert_eq!(free_in(is_free(&taken(&[])), &band(-200, -181)), [-200, -190]);
        assert_eq!(free_in(is_free(&taken(&[])), &band(i32::MIN, i32::MAX)).len(), 100);
        assert_eq!(free_near(is_free(&taken(&[120, 121])), 120.0, (100, 199), 3), [119, 118, 122]);
        assert_eq!(free_near(is_free(&taken(&[])), 1e300, (0, 0), 3), [0]);
        assert_eq!(free_near(is_free(&taken(&[])), 0.0, (i32::MIN, i32::MAX), 2), [0, -1]);
        assert_eq!(free_between(&taken(&[]), 9), [100]);
        assert_eq!(free_between(&taken(&[10, 30, 31, 33]), 9), [0, 20, 32, 40]);
    }

    #[test]
    fn neighbours() {
        let all = taken(&[1, 2, 2, 3]);
        let (before, behind) = around(&all, 2.0, "a:a", 2);
        assert_eq!((before.len(), behind.len()), (1, 2));
        let (before, behind) = around(&all, 9.0, "", 2);
        assert_eq!((before.len(), behind.len()), (2, 0));
    }
}
