//! What templates render as.

use super::*;
use crate::assemble::fixture::{block, rendered, scene, scene_with, template, text};
use proptest::prelude::*;

const VALUES: &str = r#"{
    "hero": "Ada", "n": 2, "zero": 0, "yes": true, "no": false, "empty": "", "nothing": null,
    "list": ["a", "b", "c"], "none": [], "people": [{"name": "甲", "age": 3}, {"name": "乙"}],
    "box": {"in": {"deep": "x"}}, "tag": "{hero}{if no}", "lines": "a\r\nb", "bad": -1, "half": "1.5", "three": "3.0",
    "extra": {"weather": "sunny", "hero": "shadowed"}
}"#;

/// Body, output, codes with the slices that they stand on.
fn check(body: &str, expected: &str, findings: &[(&str, &str)]) {
    let out = rendered(body, &scene(VALUES));
    assert_eq!(&*out.text, expected, "{body:?}");
    let file = block(body);
    let found: Vec<_> =
        out.findings.iter().map(|finding| (finding.code.name(), finding.span.of_str(&file))).collect();
    assert_eq!(found, findings, "{body:?}");
    consistent(&file, &out);
}

/// The pieces cover the output without a gap, and text stands in the file as it was put out.
fn consistent(file: &str, out: &Rendered) {
    let mut at = 0;
    for (index, piece) in out.pieces.iter().enumerate() {
        assert_eq!(piece.start, at);
        at = out.pieces.get(index + 1).map_or(offset(out.text.len()), |next| next.start);
        assert!(piece.start < at, "an empty piece");
        let (source, text) = (piece.source.of_str(file), Span::new(piece.start, at).of_str(&out.text));
        match piece.kind {
            PieceKind::Text if source.len() == text.len() => assert_eq!(source.replace('\r', "\n"), text),
            PieceKind::Text => assert!(["{{", "}}", "\r\n"].contains(&source), "{source:?} for {text:?}"),
            PieceKind::Missing => assert_eq!(source, text),
            PieceKind::Value | PieceKind::Example => {
                assert!(source.starts_with('{') && source.ends_with('}'))
            }
        }
        assert!(out.piece_at(piece.start) == Some(piece) && out.piece_at(at - 1) == Some(piece));
    }
    assert_eq!(at, offset(out.text.len()));
    assert_eq!(out.piece_at(at), None);
}

#[test]
fn plain() {
    check("", "", &[]);
    check("\n \t\n  你好 🎉 e\u{301} \n\n \t\n", "  你好 🎉 e\u{301} ", &[]);
    check("a\r\nb\rc\nd\r\n\r\n", "a\nb\nc\nd", &[]);
    check("{{hero}} }} {{{hero}}} {{", "{hero} } {Ada} {", &[]);
    check("} {", "} {", &[]);
}

#[test]
fn values() {
    check("{hero} { hero } {hero\t}", "Ada Ada Ada", &[]);
    check("{n}{zero}{yes}{empty}{list}{box}{weather}", "20truea, b, c{\"in\":{\"deep\":\"x\"}}sunny", &[]);
    check("{people.name}", "{people.name}", &[("missing-value", "people")]);
    check("{box.in.deep}{box.in}", "x{\"deep\":\"x\"}", &[]);
    check("{hero a \"}\" 3}", "Ada", &[]);
    check("{tag}{lines}", "{hero}{if no}a\r\nb", &[]);
}

#[test]
fn missing_values_keep_their_tags() {
    check("{who} { who 1 } {who.x}", "{who} { who 1 } {who.x}", &[("missing-value", "who")]);
    check("{nothing}", "{nothing}", &[("missing-value", "nothing")]);
    check(
        "{box.a}{box.a}{box.b}",
        "{box.a}{box.a}{box.b}",
        &[("missing-value", "box"), ("missing-value", "box")],
    );
    check("{if who}{else}-{/if}{if who == \"\"}+{/if}", "-+", &[]);
    check("{for x in who}{x}{/for}{for x in who}{/for}", "", &[("missing-value", "who")]);
    check("{if no}{who}{/if}", "", &[]);
}

#[test]
fn branches() {
    check("{if yes}a{else}b{/if}{if no}a{else}b{/if}{if no}a{/if}", "ab", &[]);
    check("{if n == 1}a{elseif n == 2}b{elseif n == 2}c{else}d{/if}", "b", &[]);
    check("{if n==3}a{elseif n>5}b{else}d{/if}.", "d.", &[]);
    check("{if yes}\n  a\n{/if}\nb", "\n  a\n\nb", &[]);
    check("{if yes}{if no}1{else}2{/if}3{/if}", "23", &[]);
    check("{if '{/if}' == \"{/if}\"}x{/if}", "x", &[]);
}

