//! `--format sarif` and `--format github`.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::expect;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use support::{CATALOG, HEADER, project, run, run_with, write};

/// The one run of a log, with what the schema asks of every log.
fn sarif(folder: &Path, arguments: &[&str]) -> Value {
    let output = run_with(folder, &[&["check", "--format", "sarif"], arguments].concat(), "");
    let log: Value = serde_json::from_slice(&output.stdout).expect("one JSON object");
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().expect("a schema").ends_with("sarif-schema-2.1.0.json"));
    let runs = log["runs"].as_array().expect("runs");
    assert_eq!(runs.len(), 1);
    assert_eq!(runs[0]["columnKind"], "utf16CodeUnits");
    let successful = output.status.code() != Some(2);
    assert_eq!(runs[0]["invocations"][0]["executionSuccessful"], successful);
    assert!(runs[0]["originalUriBaseIds"]["%SRCROOT%"].is_object());
    let rules = array(&runs[0]["tool"]["driver"]["rules"]);
    for rule in rules {
        for text in ["shortDescription", "fullDescription", "help"] {
            assert!(!rule[text]["text"].as_str().expect("a text").is_empty(), "{rule}");
        }
        assert!(rule["help"]["markdown"].as_str().expect("a page").starts_with("# "), "{rule}");
        assert!(is_level(&rule["defaultConfiguration"]["level"]), "{rule}");
    }
    let ids: BTreeSet<_> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(ids.len(), rules.len(), "every rule has an id of its own");
    for result in results(&runs[0]) {
        let index = result["ruleIndex"].as_u64().and_then(|it| usize::try_from(it).ok()).expect("an index");
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(is_level(&result["level"]), "{result}");
        assert!(!result["message"]["text"].as_str().expect("a text").is_empty());
        assert_eq!(array(&result["locations"]).len(), 1);
        let related = result.get("relatedLocations").map_or(&[][..], array);
        for place in array(&result["locations"]).iter().chain(related) {
            let place = &place["physicalLocation"];
            is_uri(&place["artifactLocation"]["uri"]);
            is_region(&place["region"]);
        }
        for fix in result.get("fixes").map_or(&[][..], array) {
            for change in array(&fix["artifactChanges"]) {
                is_uri(&change["artifactLocation"]["uri"]);
                assert!(!array(&change["replacements"]).is_empty(), "{fix}");
                for replacement in array(&change["replacements"]) {
                    is_region(&replacement["deletedRegion"]);
                    assert!(replacement["insertedContent"]["text"].is_string(), "{fix}");
                }
            }
        }
    }
    runs[0].clone()
}

fn array(value: &Value) -> &[Value] {
    value.as_array().expect("an array")
}

fn results(run: &Value) -> &[Value] {
    array(&run["results"])
}

fn is_level(level: &Value) -> bool {
    ["error", "warning", "note"].iter().any(|it| level == it)
}

fn is_uri(uri: &Value) {
    let uri = uri.as_str().expect("a URI");
    let allowed = |it: char| it.is_ascii_alphanumeric() || "/-._~%".contains(it);
    assert!(!uri.is_empty() && uri.chars().all(allowed), "{uri}");
}

fn is_region(region: &Value) {
    let at = |key: &str| region[key].as_u64().expect("a number");
    assert!(at("startLine") > 0 && at("startColumn") > 0, "{region}");
    assert!((at("startLine"), at("startColumn")) <= (at("endLine"), at("endColumn")), "{region}");
}

fn of_rule<'a>(run: &'a Value, rule: &str) -> Vec<&'a Value> {
    results(run).iter().filter(|result| result["ruleId"] == rule).collect()
}

fn fingerprint(result: &Value) -> &str {
    result["partialFingerprints"]["promptblockFinding/v1"].as_str().expect("a fingerprint")
}

fn region(line: u32, from: u32, to: u32) -> Value {
    json!({"startLine": line, "startColumn": from, "endLine": line, "endColumn": to})
}

