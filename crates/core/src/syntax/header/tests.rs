//! Header texts and what is said of them.

use super::*;
use crate::block::{Role, Zone};
use crate::message::Locale;
use expect_test::{Expect, expect};
use std::fmt::Write;

/// Every finding: its code, the text it points at, the message, what it offers.
fn findings(text: &str, profile: &str) -> String {
    let profile = Profile::named(profile).expect("a profile");
    let mut out = String::new();
    for diagnostic in parse_header(text, &profile).1 {
        let slice = &text[diagnostic.span.range()];
        write!(out, "{} {slice:?}", diagnostic.code).expect("written");
        for related in &diagnostic.related {
            write!(out, " (see {:?} at {})", &text[related.span.range()], related.span.start)
                .expect("written");
        }
        writeln!(out, " {}", diagnostic.message.text(Locale::En)).expect("written");
        match diagnostic.remedy {
            Remedy::None => {}
            Remedy::RemoveKey(key) => {
                writeln!(out, "  remove {:?} at {}", &text[key.range()], key.start).expect("written");
            }
            remedy => writeln!(out, "  {remedy:?}").expect("written"),
        }
    }
    out
}

/// A whole header of these lines.
fn says(lines: &str, expected: &Expect) {
    expected.assert_eq(&findings(&format!("---\n{lines}\n---\nbody\n"), "blocks"));
}

fn quiet(text: &str, profile: &str) -> Header {
    assert_eq!(findings(text, profile), "", "{text:?}");
    parse_header(text, &Profile::named(profile).expect("a profile")).0
}

#[test]
fn every_key() {
    let text = "\u{feff}---\r\nid: 'my:规则'\r\nzone: \"system\"\r\norder: -1.2e2 # 注释 🎉\r\nrole: user\r\ntemplate: true\r\ncomplete: false\r\nplugin: 天气\r\ndescription: |\r\n  一\r\n  二\r\nallow: [stray-brace, 'order-conflict' ]\r\n---  \r\n正文\r\n";
    let header = quiet(text, "blocks");
    assert_eq!(header.state, HeaderState::Closed);
    assert_eq!(header.opening.of_str(text), "---");
    assert_eq!(header.span.start, 3);
    assert_eq!(&text[header.body as usize..], "正文\r\n");
    assert!(header.content.of_str(text).starts_with("id:") && header.content.of_str(text).ends_with("]\r\n"));
    let id = header.id.expect("an id");
    assert_eq!((&*id.value, id.span.of_str(text), id.key.of_str(text)), ("my:规则", "'my:规则'", "id"));
    let zone = header.zone.expect("a zone");
    assert_eq!((zone.value, zone.span.of_str(text)), (Zone::System, "\"system\""));
    let order = header.order.expect("an order");
    assert_eq!((order.value, order.span.of_str(text)), (-120.0, "-1.2e2"));
    assert_eq!(header.role.expect("a role").value, Role::User);
    assert!(header.template.expect("template").value && !header.complete.expect("complete").value);
    assert_eq!(header.plugin.expect("a plugin").span.of_str(text), "天气");
    let description = header.description.expect("a description");
    assert_eq!((&*description.value, description.span.of_str(text)), ("一\n二\n", "|\r\n  一\r\n  二"));
    let allowed: Vec<_> = header.allow.iter().map(|(code, span)| (code.name(), span.of_str(text))).collect();
    assert_eq!(allowed, [("stray-brace", "stray-brace"), ("order-conflict", "'order-conflict'")]);
    let keys: Vec<_> = header.entries.iter().map(|entry| &*entry.name).collect();
    assert_eq!(
        keys,
        ["id", "zone", "order", "role", "template", "complete", "plugin", "description", "allow"]
    );
}

