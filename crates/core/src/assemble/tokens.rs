//! Tokens, by a real vocabulary or by the estimate.

use super::assembly::{JOIN, Part};
use super::estimate;

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
    /// The stable prefix.
    pub fn prefix(&self) -> u64 {
        self.system + self.prelude
    }

    /// All of it.
    pub fn total(&self) -> u64 {
        self.prefix() + self.contexts + self.input
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

/// Tokens of the texts joined, exactly as one text would count, from what is known of each.
pub(super) fn joined(parts: &[Part], vocabulary: Vocabulary) -> u64 {
    if vocabulary == Vocabulary::Estimate {
        let weights: u64 = parts.iter().map(|part| u64::from(estimate::weight(part.text()))).sum();
        let joins = (JOIN.len() * parts.len().saturating_sub(1)) as u64;
        return (weights + joins).div_ceil(3);
    }
    let mut total = 0;
    // Blocks that have to be counted as one text.
    let mut run = String::new();
    for (index, part) in parts.iter().enumerate() {
        let next = parts.get(index + 1);
        let splits = next.is_none_or(|next| can_begin(next.text()));
        if splits && run.is_empty() {
            let counts = part.content.counts(vocabulary);
            total += if next.is_some() { counts.ahead } else { counts.alone };
            continue;
        }
        run.push_str(part.text());
        run.push_str(if next.is_some() { JOIN } else { "" });
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
    use super::*;
    use proptest::prelude::*;

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
