//! What each key of the header takes, and what is wrong with what it got.

use super::scalar::Scalar;
use super::yaml::{Content, Entry, Value};
use crate::block::{Cache, Field, Header, HeaderEntry, HeaderState, Role, Zone};
use crate::diagnostic::{Diagnostic, Remedy};
use crate::excerpt::excerpt;
use crate::lint::Code;
use crate::message::{Message, and, or};
use crate::msg;
use crate::nearest::nearest;
use crate::profile::Profile;
use crate::span::Span;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Fills `header` from what stands in the file.
pub(super) fn fill(
    text: &str,
    profile: &Profile,
    entries: Vec<Entry>,
    sound: bool,
    header: &mut Header,
) -> Vec<Diagnostic> {
    let mut reader = Reader { text, profile, header, diagnostics: Vec::new() };
    let entries = reader.once_each(entries);
    // The zone decides on other keys, wherever it stands.
    for first in [true, false] {
        for (name, entry) in entries.iter().filter(|(name, _)| first == (&**name == "zone")) {
            reader.entry(name, entry);
        }
    }
    // A header that is not closed runs into the body: what looks like a key there may be none.
    if reader.header.state == HeaderState::Closed {
        reader.unknown_keys(&entries);
        if sound {
            reader.missing_keys();
        }
    }
    reader.diagnostics
}

