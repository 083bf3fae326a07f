//! The generated table of name characters.

#[path = "../../../tools/unicode_table.rs"]
mod unicode_table;

#[test]
fn the_committed_table_is_the_generated_one() {
    let committed = include_str!("../../../src/unicode.h").replace("\r\n", "\n");
    assert!(committed == unicode_table::header(), "run the example `unicode_table` again");
}

/// The scanner's search in the table is right for every character there is.
#[test]
fn names_are_made_of_the_characters_that_unicode_says() {
    let mut parser = super::parser();
    let mut text = String::new();
    let mut expected = Vec::new();
    for c in ('\u{80}'..=char::MAX).step_by(7).chain('\u{80}'..'\u{3500}') {
        let name = format!("{c}_{c}");
        let start = text.len();
        text.push_str(&format!("{{{name}}}"));
        if unicode_ident::is_xid_start(c) {
            expected.push(start..text.len());
        }
        let start = text.len();
        text.push_str(&format!("{{_{c}}}\n"));
        if unicode_ident::is_xid_continue(c) {
            expected.push(start..text.len() - 1);
        }
    }
    let tree = parser.parse(&text, None).unwrap();
    let tags: Vec<_> = super::trees::listing(&tree)
        .into_iter()
        .filter(|line| line.kind == "variable_tag")
        .map(|line| line.range)
        .collect();
    assert!(tags == expected, "{} tags, {} expected", tags.len(), expected.len());
}
