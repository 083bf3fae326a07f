//! The pages say what is true: links lead somewhere, and the tables of codes are those of the registry.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const REPOSITORY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn pages() -> Vec<PathBuf> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard", "*.md"])
        .current_dir(REPOSITORY)
        .output()
        .expect("git lists the pages");
    let names = String::from_utf8(output.stdout).unwrap();
    let pages: Vec<PathBuf> =
        names.lines().map(|name| Path::new(REPOSITORY).join(name)).filter(|page| page.exists()).collect();
    assert!(pages.len() > 50, "only {} pages", pages.len());
    pages
}

#[test]
fn links_lead_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(&page).unwrap();
        for (at, _) in text.match_indices("](") {
            let target = text[at + 2..].split([')', ' ', '\n']).next().unwrap_or_default();
            let file = target.split('#').next().unwrap_or_default();
            let outside = target.contains("://") || target.starts_with("mailto:") || file.is_empty();
            if !outside && !page.parent().unwrap().join(file).exists() {
                dead.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

/// Code and severity of every row of a table whose first cell links to an explanation.
fn table(page: &str) -> BTreeMap<String, String> {
    let text = fs::read_to_string(Path::new(REPOSITORY).join(page)).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("| [`") && line.contains("/explain/"));
    let row = |line: &str| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let code = cells.next().unwrap().split('`').nth(1).unwrap().to_owned();
        (code, cells.next().unwrap().to_owned())
    };
    rows.map(row).collect()
}

#[test]
fn the_tables_of_codes_are_those_of_the_registry() {
    // What is explained and not reported yet stands below the tables.
    let later = ["missing-value", "invalid-count", "limit-reached"];
    let registry: BTreeMap<String, String> = promptblock_core::Code::ALL
        .iter()
        .filter(|code| !later.contains(&code.name()))
        .map(|code| (code.name().to_owned(), code.severity().name().to_owned()))
        .collect();
    assert_eq!(table("README.md"), registry);
    let chinese = |severity: &str| match severity {
        "error" => "错误",
        "warning" => "警告",
        "information" => "信息",
        _ => "提示",
    };
    let registry = registry.into_iter().map(|(code, severity)| (code, chinese(&severity).to_owned()));
    assert_eq!(table("README.zh-CN.md"), registry.collect());
}
