//! What does not count on the command line, how a configuration says so, and what is said of it.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use std::path::Path;
use support::{project, run, run_with, write};

const CATALOG: &str = r#"{"variables": {"hero": {}}}"#;
const CLEAN: &str = "exit 0\n";

fn block(id: &str, order: u32) -> String {
    format!("---\nid: t:{id}\nzone: context\norder: {order}\ntemplate: true\n---\n名🎉 {{hro}}\n")
}

/// The paths of the files with findings, each as often as it has some.
fn found(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let output = run_with(folder, &[&["check", "--format", "json"], arguments].concat(), "");
    let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let all = all["diagnostics"].as_array().expect("a list").iter();
    all.map(|it| format!("{} {}", it["path"].as_str().expect("a path"), it["code"].as_str().expect("a code")))
        .collect()
}

#[test]
fn a_folder_that_is_named_in_exclude_takes_what_lies_in_it() {
    for pattern in ["fix", "./fix", "/fix", "fix/", "/fix/", "./fix/", "fix/**", "**/fix", "x/../fix", "f*"] {
        let folder = project(&[
            ("promptblock.toml", &format!("exclude = [\"{pattern}\"]\n")),
            ("promptblock.catalog.json", CATALOG),
            ("fix/a.promptblock", &block("a", 1)),
            ("fix/deep/er/a.promptblock", &block("a", 1)),
            ("fixed/b.promptblock", &block("b", 2)),
        ]);
        let expected: &[&str] = if pattern == "f*" { &[] } else { &["fixed/b.promptblock unknown-variable"] };
        let unused = "promptblock.catalog.json unused-variable";
        let all = found(folder.path(), &[]);
        assert_eq!(all.iter().filter(|it| *it != unused).collect::<Vec<_>>(), expected, "{pattern}");
        // A file that is named is checked all the same.
        assert_eq!(found(folder.path(), &["fix/a.promptblock"]), ["fix/a.promptblock unknown-variable"]);
    }
    // A star stays within its folder, a name stands for one file, and what is no folder of that name stays.
    for pattern in ["fix/*", "fix/a.promptblock"] {
        let folder = project(&[
            ("promptblock.toml", &format!("exclude = [\"{pattern}\"]\n")),
            ("promptblock.catalog.json", CATALOG),
            ("fix/a.promptblock", &block("a", 1)),
            ("fix/deep/a.promptblock", &block("a", 1)),
        ]);
        let all = found(folder.path(), &["fix"]);
        assert_eq!(all, ["fix/deep/a.promptblock unknown-variable"], "{pattern}");
    }
}

#[test]
fn a_folder_that_is_named_in_sources_too() {
    let source =
        "ctx.prompt.block({id: 't:s', zone: 'context', order: 1, template: true, content: '名 {hro}'})\n";
    for pattern in ["lib", "./lib/", "lib/**"] {
        let folder = project(&[
            ("promptblock.toml", &format!("sources = [\"{pattern}\"]\n")),
            ("promptblock.catalog.json", CATALOG),
            ("lib/x/a.ts", source),
            ("src/b.ts", source),
        ]);
        assert_eq!(found(folder.path(), &["lib", "src"]), ["lib/x/a.ts unknown-variable"], "{pattern}");
    }
}

