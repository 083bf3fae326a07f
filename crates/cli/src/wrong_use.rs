//! What the arguments' reader complains of, in one line and in the user's language.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use promptblock_core::{Message, msg};

/// The complaint. `error` is none of the answers to `--help` and `--version`.
pub(crate) fn message(error: &clap::Error) -> Message {
    let get = |kind: ContextKind| error.get(kind).map(text).filter(|text| !text.is_empty());
    let argument = get(ContextKind::InvalidArg).unwrap_or_default();
    let value = get(ContextKind::InvalidValue).unwrap_or_default();
    let near = [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    // Of several, the last is the nearest.
    let near = near.into_iter().find_map(get).and_then(|all| all.rsplit(", ").next().map(str::to_owned));
    let what = match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation if value.is_empty() => {
            msg!("{argument} needs a value", "{argument} 需要一个值")
        }
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            msg!("`{value}` is no value of {argument}", "{argument} 不接受 `{value}`")
        }
        ErrorKind::UnknownArgument => msg!("unknown argument `{argument}`", "未知参数 `{argument}`"),
        ErrorKind::InvalidSubcommand => {
            let command = get(ContextKind::InvalidSubcommand).unwrap_or_default();
            msg!("no command `{command}`", "没有命令 `{command}`")
        }
        ErrorKind::MissingSubcommand => msg!("a command is missing", "缺少命令"),
        ErrorKind::MissingRequiredArgument if argument.contains('|') => {
            // The group of `diff`, which the reader spells as a grammar does.
            msg!("give --rev, or --env and --then", "请给出 --rev，或 --env 和 --then")
        }
        ErrorKind::MissingRequiredArgument => msg!("{argument} is missing", "缺少 {argument}"),
        ErrorKind::ArgumentConflict => {
            let other = get(ContextKind::PriorArg).filter(|other| *other != argument);
            match other {
                Some(other) => {
                    msg!("{argument} cannot be used with {other}", "{argument} 不能与 {other} 同时使用")
                }
                None => msg!("{argument} is given twice", "{argument} 给了两次"),
            }
        }
        ErrorKind::InvalidUtf8 => msg!("an argument is not UTF-8", "有一个参数不是 UTF-8"),
        _ => {
            // Nothing of ours comes here; if something does, it is said as the reader says it.
            let rendered = error.render().to_string();
            let first = rendered.lines().next().unwrap_or_default();
            let first = first.strip_prefix("error: ").unwrap_or(first);
            Message::new(first, first)
        }
    };
    let hint = match (near, get(ContextKind::ValidValue)) {
        (Some(near), _) => msg!("; did you mean `{near}`?", "；是不是 `{near}`？"),
        (None, Some(values)) => {
            let zh = values.replace(", ", "、");
            Message::new(format!("; there are: {values}"), format!("；可以是：{zh}"))
        }
        (None, None) => {
            msg!(" (`promptblock --help` says more)", "（用法见 `promptblock --help`）")
        }
    };
    msg!("{what}{hint}", "{what}{hint}"; what = what, hint = hint)
}

fn text(value: &ContextValue) -> String {
    match value {
        ContextValue::String(text) => text.clone(),
        ContextValue::Strings(all) => all.join(", "),
        ContextValue::StyledStr(text) => text.to_string(),
        ContextValue::StyledStrs(all) => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        ContextValue::Number(number) => number.to_string(),
        ContextValue::Bool(yes) => yes.to_string(),
        _ => String::new(),
    }
}
