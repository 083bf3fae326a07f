//! What the model is sent: sample environments, values, rendering, the assembled prompt and what a change of it costs.

mod assembly;
mod content;
mod decimal;
mod digest;
mod environment;
mod escape;
pub mod estimate;
mod frame;
mod impact;
mod instructions;
mod layout;
mod messages;
mod outline;
mod pin;
mod render;
mod scene;
mod template;
mod tokens;
mod tools;
mod value;

#[cfg(test)]
pub(crate) mod fixture;
#[cfg(test)]
mod golden;
#[cfg(test)]
mod tests;

pub use assembly::{Assembler, Assembly, Blocks, JOIN, PROMPT, Part, Refused};
pub use content::Content;
pub use environment::{Environment, Environments, NoEnvironment, parse_environments};
pub use frame::Frame;
pub use impact::{Difference, How, Impact, differences, impact};
pub use instructions::{Instruction, instruction_parts};
pub use layout::{anthropic, openai};
pub use messages::{Message, messages, prefix_end, tools_counted};
pub use outline::{Outline, Section, outline};
pub use pin::{Change, changes, pin};
pub use render::{Limits, Piece, PieceKind, Rendered, render};
pub use scene::Scene;
pub use template::Template;
pub(crate) use tokens::can_begin;
pub use tokens::{Vocabulary, Zones};
pub use tools::{Tool, Tools, parse_tools, unknown_tools};
pub use value::{Lookup, count, holds, is_true, is_truthy, spell, value_of};
