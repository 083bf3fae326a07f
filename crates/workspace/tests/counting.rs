//! Which files count while an editor works on them: what a project around excludes, links, patterns that lead out.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use camino::{Utf8Path, Utf8PathBuf};
use promptblock_workspace::{Options, Workspace};
use std::fs;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

struct Editor {
    workspace: Workspace,
    root: Utf8PathBuf,
    _folder: TempDir,
}

impl Editor {
    fn on(folders: &[&str], files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let editor = Self { workspace: Workspace::new(Options::default()), root, _folder: folder };
        files.iter().for_each(|(path, text)| editor.write(path, text));
        folders.iter().for_each(|path| editor.workspace.add_folder(&editor.at(path)));
        editor.workspace.load(&|_| {}, &AtomicBool::new(false));
        editor.workspace.refresh();
        editor
    }

    fn at(&self, path: &str) -> Utf8PathBuf {
        if path.is_empty() { self.root.clone() } else { self.root.join(path) }
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn change(&self, path: &str, text: &str) {
        self.write(path, text);
        self.noticed(path);
    }

    fn noticed(&self, path: &str) {
        self.workspace.disk_changed(&[self.at(path)]);
        self.workspace.refresh();
    }

    fn open(&self, path: &str, text: &str) {
        self.workspace.open(&self.at(path), 1, text);
        self.workspace.refresh();
    }

    /// Every finding, each as path and code.
    fn found(&self) -> Vec<String> {
        let shown = |path: &Utf8Path| path.strip_prefix(&self.root).unwrap().to_string();
        let all = self.workspace.all_findings().into_iter();
        all.flat_map(|file| {
            let path = shown(&file.path);
            file.diagnostics.iter().map(move |it| format!("{path} {}", it.code)).collect::<Vec<_>>()
        })
        .collect()
    }
}

fn block(id: &str, order: u32) -> String {
    format!("---\nid: t:{id}\nzone: context\norder: {order}\ntemplate: true\n---\n名🎉 {{hro}}\n")
}

const CATALOG: &str = "{\"variables\": {}}";

#[test]
fn what_a_project_around_excludes() {
    let (x, y) = (block("x", 1), block("x", 2));
    let files = [
        ("promptblock.toml", "exclude = [\"fixtures\"]\n"),
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &block("a", 1)),
        ("fixtures/x/promptblock.toml", "profle = \"x\"\n"),
        ("fixtures/x/promptblock.catalog.json", "{"),
        ("fixtures/x/x.promptblock", &x),
        ("fixtures/x/y.promptblock", &y),
    ];
    let outer = ["a.promptblock unknown-variable"];
    let editor = Editor::on(&[""], &files);
    assert_eq!(editor.found(), outer);
    assert_eq!(editor.workspace.projects().len(), 1);
    // Opened, edited, changed on disk: nothing is said of it, and its configuration may be typed in.
    editor.open("fixtures/x/x.promptblock", &x);
    editor.open("fixtures/x/promptblock.toml", "profl");
    editor.open("fixtures/x/promptblock.catalog.json", "{]");
    assert_eq!(editor.found(), outer);
    editor.change("fixtures/x/y.promptblock", &x);
    editor.change("fixtures/x/z/promptblock.toml", "oops");
    editor.change("fixtures/x/z/z.promptblock", "no header");
    assert_eq!(editor.found(), outer);
    // Let in again, everything is said; and left out again, nothing.
    editor.change("promptblock.toml", "");
    let all = editor.found();
    for path in [
        "fixtures/x/promptblock.toml",
        "fixtures/x/promptblock.catalog.json",
        "fixtures/x/x.promptblock",
        "fixtures/x/z/z.promptblock",
    ] {
        assert!(all.iter().any(|it| it.starts_with(path)), "{path} {all:?}");
    }
    editor.change("promptblock.toml", "exclude = [\"fixtures/x/**\"]\n");
    assert_eq!(editor.found(), outer);
    // Only some of its files.
    editor.change("promptblock.toml", "exclude = [\"**/y.promptblock\", \"fixtures/x/z/\"]\n");
    let all = editor.found();
    assert!(all.iter().any(|it| it.starts_with("fixtures/x/x.promptblock")), "{all:?}");
    assert!(
        !all.iter()
            .any(|it| it.contains("duplicate-id") || it.contains("y.promptblock") || it.contains("/z/")),
        "{all:?}"
    );

    // Who opens the inner folder works on that project, alone or besides the outer one.
    for folders in [&["fixtures/x"][..], &["", "fixtures/x"]] {
        let all = Editor::on(folders, &files).found();
        assert_eq!(all.iter().filter(|it| it.ends_with("duplicate-id")).count(), 2, "{all:?}");
    }
}

#[test]
fn a_catalog_outside_of_the_project_is_said_and_does_not_count() {
    let editor = Editor::on(
        &["p"],
        &[
            ("p/promptblock.toml", "catalogs = [\"../shared/c.json\", \"own.json\"]\n"),
            ("p/own.json", "{\"variables\": {\"hro\": {}}}"),
            ("p/a.promptblock", &block("a", 1)),
            ("shared/c.json", "{\"variables\": {\"hro\": {\"zones\": [\"system\"]}}}"),
        ],
    );
    assert_eq!(editor.found(), ["p/promptblock.toml invalid-config"]);
    assert!(editor.workspace.watch_globs().iter().all(|glob| !glob.contains("..")));
    editor.change("shared/c.json", "{");
    assert_eq!(editor.found(), ["p/promptblock.toml invalid-config"]);
    editor.change("p/promptblock.toml", "catalogs = [\"./own.json\"]\n");
    assert_eq!(editor.found(), [""; 0]);
    // While the file is broken, too.
    editor.change("p/promptblock.toml", "catalogs = [\"../shared/c.json\"]\nbroken");
    assert_eq!(editor.found()[..2], ["p/a.promptblock no-catalog", "p/promptblock.toml invalid-config"]);
}

#[cfg(unix)]
#[test]
fn a_link_is_no_second_block() {
    let text = block("a", 1);
    let files = [("promptblock.catalog.json", CATALOG), ("sub/a.promptblock", &*text)];
    let editor = Editor::on(&[""], &files);
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, editor.at(name)).unwrap();
    let one = ["sub/a.promptblock unknown-variable"];
    assert_eq!(editor.found(), one);
    // Created beside the editor: as when everything is read for the first time.
    link("sub/a.promptblock", "link.promptblock");
    editor.noticed("link.promptblock");
    link("sub", "folder");
    editor.noticed("folder");
    editor.noticed("folder/a.promptblock");
    assert_eq!(editor.found(), one);
    // Opened by its second name: what stands in it is judged, and it is no duplicate of itself.
    for path in ["link.promptblock", "folder/a.promptblock"] {
        editor.open(path, &text);
        let findings = editor.workspace.findings(editor.workspace.file(&editor.at(path))).unwrap();
        let codes: Vec<_> = findings.diagnostics.iter().map(|it| it.code.name()).collect();
        assert_eq!(codes, ["unknown-variable"], "{path}");
        assert_eq!(editor.found(), one, "{path}");
    }
    editor.open("sub/a.promptblock", &text.replace("hro", "hero"));
    assert_eq!(editor.found(), one);
    // A real second block is one.
    editor.open("b.promptblock", &text);
    assert!(editor.found().contains(&"b.promptblock duplicate-id".to_owned()));
}
