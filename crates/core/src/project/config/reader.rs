//! Reads the keys of `promptblock.toml`, each on its own: one that is wrong stands at its default.

use super::pattern::{self, Role};
use super::table::{Entry, Findings};
use super::{Config, ContextPlacement, UNLISTED_TOOLS, fault};
use crate::diagnostic::{Diagnostic, Remedy, Severity};
use crate::excerpt::excerpt;
use crate::lint::Code;
use crate::message::Locale;
use crate::msg;
use crate::profile::{Band, Bands, Profile};
use crate::span::{Span, Spanned};
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// The keys of the file.
pub(crate) const KEYS: [&str; 12] = [
    "profile",
    "environment",
    "catalogs",
    "sources",
    "exclude",
    "locale",
    "vocabulary",
    "severity",
    "budget",
    "bands",
    "tool_order",
    "context_placement",
];

/// The names that `vocabulary = "…"` takes.
pub(crate) const VOCABULARIES: [&str; 3] = ["o200k", "cl100k", "estimate"];

/// What `[severity]` takes; none is `off`.
pub(crate) const SEVERITIES: [Option<Severity>; 5] =
    [None, Some(Severity::Hint), Some(Severity::Information), Some(Severity::Warning), Some(Severity::Error)];

/// Reads `promptblock.toml`. Keys that cannot be read stand at their default.
pub fn parse_config(text: &str) -> (Config, Vec<Diagnostic>) {
    let (table, errors) = DeTable::parse_recoverable(text);
    let fault = fault::first(text, &errors);
    let start = Config { readable: fault.is_none(), ..Config::default() };
    let mut reader = Reader { findings: Findings::new(text, fault.as_ref()), config: start };
    reader.root(table.get_ref());
    let Reader { findings, config } = reader;
    let mut diagnostics = findings.diagnostics;
    if let Some(fault) = fault {
        diagnostics.push(Diagnostic::new(Code::InvalidConfig, fault.span, fault.message));
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    (config, diagnostics)
}

/// What holds while a file is broken: its readable keys count, and the others stand as the last version had them that could be read.
/// So a line that is half typed does not turn the profile back, nor let in what is excluded.
pub fn parse_config_after(text: &str, last: &Config) -> Config {
    let (table, errors) = DeTable::parse_recoverable(text);
    let fault = fault::first(text, &errors);
    // Globs are kept with their places, which are those of another text.
    let start = Config { readable: fault.is_none(), globs: Vec::new(), ..last.clone() };
    let mut reader = Reader { findings: Findings::new(text, fault.as_ref()), config: start };
    reader.root(table.get_ref());
    reader.config
}

struct Reader<'a> {
    findings: Findings<'a>,
    config: Config,
}

impl<'a> Reader<'a> {
    fn root(&mut self, table: &'a DeTable<'a>) {
        let (mut bands, before) = (None, Arc::clone(&self.config.profile));
        for entry in self.findings.entries(table, true) {
            match entry.name {
                "profile" => self.profile(&entry),
                "environment" => {
                    if let Some(name) = self.findings.text(&entry) {
                        self.config.environment = Some(name);
                    }
                }
                "catalogs" => {
                    if let Some(globs) = self.globs(&entry, Role::Catalogs) {
                        self.config.catalogs = globs;
                    }
                }
                "sources" => {
                    if let Some(globs) = self.globs(&entry, Role::Sources) {
                        self.config.sources = Some(globs);
                    }
                }
                "exclude" => {
                    if let Some(globs) = self.globs(&entry, Role::Exclude) {
                        self.config.exclude = globs;
                    }
                }
                "locale" => {
                    if let Some(locale) = self.locale(&entry) {
                        self.config.locale = Some(locale);
                    }
                }
                "vocabulary" => {
                    if let Some(vocabulary) = self.findings.choice(&entry, &VOCABULARIES, |name| name) {
                        self.config.vocabulary = vocabulary.into();
                    }
                }
                "severity" => self.severity(&entry),
                "budget" => self.budget(&entry),
                "bands" => bands = self.bands(&entry),
                "tool_order" => {
                    if let Some(order) = self.tool_order(&entry) {
                        self.config.tool_order = Some(order);
                    }
                }
                "context_placement" => {
                    let placement =
                        self.findings.choice(&entry, &ContextPlacement::ALL, ContextPlacement::name);
                    if let Some(placement) = placement {
                        self.config.context_placement = placement;
                    }
                }
                _ => self.findings.unknown_key(&entry, &KEYS, &msg!("a configuration has", "配置的键有")),
            }
        }
        if let Some(bands) = bands {
            self.config.bands = Bands(bands);
        } else if self.config.profile != before {
            self.config.bands = Bands(self.config.profile.bands.clone());
        }
    }

