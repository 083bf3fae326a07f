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

#[cfg(test)]
mod tests {
    use crate::lint::fixture::check;

    fn at(zone: &str, order: &str, said: &str) -> String {
        format!("---\nid: t:é🎉\nzone: {zone}\norder: {order}\n{said}---\nx\n")
    }

    #[test]
    fn outside_of_the_range() {
        for order in ["300", "-301", "500", "1e9", "-1e300", "0x12C"] {
            let said =
                format!("       {} order-out-of-range: between -300 and 299\n", "^".repeat(order.len()));
            check(&at("system", order, &said));
        }
    }

    #[test]
    fn no_integer() {
        for order in ["20.5", "-0.5", "300.5", "1e-3"] {
            let said = format!("       {} order-out-of-range: must be an integer\n", "^".repeat(order.len()));
            check(&at("system", order, &said));
        }
    }

    #[test]
    fn yaml_s_integers() {
        for order in ["-300", "299", "120.0", "1.2e2", "0o17", "0x10", "+7"] {
            check(&at("system", order, ""));
        }
    }

    #[test]
    fn any_finite_number_elsewhere() {
        for order in ["300", "-301", "12345.5", "1e300"] {
            check(&at("context", order, ""));
            check(&format!("//- profile harness\n{}", at("system", order, "")));
        }
        check(&at("system", ".inf", "       ^^^^ invalid-value\n"));
        check(&at("context", "'120'", "       ^^^^^ invalid-value\n"));
    }

    #[test]
    fn in_zcode_too() {
        check(&format!("//- profile zcode\n{}", at("system", "300", "       ^^^ order-out-of-range\n")));
    }
}
