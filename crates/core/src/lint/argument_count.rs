//! `argument-count`: too few or too many arguments. [S0]

use super::judge::{Position, Use};
use crate::catalog::Variable;
use crate::{Code, Diagnostic, Message};

/// `variable` is none for a loop variable, which takes no arguments.
pub(super) fn check(used: &Use<'_>, variable: Option<&Variable>) -> Option<Diagnostic> {
    let given = used.arguments.map_or(0, |(_, count)| count);
    let (least, most) = variable.map_or((0, 0), Variable::arity);
    if (least..=most).contains(&given) {
        return None;
    }
    let name = used.first;
    let (takes, takes_zh) = match (least, most) {
        (0, 0) => ("no arguments".to_owned(), "不带参数".to_owned()),
        (1, 1) => ("1 argument".to_owned(), "需要 1 个参数".to_owned()),
        (least, most) if least == most => (format!("{least} arguments"), format!("需要 {least} 个参数")),
        (least, most) => (format!("{least} to {most} arguments"), format!("需要 {least} 到 {most} 个参数")),
    };
    let message = if used.position == Position::Tag {
        Message::new(
            format!("`{name}` takes {takes}, not {given}"),
            format!("`{name}` {takes_zh}，这里写了 {given} 个"),
        )
    } else {
        Message::new(
            format!("`{name}` takes {takes}, and cannot be used without them here"),
            format!("`{name}` {takes_zh}，不能在此处使用"),
        )
    };
    let span = used.arguments.map_or(used.span, |(span, _)| span);
    let mut found = Diagnostic::new(Code::ArgumentCount, span, message);
    if most == 0 {
        // Nothing else can have been meant than the name alone; the blanks in front of the arguments go with them.
        found.remedy = crate::Remedy::Delete(crate::Span::new(used.span.start + name_len(used), span.end));
    }
    Some(found)
}

fn name_len(used: &Use<'_>) -> u32 {
    crate::span::offset(used.name.len())
}