    fn profile(&mut self, entry: &Entry<'_>) {
        let name = self.findings.choice(entry, &Profile::NAMES, |name| name);
        if let Some(profile) = name.and_then(Profile::named) {
            self.config.profile = profile;
        }
    }

    /// Patterns, those that lead out of the project left out.
    fn globs(&mut self, entry: &Entry<'_>, role: Role) -> Option<Vec<String>> {
        let mut patterns = Vec::new();
        for glob in self.findings.texts(entry)? {
            match pattern::from_root(&glob.value, role) {
                Ok(meant) => {
                    patterns.extend(meant);
                    self.config.globs.push(glob);
                }
                Err(why) => self.findings.invalid(glob.span, why, Remedy::RemoveEntry(glob.span)),
            }
        }
        Some(patterns)
    }

    fn locale(&mut self, entry: &Entry<'_>) -> Option<Locale> {
        if let DeValue::String(name) = entry.value {
            let language = name.split(['-', '_', '.']).next().unwrap_or_default();
            if language.eq_ignore_ascii_case("en") || language.eq_ignore_ascii_case("zh") {
                return Some(Locale::from_name(name));
            }
        }
        self.findings.choice(entry, &["en", "zh-CN"], |name| name).map(Locale::from_name)
    }

    /// The entries of a table; nothing where `entry` is none.
    fn table(&mut self, entry: &Entry<'a>) -> Vec<Entry<'a>> {
        if let DeValue::Table(table) = entry.value {
            return self.findings.entries(table, false);
        }
        self.findings.wrong_type(entry.name, &msg!("a table", "表"), entry.value, entry.span);
        Vec::new()
    }

    fn severity(&mut self, entry: &Entry<'a>) {
        for entry in self.table(entry) {
            let Some(code) = Code::from_name(entry.name) else {
                let codes: Vec<_> = Code::ALL.iter().map(|code| code.name()).collect();
                self.findings.unknown_key(&entry, &codes, &msg!("it is no diagnostic code", "不是诊断代码"));
                continue;
            };
            if code == Code::InvalidHeader {
                let message = msg!(
                    "`invalid-header` cannot be changed: without its header a block is not checked at all",
                    "不能改变 `invalid-header`：没有文件头就无法检查这个块"
                );
                let remedy = Remedy::RemoveLines(entry.key.cover(entry.span));
                self.findings.invalid(entry.key, message, remedy);
                continue;
            }
            let severity =
                self.findings.choice(&entry, &SEVERITIES, |severity| severity.map_or("off", Severity::name));
            if let Some(severity) = severity {
                self.config.severity.insert(code, severity);
            }
        }
    }

    fn budget(&mut self, entry: &Entry<'a>) {
        for entry in self.table(entry) {
            let budget = match entry.name {
                "system" => &mut self.config.budget_system,
                "context" => &mut self.config.budget_context,
                _ => {
                    self.findings.unknown_key(
                        &entry,
                        &["system", "context"],
                        &msg!("a budget has", "预算的键有"),
                    );
                    continue;
                }
            };
            let tokens = self.findings.integer(&entry, 0, i64::MAX);
            if let Some(tokens) = tokens.and_then(|tokens| u64::try_from(tokens).ok()) {
                *budget = Some(tokens);
            }
        }
    }

    /// The bands of the file; `None` where none of them can be read.
    fn bands(&mut self, entry: &Entry<'a>) -> Option<Vec<Band>> {
        let DeValue::Array(items) = entry.value else {
            let takes = msg!("tables `[[bands]]`", "若干个表 `[[bands]]`");
            self.findings.wrong_type(entry.name, &takes, entry.value, entry.span);
            return None;
        };
        let mut bands: Vec<(Band, Span)> = Vec::new();
        for item in items.iter() {
            let DeValue::Table(table) = item.get_ref() else {
                let takes = msg!("tables", "表");
                self.findings.wrong_type(entry.name, &takes, item.get_ref(), Span::of(item.span()));
                continue;
            };
            bands.extend(self.band(table, Span::of(item.span())));
        }
        self.overlaps(&bands);
        // Among bands that overlap the first one wins, and the first are the lowest.
        bands.sort_by_key(|(band, _)| band.from);
        let bands: Vec<Band> = bands.into_iter().map(|(band, _)| band).collect();
        (!bands.is_empty() || items.is_empty()).then_some(bands)
    }

    /// One band and the place of its `from`.
    fn band(&mut self, table: &'a DeTable<'a>, header: Span) -> Option<(Band, Span)> {
        let (mut from, mut to, mut name) = (None, None, None);
        let mut given = Vec::new();
        for entry in self.findings.entries(table, false) {
            given.push(entry.name);
            let bound = |value| Spanned::new(value, entry.span);
            match entry.name {
                "from" => from = self.bound(&entry).map(bound),
                "to" => to = self.bound(&entry).map(bound),
                "name" => name = self.findings.text(&entry),
                _ => self.findings.unknown_key(
                    &entry,
                    &["from", "to", "name"],
                    &msg!("a band has", "区段的键有"),
                ),
            }
        }
        for key in ["from", "to", "name"] {
            // A key that a fault hides is not missing.
            if !table.iter().any(|(given, _)| given.get_ref() == key) {
                self.findings.invalid(
                    header,
                    msg!("this band has no `{key}`", "这个区段没有 `{key}`"),
                    Remedy::None,
                );
            }
        }
        let (from, to, name) = (from?, to?, name?);
        if from.value > to.value {
            let message = msg!(
                "`from` is greater than `to`, so no order lies in this band",
                "`from` 大于 `to`，没有任何 order 落在这个区段里"
            );
            self.findings.invalid(from.span, message, Remedy::None);
            return None;
        }
        let band = Band {
            from: from.value,
            to: to.value,
            name: name.value.as_ref().to_owned(),
            name_zh: None,
            content: String::new(),
            content_zh: String::new(),
        };
        Some((band, from.span))
    }

    fn bound(&mut self, entry: &Entry<'_>) -> Option<i32> {
        let bound = self.findings.integer(entry, i64::from(i32::MIN), i64::from(i32::MAX))?;
        i32::try_from(bound).ok()
    }

    /// Two bands with an order in common: on the later one in the file, with the other one related.
    fn overlaps(&mut self, bands: &[(Band, Span)]) {
        let mut sorted: Vec<&(Band, Span)> = bands.iter().collect();
        sorted.sort_by_key(|(band, _)| (band.from, band.to));
        let mut widest: Option<&(Band, Span)> = None;
        for next in sorted {
            if let Some(before) = widest.filter(|before| next.0.from <= before.0.to) {
                let (earlier, later) = if before.1 < next.1 { (before, next) } else { (next, before) };
                let (name, other) = (excerpt(&later.0.name), excerpt(&earlier.0.name));
                let message =
                    msg!("the bands `{name}` and `{other}` overlap", "区段 `{name}` 与 `{other}` 重叠");
                let there = msg!("the other band", "另一个区段");
                let found = Diagnostic::new(Code::InvalidConfig, later.1, message).related(earlier.1, there);
                self.findings.diagnostics.push(found);
            }
            if widest.is_none_or(|before| next.0.to > before.0.to) {
                widest = Some(next);
            }
        }
    }

    /// The order of the tools, where it has each name once and exactly one place for the rest.
    fn tool_order(&mut self, entry: &Entry<'_>) -> Option<Vec<Spanned<Arc<str>>>> {
        let names = self.findings.texts(entry)?;
        let mut seen = rustc_hash::FxHashMap::<&str, Span>::default();
        let mut sound = true;
        for name in &names {
            if let Some(first) = seen.get(&*name.value) {
                let shown = excerpt(&name.value);
                let message = msg!("`{shown}` is named twice", "`{shown}` 重复");
                let there = msg!("first named here", "第一次出现在这里");
                let found = Diagnostic::new(Code::InvalidConfig, name.span, message).related(*first, there);
                self.findings.diagnostics.push(found.remedy(Remedy::RemoveEntry(name.span)));
                sound = false;
            } else {
                seen.insert(&name.value, name.span);
            }
        }
        if !seen.contains_key(UNLISTED_TOOLS) {
            let message = msg!(
                "`{UNLISTED_TOOLS}` is missing: the place of the tools that are not named",
                "缺少 `{UNLISTED_TOOLS}`：未列出的工具所在的位置"
            );
            self.findings.invalid(entry.span, message, Remedy::None);
            sound = false;
        }
        sound.then_some(names)
    }
}
