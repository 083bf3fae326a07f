//! `unknown-variable`: a name that is neither in the catalog nor a loop variable. [S0]

use super::judge::{Case, Use};
use crate::syntax::Control;
use crate::{Code, Diagnostic, msg};

pub(super) fn check(case: &Case<'_>, used: &Use<'_>) -> Diagnostic {
    let name = used.first;
    // `{endif}` is how other languages close a tag; the nearest variable would be no help.
    if let Some(control) = name.strip_prefix("end").and_then(Control::of) {
        let closer = format!("{{/{}}}", control.keyword());
        let message = msg!(
            "`{name}` is not a registered variable; a tag is closed with `{closer}`",
            "变量 `{name}` 未注册；结束标签应写作 `{closer}`"
        );
        return used.on_name(Code::UnknownVariable, message);
    }
    let (question, remedy) = case.near(name);
    let (en, zh) = (question.text(crate::Locale::En), question.text(crate::Locale::ZhCn));
    let message = crate::Message::new(
        format!("`{name}` is not a registered variable{en}"),
        format!("变量 `{name}` 未注册{zh}"),
    );
    used.on_name(Code::UnknownVariable, message).remedy(remedy)
}
