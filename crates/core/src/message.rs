//! Texts shown to a person, in every language at once, so that none can lack its translation.

use std::fmt;
use std::sync::Arc;

/// A language of the messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Locale {
    /// English.
    #[default]
    En,
    /// Simplified Chinese.
    ZhCn,
}

impl Locale {
    /// The language that a locale name asks for: `zh`, `zh-CN`, `zh_CN.UTF-8`, … give Simplified Chinese, all else English.
    pub fn from_name(name: &str) -> Self {
        let lower = name.trim().to_ascii_lowercase();
        if lower.split(['-', '_', '.', '@']).next() == Some("zh") { Self::ZhCn } else { Self::En }
    }
}

/// One text in both languages. Made by [`msg!`](crate::msg).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Message {
    en: Arc<str>,
    zh: Arc<str>,
}

impl Message {
    /// The same text in English and in Simplified Chinese.
    pub fn new(en: impl Into<Arc<str>>, zh: impl Into<Arc<str>>) -> Self {
        Self { en: en.into(), zh: zh.into() }
    }

    /// The text in `locale`.
    pub fn text(&self, locale: Locale) -> &str {
        match locale {
            Locale::En => &self.en,
            Locale::ZhCn => &self.zh,
        }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en)
    }
}

/// `` `a`, `b` or `c` ``
pub fn or<'a>(names: impl IntoIterator<Item = &'a str>) -> Message {
    listed(names, " or ", " 或 ")
}

/// `` `a`, `b` and `c` ``
pub fn and<'a>(names: impl IntoIterator<Item = &'a str>) -> Message {
    listed(names, " and ", " 和 ")
}

fn listed<'a>(names: impl IntoIterator<Item = &'a str>, en: &str, zh: &str) -> Message {
    let mut names: Vec<String> = names.into_iter().map(|name| format!("`{name}`")).collect();
    let last = names.pop().unwrap_or_default();
    match names.as_slice() {
        [] => Message::new(last.as_str(), last.as_str()),
        _ => {
            Message::new(format!("{}{en}{last}", names.join(", ")), format!("{}{zh}{last}", names.join("、")))
        }
    }
}

/// A [`Message`] from two format strings, English first, that capture variables in place. Behind a `;` stand messages
/// to be put in, each in the language of the string.
#[macro_export]
macro_rules! msg {
    ($en:literal, $zh:literal $(, $name:ident = $value:expr)*; $($part:ident = $message:expr),+ $(,)?) => {
        $crate::Message::new(
            format!($en $(, $name = $value)* $(, $part = $message.text($crate::Locale::En))+),
            format!($zh $(, $name = $value)* $(, $part = $message.text($crate::Locale::ZhCn))+),
        )
    };
    ($en:literal, $zh:literal $(, $name:ident = $value:expr)* $(,)?) => {
        $crate::Message::new(format!($en $(, $name = $value)*), format!($zh $(, $name = $value)*))
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locale_names() {
        for name in ["zh", "zh-CN", "zh_CN.UTF-8", "ZH-hans"] {
            assert_eq!(Locale::from_name(name), Locale::ZhCn, "{name}");
        }
        for name in ["", "C", "C.UTF-8", "en_US.UTF-8", "zhx", "de"] {
            assert_eq!(Locale::from_name(name), Locale::En, "{name}");
        }
    }

    #[test]
    fn both_languages() {
        let name = "时间";
        let m = msg!("`{name}` is new", "`{name}` 是新的");
        assert_eq!((m.text(Locale::En), m.text(Locale::ZhCn)), ("`时间` is new", "`时间` 是新的"));
        assert_eq!(or(["a", "b", "c"]).text(Locale::En), "`a`, `b` or `c`");
        assert_eq!(or(["a", "b", "c"]).text(Locale::ZhCn), "`a`、`b` 或 `c`");
        assert_eq!(and(["a"]).text(Locale::En), "`a`");
        let outer = msg!("{name}: {inner}", "{name}：{inner}"; inner = m);
        assert_eq!(outer.text(Locale::En), "时间: `时间` is new");
        assert_eq!(outer.text(Locale::ZhCn), "时间：`时间` 是新的");
    }
}
