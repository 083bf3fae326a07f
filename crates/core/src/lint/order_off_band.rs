//! `order-off-band`: a system order within the range that belongs to no band. [S0]

use super::judge::Case;
use super::order_out_of_range;
use crate::block::Zone;
use crate::{Code, Diagnostic, Locale, Message};

pub(super) fn check(case: &Case<'_>) -> Option<Diagnostic> {
    let order = case.header.order.as_ref().filter(|_| case.header.zone() == Some(Zone::System))?;
    let judge = case.judge;
    if !judge.profile.off_band
        || judge.bands.find(order.value).is_some()
        || order_out_of_range::check(case).is_some()
    {
        return None;
    }
    let value = order.value;
    let near = judge.bands.nearest(value).map(|band| {
        let (title, from, to) = (band.title(), band.from, band.to);
        let (en, zh) = (title.text(Locale::En), title.text(Locale::ZhCn));
        Message::new(
            format!("; the nearest is {en} ({from}..{to})"),
            format!("；最近的是{zh}（{from}～{to}）"),
        )
    });
    let near = near.unwrap_or_else(|| Message::new("", ""));
    let (en, zh) = (near.text(Locale::En), near.text(Locale::ZhCn));
    let message =
        Message::new(format!("order {value} is in no band{en}"), format!("order {value} 不在任何分带内{zh}"));
    Some(Diagnostic::new(Code::OrderOffBand, order.span, message))
}
