//! References in double braces, as profile `harness` has them: `{{name}}` and nothing else. [S1]
//!
//! Read from left to right: a `{{` begins a group that holds no brace and ends with `}}`. Where that is a name, it is a
//! reference; where it is not, or a brace stands in between, everything up to the next `}}` is a malformed one, and reading goes
//! on behind it. A `{{` with no `}}` behind it is text. A malformed reference may run over lines, and so over chunks: a chunk
//! needs to know of the others only whether one behind it has a `}}`.

use super::braces::Braces;
use super::name::is_reference_name;
use super::reading::{Entry, Reading};
use super::token::{Part, PartKind, State, TokenKind, Tokens};
use crate::span::{Span, offset};
use memchr::memmem;

/// What the neighbours of a chunk need of it: the last byte of its first `}}`. `None` where it has no brace.
pub(super) fn summary(text: &str) -> Option<Braces> {
    memchr::memchr2(b'{', b'}', text.as_bytes())?;
    let closer = memmem::find(text.as_bytes(), b"}}").map(|at| offset(at) + 1);
    Some(Braces::with_closer(closer))
}

/// Reads a chunk. `ends` says whether a `}}` stands in a later one.
pub(super) fn read(text: &str, entry: Entry, ends: bool) -> Reading {
    let mut reading = Reading::default();
    let start = match entry {
        Entry::Outside => 0,
        // What comes before belongs to a malformed reference of an earlier chunk.
        Entry::Until(close) => close as usize + 1,
        Entry::Through => return reading,
    };
    reading.exit = group_by_group(text, start, ends, &mut reading.tokens).then_some(0);
    reading
}

/// Says whether a malformed reference runs over the end.
fn group_by_group(text: &str, start: usize, ends: bool, out: &mut Tokens) -> bool {
    let bytes = text.as_bytes();
    // Asked once, so that a line of openers is not searched from each of them.
    let last = memmem::rfind(bytes, b"}}");
    let mut at = start;
    while let Some(open) = memchr::memchr(b'{', bytes.get(at..).unwrap_or_default()).map(|found| at + found) {
        if bytes.get(open + 1) != Some(&b'{') {
            at = bare_name(text, open, out).unwrap_or(open + 1);
            continue;
        }
        let inside = open + 2;
        let rest = bytes.get(inside..).filter(|_| last.is_some_and(|last| inside <= last));
        let Some(close) = rest.and_then(|rest| memmem::find(rest, b"}}")).map(|found| inside + found) else {
            if ends {
                out.push(TokenKind::MalformedReference, State::Live, Span::of(open..text.len()), &[]);
                return true;
            }
            at = inside;
            continue;
        };
        let end = close + 2;
        let name = text.get(inside..close).unwrap_or_default();
        if is_reference_name(name) {
            let part = Part { kind: PartKind::Name, span: Span::of(inside..close) };
            out.push(TokenKind::Variable, State::Live, Span::of(open..end), &[part]);
        } else {
            out.push(TokenKind::MalformedReference, State::Live, Span::of(open..end), &[]);
        }
        at = end;
    }
    false
}

/// A `{name}` at `open`: text here, and the likely slip of an author who writes for other frameworks too. Gives where it ends.
fn bare_name(text: &str, open: usize, out: &mut Tokens) -> Option<usize> {
    const BLANK: [char; 2] = [' ', '\t'];
    let inside = text.get(open + 1..)?;
    let len = memchr::memchr3(b'}', b'{', b'\n', inside.as_bytes())?;
    let after = inside.as_bytes().get(len..)?;
    let lead = inside.len() - inside.trim_start_matches(BLANK).len();
    let name = inside.get(lead..len)?.trim_end_matches(BLANK);
    if !after.starts_with(b"}") || after.starts_with(b"}}") || !is_reference_name(name) {
        return None;
    }
    let end = open + 1 + len + 1;
    let start = open + 1 + lead;
    let part = Part { kind: PartKind::Name, span: Span::of(start..start + name.len()) };
    out.push(TokenKind::BareName, State::Live, Span::of(open..end), &[part]);
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::TagSyntax;
    use crate::syntax::Body;

    /// Each token as its kind's first letter and its text.
    fn shown(text: &str) -> Vec<String> {
        let body = Body::new(text, 0, TagSyntax::DoubleBraces);
        let kind = |kind| match kind {
            TokenKind::Variable => 'V',
            TokenKind::MalformedReference => 'M',
            TokenKind::BareName => 'B',
            other => panic!("{other:?}"),
        };
        body.all_tokens(0).iter().map(|t| format!("{}{}", kind(t.kind), t.span.of_str(text))).collect()
    }

    #[test]
    fn names() {
        assert_eq!(shown("你{{a}}🎉{{b_1}}{{c}}"), ["V{{a}}", "V{{b_1}}", "V{{c}}"]);
        for text in ["{{A}}", "{{ a }}", "{{}}", "{{1a}}", "{{名}}", "{{a.b}}", "{{a\n}}", "{{_a}}"] {
            assert_eq!(shown(text), [format!("M{text}")], "{text}");
        }
    }

    #[test]
    fn up_to_the_next_closer_and_on_behind_it() {
        assert_eq!(shown("{{ and {{hero}} then {{hero}}"), ["M{{ and {{hero}}", "V{{hero}}"]);
        assert_eq!(shown("{{{a}}} {{b}}"), ["M{{{a}}", "V{{b}}"]);
        assert_eq!(shown("{{a}b}} {{{{a}}}}"), ["M{{a}b}}", "M{{{{a}}"]);
    }

    #[test]
    fn a_lone_opener_is_text() {
        assert!(shown("{{a} and {{b and {{{").is_empty());
        assert_eq!(shown("{{a}} {{ b"), ["V{{a}}"]);
        assert_eq!(shown("}} {{"), Vec::<String>::new());
        assert_eq!(shown("{{a {b} \n{c"), ["B{b}"]);
    }

    #[test]
    fn single_braces() {
        assert_eq!(shown("{a} { b\t} {a b} {} {A} {if x} {a}}"), ["B{a}", "B{ b\t}"]);
        assert!(shown("{\"k\": {\"a\": 1}} {a\n}").is_empty());
    }
}
