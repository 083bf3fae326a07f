//! The messages that a request is made of, in their sequence.

use super::assembly::{Assembly, Part};
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

/// The messages of an assembly: the system text if there is one, the prelude, the contexts, the input. The history of the
/// conversation, which is not known here, stands between prelude and contexts.
pub fn messages(assembly: &Assembly, placement: ContextPlacement) -> Vec<Message> {
    let mut all = Vec::new();
    let ids = |parts: &[Part]| parts.iter().filter_map(|part| part.id.clone()).collect();
    let single = |part: &Part, role| Message {
        role,
        text: part.text().to_owned(),
        blocks: part.id.clone().into_iter().collect(),
        cache: false,
    };
    if !assembly.system.is_empty() {
        let blocks = ids(&assembly.system);
        all.push(Message { role: Role::System, text: assembly.system_text(), blocks, cache: false });
    }
    all.extend(assembly.prelude.iter().map(|part| single(part, part.role)));
    if let Some(last) = all.last_mut() {
        last.cache = true;
    }
    let mut input = Message {
        role: Role::User,
        text: assembly.input.to_string(),
        blocks: ids(&assembly.input_blocks),
        cache: false,
    };
    match placement {
        ContextPlacement::Messages => {
            all.extend(assembly.contexts.iter().map(|part| single(part, Role::User)));
        }
        ContextPlacement::Input if assembly.contexts.is_empty() => {}
        ContextPlacement::Input => {
            // What is no word of the user's stands in a tag of its own. [S3]
            let contexts = super::assembly::joined(&assembly.contexts);
            input.text = format!("<system-context>\n{contexts}\n</system-context>\n\n{}", input.text);
            input.blocks = ids(&assembly.contexts).into_iter().chain(input.blocks).collect::<Vec<_>>();
        }
    }
    all.push(input);
    all
}
