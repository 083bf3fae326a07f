//! `textDocument/codeLens`

use super::context;
use crate::assembly::assemble;
use crate::handlers::execute_command::SHOW_ASSEMBLY;
use crate::state::Shared;
use promptblock_core::assemble::Vocabulary;
use promptblock_core::ide;
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{CodeLens, Command, Uri};

pub(crate) fn lenses(
    shared: &Shared,
    snapshot: &Snapshot,
    uri: &Uri,
    wanted: &dyn Fn() -> bool,
) -> Option<Vec<CodeLens>> {
    let context = context(shared, snapshot)?;
    let view = &snapshot.project;
    let assembled = assemble(shared, view, None, true, None, wanted)?;
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
    let lenses = ide::code_lenses(&context, &assembled.assembly, vocabulary);
    Some(lenses.into_iter().map(convert).collect())
}
