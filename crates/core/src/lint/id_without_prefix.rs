//! `id-without-prefix`: an id without the plugin's name in front, which would say where a conflict comes from. [S0]

use super::judge::Case;
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>) -> Option<Diagnostic> {
    let id = case.header.id.as_ref()?;
    if id.value.split_once(':').is_some_and(|(plugin, _)| !plugin.is_empty()) {
        return None;
    }
    let name = &id.value;
    let message = msg!(
        "by habit an id begins with its plugin, e.g. `my-plugin:{name}`",
        "建议给 id 加上插件前缀，例如 `my-plugin:{name}`"
    );
    Some(Diagnostic::new(Code::IdWithoutPrefix, id.span, message))
}
