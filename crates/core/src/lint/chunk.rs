//! One chunk judged: walks its live tokens with the tags that stand open, and asks each rule.

use super::judge::{Case, Judge, Position, Use};
use super::{
    argument_count, endless_while, escaped_variable, finish, inert_tag, invalid_expression, literal_braces,
    malformed_reference, mutability_undetermined, mutable_in_system, not_a_list, stray_brace,
    template_not_enabled, unclosed_tag, unexpected_tag, unknown_variable, zone_mismatch,
};
use crate::Diagnostic;
use crate::block::Header;
use crate::catalog::Variable;
use crate::profile::TagSyntax;
use crate::span::{Span, offset};
use crate::syntax::{
    ChunkView, Control, OpenTag, OpenTags, Part, PartKind, State, Token, TokenKind, first_segment,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What the rules say of one chunk. Offsets are relative to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChunkVerdict {
    pub(crate) findings: Vec<Diagnostic>,
    /// First segments of the names in live tags that no loop introduces, each once.
    pub(crate) uses: Vec<Arc<str>>,
    /// Whether a live `{prompt}` tag stands here that is no loop variable.
    pub(crate) has_prompt: bool,
    /// Every name that the catalog was asked for, those of inert and escaped tags too, each once.
    pub(crate) asked: Vec<Arc<str>>,
    /// Of the open tags that it was judged under.
    pub(crate) scope_signature: u64,
}

/// Judges a chunk.
pub(crate) fn judge_chunk(case: &Case<'_>, view: &ChunkView<'_>, scope_signature: u64) -> ChunkVerdict {
    let mut walk = Walk { case, view, loops: Loops::at_start(view), out: ChunkVerdict::default() };
    walk.out.scope_signature = scope_signature;
    if case.template {
        walk.run();
        let findings = &mut walk.out.findings;
        findings.extend(literal_braces::check(view));
        findings.extend(unclosed_tag::check_chunk(view));
        findings.extend(unexpected_tag::check_chunk(view));
    } else {
        walk.out.findings.extend(template_not_enabled::check(case, view));
    }
    walk.out.asked = case.take_asked();
    walk.out.uses.sort();
    walk.out.uses.dedup();
    walk.out
}

/// The tags that stand open, and how often each loop variable is in scope, so that asking for one does not cost the depth.
struct Loops {
    open: OpenTags<OpenTag>,
    bound: FxHashMap<Arc<str>, u32>,
}

impl Loops {
    /// Those where a chunk begins.
    fn at_start(view: &ChunkView<'_>) -> Self {
        let mut loops = Self { open: view.open_at(view.start), bound: FxHashMap::default() };
        for open in &loops.open.stack {
            loops.bound.extend(open.tag.binding.iter().map(|name| (Arc::clone(name), 0)));
        }
        for name in loops.open.stack.iter().filter_map(|open| open.tag.binding.as_ref()) {
            if let Some(count) = loops.bound.get_mut(name) {
                *count += 1;
            }
        }
        loops
    }

    fn pass(&mut self, view: &ChunkView<'_>, index: usize, token: &Token) {
        let depth = self.open.stack.len();
        for closed in view.pass(&mut self.open, index, token) {
            if let Some(count) = closed.binding.as_ref().and_then(|name| self.bound.get_mut(name)) {
                *count -= 1;
            }
        }
        for opened in self.open.stack.iter().skip(depth) {
            if let Some(name) = &opened.tag.binding {
                *self.bound.entry(Arc::clone(name)).or_default() += 1;
            }
        }
    }

    fn has(&self, name: &str) -> bool {
        self.bound.get(name).is_some_and(|count| *count > 0)
    }
}

struct Walk<'a> {
    case: &'a Case<'a>,
    view: &'a ChunkView<'a>,
    loops: Loops,
    out: ChunkVerdict,
}

