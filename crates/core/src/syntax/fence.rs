//! Markdown's code: what stands in fences or between backticks is quoted, not said.

use crate::span::{Span, offset};
use std::ops::Range;

/// A line that may open or close a fence: its character, how many of it, and what stands behind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Fence {
    mark: u8,
    length: usize,
    opens: bool,
    closes: bool,
}

impl Fence {
    fn of(line: &str) -> Option<Self> {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let rest = &line.as_bytes()[indent..];
        let mark = *rest.first().filter(|mark| indent <= 3 && matches!(mark, b'`' | b'~'))?;
        let length = rest.iter().take_while(|byte| **byte == mark).count();
        let behind = &rest[length..];
        // A backtick behind the fence makes it a code span.
        let opens = !(mark == b'`' && behind.contains(&b'`'));
        (length >= 3).then(|| Self { mark, length, opens, closes: behind.trim_ascii().is_empty() })
    }

    /// The fence that is open behind this line, given the one open before it; `None` where the line changes nothing.
    fn step(self, before: Option<Self>) -> Option<Option<Self>> {
        match before {
            None => self.opens.then_some(Some(self)),
            Some(open) => {
                (open.mark == self.mark && self.length >= open.length && self.closes).then_some(None)
            }
        }
    }
}

/// The fence lines of a text, in order.
pub(crate) fn fences(text: &str) -> Vec<Fence> {
    if !["```", "~~~"].iter().any(|mark| memchr::memmem::find(text.as_bytes(), mark.as_bytes()).is_some()) {
        return Vec::new();
    }
    lines(text).filter_map(|line| Fence::of(&text[line])).collect()
}

/// The fence that is open behind these lines, given the one open before them.
pub(crate) fn behind(before: Option<Fence>, fences: &[Fence]) -> Option<Fence> {
    fences.iter().fold(before, |open, fence| fence.step(open).unwrap_or(open))
}

/// The lines of `text` that stand in no fence, each with the code spans in it.
pub(crate) fn prose(before: Option<Fence>, text: &str) -> impl Iterator<Item = (Span, Vec<Span>)> {
    let mut open = before;
    lines(text).filter_map(move |line| {
        let step = Fence::of(&text[line.clone()]).and_then(|fence| fence.step(open));
        let was_open = open.is_some();
        open = step.unwrap_or(open);
        (step.is_none() && !was_open)
            .then(|| (Span::of(line.clone()), code_spans(&text[line.clone()], line.start)))
    })
}

fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = text.as_bytes().get(start..).filter(|rest| !rest.is_empty())?;
        let len = memchr::memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
        let line = start..start + len;
        start = line.end + 1;
        Some(line)
    })
}

/// Runs of backticks pair with the next run of the same length.
fn code_spans(line: &str, base: usize) -> Vec<Span> {
    let bytes = line.as_bytes();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in memchr::memchr_iter(b'`', bytes) {
        match runs.last_mut() {
            Some((start, length)) if *start + *length == at => *length += 1,
            _ => runs.push((at, 1)),
        }
    }
    let mut spans = Vec::new();
    let mut index = 0;
    // A line of nothing but backticks must not be searched through for each of them.
    let most = runs.len().min(1000);
    while index < most {
        let (start, length) = runs[index];
        match (index + 1..most).find(|other| runs[*other].1 == length) {
            Some(closer) => {
                spans.push(Span::new(offset(base + start), offset(base + runs[closer].0 + length)));
                index = closer + 1;
            }
            None => index += 1,
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let lines = prose(None, text).map(|(line, code)| {
            let code: Vec<_> = code.iter().map(|span| span.of_str(text)).collect();
            format!("{} {code:?}", line.of_str(text))
        });
        lines.collect()
    }

    #[test]
    fn fences_and_code_spans() {
        assert_eq!(
            said("a `b` c\r\n```rust\nx\n``\n```\n~~~~\n~~~\n~~~~\n    ```\n``d` e`` f"),
            ["a `b` c [\"`b`\"]", " []", "    ``` []", "``d` e`` f [\"``d` e``\"]"]
        );
        assert!(behind(None, &fences("```\nnot closed\n")).is_some());
        assert!(behind(None, &fences("```\n```\n")).is_none());
        assert!(
            behind(None, &fences("``` a`b\n")).is_none(),
            "a backtick behind the fence makes it a code span"
        );
    }
}
