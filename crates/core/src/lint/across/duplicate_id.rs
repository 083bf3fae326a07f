//! `duplicate-id`: registering an id twice throws when the agent starts. On each of them, related to the others. [S0]

use super::MOST_RELATED;
use crate::project::{BlockFacts, Index};
use crate::{Code, Diagnostic, FileId, msg};

pub(crate) fn check(index: &Index, file: FileId, facts: &BlockFacts) -> Option<Diagnostic> {
    let id = facts.header.id.as_ref()?;
    let mut others = index.same_id(file, facts).peekable();
    others.peek()?;
    let name = &id.value;
    let message = msg!("another block has the id `{name}` too", "还有别的块使用 id `{name}`");
    let mut found = Diagnostic::new(Code::DuplicateId, id.span, message);
    for (other, facts) in others.take(MOST_RELATED) {
        if let Some(id) = &facts.header.id {
            found = found.related_in(other, id.span, msg!("the other `{name}`", "另一个 `{name}`"));
        }
    }
    Some(found)
}