#[test]
fn quiet_headers() {
    for text in [
        "---\nid: t:a\nzone: input\n---\nx",
        "---\nid: t:a\nzone: context\norder: 12345.5\nrole: system\ncomplete: false\n---",
        "---\nid: t:a\r\nzone: context\rorder: 0\n---\n",
        "--- \t\n# comment\n\nid: t:a\n\nzone: context   # why\norder: 0x10\n---\t\n",
        "---\n{id: t:a, zone: context, order: 1}\n---\n",
        "---\nid: t:a\nzone: context\norder: 1\nallow:\n- stray-brace\n-   inert-tag\n---\n",
        "---\nid: t:a\nzone: context\norder: 1\nallow: []\n...\n---\n",
        "---\nid: !!str 5\nzone: &z context\norder: !!int \"7\"\nplugin: *z\n---\n",
        "---\nid: t:a\nzone: context\norder: 1\ndescription: yes\n---\n",
        "---\nid: t:a\nzone: context\norder: 1\nallow: &a [stray-brace]\n---\n",
        "---\nid: t:a\nzone: context\norder: 1\ndescription: \"\"\n---\n",
        "---\nid: t:a\nzone: context\norder: 1\ndescription: a\u{2028}b\u{85}c\n---\n",
        "---\n\"id\" : t:a\n? zone\n: context\norder: 1\n---\n",
    ] {
        quiet(text, "blocks");
    }
    assert_eq!(
        quiet("---\nid: a\nzone: context\norder: -0.0\n---", "blocks").order.unwrap().value.to_bits(),
        0
    );
}

