//! How well a name fits what somebody types.

/// How well a name fits what is typed, the best first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Match {
    Prefix,
    Part,
    Scattered,
}

/// Whether all that is typed stands in the name in that order, as editors filter; `typed` is in lower case.
pub(super) fn matches(name: &str, typed: &str) -> Option<Match> {
    if typed.is_empty() {
        return Some(Match::Prefix);
    }
    let name = name.to_lowercase();
    if name.starts_with(typed) {
        return Some(Match::Prefix);
    }
    if name.contains(typed) {
        return Some(Match::Part);
    }
    let mut rest = name.chars();
    typed.chars().all(|c| rest.any(|other| other == c)).then_some(Match::Scattered)
}
