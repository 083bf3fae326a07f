//! What is offered for each code, in both languages, and what stands there afterwards.

use super::testing::{Alone, applied, fixes_in};
use super::{Context, Register, allow, fixes};
use crate::lint::fixture::{block, context, findings, fresh, judge_with, system};
use crate::lint::{Code, Judge};
use crate::project::Index;
use crate::syntax::Document;
use crate::{FileId, Locale};
use std::sync::Arc;

const CATALOG: &str = r#"{"variables": {
  "hero": {}, "名": {}, "count": {"type": "number"}, "members": {"type": "list"},
  "time": {"mutable": true}, "mood": {"mutable": {"when": "is_group == true"}},
  "scene": {"zones": ["context"]}, "badge": {"zones": ["system"]}, "weather": {"args": ["city", {"name": "unit", "optional": true}]}
}}"#;

fn judge() -> Judge {
    judge_with(Some(CATALOG))
}

/// Title in English, `!` for what may be done without asking, `*` for the obvious one; and the text afterwards, in which
/// fewer findings of the code are left.
fn offered_in(code: Code, text: &str, around: &Alone) -> Vec<(String, String)> {
    let judge = judge();
    let mut document = Document::new(text, Arc::clone(&judge.profile));
    let found = findings(&mut document, &judge);
    let finding = found
        .iter()
        .find(|finding| finding.code == code)
        .unwrap_or_else(|| panic!("{code} in {text}: {found:?}"));
    let count = |text: &str| fresh(text, &judge).iter().filter(|finding| finding.code == code).count();
    let fixes = fixes_in(&document, &judge, around, finding).into_iter().filter(|fix| !fix.edits.is_empty());
    let shown = fixes.map(|fix| {
        let after = applied(text, &fix);
        assert!(count(&after) < count(text), "{fix:?} gave {after}");
        let zh = fix.title.text(Locale::ZhCn);
        assert!(zh.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)), "{zh}");
        let marks = [(fix.safe, "!"), (fix.preferred, "*")].map(|(is, mark)| if is { mark } else { "" });
        (format!("{}{}", fix.title.text(Locale::En), marks.concat()), after)
    });
    shown.collect()
}

fn offered(code: Code, text: &str) -> Vec<(String, String)> {
    offered_in(code, text, &Alone { stem: Some("规则-1"), ..Alone::default() })
}

/// Of each fix its title and the text afterwards, in which `from` has become that.
fn check(code: Code, text: &str, from: &str, expected: &[(&str, &str)]) {
    assert_eq!(text.matches(from).count(), 1, "{from:?} once in {text}");
    let expected: Vec<_> =
        expected.iter().map(|(title, to)| ((*title).to_owned(), text.replace(from, to))).collect();
    assert_eq!(offered(code, text), expected);
}

#[test]
fn a_missing_prompt_by_what_is_done() {
    let title = |header: &str, body: &str| {
        let text = format!("---\nid: t:a\nzone: input\n{header}---\n{body}");
        offered(Code::MissingPrompt, &text).swap_remove(0).0.trim_end_matches(['!', '*']).to_owned()
    };
    assert_eq!(title("template: true\n", "x\n"), "Add `{prompt}`");
    assert_eq!(title("", "{prompt}\n"), "Make this block a template");
    assert_eq!(title("template: false\n", "x\n"), "Make this block a template and add `{prompt}`");
}

#[test]
fn orders() {
    let at = |order: &str| system("x").replace("order: 10", &format!("order: {order} # 名"));
    check(
        Code::OrderOutOfRange,
        &at("300"),
        "300 ",
        &[
            ("Set `order` to 299: platform constraints (250..299)", "299 "),
            ("Set `order` to 298: platform constraints (250..299)", "298 "),
        ],
    );
    check(
        Code::OrderOutOfRange,
        &at("120.5"),
        "120.5",
        &[
            ("Set `order` to 121: tool guidance (100..199)", "121"),
            ("Set `order` to 120: tool guidance (100..199)", "120"),
        ],
    );
    check(
        Code::OrderOffBand,
        &at("-50"),
        "-50",
        &[("Set `order` to -100: safety (-100)", "-100"), ("Set `order` to 0: persona (0)", "0")],
    );
    check(
        Code::OrderOffBand,
        &at("-299"),
        "-299",
        &[
            ("Set `order` to -300: identity (-300)", "-300"),
            ("Set `order` to -200: deployment constraints (-200..-101)", "-200"),
        ],
    );
}

