//! The content: what is left of the body without the blank lines around it.

use super::Body;
use super::counted::{Counted, LONGEST, Sum};
use crate::assemble::Vocabulary;
use crate::assemble::estimate::weight;
use crate::span::{Span, offset};
use crate::syntax::text::Text;
use std::sync::OnceLock;

impl Body {
    /// Weight of the content by the token estimate: without leading and trailing blank lines and the last line's break.
    pub fn weight<T: Text + ?Sized>(&self, text: &T, base: u32) -> u32 {
        let total: u32 = self.chunks.iter().map(|chunk| chunk.weight).sum();
        let mut around = 0;
        let mut at = base;
        for chunk in &self.chunks {
            if !chunk.blank {
                let text = text.at(Span::new(at, at + chunk.len));
                around += weight(&text[..text.len() - skip_blank_lines(&text).len()]);
                break;
            }
            around += chunk.weight;
            at += chunk.len;
        }
        let mut end = base + self.len();
        for chunk in self.chunks.iter().rev() {
            if !chunk.blank {
                let text = text.at(Span::new(end - chunk.len, end));
                around += weight(&text[until_blank_lines(&text).len()..]);
                break;
            }
            around += chunk.weight;
            end -= chunk.len;
        }
        total.saturating_sub(around)
    }

    /// Tokens of the content by a real vocabulary, counted only where the text has changed. Asked with another vocabulary only
    /// behind [`Body::forget_tokens`].
    pub(crate) fn tokens<T: Text + ?Sized>(
        &self,
        text: &T,
        base: u32,
        content: Span,
        vocabulary: Vocabulary,
    ) -> u64 {
        let mut sum = Sum::new(vocabulary, |span| text.at(span));
        let mut at = base;
        for chunk in &self.chunks {
            let (start, end) = (at.max(content.start), (at + chunk.len).min(content.end));
            if start < end {
                let inside = Span::new(start - at, end - at);
                let count = || Counted::of(&text.at(Span::new(start, end)), inside, vocabulary);
                let counted = *chunk.counted.get_or_init(count);
                let counted = if counted.inside == inside { counted } else { count() };
                sum.add(counted, Span::new(start, end));
            }
            at += chunk.len;
        }
        sum.end()
    }

    /// Whether [`Body::tokens`] counts all of it: no line is so long that it is estimated.
    pub(crate) fn is_countable(&self) -> bool {
        self.chunks.iter().all(|chunk| chunk.len as usize <= LONGEST)
    }

    /// Forgets what was counted, since another vocabulary is to be asked.
    pub(crate) fn forget_tokens(&mut self) {
        self.chunks.iter_mut().for_each(|chunk| chunk.counted = OnceLock::new());
    }

    /// Where the content ends in the file: before trailing blank lines and the last line's break.
    pub(crate) fn content_end<T: Text + ?Sized>(&self, text: &T, base: u32) -> u32 {
        let mut end = base + self.len();
        for chunk in self.chunks.iter().rev() {
            let start = end - chunk.len;
            if !chunk.blank {
                return start + offset(until_blank_lines(&text.at(Span::new(start, end))).len());
            }
            end = start;
        }
        base
    }

    /// Where the content begins in the file: behind leading blank lines.
    pub(crate) fn content_start<T: Text + ?Sized>(&self, text: &T, base: u32) -> u32 {
        let mut start = base;
        for chunk in &self.chunks {
            let end = start + chunk.len;
            if !chunk.blank {
                return end - offset(skip_blank_lines(&text.at(Span::new(start, end))).len());
            }
            start = end;
        }
        base
    }
}

/// `text` from its first line that is not blank.
fn skip_blank_lines(text: &str) -> &str {
    let content = text.trim_start_matches([' ', '\t', '\n', '\r']);
    let before = &text[..text.len() - content.len()];
    let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    &text[line..]
}

/// `text` up to the end of its last line that is not blank, without its break.
fn until_blank_lines(text: &str) -> &str {
    let content = text.trim_end_matches([' ', '\t', '\n', '\r']);
    let behind = &text[content.len()..];
    let line = behind.find(['\n', '\r']).unwrap_or(behind.len());
    &text[..content.len() + line]
}
