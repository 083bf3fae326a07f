//! Keys and values of the header.

use super::known::plugins;
use super::{About, Completion, CompletionKind};
use crate::block::{Cache, Header, HeaderState, Role, Zone};
use crate::ide::describe::code;
use crate::ide::{Context, orders, texts};
use crate::lint::Code;
use crate::span::{Span, offset};
use crate::{Message, msg};
use std::collections::BTreeSet;

const BLANK: [char; 2] = [' ', '\t'];

pub(super) fn completions(cx: &Context<'_>, at: u32) -> Vec<Completion> {
    let header = cx.document.header();
    let Some(line) = Line::around(cx, at) else { return Vec::new() };
    match header.state {
        HeaderState::Missing => line.skeleton(),
        // On the line of the opening delimiter nothing more can stand.
        _ if line.start < header.content.start || at > header.content.end => Vec::new(),
        HeaderState::Closed if at == header.content.end && line.start == at => Vec::new(),
        _ => line.complete(header),
    }
}

/// The line of the cursor.
struct Line<'a> {
    cx: &'a Context<'a>,
    start: u32,
    at: u32,
    before: String,
    behind: String,
}

impl<'a> Line<'a> {
    fn around(cx: &'a Context<'a>, at: u32) -> Option<Self> {
        let text = cx.document.text();
        let line = text.try_byte_to_line(at as usize).ok()?;
        let start = offset(text.try_line_to_byte(line).ok()?);
        let end = offset(text.try_line_to_byte(line + 1).unwrap_or(text.len_bytes()));
        let start = if line == 0 && cx.document.slice(Span::new(0, 3)) == "\u{feff}" { 3 } else { start };
        let before = cx.document.slice(Span::new(start, at)).into_owned();
        let behind = cx.document.slice(Span::new(at, end));
        let behind = behind.trim_end_matches(['\n', '\r']).to_owned();
        // Off a character's border or within a line break there is no place to put anything.
        let fits = before.len() + start as usize == at as usize && !before.contains(['\n', '\r']);
        fits.then_some(Self { cx, start, at, before, behind })
    }

    fn item(&self, label: &str, kind: CompletionKind, place: usize, span: Span) -> Completion {
        Completion { sort_text: format!("{place:04}"), ..Completion::new(label, kind, span) }
    }

    /// A whole header, at the very beginning of a file that has nothing else.
    fn skeleton(&self) -> Vec<Completion> {
        let document = self.cx.document;
        let start = document.header().body;
        let typed = self.start == start && "---".starts_with(&*self.before);
        if !typed || !self.behind.is_empty() || document.text().len_bytes() != self.at as usize {
            return Vec::new();
        }
        let mut item = self.item("---", CompletionKind::Snippet, 0, Span::new(start, self.at));
        item.detail = Some(self.cx.text(&msg!("header of a block", "块的文件头")));
        item.edit.text = "---\nid: \nzone: \norder: \ntemplate: true\n---\n".into();
        let zones = self.cx.document.profile().zones().map(Zone::name).collect::<Vec<_>>().join(",");
        item.snippet = Some(format!(
            "---\nid: ${{1:plugin}}:${{2:name}}\nzone: ${{3|{zones}|}}\norder: ${{4:100}}\ntemplate: ${{5|true,false|}}\n---\n$0"
        ));
        vec![item]
    }

    fn complete(&self, header: &Header) -> Vec<Completion> {
        let word = |text: &str| {
            text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
        };
        if word(&self.before) {
            return self.keys(header);
        }
        if let Some((key, value)) = self.before.split_once(':').filter(|(key, _)| word(key)) {
            return self.values(header, key, value);
        }
        // An item of a list in lines of its own.
        let item = self.before.trim_start_matches(BLANK).strip_prefix('-');
        let key = header.entries.iter().rfind(|entry| entry.key.end <= self.start).map(|entry| &*entry.name);
        match item {
            Some(item) if key == Some("allow") => {
                let typed = item.trim_start_matches(BLANK);
                let lead = if item.is_empty() { " " } else { "" };
                self.codes(header, typed, |code| format!("{lead}{code}"))
            }
            _ => Vec::new(),
        }
    }

