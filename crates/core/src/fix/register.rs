//! A new entry in a catalog file, written as the entries around it are.

use super::{Edit, Elsewhere};
use crate::jsonc::{self, Member, Node};
use crate::span::{Span, offset};
use crate::{FileId, syntax::Text};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// How a variable is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Usage {
    /// The fewest and the most arguments that a tag gives it.
    pub(super) arguments: (usize, usize),
    /// Whether a loop goes over it.
    pub(super) list: bool,
}

/// The variables that blocks use, by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Usages(pub(super) BTreeMap<Arc<str>, Usage>);

impl Usages {
    /// Takes in what another block uses.
    pub fn extend(&mut self, other: Self) {
        for (name, usage) in other.0 {
            self.add(&name, usage);
        }
    }

    pub(super) fn add(&mut self, name: &str, usage: Usage) {
        if let Some(known) = self.0.get_mut(name) {
            let (least, most) = known.arguments;
            known.arguments = (least.min(usage.arguments.0), most.max(usage.arguments.1));
            known.list |= usage.list;
        } else {
            self.0.insert(name.into(), usage);
        }
    }

    /// The text of a catalog that holds these variables.
    pub(super) fn catalog(&self) -> String {
        catalog_of(self.0.iter().map(|(name, usage)| entry(name, *usage)))
    }
}

/// The text of a catalog with these entries.
fn catalog_of(entries: impl Iterator<Item = String>) -> String {
    let entries: Vec<String> = entries.collect();
    let last = if entries.is_empty() { "}" } else { "\n  }" };
    let lead = if entries.is_empty() { "" } else { "\n    " };
    format!("{{\n  \"variables\": {{{lead}{}{last}\n}}\n", entries.join(",\n    "))
}

/// `"name": {…}` as far as its use tells, with a description to be filled in.
fn entry(name: &str, usage: Usage) -> String {
    let mut out = begun(name);
    if usage.list {
        out.push_str(", \"type\": \"list\"");
    }
    let (least, most) = usage.arguments;
    if most > 0 {
        let argument = |number: usize| match number {
            _ if number <= least => format!("\"arg{number}\""),
            _ => format!("{{\"name\": \"arg{number}\", \"optional\": true}}"),
        };
        let arguments: Vec<String> = (1..=most).map(argument).collect();
        let _ = write!(out, ", \"args\": [{}]", arguments.join(", "));
    }
    out.push('}');
    out
}

/// An entry up to its description, which is to be filled in.
fn begun(name: &str) -> String {
    format!("{}: {{\"description\": \"\"", serde_json::Value::from(name))
}

/// A catalog that a variable can be registered in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// The file.
    pub file: FileId,
    /// What to call it in a menu.
    pub name: Arc<str>,
    place: Place,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Place {
    /// The file does not exist.
    New,
    /// A comma is needed at the first offset, where one is given; the entry goes to the second one between the two texts.
    Here { comma: Option<u32>, at: u32, before: String, behind: String },
    /// In place of what stands there and holds nothing, between the two texts.
    Over { span: Span, before: String, behind: String },
}

impl Register {
    /// A catalog that is yet to be written.
    pub fn new(file: FileId, name: impl Into<Arc<str>>) -> Self {
        Self { file, name: name.into(), place: Place::New }
    }

    /// A catalog of that text; `None` where it cannot be read, for then nobody knows where an entry belongs.
    pub fn into(file: FileId, name: impl Into<Arc<str>>, text: &str) -> Option<Self> {
        Some(Self { file, name: name.into(), place: place(text)? })
    }

    /// Whether the file does not exist yet.
    pub fn is_new(&self) -> bool {
        self.place == Place::New
    }

    pub(super) fn register(&self, name: &str, usage: Usage) -> Elsewhere {
        self.put(&entry(name, usage))
    }

    /// Registers a variable by the text that it stands for, for now.
    pub(crate) fn register_example(&self, name: &str, example: &str) -> Elsewhere {
        self.put(&format!("{}, \"example\": {}}}", begun(name), serde_json::Value::from(example)))
    }

    fn put(&self, entry: &str) -> Elsewhere {
        let elsewhere = |creates, edits| Elsewhere { file: self.file, creates, edits };
        match &self.place {
            Place::New => {
                let text = catalog_of(std::iter::once(entry.to_owned()));
                elsewhere(true, vec![Edit::insert(0, text)])
            }
            Place::Over { span, before, behind } => {
                elsewhere(false, vec![Edit::new(*span, format!("{before}{entry}{behind}"))])
            }
            Place::Here { comma, at, before, behind } => {
                let text = format!("{before}{entry}{behind}");
                match comma {
                    Some(comma) if comma == at => {
                        elsewhere(false, vec![Edit::insert(*at, format!(",{text}"))])
                    }
                    Some(comma) => elsewhere(false, vec![Edit::insert(*comma, ","), Edit::insert(*at, text)]),
                    None => elsewhere(false, vec![Edit::insert(*at, text)]),
                }
            }
        }
    }

