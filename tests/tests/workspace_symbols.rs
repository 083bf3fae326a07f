//! What stands where in the workspace, by name, in each encoding.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, range_of};
use serde_json::{Value, json};

const CATALOG: &str = "\u{feff}// 说明😀\r\n{/* 你😀 */ \"variables\": {\"名字😀\": {}, \"mood\": {}}}\r\n";
const SOURCE: &str = "// 你🎉\r\n/* 😀 */ ctx.prompt.variable({ name: 'tone' }, () => '')\r\n/* 😀 */ ctx.prompt.block({ id: 't:源😀', zone: 'context', order: 30, template: true, content: '{tone}' })\r\n";

fn block(id: &str, order: u32) -> String {
    format!(
        "\u{feff}---\r\ndescription: 群😀\r\nid: {id}\r\nzone: system\r\norder: {order}\r\n---\r\n你😀\r\n"
    )
}

fn symbols(client: &mut Client, query: &str) -> Vec<Value> {
    client.request("workspace/symbol", json!({"query": query})).as_array().unwrap().clone()
}

/// Name and place of each.
fn places(found: &[Value]) -> Vec<(&str, &str, &Value)> {
    found
        .iter()
        .map(|one| {
            let location = &one["location"];
            (one["name"].as_str().unwrap(), location["uri"].as_str().unwrap(), &location["range"])
        })
        .collect()
}

#[test]
fn exact_places_across_projects() {
    for encoding in Encoding::ALL {
        let one = Project::named("one", "//- promptblock.toml\n");
        let two = Project::named("two", "//- promptblock.toml\n");
        one.write("promptblock.catalog.json", CATALOG);
        one.write("src/p.ts", SOURCE);
        let first = block("群😀:first", 110);
        one.write("a.promptblock", &first);
        let second = block("群😀:second", 120);
        two.write("b.promptblock", &second);
        let mut client = Start::in_folders(&[&one, &two]).encoding(encoding).start();
        let (a, b) = (one.uri("a.promptblock"), two.uri("b.promptblock"));
        let catalog = one.uri("promptblock.catalog.json");
        let source = one.uri("src/p.ts");
        // A closed file is seen without its mark, as editors show it.
        let seen = |text: &str| text.trim_start_matches('\u{feff}').to_owned();
        let cases = [
            ("😀:FIRST", "群😀:first", &a, seen(&first), "群😀:first"),
            ("群second", "群😀:second", &b, seen(&second), "群😀:second"),
            ("名", "名字😀", &catalog, seen(CATALOG), "\"名字😀\""),
            ("t:源", "t:源😀", &source, SOURCE.to_owned(), "'t:源😀'"),
            ("tone", "tone", &source, SOURCE.to_owned(), "'tone'"),
        ];
        for (query, name, uri, text, piece) in &cases {
            let found = symbols(&mut client, query);
            let first = *places(&found).first().unwrap_or_else(|| panic!("{query}: nothing"));
            let range = range_of(text, piece, encoding);
            assert_eq!(first, (*name, uri.as_str(), &range), "{query}");
        }
        let found = symbols(&mut client, "second");
        assert_eq!(found[0]["containerName"].as_str().unwrap().split(" · ").next(), Some("system 120"));
        let bands = symbols(&mut client, "tool guidance");
        let lead: Vec<&str> = places(&bands).iter().map(|(_, uri, _)| *uri).collect();
        assert_eq!(lead, [&a, &b], "one of each project");
        assert!(symbols(&mut client, "no such thing").is_empty());
        assert!(symbols(&mut client, "").len() >= 8);

        // What is typed counts, with the mark of a buffer, and what is gone is not listed.
        let edited = block("群😀:third", 130);
        client.open(&b, 1, &edited);
        let found = symbols(&mut client, "third");
        assert_eq!(places(&found)[0], ("群😀:third", b.as_str(), &range_of(&edited, "群😀:third", encoding)));
        assert!(symbols(&mut client, "second").is_empty());
        one.remove("a.promptblock");
        client.watched(&[(&a, 3)]);
        assert!(symbols(&mut client, ":first").is_empty());
        client.stop();
    }
}
