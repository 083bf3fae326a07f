//! `promptblock check [PATH…]`: every finding below the paths, judged with the whole projects they lie in.

use crate::failure::{Failure, WRONG_USE, say};
use crate::progress::ProgressLine;
use crate::report::{Format, Report, Summary};
use crate::surroundings;
use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueEnum;
use promptblock_core::{Message, Severity, msg};
use promptblock_workspace::{FileFindings, FileKind, Options, Workspace, project_above};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Read, Write};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files and folders to check; the working directory by default.
    paths: Vec<Utf8PathBuf>,
    /// How to print the findings.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Does every fix that is safe, and prints what remains.
    #[arg(long, conflicts_with = "stdin")]
    fix: bool,
    /// The least severity that makes the exit status 1.
    #[arg(long, value_enum, default_value = "error", value_name = "SEVERITY")]
    fail_on: FailOn,
    /// The sample environment in which `when` predicates are judged.
    #[arg(long, value_name = "NAME")]
    env: Option<String>,
    /// Takes the text of one file from standard input.
    #[arg(long, requires = "stdin_path", conflicts_with = "paths")]
    stdin: bool,
    /// The path that the text of `--stdin` is judged as.
    #[arg(long, value_name = "PATH", requires = "stdin")]
    stdin_path: Option<Utf8PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    Error,
    Warning,
    Information,
    Hint,
    Never,
}

impl FailOn {
    fn fails(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warning => severity >= Severity::Warning,
            Self::Information => severity >= Severity::Information,
            Self::Hint => true,
            Self::Never => false,
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let here = Utf8PathBuf::from_path_buf(std::env::current_dir()?)
        .map_err(|path| Failure::new(format!("the working directory {} is not UTF-8", path.display())))?;
    let workspace = Workspace::new(Options {
        user_folder: surroundings::user_folder(),
        environment: arguments.env.clone(),
    });
    let mut unreadable = false;
    let mut named: Vec<Utf8PathBuf> = Vec::new();

    if let (true, Some(path)) = (arguments.stdin, &arguments.stdin_path) {
        let path = Workspace::absolute(path, &here);
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Failure::new(format!("standard input is not UTF-8: byte {at} fits no character"))
        })?;
        let folder = path.parent().unwrap_or(&here);
        if path.starts_with(&here) {
            workspace.add_folder(&here);
        } else if project_above(folder).is_some() {
            workspace.add_folder(folder);
        }
        // Outside of any project it is judged alone.
        workspace.open(&path, 0, &text);
        named.push(path);
    } else {
        let given =
            if arguments.paths.is_empty() { vec![Utf8PathBuf::from(".")] } else { arguments.paths.clone() };
        for path in given {
            let full = Workspace::absolute(&path, &here);
            match std::fs::metadata(&full) {
                Ok(meta) => {
                    let folder = if meta.is_dir() { &full } else { full.parent().unwrap_or(&full) };
                    workspace.add_folder(if full.starts_with(&here) { &here } else { folder });
                    named.push(full);
                }
                Err(error) => {
                    unreadable = true;
                    say(format!(
                        "{path}: {}",
                        promptblock_workspace::ReadError::from(error)
                            .message()
                            .text(surroundings::of_system())
                    ));
                }
            }
        }
    }
    let for_a_program = arguments.format != Format::Text;
    let mut line = ProgressLine::new(for_a_program && std::io::stdout().is_terminal());
    if !named.is_empty() {
        workspace.load(&|progress| line.update(progress), &AtomicBool::new(false));
        for path in named.iter().filter(|path| path.is_file() || arguments.stdin) {
            match workspace.kind(path) {
                FileKind::Block => workspace.add_file(path),
                FileKind::Catalog | FileKind::Environments | FileKind::Config => {}
                FileKind::Other => {
                    unreadable = true;
                    line.clear();
                    let what = msg!(
                        "neither a block (`*.promptblock`) nor a file of a project",
                        "既不是块（`*.promptblock`），也不是项目文件"
                    );
                    say(format!("{}: {}", relative(path, &here), what.text(surroundings::of_system())));
                }
            }
        }
    }
    workspace.refresh();
    line.clear();
    check_environment(arguments, &workspace)?;

    let is_named = |path: &Utf8Path| named.iter().any(|named| path.starts_with(named));
    if arguments.fix {
        unreadable |= !fix(&workspace, &is_named, &here);
    }
    for (path, error) in workspace.unreadable() {
        if is_named(&path) || path.file_name().is_some_and(|name| name.starts_with("promptblock.")) {
            unreadable = true;
            say(format!("{}: {}", relative(&path, &here), error.message().text(surroundings::of_system())));
        }
    }
    for path in workspace.block_folders().iter().filter(|path| is_named(path)) {
        let what = msg!("is a folder, not a block file", "是文件夹，不是块文件");
        say(format!("{}: {}", relative(path, &here), what.text(surroundings::of_system())));
    }
    let findings: Vec<FileFindings> =
        workspace.all_findings().into_iter().filter(|found| is_named(&found.path)).collect();
    let failed =
        findings.iter().flat_map(|found| &found.diagnostics).any(|d| arguments.fail_on.fails(d.severity));
    let report = report(&workspace, findings, &here);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    arguments.format.print(&report, &mut out)?;
    out.flush()?;
    Ok(ExitCode::from(match (unreadable, failed) {
        (true, _) => WRONG_USE,
        (false, true) => 1,
        (false, false) => 0,
    }))
}

