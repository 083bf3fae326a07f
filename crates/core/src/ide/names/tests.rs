use super::*;
use crate::FileId;
use crate::ide::testing::cursor;
use crate::source::{Dialect, SourceFile, parts};

/// The text with every place of the name in brackets, behind a letter for what it is.
fn marked(text: &str, places: &[Place]) -> String {
    let mut out = String::new();
    let mut from = 0;
    for place in places {
        let letter = match place.kind {
            PlaceKind::Use => 'u',
            PlaceKind::Declaration => 'd',
            PlaceKind::Predicate => 'p',
            PlaceKind::Field => 'f',
        };
        let pieces = if place.written == Written::Pieces { "!" } else { "" };
        out += &text[from..place.span.range().start];
        out += &format!("{letter}{pieces}[{}]", place.span.of_str(text));
        from = place.span.range().end;
    }
    out + &text[from..]
}

/// The places of the name at the cursor.
fn same(text: &str, names: impl Fn(&str) -> (Vec<Name>, bool)) -> String {
    let (text, at) = cursor(text);
    let (all, _) = names(&text);
    let Some(name) = name_at(&all, at).map(|found| Arc::clone(&found.name)) else {
        return "nothing".to_owned();
    };
    let places: Vec<Place> = all.iter().filter(|one| one.name == name).map(|one| one.place).collect();
    marked(&text, &places)
}

#[test]
fn in_catalogs() {
    let text = "\u{feff}{ // 注释 is_group\r\n\"variables\": {\"is_$0group\": {\"description\": \"is_group\"}, \"天气🎉\": {\"mutable\": {\"when\": \"is_group == 'is_group'\"}},\r\n\"b\": {\"mutable\": {\"when\": \"\\\"x\\\" != \\u0069s_group.level\",}}}}";
    assert_eq!(
        same(text, in_catalog),
        "\u{feff}{ // 注释 is_group\r\n\"variables\": {\"d[is_group]\": {\"description\": \"is_group\"}, \"天气🎉\": {\"mutable\": {\"when\": \"p[is_group] == 'is_group'\"}},\r\n\"b\": {\"mutable\": {\"when\": \"\\\"x\\\" != p[\\u0069s_group].level\",}}}}"
    );
    // From a predicate, from a key with an escape, and from what is no name.
    let from_when = r#"{"variables": {"a": {"mutable": {"when": "1 < $0b"}}, "\u0062": {}}}"#;
    assert_eq!(
        same(from_when, in_catalog),
        r#"{"variables": {"a": {"mutable": {"when": "1 < p[b]"}}, "d[\u0062]": {}}}"#
    );
    for text in [
        r#"{"vari$0ables": {"a": {}}}"#,
        r#"{"variables": {"a": {"mut$0able": true}}}"#,
        r#"{"variables": {"a": {"mutable": {"when": "b$0 =="}}}}"#,
        r#"{"variables": {"a": {"description": "$0a"}}}"#,
        r#"{"variables": {"a": {"args": ["$0a"]}}}"#,
        "$0",
    ] {
        assert_eq!(same(text, in_catalog), "nothing", "{text}");
    }
}

#[test]
fn in_sample_environments() {
    let text = r#"{"weather": {"extends": ["weather"], "wea$0ther": "weather", "extra": {"weather": 1, "x": {"weather": 2}}}, "b": {"weather": {"weather": 3}}}"#;
    assert_eq!(
        same(text, in_environments),
        r#"{"weather": {"extends": ["weather"], "f[weather]": "weather", "extra": {"f[weather]": 1, "x": {"weather": 2}}}, "b": {"f[weather]": {"weather": 3}}}"#
    );
    for text in
        [r#"{"na$0me": {"a": 1}}"#, r#"{"name": {"ex$0tra": {}, "ext$0ends": []}}"#, r#"{"$schema": "$0x"}"#]
    {
        assert_eq!(
            same(text.replacen("$0", "", text.matches("$0").count() - 1).as_str(), in_environments),
            "nothing",
            "{text}"
        );
    }
}

#[test]
fn what_is_broken_gives_what_can_be_read() {
    let (names, readable) = in_catalog(r#"{"variables": {"a": {}, "b": {"mutable": {"when": "a"}, "c"#);
    assert!(!readable);
    let shown: Vec<&str> = names.iter().map(|one| &*one.name).collect();
    assert_eq!(shown, ["a", "b", "a"]);
    assert!(in_catalog(r#"{"variables": {}}"#).1);
    assert!(!in_environments("{").1);
}

fn in_code(text: &str, subject: &Subject) -> String {
    let source = SourceFile::read(text, Dialect::TypeScript);
    marked(text, &in_source(&source, &parts(&source, FileId(1)), subject, None))
}

#[test]
fn in_source_code() {
    let variable = Subject::Variable("tone".into());
    for (text, expected) in [
        ("ctx.prompt.variable({ name: 'tone' }, tone)", "ctx.prompt.variable({ name: 'd[tone]' }, tone)"),
        (
            "// 你🎉 tone\nscope.systemPrompt.variable(`t\\u006fne`, () => '{{tone}}')",
            "// 你🎉 tone\nscope.systemPrompt.variable(`d[t\\u006fne]`, () => '{{tone}}')",
        ),
        (
            "ctx.prompt.block({ id: 'tone', zone: 'context', order: 1, template: true, content: '\\n{tone} {{tone}}' + \"\\u{7b}tone.a}\" })",
            "ctx.prompt.block({ id: 'tone', zone: 'context', order: 1, template: true, content: '\\n{u[tone]} {{tone}}' + \"\\u{7b}u[tone].a}\" })",
        ),
        (
            "const N = 'tone' as const; ctx.prompt.variable({ name: N }); ctx.prompt.block({ id: 'a', zone: 'input', template: true, content: '{' + N + '}' })",
            "const N = 'd[tone]' as const; ctx.prompt.variable({ name: N }); ctx.prompt.block({ id: 'a', zone: 'input', template: true, content: '{' + N + '}' })",
        ),
        (
            "ctx.prompt.environment(() => ({ tone, extra: { 'tone': tone, 'x': { tone: 1 } } }))",
            "ctx.prompt.environment(() => ({ f[tone], extra: { 'f[tone]': tone, 'x': { tone: 1 } } }))",
        ),
        ("ctx.prompt.variable({ name: 'to' + 'ne' })", "ctx.prompt.variable({ name: 'd![to' + 'ne]' })"),
        ("ctx.prompt.variable({ name })", "ctx.prompt.variable({ name })"),
        // Without a template there are no tags.
        (
            "ctx.prompt.block({ id: 'a', zone: 'context', order: 1, content: '{tone}' })",
            "ctx.prompt.block({ id: 'a', zone: 'context', order: 1, content: '{tone}' })",
        ),
    ] {
        assert_eq!(in_code(text, &variable), expected);
    }
    let id = Subject::Block("tone".into());
    let text = "ctx.prompt.block({ id: \"tone\", content: '{tone}' }); ctx.systemPrompt.section({ name: 'tone', text: '' })";
    assert_eq!(
        in_code(text, &id),
        "ctx.prompt.block({ id: \"d[tone]\", content: '{tone}' }); ctx.systemPrompt.section({ name: 'd[tone]', text: '' })"
    );
}
