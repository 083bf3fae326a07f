//! From what a rule knows of the way out to edits of the text.

use crate::message::Message;
use crate::span::{Span, offset};
use crate::syntax::Document;
use crate::{Code, Diagnostic, Remedy, msg};
use std::sync::Arc;

/// One change of the file that the finding is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// What goes.
    pub span: Span,
    /// What comes in its place.
    pub text: Arc<str>,
}

/// One way out of a finding. Its edits do not overlap and are in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, for a menu.
    pub title: Message,
    /// Whether it may be done without asking: what is rendered stays the same, or gains only what was plainly meant.
    pub safe: bool,
    /// The changes.
    pub edits: Vec<Edit>,
}

impl Fix {
    fn one(title: Message, safe: bool, span: Span, text: impl Into<Arc<str>>) -> Self {
        Self { title, safe, edits: vec![Edit { span, text: text.into() }] }
    }
}

/// The ways out of a finding of `document`, the best first.
pub fn fixes(document: &Document, finding: &Diagnostic) -> Vec<Fix> {
    match &finding.remedy {
        Remedy::None => super::fixes_elsewhere::elsewhere(document, finding).into_iter().collect(),
        Remedy::Replace { with, safe } => with
            .iter()
            .enumerate()
            .map(|(index, text)| {
                let title = msg!("Replace with `{text}`", "替换为 `{text}`");
                Fix::one(title, *safe && index == 0, finding.span, Arc::clone(text))
            })
            .collect(),
        Remedy::EscapeBraces(span) => {
            vec![escape_braces(
                document,
                *span,
                Span::empty(0),
                msg!("Escape these braces", "转义这些花括号"),
            )]
        }
        Remedy::EscapeAround(tag) => escape_around(document, *tag).into_iter().collect(),
        Remedy::RemoveKey(key) => lines_of_key(document, *key)
            .map(|span| Fix::one(msg!("Remove this key", "删除此键"), false, span, ""))
            .into_iter()
            .collect(),
        Remedy::Insert { at, text, safe } => {
            let shown = text.trim();
            vec![Fix::one(
                msg!("Insert `{shown}`", "插入 `{shown}`"),
                *safe,
                Span::empty(*at),
                Arc::clone(text),
            )]
        }
        Remedy::Delete(span) => {
            let title = match finding.code {
                Code::ArgumentCount => msg!("Remove the arguments", "删除参数"),
                _ => msg!("Remove it", "删除"),
            };
            vec![Fix::one(title, false, *span, "")]
        }
    }
}

/// The whole lines of a header key with its value; `None` where other keys share them.
fn lines_of_key(document: &Document, key: Span) -> Option<Span> {
    let content = document.header().content;
    let before = document.slice(Span::new(content.start, key.start));
    let start = before.rfind(['\n', '\r']).map_or(content.start, |at| content.start + offset(at) + 1);
    if !document.slice(Span::new(start, key.start)).trim().is_empty() {
        return None;
    }
    let rest = document.slice(Span::new(start, content.end));
    let mut lines = lines(&rest);
    let first = lines.next()?.len();
    let (mut end, mut blank) = (first, 0);
    for line in lines {
        // What follows indented, as an item of a list or as its end, belongs to the value, blank lines in between too.
        if line.trim_matches([' ', '\t', '\r', '\n']).is_empty() {
            blank += line.len();
        } else if line.starts_with([' ', '\t', '-', ']', '}']) {
            end += blank + line.len();
            blank = 0;
        } else {
            break;
        }
    }
    Some(Span::new(start, start + offset(end)))
}

/// The lines of a text with their ends: `\n`, `\r\n` or a lone `\r`.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = rest
            .find(['\n', '\r'])
            .map_or(rest.len(), |at| at + if rest[at..].starts_with("\r\n") { 2 } else { 1 });
        let (line, behind) = rest.split_at(at);
        rest = behind;
        (!line.is_empty()).then_some(line)
    })
}

/// Makes a tag inside literal braces live: what stands around it is rendered as before.
fn escape_around(document: &Document, tag: Span) -> Option<Fix> {
    let literals = document.body().literals_within(document.header().body, tag);
    let (open, close) = *literals.iter().find(|(open, close)| *open < tag.start && tag.end <= *close)?;
    let title = msg!("Escape the braces around this tag", "转义此标签外层的花括号");
    // What was text becomes a value, so somebody has to look at it.
    Some(Fix { safe: false, ..escape_braces(document, Span::new(open, close + 1), tag, title) })
}

/// Doubles every brace of a literal pair but those of the tag `but`: the same text is rendered, and it says what is meant.
fn escape_braces(document: &Document, span: Span, but: Span, title: Message) -> Fix {
    let braces = document.body().braces_within(document.header().body, span);
    let text = document.slice(span);
    let edits = braces.into_iter().filter(|at| !but.contains(*at)).filter_map(|at| {
        let brace = text.get((at - span.start) as usize..(at - span.start) as usize + 1)?;
        Some(Edit { span: Span::empty(at), text: brace.into() })
    });
    Fix { title, safe: true, edits: edits.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::fixture::{every_fix, findings, fixed, judge_with};
    use crate::profile::Profile;

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
            let edits = &fixes(&document, finding)[0].edits;
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
