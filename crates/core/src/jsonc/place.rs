//! Where in a file a cursor stands, read from the tokens: a tree has no place for what is only half there.

use super::DEEPEST;
use super::lexer::{Kind, Lexer, Token};
use crate::span::Span;
use std::sync::Arc;

/// A step from the root.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// The member of that key.
    Key(Arc<str>),
    /// An item of a list.
    Item,
}

/// What stands at the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    /// The way to the object or list around it, and for a value to the value.
    pub(crate) path: Vec<Step>,
    /// Whether a key is wanted rather than a value.
    pub(crate) key: bool,
    /// The keys of the object, or the texts of the list, other than the one at the cursor.
    pub(crate) given: Vec<Arc<str>>,
    /// What is to be replaced, quotes included; empty where nothing is there.
    pub(crate) word: Span,
    /// Whether the word is a text in quotes, open or closed.
    pub(crate) quoted: bool,
    /// Whether a colon follows.
    pub(crate) colon: bool,
    /// Whether another member or item follows without a comma before it.
    pub(crate) lacks_comma: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Turn {
    Key,
    Colon,
    Value,
    /// A comma or the end.
    After,
}

struct Frame {
    object: bool,
    turn: Turn,
    key: Option<Arc<str>>,
    given: Vec<Arc<str>>,
}

/// The place of byte `at`, which lies on the border of a character; none in a comment, in a number or a word that is no text's place,
/// and outside of the root.
pub(crate) fn place(text: &str, at: u32) -> Option<Place> {
    let at = at as usize;
    let mut lexer = Lexer::new(text);
    let mut frames: Vec<Frame> = Vec::new();
    let mut before = 0;
    let token = loop {
        let token = lexer.next();
        let inside = match &token.kind {
            Kind::End => true,
            // Behind its closing quote a text is over; one that is not closed goes on to the end of its line.
            Kind::Text(text, _) => at < token.range.end || text.is_none() && at == token.range.end,
            Kind::Word | Kind::Stray => at <= token.range.end,
            Kind::OpenComment => at > token.range.start,
            _ => at <= token.range.start,
        };
        if inside || token.range.start >= at {
            break token;
        }
        before = token.range.end;
        if frames.len() > DEEPEST {
            return None;
        }
        step(&mut frames, token.kind);
    };
    let within = token.range.start < at;
    if token.kind == Kind::OpenComment && within || !within && in_comment(text.get(before..at)?) {
        return None;
    }
    let frame = frames.last()?;
    let new_line = text.get(before..token.range.start.min(at)).is_some_and(|gap| gap.contains(['\n', '\r']));
    let key = match frame.turn {
        Turn::Key => true,
        // A comma that is still missing is said to be so.
        Turn::After if new_line && frame.object => true,
        Turn::Value => false,
        _ => return None,
    };
    let (word, quoted) = match &token.kind {
        Kind::Text(closed, _) if within => {
            let end = if closed.is_some() { token.range.end } else { at };
            (Span::of(token.range.start..end), true)
        }
        Kind::Word if within || token.range.start == at => (Span::of(token.range.clone()), false),
        _ if within => return None,
        _ => (Span::of(at..at), false),
    };
    let mut path: Vec<Step> = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let innermost = index + 1 == frames.len();
        match &frame.key {
            Some(name) if frame.object && !(innermost && key) => path.push(Step::Key(Arc::clone(name))),
            _ if frame.object => {}
            _ => path.push(Step::Item),
        }
    }
    let mut given = frame.given.clone();
    let object = frame.object;
    // What follows, as far as it belongs to the same object or list.
    let mut next =
        if word.end as usize >= token.range.end && !word.is_empty() { lexer.next() } else { token };
    if matches!(next.kind, Kind::Text(None, _))
        && word.end > word.start
        && (word.end as usize) > next.range.start
    {
        next = lexer.next();
    }
    let colon = next.kind == Kind::Colon;
    let lacks_comma = matches!(next.kind, Kind::Text(..) | Kind::OpenBrace | Kind::OpenBracket);
    rest(&mut lexer, next, object, &mut given);
    Some(Place { path, key, given, word, quoted, colon, lacks_comma })
}

fn step(frames: &mut Vec<Frame>, kind: Kind) {
    let value = |frames: &mut Vec<Frame>| {
        if let Some(frame) = frames.last_mut() {
            frame.turn = Turn::After;
        }
    };
    match kind {
        Kind::OpenBrace | Kind::OpenBracket => {
            value(frames);
            let object = kind == Kind::OpenBrace;
            let turn = if object { Turn::Key } else { Turn::Value };
            frames.push(Frame { object, turn, key: None, given: Vec::new() });
        }
        Kind::CloseBrace | Kind::CloseBracket => {
            frames.pop();
        }
        Kind::Comma => {
            if let Some(frame) = frames.last_mut() {
                frame.turn = if frame.object { Turn::Key } else { Turn::Value };
            }
        }
        Kind::Colon => {
            if let Some(frame) = frames.last_mut().filter(|frame| frame.object) {
                frame.turn = Turn::Value;
            }
        }
        Kind::Text(text, _) => {
            let Some(frame) = frames.last_mut() else { return };
            match frame.turn {
                Turn::Key | Turn::After if frame.object => {
                    frame.turn = Turn::Colon;
                    frame.given.extend(text.clone());
                    frame.key = text;
                }
                _ => {
                    if !frame.object {
                        frame.given.extend(text);
                    }
                    frame.turn = Turn::After;
                }
            }
        }
        Kind::Word | Kind::Stray => {
            if let Some(frame) = frames.last_mut().filter(|frame| frame.turn == Turn::Value) {
                frame.turn = Turn::After;
            }
        }
        Kind::OpenComment | Kind::End => {}
    }
}

