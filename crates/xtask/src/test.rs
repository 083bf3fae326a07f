//! `cargo xtask test`: every check of the project, one after the other. A failed one does not stop the next,
//! so that one run shows all that is wrong.

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Result, bail, ensure};

use crate::tools::Project;
use crate::{cases, dist, grammars};

struct Step {
    name: &'static str,
    /// Runs the real binary; without it there is nothing to try.
    needs_server: bool,
    /// In a real editor: left out by `--quick`.
    editor: bool,
    run: fn(&Project) -> Result<()>,
}

const SERVER: &str = "server";

const fn step(name: &'static str, run: fn(&Project) -> Result<()>) -> Step {
    Step { name, needs_server: false, editor: false, run }
}

const fn with_server(name: &'static str, run: fn(&Project) -> Result<()>) -> Step {
    Step { name, needs_server: true, editor: false, run }
}

const fn in_editor(name: &'static str, run: fn(&Project) -> Result<()>) -> Step {
    Step { name, needs_server: true, editor: true, run }
}

/// In this order: what is quick and what others need comes first.
const STEPS: &[Step] = &[
    step("format", |project| project.cargo(&["fmt", "--all", "--check"]).run()),
    step("clippy", |project| {
        let lint = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
        project.cargo(&lint).run()
    }),
    step("rustdoc", |project| {
        let doc = project.cargo(&["doc", "--workspace", "--no-deps", "--locked"]);
        doc.env("RUSTDOCFLAGS", "-D warnings").run()
    }),
    step(SERVER, Project::build_server),
    with_server("cargo test", |project| {
        let tests = project.cargo(&["test", "--workspace", "--locked"]);
        tests.env("PROMPTBLOCK", project.server()).run()
    }),
    with_server("given cases", |project| cases::run(project, false)),
    step("query copies", grammars::check_copies),
    step("grammar prompt-template", |project| grammars::test(project, grammars::TEMPLATE)),
    step("grammar promptblock", |project| grammars::test(project, grammars::BLOCK)),
    step("TextMate grammar", |project| project.npm("syntax/textmate", &["test"])),
    step("JSON Schemas", |project| project.npm("syntax/schemas", &["test"])),
    step("VS Code extension", |project| project.npm("editors/vscode", &["check", "build", "test"])),
    with_server("VS Code package", |project| dist::vsix(project).map(|_| ())),
    with_server("files for CI", |project| scripts(project, "ci")),
    with_server("bodies for providers", bodies),
    with_server("tokens as tiktoken counts them", |project| scripts(project, "tokens")),
    in_editor("VS Code", |project| scripts(project, "vscode")),
    in_editor("Neovim", |project| scripts(project, "neovim")),
    in_editor("Neovim package", dist::try_neovim),
    in_editor("Emacs", |project| scripts(project, "emacs")),
];

/// What `assemble` prints for the providers, against the types of their packages.
fn bodies(project: &Project) -> Result<()> {
    project.npm_install("tests/bodies")?;
    let run = project.run("node").arg("test.mjs").dir(&project.path("tests/bodies"));
    run.env("PROMPTBLOCK", project.server()).run()
}

/// The scripts of tests that stand outside Cargo: one installs, one runs.
fn scripts(project: &Project, name: &str) -> Result<()> {
    for script in ["setup.sh", "run.sh"] {
        let path = project.path("tests").join(name).join(script);
        ensure!(path.exists(), "{} is missing", path.display());
        let run = project.run("bash").arg(&path);
        run.env("PROMPTBLOCK", project.server()).env("PROMPTBLOCK_BINARY", project.server()).run()?;
    }
    Ok(())
}

enum Outcome {
    Passed,
    Failed(String),
}

