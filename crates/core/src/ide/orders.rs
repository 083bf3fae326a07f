//! Orders in a list of the assembly: who stands before and behind, which numbers are free.

use super::Context;
use super::describe::code;
use crate::block::{Header, Zone};
use crate::profile::Band;
use crate::{Message, msg};

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

fn is_free(taken: &[Taken<'_>], order: i32) -> bool {
    !taken.iter().any(|other| other.order == f64::from(order))
}

/// Free numbers within `from..=to`, the nearest to `order` first.
pub(super) fn free_near(taken: &[Taken<'_>], order: f64, (from, to): (i32, i32), most: usize) -> Vec<i32> {
    #[expect(clippy::cast_possible_truncation, reason = "a cast of a float sticks to the limits")]
    let middle = (order.round() as i32).clamp(from, to);
    let reach = to.saturating_sub(from);
    let outward = (0..=reach.min(1000)).flat_map(|by| [middle.saturating_sub(by), middle.saturating_add(by)]);
    let mut free = Vec::new();
    for order in outward {
        if (from..=to).contains(&order) && !free.contains(&order) && is_free(taken, order) {
            free.push(order);
        }
        if free.len() == most {
            break;
        }
    }
    free
}

/// Free numbers of a band that leave room: one for each ten, the round one where it is free.
pub(super) fn free_in(taken: &[Taken<'_>], band: &Band) -> Vec<i32> {
    let mut free = Vec::new();
    let mut start = band.from;
    // A project's own band can be as wide as it likes.
    while start <= band.to && free.len() < 100 {
        let next = start.div_euclid(10).saturating_add(1).saturating_mul(10);
        let end = next.saturating_sub(1).min(band.to);
        let middle = start.saturating_add(end.saturating_sub(start).saturating_add(1) / 2);
        let mut candidates = [start, middle].into_iter().chain(start..=end);
        free.extend(candidates.find(|order| is_free(taken, *order)));
        if next <= start {
            break;
        }
        start = next;
    }
    free
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
pub(super) fn band<'a>(cx: &Context<'a>, header: &Header, order: f64) -> Option<&'a Band> {
    if header.zone().is_some_and(|zone| zone != Zone::System) {
        return None;
    }
    cx.judge.bands.find(order)
}

/// `tool guidance (100..199)`
pub(super) fn band_name(band: &Band) -> Message {
    let (title, from, to) = (band.title(), band.from, band.to);
    if from == to {
        msg!("{title} ({from})", "{title}（{from}）", from = from; title = title)
    } else {
        msg!("{title} ({from}..{to})", "{title}（{from}～{to}）", from = from, to = to; title = title)
    }
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
        assert_eq!(free_in(&taken(&[]), &band(1, 29)), [1, 10, 20]);
        assert_eq!(free_in(&taken(&[100, 110, 114]), &band(100, 120)), [105, 115, 120]);
        assert!(free_in(&taken(&[-100]), &band(-100, -100)).is_empty());
        assert_eq!(free_in(&taken(&[]), &band(-200, -181)), [-200, -190]);
        assert_eq!(free_in(&taken(&[]), &band(i32::MIN, i32::MAX)).len(), 100);
        assert_eq!(free_near(&taken(&[120, 121]), 120.0, (100, 199), 3), [119, 118, 122]);
        assert_eq!(free_near(&taken(&[]), 1e300, (0, 0), 3), [0]);
        assert_eq!(free_near(&taken(&[]), 0.0, (i32::MIN, i32::MAX), 2), [0, -1]);
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
