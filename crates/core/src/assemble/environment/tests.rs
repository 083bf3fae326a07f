//! Environment files and what is said of them.

use super::*;
use crate::diagnostic::Remedy;
use crate::message::Locale;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::fmt::Write;

/// Every finding, then every environment with its fields.
fn says(text: &str, expected: &Expect) {
    let (environments, diagnostics) = parse_environments(text);
    let mut out = String::new();
    for diagnostic in diagnostics {
        write!(out, "{} {:?}@{}", diagnostic.code, &text[diagnostic.span.range()], diagnostic.span.start)
            .expect("written");
        writeln!(out, " {}", diagnostic.message.text(Locale::En)).expect("written");
        if diagnostic.remedy != Remedy::None {
            writeln!(out, "  {:?}", diagnostic.remedy).expect("written");
        }
    }
    for environment in &environments.0 {
        let fields = Value::Object(environment.fields.clone());
        writeln!(out, "{} {fields}", environment.key.of_str(text)).expect("written");
    }
    expected.assert_eq(&out);
}

#[test]
fn sound() {
    says(
        "{\"$schema\": \"x\", /* 私聊 */ \"私聊\": {\"platform\": \"qq\", \"is_group\": false, \"extra\": {\"天气\": \"晴\"}}, \"empty\": {},}",
        &expect![[r#"
            "私聊" {"platform":"qq","is_group":false,"extra":{"天气":"晴"}}
            "empty" {}
        "#]],
    );
    let (environments, _) = parse_environments(
        r#"{"a": {"x": 1, "n": null, "extra": {"x": 2, "y": 3, "n": 4}}, "b": {"extra": null}}"#,
    );
    let a = environments.named("a").expect("a");
    assert_eq!((a.get("x"), a.get("y"), a.get("n")), (Some(&1.into()), Some(&3.into()), Some(&4.into())));
    assert_eq!((a.get("z"), environments.named("b").expect("b").get("extra")), (None, None));
    assert!(environments.choose(None).is_none() && environments.choose(Some("b")).is_some());
    assert!(parse_environments("{\"a\": {}}").0.choose(None).is_some());
}

#[test]
fn contributors() {
    says(
        r#"{"group": {"extends": ["base", "weather"], "time": 3, "extra": {"c": 3}},
            "base": {"time": 1, "user": "甲", "extra": {"a": 1, "b": 1}},
            "weather": {"extends": ["season"], "time": 2, "extra": {"b": 2}}, "season": {"user": "乙", "extra": {"d": 4}}}"#,
        &expect![[r#"
            "group" {"time":3,"user":"乙","extra":{"a":1,"b":2,"d":4,"c":3}}
            "base" {"time":1,"user":"甲","extra":{"a":1,"b":1}}
            "weather" {"user":"乙","extra":{"d":4,"b":2},"time":2}
            "season" {"user":"乙","extra":{"d":4}}
        "#]],
    );
    says(
        r#"{"a": {"extends": ["b"]}, "b": {"extra": 5, "x": null}}"#,
        &expect![[r#"
        invalid-environment "5"@41 `extra` takes an object, not a number
        "a" {"x":null}
        "b" {"x":null}
    "#]],
    );
    says(
        r#"{"a": {"extends": ["bse", 5, "base", "none"], "x": 1}, "base": {"y": 2}}"#,
        &expect![[r#"
        invalid-environment "\"bse\""@19 there is no environment `bse`; did you mean `base`?
          Replace { with: ["\"base\""], safe: false }
        invalid-environment "5"@26 the name of an environment is a text, not a number
        invalid-environment "\"none\""@37 there is no environment `none`
          RemoveEntry(37..43)
        "a" {"y":2,"x":1}
        "base" {"y":2}
    "#]],
    );
    says(
        r#"{"a": {"extends": "base"}, "base": {"y": 2}, "c": {"extends": {"base": 1}}}"#,
        &expect![[r#"
        invalid-environment "\"base\""@18 `extends` takes a list of names of environments, not a text
          Replace { with: ["[\"base\"]"], safe: false }
        invalid-environment "{\"base\": 1}"@62 `extends` takes a list of names of environments, not an object
        "a" {}
        "base" {"y":2}
        "c" {}
    "#]],
    );
    says(
        r#"{"a": {"extends": ["b", "c"]}, "b": "text", "c": {"y": 1}}"#,
        &expect![[r#"
        invalid-environment "\"text\""@36 the environment `b` must be an object, not a text
        "a" {"y":1}
        "c" {"y":1}
    "#]],
    );
}

#[test]
fn circles() {
    says(
        r#"{"a": {"extends": ["a"], "x": 1}}"#,
        &expect![[r#"
        invalid-environment "\"a\""@19 this leads back to `a` in a circle, and is left out
          RemoveEntry(19..22)
        "a" {"x":1}
    "#]],
    );
    says(
        r#"{"a": {"extends": ["b", "base"], "x": 1}, "b": {"extends": ["c"], "y": 2}, "c": {"extends": ["base", "a"], "z": 3},
            "base": {"w": 0}, "d": {"extends": ["a"], "v": 4}}"#,
        &expect![[r#"
            invalid-environment "\"b\""@19 this leads back to `a` in a circle, and is left out
              RemoveEntry(19..22)
            invalid-environment "\"c\""@60 this leads back to `b` in a circle, and is left out
              RemoveEntry(60..63)
            invalid-environment "\"a\""@101 this leads back to `c` in a circle, and is left out
              RemoveEntry(101..104)
            "a" {"w":0,"x":1}
            "b" {"y":2}
            "c" {"w":0,"z":3}
            "base" {"w":0}
            "d" {"w":0,"x":1,"v":4}
        "#]],
    );
    // The same one twice is no circle.
    says(
        r#"{"a": {"extends": ["b", "c", "b"]}, "b": {"extends": ["d"]}, "c": {"extends": ["d"]}, "d": {"x": 1}}"#,
        &expect![[r#"
            "a" {"x":1}
            "b" {"x":1}
            "c" {"x":1}
            "d" {"x":1}
        "#]],
    );
}

#[test]
fn faults() {
    says(
        "",
        &expect![[r#"
            invalid-environment ""@0 the file is empty; it must hold a JSON object
              Insert { at: 0, text: "{\n  \"default\": {}\n}\n", safe: false }
        "#]],
    );
    says(
        "[{}]",
        &expect![[r#"
        invalid-environment "[{}]"@0 expected an object of named environments, not a list
    "#]],
    );
    says(
        r#"{"a": "private", "b": null, "c": [], "d": {}}"#,
        &expect![[r#"
        invalid-environment "\"private\""@6 the environment `a` must be an object, not a text
        invalid-environment "null"@22 the environment `b` must be an object, not null
        invalid-environment "[]"@33 the environment `c` must be an object, not a list
        "d" {}
    "#]],
    );
    says(
        r#"{"a": {"x": 1, "x": 2, "extra": {"y": 1, "y": 2}}, "a": {"x": 3}}"#,
        &expect![[r#"
        invalid-environment "\"x\""@15 `x` is given twice; the first one counts
          RemoveEntry(15..21)
        invalid-environment "\"y\""@41 `y` is given twice; the first one counts
          RemoveEntry(41..47)
        invalid-environment "\"a\""@51 `a` is given twice; the first one counts
          RemoveEntry(51..64)
        "a" {"x":1,"extra":{"y":1}}
    "#]],
    );
    says(
        "{\"a\": {\"x\": , \"y\": 1}, \"b\": {\"z\": tru}}",
        &expect![[r#"
        invalid-environment ","@12 expected a value
        "a" {"y":1}
        "b" {}
    "#]],
    );
    says(
        "{\"a\": {\"x\": 1}, \"b\": ",
        &expect![[r#"
        invalid-environment ":"@19 expected a value
        "a" {"x":1}
    "#]],
    );
}

fn reaches(edges: &[Vec<usize>], from: usize, to: usize) -> bool {
    let (mut seen, mut todo) = (vec![false; edges.len()], vec![from]);
    while let Some(at) = todo.pop() {
        for next in &edges[at] {
            if *next == to {
                return true;
            }
            if !std::mem::replace(&mut seen[*next], true) {
                todo.push(*next);
            }
        }
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever extends whatever: those in a circle are left out on every side, and the rest is there.
    #[test]
    fn any_graph(edges in prop::collection::vec(prop::collection::vec(0..8_usize, 0..4), 1..8)) {
        let name = |index: usize| format!("e{}", index % edges.len());
        let edges: Vec<Vec<usize>> =
            edges.iter().map(|next| next.iter().map(|next| next % edges.len()).collect()).collect();
        let circular = |from: usize, to: usize| from == to || reaches(&edges, to, from);
        let members: Vec<String> = edges.iter().enumerate().map(|(index, extends)| {
            let extends: Vec<String> = extends.iter().map(|next| format!("\"{}\"", name(*next))).collect();
            format!("\"{0}\": {{\"extends\": [{1}], \"own{index}\": {index}}}", name(index), extends.join(", "))
        }).collect();
        let text = format!("{{{}}}", members.join(",\n"));
        let (environments, diagnostics) = parse_environments(&text);
        let left_out: usize =
            edges.iter().enumerate().map(|(at, next)| next.iter().filter(|next| circular(at, **next)).count()).sum();
        prop_assert_eq!(diagnostics.len(), left_out, "{}", text);
        let kept: Vec<Vec<usize>> = edges
            .iter()
            .enumerate()
            .map(|(at, next)| next.iter().copied().filter(|next| !circular(at, *next)).collect())
            .collect();
        for (index, environment) in environments.0.iter().enumerate() {
            for other in 0..edges.len() {
                let has = environment.get(&format!("own{other}")).is_some();
                prop_assert_eq!(has, index == other || reaches(&kept, index, other), "{} {} {}", index, other, text);
            }
        }
    }

    #[test]
    fn any_text(parts in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "[", "]", ":", ",", "\"a\": {", "\"b\": {", "\"extends\": [", "\"a\"", "\"b\"", "\"extra\": {", "\"x\": 1,",
        "5", "\"", "\n", "🎉", "null",
    ]), 0..50)) {
        let text = parts.concat();
        for text in [format!("{{{text}}}"), text] {
            for diagnostic in parse_environments(&text).1 {
                prop_assert!(text.get(diagnostic.span.range()).is_some_and(|s| !s.is_empty() || text.trim().is_empty()));
            }
        }
    }
}

#[test]
fn hostile_sizes() {
    let many = 10_000;
    let chain: String =
        (0..many).map(|n| format!("\"e{n}\": {{\"extends\": [\"e{}\"], \"f{n}\": 1}},", n + 1)).collect();
    let doubling: String = (0..many)
        .map(|n| format!("\"e{n}\": {{\"extends\": [\"e{0}\", \"e{0}\"], \"f\": 1}},", n + 1))
        .collect();
    let circle: String =
        (0..many).map(|n| format!("\"e{n}\": {{\"extends\": [\"e{}\"]}},", (n + 1) % many)).collect();
    let wide = format!(
        "\"base\": {{\"x\": \"{}\"}},{}",
        "y".repeat(200_000),
        (0..many).map(|n| format!("\"e{n}\": {{\"extends\": [\"base\"]}},")).collect::<String>()
    );
    for (text, is_said) in [(chain, true), (doubling, true), (circle, true), (wide, true)] {
        let start = std::time::Instant::now();
        let (environments, diagnostics) = parse_environments(&format!("{{{text}}}"));
        assert!(environments.0.len() >= many && diagnostics.is_empty() != is_said);
        assert!(start.elapsed().as_secs() < 10, "{} took {:?}", &text[..40], start.elapsed());
    }
}
