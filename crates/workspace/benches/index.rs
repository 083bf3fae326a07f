//! The first reading of a project of 1,000 and of 10,000 block files of 2 KiB, beside reading the same files and nothing else.
//!
//! `cargo bench -p promptblock-workspace`

use camino::{Utf8Path, Utf8PathBuf};
use divan::{Bencher, black_box};
use promptblock_workspace::{Options, Workspace};
use rayon::prelude::*;
use std::fs;
use std::sync::atomic::AtomicBool;

fn main() {
    divan::main();
}

/// A project on disk that goes away with the value.
struct Project(Utf8PathBuf);

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn project(files: usize) -> Project {
    let name = format!("promptblock-bench-{}-{files}", std::process::id());
    let root = Utf8PathBuf::from_path_buf(std::env::temp_dir()).unwrap_or_default().join(name);
    let write = |path: &Utf8Path, text: &str| {
        let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
        assert!(made.is_ok(), "cannot write {path}");
    };
    write(&root.join("promptblock.toml"), "");
    write(
        &root.join("promptblock.catalog.json"),
        r#"{"variables": {"user_name": {}, "members": {"type": "list"}}}"#,
    );
    for number in 0..files {
        let mut text = format!(
            "---\nid: bench:block-{number}\nzone: context\norder: {number}\ntemplate: true\ndescription: 第 {number} 块\n---\n"
        );
        while text.len() < 2048 {
            text.push_str("Keep answers short, {user_name}.\n回答时优先给出结论，再解释原因。\n{for m in members}- {m}\n{/for}\n");
        }
        write(&root.join(format!("blocks/{}/{number}.promptblock", number / 200)), &text);
    }
    Project(root)
}

#[divan::bench(args = [1_000, 10_000], sample_count = 5)]
fn first_index(bencher: Bencher, files: usize) {
    let project = project(files);
    bencher.bench_local(|| {
        let workspace = Workspace::new(Options::default());
        workspace.add_folder(&project.0);
        workspace.load(&|_| {}, &AtomicBool::new(false));
        assert_eq!(workspace.projects().first().map(|view| view.index.len()), Some(files));
        workspace
    });
}

#[divan::bench(args = [1_000, 10_000], sample_count = 5)]
fn read_only(bencher: Bencher, files: usize) {
    let project = project(files);
    bencher.bench_local(|| {
        let paths: Vec<_> = (0..files)
            .map(|number| project.0.join(format!("blocks/{}/{number}.promptblock", number / 200)))
            .collect();
        let bytes: usize = paths.par_iter().map(|path| fs::read(path).map_or(0, |bytes| bytes.len())).sum();
        black_box(bytes)
    });
}
