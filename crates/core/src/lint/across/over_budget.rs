//! `over-budget`: the tokens of a zone exceed what `promptblock.toml` allows it. On the block that crosses the line. [S3]
//!
//! Counted by the estimate, over the contents as they are written, each block rounded up.

use crate::block::Zone;
use crate::project::{BlockFacts, Config, Index};
use crate::{Code, Diagnostic, FileId, msg};

/// The findings of a project: at most one a zone.
pub fn check(index: &Index, config: &Config) -> Vec<(FileId, Diagnostic)> {
    let budgets = [(Zone::System, config.budget_system), (Zone::Context, config.budget_context)];
    let found = budgets.into_iter().filter_map(|(zone, budget)| crossing(index, zone, budget?));
    found.collect()
}

fn crossing(index: &Index, zone: Zone, budget: u64) -> Option<(FileId, Diagnostic)> {
    let blocks = index.assembled(zone);
    let total: u64 = blocks.iter().map(|(_, facts)| u64::from(facts.tokens)).sum();
    let mut sum = 0;
    let (file, facts): (FileId, &BlockFacts) = blocks.into_iter().find(|(_, facts)| {
        sum += u64::from(facts.tokens);
        sum > budget
    })?;
    let header = &facts.header;
    let span = header.id.as_ref().map_or(header.opening, |id| id.span);
    let name = zone.name();
    let message = msg!(
        "zone `{name}` has about {total} tokens, more than its budget of {budget}; this block crosses the line",
        "`{name}` 区约有 {total} 个 token，超出预算 {budget}；从这个块开始超出"
    );
    Some((file, Diagnostic::new(Code::OverBudget, span, message)))
}
