//! The header: its keys in their order, and a description.

use super::{At, Draft};
use crate::fix::insert_key;
use crate::ide;
use crate::message::Locale;
use crate::msg;
use crate::span::{Span, offset};

/// A description is one short line.
const MOST: usize = 60;

/// Sorts the keys as the formatter does.
pub(super) fn sort(at: At<'_>) -> Option<Draft<'_>> {
    let header = at.document.header();
    if !at.concerns_block() {
        return None;
    }
    let keys: Vec<&str> = at.document.profile().header_keys().collect();
    let mut entries: Vec<_> = header.entries.iter().collect();
    entries.sort_by_key(|entry| entry.key);
    let rank = |name: &str| keys.iter().position(|key| *key == name).unwrap_or(usize::MAX);
    if entries.is_sorted_by_key(|entry| rank(&entry.name)) {
        return None;
    }
    let cx = ide::Context {
        file: at.cx.file,
        document: at.document,
        judge: at.cx.judge,
        index: at.cx.index,
        locale: Locale::default(),
    };
    let mut edits = ide::formatting(&cx, Some(header.content));
    // The blanks behind the delimiters are none of its business.
    edits.retain(|edit| {
        header.content.start <= edit.span.start
            && edit.span.end <= header.content.end
            && !edit.text.is_empty()
    });
    if edits.is_empty() {
        return None;
    }
    Some(Draft::now(msg!("Sort the keys of the header", "按顺序排列文件头的键"), edits))
}

/// Adds a description after the first words of the content.
pub(super) fn describe(at: At<'_>) -> Option<Draft<'_>> {
    if !at.concerns_block() {
        return None;
    }
    let content = at.document.content();
    let end = content.end.min(content.start.saturating_add(4096));
    let text = at.document.slice(Span::new(
        content.start,
        at.document
            .text()
            .try_byte_to_char(end as usize)
            .ok()
            .and_then(|char| at.document.text().try_char_to_byte(char).ok())
            .map_or(end, offset),
    ));
    let marks = |c: char| c.is_whitespace() || "#*->=_`~|+".contains(c);
    let line = text.lines().map(|line| line.trim_matches(marks)).find(|line| !line.is_empty())?;
    let mut words: String = line.chars().filter(|c| !c.is_control()).take(MOST).collect();
    if words.len() < line.len() {
        words.truncate(words.trim_end().len());
        words.push('…');
    }
    // Quoted as JSON is, since that is YAML whatever stands in it.
    let value = serde_json::Value::from(words).to_string();
    let edit = insert_key(at.document, "description", &value)?;
    Some(Draft::now(msg!("Add a `description`", "加上 `description`"), vec![edit]))
}

#[cfg(test)]
mod tests {
    use crate::refactor::Refactoring::{Describe, SortHeader};
    use crate::refactor::testing::{done, offered, outcome};

    #[test]
    fn sorted_with_their_comments() {
        for (mark, line_break) in [("", "\n"), ("\u{feff}", "\r\n"), ("", "\r")] {
            let shape = |text: &str| format!("{mark}{}", text.replace('\n', line_break));
            let text = shape("---\nzone: system$0\n# 为何🎉\norder: 10\nid: a:b\n---\n\nx\n");
            let sorted = shape("---\nid: a:b\nzone: system\n# 为何🎉\norder: 10\n---\n\nx\n");
            assert_eq!(done(SortHeader, &text), sorted);
        }
    }

    #[test]
    fn nothing_to_sort() {
        for text in [
            "---\nid: a:b$0\nzone: system\norder: 10\n---\nx\n",
            "---\nzone: system$0\n id: [a\n---\nx\n",
            "---\n{zone: system$0, id: a:b}\n---\nx\n",
            "---\nzone: system$0\nid: a:b\n\nx\n",
        ] {
            assert_eq!(outcome(SortHeader, text), None, "{text}");
        }
        let text = "---\nzone: system\nid: a:b\norder: 1\n---\n$0x\n";
        assert!(offered(SortHeader, text).is_some());
        assert!(
            crate::refactor::testing::offered_while_moving(SortHeader, text).is_none(),
            "only when asked for"
        );
    }

    #[test]
    fn a_description_after_the_first_words() {
        let text = |body: &str| format!("---\nid: a:b$0\nzone: system\norder: 10\n---\n{body}\n");
        let described = |body: &str, with: &str| {
            let expected = text(body)
                .replace("$0", "")
                .replace("order: 10\n", &format!("order: 10\ndescription: {with}\n"));
            assert_eq!(done(Describe, &text(body)), expected);
        };
        described("\n## 规则 \"一\" 🎉\nx", "\"规则 \\\"一\\\" 🎉\"");
        described("---\n- a: b", "\"a: b\"");
        let long = "e\u{301}".repeat(100);
        described(&long, &format!("\"{}…\"", "e\u{301}".repeat(30)));
        for text in [text(""), text(" \n"), text("x").replace("order", "description: a\norder")] {
            assert_eq!(outcome(Describe, &text), None, "{text}");
        }
    }
}
