//! Open buffers: they win over the disk.

use crate::Sourced;
use crate::files::FileKind;
use crate::project::new_revision;
use promptblock_core::block::Header;
use promptblock_core::profile::Profile;
use promptblock_core::source::Kept;
use promptblock_core::span::Span;
use promptblock_core::syntax::Document;
use ropey::Rope;
use std::sync::Arc;

/// A buffer of the editor. Text, trees and version change together, under one lock.
#[derive(Clone, Debug)]
pub struct OpenFile {
    /// The editor's version.
    pub version: i32,
    pub(crate) content: Content,
    /// Whether it is another file of its project by a second name, so that only that one counts.
    pub(crate) is_second: bool,
    /// Another one for every edit.
    pub(crate) revision: u64,
    /// What the project last heard of this block.
    pub(crate) told: Option<(Arc<Header>, bool, u32)>,
    /// Whether the names in use are others than the project last heard. A request may judge before the refresh does.
    pub(crate) uses_differ: bool,
    /// What a source file registers, and the revision of the text that says so.
    pub(crate) sourced: Option<(u64, Option<Arc<Sourced>>)>,
}

/// What a buffer holds.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A block, with its trees.
    Block(Box<Document>),
    /// Source code, with what is kept of its last reading.
    Source(Rope, Kept),
    /// Any other file.
    Text(Rope),
}

impl OpenFile {
    pub(crate) fn new(
        kind: FileKind,
        version: i32,
        text: &str,
        profile: Arc<Profile>,
        is_second: bool,
    ) -> Self {
        let content = match kind {
            FileKind::Block => Content::Block(Box::new(Document::new(text, profile))),
            FileKind::Source => Content::Source(Rope::from_str(text), Kept::default()),
            _ => Content::Text(Rope::from_str(text)),
        };
        Self {
            version,
            content,
            is_second,
            revision: new_revision(),
            told: None,
            uses_differ: false,
            sourced: None,
        }
    }

    pub(crate) fn text(&self) -> &Rope {
        match &self.content {
            Content::Block(document) => document.text(),
            Content::Source(rope, _) | Content::Text(rope) => rope,
        }
    }
}

/// A buffer while it is edited.
#[derive(Debug)]
pub struct OpenText<'a> {
    pub(crate) content: &'a mut Content,
}

impl OpenText<'_> {
    /// The text as it is now.
    pub fn text(&self) -> &Rope {
        match &self.content {
            Content::Block(document) => document.text(),
            Content::Source(rope, _) | Content::Text(rope) => rope,
        }
    }

    /// Replaces the bytes of `span` by `new`.
    pub fn edit(&mut self, span: Span, new: &str) {
        match self.content {
            Content::Block(document) => document.edit(span, new),
            Content::Source(rope, kept) => {
                kept.edit(rope, span, new);
                edit(rope, span, new);
            }
            Content::Text(rope) => edit(rope, span, new),
        }
    }

    /// Replaces the whole text.
    pub fn replace(&mut self, new: &str) {
        match self.content {
            Content::Block(document) => **document = Document::new(new, Arc::clone(document.profile())),
            Content::Source(rope, kept) => {
                kept.forget();
                *rope = Rope::from_str(new);
            }
            Content::Text(rope) => *rope = Rope::from_str(new),
        }
    }
}

fn edit(rope: &mut Rope, span: Span, new: &str) {
    let start = rope.byte_to_char(span.range().start.min(rope.len_bytes()));
    let end = rope.byte_to_char(span.range().end.min(rope.len_bytes())).max(start);
    rope.remove(start..end);
    rope.insert(start, new);
}
