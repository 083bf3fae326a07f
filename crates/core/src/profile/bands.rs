//! Order bands of the system zone: who stands where. [S0]

use crate::message::{Locale, Message};
use serde::Deserialize;

/// One band, both ends inclusive.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Band {
    /// First order.
    pub from: i32,
    /// Last order.
    pub to: i32,
    /// Name in English, or the project's own name.
    pub name: String,
    /// Name in Simplified Chinese; the other one where it is missing.
    pub name_zh: Option<String>,
    /// What typically stands there, in English.
    #[serde(default)]
    pub content: String,
    /// What typically stands there, in Simplified Chinese.
    #[serde(default)]
    pub content_zh: String,
}

impl Band {
    /// Its name in both languages.
    pub fn title(&self) -> Message {
        Message::new(self.name.as_str(), self.name_zh.as_deref().unwrap_or(&self.name))
    }

    /// What typically stands there; empty for a project's own band.
    pub fn typical(&self, locale: Locale) -> &str {
        match locale {
            Locale::ZhCn if !self.content_zh.is_empty() => &self.content_zh,
            _ => &self.content,
        }
    }

    /// Whether `order` lies in it.
    pub fn contains(&self, order: f64) -> bool {
        f64::from(self.from) <= order && order <= f64::from(self.to)
    }
}

/// The bands in force: the profile's, or those of `promptblock.toml` in their place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bands(pub Vec<Band>);

impl Bands {
    /// The band of an order.
    pub fn find(&self, order: f64) -> Option<&Band> {
        self.0.iter().find(|band| band.contains(order))
    }

    /// The band nearest to an order that lies in none.
    pub fn nearest(&self, order: f64) -> Option<&Band> {
        let distance = |band: &Band| (f64::from(band.from) - order).max(order - f64::from(band.to));
        self.0.iter().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}
