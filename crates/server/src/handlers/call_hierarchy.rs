//! `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `outgoingCalls`: where a variable is used, and what a
//! block uses.

use super::Fresh;
use crate::state::Shared;
use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::msg;
use promptblock_core::span::Span;
use promptblock_workspace::{Described, Party, Snapshot, Workspace};
use ropey::Rope;
use serde::{Deserialize, Serialize};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    CallHierarchyIncomingCall, CallHierarchyItem, CallHierarchyOutgoingCall, Position, Range, SymbolKind,
};

/// What an item is, as it comes back from the client.
#[derive(Serialize, Deserialize)]
struct Data {
    /// A file of the project that was asked about: the item may stand in a catalog that is none of its files.
    asked: String,
    /// The variable.
    variable: Option<String>,
    /// The file of the block.
    path: Option<String>,
    /// Its place among those of a source file.
    part: Option<usize>,
}

impl Data {
    fn of(party: &Party, asked: &Utf8Path) -> Self {
        let asked = asked.to_string();
        match party {
            Party::Variable(name) => Self { asked, variable: Some(name.to_string()), path: None, part: None },
            Party::Block(path, part) => {
                Self { asked, variable: None, path: Some(path.to_string()), part: *part }
            }
        }
    }

    /// What an item that came back is; none for one that is not ours.
    fn read(item: &CallHierarchyItem) -> Option<(Self, Party)> {
        let data: Self = serde_json::from_value(item.data.clone()?).ok()?;
        let party = match (&data.variable, &data.path) {
            (Some(name), _) => Party::Variable(name.as_str().into()),
            (None, Some(path)) => Party::Block(Utf8PathBuf::from(path), data.part),
            (None, None) => return None,
        };
        Some((data, party))
    }
}

/// The variable or block at `position`.
///
/// # Errors
///
/// The text has become another one meanwhile.
pub(crate) fn prepare(
    shared: &Shared,
    snapshot: &Snapshot,
    position: Position,
    wanted: &dyn Fn() -> bool,
) -> Result<Option<Vec<CallHierarchyItem>>> {
    let at = shared.lines(&snapshot.text, snapshot.version).offset(position);
    if shared.workspace.named_at(snapshot, at).is_none() {
        return Ok(None);
    }
    let fresh = Fresh::of(shared, snapshot, wanted)?;
    let found = || {
        let named = fresh.workspace.named_at(&fresh.snapshot, at)?;
        let party = fresh.workspace.party(&named)?;
        let described = fresh.workspace.describe(&fresh.snapshot.project, &party)?;
        Some(vec![item(shared, &snapshot.path, &described)?])
    };
    Ok(found())
}

/// The project of an item as of now.
fn around(shared: &Shared, data: &Data, wanted: &dyn Fn() -> bool) -> Workspace {
    crate::judge::wait_for_load(shared, wanted);
    let workspace = shared.fork(Utf8Path::new(&data.asked));
    workspace.refresh();
    workspace
}

/// Who uses an item. None where nobody wants to know any more.
pub(crate) fn incoming(
    shared: &Shared,
    asked: &CallHierarchyItem,
    wanted: &dyn Fn() -> bool,
) -> Option<Vec<CallHierarchyIncomingCall>> {
    let (data, party) = Data::read(asked)?;
    let workspace = around(shared, &data, wanted);
    let calls = workspace.incoming(&workspace.project_view(Utf8Path::new(&data.asked)), &party, wanted)?;
    let shown = calls.into_iter().filter_map(|call| {
        let from_ranges = ranges(shared, &call.text, call.version, &call.places);
        Some(CallHierarchyIncomingCall {
            from: item(shared, Utf8Path::new(&data.asked), &call.other)?,
            from_ranges,
        })
    });
    Some(shown.collect())
}

/// What an item uses.
pub(crate) fn outgoing(
    shared: &Shared,
    asked: &CallHierarchyItem,
    wanted: &dyn Fn() -> bool,
) -> Option<Vec<CallHierarchyOutgoingCall>> {
    let (data, party) = Data::read(asked)?;
    let workspace = around(shared, &data, wanted);
    let calls = workspace.outgoing(&workspace.project_view(Utf8Path::new(&data.asked)), &party);
    let shown = calls.into_iter().filter_map(|call| {
        let from_ranges = ranges(shared, &call.text, call.version, &call.places);
        Some(CallHierarchyOutgoingCall {
            to: item(shared, Utf8Path::new(&data.asked), &call.other)?,
            from_ranges,
        })
    });
    Some(shown.collect())
}

fn ranges(shared: &Shared, text: &Rope, version: Option<i32>, places: &[Span]) -> Vec<Range> {
    let mut lines = shared.lines(text, version).cursor();
    places.iter().map(|span| Range::new(lines.position(span.start), lines.position(span.end))).collect()
}

fn item(shared: &Shared, asked: &Utf8Path, described: &Described) -> Option<CallHierarchyItem> {
    let lines = shared.lines(&described.text, described.version);
    let name = match &described.name {
        Some(name) => name.to_string(),
        None => msg!("(no id)", "（无 id）").text(shared.settings().locale).to_owned(),
    };
    Some(CallHierarchyItem {
        name,
        kind: match described.party {
            Party::Variable(_) => SymbolKind::VARIABLE,
            Party::Block(..) => SymbolKind::MODULE,
        },
        tags: None,
        detail: described.detail.as_ref().map(|detail| detail.to_string()),
        uri: shared.uri(&described.path)?,
        range: lines.range(described.full),
        selection_range: lines.range(described.selection),
        data: Some(serde_json::to_value(Data::of(&described.party, asked)).ok()?),
    })
}
