//! The digest of the stable prefix: the same only where every block of it is the same, in the same sequence. [S0]

use super::assembly::Part;
use super::tools::Tools;
use sha2::{Digest as _, Sha256};
use std::fmt::Write;

/// SHA-256 of one block's text.
pub(super) fn of_text(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

/// SHA-256 over the tools, where they are known, ids, roles and texts, as `sha256:` and 64 hexadecimal digits.
pub(super) fn of_parts<'p>(tools: Option<&Tools>, parts: impl Iterator<Item = &'p Part>) -> String {
    let mut hasher = Sha256::new();
    // A length that no id has.
    tools.into_iter().for_each(|tools| {
        hasher.update(u64::MAX.to_le_bytes());
        hasher.update(tools.digest());
    });
    for part in parts {
        // With its length in front, no id can look like the end of another.
        for piece in [part.id(), part.role.name()] {
            hasher.update((piece.len() as u64).to_le_bytes());
            hasher.update(piece.as_bytes());
        }
        // The text by its own hash, which is kept with the block: a megabyte is not read again for a keystroke.
        hasher.update(part.content.digest());
    }
    let mut out = "sha256:".to_owned();
    for byte in hasher.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(out, "{byte:02x}");
    }
    out
}
