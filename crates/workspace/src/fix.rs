//! Every safe fix of some files, tried one by one: only what makes no file of the project worse stays. Nothing is written.

use crate::{FileFindings, Snapshot, Workspace};
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::fix::{Edit, may_be_safe};
use promptblock_core::ide::edited;
use promptblock_core::{Diagnostic, FileId, Severity};
use ropey::Rope;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// What one fix makes possible another one may need. More rounds than these nobody has seen.
const ROUNDS: usize = 10;

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
    let all = workspace.all_findings();
    let wanted: Wanted<'_> = &|finding| may_be_safe(finding) && wanted(finding);
    let mut fixer = Fixer { workspace, wanted, worth: HashMap::new() };
    let mut open: Vec<Open> = all
        .iter()
        .filter(|found| named(&found.path) && found.diagnostics.iter().any(wanted))
        .map(|found| Open::new(workspace, found))
        .collect();
    fixer.worth.extend(all.iter().map(|found| (found.file, Worth::of(&found.diagnostics))));
    drop(all);
    for file in workspace.refresh() {
        let worth = fixer.judged(file);
        fixer.worth.insert(file, worth);
    }
    for _ in 0..ROUNDS {
        // All of them: what is fixed in one file may let a fix of another one pass.
        let fixed: usize = open.iter_mut().map(|file| fixer.round(file)).sum();
        if fixed == 0 {
            break;
        }
    }
    let fixed = open.into_iter().filter_map(|file| {
        let text = workspace.text(file.file).to_string();
        let differs = text != file.original;
        differs.then_some(Fixed { path: file.path, original: file.original, text, count: file.fixed })
    });
    fixed.collect()
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

type Wanted<'a> = &'a dyn Fn(&Diagnostic) -> bool;

struct Fixer<'a> {
    workspace: &'a Workspace,
    wanted: Wanted<'a>,
    /// Of every file as it is now.
    worth: HashMap<FileId, Worth>,
}

impl Fixer<'_> {
    fn judged(&self, file: FileId) -> Worth {
        self.workspace.findings(file).map_or(Worth::default(), |found| Worth::of(&found.diagnostics))
    }

    /// Does what may be done in a file. Gives how many fixes stayed.
    fn round(&mut self, file: &mut Open) -> usize {
        let mut fixed = self.all_at_once(file).unwrap_or_default();
        let mut limit = u32::MAX;
        while let Some(start) = self.last_fix(file, limit) {
            fixed += 1;
            limit = start;
        }
        file.fixed += fixed;
        fixed
    }

    /// Does all fixes that do not overlap, if each of them counts: one by one takes long where there are thousands.
    fn all_at_once(&mut self, file: &mut Open) -> Option<usize> {
        let found = self.workspace.findings(file.file)?;
        let snapshot = self.workspace.snapshot(&file.path)?;
        let (mut edits, mut count, mut limit) = (Vec::new(), 0, u32::MAX);
        for finding in found.diagnostics.iter().rev() {
            if let Some((start, fix)) = self.safe_fix(&snapshot, finding, limit) {
                edits.extend(fix.into_iter().rev());
                (count, limit) = (count + 1, start);
            }
        }
        // Whatever somebody holds of the project is copied as soon as it changes.
        drop(snapshot);
        edits.reverse();
        (count > 1 && self.stays(file, &edits, &found.text, count)).then_some(count)
    }

    /// Does the last fix in front of `limit` that may be done. From the end to the start, so that no edit moves or overlaps
    /// those to come. Gives where its edits begin.
    fn last_fix(&mut self, file: &mut Open, limit: u32) -> Option<u32> {
        let found = self.workspace.findings(file.file)?;
        found.diagnostics.iter().rev().filter(|finding| (self.wanted)(finding)).find_map(|finding| {
            let snapshot = self.workspace.snapshot(&file.path)?;
            let (start, edits) = self.safe_fix(&snapshot, finding, limit)?;
            drop(snapshot);
            self.stays(file, &edits, &found.text, 0).then_some(start)
        })
    }

    /// The best way out of a finding, if it is safe and lies in front of `limit`, and where it begins.
    fn safe_fix(&self, snapshot: &Snapshot, finding: &Diagnostic, limit: u32) -> Option<(u32, Vec<Edit>)> {
        if !(self.wanted)(finding) {
            return None;
        }
        let fix = self.workspace.fixes().of(snapshot, finding).into_iter().next().filter(|fix| fix.safe)?;
        let [own] = fix.files.as_slice() else { return None };
        let (start, end) = (own.edits.first()?.span.start, own.edits.last()?.span.end);
        (own.path == snapshot.path && start < limit && end <= limit).then(|| (start, own.edits.clone()))
    }

    /// Tries edits: no file of the project may be worse than before, and this one has to have lost so many findings, else
    /// they are taken back.
    fn stays(&mut self, file: &mut Open, edits: &[Edit], before: &Rope, fewer: usize) -> bool {
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
