use super::*;
use crate::message::Locale;
use expect_test::{Expect, expect};
use proptest::prelude::*;

/// The tree as JSON, and the first fault with the text that it points at.
fn reads(text: &str, expected: &Expect) {
    let document = parse(text);
    let json = document.root.to_json().map_or("nothing".to_owned(), |json| json.to_string());
    let fault = document.fault.map_or(String::new(), |fault| {
        format!(
            "\n{}..{} {:?} {}",
            fault.span.start,
            fault.span.end,
            &text[fault.span.range()],
            fault.message.text(Locale::En)
        )
    });
    expected.assert_eq(&(json + &fault));
}

#[test]
fn sound() {
    reads(
        r#"{"a": [1, -2.5e3, true, null, "x"], "b": {}}"#,
        &expect![[r#"{"a":[1,-2500.0,true,null,"x"],"b":{}}"#]],
    );
    reads(
        "\u{feff} // 注释 }\r\n{\"你\": /* \" */ \"🎉\", \"l\": [1,2,],}\n// end",
        &expect![[r#"{"你":"🎉","l":[1,2]}"#]],
    );
    reads(r#""\"\\\/\b\f\n\r\t\u4f60\ud83c\udf89""#, &expect![[r#""\"\\/\b\f\n\r\t你🎉""#]]);
    reads(r#"{"a": 1, "a": 2, "": 18446744073709551615}"#, &expect![[r#"{"a":1,"":18446744073709551615}"#]]);
    reads("[0, -0, 1E+2, 0.10]", &expect!["[0,-0.0,100.0,0.1]"]);
}

#[test]
fn faults() {
    reads(
        "",
        &expect![[r#"
        nothing
        0..0 "" the file is empty; it must hold a JSON object"#]],
    );
    reads(
        "\u{feff}// nothing",
        &expect![[r#"
            nothing
            0..0 "" the file is empty; it must hold a JSON object"#]],
    );
    reads(
        "hello",
        &expect![[r#"
        nothing
        0..5 "hello" `hello` is no JSON value; a text needs quotes"#]],
    );
    reads(
        "{} {}",
        &expect![[r#"
        {}
        3..4 "{" nothing may follow the JSON value"#]],
    );
    reads(
        "{} }",
        &expect![[r#"
        {}
        3..4 "}" nothing may follow the JSON value"#]],
    );
    reads(
        "[1 2, 3]",
        &expect![[r#"
        [1,2,3]
        3..4 "2" expected `,` or `]` here"#]],
    );
    reads(
        "[1,, 2]",
        &expect![[r#"
        [1,2]
        3..4 "," unexpected `,`"#]],
    );
    reads(
        "[,]",
        &expect![[r#"
        []
        1..2 "," unexpected `,`"#]],
    );
    reads(
        r#"{"a": 1 "b": 2}"#,
        &expect![[r#"
        {"a":1,"b":2}
        8..11 "\"b\"" expected `,` or `}` here"#]],
    );
    reads(
        r#"{"a": , "b": 2}"#,
        &expect![[r#"
        {"b":2}
        6..7 "," expected a value"#]],
    );
    reads(
        "{\"a\":\n \"b\": 2}",
        &expect![[r#"
        {"b":2}
        4..5 ":" expected a value"#]],
    );
    reads(
        r#"{"a", "b": 2}"#,
        &expect![[r#"
        {"b":2}
        1..4 "\"a\"" expected `:` and a value behind this key"#]],
    );
    reads(
        r#"{"a" 1, "b" {"c": 2}, "d" "e", "f": 3}"#,
        &expect![[r#"
        {"a":1,"b":{"c":2},"d":"e","f":3}
        1..4 "\"a\"" expected `:` and a value behind this key"#]],
    );
    reads(
        r#"{"a"}"#,
        &expect![[r#"
        {}
        1..4 "\"a\"" expected `:` and a value behind this key"#]],
    );
    reads(
        "{a: 1, 'b': 2, \"c\": 3}",
        &expect![[r#"
            {"a":1,"b":2,"c":3}
            1..2 "a" a key needs quotes"#]],
    );
    reads(
        "{\"a\": \"x,\n\"b\": 2}",
        &expect![[r#"
        {"b":2}
        6..9 "\"x," this quote is never closed"#]],
    );
    reads(
        "{\"a: 1,\n\"b\": 2}",
        &expect![[r#"
        {"b":2}
        1..7 "\"a: 1," this quote is never closed"#]],
    );
    reads(
        "{\"a\": \"x\\\n\", \"b\": 2}",
        &expect![[r#"
        {}
        6..9 "\"x\\" this quote is never closed"#]],
    );
    reads(
        r#"{"a": {"b": 1, "c": 2"#,
        &expect![[r#"
        {"a":{"b":1,"c":2}}
        6..7 "{" this `{` is never closed"#]],
    );
    reads(
        r#"{"a": {"b": [1, 2}, "c": 2}"#,
        &expect![[r#"
        {"a":{"b":[1,2]},"c":2}
        12..13 "[" this `[` is never closed"#]],
    );
    reads(
        "{\"a\": [1, 2,\n\"c\": 2}",
        &expect![[r#"
            {"a":[1,2],"c":2}
            6..7 "[" this `[` is never closed"#]],
    );
    reads(
        "{\"a\": [1, 2\n\"c\": 2}",
        &expect![[r#"
        {"a":[1,2],"c":2}
        6..7 "[" this `[` is never closed"#]],
    );
    reads(
        r#"{"a": 1], "c": 2}"#,
        &expect![[r#"
            {"a":1,"c":2}
            7..8 "]" expected `,` or `}` here"#]],
    );
    reads(
        r#"{"a": True, "b": nul, "c": 01, "d": .5, "e": +1, "f": NaN, "g": 1e999, "h": 1.}"#,
        &expect![[r#"
            {}
            6..10 "True" `True` is no JSON value; a text needs quotes; did you mean `true`?"#]],
    );
    reads(
        r#"{"a": 你好, "b": 1}"#,
        &expect![[r#"
        {"b":1}
        6..12 "你好" `你好` is no JSON value; a text needs quotes"#]],
    );
    reads(
        r#"{"a": 'x', "b": 1}"#,
        &expect![[r#"
            {"a":"x","b":1}
            6..9 "'x'" JSON takes double quotes only"#]],
    );
    reads(
        r#"{"a": "\q\x", "b": 1}"#,
        &expect![[r#"
        {"a":"��","b":1}
        7..9 "\\q" `\q` is no escape of JSON"#]],
    );
    reads(
        r#"{"a": "\u12", "b": "\ud800", "c": "\udc00\ud800"}"#,
        &expect![[r#"
        {"a":"�","b":"�","c":"��"}
        7..11 "\\u12" `\u12` is no escape of JSON"#]],
    );
    reads(
        "{\"a\": \"\t\", \"b\": 1}",
        &expect![[r#"
        {"a":"\t","b":1}
        7..8 "\t" the control character U+0009 must be written as an escape"#]],
    );
    reads(
        r#"{"a": 1 /* never, "b": 1}"#,
        &expect![[r#"
        {"a":1}
        8..10 "/*" this comment is never closed"#]],
    );
    reads(
        "{\"a\": # no\n 1}",
        &expect![[r##"
        {"no":1}
        6..7 "#" expected a value"##]],
    );
    reads(
        "{{\"a\": 1}, \"b\": 2}",
        &expect![[r#"
        {"b":2}
        1..2 "{" expected a key in quotes"#]],
    );
    reads(
        "\u{3000}{}",
        &expect![[r#"
        nothing
        0..3 "\u{3000}" `　` is no JSON value; a text needs quotes"#]],
    );
    reads(
        "{\"a\": 1}\u{0}",
        &expect![[r#"
        {"a":1}
        8..9 "\0" nothing may follow the JSON value"#]],
    );
    reads(
        &format!("{}1{}", "[".repeat(65), "]".repeat(65)),
        &expect![[r#"
        [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
        64..65 "[" nested too deeply"#]],
    );
}

#[test]
fn places() {
    let text = "{ \"你\" : [ {\"a\": 1} , \"🎉\" ] }";
    let root = parse(text).root;
    let member = &root.as_object().expect("an object")[0];
    assert_eq!(root.span.of_str(text), text);
    assert_eq!(member.key.span.of_str(text), "\"你\"");
    assert_eq!(member.span().of_str(text), "\"你\" : [ {\"a\": 1} , \"🎉\" ]");
    let items: Vec<_> =
        member.value.as_array().expect("a list").iter().map(|item| item.span.of_str(text)).collect();
    assert_eq!(items, ["{\"a\": 1}", "\"🎉\""]);
}

fn check(node: &Node, text: &str) {
    assert!(text.get(node.span.range()).is_some(), "{node:?} in {text:?}");
    for member in node.as_object().unwrap_or_default() {
        assert!(text.get(member.key.span.range()).is_some(), "{member:?} in {text:?}");
        assert!(
            node.span.start < member.key.span.start && member.span().end <= node.span.end,
            "{member:?} in {text:?}"
        );
        check(&member.value, text);
    }
    for item in node.as_array().unwrap_or_default() {
        assert!(node.span.start < item.span.start && item.span.end <= node.span.end, "{item:?} in {text:?}");
        check(item, text);
    }
}

fn jsonish() -> impl Strategy<Value = String> {
    let parts = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\",
        "\\u",
        "d83c",
        "\"a\"",
        "\"你\": ",
        "\"b\": 1,",
        "true",
        "nul",
        "1.5",
        "-",
        "//",
        "/*",
        "*/",
        "\n",
        "\r",
        " ",
        "🎉",
        "\u{feff}",
        "\u{0}",
        "'",
        "x",
    ];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 0..40).prop_map(|parts| parts.concat())
}

/// Any JSON value as text.
fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        ".{0,8}".prop_map(Into::into),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Into::into),
            prop::collection::vec((".{0,4}", inner), 0..4)
                .prop_map(|members| serde_json::Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in jsonish()) {
        let document = parse(&text);
        check(&document.root, &text);
        // A text without fault is JSON: serde_json agrees on it, comments and trailing commas aside.
        if let Ok(value) = serde_json::from_str::<serde_json::Value>(&text) {
            prop_assert!(document.fault.is_none(), "{text:?} {:?}", document.fault);
            if !text.contains('{') {
                prop_assert_eq!(document.root.to_json(), Some(value));
            }
        } else if document.fault.is_none() {
            prop_assert!(text.contains('/') || text.contains(',') || text.contains('\u{feff}'), "{text:?}");
        }
        if let Some(fault) = document.fault {
            prop_assert!(text.get(fault.span.range()).is_some(), "{fault:?} in {text:?}");
            prop_assert!(!fault.span.is_empty() || fault.message.text(Locale::En).contains("empty"), "{fault:?} in {text:?}");
        }
    }

    #[test]
    fn what_serde_writes(value in json()) {
        for text in [value.to_string(), serde_json::to_string_pretty(&value).unwrap()] {
            let document = parse(&text);
            prop_assert_eq!(document.fault, None);
            prop_assert_eq!(document.root.to_json(), Some(value.clone()));
            prop_assert_eq!(document.root.span.of_str(&text), text.as_str());
        }
    }
}

#[test]
fn hostile_sizes() {
    let size = 1 << 18;
    for part in [
        "[",
        "{\"a\":",
        "{",
        "}",
        "]",
        "\"",
        "\"\\",
        "/",
        "/*",
        "//\n",
        ",",
        ":",
        "\"a\" ",
        "[{",
        "x ",
        "\u{0}",
        "{\"a\":1}",
        "[\"a\":",
    ] {
        let text = part.repeat(size / part.len());
        for text in [format!("[{text}"), format!("{{\"variables\": {{{text}"), text] {
            let start = std::time::Instant::now();
            check(&parse(&text).root, &text);
            assert!(start.elapsed().as_secs() < 5, "{part:?} took {:?}", start.elapsed());
        }
    }
}