#[test]
fn sarif_places_fixes_and_related_places() {
    let text = format!("\u{feff}{HEADER}名🎉e\u{301} {{hro}}\n{{\"ok\": true}}\n").replace('\n', "\r\n");
    let other = "---\nid: t:a\nzone: context\norder: 1\n---\nx\n";
    let path = "名 a/x%,#.promptblock";
    let files = [("promptblock.catalog.json", CATALOG), (path, &text), ("b.promptblock", other)];
    let folder = project(&files);
    let run = sarif(folder.path(), &[]);
    let uri = "%E5%90%8D%20a/x%25%2C%23.promptblock";

    let [unknown] = of_rule(&run, "unknown-variable")[..] else { panic!("{run}") };
    assert_eq!(unknown["level"], "error");
    let place =
        json!({"artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"}, "region": region(7, 8, 11)});
    assert_eq!(unknown["locations"][0]["physicalLocation"], place);
    let change = json!({
        "artifactLocation": {"uri": uri, "uriBaseId": "%SRCROOT%"},
        "replacements": [{"deletedRegion": region(7, 8, 11), "insertedContent": {"text": "hero"}}],
    });
    assert_eq!(unknown["fixes"][0]["artifactChanges"], json!([change]));
    assert_eq!(unknown["properties"]["block"], "t:a");
    // The second way out lies in another file.
    let at = u32::try_from(CATALOG.rfind("}}").expect("the end of the entries")).expect("a small file");
    let change = json!({
        "artifactLocation": {"uri": "promptblock.catalog.json", "uriBaseId": "%SRCROOT%"},
        "replacements": [{
            "deletedRegion": region(1, at + 1, at + 1),
            "insertedContent": {"text": ", \"hro\": {\"description\": \"\"}"},
        }],
    });
    assert_eq!(unknown["fixes"][1]["artifactChanges"], json!([change]));

    // An insertion deletes nothing.
    let [braces] = of_rule(&run, "literal-braces")[..] else { panic!("{run}") };
    assert_eq!(braces["level"], "warning");
    let first = &braces["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(first["deletedRegion"], region(8, 1, 1));

    let [here, there] = of_rule(&run, "duplicate-id")[..] else { panic!("{run}") };
    assert_eq!(here["relatedLocations"][0]["physicalLocation"], there["locations"][0]["physicalLocation"]);
    assert_eq!(there["relatedLocations"][0]["physicalLocation"], here["locations"][0]["physicalLocation"]);
    assert_eq!(here["fixes"][0]["description"]["text"], "Rename this one to `t:a-2`");
    let [unused, ..] = of_rule(&run, "unused-variable")[..] else { panic!("{run}") };
    assert_eq!(unused["fixes"][0]["description"]["text"], "Remove this entry", "in a catalog too");
    assert!(unknown.get("relatedLocations").is_none());
}

#[test]
fn sarif_knows_no_hints_and_keeps_to_the_configured_severities() {
    let folder = project(&[
        ("promptblock.toml", "[severity]\nunknown-variable = \"information\"\nliteral-braces = \"off\"\n"),
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &format!("{HEADER}{{hro}} {{\"ok\": true}}\n")),
    ]);
    let run = sarif(folder.path(), &[]);
    assert_eq!(of_rule(&run, "unknown-variable")[0]["level"], "note");
    assert_eq!(of_rule(&run, "unused-variable")[0]["level"], "note");
    assert_eq!(of_rule(&run, "unused-variable")[0]["properties"]["severity"], "hint");
    assert!(of_rule(&run, "literal-braces").is_empty());
}

#[test]
fn sarif_says_what_lies_elsewhere_and_that_something_could_not_be_read() {
    let folder = project(&[
        ("promptblock.toml", ""),
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &format!("{HEADER}{{hro}}\n")),
        ("below/x", ""),
    ]);
    write(folder.path(), "b.promptblock", b"\xff");
    let run = sarif(&folder.path().join("below"), &["../a.promptblock", "../b.promptblock"]);
    let place = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(*place, json!({"uri": "../a.promptblock"}));
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let said = json!([{
        "descriptor": {"id": "unreadable-file", "index": 0},
        "level": "error",
        "message": {"text": "not UTF-8: byte 0 fits no character"},
        "locations": [{"physicalLocation": {"artifactLocation": {"uri": "../b.promptblock"}}}],
    }]);
    assert_eq!(invocation["toolExecutionNotifications"], said);
    assert_eq!(run["tool"]["driver"]["notifications"][0]["id"], "unreadable-file");
}

