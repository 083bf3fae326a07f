//! What differs between the frameworks, as data. Nothing outside this folder asks which profile it is.

mod bands;
mod layout;

pub use bands::{Band, Bands};
pub use layout::{CacheMarks, Instructions, MessageRule, UsageClass};

use crate::block::{Header, Zone};
use crate::message::Message;
use serde::Deserialize;
use std::sync::{Arc, LazyLock};

/// How templates are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TagSyntax {
    /// `{name args}` and control tags, escapes `{{` and `}}`.
    #[default]
    SingleBraces,
    /// `{{name}}` alone.
    DoubleBraces,
}

/// Which block must not use mutable variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StablePart {
    /// The system zone. [S0] [S1]
    SystemZone,
    /// Blocks of `cache: stable`. [S4]
    CacheKey,
}

/// One framework's rules, read from a TOML file of this folder.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Profile {
    /// `blocks`, `harness`, `zcode`.
    pub name: String,
    /// How tags are written.
    pub tags: TagSyntax,
    /// Whether `template` is true where the header does not say.
    pub template_default: bool,
    /// Whether a system order must be an integer in a range, and which.
    pub order_range: Option<(i32, i32)>,
    /// Whether an order in no band is worth a word.
    pub off_band: bool,
    /// Which blocks must stay the same from turn to turn.
    pub stable_part: StablePart,
    /// Whether the header has a key `cache`.
    pub cache_key: bool,
    /// Whether a reference that gives no value refuses the assembly, and is no text. [S1]
    pub strict_references: bool,
    /// Whether there is an input zone.
    pub input_zone: bool,
    /// Whether `template` may be false and `role` other than `system`.
    pub plain_blocks: bool,
    /// What the messages of a request are made of, in sequence.
    pub messages: Vec<MessageRule>,
    /// Where these have cache marks.
    pub cache_marks: CacheMarks,
    /// What fills the model's context, by class.
    pub classes: Vec<UsageClass>,
    /// The files with instructions that it adds.
    pub instructions: Option<Instructions>,
    /// The system zone's bands.
    pub bands: Vec<Band>,
}

const HEADER_KEYS: [&str; 10] =
    ["id", "zone", "order", "role", "template", "complete", "cache", "plugin", "description", "allow"];

static PROFILES: LazyLock<Vec<Arc<Profile>>> = LazyLock::new(|| {
    [include_str!("blocks.toml"), include_str!("harness.toml"), include_str!("zcode.toml")]
        .into_iter()
        // A test reads every file; one that does not parse cannot be shipped.
        .filter_map(|text| toml::from_str(text).ok())
        .map(Arc::new)
        .collect()
});

impl Profile {
    /// The names that `profile = "…"` takes.
    pub const NAMES: [&'static str; 3] = ["blocks", "harness", "zcode"];

    /// The profile of that name.
    pub fn named(name: &str) -> Option<Arc<Self>> {
        PROFILES.iter().find(|profile| profile.name == name).cloned()
    }

    /// Profile `blocks`. [S0]
    pub fn blocks() -> Arc<Self> {
        #[expect(clippy::expect_used, reason = "the file is part of this crate and read by a test")]
        Self::named("blocks").expect("blocks.toml is valid")
    }

    /// The keys that a header knows, in the order that it is written in.
    pub fn header_keys(&self) -> impl Iterator<Item = &'static str> + use<> {
        let cache = self.cache_key;
        HEADER_KEYS.into_iter().filter(move |key| cache || *key != "cache")
    }

    /// The zones that a block can be in.
    pub fn zones(&self) -> impl Iterator<Item = Zone> + use<> {
        let input = self.input_zone;
        Zone::ALL.into_iter().filter(move |zone| input || *zone != Zone::Input)
    }

    /// The rule of [`Profile::messages`] that makes a message of this block; `None` for an input block.
    pub fn place(&self, header: &Header) -> Option<usize> {
        layout::place(&self.messages, header)
    }

