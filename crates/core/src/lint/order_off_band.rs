//! `order-off-band`: a system order within the range that belongs to no band. [S0]

use super::judge::Case;
use super::order_out_of_range;
use crate::block::Zone;
use crate::{Code, Diagnostic, Locale, Message, msg};

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
        let near = crate::project::orders::band_name(band);
        msg!("; the nearest is {near}", "；最近的是{near}"; near = near)
    });
    let near = near.unwrap_or_else(|| Message::new("", ""));
    let (en, zh) = (near.text(Locale::En), near.text(Locale::ZhCn));
    let message =
        Message::new(format!("order {value} is in no band{en}"), format!("order {value} 不在任何分带内{zh}"));
    Some(Diagnostic::new(Code::OrderOffBand, order.span, message))
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::{check, fresh, judge_with};
    use crate::profile::{Band, Bands};

    fn at(order: &str, said: &str) -> String {
        format!("---\nid: t:é🎉\nzone: system\norder: {order}\n{said}---\nx\n")
    }

    #[test]
    fn between_the_bands() {
        for order in ["-299", "-201", "-99", "-1", "-222", "-2.5e2"] {
            check(&at(order, &format!("       {} order-off-band: is in no band\n", "^".repeat(order.len()))));
        }
        check(&at("-299", "       ^^^^ order-off-band: the nearest is identity (-300)\n"));
        check(&at(
            "-205",
            "       ^^^^ order-off-band: the nearest is deployment constraints (-200..-101)\n",
        ));
    }

    #[test]
    fn within_the_bands() {
        for order in [
            "-300", "-200", "-101", "-100", "0", "-0", "1", "49", "50", "79", "80", "99", "100", "199",
            "200", "249", "250", "299", "120.0", "1e2", "+5",
        ] {
            check(&at(order, ""));
        }
    }

    #[test]
    fn out_of_range_is_not_off_band_too() {
        for order in ["300", "-301", "-1.5", "1e9"] {
            check(&at(order, &format!("       {} order-out-of-range\n", "^".repeat(order.len()))));
        }
    }

    #[test]
    fn only_in_the_system_zone() {
        check("---\nid: t:a\nzone: context\norder: -222\n---\nx\n");
        check("---\nid: t:a\nzone: input\norder: -222\ntemplate: true\n---\n{prompt}\n");
    }

    #[test]
    fn harness_has_none() {
        check(&format!("//- profile harness\n{}", at("-222", "")));
        check(&format!("//- profile zcode\n{}", at("-222", "       ^^^^ order-off-band\n")));
    }

    #[test]
    fn bands_of_the_project_replace_the_profiles() {
        let mut judge = judge_with(Some("{}"));
        let band = Band {
            from: -50,
            to: -1,
            name: "前言".into(),
            name_zh: None,
            content: String::new(),
            content_zh: String::new(),
        };
        judge.bands = Bands(vec![band]);
        assert_eq!(fresh(&at("-20", ""), &judge), []);
        let found = fresh(&at("120", ""), &judge);
        assert_eq!(found.len(), 1);
        assert_eq!(
            found[0].message.text(crate::Locale::En),
            "order 120 is in no band; the nearest is 前言 (-50..-1)"
        );
        judge.bands = Bands(Vec::new());
        assert_eq!(
            fresh(&at("120", ""), &judge)[0].message.text(crate::Locale::ZhCn),
            "order 120 不在任何分带内"
        );
    }
}
