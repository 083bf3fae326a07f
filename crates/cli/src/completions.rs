//! `promptblock completions SHELL`.

use crate::failure::Failure;
use clap_complete::Shell;
use std::io::Write;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The shell that is to complete.
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments, mut command: clap::Command) -> Result<ExitCode, Failure> {
    let name = command.get_name().to_owned();
    // Into memory first: the generator panics where the reader of a pipe has gone.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, name, &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