    /// Keys that are not given yet, those that are missing first.
    fn keys(&self, header: &Header) -> Vec<Completion> {
        let profile = self.cx.document.profile();
        let rest = self.behind.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_');
        let word_end = self.at + offset(rest.unwrap_or(self.behind.len()));
        let span = Span::new(self.start, word_end);
        let followed = !self.behind[(word_end - self.at) as usize..].trim().is_empty();
        let given = |key: &str| {
            header.entries.iter().any(|entry| &*entry.name == key && entry.key.start != self.start)
        };
        let outside = header.zone().is_some_and(|zone| zone != Zone::System);
        let useless = |key: &str| match key {
            "role" | "complete" => outside || !profile.plain_blocks,
            "template" => !profile.plain_blocks,
            "order" => header.zone() == Some(Zone::Input),
            _ => false,
        };
        let mut out = Vec::new();
        for (index, key) in profile.header_keys().filter(|key| !given(key) && !useless(key)).enumerate() {
            let mut item = self.item(key, CompletionKind::Property, index, span);
            let required = matches!(key, "id" | "zone" | "order");
            if required {
                item.description = Some(self.cx.text(&msg!("required", "必填")));
                item.detail = item.description.clone();
            }
            item.documentation = texts::key(key, profile).map(|text| self.cx.text(&text));
            if !followed {
                item.edit.text = format!("{key}: ").into();
                item.snippet = match key {
                    "id" => Some("id: ${1:plugin}:${2:name}".to_owned()),
                    "allow" => Some("allow: [$1]".to_owned()),
                    _ => None,
                };
                item.again = !matches!(key, "id" | "plugin" | "description");
            }
            out.push(item);
        }
        out
    }

