//! `--as text`: the messages one below the other, and where the stable prefix ends.

use super::{Printed, Sheet};
use crate::failure::{Failure, say};
use crate::report::{Color, Format};
use crate::visible::visible_source;
use promptblock_core::assemble::{Change, messages, spell};
use promptblock_core::{Code, Locale, Message, msg};
use std::io::{BufWriter, IsTerminal, Write};

/// Prints the messages.
pub(super) fn print(printed: &Printed) -> Result<(), Failure> {
    let terminal = std::io::stdout().is_terminal();
    let mut out = BufWriter::new(std::io::stdout().lock());
    let (sheet, changes) = match &printed.then {
        Some((then, changes)) => (then, changes.as_slice()),
        None => (&printed.first, &[][..]),
    };
    let locale = sheet.opened.locale;
    let placement = sheet.opened.view.config.context_placement;
    let mut stable = true;
    let all = messages(&sheet.assembly, placement);
    let ends = all.iter().any(|message| message.cache);
    for message in &all {
        let tokens = sheet.vocabulary.count(&message.text);
        let blocks: Vec<&str> = message.blocks.iter().map(|id| &**id).collect();
        let blocks = if blocks.is_empty() { String::new() } else { format!(" · {}", blocks.join(", ")) };
        let role = message.role.name();
        let unit = if tokens == 1 { "" } else { "s" };
        let head = msg!("{role} · {tokens} token{unit}{blocks}", "{role} · {tokens} 个 token{blocks}");
        // What is piped on is the prompt itself; a terminal is not to act on it.
        let text = if terminal { visible_source(&message.text) } else { message.text.as_str().into() };
        writeln!(out, "── {}\n{text}\n", visible_source(head.text(locale)))?;
        if stable && message.cache {
            stable = false;
            let digest = sheet.assembly.digest();
            let tokens = sheet.assembly.tokens(sheet.vocabulary).prefix();
            let end = msg!(
                "the stable prefix ends here: {tokens} tokens without tool schemas, {digest}",
                "稳定前缀到此为止：{tokens} 个 token（不含工具定义），{digest}"
            );
            writeln!(out, "══ {}\n", end.text(locale))?;
        }
    }
    if !ends {
        let none = msg!("there is no stable prefix", "没有稳定前缀");
        writeln!(out, "══ {}\n", none.text(locale))?;
    }
    for change in changes {
        writeln!(out, "{}", changed(change).text(locale))?;
    }
    out.flush()?;
    Ok(())
}

fn changed(change: &Change) -> Message {
    let shown = |value: &Option<serde_json::Value>| value.as_ref().map(|value| spell(value).into_owned());
    let name = &change.name;
    let none = msg!("no value", "无");
    let side = |value: Option<String>| match value {
        Some(value) => Message::new(value.as_str(), value.as_str()),
        None => none.clone(),
    };
    let (before, after) = (side(shown(&change.before)), side(shown(&change.after)));
    msg!("changed: {name}: {before} → {after}", "已变更：{name}：{before} → {after}", name = name; before = before, after = after)
}

/// Says on standard error what was found while rendering, and how many errors the blocks have.
pub(super) fn say_findings(sheet: &Sheet) -> Result<(), Failure> {
    const OWN: [Code; 4] = [Code::MissingValue, Code::InvalidCount, Code::LimitReached, Code::NotAList];
    let mut own = sheet.findings.clone();
    for found in &mut own {
        let rendered: Vec<_> = sheet
            .assembly
            .findings
            .iter()
            .filter(|(file, _)| *file == found.file)
            .map(|(_, it)| it.span)
            .collect();
        found.diagnostics.retain(|it| OWN.contains(&it.code) && rendered.contains(&it.span));
    }
    own.retain(|found| !found.diagnostics.is_empty());
    if !own.is_empty() {
        Format::Text.print(&sheet.opened.report(own), Color::Never, &mut std::io::stderr().lock())?;
    }
    let errors = sheet.findings.iter().flat_map(|found| &found.diagnostics);
    let errors = errors.filter(|it| it.severity == promptblock_core::Severity::Error).count();
    if errors > 0 {
        let what = match (sheet.opened.locale, errors) {
            (Locale::En, 1) => "one error in the project; `promptblock check` shows it".to_owned(),
            (Locale::En, _) => format!("{errors} errors in the project; `promptblock check` shows them"),
            (Locale::ZhCn, _) => format!("项目中有 {errors} 个错误；可用 `promptblock check` 查看"),
        };
        say(what);
    }
    Ok(())
}
