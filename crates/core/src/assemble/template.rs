//! A block's content as a flat list of steps with jumps: what rendering needs of it, without its trees.
//!
//! Flat, so that a hundred thousand nested tags need no more of the stack than one. A tag that does not render as anything but
//! itself is plain text here.

use super::value::count;
use crate::span::{Span, offset};
use crate::syntax::{
    Branching, ChunkView, Condition, Control, Document, Malformed, OpenTags, Operand, Part, PartKind, State,
    Token, TokenKind, condition_of, first_segment, operand,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// One step of rendering. Targets are indices of steps.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Text of the content, by its place there.
    Text(Span),
    /// The content's line break of two bytes, or a lone `\r`: a `\n` in the output.
    Break(Span),
    /// A doubled brace: one of its two bytes.
    Escape(Span),
    /// A variable's value, or the tag's own text.
    Variable { name: Name, tag: Span },
    /// Goes on at `target` where the condition is false.
    Unless { condition: Box<Test>, target: u32 },
    /// Goes on at `target`.
    Jump(u32),
    /// Begins a loop; `end` is the step behind it.
    Loop { kind: Box<Loop>, end: u32 },
    /// The end of a loop's body: the next round of the one that begins at `head`.
    Again { head: u32 },
}

/// What a loop goes by.
#[derive(Clone, Debug)]
pub(super) struct Loop {
    /// The opener, in the content.
    pub(super) tag: Span,
    pub(super) kind: LoopKind,
}

#[derive(Clone, Debug)]
pub(super) enum LoopKind {
    For(Name),
    While(Test),
    /// A count that is written, `None` where it is none; and its place.
    Times(Option<u64>, Span),
    Repeat(Name),
}

/// A variable with its fields, as used at one place.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// As written.
    pub(super) text: Arc<str>,
    /// Place of its first segment in the content.
    pub(super) span: Span,
    pub(super) origin: Origin,
}

/// Where a name's value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// From outside; a number in [`Template::names`].
    Outside(u32),
    /// The item of a loop: so many loops further in than the outermost.
    Loop(u32),
    /// It is the loop variable of a malformed `{for}`, which has none.
    Nowhere,
}

/// A condition, and where its variables come from.
#[derive(Clone, Debug)]
pub(super) struct Test {
    /// The tag, in the content.
    pub(super) tag: Span,
    pub(super) condition: Condition,
    pub(super) left: Option<Origin>,
    pub(super) right: Option<Origin>,
}

/// A block's content, ready to be rendered.
#[derive(Clone, Debug, Default)]
pub struct Template {
    /// The content, with line breaks as they are in the file.
    pub(super) content: Arc<str>,
    /// Its first byte in the file.
    pub(super) start: u32,
    pub(super) steps: Vec<Step>,
    /// First segments of the names that come from outside.
    pub(super) names: Vec<Arc<str>>,
}

impl Template {
    /// The content of a block.
    pub fn of(document: &Document) -> Self {
        let span = document.content();
        let content: Arc<str> = document.slice(span).into();
        let mut compiler = Compiler {
            template: Self { content: Arc::clone(&content), start: span.start, ..Self::default() },
            names: FxHashMap::default(),
            open: OpenTags::default(),
            bindings: FxHashMap::default(),
            loops: 0,
            at: 0,
        };
        if document.is_template() {
            for view in document.body().views(document.text(), document.header().body) {
                compiler.chunk(&view);
            }
        }
        compiler.finish()
    }

    /// Whether another one renders the same, in every scene.
    pub(crate) fn renders_like(&self, other: &Self) -> bool {
        self.renders_like_with(&|_, _| None, other)
    }

    /// The same where the variables that `text_of` knows, by name and tag (in the file), are that text.
    pub(crate) fn renders_like_with(
        &self,
        text_of: &dyn Fn(&str, Span) -> Option<String>,
        other: &Self,
    ) -> bool {
        self.shape(text_of) == other.shape(&|_, _| None)
    }

