//! What a rule found: plain data, in bytes of one text.

use crate::lint::Code;
use crate::message::Message;
use crate::span::Span;
use std::sync::Arc;

/// A file as the caller numbers it. This crate knows no paths.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileId(pub u32);

/// How bad a finding is; the order is from mild to grave.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// A hint.
    Hint,
    /// An information.
    Information,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

impl Severity {
    /// The name in JSON, in `promptblock.toml` and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hint => "hint",
            Self::Information => "information",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    /// The severity of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Hint, Self::Information, Self::Warning, Self::Error].into_iter().find(|s| s.name() == name)
    }
}

/// A second place that a finding speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Related {
    /// The file, or none for the file of the finding itself.
    pub file: Option<FileId>,
    /// Where.
    pub span: Span,
    /// What is there.
    pub message: Message,
}

/// One finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// Which rule.
    pub code: Code,
    /// As configured.
    pub severity: Severity,
    /// Exactly the offending bytes.
    pub span: Span,
    /// For a person.
    pub message: Message,
    /// Second places.
    pub related: Vec<Related>,
    /// What a fix needs to know, see [`crate::fix`].
    pub remedy: Remedy,
    /// The block that it speaks of, where its file holds several.
    pub owner: Option<Arc<Owner>>,
}

/// A block as a finding names it. [S0]
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Owner {
    /// Its id.
    pub id: Option<Arc<str>>,
    /// Its source plugin.
    pub plugin: Option<Arc<str>>,
}

/// What a rule knows of the way out. Turned into edits on demand, since most findings are looked at and not fixed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Remedy {
    /// None known.
    #[default]
    None,
    /// Put one of these in place of the range, the best first. `safe` where it is plainly what was meant.
    Replace {
        /// The texts.
        with: Vec<Arc<str>>,
        /// Whether an automatic fix may do it.
        safe: bool,
    },
    /// Double the braces from the first to the second byte offset, both of braces.
    EscapeBraces(Span),
    /// Double the braces of the literal pair around this tag, all but the tag's own.
    EscapeAround(Span),
    /// Remove the header line of this key.
    RemoveKey(Span),
    /// Put in this header key, which is missing.
    AddKey(&'static str),
    /// Remove this member of an object or item of a list, with its comma.
    RemoveEntry(Span),
    /// Remove the lines of this, where they hold nothing else.
    RemoveLines(Span),
    /// Put this text in at a byte offset.
    Insert {
        /// Where.
        at: u32,
        /// What.
        text: Arc<str>,
        /// Whether an automatic fix may do it.
        safe: bool,
    },
    /// Delete exactly this.
    Delete(Span),
}

impl Diagnostic {
    /// A finding with its default severity, nothing related and no way out.
    pub fn new(code: Code, span: Span, message: Message) -> Self {
        let (severity, related, remedy) = (code.severity(), Vec::new(), Remedy::None);
        Self { code, severity, span, message, related, remedy, owner: None }
    }

    /// With a second place in the same file.
    #[must_use]
    pub fn related(mut self, span: Span, message: Message) -> Self {
        self.related.push(Related { file: None, span, message });
        self
    }

    /// With a second place in another file.
    #[must_use]
    pub fn related_in(mut self, file: FileId, span: Span, message: Message) -> Self {
        self.related.push(Related { file: Some(file), span, message });
        self
    }

    /// With a way out.
    #[must_use]
    pub fn remedy(mut self, remedy: Remedy) -> Self {
        self.remedy = remedy;
        self
    }

    /// The same finding `by` bytes further on, with the places of its own file.
    #[must_use]
    pub fn shift(mut self, by: u32) -> Self {
        self.span = self.span.shift(by);
        for related in &mut self.related {
            if related.file.is_none() {
                related.span = related.span.shift(by);
            }
        }
        self.remedy = match self.remedy {
            Remedy::EscapeBraces(span) => Remedy::EscapeBraces(span.shift(by)),
            Remedy::EscapeAround(tag) => Remedy::EscapeAround(tag.shift(by)),
            Remedy::RemoveKey(span) => Remedy::RemoveKey(span.shift(by)),
            Remedy::RemoveEntry(span) => Remedy::RemoveEntry(span.shift(by)),
            Remedy::RemoveLines(span) => Remedy::RemoveLines(span.shift(by)),
            Remedy::Delete(span) => Remedy::Delete(span.shift(by)),
            Remedy::Insert { at, text, safe } => Remedy::Insert { at: at + by, text, safe },
            other => other,
        };
        self
    }
}
