use super::*;
use crate::ide::names::in_block;
use crate::ide::subject;
use crate::ide::testing::{Project, context, cursor, system};
use crate::lint::Judge;
use crate::message::Locale;
use std::sync::Arc;

/// The text with another name for what is at the cursor, or why it cannot have it.
fn renamed_in(project: &Project, text: &str, at: u32, new: &str) -> String {
    let cx = project.context();
    let Some(subject) = subject(&cx, at) else { return "nothing".to_owned() };
    let profile: &Profile = &cx.judge.profile;
    if let Some(found) = unfit(&subject, new, profile).or_else(|| obstacle(cx.document, &subject, new)) {
        let place = found.span.map(|span| format!("{}: ", span.of_str(text))).unwrap_or_default();
        return format!("refused: {place}{}", found.why.text(Locale::En));
    }
    let edits = match &subject {
        Subject::Block(_) => id_edit(cx.document, new).map(|edit| vec![edit]),
        _ => in_block(cx.document, &subject).iter().map(|place| edit(place, new)).collect(),
    };
    let edits = match edits {
        Ok(edits) => edits,
        Err(found) => return format!("refused: {}", found.why.text(Locale::En)),
    };
    let mut out = text.to_owned();
    for edit in edits.iter().rev() {
        out.replace_range(edit.span.range(), &edit.text);
    }
    out
}

fn renamed(text: &str, new: &str) -> String {
    let (text, at) = cursor(text);
    renamed_in(&Project::new(&text), &text, at, new)
}

/// In bodies of both zones, with a BOM and with CRLF.
fn check(body: &str, new: &str, expected: &str) {
    let marks = [system as fn(&str) -> String, context];
    for make in marks {
        for bom in ["", "\u{feff}"] {
            for crlf in [false, true] {
                let form = |body: &str| {
                    let text = format!("{bom}{}", make(body));
                    if crlf { text.replace('\n', "\r\n") } else { text }
                };
                assert_eq!(renamed(&form(body), new), form(expected), "{body}");
            }
        }
    }
}

fn refused(body: &str, new: &str, expected: &str) {
    assert_eq!(renamed(&system(body), new), format!("refused: {expected}"), "{body}");
}

#[test]
fn variables() {
    check(
        "🎉{ti$0me} 你 e\u{301}{time.year}{if time > 1}{ time }{elseif 'time' == time}{/if}\n{repeat time}{/repeat}",
        "时刻",
        "🎉{时刻} 你 e\u{301}{时刻.year}{if 时刻 > 1}{ 时刻 }{elseif 'time' == 时刻}{/if}\n{repeat 时刻}{/repeat}",
    );
    check("{天$0气 天气}", "w", "{w 天气}");
    // What is text stays text.
    check(
        "{$0time} {{time}} {\"k\": {time}} time {timer} {x.time} {if time >} {weather time}",
        "now",
        "{now} {{time}} {\"k\": {time}} time {timer} {x.time} {if time >} {weather time}",
    );
    for body in ["{{ti$0me}}", "{\"k\": {ti$0me}}", "ti$0me", "{x.ti$0me}", "{i$0f time}{/if}"] {
        assert_eq!(renamed(&system(body), "now"), "nothing", "{body}");
    }
}

#[test]
fn loop_variables_by_scope() {
    check(
        "{m}{for $0m in m}{m}{if m}{m.a}{/if}{for m in m}{m}{/for}{/for}{m}",
        "成员",
        "{m}{for 成员 in m}{成员}{if 成员}{成员.a}{/if}{for m in 成员}{m}{/for}{/for}{m}",
    );
    check("{for x in $0x}{x}{/for}{x}", "list", "{for x in list}{x}{/for}{list}");
    check("{for x in x}{$0x}{/for}{x}", "y", "{for y in x}{y}{/for}{x}");
    // A loop may be called as a variable that it does not use, as a variable elsewhere or an earlier loop.
    check(
        "{for m in l}{$0m}{/for}{time}{for time in l}{time}{/for}",
        "time",
        "{for time in l}{time}{/for}{time}{for time in l}{time}{/for}",
    );
    // Of a malformed loop, and of one that nobody closes.
    check("{for m of l}{$0m}{/for}", "k", "{for k of l}{k}{/for}");
    check("{for m in l}{$0m}", "k", "{for k in l}{k}");
}

