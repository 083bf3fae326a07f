//! Where the values of an assembly come from: the environment, else the catalog's examples.

use super::environment::Environment;
use super::frame::Frame;
use crate::catalog::Catalog;
use serde_json::Value;
use std::sync::Arc;

/// Everything outside of a block that its rendering depends on, but for the user's input.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Two scenes of one revision give the same values.
    pub revision: u64,
    /// The sample environment, where there is one.
    pub environment: Option<Arc<Environment>>,
    /// The known variables. A name that it does not know renders as its own tag. [S0]
    pub catalog: Arc<Catalog>,
    /// Whether the catalog's examples stand in for values that are missing.
    pub examples: bool,
    /// What the messages are made by.
    pub frame: Arc<Frame>,
}

/// A value, or why there is none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Found<'s> {
    /// From the environment.
    Value(&'s Value),
    /// The catalog's example.
    Example(&'s Value),
    /// The variable has no value.
    Missing,
    /// There is no such variable.
    Unknown,
}

impl<'s> Found<'s> {
    pub(super) fn value(self) -> Option<&'s Value> {
        match self {
            Self::Value(value) | Self::Example(value) => Some(value),
            Self::Missing | Self::Unknown => None,
        }
    }
}

impl Scene {
    /// The value of a variable, asked for by the first segment of its name.
    pub fn value(&self, name: &str) -> Option<&Value> {
        self.find(name).value()
    }

    /// Whether a variable's value is the catalog's example.
    pub fn is_example(&self, name: &str) -> bool {
        matches!(self.find(name), Found::Example(_))
    }

    pub(super) fn find(&self, name: &str) -> Found<'_> {
        let variable = self.catalog.get(name);
        // Where there is no catalog at all, nothing can be said to be unknown.
        if variable.is_none() && self.catalog.is_known() {
            return Found::Unknown;
        }
        // The user's input belongs into the input zone and comes from there.
        if name == "prompt" {
            return Found::Missing;
        }
        if let Some(value) = self.environment.as_ref().and_then(|environment| environment.get(name)) {
            return Found::Value(value);
        }
        let example = variable.and_then(|variable| variable.example.as_ref());
        match example.filter(|example| self.examples && !example.is_null()) {
            Some(example) => Found::Example(example),
            None => Found::Missing,
        }
    }
}
