use super::*;
use crate::assemble::fixture::{assembly_of, sent};
use crate::ide::testing::{Project, cursor, system};
use crate::lint::Judge;
use crate::profile::Profile;
use crate::syntax::parse_header;
use proptest::prelude::*;

fn applied(text: &str, edits: &[Edit]) -> String {
    let mut after = text.to_owned();
    let mut start = usize::MAX;
    for edit in edits.iter().rev() {
        assert!(edit.span.range().end <= start && edit.span.start <= edit.span.end, "{edits:?}");
        start = edit.span.range().start;
        after.replace_range(edit.span.range(), &edit.text);
    }
    after
}

fn formatted(text: &str) -> String {
    let project = Project::new(text);
    applied(text, &formatting(&project.context(), None))
}

/// Formats `before`, with each kind of line end, and with a BOM and without.
fn check(before: &str, after: &str) {
    for (mark, line_end) in [("", "\n"), ("\u{feff}", "\r\n"), ("", "\r"), ("\u{feff}", "\n")] {
        let shape = |text: &str| format!("{mark}{}", text.replace('\n', line_end));
        let (before, after) = (shape(before), shape(after));
        assert_eq!(formatted(&before), after, "{mark:?} {line_end:?}");
        assert_eq!(formatted(&after), after, "again");
    }
}

fn check_body(before: &str, after: &str) {
    check(&format!("{}\n", system(before)), &format!("{}\n", system(after)));
}

#[test]
fn keys_in_their_order_with_their_comments() {
    check(
        "---  \n# the file\n\n\nnote: x   # keep\norder:   10\n# why\n# so low\nzone:   system  \nid : \"t:a\"\n\ndescription:  |\n  你好🎉\n  # no comment\n\n  e\u{301}\n# last\n---\t\nx\n",
        "---\n# the file\n\nid: \"t:a\"\n# why\n# so low\nzone: system\norder: 10\ndescription: |\n  你好🎉\n  # no comment\n\n  e\u{301}\nnote: x   # keep\n# last\n---\nx\n",
    );
}

#[test]
fn values_of_several_lines_stay_as_they_are() {
    check(
        "---\nallow: [stray-brace,\n   literal-braces]\nid: a:b\nzone: context\ndescription: \"a\n   b\"\norder: 1\n---\n",
        "---\nid: a:b\nzone: context\norder: 1\ndescription: \"a\n   b\"\nallow: [stray-brace,\n   literal-braces]\n---\n",
    );
}

#[test]
fn a_header_that_is_no_plain_list_of_keys_stays_as_it_is() {
    for header in [
        "{zone: system, id: a:b}",
        "zone: system\nid: a:b\nzone: context",
        "zone: system\n id: [a",
        "  zone: system\n  id: a:b",
        "zone: &z system\nrole: *z\nid: a:b",
        "? zone\n: system\n? id\n: a:b",
        "zone: system\n...\nid: a:b",
        "description: |+\n  a\n\nid: a:b",
    ] {
        let text = format!("---\n{header}\n---\nx\n");
        let after = formatted(&text);
        // The anchor's key may stand where it is; nothing may be lost.
        if header.contains("&z") {
            let of = |text: &str| parse_header(text, &Profile::blocks()).0.role();
            assert_eq!(of(&after), of(&text));
            continue;
        }
        assert_eq!(after, text, "{header}");
    }
    for text in ["zone: x\nid: y\n\n{ a }\n\n\n", "---\nzone:   system\nid: a\n\nbody\n\n\n", ""] {
        assert_eq!(formatted(text), text);
    }
}

#[test]
fn no_blank_lines_around_the_content() {
    check_body("\n \t\n  a\n\n  b  \n \n\n", "  a\n\n  b  ");
    let header = system("");
    assert_eq!(formatted(&format!("{header}x")), format!("{header}x\n"));
    assert_eq!(formatted(&format!("{header}\n \n\n")), header);
    assert_eq!(formatted(&format!("{header}\u{3000}\n")), format!("{header}\u{3000}\n"), "no blank");
}

#[test]
fn blanks_in_tags() {
    check_body(
        "你🎉{ time }{\ttime\t}{ weather   上海 \t 'a  b' }{if  is_vip}{ if limit>-1 }{elseif limit  >=2 }{ else }{ /if }{/if}",
        "你🎉{time}{time}{weather 上海 'a  b'}{if is_vip}{if limit > -1}{elseif limit >= 2}{else}{/if}{/if}",
    );
    check_body(
        "{ for  m\tin members }{ m }{ m.x }{ /for\t}{ repeat 2 }{ /repeat }{while  a==b }",
        "{for m in members}{m}{m.x}{/for}{repeat 2}{/repeat}{while a == b}",
    );
    check_body("{ time }}{{{ time }}}{time }}}", "{time}}{{{time}}}{time}}}");
}

