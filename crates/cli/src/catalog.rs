//! `promptblock catalog [PATH]`: every variable, where it is defined, how often it is used.

use crate::assemble::print_json;
use crate::failure::{Failure, WRONG_USE};
use crate::named::relative;
use crate::opened::Opened;
use crate::table::{Side, lines};
use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueEnum;
use promptblock_core::catalog::{Layer, Mutability, Variable};
use promptblock_core::ide::spelled;
use promptblock_core::msg;
use promptblock_server::convert::{Encoding, Lines};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file or folder of the project; the working directory by default.
    #[arg(default_value = ".", value_parser = crate::named::path)]
    path: Utf8PathBuf,
    /// How to print it.
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
    /// Writes what source code registers into a new catalog file, so that it is known without the source.
    #[arg(long, value_name = "FILE")]
    write: Option<Utf8PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table for people.
    Table,
    /// One JSON object.
    Json,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let opened = Opened::at(&arguments.path, None, arguments.format == Format::Json)?;
    let mut variables: BTreeMap<Arc<str>, Arc<Variable>> = BTreeMap::new();
    // What other frameworks register stands behind what the project's own knows.
    for judge in std::iter::once(&opened.view.judge).chain(opened.view.foreign.iter().map(|(judge, _)| judge))
    {
        for variable in judge.catalog.iter() {
            variables.entry(Arc::clone(&variable.name)).or_insert_with(|| Arc::clone(variable));
        }
    }
    if let Some(file) = &arguments.write {
        write(&opened, file, &variables)?;
    } else {
        match arguments.format {
            Format::Table => print(&opened, &variables)?,
            Format::Json => print_json(&json!({
                "version": 1,
                "variables": variables.values().map(|variable| object(&opened, variable)).collect::<Vec<_>>(),
            }))?,
        }
    }
    Ok(ExitCode::from(if opened.unreadable { WRONG_USE } else { 0 }))
}

/// In how many blocks live tags use it.
fn uses(opened: &Opened, variable: &Variable) -> u32 {
    let indexes =
        std::iter::once(&opened.view.index).chain(opened.view.foreign.iter().map(|(_, index)| index));
    indexes.map(|index| index.use_count(&variable.name)).sum()
}

const fn layer(layer: Layer) -> &'static str {
    match layer {
        Layer::BuiltIn => "built-in",
        Layer::User => "user",
        Layer::Source => "source",
        Layer::Project => "project",
        Layer::Local => "local",
    }
}

fn mutable(variable: &Variable) -> Value {
    match &variable.mutable {
        Mutability::No => false.into(),
        Mutability::Yes => true.into(),
        Mutability::Unknown => "unknown".into(),
        Mutability::When(condition) => json!({"when": spelled(condition)}),
    }
}

fn zones(variable: &Variable) -> Option<Vec<&'static str>> {
    Some(variable.zones.as_ref()?.iter().map(|zone| zone.name()).collect())
}

fn args(variable: &Variable) -> Vec<Value> {
    let object = |arg: &promptblock_core::catalog::Argument| {
        let mut object = Map::new();
        object.insert("name".to_owned(), (*arg.name).into());
        if let Some(description) = &arg.description {
            object.insert("description".to_owned(), (**description).into());
        }
        if arg.optional {
            object.insert("optional".to_owned(), true.into());
        }
        Value::Object(object)
    };
    variable.args.iter().map(object).collect()
}

fn object(opened: &Opened, variable: &Variable) -> Value {
    let place = variable.definition.map(|definition| {
        let text = opened.workspace.text(definition.file);
        let range = serde_json::to_value(Lines::disk(&text, Encoding::Utf16).range(definition.key));
        (relative(&opened.workspace.path(definition.file), &opened.here), range.unwrap_or_default())
    });
    let (path, range) = place.unzip();
    json!({
        "name": variable.name,
        "description": variable.description,
        "mutable": mutable(variable),
        "zones": zones(variable),
        "args": args(variable),
        "type": variable.value_type.map_or("text", |value_type| value_type.name()),
        "example": variable.example,
        "plugin": variable.plugin,
        "layer": layer(variable.layer),
        "path": path,
        "range": range,
        "uses": uses(opened, variable),
    })
}

fn print(opened: &Opened, variables: &BTreeMap<Arc<str>, Arc<Variable>>) -> Result<(), Failure> {
    let head = msg!("name|layer|changes|uses|defined in|description", "名称|层|可变|使用|定义于|说明");
    let mut rows: Vec<Vec<String>> = vec![head.text(opened.locale).split('|').map(str::to_owned).collect()];
    for variable in variables.values() {
        let changes = match &variable.mutable {
            Mutability::No => msg!("no", "否"),
            Mutability::Yes => msg!("yes", "是"),
            Mutability::When(_) => msg!("at times", "视情况"),
            Mutability::Unknown => msg!("unknown", "未知"),
        };
        let path = variable.definition.map(|definition| opened.workspace.path(definition.file));
        rows.push(vec![
            variable.name.to_string(),
            layer(variable.layer).to_owned(),
            changes.text(opened.locale).to_owned(),
            uses(opened, variable).to_string(),
            path.map(|path| relative(&path, &opened.here)).unwrap_or_default(),
            variable.description.as_deref().unwrap_or_default().to_owned(),
        ]);
    }
    let sides = [Side::Left, Side::Left, Side::Left, Side::Right, Side::Left, Side::Left];
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    out.write_all(lines(&sides, &rows).as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Writes what source code registers as a catalog, whole or not at all, and never over a file that is there.
fn write(
    opened: &Opened,
    file: &Utf8Path,
    variables: &BTreeMap<Arc<str>, Arc<Variable>>,
) -> Result<(), Failure> {
    let entry = |variable: &Arc<Variable>| {
        let mut entry = Map::new();
        let mut put = |key: &str, value: Value| {
            if !value.is_null() {
                entry.insert(key.to_owned(), value);
            }
        };
        put("description", variable.description.as_deref().into());
        match variable.mutable {
            Mutability::Yes => put("mutable", true.into()),
            Mutability::Unknown => put("mutable", "unknown".into()),
            _ => {}
        }
        put("zones", json!(zones(variable)));
        if !variable.args.is_empty() {
            put("args", args(variable).into());
        }
        put("example", variable.example.clone().unwrap_or_default());
        (variable.name.to_string(), Value::Object(entry))
    };
    let registered = variables.values().filter(|variable| variable.layer == Layer::Source);
    let entries: Map<String, Value> = registered.map(entry).collect();
    let mut text =
        serde_json::to_string_pretty(&json!({"variables": entries})).map_err(std::io::Error::from)?;
    text.push('\n');
    let failed = |what: &str| {
        let message = msg!("cannot be written: {what}", "无法写入：{what}");
        Failure::new(format!("{file}: {}", message.text(opened.locale)))
    };
    let path = opened.here.join(file);
    let folder = path.parent().unwrap_or(&path);
    let mut new = tempfile::Builder::new()
        .prefix(".promptblock-")
        .tempfile_in(folder)
        .map_err(|error| failed(&error.to_string()))?;
    new.write_all(text.as_bytes())?;
    new.as_file().sync_all()?;
    new.persist_noclobber(&path).map_err(|error| failed(&error.error.to_string()))?;
    Ok(())
}
