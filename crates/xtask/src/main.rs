//! The project's own commands, `cargo xtask …`. Rust and nothing else is needed to start them; what they
//! need besides they install into a cache.

mod bench;
mod cases;
mod dist;
mod grammars;
mod test;
mod tools;
mod try_it;

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::tools::Project;

const HELP: &str = "\
cargo xtask COMMAND

  try [code|nvim|print]    build the server and open the example project in the editor found:
                           VS Code, else Neovim; without either, or without a terminal, print the findings
  test [--quick] [STEP…]   run everything, installing what it needs first; --quick leaves the editors out;
                           with names, only the steps whose name holds one of them
  cases [--bless]          run the given cases against tests/cases/not-yet.txt; --bless takes names out of
                           that list that pass now (it never adds any)
  grammars                 generate the parsers anew and copy the queries to where the editors want them
  docs                     write docs/diagnostics.md and its translation anew
  dist                     release binary, VS Code extension and Neovim plugin into target/dist
  bench [ARG…]             run the benchmarks, then print their figures as one table
";

fn main() -> ExitCode {
    match run(&std::env::args().skip(1).collect::<Vec<_>>()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The test that holds the pages to the registry writes them.
fn docs(project: &Project) -> Result<()> {
    project.cargo(&["build", "--locked", "--package", "promptblock"]).run()?;
    let test = project.cargo(&["test", "--quiet", "--locked", "--package", "promptblock-tests"]);
    test.args(&["--test", "reference"]).env("UPDATE_EXPECT", "1").run()
}

/// `false`: it ran, and something did not pass.
fn run(arguments: &[String]) -> Result<bool> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let Some((&command, rest)) = arguments.split_first() else {
        print!("{HELP}");
        return Ok(true);
    };
    let project = Project::find()?;
    match (command, rest) {
        ("try", _) => try_it::run(&project, rest).map(|()| true),
        ("test", _) => test::run(&project, rest),
        ("cases", []) => cases::run(&project, false).map(|()| true),
        ("cases", ["--bless"]) => cases::run(&project, true).map(|()| true),
        ("grammars", []) => grammars::update(&project).map(|()| true),
        ("docs", []) => docs(&project).map(|()| true),
        ("dist", []) => dist::run(&project).map(|()| true),
        ("bench", _) => bench::run(&project, rest).map(|()| true),
        ("help" | "--help" | "-h", _) => {
            print!("{HELP}");
            Ok(true)
        }
        _ => bail!("no such command: {}\n\n{HELP}", arguments.join(" ")),
    }
}
