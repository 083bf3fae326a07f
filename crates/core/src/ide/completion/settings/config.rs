//! In `promptblock.toml`, read by lines: what is half typed is no TOML yet.

use super::Settings;
use crate::diagnostic::Severity;
use crate::ide::completion::{Completion, CompletionKind, Completions};
use crate::lint::Code;
use crate::profile::Profile;
use crate::project::ContextPlacement;
use crate::project::config::{KEYS, SEVERITIES, VOCABULARIES};
use crate::span::{Span, offset};

const BLANK: [char; 2] = [' ', '\t'];

/// The keys that are tables, and how their headers are written.
const TABLES: [(&str, &str); 3] =
    [("severity", "[severity]"), ("budget", "[budget]"), ("bands", "[[bands]]")];

pub(super) fn completions(cx: &Settings<'_>, text: &str, at: u32) -> Completions {
    let cursor = at as usize;
    let start = text[..cursor].rfind(['\n', '\r']).map_or(0, |end| end + 1);
    let start = if text[start..cursor].starts_with('\u{feff}') { start + 3 } else { start };
    let line = text[start..].split(['\n', '\r']).next().unwrap_or_default();
    let Some((before, behind)) = line.split_at_checked(cursor - start) else { return Completions::default() };
    let mut items = Items { cx, at, out: Completions::default() };
    let (table, given) = section(text, start);
    let lead = before.trim_start_matches(BLANK);
    if let Some((key, typed)) = before.split_once('=').filter(|(key, _)| is_key(key.trim())) {
        items.values(&table, key.trim(), typed, behind);
    } else if lead.starts_with('[') {
        items.headers(lead, behind, text);
    } else if is_key(lead) && !goes_on(&text[..start]) {
        items.keys(&table, &given, lead, behind, text);
    }
    items.out
}

fn is_key(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// Whether a list of several lines stands open.
fn goes_on(before: &str) -> bool {
    let last = before.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    last.trim_end().ends_with(['[', ','])
}

/// The table around the line that begins at `start`, empty for the root, and the keys in it on other lines.
fn section(text: &str, start: usize) -> (String, Vec<&str>) {
    let header = |line: &str| line.trim_start().starts_with('[');
    let (mut table, mut given) = (String::new(), Vec::new());
    for line in text[..start].lines() {
        if header(line) {
            line.trim_matches(['[', ']', ' ', '\t']).clone_into(&mut table);
            given.clear();
        } else {
            given.extend(line.split_once('=').map(|(key, _)| key.trim()));
        }
    }
    for line in text[start..].lines().skip(1).take_while(|line| !header(line)) {
        given.extend(line.split_once('=').map(|(key, _)| key.trim()));
    }
    (table, given)
}

struct Items<'a> {
    cx: &'a Settings<'a>,
    at: u32,
    out: Completions,
}

