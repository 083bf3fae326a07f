//! The messages of a request as what they are made of: blocks, and text between them.

use super::assembly::{Assembly, JOIN, Part};
use super::frame::Frame;
use crate::block::Role;
use crate::profile::{CacheMarks, MessageRule};
use crate::project::ContextPlacement;

/// What is no word of the user's stands in a tag of its own, where it stands in the input's message. [S3]
pub(super) const CONTEXT_OPENING: &str = "<system-context>\n";
pub(super) const CONTEXT_CLOSING: &str = "\n</system-context>\n\n";

/// A piece of a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Section {
    /// Text that stands in no block.
    Text(Box<str>),
    /// `count` blocks from number `first` of [`Assembly::parts`] on, with [`JOIN`] between them.
    Blocks {
        /// Number of the first.
        first: usize,
        /// How many.
        count: usize,
    },
}

/// A message, not yet as one text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outline {
    /// Whose it is.
    pub role: Role,
    /// What it is made of, in sequence.
    pub sections: Vec<Section>,
    /// Whether it has a cache mark.
    pub cache: bool,
    /// Whether the stable prefix ends with it.
    pub ends_prefix: bool,
}

/// Blocks that are one message, and by what rule.
#[derive(Clone, Copy)]
pub(super) struct Run<'a> {
    pub(super) rule: &'a MessageRule,
    pub(super) parts: &'a [Part],
}

impl Run<'_> {
    pub(super) fn role(&self) -> Role {
        self.rule.role.or(self.parts.first().map(|part| part.role)).unwrap_or_default()
    }
}

/// The messages that a list of blocks makes.
pub(super) fn runs<'a>(parts: &'a [Part], frame: &'a Frame) -> impl Iterator<Item = Run<'a>> {
    parts
        .chunk_by(|one, next| one.rule == next.rule && frame.rule(one.rule).is_some_and(|rule| !rule.each))
        .filter_map(|parts| Some(Run { rule: frame.rule(parts.first()?.rule)?, parts }))
}

/// The messages of an assembly, as the profile has them, the input last. The history of the conversation is not known here.
pub fn outline(assembly: &Assembly) -> Vec<Outline> {
    let frame = &*assembly.frame;
    let blocks = |first, count| Section::Blocks { first, count };
    let text = |text: &str| (!text.is_empty()).then(|| Section::Text(text.into()));
    let mut all = Vec::new();
    let mut first = 0;
    let mut ends_prefix = None;
    let mut input = Vec::new();
    let apart = frame.placement == ContextPlacement::Messages;
    let contexts = assembly.contexts.as_slice();
    let lists = [assembly.system.as_slice(), &assembly.prelude, if apart { contexts } else { &[] }];
    for run in lists.into_iter().flat_map(|parts| runs(parts, frame)) {
        let count = run.parts.len();
        let (opening, closing) = (text(&run.rule.opening), text(&run.rule.closing));
        let sections = opening.into_iter().chain([blocks(first, count)]).chain(closing).collect();
        if run.rule.stable {
            ends_prefix = Some(all.len());
        }
        all.push(Outline { role: run.role(), sections, cache: false, ends_prefix: false });
        first += count;
    }
    if !apart && !contexts.is_empty() {
        input.extend([CONTEXT_OPENING].map(|opening| Section::Text(opening.into())));
        input.push(blocks(first, contexts.len()));
        input.push(Section::Text(CONTEXT_CLOSING.into()));
        first += contexts.len();
    }
    // Each input block wraps the one before it; the last one's text is what is sent.
    input.push(match assembly.input_blocks.len().checked_sub(1) {
        Some(last) => blocks(first + last, 1),
        None => Section::Text((&*assembly.input).into()),
    });
    all.push(Outline { role: Role::User, sections: input, cache: false, ends_prefix: false });
    if let Some(last) = ends_prefix.and_then(|last| all.get_mut(last)) {
        last.ends_prefix = true;
    }
    let last = all.len() - 1;
    for (index, outline) in all.iter_mut().enumerate() {
        outline.cache = match frame.profile.cache_marks {
            CacheMarks::StableEnd => outline.ends_prefix,
            CacheMarks::SystemAndLast => outline.role == Role::System || index == last,
        };
    }
    all
}

