//! `stray-brace`: a lone `}` or a `{` that nothing closes.

use crate::syntax::{Token, TokenKind};
use crate::{Code, Diagnostic, Remedy, msg};

pub(super) fn check(token: &Token) -> Diagnostic {
    let (message, double) = if token.kind == TokenKind::OpenBrace {
        (
            msg!(
                "nothing closes this brace; write `{{{{` for the character",
                "这个花括号没有闭合；要输出该字符请写 `{{{{`"
            ),
            "{{",
        )
    } else {
        (
            msg!(
                "nothing opens this brace; write `}}}}` for the character",
                "这个花括号没有对应的左括号；要输出该字符请写 `}}}}`"
            ),
            "}}",
        )
    };
    let remedy = Remedy::Replace { with: vec![double.into()], safe: false };
    Diagnostic::new(Code::StrayBrace, token.span, message).remedy(remedy)
}

#[cfg(test)]
mod tests {
    use crate::Code::StrayBrace;
    use crate::lint::fixture::{check, fixed, system};

    #[test]
    fn a_lone_closing_brace() {
        check(&system(
            "
一🎉é } 二
    ^ stray-brace: nothing opens this brace
",
        ));
    }

    #[test]
    fn a_brace_that_nothing_closes_is_one_literal_brace_and_reading_goes_on() {
        check(&system(
            "
一🎉é { 二 {nme} {if is_group}x{/if}
    ^ stray-brace: nothing closes this brace
         ^^^ unknown-variable
",
        ));
    }

    #[test]
    fn one_a_brace() {
        check(&system(
            "
} } { {
^ stray-brace
  ^ stray-brace
    ^ stray-brace
      ^ stray-brace
",
        ));
    }

    #[test]
    fn three_closing_ones_are_an_escape_and_a_stray_brace() {
        check(&system(
            "
x }}} y
    ^ stray-brace
x {{{ y
    ^ stray-brace
",
        ));
    }

    #[test]
    fn escapes_are_quiet() {
        check(&system("}} {{ {{}} }}{{ {{{{ }}}} 🎉{{é}}"));
    }

    #[test]
    fn not_within_literal_braces() {
        check(&system(
            "
{\"a\": {{ }} }
^ literal-braces
",
        ));
    }

    #[test]
    fn behind_a_tag() {
        check(&system(
            "
{character_name}}
                ^ stray-brace
",
        ));
    }

    #[test]
    fn doubling_it_is_a_suggestion() {
        assert_eq!(fixed(StrayBrace, &system("a🎉 } b")), (system("a🎉 }} b") + "\n", false));
        assert_eq!(fixed(StrayBrace, &system("a🎉 { b")), (system("a🎉 {{ b") + "\n", false));
    }
}