#[test]
fn patterns_that_leave_the_project() {
    let config = "catalogs = [\"../shared/catalog.json\", \"**/../shared/*.json\", '/etc/passwd', \"mine.json\"]\n\
        sources = [\"../src/**\"]\nexclude = [\"../x\"]\n";
    let folder = project(&[
        ("p/promptblock.toml", config),
        ("p/mine.json", r#"{"variables": {"mine": {}}}"#),
        ("p/a.promptblock", &block("a", 1).replace("hro", "hero}{mine")),
        ("shared/catalog.json", r#"{"variables": {"hero": {}, "broken": 1}}"#),
    ]);
    let p = folder.path().join("p");
    let invalid = vec!["promptblock.toml invalid-config"; 5];
    assert_eq!(
        found(&p, &[]),
        [vec!["a.promptblock unknown-variable"], invalid].concat(),
        "none of it counts"
    );
    let said = run(&p, &["check", "promptblock.toml"]);
    let at = " --> promptblock.toml:1:13\n  |\n1 | catalogs = [\"../shared/catalog.json\",";
    assert!(
        said.starts_with("exit 1\nerror[invalid-config]: this pattern leaves the project's folder"),
        "{said}"
    );
    assert!(said.contains(at) && said.contains("help: Remove this entry"), "{said}");
    assert!(
        said.contains("the user's catalog, or one promptblock.toml in a folder above them all"),
        "{said}"
    );
    // In Chinese as well.
    write(&p, "promptblock.toml", format!("locale = \"zh-CN\"\n{config}").as_bytes());
    let said = run(&p, &["check", "promptblock.toml"]);
    assert!(said.contains("这个通配模式指向项目文件夹之外") && said.contains("用户变量目录"), "{said}");
    // From a folder above, one project, it is reached.
    write(folder.path(), "promptblock.toml", b"catalogs = [\"shared/catalog.json\", \"p/mine.json\"]\n");
    std::fs::remove_file(p.join("promptblock.toml")).expect("removed");
    assert_eq!(found(&p, &[]), [""; 0]);
    assert_eq!(
        found(&p, &["../shared/catalog.json"]),
        ["../shared/catalog.json unused-variable", "../shared/catalog.json invalid-catalog"]
    );
}

#[test]
fn what_a_project_excludes_it_excludes_in_the_projects_below() {
    let folder = project(&[
        ("promptblock.toml", "exclude = [\"fixtures\"]\n"),
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &block("a", 1)),
        ("fixtures/x/promptblock.toml", "profle = \"blocks\"\n"),
        ("fixtures/x/promptblock.catalog.json", "{"),
        ("fixtures/x/a.promptblock", &block("x", 1)),
        ("fixtures/x/b.promptblock", &block("x", 2)),
        ("fixtures/x/c.ts", "ctx.prompt.block({id: 't:y', zone: 'context', order: 7})\n"),
        ("other/promptblock.toml", ""),
        ("other/promptblock.catalog.json", CATALOG),
        ("other/a.promptblock", &block("x", 1)),
    ]);
    let all = ["a.promptblock unknown-variable", "other/a.promptblock unknown-variable"];
    let hint = |path: &str| format!("{path}promptblock.catalog.json unused-variable");
    let mut expected = all.map(str::to_owned).to_vec();
    expected.extend([hint("other/"), hint("")]);
    let mut is = found(folder.path(), &[]);
    expected.sort();
    is.sort();
    assert_eq!(is, expected);
    assert_eq!(
        run(folder.path(), &["check", "fixtures"]),
        format!(
            "{CLEAN}0 findings in 0 files (0 blocks): 0 errors, 0 warnings, 0 information, 0 hints\n-- standard error --\n\
            promptblock: fixtures: every block in it is passed over, by `exclude` in promptblock.toml; one that is named is checked all the same\n"
        )
    );
    // One of its files is judged with its whole project, and so is the project itself where that is named.
    let in_a = ["fixtures/x/a.promptblock duplicate-id", "fixtures/x/a.promptblock unknown-variable"];
    assert_eq!(found(folder.path(), &["fixtures/x/a.promptblock"]), in_a);
    for here in ["fixtures/x", "fixtures/x/"] {
        let all = found(folder.path(), &[here]);
        assert!(
            all.contains(&in_a[0].to_owned())
                && all.contains(&"fixtures/x/promptblock.toml unknown-key".to_owned()),
            "{all:?}"
        );
    }
    assert!(!found(&folder.path().join("fixtures/x"), &[]).is_empty(), "nobody looks at the outer project");
}

#[test]
fn a_folder_in_which_everything_is_passed_over_is_not_silent() {
    let folder = project(&[
        (".gitignore", "gen/\nmix/i.promptblock\n"),
        ("promptblock.toml", "exclude = [\"mix/e.promptblock\"]\n"),
        ("promptblock.catalog.json", CATALOG),
        ("gen/a.promptblock", &block("a", 1)),
        (".hidden/a.promptblock", &block("a", 1)),
        ("node_modules/x/a.promptblock", &block("a", 1)),
        ("mix/i.promptblock", &block("a", 1)),
        ("mix/e.promptblock", &block("a", 1)),
        ("some/a.promptblock", &block("s", 9)),
        ("none/readme.txt", ""),
    ]);
    let said = |path: &str| {
        let output = run_with(folder.path(), &["check", path], "");
        assert_eq!(output.status.code(), Some(i32::from(path == "some")));
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert!(
        said("gen").contains("gen: every block in it is passed over, by .gitignore; one that is named is")
    );
    assert!(said(".hidden").contains("as hidden folders and node_modules are;"));
    assert!(said("node_modules").contains("as hidden folders and node_modules are;"));
    assert!(said("mix").contains("by .gitignore and by `exclude` in promptblock.toml;"));
    for quiet in ["some", "none"] {
        assert_eq!(said(quiet), "", "{quiet}");
    }
    assert_eq!(found(folder.path(), &["gen/a.promptblock"]), ["gen/a.promptblock unknown-variable"]);
    assert_eq!(found(folder.path(), &["gen"]), [""; 0]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_of_the_project_is_that_file() {
    let folder = project(&[
        ("promptblock.toml", "exclude = [\"old\"]\n"),
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &block("a", 1)),
        ("old/o.promptblock", &block("o", 4)),
        ("sub/b.promptblock", &block("b", 2)),
    ]);
    let outside = project(&[("x.promptblock", &block("x", 3))]);
    let link =
        |to: &Path, name: &str| std::os::unix::fs::symlink(to, folder.path().join(name)).expect("a link");
    link(Path::new("a.promptblock"), "link.promptblock");
    link(Path::new("../a.promptblock"), "sub/up.promptblock");
    link(Path::new("old/o.promptblock"), "old.promptblock");
    link(&outside.path().join("x.promptblock"), "x.promptblock");
    let a = ["a.promptblock unknown-variable"];
    for named in [&["link.promptblock"][..], &["a.promptblock", "link.promptblock"], &["sub/up.promptblock"]]
    {
        assert_eq!(found(folder.path(), named), a, "{named:?}");
    }
    assert_eq!(found(&folder.path().join("sub"), &["up.promptblock"]), ["../a.promptblock unknown-variable"]);
    // What no other name of it counts for counts by that one.
    assert_eq!(found(folder.path(), &["old.promptblock"]), ["old.promptblock unknown-variable"]);
    assert_eq!(found(folder.path(), &["x.promptblock"]), ["x.promptblock unknown-variable"]);
}

#[test]
fn a_first_catalog_goes_where_the_configuration_wants_it() {
    for (catalogs, file) in [
        ("", Some("promptblock.catalog.json")),
        ("catalogs = [\"./vars/a.json\", \"*.vars.json\"]\n", Some("vars/a.json")),
        ("catalogs = [\"vars/*.json\"]\n", Some("vars/promptblock.catalog.json")),
        ("catalogs = [\"../a.json\", \"**/b.json\"]\n", Some("b.json")),
        ("catalogs = [\"p/*/a.json\"]\n", None),
        ("catalogs = []\n", None),
        ("catalogs = [\"promptblock.env.json\"]\n", None),
    ] {
        let folder = project(&[("promptblock.toml", catalogs), ("a.promptblock", &block("a", 1))]);
        let output = run_with(folder.path(), &["check", "--format", "json", "a.promptblock"], "");
        let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let [finding] = &all["diagnostics"].as_array().expect("a list")[..] else { panic!("{all}") };
        assert_eq!(finding["code"], "no-catalog", "{catalogs}");
        let fixes = finding["fixes"].as_array().expect("a list");
        let written = fixes.first().map(|fix| fix["edits"][0]["path"].as_str().expect("a path"));
        assert_eq!(written, file, "{catalogs}");
        let message = finding["message"].as_str().expect("a text");
        if let Some(file) = file {
            assert!(message.ends_with(&format!("write `{file}`")), "{message}");
            // What the fix writes is found.
            write(folder.path(), file, CATALOG.as_bytes());
            assert!(found(folder.path(), &["a.promptblock"]) == ["a.promptblock unknown-variable"]);
        }
    }
}

#[test]
fn an_empty_catalog_has_a_way_out() {
    for (text, after) in [
        ("", "{\n  \"variables\": {\n    \"hro\": {\"description\": \"\"}\n  }\n}\n"),
        ("{}", "{\n  \"variables\": {\n    \"hro\": {\"description\": \"\"}\n  }\n}"),
        ("{\"variables\": []}", "{\"variables\": {\"hro\": {\"description\": \"\"}}}"),
        (
            "// 😀\r\nnull\r\n",
            "// 😀\r\n{\r\n  \"variables\": {\r\n    \"hro\": {\"description\": \"\"}\r\n  }\r\n}\r\n",
        ),
    ] {
        let folder = project(&[("promptblock.catalog.json", text), ("a.promptblock", &block("a", 1))]);
        let output = run_with(folder.path(), &["check", "--format", "json"], "");
        let all: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let mut all = all["diagnostics"].as_array().expect("a list").clone();
        let done = |finding: &serde_json::Value| {
            let mut result = text.to_owned();
            let edit = &finding["fixes"][0]["edits"][0];
            assert_eq!(edit["path"], "promptblock.catalog.json", "{finding}");
            let at = |index: usize| {
                usize::try_from(edit["bytes"][index].as_u64().expect("a number")).expect("small")
            };
            result.replace_range(at(0)..at(1), edit["text"].as_str().expect("a text"));
            result
        };
        let unknown = all.remove(0);
        assert_eq!(unknown["code"], "unknown-variable");
        assert_eq!(done(&unknown), after, "{text}");
        // The catalog's own finding, where it has one, leads to a catalog without entries.
        assert_eq!(all.len(), usize::from(text != "{}"), "{all:?}");
        for finding in all {
            assert_eq!(finding["code"], "invalid-catalog");
            write(folder.path(), "promptblock.catalog.json", done(&finding).as_bytes());
            assert_eq!(found(folder.path(), &["promptblock.catalog.json"]), [""; 0], "{}", done(&finding));
        }
    }
}

#[cfg(unix)]
#[test]
fn a_folder_that_a_link_names_is_the_same_to_every_command() {
    let folder = project(&[
        ("deep/real/promptblock.toml", ""),
        ("deep/real/promptblock.catalog.json", CATALOG),
        ("deep/real/a.promptblock", &block("a", 1)),
    ]);
    std::os::unix::fs::symlink("deep/real", folder.path().join("link")).expect("a link");
    std::os::unix::fs::symlink("nowhere", folder.path().join("dead")).expect("a link");
    for (command, shows) in [
        (&["check"][..], "deep/real/promptblock.catalog.json"),
        (&["doctor"], "/deep/real (it holds promptblock.toml)"),
        (&["catalog"], "deep/real/promptblock.catalog.json"),
        (&["tokens", "--format", "json"], "\"deep/real/a.promptblock\""),
        (&["assemble", "--examples", "--as", "json"], "\"deep/real/a.promptblock\""),
    ] {
        let by = |path: &str| run(folder.path(), &[command, &[path]].concat());
        let said = by("link");
        assert!(said.contains(shows), "{command:?}: {said}");
        assert_eq!(said, by("deep/real"), "{command:?}");
        assert!(by("dead").contains("promptblock: dead: a link to what is not there\n"), "{command:?}");
    }
}
