//! `multiple-complete`: one assembly has room for one exclusive block. [S0]

use super::MOST_RELATED;
use crate::project::{BlockFacts, Index};
use crate::{Code, Diagnostic, FileId, msg};

pub(crate) fn check(index: &Index, file: FileId, facts: &BlockFacts) -> Option<Diagnostic> {
    let complete = facts.header.complete.as_ref().filter(|_| facts.header.is_complete())?;
    let mut others = index.complete().filter(|(other, _)| *other != file).peekable();
    others.peek()?;
    let message = msg!(
        "several blocks are exclusive; an assembly takes one and fails with more",
        "有多个独占块；一次装配只允许一个，多于一个会失败"
    );
    let mut found = Diagnostic::new(Code::MultipleComplete, complete.span, message);
    for (other, facts) in others.take(MOST_RELATED) {
        if let Some(field) = &facts.header.complete {
            found = found.related_in(other, field.span, msg!("this one is too", "这个也是"));
        }
    }
    Some(found)
}
