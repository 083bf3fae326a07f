//! `promptblock fmt [PATH…]`: formats the blocks below the paths.

use crate::failure::{Failure, WRONG_USE, say};
use crate::named::{Named, relative, standard_input};
use crate::progress::ProgressLine;
use crate::replace::replace;
use crate::surroundings;
use crate::visible::visible;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::ide::{Context, edited, formatting};
use promptblock_core::syntax::Document;
use promptblock_core::{Message, msg};
use promptblock_workspace::{FileKind, Workspace};
use std::io::Write;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files and folders to format; the working directory by default.
    #[arg(value_parser = crate::named::path)]
    paths: Vec<Utf8PathBuf>,
    /// Writes nothing, lists the files that are not formatted, and exits with 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Takes the text of one block from standard input and prints it formatted.
    #[arg(long, conflicts_with = "paths")]
    stdin: bool,
    /// The path that the text of `--stdin` belongs to: its project says which variables there are.
    #[arg(long, value_name = "PATH", requires = "stdin", value_parser = crate::named::path)]
    stdin_path: Option<Utf8PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if arguments.stdin {
        return from_standard_input(arguments);
    }
    let locale = surroundings::of_system();
    let mut line = ProgressLine::new(false);
    let mut named = Named::paths(&arguments.paths, None, &mut line)?;
    named.say_unreadable();
    let workspace = &named.workspace;
    let known = workspace
        .projects()
        .into_iter()
        .flat_map(|project| project.index.blocks().map(|(file, _)| workspace.path(file)).collect::<Vec<_>>());
    let mut blocks: Vec<Utf8PathBuf> = known.filter(|path| named.holds(path)).collect();
    blocks.sort();
    let (mut changed, mut failed) = (0_usize, !named.unreadable.is_empty());
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in &blocks {
        let shown = relative(path, &named.here);
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                failed = true;
                say(format!("{shown}: {error}"));
                continue;
            }
        };
        let Some(after) = Some(formatted(workspace, path, &text)).filter(|after| *after != text) else {
            continue;
        };
        if !arguments.check
            && let Err(why) = replace(path, &text, &after)
        {
            failed = true;
            say(format!("{shown}: {}", why.text(locale)));
            continue;
        }
        changed += 1;
        writeln!(out, "{}", visible(&shown))?;
    }
    out.flush()?;
    say(summary(arguments.check, changed, blocks.len()).text(locale));
    Ok(ExitCode::from(match (failed, arguments.check && changed > 0) {
        (true, _) => WRONG_USE,
        (false, true) => 1,
        (false, false) => 0,
    }))
}

fn summary(check: bool, changed: usize, all: usize) -> Message {
    let blocks = if all == 1 { "block" } else { "blocks" };
    let (en, zh) = if check {
        (format!("{changed} of {all} {blocks} not formatted"), format!("{all} 个块中有 {changed} 个未格式化"))
    } else {
        (format!("{changed} of {all} {blocks} formatted"), format!("已格式化 {all} 个块中的 {changed} 个"))
    };
    Message::new(en, zh)
}

fn from_standard_input(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (text, after) = match &arguments.stdin_path {
        Some(path) => {
            let mut line = ProgressLine::new(false);
            let named = Named::standard_input(path, None, &mut line)?;
            let path = named.paths.first().map_or(path.as_path(), |path| path.as_path());
            let text = named.workspace.text(named.workspace.file(path)).to_string();
            if !named.unreadable.is_empty() {
                return Ok(ExitCode::from(WRONG_USE));
            }
            if named.workspace.kind(path) != FileKind::Block {
                let what = msg!("is no block file (`*.promptblock`)", "不是块文件（`*.promptblock`）");
                return Err(Failure::new(format!(
                    "{}: {}",
                    relative(path, &named.here),
                    what.text(surroundings::of_system())
                )));
            }
            let after = formatted(&named.workspace, path, &text);
            (text, after)
        }
        None => {
            let text = standard_input()?;
            let workspace = Workspace::default();
            let after = formatted(&workspace, Utf8Path::new("/standard input.promptblock"), &text);
            (text, after)
        }
    };
    let differs = after != text;
    if !arguments.check {
        let mut out = std::io::stdout().lock();
        out.write_all(after.as_bytes())?;
        out.flush()?;
    }
    Ok(ExitCode::from(u8::from(arguments.check && differs)))
}

/// The text of a block, formatted.
fn formatted(workspace: &Workspace, path: &Utf8Path, text: &str) -> String {
    let project = workspace.project_view(path);
    let mut document = Document::new(text, project.judge.profile.clone());
    document.judge(&project.judge);
    let context = Context {
        file: workspace.file(path),
        document: &document,
        judge: &project.judge,
        index: &project.index,
        locale: surroundings::of_project(Some(&project)),
    };
    edited(text, &formatting(&context, None))
}
