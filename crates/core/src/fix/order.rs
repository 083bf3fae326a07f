//! Orders that are free, in the band that was meant.

use super::{Context, Edit, Fix};
use crate::block::{Header, Zone};
use crate::message::Message;
use crate::project::orders::{band_name, free_in, free_near};
use crate::syntax::Document;
use crate::{Code, Diagnostic, msg};

/// Bands that are narrower have their block already, or none.
const WIDE: i64 = 10;
/// So many bands are worth offering.
const MOST: usize = 6;

/// Another order for one that is taken, out of range or in no band.
pub(super) fn fixes(cx: &Context<'_>, document: &Document, finding: &Diagnostic) -> Vec<Fix> {
    let header = document.header();
    let Some(field) = &header.order else { return Vec::new() };
    let order = field.value;
    let is_free = |order: i32| !cx.index.takes(header, f64::from(order));
    let mut found: Vec<i32> = Vec::new();
    let (least, most) = match header.zone() {
        Some(Zone::System) => cx.judge.profile.order_range.unwrap_or((i32::MIN, i32::MAX)),
        _ => (i32::MIN, i32::MAX),
    };
    let band = cx.judge.bands.find(order).map(|band| (band.from, band.to));
    match finding.code {
        Code::OrderConflict => {
            let system = header.zone() == Some(Zone::System);
            let (from, to) = band.filter(|_| system).unwrap_or((least, most));
            #[expect(clippy::cast_possible_truncation, reason = "a cast of a float sticks to the limits")]
            let (below, above) = (order.ceil() as i32, order.floor() as i32);
            // Behind the other one first: who came second makes room.
            if above < to {
                found.extend(free_near(is_free, order, (above.saturating_add(1).max(from), to), 1));
            }
            if below > from {
                found.extend(free_near(is_free, order, (from, below.saturating_sub(1).min(to)), 1));
            }
        }
        Code::OrderOutOfRange => {
            let order = order.clamp(f64::from(least), f64::from(most));
            let band = cx.judge.bands.find(order).or_else(|| cx.judge.bands.nearest(order));
            let (from, to) = band.map_or((least, most), |band| (band.from.max(least), band.to.min(most)));
            if from <= to {
                found.extend(free_near(is_free, order, (from, to), 2));
            }
        }
        _ => {
            let bands = &cx.judge.bands.0;
            let below = bands.iter().filter(|band| f64::from(band.to) < order).max_by_key(|band| band.to);
            let above = bands.iter().filter(|band| f64::from(band.from) > order).min_by_key(|band| band.from);
            let nearest = |band| free_near(is_free, order, band, 1);
            found.extend(below.into_iter().chain(above).flat_map(|band| nearest((band.from, band.to))));
            found.sort_by(|a, b| (f64::from(*a) - order).abs().total_cmp(&(f64::from(*b) - order).abs()));
        }
    }
    let fix = |order: i32| {
        let title = msg!("Set `order` to {order}", "将 `order` 改为 {order}");
        let band = cx.judge.bands.find(f64::from(order)).filter(|_| header.zone() == Some(Zone::System));
        let title = match band {
            Some(band) => msg!("{title}: {band}", "{title}：{band}"; title = title, band = band_name(band)),
            None => title,
        };
        Fix::one(title, Edit::new(field.span, order.to_string()))
    };
    found.into_iter().map(fix).collect()
}

/// Orders for a block that has none, with the band of each.
pub(crate) fn fresh(cx: &Context<'_>, header: &Header) -> Vec<(i32, Option<Message>)> {
    let is_free = |order: i32| !cx.index.takes(header, f64::from(order));
    let bands = &cx.judge.bands.0;
    if header.zone() == Some(Zone::System) && !bands.is_empty() {
        let wide = |band: &&crate::profile::Band| i64::from(band.to) - i64::from(band.from) >= WIDE - 1;
        let mut found: Vec<_> = bands
            .iter()
            .filter(wide)
            .filter_map(|band| Some((*free_in(is_free, band).first()?, Some(band_name(band)))))
            .collect();
        // Most blocks say how to use something: the wide bands behind the persona come before those of the deployer.
        found.sort_by_key(|(order, _)| (*order < 100, *order));
        found.truncate(MOST);
        return found;
    }
    let tens = (10..1000).map(|ten| ten * 10);
    tens.into_iter().find(|order| is_free(*order)).map(|order| (order, None)).into_iter().collect()
}
