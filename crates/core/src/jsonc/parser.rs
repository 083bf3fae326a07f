//! The tree from the tokens. What is missing is passed over, what is too much is skipped, and the first of it noted.

use super::lexer::{Kind, Lexer, Token};
use super::{DEEPEST, Document, Fault, Member, Node, Value};
use crate::diagnostic::Remedy;
use crate::excerpt::excerpt;
use crate::message::Message;
use crate::msg;
use crate::nearest::nearest;
use crate::span::{Span, Spanned};
use std::ops::Range;
use std::sync::Arc;

/// Reads `text`, a byte order mark at its start left out.
pub fn parse(text: &str) -> Document {
    let mut lexer = Lexer::new(text);
    let token = lexer.next();
    let mut parser = Parser { text, lexer, token, ahead: None, before: 0..0, fault: None, open: Vec::new() };
    let mut blank = None;
    if parser.token.kind == Kind::End {
        // A comment without a line break behind it would take in what comes next.
        let open = !text.trim_start_matches('\u{feff}').is_empty() && !text.ends_with(['\n', '\r']);
        blank = Some((crate::span::offset(text.len()), if open { "\n" } else { "" }));
        let range = parser.token.range.clone();
        parser.fault(
            range,
            msg!("the file is empty; it must hold a JSON object", "文件是空的；应为一个 JSON 对象"),
        );
    }
    let root = parser.value();
    if parser.token.kind != Kind::End {
        let range = parser.token.range.clone();
        parser.fault(range, msg!("nothing may follow the JSON value", "JSON 值之后不能再有内容"));
    }
    Document { root, fault: parser.fault, blank }
}

struct Parser<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
    token: Token,
    ahead: Option<Token>,
    /// Where the token before the present one stands.
    before: Range<usize>,
    fault: Option<Fault>,
    /// The closers of what stands open, the innermost last.
    open: Vec<Kind>,
}

