//! `not-a-list`: a `{for}` over a variable that is declared as something else. Never for a field or an undeclared type.

use super::judge::{Position, Use};
use crate::catalog::{ValueType, Variable};
use crate::{Code, Diagnostic, msg};

pub(super) fn check(used: &Use<'_>, variable: &Variable) -> Option<Diagnostic> {
    let declared = variable.value_type.filter(|declared| *declared != ValueType::List)?;
    if used.position != Position::List || used.name != used.first {
        return None;
    }
    let (name, declared) = (used.first, declared.name());
    Some(used.on_name(
        Code::NotAList,
        msg!(
            "`{name}` is declared as `{declared}`, so this loop never runs; its type should be `list`",
            "`{name}` 的类型是 `{declared}`，不是 `list`，循环不会执行"
        ),
    ))
}
