//! Catalog texts and what is said of them.

use super::*;
use crate::block::Zone;
use crate::catalog::{Catalog, Mutability, ValueType};
use crate::message::Locale;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::fmt::Write;

fn parsed(text: &str, layer: Layer, profile: &str) -> CatalogFile {
    parse(text, FileId(7), layer, &Profile::named(profile).expect("a profile"))
}

fn findings(text: &str, layer: Layer, profile: &str) -> String {
    let file = parsed(text, layer, profile);
    let mut out = String::new();
    for diagnostic in &file.diagnostics {
        write!(out, "{} {:?}", diagnostic.code, &text[diagnostic.span.range()]).expect("written");
        for related in &diagnostic.related {
            write!(out, " (see {})", related.span.start).expect("written");
        }
        writeln!(out, " {}", diagnostic.message.text(Locale::En)).expect("written");
        if diagnostic.remedy != Remedy::None {
            writeln!(out, "  {:?}", diagnostic.remedy).expect("written");
        }
    }
    let names: Vec<_> = file.variables.iter().map(|variable| &*variable.name).collect();
    writeln!(out, "{names:?}{}", if file.readable { "" } else { " broken" }).expect("written");
    out
}

fn says(text: &str, expected: &Expect) {
    expected.assert_eq(&findings(text, Layer::Project, "blocks"));
}

/// One entry `hero` with these fields.
fn entry(fields: &str, expected: &Expect) {
    says(&format!("{{\"variables\": {{\"hero\": {fields}}}}}"), expected);
}

#[test]
fn every_field() {
    let text = r#"{
        "$schema": "catalog.json",
        "variables": {
            // 时间
            "time": {"description": "当前\u672c地时间", "mutable": true, "zones": ["context", "input"], "example": "2026/11/30"},
            "天气": {
                "mutable": {"when": "is_group == true"}, "type": "list", "plugin": "weather", "example": [1, {"a": null}],
                "args": ["city", {"name": "unit", "description": "单位", "optional": true},],
            },
            "plain": {}, "open": {"mutable": "unknown"}, "fixed": {"mutable": false},
        },
    }"#;
    let file = parsed(text, Layer::Local, "blocks");
    assert!(file.readable && file.diagnostics.is_empty(), "{:?}", file.diagnostics);
    let [time, weather, plain, open, fixed] = file.variables.as_slice() else {
        panic!("{:?}", file.variables)
    };
    assert_eq!(time.description.as_deref(), Some("当前本地时间"));
    assert_eq!((&time.mutable, time.layer), (&Mutability::Yes, Layer::Local));
    assert_eq!(time.zones, Some(vec![Zone::Context, Zone::Input]));
    assert_eq!(time.example, Some("2026/11/30".into()));
    let definition = time.definition.expect("a place");
    assert_eq!(definition.file, FileId(7));
    assert_eq!(definition.key.of_str(text), "\"time\"");
    assert!(
        definition.entry.of_str(text).starts_with("\"time\": {")
            && definition.entry.of_str(text).ends_with('}')
    );
    assert_eq!(weather.definition.expect("a place").key.of_str(text), "\"天气\"");
    assert!(matches!(&weather.mutable, Mutability::When(condition) if condition.operands().count() == 2));
    assert_eq!((weather.value_type, weather.plugin.as_deref()), (Some(ValueType::List), Some("weather")));
    assert_eq!(weather.example, Some(serde_json::json!([1, {"a": null}])));
    assert_eq!(weather.arity(), (1, 2));
    assert_eq!((&*weather.args[0].name, weather.args[1].description.as_deref()), ("city", Some("单位")));
    assert_eq!((&plain.mutable, &plain.zones, plain.arity()), (&Mutability::No, &None, (0, 0)));
    assert_eq!((&open.mutable, &fixed.mutable), (&Mutability::Unknown, &Mutability::No));
}

