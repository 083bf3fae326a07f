//! The known name that a misspelt one most likely means.

use crate::diagnostic::Remedy;
use crate::message::Message;

/// Longer names get no suggestion: the distance costs the product of the lengths, and nobody misspells a page.
const LONGEST: usize = 64;

/// How many are worth offering.
const MOST: usize = 3;

/// The known names near a misspelt one, the nearest first.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Nearest<'a>(Vec<(usize, &'a str)>);

/// The candidates near to `name`, with swapped neighbours counted as one edit; those equally near by name.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Nearest<'a> {
    let length = name.chars().take(LONGEST + 1).count();
    if length > LONGEST {
        return Nearest::default();
    }
    let most = match length {
        0..=4 => 1,
        5..=8 => 2,
        _ => length / 3,
    };
    let mut found: Vec<(usize, &str)> = candidates
        .into_iter()
        .filter_map(|candidate| {
            let other = candidate.chars().take(LONGEST + 1).count();
            if candidate == name || other > LONGEST {
                return None;
            }
            // Upper and lower case confused is near however many letters it concerns, and so is a name cut short.
            let cut_short = length >= 3 && candidate.starts_with(name);
            if cut_short || candidate.eq_ignore_ascii_case(name) {
                return Some((strsim::osa_distance(name, candidate), candidate));
            }
            if length.abs_diff(other) > most {
                return None;
            }
            let distance = strsim::osa_distance(name, candidate);
            // Where every character differs nothing is left of the name that was written.
            (distance <= most && distance < length.max(other)).then_some((distance, candidate))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST.max(found.iter().take_while(|(distance, _)| *distance == 1).count()));
    Nearest(found)
}

impl<'a> Nearest<'a> {
    /// The one to name in a message.
    pub fn best(&self) -> Option<&'a str> {
        self.0.first().map(|(_, name)| *name)
    }

    /// All of them, the nearest first.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.0.iter().map(|(_, name)| *name)
    }

    /// The one that was plainly meant: the only one at edit distance 1.
    pub fn plain(&self) -> Option<&'a str> {
        match self.0.as_slice() {
            [(1, name)] | [(1, name), (2.., _), ..] => Some(name),
            _ => None,
        }
    }

    /// Offers them in place of the range, never as an automatic fix.
    pub fn suggest(&self) -> Remedy {
        self.replace(false, |name| name.into())
    }

    /// Offers them in place of a key or closer: automatically, where one was plainly meant.
    pub fn correct(&self) -> Remedy {
        self.replace(self.plain().is_some(), |name| name.into())
    }

    /// Offers them as `spell` writes them, e.g. with quotes.
    pub fn replace(&self, safe: bool, spell: impl Fn(&str) -> std::sync::Arc<str>) -> Remedy {
        if self.0.is_empty() {
            return Remedy::None;
        }
        Remedy::Replace { with: self.names().take(MOST).map(spell).collect(), safe }
    }

    /// ``; did you mean `x`?`` to put behind a message, empty where nothing is near.
    pub fn question(&self) -> Message {
        match self.best() {
            Some(name) => crate::msg!("; did you mean `{name}`?", "；是不是 `{name}`？"),
            None => Message::new("", ""),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: [&str; 6] = ["id", "zone", "order", "role", "template", "description"];

    fn names(name: &str) -> Vec<&str> {
        nearest(name, KEYS).names().collect()
    }

    #[test]
    fn near_and_far() {
        assert_eq!(names("descripton"), ["description"]);
        assert_eq!(names("odrer"), ["order"]);
        assert_eq!(names("ID"), ["id"]);
        assert_eq!(names("TEMPLATE"), ["template"]);
        assert_eq!(names("rone"), ["role", "zone"], "equally near, by name");
        assert!(names("zone").is_empty(), "the name itself is no suggestion");
        assert_eq!(names("desc"), ["description"]);
        assert!(names("x").is_empty() && names("").is_empty() && names("wholly other").is_empty());
        assert!(names(&"d".repeat(1 << 20)).is_empty());
    }

    #[test]
    fn characters_not_bytes() {
        let known = ["角色名", "天气", "时间"];
        assert_eq!(nearest("角色明", known).best(), Some("角色名"));
        assert_eq!(nearest("用户", known).best(), None, "no character in common");
        assert_eq!(nearest("时", known).best(), Some("时间"));
    }

    #[test]
    fn only_one_at_distance_one_is_plain() {
        assert_eq!(nearest("descripton", KEYS).plain(), Some("description"));
        assert_eq!(nearest("rone", KEYS).plain(), None);
        assert_eq!(nearest("descrpton", KEYS).plain(), None, "two edits");
        assert_eq!(nearest("ID", KEYS).plain(), None, "two edits");
        assert_eq!(nearest("aab", ["aaa", "aabb", "aac"]).plain(), None);
        assert!(matches!(nearest("zonee", KEYS).correct(), Remedy::Replace { safe: true, .. }));
        assert!(matches!(nearest("zonee", KEYS).suggest(), Remedy::Replace { safe: false, .. }));
        assert_eq!(nearest("q", KEYS).correct(), Remedy::None);
    }
}
