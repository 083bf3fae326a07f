//! `replaced-by-complete`: an exclusive block stands in for the rest of the system zone. [S0]

use crate::block::Zone;
use crate::project::{BlockFacts, Index};
use crate::{Code, Diagnostic, FileId, msg};

pub(crate) fn check(index: &Index, file: FileId, facts: &BlockFacts) -> Option<Diagnostic> {
    let id = facts.header.id.as_ref().filter(|_| facts.header.zone() == Some(Zone::System))?;
    let mut complete = index.complete();
    // With several the assembly fails, and none replaces anything.
    let (Some((winner, by)), None) = (complete.next(), complete.next()) else { return None };
    if winner == file {
        return None;
    }
    let name = by.header.id().map_or("?", |id| id);
    let message = msg!(
        "this block is not assembled: the exclusive block `{name}` takes the place of the system zone",
        "此块不会参与装配：独占块 `{name}` 会取代整个系统区"
    );
    let mut found = Diagnostic::new(Code::ReplacedByComplete, id.span, message);
    if let Some(field) = &by.header.complete {
        found = found.related_in(winner, field.span, msg!("the exclusive block", "独占块"));
    }
    Some(found)
}
