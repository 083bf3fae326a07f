//! Tokens of a body by a real vocabulary, chunk by chunk, so that a keystroke counts the chunk and not the file.
//!
//! A vocabulary takes line breaks together with what stands around them, so the tokens of two chunks are not always those of both
//! as one text. But there are lines that begin with a token of their own whatever stands before, and most do: between the first
//! and the last of them a chunk counts by itself, and the ends of two neighbours are counted together where they have to be.

use crate::assemble::Vocabulary;
use crate::assemble::estimate;
use crate::span::{Span, offset};
use std::borrow::Cow;

/// A longer chunk, which is one single line, is estimated: it would be counted whole at every keystroke in it.
pub(super) const LONGEST: usize = 64 * 1024;

/// Shorter chunks in which no line begins by itself are counted together with their neighbours. Of longer ones this is not
/// asked: the figure can be off by a token then, in a text of nothing but blank lines and slashes.
const SHORT: u32 = 512;

/// What is known of one chunk's tokens. Places are relative to the part of it that is content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counted {
    /// The part of the chunk that is content.
    pub(super) inside: Span,
    /// The first line that begins with a token of its own; its length where there is none.
    head: u32,
    /// The last such line.
    tail: u32,
    /// Tokens from `head` to `tail`; all, where no line begins by itself.
    body: u32,
    /// Tokens from `tail` on.
    last: u32,
}

impl Counted {
    pub(super) fn of(text: &str, inside: Span, vocabulary: Vocabulary) -> Self {
        let len = offset(text.len());
        if text.len() > LONGEST {
            return Self {
                inside,
                head: 0,
                tail: len,
                body: estimate::tokens(estimate::weight(text)),
                last: 0,
            };
        }
        let (mut head, mut tail) = (None, 0);
        let mut start = 0;
        while start < text.len() {
            if begins(&text[..start], &text[start..]) {
                head = head.or(Some(start));
                tail = start;
            }
            let line = memchr::memchr2(b'\n', b'\r', &text.as_bytes()[start..]);
            start = line.map_or(text.len(), |end| start + end + 1);
            if text[..start].ends_with('\r') && text[start..].starts_with('\n') {
                start += 1;
            }
        }
        let count = |text: &str| offset(usize::try_from(count(text, vocabulary)).unwrap_or(usize::MAX));
        match head {
            Some(head) => Self {
                inside,
                head: offset(head),
                tail: offset(tail),
                body: count(&text[head..tail]),
                last: count(&text[tail..]),
            },
            None => Self { inside, head: len, tail: len, body: count(text), last: 0 },
        }
    }
}

fn count(text: &str, vocabulary: Vocabulary) -> u64 {
    let text = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    };
    vocabulary.count(&text)
}

/// Whether a line begins with a token of its own. `before` is what is known of the text before it.
fn begins(before: &str, line: &str) -> bool {
    if crate::assemble::can_begin(line) {
        return true;
    }
    // A slash is taken together with punctuation that ends the line before, and with nothing else.
    let before = before.strip_suffix('\n').unwrap_or(before);
    let last = before.strip_suffix('\r').unwrap_or(before).chars().next_back();
    let is_word = |c: char| c.is_ascii_alphanumeric() || ('\u{4e00}'..='\u{9fff}').contains(&c);
    line.starts_with('/') && last.is_some_and(is_word)
}

/// Adds up chunks, in sequence.
pub(super) struct Sum<F> {
    vocabulary: Vocabulary,
    /// Text by its place.
    read: F,
    total: u64,
    /// The end of the chunk before, and its tokens where they are known.
    open: Option<(Span, Option<u32>)>,
}

impl<'t, F: Fn(Span) -> Cow<'t, str>> Sum<F> {
    pub(super) fn new(vocabulary: Vocabulary, read: F) -> Self {
        Self { vocabulary, read, total: 0, open: None }
    }

