//! The given cases, held against the list of those that are still open. The list can only shrink: a case in
//! it that passes fails the run as much as one outside it that does not.

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::tools::Project;

const CASES: &str = "tests/cases/public_cases.json";
/// More of the same kind, all of which pass.
const OWN: &str = "tests/cases/own_cases.json";
const RUNNER: &str = "tests/cases/run_cases.py";
const NOT_YET: &str = "tests/cases/not-yet.txt";

/// Runs all cases. With `bless`, names that pass now are taken out of the list.
pub(crate) fn run(project: &Project, bless: bool) -> Result<()> {
    let known = names(&read(project, CASES)?)?;
    let listed = read(project, NOT_YET)?;
    let open = Open::parse(&listed, &known)?;

    let (output, failing, figure) = outcome(project, CASES)?;
    if let Some(stranger) = failing.iter().find(|name| !known.contains(*name)) {
        bail!("{RUNNER} reports a case that is not in {CASES}: {stranger}");
    }

    let broken: Vec<&String> = failing.iter().filter(|name| !open.holds(name)).collect();
    let mut passing = open.passing(&known, &failing);
    if bless && !passing.is_empty() {
        let kept = listed.lines().filter(|line| !passing.iter().any(|entry| entry == line.trim()));
        fs::write(project.path(NOT_YET), kept.map(|line| format!("{line}\n")).collect::<String>())?;
        println!("taken out of {NOT_YET}: {}", passing.len());
        passing.clear();
    }

    let mut shown = false;
    for line in output.lines() {
        if let Some(name) = line.strip_prefix("FAIL ") {
            shown = broken.iter().any(|broken| *broken == name);
        } else if !line.starts_with("     ") {
            shown = false;
        }
        if shown {
            println!("{line}");
        }
    }
    println!("{figure}; {} open in {NOT_YET}", failing.len() - broken.len());
    let mut complaints = Vec::new();
    if !broken.is_empty() {
        complaints.push(format!("{} cases fail", broken.len()));
    }
    if !passing.is_empty() {
        let which = passing.join("\n  ");
        println!("these pass now, take them out of {NOT_YET} (cargo xtask cases --bless):\n  {which}");
        complaints.push(format!("{} entries of {NOT_YET} pass", passing.len()));
    }
    let (output, failing, figure) = outcome(project, OWN)?;
    println!("{figure}");
    if !failing.is_empty() {
        println!("{output}");
        complaints.push(format!("{} cases of {OWN} fail", failing.len()));
    }
    let (output, sound) = fixes(project)?;
    println!("{}", output.lines().last().unwrap_or_default());
    if !sound {
        println!("{output}");
        complaints.push("some fixes do not do what they say".to_owned());
    }
    ensure!(complaints.is_empty(), "{}", complaints.join(", "));
    Ok(())
}

/// What the runner prints of a file of cases, the names of those that fail, and its last line.
fn outcome(project: &Project, cases: &str) -> Result<(String, BTreeSet<String>, String)> {
    let runner = project.run("python3").arg(project.path(RUNNER)).arg(project.path(cases));
    // Every failure by name, not the first ten. Its status says no more than the names do.
    let (output, _) = runner.env("SHOW", "1000000").env("PROMPTBLOCK", project.server()).output()?;
    let figure = output.lines().rfind(|line| line.starts_with("cases: ")).map(str::to_owned);
    let figure = figure.with_context(|| format!("{RUNNER} gave no figure; it printed: {output}"))?;
    let failing = failing(&output);
    Ok((output, failing, figure))
}

/// Does every fix that is offered in any case: its finding must be gone then, and no error new.
fn fixes(project: &Project) -> Result<(String, bool)> {
    let runner = project.run("python3").arg(project.path(RUNNER)).arg("--fixes");
    runner.env("SHOW", "1000000").env("PROMPTBLOCK", project.server()).output()
}

