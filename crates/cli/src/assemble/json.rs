//! `--as json`: one object with all that is known of an assembly.

use super::{Printed, Sheet};
use crate::report;
use promptblock_core::assemble::messages;
use serde_json::{Value, json};

/// What is printed.
pub(super) fn object(printed: &Printed) -> Value {
    let first = sheet(&printed.first);
    let Some((then, changes)) = &printed.then else { return first };
    let changed = changes
        .iter()
        .map(|change| json!({"name": &*change.name, "before": change.before, "after": change.after}));
    json!({"version": 1, "first": first, "then": sheet(then), "changed": changed.collect::<Vec<_>>()})
}

fn sheet(sheet: &Sheet) -> Value {
    let assembly = &sheet.assembly;
    let config = &sheet.opened.view.config;
    let tokens = assembly.tokens(sheet.vocabulary);
    let prelude = assembly
        .prelude
        .iter()
        .map(|part| json!({"id": part.id.as_deref(), "role": part.role.name(), "text": part.text()}));
    let contexts =
        assembly.contexts.iter().map(|part| json!({"id": part.id.as_deref(), "text": part.text()}));
    let messages = messages(assembly).into_iter().map(|message| {
        let blocks: Vec<&str> = message.blocks.iter().map(|id| &**id).collect();
        json!({"role": message.role.name(), "text": message.text, "blocks": blocks, "cache": message.cache})
    });
    let usage = assembly.usage(sheet.vocabulary).into_iter();
    let usage = usage.map(|(class, tokens)| json!({"class": &*class.key, "tokens": tokens}));
    let mut object = json!({
        "version": 1,
        "profile": config.profile.name,
        "environment": sheet.environment.as_ref().map(|environment| &*environment.name),
        "system": assembly.system_text(),
        "prelude": prelude.collect::<Vec<_>>(),
        "contexts": contexts.collect::<Vec<_>>(),
        "input": &*assembly.input,
        "values": assembly.values,
        "sectionNames": assembly.section_names().collect::<Vec<_>>(),
        "digest": assembly.digest(),
        "tokens": {
            "system": tokens.system,
            "prelude": tokens.prelude,
            "contexts": tokens.contexts,
            "input": tokens.input,
        },
        "usage": usage.collect::<Vec<_>>(),
        "messages": messages.collect::<Vec<_>>(),
        "diagnostics": report::json::diagnostics(&sheet.opened.report(sheet.findings.clone())),
    });
    if let Some(tools) = assembly.tools() {
        object["tokens"]["tools"] = tokens.tools.into();
        object["tools"] = tools.list.iter().map(|tool| tool.schema()).collect();
    }
    object
}
