//! Another name for something, across all files of a project.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use camino::{Utf8Path, Utf8PathBuf};
use promptblock_core::Locale;
use promptblock_workspace::{Options, Workspace};
use std::collections::BTreeMap;
use std::fs;
use std::sync::atomic::AtomicBool;
use tempfile::TempDir;

struct Project {
    workspace: Workspace,
    root: Utf8PathBuf,
    cursor: Option<(Utf8PathBuf, u32)>,
    _folder: TempDir,
}

impl Project {
    /// Each file behind a line `//- path`; `$0` is the cursor. A path that begins with `~` belongs to the user's folder.
    fn new(fixture: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let base = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        let (root, user) = (base.join("project"), base.join("user"));
        fs::create_dir_all(&root).unwrap();
        let mut cursor = None;
        for file in fixture.split("//- ").skip(1) {
            let (name, text) = file.split_once('\n').unwrap();
            let path = match name.strip_prefix('~') {
                Some(name) => user.join(name),
                None => Workspace::absolute(Utf8Path::new(name), &root),
            };
            if let Some(at) = text.find("$0") {
                cursor = Some((path.clone(), u32::try_from(at).unwrap()));
            }
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text.replacen("$0", "", 1)).unwrap();
        }
        let workspace = Workspace::new(Options { user_folder: Some(user), ..Options::default() });
        workspace.add_folder(&root);
        workspace.load(&|_| {}, &AtomicBool::new(false));
        workspace.refresh();
        Self { workspace, root, cursor, _folder: folder }
    }

    /// The changed files with their new texts, or why not.
    fn rename(&self, new: &str) -> Result<BTreeMap<String, String>, String> {
        let (path, at) = self.cursor.clone().unwrap();
        let snapshot = self.workspace.snapshot(&path).unwrap();
        let Some(named) = self.workspace.named_at(&snapshot, at) else { return Err("nothing".to_owned()) };
        let renamed = self.workspace.rename(&snapshot, &named, new, &|| true);
        let shown = |refusal: &promptblock_workspace::Refusal| {
            let place = refusal.at.as_ref().map(|at| {
                let path = at.path.strip_prefix(&self.root).unwrap_or(&at.path);
                let text = at.text.to_string();
                let span = at.span.map(|span| format!(" at {}", span.of_str(&text))).unwrap_or_default();
                format!("{}{span}: ", path.file_name().unwrap())
            });
            format!("{}{}", place.unwrap_or_default(), refusal.why.text(Locale::En))
        };
        let renamed = renamed.map_err(|refusal| shown(&refusal))?.unwrap();
        let mut out = BTreeMap::new();
        for file in renamed.files {
            let mut text = file.text.to_string();
            assert!(file.edits.is_sorted_by_key(|edit| edit.span), "{:?}", file.edits);
            for edit in file.edits.iter().rev() {
                text.replace_range(edit.span.range(), &edit.text);
            }
            out.insert(file.path.strip_prefix(&self.root).unwrap().to_string(), text);
        }
        if let Some(note) = renamed.note {
            out.insert("note".to_owned(), shown(&note));
        }
        Ok(out)
    }
}

/// Renames what is at the cursor; `expected` holds the files that change.
fn check(fixture: &str, new: &str, expected: &str) {
    let files = |fixture: &str| -> BTreeMap<String, String> {
        let files = fixture.split("//- ").skip(1).map(|file| file.split_once('\n').unwrap());
        files.map(|(path, text)| (path.to_owned(), text.to_owned())).collect()
    };
    assert_eq!(Project::new(fixture).rename(new), Ok(files(expected)), "{fixture}");
}

fn refused(fixture: &str, new: &str, why: &str) {
    assert_eq!(Project::new(fixture).rename(new), Err(why.to_owned()), "{fixture}");
}

const ALL: &str = r#"//- promptblock.toml
environment = "p"
sources = ["src/*.ts"]
//- promptblock.catalog.json
{"variables": {"tone": {"description": "tone", "example": "tone"}, "other": {"mutable": {"when": "tone.level > 1"}}}}
//- promptblock.catalog.local.json
{"variables": {"tone": {"example": "x"}}}
//- promptblock.env.json
{"p": {"tone": "tone", "extends": ["q"]}, "q": {"extra": {"tone": 1, "you": "tone"}}}
//- a.promptblock
---
id: d:tone
zone: system
order: 1
template: true
---
🎉{tone} 你 {{tone}}
{for tone in other}{tone}{/for}
//- b.promptblock
---
id: d:b
zone: context
order: 1
template: true
---
{if tone == "tone"}{weather tone}{/if}
//- c.promptblock
---
id: d:c
zone: context
order: 2
---
{tone}
//- src/a.ts
ctx.prompt.variable({ name: 'tone' }, () => tone)
ctx.prompt.block({ id: 't:a', zone: 'context', order: 3, template: true, content: `\n{to\u006ee}` })
ctx.prompt.environment(() => ({ tone }))
ctx.systemPrompt.variable("tone", () => '')
ctx.systemPrompt.section({ name: 'tone', order: 1, text: '{{tone}} {tone}' })
"#;

