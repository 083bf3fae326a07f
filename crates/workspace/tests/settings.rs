//! What a change of a project's settings costs, and what holds while they are broken.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use camino::{Utf8Path, Utf8PathBuf};
use promptblock_workspace::{Options, Workspace};
use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

struct Project {
    workspace: Workspace,
    root: Utf8PathBuf,
    _folder: TempDir,
}

impl Project {
    fn new(files: impl IntoIterator<Item = (String, String)>) -> Self {
        let folder = TempDir::new().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let project = Self { workspace: Workspace::new(Options::default()), root, _folder: folder };
        for (path, text) in files {
            project.write(&path, &text);
        }
        project.workspace.add_folder(&project.root);
        project.workspace.load(&|_| {}, &AtomicBool::new(false));
        project.workspace.refresh();
        project
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Changes a file on disk. Gives what the refresh gives, relative, and how many blocks were judged for it.
    fn change(&self, path: &str, text: impl AsRef<[u8]>) -> (BTreeSet<String>, usize) {
        self.write(path, text);
        self.noticed(path)
    }

    fn remove(&self, path: &str) -> (BTreeSet<String>, usize) {
        fs::remove_file(self.root.join(path)).unwrap();
        self.noticed(path)
    }

    fn noticed(&self, path: &str) -> (BTreeSet<String>, usize) {
        let before = self.workspace.judged();
        self.workspace.disk_changed(&[self.root.join(path)]);
        let files = self.workspace.refresh();
        let relative = |path: Utf8PathBuf| path.strip_prefix(&self.root).unwrap().to_string();
        (
            files.into_iter().map(|file| relative(self.workspace.path(file))).collect(),
            self.workspace.judged() - before,
        )
    }

    fn codes(&self, path: &str) -> Vec<&'static str> {
        let file = self.workspace.file(&self.root.join(path));
        let findings = self.workspace.findings(file).unwrap();
        findings.diagnostics.iter().map(|finding| finding.code.name()).collect()
    }

    /// Every finding, and what somebody finds who reads all of it for the first time.
    fn equals_a_fresh_reading(&self) {
        let all = |workspace: &Workspace| -> Vec<String> {
            let all = workspace.all_findings().into_iter();
            all.map(|file| {
                let found: Vec<_> = file.diagnostics.iter().map(|f| (f.code, f.span, &f.message)).collect();
                format!("{}: {found:?}", file.path)
            })
            .collect()
        };
        let fresh = Workspace::new(Options::default());
        fresh.add_folder(&self.root);
        fresh.load(&|_| {}, &AtomicBool::new(false));
        fresh.refresh();
        let (now, fresh) = (all(&self.workspace), all(&fresh));
        let differs = now.iter().zip(&fresh).find(|(now, fresh)| now != fresh);
        assert!(differs.is_none() && now.len() == fresh.len(), "{differs:#?}");
    }
}

fn block(id: &str, zone: &str, order: usize, body: &str) -> String {
    format!("---\nid: t:{id}\nzone: {zone}\norder: {order}\ntemplate: true\n---\n{body}\n")
}

const BLOCKS: usize = 10_000;
const VARIABLES: usize = 100;

