//! `promptblock diff [PATH] (--rev REV | --env A --then B)`: what a change costs of the cached prefix.

mod markdown;
mod text;

use crate::assemble::{print_json, refuse_json, refuse_text};
use crate::failure::{Failure, WRONG_USE};
use crate::git::Revision;
use crate::opened::Opened;
use camino::Utf8PathBuf;
use clap::ValueEnum;
use promptblock_core::assemble::{Assembly, Difference, How, Impact, Part, differences, impact};
use promptblock_core::block::Zone;
use promptblock_core::{Locale, Message, msg};
use serde_json::json;
use std::process::ExitCode;

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("between").required(true).args(["rev", "env"]))]
pub(crate) struct Arguments {
    /// A file or folder of the project; the working directory by default.
    #[arg(default_value = ".", value_parser = crate::named::path)]
    path: Utf8PathBuf,
    /// A git revision, to compare the work tree with.
    #[arg(long, value_name = "REV", allow_hyphen_values = true, conflicts_with_all = ["env", "then"])]
    rev: Option<String>,
    /// A sample environment, to compare another one with.
    #[arg(long, value_name = "NAME", requires = "then")]
    env: Option<String>,
    /// The other environment.
    #[arg(long, value_name = "NAME", requires = "env")]
    then: Option<String>,
    /// How to print it.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people at a terminal.
    Text,
    /// One JSON object.
    Json,
    /// A comment for a review.
    Markdown,
}

/// What is compared, and what came of it.
struct Compared<'a> {
    /// The project as it is, or in the second environment.
    opened: &'a Opened,
    before: &'a Assembly,
    after: &'a Assembly,
    /// What the two are called.
    names: (Name, Name),
    impact: Impact,
    /// Where the revision has no blocks at all: the folder.
    absent: Option<String>,
}

/// What one side of a comparison is called.
enum Name {
    Revision {
        name: String,
        /// Where the top of the repository is laid out.
        top: Utf8PathBuf,
    },
    WorkTree,
    Environment(String),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let for_a_program = arguments.format != Format::Text;
    let open = |environment| Opened::at(&arguments.path, environment, for_a_program);
    if let (Some(env), Some(then)) = (&arguments.env, &arguments.then) {
        let first = open(Some(env))?;
        let second = open(Some(then))?;
        let names = (Name::Environment(env.clone()), Name::Environment(then.clone()));
        return compare(&first, &second, names, arguments.format);
    }
    let now = open(None)?;
    let rev = arguments.rev.clone().unwrap_or_default();
    let revision = Revision::read(&now.view.root, &now.here, &rev, now.locale)?;
    let was = Opened::rooted(&revision.root, revision.here.clone(), None, for_a_program)?;
    let names = (Name::Revision { name: rev, top: revision.top.clone() }, Name::WorkTree);
    compare(&was, &now, names, arguments.format)
}

fn compare(
    first: &Opened,
    second: &Opened,
    names: (Name, Name),
    format: Format,
) -> Result<ExitCode, Failure> {
    let assemble = |opened: &Opened| opened.assemble(&opened.scene(false), None);
    let before = match assemble(first) {
        Ok(assembly) => assembly,
        Err(refused) => return refuse(first, &refused, &names.0, second.locale, format),
    };
    let after = match assemble(second) {
        Ok(assembly) => assembly,
        Err(refused) => return refuse(second, &refused, &names.1, second.locale, format),
    };
    let impact = impact(&before, &after, second.vocabulary());
    let absent = (matches!(names.0, Name::Revision { .. }) && first.view.index.is_empty()).then(|| {
        let root = crate::named::relative(&second.view.root, &second.here);
        if root.is_empty() { ".".to_owned() } else { root }
    });
    let compared = Compared { opened: second, before: &before, after: &after, names, impact, absent };
    match format {
        Format::Text => text::print(&compared)?,
        Format::Json => {
            if let Some(absent) = compared.absent(|name| format!("`{name}`")) {
                crate::failure::say(absent.text(second.locale));
            }
            print_json(&object(&compared))?;
        }
        Format::Markdown => markdown::print(&compared)?,
    }
    Ok(ExitCode::from(if first.unreadable || second.unreadable { WRONG_USE } else { 0 }))
}

fn refuse(
    opened: &Opened,
    refused: &promptblock_core::assemble::Refused,
    name: &Name,
    locale: Locale,
    format: Format,
) -> Result<ExitCode, Failure> {
    let report = match name {
        // As git names a file of a revision: from the top of the repository.
        Name::Revision { name, top } => {
            crate::check::report(&opened.workspace, opened.only(refused), top).of_revision(name)
        }
        _ => opened.refused(refused),
    };
    match format {
        Format::Json => return refuse_json(&report),
        Format::Markdown => markdown::print_refused(name, refused, locale)?,
        Format::Text => {
            let name = name.plain(locale);
            let what = msg!("{name}: the blocks give no prompt", "{name}：这些块无法组装成提示词");
            crate::failure::say(what.text(locale));
        }
    }
    refuse_text(&report)
}

