//! LSP over the core.
