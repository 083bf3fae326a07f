//! What a selection grows to, step by step: name, tag, branch, construct, body, file.

use super::Context;
use crate::block::{Header, HeaderState};
use crate::jsonc::{Node, Value, parse};
use crate::span::{Span, offset};
use crate::syntax::{ChunkView, PartKind, State, Text, Token, TokenRef};

/// So many constructs or braces around a place are steps, the innermost ones: nobody grows a selection further, and a client must
/// take the answer apart step by step.
const DEEPEST: usize = 32;

/// The steps from what stands at byte `at` to the whole file, each one larger than the one before and around it.
pub fn selection(cx: &Context<'_>, at: u32) -> Vec<Span> {
    let document = cx.document;
    let header = document.header();
    let file = Span::new(0, Text::len(document.text()));
    let mut steps = vec![file];
    if header.is_in_text() && header.state != HeaderState::Missing && at < header.body {
        in_header(cx, header, at, &mut steps);
    } else {
        steps.push(Span::new(header.body.min(file.end), file.end));
        steps.push(document.content());
        if cx.is_template() {
            in_body(cx, at, &mut steps);
        }
    }
    growing(steps, file, at)
}

/// The same in a catalog or a file of environments, which is read once for all places.
#[derive(Debug)]
pub struct JsonSelection {
    text: String,
    root: Node,
}

impl JsonSelection {
    /// Reads the file; what cannot be read has no steps of its own.
    pub fn new(text: String) -> Self {
        let root = parse(&text).root;
        Self { text, root }
    }

    /// The steps at byte `at`.
    pub fn at(&self, at: u32) -> Vec<Span> {
        let file = Span::new(0, offset(self.text.len()));
        let mut steps = vec![file];
        let mut node = Some(&self.root);
        while let Some(here) = node {
            steps.push(here.span);
            node = in_node(here, at, &self.text, &mut steps);
        }
        growing(steps, file, at)
    }
}

/// Those around `at`, the smallest first, each of which holds the one before.
fn growing(mut steps: Vec<Span>, file: Span, at: u32) -> Vec<Span> {
    steps.retain(|step| step.touches(at) && step.start <= step.end);
    // Of two of one size, which touch `at` from its two sides, the one that begins there.
    steps.sort_by_key(|step| (step.len(), std::cmp::Reverse(step.start)));
    let mut all: Vec<Span> = Vec::new();
    for step in steps {
        match all.last() {
            Some(last) if *last == step || last.cover(step) != step => {}
            // A construct that holds nothing yet is no step; a file is.
            None if step.is_empty() && step != file => {}
            _ => all.push(step),
        }
    }
    all
}

/// The text between the quotes of a quoted value.
pub(super) fn unquoted(span: Span, text: &str) -> Option<Span> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    let closed = text.len() >= 2 && text.ends_with(quote);
    closed.then(|| Span::new(span.start + 1, span.end - 1))
}

fn in_header(cx: &Context<'_>, header: &Header, at: u32, steps: &mut Vec<Span>) {
    steps.extend([header.span, header.content]);
    let touched = |span: &Span| span.touches(at);
    let Some(entry) = header.entries.iter().find(|entry| entry.key.cover(entry.value).touches(at)) else {
        return;
    };
    steps.push(entry.key.cover(entry.value));
    let items = header.allow.iter().map(|(_, item)| *item);
    for piece in items.chain([entry.key, entry.value]).filter(touched) {
        steps.push(piece);
        steps.extend(unquoted(piece, &cx.document.slice(piece)));
    }
}

fn in_body(cx: &Context<'_>, at: u32, steps: &mut Vec<Span>) {
    let document = cx.document;
    let (body, base) = (document.body(), document.header().body);
    for (open, close) in body.literals_within(base, Span::empty(at)) {
        if open < at && at <= close {
            braces(cx, Span::new(open, close + 1), at, steps);
        }
    }
    let mut around = body.open_around(document.text(), base, at, DEEPEST);
    if let Some(view) = body.view_around(document.text(), base, at)
        && let Some((tag, token)) = view.token_at(at).filter(|(_, token)| token.is_tag())
    {
        steps.push(token.span.shift(view.start));
        pieces(cx, &view, token, at, steps);
        if token.state == State::Live {
            // A closer has left the construct that it belongs to, an opener has not entered it yet.
            around.insert(0, tag);
        }
    }
    enclosing(cx, around, steps);
}

/// What stands in a tag: between its braces, and the piece that the cursor is on.
fn pieces(cx: &Context<'_>, view: &ChunkView<'_>, token: &Token, at: u32, steps: &mut Vec<Span>) {
    let braces = if cx.has_controls() { 1 } else { 2 };
    let inside = Span::new(token.span.start + braces, token.span.end.saturating_sub(braces));
    let text = view.text_of(inside);
    let trimmed = text.trim_matches([' ', '\t']);
    let start = inside.start + offset(text.len() - text.trim_start_matches([' ', '\t']).len());
    steps.push(Span::new(start, start + offset(trimmed.len())).shift(view.start));
    let Some(part) = view.part_at(token, at) else { return };
    let span = part.span.shift(view.start);
    let text = view.text_of(part.span);
    steps.push(span);
    steps.extend(unquoted(span, text));
    if part.kind == PartKind::Name {
        let mut start = span.start;
        for segment in text.split('.') {
            let segment = Span::new(start, start + offset(segment.len()));
            steps.push(segment);
            start = segment.end + 1;
        }
    }
}

