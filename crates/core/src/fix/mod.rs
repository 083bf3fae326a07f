//! From what a rule knows of the way out to edits: one file a kind of fix.
//!
//! A fix is worked out when somebody asks for it, from the text as it is then. Most findings are looked at and never fixed.

mod allow;
mod between;
mod body;
mod catalog;
mod closer;
mod elsewhere;
mod expression;
mod header;
mod identity;
mod order;
mod register;
mod remedy;
mod remove;
mod tag;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;

pub use allow::allow;
pub use between::between;
pub(crate) use body::escaped_braces;
pub use catalog::{Register, Usages};
pub(crate) use header::{insert_key, merged, without_key};
pub(crate) use identity::spelled;
pub(crate) use order::fresh as fresh_orders;

use crate::block::HeaderState;
use crate::lint::Judge;
use crate::message::Message;
use crate::project::Index;
use crate::span::Span;
use crate::syntax::Document;
use crate::{Code, Diagnostic, FileId, Remedy};
use ropey::Rope;
use std::sync::Arc;

/// One change of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What goes.
    pub span: Span,
    /// What comes in its place.
    pub text: Arc<str>,
}

impl Edit {
    pub(crate) fn new(span: Span, text: impl Into<Arc<str>>) -> Self {
        Self { span, text: text.into() }
    }

    pub(crate) fn insert(at: u32, text: impl Into<Arc<str>>) -> Self {
        Self::new(Span::empty(at), text)
    }
}

/// Changes of another file than the one that the finding is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Elsewhere {
    /// Which file.
    pub file: FileId,
    /// Whether the file does not exist yet; its edits make its text from nothing.
    pub creates: bool,
    /// The changes, in order and without overlap.
    pub edits: Vec<Edit>,
}

/// One way out of a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, for a menu.
    pub title: Message,
    /// Whether it may be done without asking: what is rendered stays the same, or gains only what was plainly meant.
    pub safe: bool,
    /// Whether it is the obvious one among the ways out of its finding.
    pub preferred: bool,
    /// The changes of the finding's own file, in order and without overlap.
    pub edits: Vec<Edit>,
    /// The changes of other files.
    pub elsewhere: Vec<Elsewhere>,
}

impl Fix {
    pub(crate) fn new(title: Message, edits: Vec<Edit>) -> Self {
        Self { title, safe: false, preferred: false, edits, elsewhere: Vec::new() }
    }

    fn one(title: Message, edit: Edit) -> Self {
        Self::new(title, vec![edit])
    }

    fn in_file(title: Message, file: FileId, edits: Vec<Edit>) -> Self {
        let elsewhere = vec![Elsewhere { file, creates: false, edits }];
        Self { elsewhere, ..Self::new(title, Vec::new()) }
    }

    fn safe(self, safe: bool) -> Self {
        Self { safe, ..self }
    }
}

/// The file of a finding with all that a fix may ask about it.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Which file.
    pub file: FileId,
    /// Its text, in which the finding was made.
    pub text: &'a Rope,
    /// The block, where the file is one; judged.
    pub document: Option<&'a Document>,
    /// Catalog, bands, profile of its project.
    pub judge: &'a Judge,
    /// The blocks of its project.
    pub index: &'a Index,
    /// What only the keeper of the files knows.
    pub surroundings: &'a dyn Surroundings,
}

/// What fixes ask about the files around. This crate knows no paths.
pub trait Surroundings {
    /// The block's file name without its extension, which its id mostly resembles.
    fn stem(&self) -> Option<String>;
    /// A new block file in the same folder, by its name without the extension; `None` where something has that name.
    fn beside(&self, stem: &str) -> Option<FileId>;
    /// The plugins that the ids of the blocks nearby begin with, the most frequent first.
    fn plugins(&self) -> Vec<Arc<str>>;
    /// The catalogs that a variable can be registered in, the best first.
    fn registers(&self) -> Vec<Register>;
    /// The text of another file.
    fn text(&self, file: FileId) -> Option<Rope>;
    /// What the blocks of the project use, for a catalog that does not exist yet.
    fn usages(&self) -> Usages;
}

