//! Editor features as plain functions over plain data: one file a feature, places in bytes, texts in the reader's language.
//!
//! Nothing here knows the protocol of any editor, and nothing here looks at more of a file than the question needs: a keystroke
//! in a large file costs the chunk around it.

mod code_lenses;
mod completion;
mod definition;
mod describe;
mod folding;
mod formatting;
mod hover;
mod inlay_hints;
mod linked;
mod links;
mod matching;
pub mod names;
mod orders;
mod references;
pub mod rename;
mod selection;
mod semantic_tokens;
mod signature;
mod symbols;
#[cfg(test)]
pub(crate) mod testing;
mod texts;
mod workspace_symbols;

pub use crate::fix::Edit;
pub use crate::lint::Position;
pub use code_lenses::{CodeLens, code_lenses, grouped};
pub use completion::{
    About, Completion, CompletionKind, Completions, Settings, SettingsFile, TRIGGERS, completions,
    completions_in_settings, documentation,
};
pub use definition::{Definition, Highlight, Target, definition, highlights};
pub use describe::spelled;
pub use folding::{Fold, FoldKind, folds};
pub use formatting::{edited, formatting, formatting_on_type};
pub use hover::{Hover, hover};
pub use inlay_hints::{HintKinds, InlayHint, inlay_hints};
pub use linked::{WORD_PATTERN, linked};
pub use links::{Link, LinkTarget, links, links_in_config, links_in_json};
pub use references::{Reference, Subject, files_naming, references, subject};
pub use selection::{JsonSelection, selection};
pub use semantic_tokens::{Modifiers, SemanticToken, TokenType, semantic_tokens};
pub use signature::{Parameter, Signature, signature};
pub use symbols::{Symbol, SymbolKind, symbol_in_source, symbols};
pub use workspace_symbols::{WorkspaceSymbol, WorkspaceSymbolKind, best, workspace_symbols};

use crate::lint::Judge;
use crate::message::Locale;
use crate::profile::TagSyntax;
use crate::project::Index;
use crate::syntax::Document;
use crate::{FileId, Message};

/// A block file with all that a feature may ask about it, as of one moment.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// Which file.
    pub file: FileId,
    /// The block.
    pub document: &'a Document,
    /// Catalog, bands, profile, environment of its project.
    pub judge: &'a Judge,
    /// The blocks of its project.
    pub index: &'a Index,
    /// The reader's language.
    pub locale: Locale,
}

impl Context<'_> {
    /// Whether the body is a template.
    fn is_template(&self) -> bool {
        self.document.is_template()
    }

    /// Whether templates have control tags, escapes and arguments.
    fn has_controls(&self) -> bool {
        self.document.profile().tags == TagSyntax::SingleBraces
    }

    fn text(&self, message: &Message) -> String {
        message.text(self.locale).to_owned()
    }
}

#[cfg(test)]
mod tests;
