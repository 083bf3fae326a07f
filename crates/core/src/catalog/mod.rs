//! The variable catalog: what may stand in a tag, in layers, with the place of each entry.

mod file;
mod layers;
mod variable;

pub(crate) use file::KEYS;
pub use file::{CatalogFile, parse};
pub use layers::Catalog;
pub use variable::{Argument, Definition, Layer, Mutability, ValueType, Variable};
