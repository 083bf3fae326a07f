//! What a malformed control tag was plainly meant to be.

use super::tag::{Found, replace, settled, touches_brace};
use super::{Edit, Fix};
use crate::span::Span;
use crate::syntax::{
    Control, Document, Malformed, PartKind, TokenKind, is_dotted_name, is_name, keyword_of, parse_condition,
};
use crate::{Diagnostic, Remedy, msg};

/// Operators of other languages, and ours for them.
const OPERATORS: [(&str, &str); 7] = [
    (" === ", " == "),
    (" !== ", " != "),
    (" = ", " == "),
    (" => ", " >= "),
    (" =< ", " <= "),
    (" <> ", " != "),
    (" is ", " == "),
];

pub(super) fn meant(document: &Document, finding: &Diagnostic) -> Vec<Fix> {
    if finding.remedy != Remedy::None {
        return Vec::new();
    }
    let Some(found) = Found::at(document, finding.span.start) else { return Vec::new() };
    let TokenKind::Malformed(malformed) = found.token.kind else { return Vec::new() };
    let tag = document.slice(finding.span);
    let inner = tag.trim_start_matches(['{', ' ', '\t']).trim_end_matches(['}', ' ', '\t']);
    let word = keyword_of(&tag);
    let rest = inner.trim_start_matches('/').strip_prefix(word).unwrap_or_default().trim();
    let mut texts: Vec<String> = Vec::new();
    match malformed {
        Malformed::Opener(Control::If | Control::While) => {
            texts.extend(condition(rest).map(|condition| format!("{{{word} {condition}}}")));
        }
        Malformed::Opener(Control::For) => texts.extend(each(rest)),
        Malformed::Opener(Control::Repeat) => texts.extend(count(rest)),
        Malformed::Branch if word == "else" => {
            texts.extend(parse_condition(rest).map(|_| format!("{{elseif {rest}}}")));
            // Whoever writes a condition does not mean to lose it.
            if !rest.starts_with("if") {
                texts.push("{else}".to_owned());
            }
        }
        Malformed::Branch => {
            texts.extend(condition(rest).map(|condition| format!("{{{word} {condition}}}")));
            if rest.is_empty() {
                texts.push("{else}".to_owned());
            }
        }
        Malformed::Closer(_) => {}
        Malformed::BranchCloser => {
            texts.extend(found.missing_closer(document, None).filter(|closer| closer == "{/if}"));
        }
    }
    let mut fixes: Vec<Fix> = texts.iter().map(|text| replace(finding.span, text)).collect();
    fixes.extend(as_text(document, &found, malformed, finding.span));
    settled(document, 1, fixes)
}

/// A condition as our language writes it.
fn condition(written: &str) -> Option<String> {
    let sound = |text: &str| parse_condition(text).is_some().then(|| text.to_owned());
    let bare = written.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(written).trim();
    let bare = bare.strip_suffix(':').unwrap_or(bare).trim();
    if let Some(condition) = sound(bare) {
        return Some(condition);
    }
    for (theirs, ours) in OPERATORS {
        let spaced = if bare.contains(theirs) {
            Some(bare.replacen(theirs, ours, 1))
        } else {
            let tight = theirs.trim();
            let letters = tight.starts_with(|c: char| c.is_alphabetic());
            (!letters && bare.contains(tight)).then(|| bare.replacen(tight, ours, 1))
        };
        if let Some(condition) = spaced.as_deref().and_then(sound) {
            return Some(condition);
        }
    }
    // A text of several words without its quotes.
    let (left, operator, right) = ["==", "!="].into_iter().find_map(|operator| {
        let (left, right) = bare.split_once(operator)?;
        Some((left.trim(), operator, right.trim()))
    })?;
    let plain = !right.is_empty() && !right.contains(['"', '\'', '\\', '=', '<', '>', '&', '|']);
    if plain { sound(&format!("{left} {operator} \"{right}\"")) } else { None }
}

/// `x of list`, `x: list`, `(x in list)` and the like.
fn each(written: &str) -> Option<String> {
    let bare = written.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(written).trim();
    let bare = bare.strip_suffix(':').unwrap_or(bare);
    let bare =
        ["const ", "let ", "var ", "each "].iter().find_map(|word| bare.strip_prefix(word)).unwrap_or(bare);
    let (item, list) =
        [" in ", " of ", " from ", ":", "="].iter().find_map(|between| bare.split_once(between))?;
    let (item, list) = (item.trim(), list.trim());
    (is_name(item) && is_dotted_name(list)).then(|| format!("{{for {item} in {list}}}"))
}

/// `3 times`, `(3)`, `3x`.
fn count(written: &str) -> Option<String> {
    let bare = written.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(written).trim();
    let bare = bare.strip_suffix(':').unwrap_or(bare).trim();
    let count = bare.split([' ', '\t']).next().unwrap_or_default();
    let rest = bare.strip_prefix(count).unwrap_or_default().trim();
    let count = count.strip_suffix(['x', 'X', '次']).filter(|digits| !digits.is_empty()).unwrap_or(count);
    let number = !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit());
    let fits = number || is_dotted_name(count);
    (fits && matches!(rest, "" | "times" | "time" | "x" | "次")).then(|| format!("{{repeat {count}}}"))
}

/// Doubled braces, where it may be prose and nothing belongs to it: what is rendered stays the same.
fn as_text(document: &Document, found: &Found<'_>, malformed: Malformed, span: Span) -> Option<Fix> {
    if !matches!(malformed, Malformed::Opener(_)) {
        return None;
    }
    // The variable of its loop may be in use behind it.
    let binds = found.view.tokens().parts(&found.token).iter().any(|part| part.kind == PartKind::Binding);
    if binds || touches_brace(document, span) {
        return None;
    }
    let edits = vec![Edit::insert(span.start, "{"), Edit::insert(span.end, "}")];
    Some(Fix::new(msg!("Escape the braces: it is text", "转义花括号：这是文本"), edits))
}