#[test]
fn what_renders_as_its_own_text_stays() {
    for body in [
        "{ nobody } { m }",
        "{ /if } { else }{elseif  a }",
        "{ if a > }{ else }{ /if }",
        "{/if  x } {else  x }",
        "{\"a\": { time }}",
        "{{ time }} {/ if} {  }",
        "{if a}{ else  x }{ else }{/if}",
        "{for m in members}{ else }{/for}",
    ] {
        let kept = if body.starts_with("{if a}{ else  x }") { "{if a}{ else  x }{else}{/if}" } else { body };
        check_body(body, kept);
    }
    // Where the body is no template, braces are text.
    let text = "---\nid: a:b\nzone: system\norder: 1\n---\n{ time }\n";
    check(text, text);
}

#[test]
fn a_range() {
    let text =
        "---\nzone: system\nid: a:b\norder: 1\ntemplate: true\n---\n\n{ time } { time }\n{ time }\n\n\n";
    let project = Project::new(text);
    let at = crate::span::offset(text.find("{ time }\n{").expect("there"));
    let edits = formatting(&project.context(), Some(Span::new(at, at + 3)));
    assert_eq!(applied(text, &edits), text.replace("{ time }\n{", "{time}\n{"));
    let edits = formatting(&project.context(), Some(Span::new(0, 5)));
    assert_eq!(applied(text, &edits), text.replace("zone: system\nid: a:b\n", "id: a:b\nzone: system\n"));
}

#[test]
fn on_type() {
    let typed = |text: &str| {
        let (text, at) = cursor(&system(text));
        let project = Project::new(&text);
        applied(&text, &formatting_on_type(&project.context(), at))
    };
    assert_eq!(typed("名{ time }$0{ time }"), system("名{time}{ time }"));
    assert_eq!(typed("{ if limit>3 }$0"), system("{if limit > 3}"));
    for body in ["{ time }", "{ time} }", "{ nobody }", "{\"a\": { time }"] {
        assert_eq!(typed(&format!("{body}x$0")), system(&format!("{body}x")), "{body}");
    }
    assert_eq!(typed("{\"a\": { time }}$0"), system("{\"a\": { time }}"));
    let project = Project::new("---\nid: }\n---\n");
    assert_eq!(formatting_on_type(&project.context(), 9), []);
    assert_eq!(formatting_on_type(&project.context(), 0), []);
}

/// What a body says: its live tags by their pieces, all else by its bytes.
fn meaning(text: &str) -> String {
    let mut project = Project::new(text);
    project.judge_again();
    let document = &project.document;
    let base = document.header().body;
    let content = document.content();
    let partners: std::collections::HashSet<_> = document
        .body()
        .pairs()
        .into_iter()
        .filter(|pair| !pair.malformed)
        .flat_map(|pair| pair.branches.into_iter().chain(pair.closer))
        .collect();
    let mut out = String::new();
    let mut done = content.start;
    for view in document.body().views(document.text(), base) {
        let mut open = view.open_at(view.start);
        for (index, token) in view.tokens().iter().enumerate() {
            if token.state != crate::syntax::State::Live {
                continue;
            }
            use crate::syntax::TokenKind::*;
            let first = view.tokens().parts(token).first();
            let effective = match token.kind {
                Variable => first.is_some_and(|part| {
                    let name = crate::syntax::first_segment(view.text_of(part.span));
                    open.loop_of(name).is_some() || project.judge.catalog.get(name).is_some()
                }),
                Opener(_) => true,
                Else | ElseIf | Closer(_) => {
                    let index = crate::span::offset(index);
                    partners.contains(&crate::syntax::TokenRef { chunk: view.index, index })
                }
                _ => false,
            };
            if effective {
                let span = token.span.shift(view.start);
                out += &document.slice(Span::new(done, span.start));
                out += &format!("⟨{:?}", token.kind);
                for part in view.tokens().parts(token) {
                    out += &format!(" {}", view.text_of(part.span));
                }
                out.push('⟩');
                done = span.end;
            }
            view.pass(&mut open, index, token);
        }
    }
    out += &document.slice(Span::new(done, content.end));
    out
}

const SCENES: [&str; 2] = [
    "{\"is_vip\": true, \"limit\": 9, \"members\": [\"一\", \"b\"], \"time\": \"now\", \"weather\": \"{x}\"}",
    "{\"is_vip\": false, \"limit\": 1, \"members\": [], \"time\": \"🎉\", \"weather\": \"\"}",
];