impl Parser<'_> {
    fn advance(&mut self) -> Token {
        let next = self.ahead.take().unwrap_or_else(|| self.lexer.next());
        self.before = self.token.range.clone();
        std::mem::replace(&mut self.token, next)
    }

    /// The token behind the present one.
    fn peek(&mut self) -> &Kind {
        &self.ahead.get_or_insert_with(|| self.lexer.next()).kind
    }

    /// Notes the first fault; what follows may be its consequence.
    fn fault(&mut self, range: Range<usize>, message: Message) {
        self.mend(range, message, Remedy::None);
    }

    /// Notes the first fault with a way out.
    fn mend(&mut self, range: Range<usize>, message: Message, remedy: Remedy) {
        if self.fault.is_none() {
            // At the end of the text there is nothing to show but what stands last.
            let range = if range.is_empty() { self.before.clone() } else { range };
            self.fault = Some(Fault { span: Span::of(range), message, remedy });
        }
    }

    /// A comma behind what stands before the present token.
    fn comma(&self) -> Remedy {
        Remedy::Insert { at: crate::span::offset(self.before.end), text: ",".into(), safe: false }
    }

    /// Whether a string here is the key of the next member rather than a value.
    fn at_next_key(&mut self) -> bool {
        matches!(self.token.kind, Kind::Text(..)) && *self.peek() == Kind::Colon
    }

    fn value(&mut self) -> Node {
        let range = self.token.range.clone();
        let span = Span::of(range.clone());
        let node = |value| Node { value, span };
        match &self.token.kind {
            Kind::OpenBrace | Kind::OpenBracket if self.open.len() >= DEEPEST => {
                self.fault(range.clone(), msg!("nested too deeply", "嵌套太深"));
                Node { value: Value::Broken, span: Span::of(range.start..self.skip_collection()) }
            }
            Kind::OpenBrace => self.object(),
            Kind::OpenBracket => self.array(),
            Kind::Text(..) => node(self.string().map_or(Value::Broken, Value::Text)),
            Kind::Word => {
                self.advance();
                node(self.word(range))
            }
            Kind::Stray => {
                self.advance();
                self.expected_value(range);
                node(Value::Broken)
            }
            Kind::OpenComment => {
                self.open_comment();
                self.value()
            }
            Kind::CloseBrace | Kind::CloseBracket | Kind::Colon | Kind::Comma | Kind::End => {
                self.expected_value(range);
                Node { value: Value::Broken, span: Span::empty(span.start) }
            }
        }
    }

    fn expected_value(&mut self, range: Range<usize>) {
        self.fault(range, msg!("expected a value", "这里应为一个值"));
    }

    /// Over the present string; `None` where it is not closed.
    fn string(&mut self) -> Option<Arc<str>> {
        let Token { kind: Kind::Text(text, fault), range } = self.advance() else { return None };
        if text.is_none() {
            self.fault(range, msg!("this quote is never closed", "这个引号没有闭合"));
        } else if let Some((range, message)) = fault {
            let single =
                self.text.get(range.clone()).and_then(|it| it.strip_prefix('\'')?.strip_suffix('\''));
            let quoted = single.map(|text| Remedy::Replace { with: vec![quote(text)], safe: false });
            self.mend(range, message, quoted.unwrap_or_default());
        }
        text
    }

    /// Over a comment that is not closed, which is all that is left of the text.
    fn open_comment(&mut self) {
        let range = self.advance().range;
        self.fault(
            range.start..range.start + "/*".len(),
            msg!("this comment is never closed", "这个注释没有闭合"),
        );
    }

    fn word(&mut self, range: Range<usize>) -> Value {
        let word = self.text.get(range.clone()).unwrap_or_default();
        match word {
            "true" => return Value::Boolean(true),
            "false" => return Value::Boolean(false),
            "null" => return Value::Null,
            _ => {}
        }
        if let Some(number) = number(word) {
            return Value::Number(number);
        }
        let (shown, question) = (excerpt(word), nearest(word, ["true", "false", "null"]).question());
        self.fault(
            range,
            msg!(
                "`{shown}` is no JSON value; a text needs quotes{question}",
                "`{shown}` 不是 JSON 值；文本要加引号{question}";
                question = question
            ),
        );
        Value::Broken
    }

    fn object(&mut self) -> Node {
        let start = self.advance().range;
        self.open.push(Kind::CloseBrace);
        let mut members = Vec::new();
        let mut comma_due = false;
        let end = loop {
            if let Some(end) = self.closed(&start, &Kind::CloseBrace) {
                break end;
            }
            let range = self.token.range.clone();
            match &self.token.kind {
                Kind::Comma => {
                    if !comma_due {
                        let remedy = Remedy::Delete(Span::of(range.clone()));
                        self.mend(range, msg!("unexpected `,`", "多余的 `,`"), remedy);
                    }
                    self.advance();
                    comma_due = false;
                    continue;
                }
                Kind::Text(..) | Kind::Word if comma_due => {
                    let remedy = self.comma();
                    self.mend(range, msg!("expected `,` or `}}` here", "这里应为 `,` 或 `}}`"), remedy);
                }
                Kind::Text(..) | Kind::Word => {}
                Kind::OpenBrace | Kind::OpenBracket => {
                    self.fault(range, msg!("expected a key in quotes", "这里应为带引号的键"));
                    self.value();
                    continue;
                }
                _ => {
                    let message = if comma_due {
                        msg!("expected `,` or `}}` here", "这里应为 `,` 或 `}}`")
                    } else {
                        msg!("expected a key in quotes", "这里应为带引号的键")
                    };
                    self.fault(range, message);
                    self.advance();
                    continue;
                }
            }
            members.extend(self.member());
            comma_due = true;
        };
        self.open.pop();
        Node { value: Value::Object(members), span: Span::of(start.start..end) }
    }

    fn member(&mut self) -> Option<Member> {
        let range = self.token.range.clone();
        let key = if self.token.kind == Kind::Word {
            self.advance();
            let quoted = Remedy::Replace {
                with: vec![quote(self.text.get(range.clone()).unwrap_or_default())],
                safe: false,
            };
            self.mend(range.clone(), msg!("a key needs quotes", "键要加引号"), quoted);
            Some(self.text.get(range.clone()).unwrap_or_default().into())
        } else {
            self.string()
        };
        let missing = Node { value: Value::Broken, span: Span::empty(crate::span::offset(range.end)) };
        let value = if self.token.kind == Kind::Colon {
            let colon = self.advance().range;
            if self.at_next_key() {
                self.expected_value(colon);
                missing
            } else {
                self.value()
            }
        } else {
            self.fault(
                range.clone(),
                msg!("expected `:` and a value behind this key", "这个键后面应有 `:` 和值"),
            );
            let value = matches!(self.token.kind, Kind::OpenBrace | Kind::OpenBracket | Kind::Word);
            if value || matches!(self.token.kind, Kind::Text(..)) && !self.at_next_key() {
                self.value()
            } else {
                missing
            }
        };
        // What belongs to an unclosed key cannot be told; its value has been read over.
        Some(Member { key: Spanned::new(key?, Span::of(range)), value })
    }

    fn array(&mut self) -> Node {
        let start = self.advance().range;
        self.open.push(Kind::CloseBracket);
        let mut items = Vec::new();
        let mut comma_due = false;
        let end = loop {
            if let Some(end) = self.closed(&start, &Kind::CloseBracket) {
                break end;
            }
            let range = self.token.range.clone();
            match &self.token.kind {
                Kind::Comma => {
                    if !comma_due {
                        let remedy = Remedy::Delete(Span::of(range.clone()));
                        self.mend(range, msg!("unexpected `,`", "多余的 `,`"), remedy);
                    }
                    self.advance();
                    comma_due = false;
                }
                Kind::Colon | Kind::CloseBrace | Kind::CloseBracket => {
                    self.fault(range, msg!("expected `,` or `]` here", "这里应为 `,` 或 `]`"));
                    self.advance();
                }
                _ => {
                    // A key: the list was left open, and the object around it goes on.
                    if self.open.contains(&Kind::CloseBrace) && self.at_next_key() {
                        self.never_closed(&start);
                        break items.last().map_or(start.end, |item: &Node| item.span.end as usize);
                    }
                    if comma_due {
                        let remedy = self.comma();
                        self.mend(range, msg!("expected `,` or `]` here", "这里应为 `,` 或 `]`"), remedy);
                    }
                    items.push(self.value());
                    comma_due = true;
                }
            }
        };
        self.open.pop();
        Node { value: Value::Array(items), span: Span::of(start.start..end) }
    }

    /// The end of a collection where the present token closes it, or closes what is around it.
    fn closed(&mut self, start: &Range<usize>, closer: &Kind) -> Option<usize> {
        if self.token.kind == Kind::OpenComment {
            self.open_comment();
        }
        if self.token.kind == *closer {
            return Some(self.advance().range.end);
        }
        let closes_another = matches!(self.token.kind, Kind::CloseBrace | Kind::CloseBracket)
            && self.open.contains(&self.token.kind);
        if self.token.kind == Kind::End || closes_another {
            self.never_closed(start);
            return Some(self.token.range.start);
        }
        None
    }

    fn never_closed(&mut self, start: &Range<usize>) {
        let bracket = self.text.get(start.clone()).unwrap_or_default();
        let message = msg!("this `{bracket}` is never closed", "这个 `{bracket}` 没有闭合");
        self.fault(start.clone(), message);
    }

    /// Over a collection that is too deep to be read, however deep it goes on; gives its end.
    fn skip_collection(&mut self) -> usize {
        let mut depth = 0_usize;
        loop {
            let token = self.advance();
            match token.kind {
                Kind::OpenBrace | Kind::OpenBracket => depth += 1,
                Kind::CloseBrace | Kind::CloseBracket => depth -= 1,
                Kind::End => return token.range.end,
                _ => {}
            }
            if depth == 0 {
                return token.range.end;
            }
        }
    }
}

/// A text as JSON spells it.
fn quote(text: &str) -> Arc<str> {
    serde_json::Value::from(text).to_string().into()
}

/// The number that `word` spells; JSON's numbers and no others.
fn number(word: &str) -> Option<serde_json::Number> {
    if !word.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return None;
    }
    let number: serde_json::Number = serde_json::from_str(word).ok()?;
    // serde_json rounds in haste; the value must read back as it was written.
    if number.is_f64() { serde_json::Number::from_f64(word.parse().ok()?) } else { Some(number) }
}