    /// The steps without their places, and each text as it is rendered.
    fn shape(&self, text_of: &dyn Fn(&str, Span) -> Option<String>) -> Vec<Shape> {
        let mut aims = vec![false; self.steps.len() + 1];
        for step in &self.steps {
            if let Step::Unless { target, .. } | Step::Jump(target) | Step::Loop { end: target, .. } = step
                && let Some(aim) = aims.get_mut(*target as usize)
            {
                *aim = true;
            }
        }
        let mut shape: Vec<Shape> = Vec::new();
        let mut open = false;
        for (index, step) in self.steps.iter().enumerate() {
            if aims.get(index) == Some(&true) {
                shape.push(Shape::Aim);
                open = false;
            }
            let text = match step {
                Step::Text(span) => Some(span.of_str(&self.content).to_owned()),
                Step::Break(_) => Some("\n".to_owned()),
                Step::Escape(span) => {
                    Some(Span::new(span.start, span.start + 1).of_str(&self.content).to_owned())
                }
                Step::Variable { name, tag } => text_of(&name.text, tag.shift(self.start)),
                _ => None,
            };
            match (text, shape.last_mut()) {
                (Some(text), _) if text.is_empty() => continue,
                (Some(text), Some(Shape::Text(last))) if open => last.push_str(&text),
                (Some(text), _) => shape.push(Shape::Text(text)),
                (None, _) => shape.push(Shape::Step(self.said(step))),
            }
            open = matches!(shape.last(), Some(Shape::Text(_)));
        }
        if aims.last() == Some(&true) {
            shape.push(Shape::Aim);
        }
        shape
    }

    /// What a step does, in words: its tag as written, and where its names come from.
    fn said(&self, step: &Step) -> String {
        let tag = |span: &Span| span.of_str(&self.content);
        let from = |origin: &Option<Origin>| match origin {
            Some(Origin::Loop(depth)) => format!("loop {depth}"),
            Some(Origin::Nowhere) => "nowhere".to_owned(),
            Some(Origin::Outside(_)) | None => String::new(),
        };
        match step {
            Step::Variable { name, tag: span } => format!("{} {}", tag(span), from(&Some(name.origin))),
            Step::Unless { condition: test, .. } => {
                format!("{} {} {}", tag(&test.tag), from(&test.left), from(&test.right))
            }
            Step::Loop { kind, .. } => {
                let origin = match &kind.kind {
                    LoopKind::For(name) | LoopKind::Repeat(name) => from(&Some(name.origin)),
                    LoopKind::While(test) => format!("{} {}", from(&test.left), from(&test.right)),
                    LoopKind::Times(..) => String::new(),
                };
                format!("{} {origin}", tag(&kind.tag))
            }
            Step::Jump(_) => "jump".to_owned(),
            Step::Again { .. } => "again".to_owned(),
            Step::Text(_) | Step::Break(_) | Step::Escape(_) => String::new(),
        }
    }

    /// Length of the content in bytes.
    pub fn len(&self) -> usize {
        self.content.len()
    }

    /// Whether there is no content.
    pub fn is_empty(&self) -> bool {
        self.content.is_empty()
    }
}

/// A step as two templates that render alike have it.
#[derive(PartialEq, Eq, Debug)]
enum Shape {
    Text(String),
    Step(String),
    /// Here steps go on.
    Aim,
}

/// A tag that stands open while the steps are laid down.
#[derive(Debug, Default)]
struct Opened {
    /// The step that jumps where the last condition was false, to be told where.
    unless: Option<usize>,
    /// Jumps from the end of a branch to the end of all.
    exits: Vec<usize>,
    /// The step that begins a loop.
    head: Option<usize>,
    /// The loop variable.
    binding: Option<Arc<str>>,
}

struct Compiler {
    template: Template,
    names: FxHashMap<Arc<str>, u32>,
    open: OpenTags<Opened>,
    /// What each loop variable in scope stands for, the innermost last.
    bindings: FxHashMap<Arc<str>, Vec<Origin>>,
    /// How many loops stand open.
    loops: u32,
    /// So much of the content is laid down.
    at: u32,
}

impl Compiler {
    fn chunk(&mut self, view: &ChunkView<'_>) {
        for token in view.tokens().iter().filter(|token| token.state == State::Live) {
            // In the content, a token never begins outside of it.
            let Some(start) = (view.start + token.span.start).checked_sub(self.template.start) else {
                continue;
            };
            let span = Span::new(start, start + token.span.len());
            self.token(view, token, span);
        }
    }

