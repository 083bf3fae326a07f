//! The assembled prompt as a plain text, for clients without a panel of their own.

use super::{Choice, assemble};
use crate::judge;
use crate::state::Shared;
use camino::Utf8Path;
use promptblock_core::assemble::{Vocabulary, messages, prefix_end};
use promptblock_core::{Message, msg};
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
    for message in messages(&assembly) {
        let head = message.head(vocabulary.count(&message.text));
        let _ = writeln!(out, "── {}\n{}\n", head.text(locale), message.text);
        if message.ends_prefix {
            let end = prefix_end(&assembly, vocabulary);
            let _ = writeln!(out, "══ {}\n", end.text(locale));
        }
    }
    for (file, facts) in view.index.computed() {
        let path = shared.workspace.path(file);
        let path = path.strip_prefix(&view.root).unwrap_or(&path);
        let id = facts.header.id().map_or("?", |id| id);
        let said = msg!(
            "computed by the program, and not shown: `{id}` ({path})",
            "由程序在运行时计算，未显示：`{id}`（{path}）"
        );
        let _ = writeln!(out, "══ {}", said.text(locale));
    }
    let examples: Vec<&str> =
        assembly.values.keys().map(String::as_str).filter(|name| assembled.scene.is_example(name)).collect();
    if !examples.is_empty() {
        let (en, zh) = (examples.join(", "), examples.join("、"));
        let said = Message::new(
            format!("the catalog's examples stand in for values that are missing: {en}"),
            format!("以下变量没有值，用变量目录中的示例代替：{zh}"),
        );
        let _ = writeln!(out, "══ {}", said.text(locale));
    }
    Some(out)
}
