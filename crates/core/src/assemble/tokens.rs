//! Tokens, by a real vocabulary or by the estimate.

use super::assembly::{Assembly, JOIN, Part, joined as text_of};
use super::estimate;
use super::outline::{CONTEXT_CLOSING, CONTEXT_OPENING, Run, runs};
use crate::profile::UsageClass;
use crate::project::ContextPlacement;

/// What tokens are counted with.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Vocabulary {
    /// That of OpenAI's models since 2024.
    #[default]
    O200k,
    /// That of those before.
    Cl100k,
    /// No vocabulary: a CJK character counts two, three are a token. [S4]
    Estimate,
}

impl Vocabulary {
    /// Every vocabulary.
    pub const ALL: [Self; 3] = [Self::O200k, Self::Cl100k, Self::Estimate];

    /// The name in `promptblock.toml`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::O200k => "o200k",
            Self::Cl100k => "cl100k",
            Self::Estimate => "estimate",
        }
    }

    /// The vocabulary of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|vocabulary| vocabulary.name() == name)
    }

    /// Tokens of a text. The first call reads the vocabulary, which takes some 100 ms.
    pub fn count(self, text: &str) -> u64 {
        if text.is_empty() {
            return 0;
        }
        match self {
            Self::O200k => bpe_openai::o200k_base().count(text) as u64,
            Self::Cl100k => bpe_openai::cl100k_base().count(text) as u64,
            Self::Estimate => u64::from(estimate::tokens(estimate::weight(text))),
        }
    }
}

impl Vocabulary {
    /// How many tokens two texts have in common from their start on.
    pub(super) fn common(self, one: &str, other: &str) -> u64 {
        /// Behind a difference, no token that comes before it can reach further than this.
        const REACH: usize = 256;
        let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
        let upto =
            |text: &str, at: usize| (at.min(text.len())..=text.len()).find(|at| text.is_char_boundary(*at));
        let head = |text| upto(text, same + REACH).and_then(|end| text.get(..end)).unwrap_or(text);
        let bpe = match self {
            Self::O200k => bpe_openai::o200k_base(),
            Self::Cl100k => bpe_openai::cl100k_base(),
            Self::Estimate => {
                let end = (0..=same).rev().find(|at| one.is_char_boundary(*at)).unwrap_or(0);
                return u64::from(estimate::weight(&one[..end])) / 3;
            }
        };
        let (one, other) = (bpe.encode(head(one)), bpe.encode(head(other)));
        one.iter().zip(&other).take_while(|(one, other)| one == other).count() as u64
    }
}

/// Tokens by zone, as sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Zones {
    /// The schemas of the tools; 0 where nobody has said which there are.
    pub tools: u64,
    /// The system text, the blank lines between its blocks included.
    pub system: u64,
    /// The messages behind it.
    pub prelude: u64,
    /// The context messages.
    pub contexts: u64,
    /// The user's input as it is sent.
    pub input: u64,
}

impl Zones {
    /// The system zone.
    pub fn system_zone(&self) -> u64 {
        self.system + self.prelude
    }

    /// The system zone and the tools in front of it.
    pub fn prefix(&self) -> u64 {
        self.tools + self.system_zone()
    }

    /// All of it.
    pub fn total(&self) -> u64 {
        self.prefix() + self.contexts + self.input
    }
}

impl Run<'_> {
    /// Tokens of the message.
    pub(super) fn tokens(&self, vocabulary: Vocabulary) -> u64 {
        let around = Around { opening: &self.rule.opening, closing: &self.rule.closing };
        within(self.parts, around, vocabulary)
    }
}

impl Assembly {
    /// Tokens of what stays the same from turn to turn: as far as the stable prefix reaches.
    pub fn stable_tokens(&self, vocabulary: Vocabulary) -> u64 {
        let stable = self.prefix_runs().filter(|run| run.rule.stable);
        self.tool_tokens(vocabulary) + stable.map(|run| run.tokens(vocabulary)).sum::<u64>()
    }

    fn tool_tokens(&self, vocabulary: Vocabulary) -> u64 {
        self.tools().map_or(0, |tools| tools.tokens(vocabulary))
    }

    /// Tokens of each message of [`super::outline`].
    pub fn message_tokens(&self, vocabulary: Vocabulary) -> Vec<u64> {
        let is_apart = self.frame.placement == ContextPlacement::Messages;
        let contexts = is_apart.then(|| runs(&self.contexts, &self.frame)).into_iter().flatten();
        let mut all: Vec<u64> =
            self.prefix_runs().chain(contexts).map(|run| run.tokens(vocabulary)).collect();
        let zones = self.tokens(vocabulary);
        all.push(zones.input + if is_apart { 0 } else { zones.contexts });
        all
    }

