//! `promptblock lsp`.

use crate::surroundings;
use promptblock_server::Start;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What to log on standard error: `error`, `warn`, `info`, `debug`, `trace`, or by part (`promptblock_server=debug`).
    #[arg(long, value_name = "FILTER")]
    log: Option<String>,
    /// Taken and ignored, since many clients pass it: standard input and output are the only transport.
    #[arg(long, hide = true)]
    stdio: bool,
}

pub(crate) fn run(arguments: Arguments) -> ExitCode {
    let Arguments { log, stdio: _ } = arguments;
    let workspace = surroundings::options(None);
    promptblock_server::run_with(Start { log, workspace })
}
