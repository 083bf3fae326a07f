//! Behind a rename every project says what it said before, of the new name.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::Code;
use promptblock_core::assemble::Assembler;
use promptblock_core::source::{Quote, escaped};
use promptblock_workspace::{Options, Workspace};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

/// Names that no message, no value and no other name holds.
const NAMES: [&str; 4] = ["varone", "vartwo", "变量三", "varlist"];
/// One of the project's, and new ones, good and bad.
const NEW: [&str; 8] = ["vartwo", "varlist", "varnew", "新变量", "varloop", "for", "1x", "prompt"];

type Files = BTreeMap<String, String>;

fn name() -> impl Strategy<Value = String> {
    proptest::sample::select(NAMES.to_vec()).prop_map(str::to_owned)
}

/// A piece of a template.
fn piece() -> impl Strategy<Value = String> {
    let plain = proptest::sample::select(vec![
        "你🎉",
        "e\u{301} ",
        "\r\n",
        "\n",
        "{\"k\": 1}",
        "{{",
        "}}",
        "{",
        "text ",
    ]);
    prop_oneof![
        3 => name().prop_map(|name| format!("{{{name}}}")),
        1 => name().prop_map(|name| format!("{{ {name}.field }}")),
        1 => name().prop_map(|name| format!("{{{{{name}}}}}")),
        1 => name().prop_map(|name| format!("{{\"k\": {{{name}}}}}")),
        1 => (name(), name()).prop_map(|(a, b)| format!("{{if {a} == {b}}}yes{{else}}{{{a}}}{{/if}}")),
        2 => (name(), name(), name()).prop_map(|(a, b, c)| format!("{{for {a} in {b}}}{{{c}}}{{{a}}}{{/for}}")),
        1 => (name(), name()).prop_map(|(a, b)| format!("{{for varloop in {a}}}{{varloop}}{{{b}}}{{/for}}")),
        1 => name().prop_map(|name| format!("{{for {name} in varlist}}{{{name}}}")),
        2 => plain.prop_map(str::to_owned),
    ]
}

fn body() -> impl Strategy<Value = String> {
    proptest::collection::vec(piece(), 0..6).prop_map(|pieces| pieces.concat())
}

/// A small project: a catalog, environments, blocks, and a source file that registers one more variable.
fn project() -> impl Strategy<Value = Files> {
    let known = proptest::collection::vec((0..NAMES.len(), 0..4_u8), 0..4);
    let values = proptest::collection::vec((0..NAMES.len(), any::<bool>(), 0..3_u8), 0..6);
    (known, values, proptest::collection::vec((body(), any::<bool>()), 1..4), body()).prop_map(
        |(known, values, blocks, sourced)| {
            let mut files = Files::new();
            files.insert("promptblock.toml".to_owned(), "environment = \"e\"\n".to_owned());
            let known: BTreeMap<usize, u8> = known.into_iter().collect();
            let entries: Vec<String> = known
                .iter()
                .map(|(at, kind)| {
                    let name = NAMES[*at];
                    match kind {
                        0 => format!("\"{name}\": {{\"mutable\": true}}"),
                        1 => format!("\"{name}\": {{\"mutable\": {{\"when\": \"{} == 'v'\"}}}}", NAMES[(at + 1) % 4]),
                        2 => format!("\"{name}\": {{\"zones\": [\"context\"], \"example\": \"x\"}}"),
                        _ => format!("\"{name}\": {{}}"),
                    }
                })
                .collect();
            files.insert("promptblock.catalog.json".to_owned(), format!("{{\"variables\": {{{}}}}}", entries.join(", ")));
            let (mut top, mut extra) = (BTreeMap::new(), BTreeMap::new());
            for (at, in_extra, value) in values {
                let value = ["\"v\"", "[\"v\", 2]", "{\"field\": 1}"][usize::from(value)];
                if in_extra { &mut extra } else { &mut top }.insert(NAMES[at], value);
            }
            let fields = |all: &BTreeMap<&str, &str>| {
                all.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect::<Vec<_>>().join(", ")
            };
            let comma = if top.is_empty() { "" } else { ", " };
            files.insert(
                "promptblock.env.json".to_owned(),
                format!("{{\"e\": {{{}{comma}\"extra\": {{{}}}}}}}", fields(&top), fields(&extra)),
            );
            for (number, (body, context)) in blocks.into_iter().enumerate() {
                let zone = if context { "context" } else { "system" };
                let text = format!("---\nid: t:{number}\nzone: {zone}\norder: {}\ntemplate: true\n---\n{body}\n", 100 + number);
                files.insert(format!("b{number}.promptblock"), text);
            }
            let literal = format!("\"{}\"", escaped(&sourced, Quote::Double));
            files.insert(
                "src/a.ts".to_owned(),
                format!("ctx.prompt.variable({{ name: 'vartwo' }}, f)\nctx.prompt.block({{ id: 't:s', zone: 'context', order: 5, template: true, content: {literal} }})\n"),
            );
            files
        },
    )
}

