//! What holds for any header: places lie in the text, values are found where they stand, time is linear.

use super::*;
use crate::block::Zone;
use proptest::prelude::*;

/// Spans lie in the text, on characters, and say something wherever there is something to say it of.
fn sound(text: &str) {
    for profile in Profile::NAMES {
        let (header, diagnostics) = parse_header(text, &Profile::named(profile).expect("a profile"));
        let check = |span: Span| assert!(text.get(span.range()).is_some(), "{span:?} in {text:?}");
        [header.span, header.opening, header.content].into_iter().for_each(check);
        check(Span::new(header.body, offset(text.len())));
        for entry in &header.entries {
            check(entry.key);
            check(entry.value);
            assert!(!entry.key.is_empty() && entry.value.start >= entry.key.end, "{entry:?} in {text:?}");
            assert!(entry.value.end <= header.body, "{entry:?} in {text:?}");
        }
        for diagnostic in &diagnostics {
            check(diagnostic.span);
            assert!(
                !diagnostic.span.is_empty() || header.state == HeaderState::Missing,
                "{diagnostic:?} in {text:?}"
            );
            assert!(
                header.state == HeaderState::Missing || diagnostic.span.end <= header.body,
                "{diagnostic:?}"
            );
            diagnostic.related.iter().for_each(|related| check(related.span));
        }
        let faults = diagnostics.iter().filter(|d| d.code == Code::MissingKey).count();
        assert!(faults <= 3 && (header.state == HeaderState::Closed || faults == 0));
    }
}

/// What YAML trips over, and what counts bytes, characters and lines apart.
fn yamlish() -> impl Strategy<Value = String> {
    let parts = [
        "---",
        "\n",
        "\r\n",
        "\r",
        " ",
        "  ",
        "\t",
        ": ",
        ":",
        "- ",
        "-",
        "? ",
        "[",
        "]",
        "{",
        "}",
        ", ",
        "#",
        " # 注",
        "\"",
        "'",
        "\\",
        "|",
        ">-",
        "&a",
        "*a",
        "!!str ",
        "!x",
        "%",
        "@",
        "`",
        "~",
        "...",
        "<<",
        "id",
        "zone",
        "order",
        "role",
        "template",
        "allow",
        "cache",
        "system",
        "context",
        "true",
        "12",
        ".5",
        "你",
        "🎉",
        "e\u{301}",
        "\u{feff}",
        "\u{2028}",
        "\u{85}",
        "\0",
        "\u{7f}",
        "id: a\n",
        "zone: system\n",
        "order: 1\n",
        "\n---\n",
        "\n  ",
    ];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text(text in ".{0,60}") {
        sound(&text);
        sound(&format!("---\n{text}\n---\n{text}"));
    }

    #[test]
    fn any_yaml(text in yamlish()) {
        sound(&text);
        sound(&format!("---\n{text}\n---\nbody"));
        sound(&format!("\u{feff}---\r\n{text}"));
    }

    /// Behind any comment, in any line ends, a value is found where it stands.
    #[test]
    fn exact_places(
        id in "[a-z你🎉é][a-z你🎉é:._-]{0,8}[a-z你🎉]",
        comment in "[a-z你🎉é #:\"']{0,12}",
        description in "[a-z你🎉é \\\\\"#:]{0,12}",
        line_break in prop::sample::select(vec!["\n", "\r\n", "\r"]),
    ) {
        let quoted = format!("\"{}\"", description.replace('\\', "\\\\").replace('"', "\\\""));
        let lines = [
            "---".to_owned(), format!("description: {quoted}   # {comment}"), format!("id:  {id} # {comment}"),
            format!("# {comment}"), format!("zone: 'input' # {comment}"), "---".to_owned(), String::new(),
        ];
        let text = lines.join(line_break);
        let (header, diagnostics) = parse_header(&text, &Profile::blocks());
        prop_assert!(diagnostics.is_empty(), "{text:?} {diagnostics:?}");
        let (field, zone, about) = (header.id.unwrap(), header.zone.unwrap(), header.description.unwrap());
        prop_assert_eq!((&*field.value, field.span.of_str(&text)), (&*id, &*id));
        prop_assert_eq!((zone.value, zone.span.of_str(&text)), (Zone::Input, "'input'"));
        prop_assert_eq!((&*about.value, about.span.of_str(&text)), (&*description, &*quoted));
        prop_assert_eq!(about.key.of_str(&text), "description");
    }
}

#[test]
fn hostile_sizes() {
    let size = 1 << 17;
    let fill = |part: &str| part.repeat(size / part.len());
    for (name, content) in [
        ("quotes", fill("a: \"\n")),
        ("brackets", fill("[")),
        ("braces", fill("{a: ")),
        ("nested lists", fill("- ")),
        ("nested keys", fill("? ")),
        ("unknown keys", (0..size / 8).map(|n| format!("k{n}: 1\n")).collect()),
        ("one key", fill("id: x\n")),
        (
            "anchors",
            (0..size / 20)
                .map(|n| format!("k{n}: &b{n} [*b{m}, *b{m}]\n", m = n.saturating_sub(1)))
                .collect(),
        ),
        ("flow", format!("[{}", fill("a, "))),
        ("items", format!("allow: [{}]", fill("你好, "))),
        ("spaces", fill(" ")),
        ("tabs", fill("\t")),
        ("comment", format!("#{}", fill("🎉"))),
        ("delimiters", fill("----\n")),
        ("faulty lines", fill("x: @\n")),
        ("no colons", fill("word\n")),
        ("long key", fill("k")),
        ("colons", fill(": ")),
        ("control", fill("a: \u{1}\n")),
        ("block", format!("d: |\n{}", fill("  x\n"))),
        ("indents", (0..1400).map(|n| format!("{}a:\n", " ".repeat(n))).collect()),
        ("carriage returns", fill("\r")),
    ] {
        for text in [format!("---\n{content}\n---\n"), format!("---\n{content}")] {
            let start = std::time::Instant::now();
            parse_header(&text, &Profile::blocks());
            let took = start.elapsed();
            assert!(took.as_secs() < 8, "{name} took {took:?}");
        }
    }
}
