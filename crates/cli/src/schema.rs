//! `promptblock schema NAME`: the JSON Schemas that the editors bring too.

use crate::failure::Failure;
use clap::ValueEnum;
use std::io::Write;
use std::process::ExitCode;

#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Which file the schema describes.
    #[arg(value_enum, value_name = "NAME")]
    name: Name,
}

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// `promptblock.catalog.json`
    Catalog,
    /// `promptblock.env.json`
    Environment,
    /// `promptblock.toml`
    Config,
    /// `promptblock.tools.json`
    Tools,
}

impl Name {
    const fn text(self) -> &'static str {
        match self {
            Self::Catalog => include_str!("../../../syntax/schemas/catalog.schema.json"),
            Self::Environment => include_str!("../../../syntax/schemas/environment.schema.json"),
            Self::Tools => include_str!("../../../syntax/schemas/tools.schema.json"),
            Self::Config => include_str!("../../../syntax/schemas/config.schema.json"),
        }
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    std::io::stdout().lock().write_all(arguments.name.text().as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
