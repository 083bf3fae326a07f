//! `promptblock check [PATH…]`: every finding below the paths, judged with the whole projects they lie in.

use crate::failure::{Failure, WRONG_USE, say};
use crate::named::{Named, relative};
use crate::opened;
use crate::progress::ProgressLine;
use crate::report::{Checked, Color, Format, Report, Summary};
use crate::surroundings;
use camino::{Utf8Path, Utf8PathBuf};
use clap::ValueEnum;
use promptblock_core::{Message, Severity};
use promptblock_workspace::{FileFindings, Workspace};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Files and folders to check; the working directory by default.
    #[arg(value_parser = crate::named::path)]
    paths: Vec<Utf8PathBuf>,
    /// How to print the findings.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// When to print in colour.
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN")]
    color: Color,
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
    #[arg(long, value_name = "PATH", requires = "stdin", value_parser = crate::named::path)]
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
    let for_a_program = arguments.format != Format::Text;
    let mut line = ProgressLine::new(for_a_program);
    let environment = arguments.env.clone();
    let mut named = match (arguments.stdin, &arguments.stdin_path) {
        (true, Some(path)) => Named::standard_input(path, environment, &mut line)?,
        _ => Named::paths(&arguments.paths, environment, &mut line)?,
    };
    opened::check_environment(arguments.env.as_deref(), &named.workspace)?;
    let unwritten = arguments.fix && !fix(&named);
    named.say_unreadable();
    let Named { workspace, here, unreadable, .. } = &named;
    let findings: Vec<FileFindings> =
        workspace.all_findings().into_iter().filter(|found| named.holds(&found.path)).collect();
    let failed =
        findings.iter().flat_map(|found| &found.diagnostics).any(|d| arguments.fail_on.fails(d.severity));
    let complete = unreadable.is_empty() && !unwritten;
    let report = Report { unreadable, complete, ..report(workspace, findings, here) };
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    arguments.format.print(&report, arguments.color, &mut out)?;
    out.flush()?;
    Ok(ExitCode::from(match (complete, failed) {
        (false, _) => WRONG_USE,
        (true, true) => 1,
        (true, false) => 0,
    }))
}

/// Fixes what is safe, and says how much that was. `false` where a file could not be written.
fn fix(named: &Named) -> bool {
    let locale = surroundings::of_system();
    let outcome = crate::fix::fix(&named.workspace, &|path| named.holds(path));
    for (path, why) in &outcome.failed {
        say(format!("{}: {}", relative(path, &named.here), why.text(locale)));
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

/// What is printed of findings.
pub(crate) fn report<'w>(
    workspace: &'w Workspace,
    findings: Vec<FileFindings>,
    here: &'w Utf8Path,
) -> Report<'w> {
    let mut summary = Summary { files: findings.len(), ..Summary::default() };
    let mut locales = BTreeMap::new();
    for found in &findings {
        summary.blocks += workspace.block_count(found.file);
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
    let mut files: Vec<_> = findings
        .into_iter()
        .map(|found| {
            let locale = locales.get(&found.file).copied().unwrap_or_default();
            // Read and judged again for its fixes: only where there is something to fix.
            let snapshot = (!found.diagnostics.is_empty()).then(|| workspace.snapshot(&found.path)).flatten();
            Checked { path: relative(&found.path, here), locale, found, snapshot }
        })
        .collect();
    // As they are printed: `../z` comes before `a`, though its folder does not.
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Report { files, related, summary, fixes: workspace.fixes(), here, unreadable: &[], complete: true }
}
