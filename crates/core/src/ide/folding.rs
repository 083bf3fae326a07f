//! What can be folded: the header, control blocks with their branches, literal braces.

use super::Context;
use crate::block::HeaderState;
use crate::span::{Span, offset};
use crate::syntax::Document;

/// What is folded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldKind {
    /// The header.
    Header,
    /// A control block or one of its branches.
    Block,
    /// Literal braces.
    Braces,
}

/// A region of whole lines: the line of its first byte stays visible, the lines behind it up to the one of its last byte go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fold {
    /// From somewhere on the first line to the end of the last one, its line break left out.
    pub span: Span,
    /// What it is.
    pub kind: FoldKind,
}

/// Every region of the file, in order.
pub fn folds(cx: &Context<'_>) -> Vec<Fold> {
    let document = cx.document;
    let header = document.header();
    let mut out = Regions { document, all: Vec::new() };
    if header.state == HeaderState::Closed {
        out.push(header.opening.start, header.content.end, FoldKind::Header);
    }
    if cx.is_template() {
        let body = document.body();
        let starts = body.starts(header.body);
        for pair in body.pairs() {
            // What is not closed has no last line.
            if pair.closer.is_none() {
                continue;
            }
            let tags: Vec<Span> = pair.tags().filter_map(|tag| body.token(tag, &starts)).collect();
            for pieces in tags.windows(2) {
                out.push_before(pieces[0].start, pieces[1].start, FoldKind::Block);
            }
        }
        for (open, close) in body.literals(header.body) {
            out.push_before(open, close, FoldKind::Braces);
        }
    }
    out.all.sort_by_key(|fold| (fold.span.start, std::cmp::Reverse(fold.span.end)));
    out.all
}

struct Regions<'a> {
    document: &'a Document,
    all: Vec<Fold>,
}

impl Regions<'_> {
    fn line(&self, at: u32) -> usize {
        let text = self.document.text();
        text.byte_to_line((at as usize).min(text.len_bytes()))
    }

    /// From the line of `start` to the line of `last`.
    fn push(&mut self, start: u32, last: u32, kind: FoldKind) {
        self.push_to(start, self.line(last), kind);
    }

    /// From the line of `start` to the line before that of `end`, which stays visible.
    fn push_before(&mut self, start: u32, end: u32, kind: FoldKind) {
        if let Some(last) = self.line(end).checked_sub(1) {
            self.push_to(start, last, kind);
        }
    }

    fn push_to(&mut self, start: u32, last: usize, kind: FoldKind) {
        let first = self.line(start);
        if last <= first {
            return;
        }
        let text = self.document.text();
        let from = offset(text.line_to_byte(last));
        let to = offset(text.line_to_byte((last + 1).min(text.len_lines())));
        let line = self.document.slice(Span::new(from, to));
        let end = from + offset(line.trim_end_matches(['\n', '\r']).len());
        self.all.push(Fold { span: Span::new(start, end), kind });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::testing::{Project, system};

    /// First and last line, counted from 0 in the body.
    fn folded(body: &str) -> Vec<(usize, usize, FoldKind)> {
        let text = system(body);
        let project = Project::new(&text);
        let line = |at: u32| text[..at as usize].matches(['\n']).count();
        let all = folds(&project.context());
        assert_eq!((line(all[0].span.start), line(all[0].span.end), all[0].kind), (0, 5, FoldKind::Header));
        assert!(all.iter().all(|fold| !text[..fold.span.end as usize].ends_with(['\r', '\n'])
            || text[..fold.span.end as usize].ends_with("\n")));
        all[1..].iter().map(|fold| (line(fold.span.start) - 6, line(fold.span.end) - 6, fold.kind)).collect()
    }

    #[test]
    fn blocks_and_branches() {
        let body = "{if is_vip}\r\n贵宾\r\n再来\r\n{else}\r\n🎉\r\n{/if}\r\n";
        assert_eq!(folded(body), [(0, 2, FoldKind::Block), (3, 4, FoldKind::Block)]);
        assert_eq!(folded("{for m in members}\n\n{m}{/for}"), [(0, 1, FoldKind::Block)]);
    }

    #[test]
    fn braces() {
        assert_eq!(folded("看：{\n \"a\": {\n }\n}\n"), [(0, 2, FoldKind::Braces)]);
    }

    #[test]
    fn nothing_to_fold() {
        for body in
            ["", "{if a}x{/if}", "{if a}\n{/if}", "{if a}\n\n\n", "{\"a\": 1}", "a\n\nb", "{/if}\n\n{if a}"]
        {
            assert_eq!(folded(body), [], "{body}");
        }
        let project = Project::new("---\nid: a\n{if a}\n\n{/if}");
        assert_eq!(folds(&project.context()), []);
    }
}
