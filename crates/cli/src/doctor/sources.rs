//! What source code registers, and what of it only the running program knows.

use super::{Found, shown};
use promptblock_core::Message;
use promptblock_core::source::{SourceFile, Unread};
use promptblock_server::convert::{Encoding, Lines};
use promptblock_workspace::ProjectView;
use ropey::Rope;

/// The source files of a project that register something.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) files: usize,
    pub(super) blocks: usize,
    pub(super) variables: usize,
    pub(super) fields: usize,
    pub(super) unread: Vec<NotRead>,
}

/// Something that could not be read. Line and column count from 1, the column in characters.
pub(super) struct NotRead {
    pub(super) path: String,
    pub(super) line: u32,
    pub(super) column: u32,
    /// What is called, as it is written; nothing for a whole file.
    pub(super) call: Option<String>,
    /// Id or name, where that is known.
    pub(super) name: Option<String>,
    pub(super) why: Message,
}

impl Sources {
    pub(super) fn of(found: &Found, view: &ProjectView) -> Self {
        let mut all = Self { fields: view.known_environment_fields().len(), ..Self::default() };
        for (path, source) in found.workspace.sources(&view.root) {
            all.files += 1;
            all.variables += source.registrations.iter().filter(|one| one.variable.is_some()).count();
            all.blocks += source.registrations.iter().filter(|one| one.block.is_some()).count();
            let path_shown = shown(&path, view);
            all.unread
                .extend(not_read(&path_shown, &source, || found.workspace.text(found.workspace.file(&path))));
        }
        all
    }
}

fn not_read(path: &str, source: &SourceFile, text: impl Fn() -> Rope) -> Vec<NotRead> {
    let of_calls = source.registrations.iter().flat_map(|registration| {
        let call = format!("{}.{}", registration.receiver, registration.kind.name());
        let block = registration.block.as_ref().and_then(|block| block.header.id());
        let variable = registration.variable.as_ref().and_then(|variable| variable.name.as_ref());
        let name = block.or(variable).map(|name| name.to_string());
        registration.unread.iter().map(move |unread| (unread, Some(call.clone()), name.clone()))
    });
    let of_file = source.unread.iter().map(|unread| (unread, None, None));
    let all: Vec<(&Unread, Option<String>, Option<String>)> = of_file.chain(of_calls).collect();
    if all.is_empty() {
        return Vec::new();
    }
    let text = text();
    let lines = Lines::disk(&text, Encoding::Utf32);
    let at = |(unread, call, name): (&Unread, _, _)| {
        let place = lines.position(unread.span.start);
        let (line, column) = (place.line + 1, place.character + 1);
        NotRead { path: path.to_owned(), line, column, call, name, why: unread.why.clone() }
    };
    all.into_iter().map(at).collect()
}
