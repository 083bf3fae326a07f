//! Every safe fix of one file with 2,000 and with 20,000 findings, as `check --fix` and `source.fixAll` do them; and what is offered
//! for each of the findings, as `check` prints it.
//!
//! `cargo bench -p promptblock-workspace --bench fix`

mod project;

use camino::Utf8PathBuf;
use divan::{Bencher, black_box};
use project::Project;
use promptblock_workspace::{Workspace, fix};

fn main() {
    divan::main();
}

/// A project with one block.
struct Read {
    /// It must outlive what has read it.
    _project: Project,
    workspace: Workspace,
    path: Utf8PathBuf,
}

impl Read {
    fn block(name: &str, lines: usize, line: &str, catalog: &str) -> Self {
        let text = format!(
            "---\nid: bench:block\nzone: system\norder: 10\ntemplate: true\n---\n{}",
            line.repeat(lines)
        );
        let files = [("promptblock.catalog.json", catalog), ("a.promptblock", &text)];
        let project = Project::new(&format!("{name}-{lines}"), files);
        let (workspace, path) = (project.workspace(), project.path("a.promptblock"));
        workspace.refresh();
        Self { _project: project, workspace, path }
    }
}

#[divan::bench(args = [2_000, 20_000], sample_count = 5)]
fn safe(bencher: Bencher, findings: usize) {
    let line = "回答用 JSON：{\"name\": \"青禾\"} and nothing else.\n";
    bencher.with_inputs(|| Read::block("safe", findings, line, "{}")).bench_local_refs(|read| {
        let fixed = fix(&read.workspace, &|path| *path == read.path, &|_| true);
        assert_eq!(fixed.first().map(|file| file.count), Some(findings));
    });
}

#[divan::bench(args = [2_000, 20_000], sample_count = 5)]
fn offered(bencher: Bencher, findings: usize) {
    let catalog = r#"{"variables": {"user_name": {}, "is_group": {}}}"#;
    let read = Read::block("offered", findings, "你好，{user_nmae}。\n", catalog);
    let file = read.workspace.file(&read.path);
    let Some((found, snapshot)) = read.workspace.findings(file).zip(read.workspace.snapshot(&read.path))
    else {
        return;
    };
    assert_eq!(found.diagnostics.len(), findings);
    bencher.bench_local(|| {
        let fixes = read.workspace.fixes();
        black_box(found.diagnostics.iter().map(|finding| fixes.of(&snapshot, finding).len()).sum::<usize>())
    });
}
