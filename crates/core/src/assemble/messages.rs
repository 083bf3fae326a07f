//! The messages that a request is made of, in their sequence.

use super::assembly::{Assembly, Part};
use super::outline::outline;
use crate::block::Role;
use crate::project::ContextPlacement;
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
    /// Whether the stable prefix ends with it.
    pub cache: bool,
}

/// The messages of an assembly, as texts.
pub fn messages(assembly: &Assembly, placement: ContextPlacement) -> Vec<Message> {
    let parts: Vec<&Part> = assembly.parts().collect();
    let input = assembly.parts().count() - assembly.input_blocks.len();
    let mut all: Vec<Message> = outline(assembly, placement)
        .into_iter()
        .map(|outline| {
            let numbers = outline.blocks().filter(|number| *number < input);
            let ids = numbers.filter_map(|number| parts.get(number)?.id.clone());
            let blocks = ids.collect();
            Message { role: outline.role, text: outline.text(&parts), blocks, cache: outline.cache }
        })
        .collect();
    // Of the input blocks all have a part in what is sent.
    if let Some(last) = all.last_mut() {
        last.blocks.extend(assembly.input_blocks.iter().filter_map(|part| part.id.clone()));
    }
    all
}
