//! What the queries capture.

use super::trees::captures;

const TEMPLATE: &str = "---\nid: t:a\ntemplate: true\n---\n- {name}\n";
const MARKDOWN: &str = "---\nid: t:a\n---\n# Hello\n";

fn captured(source: &str, text: &str) -> String {
    captures(&crate::LANGUAGE.into(), source, text)
}

#[test]
fn highlights() {
    assert_eq!(
        captured(crate::HIGHLIGHTS_QUERY, TEMPLATE),
        "punctuation.delimiter \"---\"\nproperty \"id\"\nproperty \"template\"\npunctuation.delimiter \"---\"\n"
    );
}

/// The body is a template only where the header says so.
#[test]
fn injections() {
    assert_eq!(
        captured(crate::INJECTIONS_QUERY, TEMPLATE),
        "injection.content \"id: t:a\\ntemplate: true\\n\" yaml injection.include-children\n\
         injection.content \"- {name}\\n\" prompt_template\n"
    );
    assert_eq!(
        captured(crate::INJECTIONS_QUERY, MARKDOWN),
        "injection.content \"id: t:a\\n\" yaml injection.include-children\n\
         injection.content \"# Hello\\n\" markdown\n"
    );
    assert_eq!(captured(crate::INJECTIONS_QUERY, "{name}"), "injection.content \"{name}\" markdown\n");
}

#[test]
fn folds() {
    assert_eq!(
        captured(crate::FOLDS_QUERY, TEMPLATE),
        "fold \"---\\nid: t:a\\ntemplate: true\\n---\"\nfold \"- {name}\\n\"\n"
    );
    assert_eq!(captured(crate::FOLDS_QUERY, MARKDOWN), "fold \"---\\nid: t:a\\n---\"\nfold \"# Hello\\n\"\n");
}

#[test]
fn locals() {
    assert_eq!(captured(crate::LOCALS_QUERY, MARKDOWN), format!("local.scope {MARKDOWN:?}\n"));
}