struct Reader<'a> {
    text: &'a str,
    profile: &'a Profile,
    header: &'a mut Header,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn report(&mut self, code: Code, span: Span, message: Message, remedy: Remedy) {
        self.diagnostics.push(Diagnostic::new(code, span, message).remedy(remedy));
    }

    /// The entries whose key is a text, the first of each name.
    fn once_each(&mut self, entries: Vec<Entry>) -> Vec<(Arc<str>, Entry)> {
        let mut seen: FxHashMap<Arc<str>, Span> = FxHashMap::default();
        let mut kept = Vec::with_capacity(entries.len());
        for entry in entries {
            let Some(name) = entry.name.clone() else {
                let message = msg!("a key must be a word", "键必须是一个词");
                let line = self.first_line(entry.key);
                let span = if line.is_empty() { self.header.opening } else { line };
                self.report(Code::InvalidHeader, span, message, Remedy::None);
                continue;
            };
            if let Some(first) = seen.get(&name) {
                let shown = excerpt(&name);
                let message = msg!(
                    "the key `{shown}` is given twice; the first one counts",
                    "键 `{shown}` 重复；以第一个为准"
                );
                let there = msg!("first given here", "第一次出现在这里");
                self.diagnostics.push(
                    Diagnostic::new(Code::InvalidHeader, entry.key, message)
                        .related(*first, there)
                        .remedy(Remedy::RemoveKey(entry.key)),
                );
                continue;
            }
            seen.insert(Arc::clone(&name), entry.key);
            self.header.entries.push(HeaderEntry {
                name: Arc::clone(&name),
                key: entry.key,
                value: entry.value.span,
            });
            kept.push((name, entry));
        }
        kept
    }

    fn first_line(&self, span: Span) -> Span {
        let line = super::lines::Line::at(self.text, span.start as usize);
        Span::new(span.start, span.end.min(crate::span::offset(line.end)))
    }

    fn unknown_keys(&mut self, entries: &[(Arc<str>, Entry)]) {
        let known: Vec<_> = self.profile.header_keys().collect();
        let given = |key: &str| entries.iter().any(|(name, _)| **name == *key);
        let free: Vec<_> = known.iter().copied().filter(|key| !given(key)).collect();
        for (name, entry) in entries.iter().filter(|(name, _)| !known.contains(&&**name)) {
            let shown = excerpt(name);
            if &**name == "cache" {
                let message = msg!(
                    "the key `cache` belongs to other frameworks; a block of profile `{profile}` has none",
                    "键 `cache` 属于其他框架；配置 `{profile}` 的块没有这个键",
                    profile = self.profile.name
                );
                self.report(Code::UnknownKey, entry.key, message, Remedy::RemoveKey(entry.key));
                continue;
            }
            // A key that stands in the header already is not what this one should become.
            let near = nearest(name, free.iter().copied());
            let message = match (near.best(), nearest(name, known.iter().copied()).best()) {
                (Some(best), _) => {
                    msg!(
                        "unknown key `{shown}`; did you mean `{best}`?",
                        "未知的键 `{shown}`；是不是 `{best}`？"
                    )
                }
                (None, Some(best)) => {
                    msg!(
                        "unknown key `{shown}`; `{best}` is given already",
                        "未知的键 `{shown}`；`{best}` 已经有了"
                    )
                }
                (None, None) => msg!(
                    "unknown key `{shown}`; a header knows {keys}",
                    "未知的键 `{shown}`；文件头的键有 {keys}";
                    keys = and(known.iter().copied())
                ),
            };
            if near.best().is_none() {
                self.report(Code::UnknownKey, entry.key, message, Remedy::RemoveKey(entry.key));
                continue;
            }
            let quote = entry.key.of_str(self.text).chars().next().filter(|c| matches!(c, '"' | '\''));
            let remedy = near.replace(near.plain().is_some(), |name| match quote {
                Some(quote) => format!("{quote}{name}{quote}").into(),
                None => name.into(),
            });
            self.report(Code::UnknownKey, entry.key, message, remedy);
        }
    }

    fn missing_keys(&mut self) {
        let has = |header: &Header, key: &str| header.entries.iter().any(|entry| &*entry.name == key);
        if !has(self.header, "id") {
            let message = msg!(
                "the key `id` is missing: the unique name of the block, such as `my-plugin:rules`",
                "缺少键 `id`：块的唯一名称，例如 `my-plugin:rules`"
            );
            self.report(Code::MissingKey, self.header.opening, message, Remedy::AddKey("id"));
        }
        if !has(self.header, "zone") {
            let allowed = or(self.profile.zones().map(Zone::name));
            let message = msg!(
                "the key `zone` is missing: {allowed}",
                "缺少键 `zone`：{allowed}";
                allowed = allowed
            );
            self.report(Code::MissingKey, self.header.opening, message, Remedy::AddKey("zone"));
        }
        if !has(self.header, "order") && matches!(self.header.zone(), Some(Zone::System | Zone::Context)) {
            let message = msg!(
                "the key `order` is missing: a number, the place among the blocks of the zone",
                "缺少键 `order`：一个数，即块在区内的位置"
            );
            self.report(Code::MissingKey, self.header.opening, message, Remedy::AddKey("order"));
        }
    }

    fn entry(&mut self, name: &str, entry: &Entry) {
        if !self.profile.header_keys().any(|key| key == name) || entry.value.content == Content::Unread {
            return;
        }
        let value = &entry.value;
        if value.span.is_empty() {
            let message = match takes(name, self.profile) {
                Some(takes) => msg!(
                    "`{name}` has no value; it takes {takes}",
                    "`{name}` 没有值；要填{takes}";
                    takes = takes
                ),
                None => msg!("`{name}` has no value", "`{name}` 没有值"),
            };
            self.report(Code::InvalidValue, entry.key, message, Remedy::None);
            return;
        }
        let key = entry.key;
        match name {
            "id" => self.header.id = self.text_of(name, key, value, true),
            "plugin" => self.header.plugin = self.text_of(name, key, value, true),
            "description" => self.header.description = self.text_of(name, key, value, false),
            "zone" => self.header.zone = self.choice(name, key, value, self.profile.zones(), Zone::name),
            "order" => self.header.order = self.order(name, key, value),
            "role" => self.header.role = self.role(key, value),
            "template" => self.header.template = self.template(key, value),
            "complete" => self.header.complete = self.complete(key, value),
            "cache" => {
                let caches = [Cache::Stable, Cache::Dynamic].into_iter();
                self.header.cache = self.choice(name, key, value, caches, Cache::name);
            }
            "allow" => self.allow(value),
            _ => {}
        }
    }

    fn wrong_type(&mut self, name: &str, value: &Value, remedy: Remedy) {
        let is = kind(&value.content);
        let message = match takes(name, self.profile) {
            Some(takes) => {
                msg!("`{name}` takes {takes}, not {is}", "`{name}` 要填{takes}，不能是{is}"; takes = takes, is = is)
            }
            None => msg!("`{name}` cannot be {is}", "`{name}` 不能是{is}"; is = is),
        };
        self.report(Code::InvalidValue, value.span, message, remedy);
    }

    fn text_of(&mut self, name: &str, key: Span, value: &Value, full: bool) -> Option<Field<Arc<str>>> {
        match &value.content {
            Content::Scalar(Scalar::Text(text)) if !full || !text.trim().is_empty() => {
                Some(Field { value: Arc::clone(text), key, span: value.span })
            }
            Content::Scalar(Scalar::Text(_)) => {
                let message = msg!("`{name}` cannot be empty", "`{name}` 不能为空");
                self.report(Code::InvalidValue, value.span, message, Remedy::None);
                None
            }
            Content::Scalar(Scalar::Boolean(_) | Scalar::Number(_)) => {
                let quoted: Arc<str> = format!("\"{}\"", value.span.of_str(self.text)).into();
                self.wrong_type(name, value, Remedy::Replace { with: vec![quoted], safe: false });
                None
            }
            _ => {
                self.wrong_type(name, value, Remedy::None);
                None
            }
        }
    }

    fn choice<T: Copy>(
        &mut self,
        name: &str,
        key: Span,
        value: &Value,
        choices: impl Iterator<Item = T>,
        spell: impl Fn(T) -> &'static str,
    ) -> Option<Field<T>> {
        let Content::Scalar(Scalar::Text(text)) = &value.content else {
            self.wrong_type(name, value, Remedy::None);
            return None;
        };
        let choices: Vec<T> = choices.collect();
        if let Some(choice) = choices.iter().find(|choice| spell(**choice) == &**text) {
            return Some(Field { value: *choice, key, span: value.span });
        }
        let names = || choices.iter().map(|choice| spell(*choice));
        let near = nearest(text, names());
        let (allowed, question, shown) = (or(names()), near.question(), excerpt(text));
        let message = msg!(
            "`{shown}` is no `{name}`; it is {allowed}{question}",
            "`{shown}` 不是有效的 `{name}`，可用的值是 {allowed}{question}";
            allowed = allowed,
            question = question
        );
        self.report(Code::InvalidValue, value.span, message, near.suggest());
        None
    }

    fn order(&mut self, name: &str, key: Span, value: &Value) -> Option<Field<f64>> {
        match &value.content {
            // Adding 0 makes -0 a plain 0, so that both are one order.
            Content::Scalar(Scalar::Number(order)) if order.is_finite() => {
                Some(Field { value: order + 0.0, key, span: value.span })
            }
            Content::Scalar(Scalar::Number(_)) => {
                let shown = excerpt(value.span.of_str(self.text));
                let message = msg!(
                    "`order` takes a finite number, not `{shown}`",
                    "`order` 要填有限的数，不能是 `{shown}`"
                );
                self.report(Code::InvalidValue, value.span, message, Remedy::None);
                None
            }
            Content::Scalar(Scalar::Text(text)) => {
                let unquoted = matches!(Scalar::plain(text), Scalar::Number(n) if n.is_finite());
                let remedy = Remedy::Replace { with: vec![Arc::clone(text)], safe: false };
                self.wrong_type(name, value, if unquoted { remedy } else { Remedy::None });
                None
            }
            _ => {
                self.wrong_type(name, value, Remedy::None);
                None
            }
        }
    }

    fn boolean(&mut self, name: &str, key: Span, value: &Value) -> Option<Field<bool>> {
        if let Content::Scalar(Scalar::Boolean(boolean)) = value.content {
            return Some(Field { value: boolean, key, span: value.span });
        }
        let meant = match &value.content {
            Content::Scalar(Scalar::Text(text)) => match text.to_ascii_lowercase().as_str() {
                "yes" | "y" | "on" | "true" => Some("true"),
                "no" | "n" | "off" | "false" => Some("false"),
                other => nearest(other, ["true", "false"]).best(),
            },
            _ => None,
        };
        let outside = self.header.zone().is_some_and(|zone| zone != Zone::System);
        let remedy = match (name, meant) {
            // What was meant would not do either.
            ("complete", Some("true")) if outside => Remedy::RemoveKey(key),
            ("template", Some("false")) if !self.profile.plain_blocks => Remedy::RemoveKey(key),
            (_, Some(meant)) => Remedy::Replace { with: vec![meant.into()], safe: false },
            (_, None) => Remedy::None,
        };
        self.wrong_type(name, value, remedy);
        None
    }

    /// A value that means nothing outside the system zone. Not judged where the zone is unknown.
    fn outside_system(&mut self, name: &str, key: Span, value: Span) -> bool {
        let Some(zone) = self.header.zone().filter(|zone| *zone != Zone::System) else { return false };
        let zone = zone.name();
        let message = msg!(
            "`{name}` has no meaning in the `{zone}` zone; it belongs to the `system` zone",
            "`{name}` 在 `{zone}` 区没有意义，只用于 `system` 区"
        );
        self.report(Code::InvalidValue, value, message, Remedy::RemoveKey(key));
        true
    }

    fn role(&mut self, key: Span, value: &Value) -> Option<Field<Role>> {
        let anywhere =
            self.profile.plain_blocks && self.header.zone().is_none_or(|zone| zone == Zone::System);
        let given = match &value.content {
            Content::Scalar(Scalar::Text(text)) => Role::from_name(text),
            _ => None,
        };
        if anywhere || given.is_none() {
            // Only what will do here is worth naming.
            let roles = Role::ALL.into_iter().filter(|role| anywhere || *role == Role::System);
            return self.choice("role", key, value, roles, Role::name);
        }
        let role = Field { value: given?, key, span: value.span };
        if role.value == Role::System {
            return Some(role);
        }
        if !self.profile.plain_blocks {
            let message = msg!(
                "a block of profile `{profile}` always has the role `system`",
                "配置 `{profile}` 的块的角色总是 `system`",
                profile = self.profile.name
            );
            self.report(Code::InvalidValue, value.span, message, Remedy::RemoveKey(key));
            return None;
        }
        (!self.outside_system("role", key, value.span)).then_some(role)
    }

    fn template(&mut self, key: Span, value: &Value) -> Option<Field<bool>> {
        let template = self.boolean("template", key, value)?;
        if template.value || self.profile.plain_blocks {
            return Some(template);
        }
        let message = msg!(
            "a block of profile `{profile}` always is a template",
            "配置 `{profile}` 的块总是模板",
            profile = self.profile.name
        );
        self.report(Code::InvalidValue, value.span, message, Remedy::RemoveKey(key));
        None
    }

    fn complete(&mut self, key: Span, value: &Value) -> Option<Field<bool>> {
        let complete = self.boolean("complete", key, value)?;
        (!complete.value || !self.outside_system("complete", key, value.span)).then_some(complete)
    }

    fn allow(&mut self, value: &Value) {
        let Content::List(items) = &value.content else {
            let remedy = match &value.content {
                Content::Scalar(Scalar::Text(text)) if Code::from_name(text).is_some() => {
                    Remedy::Replace { with: vec![format!("[{text}]").into()], safe: false }
                }
                _ => Remedy::None,
            };
            return self.wrong_type("allow", value, remedy);
        };
        for item in items.iter() {
            // An alias has its items elsewhere; what is wrong is shown there.
            let span = item.span;
            match &item.content {
                Content::Scalar(Scalar::Text(text)) => match Code::from_name(text) {
                    Some(code) => self.header.allow.push((code, span)),
                    None => {
                        let near = nearest(text, Code::ALL.iter().map(|code| code.name()));
                        let (shown, question) = (excerpt(text), near.question());
                        let message = msg!(
                            "`{shown}` is no diagnostic code{question}",
                            "`{shown}` 不是诊断代码{question}";
                            question = question
                        );
                        self.report(Code::InvalidValue, span, message, near.suggest());
                    }
                },
                content => {
                    let is = kind(content);
                    let message = msg!(
                        "a diagnostic code is a text, not {is}",
                        "诊断代码是文本，不能是{is}";
                        is = is
                    );
                    self.report(Code::InvalidValue, span, message, Remedy::None);
                }
            }
        }
    }
}