    /// The whole file from nothing.
    pub(super) fn write(&self, usages: &Usages) -> Elsewhere {
        Elsewhere { file: self.file, creates: true, edits: vec![Edit::insert(0, usages.catalog())] }
    }
}

fn place(text: &str) -> Option<Place> {
    let document = jsonc::parse(text);
    let line_break = text.line_break();
    let whole = |span: Span, before: &str, behind: &str| Place::Over {
        span,
        before: format!("{before}{{{line_break}  \"variables\": {{{line_break}    "),
        behind: format!("{line_break}  }}{line_break}}}{behind}"),
    };
    if let Some((at, before)) = document.blank {
        let before = if before.is_empty() { "" } else { line_break };
        return Some(whole(Span::empty(at), before, line_break));
    }
    if document.fault.is_some() {
        return None;
    }
    if is_void(text, &document.root) {
        return Some(whole(document.root.span, "", ""));
    }
    let members = document.root.as_object()?;
    let Some(variables) = members.iter().find(|member| &*member.key.value == "variables") else {
        // Whatever else stands in it may be a misspelt `variables`.
        if members.iter().any(|member| &*member.key.value != "$schema") {
            return None;
        }
        let place = behind_last(text, &document.root, members);
        let unit = unit(text, None);
        return Some(wrapped(place, &unit, line_break));
    };
    if is_void(text, &variables.value) {
        let indent = own_line(text, variables.key.span.start);
        let (before, behind) = indent.map_or_else(Default::default, |indent| {
            let unit = unit(text, Some(indent));
            (format!("{line_break}{indent}{unit}"), format!("{line_break}{indent}"))
        });
        let (before, behind) = (format!("{{{before}"), format!("{behind}}}"));
        return Some(Place::Over { span: variables.value.span, before, behind });
    }
    let entries = variables.value.as_object()?;
    if entries.is_empty() {
        return Some(into_empty(text, variables));
    }
    Some(behind_last(text, &variables.value, entries))
}

/// Whether an object can take the place of a value: nothing stands in it, no comment either.
fn is_void(text: &str, value: &Node) -> bool {
    value.as_object().is_none() && value.holds_nothing() && !value.span.of_str(text).contains('/')
}

/// Puts the entry into a new member `variables`.
fn wrapped(place: Place, unit: &str, line_break: &str) -> Place {
    let Place::Here { comma, at, before, behind } = place else { return place };
    if !before.contains(['\n', '\r']) {
        return Place::Here {
            comma,
            at,
            before: before + "\"variables\": {",
            behind: "}".to_owned() + &behind,
        };
    }
    let indent = before.trim_start_matches(['\n', '\r']).to_owned();
    Place::Here {
        comma,
        at,
        before: format!("{before}\"variables\": {{{line_break}{indent}{unit}"),
        behind: format!("{line_break}{indent}}}{behind}"),
    }
}

/// Behind the last member of an object, on a line of its own where that one has one.
fn behind_last(text: &str, object: &Node, members: &[Member]) -> Place {
    let close = object.span.end.saturating_sub(1);
    let Some(last) = members.last() else {
        let at = object.span.start + 1;
        let inside = Span::new(at, close).of_str(text);
        if inside.contains(['\n', '\r'])
            || object.span.start as usize == indent_at(text, object.span.start).len()
        {
            let line_break = text.line_break();
            let unit = unit(text, None);
            let at = at + offset(trivia_end(inside));
            let ends = if inside.contains(['\n', '\r']) { "" } else { line_break };
            return Place::Here {
                comma: None,
                at,
                before: format!("{line_break}{unit}"),
                behind: ends.to_owned(),
            };
        }
        return Place::Here { comma: None, at, before: String::new(), behind: String::new() };
    };
    let end = last.value.span.end;
    let gap = Span::new(end, close).of_str(text);
    let comma = comma(gap);
    let at = end + offset(trivia_end(gap));
    // Several may share the last line; a comment behind them ends it.
    let broken = gap.contains(['\n', '\r']).then(|| indent_at(text, last.key.span.start));
    let before = match own_line(text, last.key.span.start).or(broken) {
        Some(indent) => format!("{}{indent}", text.line_break()),
        None => " ".to_owned(),
    };
    // Who ends each entry with a comma wants one behind the new one too.
    let behind = if comma { "," } else { "" };
    Place::Here { comma: (!comma).then_some(end), at, before, behind: behind.to_owned() }
}

