//! What can be put into a tag.

use super::half_typed::{Closing, HalfTyped, Wanted};
use super::{Completion, CompletionKind};
use crate::catalog::{ValueType, Variable};
use crate::ide::{Context, describe, texts};
use crate::lint::{Code, Position};
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

pub(super) fn completions(cx: &Context<'_>, at: u32) -> Vec<Completion> {
    let Some(tag) = HalfTyped::around(cx, at) else { return Vec::new() };
    let Some(wanted) = tag.wanted() else { return Vec::new() };
    let controls = cx.has_controls();
    let mut items = Items { cx, tag: &tag, open: tag.view.open_at(tag.open), out: Vec::new() };
    match wanted {
        Wanted::Tag => {
            // In front of arguments or of a condition stands what can take them.
            let later = tag.closing == Closing::Later;
            if !(later && tag.control) {
                items.variables(Position::Tag, None);
            }
            if !controls {
                return items.out;
            }
            if !later {
                items.closers(Group::Structure);
            }
            items.branches();
            items.controls();
        }
        Wanted::Closer => items.closers(Group::Best),
        Wanted::Operand { left } => {
            let boolean = left.is_some_and(|left| items.type_of(left) == Some(ValueType::Boolean));
            items.variables(Position::Operand, left.is_none().then_some(ValueType::Boolean));
            for (index, word) in ["true", "false"].into_iter().enumerate() {
                items.word(word, if boolean { Group::Best } else { Group::Word }, index, None);
            }
        }
        Wanted::Operator => {
            let meanings = [
                ("==", msg!("equal", "等于")),
                ("!=", msg!("not equal", "不等于")),
                ("<", msg!("less", "小于")),
                (">", msg!("greater", "大于")),
                ("<=", msg!("less or equal", "小于或等于")),
                (">=", msg!("greater or equal", "大于或等于")),
            ];
            for (index, (sign, meaning)) in meanings.iter().enumerate() {
                items.word(sign, Group::Best, index, Some(meaning));
                if let Some(item) = items.out.last_mut() {
                    item.kind = CompletionKind::Operator;
                }
            }
        }
        Wanted::In => items.word("in", Group::Best, 0, None),
        Wanted::List => items.variables(Position::List, Some(ValueType::List)),
        Wanted::Count => items.variables(Position::Operand, Some(ValueType::Number)),
    }
    items.out
}

struct Items<'a> {
    cx: &'a Context<'a>,
    tag: &'a HalfTyped<'a>,
    open: OpenTags<OpenTag>,
    out: Vec<Completion>,
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
        for variable in cx.judge.catalog.iter().filter(|variable| !hidden(&variable.name)) {
            let objection = cx.judge.objection(cx.document.header(), variable, position);
            let group = match &objection {
                Some(_) => Group::NotAllowed,
                None if best.is_some() && variable.value_type == best => Group::Best,
                None => Group::Variable,
            };
            let item = self.variable(variable, position, group, objection.as_ref());
            self.out.push(item);
        }
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
        item.documentation = Some(describe::variable(cx, variable, objection.as_deref()));
        item.objection = objection;
        item.signature = Some(arguments).filter(|arguments| !arguments.is_empty());
        let required: Vec<&str> =
            variable.args.iter().filter(|arg| !arg.optional).map(|arg| &*arg.name).collect();
        let takes = position == Position::Tag && cx.has_controls();
        if takes && !required.is_empty() && self.tag.closing != Closing::Later {
            let mut snippet = escape(name);
            for (index, argument) in required.iter().enumerate() {
                snippet.push_str(&format!(" ${{{}:{}}}", index + 1, escape(argument)));
            }
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

    /// The type of the variable that an operand names.
    fn type_of(&self, operand: &str) -> Option<ValueType> {
        self.cx.judge.catalog.get(operand)?.value_type.filter(|_| self.open.loop_of(operand).is_none())
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
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '$' | '}' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