#[test]
fn unsound_tags() {
    check("{if n >}{hero}{/if}{/for}", "{if n >}Ada{/if}{/for}", &[]);
    check("{if n >}a{else}b{elseif c}d{/if}", "{if n >}a{else}b{elseif c}d{/if}", &[]);
    check("{if no}a{else x}b{else}c{/if}", "c", &[]);
    check("{if yes}a{else x}b{else}c{/if}", "a{else x}b", &[]);
    check("{else}{elseif no}{/if}{/while}", "{else}{elseif no}{/if}{/while}", &[]);
    check("{if yes}a{else}b{else}c{/if}", "a", &[]);
    check("{if no}a{else}b{else}c{/if}", "b{else}c", &[]);
    check("{if no}a{/if x}b", "{/if x}b", &[]);
    check("{repeat 2}a{/repeat x}b", "aa{/repeat x}b", &[]);
    check("{for x of list}{x}{hero}{/for}", "{for x of list}{x}Ada{/for}", &[]);
    check(
        "{/else}{/elseif}{/ if}{else:}{if.x}{endif}",
        "{/else}{/elseif}{/ if}{else:}{if.x}{endif}",
        &[("missing-value", "endif")],
    );
}

#[test]
fn unclosed_tags_end_where_the_text_does() {
    check("a{if no}b", "a", &[]);
    check("a{if yes}b{else}c", "ab", &[]);
    check("{repeat 2}a{if yes}b", "abab", &[]);
    check("{if yes}{for x in list}{x}{/if}-", "abc-", &[]);
    check("{for x in list}{if x == 'b'}{x}{/for}-", "b-", &[]);
    check("{if yes}{for x in list}{else}b{/if}", "{else}b{else}b{else}b", &[]);
}

#[test]
fn loops() {
    check("{for x in list}<{x}>{/for}", "<a><b><c>", &[]);
    check("{for x in none}<{x}>{/for}", "", &[]);
    check("{for p in people}{p.name}{if p.age}({p.age}){/if} {/for}", "甲(3) 乙 ", &[]);
    check("{for hero in list}{hero}{/for}{hero}", "abcAda", &[]);
    check("{for x in list}{for y in list}{if x == y}{x}{/if}{/for}{/for}", "abc", &[]);
    check("{for x in list}{for x in x}{x}{/for}{/for}", "", &[("not-a-list", "x")]);
    check("{for x in list}{repeat 2}{x}{/repeat}{/for}", "aabbcc", &[]);
    check("{for p in people}{p.age}{/for}", "3{p.age}", &[("missing-value", "p")]);
    check("{for x in hero}{x}{/for}{for x in n}{/for}", "", &[("not-a-list", "hero"), ("not-a-list", "n")]);
    check("{for x in box.in}{x}{/for}", "", &[("not-a-list", "box")]);
    check(
        "{while no}a{/while}{repeat n}b{/repeat}{repeat three}c{/repeat}{repeat 2.0}d{/repeat}",
        "bbcccdd",
        &[],
    );
}

#[test]
fn counts() {
    check("{repeat bad}a{/repeat}.", ".", &[("invalid-count", "bad")]);
    check("{repeat half}a{/repeat}", "", &[("invalid-count", "half")]);
    check(
        "{repeat 1.5}a{/repeat}{repeat -1}a{/repeat}",
        "",
        &[("invalid-count", "1.5"), ("invalid-count", "-1")],
    );
    check(
        "{repeat who}a{/repeat}{repeat box.in}a{/repeat}",
        "",
        &[("invalid-count", "who"), ("invalid-count", "box")],
    );
    check("{repeat 0}a{/repeat}", "", &[]);
    check("{repeat 3}{repeat hero}a{/repeat}{/repeat}", "", &[("invalid-count", "hero")]);
}

#[test]
fn json_passes_unharmed() {
    let body = "{\"a\": {\"b\": [1, {}]}, \"c\": \"{hero}\", \"d\": \"{{x}}\"}\n{hero}";
    check(body, &body.replace("\n{hero}", "\nAda"), &[]);
}

#[test]
fn only_templates_are_rendered() {
    let file = block("{hero} {{x}} {if no}\r\ny").replace("template: true", "template: false");
    let out = render(&template(&file), &scene(VALUES), None, &Limits::START);
    assert_eq!(&*out.text, "{hero} {{x}} {if no}\ny");
    assert!(out.used.is_empty() && out.findings.is_empty());
}

