//! tree-sitter's trees, and the tokens read off them. The grammar's scanner decides what a tag is; nothing here does again.

use super::name::is_name;
use super::token::{Control, Malformed, Part, PartKind, State, TokenKind, Tokens};
use crate::span::Span;
use std::cell::RefCell;
use std::sync::LazyLock;
use tree_sitter::{Language, Node, Parser, Tree, TreeCursor};

/// Numbers of the grammar's node kinds and fields.
struct Kinds {
    language: Language,
    escape: u16,
    brace: u16,
    variable_tag: u16,
    if_tag: u16,
    elseif_tag: u16,
    else_tag: u16,
    for_tag: u16,
    while_tag: u16,
    repeat_tag: u16,
    end_tag: u16,
    malformed_tag: u16,
    blocks: [u16; 4],
    variable: u16,
    identifier: u16,
    condition: u16,
    number: u16,
    string: u16,
    word: u16,
    boolean: u16,
    operator: u16,
}

static KINDS: LazyLock<Kinds> = LazyLock::new(|| {
    let language = Language::new(tree_sitter_prompt_template::LANGUAGE);
    let kind = |name: &str| language.id_for_node_kind(name, true);
    Kinds {
        escape: kind("escape"),
        brace: kind("brace"),
        variable_tag: kind("variable_tag"),
        if_tag: kind("if_tag"),
        elseif_tag: kind("elseif_tag"),
        else_tag: kind("else_tag"),
        for_tag: kind("for_tag"),
        while_tag: kind("while_tag"),
        repeat_tag: kind("repeat_tag"),
        end_tag: kind("end_tag"),
        malformed_tag: kind("malformed_tag"),
        blocks: [kind("if_block"), kind("for_block"), kind("while_block"), kind("repeat_block")],
        variable: kind("variable"),
        identifier: kind("identifier"),
        condition: kind("condition"),
        number: kind("number"),
        string: kind("string"),
        word: kind("word"),
        boolean: kind("boolean"),
        operator: kind("operator"),
        language,
    }
});

thread_local! {
    // A parser is scratch space: it keeps nothing from one call to the next but its memory.
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Parses template text, with the help of an edited earlier tree. `None` only if the parser itself cannot be set up.
pub(crate) fn parse(text: &str, old: Option<&Tree>) -> Option<Tree> {
    PARSER.with_borrow_mut(|slot| {
        let parser = match slot {
            Some(parser) => parser,
            None => {
                let mut parser = Parser::new();
                parser.set_language(&KINDS.language).ok()?;
                slot.insert(parser)
            }
        };
        parser.parse(text, old)
    })
}

/// Reads the tokens off a tree of `text`, all of them live.
pub(crate) fn tokens(text: &str, tree: &Tree) -> Tokens {
    let mut reader = Reader { text, kinds: &KINDS, out: Tokens::default(), parts: Vec::new() };
    let mut cursor = tree.walk();
    if cursor.goto_first_child() {
        reader.level(&mut cursor);
    }
    reader.out
}

struct Reader<'a> {
    text: &'a str,
    kinds: &'a Kinds,
    out: Tokens,
    parts: Vec<Part>,
}