/// Into `"variables": {}`.
fn into_empty(text: &str, variables: &Member) -> Place {
    let (open, close) = (variables.value.span.start + 1, variables.value.span.end.saturating_sub(1));
    let inside = Span::new(open, close).of_str(text);
    let at = open + offset(trivia_end(inside));
    let Some(indent) = own_line(text, variables.key.span.start) else {
        return Place::Here { comma: None, at, before: String::new(), behind: String::new() };
    };
    let (unit, line_break) = (unit(text, Some(indent)), text.line_break());
    let ends = if inside[trivia_end(inside)..].contains(['\n', '\r']) {
        String::new()
    } else {
        format!("{line_break}{indent}")
    };
    Place::Here { comma: None, at, before: format!("{line_break}{indent}{unit}"), behind: ends }
}

/// The blanks at the start of the line of `at`.
fn indent_at(text: &str, at: u32) -> &str {
    let line_start = text.at(Span::new(0, at)).rfind(['\n', '\r']).map_or(0, |at| at + 1);
    let line = text.get(line_start..at as usize).unwrap_or_default();
    let line = line.trim_start_matches('\u{feff}');
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// What stands before `at` on its line, where that is blank; not on the first line, which other things share.
fn own_line(text: &str, at: u32) -> Option<&str> {
    let line_start = text.get(..at as usize)?.rfind(['\n', '\r'])? + 1;
    let before = text.get(line_start..at as usize)?;
    before.chars().all(|c| c == ' ' || c == '\t').then_some(before)
}

/// One step of indentation: that of the keys of the root, where `indent` is theirs.
fn unit(text: &str, indent: Option<&str>) -> String {
    match indent {
        Some(indent) if !indent.is_empty() => indent.to_owned(),
        _ if text.contains("\n\t") => "\t".to_owned(),
        _ => "  ".to_owned(),
    }
}

/// The pieces of what stands between two values: `true` for a comma, `false` for a comment, each with its end.
fn pieces(gap: &str) -> Vec<(bool, usize)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    while let Some(rest) = gap.get(at..).filter(|rest| !rest.is_empty()) {
        let length = if rest.starts_with("//") {
            rest.find(['\n', '\r']).unwrap_or(rest.len())
        } else if let Some(inner) = rest.strip_prefix("/*") {
            inner.find("*/").map_or(rest.len(), |length| length + 4)
        } else {
            if rest.starts_with(',') {
                pieces.push((true, at + 1));
            }
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        at += length;
        pieces.push((false, at));
    }
    pieces
}

fn comma(gap: &str) -> bool {
    pieces(gap).iter().any(|(comma, _)| *comma)
}

/// Where the last comma or comment ends.
fn trivia_end(gap: &str) -> usize {
    pieces(gap).last().map_or(0, |(_, end)| *end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Usage = Usage { arguments: (0, 0), list: false };

    fn registered(text: &str) -> Option<String> {
        let register = Register::into(FileId(1), "c.json", text)?;
        let mut after = text.to_owned();
        for edit in register.register("新", PLAIN).edits.iter().rev() {
            after.replace_range(edit.span.range(), &edit.text);
        }
        let read = jsonc::parse(&after);
        assert_eq!(read.fault, None, "{after}");
        let all = read.root.to_json().expect("JSON");
        assert!(all["variables"]["新"].is_object(), "{after}");
        Some(after)
    }

    #[test]
    fn as_the_entries_around_it_are_written() {
        let new = "\"新\": {\"description\": \"\"}";
        for (text, expected) in [
            ("{\"variables\": {\"a\": {}}}", "{\"variables\": {\"a\": {}, NEW}}"),
            ("{\"variables\": {\"a\": {},}}", "{\"variables\": {\"a\": {}, NEW,}}"),
            ("{\"variables\": {}}", "{\"variables\": {NEW}}"),
            ("", "{\n  \"variables\": {\n    NEW\n  }\n}\n"),
            ("\u{feff} \r\n", "\u{feff} \r\n{\r\n  \"variables\": {\r\n    NEW\r\n  }\r\n}\r\n"),
            ("// 甲 🎉", "// 甲 🎉\n{\n  \"variables\": {\n    NEW\n  }\n}\n"),
            ("// 甲\n[]", "// 甲\n{\n  \"variables\": {\n    NEW\n  }\n}"),
            ("null\n", "{\n  \"variables\": {\n    NEW\n  }\n}\n"),
            ("{\"variables\": []}", "{\"variables\": {NEW}}"),
            ("{\n\t\"variables\": null,\n}\n", "{\n\t\"variables\": {\n\t\tNEW\n\t},\n}\n"),
            ("{}", "{\n  \"variables\": {\n    NEW\n  }\n}"),
            ("{\n}\n", "{\n  \"variables\": {\n    NEW\n  }\n}\n"),
            ("{\"$schema\": \"x\"}", "{\"$schema\": \"x\", \"variables\": {NEW}}"),
            ("{\n\t\"$schema\": \"x\"\n}", "{\n\t\"$schema\": \"x\",\n\t\"variables\": {\n\t\tNEW\n\t}\n}"),
            (
                "{\n  \"variables\": {\n    \"a\": {}\n  }\n}\n",
                "{\n  \"variables\": {\n    \"a\": {},\n    NEW\n  }\n}\n",
            ),
            (
                "\u{feff}{\r\n\t\"variables\": {\r\n\t\t\"a\": {},\r\n\t}\r\n}\r\n",
                "\u{feff}{\r\n\t\"variables\": {\r\n\t\t\"a\": {},\r\n\t\tNEW,\r\n\t}\r\n}\r\n",
            ),
            (
                "{\n  \"variables\": {\n    \"a\": {} // 甲, 🎉\n    /* more, \"to\" come */\n  }\n}",
                "{\n  \"variables\": {\n    \"a\": {}, // 甲, 🎉\n    /* more, \"to\" come */\n    NEW\n  }\n}",
            ),
            (
                "{\n  \"variables\": {\n    \"a\": {}, \"b\": {} // 甲\n  }\n}",
                "{\n  \"variables\": {\n    \"a\": {}, \"b\": {}, // 甲\n    NEW\n  }\n}",
            ),
            ("{\"variables\": {\"a\": {} // 甲\n}}", "{\"variables\": {\"a\": {}, // 甲\nNEW\n}}"),
            ("{\"variables\": {\"a\": {} /* 甲 */}}", "{\"variables\": {\"a\": {}, /* 甲 */ NEW}}"),
            (
                "{\n  \"variables\": {\n    \"a\": {}, // 甲\n  }\n}",
                "{\n  \"variables\": {\n    \"a\": {}, // 甲\n    NEW,\n  }\n}",
            ),
            ("{\n  \"variables\": {}\n}", "{\n  \"variables\": {\n    NEW\n  }\n}"),
            ("{\n  \"variables\": {\n  }\n}", "{\n  \"variables\": {\n    NEW\n  }\n}"),
            (
                "{\n  \"variables\": {\n    // none yet\n  }\n}",
                "{\n  \"variables\": {\n    // none yet\n    NEW\n  }\n}",
            ),
            (
                "{\n  \"variables\": {\n    \"a\": {\"args\": [\"}\", 1]} }, \"$schema\": \"x\"}",
                "{\n  \"variables\": {\n    \"a\": {\"args\": [\"}\", 1]},\n    NEW }, \"$schema\": \"x\"}",
            ),
        ] {
            assert_eq!(registered(text).as_deref(), Some(&*expected.replace("NEW", new)), "{text}");
        }
    }

    #[test]
    fn nowhere_in_what_cannot_be_read() {
        for text in [
            "[1]",
            "{\"variables\": {\"a\": {}}",
            "{\"variables\": [\"a\"]}",
            "{\"variables\": 0}",
            "{\"variables\": [/* 甲 */]}",
            "[// 甲\n]",
            "/* open",
            "{\"variable\": {}}",
            "{'variables': {}}",
        ] {
            assert_eq!(registered(text), None, "{text}");
        }
    }

    #[test]
    fn an_entry_has_what_its_use_tells() {
        let mut usages = Usages::default();
        usages.add("城市 \"x\"", Usage { arguments: (1, 1), list: false });
        usages.add("members", Usage { arguments: (0, 0), list: true });
        usages.add("weather", Usage { arguments: (2, 2), list: false });
        usages.add("weather", Usage { arguments: (1, 1), list: false });
        assert_eq!(
            usages.catalog(),
            r#"{
  "variables": {
    "members": {"description": "", "type": "list"},
    "weather": {"description": "", "args": ["arg1", {"name": "arg2", "optional": true}]},
    "城市 \"x\"": {"description": "", "args": ["arg1"]}
  }
}
"#
        );
        assert_eq!(Usages::default().catalog(), "{\n  \"variables\": {}\n}\n");
    }
}
