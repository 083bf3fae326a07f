//! One variable of the catalog.

use crate::block::Zone;
use crate::diagnostic::FileId;
use crate::span::Span;
use crate::syntax::Condition;
use std::sync::Arc;

/// Whether a variable's value changes within a session. [S0]
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Mutability {
    /// It does not.
    #[default]
    No,
    /// It does.
    Yes,
    /// It does where the predicate is true in the environment.
    When(Arc<Condition>),
    /// Nobody can say: the predicate could not be read.
    Unknown,
}

/// The declared type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    /// `text`
    Text,
    /// `number`
    Number,
    /// `boolean`
    Boolean,
    /// `list`
    List,
}

impl ValueType {
    /// Every type.
    pub const ALL: [ValueType; 4] = [Self::Text, Self::Number, Self::Boolean, Self::List];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::List => "list",
        }
    }
}

/// One declared argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Argument {
    /// Its name, for people.
    pub name: Arc<str>,
    /// What it is.
    pub description: Option<Arc<str>>,
    /// Whether it may be left out.
    pub optional: bool,
}

/// Which layer of the catalog an entry comes from; the later wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Layer {
    /// `prompt`. [S0]
    BuiltIn,
    /// The user's own catalog.
    User,
    /// Registered in source code.
    Source,
    /// The project's catalogs.
    Project,
    /// `promptblock.catalog.local.json`. [S3]
    Local,
}

/// Where an entry stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The catalog file.
    pub file: FileId,
    /// The key, quotes included.
    pub key: Span,
    /// Key and value.
    pub entry: Span,
}

/// A registered variable. [S0]
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Its name, as written in a tag.
    pub name: Arc<str>,
    /// What it is.
    pub description: Option<Arc<str>>,
    /// Whether its value changes.
    pub mutable: Mutability,
    /// Where it may be used; everywhere if `None`.
    pub zones: Option<Vec<Zone>>,
    /// Its arguments, optional ones last.
    pub args: Vec<Argument>,
    /// Whether the arguments are known: source code may compute them.
    pub args_known: bool,
    /// Whether it is said that it changes or does not: a registration of the harness says nothing of it. [S1]
    pub mutable_known: bool,
    /// The declared type, if any.
    pub value_type: Option<ValueType>,
    /// A value to show, as JSON.
    pub example: Option<serde_json::Value>,
    /// Which plugin provides it.
    pub plugin: Option<Arc<str>>,
    /// Its layer.
    pub layer: Layer,
    /// Where it is defined; nowhere for what is built in.
    pub definition: Option<Definition>,
    /// The entry of an earlier layer that this one replaces.
    pub shadows: Option<Arc<Variable>>,
}

impl Variable {
    /// Whether the two give the same verdicts. Where they are defined does not matter for that: an entry that grows by a line moves
    /// all behind it.
    pub fn judges_like(&self, other: &Self) -> bool {
        let without_place = |variable: &Self| Self { definition: None, shadows: None, ..variable.clone() };
        without_place(self) == without_place(other)
    }

    /// A variable of that name with every field at its default.
    pub fn named(name: impl Into<Arc<str>>, layer: Layer) -> Self {
        Self {
            name: name.into(),
            description: None,
            mutable: Mutability::No,
            zones: None,
            args: Vec::new(),
            args_known: true,
            mutable_known: true,
            value_type: None,
            example: None,
            plugin: None,
            layer,
            definition: None,
            shadows: None,
        }
    }

    /// The user's input, known everywhere, allowed in the input zone. [S0]
    pub fn prompt() -> Self {
        Self {
            description: Some("the user's input / 用户的原始输入".into()),
            mutable: Mutability::Yes,
            zones: Some(vec![Zone::Input]),
            ..Self::named("prompt", Layer::BuiltIn)
        }
    }

    /// Whether it may be used in `zone`.
    pub fn allowed_in(&self, zone: Zone) -> bool {
        self.zones.as_ref().is_none_or(|zones| zones.contains(&zone))
    }

    /// The least and the greatest number of arguments.
    pub fn arity(&self) -> (usize, usize) {
        (self.args.iter().filter(|arg| !arg.optional).count(), self.args.len())
    }
}
