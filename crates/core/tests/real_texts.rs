//! Hundreds of texts that somebody wrote for another purpose: what they are read as where they are no template, and where they are.
//!
//! They come from what is installed anyway on a machine that builds this project: the sources of its dependencies, the toolchain's
//! documentation where it is, the pages of the repository. None is copied here. Too few of a kind is a failure.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use promptblock_core::assemble::{Limits, Scene, Template, parse_environments, render};
use promptblock_core::catalog::{Catalog, Layer, parse};
use promptblock_core::lint::Judge;
use promptblock_core::profile::Profile;
use promptblock_core::syntax::Document;
use promptblock_core::{Code, FileId};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Names that real texts have in braces.
const CATALOG: &str = r#"{"variables": {
  "name": {}, "x": {"mutable": true}, "i": {"zones": ["input"]}, "e": {"args": ["a"]}, "self": {}, "value": {"type": "number"},
  "name_list": {"type": "list"}, "version": {}, "crate": {}, "id": {}, "a": {}, "b": {}, "n": {}, "s": {}
}}"#;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Markdown,
    Code,
    Json,
    Toml,
    Chinese,
    Html,
}

impl Kind {
    /// How many there must be on any machine, and how many are looked at: spread over all that there are.
    const fn limits(self) -> (usize, usize) {
        match self {
            Self::Markdown => (150, 200),
            Self::Code => (150, 200),
            Self::Json => (100, 200),
            Self::Toml => (50, 60),
            Self::Chinese => (40, 100),
            // The toolchain's documentation is left out of a minimal installation.
            Self::Html => (0, 30),
        }
    }

    const ALL: [Self; 6] = [Self::Markdown, Self::Code, Self::Json, Self::Toml, Self::Chinese, Self::Html];
}

/// Longer ones say no more and take their time.
const LONGEST: usize = 60_000;

struct Text {
    name: String,
    kind: Kind,
    text: String,
}

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Where texts lie: the folders of the locked dependencies, the toolchain's documentation, this repository.
fn folders() -> Vec<PathBuf> {
    let about = run("rustc", &["--version", "--verbose"]);
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host").to_owned();
    // What other platforms need is not here, and need not come for this.
    let metadata = ["metadata", "--format-version", "1", "--locked", "--filter-platform", &host];
    let metadata: serde_json::Value = serde_json::from_str(&run(env!("CARGO"), &metadata)).unwrap();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let dependencies = packages.filter(|package| !package["source"].is_null());
    let manifests = dependencies.map(|package| PathBuf::from(package["manifest_path"].as_str().unwrap()));
    let mut folders: Vec<PathBuf> = manifests.map(|manifest| manifest.parent().unwrap().to_owned()).collect();
    folders.sort();
    let documentation =
        PathBuf::from(run("rustc", &["--print", "sysroot"]).trim()).join("share/doc/rust/html");
    folders.extend(["rust-by-example/zh", "book", "reference"].map(|book| documentation.join(book)));
    folders.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    folders
}

fn walk(folder: &Path, depth: usize, out: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(fs::DirEntry::path);
    for entry in entries {
        let (name, Ok(kind)) = (entry.file_name(), entry.file_type()) else { continue };
        if kind.is_file() {
            out.push(entry.path());
        } else if kind.is_dir() && depth < 8 && name != "target" && name != "node_modules" && name != ".git" {
            walk(&entry.path(), depth + 1, out);
        }
    }
}