impl Reader<'_> {
    /// Visits the siblings from the cursor on; blocks are entered in place, since their nesting is the grammar's view of one
    /// chunk and the pairing across chunks is ours.
    fn level(&mut self, cursor: &mut TreeCursor<'_>) {
        let mut depth = 0_usize;
        loop {
            let node = cursor.node();
            if self.kinds.blocks.contains(&node.kind_id()) && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            self.node(node);
            while !cursor.goto_next_sibling() {
                if depth == 0 || !cursor.goto_parent() {
                    return;
                }
                depth -= 1;
            }
        }
    }

    fn node(&mut self, node: Node<'_>) {
        let k = self.kinds;
        let span = Span::of(node.byte_range());
        if span.is_empty() {
            return;
        }
        let id = node.kind_id();
        let kind = if id == k.escape {
            TokenKind::Escape
        } else if id == k.brace {
            let open = self.text.as_bytes().get(span.start as usize) == Some(&b'{');
            if open { TokenKind::OpenBrace } else { TokenKind::CloseBrace }
        } else if id == k.variable_tag {
            TokenKind::Variable
        } else if id == k.if_tag {
            TokenKind::Opener(Control::If)
        } else if id == k.for_tag {
            TokenKind::Opener(Control::For)
        } else if id == k.while_tag {
            TokenKind::Opener(Control::While)
        } else if id == k.repeat_tag {
            TokenKind::Opener(Control::Repeat)
        } else if id == k.elseif_tag {
            TokenKind::ElseIf
        } else if id == k.else_tag {
            TokenKind::Else
        } else if id == k.end_tag {
            let word = span.of_str(self.text).trim_matches(['{', '}', ' ', '\t', '/']);
            match Control::of(word) {
                Some(control) => TokenKind::Closer(control),
                None => return,
            }
        } else if id == k.malformed_tag {
            return self.malformed(span);
        } else {
            return;
        };
        self.parts.clear();
        if !matches!(kind, TokenKind::Escape | TokenKind::OpenBrace | TokenKind::CloseBrace) {
            self.pieces(node);
        }
        self.out.push(kind, State::Live, span, &self.parts);
    }

    fn pieces(&mut self, node: Node<'_>) {
        let k = self.kinds;
        let mut cursor = node.walk();
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            let child = cursor.node();
            let id = child.kind_id();
            let span = Span::of(child.byte_range());
            let kind = if id == k.condition {
                self.pieces(child);
                None
            } else if id == k.variable {
                Some(PartKind::Name)
            } else if id == k.identifier {
                Some(PartKind::Binding)
            } else if id == k.number {
                Some(PartKind::Number)
            } else if id == k.string {
                Some(PartKind::String)
            } else if id == k.word {
                Some(PartKind::Word)
            } else if id == k.boolean {
                Some(PartKind::Boolean)
            } else if id == k.operator {
                Some(PartKind::Operator)
            } else if span.of_str(self.text).starts_with(|c: char| c.is_ascii_lowercase()) {
                Some(PartKind::Keyword)
            } else {
                None
            };
            if let Some(kind) = kind {
                self.parts.push(Part { kind, span });
            }
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }

    /// A malformed tag is one leaf: its word says what it was meant to be, and `{for x …` still names its loop variable.
    fn malformed(&mut self, span: Span) {
        const BLANK: [char; 2] = [' ', '\t'];
        let inner = span.of_str(self.text).trim_start_matches('{').trim_end_matches('}');
        let lead = inner.trim_start_matches(BLANK);
        let (slash, rest) = lead.strip_prefix('/').map_or((0, lead), |rest| (1, rest));
        let word_len = rest.find(BLANK).unwrap_or(rest.len());
        let (word, tail) = rest.split_at(word_len);
        let kind = match (slash, Control::of(word)) {
            (0, Some(control)) => Malformed::Opener(control),
            (0, None) => Malformed::Branch,
            (_, Some(control)) => Malformed::Closer(control),
            (_, None) => Malformed::BranchCloser,
        };
        let start = span.start + 1 + crate::span::offset(inner.len() - lead.len() + slash);
        let at = |from: usize, len: usize| {
            let from = start + crate::span::offset(from);
            Span::new(from, from + crate::span::offset(len))
        };
        self.parts.clear();
        self.parts.push(Part { kind: PartKind::Keyword, span: at(0, word_len) });
        if kind == Malformed::Opener(Control::For) {
            let name = tail.trim_start_matches(BLANK);
            let name = name.split(BLANK).next().unwrap_or_default();
            if is_name(name) {
                let from = word_len + tail.find(name).unwrap_or(0);
                self.parts.push(Part { kind: PartKind::Binding, span: at(from, name.len()) });
            }
        }
        self.out.push(TokenKind::Malformed(kind), State::Live, span, &self.parts);
    }
}