/// Runs the steps; true if all passed.
pub(crate) fn run(project: &Project, arguments: &[&str]) -> Result<bool> {
    let (options, names): (Vec<&str>, Vec<&str>) = arguments.iter().partition(|word| word.starts_with('-'));
    let quick = options.contains(&"--quick");
    if let Some(unknown) = options.iter().find(|option| **option != "--quick") {
        bail!("no such option: {unknown}; there is --quick");
    }
    let chosen = choose(&names, quick)?;

    let mut results = Vec::new();
    let mut server_failed = false;
    for step in chosen {
        println!("\n=== {} ===", step.name);
        std::io::stdout().flush()?;
        let start = Instant::now();
        let outcome = if step.needs_server && server_failed {
            // An older binary may lie there; what it does proves nothing.
            Outcome::Failed("the server was not built".to_owned())
        } else {
            match (step.run)(project) {
                Ok(()) => Outcome::Passed,
                Err(error) => Outcome::Failed(format!("{error:#}")),
            }
        };
        if let Outcome::Failed(reason) = &outcome {
            println!("{}: {reason}", step.name);
            server_failed |= step.name == SERVER;
        }
        results.push((step.name, outcome, start.elapsed()));
    }

    let failed = results.iter().filter(|(_, outcome, _)| matches!(outcome, Outcome::Failed(_))).count();
    print!("\n{}", table(&results));
    if quick {
        let left_out: Vec<&str> = STEPS.iter().filter(|step| step.editor).map(|step| step.name).collect();
        println!("\nleft out by --quick: {}", left_out.join(", "));
    }
    println!("{} passed, {failed} failed", results.len() - failed);
    Ok(failed == 0)
}

/// The steps to run, and the server's build before any that needs it.
fn choose(names: &[&str], quick: bool) -> Result<Vec<&'static Step>> {
    let named = |step: &Step| {
        let name = step.name.to_lowercase();
        names.is_empty() || names.iter().any(|part| name.contains(&part.to_lowercase()))
    };
    if let Some(nothing) = names
        .iter()
        .find(|part| !STEPS.iter().any(|step| step.name.to_lowercase().contains(&part.to_lowercase())))
    {
        let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        bail!("no step is called {nothing}; there are: {}", known.join(", "));
    }
    let chosen = |step: &Step| named(step) && !(quick && step.editor);
    let server_needed = STEPS.iter().any(|step| chosen(step) && step.needs_server);
    Ok(STEPS.iter().filter(|step| chosen(step) || (step.name == SERVER && server_needed)).collect())
}

fn table(results: &[(&str, Outcome, Duration)]) -> String {
    let width = results.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let mut table = String::new();
    for (name, outcome, time) in results {
        let (word, reason) = match outcome {
            Outcome::Passed => ("ok", ""),
            Outcome::Failed(reason) => ("failed", reason.lines().next().unwrap_or("")),
        };
        let line = format!("{name:width$}  {word:6}  {:7.1} s  {reason}", time.as_secs_f64());
        table.push_str(line.trim_end());
        table.push('\n');
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(parts: &[&str], quick: bool) -> Vec<&'static str> {
        choose(parts, quick).unwrap().iter().map(|step| step.name).collect()
    }

    #[test]
    fn quick_leaves_out_the_editors_and_nothing_else() {
        let (all, quick) = (names(&[], false), names(&[], true));
        assert_eq!(all.len(), STEPS.len());
        let left_out: Vec<&str> = all.into_iter().filter(|name| !quick.contains(name)).collect();
        assert_eq!(left_out, ["VS Code", "Neovim", "Neovim package", "Emacs"]);
    }

    #[test]
    fn a_step_that_needs_the_server_brings_its_build() {
        assert_eq!(names(&["neovim"], false), ["server", "Neovim", "Neovim package"]);
        assert_eq!(names(&["format"], false), ["format"]);
    }

    #[test]
    fn a_name_that_means_nothing_is_refused() {
        assert!(
            choose(&["vim9"], false).is_err_and(|error| error.to_string().contains("no step is called vim9"))
        );
    }

    #[test]
    fn the_table_tells_the_first_line_of_a_reason() {
        let second = Duration::from_secs(1);
        let results =
            [("a", Outcome::Passed, second), ("long", Outcome::Failed("why\nand more".to_owned()), second)];
        assert_eq!(table(&results), "a     ok          1.0 s\nlong  failed      1.0 s  why\n");
    }
}
