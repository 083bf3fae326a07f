//! `docs/diagnostics.md` and its translation: made from the registry, the explanations, and the fixes that the program
//! offers for their examples. `cargo xtask docs` writes them; without it, this test holds them to what they are made from.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use expect_test::expect_file;
use promptblock_core::{Code, Locale, Severity};
use promptblock_tests::{Project, binary};
use serde_json::Value;
use std::fmt::Write;
use std::process::Command;

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/core/src/lint/explain");

#[test]
fn the_reference_pages_are_those_of_the_registry() {
    expect_file!["../../docs/diagnostics.md"].assert_eq(&page(Locale::En));
    expect_file!["../../docs/diagnostics.zh-CN.md"].assert_eq(&page(Locale::ZhCn));
}

/// What the program offers for a finding.
enum Offer {
    Nothing,
    Suggestion(String),
    /// One that `--fix` does.
    Safe(String),
}

fn page(locale: Locale) -> String {
    let pick = |en: &'static str, zh: &'static str| match locale {
        Locale::En => en,
        Locale::ZhCn => zh,
    };
    let mut page = String::new();
    page += pick(
        "# The diagnostics\n\n[简体中文](diagnostics.zh-CN.md)\n\n<!-- Written by `cargo xtask docs`. -->\n\n\
         Every code that promptblock reports, with its severity where `promptblock.toml` says nothing. *Fix* says whether the\n\
         editor offers one for the example below, and whether `promptblock check --fix` does it by itself. The same pages are\n\
         printed by `promptblock explain CODE`.\n\n| code | severity | when | fix |\n|---|---|---|---|\n",
        "# 诊断\n\n[English](diagnostics.md)\n\n<!-- 由 `cargo xtask docs` 生成。 -->\n\n\
         promptblock 报告的全部诊断码，以及 `promptblock.toml` 没有另行指定时的级别。“修复”一栏说明编辑器是否为下面的例子\n\
         提供修复，以及 `promptblock check --fix` 会不会自动修复。同样的说明可用 `promptblock explain CODE` 查看。\n\n\
         | 诊断码 | 级别 | 何时报告 | 修复 |\n|---|---|---|---|\n",
    );
    let mut sections = String::new();
    for code in Code::ALL {
        let (name, severity) = (code.name(), severity(code.severity(), locale));
        let explanation = code.explanation(locale);
        let offer = offer(*code, explanation, locale);
        let short = match offer {
            Offer::Nothing => "",
            Offer::Suggestion(_) => pick("offered", "可选"),
            Offer::Safe(_) => "`--fix`",
        };
        let when = code.headline(locale).replace('|', "\\|").replace('\n', " ");
        writeln!(page, "| [`{name}`](#{name}) | {severity} | {when} | {short} |").unwrap();

        // Below the page's own heading, everything is one level deeper.
        let deeper = code.page(locale);
        let deeper = deeper.lines().map(|line| match line.strip_prefix('#') {
            Some(_) => format!("#{line}\n"),
            None => format!("{line}\n"),
        });
        let deeper: String = deeper.collect();
        sections += &format!("\n{deeper}");
        let fix = match offer {
            Offer::Nothing => continue,
            Offer::Suggestion(title) => (title, ""),
            Offer::Safe(title) => {
                (title, pick(" `promptblock check --fix` does it.", "`promptblock check --fix` 会自动完成。"))
            }
        };
        let heading = pick("Fix", "修复");
        let stop = pick(".", "。");
        sections += &format!("\n### {heading}\n\n{}{stop}{}\n", fix.0, fix.1);
    }
    page + &sections
}

fn severity(severity: Severity, locale: Locale) -> &'static str {
    match (locale, severity) {
        (Locale::En, severity) => severity.name(),
        (_, Severity::Error) => "错误",
        (_, Severity::Warning) => "警告",
        (_, Severity::Information) => "信息",
        (_, Severity::Hint) => "提示",
    }
}

/// The first fix for the example of a page, as it stands before.
fn offer(code: Code, page: &str, locale: Locale) -> Offer {
    let project = example(page);
    let found = || check(&project, &["--format", "json"], locale)["diagnostics"].as_array().unwrap().clone();
    let of_code =
        |all: Vec<Value>| all.into_iter().filter(|it| it["code"] == code.name()).collect::<Vec<_>>();
    let before = of_code(found());
    let Some(title) = before.iter().find_map(|it| it["fixes"][0]["title"].as_str()) else {
        return Offer::Nothing;
    };
    check(&project, &["--format", "json", "--fix"], locale);
    match of_code(found()).len() < before.len() {
        true => Offer::Safe(title.to_owned()),
        false => Offer::Suggestion(title.to_owned()),
    }
}

/// The project of a page before it is repaired. How it is written: README.md beside the pages.
fn example(page: &str) -> Project {
    let project = Project::new("");
    project.write("promptblock.toml", "");
    let catalog = std::fs::read_to_string(format!("{EXAMPLES}/catalog-for-examples.json")).unwrap();
    if !page.contains(" promptblock.catalog.json\n") {
        project.write("promptblock.catalog.json", catalog);
    }
    for fence in page.split("\n```").skip(1).step_by(2) {
        let (info, text) = fence.split_once('\n').unwrap();
        let words: Vec<&str> = info.split_whitespace().skip(1).collect();
        let (name, before) = match words.as_slice() {
            [] => continue,
            ["before", rest @ ..] => (rest.first(), true),
            ["after", ..] => (None, false),
            [name, ..] => (Some(name), true),
        };
        if before {
            project.write(name.unwrap_or(&"block.promptblock"), format!("{text}\n"));
        }
    }
    project
}

fn check(project: &Project, arguments: &[&str], locale: Locale) -> Value {
    let output = Command::new(binary())
        .arg("check")
        .args(arguments)
        .current_dir(project.root())
        .env("XDG_CONFIG_HOME", project.path("no-such-folder"))
        .env("LC_ALL", if locale == Locale::En { "C.UTF-8" } else { "zh_CN.UTF-8" })
        .env_remove("LANGUAGE")
        .output()
        .expect("the binary");
    serde_json::from_slice(&output.stdout).expect("JSON")
}
