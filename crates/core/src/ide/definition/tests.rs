use super::*;
use crate::ide::testing::{CATALOG, Project, context, cursor, system};

/// The origin, and what is selected in the same file, or the catalog's bytes.
fn goes(text: &str) -> Option<(String, String)> {
    let (text, at) = cursor(text);
    let project = Project::new(&text);
    let cx = project.context();
    let Definition { origin, targets } = definition(&cx, at)?;
    let [target] = targets.as_slice() else { panic!("one target") };
    let there = if target.file == cx.file {
        let before = &text[cx.document.header().body as usize..target.selection.range().start];
        format!("{}|{}", before.chars().count(), target.selection.of_str(&text))
    } else {
        assert_eq!(target.file, CATALOG);
        format!("{:?} in {:?}", target.selection, target.full)
    };
    Some((origin.of_str(&text).to_owned(), there))
}

fn check(body: &str, origin: &str, there: &str) {
    for text in [system(body), context(body), format!("\u{feff}{}", system(body))] {
        assert_eq!(goes(&text), Some((origin.to_owned(), there.to_owned())), "{text}");
    }
}

/// The highlighted texts with their place in the body, in characters.
fn lit(body: &str) -> Vec<String> {
    let (text, at) = cursor(&system(body));
    let project = Project::new(&text);
    let cx = project.context();
    let base = cx.document.header().body as usize;
    let shown = |span: Span| {
        let before = text[base..span.range().start].chars().count();
        format!("{before}|{}", span.of_str(&text))
    };
    highlights(&cx, at).into_iter().map(|highlight| shown(highlight.span)).collect()
}

#[test]
fn variables() {
    check("🎉{char$0acter_name}", "character_name", "20..36 in 20..90");
    check("{$0character_name}", "character_name", "20..36 in 20..90");
    check("{character_name$0.length}", "character_name", "20..36 in 20..90");
    check("{if $0character_name == 1}", "character_name", "20..36 in 20..90");
    check("{for m in character_name$0}", "character_name", "20..36 in 20..90");
}

#[test]
fn loop_variables() {
    check("🎉{for 项 in members}\r\n{$0项}{/for}", "项", "6|项");
    check("{for m in members}{for m in m$0}{m}{/for}{/for}", "m", "5|m");
    check("{for m in members}{for m in m}{m$0}{/for}{/for}", "m", "23|m");
    check("{for $0m in members}", "m", "5|m");
    let far = format!("{{for 项 in members}}\n{}{{项$0}}{{/for}}", "字 {time}\n".repeat(1000));
    check(&far, "项", "5|项");
}

#[test]
fn tags() {
    check("{if is_vip}🎉{/i$0f}", "{/if}", "0|{if is_vip}");
    check("{if a}{else$0}{/if}", "{else}", "0|{if a}");
    check("{if a >}{/if$0 x}", "{/if x}", "0|{if a >}");
    check("x{if a}{for m in l}{/for}{/if}$0", "{/if}", "1|{if a}");
    let far = format!("{{if a}}\n{}{{el$0seif b}}", "字 {time}\n".repeat(1000));
    check(&far, "{elseif b}", "0|{if a}");
}

#[test]
fn nowhere() {
    for body in [
        "$0text",
        "{nobo$0dy}",
        "{prom$0pt}",
        "{members.fi$0rst}",
        "{i$0f a}{/if}",
        "{/i$0f}",
        "{{character$0_name}}",
        "{\"a\": {character_na$0me}}",
        "{character_name$0",
        "{weather bei$0jing}",
    ] {
        assert_eq!(goes(&system(body)), None, "{body}");
    }
    assert_eq!(goes(&system("{character$0_name}").replace("true", "false")), None);
    assert_eq!(goes("---\nid: a$0\n---\n"), None);
}

#[test]
fn tags_of_one_construct() {
    let all = ["0|{if a}", "7|{elseif b}", "17|{else}", "23|{/if}"];
    assert_eq!(lit("{$0if a}🎉{elseif b}{else}{/if}"), all);
    assert_eq!(lit("{if a}🎉{elseif b}{el$0se}{/if}"), all);
    assert_eq!(lit("{if a}🎉{elseif b}{else}{/if$0}"), all);
    assert_eq!(lit("{wh$0ile a}"), ["0|{while a}"]);
    let far = format!("{{repeat 2}}\n{}{{/$0repeat}}", "字 {time}\n".repeat(1000));
    assert_eq!(lit(&far).len(), 2);
}

#[test]
fn nothing_to_highlight() {
    for body in ["te$0xt", "{members.fi$0rst}", "{/i$0f}", "{\"x\": {i$0f a}}"] {
        assert_eq!(lit(body), [""; 0], "{body}");
    }
}
