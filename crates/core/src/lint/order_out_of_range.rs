//! `order-out-of-range`: a system order that is no integer, or outside the profile's range. [S0]

use super::judge::Case;
use crate::block::Zone;
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>) -> Option<Diagnostic> {
    let order = case.header.order.as_ref().filter(|_| case.header.zone() == Some(Zone::System))?;
    let (from, to) = case.judge.profile.order_range?;
    let message = if order.value.fract() != 0.0 {
        msg!(
            "a system order must be an integer from {from} to {to}",
            "系统区的 order 必须是 {from} 到 {to} 之间的整数"
        )
    } else if order.value < f64::from(from) || order.value > f64::from(to) {
        msg!("a system order must lie between {from} and {to}", "系统区的 order 必须在 {from} 到 {to} 之间")
    } else {
        return None;
    };
    Some(Diagnostic::new(Code::OrderOutOfRange, order.span, message))
}
