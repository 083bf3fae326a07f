//! A second lexer, slow and plain, written from the language's description and not from the scanner.
//! It goes back where a form does not fit, which the scanner cannot.

use std::ops::Range;

/// A leaf of the tree: its kind and where it is.
pub(super) type Token = (&'static str, Range<usize>);

/// A block: its keyword, the start of its opener, and the start of its closer.
pub(super) type Block = (&'static str, usize, Option<usize>);

const CONTROL_WORDS: [&str; 6] = ["if", "elseif", "else", "for", "while", "repeat"];
const BLOCK_WORDS: [&str; 4] = ["if", "for", "while", "repeat"];
/// How many blocks can be open at once.
const MAX_DEPTH: usize = 200;

fn keyword(word: &str) -> Option<&'static str> {
    CONTROL_WORDS.into_iter().chain(["in", "true", "false"]).find(|known| *known == word)
}

pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { 3 } else { 0 };
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("{{") || rest.starts_with("}}") {
            tokens.push(("escape", at..at + 2));
        } else if let Some(tag) = sound_tag(text, at) {
            tokens.extend(tag);
        } else if let Some(end) = malformed_end(text, at) {
            tokens.push(("malformed_tag", at..end));
        } else if rest.starts_with(['{', '}']) {
            tokens.push(("brace", at..at + 1));
        } else {
            let length = rest.find(['{', '}']).unwrap_or(rest.len());
            tokens.push(("text", at..at + length));
        }
        at = tokens.last().map_or(text.len(), |token| token.1.end);
    }
    tokens
}

/// The blocks that a reader of the tokens sees, by the start of the opener.
pub(super) fn blocks(tokens: &[Token]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for (index, (kind, range)) in tokens.iter().enumerate() {
        if *kind != "{" {
            continue;
        }
        match (tokens[index + 1].0, tokens[index + 2].0) {
            ("/", word) => {
                if let Some(place) = open.iter().rposition(|&block| blocks[block].0 == word) {
                    blocks[open[place]].2 = Some(range.start);
                    open.truncate(place);
                }
            }
            (word, _) if BLOCK_WORDS.contains(&word) && open.len() < MAX_DEPTH => {
                open.push(blocks.len());
                blocks.push((word, range.start, None));
            }
            _ => {}
        }
    }
    blocks
}

