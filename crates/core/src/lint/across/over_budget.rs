//! `over-budget`: the tokens of a zone exceed what `promptblock.toml` allows it. On the block that crosses the line. [S3]
//!
//! Counted by the project's vocabulary, over the contents as they are written and without what joins them; the estimate rounds
//! each block up. What blocks render as is not counted here: that would be another figure in each environment.

use crate::block::Zone;
use crate::project::{BlockFacts, Config, Index};
use crate::{Code, Diagnostic, FileId, msg};

/// The findings of a project: at most one a zone.
pub fn check(index: &Index, config: &Config) -> Vec<(FileId, Diagnostic)> {
    let budgets = [(Zone::System, config.budget_system), (Zone::Context, config.budget_context)];
    let found = budgets.into_iter().filter_map(|(zone, budget)| crossing(index, zone, budget?));
    found.collect()
}

/// Tokens of a zone's blocks, as budgets count them.
pub fn spent(index: &Index, zone: Zone) -> u64 {
    index.assembled(zone).iter().map(|(_, facts)| u64::from(facts.tokens)).sum()
}

fn crossing(index: &Index, zone: Zone, budget: u64) -> Option<(FileId, Diagnostic)> {
    let total = spent(index, zone);
    let mut sum = 0;
    let (file, facts): (FileId, &BlockFacts) = index.assembled(zone).into_iter().find(|(_, facts)| {
        sum += u64::from(facts.tokens);
        sum > budget
    })?;
    let header = &facts.header;
    let span = header.id.as_ref().map_or(header.opening, |id| id.span);
    let name = zone.name();
    let exact = index.assembled(zone).iter().all(|(_, facts)| facts.exact);
    let (about, about_zh) = if exact { ("", "有") } else { ("about ", "约有") };
    let message = msg!(
        "zone `{name}` has {about}{total} tokens, more than its budget of {budget}; this block crosses the line",
        "`{name}` 区{about_zh} {total} 个 token，超出预算 {budget}；从这个块开始超出"
    );
    Some((file, Diagnostic::new(Code::OverBudget, span, message)))
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::project::check;

    /// A body of so many tokens.
    fn tokens(count: usize) -> String {
        "abc".repeat(count)
    }

    fn project(budget: &str, blocks: &[(&str, &str)]) {
        in_vocabulary("estimate", budget, blocks);
    }

    fn in_vocabulary(vocabulary: &str, budget: &str, blocks: &[(&str, &str)]) {
        let mut fixture =
            format!("//- file promptblock.toml\nvocabulary = \"{vocabulary}\"\n[budget]\n{budget}\n");
        for (index, (header, body)) in blocks.iter().enumerate() {
            fixture += &format!("//- file {index}.promptblock\n---\n{header}\n---\n{body}\n");
        }
        check(&fixture);
    }

    const LATE: &str = "id: t:名🎉é\n    ^^^^^^ over-budget: than its budget of 10\nzone: context\norder: 5";

    #[test]
    fn on_the_id_of_the_block_that_crosses_the_line_in_the_sequence_of_the_assembly() {
        project(
            "context = 10",
            &[
                (LATE, &tokens(5)),
                ("id: t:last\nzone: context\norder: 9", &tokens(50)),
                ("id: t:first\nzone: context\norder: 1", &tokens(6)),
            ],
        );
    }

    #[test]
    fn exactly_the_budget_is_within_it() {
        project(
            "context = 10\nsystem = 0",
            &[
                ("id: t:a\nzone: context\norder: 1", &tokens(4)),
                ("id: t:b\nzone: context\norder: 2", &tokens(6)),
            ],
        );
        project("context = 10", &[(LATE, &(tokens(10) + "a"))]);
    }

    #[test]
    fn each_block_is_rounded_up_and_cjk_counts_two() {
        let header = "id: t:a\nzone: context\norder: 1";
        project("context = 2", &[(header, "a"), ("id: t:b\nzone: context\norder: 2", "b")]);
        project("context = 2", &[(header, "名字字")]);
        project(
            "context = 2",
            &[("id: t:a\n    ^^^ over-budget: about 3 tokens\nzone: context\norder: 1", "名字字a")],
        );
    }

    /// 你好，世界 is 3 tokens in o200k, 6 in cl100k, 3 by the estimate.
    #[test]
    fn by_the_vocabulary_of_the_project() {
        let crossed = "id: t:a\n    ^^^ over-budget: has 6 tokens\nzone: context\norder: 1";
        let within = "id: t:a\nzone: context\norder: 1";
        in_vocabulary("o200k", "context = 3", &[(within, "你好，世界")]);
        in_vocabulary("cl100k", "context = 6", &[(within, "你好，世界")]);
        in_vocabulary("cl100k", "context = 5", &[(crossed, "你好，世界")]);
        // Of a template, what is written.
        let template = "id: t:a\n    ^^^ over-budget: has 8 tokens\nzone: context\norder: 1\ntemplate: true";
        in_vocabulary("o200k", "context = 6", &[(template, "{if false}x{/if}")]);
    }

    /// A line of more than 64 KiB is estimated whatever the vocabulary, and so is the sum that it is part of.
    #[test]
    fn what_is_estimated_is_about_right() {
        let header = "id: t:a\nzone: context\norder: 1";
        let crossed = "id: t:b\n    ^^^ over-budget: has about 21848 tokens\nzone: context\norder: 2";
        in_vocabulary("o200k", "context = 1", &[(header, "a"), (crossed, &tokens(21847))]);
        let crossed = "id: t:b\n    ^^^ over-budget: has 2 tokens\nzone: context\norder: 2";
        let other = ("id: t:c\nzone: system\norder: 2", &*tokens(21847));
        in_vocabulary("o200k", "context = 1", &[(header, "a"), (crossed, "a"), other]);
    }

    #[test]
    fn blank_lines_around_do_not_count() {
        project("context = 1", &[("id: t:a\nzone: context\norder: 1", "\n \t\n\nabc\n\n \n")]);
    }

    #[test]
    fn the_system_message_comes_before_the_prelude() {
        project(
            "system = 10",
            &[
                (
                    "id: t:a\n    ^^^ over-budget: zone `system`\nzone: system\norder: 1\nrole: user",
                    &tokens(3),
                ),
                ("id: t:b\nzone: system\norder: 200", &tokens(9)),
            ],
        );
    }

    #[test]
    fn what_is_not_assembled_does_not_count() {
        project(
            "system = 10",
            &[
                ("id: t:a\nzone: system\norder: 10\ncomplete: true", &tokens(9)),
                ("id: t:b\n    ^^^ replaced-by-complete\nzone: system\norder: 1", &tokens(9)),
                ("id: t:c\nzone: context\norder: 1", &tokens(99)),
                (
                    "id: t:d\nzone: input\ntemplate: true",
                    "{prompt} and much more than that, as far as it goes",
                ),
            ],
        );
    }

    #[test]
    fn allow_silences_it() {
        project("context = 1", &[("id: t:a\nzone: context\norder: 1\nallow: [over-budget]", &tokens(9))]);
    }
}
