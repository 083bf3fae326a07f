//! What an assembly has besides its blocks and their values: how the framework makes messages of them.

use super::assembly::Part;
use super::tools::Tools;
use crate::profile::{MessageRule, Profile};
use crate::project::ContextPlacement;
use std::sync::Arc;

/// What an assembly is put together by.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The framework's rules.
    pub profile: Arc<Profile>,
    /// Where the contexts stand.
    pub placement: ContextPlacement,
    /// The tools in the sequence in which they are sent; `None` where nobody has said which there are.
    pub tools: Option<Arc<Tools>>,
    /// Texts that stand among the contexts without being blocks.
    pub instructions: Arc<[Part]>,
}

impl Default for Frame {
    fn default() -> Self {
        Self {
            profile: Profile::blocks(),
            placement: ContextPlacement::default(),
            tools: None,
            instructions: Arc::default(),
        }
    }
}

impl Frame {
    /// What a message is made of.
    pub(super) fn rule(&self, index: usize) -> Option<&MessageRule> {
        self.profile.messages.get(index)
    }

    /// The tag that no text of such a message may open or close.
    pub(super) fn escape(&self, rule: usize) -> Option<&str> {
        let is_apart = self.placement == ContextPlacement::Messages;
        self.rule(rule)?.escape.as_deref().filter(|_| is_apart)
    }
}
