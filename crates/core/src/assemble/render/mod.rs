//! Rendering: runs through a template's steps, within the limits of one assembly, and keeps where each piece comes from.

use super::scene::{Found, Scene};
use super::template::{LoopKind, Name, Origin, Step, Template, Test};
use super::value::{count, is_true, spell, value_of};
use crate::diagnostic::Diagnostic;
use crate::excerpt::excerpt;
use crate::span::{Span, offset};
use crate::syntax::{Operand, first_segment};
use crate::{Code, Message, msg};
use rustc_hash::FxHashSet;
use serde_json::Value;
use std::sync::Arc;

/// What the loops of one assembly may do together, and what is left of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Rounds.
    pub rounds: u32,
    /// Bytes of output of the loops, and of values anywhere.
    pub bytes: u64,
    /// Effort of the loops and of comparisons, in bytes looked at: a round that gives no output costs time all the same.
    pub effort: u64,
}

impl Limits {
    /// Those of an assembly that begins.
    pub const START: Self = Self { rounds: 10_000, bytes: 8 << 20, effort: 256 << 20 };

    /// Whether `used` fits in.
    pub fn hold(&self, used: &Self) -> bool {
        used.rounds <= self.rounds && used.bytes <= self.bytes && used.effort <= self.effort
    }

    /// What is left of these behind `used`.
    #[must_use]
    pub fn behind(&self, used: &Self) -> Self {
        Self {
            rounds: self.rounds.saturating_sub(used.rounds),
            bytes: self.bytes.saturating_sub(used.bytes),
            effort: self.effort.saturating_sub(used.effort),
        }
    }
}

/// What a piece of output is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceKind {
    /// As it is written in the file, but for line breaks and doubled braces.
    Text,
    /// The value of a variable.
    Value,
    /// The catalog's example in place of a value.
    Example,
    /// The tag of a variable that has no value.
    Missing,
}

/// A piece of output and where it comes from. It ends where the next one begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Its first byte in the output.
    pub start: u32,
    /// The text or tag in the block's file that it comes from.
    pub source: Span,
    /// What it is.
    pub kind: PieceKind,
}

/// A rendered block.
#[derive(Clone, PartialEq, Debug)]
pub struct Rendered {
    /// The output.
    pub text: Arc<str>,
    /// Where it comes from, without gaps, in the order of the output.
    pub pieces: Box<[Piece]>,
    /// First segments of the variables whose values it depends on, sorted; `prompt` is none of them.
    pub used: Box<[Arc<str>]>,
    /// What was found while rendering, in bytes of the file.
    pub findings: Box<[Diagnostic]>,
    /// What it took of the limits.
    pub took: Limits,
    /// Whether a limit was reached.
    pub cut: bool,
}

impl Rendered {
    /// Whether only blanks and line breaks came out: then the block is dropped. [S1]
    pub fn is_blank(&self) -> bool {
        self.text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r'))
    }

    /// The piece that holds byte `at` of the output.
    pub fn piece_at(&self, at: u32) -> Option<&Piece> {
        let index = self.pieces.partition_point(|piece| piece.start <= at).checked_sub(1)?;
        self.pieces.get(index).filter(|_| (at as usize) < self.text.len())
    }

    /// The first place of the output that comes from the file's byte `at` or from behind it.
    pub fn output_of(&self, at: u32) -> Option<u32> {
        let touching = |piece: &&Piece| piece.source.contains(at);
        let behind =
            || self.pieces.iter().filter(|piece| piece.source.start >= at).min_by_key(|it| it.source.start);
        let piece = self.pieces.iter().find(touching).or_else(behind)?;
        let inside = if piece.kind == PieceKind::Text { at.saturating_sub(piece.source.start) } else { 0 };
        let end = self.pieces.iter().find(|other| other.start > piece.start);
        let end = end.map_or(offset(self.text.len()), |next| next.start);
        Some((piece.start + inside).min(end))
    }
}

/// Renders a block's content within `limits`. `prompt` is the user's input, in the input zone.
pub fn render(template: &Template, scene: &Scene, prompt: Option<&Value>, limits: &Limits) -> Rendered {
    let found = template.names.iter().map(|name| match prompt {
        Some(prompt) if &**name == "prompt" => Found::Value(prompt),
        _ => scene.find(name),
    });
    let mut run = Run {
        template,
        found: found.collect(),
        used: vec![false; template.names.len()],
        has_environment: scene.environment.is_some(),
        limits: *limits,
        left: *limits,
        out: String::with_capacity(template.len()),
        pieces: Vec::new(),
        rounds: Vec::new(),
        said: FxHashSet::default(),
        findings: Vec::new(),
        cut: false,
    };
    run.all();
    run.finish()
}

