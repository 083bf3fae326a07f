//! `unused-variable`: an entry of the project's own catalog that nothing uses is noise in the author's list. [S0]

use crate::catalog::{CatalogFile, Layer, Mutability};
use crate::lint::Judge;
use crate::project::Index;
use crate::syntax::{Operand, first_segment};
use crate::{Code, Diagnostic, msg};
use rustc_hash::FxHashSet;

/// The unused entries of one catalog file.
pub fn check(index: &Index, judge: &Judge, file: &CatalogFile) -> Vec<Diagnostic> {
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
    let unused = file.variables.iter().filter(|variable| {
        // A name that cannot be written has its own diagnostic.
        judge.profile.can_write(&variable.name)
            && !index.is_used(&variable.name)
            && !asked.contains(&*variable.name)
    });
    let found = unused.filter_map(|variable| {
        let name = &variable.name;
        let message = msg!("no block uses `{name}`", "没有任何块使用 `{name}`");
        Some(Diagnostic::new(Code::UnusedVariable, variable.definition?.key, message))
    });
    found.collect()
}