#[test]
fn missing_keys() {
    let without_order = block("zone: context\ntemplate: true # 🎉", "x");
    check(
        Code::MissingKey,
        &without_order,
        "zone: context\n",
        &[("Insert `order: 100`", "zone: context\norder: 100\n")],
    );
    let crlf = without_order.replace('\n', "\r\n");
    check(
        Code::MissingKey,
        &crlf,
        "zone: context\r\n",
        &[("Insert `order: 100`", "zone: context\r\norder: 100\r\n")],
    );
    let without_zone = "---\nid: t:a\norder: 120\ntemplate: true\n---\n{scene}\n";
    check(Code::MissingKey, without_zone, "t:a\n", &[("Insert `zone: context`", "t:a\nzone: context\n")]);
    let without_both = "---\nid: t:a\ntemplate: true\n---\n{prompt}\n";
    check(Code::MissingKey, without_both, "t:a\n", &[("Insert `zone: input`", "t:a\nzone: input\n")]);
    let plain = "---\nid: t:a\n---\nx\n";
    check(
        Code::MissingKey,
        plain,
        "t:a\n",
        &[
            ("Insert `zone: context`", "t:a\nzone: context\norder: 100\n"),
            ("Insert `zone: system`", "t:a\nzone: system\norder: 100\n"),
        ],
    );
    let titles: Vec<String> =
        offered(Code::MissingKey, &block("zone: system", "x")).into_iter().map(|(title, _)| title).collect();
    assert_eq!(titles[0], "Insert `order: 100`: tool guidance (100..199)");
    assert_eq!(titles.len(), 6, "{titles:?}");
}

