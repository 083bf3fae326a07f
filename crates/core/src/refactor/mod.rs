//! Changes that a person may want of a block that has nothing wrong: one file a refactoring, plain data in and out.
//!
//! What a refactoring keeps of the rendered text, it keeps in every environment: before it is offered (or, where that looks at the
//! whole file, before its edits are handed out) the result is read as a block would be and compared.

mod braces;
mod example;
mod header;
mod in_if;
mod new_block;
mod new_variable;
#[cfg(test)]
mod properties;
mod selected;
mod swap;
#[cfg(test)]
mod testing;
mod unwrap;
mod zone;

use crate::block::HeaderState;
use crate::fix::{Context, Edit, Elsewhere};
use crate::message::Message;
use crate::span::Span;
use crate::syntax::Document;

/// The refactorings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refactoring {
    /// The selected text becomes a block of its own.
    ExtractBlock,
    /// The selected text becomes the example of a new variable.
    ExtractVariable,
    /// The variable at the cursor is replaced by its example.
    InlineExample,
    /// The same for every tag of that variable in the file.
    InlineExamples,
    /// The block moves to the context zone.
    MoveToContext,
    /// The block moves to the system zone.
    MoveToSystem,
    /// The selected text is put into an `{if}`.
    WrapInIf,
    /// One branch of an `{if}` is kept, the rest of it goes.
    UnwrapIf,
    /// The two branches of an `{if}` change places, and the condition becomes its contrary.
    SwapBranches,
    /// Literal braces become escapes.
    EscapeBraces,
    /// Escapes become literal braces.
    UnescapeBraces,
    /// The keys of the header in their order.
    SortHeader,
    /// A key `description`.
    Describe,
}

/// What a refactoring is in the protocol's terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RefactoringKind {
    /// `refactor.extract`
    Extract,
    /// `refactor.inline`
    Inline,
    /// `refactor.move`
    Move,
    /// `refactor.rewrite`
    Rewrite,
}

impl Refactoring {
    /// Every refactoring, in the order of a menu.
    pub const ALL: [Self; 13] = [
        Self::ExtractBlock,
        Self::ExtractVariable,
        Self::InlineExample,
        Self::InlineExamples,
        Self::MoveToContext,
        Self::MoveToSystem,
        Self::WrapInIf,
        Self::UnwrapIf,
        Self::SwapBranches,
        Self::EscapeBraces,
        Self::UnescapeBraces,
        Self::SortHeader,
        Self::Describe,
    ];

    /// The name by which a client asks for its edits.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ExtractBlock => "extract-block",
            Self::ExtractVariable => "extract-variable",
            Self::InlineExample => "inline-example",
            Self::InlineExamples => "inline-examples",
            Self::MoveToContext => "move-to-context",
            Self::MoveToSystem => "move-to-system",
            Self::WrapInIf => "wrap-in-if",
            Self::UnwrapIf => "unwrap-if",
            Self::SwapBranches => "swap-branches",
            Self::EscapeBraces => "escape-braces",
            Self::UnescapeBraces => "unescape-braces",
            Self::SortHeader => "sort-header",
            Self::Describe => "describe",
        }
    }

    /// The refactoring of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|refactoring| refactoring.name() == name)
    }

    /// What kind it is of.
    pub const fn kind(self) -> RefactoringKind {
        match self {
            Self::ExtractBlock | Self::ExtractVariable => RefactoringKind::Extract,
            Self::InlineExample | Self::InlineExamples => RefactoringKind::Inline,
            Self::MoveToContext | Self::MoveToSystem => RefactoringKind::Move,
            _ => RefactoringKind::Rewrite,
        }
    }
}

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Ask {
    /// The selection, or the place of the cursor.
    pub selection: Span,
    /// Whether a person asks, who does not only move the cursor: then what concerns the whole block is offered too.
    pub invoked: bool,
    /// Whether edits that cost a look at the whole file can wait until the refactoring is chosen.
    pub later: bool,
}

/// The edits of a refactoring.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// The changes of the block's own file, in order and without overlap.
    pub edits: Vec<Edit>,
    /// The changes of other files.
    pub elsewhere: Vec<Elsewhere>,
    /// A piece of an inserted text that only stands for what a person will write: the number of the edit, and the bytes in its text.
    pub placeholder: Option<(usize, Span)>,
}

/// What comes of a refactoring.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// These edits.
    Change(Change),
    /// Edits that [`refactoring`] works out.
    Later,
    /// Nothing, for a reason that a person may want to know.
    Refused(Message),
}