#[test]
fn unknown_variables_are_text_and_examples_are_marked() {
    let catalog = r#"{"variables": {"hero": {}, "mood": {"example": "calm"}}}"#;
    let mut scene = scene_with(r#"{"hero": "Ada", "nobody": "x"}"#, Some(catalog));
    let out = rendered("{nobody}{hero}{mood}{prompt}", &scene);
    assert_eq!(&*out.text, "{nobody}Ada{mood}{prompt}");
    let found: Vec<_> = out.findings.iter().map(|finding| finding.code).collect();
    // The user's input comes from no environment.
    assert_eq!(found, [Code::MissingValue]);
    scene.examples = true;
    let out = rendered("{nobody}{hero}{mood}", &scene);
    assert_eq!(&*out.text, "{nobody}Adacalm");
    let kinds: Vec<_> = out.pieces.iter().map(|piece| piece.kind).collect();
    assert_eq!(kinds, [PieceKind::Text, PieceKind::Value, PieceKind::Example]);
    assert_eq!(out.used.iter().map(|name| &**name).collect::<Vec<_>>(), ["hero", "mood", "nobody"]);
}

#[test]
fn the_prompt_comes_from_outside() {
    let scene = scene_with("{}", Some(r#"{"variables": {}}"#));
    let file =
        "---\nid: t:a\nzone: input\ntemplate: true\n---\n[{prompt}]{if prompt == 'x {y}'}!{/if}{prompt.a}";
    let out = render(&template(file), &scene, Some(&text("x {y}")), &Limits::START);
    assert_eq!(&*out.text, "[x {y}]!{prompt.a}");
    assert!(out.used.is_empty());
}

#[test]
fn there_and_back() {
    let body = "a\r\n{{x}} {hero}{repeat 2}|{n}{/repeat}";
    let out = rendered(body, &scene(VALUES));
    let file = block(body);
    assert_eq!(&*out.text, "a\n{x} Ada|2|2");
    let at = |slice: &str| offset(file.rfind(slice).expect(slice));
    assert_eq!(out.output_of(at("a\r")), Some(0));
    assert_eq!(out.output_of(at("{hero}") + 3), Some(6));
    // A loop's first round; a tag that gives nothing leads to what comes behind it.
    assert_eq!(out.output_of(at("{n}")), Some(10));
    assert_eq!(out.output_of(at("{repeat")), Some(9));
    assert_eq!(out.output_of(0), Some(0));
    assert_eq!(out.output_of(at("{/repeat}")), None);
}

#[test]
fn rounds_are_limited_together() {
    let out = rendered("a{while yes}x{/while}b{repeat 3}y{/repeat}{hero}", &scene(VALUES));
    assert_eq!(out.text.len(), "ab".len() + 10_000 + "Ada".len());
    assert!(out.text.ends_with("xbAda"));
    let file = block("a{while yes}x{/while}b{repeat 3}y{/repeat}{hero}");
    let found: Vec<_> = out.findings.iter().map(|it| (it.code, it.span.of_str(&file))).collect();
    assert_eq!(found, [(Code::LimitReached, "{while yes}")]);
    assert!(out.cut);
    let out = rendered("{repeat 10000}x{/repeat}{repeat 0}{/repeat}{for x in none}{/for}", &scene(VALUES));
    assert!(!out.cut && out.text.len() == 10_000, "just so many are fine");
    let out = rendered("{repeat 101}{repeat 100}x{/repeat}{/repeat}-", &scene(VALUES));
    assert!(out.cut && out.text.len() < 10_000 && out.text.ends_with("x-"));
}

#[test]
fn output_of_loops_is_limited() {
    let long = "长".repeat(1000);
    let scene = scene(&format!("{{\"long\": \"{long}\", \"list\": [1, 2]}}"));
    for body in ["{repeat 9999}{long}{/repeat}b", &format!("{{repeat 9999}}{long}{{/repeat}}b")] {
        let out = rendered(body, &scene);
        assert!(out.text.len() <= 8 << 20 && out.text.len() > (8 << 20) - 3001);
        assert!(out.text.ends_with("长b") && out.cut);
        assert_eq!(out.findings.len(), 1);
    }
    let body = "{long}".repeat(5000) + "end";
    let out = rendered(&body, &scene);
    assert!(out.text.len() < (8 << 20) + body.len() && out.text.ends_with("{long}end") && out.cut);
}

#[test]
fn effort_is_limited() {
    // A thousandth of what an assembly may do, with works a thousandth as large.
    let limits = Limits { effort: Limits::START.effort >> 10, ..Limits::START };
    let rendered = |body: &str, scene: &Scene| render(&template(&block(body)), scene, None, &limits);
    let idle = |tags: usize| format!("{{repeat 10000}}{}{{/repeat}}end", "{if no}a{/if}".repeat(tags));
    let out = rendered(&idle(20), &scene(VALUES));
    assert!(out.cut && &*out.text == "end" && out.took.effort == limits.effort);
    let big = "9".repeat(1 << 10);
    let scene = scene(&format!("{{\"big\": {big:?}, \"yes\": true}}"));
    let out = rendered("{while yes}{if big == big}a{/if}{/while}end", &scene);
    assert!(out.cut && out.text.ends_with("aend"));
    let out = rendered(&"{if big == big}a{/if}".repeat(2000), &scene);
    // Each comparison looks at both sides; what comes too late counts as false.
    assert!(out.cut && out.text.len() as u64 == limits.effort / (2 << 10));
}

#[test]
fn nesting_needs_no_stack() {
    let deep = 100_000;
    for (open, close) in [("{if yes}", "{/if}"), ("{repeat 1}", "{/repeat}"), ("{for hero in one}", "{/for}")]
    {
        let scene = scene(r#"{"yes": true, "one": [1]}"#);
        for body in [
            open.repeat(deep) + "x" + &close.repeat(deep),
            (open.to_owned() + "\n").repeat(deep) + "x",
            open.repeat(deep) + &close.repeat(deep / 2),
        ] {
            let out = rendered(&body, &scene);
            assert!(open == "{if yes}" || out.cut || out.text.len() <= body.len());
        }
    }
    let out = rendered(&("{".repeat(deep) + &"}".repeat(deep)), &scene("{}"));
    assert_eq!(out.text.len(), deep);
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "[a-z {}\\[\\]\"\\\\/:,名🎉\n\t]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec(("[a-z {}\"名]{0,5}", inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

fn bodies() -> impl Strategy<Value = String> {
    let words = [
        "{",
        "}",
        "{{",
        "}}",
        "{if yes}",
        "{if no}",
        "{/if}",
        "{else}",
        "{elseif n == 2}",
        "{for x in list}",
        "{for p in people}",
        "{/for}",
        "{x}",
        "{p.name}",
        "{hero}",
        "{who}",
        "{repeat 2}",
        "{repeat bad}",
        "{/repeat}",
        "{while yes}",
        "{while no}",
        "{/while}",
        "{if a >}",
        "{/if x}",
        "{else x}",
        "{\"k\": ",
        " ",
        "\n",
        "\r\n",
        "\r",
        "文",
        "🎉",
        "e\u{301}",
        "\"",
        "{for x of l}",
    ];
    proptest::collection::vec(proptest::sample::select(words.to_vec()), 0..40)
        .prop_map(|words| words.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Every valid JSON object renders as itself, compact or not, as long as no brace in its strings is unbalanced.
    #[test]
    fn json_word_for_word(value in json(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
        let json = text.expect("JSON");
        let mut depth = 0_i64;
        let balanced = json.chars().all(|c| { depth += i64::from(c == '{') - i64::from(c == '}'); depth >= 0 }) && depth == 0;
        // Outside of any object a string's braces are no JSON of the template's.
        prop_assume!(balanced && (json.starts_with('{') || json.starts_with('[')));
        prop_assume!(outside(&json).chars().all(|c| !"{}".contains(c)));
        let out = rendered(&json, &scene("{}"));
        prop_assert_eq!(&*out.text, &*json);
        prop_assert_eq!(out.findings.len(), 0);
    }

    /// Whatever the text: no panic, no gap, within the limits, and the limits left over do not change what comes out.
    #[test]
    fn any_text(body in bodies()) {
        let out = rendered(&body, &scene(VALUES));
        consistent(&block(&body), &out);
        prop_assert!(Limits::START.hold(&out.took));
        if !out.cut {
            let exact = render(&template(&block(&body)), &scene(VALUES), None, &out.took);
            prop_assert_eq!(exact, out);
        }
    }
}

/// The text that stands in no braces, and none of what starts a tag.
fn outside(json: &str) -> String {
    let mut depth = 0;
    let mut out = String::new();
    let mut chars = json.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // A tag, or an escape, not an object.
            '{' if depth == 0 && chars.peek().is_some_and(|c| c.is_alphabetic() || "{_ ".contains(*c)) => {
                out.push(c)
            }
            '{' => depth += 1,
            '}' => depth -= 1,
            c if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}
