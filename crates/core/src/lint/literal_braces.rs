//! `literal-braces`: braces that are no tag are kept word for word, once per outermost pair, so that JSON passes unharmed. [S0]

use crate::span::Span;
use crate::syntax::ChunkView;
use crate::{Code, Diagnostic, Message, Remedy, msg};

/// The pairs that open in this chunk. Where one ends in a later chunk, [`complete`] fills in the rest.
pub(super) fn check(view: &ChunkView<'_>) -> Vec<Diagnostic> {
    let literals = view.literals();
    let found = literals.iter().map(|literal| {
        let message = msg!(
            "these braces are no tag and are kept as text; double them to say so",
            "这对花括号不是标签，会按原文保留；如本意如此，请双写转义"
        );
        let found = Diagnostic::new(Code::LiteralBraces, Span::new(literal.open, literal.open + 1), message);
        match literal.close {
            Some(close) => with_end(found, close),
            None => found,
        }
    });
    found.collect()
}

/// Adds the closing brace at `close`, in the same coordinates as the finding.
pub(super) fn with_end(found: Diagnostic, close: u32) -> Diagnostic {
    let open = found.span.start;
    found
        .related(Span::new(close, close + 1), ends_here())
        .remedy(Remedy::EscapeBraces(Span::new(open, close + 1)))
}

fn ends_here() -> Message {
    msg!("they end here", "到这里结束")
}

#[cfg(test)]
mod tests {
    use crate::Code::LiteralBraces;
    use crate::lint::fixture::{check, finding, fixed, system};

    #[test]
    fn once_an_outermost_pair_on_the_opening_brace_alone() {
        check(&system(
            r#"
格式🎉é {"ok": true, "more": {"a": [{}]}} and {x: 1}{}
     ^ literal-braces: kept as text
                                           ^ literal-braces
                                                 ^ literal-braces
"#,
        ));
    }

    #[test]
    fn over_many_lines_with_the_closing_one_related() {
        let fixture = system(
            r#"
{
^ literal-braces
  "名": "🎉",
  "b": {}
}
"#,
        );
        check(&fixture);
        let found = finding(LiteralBraces, &fixture);
        let [related] = found.related.as_slice() else { panic!("{found:?}") };
        let text = system("{\n  \"名\": \"🎉\",\n  \"b\": {}\n}\n");
        assert_eq!(related.span.start as usize, text.rfind('}').expect("a brace"));
        assert_eq!(related.span.len(), 1);
    }

    #[test]
    fn everything_inside_is_kept_word_for_word_and_gives_nothing_else() {
        check(&system(
            r#"
{"a": {if x}, "b": "{{nme}} {{ }}", "c": {/if}, "d": {else}, "e": {nme}, "f": {repeat}}
^ literal-braces
"#,
        ));
    }

    #[test]
    fn counting_inside_is_plain_and_knows_no_quotes() {
        check(&system(
            r#"
{"a": "}"} {character_name}
^ literal-braces
         ^ stray-brace
"#,
        ));
    }

    #[test]
    fn escaped_json_is_quiet() {
        check(&system(r#"{{"ok": true, "more": {{"a": "{character_name}"}}}}"#));
    }

    #[test]
    fn what_starts_no_tag() {
        check(&system(
            r#"
{a b "c} {1a} {a.} {.a} {a..b} {-} {true} {in} {a-b} { }
^ literal-braces
         ^ literal-braces
              ^ literal-braces
                   ^ literal-braces
                        ^ literal-braces
                               ^ literal-braces
                                   ^ literal-braces
                                          ^ literal-braces
                                               ^ literal-braces
                                                     ^ literal-braces
"#,
        ));
        check(&system(
            "
{　count} {count　} {count{character_name}}
^ literal-braces
         ^ literal-braces
                  ^ literal-braces
                        ^^^^^^^^^^^^^^^^ inert-tag
",
        ));
    }

    #[test]
    fn a_tag_does_not_span_lines() {
        check(&system(
            "
{character_name
^ literal-braces
}
",
        ));
    }

    #[test]
    fn an_unclosed_brace_before_it_does_not_take_its_end() {
        check(&system(
            "
{ {a!} {character_name}
^ stray-brace
  ^ literal-braces
",
        ));
    }

    #[test]
    fn escaping_doubles_every_brace_within_and_is_safe() {
        let (text, safe) = fixed(
            LiteralBraces,
            &system("名🎉 {\"a\": {\"b\": \"{nme} {{x}}\"},\n \"c\": {}} {character_name} {y!}"),
        );
        let wanted = "名🎉 {{\"a\": {{\"b\": \"{{nme}} {{{{x}}}}\"}},\n \"c\": {{}}}} {character_name} {y!}";
        assert_eq!((text, safe), (system(wanted) + "\n", true));
    }
}