    /// The next chunk's content, which stands at `span`.
    pub(super) fn add(&mut self, counted: Counted, span: Span) {
        let Counted { head, tail, body, last, .. } = counted;
        if head == span.len() && head < SHORT {
            let start = self.open.map_or(span.start, |(open, _)| open.start);
            self.open = Some((Span::new(start, span.end), None));
            if (span.end - start) as usize > LONGEST {
                self.close();
            }
            return;
        }
        if head == 0 || head == span.len() {
            self.close();
        } else {
            let start = self.open.take().map_or(span.start, |(open, _)| open.start);
            self.total += count(&(self.read)(Span::new(start, span.start + head)), self.vocabulary);
        }
        self.total += u64::from(body);
        self.open = (tail < span.len()).then(|| (Span::new(span.start + tail, span.end), Some(last)));
    }

    fn close(&mut self) {
        let Some((span, known)) = self.open.take() else { return };
        self.total += known.map_or_else(|| count(&(self.read)(span), self.vocabulary), u64::from);
    }

    /// All tokens.
    pub(super) fn end(mut self) -> u64 {
        self.close();
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lint::Judge;
    use crate::profile::Profile;
    use crate::syntax::Document;
    use proptest::prelude::*;
    use std::sync::Arc;

    fn texts() -> impl Strategy<Value = String> {
        let piece = proptest::sample::select(vec![
            "a", "Word ", "你好", "。", ".", "!", "/", "//", " ", "  ", "\n", "\n\n", "\r\n", "\r", "\t",
            "1234", "'s", "🎉", "e\u{301}", "\u{3000}", "\u{85}", "\u{2028}", "-", "{n}", "{{", "A", "é",
            "\n/", ".\n/", "x\n/", "---\n",
        ]);
        proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
    }

    fn judge(vocabulary: Vocabulary) -> Judge {
        let judge = Judge::new(crate::catalog::Catalog::default());
        Judge { counts: Some(vocabulary), revision: vocabulary as u64 + 1, ..judge }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1500))]

        /// Chunks give what the whole content does, after edits and with another vocabulary too.
        #[test]
        fn chunks_add_up(start in texts(), edits in proptest::collection::vec((any::<proptest::sample::Index>(), 0_usize..9, texts(), any::<bool>()), 0..4)) {
            let mut text = format!("---\nid: a:b\nzone: context\norder: 1\n---\n{start}");
            let header = text.len() - start.len();
            let mut document = Document::in_small_chunks(&text, Profile::blocks());
            let floor = |text: &str, mut at: usize| {
                while !text.is_char_boundary(at) { at -= 1; }
                at
            };
            for (at, removed, inserted, other) in edits {
                let from = floor(&text, header + at.index(text.len() - header + 1)).max(header);
                let to = floor(&text, (from + removed).min(text.len())).max(from);
                text.replace_range(from..to, &inserted);
                document.edit(Span::of(from..to), &inserted);
                let vocabulary = if other { Vocabulary::Cl100k } else { Vocabulary::O200k };
                document.judge(&judge(vocabulary));
                let content = document.slice(document.content()).replace("\r\n", "\n").replace('\r', "\n");
                prop_assert_eq!(u64::from(document.tokens()), vocabulary.count(&content), "{:?}", content);
            }
        }
    }

    /// What a large block costs at a keystroke is what its chunk costs: hostile ones too are counted in no more than some passes.
    #[test]
    fn hostile_texts_end() {
        for body in
            ["\n".repeat(3_000_000), "/\n".repeat(300_000), "a".repeat(3_000_000), ".\n/".repeat(300_000)]
        {
            let text = format!("---\nid: a:b\nzone: context\norder: 1\n---\nx\n{body}x");
            let mut document = Document::new(&text, Arc::clone(&Profile::blocks()));
            document.judge(&judge(Vocabulary::O200k));
            assert!(document.tokens() > 0);
        }
    }
}
