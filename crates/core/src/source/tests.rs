//! Source text with carets, and the map between a text and its source.

use super::cooked::{Cooked, Quote, escaped};
use super::{Dialect, Framework, SourceFile, catalog_of, literal, may_register, parts};
use crate::catalog::{Catalog, Layer, Mutability, parse};
use crate::lint::fixture::marked::Marked;
use crate::lint::{Judge, finish};
use crate::profile::{Bands, Profile};
use crate::span::Span;
use crate::{Diagnostic, FileId};
use proptest::prelude::*;

const COMMON: &str = crate::lint::fixture::COMMON;

fn judge(source: &SourceFile, framework: Framework, catalog: Option<&str>) -> Judge {
    let profile = Profile::named(framework.profile_name()).expect("a profile");
    let project = catalog.map(|text| parse(text, FileId(1), Layer::Project, &profile));
    let registered = catalog_of(source, FileId(0), framework);
    let catalog = Catalog::merge(project.iter().chain(&registered));
    let incomplete = source.incomplete(framework).map(|span| (FileId(0), span));
    let bands = Bands(profile.bands.clone());
    Judge { profile, bands, ..Judge::new(catalog.incomplete_at(incomplete)) }
}

/// What the rules say of a source text by itself.
fn findings(text: &str, dialect: Dialect, catalog: Option<&str>) -> Vec<Diagnostic> {
    let source = SourceFile::read(text, dialect);
    let mut all = Vec::new();
    for mut part in parts(&source, FileId(0)) {
        let judge = judge(&source, part.framework, catalog);
        part.judge(&judge);
        all.extend(finish(&judge, &part.header, part.findings(&judge)));
    }
    all.sort_by(|a, b| (a.span, a.code.name()).cmp(&(b.span, b.code.name())));
    all
}

fn check_with(fixture: &str, dialect: Dialect, catalog: Option<&str>) {
    let mut marked = Marked::default();
    fixture.strip_prefix('\n').unwrap_or(fixture).lines().for_each(|line| marked.push(line));
    for line_end in ["\n", "\r\n"] {
        for mark in ["", "\u{feff}"] {
            let text = marked.text(mark, line_end);
            marked.compare(mark, line_end, &text, &findings(&text, dialect, catalog));
        }
    }
}

fn check(fixture: &str) {
    check_with(fixture, Dialect::TypeScript, Some(COMMON));
    check_with(fixture, Dialect::Tsx, Some(COMMON));
}

#[test]
fn every_call_shape() {
    for call in [
        "ctx.prompt.block",
        "this.ctx.prompt.block",
        "ctx?.prompt?.block",
        "ctx.prompt?.block?.",
        "ctx.prompt!.block",
        "f().prompt.block",
        "a[0].prompt\n  .block",
        "const { prompt } = ctx\nprompt.block",
        "const { prompt = other } = ctx\nprompt.block",
        "x = ({ prompt }) => prompt.block",
    ] {
        check(&format!(
            "{call}({{
  id: 't:a', zone: 'system', order: 30, template: true, content: '你🎉 {{nme}} {{user_name}}'
                                                                      ^^^ unknown-variable
}})"
        ));
    }
    for call in [
        "ctx.systemPrompt.section",
        "scope.systemPrompt.context",
        "this.ctx.systemPrompt?.section",
        "systemPrompt.section",
    ] {
        check(&format!(
            "{call}({{
  name: 'a', order: 1.5, text: '你🎉 {{{{nme}}}} {{{{user_name}}}} {{{{ x }}}} {{nme}} {{if x}}'
                                     ^^^ unknown-variable
                                                         ^^^^^^^ malformed-reference
}})"
        ));
    }
}

#[test]
fn what_is_no_registration() {
    let object = "({ id: 'a', zone: 'nowhere', template: true, content: '{nme}' })";
    for call in [
        "prompt.block", // It comes from no destructuring.
        "const { prompt: p } = ctx\np.block",
        "ctx['prompt'].block",
        "ctx.prompts.block",
        "ctx.prompt.section",
        "ctx.systemPrompt.block",
        "ctx.#prompt.block",
        "ctx.prompt.blocks",
        "// ctx.prompt.block",
        "ctx.systemPrompt.section.call",
        "new ctx.prompt.block",
    ] {
        check(&format!("{call}{object}\n"));
    }
    check(&format!("const text = \"ctx.prompt.block{object}\"\n"));
    assert!(!may_register("export const prompt = 'blocks'; context.prompt; prompt.text.block()"));
    assert!(may_register("a.prompt !\n?. block()"));
}

