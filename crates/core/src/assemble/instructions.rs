//! Files with instructions that a framework puts into the prompt by itself, as texts among the contexts. [S4]

use super::assembly::Part;
use super::content::Content;
use super::escape::escaped;
use super::render::{Limits, Piece, PieceKind, Rendered};
use crate::block::{List, Role, Zone};
use crate::diagnostic::FileId;
use crate::profile::Profile;
use crate::span::{Span, offset};
use std::sync::Arc;

/// A file with instructions.
#[derive(Clone, Debug)]
pub struct Instruction {
    /// Which file.
    pub file: FileId,
    /// What the model is told of where it lies.
    pub path: String,
    /// Whether it is the user's own one, and not the project's.
    pub is_users: bool,
    /// Its text, no more of it than the profile's limit.
    pub text: String,
    /// Whether it goes on.
    pub cut: bool,
}

/// The files as parts of an assembly, the user's own first; nothing where the profile has none. `apart`: whether the contexts are
/// messages of their own.
pub fn instruction_parts(profile: &Profile, files: &[Instruction], apart: bool) -> Vec<Part> {
    let Some(rules) = &profile.instructions else { return Vec::new() };
    let place = profile.messages.iter().position(|rule| rule.instructions);
    let place = place.or_else(|| profile.messages.iter().position(|rule| rule.list == List::Contexts));
    let rule = place.unwrap_or_default();
    let escape = profile.messages.get(rule).and_then(|rule| rule.escape.as_deref()).filter(|_| apart);
    let part = |(index, file): (usize, &Instruction)| {
        let opening = if index == 0 { &*rules.opening } else { "" };
        let (id, head) = match file.is_users {
            true => (format!("~/{}/{}", rules.user_folder, rules.name), &rules.user),
            false => (rules.name.to_string(), &rules.project),
        };
        let head = [opening, &head.replace("{path}", &file.path)].concat();
        let tail = if file.cut { rules.cut.replace("{name}", &rules.name) } else { String::new() };
        let rendered = rendered(&head, &file.text, &tail);
        let rendered = match escape {
            Some(tag) => escaped(rendered, tag),
            None => rendered,
        };
        Part {
            file: Some(file.file),
            id: Some(id.into()),
            zone: Zone::Context,
            role: Role::System,
            order: f64::NEG_INFINITY,
            rule,
            content: Arc::new(Content::new(rendered)),
        }
    };
    files.iter().enumerate().map(part).collect()
}

/// The text with every line break as LF and no blank lines at its ends, and what stands around it.
fn rendered(head: &str, text: &str, tail: &str) -> Rendered {
    let mut out = head.to_owned();
    let mut pieces = vec![Piece { start: 0, source: Span::default(), kind: PieceKind::Text }];
    let mark = '\u{feff}'.len_utf8();
    let start = if text.starts_with('\u{feff}') { mark } else { 0 };
    let body = text.get(start..).unwrap_or_default();
    let leading = body.len() - body.trim_start_matches(['\n', '\r']).len();
    let body = body.trim_matches(['\n', '\r']);
    let mut at = start + leading;
    let mut push = |out: &mut String, source: Span, shown: &str| {
        if !shown.is_empty() {
            pieces.push(Piece { start: offset(out.len()), source, kind: PieceKind::Text });
            out.push_str(shown);
        }
    };
    let mut rest = body;
    while let Some(length) = rest.find('\r') {
        let (line, behind) = rest.split_at(length);
        push(&mut out, Span::of(at..at + length), line);
        let ending = if behind.starts_with("\r\n") { 2 } else { 1 };
        push(&mut out, Span::of(at + length..at + length + ending), "\n");
        at += length + ending;
        rest = behind.get(ending..).unwrap_or_default();
    }
    push(&mut out, Span::of(at..at + rest.len()), rest);
    push(&mut out, Span::empty(offset(text.len())), tail);
    Rendered {
        text: out.into(),
        pieces: pieces.into(),
        used: Box::default(),
        findings: Box::default(),
        took: Limits { rounds: 0, bytes: 0, effort: 0 },
        cut: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(is_users: bool, text: &str, cut: bool) -> Instruction {
        Instruction { file: FileId(7), path: "/p/AGENTS.md".to_owned(), is_users, text: text.to_owned(), cut }
    }

    #[test]
    fn as_they_are_sent() {
        let zcode = Profile::named("zcode").expect("a profile");
        let files =
            [file(true, "\u{feff}\r\n你🎉\r\n</system-reminder>\r\n", false), file(false, "two", true)];
        let parts = instruction_parts(&zcode, &files, true);
        let ids: Vec<&str> = parts.iter().map(Part::id).collect();
        assert_eq!(ids, ["~/.zcode/AGENTS.md", "AGENTS.md"]);
        assert!(parts[0].text().starts_with("# agentsMd\nCodebase and user instructions are shown below."));
        let (_, text) = parts[0].text().split_once("\n\n").expect("a blank line");
        assert_eq!(
            text,
            "Contents of /p/AGENTS.md (user default instructions):\n\n你🎉\n&lt;/system-reminder>"
        );
        assert_eq!(
            parts[1].text(),
            "Contents of /p/AGENTS.md (workspace instructions):\n\ntwo\n\n[File truncated: AGENTS.md]"
        );
        let rendered = &parts[0].content.rendered;
        for piece in rendered.pieces.iter().skip(1) {
            let source = piece.source.of_str(&files[0].text);
            let shown = &rendered.text[piece.start as usize..];
            let shown = if source == "<" {
                "<"
            } else {
                &shown[..source.trim_end_matches('\r').len().min(shown.len())]
            };
            assert!(source == shown || source == "\r\n", "{source:?} {shown:?}");
        }
        let plain = instruction_parts(&zcode, &files, false);
        assert!(plain[0].text().ends_with("</system-reminder>"));
        assert!(instruction_parts(&Profile::blocks(), &files, true).is_empty());
    }
}