#[test]
fn ids() {
    let without = "---\nzone: context\norder: 1\n---\nx\n";
    let around = |stem, plugins: &[&'static str]| Alone {
        stem: Some(stem),
        plugins: plugins.to_vec(),
        ..Alone::default()
    };
    let after = |stem, plugins: &[&'static str]| {
        let all = offered_in(Code::MissingKey, without, &around(stem, plugins));
        all.into_iter()
            .map(|(_, text)| text.lines().nth(1).unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(after("规则", &["demo", "pub"]), ["id: demo:规则", "id: pub:规则"]);
    assert_eq!(after("rules", &[]), ["id: rules"]);
    assert_eq!(after("a b: 1", &["demo"]), ["id: \"demo:a b: 1\""], "quoted where YAML asks for it");
    assert_eq!(after("true", &[]), ["id: \"true\""]);
    let bare = |id: &str| format!("---\nid: {id}\nzone: context\norder: 1\n---\nx\n");
    let all = offered_in(Code::IdWithoutPrefix, &bare("'规则' # x"), &around("x", &["demo"]));
    assert_eq!(all, [("Rename to `demo:规则`".to_owned(), bare("'demo:规则' # x"))]);
    let own = bare("rules\nplugin: pub");
    let all = offered_in(Code::IdWithoutPrefix, &own, &around("x", &["demo"]));
    assert_eq!(all, [("Rename to `pub:rules`".to_owned(), own.replace("rules", "pub:rules"))]);
    assert!(offered(Code::IdWithoutPrefix, &bare("rules")).is_empty(), "nobody knows the plugin");
    check(Code::InvalidValue, &bare("\"\""), "\"\"", &[("Replace with `规则-1`", "规则-1")]);
    check(Code::InvalidValue, &bare(""), "id: ", &[("Insert `规则-1`", "id: 规则-1")]);
}

#[test]
fn values() {
    let of = |line: &str| block(&format!("zone: system\norder: 110\n{line}"), "x");
    let all = offered(Code::InvalidValue, &of("role: nobody"));
    let titles: Vec<&str> = all.iter().map(|(title, _)| &**title).collect();
    assert_eq!(
        titles,
        ["Replace with `system`", "Replace with `user`", "Replace with `assistant`", "Remove this key"]
    );
    assert_eq!(all[3].1, of("x").replace("x\n", ""));
    check(
        Code::InvalidValue,
        &of("allow: [no-such, stray-brace]"),
        "no-such, ",
        &[("Remove this entry", "")],
    );
    check(
        Code::InvalidValue,
        &of("allow:\n  - stray-brace\n  - 名"),
        "  - 名\n",
        &[("Remove this entry", "")],
    );
    check(Code::InvalidValue, &of("allow: [名]"), "allow: [名]\n", &[("Remove this entry", "")]);
    check(Code::InvalidValue, &of("plugin:"), "plugin:\n", &[("Remove this key", "")]);
    let zone = block("zone: 名\norder: 5", "x");
    check(
        Code::InvalidValue,
        &zone,
        "名",
        &[("Replace with `context`", "context"), ("Replace with `system`", "system")],
    );
    check(
        Code::InvalidValue,
        &block("zone:\norder: 5", "{"),
        "zone:",
        &[("Insert `context`", "zone: context"), ("Insert `system`", "zone: system")],
    );
    check(
        Code::InvalidValue,
        &block("zone: context\norder: late", "x"),
        "late",
        &[("Replace with `100`", "100")],
    );
}

#[test]
fn headers() {
    let text = "\u{feff}名🎉\r\nmore\r\n";
    check(
        Code::InvalidHeader,
        text,
        "名🎉",
        &[
            ("Add a header, zone `system`", "---\r\nid: 规则-1\r\nzone: system\r\norder: 100\r\n---\r\n名🎉"),
            (
                "Add a header, zone `context`",
                "---\r\nid: 规则-1\r\nzone: context\r\norder: 100\r\n---\r\n名🎉",
            ),
        ],
    );
    let shifted = " ----\nid: t:a\nzone: context\norder: 1\n---\nx\n";
    check(Code::InvalidHeader, shifted, " ----", &[("Replace with `---`", "---")]);
}

#[test]
fn zones() {
    check(
        Code::MutabilityUndetermined,
        &system("{mood}"),
        "system",
        &[("Move this block to the context zone", "context")],
    );
    check(
        Code::ZoneMismatch,
        &system("{scene}"),
        "system",
        &[("Move this block to the context zone", "context")],
    );
    check(
        Code::ZoneMismatch,
        &context("{badge}"),
        "context",
        &[("Move this block to the system zone", "system")],
    );
    check(
        Code::ZoneMismatch,
        &context("{prompt}"),
        "context",
        &[("Move this block to the input zone", "input")],
    );
    for text in [
        system("{time}{badge}"),
        system("{time}").replace("order", "role: user\norder"),
        system("{prompt}{scene}"),
    ] {
        assert!(
            offered(Code::MutableInSystem, &text).is_empty(),
            "what else stands there could not follow: {text}"
        );
    }
    let input = block("zone: input\ntemplate: true", "{prompt}{scene}");
    assert!(offered(Code::ZoneMismatch, &input).is_empty());
}

#[test]
fn tags() {
    let of = |body: &str| system(body);
    check(Code::UnexpectedTag, &of("名{/if} x"), "{/if}", &[("Remove this tag", "")]);
    check(
        Code::UnexpectedTag,
        &of("{if hero}x{/for}"),
        "{/for}",
        &[("Replace with `{/if}`", "{/if}"), ("Remove this tag", "")],
    );
    check(Code::UnexpectedTag, &of("{if hero}x{else}y{else}z{/if}"), "y{else}", &[("Remove this tag", "y")]);
    assert!(offered(Code::UnexpectedTag, &of("{{{/if}")).is_empty(), "what is left would be another tag");
    check(
        Code::UnclosedTag,
        &of("{if hero}名"),
        "{if hero}名",
        &[("Close with `{/if}` at the end!*", "{if hero}名{/if}"), ("Remove this tag", "名")],
    );
    check(
        Code::EndlessWhile,
        &of("{ while hero }x{/while}"),
        "{ while hero }x{/while}",
        &[("Make it an `{if}`", "{ if hero }x{/if}")],
    );
    check(Code::UnknownVariable, &of("{if hero}x{endif}"), "{endif}", &[("Replace with `{/if}`", "{/if}")]);
    check(Code::UnknownVariable, &of("{if hero}x{ end }"), "{ end }", &[("Replace with `{/if}`", "{/if}")]);
    check(
        Code::UnknownVariable,
        &of("{if hero}x{elif count > 1}y{/if}"),
        "{elif count > 1}",
        &[("Replace with `{elseif count > 1}`", "{elseif count > 1}")],
    );
    check(
        Code::UnknownVariable,
        &of("{if hero}x{elsif}y{/if}"),
        "{elsif}",
        &[("Replace with `{else}`", "{else}")],
    );
    for body in
        ["{endif}", "{if hero}x{/if}{endif}", "{if hero}{endif}{/if}", "{for m in members}{elif hero}{/for}"]
    {
        assert!(offered(Code::UnknownVariable, &of(body)).is_empty(), "{body}");
    }
    check(Code::ArgumentCount, &of("{weather a b c 名}"), " c 名", &[("Remove the surplus arguments", "")]);
    assert!(offered(Code::ArgumentCount, &of("{weather}")).is_empty(), "nobody knows the city");
}

#[test]
fn expressions() {
    for (written, meant) in [
        ("if hero = \"名\"", "if hero == \"名\""),
        ("if hero=count", "if hero == count"),
        ("if (count => 3)", "if count >= 3"),
        ("if count <> 3:", "if count != 3"),
        ("while hero is true", "while hero == true"),
        ("if hero == old man", "if hero == \"old man\""),
        ("for m of members", "for m in members"),
        ("for (const m of members)", "for m in members"),
        ("for m: members", "for m in members"),
        ("repeat 3 times", "repeat 3"),
        ("repeat (count)", "repeat count"),
        ("repeat 3次", "repeat 3"),
    ] {
        let kind = written.split(' ').next().unwrap_or_default();
        let text = system(&format!("{{{written}}}x{{/{kind}}}"));
        check(
            Code::InvalidExpression,
            &text,
            &format!("{{{written}}}"),
            &[(&format!("Replace with `{{{meant}}}`"), &format!("{{{meant}}}"))],
        );
    }
    check(
        Code::InvalidExpression,
        &system("名{if in doubt, ask}."),
        "{if in doubt, ask}",
        &[("Escape the braces: it is text", "{{if in doubt, ask}}")],
    );
    check(
        Code::InvalidExpression,
        &system("{if hero}a{else count}b{/if}"),
        "{else count}",
        &[("Replace with `{elseif count}`", "{elseif count}"), ("Replace with `{else}`", "{else}")],
    );
    check(
        Code::InvalidExpression,
        &system("{if hero}a{/else}"),
        "{/else}",
        &[("Replace with `{/if}`", "{/if}")],
    );
    for body in [
        "{if}x{/if}",
        "{for in x}{/for}",
        "{repeat}{/repeat}",
        "{if hero and count}x{/if}",
        "{repeat how often}{/repeat}",
    ] {
        let all = offered(Code::InvalidExpression, &system(body));
        assert!(all.iter().all(|(title, _)| !title.contains("{/")), "{body}: {all:?}");
    }
}

#[test]
fn one_obvious_way() {
    check(Code::UnknownVariable, &system("🎉{heroo}"), "heroo", &[("Replace with `hero`*", "hero")]);
    check(
        Code::LiteralBraces,
        &system("{\"a\": {\"名\": 1}}"),
        "{\"a\": {\"名\": 1}}",
        &[("Escape these braces!*", "{{\"a\": {{\"名\": 1}}}}")],
    );
}

#[test]
fn a_name_is_registered_as_it_is_used() {
    let judge = judge();
    let catalog = Register::into(FileId(5), "目录.json", "{\"variables\": {}}").expect("a register");
    let around = Alone { registers: vec![catalog, Register::new(FileId(6), "new.json")], ..Alone::default() };
    let entries = |body: &str| {
        let mut document = Document::new(&system(body), Arc::clone(&judge.profile));
        let found = findings(&mut document, &judge);
        let finding = found.iter().find(|finding| finding.code == Code::UnknownVariable).expect("a finding");
        let fixes = fixes_in(&document, &judge, &around, finding);
        let fixes = fixes.into_iter().filter(|fix| fix.edits.is_empty());
        fixes
            .map(|fix| {
                assert!(!fix.safe && !fix.preferred);
                let other = &fix.elsewhere[0];
                (
                    fix.title.text(Locale::En).to_owned(),
                    other.file.0,
                    other.creates,
                    other.edits[0].text.to_string(),
                )
            })
            .collect::<Vec<_>>()
    };
    let both = entries("{nobody.first x 'y z'}");
    assert_eq!(
        both[0],
        (
            "Register `nobody` in `目录.json`".to_owned(),
            5,
            false,
            "\"nobody\": {\"description\": \"\", \"args\": [\"arg1\", \"arg2\"]}".to_owned(),
        )
    );
    assert_eq!((&*both[1].0, both[1].1, both[1].2), ("Register `nobody` in a new `new.json`", 6, true));
    assert!(entries("{for x in 大家}{/for}")[0].3.ends_with(", \"type\": \"list\"}"));
    assert!(
        entries("{for x in nobody.all}{/for}")[0].3.ends_with("\"description\": \"\"}"),
        "nobody knows what it is"
    );
    assert!(entries("{endif}").is_empty());
}

#[test]
fn a_type_is_corrected_where_it_is_declared() {
    let judge = judge();
    let mut document = Document::new(&system("{for x in count}{/for}"), Arc::clone(&judge.profile));
    let found = findings(&mut document, &judge);
    let finding = found.iter().find(|finding| finding.code == Code::NotAList).expect("a finding");
    let with = |text: &str| {
        let around = Alone { texts: vec![(FileId(1), text.to_owned())], ..Alone::default() };
        fixes_in(&document, &judge, &around, finding)
    };
    let [fix] = &with(CATALOG)[..] else { panic!("one fix") };
    assert_eq!(fix.title.text(Locale::En), "Declare `count` as a `list`");
    let edit = &fix.elsewhere[0].edits[0];
    assert_eq!((edit.span.of_str(CATALOG), &*edit.text), ("\"number\"", "\"list\""));
    assert!(with(&CATALOG.replace("\"hero\": {}, ", "")).is_empty(), "the places are those of another text");
    assert!(with("").is_empty());
}

#[test]
fn a_code_is_switched_off_in_a_list_of_any_form() {
    let judge = judge();
    let off = |header: &str| {
        let text = block(&format!("zone: system\norder: 110\ntemplate: true\n{header}"), "{nobody} }");
        let document = Document::new(&text, Arc::clone(&judge.profile));
        let fix = allow(&document, Code::UnknownVariable)?;
        assert!(!fix.safe && !fix.preferred);
        let after = applied(&text, &fix);
        let left: Vec<Code> = fresh(&after, &judge).iter().map(|finding| finding.code).collect();
        assert!(!left.contains(&Code::UnknownVariable), "{after}");
        let (_, rest) = after.split_once("template: true\n").expect("the header");
        Some(rest.split_once("---").expect("its end").0.to_owned())
    };
    for (header, after) in [
        ("# x", "# x\nallow: [unknown-variable]\n"),
        ("allow:", "allow: [unknown-variable]\n"),
        ("allow: []", "allow: [unknown-variable]\n"),
        ("allow: [stray-brace] # 名", "allow: [stray-brace, unknown-variable] # 名\n"),
        ("allow: [stray-brace,]", "allow: [stray-brace, unknown-variable]\n"),
        ("allow: [\n  stray-brace\n]", "allow: [\n  stray-brace, unknown-variable\n]\n"),
        (
            "allow:\n  - stray-brace # 名\ndescription: x",
            "allow:\n  - stray-brace # 名\n  - unknown-variable\ndescription: x\n",
        ),
        ("allow:\n- stray-brace", "allow:\n- stray-brace\n- unknown-variable\n"),
    ] {
        assert_eq!(off(header).as_deref(), Some(after), "{header}");
    }
    for header in ["allow: stray-brace", "allow: {a: b}", "allow: [unknown-variable]"] {
        assert_eq!(off(header), None, "{header}");
    }
    let flow = Document::new("---\n{id: t:a, zone: context, order: 1}\n---\nx\n", Arc::clone(&judge.profile));
    assert_eq!(allow(&flow, Code::StrayBrace), None);
    let sound = Document::new(&system("x"), Arc::clone(&judge.profile));
    assert_eq!(allow(&sound, Code::InvalidValue), None, "what says that a file cannot be read stays");
}

#[test]
fn what_other_blocks_have_is_not_free() {
    let judge = judge();
    let mut index = Index::default();
    let texts: Vec<String> = [("t:a", 120), ("t:a", 120), ("t:a-2", 121), ("t:b", 119), ("t:c", 101)]
        .iter()
        .map(|(id, order)| system("x").replace("t:a", id).replace("10\n", &format!("{order}\n")))
        .collect();
    let mut documents = Vec::new();
    for (file, text) in (0..).zip(&texts) {
        let mut document = Document::new(text, Arc::clone(&judge.profile));
        document.judge(&judge);
        index.update(FileId(file), Some(document.facts()));
        documents.push(document);
    }
    let document = &documents[0];
    let around = Alone::default();
    let (text, shown) = (document.text(), Some(document));
    let cx = Context {
        file: FileId(0),
        text,
        document: shown,
        judge: &judge,
        index: &index,
        surroundings: &around,
    };
    let titles: Vec<String> = index
        .findings(FileId(0))
        .iter()
        .flat_map(|finding| fixes(&cx, finding))
        .map(|fix| fix.title.text(Locale::En).to_owned())
        .collect();
    assert_eq!(
        titles,
        [
            "Rename this one to `t:a-3`",
            "Set `order` to 122: tool guidance (100..199)",
            "Set `order` to 118: tool guidance (100..199)"
        ]
    );
}

#[test]
fn what_would_cost_the_file_for_each_finding_is_not_offered() {
    // A line as long as a book.
    let long = "é ".repeat(20_000);
    let ways = |code, body: &str| offered(code, &system(body)).len();
    assert!(ways(Code::UnexpectedTag, "{if hero}x{/for}") > 1);
    assert_eq!(ways(Code::UnexpectedTag, &format!("{long}{{if hero}}x{{/for}}")), 1, "it can be removed");
    // One tag among very many in one pair of braces: each would repeat all the other edits.
    let object = |count: usize| {
        let rest: String = (0..count).map(|number| format!(", \"{number}\": {{\"a\": 1}}")).collect();
        format!("{{\"name\": \"{{hero}}\"{rest}}}")
    };
    assert_eq!(ways(Code::InertTag, &object(3)), 1);
    assert_eq!(ways(Code::InertTag, &object(1000)), 0);
    // A closer cannot be meant where an outer one is closed further on.
    assert!(
        offered(Code::UnknownVariable, &system("{if hero}{for m in members}{endif}{/for}{/if}")).is_empty()
    );
    assert!(offered(Code::UnknownVariable, &system("{if hero}{endif}{else}{/if}")).is_empty());
    assert!(offered(Code::UnknownVariable, &system("{if hero}a{else}b{elif hero}{/if}")).is_empty());
}

#[test]
fn a_block_that_moves_takes_a_free_order_along() {
    let judge = judge();
    let moved = |order: &str, taken: &[u32]| {
        let text = system("{mood}").replace("order: 10\n", &format!("order: {order}\n"));
        let mut index = Index::default();
        for (file, taken) in (1..).zip(taken) {
            let text = context("x").replace("order: 10\n", &format!("order: {taken}\n"));
            let mut other = Document::new(&text, Arc::clone(&judge.profile));
            other.judge(&judge);
            index.update(FileId(file), Some(other.facts()));
        }
        let mut document = Document::new(&text, Arc::clone(&judge.profile));
        let found = findings(&mut document, &judge);
        index.update(FileId(0), Some(document.facts()));
        let finding = found.iter().find(|it| it.code == Code::MutabilityUndetermined).expect("a finding");
        let around = Alone::default();
        let (text, shown) = (document.text(), Some(&document));
        let cx = Context {
            file: FileId(0),
            text,
            document: shown,
            judge: &judge,
            index: &index,
            surroundings: &around,
        };
        let fix = fixes(&cx, finding).into_iter().next().expect("a fix");
        let after = applied(&document.text().to_string(), &fix);
        let order = after.lines().find_map(|line| line.strip_prefix("order: ")).expect("an order").to_owned();
        assert!(after.contains("zone: context"), "{after}");
        order
    };
    assert_eq!(moved("110", &[]), "110", "free there: it stays");
    assert_eq!(moved("110", &[110, 100]), "120", "and no other block's there");
}
