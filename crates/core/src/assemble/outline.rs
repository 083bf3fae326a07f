//! The messages of a request as what they are made of: blocks, and text between them.

use super::assembly::{Assembly, JOIN, Part};
use crate::block::Role;
use crate::project::ContextPlacement;

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
    /// Whether the stable prefix ends with it.
    pub cache: bool,
}

/// The messages of an assembly: the system text if there is one, the prelude, the contexts, the input. The history of the
/// conversation, which is not known here, stands between prelude and contexts.
pub fn outline(assembly: &Assembly, placement: ContextPlacement) -> Vec<Outline> {
    let blocks = |first, count| Section::Blocks { first, count };
    let single = |first, role| Outline { role, sections: vec![blocks(first, 1)], cache: false };
    let mut all = Vec::new();
    let system = assembly.system.len();
    if system > 0 {
        all.push(Outline { role: Role::System, sections: vec![blocks(0, system)], cache: false });
    }
    let prelude = assembly.prelude.iter().enumerate();
    all.extend(prelude.map(|(index, part)| single(system + index, part.role)));
    if let Some(last) = all.last_mut() {
        last.cache = true;
    }
    let first = system + assembly.prelude.len();
    let contexts = assembly.contexts.len();
    let mut input = Vec::new();
    match placement {
        ContextPlacement::Messages => {
            all.extend((first..first + contexts).map(|index| single(index, Role::User)));
        }
        ContextPlacement::Input if contexts == 0 => {}
        ContextPlacement::Input => {
            // What is no word of the user's stands in a tag of its own. [S3]
            input.push(Section::Text("<system-context>\n".into()));
            input.push(blocks(first, contexts));
            input.push(Section::Text("\n</system-context>\n\n".into()));
        }
    }
    // Each input block wraps the one before it; the last one's text is what is sent.
    input.push(match assembly.input_blocks.len().checked_sub(1) {
        Some(last) => blocks(first + contexts + last, 1),
        None => Section::Text((&*assembly.input).into()),
    });
    all.push(Outline { role: Role::User, sections: input, cache: false });
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

    fn block(id: &str, zone: &str, more: &str, body: &str) -> String {
        format!("---\nid: t:{id}\nzone: {zone}\norder: 1\ntemplate: true\n{more}---\n{body}\n")
    }

    fn shown(files: &[String], placement: ContextPlacement) -> Vec<(Role, String, String, bool)> {
        let files = Files(files.to_vec());
        let assembly = files.assemble(&scene(r#"{"who": "甲"}"#), Some("hi")).expect("an assembly");
        messages(&assembly, placement)
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
