//! How a framework makes messages of its blocks, as data: which blocks a message is made of, and what stands around them.

use crate::block::{Cache, Header, List, Role};
use crate::message::Message;
use serde::Deserialize;

/// One message, or one kind of message, of a request. A block belongs to the one that asks for most of it; the messages are sent in
/// the order of the file, and the user's input is the last one.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct MessageRule {
    /// Blocks of this list,
    pub list: List,
    /// of this key `cache`; any by default,
    pub cache: Option<Cache>,
    /// with an order between these, both included; any by default,
    pub orders: Option<(i32, i32)>,
    /// of this source plugin; any by default.
    pub plugin: Option<Box<str>>,
    /// Whether each block is a message by itself; else a blank line stands between them.
    #[serde(default)]
    pub each: bool,
    /// Whose message it is; the block's own role by default.
    pub role: Option<Role>,
    /// What stands before its blocks.
    #[serde(default)]
    pub opening: Box<str>,
    /// What stands behind them.
    #[serde(default)]
    pub closing: Box<str>,
    /// The tag that no text of a block may open or close: its `<` becomes `&lt;`. [S4]
    pub escape: Option<Box<str>>,
    /// Whether the instruction files stand before its blocks. [S4]
    #[serde(default)]
    pub instructions: bool,
    /// Whether it is the same from turn to turn, so that the stable prefix reaches as far as its end.
    #[serde(default)]
    pub stable: bool,
    /// Which usage class its tokens are counted in.
    pub class: Box<str>,
}

impl MessageRule {
    fn takes(&self, header: &Header, list: List) -> bool {
        let order = header.order.as_ref().map_or(0.0, |order| order.value);
        self.list == list
            && self.cache.is_none_or(|cache| cache == header.cache())
            && self.orders.is_none_or(|(from, to)| (f64::from(from)..=f64::from(to)).contains(&order))
            && self.plugin.as_deref().is_none_or(|plugin| Some(plugin) == header.plugin())
    }

    /// How much it asks for: of two that take a block, the one that names a plugin, then the one that names orders.
    fn asks(&self) -> (bool, bool, bool) {
        (self.plugin.is_some(), self.orders.is_some(), self.cache.is_some())
    }
}

/// Where a request has cache marks, for providers that ask for them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CacheMarks {
    /// At the last message of the stable prefix.
    StableEnd,
    /// At each system message, and at the last message of all. [S4]
    SystemAndLast,
}

/// A class of what fills the model's context. [S4]
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct UsageClass {
    /// What a rule calls it, and programs that read our output.
    pub key: Box<str>,
    /// Name in English.
    pub name: Box<str>,
    /// Name in Simplified Chinese.
    pub name_zh: Box<str>,
    /// Whether the user's input counts in it.
    #[serde(default)]
    pub input: bool,
    /// Whether the tools count in it whose name begins so; the longest beginning wins.
    pub tools: Option<Box<str>>,
}

impl UsageClass {
    /// Its name in both languages.
    pub fn title(&self) -> Message {
        Message::new(&*self.name, &*self.name_zh)
    }
}

/// The files with instructions that a framework puts into the prompt by itself. [S4]
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Instructions {
    /// Their name: the nearest one counts, from the project's folder up to the root of the git repository.
    pub name: Box<str>,
    /// The folder of the user's own one, in the home folder.
    pub user_folder: Box<str>,
    /// So many bytes of each are sent.
    pub limit: usize,
    /// What stands before the first one.
    pub opening: Box<str>,
    /// What stands before the user's own; `{path}` is where it lies.
    pub user: Box<str>,
    /// What stands before the project's.
    pub project: Box<str>,
    /// What stands behind one that is cut; `{name}` is what it is called.
    pub cut: Box<str>,
}

/// The rule that takes a block; `None` for an input block.
pub(super) fn place(rules: &[MessageRule], header: &Header) -> Option<usize> {
    let list = List::of(header)?;
    let taking = rules.iter().enumerate().filter(|(_, rule)| rule.takes(header, list));
    taking.max_by_key(|(_, rule)| rule.asks()).map(|(index, _)| index)
}