    /// Tokens by zone, as sent.
    pub fn tokens(&self, vocabulary: Vocabulary) -> Zones {
        let of = |parts| runs(parts, &self.frame).map(|run| run.tokens(vocabulary)).sum();
        let contexts = match self.frame.placement {
            ContextPlacement::Messages => of(&self.contexts),
            ContextPlacement::Input if self.contexts.is_empty() => 0,
            ContextPlacement::Input => {
                let around = Around { opening: CONTEXT_OPENING, closing: CONTEXT_CLOSING };
                within(&self.contexts, around, vocabulary)
            }
        };
        // Of the input blocks only what comes out is sent.
        let input = vocabulary.count(&self.input);
        let (system, prelude) = (of(&self.system), of(&self.prelude));
        Zones { tools: self.tool_tokens(vocabulary), system, prelude, contexts, input }
    }

    /// Tokens by the usage classes of the profile, in their sequence. [S4]
    pub fn usage(&self, vocabulary: Vocabulary) -> Vec<(&UsageClass, u64)> {
        let profile = &self.frame.profile;
        let mut tokens = vec![0; profile.classes.len()];
        let mut add = |class: Option<usize>, count: u64| {
            if let Some(slot) = class.and_then(|class| tokens.get_mut(class)) {
                *slot += count;
            }
        };
        for tool in self.tools().iter().flat_map(|tools| &tools.list) {
            add(profile.tool_class(&tool.name.value), tool.tokens(vocabulary));
        }
        let zones = self.tokens(vocabulary);
        for run in self.prefix_runs() {
            add(profile.class(&run.rule.class), run.tokens(vocabulary));
        }
        match (self.frame.placement, self.contexts.first()) {
            (ContextPlacement::Input, Some(first)) => {
                let rule = self.frame.rule(first.rule);
                add(rule.and_then(|rule| profile.class(&rule.class)), zones.contexts);
            }
            _ => {
                for run in runs(&self.contexts, &self.frame) {
                    add(profile.class(&run.rule.class), run.tokens(vocabulary));
                }
            }
        }
        add(profile.input_class(), zones.input);
        profile.classes.iter().zip(tokens).collect()
    }
}

/// Tokens of one block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Counts {
    /// Of its text.
    pub(super) alone: u64,
    /// Of its text and the blank line behind it.
    pub(super) ahead: u64,
}

impl Counts {
    pub(super) fn of(text: &str, vocabulary: Vocabulary) -> Self {
        Self { alone: vocabulary.count(text), ahead: vocabulary.count(&[text, JOIN].concat()) }
    }
}

/// What stands around texts that are joined.
#[derive(Clone, Copy, Default)]
pub(super) struct Around<'a> {
    pub(super) opening: &'a str,
    pub(super) closing: &'a str,
}

/// Tokens of the texts joined, exactly as one text would count, from what is known of each.
pub(super) fn joined(parts: &[Part], vocabulary: Vocabulary) -> u64 {
    within(parts, Around::default(), vocabulary)
}

/// The same with what stands around them.
pub(super) fn within(parts: &[Part], around: Around<'_>, vocabulary: Vocabulary) -> u64 {
    let Around { opening, closing } = around;
    if vocabulary == Vocabulary::Estimate {
        let texts = parts.iter().map(Part::text).chain([opening, closing]);
        let weights: u64 = texts.map(|text| u64::from(estimate::weight(text))).sum();
        let joins = (JOIN.len() * parts.len().saturating_sub(1)) as u64;
        return (weights + joins).div_ceil(3);
    }
    // What is only blanks runs on into what follows it.
    let stands_alone = |part: &Part| can_begin(part.text()) && !part.text().trim().is_empty();
    let begins = || parts.first().is_none_or(stands_alone);
    // What stands before the line break of the closing is counted with it.
    let behind = closing.strip_prefix('\n').filter(|behind| can_begin(behind) && !behind.is_empty());
    let is_apart = opening.is_empty() || opening.ends_with('\n') && begins();
    if !is_apart || !closing.is_empty() && behind.is_none() {
        return vocabulary.count(&[opening, &text_of(parts), closing].concat());
    }
    let mut total = vocabulary.count(opening) + behind.map_or(0, |behind| vocabulary.count(behind));
    // Blocks that have to be counted as one text.
    let mut run = String::new();
    for (index, part) in parts.iter().enumerate() {
        let next = parts.get(index + 1);
        let splits = next.is_none_or(stands_alone);
        if splits && run.is_empty() {
            total += match (next, behind) {
                (Some(_), _) => part.content.counts(vocabulary).ahead,
                (None, Some(_)) => part.content.line(vocabulary),
                (None, None) => part.content.counts(vocabulary).alone,
            };
            continue;
        }
        run.push_str(part.text());
        run.push_str(match (next, behind) {
            (Some(_), _) => JOIN,
            (None, Some(_)) => "\n",
            (None, None) => "",
        });
        if splits {
            total += vocabulary.count(&run);
            run.clear();
        }
    }
    total
}

