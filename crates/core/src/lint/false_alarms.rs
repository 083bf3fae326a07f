//! No false alarm is as important as no miss: what people write is not spoken of where it is no template.

use super::Judge;
use super::fixture::project::Project;
use super::fixture::{COMMON, fresh, judge_with};
use crate::catalog::Catalog;
use crate::{Code, Diagnostic};
use std::path::{Path, PathBuf};

const PROSE: [&str; 6] = [
    "他说：“{如果}你不来，我就走。”——《城南旧事》｛全角｝\n\n一、先问好；二、再回答（若有）。\n",
    "if you see {this}, write {{that}}; else {nothing}. 100% sure? `{x}` – {/if} \u{2028} {end}\u{85}\n",
    "```json\n{\"a\": {\"b\": [1, {}]}, \"c\": \"}\"}\n```\n\n| {a} | {b} |\n|---|---|\n",
    "fn main() { println!(\"{name} {0:?} {{}}\"); if a { b } else { c } while x {} }\n",
    "---\nid: no header here\nzone: nowhere\n---\n{% if user %}{{ user.name }}{% endif %} ${HOME} #{x} @{y} {{#each}}\n",
    "\\frac{a}{b} {\\it x} { } {}{}{ \0 \u{feff}{\t}\r{\r\n}\n",
];

/// Every file of this repository, pictures among them.
fn files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut all = Vec::new();
    walk(&root, &mut all);
    assert!(all.len() > 100, "the repository has more files than {}", all.len());
    for name in ["README.md", "README.zh-CN.md", "CONTRIBUTING.md"] {
        assert!(all.iter().any(|path| path.ends_with(name)), "{name}");
    }
    all
}

fn walk(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")).collect();
    entries.sort_by_key(std::fs::DirEntry::path);
    for entry in entries {
        let name = entry.file_name();
        let kind = entry.file_type().expect("a kind");
        let hidden = name.to_string_lossy().starts_with('.');
        if kind.is_dir() && !hidden && name != "target" && name != "node_modules" {
            walk(&entry.path(), out);
        } else if kind.is_file() && !hidden {
            out.push(entry.path());
        }
    }
}

/// The texts with a name each.
fn texts() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = PROSE
        .iter()
        .enumerate()
        .map(|(index, text)| (format!("prose {index}"), (*text).to_owned()))
        .collect();
    let mut bytes = 0;
    for path in files() {
        let content = std::fs::read(&path).expect("a file");
        // A picture is no text.
        let Ok(text) = String::from_utf8(content) else { continue };
        bytes += text.len();
        // A generated parser is long and the same throughout.
        if text.len() < 400_000 {
            all.push((path.display().to_string(), text));
        }
    }
    assert!(bytes > 500_000, "{bytes} bytes are little to go by");
    all
}

fn found(header: &str, text: &str, judge: &Judge) -> Vec<Diagnostic> {
    fresh(&format!("---\nid: t:a\n{header}\n---\n{text}"), judge)
}

#[test]
fn a_body_that_is_no_template_gives_nothing_but_the_hint() {
    let known = judge_with(Some(COMMON));
    let nothing_known = Judge::new(Catalog::default());
    let mut hints = 0;
    for (name, text) in texts() {
        for header in ["zone: context\norder: 1", "zone: system\norder: 10\ntemplate: false"] {
            let found = found(header, &text, &known);
            // A date of today is one in any text of the system zone.
            let codes = found.iter().map(|finding| finding.code);
            let codes: Vec<Code> = codes.filter(|code| *code != Code::VolatileLiteral).collect();
            assert!(codes.is_empty() || codes == [Code::TemplateNotEnabled], "{name}: {found:?}");
            hints += codes.len();
        }
        if !text.contains("prompt") {
            assert_eq!(found("zone: context\norder: 1", &text, &nothing_known), [], "{name}");
        }
    }
    // The fixtures among the texts do have tags of known variables.
    assert!(hints > 10, "{hints}");
}

#[test]
fn whatever_the_text_a_template_is_judged_in_order_and_within_bounds() {
    let judge = judge_with(Some(COMMON));
    for (name, text) in texts() {
        for header in ["zone: system\norder: 10\ntemplate: true", "zone: input\ntemplate: true"] {
            let whole = format!("---\nid: t:a\n{header}\n---\n{text}");
            let found = fresh(&whole, &judge);
            assert!(found.is_sorted_by_key(|finding| (finding.span, finding.code.name())), "{name}");
            for finding in found {
                let shown = whole.get(finding.span.range());
                assert!(shown.is_some_and(|shown| !shown.is_empty()), "{name}: {finding:?}");
            }
        }
    }
}

#[test]
fn a_text_that_is_no_block_gives_one_finding() {
    let judge = judge_with(Some(COMMON));
    for (name, text) in texts().into_iter().filter(|(_, text)| !text.starts_with("---")) {
        let found = fresh(&text, &judge);
        assert_eq!(
            found.iter().map(|f| f.code).collect::<Vec<_>>(),
            [Code::InvalidHeader],
            "{name}: {found:?}"
        );
    }
}

#[test]
fn a_healthy_project_is_quiet() {
    let files = [
        (
            "identity.promptblock",
            "---\nid: bot:identity\nzone: system\norder: -300\ntemplate: true\n---\n你是 {character_name}。\n{if is_group}群里说话要简短。{else}对方在私聊你。{/if}\n",
        ),
        (
            "persona.promptblock",
            "---\nid: bot:persona\nzone: system\norder: 0\n---\n话少，不用感叹号。用 `{}` 表示空对象。\n",
        ),
        ("u.promptblock", "---\nid: bot:example-user\nzone: system\norder: 80\nrole: user\n---\n在吗\n"),
        ("a.promptblock", "---\nid: bot:example-bot\nzone: system\norder: 81\nrole: assistant\n---\n在。\n"),
        (
            "now.promptblock",
            "---\nid: bot:now\nzone: context\norder: 1\ntemplate: true\n---\n现在是 {time}，{weather 上海}。群：{guild}，心情：{mood}\n{for m in members}- {m}\n{/for}{repeat count}.{/repeat}\n",
        ),
        (
            "input.promptblock",
            "---\nid: bot:input\nzone: input\ntemplate: true\n---\n{user_name}：{prompt}\n",
        ),
        ("promptblock.catalog.json", COMMON),
        ("promptblock.toml", ""),
    ];
    let files = files.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect();
    assert_eq!(Project::read(files).codes(), []);
}
