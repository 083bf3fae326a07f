//! The refactorings among the code actions. What costs a look at the whole file is worked out when it is chosen, where the client asks
//! then.

use super::super::workspace_edit::workspace_edit;
use super::{Answer, wants};
use crate::state::Shared;
use promptblock_core::Span;
use promptblock_core::refactor::{Ask, Refactoring, RefactoringKind};
use promptblock_workspace::{Refactored, Snapshot};
use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::*;

const MOVE: CodeActionKind = CodeActionKind::new("refactor.move");

/// The kinds of refactorings.
pub(crate) const KINDS: [CodeActionKind; 4] = [
    CodeActionKind::REFACTOR_EXTRACT,
    CodeActionKind::REFACTOR_INLINE,
    MOVE,
    CodeActionKind::REFACTOR_REWRITE,
];

fn kind_of(refactoring: Refactoring) -> CodeActionKind {
    match refactoring.kind() {
        RefactoringKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        RefactoringKind::Inline => CodeActionKind::REFACTOR_INLINE,
        RefactoringKind::Move => MOVE,
        RefactoringKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
    }
}

/// A refactoring that was offered, as its action carries it back.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Chosen {
    pub(crate) uri: Uri,
    /// Of the text that it was offered for.
    version: Option<i32>,
    /// The selection, in bytes of that text.
    selection: (u32, u32),
    refactoring: String,
}

impl Chosen {
    /// What an action of ours carries.
    pub(crate) fn of(action: &CodeAction) -> Option<Self> {
        serde_json::from_value(action.data.clone()?).ok()
    }

    /// Whether the text is still the one that it was offered for.
    pub(crate) fn is_current(&self, snapshot: &Snapshot) -> bool {
        self.version == snapshot.version
    }
}

impl Answer<'_> {
    /// What can be done at the place; `invoked` where a person asks who does not only move the cursor.
    pub(super) fn refactorings(&self, invoked: bool) -> Vec<CodeAction> {
        let client = self.shared.client();
        // Who cannot create files cannot be offered what may turn out to need one.
        let later = client.resolves_edits && client.creates_files;
        let ask = Ask { selection: self.lines.span(self.params.range), invoked, later };
        let offers = self.fixes.refactorings(self.snapshot, &ask);
        let wanted = |offer: &Refactored| wants(&self.params.context, &kind_of(offer.refactoring));
        offers.into_iter().filter(wanted).filter_map(|offer| self.refactoring(offer, &ask)).collect()
    }

    fn refactoring(&self, offer: Refactored, ask: &Ask) -> Option<CodeAction> {
        let mut action = CodeAction {
            title: offer.title.text(self.locale).to_owned(),
            kind: Some(kind_of(offer.refactoring)),
            ..CodeAction::default()
        };
        match offer.outcome {
            Ok(Some(changed)) => action.edit = Some(self.edit(&changed.files)?),
            Ok(None) => {
                let chosen = Chosen {
                    uri: self.params.text_document.uri.clone(),
                    version: self.snapshot.version,
                    selection: (ask.selection.start, ask.selection.end),
                    refactoring: offer.refactoring.name().to_owned(),
                };
                action.data = Some(serde_json::to_value(chosen).ok()?);
            }
            Err(reason) => {
                if !(self.shared.client().disabled_actions && ask.invoked) {
                    return None;
                }
                let reason = reason.text(self.locale).to_owned();
                action.disabled = Some(CodeActionDisabled { reason });
            }
        }
        Some(action)
    }
}

/// The action with its edits; `None` where what it would do turns out not to keep what it must.
pub(crate) fn resolve(
    shared: &Shared,
    snapshot: &Snapshot,
    mut action: CodeAction,
    chosen: &Chosen,
) -> Option<CodeAction> {
    let (start, end) = chosen.selection;
    let refactoring = Refactoring::from_name(&chosen.refactoring)?;
    let selection = Span::new(start, end.max(start));
    let changed = shared.workspace.fixes().refactoring(snapshot, selection, refactoring)?;
    action.edit = Some(workspace_edit(shared, &changed.files)?);
    Some(action)
}
