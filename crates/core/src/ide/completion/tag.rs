//! What can be put into a tag.

use super::half_typed::{Closing, HalfTyped, Wanted};
use super::known::{Found, Known, Spelling};
use super::{About, Completion, CompletionKind, Completions};
use crate::assemble::Environments;
use crate::catalog::{ValueType, Variable};
use crate::ide::matching::{Match, matches};
use crate::ide::{Context, describe, texts};
use crate::lint::{Code, Position};
use crate::span::Span;
use crate::syntax::{Control, OpenTag, OpenTags, TokenKind};
use crate::{Diagnostic, Message, msg};
use std::sync::Arc;

/// Where an item stands in the list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Group {
    /// What fits best.
    Best,
    Loop,
    Variable,
    /// Closers and branches.
    Structure,
    Control,
    Word,
    /// What would be an error.
    NotAllowed,
}

/// So many variables are listed at most; of more, those that fit best what is typed.
pub(super) const MOST_VARIABLES: usize = 200;
/// So many are asked whether they are allowed, for one list.
const MOST_JUDGED: usize = 1000;

pub(super) fn completions(cx: &Context<'_>, environments: &Environments, at: u32) -> Completions {
    let Some(tag) = HalfTyped::around(cx, at) else { return Completions::default() };
    let Some(wanted) = tag.wanted() else { return Completions::default() };
    let controls = cx.has_controls();
    let open = tag.view.open_at(tag.open);
    let mut items = Items { cx, environments, tag: &tag, open, at, out: Vec::new(), incomplete: false };
    match wanted {
        Wanted::Tag => {
            // In front of arguments or of a condition stands what can take them.
            let later = tag.closing == Closing::Later;
            if !(later && tag.control) {
                items.variables(Position::Tag, None);
            }
            if controls && !later {
                items.closers(Group::Structure);
            }
            if controls {
                items.branches();
                items.controls();
            }
        }
        Wanted::Closer => items.closers(Group::Best),
        Wanted::Operand { left } => {
            let boolean = left.is_some_and(|left| items.is_boolean(left));
            if let Some(left) = left {
                items.literals(left, Spelling::Any('"'));
            }
            items.variables(Position::Operand, left.is_none().then_some(ValueType::Boolean));
            for (index, word) in ["true", "false"].into_iter().enumerate() {
                items.word(word, if boolean { Group::Best } else { Group::Word }, index, None);
            }
        }
        Wanted::Operator => {
            for (index, (sign, meaning)) in comparisons().iter().enumerate() {
                items.word(sign, Group::Best, index, Some(meaning));
                if let Some(item) = items.out.last_mut() {
                    item.kind = CompletionKind::Operator;
                }
            }
        }
        Wanted::In => items.word("in", Group::Best, 0, None),
        Wanted::List => items.variables(Position::List, Some(ValueType::List)),
        Wanted::Count => items.variables(Position::Operand, Some(ValueType::Number)),
        Wanted::Field { of, tag } => items.fields(of, tag),
        Wanted::Quoted { left, quote } => items.literals(left, Spelling::Quoted(quote)),
    }
    Completions { items: items.out, incomplete: items.incomplete }
}

/// The signs of comparisons and what they mean.
pub(super) fn comparisons() -> [(&'static str, Message); 6] {
    [
        ("==", msg!("equal", "等于")),
        ("!=", msg!("not equal", "不等于")),
        ("<", msg!("less", "小于")),
        (">", msg!("greater", "大于")),
        ("<=", msg!("less or equal", "小于或等于")),
        (">=", msg!("greater or equal", "大于或等于")),
    ]
}

struct Items<'a> {
    cx: &'a Context<'a>,
    environments: &'a Environments,
    tag: &'a HalfTyped<'a>,
    open: OpenTags<OpenTag>,
    at: u32,
    out: Vec<Completion>,
    /// Whether variables were left out.
    incomplete: bool,
}