fn texts() -> impl Strategy<Value = String> {
    let pieces = [
        "{",
        "}",
        "{{",
        "}}",
        "{ if is_vip }",
        "{/if}",
        "{ /if }",
        "{else}",
        "{ else }",
        "{elseif limit>3}",
        "{for m in members }",
        "{ /for }",
        "{ m }",
        "{ time }",
        "{time}",
        "{ nobody }",
        "{ weather  x \"}\" }",
        "{ repeat 2 }",
        "{/repeat }",
        "{if a >}",
        "{/if x}",
        "{\"k\": ",
        " ",
        "\t",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "文",
        "🎉",
        "e\u{301}",
        "\u{3000}",
        "'",
    ];
    let body = proptest::collection::vec(proptest::sample::select(pieces.to_vec()), 0..24);
    let lines = [
        "id: a:b",
        "zone:  system",
        "order :  1",
        "template: true",
        "template: true",
        "role: user",
        "cache: stable",
        "note: x  # y",
        "# a comment",
        "",
        "allow: [stray-brace]",
        "allow:\n  - stray-brace\n  # in a list\n  - inert-tag",
        "description: |\n  x\n\n  # y",
        "description: >+\n  x\n",
        "description: 'a\n\n  b'",
        "  indented: 1",
        "complete:",
        "\"plugin\": p",
        "? odd",
        "{a: 1}",
        "zone: context",
    ];
    let header = proptest::collection::vec(proptest::sample::select(lines.to_vec()), 0..8);
    let ends = proptest::sample::select(vec!["\n", "\r\n", "\r"]);
    let mark = proptest::sample::select(vec!["", "\u{feff}"]);
    (mark, header, body, ends, 0..3_usize).prop_map(|(mark, header, body, end, blanks)| {
        let header: String = header.iter().map(|line| format!("{}{end}", line.replace('\n', end))).collect();
        format!("{mark}---{}{end}{header}---{end}{}", " ".repeat(blanks), body.concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn nothing_that_is_rendered_changes_and_twice_is_once(text in texts()) {
        let after = formatted(&text);
        prop_assert_eq!(meaning(&after), meaning(&text));
        prop_assert_eq!(formatted(&after), after.clone());
        let judge = Judge::new(crate::ide::testing::catalog());
        let codes = |text: &str| {
            let mut document = crate::syntax::Document::new(text, Profile::blocks());
            document.judge(&judge);
            let mut codes: Vec<_> = document.findings(&judge).into_iter().map(|found| found.code).collect();
            codes.sort();
            codes
        };
        prop_assert_eq!(codes(&after), codes(&text));
        // Nothing but blanks, line breaks and the order of the header's lines may differ.
        let bare = |text: &str| {
            let mut chars: Vec<char> = text.chars().filter(|c| !matches!(c, ' ' | '\t' | '\r' | '\n')).collect();
            chars.sort_unstable();
            chars
        };
        prop_assert_eq!(bare(&after), bare(&text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// The assembled prompt and its digest are the same, whatever part is formatted, and once is enough.
    #[test]
    fn the_assembly_and_its_digest_stay(text in texts(), from in any::<prop::sample::Index>(), to in any::<prop::sample::Index>()) {
        let assembled = |text: &str| {
            let catalog = Project::new(text).judge.catalog;
            SCENES.map(|fields| sent(assembly_of(&[text], &catalog, fields, false)))
        };
        let before = assembled(&text);
        prop_assert_eq!(assembled(&formatted(&text)), before.clone(), "whole");

        let borders: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let (from, to) = (*from.get(&borders), *to.get(&borders));
        let range = Span::of(from.min(to)..from.max(to));
        let edits = formatting(&Project::new(&text).context(), Some(range));
        let after = applied(&text, &edits);
        prop_assert_eq!(assembled(&after), before.clone(), "{:?}", range);
        prop_assert_eq!(formatted(&after), formatted(&text), "first a part, then the rest");

        let project = Project::new(&text);
        for (at, _) in text.match_indices('}') {
            let at = offset(at + 1);
            let edits = formatting_on_type(&project.context(), at);
            if edits.is_empty() {
                continue;
            }
            let after = applied(&text, &edits);
            prop_assert_eq!(assembled(&after), before.clone(), "on type at {}", at);
            let moved = offset((at as usize + after.len()) - text.len());
            prop_assert_eq!(formatting_on_type(&Project::new(&after).context(), moved), vec![], "typed at {}", at);
        }
    }
}