    /// The class of that key.
    pub fn class(&self, key: &str) -> Option<usize> {
        self.classes.iter().position(|class| *class.key == *key)
    }

    /// The class that the user's input counts in.
    pub fn input_class(&self) -> Option<usize> {
        self.classes.iter().position(|class| class.input)
    }

    /// The class that a tool counts in.
    pub fn tool_class(&self, name: &str) -> Option<usize> {
        let beginnings = self.classes.iter().enumerate();
        let beginnings = beginnings.filter_map(|(index, class)| Some((index, class.tools.as_deref()?)));
        let found = beginnings.filter(|(_, beginning)| name.starts_with(beginning));
        found.max_by_key(|(_, beginning)| beginning.len()).map(|(index, _)| index)
    }

    /// Whether a tag can hold a variable of that name.
    pub fn can_write(&self, name: &str) -> bool {
        match self.tags {
            TagSyntax::SingleBraces => crate::syntax::is_name(name),
            TagSyntax::DoubleBraces => crate::syntax::is_reference_name(name),
        }
    }

    /// A name of `order_range` for messages.
    pub fn order_range_text(&self) -> Message {
        match self.order_range {
            Some((from, to)) => Message::new(format!("{from}..={to}"), format!("{from} 到 {to}")),
            None => Message::new("any finite number", "任意有限数"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_profile_reads() {
        for name in Profile::NAMES {
            assert_eq!(Profile::named(name).expect(name).name, name);
        }
        assert!(Profile::named("block").is_none());
    }

    #[test]
    fn every_block_has_a_place_and_every_text_a_class() {
        for name in Profile::NAMES {
            let profile = Profile::named(name).expect(name);
            for (zone, role, cache, order) in [
                ("system", "system", "stable", "-300"),
                ("system", "system", "dynamic", "-300"),
                ("system", "system", "stable", "5"),
                ("system", "assistant", "dynamic", "5"),
                ("context", "system", "stable", "0.5"),
                ("context", "system", "dynamic", "0.5"),
            ] {
                let text = format!(
                    "---\nid: t:a\nzone: {zone}\nrole: {role}\ncache: {cache}\norder: {order}\n---\nx"
                );
                let document = crate::syntax::Document::new(&text, Arc::clone(&profile));
                assert!(profile.place(document.header()).is_some(), "{name}: {text}");
            }
            let input = "---\nid: t:a\nzone: input\n---\nx";
            assert_eq!(profile.place(crate::syntax::Document::new(input, Profile::blocks()).header()), None);
            for rule in &profile.messages {
                assert!(profile.class(&rule.class).is_some(), "{name}: {}", rule.class);
            }
            assert!(profile.input_class().is_some() && profile.tool_class("mcp__a").is_some(), "{name}");
        }
    }

    #[test]
    fn the_bands_of_blocks() {
        let profile = Profile::blocks();
        let bands: Vec<String> = profile
            .bands
            .iter()
            .map(|band| {
                let name_zh = band.name_zh.as_deref().unwrap_or_default();
                format!("{}..{} {} / {name_zh}: {}", band.from, band.to, band.name, band.content)
            })
            .collect();
        assert_eq!(
            bands,
            [
                "-300..-300 identity / 身份: who the agent is",
                "-200..-101 deployment constraints / 部署约束: rules the deployer hard-codes",
                "-100..-100 safety / 安全: safety policy",
                "0..0 persona / 人设: the preset's persona",
                "1..49 setting and scene / 设定与场景: preset description, scene",
                "50..79 resident lore / 常驻世界书: always-on world entries",
                "80..99 example dialogue / 示例对话: the preset's examples",
                "100..199 tool guidance / 工具指引: how to use each tool",
                "200..249 capabilities / 能力说明: skill, sub-agent and machine lists",
                "250..299 platform constraints / 平台约束: limits of the platform",
            ]
        );
        assert!(profile.bands.iter().all(|band| !band.content_zh.is_empty()));
    }
}
