//! `no-catalog`: where no variable is known at all, none can be called unknown. One word a file takes the place of many.

use super::judge::Case;
use crate::{Code, Diagnostic, msg};

/// Puts one `no-catalog` in place of every `unknown-variable`, where the project knows nothing. `findings` are in order.
pub(super) fn replace(case: &Case<'_>, findings: &mut Vec<Diagnostic>) {
    if case.judge.catalog.is_known() {
        return;
    }
    let mut first = true;
    findings.retain_mut(|finding| {
        if finding.code != Code::UnknownVariable {
            return true;
        }
        if !std::mem::take(&mut first) {
            return false;
        }
        let message = msg!(
            "no variable catalog in this project, so no variable can be checked; write `promptblock.catalog.json`",
            "此项目没有变量目录，无法检查变量；请编写 `promptblock.catalog.json`"
        );
        *finding = Diagnostic::new(Code::NoCatalog, finding.span, message);
        true
    });
}
