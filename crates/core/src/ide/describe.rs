//! Variables described in Markdown, for completion and hover alike.

use super::Context;
use crate::assemble::spell;
use crate::catalog::{Argument, Layer, Mutability, Variable};
use crate::excerpt::excerpt;
use crate::profile::TagSyntax;
use crate::syntax::{Comparison, Condition, Operand};
use crate::{Message, msg};
use std::fmt::Write as _;

/// ` city [unit]`, empty where it takes no arguments.
pub(super) fn arguments(variable: &Variable) -> String {
    let mut out = String::new();
    for argument in &variable.args {
        let _ = write!(out, " {}", self::argument(argument));
    }
    out
}

/// `city`, `[unit]`
pub(super) fn argument(argument: &Argument) -> String {
    let name = &argument.name;
    if argument.optional { format!("[{name}]") } else { name.to_string() }
}

/// All there is to say of a variable. `objection` is why it would be an error here.
pub(super) fn variable(cx: &Context<'_>, variable: &Variable, objection: Option<&str>) -> String {
    let mut out = String::new();
    let signature = code(&match cx.document.profile().tags {
        TagSyntax::SingleBraces => format!("{{{}{}}}", variable.name, arguments(variable)),
        TagSyntax::DoubleBraces => format!("{{{{{}}}}}", variable.name),
    });
    let declared = variable.value_type.map_or_else(String::new, |declared| format!(" · {}", declared.name()));
    let _ = write!(out, "**{signature}**{declared}");
    if let Some(objection) = objection {
        let _ = write!(out, "\n\n⛔ {objection}");
    }
    if let Some(description) = &variable.description {
        let _ = write!(out, "\n\n{description}");
    }
    out.push('\n');
    for argument in &variable.args {
        let name = code(&argument.name);
        let optional = if argument.optional { msg!(" (optional)", "（可省略）") } else { msg!("", "") };
        let what = argument.description.as_deref().map_or_else(|| msg!("", ""), |d| msg!(": {d}", "：{d}"));
        let line = msg!("argument {name}{optional}{what}", "参数 {name}{optional}{what}", name = name;
            optional = optional, what = what);
        item(cx, &mut out, &line);
    }
    item(cx, &mut out, &mutability(cx, variable));
    item(cx, &mut out, &zones(variable));
    if let Some(example) = &variable.example {
        let example = code(&excerpt(&spell(example)));
        item(cx, &mut out, &msg!("example: {example}", "示例：{example}"));
    }
    item(cx, &mut out, &origin(variable));
    let line = match cx.index.use_count(&variable.name) {
        0 => msg!("not used in any block", "没有块使用"),
        1 => msg!("used in 1 block", "有 1 个块使用"),
        count => msg!("used in {count} blocks", "有 {count} 个块使用"),
    };
    item(cx, &mut out, &line);
    out
}

fn item(cx: &Context<'_>, out: &mut String, line: &Message) {
    let _ = write!(out, "\n- {}", line.text(cx.locale));
}

fn mutability(cx: &Context<'_>, variable: &Variable) -> Message {
    match &variable.mutable {
        Mutability::No => msg!("does not change within a session", "会话中不变"),
        Mutability::Yes => msg!("changes within a session (mutable)", "会话中会变（mutable）"),
        Mutability::Unknown => {
            msg!("whether it changes within a session is not known", "不知道会话中是否会变")
        }
        Mutability::When(condition) => {
            let condition = code(&spelled(condition));
            let here = match (cx.judge.is_mutable(variable), &cx.judge.environment) {
                (Some(changes), Some(environment)) => {
                    let name = code(&environment.name);
                    if changes {
                        msg!("; it does in environment {name}", "；在环境 {name} 中会变")
                    } else {
                        msg!("; it does not in environment {name}", "；在环境 {name} 中不变")
                    }
                }
                _ => msg!("; that cannot be judged here", "；此处无法判断"),
            };
            msg!(
                "changes within a session when {condition}{here}",
                "当 {condition} 时会话中会变{here}",
                condition = condition;
                here = here
            )
        }
    }
}

fn zones(variable: &Variable) -> Message {
    let Some(zones) = &variable.zones else { return msg!("zones: all", "可用的区：全部") };
    let names: Vec<String> = zones.iter().map(|zone| code(zone.name())).collect();
    let (en, zh) = (names.join(", "), names.join("、"));
    Message::new(format!("zones: {en}"), format!("可用的区：{zh}"))
}

fn origin(variable: &Variable) -> Message {
    let mut line = layer(variable.layer);
    if let Some(plugin) = &variable.plugin {
        let plugin = code(plugin);
        line = msg!("{line}, plugin {plugin}", "{line}，插件 {plugin}", plugin = plugin; line = line);
    }
    if let Some(shadowed) = &variable.shadows {
        let below = layer(shadowed.layer);
        line = msg!("{line}; shadows the one of: {below}", "{line}；遮盖了：{below}"; line = line, below = below);
    }
    msg!("from: {line}", "来自：{line}"; line = line)
}

fn layer(layer: Layer) -> Message {
    match layer {
        Layer::BuiltIn => msg!("built in", "内置"),
        Layer::User => msg!("your own catalog", "用户的变量目录"),
        Layer::Source => msg!("source code", "源代码"),
        Layer::Project => msg!("the project's catalog", "项目的变量目录"),
        Layer::Local => msg!("the local catalog (not committed)", "本地变量目录（不提交）"),
    }
}

/// As inline code, whatever backticks it holds.
pub(super) fn code(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for c in text.chars() {
        run = if c == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    let fence = "`".repeat(longest + 1);
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A condition as it is written, with single blanks.
pub fn spelled(condition: &Condition) -> String {
    let operand = |operand: &Operand| match operand {
        Operand::Variable { name, .. } => name.to_string(),
        Operand::Number(number) => number.to_string(),
        Operand::Text(text) => format!("{text:?}"),
        Operand::Boolean(boolean) => boolean.to_string(),
    };
    let left = operand(&condition.left);
    let Some((comparison, right)) = &condition.right else { return left };
    let sign = match comparison {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::Greater => ">",
        Comparison::LessOrEqual => "<=",
        Comparison::GreaterOrEqual => ">=",
    };
    format!("{left} {sign} {}", operand(right))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_condition;

    #[test]
    fn inline_code() {
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b"), "``a`b``");
        assert_eq!(code("`"), "`` ` ``");
    }

    #[test]
    fn conditions_read_back() {
        for text in ["a", "a.b == 1", "x != \"y\"", "n >= -2.5", "true"] {
            let condition = parse_condition(text).expect(text);
            assert_eq!(spelled(&condition), text);
        }
    }
}