/// Adds the keys or texts that follow up to the end of the object or list.
fn rest(lexer: &mut Lexer<'_>, first: Token, object: bool, given: &mut Vec<Arc<str>>) {
    let (mut depth, mut token) = (0_usize, first);
    loop {
        match &token.kind {
            Kind::OpenBrace | Kind::OpenBracket => depth += 1,
            Kind::CloseBrace | Kind::CloseBracket if depth == 0 => return,
            Kind::CloseBrace | Kind::CloseBracket => depth -= 1,
            Kind::Text(Some(text), _) if depth == 0 => {
                let text = Arc::clone(text);
                token = lexer.next();
                if (token.kind == Kind::Colon) == object {
                    given.push(text);
                }
                continue;
            }
            Kind::End | Kind::OpenComment => return,
            _ => {}
        }
        token = lexer.next();
    }
}

/// Whether the end of `gap`, which holds blanks and comments alone, lies in a comment.
fn in_comment(gap: &str) -> bool {
    let mut rest = gap;
    while let Some(start) = rest.find('/') {
        let comment = &rest[start..];
        let end = match comment.strip_prefix("//") {
            Some(line) => line.find(['\n', '\r']).map(|at| at + 2),
            None => comment.find("*/").map(|at| at + 2),
        };
        match end {
            Some(end) => rest = &comment[end..],
            None => return true,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let at = text.find('$').expect("a cursor");
        let text = text.replacen('$', "", 1);
        let Some(place) = place(&text, at as u32) else { return "nowhere".to_owned() };
        let steps = place.path.iter().map(|step| match step {
            Step::Key(key) => format!(".{key}"),
            Step::Item => "[]".to_owned(),
        });
        let path: String = steps.collect();
        let what = if place.key { "key" } else { "value" };
        let flags = [(place.quoted, " quoted"), (place.colon, " :"), (place.lacks_comma, " ,")];
        let flags: String = flags.iter().filter(|(is, _)| *is).map(|(_, name)| *name).collect();
        format!("{what} of {path:?} {:?}{flags} {:?}", &text[place.word.range()], place.given)
    }

    #[test]
    fn places() {
        for (text, expected) in [
            ("{$}", r#"key of "" "" []"#),
            ("\u{feff}{\"a$", r#"key of "" "\"a" quoted []"#),
            ("{\"a$b\": 1, \"c\": 2}", r#"key of "" "\"ab\"" quoted : ["c"]"#),
            ("{\"a\": $}", r#"value of ".a" "" ["a"]"#),
            ("{\"a\": tr$ue, \"b\": 1}", r#"value of ".a" "true" ["a", "b"]"#),
            ("{\"a\": {\"b\": [\"x\", \"$\"]}}", r#"value of ".a.b[]" "\"\"" quoted ["x"]"#),
            ("{\"a\": [$ \"x\", \"y\"]}", r#"value of ".a[]" "" , ["x", "y"]"#),
            (
                "{\"a\": {\r\n  $\r\n  \"b\": 1, \"c\": {\"d\": 2}}, \"e\": 3}",
                r#"key of ".a" "" , ["b", "c"]"#,
            ),
            ("{\"a\": 1\n \"$\n}", r#"key of "" "\"" quoted ["a"]"#),
            ("{\"a\": 1 $}", "nowhere"),
            ("{\"a\" $: 1}", "nowhere"),
            ("{\"a\"$: 1}", "nowhere"),
            ("{\"a\": 1}$", "nowhere"),
            ("$", "nowhere"),
            ("{} $ ", "nowhere"),
            ("{ // c$\n}", "nowhere"),
            ("{ // c\n$}", r#"key of "" "" []"#),
            ("{ /* $ */}", "nowhere"),
            ("{ /* a */ $}", r#"key of "" "" []"#),
            ("{ /* $", "nowhere"),
            ("{\"甲\": {\"é🎉$", r#"key of ".甲" "\"é🎉" quoted []"#),
            ("{\"a\": \"x$\n \"b\": 1}", r#"value of ".a" "\"x" quoted , ["a", "b"]"#),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
        assert_eq!(shown(&format!("{}$", "[".repeat(200))), "nowhere");
    }
}
