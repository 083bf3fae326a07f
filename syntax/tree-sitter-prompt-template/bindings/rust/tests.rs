//! What holds for every text: the tree has no ERROR and no MISSING node, leaves no byte out, agrees
//! with a second lexer written from the language's description, and is the same after an edit as
//! from scratch. What single constructs look like stands in `test/corpus`.

mod hostile;
mod oracle;
mod queries;
mod random;
mod tables;
#[path = "../../../testing/trees.rs"]
mod trees;

use tree_sitter::{Parser, Tree};

fn parser() -> Parser {
    let mut parser = Parser::new();
    parser.set_language(&crate::LANGUAGE.into()).unwrap();
    parser
}

/// Nothing is left out but the blanks between the tokens of a tag.
fn assert_sound(text: &[u8], tree: &Tree) {
    trees::assert_sound(text, tree, |parent, gap| {
        let holds_items = parent == "template" || parent.ends_with("_block");
        !holds_items && gap.iter().all(|byte| matches!(byte, b' ' | b'\t'))
    });
}