/// Fixes what is safe, and says how much that was. `false` where a file could not be written.
fn fix(workspace: &Workspace, is_named: &dyn Fn(&Utf8Path) -> bool, here: &Utf8Path) -> bool {
    let locale = surroundings::of_system();
    let outcome = crate::fix::fix(workspace, is_named);
    for (path, why) in &outcome.failed {
        say(format!("{}: {}", relative(path, here), why.text(locale)));
    }
    let (fixed, files) = (outcome.fixed, outcome.files);
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let said = Message::new(
        format!("{fixed} finding{} fixed in {files} file{}", plural(fixed), plural(files)),
        format!("已修复 {files} 个文件中的 {fixed} 处"),
    );
    say(said.text(locale));
    outcome.failed.is_empty()
}

/// An environment that no project has is wrong use.
fn check_environment(arguments: &Arguments, workspace: &Workspace) -> Result<(), Failure> {
    let Some(name) = &arguments.env else { return Ok(()) };
    let projects = workspace.projects();
    if projects.iter().any(|project| project.environments.named(name).is_some()) {
        return Ok(());
    }
    let known: Vec<_> =
        projects.iter().flat_map(|it| &it.environments.0).map(|it| it.name.to_string()).collect();
    let (en, zh) = (known.join(", "), known.join("、"));
    let message = if known.is_empty() {
        msg!("no environment `{name}`; there are none", "没有环境 `{name}`；此项目没有任何环境")
    } else {
        Message::new(
            format!("no environment `{name}`; known: {en}"),
            format!("没有环境 `{name}`；已有：{zh}"),
        )
    };
    Err(Failure::new(message.text(surroundings::of_system())))
}

fn report(workspace: &Workspace, findings: Vec<FileFindings>, here: &Utf8Path) -> Report {
    let mut summary = Summary { files: findings.len(), ..Summary::default() };
    let mut locales = BTreeMap::new();
    for found in &findings {
        summary.blocks += usize::from(workspace.kind(&found.path) == FileKind::Block);
        for diagnostic in &found.diagnostics {
            *summary.count(diagnostic.severity) += 1;
        }
        let project = workspace.project_view(&found.path);
        locales.insert(found.file, surroundings::of_project(Some(&project)));
    }
    let related: BTreeMap<_, _> = findings
        .iter()
        .flat_map(|found| &found.diagnostics)
        .flat_map(|diagnostic| &diagnostic.related)
        .filter_map(|related| related.file)
        .map(|file| (file, (relative(&workspace.path(file), here), workspace.text(file))))
        .collect();
    let files = findings
        .into_iter()
        .map(|found| {
            let locale = locales.get(&found.file).copied().unwrap_or_default();
            // Read and judged again for its fixes: only where there is something to fix.
            let snapshot = (!found.diagnostics.is_empty()).then(|| workspace.snapshot(&found.path)).flatten();
            (relative(&found.path, here), locale, found, snapshot.and_then(|snapshot| snapshot.document))
        })
        .collect();
    Report { files, related, summary }
}

/// The path as printed: from the working directory, with `/`.
fn relative(path: &Utf8Path, here: &Utf8Path) -> String {
    let mut up = String::new();
    let slashes = |path: &Utf8Path| path.components().map(|part| part.as_str()).collect::<Vec<_>>().join("/");
    for above in here.ancestors() {
        if let Ok(inside) = path.strip_prefix(above) {
            return format!("{up}{}", slashes(inside));
        }
        up.push_str("../");
    }
    path.to_string()
}