#[test]
fn what_would_mean_another_thing_is_refused() {
    refused(
        "{time$0}{for now in l}{time}{/for}",
        "now",
        "time: a loop around a use of `time` has a variable `now` of its own, which would take its place",
    );
    refused(
        "{for a in l}{for b in a}{$0a}{/for}{/for}",
        "b",
        "a: a loop around a use of `a` has a variable `b` of its own, which would take its place",
    );
    refused(
        "{for a in l}{$0a}{time}{/for}",
        "time",
        "time: `time` is used within the loop and means something else there",
    );
    refused(
        "{for o in l}{for a in l}{$0a}{o}{/for}{/for}",
        "o",
        "o: `o` is used within the loop and means something else there",
    );
    // A list stands outside of its own loop.
    check("{for now in $0time}{now}{/for}", "now", "{for now in now}{now}{/for}");
    check(
        "{for b in l}{b}{/for}{for a in l}{$0a}{/for}{b}",
        "b",
        "{for b in l}{b}{/for}{for b in l}{b}{/for}{b}",
    );
}

#[test]
fn names_that_are_none() {
    for (new, why) in [
        ("if", "`if` is a word of the template language"),
        ("true", "`true` is a word of the template language"),
        ("1a", "`1a` is no name: a name is letters, digits and `_`, and begins with no digit"),
        ("a.b", "`a.b` is no name: a name is letters, digits and `_`, and begins with no digit"),
        ("", "`` is no name: a name is letters, digits and `_`, and begins with no digit"),
        ("🎉", "`🎉` is no name: a name is letters, digits and `_`, and begins with no digit"),
        ("prompt", "`prompt` is built in: the user's input"),
        ("extra", "`extra` is a word of the environments, and no field of theirs"),
    ] {
        refused("{$0time}", new, why);
    }
    refused("{for $0m in l}{m}{/for}", "in", "`in` is a word of the template language");
    check("{for $0m in l}{m}{/for}", "extra", "{for extra in l}{extra}{/for}");
}

#[test]
fn in_double_braces() {
    let profile = Profile::named("harness").expect("a profile");
    let judge = Judge { profile: Arc::clone(&profile), ..Judge::new(crate::ide::testing::catalog()) };
    let text = "---\nid: a\nzone: system\norder: 1\n---\n{{time}} {time} {{ time }} {{times}}";
    let project = Project::with(text, judge);
    let at = crate::span::offset(text.find("{{time").expect("a tag") + 3);
    assert_eq!(
        renamed_in(&project, text, at, "now"),
        "---\nid: a\nzone: system\norder: 1\n---\n{{now}} {time} {{ time }} {{times}}"
    );
    for new in ["Now", "时刻", "_a"] {
        assert!(renamed_in(&project, text, at, new).starts_with("refused: `"), "{new}");
    }
}

fn id(written: &str, new: &str) -> String {
    let text = format!("\u{feff}---\r\nzone: context # 区\r\nid: {written}\r\norder: 1\r\n---\r\n你\r\n");
    let text = text.replacen(&format!("id: {}", &written[..1]), &format!("id: {}$0", &written[..1]), 1);
    let (plain, at) = cursor(&text);
    let out = renamed_in(&Project::new(&plain), &plain, at, new);
    match out.split_once("id: ").and_then(|(_, rest)| rest.split_once("\r\norder: 1\r\n---\r\n你\r\n")) {
        Some((id, "")) => id.to_owned(),
        _ => out,
    }
}

#[test]
fn ids_of_blocks() {
    assert_eq!(id("demo:rules", "demo:规则"), "demo:规则");
    assert_eq!(id("demo:rules # 说明", "demo:x"), "demo:x # 说明");
    assert_eq!(id("'demo:rules'", "demo:it"), "'demo:it'");
    assert_eq!(id("'demo:rules'", "it's"), "\"it's\"");
    assert_eq!(id("\"demo:r\\u0075les\"", "a"), "\"a\"");
    assert_eq!(id("rules", "a: b #c"), "\"a: b #c\"");
    assert_eq!(id("rules", "true"), "\"true\"");
    assert_eq!(id("rules", "12"), "\"12\"");
    assert_eq!(id("rules", "- a"), "\"- a\"");
    assert_eq!(id("rules", "a\\b\"c🎉"), "\"a\\\\b\\\"c🎉\"");
    assert_eq!(id("rules", " "), "refused: the id of a block cannot be empty");
    assert_eq!(
        id("rules", "a\nb"),
        "refused: the id of a block cannot hold line breaks and control characters"
    );
}