/// The words of a page: what a person reads.
fn words(html: &str) -> String {
    let (mut text, mut rest) = (String::new(), html);
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        let program = ["script", "style"].into_iter().find(|name| tag.starts_with(name));
        let end = program.map_or_else(|| ">".to_owned(), |name| format!("</{name}>"));
        rest = tag.split_once(&end).map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Whether a text is mostly Chinese: no kana, and an ideograph for every five characters at least.
fn is_chinese(text: &str) -> bool {
    let count = |from: char, to: char| text.chars().filter(|char| (from..=to).contains(char)).count();
    let ideographs = count('\u{4e00}', '\u{9fff}');
    ideographs * 5 > text.chars().filter(|char| !char.is_whitespace()).count()
        && count('\u{3040}', '\u{30ff}') == 0
}

fn kind(path: &Path, text: &str) -> Option<Kind> {
    let kind = match path.extension()?.to_str()? {
        "md" => Kind::Markdown,
        "rs" | "c" | "h" | "js" | "ts" | "lua" => Kind::Code,
        "json" => Kind::Json,
        "toml" => Kind::Toml,
        "html" => Kind::Html,
        _ => return None,
    };
    let prose = matches!(kind, Kind::Markdown | Kind::Html);
    Some(if prose && is_chinese(text) { Kind::Chinese } else { kind })
}

/// The texts, as many of each kind as are looked at.
fn texts() -> Vec<Text> {
    let mut all: BTreeMap<Kind, Vec<Text>> = BTreeMap::new();
    for folder in folders() {
        let mut files = Vec::new();
        walk(&folder, 0, &mut files);
        for path in files {
            if fs::metadata(&path).is_ok_and(|meta| meta.len() > LONGEST as u64) {
                continue;
            }
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let is_page = path.extension().is_some_and(|extension| extension == "html");
            let text = if is_page { words(&text) } else { text };
            let Some(kind) = kind(&path, &text).filter(|_| !text.trim().is_empty()) else { continue };
            all.entry(kind).or_default().push(Text { name: path.display().to_string(), kind, text });
        }
    }
    let mut chosen = Vec::new();
    for kind in Kind::ALL {
        let found = all.remove(&kind).unwrap_or_default();
        let (least, most) = kind.limits();
        assert!(found.len() >= least, "{} texts of kind {kind:?}, and {least} are needed", found.len());
        let step = found.len().div_ceil(most).max(1);
        chosen.extend(found.into_iter().step_by(step));
    }
    assert!(chosen.len() >= 300, "{} texts", chosen.len());
    chosen
}

fn judge() -> Judge {
    let file = parse(CATALOG, FileId(0), Layer::Project, &Profile::blocks());
    assert_eq!(file.diagnostics, []);
    Judge::new(Catalog::merge([&file]))
}

fn block(header: &str, body: &str, judge: &Judge) -> Document {
    let text = format!("---\nid: real:text\n{header}\n---\n{body}");
    let mut document = Document::new(&text, Arc::clone(&judge.profile));
    document.judge(judge);
    document
}

fn codes(document: &Document, judge: &Judge) -> Vec<Code> {
    document.findings(judge).iter().map(|finding| finding.code).collect()
}

/// The content as it is rendered where every known variable has a value that no text has.
fn rendered(document: &Document, judge: &Judge) -> String {
    let names: Vec<String> =
        judge.catalog.iter().map(|variable| format!("{:?}: \"\u{e000}\"", &*variable.name)).collect();
    let (environments, found) = parse_environments(&format!("{{\"e\": {{{}}}}}", names.join(", ")));
    assert_eq!(found, []);
    let scene = Scene {
        revision: 1,
        environment: environments.named("e").cloned(),
        catalog: Arc::clone(&judge.catalog),
        examples: false,
        frame: Arc::default(),
    };
    let out = render(&Template::of(document), &scene, None, &Limits::START);
    assert!(out.text.len() < document.text().len_bytes() + (9 << 20), "rendering is bounded");
    out.text.to_string()
}

#[test]
fn a_body_that_is_no_template_gives_the_hint_and_nothing_else() {
    let (known, unknown) = (judge(), Judge::new(Catalog::default()));
    let (mut hints, mut counted) = (0, BTreeMap::<Kind, usize>::new());
    for Text { name, kind, text } in texts() {
        *counted.entry(kind).or_default() += 1;
        for header in ["zone: context\norder: 1", "zone: system\norder: 10\ntemplate: false"] {
            let document = block(header, &text, &known);
            let mut found = codes(&document, &known);
            // A date of today is one in any text of the system zone, and no matter of templates.
            if header.contains("system") {
                found.retain(|code| *code != Code::VolatileLiteral);
            }
            assert!(found.is_empty() || found == [Code::TemplateNotEnabled], "{name}: {found:?}");
            hints += found.len();
        }
        if !text.contains("prompt") {
            let document = block("zone: context\norder: 1", &text, &unknown);
            assert_eq!(codes(&document, &unknown), [], "{name}, where no variable is known");
        }
    }
    println!("{counted:?}, {hints} hints");
    assert!(hints > 10, "{hints}: the names of the catalog stand in none of the texts");
}

#[test]
fn a_template_is_judged_in_order_and_within_bounds_whatever_it_is() {
    let judge = judge();
    let mut found = 0;
    for Text { name, text, .. } in texts() {
        // As it is, and as a checkout on Windows has it.
        for text in [text.clone(), text.replace('\n', "\r\n")] {
            let document = block("zone: system\norder: 10\ntemplate: true", &text, &judge);
            let whole = document.text().to_string();
            let findings = document.finish(&judge, document.findings(&judge));
            found += findings.len();
            assert!(
                findings.is_sorted_by_key(|finding| (finding.span, finding.code.name())),
                "{name}: {findings:#?}"
            );
            for finding in findings {
                let shown = whole.get(finding.span.range());
                assert!(shown.is_some_and(|shown| !shown.is_empty()), "{name}: {finding:?}");
                for related in &finding.related {
                    assert!(whole.get(related.span.range()).is_some(), "{name}: {finding:?}");
                }
            }
            rendered(&document, &judge);
        }
    }
    assert!(found > 1000, "{found}: code is full of braces");
}

/// Whether every brace has its partner by plain counting, and an object stands around all: then the braces are literal.
fn is_one_object(text: &str) -> bool {
    let mut depth = 0_usize;
    let mut ends = 0;
    for char in text.chars() {
        match char {
            '{' => depth += 1,
            '}' if depth == 0 => return false,
            '}' => {
                depth -= 1;
                ends += usize::from(depth == 0);
            }
            _ => {}
        }
    }
    depth == 0 && ends == 1 && text.starts_with('{') && text.ends_with('}')
}

#[test]
fn json_in_a_template_is_kept_word_for_word() {
    let judge = judge();
    let mut kept = 0;
    for Text { name, text, .. } in texts().into_iter().filter(|text| text.kind == Kind::Json) {
        let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) else { continue };
        let compact = value.to_string();
        let pretty = serde_json::to_string_pretty(&value).unwrap();
        for text in
            [text.trim().replace("\r\n", "\n"), compact, pretty].iter().filter(|text| is_one_object(text))
        {
            let document = block("zone: context\norder: 1\ntemplate: true", text, &judge);
            assert_eq!(rendered(&document, &judge), *text, "{name}");
            // One finding for its outermost pair, besides the tags that look alive in it.
            let mut found = codes(&document, &judge);
            found.retain(|code| *code != Code::InertTag);
            assert_eq!(found, [Code::LiteralBraces], "{name}");
            kept += 1;
        }
    }
    assert!(kept >= 200, "{kept}");
}
