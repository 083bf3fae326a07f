//! Every safe fix of some files, tried one by one: only what makes no file of the project worse stays. Nothing is written.

use crate::{FileFindings, Fixes, Snapshot, Workspace};
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::fix::{Edit, may_be_safe};
use promptblock_core::ide::edited;
use promptblock_core::{Code, Diagnostic, FileId, Severity, Span};
use ropey::Rope;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What one fix makes possible another one may need. More rounds than these nobody has seen.
const ROUNDS: usize = 10;

/// So many fixes are taken back in a round of a file, and the rest is left: each costs the whole of it.
const MOST_REFUSED: usize = 64;

/// A file whose text is another now.
#[derive(Clone, Debug)]
pub struct Fixed {
    /// Its path.
    pub path: Utf8PathBuf,
    /// Its text before.
    pub original: String,
    /// Its text with the fixes done.
    pub text: String,
    /// How many findings are gone.
    pub count: usize,
}

/// Fixes what is `wanted` in the files that are `named`, in memory: each one is an open buffer of the workspace afterwards,
/// and those that changed are given back.
pub fn fix(
    workspace: &Workspace,
    named: &dyn Fn(&Utf8Path) -> bool,
    wanted: &dyn Fn(&Diagnostic) -> bool,
) -> Vec<Fixed> {
    Fixer::new(workspace, &|finding| may_be_safe(finding) && wanted(finding)).run(named)
}

/// A file that is being fixed.
struct Open {
    file: FileId,
    path: Utf8PathBuf,
    /// What it was.
    original: String,
    /// Every text it has had, so that two fixes that undo each other come to an end.
    had: HashSet<u64>,
    fixed: usize,
}

impl Open {
    fn new(workspace: &Workspace, found: &FileFindings) -> Self {
        let text = &found.text;
        let original = text.to_string();
        let file = workspace.open(&found.path, found.version.unwrap_or_default(), &original);
        Self { file, path: found.path.clone(), original, had: HashSet::from([hash(text)]), fixed: 0 }
    }
}

fn hash(text: &Rope) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// How bad a file is: less of each is better.
#[derive(Clone, Copy, Default)]
struct Worth {
    errors: usize,
    findings: usize,
}

impl Worth {
    fn of(findings: &[Diagnostic]) -> Self {
        let errors = findings.iter().filter(|it| it.severity == Severity::Error).count();
        Self { errors, findings: findings.len() }
    }

    fn is_worse_than(self, other: Self) -> bool {
        self.errors > other.errors || self.findings > other.findings
    }
}

/// What may be done without asking about a finding.
struct Safe {
    /// Of the finding, as is its code.
    span: Span,
    code: Code,
    edits: Vec<Edit>,
}

type Wanted<'a> = &'a dyn Fn(&Diagnostic) -> bool;

struct Fixer<'a> {
    workspace: &'a Workspace,
    wanted: Wanted<'a>,
    /// Of every file as it is now.
    worth: HashMap<FileId, Worth>,
    /// How many single fixes have been taken back in this round of a file.
    refused: usize,
    /// How many texts have been tried.
    tried: usize,
}

impl<'a> Fixer<'a> {
    fn new(workspace: &'a Workspace, wanted: Wanted<'a>) -> Self {
        Self { workspace, wanted, worth: HashMap::new(), refused: 0, tried: 0 }
    }

    fn run(&mut self, named: &dyn Fn(&Utf8Path) -> bool) -> Vec<Fixed> {
        let all = self.workspace.all_findings();
        let mut open: Vec<Open> = all
            .iter()
            .filter(|found| named(&found.path) && found.diagnostics.iter().any(self.wanted))
            .map(|found| Open::new(self.workspace, found))
            .collect();
        self.worth.extend(all.iter().map(|found| (found.file, Worth::of(&found.diagnostics))));
        drop(all);
        for file in self.workspace.refresh() {
            let worth = self.judged(file);
            self.worth.insert(file, worth);
        }
        for _ in 0..ROUNDS {
            // All of them: what is fixed in one file may let a fix of another one pass.
            let fixed: usize = open.iter_mut().map(|file| self.round(file)).sum();
            if fixed == 0 {
                break;
            }
        }
        let fixed = open.into_iter().filter_map(|file| {
            let text = self.workspace.text(file.file).to_string();
            let differs = text != file.original;
            differs.then_some(Fixed { path: file.path, original: file.original, text, count: file.fixed })
        });
        fixed.collect()
    }

    fn judged(&self, file: FileId) -> Worth {
        self.workspace.findings(file).map_or(Worth::default(), |found| Worth::of(&found.diagnostics))
    }

    /// Does what may be done in a file. Gives how many fixes stayed.
    fn round(&mut self, file: &mut Open) -> usize {
        let fixes = self.safe_fixes(file);
        self.refused = 0;
        let fixed = self.attempt(file, &fixes);
        tracing::debug!("{}: {fixed} of {} fixes stay; texts tried: {}", file.path, fixes.len(), self.tried);
        file.fixed += fixed;
        fixed
    }

