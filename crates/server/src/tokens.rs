//! The tokens that clients have, so that the next answer need only say what has changed.

use camino::{Utf8Path, Utf8PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tower_lsp::ls_types::{SemanticToken, SemanticTokensEdit};

/// So many documents at most are remembered, the last asked for.
const DOCUMENTS: usize = 64;
/// And so many tokens in all of them: 10 MB.
const TOKENS: usize = 500_000;
/// Numbers that make up a token on the wire.
const NUMBERS: usize = 5;

/// The last answer for each document. One that is forgotten is answered whole.
#[derive(Debug, Default)]
pub(crate) struct Kept(Mutex<Answers>);

#[derive(Debug, Default)]
struct Answers {
    last: u64,
    /// The one asked for last stands last.
    all: Vec<Answer>,
}

#[derive(Debug)]
struct Answer {
    path: Utf8PathBuf,
    id: u64,
    tokens: Arc<[SemanticToken]>,
}

impl Kept {
    fn lock(&self) -> MutexGuard<'_, Answers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Remembers the answer for a document, in place of the one before. Gives its id.
    pub(crate) fn keep(&self, path: &Utf8Path, tokens: Arc<[SemanticToken]>) -> String {
        let mut answers = self.lock();
        answers.last += 1;
        let id = answers.last;
        answers.all.retain(|answer| answer.path != path);
        answers.all.push(Answer { path: path.to_owned(), id, tokens });
        let mut left = TOKENS;
        let fitting = answers.all.iter().rev().take(DOCUMENTS).take_while(|answer| {
            let fits = answer.tokens.len() <= left;
            left = left.saturating_sub(answer.tokens.len());
            fits
        });
        let gone = answers.all.len() - fitting.count();
        answers.all.drain(..gone);
        id.to_string()
    }

    /// The tokens of the answer with that id, if it is remembered.
    pub(crate) fn tokens(&self, path: &Utf8Path, id: &str) -> Option<Arc<[SemanticToken]>> {
        let answers = self.lock();
        let known = answers.all.iter().find(|answer| answer.path == path)?;
        (known.id.to_string() == id).then(|| Arc::clone(&known.tokens))
    }

    /// Forgets a document.
    pub(crate) fn forget(&self, path: &Utf8Path) {
        self.lock().all.retain(|answer| answer.path != path);
    }
}

/// What makes `new` of `old`: nothing, or one edit of what lies between their common beginning and their common end.
pub(crate) fn edits(old: &[SemanticToken], new: &[SemanticToken]) -> Vec<SemanticTokensEdit> {
    let same = |pairs: &mut dyn Iterator<Item = (&SemanticToken, &SemanticToken)>| {
        pairs.take_while(|(old, new)| old == new).count()
    };
    let before = same(&mut old.iter().zip(new));
    if before == old.len() && before == new.len() {
        return Vec::new();
    }
    let (old, new) = (&old[before..], &new[before..]);
    let behind = same(&mut old.iter().rev().zip(new.iter().rev()));
    let numbers = |tokens: usize| promptblock_core::span::offset(tokens * NUMBERS);
    let between = &new[..new.len() - behind];
    vec![SemanticTokensEdit {
        start: numbers(before),
        delete_count: numbers(old.len() - behind),
        data: (!between.is_empty()).then(|| between.to_vec()),
    }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn token(length: u32) -> SemanticToken {
        SemanticToken { delta_line: 0, delta_start: 1, length, token_type: 0, token_modifiers_bitset: 0 }
    }

    fn tokens(lengths: &[u32]) -> Arc<[SemanticToken]> {
        lengths.iter().copied().map(token).collect()
    }

    proptest! {
        #[test]
        fn edits_give_the_new_ones(
            old in prop::collection::vec(0_u32..3, 0..12),
            new in prop::collection::vec(0_u32..3, 0..12),
        ) {
            let (old, new) = (tokens(&old), tokens(&new));
            let edits = edits(&old, &new);
            prop_assert_eq!(edits.is_empty(), old == new);
            let mut made = old.to_vec();
            for edit in edits {
                prop_assert!(edit.start % 5 == 0 && edit.delete_count % 5 == 0);
                let (start, count) = (edit.start as usize / 5, edit.delete_count as usize / 5);
                made.splice(start..start + count, edit.data.unwrap_or_default());
            }
            prop_assert_eq!(made, new.to_vec());
        }
    }

    #[test]
    fn an_edit_holds_only_what_changed() {
        let edit = &edits(&tokens(&[1, 2, 2, 3]), &tokens(&[1, 2, 9, 2, 3]))[0];
        assert_eq!((edit.start, edit.delete_count), (10, 0));
        assert_eq!(edit.data.as_deref(), Some(&[token(9)][..]));
        let edit = &edits(&tokens(&[1, 1]), &tokens(&[1]))[0];
        assert_eq!((edit.start, edit.delete_count, &edit.data), (5, 5, &None));
    }

    #[test]
    fn the_last_answer_alone_is_remembered() {
        let kept = Kept::default();
        let (a, b) = (Utf8Path::new("/a"), Utf8Path::new("/b"));
        let first = kept.keep(a, tokens(&[1]));
        assert_eq!(kept.tokens(a, &first).as_deref(), Some(&*tokens(&[1])));
        assert_eq!(kept.tokens(b, &first), None, "of another document");
        let second = kept.keep(a, tokens(&[2]));
        assert_eq!(kept.tokens(a, &first), None);
        kept.forget(a);
        assert_eq!(kept.tokens(a, &second), None);
    }

    #[test]
    fn memory_is_bounded() {
        let kept = Kept::default();
        let path = |n: usize| Utf8PathBuf::from(format!("/{n}"));
        let ids: Vec<String> = (0..DOCUMENTS + 1).map(|n| kept.keep(&path(n), tokens(&[1]))).collect();
        assert_eq!(kept.tokens(&path(0), &ids[0]), None);
        assert!(kept.tokens(&path(1), &ids[1]).is_some());
        let many: Arc<[SemanticToken]> = vec![token(1); TOKENS].into();
        let id = kept.keep(&path(1), many);
        assert!(kept.tokens(&path(1), &id).is_some());
        assert_eq!(kept.tokens(&path(2), &ids[2]), None, "no room for others");
        let more: Arc<[SemanticToken]> = vec![token(1); TOKENS + 1].into();
        let id = kept.keep(&path(3), more);
        assert_eq!(kept.tokens(&path(3), &id), None, "too many to remember");
        assert!(kept.lock().all.is_empty());
    }
}