#[test]
fn texts_of_every_shape() {
    check(
        r#"
const RULES = `多行
{nme}
 ^^^ unknown-variable
`
const TWICE = '(' + RULES + ')'
export function apply(ctx) {
  const text = (['a {x1}', "b {x2}" + ' {x3}', ...[]] as string[])
  ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: RULES })
  ctx.prompt.block({ id: 't:b', zone: 'system', order: 2, template: true, content: ['{x1}', "{x2}" + `{x3}`].join('\n') })
                                                                                      ^^ unknown-variable
                                                                                              ^^ unknown-variable
                                                                                                       ^^ unknown-variable
  ctx.prompt.block({ id: 't:c', zone: 'system', order: 3, template: true, content: ('{x4}' as string) })
                                                                                      ^^ unknown-variable
  ctx.prompt.block({ 'id': "t:d", zone: `system`, order: -5, template: true, content: ('{' + "x" + '5}') })
                                                         ^^ order-off-band
                                                                                              ^^^^^^^ unknown-variable
}
"#,
    );
}

#[test]
fn what_only_the_running_program_knows() {
    check(
        r#"
let changing = '{nme}'
const SHADOWED = '{nme}'
const base = { order: 5 }
function f(SHADOWED, ctx) {
  const common = { id: 't:a', zone: 'system' as const, order: 1, template: true }
  for (const content of [changing, SHADOWED, `{nme} ${ctx}`, tag`{nme}`, ['{nme}', ctx].join(), f('{nme}')]) {
    ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content })
  }
  ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: SHADOWED })
  ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: changing })
  ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: `{nme} ${ctx}` })
  ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: tag`{nme}` })
  ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: ['{nme}', ctx].join('') })
  ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: () => '{nme}' })
  ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content() { return '{nme}' } })
  ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: on, content: '{nme}' })
  ctx.prompt.block({ id: 't:a', zone: 'nowhere', order: 1000, ...base, content: '{nme}' })
  ctx.prompt.block({ ...base, template: true, content: '{x}' })
                                                         ^ unknown-variable
  ctx.prompt.block(common)
  ctx.prompt.block({ id: `t:${f}`, zone: zone, order: f(), role: null ?? role, content: 'x' })
}
"#,
    );
}

#[test]
fn header_codes_on_the_value_and_missing_keys_on_the_callee() {
    check(
        r#"
ctx.prompt.block({ zone: "sytem", order: '1', template: 'yes', content: 'x' })
           ^^^^^ missing-key: `id`
                         ^^^^^^^ invalid-value
                                         ^^^ invalid-value
                                                        ^^^^^ invalid-value
ctx.prompt.block({ id: 'rules', zone: 'system', order: 1_000, complete: true, content: 'x' })
                       ^^^^^^^ id-without-prefix
                                                       ^^^^^ order-out-of-range
ctx.prompt.block({ id: 't:a', zone: 'input', content: '{prompt}' })
                                    ^^^^^^^ missing-prompt
                                                       ^^^^^^^^ template-not-enabled
ctx.prompt.block({ id: 't:a', zone: 'context', complete: true, order: 0x10, whatever: 1, content: '' })
                                                         ^^^^ invalid-value
ctx.systemPrompt.section({ order: 1, text: 'x' })
                 ^^^^^^^ missing-key: `name`
ctx.systemPrompt.context({ name: '', text: 'x' })
                 ^^^^^^^ missing-key: `order`
                                 ^^ invalid-value: `name`
"#,
    );
}