#[test]
fn root() {
    says(
        "{}",
        &expect![[r#"
        []
    "#]],
    );
    says(
        "{\"$schema\": 5}",
        &expect![[r#"
        []
    "#]],
    );
    says(
        "",
        &expect![[r#"
            invalid-catalog "" the file is empty; it must hold a JSON object
              Insert { at: 0, text: "{\n  \"variables\": {}\n}\n", safe: false }
            [] broken
        "#]],
    );
    says(
        "[1]",
        &expect![[r#"
        invalid-catalog "[1]" a catalog is an object with a key `variables`, not a list
        []
    "#]],
    );
    says(
        "{\"hero\": {}}",
        &expect![[r#"
            invalid-catalog "{" the key `variables` is missing: the object that holds the variables
            unknown-key "\"hero\"" unknown key `hero`; a catalog has `variables`
              RemoveEntry(1..11)
            []
        "#]],
    );
    says(
        "{\"variable\": {\"hero\": {}}}",
        &expect![[r#"
            unknown-key "\"variable\"" unknown key `variable`; did you mean `variables`?
              Replace { with: ["\"variables\""], safe: true }
            []
        "#]],
    );
    says(
        "{\"variables\": [], \"version\": 1}",
        &expect![[r#"
            invalid-catalog "[]" `variables` takes an object, not a list
              Replace { with: ["{}"], safe: false }
            unknown-key "\"version\"" unknown key `version`; a catalog has `variables`
              RemoveEntry(18..30)
            []
        "#]],
    );
    says(
        "{\"variables\": {\"a\": {}}, \"variables\": {\"b\": {}}}",
        &expect![[r#"
        invalid-catalog "\"variables\"" (see 1) `variables` is given twice; the first one counts
          RemoveEntry(25..47)
        ["a"]
    "#]],
    );
}

#[test]
fn names() {
    let text = "{\"variables\": {\"a b\": {}, \"if\": {}, \"a.b\": {}, \"1a\": {}, \"\": {}, \"Ab\": {}, \"角色\": {}, \"prompt\": {}}}";
    says(
        text,
        &expect![[r#"
        invalid-catalog "\"a b\"" `a b` cannot be written in a tag: a name is letters, digits and `_`, and begins with no digit
        invalid-catalog "\"if\"" `if` is a word of the template language and cannot be the name of a variable
        invalid-catalog "\"a.b\"" `a.b` cannot be written in a tag: a name is letters, digits and `_`, and begins with no digit
        invalid-catalog "\"1a\"" `1a` cannot be written in a tag: a name is letters, digits and `_`, and begins with no digit
        invalid-catalog "\"\"" `` cannot be written in a tag: a name is letters, digits and `_`, and begins with no digit
        invalid-catalog "\"prompt\"" `prompt` is built in: the user's input; a catalog cannot define it
          RemoveEntry(89..101)
        ["a b", "if", "a.b", "1a", "", "Ab", "角色"]
    "#]],
    );
    expect![[r#"
        invalid-catalog "\"a b\"" `a b` cannot be written in `{{…}}`: a name is a small letter, then small letters, digits and `_`
        invalid-catalog "\"a.b\"" `a.b` cannot be written in `{{…}}`: a name is a small letter, then small letters, digits and `_`
        invalid-catalog "\"1a\"" `1a` cannot be written in `{{…}}`: a name is a small letter, then small letters, digits and `_`
        invalid-catalog "\"\"" `` cannot be written in `{{…}}`: a name is a small letter, then small letters, digits and `_`
        invalid-catalog "\"Ab\"" `Ab` cannot be written in `{{…}}`: a name is a small letter, then small letters, digits and `_`
        invalid-catalog "\"角色\"" `角色` cannot be written in `{{…}}`: a name is a small letter, then small letters, digits and `_`
        invalid-catalog "\"prompt\"" `prompt` is built in: the user's input; a catalog cannot define it
          RemoveEntry(89..101)
        ["a b", "if", "a.b", "1a", "", "Ab", "角色"]
    "#]].assert_eq(&findings(text, Layer::Local, "harness"));
    // What another project's tags can hold is nobody's mistake.
    expect![[r#"
        invalid-catalog "\"prompt\"" `prompt` is built in: the user's input; a catalog cannot define it
          RemoveEntry(89..101)
        ["a b", "if", "a.b", "1a", "", "Ab", "角色"]
    "#]]
    .assert_eq(&findings(text, Layer::User, "harness"));
    says(
        "{\"variables\": {\"a\": {}, \"b\": {\"mutable\": true}, \"b\": {}, \"\\u0061\": {\"type\": \"x\"}}}",
        &expect![[r#"
            duplicate-variable "\"b\"" (see 24) the variable `b` is defined twice; the first one counts
              RemoveEntry(48..55)
            duplicate-variable "\"\\u0061\"" (see 15) the variable `a` is defined twice; the first one counts
              RemoveEntry(57..80)
            ["a", "b"]
        "#]],
    );
}

#[test]
fn fields() {
    entry(
        "\"昵称\"",
        &expect![[r#"
        invalid-catalog "\"昵称\"" `hero` takes an object, not a text
        ["hero"]
    "#]],
    );
    entry(
        "null",
        &expect![[r#"
        invalid-catalog "null" `hero` takes an object, not null
        ["hero"]
    "#]],
    );
    entry(
        r#"{"description": 5, "plugin": null, "example": null}"#,
        &expect![[r#"
        invalid-catalog "5" `description` takes a text, not a number
        invalid-catalog "null" `plugin` takes a text, not null
        ["hero"]
    "#]],
    );
    entry(
        r#"{"desc": "x", "mutabel": true, "zone": ["context"]}"#,
        &expect![[r#"
            unknown-key "\"desc\"" unknown key `desc`; did you mean `description`?
              Replace { with: ["\"description\""], safe: false }
            unknown-key "\"mutabel\"" unknown key `mutabel`; did you mean `mutable`?
              Replace { with: ["\"mutable\""], safe: true }
            unknown-key "\"zone\"" unknown key `zone`; did you mean `zones`?
              Replace { with: ["\"zones\""], safe: true }
            ["hero"]
        "#]],
    );
    entry(
        r#"{"type": "int"}"#,
        &expect![[r#"
            invalid-catalog "\"int\"" `int` is no `type`; it is `text`, `number`, `boolean` or `list`; did you mean `number`?
              Replace { with: ["\"number\""], safe: false }
            ["hero"]
        "#]],
    );
    entry(
        r#"{"type": "lsit"}"#,
        &expect![[r#"
        invalid-catalog "\"lsit\"" `lsit` is no `type`; it is `text`, `number`, `boolean` or `list`; did you mean `list`?
          Replace { with: ["\"list\""], safe: false }
        ["hero"]
    "#]],
    );
    entry(
        r#"{"type": ["list"], "type": "text"}"#,
        &expect![[r#"
        invalid-catalog "[\"list\"]" `type` takes `text`, `number`, `boolean` or `list`, not a list
        invalid-catalog "\"type\"" (see 24) `type` is given twice; the first one counts
          RemoveEntry(42..56)
        ["hero"]
    "#]],
    );
    entry(
        r#"{"zones": ["sys"]}"#,
        &expect![[r#"
            invalid-catalog "\"sys\"" `sys` is no `zone`; it is `system`, `context` or `input`; did you mean `system`?
              Replace { with: ["\"system\""], safe: false }
            ["hero"]
        "#]],
    );
    entry(
        r#"{"zones": ["context", "Input", 5]}"#,
        &expect![[r#"
        invalid-catalog "\"Input\"" `Input` is no `zone`; it is `system`, `context` or `input`; did you mean `input`?
          Replace { with: ["\"input\""], safe: false }
        invalid-catalog "5" `zone` takes `system`, `context` or `input`, not a number
        ["hero"]
    "#]],
    );
    entry(
        r#"{"zones": "context"}"#,
        &expect![[r#"
        invalid-catalog "\"context\"" `zones` takes a list of zones, not a text
          Replace { with: ["[\"context\"]"], safe: false }
        ["hero"]
    "#]],
    );
    entry(
        r#"{"zones": []}"#,
        &expect![[r#"
        invalid-catalog "[]" `zones` is empty, so the variable could be used nowhere; leave it out for all zones
          RemoveEntry(24..35)
        ["hero"]
    "#]],
    );
    entry(
        r#"{"mutable": "true"}"#,
        &expect![[r#"
        invalid-catalog "\"true\"" `mutable` takes `true`, `false`, `"unknown"` or `{"when": "…"}`, not a text
          Replace { with: ["true"], safe: false }
        ["hero"]
    "#]],
    );
    entry(
        r#"{"mutable": 1}"#,
        &expect![[r#"
        invalid-catalog "1" `mutable` takes `true`, `false`, `"unknown"` or `{"when": "…"}`, not a number
        ["hero"]
    "#]],
    );
    entry(
        r#"{"mutable": {}}"#,
        &expect![[r#"
        invalid-catalog "{}" `when` is missing: the condition under which the value changes
        ["hero"]
    "#]],
    );
    entry(
        r#"{"mutable": {"if": "a"}}"#,
        &expect![[r#"
            unknown-key "\"if\"" unknown key `if`; `mutable` has `when`
              RemoveEntry(36..45)
            ["hero"]
        "#]],
    );
    entry(
        r#"{"mutable": {"when": true}}"#,
        &expect![[r#"
        invalid-catalog "true" `when` takes a condition, not a boolean
        ["hero"]
    "#]],
    );
    entry(
        r#"{"mutable": {"when": "== 3"}}"#,
        &expect![[r#"
        invalid-catalog "\"== 3\"" `== 3` is no condition; one is `name`, or `name == "text"` with one of `== != < > <= >=`
        ["hero"]
    "#]],
    );
    entry(
        r#"{"mutable": {"when": ""}}"#,
        &expect![[r#"
        invalid-catalog "\"\"" `` is no condition; one is `name`, or `name == "text"` with one of `== != < > <= >=`
        ["hero"]
    "#]],
    );
    entry(
        r#"{"mutable": {"when": "a == 1} {x"}}"#,
        &expect![[r#"
        invalid-catalog "\"a == 1} {x\"" `a == 1} {x` is no condition; one is `name`, or `name == "text"` with one of `== != < > <= >=`
        ["hero"]
    "#]],
    );
    entry(
        r#"{"args": "city"}"#,
        &expect![[r#"
        invalid-catalog "\"city\"" `args` takes a list of names or objects, not a text
        ["hero"]
    "#]],
    );
    entry(
        r#"{"args": [5, {}, {"name": 5}, {"name": " "}, "", {"name": "a", "optional": "yes", "opt": true}]}"#,
        &expect![[r#"
            invalid-catalog "5" an argument is a name or an object, not a number
            invalid-catalog "{}" this argument has no `name`
            invalid-catalog "5" `name` takes a text, not a number
            invalid-catalog "\" \"" the name of an argument cannot be empty
            invalid-catalog "\"\"" the name of an argument cannot be empty
            invalid-catalog "\"yes\"" `optional` takes `true` or `false`, not a text
            unknown-key "\"opt\"" unknown key `opt`; an argument has `name`, `description` and `optional`
              RemoveEntry(105..116)
            ["hero"]
        "#]],
    );
    entry(
        r#"{"args": ["a", {"name": "b", "optional": true}, "a", "c"]}"#,
        &expect![[r#"
        invalid-catalog "\"a\"" two arguments are named `a`
        invalid-catalog "\"a\"" an argument that is required cannot follow an optional one
        ["hero"]
    "#]],
    );
}

#[test]
fn faulty_fields_stand_at_their_default() {
    let text = r#"{"variables": {"a": {"zones": ["context", "sys"], "mutable": {"when": "=="}, "type": "x", "args": 5}, "b": 7}}"#;
    let file = parsed(text, Layer::Project, "blocks");
    let catalog = Catalog::merge([&file]);
    let a = catalog.get("a").expect("a");
    assert_eq!((&a.zones, &a.mutable, a.value_type, a.arity()), (&None, &Mutability::No, None, (0, 0)));
    assert!(catalog.get("b").is_some());
}

#[test]
fn broken() {
    says(
        "{\"variables\": {\"a\": {\"mutable\": true}, \"b\": {\"type\": }, \"c\": {}}}",
        &expect![[r#"
        invalid-catalog "}" expected a value
        ["a", "b", "c"] broken
    "#]],
    );
    says(
        "{\"variables\": {\"a\": {\"mutable\": true}\n\"b\": {\"zones\": [\"system\"",
        &expect![[r#"
        invalid-catalog "\"b\"" expected `,` or `}` here
          Insert { at: 37, text: ",", safe: false }
        ["a", "b"] broken
    "#]],
    );
    says(
        "{\"variables\": {\"a\": {\"description\": \"x},\n\"b\": {}}}",
        &expect![[r#"
            invalid-catalog "\"x}," this quote is never closed
            ["a"] broken
        "#]],
    );
    says(
        "{\"variables\": {\"a\": , \"b\": {\"zones\": [sys]}, \"c\": tru}}",
        &expect![[r#"
        invalid-catalog "," expected a value
        ["a", "b", "c"] broken
    "#]],
    );
    says(
        "{\"variables\": ",
        &expect![[r#"
            invalid-catalog ":" expected a value
            [] broken
        "#]],
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_catalog(parts in prop::collection::vec(prop::sample::select(vec![
        "{", "}", "[", "]", ":", ",", "\"variables\":", "\"a\": {", "\"你\":", "\"mutable\":", "\"when\":", "\"zones\":",
        "\"args\":", "\"name\":", "\"optional\":", "\"type\":", "\"prompt\": {}", "\"a == 1\"", "\"system\"", "true", "5",
        "null", "\"", "\n", "🎉", "\"🎉\"", "\"example\":",
    ]), 0..60), wrapped in any::<bool>()) {
        let text = if wrapped { format!("{{\"variables\": {{{}}}}}", parts.concat()) } else { parts.concat() };
        for profile in Profile::NAMES {
            let file = parsed(&text, Layer::Project, profile);
            for diagnostic in &file.diagnostics {
                prop_assert!(text.get(diagnostic.span.range()).is_some(), "{diagnostic:?} in {text:?}");
                prop_assert!(!diagnostic.span.is_empty() || !file.readable, "{diagnostic:?} in {text:?}");
            }
            for variable in &file.variables {
                let definition = variable.definition.expect("a place");
                prop_assert!(definition.key.of_str(&text).starts_with(['"', '\'']) || !file.readable);
                prop_assert!(text.get(definition.entry.range()).is_some());
            }
        }
    }
}

#[test]
fn hostile_sizes() {
    let many = 20_000;
    let names: String =
        (0..many).map(|n| format!("\"v{n}\": {{\"mutabl\": 1, \"zones\": [\"sytem\"]}},")).collect();
    let same = "\"v\": {},".repeat(many);
    let args = format!("\"v\": {{\"args\": [{}]}}", "\"a\",".repeat(many));
    let long = format!("\"{}\": {{\"type\": \"{}\"}}", "n".repeat(1 << 18), "t".repeat(1 << 18));
    let when = format!("\"v\": {{\"mutable\": {{\"when\": \"{}\"}}}}", "a.".repeat(1 << 17));
    let keys = format!("\"v\": {{{}}}", (0..many).map(|n| format!("\"k{n}\": 1,")).collect::<String>());
    for entries in [names, same, args, long, when, keys] {
        let start = std::time::Instant::now();
        parsed(&format!("{{\"variables\": {{{entries}}}}}"), Layer::Project, "blocks");
        assert!(start.elapsed().as_secs() < 5, "{} took {:?}", &entries[..40], start.elapsed());
    }
}