    /// Does fixes that do not overlap, given from the end of the file to its start, so that no edit moves those to come: all at
    /// once if each of them counts, else the later half and then the other one. Each attempt costs the file.
    fn attempt(&mut self, file: &mut Open, fixes: &[Safe]) -> usize {
        let Some(found) = self.workspace.findings(file.file).filter(|_| self.refused < MOST_REFUSED) else {
            return 0;
        };
        match fixes {
            [] => 0,
            [fix] => {
                // What was done behind it may have done away with its finding, or made the way out another.
                let Some(finding) =
                    found.diagnostics.iter().find(|it| it.span == fix.span && it.code == fix.code)
                else {
                    return 0;
                };
                let Some(fresh) = self.safe_fix(file, finding) else { return 0 };
                let before_the_others = fresh.edits.last().zip(fix.edits.last());
                if before_the_others.is_some_and(|(fresh, fix)| fresh.span.end > fix.span.end) {
                    return 0;
                }
                let stays = self.stays(file, &fresh.edits, &found.text, 0);
                self.refused += usize::from(!stays);
                usize::from(stays)
            }
            _ => {
                let edits: Vec<Edit> = fixes.iter().rev().flat_map(|fix| fix.edits.iter().cloned()).collect();
                if self.stays(file, &edits, &found.text, fixes.len()) {
                    return fixes.len();
                }
                let (later, earlier) = fixes.split_at(fixes.len() / 2);
                self.attempt(file, later) + self.attempt(file, earlier)
            }
        }
    }

    /// The safe fixes of a file that do not overlap, from its end to its start.
    fn safe_fixes(&self, file: &Open) -> Vec<Safe> {
        let Some(found) = self.workspace.findings(file.file) else { return Vec::new() };
        // Whatever somebody holds of the project is copied as soon as it changes.
        let Some(snapshot) = self.workspace.snapshot(&file.path) else { return Vec::new() };
        // What one finding has taught of the project the next one need not ask again.
        let fixes = self.workspace.fixes();
        let mut limit = u32::MAX;
        let in_front = |finding: &Diagnostic| {
            let fix = self.safe(&fixes, &snapshot, finding)?;
            let (first, last) = fix.edits.first().zip(fix.edits.last())?;
            let fits = first.span.start < limit && last.span.end <= limit;
            fits.then(|| limit = first.span.start).map(|()| fix)
        };
        found.diagnostics.iter().rev().filter_map(in_front).collect()
    }

    /// The best way out of a finding, if it is safe.
    fn safe_fix(&self, file: &Open, finding: &Diagnostic) -> Option<Safe> {
        self.safe(&self.workspace.fixes(), &self.workspace.snapshot(&file.path)?, finding)
    }

    fn safe(&self, fixes: &Fixes<'_>, snapshot: &Snapshot, finding: &Diagnostic) -> Option<Safe> {
        if !(self.wanted)(finding) {
            return None;
        }
        let fix = fixes.of(snapshot, finding).into_iter().next().filter(|fix| fix.safe)?;
        let [own] = <[_; 1]>::try_from(fix.files).ok()?;
        let (span, code) = (finding.span, finding.code);
        (own.path == snapshot.path).then_some(Safe { span, code, edits: own.edits })
    }

    /// Tries edits: no file of the project may be worse than before, and this one has to have lost so many findings, else
    /// they are taken back.
    fn stays(&mut self, file: &mut Open, edits: &[Edit], before: &Rope, fewer: usize) -> bool {
        self.tried += 1;
        let after = edited(&before.to_string(), edits);
        self.workspace.change(&file.path, 0, |text| match edits {
            [edit] => text.edit(edit.span, &edit.text),
            // To read a text once is quicker than after each of many edits.
            _ => text.replace(&after),
        });
        let mut touched = self.workspace.refresh();
        touched.push(file.file);
        let now: Vec<_> = touched.into_iter().map(|file| (file, self.judged(file))).collect();
        let was = |file| self.worth.get(file).copied().unwrap_or_default();
        let lost = self.judged(file.file).findings + fewer <= was(&file.file).findings;
        let worse = !lost || now.iter().any(|(file, now)| now.is_worse_than(was(file)));
        if worse || !file.had.insert(hash(&self.workspace.text(file.file))) {
            let before = before.to_string();
            self.workspace.change(&file.path, 0, |text| text.replace(&before));
            self.workspace.refresh();
            return false;
        }
        self.worth.extend(now);
        true
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;
    use crate::Options;

    /// Fixes a file with so many literals, in whose header `key` stands for `order`. Gives how many findings are gone and how many
    /// texts were tried.
    fn tried(literals: usize, key: &str) -> (usize, usize) {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().to_owned()).unwrap();
        let workspace = Workspace::new(Options::default());
        let body = "名🎉 {\"a\": 1}\n".repeat(literals);
        let text = format!("---\nid: t:a\nzone: system\n{key}: 10\ntemplate: true\n---\n{body}");
        workspace.open(&root.join("a.promptblock"), 1, &text);
        workspace.open(&root.join("b.promptblock"), 1, "---\nid: t:b\nzone: system\norder: 10\n---\nx\n");
        workspace.refresh();
        let mut fixer = Fixer::new(&workspace, &may_be_safe);
        let fixed = fixer.run(&|_| true);
        (fixed.iter().map(|file| file.count).sum(), fixer.tried)
    }

    #[test]
    fn what_is_sound_is_tried_at_once() {
        assert_eq!(tried(2, "order"), (2, 1));
        assert_eq!(tried(2000, "order"), (2000, 1));
    }

    /// With its key spelt right, the order is that of the other block.
    #[test]
    fn what_is_not_is_found_by_halving() {
        for literals in [8, 64, 512] {
            let (fixed, tried) = tried(literals, "ordr");
            assert_eq!(fixed, literals);
            let halvings = 1 + literals.ilog2() as usize;
            assert!(tried <= 2 * halvings + 2, "{literals} literals took {tried} texts");
        }
    }
}
