//! `promptblock.env.json`: named sample environments. [S0]

mod reader;

#[cfg(test)]
mod tests;

pub use reader::parse_environments;

use crate::span::Span;
use serde_json::Value;
use std::sync::Arc;

/// One environment, `extends` resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Environment {
    /// Its name.
    pub name: Arc<str>,
    /// Its key in the file, quotes included.
    pub key: Span,
    /// Top-level fields, `extra` among them.
    pub fields: serde_json::Map<String, Value>,
}

impl Environment {
    /// The value of a field: top level, then `extra`; `null` is missing.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let given = |value: &&Value| !value.is_null();
        let extra = || self.fields.get("extra")?.as_object()?.get(name).filter(given);
        self.fields.get(name).filter(given).or_else(extra)
    }
}

/// Every environment of the file, in its order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Environments(pub Vec<Arc<Environment>>);

impl Environments {
    /// The environment of that name.
    pub fn named(&self, name: &str) -> Option<&Arc<Environment>> {
        self.0.iter().find(|environment| &*environment.name == name)
    }

    /// The one to judge in: `name` if given, else the only one there is.
    pub fn choose(&self, name: Option<&str>) -> Option<&Arc<Environment>> {
        match (name, self.0.as_slice()) {
            (Some(name), _) => self.named(name),
            (None, [only]) => Some(only),
            (None, _) => None,
        }
    }

    /// Why [`Environments::choose`] gives none; of no meaning where it gives one.
    pub fn lack(&self, name: Option<&str>) -> NoEnvironment {
        match name {
            _ if self.0.is_empty() => NoEnvironment::NoneThere,
            Some(name) => NoEnvironment::Unknown(name.into()),
            None => NoEnvironment::NoneChosen,
        }
    }
}

/// Why there is no environment to judge in.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum NoEnvironment {
    /// The project has no sample environment.
    #[default]
    NoneThere,
    /// It has several, and nobody says which one.
    NoneChosen,
    /// The one that is asked for does not exist.
    Unknown(Arc<str>),
}