/// A loop that runs.
struct Round<'s> {
    /// The step that begins it.
    head: u32,
    state: Turns<'s>,
}

enum Turns<'s> {
    /// Over these items, the next one to come at that index.
    For(&'s [Value], usize),
    While,
    /// So often still.
    Repeat(u64),
}

struct Run<'s> {
    template: &'s Template,
    /// What each name of the template stands for.
    found: Vec<Found<'s>>,
    /// Which of them were asked for.
    used: Vec<bool>,
    has_environment: bool,
    limits: Limits,
    left: Limits,
    out: String,
    pieces: Vec<Piece>,
    rounds: Vec<Round<'s>>,
    /// What was said already: once a name, once a place.
    said: FxHashSet<(Code, Arc<str>, u32)>,
    findings: Vec<Diagnostic>,
    cut: bool,
}

/// What one step costs at least.
const STEP: u64 = 8;

impl<'s> Run<'s> {
    fn all(&mut self) {
        let template = self.template;
        let mut at = 0;
        while let Some(step) = template.steps.get(at) {
            at += 1;
            if !self.rounds.is_empty() && !self.afford(STEP) {
                at = self.stop(msg!("this loop takes too long", "此循环耗时过长"));
                continue;
            }
            match step {
                Step::Text(span) => {
                    if !self.write(span.of_str(&template.content), *span, PieceKind::Text) {
                        at = self.stop_full();
                    }
                }
                Step::Break(span) => {
                    if !self.write("\n", *span, PieceKind::Text) {
                        at = self.stop_full();
                    }
                }
                Step::Escape(span) => {
                    let brace = Span::new(span.start, span.start + 1).of_str(&template.content);
                    if !self.write(brace, *span, PieceKind::Text) {
                        at = self.stop_full();
                    }
                }
                Step::Variable { name, tag } => {
                    if !self.variable(name, *tag) {
                        at = self.stop_full();
                    }
                }
                Step::Unless { condition, target } => {
                    if !self.test(condition) {
                        at = *target as usize;
                    }
                }
                Step::Jump(target) => at = *target as usize,
                Step::Loop { kind, end } => match self.turns(&kind.kind) {
                    Some(state) => {
                        self.rounds.push(Round { head: offset(at - 1), state });
                        at = self.next(at - 1);
                    }
                    None => at = *end as usize,
                },
                Step::Again { head } => at = self.next(*head as usize),
            }
        }
    }

