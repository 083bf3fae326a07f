//! What the words of the format mean: header keys and their values, control tags, escapes.

use crate::block::{Cache, Role, Zone};
use crate::profile::{Profile, StablePart};
use crate::syntax::Control;
use crate::{Message, msg};

/// One line on a header key; none for a key that is not known.
pub(super) fn key(name: &str, profile: &Profile) -> Option<Message> {
    Some(match name {
        "id" => msg!(
            "Unique name of the block in the project, by habit `plugin:name`. Required.",
            "块在项目中的唯一名称，习惯写作 `插件:名称`。必填。"
        ),
        "zone" => msg!("Where the block goes in the request. Required.", "块放在请求的哪个区。必填。"),
        "order" => {
            let range = profile.order_range_text();
            msg!(
                "Place among the blocks of the zone, the lower the earlier; in the system zone {range}. Required in the system and context zones.",
                "块在区内的位置，小的在前；系统区取值 {range}。系统区和上下文区必填。";
                range = range
            )
        }
        "role" => msg!(
            "Whose message a block of the system zone is. Default: `system`.",
            "系统区的块以谁的身份发送。默认 `system`。"
        ),
        "template" => {
            let default = profile.template_default;
            msg!(
                "Whether the body is a template with variables and control tags. Default: `{default}`.",
                "正文是否为模板（含变量和控制标签）。默认 `{default}`。"
            )
        }
        "complete" => msg!(
            "An exclusive block: it takes the place of the whole system zone. System zone only, at most one in a project. Default: `false`.",
            "独占块：取代整个系统区。只用于系统区，每个项目最多一个。默认 `false`。"
        ),
        "cache" => msg!(
            "Whether the block belongs to the cached prefix. Default: `stable` in the system zone, else `dynamic`.",
            "块是否属于缓存前缀。系统区默认 `stable`，其他区默认 `dynamic`。"
        ),
        "plugin" => msg!(
            "The plugin that the block comes from, named in diagnostics. Default: the part of `id` before the first `:`.",
            "块的来源插件，显示在诊断中。默认取 `id` 第一个 `:` 之前的部分。"
        ),
        "description" => msg!("What the block is for; shown in the outline.", "块的用途，显示在大纲中。"),
        "allow" => msg!(
            "Diagnostic codes that are switched off for this file: `[code, …]`.",
            "对此文件关闭的诊断代码：`[代码, …]`。"
        ),
        _ => return None,
    })
}

pub(super) fn zone(zone: Zone, profile: &Profile) -> Message {
    match (zone, profile.stable_part) {
        (Zone::System, StablePart::SystemZone) => msg!(
            "The head of every request, cached by the provider: nothing in it may change within a session.",
            "每次请求的开头，由服务商缓存：其中的内容在会话中不能变化。"
        ),
        (Zone::System, StablePart::CacheKey) => {
            msg!("The head of every request.", "每次请求的开头。")
        }
        (Zone::Context, _) => msg!(
            "Messages in front of the user's input, computed anew for every request: the place for what changes.",
            "用户输入之前的消息，每次请求重新计算：会变的内容放在这里。"
        ),
        (Zone::Input, _) => msg!(
            "A transformation of the user's input, which stands where `{{prompt}}` is.",
            "对用户输入的变换，`{{prompt}}` 处是用户的输入。"
        ),
    }
}

pub(super) fn role(role: Role) -> Message {
    match role {
        Role::System => msg!("Part of the system message.", "系统消息的一部分。"),
        Role::User => {
            msg!("A message of the user behind the system message.", "系统消息之后的一条用户消息。")
        }
        Role::Assistant => {
            msg!("A message of the assistant behind the system message.", "系统消息之后的一条助手消息。")
        }
    }
}

pub(super) fn cache(cache: Cache) -> Message {
    match cache {
        Cache::Stable => msg!(
            "Kept from turn to turn; nothing in it may change within a session.",
            "各轮之间保持不变；其中的内容在会话中不能变化。"
        ),
        Cache::Dynamic => msg!("Computed anew for every request.", "每次请求重新计算。"),
    }
}

pub(super) fn boolean(key: &str, value: bool) -> Option<Message> {
    Some(match (key, value) {
        ("template", true) => msg!("Tags in the body are rendered.", "正文中的标签会被渲染。"),
        ("template", false) => msg!("The body is sent as it is.", "正文原样发送。"),
        ("complete", true) => {
            msg!("This block is the whole system zone.", "此块就是整个系统区。")
        }
        ("complete", false) => msg!("One block among others.", "与其他块一起装配。"),
        _ => return None,
    })
}

/// How a control tag is written, and what it does.
pub(super) fn control(control: Control) -> (&'static str, Message) {
    match control {
        Control::If => (
            "{if COND}…{elseif COND}…{else}…{/if}",
            msg!(
                "Renders the first branch whose condition is true. A condition is an operand, or two with `==` `!=` `<` `>` `<=` `>=` between; false are `false`, 0, the empty text, the empty list and a missing value.",
                "渲染第一个条件为真的分支。条件是一个操作数，或由 `==` `!=` `<` `>` `<=` `>=` 连接的两个；`false`、0、空文本、空列表和缺失的值为假。"
            ),
        ),
        Control::For => (
            "{for x in LIST}…{/for}",
            msg!(
                "Renders its text once for each item of the list. The loop variable is known inside only, and hides a variable of the same name.",
                "对列表的每一项渲染一次。循环变量只在循环内可用，并遮盖同名变量。"
            ),
        ),
        Control::While => (
            "{while COND}…{/while}",
            msg!(
                "Renders its text as long as the condition is true. Nothing in the language can change a condition, so it runs until the limit of iterations or not at all.",
                "条件为真时反复渲染。模板中没有什么能改变条件，所以它要么一直循环到次数上限，要么一次也不执行。"
            ),
        ),
        Control::Repeat => (
            "{repeat N}…{/repeat}",
            msg!(
                "Renders its text so many times; N is a number or a variable.",
                "渲染指定的次数；N 是数字或变量。"
            ),
        ),
    }
}

/// The form and meaning of `else` and `elseif`.
pub(super) fn branch(word: &str) -> Option<(&'static str, Message)> {
    Some(match word {
        "else" => (
            "{else}",
            msg!(
                "What is rendered where no condition of the `{{if}}` is true.",
                "`{{if}}` 的条件都不成立时渲染的内容。"
            ),
        ),
        "elseif" => (
            "{elseif COND}",
            msg!(
                "What is rendered where this condition is true and none before it is.",
                "前面的条件都不成立、而此条件成立时渲染的内容。"
            ),
        ),
        "in" => return Some(control(Control::For)),
        _ => return None,
    })
}

pub(super) fn escape(opening: bool) -> Message {
    if opening {
        msg!("An escape: gives one `{{` in the text.", "转义：在文本中输出一个 `{{`。")
    } else {
        msg!("An escape: gives one `}}` in the text.", "转义：在文本中输出一个 `}}`。")
    }
}

pub(super) fn literal() -> Message {
    msg!(
        "Literal braces: everything up to the closing one is sent as it is, tags and escapes included. To say so plainly, double the braces.",
        "字面花括号：到与之配对的花括号为止，包括标签和转义在内都原样发送。双写花括号可以明确表达此意。"
    )
}

pub(super) fn inert() -> Message {
    msg!(
        "This tag stands inside literal braces and is sent as it is.",
        "此标签位于字面花括号内，会原样发送。"
    )
}
