//! Surroundings for tests: what a test says, and no files.

use super::{Context, Fix, Register, Surroundings, Usages, fixes};
use crate::lint::Judge;
use crate::project::Index;
use crate::syntax::Document;
use crate::{Diagnostic, FileId};
use ropey::Rope;
use std::sync::Arc;

/// The file of the block in [`fixes_of`].
pub(crate) const FILE: FileId = FileId(0);

/// Nothing is around, or what a test puts there.
#[derive(Default)]
pub(crate) struct Alone {
    pub(crate) stem: Option<&'static str>,
    pub(crate) plugins: Vec<&'static str>,
    /// Names of files that are there.
    pub(crate) taken: Vec<&'static str>,
    pub(crate) registers: Vec<Register>,
    pub(crate) texts: Vec<(FileId, String)>,
    pub(crate) usages: Usages,
}

impl Surroundings for Alone {
    fn stem(&self) -> Option<String> {
        self.stem.map(str::to_owned)
    }

    fn beside(&self, stem: &str) -> Option<FileId> {
        (!self.taken.contains(&stem)).then_some(FileId(90))
    }

    fn plugins(&self) -> Vec<Arc<str>> {
        self.plugins.iter().map(|plugin| Arc::from(*plugin)).collect()
    }

    fn registers(&self) -> Vec<Register> {
        self.registers.clone()
    }

    fn text(&self, file: FileId) -> Option<Rope> {
        self.texts.iter().find(|(other, _)| *other == file).map(|(_, text)| Rope::from_str(text))
    }

    fn usages(&self) -> Usages {
        self.usages.clone()
    }
}

/// The fixes of a finding of a block in a project of its own.
pub(crate) fn fixes_of(document: &Document, judge: &Judge, finding: &Diagnostic) -> Vec<Fix> {
    fixes_in(document, judge, &Alone::default(), finding)
}

/// The same with something around.
pub(crate) fn fixes_in(document: &Document, judge: &Judge, around: &Alone, finding: &Diagnostic) -> Vec<Fix> {
    let mut index = Index::default();
    index.update(FILE, Some(document.facts()));
    let (text, document) = (document.text(), Some(document));
    fixes(&Context { file: FILE, text, document, judge, index: &index, surroundings: around }, finding)
}

/// A text after the edits of its own file.
pub(crate) fn applied(text: &str, fix: &Fix) -> String {
    let mut text = text.to_owned();
    for edit in fix.edits.iter().rev() {
        text.replace_range(edit.span.range(), &edit.text);
    }
    text
}
