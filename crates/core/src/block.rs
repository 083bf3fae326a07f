//! The vocabulary of a block file's header: zones, roles, and the parsed header itself.

use crate::lint::Code;
use crate::span::Span;
use serde::Deserialize;
use std::sync::Arc;

/// Where a block goes. [S0]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Zone {
    /// System message or prelude; part of the cached prefix.
    System,
    /// Context messages of the current request.
    Context,
    /// Transformation of the user's input.
    Input,
}

impl Zone {
    /// Every zone, in the order of the assembly.
    pub const ALL: [Zone; 3] = [Zone::System, Zone::Context, Zone::Input];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Context => "context",
            Self::Input => "input",
        }
    }

    /// The zone of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|zone| zone.name() == name)
    }
}

/// Whose message a system-zone block is. [S0]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// Part of the system message.
    #[default]
    System,
    /// A prelude message of the user.
    User,
    /// A prelude message of the assistant.
    Assistant,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 3] = [Role::System, Role::User, Role::Assistant];

    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
        }
    }

    /// The role of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// Whether a block is in the stable prefix; profile `zcode` only. [S4]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cache {
    /// Kept from turn to turn.
    Stable,
    /// Computed anew.
    Dynamic,
}

impl Cache {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Dynamic => "dynamic",
        }
    }
}

/// A list of blocks in which an order decides the sequence.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum List {
    /// The system text.
    System,
    /// The messages of roles user and assistant behind it.
    Prelude,
    /// The texts of the context zone.
    Contexts,
}

impl List {
    /// The list of a block; `None` for an input block, which stands in none.
    pub fn of(header: &Header) -> Option<Self> {
        match (header.zone()?, header.role()) {
            (Zone::System, Role::System) => Some(Self::System),
            (Zone::System, _) => Some(Self::Prelude),
            (Zone::Context, _) => Some(Self::Contexts),
            (Zone::Input, _) => None,
        }
    }
}

/// How much of a header there is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HeaderState {
    /// The file does not begin with a delimiter line.
    #[default]
    Missing,
    /// It begins with one, and no second one follows.
    Unclosed,
    /// Complete.
    Closed,
}

/// A valid value of a header key, with its places in the file.
#[derive(Clone, PartialEq, Debug)]
pub struct Field<T> {
    /// The value.
    pub value: T,
    /// The key's bytes.
    pub key: Span,
    /// The value's bytes, quotes included.
    pub span: Span,
}

/// Any key that stands in the header, known or not, once each.
#[derive(Clone, PartialEq, Debug)]
pub struct HeaderEntry {
    /// The key's text.
    pub name: Arc<str>,
    /// The key's bytes.
    pub key: Span,
    /// The value's bytes, quotes included; empty behind the colon where there is none.
    pub value: Span,
}

/// The header of a block file. A key is `None` where it is missing or its value is not valid. Offsets are the file's.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Header {
    /// Complete or not.
    pub state: HeaderState,
    /// From the file's start (behind a BOM) to the body's start. Empty where there is no header.
    pub span: Span,
    /// The opening `---` alone, without blanks.
    pub opening: Span,
    /// The YAML text between the delimiter lines.
    pub content: Span,
    /// The first byte of the body.
    pub body: u32,
    /// Every key in the order of the file.
    pub entries: Vec<HeaderEntry>,
    /// Unique name of the block.
    pub id: Option<Field<Arc<str>>>,
    /// Its zone.
    pub zone: Option<Field<Zone>>,
    /// Its order; any finite number. Whether it suits the zone is a rule's business.
    pub order: Option<Field<f64>>,
    /// Its role.
    pub role: Option<Field<Role>>,
    /// Whether the body is a template.
    pub template: Option<Field<bool>>,
    /// Whether it is an exclusive block.
    pub complete: Option<Field<bool>>,
    /// Profile `zcode` only.
    pub cache: Option<Field<Cache>>,
    /// Source plugin.
    pub plugin: Option<Field<Arc<str>>>,
    /// For outline and hover.
    pub description: Option<Field<Arc<str>>>,
    /// Codes switched off in this file, each with its own place.
    pub allow: Vec<(Code, Span)>,
}

impl Header {
    /// Whether it stands in the text that its body stands in, as that of a block file does. Source code registers blocks whose header
    /// has the places of the source, and whose body is a text of its own.
    pub fn is_in_text(&self) -> bool {
        self.span.end <= self.body
    }

    /// Whether the body is a template; `default` is the profile's.
    pub fn is_template(&self, default: bool) -> bool {
        self.template.as_ref().map_or(default, |field| field.value)
    }

    /// Whether it is a complete block of the system zone.
    pub fn is_complete(&self) -> bool {
        self.zone() == Some(Zone::System) && self.complete.as_ref().is_some_and(|field| field.value)
    }

    /// The zone, where it is valid.
    pub fn zone(&self) -> Option<Zone> {
        self.zone.as_ref().map(|field| field.value)
    }

    /// The role, `system` by default.
    pub fn role(&self) -> Role {
        self.role.as_ref().map_or(Role::System, |field| field.value)
    }

    /// Whether it stays the same from turn to turn: the key, else as its zone has it. [S4] Without a key `cache` that is the zone.
    pub fn cache(&self) -> Cache {
        match &self.cache {
            Some(field) => field.value,
            None if self.zone() == Some(Zone::System) => Cache::Stable,
            None => Cache::Dynamic,
        }
    }

    /// The id, where it is valid.
    pub fn id(&self) -> Option<&Arc<str>> {
        self.id.as_ref().map(|field| &field.value)
    }

    /// The source plugin: the key, else the id's part before the first `:`. [S0]
    pub fn plugin(&self) -> Option<&str> {
        if let Some(field) = &self.plugin {
            return Some(&field.value);
        }
        let (plugin, _) = self.id()?.split_once(':')?;
        (!plugin.is_empty()).then_some(plugin)
    }

    /// Whether this file switches `code` off. `invalid-header` cannot be switched off.
    pub fn allows(&self, code: Code) -> bool {
        code != Code::InvalidHeader && self.allow.iter().any(|(allowed, _)| *allowed == code)
    }
}
