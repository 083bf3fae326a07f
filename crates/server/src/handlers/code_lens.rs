//! `textDocument/codeLens`

use super::context;
use super::embedded::{Embedded, texts};
use crate::assembly::{Choice, assemble};
use crate::handlers::execute_command::SHOW_ASSEMBLY;
use crate::judge;
use crate::state::Shared;
use promptblock_core::assemble::Vocabulary;
use promptblock_core::ide;
use promptblock_workspace::Snapshot;
use std::sync::Arc;
use tower_lsp::ls_types::{CodeLens, Command, Uri};

/// The lenses of a document as it is now. Before the folders are read there are none for a client that can be told of them later.
pub(crate) fn lenses(shared: &Shared, uri: &Uri, wanted: &dyn Fn() -> bool) -> Option<Vec<CodeLens>> {
    if !shared.wake.is_loaded() && shared.client().refreshes_lenses {
        return Some(Vec::new());
    }
    judge::wait_for_load(shared, wanted);
    judge::settled(shared, wanted, || of(shared, &shared.snapshot(uri)?, uri, wanted))
}

fn of(shared: &Shared, snapshot: &Snapshot, uri: &Uri, wanted: &dyn Fn() -> bool) -> Option<Vec<CodeLens>> {
    let own = |text: &Embedded<'_>| Arc::ptr_eq(&snapshot.project.judge.profile, &text.context.judge.profile);
    let contexts: Vec<ide::Context<'_>> = match context(shared, snapshot) {
        Some(context) => vec![context],
        // Blocks of another framework stand in no assembly of the project.
        None => texts(shared, snapshot).filter(own).map(|text| text.context).collect(),
    };
    if contexts.is_empty() {
        return None;
    }
    let view = &snapshot.project;
    let assembled = assemble(shared, view, &Choice::Default, true, None, wanted)?;
    let vocabulary = Vocabulary::from_name(&view.config.vocabulary).unwrap_or_default();
    let lines = shared.lines(&snapshot.text, snapshot.version);
    let convert = |lens: ide::CodeLens| CodeLens {
        range: lines.range(lens.span),
        command: Some(Command {
            title: lens.title,
            command: SHOW_ASSEMBLY.to_owned(),
            arguments: Some(vec![uri.as_str().into()]),
        }),
        data: None,
    };
    let lenses = contexts.iter().flat_map(|cx| ide::code_lenses(cx, &assembled.assembly, vocabulary));
    Some(lenses.map(convert).collect())
}
