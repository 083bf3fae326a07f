//! What ends a command early: wrong use or unreadable input, one clear line on standard error, exit status 2.

use std::fmt::Display;
use std::io::Write;
use std::process::ExitCode;

/// Exit status for wrong use or unreadable input.
pub(crate) const WRONG_USE: u8 = 2;

/// A reason to stop.
pub(crate) struct Failure {
    text: String,
    quiet: bool,
}

impl Failure {
    /// With one line for a person.
    pub(crate) fn new(text: impl Display) -> Self {
        Self { text: text.to_string(), quiet: false }
    }

    /// Says it, and gives the exit status.
    pub(crate) fn print(&self) -> ExitCode {
        if !self.quiet {
            say(&self.text);
        }
        ExitCode::from(if self.quiet { 0 } else { WRONG_USE })
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        // Whoever reads the output has seen enough (`promptblock check | head`).
        let quiet = error.kind() == std::io::ErrorKind::BrokenPipe;
        Self { text: error.to_string(), quiet }
    }
}

/// One line on standard error. There is nobody to tell where that fails.
pub(crate) fn say(text: impl Display) {
    let text = text.to_string();
    let _ = writeln!(std::io::stderr(), "promptblock: {}", crate::visible::visible(&text));
}
