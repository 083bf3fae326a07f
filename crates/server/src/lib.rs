//! The language server: LSP over the core.
//!
//! One thread speaks the protocol and never computes; requests compute on a pool, from a snapshot taken when they arrive;
//! findings are judged and sent by a thread of their own, woken by every change.

pub mod convert;

mod assembly;
mod capabilities;
mod diagnostics;
mod dispatch;
mod frame;
mod handlers;
mod judge;
mod legend;
mod load;
mod look;
mod outbox;
mod parent;
mod refresh;
mod registrations;
mod server;
mod settings;
mod state;
mod sync;
mod tokens;
mod transport;
mod uri;
mod wake;
mod watch;

use std::process::ExitCode;

/// How the server is started.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// What is logged to standard error, as in the environment variable `RUST_LOG`, which it beats.
    pub log: Option<String>,
    /// Where the user's own files are, and the environment to judge in.
    pub workspace: promptblock_workspace::Options,
}

/// Serves one client over standard input and output, until it says `exit`, closes its end or dies.
pub fn run_with(start: Start) -> ExitCode {
    log(start.log.as_deref());
    let workers = std::thread::available_parallelism().map_or(2, usize::from).max(2);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(workers + 2).build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            tracing::error!("cannot start: {error}");
            return ExitCode::from(2);
        }
    };
    let code = runtime
        .block_on(async { dispatch::serve(start.workspace, transport::input(), transport::output()).await });
    // What still computes computes for nobody.
    runtime.shutdown_background();
    code
}

fn log(filter: Option<&str>) {
    use tracing_subscriber::EnvFilter;
    let fallback = || EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    let (filter, wrong) = match filter.map(EnvFilter::try_new) {
        Some(Ok(filter)) => (filter, None),
        Some(Err(error)) => (fallback(), Some(error)),
        None => (fallback(), None),
    };
    // Standard output is the protocol's.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(std::io::stderr)
        .try_init();
    if let Some(error) = wrong {
        tracing::warn!("no such log filter: {error}");
    }
}