/// What a key takes, to follow "takes" or the key's name.
fn takes(name: &str, profile: &Profile) -> Option<Message> {
    let choice = |names: Vec<&'static str>| {
        let names = or(names);
        // A blank between Chinese and code, as everywhere.
        Some(msg!("{names}", " {names}"; names = names))
    };
    match name {
        "id" | "plugin" | "description" => Some(msg!("a text", "文本")),
        "order" => Some(msg!("a number", "数字")),
        "template" | "complete" => Some(msg!("`true` or `false`", " `true` 或 `false`")),
        "zone" => choice(profile.zones().map(Zone::name).collect()),
        "role" => choice(Role::ALL.map(Role::name).to_vec()),
        "cache" => choice(vec![Cache::Stable.name(), Cache::Dynamic.name()]),
        "allow" => Some(msg!("a list of diagnostic codes", "诊断代码的列表")),
        _ => None,
    }
}

fn kind(content: &Content) -> Message {
    match content {
        Content::Scalar(Scalar::Null) => msg!("null", "空值"),
        Content::Scalar(Scalar::Boolean(_)) => msg!("a boolean", "布尔值"),
        Content::Scalar(Scalar::Number(_)) => msg!("a number", "数字"),
        Content::Scalar(Scalar::Text(_)) => msg!("a text", "文本"),
        Content::List(_) => msg!("a list", "列表"),
        Content::Mapping => msg!("a mapping", "映射"),
        Content::Other | Content::Unread => msg!("a value of this kind", "这种值"),
    }
}
