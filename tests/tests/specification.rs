//! The table of the rules and the tests that show them: `tests/specification/*.toml`, one file a section. Every test, case and
//! place that it names exists, and every rule is shown by something, or waits for a feature.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// What a rule may wait for. A feature that no rule waits for any more leaves this list.
const LATER: [(&str, &str); 0] = [];

/// Where the tests of a crate stand.
const CRATES: [(&str, &[&str]); 6] = [
    ("core", &["crates/core/src", "crates/core/tests"]),
    ("workspace", &["crates/workspace/src", "crates/workspace/tests"]),
    ("server", &["crates/server/src"]),
    ("cli", &["crates/cli/tests", "crates/cli/src"]),
    ("tests", &["tests/tests"]),
    ("prompt_template", &["syntax/tree-sitter-prompt-template/bindings/rust"]),
];

struct Rule {
    file: String,
    says: String,
    tests: Vec<String>,
    cases: Vec<String>,
    elsewhere: Vec<String>,
    later: Option<String>,
}

fn path(inside: &str) -> PathBuf {
    Path::new(REPOSITORY).join(inside)
}

fn rules() -> Vec<Rule> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(path("tests/specification")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files.iter().flat_map(|file| rules_of(file)).collect()
}

fn rules_of(file: &Path) -> Vec<Rule> {
    let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut table: Table = fs::read_to_string(file).unwrap().parse().expect(&name);
    let section = table.remove("section").expect("a section");
    assert!(name.starts_with(&format!("{}-", section.as_str().unwrap())), "{name} begins with its section");
    let Some(Value::Array(rules)) = table.remove("rule") else { panic!("{name} has no rules") };
    assert!(table.is_empty(), "{name}: {table:?}");
    rules.into_iter().map(|rule| rule_of(&name, rule)).collect()
}

fn rule_of(file: &str, rule: Value) -> Rule {
    let Value::Table(mut rule) = rule else { panic!("{file}: {rule}") };
    let text = |value: Value| value.as_str().expect("a text").to_owned();
    let says = text(rule.remove("says").expect("a rule"));
    let mut list = |key: &str| match rule.remove(key) {
        Some(Value::Array(all)) => all.into_iter().map(text).collect(),
        None => Vec::new(),
        Some(other) => panic!("{file}: {says}: {key} is {other}"),
    };
    let (tests, cases, elsewhere) = (list("tests"), list("cases"), list("elsewhere"));
    let later = rule.remove("later").map(text);
    assert!(rule.is_empty(), "{file}: {says}: {rule:?}");
    Rule { file: file.to_owned(), says, tests, cases, elsewhere, later }
}

/// Names of the given cases and of our own.
fn cases() -> BTreeSet<String> {
    let read = |file: &str| -> Vec<serde_json::Value> {
        serde_json::from_str(&fs::read_to_string(path("tests/cases").join(file)).unwrap()).unwrap()
    };
    let all = ["public_cases.json", "own_cases.json"].into_iter().flat_map(read);
    all.map(|case| case["name"].as_str().unwrap().to_owned()).collect()
}

/// Whether `file` has a function of that name which is a test.
fn has_test(file: &Path, name: &str) -> bool {
    let Ok(text) = fs::read_to_string(file) else { return false };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let at = lines.iter().position(|line| line.starts_with(&format!("fn {name}(")));
    at.is_some_and(|at| {
        let above =
            lines[..at].iter().rev().take_while(|line| line.starts_with("#[") || line.starts_with("//"));
        above.into_iter().any(|line| *line == "#[test]")
    })
}

/// Whether `core::lint::stray_brace::one_a_brace` and the like is a test: crate, modules (but `mod tests`), function.
fn is_test(name: &str) -> bool {
    let parts: Vec<&str> = name.split("::").collect();
    let [of, modules @ .., function] = parts.as_slice() else { return false };
    let Some((_, roots)) = CRATES.iter().find(|(known, _)| known == of) else { return false };
    let modules = modules.join("/");
    roots.iter().any(|root| {
        let file = |end: &str| path(root).join(format!("{modules}{end}"));
        has_test(&file(".rs"), function) || has_test(&file("/mod.rs"), function)
    })
}

#[test]
fn what_is_named_exists() {
    let cases = cases();
    let mut stale = Vec::new();
    for rule in rules() {
        let mut complain = |what: &str| stale.push(format!("{}: {}: {what}", rule.file, rule.says));
        for test in rule.tests.iter().filter(|test| !is_test(test)) {
            complain(&format!("no test {test}"));
        }
        for case in &rule.cases {
            // A star stands for the rest of a name.
            let group =
                case.strip_suffix('*').is_some_and(|of| cases.iter().any(|name| name.starts_with(of)));
            if !(group || cases.contains(case)) {
                complain(&format!("no case {case}"));
            }
        }
        for place in &rule.elsewhere {
            let (file, text) = place.split_once(": ").expect("a file and a text in it");
            if !fs::read(path(file)).is_ok_and(|found| String::from_utf8_lossy(&found).contains(text)) {
                complain(&format!("nothing like {place}"));
            }
        }
    }
    assert!(stale.is_empty(), "{stale:#?}");
}

#[test]
fn every_rule_is_shown_or_waits_for_a_feature() {
    let rules = rules();
    assert!(rules.len() > 400, "only {} rules", rules.len());
    let mut known: BTreeMap<(String, String), u32> = BTreeMap::new();
    for rule in &rules {
        let shown = !(rule.tests.is_empty() && rule.cases.is_empty() && rule.elsewhere.is_empty());
        assert!(shown || rule.later.is_some(), "{}: nothing shows: {}", rule.file, rule.says);
        if let Some(later) = &rule.later {
            assert!(
                LATER.iter().any(|(name, _)| name == later),
                "{}: {}: what is {later}?",
                rule.file,
                rule.says
            );
        }
        *known.entry((rule.file.clone(), rule.says.clone())).or_default() += 1;
    }
    let twice: Vec<_> = known.iter().filter(|(_, count)| **count > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    for (name, what) in LATER {
        assert!(
            rules.iter().any(|rule| rule.later.as_deref() == Some(name)),
            "nothing waits for {name}: {what}"
        );
    }
}

#[test]
fn every_code_has_its_rule() {
    let rules: Vec<String> =
        rules().into_iter().filter(|rule| rule.file.starts_with("5.1-")).map(|rule| rule.says).collect();
    for code in promptblock_core::Code::ALL {
        let named = format!("`{code}`");
        assert!(rules.iter().any(|says| says.contains(&named)), "{code}");
    }
}
