//! The block in another zone, with what that needs: keys that the zone does not take go, and the order is one that is free there.

use super::{At, Draft};
use crate::block::{Field, Header, Role, Zone};
use crate::fix::{Edit, fresh_orders, insert_key, merged, without_key};
use crate::lint::Position;
use crate::message::Message;
use crate::msg;
use crate::project::orders::free_near;

/// A block with more names is looked at no further.
const MOST_NAMES: usize = 256;

pub(super) fn to_context(at: At<'_>) -> Option<Draft<'_>> {
    to(&at, Zone::Context, msg!("Move this block to the context zone", "将此块移到上下文区"))
}

pub(super) fn to_system(at: At<'_>) -> Option<Draft<'_>> {
    to(&at, Zone::System, msg!("Move this block to the system zone", "将此块移到系统区"))
}

fn to<'a>(at: &At<'a>, zone: Zone, title: Message) -> Option<Draft<'a>> {
    if !at.concerns_block() {
        return None;
    }
    let (document, header) = (at.document, at.document.header());
    let field = header.zone.as_ref()?;
    // What an input block says is the user's words, and belongs nowhere else.
    if field.value == zone || field.value == Zone::Input || document.uses().nth(MOST_NAMES).is_some() {
        return None;
    }
    let mut there = (**header).clone();
    there.zone = Some(Field { value: zone, ..field.clone() });
    there.role = header.role.clone().filter(|_| zone == Zone::System);
    let objects = |name: &&std::sync::Arc<str>| {
        let variable = at.cx.judge.catalog.get(name);
        variable.is_some_and(|variable| at.cx.judge.objection(&there, variable, Position::Tag).is_some())
    };
    if let Some(name) = document.uses().filter(objects).min() {
        let reason = msg!("`{name}` cannot be used there", "那里不能使用 `{name}`");
        return Some(Draft::refused(title, reason));
    }
    let mut edits = vec![Edit::new(field.span, zone.name())];
    if zone != Zone::System {
        let role = header.role.as_ref().filter(|role| role.value != Role::System).map(|role| role.key);
        let complete = header.complete.as_ref().filter(|complete| complete.value).map(|it| it.key);
        for key in [role, complete].into_iter().flatten() {
            edits.push(without_key(document, key)?);
        }
    }
    match &header.order {
        Some(order) => {
            let free = order_for(at, &there, order.value)?;
            if free != order.value {
                edits.push(Edit::new(order.span, free.to_string()));
            }
        }
        None => {
            let (order, _) = fresh_orders(at.cx, &there).into_iter().next()?;
            edits.push(insert_key(document, "order", &order.to_string())?);
        }
    }
    edits.sort_by_key(|edit| edit.span);
    Some(Draft::now(title, merged(edits)))
}

/// The order itself where it is free and allowed there, else one near to it.
fn order_for(at: &At<'_>, there: &Header, order: f64) -> Option<f64> {
    let is_system = there.zone() == Some(Zone::System);
    let range = at.cx.judge.profile.order_range.filter(|_| is_system);
    let bands = &at.cx.judge.bands;
    let suits = |order: f64| {
        let in_range = range.is_none_or(|(from, to)| {
            order.fract() == 0.0 && (f64::from(from)..=f64::from(to)).contains(&order)
        });
        in_range
            && (!is_system
                || !at.cx.judge.profile.off_band
                || bands.0.is_empty()
                || bands.find(order).is_some())
    };
    if suits(order) && !at.cx.index.takes(there, order) {
        return Some(order);
    }
    let is_free = |order: i32| suits(f64::from(order)) && !at.cx.index.takes(there, f64::from(order));
    let band = bands.find(order).filter(|_| is_system).map(|band| (band.from, band.to));
    let wide = range.unwrap_or((i32::MIN, i32::MAX));
    let near = |limits| free_near(is_free, order, limits, 1).into_iter().next();
    let near = band.and_then(near).or_else(|| near(wide));
    near.or_else(|| fresh_orders(at.cx, there).into_iter().next().map(|(order, _)| order)).map(f64::from)
}

#[cfg(test)]
mod tests {
    use crate::refactor::Refactoring::{MoveToContext, MoveToSystem};
    use crate::refactor::testing::{done, offered_while_moving, outcome, reason};

    fn block(header: &str) -> String {
        format!("---\nid: a:b$0\n{header}\n---\n你🎉 {{character_name}}\n")
    }

    #[test]
    fn to_the_context_zone_and_back() {
        for (mark, line_break) in [("", "\n"), ("\u{feff}", "\r\n")] {
            for (before, after) in [
                (
                    "zone: system\norder: 120\nallow: [stray-brace]",
                    "zone: context\norder: 120\nallow: [stray-brace]",
                ),
                // 10 is taken there.
                ("zone: system\norder: 10", "zone: context\norder: 9"),
                (
                    "order: 120\nrole: user # why\nzone: 'system'\ntemplate: true",
                    "order: 120\nzone: context\ntemplate: true",
                ),
                ("complete: true\nzone: system\norder: 7", "zone: context\norder: 7"),
                (
                    "complete: false\nzone: system\nrole: system\norder: 7",
                    "complete: false\nzone: context\nrole: system\norder: 7",
                ),
                ("zone: system", "zone: context\norder: 100"),
            ] {
                let shape = |text: &str| format!("{mark}{}", block(text).replace('\n', line_break));
                assert_eq!(done(MoveToContext, &shape(before)), shape(after).replace("$0", ""), "{before}");
            }
            for (before, after) in [
                ("zone: context\norder: 120", "zone: system\norder: 120"),
                ("zone: context\norder: 110", "zone: system\norder: 109"),
                ("zone: context\norder: 1.5", "zone: system\norder: 2"),
                ("zone: context\norder: 4711", "zone: system\norder: 299"),
                ("zone: context\norder: -240", "zone: system\norder: -200"),
            ] {
                let shape = |text: &str| format!("{mark}{}", block(text).replace('\n', line_break));
                assert_eq!(done(MoveToSystem, &shape(before)), shape(after).replace("$0", ""), "{before}");
            }
        }
    }

    #[test]
    fn not_where_a_variable_must_not_be() {
        let text = "---\nid: a:b$0\nzone: context\norder: 5\ntemplate: true\n---\n{time}\n";
        assert_eq!(reason(MoveToSystem, text).as_deref(), Some("`time` cannot be used there"));
        assert_eq!(outcome(MoveToContext, text), None, "it is there");
        assert_eq!(outcome(MoveToContext, &text.replace("context", "input")), None);
        assert_eq!(outcome(MoveToContext, "---\n{zone: system, $0order: 3, complete: true}\n---\n"), None);
        assert_eq!(outcome(MoveToContext, "---\nid: a$0\norder: 3\n---\n"), None);
        assert!(
            offered_while_moving(MoveToContext, "---\nid: a:b\nzone: system\norder: 5\n---\n$0x\n").is_none()
        );
    }
}
