//! A fresh reading of a block, and one character typed into it, up to its findings, at four sizes.
//!
//! `cargo bench -p promptblock-core`

use divan::{Bencher, black_box};
use promptblock_core::FileId;
use promptblock_core::assemble::Vocabulary;
use promptblock_core::catalog::{Catalog, Layer, parse};
use promptblock_core::lint::Judge;
use promptblock_core::profile::Profile;
use promptblock_core::span::Span;
use promptblock_core::syntax::Document;

const SIZES: [u32; 4] = [4 << 10, 64 << 10, 1 << 20, 10 << 20];

fn main() {
    divan::main();
}

fn judge() -> Judge {
    let catalog = r#"{"variables": {"user_name": {}, "members": {"type": "list"}, "is_group": {}, "time": {"mutable": true}}}"#;
    let file = parse(catalog, FileId(0), Layer::Project, &Profile::blocks());
    Judge::new(Catalog::merge([&file]))
}

/// A prompt as people write them: prose with a tag every few lines, a condition, a loop, some JSON; one finding in about 4 KiB.
fn text(size: u32) -> String {
    const PARAGRAPH: &str = "你是群里的助手，说话要简短。Keep your answers short and to the point, and name your sources.\n\
        {if is_group}现在是群聊，{user_name} 在和大家说话。{else}这是私聊。{/if}\n\
        Use the tools only where they help; never guess a path, a name or a number.\n\
        {for member in members}- {member}\n{/for}\
        Answer as {{\"ok\": true, \"text\": \"…\"}} and nothing else.\n\n\
        回答时优先给出结论，再解释原因。不要使用列表，除非用户要求。\n\n";
    let mut text = String::from("---\nid: bench:block\nzone: system\norder: 120\ntemplate: true\n---\n");
    let mut next_finding = 2048;
    while text.len() < size as usize {
        text.push_str(PARAGRAPH);
        if text.len() > next_finding {
            text.push_str("It is {time}.\n");
            next_finding = if size > 100_000 { usize::MAX } else { next_finding + 4096 };
        }
    }
    text
}

#[divan::bench(args = SIZES, sample_count = 20)]
fn fresh(bencher: Bencher, size: u32) {
    let (text, judge) = (text(size), judge());
    bencher.bench(|| {
        let mut document = Document::new(black_box(&text), Profile::blocks());
        document.judge(&judge);
        document.findings(&judge).len()
    });
}

/// One character typed in the middle of a sentence and taken away again: two edits.
#[divan::bench(args = SIZES, sample_count = 200)]
fn two_edits(bencher: Bencher, size: u32) {
    typed(bencher, size, &judge(), |_| 0);
}

/// The same where the project sets a budget: then the block's tokens are counted behind each edit.
#[divan::bench(args = SIZES, sample_count = 200)]
fn two_edits_with_a_budget(bencher: Bencher, size: u32) {
    typed(bencher, size, &Judge { counts: Some(Vocabulary::O200k), ..judge() }, Document::tokens);
}

fn typed(bencher: Bencher, size: u32, judge: &Judge, then: fn(&Document) -> u32) {
    let mut document = Document::new(&text(size), Profile::blocks());
    document.judge(judge);
    then(&document);
    let lines = document.text().len_lines();
    let mut at = 1;
    bencher.bench_local(|| {
        // Somewhere else each time, as the caches of a processor would have it.
        at = (at * 48_271) % 2_147_483_647;
        let line = 8 + at % (lines - 10);
        let start = u32::try_from(document.text().line_to_byte(line)).unwrap_or(0);
        document.edit(Span::empty(start), "x");
        document.judge(judge);
        let found = (document.findings(judge).len(), then(&document));
        document.edit(Span::new(start, start + 1), "");
        document.judge(judge);
        black_box((found, document.findings(judge).len(), then(&document)))
    });
}

/// `{` typed: the edit that may change the meaning of all that follows.
#[divan::bench(args = SIZES, sample_count = 50)]
fn two_braces(bencher: Bencher, size: u32) {
    let judge = judge();
    let mut document = Document::new(&text(size), Profile::blocks());
    document.judge(&judge);
    let middle = document.text().len_lines() / 2;
    bencher.bench_local(|| {
        let start = u32::try_from(document.text().line_to_byte(middle)).unwrap_or(0);
        document.edit(Span::empty(start), "{");
        document.judge(&judge);
        let found = document.findings(&judge).len();
        document.edit(Span::new(start, start + 1), "");
        document.judge(&judge);
        black_box((found, document.findings(&judge).len()))
    });
}