#[test]
fn escapes_have_their_exact_places() {
    check(
        r#"
ctx.prompt.block({ id: 't:\x61', zone: 'syst\
em', order: 1, template: true, content: '\u{1f389}\'{\u006eme} \ud83c\udf89{x}\n\
                                                     ^^^^^^^^ unknown-variable
                                                                            ^ unknown-variable
  {y} \u{7b}z}' })
   ^ unknown-variable
            ^ unknown-variable
"#,
    );
}

#[test]
fn a_syntax_error_does_not_lose_the_registrations_around_it() {
    check(
        r#"
ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: '{x}' })
                                                                                   ^ unknown-variable
const broken = (((
function ( {
ctx.prompt.block({ id: 't:b', zone: 'system', order: 2, template: true, content: '{y}' })
                                                                                   ^ unknown-variable
"#,
    );
}

#[test]
fn what_is_half_typed_between_two_registrations_loses_neither() {
    let call = |id: &str| {
        format!("  ctx.prompt.block({{ id: 't:{id}', zone: 'system', order: 1, content: '{{x}}' }})\n")
    };
    for broken in [
        "ctx.prompt.",
        "ctx.prompt.block(",
        "ctx.prompt.block({",
        "ctx.prompt.block({ id: 't:half', ",
        "ctx.prompt.block({ id: 't:half', content: ",
        "ctx.prompt.block({ id: 't:half', content: 'x",
        "ctx.prompt.block({ id: 't:half' content: 'x' })",
        "ctx.systemPrompt.section({ name: })",
        "const a = 'unclosed",
        "const a = \"unclosed",
        "const a = { b: ",
        "const a = [1, 2",
        "if (a) {",
        "if (a",
        "}",
        ")",
        "} else {",
        "function",
        "class A { m( }",
        "import {",
        "export default",
        "return",
        "await",
        "=>",
        "a ?? ",
        "type A = ",
        "interface A {",
        "@decorator",
        "你🎉",
        "<div>",
        "</div>",
        "/[unclosed",
    ] {
        for around in [("", ""), ("export function apply(ctx) {\n", "}\n")] {
            let text = format!("{}{}{broken}\n{}{}", around.0, call("before"), call("behind"), around.1);
            for dialect in [Dialect::TypeScript, Dialect::Tsx] {
                let source = SourceFile::read(&text, dialect);
                let parts = parts(&source, FileId(0));
                let found = |id: &str| {
                    let id = format!("t:{id}");
                    parts
                        .iter()
                        .any(|part| part.header.id().is_some_and(|it| **it == *id) && part.cooked.is_some())
                };
                let lost: Vec<&str> = ["before", "behind"].into_iter().filter(|id| !found(id)).collect();
                let known = LOST.contains(&broken) && lost == ["behind"];
                assert!(lost.is_empty() || known, "{broken} in {dialect:?} loses {lost:?}\n{text}");
            }
        }
    }
}

/// Behind these the language goes on with a name or a type, so the call is taken for one; it is found again with the next letter.
const LOST: [&str; 4] = ["function", "import {", "type A = ", "interface A {"];

#[test]
fn a_call_in_jsx_and_a_cast_in_typescript() {
    let call = "ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: '{x}' })";
    let fixture = format!("const a = <div>{{{call}}}</div>\n{} ^ unknown-variable", " ".repeat(98));
    check_with(&fixture, Dialect::Tsx, Some(COMMON));
    let fixture = format!("const a = <any>{call}\n{} ^ unknown-variable", " ".repeat(97));
    check_with(&fixture, Dialect::TypeScript, Some(COMMON));
}

#[test]
fn registered_variables() {
    let text = r#"
ctx.prompt.variable({ name: 'tone', description: '语' + '气', mutable: () => true, zones: ['context'], args: ['a', { name: 'b', optional: true }], example: 'calm' }, () => '')
ctx.prompt.variable({ name: "plain", mutable: (e) => false }, f)
ctx.prompt.variable({ name: `odd`, mutable: e => e.is_group, args: ARGS }, f)
ctx.prompt.variable({ name: 'not a name' }, f)
ctx.systemPrompt.variable('cwd', (context) => context.cwd)
ctx.systemPrompt.variable(name, f)
ctx.prompt.environment(() => ({ platform: 'qq', 'is_group': true, extra: { weather: 1 } }))
"#;
    let source = SourceFile::read(text, Dialect::TypeScript);
    let blocks = catalog_of(&source, FileId(0), Framework::Blocks).expect("variables");
    let names: Vec<&str> = blocks.variables.iter().map(|variable| &*variable.name).collect();
    assert_eq!(names, ["tone", "plain", "odd"]);
    let [tone, plain, odd] = blocks.variables.as_slice() else { panic!() };
    assert_eq!(tone.description.as_deref(), Some("语气"));
    assert_eq!((tone.mutable.clone(), plain.mutable.clone()), (Mutability::Yes, Mutability::No));
    assert_eq!((odd.mutable.clone(), odd.args_known), (Mutability::Unknown, false));
    assert_eq!((tone.arity(), tone.zones.as_ref().map(Vec::len)), ((1, 2), Some(1)));
    assert_eq!(tone.definition.expect("a place").key.of_str(text), "'tone'");
    let harness = catalog_of(&source, FileId(0), Framework::Harness).expect("variables");
    assert_eq!(harness.variables.iter().map(|v| &*v.name).collect::<Vec<_>>(), ["cwd"]);
    assert_eq!(source.incomplete(Framework::Harness).expect("a computed name").of_str(text), "name");
    assert_eq!(source.incomplete(Framework::Blocks), None);
    let fields = &source.registrations.last().expect("the environment").fields;
    assert_eq!(
        fields.iter().map(|field| &*field.name).collect::<Vec<_>>(),
        ["platform", "is_group", "weather"]
    );
    assert_eq!(fields.iter().map(|field| field.extra).collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(fields[1].span.of_str(text), "'is_group'");
    assert_eq!(source.registrations.iter().flat_map(|one| &one.unread).count(), 1);
}

#[test]
fn a_registered_variable_is_known_to_its_own_framework() {
    check_with(
        "
ctx.prompt.variable({ name: 'tone', mutable: () => true }, () => '')
ctx.systemPrompt.variable('cwd', f)
ctx.prompt.block({ id: 't:a', zone: 'context', order: 1, template: true, content: '{tone} {cwd}' })
                                                                                           ^^^ unknown-variable
ctx.systemPrompt.section({ name: 'a', order: 1, text: '{{cwd}} {{tone}}' })
                                                                 ^^^^ unknown-variable
ctx.prompt.block({ id: 't:b', zone: 'system', order: 1, template: true, content: '{tone}' })
                                                                                   ^^^^ mutable-in-system
",
        Dialect::TypeScript,
        None,
    );
}

#[test]
fn where_a_name_is_computed_an_unknown_one_is_a_warning() {
    let text =
        "ctx.systemPrompt.variable(n, f)\nctx.systemPrompt.section({ name: 'a', order: 1, text: '{{x}}' })";
    let found = findings(text, Dialect::TypeScript, Some(COMMON));
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(finding.severity, crate::Severity::Warning);
    assert_eq!(finding.related[0].span.of_str(text), "n");
}

#[test]
fn the_fields_of_an_environment() {
    for (function, expected) in [
        ("() => ({ a: 1, extra: { b: 2, 'c': 3 } })", "a +b +c"),
        ("async function () { return { a } }", "a"),
        (
            "(c) => { if (c) { return { a: 1 } } else return { a: 2, b: 3 }; try { x() } finally { return { 名: 1 } } }",
            "a a b 名",
        ),
        // What another function returns is its own business.
        (
            "() => { const f = () => { return { x: 1 } }; function g() { return { y: 1 } }; return { a: f, m() {} } }",
            "a m",
        ),
        ("() => ENV", "a +b"),
        ("() => { const env = { a: 1 } as const; return env }", "a"),
        ("() => ({ ...ENV, [key]: 1, b: 2 })", "b"),
        ("read", ""),
        ("() => f()", ""),
        ("", ""),
    ] {
        let text = format!(
            "const EXTRA = {{ b: 1 }}; const ENV = ({{ a: 1, extra: EXTRA }}); ctx.prompt.environment({function})"
        );
        let source = SourceFile::read(&text, Dialect::TypeScript);
        let [registration] = source.registrations.as_slice() else { panic!("{text}") };
        let fields = registration
            .fields
            .iter()
            .map(|field| if field.extra { format!("+{}", field.name) } else { field.name.to_string() });
        assert_eq!(fields.collect::<Vec<_>>().join(" "), expected, "{text}");
        assert_eq!(registration.unread.is_empty(), !expected.is_empty(), "{text}");
    }
}

/// One way to write something, and what it stands for.
fn piece() -> impl Strategy<Value = (String, String)> {
    let plain = proptest::sample::select(vec!["a", "é", "名", "🎉", "{", "}", " ", "e\u{301}"]);
    let written = proptest::sample::select(vec![
        ("\\n", "\n"),
        ("\\t", "\t"),
        ("\\'", "'"),
        ("\\\"", "\""),
        ("\\`", "`"),
        ("\\\\", "\\"),
        ("\\x41", "A"),
        ("\\u540d", "名"),
        ("\\u{1F389}", "🎉"),
        ("\\ud83c\\udf89", "🎉"),
        ("\\ud83c", "\u{fffd}"),
        ("\\0", "\0"),
        ("\\é", "é"),
        ("\\\n", ""),
        ("\\\r\n", ""),
        ("\\\u{2028}", ""),
    ]);
    prop_oneof![
        plain.prop_map(|text| (text.to_owned(), text.to_owned())),
        written.prop_map(|(source, text)| (source.to_owned(), text.to_owned())),
    ]
}

fn quoted(quote: Quote, inside: &str) -> String {
    let mark = match quote {
        Quote::Single => '\'',
        Quote::Double => '"',
        Quote::Template => '`',
    };
    format!("{mark}{inside}{mark}")
}

fn quote() -> impl Strategy<Value = Quote> {
    proptest::sample::select(vec![Quote::Single, Quote::Double, Quote::Template])
}

/// Every border of a character that is no border within an escape maps to the source and back to itself.
fn there_and_back(cooked: &Cooked) {
    for (at, c) in cooked.text.char_indices() {
        let (start, end) = (at as u32, (at + c.len_utf8()) as u32);
        let source = cooked.to_source(Span::new(start, end));
        assert_eq!(cooked.to_text(source.start), Some(start), "{cooked:?} at {at}");
        assert!(source.start < source.end);
    }
}

proptest! {
    #[test]
    fn a_map_there_and_back_is_the_identity(pieces in proptest::collection::vec(piece(), 0..12), quote in quote(), at in 0_u32..9) {
        let source: String = pieces.iter().map(|(source, _)| source.as_str()).collect();
        // Two halves that came together by chance make one.
        prop_assume!(!source.contains("\\ud83c\\ud83c\\udf89") && !source.contains("\\ud83c\\\\"));
        let text: String = pieces.iter().map(|(_, text)| text.as_str()).collect();
        let cooked = literal::read(&quoted(quote, &source), at).expect("a literal");
        prop_assert_eq!(&cooked.text, &text);
        there_and_back(&cooked);
        let mut twice = cooked.clone();
        twice.append(&literal::read(&quoted(quote, &source), at + 1000).expect("a literal"));
        there_and_back(&twice);
    }

    #[test]
    fn what_is_written_is_read_again(text in "[a-c'\"`\\\\${}\n\r\t\u{2028}名🎉]{0,12}", quote in quote()) {
        let source = quoted(quote, &escaped(&text, quote));
        let cooked = literal::read(&source, 0).expect("a literal");
        prop_assert_eq!(cooked.text, text);
        let substitutes = source.replace("\\$", "\\").contains("${");
        prop_assert!(quote != Quote::Template || !substitutes);
    }

    #[test]
    fn no_text_makes_it_fail(text in "[a-z(){}'\"`\\\\.,:+$ \n{}]{0,60}") {
        let text = format!("const {{prompt}} = x; prompt.block({{id: '{text}");
        for dialect in [Dialect::TypeScript, Dialect::Tsx] {
            let source = SourceFile::read(&text, dialect);
            for part in parts(&source, FileId(0)) {
                part.cooked.iter().for_each(|cooked| there_and_back(cooked));
            }
        }
    }
}

#[test]
fn a_line_break_in_a_template_is_one_character() {
    let cooked = literal::read("`a\r\nb\rc\n`", 0).expect("a literal");
    assert_eq!(cooked.text, "a\nb\nc\n");
    assert_eq!(cooked.to_source(Span::new(1, 2)), Span::new(2, 4));
    assert_eq!(cooked.to_text(4), Some(2));
    there_and_back(&cooked);
}

#[test]
fn deep_and_long_sources_are_read_in_bounded_time() {
    let call = "ctx.prompt.block({ id: 't:a', zone: 'system', order: 1, template: true, content: '{x}' });";
    for hostile in [
        "(".repeat(100_000) + call,
        "a(".repeat(20_000) + call,
        "['".repeat(50_000) + call,
        format!("const A = B, B = A; ctx.prompt.block({{ content: A }}); {}", "x + ".repeat(20_000)),
        call.repeat(2_000),
        "rompt".repeat(200_000) + call,
    ] {
        let source = SourceFile::read(&hostile, Dialect::TypeScript);
        assert!(source.registrations.len() <= 2_000);
    }
    let large = call.to_owned() + &" ".repeat(super::LARGEST);
    assert!(SourceFile::read(&large, Dialect::TypeScript).unread.is_some());
}
