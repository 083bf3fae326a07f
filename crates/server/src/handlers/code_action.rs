//! `textDocument/codeAction` and `codeAction/resolve`

mod command;
mod refactor;

pub(crate) use command::{APPLY_EDIT, apply, edit as edit_to_apply};
pub(crate) use refactor::{Chosen, resolve};

use super::workspace_edit::{versioned, workspace_edit};
use crate::capabilities::{CodeActions, FIX_ALL};
use crate::convert::Lines;
use crate::state::Shared;
use promptblock_core::fix::{between, may_be_safe};
use promptblock_core::source::may_register;
use promptblock_core::{Code, Diagnostic as Finding, Locale, msg};
use promptblock_workspace::{FileEdits, FileKind, Fix, Fixes, Snapshot, Workspace};
use std::collections::BTreeSet;
use tower_lsp::ls_types::*;

/// Of so many findings each way out is offered. Nobody reads a longer menu; what is safe is done for all of them at once.
const MOST: usize = 100;

pub(crate) fn actions(
    shared: &Shared,
    snapshot: &Snapshot,
    params: &CodeActionParams,
) -> Option<CodeActionResponse> {
    // Source code without blocks is opened and moved about in all day long.
    let no_blocks = snapshot.kind == FileKind::Source
        && snapshot.registered.is_empty()
        && !may_register(&snapshot.text.to_string());
    let takes = shared.client().code_actions;
    if takes == CodeActions::None || snapshot.kind == FileKind::Other || no_blocks {
        return None;
    }
    let automatic = params.context.trigger_kind == Some(CodeActionTriggerKind::AUTOMATIC);
    let quick = wants(&params.context, &CodeActionKind::QUICKFIX);
    // Nobody who only moves the cursor asks for all of a file, unless it is called by its name.
    let all = wants(&params.context, &FIX_ALL) && !(automatic && params.context.only.is_none());
    let refactor =
        snapshot.document.is_some() && refactor::KINDS.iter().any(|kind| wants(&params.context, kind));
    if !quick && !all && !refactor {
        return None;
    }
    // What is known of a file that is no block was worked out when it last changed, and that may be a moment ago.
    let copy;
    let snapshot = &match &snapshot.document {
        Some(_) => {
            copy = None;
            snapshot.clone()
        }
        None => {
            let fork = shared.fork(&snapshot.path);
            fork.refresh();
            let fresh = fork.snapshot(&snapshot.path)?;
            copy = Some(fork);
            fresh
        }
    };
    let workspace = copy.as_ref().unwrap_or(&shared.workspace);
    let answer = Answer {
        shared,
        snapshot,
        lines: shared.lines(&snapshot.text, snapshot.version),
        locale: shared.locale(&snapshot.project),
        fixes: workspace.fixes(),
        params,
    };
    let findings = if quick || all { findings(workspace, snapshot) } else { Vec::new() };
    let mut actions = if quick { answer.quick(&findings) } else { Vec::new() };
    if refactor {
        actions.extend(answer.refactorings(!automatic));
    }
    if all {
        actions.extend(answer.fix_all(&findings));
    }
    let actions: CodeActionResponse = match takes {
        CodeActions::Literal => actions.into_iter().map(CodeActionOrCommand::CodeAction).collect(),
        _ => actions.into_iter().filter_map(command::of).map(CodeActionOrCommand::Command).collect(),
    };
    (!actions.is_empty()).then_some(actions)
}

/// Every kind of action that there is.
pub(crate) fn kinds() -> Vec<CodeActionKind> {
    [CodeActionKind::QUICKFIX, FIX_ALL].into_iter().chain(refactor::KINDS).collect()
}

/// As the snapshot has it: what the client shows may be of an older text.
fn findings(workspace: &Workspace, snapshot: &Snapshot) -> Vec<Finding> {
    let project = &snapshot.project;
    match &snapshot.document {
        Some(document) => {
            let mut findings = document.findings(&project.judge);
            findings.extend(project.index.findings(snapshot.file));
            document.finish(&project.judge, findings)
        }
        None => workspace.findings(snapshot.file).map(|found| found.diagnostics).unwrap_or_default(),
    }
}

/// Whether the client wants actions of a kind: it asks for all, for the kind or for one that the kind lies below.
fn wants(context: &CodeActionContext, kind: &CodeActionKind) -> bool {
    let below = |asked: &CodeActionKind| {
        let rest = kind.as_str().strip_prefix(asked.as_str());
        asked.as_str().is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    context.only.as_ref().is_none_or(|only| only.iter().any(below))
}

struct Answer<'a> {
    shared: &'a Shared,
    snapshot: &'a Snapshot,
    lines: Lines<'a>,
    locale: Locale,
    fixes: Fixes<'a>,
    params: &'a CodeActionParams,
}

