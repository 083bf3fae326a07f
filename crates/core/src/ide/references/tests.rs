use super::*;
use crate::ide::highlights;
use crate::ide::testing::{FILE, Project, context, cursor, system};

/// The named places of the body in characters, `=` before those that introduce the name.
fn places(text: &str) -> Option<Vec<String>> {
    let (text, at) = cursor(text);
    let project = Project::new(&text);
    let cx = project.context();
    let subject = subject(&cx, at)?;
    let base = cx.document.header().body as usize;
    let shown = |found: Reference| {
        let before = text.get(base..found.span.range().start).map_or(0, |before| before.chars().count());
        let mark = if found.declares { "=" } else { "" };
        format!("{mark}{before}|{}", found.span.of_str(&text))
    };
    Some(references(cx.document, &subject).into_iter().map(shown).collect())
}

fn check(body: &str, expected: &[&str]) {
    for text in [system(body), context(body), format!("\u{feff}{}", system(body))] {
        assert_eq!(places(&text).unwrap_or_default(), expected, "{text}");
    }
}

#[test]
fn variables() {
    check("🎉{ti$0me} 你\r\n{if time > 1}e\u{301}{time}{/if}", &["2|time", "15|time", "27|time"]);
    check("{天$0气} {天气.冷} {天气好}", &["1|天气", "6|天气"]);
    check("{nobo$0dy}{nobody}", &["1|nobody", "9|nobody"]);
    check("{for m in memb$0ers}{m}{/for}{members}", &["10|members", "28|members"]);
    check("{weather$0 time} {time}", &["1|weather"]);
}

#[test]
fn not_what_is_text() {
    check("{$0time} {{time}} {\"k\": {time}} time", &["1|time"]);
    for body in [
        "$0text",
        "{members.fi$0rst}",
        "{weather bei$0jing}",
        "{{ti$0me}}",
        "{\"k\": {ti$0me}}",
        "{i$0f a}{/if}",
    ] {
        assert_eq!(places(&system(body)), None, "{body}");
    }
    assert_eq!(places(&system("{ti$0me}").replace("true", "false")), None);
}

#[test]
fn loops_have_their_own() {
    check("{m}{for m in members}{$0m}{m.a}{/for}{m}", &["=8|m", "22|m", "25|m"]);
    check("{$0m}{for m in members}{m}{/for}{m}", &["1|m", "31|m"]);
    check("{for m in m}{for m$0 in m}{m}{/for}{m}{/for}", &["=17|m", "25|m"]);
    check("{for m in m}{for m in $0m}{m}{/for}{m}{/for}", &["=5|m", "22|m", "34|m"]);
    check("{for m in $0m}{m}{/for}", &["10|m"]);
    // A closer that closes what stands open within.
    check("{if a}{for m in l}{m}{/if}{$0m}", &["27|m"]);
    let far = format!("{{for 项 in members}}\n{}{{项$0}}{{/for}}{{项}}", "字 {time}\n".repeat(3000));
    let found = places(&system(&far)).unwrap_or_default();
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn ids() {
    let text = system("{time}").replace("demo:here", "demo:sa$0fety");
    assert_eq!(places(&text), Some(vec!["=0|demo:safety".to_owned()]));
    let (text, at) = cursor(&text);
    let project = Project::new(&text);
    let cx = project.context();
    let here = subject(&cx, at);
    assert_eq!(here, Some(Subject::Block("demo:safety".into())));
    assert_eq!(here.map(|here| files_naming(cx.index, &here, FILE)), Some(vec![FileId(2), FILE]));
}

#[test]
fn only_files_that_use_the_name() {
    let project = Project::new(&system("{limit}"));
    let files = |subject: &Subject| files_naming(&project.index, subject, FILE);
    let all = [2, 3, 4, 5, 7].map(FileId);
    assert_eq!(files(&Subject::Variable("time".into())), all);
    assert_eq!(files(&Subject::Variable("limit".into())), [FILE]);
    assert_eq!(files(&Subject::Variable("nobody".into())), [FILE]);
    let opener = TokenRef { chunk: 0, index: 0 };
    assert_eq!(files(&Subject::Loop { name: "time".into(), opener }), [FILE]);
}

#[test]
fn highlighted() {
    let (text, at) = cursor(&system("{for 项 in members}{$0项}{/for}{项}"));
    let project = Project::new(&text);
    let lit = highlights(&project.context(), at);
    assert_eq!(lit.iter().map(|one| one.span.of_str(&text)).collect::<Vec<_>>(), ["项", "项"]);
}

#[test]
fn deep_nesting_is_not_quadratic() {
    let body = format!("{}{{$0x}}", "{for x in a}".repeat(100_000));
    let (text, at) = cursor(&system(&body));
    let project = Project::new(&text);
    let cx = project.context();
    let Some(subject) = subject(&cx, at) else { panic!("a loop") };
    assert_eq!(references(cx.document, &subject).len(), 2);
}