fn object(compared: &Compared<'_>) -> serde_json::Value {
    let Compared { before, after, impact, .. } = compared;
    let mut object = json!({
        "version": 1,
        "same": impact.same,
        "firstChanged": impact.first_changed.as_deref(),
        "survives": impact.survives,
        "recomputed": impact.recomputed,
        "before": {"digest": before.digest()},
        "after": {"digest": after.digest()},
    });
    if before.tools().is_some() || after.tools().is_some() {
        object["toolsChanged"] = impact.tools_changed.into();
    }
    object
}

/// From which side to which, with names as `quoted` gives them.
fn from_to(names: &(Name, Name), quoted: impl Fn(&str) -> String) -> Message {
    let (from, to) = (names.0.shown(&quoted), names.1.shown(&quoted));
    let (en, to_en) = (from.text(Locale::En), to.text(Locale::En));
    let zh = format!("从{}到{}", spaced(from.text(Locale::ZhCn)), spaced(to.text(Locale::ZhCn)).trim_end());
    Message::new(format!("from {en} to {to_en}"), zh)
}

/// A name among Chinese words: blanks stand where its own end is not Chinese.
fn spaced(name: &str) -> String {
    let blank = |is_latin: bool| if is_latin { " " } else { "" };
    let (before, after) =
        (name.starts_with(|it: char| it.is_ascii()), name.ends_with(|it: char| it.is_ascii()));
    format!("{}{name}{}", blank(before), blank(after))
}

impl Name {
    /// In words, the name as `quoted` gives it.
    fn shown(&self, quoted: impl Fn(&str) -> String) -> Message {
        match self {
            Self::Revision { name, .. } => Message::new(quoted(name), quoted(name)),
            Self::WorkTree => msg!("the work tree", "工作区"),
            Self::Environment(name) => {
                let name = quoted(name);
                msg!("environment {name}", "环境 {name}")
            }
        }
    }

    fn plain(&self, locale: Locale) -> String {
        self.shown(|name| crate::visible::visible(name).into_owned()).text(locale).to_owned()
    }
}

/// In one word.
fn how(how: How) -> Message {
    match how {
        How::Changed => msg!("changed", "已修改"),
        How::Added => msg!("added", "新增"),
        How::Removed => msg!("removed", "已移除"),
        How::Moved => msg!("moved", "已移动"),
    }
}

/// For a block that stands in another zone than before.
fn moved(before: Option<&Part>, after: Option<&Part>) -> Option<Message> {
    between(before?.zone, after?.zone)
}

fn between(from: Zone, to: Zone) -> Option<Message> {
    let (old, new) = (from.name(), to.name());
    (from != to).then(|| msg!("moved from {old} to {new}", "从 {old} 区移到 {new} 区"))
}

/// A block that differs, in the words and figures of a table.
struct Row<'a> {
    id: &'a str,
    how: Message,
    zone: Zone,
    /// Tokens before and after.
    tokens: (Option<u64>, Option<u64>),
}

/// How many blocks are listed.
const LISTED: usize = 30;

impl Compared<'_> {
    /// Says that the revision has no blocks in that place, so that all is new; names are as `quoted` gives them.
    fn absent(&self, quoted: impl Fn(&str) -> String) -> Option<Message> {
        let Name::Revision { name, .. } = &self.names.0 else { return None };
        let (name, place) = (quoted(name), quoted(self.absent.as_deref()?));
        Some(msg!("{name} has no blocks in {place}", "{name} 的 {place} 中没有块"))
    }

    /// What became of the first block of the prefix that differs.
    fn first_changed(&self) -> Option<(&str, Message)> {
        let (id, what) = (self.impact.first_changed.as_deref()?, self.impact.how?);
        let find =
            |assembly: &'_ Assembly| assembly.parts().find(|part| part.id() == id).map(|part| part.zone);
        let zones = find(self.before).zip(find(self.after));
        Some((id, zones.and_then(|(from, to)| between(from, to)).unwrap_or_else(|| how(what))))
    }

    /// The first blocks that differ, and how many more there are.
    fn rows(&self) -> (Vec<Row<'_>>, usize) {
        let all = differences(self.before, self.after);
        let vocabulary = self.opened.vocabulary();
        let tokens = |part: Option<&Part>| part.map(|part| part.content.tokens(vocabulary));
        let more = all.len().saturating_sub(LISTED);
        let row = |Difference { how, before, after }| {
            let part = after.or(before)?;
            let how = moved(before, after).unwrap_or_else(|| self::how(how));
            Some(Row { id: part.id(), how, zone: part.zone, tokens: (tokens(before), tokens(after)) })
        };
        (all.into_iter().take(LISTED).filter_map(row).collect(), more)
    }
}