    fn values(&self, header: &Header, key: &str, value: &str) -> Vec<Completion> {
        let typed = value.trim_start_matches(BLANK);
        // Behind a `#` is a comment, in quotes a text of the author's own.
        if typed.contains(['"', '\'', '#', '&', '*']) {
            return Vec::new();
        }
        let profile = self.cx.document.profile();
        let words = |all: Vec<(&'static str, Option<Message>)>| self.words(value, typed, all);
        match key {
            "zone" => words(profile.zones().map(|z| (z.name(), Some(texts::zone(z, profile)))).collect()),
            "role" => words(Role::ALL.iter().map(|r| (r.name(), Some(texts::role(*r)))).collect()),
            "cache" if profile.cache_key => {
                let all = [Cache::Stable, Cache::Dynamic];
                words(all.iter().map(|c| (c.name(), Some(texts::cache(*c)))).collect())
            }
            "template" | "complete" => {
                let all = [("true", true), ("false", false)];
                words(all.iter().map(|(name, value)| (*name, texts::boolean(key, *value))).collect())
            }
            "order" => self.orders(header, value, typed),
            "plugin" => self.plugins(value, typed),
            "id" => self.prefixes(value, typed),
            "allow" => match typed.strip_prefix('[') {
                Some(list) => {
                    let item = list.rsplit(',').next().unwrap_or(list);
                    let closed = list.contains(']');
                    let lead = if item.is_empty() && list.ends_with(',') { " " } else { "" };
                    let spell = |code: &str| format!("{lead}{code}");
                    if closed {
                        Vec::new()
                    } else {
                        self.codes(header, item.trim_start_matches(BLANK), spell)
                    }
                }
                None => {
                    let lead = if value.is_empty() { " " } else { "" };
                    self.codes(header, typed, |code| format!("{lead}[{code}]"))
                }
            },
            _ => Vec::new(),
        }
    }

    /// From the start of `typed`, which ends at the cursor, to the end of the word there.
    fn word(&self, typed: &str) -> Span {
        let end = self.behind.find(|c: char| !(c.is_ascii_alphanumeric() || "-_.+".contains(c)));
        Span::new(self.at - offset(typed.len()), self.at + offset(end.unwrap_or(self.behind.len())))
    }

    fn words(&self, value: &str, typed: &str, all: Vec<(&'static str, Option<Message>)>) -> Vec<Completion> {
        if typed.contains(BLANK) {
            return Vec::new();
        }
        let lead = if value.is_empty() { " " } else { "" };
        let make = |(index, (name, meaning)): (usize, (&'static str, Option<Message>))| {
            let mut item = self.item(name, CompletionKind::EnumMember, index, self.word(typed));
            item.edit.text = format!("{lead}{name}").into();
            item.documentation = meaning.map(|meaning| self.cx.text(&meaning));
            item
        };
        all.into_iter().enumerate().map(make).collect()
    }

    fn known_plugins(&self) -> BTreeSet<&str> {
        plugins(self.cx.index, &self.cx.judge.catalog, Some(self.cx.file))
    }

    fn plugins(&self, value: &str, typed: &str) -> Vec<Completion> {
        if typed.contains(BLANK) {
            return Vec::new();
        }
        let lead = if value.is_empty() { " " } else { "" };
        let make = |(index, name): (usize, &str)| {
            let mut item = self.item(name, CompletionKind::Module, index, self.word(typed));
            item.edit.text = format!("{lead}{name}").into();
            item
        };
        self.known_plugins().into_iter().enumerate().map(make).collect()
    }

    /// The beginnings of ids, by habit the plugin. [S0]
    fn prefixes(&self, value: &str, typed: &str) -> Vec<Completion> {
        if typed.contains(BLANK) || typed.contains(':') {
            return Vec::new();
        }
        // One that is whole already has its prefix behind the cursor.
        if self.behind.split(['#', ' ']).next().is_some_and(|rest| rest.contains(':')) {
            return Vec::new();
        }
        let lead = if value.is_empty() { " " } else { "" };
        let make = |(index, name): (usize, &str)| {
            let label = format!("{name}:");
            let mut item = self.item(&label, CompletionKind::Module, index, self.word(typed));
            item.edit.text = format!("{lead}{label}").into();
            item
        };
        self.known_plugins().into_iter().enumerate().map(make).collect()
    }

    fn orders(&self, header: &Header, value: &str, typed: &str) -> Vec<Completion> {
        let cx = self.cx;
        if typed.contains(BLANK) {
            return Vec::new();
        }
        let taken = orders::taken(cx, header);
        let zone = header.zone().unwrap_or(Zone::System);
        let mut free: Vec<i32> = match zone {
            Zone::System => cx
                .judge
                .bands
                .0
                .iter()
                .flat_map(|band| orders::free_in(orders::is_free(&taken), band))
                .collect(),
            Zone::Context => orders::free_between(&taken, 20),
            Zone::Input => vec![0],
        };
        free.sort_unstable();
        free.dedup();
        let lead = if value.is_empty() { " " } else { "" };
        let make = |(index, order): (usize, i32)| {
            let name = order.to_string();
            let mut item = self.item(&name, CompletionKind::Value, index, self.word(typed));
            let band = orders::band(cx.judge, header, f64::from(order));
            item.description = band.map(|band| cx.text(&band.title()));
            item.detail = band.map(|band| cx.text(&orders::band_name(band)));
            let own = header.id().map_or("", |id| id);
            let (before, behind) = orders::around(&taken, f64::from(order), own, 1);
            let mut lines = Vec::new();
            if let Some(band) = band {
                let (title, typical) = (cx.text(&orders::band_name(band)), band.typical(cx.locale));
                lines.push(if typical.is_empty() {
                    title
                } else {
                    cx.text(&msg!("{title}: {typical}", "{title}：{typical}"))
                });
            }
            if let Some(before) = before.last().map(orders::Taken::shown) {
                lines.push(cx.text(&msg!("behind {before}", "在 {before} 之后")));
            }
            if let Some(behind) = behind.first().map(orders::Taken::shown) {
                lines.push(cx.text(&msg!("before {behind}", "在 {behind} 之前")));
            }
            item.documentation = (!lines.is_empty()).then(|| lines.join("\n\n"));
            item.edit.text = format!("{lead}{name}").into();
            item
        };
        free.into_iter().enumerate().map(make).collect()
    }

    /// Diagnostic codes that the file does not allow yet.
    fn codes(&self, header: &Header, typed: &str, spell: impl Fn(&str) -> String) -> Vec<Completion> {
        if typed.contains(BLANK) {
            return Vec::new();
        }
        let span = self.word(typed);
        let given =
            |code: Code| header.allow.iter().any(|(other, at)| *other == code && at.start != span.start);
        let all = Code::ALL.iter().filter(|code| **code != Code::InvalidHeader && !given(**code));
        let make = |(index, code): (usize, &Code)| {
            let mut item = self.item(code.name(), CompletionKind::EnumMember, index, span);
            item.description = Some(code.severity().name().to_owned());
            item.about = Some(About::Code(*code));
            item.edit.text = spell(code.name()).into();
            item
        };
        all.enumerate().map(make).collect()
    }
}

/// What a code means: the paragraph behind the title and the severity of its explanation.
pub(in crate::ide) fn summary(of: Code, cx: &Context<'_>) -> String {
    let text = of.explanation(cx.locale).split("\n\n").nth(2).unwrap_or_default();
    format!("**{}**\n\n{}", code(of.name()), text.trim())
}
