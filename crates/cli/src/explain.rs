//! `promptblock explain CODE`.

use crate::failure::Failure;
use crate::surroundings;
use promptblock_core::nearest::nearest;
use promptblock_core::{Code, Locale, Message};
use std::io::Write;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The code, e.g. `mutable-in-system`; without one, a table of all codes.
    code: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut out = std::io::stdout().lock();
    let locale = surroundings::of_system();
    let Some(name) = &arguments.code else {
        for code in Code::ALL {
            writeln!(out, "{:<24} {:<12} {}", code.name(), code.severity().name(), code.summary(locale))?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    match Code::from_name(name) {
        Some(code) => {
            write!(out, "{}", code.page(locale))?;
            Ok(ExitCode::SUCCESS)
        }
        None if name.trim().is_empty() => {
            let message = promptblock_core::msg!(
                "<CODE> is empty (`promptblock explain` lists them all)",
                "<CODE> 为空（`promptblock explain` 可列出全部）"
            );
            Err(Failure::new(message.text(locale)))
        }
        None => {
            let near = nearest(name, Code::ALL.iter().map(|code| code.name())).question();
            let (en, zh) = (near.text(Locale::En), near.text(Locale::ZhCn));
            let message = Message::new(
                format!("no diagnostic code `{name}`{en} (`promptblock explain` lists them all)"),
                format!("没有诊断码 `{name}`{zh}（`promptblock explain` 可列出全部）"),
            );
            Err(Failure::new(message.text(locale)))
        }
    }
}
