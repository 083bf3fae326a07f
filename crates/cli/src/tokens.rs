//! `promptblock tokens [PATH]`: how much of the prompt is what, by zone and by block.

use crate::assemble::{print_json, refuse_json, refuse_text};
use crate::failure::{Failure, WRONG_USE};
use crate::named::relative;
use crate::opened::Opened;
use crate::table::{Side, lines};
use camino::Utf8PathBuf;
use clap::ValueEnum;
use promptblock_core::assemble::{Assembly, Part, Scene, Tool, Vocabulary, tools_counted};
use promptblock_core::block::Zone;
use promptblock_core::ide::grouped;
use promptblock_core::lint::across;
use promptblock_core::profile::UsageClass;
use promptblock_core::{Locale, msg};
use serde_json::json;
use std::io::{BufWriter, Write};
use std::process::ExitCode;
use std::sync::Arc;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file or folder of the project; the working directory by default.
    #[arg(default_value = ".", value_parser = crate::named::path)]
    path: Utf8PathBuf,
    /// The sample environment that gives the values.
    #[arg(long, value_name = "NAME")]
    env: Option<String>,
    /// How to print it.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables for people.
    Text,
    /// One JSON object.
    Json,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let opened = Opened::at(&arguments.path, arguments.env.as_deref(), arguments.format == Format::Json)?;
    let scene = opened.scene(false);
    let assembly = match (opened.assemble(&scene, None), arguments.format) {
        (Ok(assembly), _) => assembly,
        (Err(refused), Format::Text) => return refuse_text(&opened.refused(&refused)),
        (Err(refused), Format::Json) => return refuse_json(&opened.refused(&refused)),
    };
    match arguments.format {
        Format::Text => print(&opened, &scene, &assembly)?,
        Format::Json => print_json(&object(&opened, &assembly))?,
    }
    Ok(ExitCode::from(if opened.unreadable { WRONG_USE } else { 0 }))
}

/// Classes that are zones, and said already.
const ZONES: [&str; 5] = ["tools", "system", "prelude", "contexts", "input"];

fn path(opened: &Opened, part: &Part) -> Option<String> {
    part.file.map(|file| relative(&opened.workspace.path(file), &opened.here))
}

/// An order as it is written.
fn order(part: &Part) -> serde_json::Value {
    #[expect(clippy::cast_possible_truncation, reason = "only where nothing is cut off")]
    let whole = part.order as i64;
    #[expect(clippy::cast_precision_loss, reason = "compared, so that a loss shows")]
    let is_whole = whole as f64 == part.order;
    if is_whole { whole.into() } else { part.order.into() }
}

fn object(opened: &Opened, assembly: &Assembly) -> serde_json::Value {
    let vocabulary = opened.vocabulary();
    let zones = assembly.tokens(vocabulary);
    let blocks = assembly.parts().map(|part| {
        json!({
            "id": part.id.as_deref(),
            "path": path(opened, part),
            "zone": part.zone.name(),
            "order": order(part),
            "tokens": part.content.tokens(vocabulary),
        })
    });
    let usage = assembly.usage(vocabulary).into_iter();
    let usage = usage.map(|(class, tokens)| json!({"class": &*class.key, "tokens": tokens}));
    let mut object = json!({
        "version": 1,
        "vocabulary": vocabulary.name(),
        "zones": {
            "system": zones.system,
            "prelude": zones.prelude,
            "contexts": zones.contexts,
            "input": zones.input,
        },
        "usage": usage.collect::<Vec<_>>(),
        "blocks": blocks.collect::<Vec<_>>(),
    });
    if let Some(tools) = assembly.tools() {
        object["zones"]["tools"] = zones.tools.into();
        let tool = |tool: &Arc<Tool>| json!({"name": &*tool.name.value, "tokens": tool.tokens(vocabulary)});
        object["tools"] = tools.list.iter().map(tool).collect();
    }
    object
}

