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

#[cfg(test)]
mod tests {
    use crate::Code::MultipleComplete;
    use crate::lint::fixture::project::check;

    #[test]
    fn on_the_value_of_complete_in_each_and_nothing_is_replaced() {
        let project = check(
            "
//- file a.promptblock
---
id: t:é🎉
zone: system
order: 10
complete: true # 名
          ^^^^ multiple-complete: several blocks are exclusive
---
x
//- file b.promptblock
---
id: t:b
zone: system
complete: true
          ^^^^ multiple-complete
order: 20
role: user
---
x
//- file c.promptblock
---
id: t:c
zone: system
order: 30
---
x
",
        );
        assert_eq!(
            project.related("a.promptblock", MultipleComplete),
            ["b.promptblock: true: this one is too"]
        );
    }

    #[test]
    fn one_alone_is_quiet_and_so_is_false() {
        check(
            "
//- file a.promptblock
---
id: t:a
zone: system
order: 10
complete: true
---
x
//- file b.promptblock
---
id: t:b
zone: context
order: 10
complete: false
---
x
",
        );
    }

    #[test]
    fn outside_of_the_system_zone_it_is_an_invalid_value_and_does_not_count() {
        check(
            "
//- file a.promptblock
---
id: t:a
zone: system
order: 10
complete: true
---
x
//- file b.promptblock
---
id: t:b
zone: context
order: 10
complete: true
          ^^^^ invalid-value
---
x
",
        );
    }
}
