//! `promptblock explain CODE`.

use crate::failure::Failure;
use crate::surroundings;
use promptblock_core::nearest::nearest;
use promptblock_core::{Code, Locale};
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
            write!(out, "{}", code.explanation(locale))?;
            Ok(ExitCode::SUCCESS)
        }
        None => {
            let near = nearest(name, Code::ALL.iter().map(|code| code.name())).question();
            let all = "`promptblock explain` lists them all";
            Err(Failure::new(match locale {
                Locale::En => format!("no diagnostic code `{name}`{}; {all}", near.text(locale)),
                Locale::ZhCn => {
                    format!("没有诊断码 `{name}`{}；`promptblock explain` 可列出全部", near.text(locale))
                }
            }))
        }
    }
}
