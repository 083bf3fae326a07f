//! `promptblock assemble [PATH]`: what the model is sent.

mod json;
mod text;

use crate::failure::{Failure, WRONG_USE, say};
use crate::opened::Opened;
use crate::report::{Color, Format, Report};
use camino::Utf8PathBuf;
use clap::ValueEnum;
use promptblock_core::assemble::{
    Assembly, Change, Environment, Refused, Vocabulary, anthropic, changes, messages, openai, pin,
};
use promptblock_core::{Severity, msg};
use promptblock_workspace::FileFindings;
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// A file or folder of the project; the working directory by default.
    #[arg(default_value = ".", value_parser = crate::named::path)]
    path: Utf8PathBuf,
    /// The sample environment that gives the values.
    #[arg(long, value_name = "NAME")]
    env: Option<String>,
    /// A second environment: the system zone stays as in the first, and the contexts say what has changed.
    #[arg(long, value_name = "NAME")]
    then: Option<String>,
    /// What the user wrote; without it `{prompt}` stands in its place.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    input: Option<String>,
    /// Takes the catalog's examples for values that are missing.
    #[arg(long)]
    examples: bool,
    /// How to print it.
    #[arg(long = "as", value_enum, default_value = "text", value_name = "FORM")]
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// The messages for people.
    Text,
    /// One JSON object with all that is known.
    Json,
    /// A body for OpenAI's chat completions.
    Openai,
    /// A body for Anthropic's messages.
    Anthropic,
}

/// One assembly, ready to be printed.
struct Sheet {
    opened: Opened,
    environment: Option<Arc<Environment>>,
    assembly: Assembly,
    findings: Vec<FileFindings>,
    vocabulary: Vocabulary,
}

/// What comes of it: one assembly, or two with what changed between them.
struct Printed {
    first: Sheet,
    then: Option<(Sheet, Vec<Change>)>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let for_a_program = arguments.form != Form::Text;
    let opened = Opened::at(&arguments.path, arguments.env.as_deref(), for_a_program)?;
    opened.environment(arguments.then.as_deref())?;
    if opened.view.index.is_empty() {
        say(msg!("no blocks found here", "这里没有找到块").text(opened.locale));
    }
    let scene = opened.scene(arguments.examples);
    let input = arguments.input.as_deref();
    let assembly = match opened.assemble(&scene, input) {
        Ok(assembly) => assembly,
        Err(refused) => return refuse(&opened, &refused, arguments.form),
    };
    let then = match &arguments.then {
        Some(name) => {
            let other = Opened::at(&arguments.path, Some(name), for_a_program)?;
            let after = other.scene(arguments.examples);
            match other.assemble(&after, input) {
                Ok(then) => Some((other, after, then)),
                Err(refused) => return refuse(&other, &refused, arguments.form),
            }
        }
        None => None,
    };
    let then = then.map(|(other, after, then)| {
        let changes = changes(&assembly, &scene, &after);
        // The note is part of the prompt: it goes by the project's language, not by that of whoever looks at it.
        let locale = opened.view.config.locale.unwrap_or_default();
        (Sheet::new(other, after.environment.clone(), pin(&assembly, then, &changes, locale)), changes)
    });
    let printed = Printed { first: Sheet::new(opened, scene.environment.clone(), assembly), then };
    printed.print(arguments.form)
}

/// Says why there is no assembly.
pub(crate) fn refuse_text(report: &Report<'_>) -> Result<ExitCode, Failure> {
    Format::Text.print(report, Color::Never, &mut std::io::stderr().lock())?;
    Ok(ExitCode::from(1))
}

/// Says why there is no assembly, as JSON.
pub(crate) fn refuse_json(report: &Report<'_>) -> Result<ExitCode, Failure> {
    let object = serde_json::json!({"version": 1, "refused": crate::report::json::diagnostics(report)});
    print_json(&object)?;
    Ok(ExitCode::from(1))
}

fn refuse(opened: &Opened, refused: &Refused, form: Form) -> Result<ExitCode, Failure> {
    let report = opened.refused(refused);
    if form == Form::Json {
        return refuse_json(&report);
    }
    let what = msg!("nothing was assembled: the blocks give no prompt", "未组装：这些块无法组装成提示词");
    say(what.text(opened.locale));
    refuse_text(&report)
}

/// Prints one JSON object on standard output.
pub(crate) fn print_json(object: &serde_json::Value) -> Result<(), Failure> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    serde_json::to_writer_pretty(&mut out, object).map_err(std::io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

impl Sheet {
    fn new(opened: Opened, environment: Option<Arc<Environment>>, assembly: Assembly) -> Self {
        let findings = opened.findings(&assembly.findings);
        let vocabulary = opened.vocabulary();
        Self { opened, environment, assembly, findings, vocabulary }
    }

    fn has_errors(&self) -> bool {
        let mut all = self.findings.iter().flat_map(|found| &found.diagnostics);
        all.any(|finding| finding.severity == Severity::Error)
    }
}

impl Printed {
    fn print(&self, form: Form) -> Result<ExitCode, Failure> {
        let last = self.then.as_ref().map_or(&self.first, |(then, _)| then);
        match form {
            Form::Json => print_json(&json::object(self))?,
            Form::Openai => {
                print_json(&openai(
                    &messages(&last.assembly),
                    last.assembly.tools(),
                    &last.assembly.digest(),
                ))?;
            }
            Form::Anthropic => {
                let messages = messages(&last.assembly);
                print_json(&anthropic(&messages, last.assembly.tools()))?;
                text::say_silence(&messages, last.opened.locale);
            }
            Form::Text => text::print(self)?,
        }
        let all = || [Some(&self.first), self.then.as_ref().map(|(then, _)| then)].into_iter().flatten();
        if form != Form::Json {
            text::say_findings(last)?;
        }
        Ok(ExitCode::from(match (all().any(|sheet| sheet.opened.unreadable), all().any(Sheet::has_errors)) {
            (true, _) => WRONG_USE,
            (false, true) => 1,
            (false, false) => 0,
        }))
    }
}
