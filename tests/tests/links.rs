//! Links of blocks, configurations and catalogs, in each encoding.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, offset};
use serde_json::{Value, json};

const CONFIG: &str = "\u{feff}# 你😀\r\ncatalogs = [\"目录/一.json\", \"缺.json\", \"only/*.json\", 'many/*.json']\r\nsources = [\"src/**/*.ts\"]\r\n";

fn links(client: &mut Client, uri: &str, text: &str, encoding: Encoding) -> Vec<(String, String)> {
    let found = client.request("textDocument/documentLink", json!({"textDocument": {"uri": uri}}));
    let shown = |link: &Value| {
        let place = |end: &str| {
            let number = |key: &str| usize::try_from(link["range"][end][key].as_u64().unwrap()).unwrap();
            offset(text, (number("line"), number("character")), encoding)
        };
        (text[place("start")..place("end")].to_owned(), link["target"].as_str().unwrap().to_owned())
    };
    found.as_array().unwrap().iter().map(shown).collect()
}

fn project() -> Project {
    let project = Project::new("");
    project.write("promptblock.toml", CONFIG);
    project.write("目录/一.json", "{\"$schema\": \"../only/a.json\"}");
    project.write("only/a.json", "{}");
    project.write("many/a.json", "{}");
    project.write("many/b.json", "{}");
    project.write("src/deep/a.ts", "");
    project
}

#[test]
fn files_that_a_configuration_names() {
    for encoding in Encoding::ALL {
        let project = project();
        let mut client = Start::in_folders(&[&project]).encoding(encoding).start();
        let uri = project.uri("promptblock.toml");
        let expected = [
            ("目录/一.json".to_owned(), project.uri("目录/一.json")),
            ("only/*.json".to_owned(), project.uri("only/a.json")),
            ("src/**/*.ts".to_owned(), project.uri("src/deep/a.ts")),
        ];
        // On disk the mark is none of the first line's characters, in a buffer it is.
        let seen = CONFIG.trim_start_matches('\u{feff}');
        assert_eq!(links(&mut client, &uri, seen, encoding), expected);
        client.open(&uri, 1, CONFIG);
        assert_eq!(links(&mut client, &uri, CONFIG, encoding), expected);
        // What is typed counts, not what is on disk.
        let typed = "catalogs = [\"many/b.json\"]\n";
        client.replace(&uri, 2, typed);
        assert_eq!(
            links(&mut client, &uri, typed, encoding),
            [("many/b.json".to_owned(), project.uri("many/b.json"))]
        );
        client.stop();
    }
}

#[test]
fn the_schema_of_a_catalog() {
    let project = project();
    let mut client = Start::in_folders(&[&project]).start();
    let (uri, text) = (project.uri("目录/一.json"), project.read("目录/一.json"));
    let found = links(&mut client, &uri, &text, Encoding::Utf16);
    assert_eq!(found, [("../only/a.json".to_owned(), project.uri("only/a.json"))]);
    let typed = "{\"$schema\": \"../only/缺.json\"}";
    client.open(&uri, 1, typed);
    assert_eq!(links(&mut client, &uri, typed, Encoding::Utf16), [], "no such file");
    client.stop();
}

#[test]
fn addresses_in_bodies() {
    for encoding in Encoding::ALL {
        for mark in ["", "\u{feff}"] {
            let project = project();
            let mut client = Start::in_folders(&[&project]).encoding(encoding).start();
            // A document that is in no file has its links as well.
            for uri in [project.uri("a.promptblock"), "untitled:a.promptblock".to_owned()] {
                let text = format!(
                    "{mark}---\r\nid: 群😀:e\u{301}\r\nzone: context\r\norder: 1\r\ntemplate: true\r\n---\r\ne\u{301}你😀见https://a.example/维基。（http://b.example/c）https://a.example/{{x}} 尾\r\n"
                );
                client.open(&uri, 1, &text);
                assert_eq!(
                    links(&mut client, &uri, &text, encoding),
                    [
                        (
                            "https://a.example/维基".to_owned(),
                            "https://a.example/%E7%BB%B4%E5%9F%BA".to_owned()
                        ),
                        ("http://b.example/c".to_owned(), "http://b.example/c".to_owned()),
                    ]
                );
            }
            client.stop();
        }
    }
}
