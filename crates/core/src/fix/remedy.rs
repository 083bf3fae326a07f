//! What a rule itself knows of the way out.

use super::{Context, Edit, Fix, body, header, remove};
use crate::span::Span;
use crate::{Code, Diagnostic, Remedy, msg};
use std::borrow::Cow;
use std::sync::Arc;

pub(super) fn fixes(cx: &Context<'_>, finding: &Diagnostic) -> Vec<Fix> {
    match &finding.remedy {
        Remedy::None => Vec::new(),
        Remedy::Replace { with, safe } => with
            .iter()
            .enumerate()
            .map(|(index, text)| {
                let shown = in_one_line(text);
                let title = msg!("Replace with `{shown}`", "替换为 `{shown}`");
                Fix::one(title, Edit::new(finding.span, Arc::clone(text))).safe(*safe && index == 0)
            })
            .collect(),
        Remedy::EscapeBraces(span) => {
            let title = msg!("Escape these braces", "转义这些花括号");
            let escaped =
                cx.document.map(|document| body::escape_braces(document, *span, Span::empty(0), title));
            escaped.map(|fix| fix.safe(true)).into_iter().collect()
        }
        Remedy::EscapeAround(tag) => {
            cx.document.and_then(|document| body::escape_around(document, *tag)).into_iter().collect()
        }
        Remedy::RemoveKey(key) => {
            let edit = cx.document.and_then(|document| header::without_key(document, *key));
            edit.map(|edit| Fix::one(msg!("Remove this key", "删除此键"), edit)).into_iter().collect()
        }
        Remedy::AddKey(key) => {
            cx.document.map(|document| header::missing(cx, document, key)).unwrap_or_default()
        }
        Remedy::RemoveEntry(entry) => {
            let title = msg!("Remove this entry", "删除此项");
            vec![Fix::one(title, remove::entry(cx.text, *entry))]
        }
        Remedy::RemoveLines(span) => {
            let edit = remove::lines(cx.text, *span);
            edit.map(|edit| Fix::one(msg!("Remove this key", "删除此键"), edit)).into_iter().collect()
        }
        Remedy::Insert { at, text, safe } => {
            let shown = in_one_line(text);
            let title = msg!("Insert `{shown}`", "插入 `{shown}`");
            vec![Fix::one(title, Edit::insert(*at, Arc::clone(text))).safe(*safe)]
        }
        Remedy::Delete(span) => {
            let title = match finding.code {
                Code::ArgumentCount => msg!("Remove the arguments", "删除参数"),
                _ => msg!("Remove it", "删除"),
            };
            vec![Fix::one(title, Edit::new(*span, ""))]
        }
    }
}

/// A text as a menu shows it.
fn in_one_line(text: &str) -> Cow<'_, str> {
    if text.trim().contains(['\n', '\r']) {
        Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" "))
    } else {
        Cow::Borrowed(text.trim_matches(['\n', '\r']))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fix::testing::fixes_of;
    use crate::lint::fixture::{every_fix, findings, fixed, judge_with};
    use crate::profile::Profile;
    use crate::syntax::Document;

    fn without(code: Code, text: &str) -> String {
        let (text, safe) = fixed(code, text);
        assert!(!safe, "what is removed may have been meant");
        text
    }

    #[test]
    fn a_key_goes_with_its_whole_line() {
        let text = "---\nid: t:名🎉\nzone: context\norder: 1\nid: t:é # again\ntemplate: true\n---\nx\n";
        assert_eq!(without(Code::InvalidHeader, text), text.replace("id: t:é # again\n", ""));
        let text = "---\nid: t:a\nzone: context\norder: 1\ncomplete: true\n---\nx\n";
        assert_eq!(without(Code::InvalidValue, text), text.replace("complete: true\n", ""));
    }

    #[test]
    fn a_key_goes_with_every_line_of_its_value() {
        for value in [
            "cache: >\n  a\n\n  b\n",
            "cache:\n- a\n- b\n",
            "cache: [a,\n  b\n]\n",
            "cache: {a: b,\n  c: d\n}\n",
            "cache: 'a\n\n  b'\n",
        ] {
            let text = format!("---\nid: t:a\nzone: context\n{value}order: 1\n---\nx\n");
            assert_eq!(without(Code::UnknownKey, &text), text.replace(value, ""), "{value}");
        }
    }

    #[test]
    fn blank_lines_and_comments_behind_it_stay() {
        let text = "---\nid: t:a\nzone: context\ncache: stable\n\n# why\norder: 1\n---\nx\n";
        assert_eq!(without(Code::UnknownKey, text), text.replace("cache: stable\n", ""));
    }

    #[test]
    fn whatever_the_line_ends() {
        for line_end in ["\n", "\r\n", "\r"] {
            let text = "---\nid: t:a\ncache:\n- x\nzone: context\norder: 1\n---\nx\n".replace('\n', line_end);
            let judge = judge_with(Some("{}"));
            let mut document = Document::new(&text, Profile::blocks());
            let found = findings(&mut document, &judge);
            let [finding] = found.as_slice() else { panic!("{found:?}") };
            let edits = &fixes_of(&document, &judge, finding)[0].edits;
            let [edit] = edits.as_slice() else { panic!("{edits:?}") };
            assert_eq!(edit.span.of_str(&text), "cache:\n- x\n".replace('\n', line_end));
        }
    }

    #[test]
    fn a_key_that_shares_its_line_stays() {
        let text = "---\n{id: t:a, zone: context, order: 1, cache: stable}\n---\nx\n";
        assert_eq!(every_fix(Code::UnknownKey, text), []);
    }

    #[test]
    fn a_misspelt_key_is_plainly_meant_and_a_value_is_not() {
        let text = "---\nid: t:a\nzone: context\nordr: 1\n---\nx\n";
        assert_eq!(fixed(Code::UnknownKey, text), (text.replace("ordr", "order"), true));
        let text = "---\nid: t:a\nzone: contxt\norder: 1\n---\nx\n";
        assert_eq!(fixed(Code::InvalidValue, text), (text.replace("contxt", "context"), false));
    }

    #[test]
    fn an_unclosed_header_is_closed_before_its_first_blank_line() {
        let text = "---\nid: t:a\nzone: context\norder: 1\n\n正文🎉\n";
        let (closed, safe) = fixed(Code::InvalidHeader, text);
        assert_eq!((closed, safe), (text.replace("1\n\n", "1\n---\n\n"), false));
    }
}
