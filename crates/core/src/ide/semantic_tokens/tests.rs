use super::*;
use crate::catalog::Catalog;
use crate::ide::testing::{Project, context, system};
use crate::lint::Judge;
use expect_test::{Expect, expect};

fn shown(project: &Project, text: &str) -> String {
    let mut out = String::new();
    for SemanticToken { span, token_type, modifiers } in semantic_tokens(&project.context(), None) {
        let modifiers = if modifiers == Modifiers::NONE { String::new() } else { format!(" {modifiers:?}") };
        out.push_str(&format!("{:?} {}{modifiers}\n", span.of_str(text), token_type.name()));
    }
    out
}

/// The tokens of a file.
fn file(text: &str, expected: Expect) {
    expected.assert_eq(&shown(&Project::new(text), text));
}

/// The tokens of a body in the system zone.
fn body(body: &str, expected: Expect) {
    let text = system(body);
    let all = shown(&Project::new(&text), &text);
    let header = shown(&Project::new(&system("")), &text);
    expected.assert_eq(all.strip_prefix(&header).expect("the same header"));
}

#[test]
fn header() {
    file(
        "\u{feff}---  \r\nid: \"a:b\"\r\nzone: input\r\norder: 1.5\r\nrole: nobody\r\ntemplate: false\r\ncomplete: no\r\nallow: [stray-brace, nonsense]\r\ndescription: |\r\n  你好\r\n  🎉 e\u{301}\r\nwhat: 1\r\n---\r\n{time}",
        expect![[r#"
            "---" operator
            "id" property
            "\"a:b\"" string
            "zone" property
            "input" enumMember
            "order" property
            "1.5" number
            "role" property
            "nobody" string
            "template" property
            "false" keyword
            "complete" property
            "no" string
            "allow" property
            "stray-brace" enumMember
            "description" property
            "|" string
            "你好" string
            "🎉 e\u{301}" string
            "what" property
            "1" string
            "---" operator
        "#]],
    );
}

#[test]
fn no_header() {
    file("{time} {if a}", expect![[r#""#]]);
    file(
        "---\nid: x\nzone: system\n\n{time}",
        expect![[r#"
        "---" operator
        "id" property
        "x" string
        "zone" property
        "system" enumMember
    "#]],
    );
}

#[test]
fn variables() {
    body(
        "你{character_name}{time}🎉{nobody}{ weather  北京 12 \"a }\" }{hero.weapon.if}{mood}",
        expect![[r#"
            "{" operator
            "character_name" variable
            "}" operator
            "{" operator
            "time" variable {"mutable", "deprecated"}
            "}" operator
            "{" operator
            "nobody" variable {"unknown"}
            "}" operator
            "{" operator
            "weather" variable
            "北京" parameter
            "12" number
            "\"a }\"" string
            "}" operator
            "{" operator
            "hero" variable {"unknown"}
            "weapon" property
            "if" property
            "}" operator
            "{" operator
            "mood" variable {"deprecated"}
            "}" operator
        "#]],
    );
}

#[test]
fn control_tags() {
    body(
        "{if is_vip == true}a{elseif limit>=3}b{ else }{ /if }{for m in members}{m}{m.name}{/for}{m}{repeat 3}{/repeat}{while 'x' != \"y\"}{/while}",
        expect![[r#"
            "{" operator
            "if" keyword
            "is_vip" variable
            "==" operator
            "true" keyword
            "}" operator
            "{" operator
            "elseif" keyword
            "limit" variable
            ">=" operator
            "3" number
            "}" operator
            "{" operator
            "else" keyword
            "}" operator
            "{" operator
            "/if" keyword
            "}" operator
            "{" operator
            "for" keyword
            "m" variable {"declaration", "loop"}
            "in" keyword
            "members" variable
            "}" operator
            "{" operator
            "m" variable {"loop"}
            "}" operator
            "{" operator
            "m" variable {"loop"}
            "name" property
            "}" operator
            "{" operator
            "/for" keyword
            "}" operator
            "{" operator
            "m" variable {"unknown"}
            "}" operator
            "{" operator
            "repeat" keyword
            "3" number
            "}" operator
            "{" operator
            "/repeat" keyword
            "}" operator
            "{" operator
            "while" keyword
            "'x'" string
            "!=" operator
            "\"y\"" string
            "}" operator
            "{" operator
            "/while" keyword
            "}" operator
        "#]],
    );
}

#[test]
fn escapes_and_stray_braces() {
    body(
        "{{character_name}} } {{{time}}} {",
        expect![[r#"
            "{{" macro
            "}}" macro
            "{{" macro
            "{" operator
            "time" variable {"mutable", "deprecated"}
            "}" operator
            "}}" macro
        "#]],
    );
}

#[test]
fn malformed() {
    body(
        "{if a >}{time}{/if x}{else x}{/else}",
        expect![[r#"
            "if" keyword
            "{" operator
            "time" variable {"mutable", "deprecated"}
            "}" operator
            "/if" keyword
            "else" keyword
            "/else" keyword
        "#]],
    );
}

#[test]
fn literal() {
    body(
        "看 {\r\n  \"名\": \"{character_name} 和 {nobody}\",\r\n\r\n\t\"b\": {if a} {{x}}\r\n} 后 {time}",
        expect![[r#"
            "{" string
            "\"名\": \"" string
            "{character_name}" comment {"inert"}
            " 和 {nobody}\"," string
            "\"b\": " string
            "{if a}" comment {"inert"}
            " {{x}}" string
            "}" string
            "{" operator
            "time" variable {"mutable", "deprecated"}
            "}" operator
        "#]],
    );
}

#[test]
fn literal_over_chunks() {
    let line = "  \"键\": \"值\",\n";
    let text = system(&format!("{{\n{}}} {{time}}", line.repeat(1000)));
    let project = Project::new(&text);
    let all = semantic_tokens(&project.context(), None);
    assert_eq!(all.iter().filter(|token| token.token_type == TokenType::String).count(), 1 + 1 + 1000 + 1);
    let last = all.iter().rev().find(|token| token.token_type == TokenType::Variable).expect("{time}");
    assert_eq!(last.span.of_str(&text), "time");
}

#[test]
fn loop_over_chunks() {
    let text = system(&format!("{{for 项 in members}}\n{}{{项}}{{/for}}{{项}}", "字 {time}\n".repeat(1000)));
    let project = Project::new(&text);
    let all = semantic_tokens(&project.context(), None);
    let of = |span: &SemanticToken| span.span.of_str(&text) == "项";
    let modifiers: Vec<_> = all.iter().filter(|token| of(token)).map(|token| token.modifiers).collect();
    let declared = Modifiers::DECLARATION.with(Modifiers::LOOP);
    assert_eq!(modifiers, [declared, Modifiers::LOOP, Modifiers::UNKNOWN]);
}

#[test]
fn nothing_is_unknown_without_a_catalog() {
    let text = context("{nobody}");
    let project = Project::with(&text, Judge::new(Catalog::default()));
    assert!(shown(&project, &text).contains("\"nobody\" variable\n"));
}

#[test]
fn a_plain_body_has_no_tokens() {
    let text = system("{time} {{a}} {\"b\"}").replace("true", "false");
    assert!(!shown(&Project::new(&text), &text).contains("time"));
    let project = Project::new(&text);
    let body = project.document.header().body;
    assert_eq!(semantic_tokens(&project.context(), Some(Span::new(body + 1, body + 90))), []);
}

#[test]
fn references_in_double_braces() {
    let text =
        "---\nid: x:a\nzone: system\norder: 1\n---\n你🎉e\u{301} {{time}} {time} {{ no }} {{nobody}} {{";
    let mut project = Project::new("");
    project.judge.profile = crate::profile::Profile::named("harness").expect("a profile");
    let project = Project::with(text, project.judge.clone());
    let all = shown(&project, text);
    let body = all.rsplit_once("\"---\" operator\n").expect("a header").1;
    expect![[r#"
        "{{" operator
        "time" variable {"mutable", "deprecated"}
        "}}" operator
        "{{" operator
        "nobody" variable {"unknown"}
        "}}" operator
    "#]]
    .assert_eq(body);
}

/// The modifiers of every `name`, in order.
fn modifiers_of(project: &Project, text: &str, name: &str) -> Vec<Modifiers> {
    let all = semantic_tokens(&project.context(), None);
    all.iter().filter(|token| token.span.of_str(text) == name).map(|token| token.modifiers).collect()
}

#[test]
fn what_would_be_an_error_here() {
    let wrong = Modifiers::MUTABLE.with(Modifiers::DEPRECATED);
    let body =
        "你🎉 {time}{if time == 1}{for x in time}{x}{/for}{/if}{for time in members}{time}{/for}{time}";
    let text = system(body);
    let declared = Modifiers::DECLARATION.with(Modifiers::LOOP);
    let expected = [wrong, wrong, wrong, declared, Modifiers::LOOP, wrong];
    assert_eq!(modifiers_of(&Project::new(&text), &text, "time"), expected);
    let text = context(body);
    let allowed = Modifiers::MUTABLE;
    let expected = [allowed, allowed, allowed, declared, Modifiers::LOOP, allowed];
    assert_eq!(modifiers_of(&Project::new(&text), &text, "time"), expected);
    // An operand has no arguments, and this one needs some; a tag that lacks them is wrong, its variable is not.
    let text = context("{weather}{if weather}{/if}{guild}");
    let project = Project::new(&text);
    assert_eq!(modifiers_of(&project, &text, "weather"), [Modifiers::NONE, Modifiers::DEPRECATED]);
    assert_eq!(modifiers_of(&project, &text, "guild"), [Modifiers::NONE]);
    let text = system("{guild}{mood}{天气}");
    let project = Project::new(&text);
    assert_eq!(modifiers_of(&project, &text, "guild"), [Modifiers::DEPRECATED], "of another zone");
    assert_eq!(modifiers_of(&project, &text, "mood"), [Modifiers::DEPRECATED], "nobody can say");
    assert_eq!(modifiers_of(&project, &text, "天气"), [Modifiers::NONE]);
}

#[test]
fn what_is_no_error_here_is_none() {
    let text = system("{time}").replace("template: true", "template: true\nallow: [mutable-in-system]");
    assert_eq!(modifiers_of(&Project::new(&text), &text, "time"), [Modifiers::MUTABLE], "allowed");
    let text = system("{time}");
    let mut judge = Project::new("").judge;
    judge.severity.insert(crate::Code::MutableInSystem, Some(crate::Severity::Warning));
    assert_eq!(modifiers_of(&Project::with(&text, judge), &text, "time"), [Modifiers::MUTABLE], "a warning");
}

#[test]
fn a_text_in_source_code_has_its_own_tokens_alone() {
    let source = "ctx.prompt.block({ id: 'a:b', zone: 'system', order: 120, template: true, content: '你🎉 {time}\\n{if is_vip}' })";
    let read = crate::source::SourceFile::read(source, crate::source::Dialect::Tsx);
    let part = crate::source::parts(&read, crate::FileId(9)).pop().expect("a block");
    let document = part.document.expect("a text");
    let project = Project::new("");
    let cx = Context { document: &document, ..project.context() };
    let text = document.text().to_string();
    let all = semantic_tokens(&cx, None);
    let pieces: Vec<&str> = all.iter().map(|token| token.span.of_str(&text)).collect();
    assert_eq!(pieces, ["{", "time", "}", "{", "if", "is_vip", "}"], "{text:?} {all:?}");
    let some = semantic_tokens(&cx, Some(Span::new(0, 3)));
    assert_eq!(some, [], "before the first tag");
}

#[test]
fn every_type_has_names_to_fall_back_on() {
    for token_type in TokenType::ALL {
        let names = token_type.instead();
        assert!(!names.contains(&token_type.name()) || names.is_empty(), "{token_type:?}");
    }
}
