//! What the queries capture.

use super::trees::captures;

const TEXT: &str = "\
- {{你好}} {user.in 1 Paris \"a}\"}
{if x.y >= 'b'}a{elseif true}b{else}c{/if}
{for 人 in list}{人}{/for}{while no}{repeat 2}{/while}
{\"json\": 1}{if it's late}";

fn captured(source: &str) -> String {
    captures(&crate::LANGUAGE.into(), source, TEXT)
}

/// The lines of a capture, so that a test can name those that it is about.
fn texts<'a>(captured: &'a str, name: &str) -> Vec<&'a str> {
    captured.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).collect()
}

#[test]
fn highlights() {
    let captured = captured(crate::HIGHLIGHTS_QUERY);
    assert!(captured.lines().all(|line| line.ends_with(" 110")), "all above what is injected:\n{captured}");
    let captured = captured.replace(" 110\n", "\n");
    let is = |name, expected: &[&str]| assert_eq!(texts(&captured, name), expected, "{name} in\n{captured}");
    is("string.escape", &[r#""{{""#, r#""}}""#]);
    is("variable", &[r#""user""#, r#""x""#, r#""list""#, r#""人""#, r#""no""#]);
    is("variable.member", &[r#""in""#, r#""y""#]);
    is("variable.parameter", &[r#""人""#]);
    is("string", &[r#""Paris""#, r#""\"a}\"""#, r#""'b'""#]);
    is("number", &[r#""1""#, r#""2""#]);
    is("boolean", &[r#""true""#]);
    is("operator", &[r#"">=""#]);
    is("punctuation.delimiter", &[r#"".""#, r#"".""#]);
    is("keyword.conditional", &[r#""if""#, r#""elseif""#, r#""else""#, r#""if""#]);
    let loops = [r#""for""#, r#""in""#, r#""for""#, r#""while""#, r#""repeat""#, r#""while""#];
    is("keyword.repeat", &loops);
    is("error", &[r#""{if it's late}""#]);
    // Eleven sound tags, three of them closers; the braces of the JSON have no colour.
    assert_eq!(texts(&captured, "punctuation.special").len(), 11 * 2 + 3, "{captured}");
    assert_eq!(captured.lines().count(), 2 + 5 + 2 + 1 + 3 + 2 + 1 + 1 + 2 + 4 + 6 + 1 + 25, "{captured}");
}

#[test]
fn injections() {
    assert_eq!(
        captured(crate::INJECTIONS_QUERY),
        [r#""- ""#, r#""你好""#, r#"" ""#, r#""\n""#, r#""a""#, r#""b""#, r#""c""#, r#""\n""#, r#""\n""#]
            .into_iter()
            .chain([r#""\"json\": 1""#])
            .map(|text| format!("injection.content {text} markdown injection.combined\n"))
            .collect::<String>()
    );
}

#[test]
fn folds() {
    let captured = captured(crate::FOLDS_QUERY);
    let openers: Vec<_> =
        texts(&captured, "fold").into_iter().filter_map(|text| text.split('}').next()).collect();
    let expected = [r#""{if x.y >= 'b'"#, r#""{for 人 in list"#, r#""{while no"#, r#""{repeat 2"#];
    assert_eq!(openers, expected);
}

#[test]
fn locals() {
    let captured = captured(crate::LOCALS_QUERY);
    assert_eq!(texts(&captured, "local.scope"), [r#""{for 人 in list}{人}{/for}""#]);
    assert_eq!(texts(&captured, "local.definition"), [r#""人""#]);
    let references = [r#""user""#, r#""x""#, r#""list""#, r#""人""#, r#""no""#];
    assert_eq!(texts(&captured, "local.reference"), references);
}
