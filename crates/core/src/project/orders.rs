//! Which orders are free, and what a band is called.

use crate::profile::Band;
use crate::{Message, msg};

/// Free numbers within `from..=to`, the nearest to `order` first.
pub(crate) fn free_near(
    is_free: impl Fn(i32) -> bool,
    order: f64,
    (from, to): (i32, i32),
    most: usize,
) -> Vec<i32> {
    #[expect(clippy::cast_possible_truncation, reason = "a cast of a float sticks to the limits")]
    let middle = (order.round() as i32).clamp(from, to);
    let reach = to.saturating_sub(from);
    let outward = (0..=reach.min(1000)).flat_map(|by| [middle.saturating_sub(by), middle.saturating_add(by)]);
    let mut free = Vec::new();
    for order in outward {
        if (from..=to).contains(&order) && !free.contains(&order) && is_free(order) {
            free.push(order);
        }
        if free.len() == most {
            break;
        }
    }
    free
}

/// Free numbers of a band that leave room: one for each ten, the round one where it is free.
pub(crate) fn free_in(is_free: impl Fn(i32) -> bool, band: &Band) -> Vec<i32> {
    let mut free = Vec::new();
    let mut start = band.from;
    // A project's own band can be as wide as it likes.
    while start <= band.to && free.len() < 100 {
        let next = start.div_euclid(10).saturating_add(1).saturating_mul(10);
        let end = next.saturating_sub(1).min(band.to);
        let middle = start.saturating_add(end.saturating_sub(start).saturating_add(1) / 2);
        let mut candidates = [start, middle].into_iter().chain(start..=end);
        free.extend(candidates.find(|order| is_free(*order)));
        if next <= start {
            break;
        }
        start = next;
    }
    free
}

/// `tool guidance (100..199)`
pub(crate) fn band_name(band: &Band) -> Message {
    let (title, from, to) = (band.title(), band.from, band.to);
    if from == to {
        msg!("{title} ({from})", "{title}（{from}）", from = from; title = title)
    } else {
        msg!("{title} ({from}..{to})", "{title}（{from}～{to}）", from = from, to = to; title = title)
    }
}