/// The constructs that these tags belong to, and the branches of them.
fn enclosing(cx: &Context<'_>, tags: Vec<TokenRef>, steps: &mut Vec<Span>) {
    let document = cx.document;
    let (body, base) = (document.body(), document.header().body);
    for tag in tags {
        // What nothing closes has no end.
        let Some(pair) = body.pair_of(tag).filter(|pair| pair.closer.is_some()) else { continue };
        let spans = body.spans_of(pair.tags(), base);
        for tags in spans.windows(2) {
            steps.push(Span::new(tags[0].end, tags[1].start));
        }
        if let (Some(first), Some(last)) = (spans.first(), spans.last()) {
            steps.push(first.cover(*last));
        }
    }
}

/// The braces around `at` within a pair of literal ones, with and without the braces themselves.
fn braces(cx: &Context<'_>, literal: Span, at: u32, steps: &mut Vec<Span>) {
    let document = cx.document;
    let text = document.text();
    let mut open: Vec<u32> = Vec::new();
    let mut around = Vec::new();
    for brace in document.body().braces_within(document.header().body, literal) {
        if text.get_byte(brace as usize) == Some(b'{') {
            open.push(brace);
        } else if let Some(start) = open.pop()
            && start < at
            && at <= brace
        {
            around.push(Span::new(start, brace + 1));
            if around.len() >= DEEPEST {
                break;
            }
        }
    }
    around.push(literal);
    for pair in around {
        steps.extend([pair, Span::new(pair.start + 1, pair.end - 1)]);
    }
}