const RENAMED: &str = r#"//- promptblock.catalog.json
{"variables": {"语气": {"description": "tone", "example": "tone"}, "other": {"mutable": {"when": "语气.level > 1"}}}}
//- promptblock.catalog.local.json
{"variables": {"语气": {"example": "x"}}}
//- promptblock.env.json
{"p": {"语气": "tone", "extends": ["q"]}, "q": {"extra": {"语气": 1, "you": "tone"}}}
//- a.promptblock
---
id: d:tone
zone: system
order: 1
template: true
---
🎉{语气} 你 {{tone}}
{for tone in other}{tone}{/for}
//- b.promptblock
---
id: d:b
zone: context
order: 1
template: true
---
{if 语气 == "tone"}{weather tone}{/if}
//- src/a.ts
ctx.prompt.variable({ name: '语气' }, () => tone)
ctx.prompt.block({ id: 't:a', zone: 'context', order: 3, template: true, content: `\n{语气}` })
ctx.prompt.environment(() => ({ 语气: tone }))
ctx.systemPrompt.variable("语气", () => '')
ctx.systemPrompt.section({ name: 'tone', order: 1, text: '{{语气}} {tone}' })
"#;

#[test]
fn a_variable_everywhere() {
    // A name that both frameworks can write.
    let expected = RENAMED.replace("语气", "mood");
    for (from, to) in [
        ("{\"variables\": {\"tone\": {\"des", "{\"variables\": {\"to$0ne\": {\"des"),
        ("\"tone.level", "\"$0tone.level"),
        ("{\"p\": {\"tone", "{\"p\": {\"$0tone"),
        ("{\"tone\": 1", "{\"tone$0\": 1"),
        ("🎉{tone}", "🎉{tone$0}"),
        ("{if tone", "{if $0tone"),
        ("name: 'tone' }", "name: 'to$0ne' }"),
        ("{to\\u006ee}", "{to\\u006e$0e}"),
        ("({ tone })", "({ t$0one })"),
        ("variable(\"tone", "variable(\"$0tone"),
        ("{{tone}} {tone}'", "{{to$0ne}} {tone}'"),
    ] {
        assert_eq!(ALL.matches(from).count(), 1, "{from}");
        check(&ALL.replace(from, to), "mood", &expected);
    }
    let text = ALL.replace("🎉{tone}", "🎉{$0tone}");
    refused(
        &text,
        "语气",
        "`语气` is no name here: one is a small letter, then small letters, digits and `_`",
    );
    // Without the other framework any name will do.
    let own = |text: &str| {
        text.lines()
            .filter(|line| !line.contains("systemPrompt"))
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    check(&own(&text), "语气", &own(RENAMED));
}

#[test]
fn a_loop_variable_and_an_id_stay_where_they_are() {
    let text = ALL.replace("{for tone in", "{for to$0ne in");
    let changed = "{for x in other}{x}{/for}";
    check(
        &text,
        "x",
        &format!(
            "//- a.promptblock\n---\nid: d:tone\nzone: system\norder: 1\ntemplate: true\n---\n🎉{{tone}} 你 {{{{tone}}}}\n{changed}\n"
        ),
    );
    let text = ALL.replace("id: 't:a'", "id: 't:$0a'");
    let project = Project::new(&text).rename("it's").unwrap();
    assert_eq!(project.keys().collect::<Vec<_>>(), ["src/a.ts"]);
    assert!(project["src/a.ts"].contains(r"id: 'it\'s', zone"), "{project:?}");
    let text = ALL.replace("id: d:tone", "id: $0d:tone");
    let project = Project::new(&text).rename("d:语气: x").unwrap();
    assert_eq!(project.keys().collect::<Vec<_>>(), ["a.promptblock"]);
    assert!(project["a.promptblock"].contains("id: \"d:语气: x\"\n"), "{project:?}");
}

#[test]
fn a_name_that_is_taken() {
    let text = ALL.replace("🎉{tone}", "🎉{$0tone}");
    refused(&text, "other", "promptblock.catalog.json at other: there is a variable `other` already");
    refused(&text, "you", "promptblock.env.json at you: the environment `q` has a field `you` already");
    refused(&text, "weather", "b.promptblock: `weather` is used here already, and nothing registers it");
    refused(&text, "prompt", "`prompt` is built in: the user's input");
    let when = text.replace("\"other\": {", "\"third\": {\"mutable\": {\"when\": \"vip\"}}, \"other\": {");
    refused(
        &when,
        "vip",
        "promptblock.catalog.json at vip: the predicate of `third` asks for a field `vip` already",
    );
    let field = text.replace("({ tone })", "({ tone, vip: 1 })");
    refused(&field, "vip", "a.ts at vip: there is a field `vip` already");
    let id = ALL.replace("id: d:c", "id: d:$0c");
    refused(&id, "d:b", "b.promptblock at d:b: there is a block `d:b` already");
    refused(&id, "t:a", "a.ts at 't:a': there is a block `t:a` already");
    let captured = text.replace("{for tone in other}{tone}{/for}", "{for mood in other}{tone}{/for}");
    let why = "a loop around a use of `tone` has a variable `mood` of its own, which would take its place";
    refused(&captured, "mood", &format!("a.promptblock at tone: {why}"));
    let captured = text.replace("`\\n{to\\u006ee}`", "'\\n{for mood in l}{tone}{/for}'");
    refused(&captured, "mood", &format!("a.ts at tone: {why}"));
}

#[test]
fn what_cannot_be_read_or_is_not_ours() {
    let text = ALL.replace("🎉{tone}", "🎉{$0tone}");
    let broken = "this file is broken, so nobody knows what it names";
    for (file, from, to) in [
        ("promptblock.catalog.json", "\"example\": \"tone\"}", "\"example\": \"tone\""),
        ("promptblock.catalog.local.json", "{\"example\": \"x\"}", "{\"example\": \"x}"),
        ("promptblock.env.json", "{\"p\": {", "{\"p\": "),
        ("promptblock.toml", "environment = \"p\"", "environment = \"p"),
    ] {
        assert!(text.contains(from), "{from}");
        refused(&text.replace(from, to), "mood", &format!("{file}: {broken}"));
    }
    let outside = "stands in a catalog outside of the project, which others may use too";
    let user = "//- promptblock.toml\n//- ~catalog.json\n{\"variables\": {\"name\": {}, \"x\": {\"mutable\": {\"when\": \"vip\"}}}}\n//- a.promptblock\n---\nid: d:a\nzone: system\norder: 1\ntemplate: true\n---\n{$0name}\n";
    refused(user, "nick", &format!("catalog.json at name: `name` {outside}"));
    // What the project says hides what the user's catalog says.
    let catalog = "//- promptblock.catalog.json\n{\"variables\": {\"name\": {}}}\n";
    let project = Project::new(&format!("{user}{catalog}")).rename("nick").unwrap();
    assert_eq!(project.keys().collect::<Vec<_>>(), ["a.promptblock", "promptblock.catalog.json"]);
    let predicate = "//- promptblock.env.json\n{\"e\": {\"vip$0\": true}}\n";
    refused(
        &format!("{}{predicate}", user.replace("$0", "")),
        "vips",
        &format!("catalog.json at vip: `vip` {outside}"),
    );
    let prompt = "//- promptblock.toml\n//- a.promptblock\n---\nid: d:a\nzone: input\norder: 1\ntemplate: true\n---\n{$0prompt}\n";
    refused(prompt, "nick", "`prompt` is built in: the user's input");
    let pieces = text.replace("name: 'tone' }", "name: 'to' + 'ne' }");
    refused(&pieces, "mood", "a.ts at to' + 'ne: the name is put together from several texts here");
}

#[test]
fn a_constant_that_is_prose_as_well() {
    let text = ALL.replace("🎉{tone}", "🎉{$0tone}").replace("name: 'tone' }", "name: N }");
    let constant = |content: &str| {
        format!(
            "{text}const N = 'tone'; ctx.prompt.block({{ id: 't:n', zone: 'context', order: 4, template: true, content: {content} }})\n"
        )
    };
    let project = Project::new(&constant("'{' + N + '}, {' + N + '.x}'")).rename("mood").unwrap();
    assert!(project["src/a.ts"].contains("const N = 'mood'; "), "{project:?}");
    refused(
        &constant("'{' + N + '} is my ' + N"),
        "mood",
        "a.ts at tone: a text of a block holds the same constant as prose, and would change with it",
    );
}

#[test]
fn a_computed_name_is_told_of() {
    let text = ALL
        .replace("🎉{tone}", "🎉{$0tone}")
        .replace("variable({ name: 'tone' }", "variable({ name: name() }");
    let project = Project::new(&text).rename("mood").unwrap();
    assert_eq!(
        project["note"],
        "a.ts at name(): the name that is registered here is computed; if it is `tone`, it has to be changed by hand"
    );
    let unknown = text.replace("{$0tone}", "{no$0body}");
    refused(
        &unknown,
        "somebody",
        "a.ts at name(): the name that is registered here is computed; it may be `nobody`, which nothing else registers",
    );
}

#[test]
fn the_buffer_counts() {
    let project = Project::new(&ALL.replace("🎉{tone}", "🎉{$0tone}"));
    let path = project.root.join("c.promptblock");
    project.workspace.open(&path, 7, "---\nid: d:c\nzone: context\norder: 2\ntemplate: true\n---\n{tone}\n");
    let fork = project.workspace.fork(&path);
    fork.refresh();
    let (asked, at) = project.cursor.clone().unwrap();
    let snapshot = fork.snapshot(&asked).unwrap();
    let named = fork.named_at(&snapshot, at).unwrap();
    let renamed = fork.rename(&snapshot, &named, "mood", &|| true).unwrap().unwrap();
    let c = renamed.files.iter().find(|file| file.path == path).unwrap();
    assert_eq!((c.version, c.edits.len()), (Some(7), 1));
    // Nobody who does not want it any more gets half of it.
    assert!(fork.rename(&snapshot, &named, "mood", &|| false).unwrap().is_none());
}