/// Every block uses one of a hundred variables; the first also one that changes by a predicate, the second one that nobody knows.
fn large(blocks: usize) -> Project {
    let name = |number: usize| format!("blocks/{}/{number}.promptblock", number / 200);
    let text = |number: usize| {
        let variable = number % VARIABLES;
        let besides = match number {
            0 => " {mood}",
            1 => " {nobody}",
            _ => "",
        };
        block(&number.to_string(), "context", number, &format!("第 {number} 块：{{v{variable}}}。{besides}"))
    };
    let blocks = (0..blocks).map(|number| (name(number), text(number)));
    let settings = [
        ("promptblock.toml".to_owned(), String::new()),
        ("promptblock.catalog.json".to_owned(), catalog("", "")),
        ("promptblock.env.json".to_owned(), r#"{"private": {"is_group": false}}"#.to_owned()),
    ];
    Project::new(settings.into_iter().chain(blocks))
}

/// The catalog, with something in the entry of `v7` and something behind the last.
fn catalog(seven: &str, last: &str) -> String {
    let mut text = String::from(
        "{\n  \"variables\": {\n    \"mood\": {\"mutable\": {\"when\": \"is_group == true\"}},\n",
    );
    for number in 0..VARIABLES {
        let fields = if number == 7 { seven } else { "" };
        let comma = if number + 1 < VARIABLES || !last.is_empty() { "," } else { "" };
        text.push_str(&format!("    \"v{number}\": {{{fields}}}{comma}\n"));
    }
    format!("{text}    {last}\n  }}\n}}\n")
}

#[test]
fn a_catalog_edit_judges_only_the_blocks_that_use_what_changed() {
    let project = large(BLOCKS);
    let catalog_file = "promptblock.catalog.json";
    let users = |number: usize| -> BTreeSet<String> {
        let all = (0..BLOCKS).filter(|block| block % VARIABLES == number);
        all.map(|block| format!("blocks/{}/{block}.promptblock", block / 200)).collect()
    };
    // The settings are looked at again with each of their changes.
    let with_settings = |mut files: BTreeSet<String>| {
        files.extend([catalog_file, "promptblock.env.json", "promptblock.toml"].map(str::to_owned));
        files
    };

    // One variable of a hundred may not be used here any more: its hundred blocks.
    let (files, judged) = project.change(catalog_file, catalog("\"zones\": [\"system\"]", ""));
    assert_eq!(judged, BLOCKS / VARIABLES);
    assert!(files == with_settings(users(7)), "{} files", files.len());
    assert_eq!(project.codes("blocks/0/7.promptblock"), ["zone-mismatch"]);
    assert_eq!(project.codes("blocks/0/8.promptblock"), [""; 0]);
    // A variable more: only where a name is unknown may it have been meant.
    let seven = "\"zones\": [\"system\"]";
    let (files, judged) = project.change(catalog_file, catalog(seven, "\"nobody2\": {}"));
    assert_eq!((files, judged), (with_settings(["blocks/0/1.promptblock".to_owned()].into()), 1));
    // Blanks and comments: nobody.
    let text = format!("// 注释 😀\n{}", catalog(seven, "\"nobody2\": {}"));
    assert_eq!(project.change(catalog_file, &text), (with_settings(BTreeSet::new()), 0));
    // Broken, and read again: nobody, since the last readable version holds.
    assert_eq!(project.change(catalog_file, &text[..text.len() / 2]), (with_settings(BTreeSet::new()), 0));
    assert_eq!(project.change(catalog_file, &text), (with_settings(BTreeSet::new()), 0));
    // The environment: only blocks whose variables have a predicate.
    let (files, judged) = project.change("promptblock.env.json", r#"{"private": {"is_group": true}}"#);
    assert_eq!(judged, 1);
    assert!(files.contains("blocks/0/0.promptblock") && files.len() < 5, "{files:?}");
    // The local layer wins over one entry.
    let (files, judged) =
        project.change("promptblock.catalog.local.json", r#"{"variables": {"v8": {"args": ["x"]}}}"#);
    assert_eq!(judged, BLOCKS / VARIABLES);
    assert!(files.is_superset(&users(8)) && files.len() < BLOCKS / VARIABLES + 5, "{}", files.len());
    assert_eq!(project.codes("blocks/0/8.promptblock"), ["argument-count"]);
    // A severity is looked up when findings are shown: everything may look different, and nothing is judged.
    let (files, judged) = project.change("promptblock.toml", "[severity]\nzone-mismatch = \"off\"\n");
    assert_eq!((files.len() > BLOCKS, judged), (true, 0));
    assert_eq!(project.codes("blocks/0/7.promptblock"), [""; 0]);
    project.equals_a_fresh_reading();
}

#[test]
fn an_open_block_is_among_those_that_change() {
    let project = large(1000);
    let path = project.root.join("blocks/0/7.promptblock");
    project.workspace.open(&path, 1, &block("7", "context", 7, "{v7} {v8}"));
    project.workspace.refresh();
    let (files, judged) = project.change("promptblock.catalog.json", catalog("\"args\": [\"x\"]", ""));
    assert!(files.contains("blocks/0/7.promptblock"));
    assert_eq!(judged, 1000 / VARIABLES - 1, "the open one is judged in its buffer");
    assert_eq!(project.codes("blocks/0/7.promptblock"), ["argument-count"]);
    assert_eq!(project.codes("blocks/0/107.promptblock"), ["argument-count"]);
}

fn small(config: &str) -> Project {
    let files = [
        ("promptblock.toml", config.to_owned()),
        (
            "promptblock.catalog.json",
            r#"{"variables": {"mood": {"mutable": {"when": "is_group == true"}}}}"#.to_owned(),
        ),
        ("promptblock.env.json", r#"{"private": {"is_group": false}}"#.to_owned()),
        ("a.promptblock", block("a", "system", 10, "{mood}")),
    ];
    Project::new(files.map(|(path, text)| (path.to_owned(), text)))
}

#[test]
fn environments_hold_while_their_file_is_broken() {
    let project = small("");
    let (block, file) = ("a.promptblock", "promptblock.env.json");
    assert_eq!(project.codes(block), [""; 0]);
    // While somebody types.
    for broken in ["{\"private\": {\"is_group\": fal", "{", "", "{\"private\": ", "{]}"] {
        project.change(file, broken);
        assert_eq!(project.codes(block), [""; 0], "{broken}");
        assert!(project.codes(file).contains(&"invalid-environment"), "{broken}");
    }
    project.change(file, b"{\"private\": {\"is_group\": \xff}}");
    assert_eq!(project.codes(block), [""; 0], "not UTF-8");
    // Readable again, with another value; a wrong type is no broken file.
    project.change(file, r#"{"private": {"is_group": true}}"#);
    assert_eq!(project.codes(block), ["mutable-in-system"]);
    project.change(file, r#"{"private": 1}"#);
    assert_eq!(project.codes(block), ["mutability-undetermined"]);
    assert_eq!(project.codes(file), ["invalid-environment"]);
    // Deleted: gone at once, and what comes anew broken has no version before it.
    project.change(file, r#"{"private": {"is_group": false}}"#);
    project.remove(file);
    assert_eq!(project.codes(block), ["mutability-undetermined"]);
    project.change(file, "{\"private\": {\"is_group\": tru");
    assert_eq!(project.codes(block), ["mutability-undetermined"]);
    project.change(file, "{\"private\": {\"is_group\": false}, ");
    assert_eq!(project.codes(block), [""; 0], "what can be read of it counts");
    project.change(file, r#"{"private": {"is_group": false}}"#);
    project.equals_a_fresh_reading();
}

#[test]
fn a_catalog_that_is_no_text_any_more_holds_too() {
    let project = small("");
    project.change("promptblock.catalog.json", b"\xff\xfe{");
    assert_eq!(project.codes("a.promptblock"), [""; 0]);
    project.remove("promptblock.catalog.json");
    assert_eq!(project.codes("a.promptblock"), ["no-catalog"]);
}

#[test]
fn a_broken_configuration_counts_where_it_can_be_read_and_holds_where_it_cannot() {
    let project = small(
        "exclude = [\"left/**\"]\n[severity]\nvolatile-literal = \"error\"\nid-without-prefix = \"off\"\n",
    );
    let (file, left) = ("promptblock.toml", "left/b.promptblock");
    project.change(left, "no header\n");
    let severity = || {
        let findings =
            project.workspace.findings(project.workspace.file(&project.root.join("a.promptblock"))).unwrap();
        let volatile = findings.diagnostics.iter().find(|finding| finding.code.name() == "volatile-literal");
        volatile.map(|finding| finding.severity.name())
    };
    project.change("a.promptblock", "---\nid: a\nzone: system\norder: 10\n---\n2026-11-30 14:00\n");
    assert_eq!((severity(), project.codes("a.promptblock")), (Some("error"), vec!["volatile-literal"]));
    let excluded = || project.workspace.findings(project.workspace.file(&project.root.join(left))).is_none();
    assert!(excluded());

    // Half of it typed anew: what was said stays, and what can be read counts.
    project.change(file, "severity.volatile-literal = \"hint\"\nexclude = [\"left\n");
    assert!(project.codes(file).contains(&"invalid-config"), "{:?}", project.codes(file));
    assert!(excluded(), "an unfinished pattern lets nothing in");
    assert_eq!((severity(), project.codes("a.promptblock")), (Some("hint"), vec!["volatile-literal"]));
    project.change(file, "exclude = [\"left/**\"]\n[severity\n");
    assert!(excluded());
    assert_eq!(severity(), Some("error"), "as the last readable version had it");
    // It still marks the project.
    assert_eq!(project.workspace.projects().len(), 1);
    // Readable again, and emptied: the defaults.
    project.change(file, "");
    assert!(!excluded());
    assert_eq!(project.codes("a.promptblock"), ["id-without-prefix", "volatile-literal"]);
    assert_eq!(severity(), Some("information"));
    // A value of a wrong type is no broken file: it counts as not given.
    project.change(file, "exclude = 1\n");
    assert!(!excluded());
    project.equals_a_fresh_reading();
}

#[test]
fn a_pattern_that_is_none_is_said_once_in_a_broken_file_too() {
    let project = small("");
    project.change("promptblock.toml", "exclude = [\"a[\"]\nbroken");
    let found = project.codes("promptblock.toml");
    assert_eq!(found, ["invalid-config"; 2], "the pattern and the line");
    let path: &Utf8Path = &project.root.join("promptblock.toml");
    let findings = project.workspace.findings(project.workspace.file(path)).unwrap();
    assert_eq!(&findings.text.to_string()[findings.diagnostics[0].span.range()], "\"a[\"");
}

/// The fields that source code gives, with the files that do.
fn fields(project: &Project) -> String {
    let view = project.workspace.project_view(&project.root.join("a.promptblock"));
    let field = |field: &promptblock_workspace::EnvironmentField| {
        let path = project.workspace.path(field.file);
        let (mark, file) = (if field.extra { "+" } else { "" }, path.file_name().unwrap().to_owned());
        format!("{mark}{} {file}", field.name)
    };
    view.known_environment_fields().iter().map(field).collect::<Vec<_>>().join(", ")
}

#[test]
fn the_environment_fields_that_source_code_gives() {
    let source = |keys: &str| format!("ctx.prompt.environment(() => ({{ {keys} }}))\n");
    let project = Project::new([
        ("promptblock.toml".to_owned(), String::new()),
        ("src/a.ts".to_owned(), source("user: 1, extra: { weather: 2 }")),
        ("src/b.ts".to_owned(), source("user: 1, time: 2")),
    ]);
    assert_eq!(fields(&project), "time b.ts, user a.ts, +weather a.ts");
    project.change("src/b.ts", source("..."));
    assert_eq!(fields(&project), "user a.ts, +weather a.ts");
    project.remove("src/a.ts");
    assert_eq!(fields(&project), "");
}