fn read(project: &Project, path: &str) -> Result<String> {
    fs::read_to_string(project.path(path)).with_context(|| format!("reading {path}"))
}

fn names(cases: &str) -> Result<BTreeSet<String>> {
    let cases: Value = serde_json::from_str(cases).with_context(|| format!("reading {CASES}"))?;
    let cases = cases.as_array().with_context(|| format!("{CASES} is no list"))?;
    let name = |case: &Value| case["name"].as_str().map(str::to_owned);
    cases.iter().map(|case| name(case).with_context(|| format!("a case without a name in {CASES}"))).collect()
}

fn failing(output: &str) -> BTreeSet<String> {
    output.lines().filter_map(|line| line.strip_prefix("FAIL ")).map(str::to_owned).collect()
}

/// The group of a case is its name up to the colon.
fn group(name: &str) -> &str {
    name.split(':').next().unwrap_or(name)
}

/// What `not-yet.txt` lists: names of cases, or of whole groups.
struct Open<'a> {
    cases: BTreeSet<&'a str>,
    groups: BTreeSet<&'a str>,
}

impl<'a> Open<'a> {
    /// One entry a line; `#` starts a comment line.
    fn parse(text: &'a str, known: &BTreeSet<String>) -> Result<Self> {
        let mut open = Self { cases: BTreeSet::new(), groups: BTreeSet::new() };
        for entry in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let fresh = if known.contains(entry) {
                open.cases.insert(entry)
            } else if known.iter().any(|name| group(name) == entry) {
                open.groups.insert(entry)
            } else {
                bail!("{NOT_YET} lists {entry}, but there is no such case or group");
            };
            ensure!(fresh, "{NOT_YET} lists {entry} twice");
        }
        Ok(open)
    }

    fn holds(&self, name: &str) -> bool {
        self.cases.contains(name) || self.groups.contains(group(name))
    }

    /// The entries that have nothing open any more. Of a group, single cases may pass by chance (such as
    /// those that want no diagnostic); it is done when all do.
    fn passing(&self, known: &BTreeSet<String>, failing: &BTreeSet<String>) -> Vec<String> {
        let done = |entry: &&&str| !known.iter().any(|name| group(name) == **entry && failing.contains(name));
        let groups = self.groups.iter().filter(done);
        let cases = self.cases.iter().filter(|name| !failing.contains(**name));
        cases.chain(groups).map(|&entry| entry.to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn a_listed_case_may_fail_and_must_not_pass() {
        let known = set(&["fmt: one", "fmt: two", "check: one"]);
        let open = Open::parse("# later\nfmt: one\n\n", &known).unwrap();
        assert!(open.holds("fmt: one"));
        assert!(!open.holds("fmt: two"));
        assert_eq!(open.passing(&known, &set(&["fmt: one"])), [""; 0]);
        assert_eq!(open.passing(&known, &set(&["fmt: two"])), ["fmt: one"]);
    }

    #[test]
    fn a_listed_group_is_done_when_all_of_it_passes() {
        let known = set(&["fmt: one", "fmt: two", "check: one"]);
        let open = Open::parse("fmt", &known).unwrap();
        assert!(open.holds("fmt: two"));
        assert!(!open.holds("check: one"));
        assert_eq!(open.passing(&known, &set(&["fmt: two"])), [""; 0]);
        assert_eq!(open.passing(&known, &set(&["check: one"])), ["fmt"]);
    }

    #[test]
    fn an_entry_that_means_nothing_is_an_error() {
        let known = set(&["fmt: one"]);
        assert!(Open::parse("fnt", &known).is_err());
        assert!(Open::parse("fmt: one\nfmt: one", &known).is_err());
    }

    #[test]
    fn failures_are_read_from_the_runner() {
        let output =
            "FAIL a: b\n     missing x on 'FAIL '\nFAIL c\n     y\nfailing by group: {'a': 1}\ncases: 1/3\n";
        assert_eq!(failing(output), set(&["a: b", "c"]));
    }
}
