//! The queries fit the grammar.

use tree_sitter::Query;

#[test]
fn every_query_compiles() {
    for (name, source) in [
        ("highlights", crate::HIGHLIGHTS_QUERY),
        ("injections", crate::INJECTIONS_QUERY),
        ("folds", crate::FOLDS_QUERY),
        ("locals", crate::LOCALS_QUERY),
    ] {
        if let Err(error) = Query::new(&crate::LANGUAGE.into(), source) {
            panic!("{name}.scm: {error}");
        }
    }
}
