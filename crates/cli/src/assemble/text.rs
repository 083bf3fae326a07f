//! `--as text`: the messages one below the other, and where the stable prefix ends.

use super::{Printed, Sheet};
use crate::failure::{Failure, say};
use crate::named::relative;
use crate::report::{Color, Format};
use crate::visible::visible_source;
use promptblock_core::assemble::{Change, messages, prefix_end, spell};
use promptblock_core::block::Role;
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
    let all = messages(&sheet.assembly);
    let ends = all.iter().any(|message| message.ends_prefix);
    if let Some(tools) = sheet.assembly.tools() {
        let names: Vec<&str> = tools.list.iter().map(|tool| &*tool.name.value).collect();
        let (names, tokens) = (names.join(", "), tools.tokens(sheet.vocabulary));
        let unit = if tokens == 1 { "" } else { "s" };
        let head = msg!("tools · {tokens} token{unit} · {names}", "工具 · {tokens} 个 token · {names}");
        writeln!(out, "── {}\n", visible_source(head.text(locale)))?;
    }
    for message in &all {
        let tokens = sheet.vocabulary.count(&message.text);
        let head = message.head(tokens);
        // What is piped on is the prompt itself; a terminal is not to act on it.
        let text = if terminal { visible_source(&message.text) } else { message.text.as_str().into() };
        writeln!(out, "── {}\n{text}\n", visible_source(head.text(locale)))?;
        if message.ends_prefix {
            let end = prefix_end(&sheet.assembly, sheet.vocabulary);
            writeln!(out, "══ {}\n", end.text(locale))?;
        }
    }
    if !ends {
        let none = msg!("there is no stable prefix", "没有稳定前缀");
        writeln!(out, "══ {}\n", none.text(locale))?;
    }
    for (file, facts) in sheet.opened.view.index.computed() {
        let path = relative(&sheet.opened.workspace.path(file), &sheet.opened.here);
        let id = facts.header.id().map_or("?", |id| id);
        let said = msg!(
            "computed by the program, and not shown: `{id}` ({path})",
            "由程序在运行时计算，未显示：`{id}`（{path}）"
        );
        writeln!(out, "══ {}\n", visible_source(said.text(locale)))?;
    }
    for change in changes {
        let said = changed(change);
        let said = said.text(locale);
        writeln!(out, "{}", if terminal { visible_source(said) } else { said.into() })?;
    }
    out.flush()?;
    Ok(())
}

fn changed(change: &Change) -> Message {
    let shown = |value: &Option<serde_json::Value>| value.as_ref().map(|value| spell(value).into_owned());
    let name = &change.name;
    let none = msg!("no value", "无");
    let side = |value: Option<String>| match value {
        // The lines of a value stay within its item.
        Some(value) => {
            let value = value.replace("\r\n", "\n").replace(['\n', '\r'], "\n  ");
            Message::new(value.as_str(), value.as_str())
        }
        None => none.clone(),
    };
    let (before, after) = (side(shown(&change.before)), side(shown(&change.after)));
    msg!("changed: {name}: {before} → {after}", "已变更：{name}：{before} → {after}", name = name; before = before, after = after)
}

/// Says where a body for Anthropic has a user message that no block gave: the API wants one first, and one last.
pub(super) fn say_silence(messages: &[promptblock_core::assemble::Message], locale: Locale) {
    let mut turns = messages.iter().filter(|it| it.role != Role::System && !it.text.trim().is_empty());
    let is_not_user = |message: Option<&promptblock_core::assemble::Message>| {
        message.is_none_or(|it| it.role != Role::User)
    };
    let first = turns.next();
    let last = turns.next_back().or(first);
    let is_missing_first = first.is_some() && is_not_user(first);
    if is_missing_first {
        let what = msg!(
            "the API wants a user message first, and the blocks give none: `…` stands there",
            "该 API 要求第一条消息来自用户，而这些块没有给出：已用 `…` 代替"
        );
        say(what.text(locale));
    }
    if is_not_user(last) {
        let what = msg!(
            "the API wants a user message last, and there is no input: `…` stands there",
            "该 API 要求最后一条消息来自用户，而没有输入：已用 `…` 代替"
        );
        say(what.text(locale));
    }
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
