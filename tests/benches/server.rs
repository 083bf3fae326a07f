//! How long an editor waits for the server: each question right behind a keystroke, over the real binary, in a file of 64 KiB of a
//! project of 1,000 blocks. Prints a table for `docs/benchmarks.md`.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark, run by hand")]

use promptblock_tests::{Client, Encoding, Project, Start, position};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const BLOCKS: usize = 1000;
const SAMPLES: usize = 300;
const SIZE: usize = 64 << 10;

fn block(n: usize, size: usize) -> String {
    let used = if n.is_multiple_of(10) { "{member_0}" } else { "{member_1}" };
    let mut text = format!("---\nid: bench:b{n}\nzone: context\norder: {n}\ntemplate: true\n---\n");
    while text.len() < size {
        text.push_str("群里有人说：Please answer in short sentences, and never repeat the question.\n");
        text.push_str(&format!("{used}{{if is_group}}大家好 {{time}}{{else}}你好{{/if}}\n"));
        text.push_str("示例 JSON：{{\"名字\": \"😀\", \"n\": 1}}\n{for m in members}- {m}{/for}\n\n");
    }
    text
}

struct Session {
    client: Client,
    uri: String,
    text: String,
    at: usize,
    version: i64,
    tokens: String,
}

impl Session {
    /// A character typed or taken away again, in the middle of the file; then a question. Both are waited for.
    fn ask(&mut self, question: &str) -> (Duration, Value) {
        self.version += 1;
        let (line, character) = position(&self.text, self.at, Encoding::Utf16);
        let place = json!({"line": line, "character": character});
        let behind = json!({"line": line, "character": character + 1});
        let grow = self.version % 2 == 0;
        let range = json!({"start": place, "end": if grow { &place } else { &behind }});
        let change = json!([{"range": range, "text": if grow { "字" } else { "" }}]);
        // On the name of the tag two characters further on.
        let place = json!({"line": line, "character": character + 2 + usize::from(grow)});
        let mut params = json!({"textDocument": {"uri": self.uri}});
        match question {
            "semanticTokens/full/delta" => params["previousResultId"] = json!(self.tokens),
            "references" => {
                params["position"] = place;
                params["context"] = json!({"includeDeclaration": true});
            }
            _ => params["position"] = place,
        }
        let begun = Instant::now();
        self.client.change(&self.uri, self.version, change);
        let answer = self.client.request(&format!("textDocument/{question}"), params);
        let took = begun.elapsed();
        if let Some(id) = answer["resultId"].as_str() {
            id.clone_into(&mut self.tokens);
        }
        (took, answer)
    }
}

fn main() {
    let project = Project::new("//- promptblock.toml\n");
    let members = (0..200).map(|n| format!("\"member_{n}\": {{\"description\": \"第 {n} 个\"}}"));
    let members: Vec<String> = members.collect();
    let catalog = format!(
        "{{\"variables\": {{\"time\": {{\"mutable\": true}}, \"is_group\": {{}}, \"members\": {{\"type\": \"list\"}}, {}}}}}",
        members.join(", ")
    );
    project.write("promptblock.catalog.json", catalog);
    for n in 0..BLOCKS {
        project.write(&format!("b{n}.promptblock"), block(n, if n == 0 { SIZE } else { 2 << 10 }));
    }
    let modern = json!({"completionItem": {
        "snippetSupport": true, "labelDetailsSupport": true, "resolveSupport": {"properties": ["documentation"]},
    }});
    let tokens = json!({
        "requests": {"full": {"delta": true}, "range": true}, "formats": ["relative"],
        "tokenTypes": ["variable", "keyword", "operator", "property", "string", "number"], "tokenModifiers": [],
    });
    let start = Start::in_folders(&[&project]).can("completion", modern).can("semanticTokens", tokens);
    let mut client = start.start();
    let (uri, text) = (project.uri("b0.promptblock"), project.read("b0.promptblock"));
    client.open(&uri, 1, &text);
    client.settle();
    client.listen(Duration::from_secs(2));
    // In front of a tag in the middle.
    let mut tags = text.match_indices("{member_0}").map(|(at, _)| at);
    let at = tags.find(|at| *at > text.len() / 2).unwrap_or_default();
    let full = client.request("textDocument/semanticTokens/full", json!({"textDocument": {"uri": uri}}));
    let tokens = full["resultId"].as_str().unwrap_or_default().to_owned();
    let mut session = Session { client, uri, text, at, version: 1, tokens };
    println!("| question behind a keystroke | median | 99th percentile | answer |");
    println!("|---|---|---|---|");
    for question in ["completion", "hover", "semanticTokens/full/delta", "references"] {
        let mut times = Vec::with_capacity(SAMPLES);
        let mut size = 0;
        for sample in 0..SAMPLES + 20 {
            let (took, answer) = session.ask(question);
            assert!(!answer.is_null(), "{question}");
            size = answer.to_string().len();
            // The first ones find cold caches.
            if sample >= 20 {
                times.push(took);
            }
        }
        times.sort_unstable();
        let shown = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1000.0);
        let (median, late) = (times[SAMPLES / 2], times[SAMPLES * 99 / 100]);
        println!("| `{question}` | {} | {} | {size} bytes |", shown(median), shown(late));
    }
    session.client.stop();
}
