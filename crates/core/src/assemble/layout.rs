//! Messages as the bodies that the providers' client libraries take.

use super::messages::Message;
use super::tools::{self, Tools};
use crate::block::Role;
use serde_json::{Map, Value, json};

/// The model that a body names, to be replaced by the caller's.
const OPENAI_MODEL: &str = "gpt-5";
const ANTHROPIC_MODEL: &str = "claude-sonnet-4-5";
/// Anthropic's API asks how long an answer may get.
const MOST_TOKENS: u32 = 1024;
/// Stands where Anthropic's API insists on a word of the user's and there is none.
const NO_WORDS: &str = "…";

/// A body for OpenAI's chat completions. Its cache goes by the prefix alone; the key leads requests of one prefix to one cache.
pub fn openai(messages: &[Message], tools: Option<&Tools>, digest: &str) -> Value {
    let sent = messages.iter().filter(|message| !message.text.is_empty());
    let sent = sent.map(|message| json!({"role": message.role.name(), "content": message.text}));
    let key: String = digest.trim_start_matches("sha256:").chars().take(32).collect();
    let mut body = json!({
        "model": OPENAI_MODEL,
        "messages": sent.collect::<Vec<_>>(),
        "prompt_cache_key": key,
    });
    // The API takes no empty list.
    if let Some(tools) = tools.filter(|tools| !tools.list.is_empty()) {
        body["tools"] = tools::openai(tools);
    }
    body
}

/// A body for Anthropic's messages: the system text apart, roles by turns, no empty text, the user's word first and last, and
/// the cache marks.
pub fn anthropic(messages: &[Message], tools: Option<&Tools>) -> Value {
    let is_sent = |message: &Message| !message.text.trim().is_empty();
    // Where a text that has a mark cannot be sent, the one before has it.
    let marks = messages.iter().enumerate().filter(|(_, message)| message.cache);
    let marked = |(at, _)| messages.iter().take(at + 1).rfind(|message| is_sent(message));
    let marks: Vec<&Message> = marks.filter_map(marked).collect();
    let block = |message: &Message| {
        let mut block = json!({"type": "text", "text": message.text});
        if marks.iter().any(|marked| std::ptr::eq(*marked, message)) {
            block["cache_control"] = json!({"type": "ephemeral"});
        }
        block
    };
    let sent = || messages.iter().filter(|message| is_sent(message));
    let system: Vec<Value> = sent().filter(|message| message.role == Role::System).map(block).collect();
    let mut turns: Vec<(Role, Vec<Value>)> = Vec::new();
    let silence = || (Role::User, vec![json!({"type": "text", "text": NO_WORDS})]);
    for message in sent().filter(|message| message.role != Role::System) {
        match turns.last_mut() {
            Some((role, content)) if *role == message.role => content.push(block(message)),
            None if message.role != Role::User => {
                turns.extend([silence(), (message.role, vec![block(message)])])
            }
            _ => turns.push((message.role, vec![block(message)])),
        }
    }
    if turns.last().is_none_or(|(role, _)| *role != Role::User) {
        turns.push(silence());
    }
    let turns = turns.into_iter().map(|(role, content)| json!({"role": role.name(), "content": content}));
    let mut body = Map::new();
    body.insert("model".to_owned(), ANTHROPIC_MODEL.into());
    body.insert("max_tokens".to_owned(), MOST_TOKENS.into());
    if let Some(tools) = tools.filter(|tools| !tools.list.is_empty()) {
        // Where no message can have the mark, what is cached ends with the tools.
        body.insert("tools".to_owned(), tools::anthropic(tools, marks.is_empty()));
    }
    if !system.is_empty() {
        body.insert("system".to_owned(), system.into());
    }
    body.insert("messages".to_owned(), turns.collect());
    Value::Object(body)
}