/// Whether a text behind a line break begins with a token of its own, whatever stands before the break. Vocabularies take
/// line breaks, and slashes behind them, together with punctuation before; and blanks together up to the last line break.
pub(crate) fn can_begin(text: &str) -> bool {
    let mut blanks = text.chars().take_while(|c| c.is_whitespace());
    !text.starts_with('/') && blanks.all(|c| c != '\n' && c != '\r')
}

#[cfg(test)]
mod tests {
    use super::super::content::Content;
    use super::super::render::{Limits, Rendered};
    use super::*;
    use crate::block::{Role, Zone};
    use proptest::prelude::*;
    use std::sync::Arc;

    #[test]
    fn known_counts() {
        for (text, o200k, cl100k, estimate) in
            [("", 0, 0, 0), ("hello world", 2, 2, 4), ("你好，世界", 3, 6, 3), ("🎉", 2, 3, 1)]
        {
            let counts = Vocabulary::ALL.map(|vocabulary| vocabulary.count(text));
            assert_eq!(counts, [o200k, cl100k, estimate], "{text}");
        }
    }

    #[test]
    fn a_common_beginning() {
        for (one, other, common) in [
            ("hello world", "hello there", 1),
            ("hello", "hello", 1),
            ("你好，世界", "你好，", 2),
            ("a", "", 0),
            // Their first bytes are one token.
            ("🎉", "🎊", 1),
        ] {
            for vocabulary in Vocabulary::ALL {
                let found = vocabulary.common(one, other);
                let most = vocabulary.count(one).min(vocabulary.count(other));
                assert!(found <= most && found == vocabulary.common(other, one), "{one} {other}");
                assert!(vocabulary != Vocabulary::O200k || found == common, "{one} {other}: {found}");
            }
        }
        let long = "word ".repeat(10_000);
        let found = Vocabulary::O200k.common(&format!("{long}one"), &format!("{long}two"));
        assert!((9_999..=10_001).contains(&found), "{found}");
    }

    fn texts() -> impl Strategy<Value = Vec<String>> {
        let piece = proptest::sample::select(vec![
            "a", "Word", "你", "好。", ".", "!", "/", "//", " ", "  ", "\n", "\r\n", "\t", "1234", "'s",
            "🎉", "e\u{301}", "\u{3000}", "\u{85}", "\u{2028}", "-", "{", "A", "é",
        ]);
        let text = proptest::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat());
        proptest::collection::vec(text, 1..6)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// What stands around the blocks is counted as it is sent with them.
        #[test]
        fn a_message_is_its_pieces(texts in texts(), around in proptest::sample::select(vec![
            ("", ""), ("\n\n", ""), ("a:\n", "\n</b>"), ("a", ""), ("", "b"), ("\n", "\n\nb"), ("x\n\n", "\n/b"),
        ])) {
            let part = |text: &String| {
                let rendered = Rendered {
                    text: text.as_str().into(), pieces: Box::default(), used: Box::default(), findings: Box::default(),
                    took: Limits { rounds: 0, bytes: 0, effort: 0 }, cut: false,
                };
                Part {
                    file: None, id: None, zone: Zone::System, role: Role::System, order: 0.0, rule: 0,
                    content: Arc::new(Content::new(rendered)),
                }
            };
            let parts: Vec<Part> = texts.iter().map(part).filter(|part| !part.content.rendered.is_blank()).collect();
            let texts: Vec<&str> = parts.iter().map(Part::text).collect();
            prop_assume!(!parts.is_empty());
            let (opening, closing) = around;
            let whole = [opening, &texts.join(JOIN), closing].concat();
            for vocabulary in Vocabulary::ALL {
                let found = within(&parts, Around { opening, closing }, vocabulary);
                prop_assert_eq!(found, vocabulary.count(&whole), "{:?} {:?}", texts, around);
            }
        }

        /// A text split where the rule allows it has as many tokens as its pieces together.
        #[test]
        fn pieces_add_up(texts in texts()) {
            for vocabulary in [Vocabulary::O200k, Vocabulary::Cl100k] {
                let mut pieces: Vec<String> = Vec::new();
                for (index, text) in texts.iter().enumerate() {
                    let text = [text.as_str(), if index + 1 < texts.len() { JOIN } else { "" }].concat();
                    match pieces.last_mut() {
                        Some(last) if !can_begin(&text) => last.push_str(&text),
                        _ => pieces.push(text),
                    }
                }
                let sum: u64 = pieces.iter().map(|piece| vocabulary.count(piece)).sum();
                prop_assert_eq!(sum, vocabulary.count(&texts.join(JOIN)), "{:?}", texts);
            }
        }
    }
}
