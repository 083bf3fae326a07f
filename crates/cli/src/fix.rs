//! `check --fix`: every safe fix, tried in memory one by one. A file is written once, when all is judged.

use crate::replace::replace;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::ide::edited;
use promptblock_core::lint::fixes::{Edit, fixes};
use promptblock_core::syntax::Document;
use promptblock_core::{Diagnostic, FileId, Message, Remedy, Severity};
use promptblock_workspace::{FileFindings, Workspace};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// What one fix makes possible another one may need. More rounds than these nobody has seen.
const ROUNDS: usize = 10;

/// What was done.
pub(crate) struct Outcome {
    /// Fixes done.
    pub(crate) fixed: usize,
    /// Files written.
    pub(crate) files: usize,
    /// Files that could not be written, and why.
    pub(crate) failed: Vec<(Utf8PathBuf, Message)>,
}

/// Fixes the files that are `named`, and has the workspace judge what stands on disk then.
pub(crate) fn fix(workspace: &Workspace, named: &dyn Fn(&Utf8Path) -> bool) -> Outcome {
    let all = workspace.all_findings();
    let mut fixer = Fixer { workspace, worth: HashMap::new() };
    let mut open: Vec<Open> = all
        .iter()
        .filter(|found| named(&found.path) && found.diagnostics.iter().any(|it| it.remedy != Remedy::None))
        .filter_map(|found| Open::new(workspace, found))
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
    let mut outcome = Outcome { fixed: 0, files: 0, failed: Vec::new() };
    for file in open {
        let text = workspace.text(file.file).to_string();
        if text != file.original {
            match replace(&file.path, &file.original, &text) {
                Ok(()) => {
                    outcome.fixed += file.fixed;
                    outcome.files += 1;
                }
                Err(why) => outcome.failed.push((file.path.clone(), why)),
            }
        }
        workspace.close(&file.path);
    }
    workspace.refresh();
    outcome
}

/// A file that is being fixed.
struct Open {
    file: FileId,
    path: Utf8PathBuf,
    /// What stood on disk.
    original: String,
    /// Every text it has had, so that two fixes that undo each other come to an end.
    had: HashSet<u64>,
    fixed: usize,
}

impl Open {
    fn new(workspace: &Workspace, found: &FileFindings) -> Option<Self> {
        let original = std::fs::read_to_string(&found.path).ok()?;
        let file = workspace.open(&found.path, 0, &original);
        let had = HashSet::from([hash(&workspace.text(file))]);
        Some(Self { file, path: found.path.clone(), original, had, fixed: 0 })
    }
}

fn hash(text: &ropey::Rope) -> u64 {
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

struct Fixer<'a> {
    workspace: &'a Workspace,
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

    /// The block for the fixes of its findings. A catalog or a configuration is none, and none of its fixes asks for one.
    fn document(&self, file: &Open) -> Option<Document> {
        // The project itself is let go of: whatever somebody holds is copied as soon as it changes.
        let snapshot = self.workspace.snapshot(&file.path)?;
        let empty = || Document::new("", Arc::clone(&snapshot.project.judge.profile));
        Some(snapshot.document.unwrap_or_else(empty))
    }

    /// Does all fixes that do not overlap, if each of them counts: one by one takes long where there are thousands.
    fn all_at_once(&mut self, file: &mut Open) -> Option<usize> {
        let found = self.workspace.findings(file.file)?;
        let document = self.document(file)?;
        let (mut edits, mut count, mut limit) = (Vec::new(), 0, u32::MAX);
        for finding in found.diagnostics.iter().rev() {
            if let Some((start, fix)) = safe_fix(&document, finding, limit) {
                edits.extend(fix.into_iter().rev());
                (count, limit) = (count + 1, start);
            }
        }
        edits.reverse();
        (count > 1 && self.stays(file, &edits, &found.text, count)).then_some(count)
    }

    /// Does the last fix in front of `limit` that may be done. From the end to the start, so that no edit moves or overlaps
    /// those to come. Gives where its edits begin.
    fn last_fix(&mut self, file: &mut Open, limit: u32) -> Option<u32> {
        let found = self.workspace.findings(file.file)?;
        let document = self.document(file)?;
        found.diagnostics.iter().rev().find_map(|finding| {
            let (start, edits) = safe_fix(&document, finding, limit)?;
            self.stays(file, &edits, &found.text, 0).then_some(start)
        })
    }

    /// Tries edits: no file of the project may be worse than before, and this one has to have lost so many findings, else
    /// they are taken back.
    fn stays(&mut self, file: &mut Open, edits: &[Edit], before: &ropey::Rope, fewer: usize) -> bool {
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

/// The best way out of a finding, if it is safe and lies in front of `limit`, and where it begins.
fn safe_fix(document: &Document, finding: &Diagnostic, limit: u32) -> Option<(u32, Vec<Edit>)> {
    if finding.remedy == Remedy::None {
        return None;
    }
    let fix = fixes(document, finding).into_iter().next().filter(|fix| fix.safe)?;
    let (start, end) = (fix.edits.first()?.span.start, fix.edits.last()?.span.end);
    (start < limit && end <= limit).then_some((start, fix.edits))
}