impl Items<'_> {
    fn item(&self, label: &str, kind: CompletionKind, group: Group, place: &str) -> Completion {
        let sort_text = format!("{}{place}", group as u8);
        Completion { sort_text, ..Completion::new(label, kind, self.tag.word) }
    }

    /// What to put behind a word that ends the tag.
    fn close(&self) -> &'static str {
        self.tag.closer
    }

    /// Loop variables and those of the catalog; `best` is the type that fits the place.
    fn variables(&mut self, position: Position, best: Option<ValueType>) {
        let cx = self.cx;
        let mut loops: Vec<String> = Vec::new();
        for binding in self.open.stack.iter().rev().filter_map(|open| open.tag.binding.as_deref()) {
            if !loops.iter().any(|known| known == binding) {
                loops.push(binding.to_owned());
            }
        }
        for (index, name) in loops.iter().enumerate() {
            let mut item = self.item(name, CompletionKind::LoopVariable, Group::Loop, &format!("{index:04}"));
            let what = cx.text(&msg!("loop variable", "循环变量"));
            item.description = Some(what.clone());
            item.detail = Some(what);
            item.edit.text = self.name(name, position).into();
            self.out.push(item);
        }
        // A name that no tag can hold has its own diagnostic in the catalog.
        let profile = cx.document.profile();
        let hidden = |name: &str| {
            loops.iter().any(|binding| binding == name)
                || !profile.can_write(name)
                || name == "prompt" && !profile.input_zone
        };
        let fits = |variable: &Variable| best.is_some() && variable.value_type == best;
        let shown = || cx.judge.catalog.iter().filter(|variable| !hidden(&variable.name));
        // Clients filter what they get; only where that would be too much is it done here.
        self.incomplete = shown().nth(MOST_VARIABLES).is_some();
        let typed = if self.incomplete { self.typed() } else { String::new() };
        let mut candidates: Vec<(Match, bool, &Arc<Variable>)> = shown()
            .filter_map(|variable| Some((matches(&variable.name, &typed)?, !fits(variable), variable)))
            .collect();
        candidates.sort_by_key(|(found, other, _)| (*found, *other));
        self.listed(&candidates, position, &fits);
    }

    /// Puts the variables in, those that are allowed first where there are too many.
    fn listed(
        &mut self,
        candidates: &[(Match, bool, &Arc<Variable>)],
        position: Position,
        fits: &dyn Fn(&Variable) -> bool,
    ) {
        let mut left = MOST_VARIABLES;
        let mut objected = Vec::new();
        for (_, _, variable) in candidates.iter().take(MOST_JUDGED) {
            if left == 0 {
                break;
            }
            match self.cx.judge.objection(self.cx.document.header(), variable, position) {
                Some(objection) => objected.push((variable, objection)),
                None => {
                    let group = if fits(variable) { Group::Best } else { Group::Variable };
                    let item = self.variable(variable, position, group, None);
                    self.out.push(item);
                    left -= 1;
                }
            }
        }
        for (variable, objection) in objected.into_iter().take(left) {
            let item = self.variable(variable, position, Group::NotAllowed, Some(&objection));
            self.out.push(item);
        }
    }

    /// What is typed of the word so far.
    fn typed(&self) -> String {
        self.cx.document.slice(Span::new(self.tag.word.start, self.at)).to_lowercase()
    }

    fn variable(
        &self,
        variable: &Variable,
        position: Position,
        group: Group,
        objection: Option<&Diagnostic>,
    ) -> Completion {
        let cx = self.cx;
        let name = &*variable.name;
        let mut item = self.item(name, CompletionKind::Variable, group, name);
        let arguments = if cx.has_controls() { describe::arguments(variable) } else { String::new() };
        let declared = variable.value_type.map(ValueType::name);
        let reason = objection.map(|objection| cx.text(&short(objection)));
        let objection = objection.map(|objection| cx.text(&objection.message));
        item.description = reason.clone().or_else(|| declared.map(str::to_owned));
        let signature =
            format!("{name}{arguments}{}", declared.map_or_else(String::new, |d| format!(": {d}")));
        item.detail = Some(match reason {
            Some(reason) => format!("{signature} · {reason}"),
            None => signature,
        });
        item.about = Some(About::Variable { name: Arc::clone(&variable.name), position });
        item.objection = objection;
        item.signature = Some(arguments).filter(|arguments| !arguments.is_empty());
        // Where none has to be given the tag is whole without them.
        let required: Vec<&str> =
            variable.args.iter().filter(|arg| !arg.optional).map(|arg| &*arg.name).collect();
        let takes = position == Position::Tag && cx.has_controls();
        if takes && !required.is_empty() && self.tag.closing != Closing::Later {
            let mut snippet = escape(name);
            for (index, argument) in required.iter().enumerate() {
                snippet.push_str(&format!(" ${{{}:{}}}", index + 1, escape(argument)));
            }
            // One that can be left out goes with its blank when it is deleted, and so do those behind it.
            let mut place = required.len() + 1;
            let optional = variable.args.iter().filter(|arg| arg.optional);
            for argument in optional.clone() {
                snippet.push_str(&format!("${{{place}: ${{{}:{}}}", place + 1, escape(&argument.name)));
                place += 2;
            }
            snippet.extend(optional.map(|_| '}'));
            snippet.push_str(&escape(self.close()));
            item.snippet = Some(snippet);
            // Without snippets the arguments are typed next.
            item.edit.text = self.begun(name);
        } else {
            item.edit.text = self.name(name, position).into();
        }
        item
    }

    fn name(&self, name: &str, position: Position) -> String {
        format!("{name}{}", if position == Position::Tag { self.close() } else { "" })
    }

    /// A word that more is typed behind.
    fn begun(&self, word: &str) -> Arc<str> {
        let blank = if self.tag.gap && self.tag.closing == Closing::Next { "" } else { " " };
        format!("{word}{blank}").into()
    }

    fn known(&self) -> Known<'_> {
        Known {
            catalog: &self.cx.judge.catalog,
            environments: self.environments,
            loops: Some((self.cx, &self.open)),
        }
    }

    /// Whether an operand names a boolean: by its type, else by what is known of its values.
    fn is_boolean(&self, operand: &str) -> bool {
        let variable = self.cx.judge.catalog.get(operand).filter(|_| self.open.loop_of(operand).is_none());
        match variable.and_then(|variable| variable.value_type) {
            Some(declared) => declared == ValueType::Boolean,
            None => self.known().is_boolean(operand),
        }
    }

    /// The values that are known of an operand.
    fn literals(&mut self, operand: &str, spelling: Spelling) {
        for (index, Found { text, origin }) in
            self.known().literals(operand, spelling).into_iter().enumerate()
        {
            let place = format!("{index:04}");
            let mut item = self.item(&text, CompletionKind::Value, Group::Best, &place);
            item.description = Some(self.cx.text(&origin));
            item.detail = item.description.clone();
            self.out.push(item);
        }
    }

    /// The fields that are known of a structured value; `tag` says whether its name ends the tag.
    fn fields(&mut self, of: &str, tag: bool) {
        let close = if tag { self.close() } else { "" };
        for (index, Found { text, origin }) in self.known().fields(of).into_iter().enumerate() {
            let mut item = self.item(&text, CompletionKind::Field, Group::Best, &format!("{index:04}"));
            item.edit.text = format!("{text}{close}").into();
            item.description = Some(self.cx.text(&origin));
            item.detail = item.description.clone();
            self.out.push(item);
        }
    }

    /// The closers of the tags that stand open, the innermost first.
    fn closers(&mut self, group: Group) {
        let mut seen: Vec<Control> = Vec::new();
        for control in self.open.stack.iter().rev().map(|open| open.control) {
            if !seen.contains(&control) {
                seen.push(control);
            }
        }
        for (index, control) in seen.into_iter().enumerate() {
            let word = format!("/{}", control.keyword());
            let mut item = self.item(&word, CompletionKind::Keyword, group, &format!("{index}"));
            item.edit.text = format!("{word}{}", self.close()).into();
            item.detail = Some(format!("{{{word}}}"));
            item.preselect = index == 0 && group == Group::Best;
            self.out.push(item);
        }
    }

    /// `else` and `elseif`, where the innermost open tag is an `{if}` that can take them.
    fn branches(&mut self) {
        let Some(innermost) = self.open.stack.last().filter(|open| open.control == Control::If) else {
            return;
        };
        // An opener of an earlier chunk may have its `{else}` there.
        let (body, before) = (self.cx.document.body(), self.tag.view.index);
        let earlier = body.pair_of(innermost.tag.tag).filter(|_| innermost.tag.tag.chunk < before);
        let mut earlier = earlier.into_iter().flat_map(|pair| pair.branches);
        if innermost.else_seen
            || earlier.any(|tag| tag.chunk < before && body.kind_of(tag) == Some(TokenKind::Else))
        {
            return;
        }
        let later = self.tag.closing == Closing::Later;
        for (index, word) in
            ["else", "elseif"].into_iter().enumerate().filter(|(_, word)| !later || *word != "else")
        {
            let mut item = self.item(word, CompletionKind::Keyword, Group::Structure, &format!("b{index}"));
            if let Some((form, meaning)) = texts::branch(word) {
                item.detail = Some(form.to_owned());
                item.documentation = Some(self.cx.text(&meaning));
            }
            match word {
                "else" => item.edit.text = format!("else{}", self.close()).into(),
                _ if later => {}
                _ => {
                    let condition = self.cx.text(&msg!("condition", "条件"));
                    item.edit.text = self.begun(word);
                    item.snippet = Some(format!("elseif ${{1:{condition}}}{}", escape(self.close())));
                    item.again = true;
                }
            }
            self.out.push(item);
        }
    }

    /// The control tags, with their closers.
    fn controls(&mut self) {
        for (index, control) in
            [Control::If, Control::For, Control::Repeat, Control::While].into_iter().enumerate()
        {
            let word = control.keyword();
            let (form, meaning) = texts::control(control);
            let mut item = self.item(word, CompletionKind::Snippet, Group::Control, &format!("{index}"));
            item.detail = Some(form.to_owned());
            item.signature = Some(" …".to_owned());
            item.documentation = Some(self.cx.text(&meaning));
            if self.tag.closing != Closing::Later {
                let places = match control {
                    Control::If | Control::While => {
                        let condition = self.cx.text(&msg!("condition", "条件"));
                        format!("${{1:{condition}}}")
                    }
                    Control::For => {
                        let (binding, list) =
                            (self.cx.text(&msg!("item", "item")), self.cx.text(&msg!("list", "列表")));
                        format!("${{1:{binding}}} in ${{2:{list}}}")
                    }
                    Control::Repeat => "${1:2}".to_owned(),
                };
                let end = escape(self.close());
                item.edit.text = self.begun(word);
                item.snippet = Some(format!("{word} {places}\\}}$0{{/{word}{end}"));
                item.again = true;
            }
            self.out.push(item);
        }
    }

    fn word(&mut self, word: &str, group: Group, index: usize, meaning: Option<&Message>) {
        let mut item = self.item(word, CompletionKind::Keyword, group, &format!("{index}"));
        item.description = meaning.map(|meaning| self.cx.text(meaning));
        item.detail = item.description.clone();
        self.out.push(item);
    }
}

/// The documentation of a variable in a list, made when somebody looks at it.
pub(super) fn documentation(cx: &Context<'_>, name: &str, position: Position) -> Option<String> {
    let variable = cx.judge.catalog.get(name)?;
    let objection = cx.judge.objection(cx.document.header(), variable, position);
    let objection = objection.map(|objection| cx.text(&objection.message));
    Some(describe::variable(cx, variable, objection.as_deref()))
}

/// Why a variable would be an error here, in a word or two for the list.
fn short(objection: &Diagnostic) -> Message {
    match objection.code {
        Code::MutableInSystem => msg!("not allowed here: changes", "此处不可用：会变化"),
        Code::MutabilityUndetermined => {
            msg!("not allowed here: may change", "此处不可用：可能变化")
        }
        Code::ZoneMismatch => msg!("not allowed here: other zone", "此处不可用：不在此区"),
        Code::ArgumentCount => msg!("not allowed here: needs arguments", "此处不可用：需要参数"),
        Code::NotAList => msg!("not a list", "不是列表"),
        _ => msg!("not allowed here", "此处不可用"),
    }
}

/// `text` as plain text of a snippet.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '$' | '}' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