    /// How a loop begins; `None` where there is nothing to go by.
    fn turns(&mut self, kind: &LoopKind) -> Option<Turns<'s>> {
        match kind {
            LoopKind::While(_) => Some(Turns::While),
            LoopKind::For(name) => match self.value(name) {
                Some(Value::Array(items)) => Some(Turns::For(items, 0)),
                Some(_) => {
                    let shown = excerpt(&name.text);
                    let message =
                        msg!("`{shown}` is no list here: no round", "`{shown}` 在这里不是列表：一轮也不循环");
                    self.say(Code::NotAList, "", name.span, message);
                    None
                }
                None => {
                    // What is unknown has been said.
                    if !self.is_unknown(name) {
                        self.missing(name);
                    }
                    None
                }
            },
            LoopKind::Times(Some(times), _) => Some(Turns::Repeat(*times)),
            LoopKind::Times(None, span) => {
                let shown = excerpt(span.of_str(&self.template.content)).to_string();
                self.no_count(*span, &shown);
                None
            }
            LoopKind::Repeat(name) => {
                let value = self.value(name);
                if let Some(times) = value.and_then(count) {
                    return Some(Turns::Repeat(times));
                }
                let shown = value.map(|value| excerpt(&spell(value)).to_string());
                match shown {
                    Some(shown) if shown.trim().is_empty() => {
                        let (en, zh) = match value {
                            Some(Value::Array(_)) => ("list", "列表"),
                            _ => ("value", "值"),
                        };
                        let message = msg!(
                            "an empty {en} is no count of rounds: nothing is repeated",
                            "空{zh}不能作为次数：一次也不重复"
                        );
                        self.say(Code::InvalidCount, "", name.span, message);
                    }
                    Some(shown) => self.no_count(name.span, &shown),
                    None => {
                        let shown = excerpt(&name.text);
                        let message = msg!(
                            "`{shown}` has no value here, so nothing is repeated",
                            "`{shown}` 在这里没有值，因此一次也不重复"
                        );
                        self.say(Code::InvalidCount, "", name.span, message);
                    }
                }
                None
            }
        }
    }

    fn no_count(&mut self, span: Span, shown: &str) {
        let message = msg!(
            "`{shown}` is no count of rounds: nothing is repeated",
            "`{shown}` 不能作为次数：一次也不重复"
        );
        self.say(Code::InvalidCount, "", span, message);
    }

    /// The next round of the innermost loop, which begins at step `head`: where to go on.
    fn next(&mut self, head: usize) -> usize {
        let template = self.template;
        let Some(Step::Loop { kind, end }) = template.steps.get(head) else { return usize::MAX };
        let more = match self.rounds.last_mut().map(|round| &mut round.state) {
            Some(Turns::For(items, at)) => {
                *at += 1;
                *at <= items.len()
            }
            Some(Turns::Repeat(left)) => {
                let more = *left > 0;
                *left = left.saturating_sub(1);
                more
            }
            Some(Turns::While) => match &kind.kind {
                LoopKind::While(condition) => self.test(condition),
                _ => false,
            },
            None => false,
        };
        if !more {
            self.rounds.pop();
            return *end as usize;
        }
        if self.left.rounds == 0 {
            if self.left.bytes == 0 {
                return self.stop_full();
            }
            let most = Limits::START.rounds;
            return self.stop(msg!(
                "the loops of this assembly have made {most} rounds; this one goes no further",
                "本次装配的循环已满 {most} 轮；此循环到此为止"
            ));
        }
        self.left.rounds -= 1;
        head + 1
    }

    /// Ends every loop that runs. The output so far is kept, and the rest of the block follows.
    fn stop(&mut self, message: Message) -> usize {
        let template = self.template;
        let step = |round: &Round<'_>| template.steps.get(round.head as usize);
        if let Some(Step::Loop { kind, .. }) = self.rounds.last().and_then(step) {
            self.cut(kind.tag, message);
        }
        let outermost = self.rounds.first().and_then(step);
        let end = if let Some(Step::Loop { end, .. }) = outermost { *end as usize } else { usize::MAX };
        self.rounds.clear();
        end
    }

    fn stop_full(&mut self) -> usize {
        let most = Limits::START.bytes >> 20;
        self.stop(msg!(
            "the loops of this assembly have given {most} MiB of output; this one goes no further",
            "本次装配的循环输出已满 {most} MiB；此循环到此为止"
        ))
    }

    /// All loops stop together: none begins from here on.
    fn cut(&mut self, at: Span, message: Message) {
        self.left.rounds = 0;
        self.cut = true;
        self.say(Code::LimitReached, "", at, message);
    }

    /// Puts out a piece; `false` where it stands in a loop and is more than the limit lets through.
    fn write(&mut self, text: &str, source: Span, kind: PieceKind) -> bool {
        if !self.rounds.is_empty() {
            let len = text.len() as u64;
            if len > self.left.bytes {
                self.left.bytes = 0;
                return false;
            }
            self.left.bytes -= len;
        }
        self.put(text, source, kind);
        true
    }

    fn put(&mut self, text: &str, source: Span, kind: PieceKind) {
        if text.is_empty() {
            return;
        }
        let start = offset(self.out.len());
        self.out.push_str(text);
        let source = source.shift(self.template.start);
        if let Some(last) = self.pieces.last_mut() {
            let plain = last.kind == PieceKind::Text && kind == PieceKind::Text;
            let one_to_one = last.source.len() == start - last.start && source.len() as usize == text.len();
            if plain && one_to_one && last.source.end == source.start {
                last.source.end = source.end;
                return;
            }
        }
        self.pieces.push(Piece { start, source, kind });
    }

    /// A variable's value in place of its tag; `false` where the limit ends the loop that it stands in.
    fn variable(&mut self, name: &Name, tag: Span) -> bool {
        let content = &self.template.content;
        let example = matches!(self.origin(name.origin), Found::Example(_));
        let Some(value) = self.value(name) else {
            let unknown = self.is_unknown(name);
            if !unknown {
                self.missing(name);
            }
            let kind = if unknown { PieceKind::Text } else { PieceKind::Missing };
            return self.write(tag.of_str(content), tag, kind);
        };
        let kind = if example { PieceKind::Example } else { PieceKind::Value };
        let text = spell(value);
        if !self.rounds.is_empty() {
            return self.write(&text, tag, kind);
        }
        // Outside of loops too: ten thousand tags of a value of a megabyte are more than any memory.
        let len = text.len() as u64;
        if len > self.left.bytes {
            let most = Limits::START.bytes >> 20;
            let message = msg!(
                "the values of this assembly have given {most} MiB of output; the tag stays as it is",
                "本次装配的变量值输出已满 {most} MiB；标签原样保留"
            );
            self.cut(tag, message);
            self.put(tag.of_str(content), tag, PieceKind::Missing);
            return true;
        }
        self.left.bytes -= len;
        self.put(&text, tag, kind);
        true
    }

    fn is_unknown(&mut self, name: &Name) -> bool {
        matches!(self.origin(name.origin), Found::Unknown) || name.origin == Origin::Nowhere
    }

    fn missing(&mut self, name: &Name) {
        let first = first_segment(&name.text);
        if first == "prompt" && matches!(name.origin, Origin::Outside(_)) {
            // It never comes from an environment; that it stands in the wrong zone is another matter.
            return;
        }
        let field = self.origin(name.origin).value().is_some();
        // Where the variable is missing altogether, its fields are one thing missing.
        let missing = if field { &*name.text } else { first };
        let shown = excerpt(missing);
        let message = if field {
            msg!("`{shown}` has no value: there is no such field", "`{shown}` 没有值：没有这个字段")
        } else if matches!(name.origin, Origin::Loop(_)) {
            msg!("`{shown}` has no value: the item is null", "`{shown}` 没有值：该项为 null")
        } else if self.has_environment {
            msg!("`{shown}` has no value in this environment", "`{shown}` 在此环境中没有值")
        } else {
            msg!("`{shown}` has no value: no environment is chosen", "`{shown}` 没有值：没有选定环境")
        };
        self.say(Code::MissingValue, missing, name.span, message);
    }

    fn value(&mut self, name: &Name) -> Option<&'s Value> {
        let found = self.origin(name.origin).value();
        value_of(&name.text, &|_| found)
    }

    /// What the first segment of a name stands for here.
    fn origin(&mut self, origin: Origin) -> Found<'s> {
        match origin {
            Origin::Outside(number) => {
                if let Some(used) = self.used.get_mut(number as usize) {
                    *used = true;
                }
                self.found.get(number as usize).copied().unwrap_or(Found::Unknown)
            }
            Origin::Loop(depth) => match self.rounds.get(depth as usize).map(|round| &round.state) {
                Some(Turns::For(items, next)) => {
                    let item = next.checked_sub(1).and_then(|at| items.get(at));
                    item.filter(|item| !item.is_null()).map_or(Found::Missing, Found::Value)
                }
                _ => Found::Missing,
            },
            Origin::Nowhere => Found::Unknown,
        }
    }

    fn test(&mut self, test: &Test) -> bool {
        let left = self.side(Some(&test.condition.left), test.left);
        let right = self.side(test.condition.right.as_ref().map(|(_, operand)| operand), test.right);
        // A value is looked at from end to end only where it is compared.
        let cost = if test.condition.right.is_some() { left.2 + right.2 } else { 0 };
        if !self.afford(cost) {
            let message = msg!(
                "the comparisons of this assembly take too long; this one counts as false",
                "本次装配的比较耗时过长；此处按假处理"
            );
            self.cut(test.tag, message);
            return false;
        }
        is_true(&test.condition, &|first| if Some(first) == left.0 { left.1 } else { right.1 })
    }

    /// Name, value and length of one side of a condition.
    fn side<'t>(
        &mut self,
        operand: Option<&'t Operand>,
        origin: Option<Origin>,
    ) -> (Option<&'t str>, Option<&'s Value>, u64) {
        match (operand, origin) {
            (Some(Operand::Variable { name, .. }), Some(origin)) => {
                let found = self.origin(origin).value();
                let len = value_of(name, &|_| found).map_or(0, weight);
                (Some(first_segment(name)), found, len)
            }
            (Some(Operand::Text(text) | Operand::Number(text)), _) => (None, None, text.len() as u64),
            _ => (None, None, 0),
        }
    }

    fn afford(&mut self, effort: u64) -> bool {
        let enough = effort <= self.left.effort;
        self.left.effort = self.left.effort.saturating_sub(effort);
        enough
    }

    fn say(&mut self, code: Code, what: &str, span: Span, message: Message) {
        // A name once, anything else once a place; a limit once a block.
        let place = if what.is_empty() && code != Code::LimitReached { span.start } else { 0 };
        if self.said.insert((code, what.into(), place)) {
            self.findings.push(Diagnostic::new(code, span.shift(self.template.start), message));
        }
    }

    fn finish(self) -> Rendered {
        let mut used: Vec<Arc<str>> = self
            .template
            .names
            .iter()
            .zip(&self.used)
            .filter(|(name, used)| **used && &***name != "prompt")
            .map(|(name, _)| Arc::clone(name))
            .collect();
        used.sort();
        Rendered {
            text: self.out.into(),
            pieces: self.pieces.into(),
            used: used.into(),
            findings: self.findings.into(),
            took: self.limits.behind(&self.left),
            cut: self.cut,
        }
    }
}

/// Roughly the length of a value spelled.
fn weight(value: &Value) -> u64 {
    match value {
        Value::String(text) => text.len() as u64,
        Value::Array(items) => items.iter().map(|item| weight(item) + 2).sum(),
        Value::Object(fields) => {
            fields.iter().map(|(name, field)| name.len() as u64 + weight(field) + 4).sum()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => STEP,
    }
}

#[cfg(test)]
mod tests;
