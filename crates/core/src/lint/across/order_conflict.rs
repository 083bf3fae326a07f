//! `order-conflict`: with one order in one list, which block comes first is luck. [S0]

use super::MOST_RELATED;
use crate::project::{BlockFacts, Index};
use crate::{Code, Diagnostic, FileId, msg};

pub(crate) fn check(index: &Index, file: FileId, facts: &BlockFacts) -> Option<Diagnostic> {
    let order = facts.header.order.as_ref()?;
    let mut others = index.same_order(file, facts).peekable();
    let (_, first) = others.peek()?;
    let (value, name) = (order.value, first.header.id().map_or("?", |id| id));
    let message = msg!(
        "order {value} is taken by `{name}` too, so which of them comes first is luck",
        "`{name}` 也使用 order {value}，两者的先后没有保证"
    );
    let mut found = Diagnostic::new(Code::OrderConflict, order.span, message);
    for (other, facts) in others.take(MOST_RELATED) {
        if let Some(order) = &facts.header.order {
            let name = facts.header.id().map_or("?", |id| id);
            found = found.related_in(other, order.span, msg!("the order of `{name}`", "`{name}` 的 order"));
        }
    }
    Some(found)
}