    /// Lays down what a token does, the text before it first. What stays text is left for the text behind it.
    fn token(&mut self, view: &ChunkView<'_>, token: &Token, span: Span) {
        let parts = view.tokens().parts(token);
        match token.kind {
            TokenKind::Escape => {
                self.text_until(span);
                self.template.steps.push(Step::Escape(span));
            }
            TokenKind::Variable => {
                let Some(name) = self.name_in(view, parts) else { return };
                self.text_until(span);
                self.template.steps.push(Step::Variable { name, tag: span });
            }
            TokenKind::Opener(Control::If) => {
                let Some(condition) = self.test(view, parts, span) else { return };
                self.text_until(span);
                let unless = self.step(Step::Unless { condition: Box::new(condition), target: 0 });
                self.open.open(Control::If, false, Opened { unless: Some(unless), ..Opened::default() });
            }
            TokenKind::Opener(control) => {
                let Some(kind) = self.loop_kind(control, view, parts, span) else { return };
                self.text_until(span);
                let head = self.step(Step::Loop { kind: Box::new(Loop { tag: span, kind }), end: 0 });
                let binding = self.bind(view, parts, Origin::Loop(self.loops));
                self.loops += 1;
                self.open.open(control, false, Opened { head: Some(head), binding, ..Opened::default() });
            }
            TokenKind::Malformed(Malformed::Opener(control)) => {
                let binding = self.bind(view, parts, Origin::Nowhere);
                self.open.open(control, true, Opened { binding, ..Opened::default() });
            }
            TokenKind::ElseIf | TokenKind::Else => self.branch(view, token, span),
            TokenKind::Closer(control) => self.close(control, span, true),
            TokenKind::Malformed(Malformed::Closer(control)) => self.close(control, span, false),
            TokenKind::Malformed(_)
            | TokenKind::OpenBrace
            | TokenKind::CloseBrace
            | TokenKind::MalformedReference
            | TokenKind::BareName => {}
        }
    }

    fn branch(&mut self, view: &ChunkView<'_>, token: &Token, span: Span) {
        let is_else = token.kind == TokenKind::Else;
        let sound = self.open.stack.last().is_some_and(|open| !open.malformed);
        // Of a malformed opener the branches are text, as it is itself.
        if self.open.branch(is_else, Opened::default()) != Branching::Taken || !sound {
            return;
        }
        let condition = if is_else { None } else { self.test(view, view.tokens().parts(token), span) };
        self.text_until(span);
        let exit = self.step(Step::Jump(0));
        let here = self.template.steps.len();
        let unless =
            condition.map(|condition| self.step(Step::Unless { condition: Box::new(condition), target: 0 }));
        let Some(open) = self.open.stack.last_mut() else { return };
        // Branches are no part of what has to be closed.
        open.branches.clear();
        open.tag.exits.push(exit);
        let before = std::mem::replace(&mut open.tag.unless, unless);
        self.aim(before, here);
    }

    /// Ends the nearest construct of that kind, with what stands open in it. `sound` where the closer is no text.
    fn close(&mut self, control: Control, span: Span, sound: bool) {
        let Some((outer, inner)) = self.open.close(control) else { return };
        // The text before the closer belongs into the innermost.
        self.text_before(span.start);
        for open in inner.into_iter().rev() {
            self.end(open.tag);
        }
        let malformed = outer.malformed;
        self.end(outer.tag);
        if sound && !malformed {
            self.at = span.end;
        }
    }

    fn end(&mut self, open: Opened) {
        if let Some(bound) = open.binding.and_then(|name| self.bindings.get_mut(&name)) {
            bound.pop();
        }
        if let Some(head) = open.head {
            self.loops -= 1;
            let again = self.step(Step::Again { head: offset(head) });
            self.aim(Some(head), again + 1);
        }
        let here = self.template.steps.len();
        for step in open.unless.into_iter().chain(open.exits) {
            self.aim(Some(step), here);
        }
    }

