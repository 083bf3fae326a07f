//! `missing-prompt`: an input block that loses the user's input. [S0]

use super::judge::Case;
use crate::block::Zone;
use crate::syntax::Body;
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>, body: &Body) -> Option<Diagnostic> {
    let zone = case.header.zone.as_ref().filter(|zone| zone.value == Zone::Input)?;
    if case.template && body.has_prompt() {
        return None;
    }
    let message = if case.template {
        msg!(
            "the input block has no `{{prompt}}`: the user's input would be lost",
            "输入区的块没有 `{{prompt}}`：用户的输入会丢失"
        )
    } else {
        msg!(
            "the input block is no template, so `{{prompt}}` cannot stand in it: the user's input would be lost; set `template: true`",
            "输入区的块没有启用模板，`{{prompt}}` 不会生效：用户的输入会丢失；请设置 `template: true`"
        )
    };
    Some(Diagnostic::new(Code::MissingPrompt, zone.span, message))
}