impl Outline {
    /// Numbers of its blocks, in sequence.
    pub fn blocks(&self) -> impl Iterator<Item = usize> {
        self.sections.iter().flat_map(|section| match section {
            Section::Text(_) => 0..0,
            Section::Blocks { first, count } => *first..first + count,
        })
    }

    /// The message as one text. `parts` are those of [`Assembly::parts`].
    pub fn text(&self, parts: &[&Part]) -> String {
        let mut out = String::new();
        for section in &self.sections {
            match section {
                Section::Text(text) => out.push_str(text),
                Section::Blocks { first, count } => {
                    for (index, part) in parts.iter().skip(*first).take(*count).enumerate() {
                        out.push_str(if index == 0 { "" } else { JOIN });
                        out.push_str(part.text());
                    }
                }
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Files, scene};
    use super::super::messages;
    use super::*;
    use std::sync::Arc;

    fn block(id: &str, zone: &str, more: &str, body: &str) -> String {
        format!("---\nid: t:{id}\nzone: {zone}\norder: 1\ntemplate: true\n{more}---\n{body}\n")
    }

    fn shown(files: &[String], placement: ContextPlacement) -> Vec<(Role, String, String, bool)> {
        let files = Files(files.to_vec());
        let frame = Arc::new(Frame { placement, ..Frame::default() });
        let scene = super::super::Scene { frame, ..scene(r#"{"who": "甲"}"#) };
        let assembly = files.assemble(&scene, Some("hi")).expect("an assembly");
        messages(&assembly)
            .into_iter()
            .map(|message| (message.role, message.text, message.blocks.join(" "), message.cache))
            .collect()
    }

    fn message(role: Role, text: &str, blocks: &str, cache: bool) -> (Role, String, String, bool) {
        (role, text.to_owned(), blocks.to_owned(), cache)
    }

    #[test]
    fn in_sequence() {
        let files = [
            block("j", "input", "", "2 {prompt}"),
            block("b", "system", "", "🎉\r\nb"),
            block("d", "context", "", "d"),
            block("q", "system", "role: assistant\n", "q"),
            block("a", "system", "", "系统 {who}"),
            block("p", "system", "role: user\n", "p"),
            block("i", "input", "", "1 {prompt}"),
            block("c", "context", "", "c {who}"),
        ];
        let prefix = [
            message(Role::System, "系统 甲\n\n🎉\nb", "t:a t:b", false),
            message(Role::User, "p", "t:p", false),
            message(Role::Assistant, "q", "t:q", true),
        ];
        let messages = [
            message(Role::User, "c 甲", "t:c", false),
            message(Role::User, "d", "t:d", false),
            message(Role::User, "2 1 hi", "t:i t:j", false),
        ];
        let all = shown(&files, ContextPlacement::Messages);
        assert_eq!(all, [prefix.as_slice(), messages.as_slice()].concat());
        let text = "<system-context>\nc 甲\n\nd\n</system-context>\n\n2 1 hi";
        let input = [message(Role::User, text, "t:c t:d t:i t:j", false)];
        let all = shown(&files, ContextPlacement::Input);
        assert_eq!(all, [prefix.as_slice(), input.as_slice()].concat());
    }

    #[test]
    fn what_is_not_there() {
        for placement in [ContextPlacement::Messages, ContextPlacement::Input] {
            assert_eq!(shown(&[], placement), [message(Role::User, "hi", "", false)]);
            let alone = [block("p", "system", "role: user\n", "p")];
            let expected = [message(Role::User, "p", "t:p", true), message(Role::User, "hi", "", false)];
            assert_eq!(shown(&alone, placement), expected);
        }
    }
}
