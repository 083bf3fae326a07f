//! What `promptblock/assembly` says, as it goes over the wire. `docs/protocol.md` describes it to those who write clients.

use serde::{Deserialize, Serialize};
use tower_lsp::ls_types::{Diagnostic, Range, TextDocumentIdentifier, Uri};

/// The question.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AssemblyParams {
    /// Any file of the project.
    pub(crate) text_document: TextDocumentIdentifier,
    /// The sample environment; the project's own by default.
    #[serde(default)]
    pub(crate) environment: Option<String>,
    /// A second environment: what is sent when the first one has become this one, the system zone pinned.
    #[serde(default)]
    pub(crate) then: Option<String>,
    /// What the user wrote; `{prompt}` by default.
    #[serde(default)]
    pub(crate) input: Option<String>,
    /// Whether the catalog's examples stand in for values that are missing.
    #[serde(default = "yes")]
    pub(crate) examples: bool,
    /// The answer that the client has: of blocks that are the same only their place in it is sent.
    #[serde(default)]
    pub(crate) previous_result_id: Option<String>,
    /// Leaves out blocks and messages.
    #[serde(default)]
    pub(crate) summary: bool,
}

const fn yes() -> bool {
    true
}

/// The answer.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AssemblyAnswer {
    pub(crate) result_id: String,
    /// The project's folder.
    pub(crate) project: Option<Uri>,
    pub(crate) profile: String,
    pub(crate) vocabulary: &'static str,
    /// The environment that gave the values.
    pub(crate) environment: Option<String>,
    /// The second one, where there is one.
    pub(crate) then: Option<String>,
    /// Every environment of the project.
    pub(crate) environments: Vec<String>,
    /// What was found; where the assembly is refused, why.
    pub(crate) findings: Vec<Finding>,
    /// Whether there is no assembly: then nothing of the following is there.
    pub(crate) refused: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tokens: Option<Tokens>,
    /// Tokens by the framework's own classes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) usage: Option<Vec<Usage>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) budget: Option<Budget>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) blocks: Option<Vec<BlockOrKept>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) messages: Option<Vec<Message>>,
    /// With a second environment: the variables of the system zone that have another value in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) changed: Option<Vec<Changed>>,
    /// With a second environment: what would become of the cached prefix without the pin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) without_pin: Option<WithoutPin>,
    /// Blocks of source code whose text only the running program knows; they are in no message.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) computed: Vec<Computed>,
    /// Why the asked document is no part of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) absent: Option<&'static str>,
}

/// A block whose text is computed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Computed {
    /// None where that is computed, too.
    pub(crate) id: Option<String>,
    pub(crate) zone: &'static str,
    pub(crate) uri: Option<Uri>,
    /// The call that registers it, by its method's name.
    pub(crate) range: Range,
}

/// A finding and where it is.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Finding {
    pub(crate) uri: Option<Uri>,
    pub(crate) diagnostic: Diagnostic,
}

/// Tokens by zone, as they are sent.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Tokens {
    pub(crate) system: u64,
    pub(crate) prelude: u64,
    pub(crate) contexts: u64,
    pub(crate) input: u64,
    /// The tools, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tools: Option<u64>,
    /// As far as the stable prefix reaches.
    pub(crate) prefix: u64,
}

/// A class of what fills the model's context.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Usage {
    pub(crate) class: String,
    /// Its name in the reader's language.
    pub(crate) name: String,
    pub(crate) tokens: u64,
}

/// The project's budget, and whether it is exceeded.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Budget {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) system: Option<Limit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) context: Option<Limit>,
}

/// One zone's budget.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Limit {
    pub(crate) tokens: u64,
    pub(crate) over: bool,
}

/// A block, or blocks of the answer that the client has.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum BlockOrKept {
    /// `[first, count]` of the earlier answer's blocks.
    Kept { keep: [usize; 2] },
    /// One that is new or another now.
    Block(Box<Block>),
}

/// A block as it is assembled.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Block {
    pub(crate) id: Option<String>,
    pub(crate) uri: Option<Uri>,
    pub(crate) zone: &'static str,
    pub(crate) role: &'static str,
    pub(crate) order: Option<f64>,
    pub(crate) tokens: u64,
    pub(crate) pieces: Vec<Piece>,
    /// Whether its text goes on and is not sent.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) truncated: bool,
}

/// A piece of a block's text.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Piece {
    pub(crate) kind: &'static str,
    pub(crate) text: String,
    /// The text or tag in the block's file that it comes from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) range: Option<Range>,
    /// The tag as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) source: Option<String>,
}

/// A message: its sections in sequence.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Message {
    pub(crate) role: &'static str,
    pub(crate) sections: Vec<Section>,
    /// Tokens of all of it.
    pub(crate) tokens: u64,
    /// Whether it has a cache mark.
    pub(crate) cache: bool,
    /// Whether the stable prefix ends with it.
    pub(crate) prefix_end: bool,
}

/// A section of a message.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Section {
    /// Text that stands in no block.
    Text { text: String },
    /// `[first, count]` of the blocks, with a blank line between them.
    Blocks { blocks: [usize; 2] },
}

/// A variable with another value.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Changed {
    pub(crate) name: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// The cost of a change that no pin holds off.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WithoutPin {
    pub(crate) first_changed: Option<String>,
    pub(crate) survives: u64,
    pub(crate) recomputed: u64,
}

/// Which answers are outdated.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AssemblyChangedParams {
    pub(crate) result_ids: Vec<String>,
}