struct Opened {
    workspace: Workspace,
    root: Utf8PathBuf,
    _folder: TempDir,
}

fn open(files: &Files) -> Opened {
    let folder = TempDir::new().unwrap();
    let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let workspace = Workspace::new(Options::default());
    workspace.add_folder(&root);
    workspace.load(&|_| {}, &AtomicBool::new(false));
    workspace.refresh();
    Opened { workspace, root, _folder: folder }
}

impl Opened {
    fn relative(&self, path: &Utf8Path) -> String {
        path.strip_prefix(&self.root).unwrap().to_string()
    }

    /// Path, code and text of every finding, but for those that speak of text which only looks like a use.
    fn findings(&self) -> Vec<(String, &'static str, String)> {
        let text_alone = [Code::EscapedVariable, Code::InertTag];
        let mut all = Vec::new();
        for file in self.workspace.all_findings() {
            let text = file.text.to_string();
            for finding in file.diagnostics.iter().filter(|finding| !text_alone.contains(&finding.code)) {
                all.push((
                    self.relative(&file.path),
                    finding.code.name(),
                    finding.span.of_str(&text).to_owned(),
                ));
            }
        }
        all
    }

    fn assembled(&self) -> Vec<String> {
        let view = self.workspace.project_view(&self.root.join("promptblock.toml"));
        let environment = view.environments.named("e").cloned();
        let scene = view.scene(environment.as_ref(), false);
        let assembly = self.workspace.assemble(&view, &mut Assembler::default(), &scene, Some("in"));
        assembly.unwrap().parts().map(|part| part.text().to_owned()).collect()
    }
}

/// Every place of a name in the files: where somebody may point at.
fn places(files: &Files) -> Vec<(String, usize)> {
    let mut all = Vec::new();
    for (path, text) in files {
        for name in NAMES.into_iter().chain(["varloop"]) {
            all.extend(text.match_indices(name).map(|(at, _)| (path.clone(), at)));
        }
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_same_of_the_new_name(files in project(), which in any::<prop::sample::Index>(), new in proptest::sample::select(NEW.to_vec())) {
        let all = places(&files);
        prop_assume!(!all.is_empty());
        let (path, at) = which.get(&all);
        let before = open(&files);
        let snapshot = before.workspace.snapshot(&before.root.join(path)).unwrap();
        let at = u32::try_from(*at).unwrap();
        let Some(named) = before.workspace.named_at(&snapshot, at) else { return Ok(()) };
        prop_assert!(named.place.span.touches(at));
        let old = named.name().to_string();
        let Ok(renamed) = before.workspace.rename(&snapshot, &named, new, &|| true) else { return Ok(()) };
        let renamed = renamed.unwrap();
        prop_assert!(old == new || !renamed.files.is_empty());
        let mut changed = files.clone();
        for file in &renamed.files {
            let mut text = file.text.to_string();
            for edit in file.edits.iter().rev() {
                prop_assert_eq!(edit.span.of_str(&text), &old);
                text.replace_range(edit.span.range(), &edit.text);
            }
            changed.insert(before.relative(&file.path), text);
        }
        let after = open(&changed);
        let same = |text: &str| text.replace(&old, "\u{0}").replace(new, "\u{0}");
        let shown = |opened: &Opened| -> Vec<_> {
            opened.findings().into_iter().map(|(path, code, text)| (path, code, same(&text))).collect()
        };
        prop_assert_eq!(shown(&before), shown(&after), "{} to {} in {:#?}", old, new, changed);
        let texts = |opened: &Opened| -> Vec<String> { opened.assembled().iter().map(|text| same(text)).collect() };
        prop_assert_eq!(texts(&before), texts(&after), "{} to {} in {:#?}", old, new, changed);
        // And back again it is what it was.
        let own = renamed.files.iter().find(|file| file.path == before.root.join(path));
        let ahead = own.iter().flat_map(|file| &file.edits).filter(|edit| edit.span.start < named.place.span.start);
        let grown: i64 = ahead.map(|edit| edit.text.len() as i64 - i64::from(edit.span.len())).sum();
        let at = u32::try_from(i64::from(named.place.span.start) + grown).unwrap();
        let back = after.workspace.snapshot(&after.root.join(path)).unwrap();
        if let Some(named) = after.workspace.named_at(&back, at)
            && let Ok(Some(returned)) = after.workspace.rename(&back, &named, &old, &|| true)
        {
            let mut again = changed.clone();
            for file in &returned.files {
                let mut text = file.text.to_string();
                for edit in file.edits.iter().rev() {
                    text.replace_range(edit.span.range(), &edit.text);
                }
                again.insert(after.relative(&file.path), text);
            }
            prop_assert_eq!(again, files);
        }
    }
}
