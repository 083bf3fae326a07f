//! A line on standard error that says how far a long reading has come. It is for a person at a terminal, and it is
//! gone before anything else is printed.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use promptblock_core::msg;
use promptblock_workspace::Progress;
use std::env::var_os;
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What ends sooner needs no line.
const PATIENCE: Duration = Duration::from_millis(500);
/// Between two turns of the spinner.
const TICK: Duration = Duration::from_millis(100);

/// The line; it comes by itself when the work takes long.
pub(crate) struct ProgressLine(Option<Line>);

struct Line {
    bar: ProgressBar,
    done: Sender<()>,
    waiter: JoinHandle<()>,
}

impl ProgressLine {
    /// What is printed for a program must stay alone where it goes to a terminal.
    pub(crate) fn new(for_a_program: bool) -> Self {
        let mixes = for_a_program && std::io::stdout().is_terminal();
        let set = |name: &str| var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = var_os("TERM").is_some_and(|term| term == "dumb");
        if mixes || dumb || set("CI") || !std::io::stderr().is_terminal() {
            return Self(None);
        }
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style.tick_chars("|/-\\ "));
        let locale = crate::surroundings::of_system();
        bar.set_message(msg!("looking for blocks", "正在查找块").text(locale).to_owned());
        let (done, wait) = channel();
        let shown = bar.clone();
        let waiter = thread::spawn(move || {
            if wait.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        });
        Self(Some(Line { bar, done, waiter }))
    }

    /// How far the reading has come. May be called from any thread.
    pub(crate) fn update(&self, progress: Progress) {
        let Some(Line { bar, .. }) = &self.0 else { return };
        let Progress { done, total } = progress;
        let message = msg!("reading blocks: {done} of {total}", "正在读取块：{done}/{total}");
        bar.set_message(message.text(crate::surroundings::of_system()).to_owned());
    }

    /// Takes the line off the screen for good.
    pub(crate) fn clear(&mut self) {
        if let Some(Line { bar, done, waiter }) = self.0.take() {
            drop(done);
            // Else the line could come after it was cleared.
            let _ = waiter.join();
            bar.finish_and_clear();
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}
