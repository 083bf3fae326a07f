//! The assembled prompt as a plain text, for clients without a panel of their own.

use super::{Choice, assemble};
use crate::judge;
use crate::state::Shared;
use camino::Utf8Path;
use promptblock_core::assemble::{Vocabulary, outline};
use promptblock_core::ide::grouped;
use promptblock_core::msg;
use std::fmt::Write as _;

/// The messages of the project of `path`, one below the other, and where the stable prefix ends.
pub(crate) fn show(
    shared: &Shared,
    path: &Utf8Path,
    environment: Option<&str>,
    wanted: &dyn Fn() -> bool,
) -> Option<String> {
    judge::wait_for_load(shared, wanted);
    judge::settled(shared, wanted, || text(shared, path, environment, wanted))
}

fn text(
    shared: &Shared,
    path: &Utf8Path,
    environment: Option<&str>,
    wanted: &dyn Fn() -> bool,
) -> Option<String> {
    let view = shared.workspace.project_view(path);
    let locale = shared.locale(&view);
    let assembled = assemble(shared, &view, &Choice::of(&view, environment), true, None, wanted)?;
    let mut out = String::new();
    let assembly = match assembled.assembly {
        Ok(assembly) => assembly,
        Err(refused) => {
            let why = msg!("The assembly is refused:", "装配被拒绝：");
            let _ = writeln!(out, "{}", why.text(locale));
            for (file, finding) in refused {
                let path = shared.workspace.path(file);
                let _ = writeln!(out, "- {path}: {}", finding.message.text(locale));
            }
            return Some(out);
        }
    };
    let vocabulary = Vocabulary::from_name(&view.config.vocabulary).unwrap_or_default();
    let parts: Vec<_> = assembly.parts().collect();
    for message in outline(&assembly, view.config.context_placement) {
        let text = message.text(&parts);
        let (role, tokens) = (message.role.name(), grouped(vocabulary.count(&text)));
        let head = msg!("{role} · tokens: {tokens}", "{role} · token：{tokens}");
        let _ = writeln!(out, "── {}\n{text}\n", head.text(locale));
        if message.cache {
            let (tokens, digest) = (grouped(assembly.tokens(vocabulary).prefix()), assembly.digest());
            let end = msg!(
                "the stable prefix ends here; tokens: {tokens}, {digest}",
                "稳定前缀到此为止；token：{tokens}，{digest}"
            );
            let _ = writeln!(out, "══ {}\n", end.text(locale));
        }
    }
    Some(out)
}
