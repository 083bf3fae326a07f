//! `unused-variable`: an entry of the project's own catalog that nothing uses is noise in the author's list. [S0]

use crate::catalog::{CatalogFile, Layer, Mutability, Variable};
use crate::lint::Judge;
use crate::syntax::{Operand, first_segment};
use crate::{Code, Diagnostic, Remedy, msg};
use rustc_hash::FxHashSet;

/// The unused entries of one catalog file. `is_used` says whether any block uses a name.
pub fn check(is_used: &dyn Fn(&str) -> bool, judge: &Judge, file: &CatalogFile) -> Vec<Diagnostic> {
    if file.layer != Layer::Project {
        return Vec::new();
    }
    let mut asked: FxHashSet<&str> = FxHashSet::default();
    for variable in judge.catalog.iter() {
        if let Mutability::When(condition) = &variable.mutable {
            asked.extend(condition.operands().filter_map(|operand| match operand {
                Operand::Variable { name, .. } => Some(first_segment(name)),
                _ => None,
            }));
        }
    }
    // Where another file of the project defines it before, that is said of it and no more.
    let counts = |variable: &Variable| {
        let layers = std::iter::successors(judge.catalog.get(&variable.name), |above| above.shadows.as_ref());
        let of_project =
            layers.filter(|found| found.layer == Layer::Project).find_map(|found| found.definition);
        of_project.is_none_or(|found| variable.definition.is_some_and(|own| own.file == found.file))
    };
    let unused = file.variables.iter().filter(|variable| {
        // A name that cannot be written has its own diagnostic.
        judge.profile.can_write(&variable.name)
            && !is_used(&variable.name)
            && !asked.contains(&*variable.name)
            && counts(variable)
    });
    let twice = file.diagnostics.iter().filter(|found| found.code == Code::DuplicateVariable);
    let twice: FxHashSet<_> = twice.flat_map(|found| &found.related).map(|first| first.span).collect();
    let found = unused.filter_map(|variable| {
        let name = &variable.name;
        let message = msg!("no block uses `{name}`", "没有任何块使用 `{name}`");
        let definition = variable.definition?;
        let found = Diagnostic::new(Code::UnusedVariable, definition.key, message);
        // Without the first of two the second one would count, and be as unused.
        let remedy = if twice.contains(&definition.key) {
            Remedy::None
        } else {
            Remedy::RemoveEntry(definition.entry)
        };
        Some(found.remedy(remedy))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::project::check;

    #[test]
    fn an_entry_of_the_project_that_no_block_uses() {
        check(
            r#"
//- file a.promptblock
---
id: t:a
zone: context
order: 1
template: true
---
{tag.x} {if operand > 3}{elseif 3 < other}{/if}{for x in list}{/for}{repeat times}{/repeat}{while false == loops}{/while}
                                                                                                  ^^^^^^^^^^^^^^ endless-while
//- file promptblock.catalog.json
{
  // 名🎉é
  "variables": {
    "tag": {}, "operand": {}, "other": {}, "list": {}, "times": {}, "loops": {},
    "名🎉": {}, "角色": {"description": "é"}, "nobody": {"mutable": true},
    ^^^^ invalid-catalog
              ^^^^ unused-variable: no block uses `角色`
                                          ^^^^^^^^ unused-variable
  }
}
"#,
        );
    }

    #[test]
    fn text_arguments_escapes_inert_malformed_and_shadowed_names_are_no_use() {
        check(
            r#"
//- file a.promptblock
---
id: t:a
zone: context
order: 1
template: true
---
a {used a} {{a}} {"k": {a}} {if a >}{/if} {for a in used}{a}{/for}
           ^^^^^ escaped-variable
                 ^ literal-braces
                       ^^^ inert-tag
                            ^^^^^^^^ invalid-expression
//- file b.promptblock
---
id: t:b
zone: context
order: 2
---
{a}
^^^ template-not-enabled
//- file promptblock.catalog.json
{"variables": {"used": {"args": [{"name": "x", "optional": true}]}, "a": {}}}
                                                                    ^^^ unused-variable
"#,
        );
    }

    #[test]
    fn a_when_is_a_use() {
        check(
            r#"
//- file a.promptblock
---
id: t:a
zone: context
order: 1
template: true
---
{mood}
//- file promptblock.catalog.json
{"variables": {"mood": {"mutable": {"when": "is_group == kind.of"}}, "is_group": {}, "kind": {}, "other": {}}}
                                                                                                 ^^^^^^^ unused-variable
"#,
        );
    }

    #[test]
    fn only_entries_of_the_projects_own_catalogs_are_judged() {
        check(
            r#"
//- file user.catalog.json
{"variables": {"of_the_user": {}, "shared": {}}}
//- file promptblock.catalog.local.json
{"variables": {"of_this_machine": {}}}
//- file promptblock.catalog.json
{"variables": {"of_the_project": {}, "shared": {}}}
               ^^^^^^^^^^^^^^^^ unused-variable
                                     ^^^^^^^^ unused-variable
//- file more.catalog.json
{"variables": {"of_the_project_too": {}}}
               ^^^^^^^^^^^^^^^^^^^^ unused-variable
"#,
        );
    }

    #[test]
    fn a_faulty_entry_is_one_too_but_a_name_that_cannot_be_written_is_not_unused_besides() {
        check(
            r#"
//- file promptblock.catalog.json
{"variables": {"a b": {}, "if": {}, "prompt": {}, "x": {"type": "array"}, "y": {}, "y": {}}}
               ^^^^^ invalid-catalog
                          ^^^^ invalid-catalog
                                    ^^^^^^^^ invalid-catalog
                                                                ^^^^^^^ invalid-catalog
                                                  ^^^ unused-variable
                                                                          ^^^ unused-variable
                                                                                   ^^^ duplicate-variable
"#,
        );
        // Other names can be written in another profile.
        check(
            r#"
//- file promptblock.toml
profile = "harness"
//- file promptblock.catalog.json
{"variables": {"Upper": {}}}
               ^^^^^^^ invalid-catalog
"#,
        );
    }

    #[test]
    fn an_entry_that_another_file_defines_before_is_a_duplicate_and_no_more() {
        check(
            r#"
//- file a.catalog.json
{"variables": {"x": {}}}
               ^^^ unused-variable
//- file b.catalog.json
{"variables": {"x": {}, "y": {}}}
               ^^^ duplicate-variable
                        ^^^ unused-variable
//- file promptblock.catalog.local.json
{"variables": {"x": {}}}
"#,
        );
    }

    #[test]
    fn severity_and_nothing_to_judge() {
        check(
            r#"
//- file promptblock.toml
[severity]
unused-variable = "off"
//- file promptblock.catalog.json
{"variables": {"x": {}}}
"#,
        );
    }
}
