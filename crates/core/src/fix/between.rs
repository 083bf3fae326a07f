//! The edits that make one text of another.

use super::Edit;
use crate::span::Span;

/// Edits that turn `before` into `after`: line by line where both have as many, so that what lies between stays untouched,
/// else one.
pub fn between(before: &str, after: &str) -> Vec<Edit> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    if old.len() != new.len() {
        return differing(0, before, after).into_iter().collect();
    }
    let mut start = 0;
    let edits = old.into_iter().zip(new).filter_map(|(old, new)| {
        let edit = differing(start, old, new);
        start += old.len();
        edit
    });
    edits.collect()
}

/// The piece in which two texts differ; `start` is where the first one begins.
fn differing(start: usize, old: &str, new: &str) -> Option<Edit> {
    if old == new {
        return None;
    }
    let same = |(a, b): &(char, char)| a == b;
    let prefix: usize = old.chars().zip(new.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (old, new) = (&old[prefix..], &new[prefix..]);
    let suffix: usize =
        old.chars().rev().zip(new.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let span = Span::of(start + prefix..start + prefix + old.len() - suffix);
    Some(Edit::new(span, &new[..new.len() - suffix]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn give_the_other_text(before in "[ab\\n名🎉]{0,12}", after in "[ab\\n名🎉]{0,12}") {
            let mut text = before.clone();
            for edit in between(&before, &after).iter().rev() {
                text.replace_range(edit.span.range(), &edit.text);
            }
            prop_assert_eq!(text, after);
        }
    }

    #[test]
    fn leave_what_is_the_same() {
        let edits = between("a{}\nsame\n名x\n", "a{{}}\nsame\n名y\n");
        let shown: Vec<_> = edits.iter().map(|edit| (edit.span, &*edit.text)).collect();
        assert_eq!(shown, [(Span::new(2, 2), "{}"), (Span::new(12, 13), "y")]);
        assert!(between("a\r\n", "a\r\n").is_empty());
    }
}