/// Whether the best way out of a finding may be one to take without asking; what is cheap to say of most that it is not.
pub fn may_be_safe(finding: &Diagnostic) -> bool {
    match &finding.remedy {
        Remedy::Replace { safe, .. } | Remedy::Insert { safe, .. } => *safe,
        Remedy::EscapeBraces(_) => true,
        _ => finding.code == Code::UnclosedTag,
    }
}

/// The ways out of a finding, the best first.
pub fn fixes(cx: &Context<'_>, finding: &Diagnostic) -> Vec<Fix> {
    let mut fixes = remedy::fixes(cx, finding);
    let only = fixes.len() == 1 && matches!(finding.remedy, Remedy::Replace { .. });
    if let Some(document) = cx.document {
        in_block(cx, document, finding, &mut fixes);
    }
    match finding.code {
        Code::UnknownVariable => fixes.extend(catalog::register(cx, finding)),
        Code::NoCatalog => fixes.extend(catalog::write(cx)),
        Code::NotAList => fixes.extend(catalog::declare_list(cx, finding)),
        _ => {}
    }
    fixes.retain(|fix| !fix.edits.is_empty() || !fix.elsewhere.is_empty());
    let safe = fixes.iter().filter(|fix| fix.safe).count();
    // A name to put in place of another is obvious where there is only one; so is what may be done without asking.
    if let Some(first) = fixes.first_mut() {
        first.preferred = only || first.safe && safe == 1;
    }
    fixes
}

/// What a block knows by itself and from its neighbours.
fn in_block(cx: &Context<'_>, document: &Document, finding: &Diagnostic, fixes: &mut Vec<Fix>) {
    let header = document.header();
    match finding.code {
        Code::TemplateNotEnabled => fixes.extend(elsewhere::enable_template(document)),
        Code::MissingPrompt => fixes.extend(elsewhere::add_prompt(document)),
        Code::MutableInSystem | Code::MutabilityUndetermined | Code::ZoneMismatch => {
            fixes.extend(elsewhere::move_to_zones(cx, document, finding));
        }
        Code::UnclosedTag => {
            let misspelt = closer::misspelt(document, finding.span);
            fixes.extend(misspelt.or_else(|| elsewhere::close_at_end(document, finding.span)));
            fixes.extend(tag::remove_opener(document, finding.span));
        }
        Code::LiteralBraces => {
            fixes.splice(0..0, closer::misspelt_here(document, finding.span.start));
        }
        Code::UnexpectedTag => fixes.extend(tag::unexpected(document, finding.span)),
        Code::InvalidExpression => fixes.extend(expression::meant(document, finding)),
        Code::UnknownVariable => fixes.extend(tag::other_language(document, finding.span)),
        Code::ArgumentCount => fixes.extend(tag::surplus(cx, document, finding)),
        Code::EndlessWhile => fixes.extend(tag::while_to_if(document, finding.span)),
        Code::OrderConflict | Code::OrderOutOfRange | Code::OrderOffBand => {
            fixes.extend(order::fixes(cx, document, finding));
        }
        Code::DuplicateId => fixes.extend(identity::another(cx, document)),
        Code::IdWithoutPrefix => fixes.extend(identity::prefixed(cx, document)),
        Code::MultipleComplete => fixes.extend(header.complete.as_ref().and_then(|field| {
            let edit = header::without_key(document, field.key)?;
            Some(Fix::one(crate::msg!("Remove `complete` here", "删除这里的 `complete`"), edit))
        })),
        Code::InvalidHeader if header.state == HeaderState::Missing => {
            fixes.extend(header::add(cx, document));
        }
        Code::InvalidValue if fixes.is_empty() => fixes.extend(header::value(cx, document, finding)),
        _ => {}
    }
}
