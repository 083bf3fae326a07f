//! The messages that a request is made of, in their sequence.

use super::assembly::{Assembly, Part};
use super::outline::outline;
use super::tokens::Vocabulary;
use crate::block::Role;
use crate::msg;
use std::sync::Arc;

/// One message of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Whose it is.
    pub role: Role,
    /// Its text.
    pub text: String,
    /// Ids of the blocks that it is made of; empty for the note that the environment has changed.
    pub blocks: Vec<Arc<str>>,
    /// Whether it has a cache mark.
    pub cache: bool,
    /// Whether the stable prefix ends with it.
    pub ends_prefix: bool,
}

impl Message {
    /// The line above it where messages are shown to people: whose it is, what it costs, of which blocks it is made.
    pub fn head(&self, tokens: u64) -> crate::Message {
        let blocks: Vec<&str> = self.blocks.iter().map(|id| &**id).collect();
        let blocks = if blocks.is_empty() { String::new() } else { format!(" · {}", blocks.join(", ")) };
        let role = self.role.name();
        let unit = if tokens == 1 { "" } else { "s" };
        msg!("{role} · {tokens} token{unit}{blocks}", "{role} · {tokens} 个 token{blocks}")
    }
}

/// The line below the message that the stable prefix ends with: its tokens and its digest.
pub fn prefix_end(assembly: &Assembly, vocabulary: Vocabulary) -> crate::Message {
    let (tokens, digest) = (assembly.stable_tokens(vocabulary), assembly.digest());
    let unit = if tokens == 1 { "" } else { "s" };
    let (en, zh) = match assembly.tools() {
        Some(_) => ("with", "含"),
        None => ("without", "不含"),
    };
    msg!(
        "the stable prefix ends here: {tokens} token{unit} {en} tool schemas, {digest}",
        "稳定前缀到此为止：{tokens} 个 token（{zh}工具定义），{digest}"
    )
}

/// Whether the tools count in what is said of an assembly, and how much.
pub fn tools_counted(assembly: &Assembly, vocabulary: Vocabulary) -> crate::Message {
    let Some(tools) = assembly.tools() else {
        return msg!("tool schemas are not counted", "不含工具定义");
    };
    let (count, tokens) = (tools.list.len(), tools.tokens(vocabulary));
    let (plural, unit) = (if count == 1 { "" } else { "s" }, if tokens == 1 { "" } else { "s" });
    msg!(
        "with {count} tool schema{plural} of {tokens} token{unit}",
        "含 {count} 个工具定义，共 {tokens} 个 token"
    )
}

/// The messages of an assembly, as texts.
pub fn messages(assembly: &Assembly) -> Vec<Message> {
    let parts: Vec<&Part> = assembly.parts().collect();
    let input = assembly.parts().count() - assembly.input_blocks.len();
    let mut all: Vec<Message> = outline(assembly)
        .into_iter()
        .map(|outline| {
            let numbers = outline.blocks().filter(|number| *number < input);
            let ids = numbers.filter_map(|number| parts.get(number)?.id.clone());
            let blocks = ids.collect();
            let (text, cache, ends_prefix) = (outline.text(&parts), outline.cache, outline.ends_prefix);
            Message { role: outline.role, text, blocks, cache, ends_prefix }
        })
        .collect();
    // Of the input blocks all have a part in what is sent.
    if let Some(last) = all.last_mut() {
        last.blocks.extend(assembly.input_blocks.iter().filter_map(|part| part.id.clone()));
    }
    all
}
