//! One character typed into a block of a project of 1,000 blocks and 1 MB of system text, up to the new assembly with its digest,
//! its tokens and what an edit of each block costs.
//!
//! `cargo bench -p promptblock-workspace --bench preview`

mod project;

use camino::Utf8PathBuf;
use divan::{Bencher, black_box};
use project::Project;
use promptblock_core::assemble::{Assembler, Vocabulary};
use promptblock_core::span::Span;
use promptblock_workspace::Workspace;

const BLOCKS: usize = 1_000;
const BLOCK_SIZE: usize = 1_000;

fn main() {
    divan::main();
}

fn block(number: usize) -> String {
    // One loop a block: the loops of an assembly together have a limit, behind which there is less to do.
    let mut text = format!(
        "---\nid: bench:block-{number}\nzone: system\norder: {}\ntemplate: true\n---\n{{for m in members}}- {{m}}\n{{/for}}\n",
        number % 600
    );
    let head = text.len();
    while text.len() < head + BLOCK_SIZE {
        text.push_str("Keep answers short, {user_name}.\n回答时优先给出结论，再解释原因。{if is_group}群里说话要简短。{/if}\n");
    }
    text
}

fn project() -> Project {
    let project = Project::new(
        "preview",
        [
            (
                "promptblock.catalog.json",
                r#"{"variables": {"user_name": {}, "is_group": {}, "members": {"type": "list"}}}"#,
            ),
            (
                "promptblock.env.json",
                r#"{"group": {"user_name": "青禾", "is_group": true, "members": ["青禾", "老周", "Mika"]}}"#,
            ),
        ],
    );
    for number in 0..BLOCKS {
        project.write(&format!("blocks/{number}.promptblock"), &block(number));
    }
    project
}

/// The workspace with one block open.
fn workspace(project: &Project) -> (Workspace, Utf8PathBuf) {
    let workspace = project.workspace();
    let path = project.path("blocks/300.promptblock");
    workspace.open(&path, 1, &block(300));
    workspace.refresh();
    (workspace, path)
}

/// All that the preview shows but for the text itself, as one number.
fn preview(workspace: &Workspace, path: &Utf8PathBuf, assembler: &mut Assembler) -> u64 {
    let view = workspace.project_view(path);
    let scene = view.scene(None, true);
    let assembly = workspace.assemble(&view, assembler, &scene, None);
    assembly.map_or(0, |assembly| {
        let tokens = assembly.tokens(Vocabulary::O200k).total();
        let costs = assembly.costs(Vocabulary::O200k);
        assert_eq!(costs.len(), BLOCKS);
        black_box((assembly.digest(), costs));
        tokens
    })
}

#[divan::bench(sample_count = 100)]
fn keystroke(bencher: Bencher) {
    let project = project();
    let (workspace, path) = workspace(&project);
    let mut assembler = Assembler::default();
    assert!(preview(&workspace, &path, &mut assembler) > 100_000);
    let (mut version, at) = (1, u32::try_from(block(300).len() / 2).unwrap_or_default());
    let at = (at..).find(|at| block(300).is_char_boundary(*at as usize)).unwrap_or_default();
    bencher.bench_local(move || {
        version += 1;
        workspace.change(&path, version, |text| text.edit(Span::empty(at), "x"));
        workspace.refresh();
        preview(&workspace, &path, &mut assembler)
    });
}

/// The first one, with every block read, rendered and counted.
#[divan::bench(sample_count = 3)]
fn first(bencher: Bencher) {
    let project = project();
    let (workspace, path) = workspace(&project);
    bencher.bench_local(|| preview(&workspace, &path, &mut Assembler::default()));
}