impl Items<'_> {
    fn add(&mut self, label: &str, kind: CompletionKind, span: Span, text: String) -> &mut Completion {
        let mut item = Completion::new(label, kind, span);
        item.sort_text = format!("{:04}", self.out.items.len());
        item.edit.text = text.into();
        self.out.items.push(item);
        let last = self.out.items.len() - 1;
        &mut self.out.items[last]
    }

    fn keys(&mut self, table: &str, given: &[&str], typed: &str, behind: &str, text: &str) {
        let word =
            behind.find(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c))).unwrap_or(behind.len());
        let span = Span::new(self.at - offset(typed.len()), self.at + offset(word));
        let rest = behind[word..].trim_start_matches(BLANK);
        let assign = if rest.starts_with('=') { "" } else { " = " };
        let known: Vec<&str> = match table {
            "" => KEYS.to_vec(),
            "severity" => Code::ALL
                .iter()
                .filter(|code| **code != Code::InvalidHeader)
                .map(|code| code.name())
                .collect(),
            "budget" => vec!["system", "context"],
            "bands" => vec!["from", "to", "name"],
            _ => Vec::new(),
        };
        let below = text[self.at as usize..].lines().skip(1);
        let keys_follow =
            below.take_while(|line| !line.trim_start().starts_with('[')).any(|line| line.contains('='));
        for name in known.into_iter().filter(|name| !given.contains(name)) {
            let header = TABLES.iter().find(|(table, _)| *table == name).filter(|_| table.is_empty());
            match header {
                // A table begins behind all keys of the root, on a line of its own.
                Some((_, header))
                    if assign.is_empty() || keys_follow || has_table(text, header) && name != "bands" => {}
                Some((_, header)) => {
                    self.add(name, CompletionKind::Property, span, (*header).to_owned());
                }
                None => {
                    let item = self.add(name, CompletionKind::Property, span, format!("{name}{assign}"));
                    item.again = !assign.is_empty();
                    if item.again && matches!(name, "catalogs" | "sources" | "exclude" | "tool_order") {
                        item.snippet = Some(format!("{name} = [\"$1\"]"));
                    }
                    item.description = Code::from_name(name).map(|code| code.severity().name().to_owned());
                }
            }
        }
    }

    fn headers(&mut self, typed: &str, behind: &str, text: &str) {
        let name = typed.trim_start_matches('[');
        if !is_key(name) || typed.len() - name.len() > 2 {
            return;
        }
        let word =
            behind.find(|c: char| !(c.is_ascii_alphanumeric() || "-_]".contains(c))).unwrap_or(behind.len());
        let span = Span::new(self.at - offset(typed.len()), self.at + offset(word));
        for (name, header) in TABLES {
            if name == "bands" || !has_table(text, header) {
                let item = self.add(header, CompletionKind::Property, span, header.to_owned());
                // What is typed has one bracket or two.
                item.filter_text =
                    format!("{}{name}", &typed[..typed.len() - typed.trim_start_matches('[').len()]);
            }
        }
    }

    fn values(&mut self, table: &str, key: &str, typed: &str, behind: &str) {
        let word = typed.trim_start_matches(BLANK);
        let quote = word.chars().next().filter(|c| matches!(c, '"' | '\''));
        let inner = word.trim_start_matches(['"', '\'']);
        let plain = inner.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        // In an environment's name anything may stand.
        let plain = plain || key == "environment" && !inner.contains(['"', '\'', '#']);
        if !plain || word.len() - inner.len() > 1 {
            return;
        }
        let taken = match quote {
            Some(quote) => behind
                .find([quote, '#'])
                .filter(|end| behind[*end..].starts_with(quote))
                .map_or(0, |end| end + 1),
            None => behind
                .find(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c)))
                .unwrap_or(behind.len()),
        };
        let span = Span::new(self.at - offset(word.len()), self.at + offset(taken));
        let lead = if typed.is_empty() { " " } else { "" };
        let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let values = match (table, key) {
            ("", "profile") => names(&Profile::NAMES),
            ("", "locale") => names(&["zh-CN", "en"]),
            ("", "vocabulary") => names(&VOCABULARIES),
            ("", "context_placement") => names(&ContextPlacement::ALL.map(ContextPlacement::name)),
            ("", "environment") => self.cx.environments.0.iter().map(|one| one.name.to_string()).collect(),
            ("severity", code) if Code::from_name(code).is_some() => {
                names(&SEVERITIES.map(|severity| severity.map_or("off", Severity::name)))
            }
            _ => return,
        };
        for name in values {
            // TOML's basic strings have JSON's escapes.
            let written = serde_json::Value::from(name.as_str()).to_string();
            let item = self.add(&name, CompletionKind::EnumMember, span, format!("{lead}{written}"));
            if let Some(quote) = quote {
                item.filter_text = format!("{quote}{name}");
            }
        }
    }
}

fn has_table(text: &str, header: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with(header))
}