/// A refactoring that can be done at a place, or why it cannot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// Which.
    pub refactoring: Refactoring,
    /// What it does, for a menu.
    pub title: Message,
    /// What comes of it.
    pub outcome: Outcome,
}

/// A refactoring before its edits are worked out.
struct Draft<'a> {
    title: Message,
    edits: Edits<'a>,
}

enum Edits<'a> {
    /// Cheap to have.
    Now(Change),
    /// They take a look at the whole file.
    Costly(Box<dyn FnOnce() -> Option<Change> + 'a>),
    /// There are none.
    Refused(Message),
}

impl<'a> Draft<'a> {
    fn now(title: Message, edits: Vec<Edit>) -> Self {
        Self { title, edits: Edits::Now(Change { edits, ..Change::default() }) }
    }

    fn costly(title: Message, edits: impl FnOnce() -> Option<Change> + 'a) -> Self {
        Self { title, edits: Edits::Costly(Box::new(edits)) }
    }

    fn refused(title: Message, reason: Message) -> Self {
        Self { title, edits: Edits::Refused(reason) }
    }
}

impl From<Vec<Edit>> for Change {
    fn from(edits: Vec<Edit>) -> Self {
        Self { edits, ..Self::default() }
    }
}

/// What can be done at a place.
pub fn refactorings(cx: &Context<'_>, ask: &Ask) -> Vec<Offer> {
    let offer = |refactoring| {
        let Draft { title, edits } = draft(cx, ask, refactoring)?;
        let outcome = match edits {
            Edits::Now(change) => Outcome::Change(change),
            Edits::Costly(_) if ask.later => Outcome::Later,
            Edits::Costly(edits) => Outcome::Change(edits()?),
            Edits::Refused(reason) => Outcome::Refused(reason),
        };
        Some(Offer { refactoring, title, outcome })
    };
    Refactoring::ALL.into_iter().filter_map(offer).collect()
}

/// The edits of one that was offered at the same place of the same text.
pub fn refactoring(cx: &Context<'_>, selection: Span, refactoring: Refactoring) -> Option<Change> {
    match draft(cx, &Ask { selection, invoked: true, later: false }, refactoring)?.edits {
        Edits::Now(change) => Some(change),
        Edits::Costly(edits) => edits(),
        Edits::Refused(_) => None,
    }
}

fn draft<'a>(cx: &'a Context<'_>, ask: &Ask, refactoring: Refactoring) -> Option<Draft<'a>> {
    let document = cx.document?;
    if document.header().state != HeaderState::Closed {
        // Nobody knows where the header ends, so nobody knows what is content.
        return None;
    }
    let at = At { cx, document, selection: ask.selection, invoked: ask.invoked };
    match refactoring {
        Refactoring::ExtractBlock => new_block::draft(at),
        Refactoring::ExtractVariable => new_variable::draft(at),
        Refactoring::InlineExample => example::one(at),
        Refactoring::InlineExamples => example::every(at),
        Refactoring::MoveToContext => zone::to_context(at),
        Refactoring::MoveToSystem => zone::to_system(at),
        Refactoring::WrapInIf => in_if::draft(at),
        Refactoring::UnwrapIf => unwrap::draft(at),
        Refactoring::SwapBranches => swap::draft(at),
        Refactoring::EscapeBraces => braces::escape(at),
        Refactoring::UnescapeBraces => braces::unescape(at),
        Refactoring::SortHeader => header::sort(at),
        Refactoring::Describe => header::describe(at),
    }
}

/// A place of a block.
#[derive(Clone, Copy)]
struct At<'a> {
    cx: &'a Context<'a>,
    document: &'a Document,
    selection: Span,
    invoked: bool,
}

impl At<'_> {
    /// Whether a person may mean the whole block: asks for it with nothing selected of the body.
    fn concerns_block(&self) -> bool {
        self.invoked && (self.selection.is_empty() || self.selection.end < self.document.header().body)
    }

    /// The block after edits that are in order and do not overlap.
    fn after(&self, edits: &[Edit]) -> Document {
        let mut after = self.document.clone();
        for edit in edits.iter().rev() {
            after.edit(edit.span, &edit.text);
        }
        after
    }

    /// Whether the body's tags are `{if}` and the like, with escapes.
    fn has_controls(&self) -> bool {
        self.document.is_template() && self.document.profile().tags == crate::profile::TagSyntax::SingleBraces
    }
}
