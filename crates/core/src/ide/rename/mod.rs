//! What another name would break, and how it is written where the old one stands.

use super::names::{Place, Written};
use super::references::{Subject, occurrences};
use crate::fix::{Edit, spelled};
use crate::message::Message;
use crate::msg;
use crate::profile::{Profile, TagSyntax};
use crate::source::escaped;
use crate::span::Span;
use crate::syntax::{Document, KEYWORDS, is_name, parse_header};

/// Why a name cannot be another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    /// What it is, for a person.
    pub why: Message,
    /// Where in the file it shows, if it is at a place.
    pub span: Option<Span>,
}

impl Obstacle {
    /// One that is at no place.
    pub const fn new(why: Message) -> Self {
        Self { why, span: None }
    }

    /// One that shows at a place.
    pub const fn at(why: Message, span: Span) -> Self {
        Self { why, span: Some(span) }
    }
}

/// Whether nothing can have another name that is called so: what is built in, and what environments need for themselves.
pub fn fixed_name(name: &str) -> Option<Obstacle> {
    match name {
        "prompt" => Some(Obstacle::new(msg!(
            "`prompt` is built in: the user's input",
            "`prompt` 是内置变量：用户的输入"
        ))),
        "extra" | "extends" => Some(Obstacle::new(msg!(
            "`{name}` is a word of the environments, and no field of theirs",
            "`{name}` 是环境文件的保留字，不是字段"
        ))),
        _ => None,
    }
}

/// Why `new` is no name for `subject` in the files of `profile`, whatever else there is.
pub fn unfit(subject: &Subject, new: &str, profile: &Profile) -> Option<Obstacle> {
    match subject {
        Subject::Block(_) if new.trim().is_empty() => {
            Some(Obstacle::new(msg!("the id of a block cannot be empty", "块的 id 不能为空")))
        }
        Subject::Block(_) if new.chars().any(char::is_control) => Some(Obstacle::new(msg!(
            "the id of a block cannot hold line breaks and control characters",
            "块的 id 不能含有换行和控制字符"
        ))),
        Subject::Block(_) => None,
        Subject::Variable(_) | Subject::Loop { .. } => {
            // A loop may shadow what environments have, but not what the input zone stands on.
            let is_variable = matches!(subject, Subject::Variable(_));
            if let Some(fixed) = fixed_name(new).filter(|_| is_variable || new == "prompt") {
                return Some(fixed);
            }
            let fits = match subject {
                Subject::Variable(_) => profile.can_write(new),
                _ => is_name(new),
            };
            (!fits).then(|| Obstacle::new(unwritable(new, profile)))
        }
    }
}

fn unwritable(new: &str, profile: &Profile) -> Message {
    match profile.tags {
        TagSyntax::SingleBraces if KEYWORDS.contains(&new) => {
            msg!("`{new}` is a word of the template language", "`{new}` 是模板语言的关键字")
        }
        TagSyntax::SingleBraces => msg!(
            "`{new}` is no name: a name is letters, digits and `_`, and begins with no digit",
            "`{new}` 不是名称：名称由文字、数字和 `_` 组成，不能以数字开头"
        ),
        TagSyntax::DoubleBraces => msg!(
            "`{new}` is no name here: one is a small letter, then small letters, digits and `_`",
            "`{new}` 在这里不是名称：名称以小写字母开头，只含小写字母、数字和 `_`"
        ),
    }
}

/// The first place of a block where something would mean another thing if `subject` were called `new`.
pub fn obstacle(document: &Document, subject: &Subject, new: &str) -> Option<Obstacle> {
    let (old, opener) = match subject {
        Subject::Variable(name) => (name, None),
        Subject::Loop { name, opener } => (name, Some(*opener)),
        Subject::Block(_) => return None,
    };
    let mut first = None;
    occurrences(document, [old, new], |one| {
        if one.declares || first.is_some() {
            return;
        }
        let [ours, theirs] = one.loops;
        // The loops stand in the order of the text, and so do their references.
        let is_open = opener.is_some_and(|opener| ours.binary_search(&opener).is_ok());
        let captured = one.which == 0 && one.meaning() == opener && theirs.last().copied() > opener;
        let captures = one.which == 1 && is_open && theirs.last().copied() < opener;
        if captured {
            let why = msg!(
                "a loop around a use of `{old}` has a variable `{new}` of its own, which would take its place",
                "`{old}` 的一处用法位于以 `{new}` 为循环变量的循环内，会被它遮盖"
            );
            first = Some(Obstacle::at(why, one.span));
        } else if captures {
            let why = msg!(
                "`{new}` is used within the loop and means something else there",
                "循环内已用到 `{new}`，它在那里另有所指"
            );
            first = Some(Obstacle::at(why, one.span));
        }
    });
    first
}

/// The edit that writes `new` at a place; an obstacle where nobody can.
pub fn edit(place: &Place, new: &str) -> Result<Edit, Obstacle> {
    let text = match place.written {
        Written::Plain => new.to_owned(),
        Written::Literal(quote) => escaped(new, quote),
        Written::Shorthand => format!("{new}: "),
        Written::Scalar => spelled(new.to_owned()),
        Written::Pieces => {
            let why =
                msg!("the name is put together from several texts here", "名称在这里由多段文本拼接而成");
            return Err(Obstacle::at(why, place.span));
        }
    };
    let span = if place.written == Written::Shorthand { Span::empty(place.span.start) } else { place.span };
    Ok(Edit::new(span, text))
}

/// The edit that gives a block another id; the header is read again with it, so that nothing is written that says something else.
pub fn id_edit(document: &Document, new: &str) -> Result<Edit, Obstacle> {
    let why = || Obstacle::new(msg!("this header cannot hold the id `{new}`", "这个文件头写不下 id `{new}`"));
    let header = document.header();
    let field = header.id.as_ref().ok_or_else(why)?;
    let written = document.slice(field.span);
    let single = written.starts_with('\'') && !new.contains('\'');
    let texts = [
        single.then(|| format!("'{new}'")),
        written.starts_with('"').then(|| serde_json::Value::from(new).to_string()),
        Some(spelled(new.to_owned())),
        Some(serde_json::Value::from(new).to_string()),
    ];
    let whole = document.slice(Span::new(0, header.body));
    let says_so = |text: &String| {
        let (Some(before), Some(behind)) =
            (whole.get(..field.span.range().start), whole.get(field.span.range().end..))
        else {
            return false;
        };
        let (read, _) = parse_header(&format!("{before}{text}{behind}"), document.profile());
        let same = read.entries.len() == header.entries.len() && read.state == header.state;
        same && read.id.is_some_and(|id| *id.value == *new)
    };
    let text = texts.into_iter().flatten().find(says_so).ok_or_else(why)?;
    Ok(Edit::new(field.span, text))
}

#[cfg(test)]
mod tests;