impl Walk<'_> {
    fn run(&mut self) {
        let (case, view) = (self.case, self.view);
        let tokens = view.tokens();
        let all: Vec<&Token> = tokens.iter().collect();
        for (index, token) in all.iter().enumerate() {
            let parts = tokens.parts(token);
            match (token.state, token.kind) {
                (State::Border, _) => {}
                (State::Inert, TokenKind::Variable | TokenKind::Escape) => {
                    let is_loop = |name: &str| self.is_loop(name);
                    self.out.findings.extend(inert_tag::check(self.case, view, token, is_loop));
                }
                (State::Inert, _) => {}
                (State::Live, TokenKind::Escape) => {
                    let is_loop = |name: &str| self.is_loop(name);
                    let around = &all[index.saturating_sub(1)..(index + 3).min(all.len())];
                    let found = escaped_variable::check(self.case, view, token, around, is_loop);
                    self.out.findings.extend(found);
                }
                (State::Live, TokenKind::OpenBrace | TokenKind::CloseBrace) => {
                    self.out.findings.push(stray_brace::check(token));
                }
                (State::Live, TokenKind::Variable) => self.variable(parts),
                (State::Live, TokenKind::MalformedReference) => {
                    self.out.findings.push(malformed_reference::check(case, &view.text, token));
                }
                (State::Live, TokenKind::BareName) => {
                    self.out.findings.extend(escaped_variable::check_bare(case, &view.text, token, parts));
                }
                (State::Live, TokenKind::Opener(control)) => {
                    self.names(
                        parts,
                        if control == Control::For { Position::List } else { Position::Operand },
                    );
                    if control == Control::While {
                        self.out.findings.extend(endless_while::check(&view.text, parts));
                    }
                }
                (State::Live, TokenKind::ElseIf) => self.names(parts, Position::Operand),
                (State::Live, TokenKind::Else | TokenKind::Closer(_)) => {}
                (State::Live, TokenKind::Malformed(meant)) => {
                    self.out.findings.push(invalid_expression::check(&view.text, token, parts, meant));
                }
            }
            self.loops.pass(view, index, token);
        }
    }

    fn is_loop(&self, name: &str) -> bool {
        self.loops.has(name)
    }

    fn variable(&mut self, parts: &[Part]) {
        let Some((name, arguments)) = parts.split_first() else { return };
        let span = arguments.first().zip(arguments.last()).map(|(first, last)| first.span.cover(last.span));
        self.name(name, Position::Tag, span.map(|span| (span, arguments.len())));
    }

    fn names(&mut self, parts: &[Part], position: Position) {
        for part in parts.iter().filter(|part| part.kind == PartKind::Name) {
            self.name(part, position, None);
        }
    }

    fn name(&mut self, part: &Part, position: Position, arguments: Option<(Span, usize)>) {
        let name = part.span.of_str(&self.view.text);
        let first = first_segment(name);
        let span = Span::new(part.span.start, part.span.start + offset(first.len()));
        let is_loop = self.is_loop(first);
        let used = Use { name, first, span, position, arguments };
        let case = self.case;
        let variable = if is_loop { None } else { case.lookup(first) };
        if !is_loop {
            self.out
                .uses
                .push(variable.map_or_else(|| Arc::from(first), |variable| Arc::clone(&variable.name)));
        }
        self.out.has_prompt |= position == Position::Tag && !is_loop && first == "prompt";
        let findings = &mut self.out.findings;
        let on_name = match variable {
            None if is_loop => None,
            None => Some(unknown_variable::check(case, &used)),
            Some(variable) => on_name(case, &used, variable),
        };
        findings.extend(on_name);
        // Where a tag can hold no arguments, nobody can give too few.
        if (is_loop || variable.is_some()) && case.judge.profile.tags == TagSyntax::SingleBraces {
            findings.extend(argument_count::check(&used, variable.map(|variable| &**variable)));
        }
        if let Some(variable) = variable {
            findings.extend(not_a_list::check(&used, variable));
        }
    }
}

/// What is wrong with a known name. One name gives at most one of these.
fn on_name(case: &Case<'_>, used: &Use<'_>, variable: &Variable) -> Option<Diagnostic> {
    mutable_in_system::check(case, used, variable)
        .or_else(|| mutability_undetermined::check(case, used, variable))
        .or_else(|| zone_mismatch::check(case, used, variable))
}

impl Judge {
    /// What would be wrong with a known variable if it were used at such a position of a block, without arguments unless it
    /// stands in a tag. What is switched off is not wrong.
    pub(crate) fn objection(
        &self,
        header: &Header,
        variable: &Variable,
        position: Position,
    ) -> Option<Diagnostic> {
        let case = Case::new(self, header);
        let (name, span) = (&*variable.name, Span::default());
        let used = Use { name, first: name, span, position, arguments: None };
        let found = on_name(&case, &used, variable).or_else(|| {
            let count = argument_count::check(&used, Some(variable)).filter(|_| position != Position::Tag);
            count.or_else(|| not_a_list::check(&used, variable))
        });
        finish(self, header, found.into_iter().collect()).pop()
    }
}
