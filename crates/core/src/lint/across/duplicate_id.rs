//! `duplicate-id`: registering an id twice throws when the agent starts. On each of them, related to the others. [S0]

use super::MOST_RELATED;
use crate::project::{BlockFacts, Index};
use crate::{Code, Diagnostic, FileId, Severity, msg};

pub(crate) fn check(index: &Index, file: FileId, facts: &BlockFacts) -> Option<Diagnostic> {
    let id = facts.header.id.as_ref()?;
    let mut others = index.same_id(file, facts).peekable();
    others.peek()?;
    let name = &id.value;
    let message = msg!("another block has the id `{name}` too", "还有别的块使用 id `{name}`");
    let mut found = Diagnostic::new(Code::DuplicateId, id.span, message);
    if index.same_id(file, facts).all(|(_, other)| facts.may_be_apart(other)) {
        found.severity = Severity::Information;
    }
    for (other, facts) in others.take(MOST_RELATED) {
        if let Some(id) = &facts.header.id {
            found = found.related_in(other, id.span, msg!("the other `{name}`", "另一个 `{name}`"));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use crate::Code::DuplicateId;
    use crate::lint::fixture::project::check;

    #[test]
    fn on_each_of_them_related_to_the_others() {
        let project = check(
            r#"
//- file a.promptblock
---
# 名🎉é
id: pub:规则
    ^^^^^^ duplicate-id: another block has the id `pub:规则` too
zone: system
order: 10
---
x
//- file b.promptblock
---
zone: context
order: 10
id: "pub:规则"
    ^^^^^^^^ duplicate-id
---
x
//- file c.promptblock
---
zone: input
template: true
id: 'pub:规则' # again
    ^^^^^^^^ duplicate-id
---
{prompt}
"#,
        );
        assert_eq!(
            project.related("b.promptblock", DuplicateId),
            [
                "a.promptblock: pub:规则: the other `pub:规则`",
                "c.promptblock: 'pub:规则': the other `pub:规则`"
            ]
        );
    }

    #[test]
    fn ids_compare_by_code_points() {
        check(
            "
//- file a.promptblock
---
id: t:a
zone: context
order: 1
---
x
//- file b.promptblock
---
id: t:A
zone: context
order: 2
---
x
//- file c.promptblock
---
id: t:a.b
zone: context
order: 3
---
x
",
        );
    }

    #[test]
    fn a_blank_or_replaced_block_has_an_id_all_the_same() {
        check(
            "
//- file a.promptblock
---
id: t:a
    ^^^ duplicate-id
zone: system
order: 10
complete: true
---
x
//- file b.promptblock
---
id: t:a
    ^^^ duplicate-id
    ^^^ replaced-by-complete
zone: system
order: 20
---
",
        );
    }

    #[test]
    fn blocks_without_a_valid_id_have_none_in_common() {
        check(
            "
//- file a.promptblock
---
^^^ missing-key
zone: context
order: 1
---
x
//- file b.promptblock
---
^^^ missing-key
zone: context
order: 2
---
x
//- file c.promptblock
---
id: ''
    ^^ invalid-value
zone: context
order: 3
---
x
//- file d.promptblock
---
id: ''
    ^^ invalid-value
zone: context
order: 4
---
x
",
        );
    }

    #[test]
    fn so_many_that_not_all_are_named() {
        use crate::lint::fixture::project::Project;
        let file = |index: usize| {
            let text = format!("---\nid: t:a\nzone: context\norder: {index}\n---\nx\n");
            (format!("{index}.promptblock"), text)
        };
        let project = Project::read((0..30).map(file).collect());
        assert_eq!(project.codes(), [DuplicateId; 30]);
        assert_eq!(project.related("7.promptblock", DuplicateId).len(), 8);
    }

    #[test]
    fn allow_silences_one_and_not_the_other() {
        check(
            "
//- file a.promptblock
---
id: t:a
zone: context
order: 1
allow: [duplicate-id]
---
x
//- file b.promptblock
---
id: t:a
    ^^^ duplicate-id
zone: context
order: 2
---
x
",
        );
    }
}