/// Adds the pieces of a JSON value around `at`, and gives the value within it that is to be looked at next.
fn in_node<'n>(node: &'n Node, at: u32, text: &str, steps: &mut Vec<Span>) -> Option<&'n Node> {
    match &node.value {
        Value::Object(members) => {
            let member = members.iter().find(|member| member.span().touches(at))?;
            steps.push(member.span());
            if member.key.span.touches(at) {
                steps.push(member.key.span);
                steps.extend(unquoted(member.key.span, member.key.span.of_str(text)));
                return None;
            }
            Some(&member.value).filter(|value| value.span.touches(at))
        }
        Value::Array(items) => items.iter().find(|item| item.span.touches(at)),
        Value::Text(_) => {
            steps.extend(unquoted(node.span, node.span.of_str(text)));
            None
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::testing::{Project, cursor, system};

    /// The steps, each around the one before.
    fn steps(marked: &str) -> Vec<String> {
        let (text, at) = cursor(marked);
        let project = Project::new(&text);
        let all = selection(&project.context(), at);
        for pair in all.windows(2) {
            assert!(pair[0].cover(pair[1]) == pair[1] && pair[0] != pair[1], "{pair:?}");
        }
        assert!(all.iter().all(|step| step.touches(at)));
        assert_eq!(*all.last().expect("the file"), Span::of(0..text.len()));
        all.iter().map(|step| step.of_str(&text).to_owned()).collect()
    }

    /// The steps in a body, up to its content.
    fn body(marked: &str) -> Vec<String> {
        let mut all = steps(&system(&format!("{marked} 尾\n\n")));
        let file = all.pop().expect("the file");
        let whole = all.pop().expect("the body");
        assert!(file.ends_with(&whole));
        assert_eq!(all.pop().as_deref(), Some(whole.trim_end_matches('\n')), "the content");
        all
    }

    #[test]
    fn a_tag() {
        assert_eq!(body("你🎉 {ch$0aracter_name}"), ["character_name", "{character_name}"]);
        assert_eq!(body("{hero.wea$0pon.x}"), ["weapon", "hero.weapon.x", "{hero.weapon.x}"]);
        assert_eq!(
            body("{ weather \"北$0 京\" c }"),
            ["北 京", "\"北 京\"", "weather \"北 京\" c", "{ weather \"北 京\" c }"]
        );
        assert_eq!(body("{$0time}"), ["time", "{time}"]);
        assert_eq!(body("a{time}$0{mood}"), ["{mood}"], "what begins at the cursor");
        assert_eq!(body("a{time}$0"), ["{time}"]);
        assert_eq!(body("a $0 b"), [""; 0]);
    }

    #[test]
    fn constructs() {
        let inner = "{for m in members}{m}{/for}";
        let branch = format!("🎉e\u{301}{inner}b");
        let whole = format!("{{if is_vip}}a{{else}}{branch}{{/if}}");
        let in_name = body(&format!(" {}", whole.replace("{m}", "{m$0}")));
        assert_eq!(in_name, ["m", "{m}", inner, branch.as_str(), whole.as_str()]);
        let in_text = body(&whole.replace("}b{", "}b$0 c{"));
        assert_eq!(in_text, [format!("{branch} c"), whole.replace("}b{", "}b c{")]);
        let opener = body(&whole.replace("is_vip", "is_$0vip"));
        assert_eq!(opener, ["is_vip", "if is_vip", "{if is_vip}", whole.as_str()]);
        let else_ = body(&whole.replace("else", "el$0se"));
        assert_eq!(else_, ["else", "{else}", whole.as_str()]);
        let closer = body(&whole.replace("/if", "/i$0f"));
        assert_eq!(closer, ["if", "/if", "{/if}", whole.as_str()]);
        let after = body(&format!("{whole} $0x"));
        assert_eq!(after, [""; 0]);
    }

    #[test]
    fn what_nothing_closes_is_no_step() {
        assert_eq!(
            body("{if is_vip}a{for m in members}b$0b{/if} c"),
            ["a{for m in members}bb", "{if is_vip}a{for m in members}bb{/if}"]
        );
        assert_eq!(body("{if is_vip} $0a"), [""; 0]);
    }

    #[test]
    fn literal_braces() {
        assert_eq!(
            body("看 {\"键🎉\": {\"b\": $0 1}}"),
            ["\"b\":  1", "{\"b\":  1}", "\"键🎉\": {\"b\":  1}", "{\"键🎉\": {\"b\":  1}}"]
        );
        assert_eq!(body("{\"a\": {ti$0me}}")[..2], ["time", "{time}"], "looks like a tag");
    }

    #[test]
    fn header() {
        let text = "\u{feff}---\r\nid: \"群😀:a\"\r\nallow: [stray-brace, ord$0er-conflict]\r\nzone: system\r\n---\r\n{time}\r\n";
        let all = steps(text);
        let content = "id: \"群😀:a\"\r\nallow: [stray-brace, order-conflict]\r\nzone: system\r\n";
        assert_eq!(
            all[..4],
            [
                "order-conflict",
                "[stray-brace, order-conflict]",
                "allow: [stray-brace, order-conflict]",
                content
            ]
        );
        assert_eq!(all[4], format!("---\r\n{content}---\r\n"));
        assert_eq!(all.len(), 6);
        let all = steps(&text.replace("$0", "").replace("群", "$0群"));
        assert_eq!(all[..3], ["群😀:a", "\"群😀:a\"", "id: \"群😀:a\""]);
        let all = steps(&text.replace("$0", "").replace("zone", "zo$0ne"));
        assert_eq!(all[..2], ["zone", "zone: system"]);
        let all = steps(&text.replace("$0", "").replace("---\r\n{", "--$0-\r\n{"));
        assert_eq!(all.len(), 2, "{all:?}");
    }

    #[test]
    fn no_header_and_no_template() {
        assert_eq!(steps("a {time$0} b"), ["a {time} b"]);
        assert_eq!(steps("$0"), [""], "the empty file");
        let plain = system("{if is_vip}{ti$0me}{/if}\n").replace("true", "false");
        assert_eq!(steps(&plain)[0], "{if is_vip}{time}{/if}");
    }

    #[test]
    fn nested_without_end() {
        let deep = format!("{}{}$0{}", "{if is_vip}".repeat(5000), "字\n".repeat(3000), "{/if}".repeat(5000));
        assert!(body(&deep).len() <= 2 * DEEPEST);
        assert!(body(&format!("{}$0{}", "{ \"".repeat(5000), "}".repeat(5000))).len() <= 2 * DEEPEST + 2);
    }

    #[test]
    fn a_chunk_without_braces() {
        let prose = "很长的一行\n".repeat(2000);
        let all = body(&format!("{{if is_vip}}\n{prose}中$0{prose}{{/if}}"));
        assert_eq!(all.len(), 2);
        assert!(all[1].starts_with("{if is_vip}") && all[1].ends_with("{/if}"));
    }

    #[test]
    fn json() {
        let steps = |marked: &str| {
            let (text, at) = cursor(marked);
            let all = JsonSelection::new(text.clone()).at(at);
            all.iter().map(|step| step.of_str(&text).to_owned()).collect::<Vec<_>>()
        };
        let text = "\u{feff}// 说明\r\n{\"variables\": {\"时间😀\": {\"zones\": [\"con$0text\"], \"mutable\": true,}}}\r\n";
        assert_eq!(
            steps(text)[..6],
            [
                "context",
                "\"context\"",
                "[\"context\"]",
                "\"zones\": [\"context\"]",
                "{\"zones\": [\"context\"], \"mutable\": true,}",
                "\"时间😀\": {\"zones\": [\"context\"], \"mutable\": true,}"
            ]
        );
        let text = text.replace("$0", "");
        assert_eq!(steps(&text.replace("间😀", "间$0😀"))[..2], ["时间😀", "\"时间😀\""]);
        assert_eq!(steps(&text.replace("true", "tr$0ue"))[..2], ["true", "\"mutable\": true"]);
        for broken in ["", "{", "{\"a\": [1, $0", "\"a$0", "{\"a\" $0"] {
            let marked = if broken.contains("$0") { broken.to_owned() } else { format!("{broken}$0") };
            let text = marked.replace("$0", "");
            assert!(steps(&marked).last().is_none_or(|last| *last == text), "{broken}");
        }
    }
}
