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

#[cfg(test)]
mod tests {
    use crate::Code::ReplacedByComplete;
    use crate::lint::fixture::project::check;

    #[test]
    fn on_the_ids_of_the_rest_of_the_system_zone() {
        let project = check(
            r#"
//- file a.promptblock
---
id: t:全部🎉
zone: system
order: 10
complete: true
---
x
//- file b.promptblock
---
id: "t:é"
    ^^^^^ replaced-by-complete: the exclusive block `t:全部🎉` takes the place
zone: system
order: 20
---
x
//- file c.promptblock
---
id: t:prelude
    ^^^^^^^^^ replaced-by-complete
zone: system
order: 30
role: assistant
---
x
//- file d.promptblock
---
id: t:context
zone: context
order: 10
---
x
//- file e.promptblock
---
id: t:input
zone: input
template: true
---
{prompt}
"#,
        );
        assert_eq!(
            project.related("b.promptblock", ReplacedByComplete),
            ["a.promptblock: true: the exclusive block"]
        );
    }

    #[test]
    fn a_zone_that_is_none_is_not_replaced() {
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
zone: sistem
      ^^^^^^ invalid-value
order: 20
---
x
",
        );
    }
}
