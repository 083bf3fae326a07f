//! The command line. Each command is one file; `lsp` starts the language server.

mod assemble;
mod catalog;
mod check;
mod completions;
mod diff;
mod doctor;
mod explain;
mod failure;
mod fix;
mod fmt;
mod git;
mod help;
mod init;
mod lsp;
mod named;
mod opened;
mod progress;
mod replace;
mod report;
mod schema;
mod surroundings;
mod table;
mod tokens;
mod visible;
mod wrong_use;

use crate::failure::Failure;
use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::process::ExitCode;

/// Checks prompt blocks, and serves them to an editor.
#[derive(Parser)]
#[command(name = "promptblock", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Prints every diagnostic of the blocks, catalogs, environments and configurations below the paths.
    Check(check::Arguments),
    /// Formats blocks: keys in their order, single blanks in tags; nothing that is rendered changes.
    Fmt(fmt::Arguments),
    /// Prints what the model is sent: the blocks assembled in an environment.
    Assemble(assemble::Arguments),
    /// Prints what a change costs: how much of the cached prefix survives it, and how much is computed anew.
    Diff(diff::Arguments),
    /// Prints the tokens of the assembled prompt, by zone and by block.
    Tokens(tokens::Arguments),
    /// Prints every variable: its layer, where it is defined, how often it is used.
    Catalog(catalog::Arguments),
    /// Explains a diagnostic code: what it says, what it costs, how to get rid of it.
    Explain(explain::Arguments),
    /// Begins a project: configuration, catalog, environment and one block, never over a file that is there.
    Init(init::Arguments),
    /// Says what was found and from where: project, configuration, catalogs, environments, versions.
    Doctor(doctor::Arguments),
    /// Prints the JSON Schema of a catalog, an environment file or a configuration.
    Schema(schema::Arguments),
    /// Prints a script that lets a shell complete commands and options.
    Completions(completions::Arguments),
    /// Starts the language server on standard input and output.
    Lsp(lsp::Arguments),
}

fn main() -> ExitCode {
    let command = help::in_language(Arguments::command(), surroundings::of_system());
    let matches = command.try_get_matches();
    let arguments = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        // `--help` and `--version` are no errors; no argument at all is, and gets the help too.
        Err(error)
            if !error.use_stderr() || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand =>
        {
            let status = if error.use_stderr() { 2 } else { 0 };
            return match error.print() {
                Ok(()) => ExitCode::from(status),
                Err(error) => Failure::from(error).print(),
            };
        }
        Err(error) => {
            return Failure::new(wrong_use::message(&error).text(surroundings::of_system())).print();
        }
    };
    let result = match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::Assemble(arguments) => assemble::run(&arguments),
        Command::Diff(arguments) => diff::run(&arguments),
        Command::Tokens(arguments) => tokens::run(&arguments),
        Command::Catalog(arguments) => catalog::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Init(arguments) => init::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Schema(arguments) => schema::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, Arguments::command()),
        Command::Lsp(arguments) => return lsp::run(arguments),
    };
    result.unwrap_or_else(|failure| failure.print())
}
