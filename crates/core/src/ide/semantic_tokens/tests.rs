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
            "time" variable {"mutable"}
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
            "mood" variable
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
        "time" variable {"mutable"}
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
        "time" variable {"mutable"}
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
            "time" variable {"mutable"}
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
        "time" variable {"mutable"}
        "}}" operator
        "{{" operator
        "nobody" variable {"unknown"}
        "}}" operator
    "#]]
    .assert_eq(body);
}
