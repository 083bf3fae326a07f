//! `zone-mismatch`: a variable outside the zones that its catalog entry names. [S0]

use super::judge::{Case, Use};
use crate::catalog::Variable;
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>, used: &Use<'_>, variable: &Variable) -> Option<Diagnostic> {
    let zone = case.header.zone()?;
    let zones = variable.zones.as_ref().filter(|_| !variable.allowed_in(zone))?;
    let (name, zone) = (used.first, zone.name());
    let allowed = zones.iter().map(|zone| format!("`{}`", zone.name())).collect::<Vec<_>>();
    let (en, zh) = (allowed.join(", "), allowed.join("、"));
    let message = if allowed.is_empty() {
        msg!("`{name}` may be used in no zone", "`{name}` 不允许在任何区使用")
    } else {
        crate::Message::new(
            format!("`{name}` may not be used in zone `{zone}`, only in {en}"),
            format!("`{name}` 不能用在 `{zone}` 区，只能用在 {zh} 区"),
        )
    };
    Some(used.on_name(Code::ZoneMismatch, message))
}