#[test]
fn no_header() {
    let check = |text: &str, expected: Expect| expected.assert_eq(&findings(text, "blocks"));
    check(
        "",
        expect![[r#"
        invalid-header "" the header is missing: the file must begin with a line `---`, the keys `id`, `zone` and `order`, and another `---`
    "#]],
    );
    check(
        "\u{feff}",
        expect![[r#"
        invalid-header "" the header is missing: the file must begin with a line `---`, the keys `id`, `zone` and `order`, and another `---`
    "#]],
    );
    check(
        "你好 {x}\nthere\n",
        expect![[r#"
        invalid-header "你好 {x}" the header is missing: the file must begin with a line `---`, the keys `id`, `zone` and `order`, and another `---`
    "#]],
    );
    check(
        "\r\n---\n",
        expect![[r#"
        invalid-header "" the header is missing: the file must begin with a line `---`, the keys `id`, `zone` and `order`, and another `---`
    "#]],
    );
    check(
        " ---\nid: a\n---\n",
        expect![[r#"
        invalid-header " ---" the first line must be `---` and nothing else, so that the header can begin
    "#]],
    );
    check(
        "----\nid: a\n---\n",
        expect![[r#"
        invalid-header "----" the first line must be `---` and nothing else, so that the header can begin
    "#]],
    );
    check(
        "--- # header\nid: a\n---\n",
        expect![[r#"
        invalid-header "--- # header" the first line must be `---` and nothing else, so that the header can begin
    "#]],
    );
    let header = parse_header("\u{feff}hello", &Profile::blocks()).0;
    assert_eq!((header.state, header.body, header.span), (HeaderState::Missing, 3, Span::empty(3)));
    assert_eq!(parse_header("", &Profile::blocks()).1[0].span, Span::empty(0));
}

#[test]
fn not_closed() {
    let check = |text: &str, expected: Expect| expected.assert_eq(&findings(text, "blocks"));
    check(
        "---",
        expect![[r#"
        invalid-header "---" the header is not closed: a line `---` must stand between its keys and the body
          Insert { at: 3, text: "\n---\n", safe: false }
    "#]],
    );
    check(
        "---\n",
        expect![[r#"
        invalid-header "---" the header is not closed: a line `---` must stand between its keys and the body
          Insert { at: 4, text: "---\n", safe: false }
    "#]],
    );
    check(
        "---\r\nid: t:a\r\nzone: contxt\r\n\r\nText: {x}\r\nid: b\r\n",
        expect![[r#"
        invalid-header "---" the header is not closed: a line `---` must stand between its keys and the body
          Insert { at: 28, text: "---\r\n", safe: false }
        invalid-value "contxt" `contxt` is no `zone`; it is `system`, `context` or `input`; did you mean `context`?
          Replace { with: ["context"], safe: false }
    "#]],
    );
    // What runs on into the body is no unknown key and no broken YAML.
    check(
        "---\nid: t:a\nzone: system\nHello: there\nand \"so on",
        expect![[r#"
            invalid-header "---" the header is not closed: a line `---` must stand between its keys and the body
              Insert { at: 25, text: "---\n", safe: false }
        "#]],
    );
    check(
        "---\n\nid: t:a\n",
        expect![[r#"
        invalid-header "---" the header is not closed: a line `---` must stand between its keys and the body
          Insert { at: 4, text: "---\n", safe: false }
    "#]],
    );
    let text = "---\nid: t:a\nzone: context\n \t\nText\n";
    let header = parse_header(text, &Profile::blocks()).0;
    assert_eq!((header.state, header.body as usize), (HeaderState::Unclosed, text.len()));
    assert_eq!((header.zone(), header.id().map(|id| &**id)), (Some(Zone::Context), Some("t:a")));
    assert_eq!(header.content.of_str(text), "id: t:a\nzone: context\n");
}

#[test]
fn broken_yaml() {
    says(
        "id: \"t:a\nzone: context\norder: 1",
        &expect![[r#"
        invalid-header "\"t:a" this quote is never closed
    "#]],
    );
    says(
        "id: t:a\nzone context\norder: x",
        &expect![[r#"
        invalid-header "zone context" expected `key: value` here
        invalid-value "x" `order` takes a number, not a text
    "#]],
    );
    says(
        "id t:a\nzone: context\norder: 1",
        &expect![[r#"
        invalid-header "id t:a" expected `key: value` here
    "#]],
    );
    says(
        "id: t:a\n\tzone: context",
        &expect![[r#"
        invalid-header "\t" YAML does not allow tabs as indentation
    "#]],
    );
    says(
        "id: t:a\nzone: context\nallow: [stray-brace\norder: yes",
        &expect![[r#"
        invalid-header "[stray-brace" this `[` is never closed
        invalid-value "yes" `order` takes a number, not a text
    "#]],
    );
    says(
        "id: t:a\nallow: [stray-brace",
        &expect![[r#"
        invalid-header "[stray-brace" this `[` is never closed
    "#]],
    );
    says(
        "description: {名字} 你好\nid: 5",
        &expect![[r#"
            invalid-header "你好" expected `key: value` here; a text that begins with `{` or `[` needs quotes
            invalid-value "5" `id` takes a text, not a number
              Replace { with: ["\"5\""], safe: false }
        "#]],
    );
    says(
        "id: t:a\r\ndescription: [重要] 你好🎉 [x]\r\nzone: context",
        &expect![[r#"
            invalid-header "你好🎉 [x]" expected `key: value` here; a text that begins with `{` or `[` needs quotes
        "#]],
    );
    says(
        "description: 你好 {名字} [x]\nzone\nid: t:a",
        &expect![[r#"
            invalid-header "zone" expected `key: value` here
        "#]],
    );
    says(
        "description: 你: 好\nid: t:a",
        &expect![[r#"
            invalid-header ": 好" a `:` is not allowed here: is the line indented? a text that holds `: ` needs quotes
        "#]],
    );
    says(
        "description: 'it' is\nid: t:a",
        &expect![[r#"
        invalid-header "is" unexpected text behind the closing quote
    "#]],
    );
    says(
        "description: \"\\q\"\nid: t:a",
        &expect![[r#"
        invalid-header "\"\\q\"" unknown escape in a text in double quotes; write `\\` for a backslash
    "#]],
    );
    says(
        "description: @home\nid: t:a",
        &expect![[r#"
        invalid-header "@home" a value cannot begin with `@`; put it in quotes
    "#]],
    );
    says(
        "description: %x\nid: t:a",
        &expect![[r#"
        invalid-header "%x" a value cannot begin with `%`; put it in quotes
    "#]],
    );
    says(
        "description: *none\nid: t:a",
        &expect![[r#"
        invalid-header "*none" this alias names no anchor; put a text that begins with `*` or `&` in quotes
    "#]],
    );
    says(
        "description: - x\nid: t:a",
        &expect![[r#"
        invalid-header "- x" a list item is not allowed here; put a text that begins with `- ` in quotes
    "#]],
    );
    says(
        "id: t:a\n...\nzone: context",
        &expect![[r#"
        invalid-header "zone: context" the header holds one YAML document and no more
    "#]],
    );
    says(
        "id: t:a\n--- x",
        &expect![[r#"
        invalid-header "--- x" the header holds one YAML document and no more
    "#]],
    );
    says(
        "id: t:a\nzone: con\u{1}text\norder: x",
        &expect![[r#"
        invalid-header "\u{1}" the control character U+0001 is not allowed in the header
        invalid-value "x" `order` takes a number, not a text
    "#]],
    );
    says(
        "id: t:a\0\nzone: context\norder: x",
        &expect![[r#"
        invalid-header "\0" the control character U+0000 is not allowed in the header
        invalid-value "x" `order` takes a number, not a text
    "#]],
    );
    says(
        "id: t:a\n zone: context\norder: 1",
        &expect![[r#"
            invalid-header ": context" a `:` is not allowed here: is the line indented? a text that holds `: ` needs quotes
        "#]],
    );
    says(
        "id: t:a\n}\nzone: 7",
        &expect![[r#"
        invalid-header "}" this is not valid YAML
        invalid-value "7" `zone` takes `system`, `context` or `input`, not a number
    "#]],
    );
    says(
        "hello",
        &expect![[r#"
        invalid-header "hello" expected `key: value` here
    "#]],
    );
    says(
        "- id: x",
        &expect![[r#"
        invalid-header "- id: x" expected `key: value` here
    "#]],
    );
    says(
        "\u{feff}\u{feff}id: a\nb\u{feff}: c",
        &expect![[r#"
            invalid-header "\u{feff}: c" a byte order mark is not allowed here
        "#]],
    );
}

#[test]
fn keys() {
    says(
        "",
        &expect![[r#"
        missing-key "---" the key `id` is missing: the unique name of the block, such as `my-plugin:rules`
          AddKey("id")
        missing-key "---" the key `zone` is missing: `system`, `context` or `input`
          AddKey("zone")
    "#]],
    );
    says(
        "id: t:a",
        &expect![[r#"
        missing-key "---" the key `zone` is missing: `system`, `context` or `input`
          AddKey("zone")
    "#]],
    );
    says(
        "id: t:a\nzone: context",
        &expect![[r#"
        missing-key "---" the key `order` is missing: a number, the place among the blocks of the zone
          AddKey("order")
    "#]],
    );
    says(
        "zone: input",
        &expect![[r#"
        missing-key "---" the key `id` is missing: the unique name of the block, such as `my-plugin:rules`
          AddKey("id")
    "#]],
    );
    says(
        "id: t:a\nzone: input\n'zon': 5\nodrer: 3\nfoo: 1\nfoo: 2\nid: t:b\ncache: stable",
        &expect![[r#"
            unknown-key "'zon'" unknown key `zon`; `zone` is given already
              remove "'zon'" at 24
            unknown-key "odrer" unknown key `odrer`; did you mean `order`?
              Replace { with: ["order"], safe: true }
            unknown-key "foo" unknown key `foo`; a header knows `id`, `zone`, `order`, `role`, `template`, `complete`, `plugin`, `description` and `allow`
              remove "foo" at 42
            invalid-header "foo" (see "foo" at 42) the key `foo` is given twice; the first one counts
              remove "foo" at 49
            invalid-header "id" (see "id" at 4) the key `id` is given twice; the first one counts
              remove "id" at 56
            unknown-key "cache" the key `cache` belongs to other frameworks; a block of profile `blocks` has none
              remove "cache" at 64
        "#]],
    );
    says(
        "id: t:a\nzone: input\nzonee: context",
        &expect![[r#"
            unknown-key "zonee" unknown key `zonee`; `zone` is given already
              remove "zonee" at 24
        "#]],
    );
    says(
        "id: t:a\nzone: input\n[a]: b\n? {c: d}\n: e\n: f\n<<: g\n5: h\n*x : y",
        &expect![[r#"
            invalid-header "[a]" a key must be a word
            invalid-header "{c: d}" a key must be a word
            invalid-header ":" a key must be a word
            unknown-key "<<" unknown key `<<`; a header knows `id`, `zone`, `order`, `role`, `template`, `complete`, `plugin`, `description` and `allow`
              remove "<<" at 48
            unknown-key "5" unknown key `5`; a header knows `id`, `zone`, `order`, `role`, `template`, `complete`, `plugin`, `description` and `allow`
              remove "5" at 54
            invalid-header "*x : y" this alias names no anchor; put a text that begins with `*` or `&` in quotes
        "#]],
    );
}

#[test]
fn values() {
    says(
        "id: 5\nzone: context\norder: \"10\"",
        &expect![[r#"
        invalid-value "5" `id` takes a text, not a number
          Replace { with: ["\"5\""], safe: false }
        invalid-value "\"10\"" `order` takes a number, not a text
          Replace { with: ["10"], safe: false }
    "#]],
    );
    says(
        "id: ' '\nzone: System\norder: .inf\nplugin: \"\"\ndescription: 2024",
        &expect![[r#"
        invalid-value "' '" `id` cannot be empty
        invalid-value "System" `System` is no `zone`; it is `system`, `context` or `input`; did you mean `system`?
          Replace { with: ["system"], safe: false }
        invalid-value ".inf" `order` takes a finite number, not `.inf`
        invalid-value "\"\"" `plugin` cannot be empty
        invalid-value "2024" `description` takes a text, not a number
          Replace { with: ["\"2024\""], safe: false }
    "#]],
    );
    says(
        "id:\nzone:   # none\norder: ~\nallow:\nplugin: !!str",
        &expect![[r#"
        invalid-value "id" `id` has no value; it takes a text
        invalid-value "zone" `zone` has no value; it takes `system`, `context` or `input`
        invalid-value "~" `order` takes a number, not null
        invalid-value "allow" `allow` has no value; it takes a list of diagnostic codes
        invalid-value "!!str" `plugin` cannot be empty
    "#]],
    );
    says(
        "id: [a]\nzone: {system: 1}\norder: 1e999\ntemplate: no\ncomplete: \"true\"",
        &expect![[r#"
        invalid-value "[a]" `id` takes a text, not a list
        invalid-value "{system: 1}" `zone` takes `system`, `context` or `input`, not a mapping
        invalid-value "1e999" `order` takes a finite number, not `1e999`
        invalid-value "no" `template` takes `true` or `false`, not a text
          Replace { with: ["false"], safe: false }
        invalid-value "\"true\"" `complete` takes `true` or `false`, not a text
          Replace { with: ["true"], safe: false }
    "#]],
    );
    says(
        "id:\n  - a\n  - b\nzone:\n  system\norder: !foo 1\ntemplate: tru",
        &expect![[r#"
        invalid-value "- a\n  - b" `id` takes a text, not a list
        invalid-value "1" `order` takes a number, not a value of this kind
        invalid-value "tru" `template` takes `true` or `false`, not a text
          Replace { with: ["true"], safe: false }
    "#]],
    );
    says(
        "id: t:a\nzone: input\nallow: stray-brace",
        &expect![[r#"
        invalid-value "stray-brace" `allow` takes a list of diagnostic codes, not a text
          Replace { with: ["[stray-brace]"], safe: false }
    "#]],
    );
    says(
        "id: t:a\nzone: input\nallow: [unused-variables, 5, [stray-brace], {a: b}, invalid-header]",
        &expect![[r#"
            invalid-value "unused-variables" `unused-variables` is no diagnostic code; did you mean `unused-variable`?
              Replace { with: ["unused-variable"], safe: false }
            invalid-value "5" a diagnostic code is a text, not a number
            invalid-value "[stray-brace]" a diagnostic code is a text, not a value of this kind
            invalid-value "{a: b}" a diagnostic code is a text, not a value of this kind
        "#]],
    );
    says(
        "id: t:a\nzone: input\nallow:\n  -\n  - |\n    x\n  - - y\n  -",
        &expect![[r#"
        invalid-value "-" a diagnostic code is a text, not null
        invalid-value "x" `x…` is no diagnostic code
        invalid-value "- y" a diagnostic code is a text, not a value of this kind
        invalid-value "-" a diagnostic code is a text, not null
    "#]],
    );
    says(
        "role: user\ncomplete: true\nid: t:a\nzone: input",
        &expect![[r#"
        invalid-value "user" `role` has no meaning in the `input` zone; it belongs to the `system` zone
          remove "role" at 4
        invalid-value "true" `complete` has no meaning in the `input` zone; it belongs to the `system` zone
          remove "complete" at 15
    "#]],
    );
    says(
        "role: usr\ncomplete: yes\nid: t:a\nzone: context\norder: 1",
        &expect![[r#"
        invalid-value "usr" `usr` is no `role`; it is `system`
        invalid-value "yes" `complete` takes `true` or `false`, not a text
          remove "complete" at 14
    "#]],
    );
    says(
        "role: bot\nid: t:a\nzone: contxt\ncomplete: true",
        &expect![[r#"
        invalid-value "bot" `bot` is no `role`; it is `system`, `user` or `assistant`
        invalid-value "contxt" `contxt` is no `zone`; it is `system`, `context` or `input`; did you mean `context`?
          Replace { with: ["context"], safe: false }
    "#]],
    );
    says(
        "id: &a [stray-brace]\nzone: input\nallow: *a\ndescription: *a",
        &expect![[r#"
        invalid-value "[stray-brace]" `id` takes a text, not a list
        invalid-value "*a" `description` takes a text, not a list
    "#]],
    );
}

#[test]
fn a_value_left_out_stands_behind_its_colon() {
    let text = "---\nid:\nzone :  # none\nrole: \norder:\r\n---\n";
    let header = parse_header(text, &Profile::blocks()).0;
    let places: Vec<_> =
        header.entries.iter().map(|entry| (&text[..entry.value.start as usize], entry.value.len())).collect();
    let ends: Vec<_> = places.iter().map(|(before, len)| (&before[before.len() - 2..], *len)).collect();
    assert_eq!(ends, [("d:", 0), (" :", 0), ("e:", 0), ("r:", 0)]);
}

#[test]
fn profiles() {
    let check = |lines: &str, profile: &str, expected: Expect| {
        expected.assert_eq(&findings(&format!("---\n{lines}\n---\n"), profile));
    };
    check(
        "id: a\nzone: input\nrole: user\ntemplate: false",
        "harness",
        expect![[r#"
        invalid-value "input" `input` is no `zone`; it is `system` or `context`
        invalid-value "user" a block of profile `harness` always has the role `system`
          remove "role" at 22
        invalid-value "false" a block of profile `harness` always is a template
          remove "template" at 33
    "#]],
    );
    check(
        "id: a\nzone: context\norder: 1\nrole: user\ntemplate: true\ncache: stable",
        "harness",
        expect![[r#"
            invalid-value "user" a block of profile `harness` always has the role `system`
              remove "role" at 33
            unknown-key "cache" the key `cache` belongs to other frameworks; a block of profile `harness` has none
              remove "cache" at 59
        "#]],
    );
    check(
        "id: a\nzone: context\norder: 1\ncache: statik",
        "zcode",
        expect![[r#"
        invalid-value "statik" `statik` is no `cache`; it is `stable` or `dynamic`
    "#]],
    );
    check(
        "id: a\nzone: system\norder: 1\nrole: usr\ntemplate: no",
        "harness",
        expect![[r#"
        invalid-value "usr" `usr` is no `role`; it is `system`
        invalid-value "no" `template` takes `true` or `false`, not a text
          remove "template" at 42
    "#]],
    );
    let header = quiet("---\nid: a\nzone: context\norder: 1\ncache: stable\n---\n", "zcode");
    assert_eq!(header.cache.expect("cache").value, crate::block::Cache::Stable);
}