impl Answer<'_> {
    /// The ways out of the findings at the place: the best of each first, then those of all findings of a code, then no
    /// longer to be told.
    fn quick(&self, findings: &[Finding]) -> Vec<CodeAction> {
        let span = self.lines.span(self.params.range);
        let touches = |finding: &&Finding| finding.span.start <= span.end && span.start <= finding.span.end;
        let here: Vec<&Finding> = findings.iter().filter(touches).collect();
        let mut actions = Vec::new();
        let rest = here.iter().skip(MOST).filter(|finding| may_be_safe(finding));
        let mut safe: BTreeSet<Code> = rest.map(|finding| finding.code).collect();
        for finding in here.iter().take(MOST) {
            for fix in self.fixes.of(self.snapshot, finding) {
                if fix.safe {
                    safe.insert(finding.code);
                }
                actions.extend(self.action(finding, fix));
            }
        }
        actions.extend(safe.into_iter().filter_map(|code| self.fix_code(findings, code)));
        let mut told = BTreeSet::new();
        for finding in here.into_iter().filter(|finding| told.insert(finding.code)) {
            let fix = self.fixes.allow(self.snapshot, finding);
            actions.extend(fix.and_then(|fix| self.action(finding, fix)));
        }
        actions
    }

    /// The edit as the client takes it; a command keeps the versions until it is called.
    fn edit(&self, files: &[FileEdits]) -> Option<WorkspaceEdit> {
        match self.shared.client().code_actions {
            CodeActions::Commands => versioned(self.shared, files),
            _ => workspace_edit(self.shared, files),
        }
    }

    fn action(&self, finding: &Finding, fix: Fix) -> Option<CodeAction> {
        let preferred = fix.preferred && self.shared.client().preferred_actions;
        Some(CodeAction {
            title: fix.title.text(self.locale).to_owned(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: self.answered(finding),
            edit: Some(self.edit(&fix.files)?),
            is_preferred: preferred.then_some(true),
            ..CodeAction::default()
        })
    }

    /// Every safe fix of a code, where there are several to do.
    fn fix_code(&self, findings: &[Finding], code: Code) -> Option<CodeAction> {
        let count = findings.iter().filter(|finding| finding.code == code && may_be_safe(finding)).count();
        if count < 2 {
            return None;
        }
        let (edit, fixed) = self.fixed(&|finding| finding.code == code)?;
        let name = code.name();
        let title = msg!("Fix all `{name}` in this file", "修复此文件中所有的 `{name}`");
        let title = title.text(self.locale).to_owned();
        // One at a time is what the menu offers anyway.
        (fixed > 1).then(|| CodeAction {
            title,
            kind: Some(CodeActionKind::QUICKFIX),
            edit: Some(edit),
            ..CodeAction::default()
        })
    }

    /// Every safe fix of the file.
    fn fix_all(&self, findings: &[Finding]) -> Option<CodeAction> {
        if !findings.iter().any(may_be_safe) {
            return None;
        }
        let (edit, _) = self.fixed(&|_| true)?;
        let title = msg!("Fix all that is safe to fix", "修复所有可安全修复的问题");
        Some(CodeAction {
            title: title.text(self.locale).to_owned(),
            kind: Some(FIX_ALL),
            edit: Some(edit),
            ..CodeAction::default()
        })
    }

    /// What `check --fix` would do to this file, and how many findings it would fix.
    fn fixed(&self, wanted: &dyn Fn(&Finding) -> bool) -> Option<(WorkspaceEdit, usize)> {
        let Snapshot { path, text, version, .. } = self.snapshot;
        let fork = self.shared.fork(path);
        fork.refresh();
        let fixed = promptblock_workspace::fix(&fork, &|other| other == path, wanted).into_iter().next()?;
        // The client has typed on meanwhile, and asks again.
        if *text != fixed.original {
            return None;
        }
        let edits = between(&fixed.original, &fixed.text);
        let file =
            FileEdits { path: path.clone(), text: text.clone(), version: *version, creates: false, edits };
        Some((self.edit(&[file])?, fixed.count))
    }

    /// The client's own diagnostic that an action answers, so that it finds the action beside it.
    fn answered(&self, finding: &Finding) -> Option<Vec<Diagnostic>> {
        let range = self.lines.range(finding.span);
        let code = NumberOrString::String(finding.code.name().to_owned());
        let mut shown = self.params.context.diagnostics.iter();
        let same = shown.find(|shown| shown.range == range && shown.code.as_ref() == Some(&code));
        same.map(|shown| vec![shown.clone()])
    }
}