#[test]
fn sarif_names_each_file_that_cannot_be_read() {
    let folder = project(&[("promptblock.catalog.json", CATALOG)]);
    write(folder.path(), "promptblock.toml", b"\xff");
    write(folder.path(), "名 a.promptblock", b"a\xff");
    let run = sarif(folder.path(), &[".", "no/such", "promptblock.catalog.json"]);
    let all = array(&run["invocations"][0]["toolExecutionNotifications"]);
    let said: Vec<_> = all
        .iter()
        .map(|it| {
            let uri = &it["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
            is_uri(uri);
            (uri.as_str().expect("a URI"), it["message"]["text"].as_str().expect("a text"))
        })
        .collect();
    let [text, bytes] = ["no such file or folder", "not UTF-8: byte 0 fits no character"];
    let last = ("%E5%90%8D%20a.promptblock", "not UTF-8: byte 1 fits no character");
    assert_eq!(said, [("no/such", text), ("promptblock.toml", bytes), last]);

    let folder = project(&[("promptblock.catalog.json", r#"{"variables": {}}"#)]);
    assert!(sarif(folder.path(), &[])["invocations"][0].get("toolExecutionNotifications").is_none());
}

#[test]
fn sarif_of_a_long_line_with_many_findings() {
    let folder = project(&[
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &format!("{HEADER}{}\n", "{x}".repeat(20_000))),
    ]);
    let start = std::time::Instant::now();
    let run = sarif(folder.path(), &["a.promptblock"]);
    let all: BTreeSet<_> = results(&run).iter().map(fingerprint).collect();
    assert_eq!(all.len(), 20_000);
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn sarif_without_findings_has_results_nevertheless() {
    let folder =
        project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &format!("{HEADER}{{hero}}\n"))]);
    let run = sarif(folder.path(), &["a.promptblock"]);
    assert_eq!(run["results"], json!([]));
}

#[test]
fn sarif_in_chinese() {
    let folder = project(&[
        ("promptblock.toml", "locale = \"zh-CN\"\n"),
        ("promptblock.catalog.json", CATALOG),
        ("a.promptblock", &format!("{HEADER}{{hro}}\n")),
    ]);
    let run = sarif(folder.path(), &[]);
    assert_eq!(run["language"], "zh-CN");
    assert_eq!(of_rule(&run, "unknown-variable")[0]["message"]["text"], "变量 `hro` 未注册；是不是 `hero`？");
    let short = run["tool"]["driver"]["rules"][0]["shortDescription"]["text"].as_str().expect("a text");
    assert!(short.ends_with('。') && short.matches('。').count() == 1, "{short}");
}

#[test]
fn fingerprints_outlive_lines_above_and_tell_findings_apart() {
    let folder = project(&[("promptblock.catalog.json", CATALOG)]);
    let all = |body: &str| {
        write(folder.path(), "a.promptblock", format!("{HEADER}{body}").as_bytes());
        let run = sarif(folder.path(), &["a.promptblock"]);
        let all: Vec<_> = results(&run).iter().map(|result| fingerprint(result).to_owned()).collect();
        all
    };
    let before = all("{x} {x}\nelse {x}\n");
    assert_eq!(before.len(), 3);
    assert_eq!(before.iter().collect::<BTreeSet<_>>().len(), 3, "{before:?}");
    assert_eq!(all("new\n\n  {x} {x}\nmore\n\telse {x}\n"), before);
    assert!(all("other {x}\n").iter().all(|it| !before.contains(it)));
    // What other versions of the program, on other machines, say of the same text.
    assert_eq!(before[2], "5c5bc5db7e68a740f9885ae6e3f7e3696964d5690c875dd9623af288e316172e:1");
}

#[test]
fn github_annotations() {
    let header = "---\r\nid: t:a\r\nzone: system\r\norder: 10\r\ntemplate: true\r\n---\r\n";
    let folder = project(&[
        ("promptblock.catalog.json", CATALOG),
        ("a,b:c%/名.promptblock", &format!("\u{feff}{header}名🎉 {{hro}}\r\n{{\"ok\": true}}\r\n")),
    ]);
    let expected = expect![[r#"
        exit 1
        ::error file=a%2Cb%3Ac%25/名.promptblock,line=7,col=6,endLine=7,endColumn=9,title=unknown-variable::`hro` is not a registered variable; did you mean `hero`?
        ::warning file=a%2Cb%3Ac%25/名.promptblock,line=8,col=1,endLine=8,endColumn=2,title=literal-braces::these braces are no tag and are kept as text; double them to say so
        ::notice file=promptblock.catalog.json,line=1,col=16,endLine=1,endColumn=22,title=unused-variable::no block uses `hero`
        ::notice file=promptblock.catalog.json,line=1,col=28,endLine=1,endColumn=34,title=unused-variable::no block uses `time`
    "#]];
    expected.assert_eq(&run(folder.path(), &["check", "--format", "github"]));
}

#[test]
fn github_lines_stay_lines() {
    let folder = project(&[
        ("promptblock.catalog.json", "{\"variables\": {\"a%0A::error::\": {}}}"),
        ("a.promptblock", "---\nid: \"t:a\\r\\n::error::x\"\nzone: context\norder: 1\n---\nx\n"),
        ("b.promptblock", "---\nid: \"t:a\\r\\n::error::x\"\nzone: context\norder: 2\n---\nx\n"),
    ]);
    let expected = expect![[r#"
        exit 1
        ::error file=a.promptblock,line=2,col=5,endLine=2,endColumn=24,title=duplicate-id::another block has the id `t:a%0D%0A::error::x` too
        ::error file=b.promptblock,line=2,col=5,endLine=2,endColumn=24,title=duplicate-id::another block has the id `t:a%0D%0A::error::x` too
        ::error file=promptblock.catalog.json,line=1,col=16,endLine=1,endColumn=31,title=invalid-catalog::`a%250A::error::` cannot be written in a tag: a name is letters, digits and `_`, and begins with no digit
    "#]];
    expected.assert_eq(&run(folder.path(), &["check", "--format", "github"]));
}

#[test]
fn github_says_nothing_where_nothing_is_found() {
    let folder =
        project(&[("promptblock.catalog.json", CATALOG), ("a.promptblock", &format!("{HEADER}{{hero}}\n"))]);
    assert_eq!(run(folder.path(), &["check", "--format", "github", "a.promptblock"]), "exit 0\n");
}