    fn aim(&mut self, step: Option<usize>, at: usize) {
        if let Some(Step::Unless { target, .. } | Step::Jump(target) | Step::Loop { end: target, .. }) =
            step.and_then(|step| self.template.steps.get_mut(step))
        {
            *target = offset(at);
        }
    }

    fn step(&mut self, step: Step) -> usize {
        self.template.steps.push(step);
        self.template.steps.len() - 1
    }

    /// Lays down the text before a tag that is not text itself.
    fn text_until(&mut self, tag: Span) {
        self.text_before(tag.start);
        self.at = tag.end;
    }

    fn text_before(&mut self, end: u32) {
        let content = Arc::clone(&self.template.content);
        let mut rest = Span::new(self.at, end.max(self.at));
        self.at = rest.end;
        while let Some(at) = memchr::memchr(b'\r', rest.of_str(&content).as_bytes()) {
            let at = rest.start + offset(at);
            let behind = at + 1 + u32::from(content.as_bytes().get(at as usize + 1) == Some(&b'\n'));
            self.push_text(Span::new(rest.start, at));
            self.template.steps.push(Step::Break(Span::new(at, behind)));
            rest.start = behind.min(rest.end);
        }
        self.push_text(rest);
    }

    fn push_text(&mut self, span: Span) {
        if !span.is_empty() {
            self.template.steps.push(Step::Text(span));
        }
    }

    fn finish(mut self) -> Template {
        self.text_before(offset(self.template.content.len()));
        for open in self.open.take().into_iter().rev() {
            self.end(open.tag);
        }
        self.template
    }

    fn bind(&mut self, view: &ChunkView<'_>, parts: &[Part], origin: Origin) -> Option<Arc<str>> {
        let part = parts.iter().find(|part| part.kind == PartKind::Binding)?;
        let name: Arc<str> = view.text_of(part.span).into();
        self.bindings.entry(Arc::clone(&name)).or_default().push(origin);
        Some(name)
    }

    fn origin(&mut self, first: &str) -> Origin {
        if let Some(origin) = self.bindings.get(first).and_then(|bound| bound.last()) {
            return *origin;
        }
        if let Some(number) = self.names.get(first) {
            return Origin::Outside(*number);
        }
        let number = offset(self.template.names.len());
        let name: Arc<str> = first.into();
        self.template.names.push(Arc::clone(&name));
        self.names.insert(name, number);
        Origin::Outside(number)
    }

    fn name_in(&mut self, view: &ChunkView<'_>, parts: &[Part]) -> Option<Name> {
        let part = parts.iter().find(|part| part.kind == PartKind::Name)?;
        let text = view.text_of(part.span);
        let first = first_segment(text);
        let start = (view.start + part.span.start).checked_sub(self.template.start)?;
        let span = Span::new(start, start + offset(first.len()));
        Some(Name { origin: self.origin(first), text: text.into(), span })
    }

    fn test(&mut self, view: &ChunkView<'_>, parts: &[Part], tag: Span) -> Option<Test> {
        let condition = condition_of(&view.text, parts, 0)?;
        let mut origin = |operand: &Operand| match operand {
            Operand::Variable { name, .. } => Some(self.origin(first_segment(name))),
            _ => None,
        };
        let left = origin(&condition.left);
        let right = condition.right.as_ref().and_then(|(_, operand)| origin(operand));
        Some(Test { tag, condition, left, right })
    }

    fn loop_kind(
        &mut self,
        control: Control,
        view: &ChunkView<'_>,
        parts: &[Part],
        tag: Span,
    ) -> Option<LoopKind> {
        Some(match control {
            Control::While => LoopKind::While(self.test(view, parts, tag)?),
            Control::Repeat => match self.name_in(view, parts) {
                Some(name) => LoopKind::Repeat(name),
                None => {
                    let part = parts.iter().find(|part| part.kind == PartKind::Number)?;
                    let Operand::Number(number) = operand(&view.text, part, 0)? else { return None };
                    let start = (view.start + part.span.start).checked_sub(self.template.start)?;
                    let times = count(&serde_json::Value::from(&*number));
                    LoopKind::Times(times, Span::new(start, start + part.span.len()))
                }
            },
            Control::For | Control::If => LoopKind::For(self.name_in(view, parts)?),
        })
    }
}