fn print(opened: &Opened, scene: &Scene, assembly: &Assembly) -> Result<(), Failure> {
    let locale = opened.locale;
    let vocabulary = opened.vocabulary();
    let word = |en: &str, zh: &str| if locale == Locale::En { en.to_owned() } else { zh.to_owned() };
    let mut out = BufWriter::new(std::io::stdout().lock());

    let mut rows = vec![vec![
        word("block", "块"),
        word("zone", "区"),
        word("order", "顺序"),
        word("tokens", "token 数"),
    ]];
    for tool in assembly.tools().iter().flat_map(|tools| &tools.list) {
        let tokens = grouped(tool.tokens(vocabulary));
        rows.push(vec![tool.name.value.to_string(), word("tools", "工具"), String::new(), tokens]);
    }
    for part in assembly.parts() {
        let name = part.id.as_deref().map(str::to_owned).or_else(|| path(opened, part));
        let tokens = grouped(part.content.tokens(vocabulary));
        rows.push(vec![
            name.unwrap_or_default(),
            part.zone.name().to_owned(),
            if part.order.is_finite() { order(part).to_string() } else { String::new() },
            tokens,
        ]);
    }
    if rows.len() > 1 {
        writeln!(out, "{}", lines(&[Side::Left, Side::Left, Side::Right, Side::Right], &rows))?;
    }

    let zones = assembly.tokens(vocabulary);
    let budgets = budgets(opened);
    let budget = |zone: Zone| budgets.iter().find(|budget| budget.zone == zone).map(|it| it.shown(locale));
    let mut rows = Vec::new();
    if assembly.tools().is_some() {
        rows.push(vec![word("tools", "工具"), grouped(zones.tools), String::new()]);
    }
    for (name, tokens, note) in [
        ("system", zones.system, budget(Zone::System)),
        ("prelude", zones.prelude, None),
        ("contexts", zones.contexts, budget(Zone::Context)),
        ("input", zones.input, None),
        (&word("total", "合计"), zones.total(), None),
    ] {
        rows.push(vec![name.to_owned(), grouped(tokens), note.unwrap_or_default()]);
    }
    write!(out, "{}", lines(&[Side::Left, Side::Right, Side::Left], &rows))?;
    // Where a framework has classes of its own, they cut across the zones.
    let classes = assembly.usage(vocabulary);
    if classes.iter().any(|(class, _)| !ZONES.contains(&&*class.key)) {
        let row = |(class, tokens): &(&UsageClass, u64)| {
            vec![class.title().text(locale).to_owned(), grouped(*tokens)]
        };
        let rows: Vec<_> = classes.iter().map(row).collect();
        write!(out, "\n{}", lines(&[Side::Left, Side::Right], &rows))?;
    }
    writeln!(out, "\n{}", basis(vocabulary, scene, assembly).text(locale))?;
    out.flush()?;
    Ok(())
}

/// What the figures hold for.
fn basis(vocabulary: Vocabulary, scene: &Scene, assembly: &Assembly) -> promptblock_core::Message {
    let tools = tools_counted(assembly, vocabulary);
    let (tools_en, tools_zh) = (tools.text(Locale::En).to_owned(), tools.text(Locale::ZhCn).to_owned());
    let vocabulary = match vocabulary {
        Vocabulary::Estimate => msg!("estimated", "估算"),
        _ => {
            let name = vocabulary.name();
            msg!("counted with {name}", "按 {name} 计数")
        }
    };
    let (en, zh) = (vocabulary.text(Locale::En), vocabulary.text(Locale::ZhCn));
    match &scene.environment {
        Some(environment) => {
            let name = crate::visible::visible(&environment.name).into_owned();
            promptblock_core::Message::new(
                format!("{en}, in environment {name}; {tools_en}"),
                format!("{zh}，环境为 {name}；{tools_zh}"),
            )
        }
        None => promptblock_core::Message::new(
            format!("{en}, without an environment; {tools_en}"),
            format!("{zh}，没有环境；{tools_zh}"),
        ),
    }
}

/// What a zone may have of tokens, and has.
pub(crate) struct Budget {
    pub(crate) zone: Zone,
    /// Over the contents as they are written.
    pub(crate) spent: u64,
    pub(crate) allowed: u64,
}

impl Budget {
    /// In one line.
    pub(crate) fn shown(&self, locale: Locale) -> String {
        let (spent, allowed) = (grouped(self.spent), grouped(self.allowed));
        let what = if self.spent > self.allowed {
            msg!(
                "budget exceeded: {spent} of {allowed}, as written",
                "超出预算：{spent} / {allowed}（按原文计）"
            )
        } else {
            msg!("budget: {spent} of {allowed}, as written", "预算：{spent} / {allowed}（按原文计）")
        };
        what.text(locale).to_owned()
    }
}

/// The budgets that the project sets.
pub(crate) fn budgets(opened: &Opened) -> Vec<Budget> {
    let config = &opened.view.config;
    let all = [(Zone::System, config.budget_system), (Zone::Context, config.budget_context)];
    let of = |(zone, allowed): (Zone, Option<u64>)| {
        Some(Budget { zone, spent: across::spent(&opened.view.index, zone), allowed: allowed? })
    };
    all.into_iter().filter_map(of).collect()
}
