//! The first reading of a project of 1,000 and of 10,000 block files of 2 KiB, beside reading the same files and nothing else.
//!
//! `cargo bench -p promptblock-workspace`

mod project;

use divan::{Bencher, black_box};
use project::Project;
use rayon::prelude::*;
use std::fs;

fn main() {
    divan::main();
}

fn name(number: usize) -> String {
    format!("blocks/{}/{number}.promptblock", number / 200)
}

fn project(files: usize) -> Project {
    let catalog = r#"{"variables": {"user_name": {}, "members": {"type": "list"}}}"#;
    let project = Project::new(&files.to_string(), [("promptblock.catalog.json", catalog)]);
    for number in 0..files {
        let mut text = format!(
            "---\nid: bench:block-{number}\nzone: context\norder: {number}\ntemplate: true\ndescription: 第 {number} 块\n---\n"
        );
        while text.len() < 2048 {
            text.push_str("Keep answers short, {user_name}.\n回答时优先给出结论，再解释原因。\n{for m in members}- {m}\n{/for}\n");
        }
        project.write(&name(number), &text);
    }
    project
}

#[divan::bench(args = [1_000, 10_000], sample_count = 5)]
fn first_index(bencher: Bencher, files: usize) {
    let project = project(files);
    bencher.bench_local(|| {
        let workspace = project.workspace();
        assert_eq!(workspace.projects().first().map(|view| view.index.len()), Some(files));
        workspace
    });
}

#[divan::bench(args = [1_000, 10_000], sample_count = 5)]
fn read_only(bencher: Bencher, files: usize) {
    let project = project(files);
    bencher.bench_local(|| {
        let paths: Vec<_> = (0..files).map(|number| project.path(name(number))).collect();
        let bytes: usize = paths.par_iter().map(|path| fs::read(path).map_or(0, |bytes| bytes.len())).sum();
        black_box(bytes)
    });
}
