//! `order-conflict`: with one order in one list, which block comes first is luck. [S0]

use super::MOST_RELATED;
use crate::project::{BlockFacts, Index};
use crate::{Code, Diagnostic, FileId, Severity, msg};

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
    if index.same_order(file, facts).all(|(_, other)| facts.may_be_apart(other)) {
        found.severity = Severity::Information;
    }
    for (other, facts) in others.take(MOST_RELATED) {
        if let Some(order) = &facts.header.order {
            let name = facts.header.id().map_or("?", |id| id);
            found = found.related_in(other, order.span, msg!("the order of `{name}`", "`{name}` 的 order"));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use crate::Code::OrderConflict;
    use crate::lint::fixture::project::{Project, check};

    /// Two blocks with those header lines and that body, in a project with more of them.
    fn codes(first: &str, second: &str, more: &[(&str, &str)]) -> usize {
        let block = |index: usize, (header, body): (&str, &str)| {
            (format!("{index}.promptblock"), format!("---\nid: t:{index}\n{header}\n---\n{body}\n"))
        };
        let files = [(first, "x"), (second, "x")].into_iter().chain(more.iter().copied());
        let project = Project::read(files.enumerate().map(|(index, file)| block(index, file)).collect());
        project.codes().into_iter().filter(|code| *code == OrderConflict).count()
    }

    #[test]
    fn on_the_order_of_each_related_to_the_others() {
        let project = check(
            "
//- file a.promptblock
---
id: t:规则
zone: system
order: 33 # 名🎉é
       ^^ order-conflict: order 33 is taken by `t:b` too
---
x
//- file b.promptblock
---
zone: system
order: 33.0
       ^^^^ order-conflict: taken by `t:规则` too
id: t:b
---
x
//- file c.promptblock
---
id: t:c
zone: system
order: 34
---
x
",
        );
        assert_eq!(
            project.related("b.promptblock", OrderConflict),
            ["a.promptblock: 33: the order of `t:规则`"]
        );
    }

    #[test]
    fn among_the_blocks_of_one_list() {
        let system = "zone: system\norder: 33";
        let user = "zone: system\norder: 33\nrole: user";
        let assistant = "zone: system\norder: 33\nrole: assistant";
        let context = "zone: context\norder: 33";
        assert_eq!(codes(system, system, &[]), 2);
        assert_eq!(codes(user, assistant, &[]), 2);
        assert_eq!(codes(context, context, &[]), 2);
        assert_eq!(codes(system, user, &[]), 0);
        assert_eq!(codes(system, context, &[]), 0);
        assert_eq!(codes(user, context, &[]), 0);
        assert_eq!(codes("zone: system\norder: 33\nrole: system", system, &[]), 2);
    }

    #[test]
    fn not_in_the_input_zone() {
        let input = "zone: input\ntemplate: true";
        assert_eq!(codes(input, input, &[]), 0);
        assert_eq!(codes("zone: input\norder: 3", "zone: input\norder: 3", &[]), 0);
    }

    #[test]
    fn not_with_a_block_that_is_blank() {
        let context = "zone: context\norder: 33";
        assert_eq!(codes(context, "zone: context\norder: 34", &[(context, ""), (context, " \n\t\n")]), 0);
        // Only spaces and tabs are blank.
        assert_eq!(codes(context, "zone: context\norder: 34", &[(context, "\u{3000}")]), 2);
    }

    #[test]
    fn not_among_blocks_that_a_complete_one_replaces() {
        let system = "zone: system\norder: 33";
        let context = "zone: context\norder: 33";
        let complete = ("zone: system\norder: 33\ncomplete: true", "x");
        assert_eq!(codes(system, system, &[complete]), 0);
        assert_eq!(codes(context, context, &[complete]), 2);
        // Several complete ones are assembled none less than one.
        assert_eq!(codes(system, system, &[complete, complete]), 2);
    }

    #[test]
    fn numbers_are_compared_and_not_their_spelling() {
        let context = |order: &str| format!("zone: context\norder: {order}");
        assert_eq!(codes(&context("0"), &context("-0.0"), &[]), 2);
        assert_eq!(codes(&context("100"), &context("1e2"), &[]), 2);
        assert_eq!(codes(&context("0x10"), &context("16.0"), &[]), 2);
        assert_eq!(codes(&context("0.5"), &context("0.50"), &[]), 2);
        assert_eq!(codes(&context("1"), &context("1.0000001"), &[]), 0);
    }

    #[test]
    fn not_where_the_order_or_the_zone_is_none() {
        assert_eq!(codes("zone: context\norder: '1'", "zone: context\norder: '1'", &[]), 0);
        assert_eq!(codes("zone: contxt\norder: 1", "zone: contxt\norder: 1", &[]), 0);
        assert_eq!(codes("order: 1", "order: 1", &[]), 0);
    }

    #[test]
    fn out_of_range_too() {
        assert_eq!(codes("zone: system\norder: 500", "zone: system\norder: 500", &[]), 2);
    }
}