/// A place in the text and the tokens read up to it.
struct Reader<'a> {
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, at: usize) -> Self {
        Reader { text, at, tokens: Vec::new() }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Takes a token of `length` bytes; none where the length is 0.
    fn take(&mut self, kind: &'static str, length: usize) -> Option<()> {
        self.tokens.push((kind, self.at..self.at + length));
        self.at += length;
        (length > 0).then_some(())
    }

    fn literal(&mut self, literal: &'static str) -> Option<()> {
        if self.rest().starts_with(literal) { self.take(literal, literal.len()) } else { None }
    }

    fn blanks(&mut self) -> bool {
        let before = self.at;
        self.at += self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
        self.at > before
    }

    fn word(&self) -> &'a str {
        let rest = self.rest();
        let mut chars = rest.char_indices();
        match chars.next() {
            Some((_, c)) if c == '_' || unicode_ident::is_xid_start(c) => {}
            _ => return "",
        }
        let end = chars.find(|&(_, c)| !unicode_ident::is_xid_continue(c)).map_or(rest.len(), |(at, _)| at);
        &rest[..end]
    }

    fn plain_name(&mut self) -> Option<()> {
        let word = self.word();
        if keyword(word).is_some() { None } else { self.take("identifier", word.len()) }
    }

    fn variable(&mut self) -> Option<()> {
        self.plain_name()?;
        while self.rest().starts_with('.') {
            self.literal(".")?;
            self.take("identifier", self.word().len())?;
        }
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let quote = self.rest().chars().next().filter(|c| ['"', '\''].contains(c))?;
        let mut chars = self.rest().char_indices().skip(1).peekable();
        while let Some((at, c)) = chars.next() {
            if c == quote {
                return self.take("string", at + 1);
            }
            if ['\n', '\r'].contains(&c) {
                return None;
            }
            if c == '\\' {
                chars.next_if(|(_, c)| ['"', '\'', '\\'].contains(c));
            }
        }
        None
    }

    fn number(&mut self) -> Option<()> {
        let end = self.rest().find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c)));
        let longest = end.unwrap_or(self.rest().len());
        let length = (1..=longest).rev().find(|&length| is_number(&self.rest()[..length]))?;
        self.take("number", length)
    }

    fn argument(&mut self) -> Option<()> {
        if self.string().is_some() {
            return Some(());
        }
        let end = self.rest().find([' ', '\t', '"', '\'', '{', '}', '\n', '\r']);
        let length = end.unwrap_or(self.rest().len());
        let kind = if is_number(&self.rest()[..length]) { "number" } else { "word" };
        self.take(kind, length)
    }

    fn operand(&mut self) -> Option<()> {
        if self.string().is_some() || self.number().is_some() {
            return Some(());
        }
        match self.word() {
            word @ ("true" | "false") => self.take("boolean", word.len()),
            _ => self.variable(),
        }
    }

    fn condition(&mut self) -> Option<()> {
        self.operand()?;
        self.blanks();
        let operators = ["==", "!=", "<=", ">=", "<", ">"];
        let Some(operator) = operators.iter().find(|operator| self.rest().starts_with(**operator)) else {
            return Some(());
        };
        self.take("operator", operator.len())?;
        self.blanks();
        self.operand()
    }

    fn control(&mut self) -> Option<()> {
        if self.literal("/").is_some() {
            let word = BLOCK_WORDS.into_iter().find(|word| *word == self.word())?;
            return self.literal(word);
        }
        let word = CONTROL_WORDS.into_iter().find(|word| *word == self.word())?;
        self.literal(word)?;
        if word == "else" {
            return Some(());
        }
        if !self.blanks() {
            return None;
        }
        match word {
            "for" => {
                self.plain_name()?;
                self.blanks().then_some(())?;
                if self.word() != "in" {
                    return None;
                }
                self.literal("in")?;
                self.blanks().then_some(())?;
                self.variable()
            }
            "repeat" => self.number().or_else(|| self.variable()),
            _ => self.condition(),
        }
    }

    fn variable_with_arguments(&mut self) -> Option<()> {
        self.variable()?;
        while self.blanks() && !self.rest().starts_with('}') {
            self.argument()?;
        }
        Some(())
    }
}

fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (text, exponent) = text.split_once(['e', 'E']).map_or((text, None), |(a, b)| (a, Some(b)));
    let (integer, fraction) = text.split_once('.').map_or((text, None), |(a, b)| (a, Some(b)));
    let unsigned = |text: &str| digits(text.strip_prefix(['+', '-']).unwrap_or(text));
    digits(integer) && fraction.is_none_or(digits) && exponent.is_none_or(unsigned)
}

fn sound_tag(text: &str, at: usize) -> Option<Vec<Token>> {
    [Reader::control, Reader::variable_with_arguments].into_iter().find_map(|form| {
        let mut reader = Reader::new(text, at);
        reader.literal("{")?;
        reader.blanks();
        form(&mut reader)?;
        reader.blanks();
        reader.literal("}")?;
        Some(reader.tokens.into_iter().filter(|(_, range)| !range.is_empty()).collect())
    })
}

fn malformed_end(text: &str, at: usize) -> Option<usize> {
    let line = text[at..].split(['\n', '\r']).next()?;
    let inside = line.strip_prefix('{')?.trim_start_matches([' ', '\t']);
    let inside = inside.strip_prefix('/').unwrap_or(inside);
    let word = Reader::new(inside, 0).word();
    let behind = &inside[word.len()..];
    let is_control = CONTROL_WORDS.contains(&word) && behind.starts_with([' ', '\t', '}']);
    let brace = behind.find(['{', '}'])?;
    let closes = is_control && behind[brace..].starts_with('}');
    closes.then(|| at + line.len() - behind.len() + brace + 1)
}
