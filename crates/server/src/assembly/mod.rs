//! Assembled prompts for the editor: kept from keystroke to keystroke, and who shows one.
//!
//! An answer has a number. A client that asks again names the number of what it has, and gets only the blocks that have changed since.
//! It hears, once for each answer, that this has become outdated; so nobody who shows nothing is ever told anything.

mod answer;
mod show;
pub(crate) mod wire;

pub(crate) use answer::current;
pub(crate) use show::show;

use crate::state::Shared;
use camino::Utf8PathBuf;
use promptblock_core::assemble::{Assembler, Assembly, Environment, Part, Refused, Scene};
use promptblock_core::{FileId, block::Zone};
use promptblock_workspace::ProjectView;
use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tower_lsp::ls_types::notification::Notification;

/// So many projects and environments are kept rendered.
const ASSEMBLERS: usize = 6;
/// So many answers are remembered.
const ANSWERS: usize = 16;

/// What is kept of the assemblies that were asked for.
#[derive(Default)]
pub(crate) struct Assemblies {
    /// The last used at the end.
    assemblers: Mutex<VecDeque<(Key, Arc<Mutex<Assembler>>)>>,
    answers: Mutex<Answers>,
}

/// What a rendered project depends on as a whole.
#[derive(Clone, PartialEq, Eq)]
struct Key {
    root: Utf8PathBuf,
    environment: Option<Arc<str>>,
    examples: bool,
}

#[derive(Default)]
struct Answers {
    last: u64,
    /// The newest at the end.
    kept: VecDeque<Kept>,
}

struct Kept {
    number: u64,
    root: Utf8PathBuf,
    /// Its blocks in sequence, where it had any.
    parts: Arc<[Part]>,
    /// Whether the client is still to hear that it is outdated.
    watched: bool,
    /// Whether it is.
    outdated: bool,
    /// Whether the client has it.
    sent: bool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `promptblock/assemblyChanged`: answers that would be others now.
pub(crate) struct AssemblyChanged;

impl Notification for AssemblyChanged {
    type Params = wire::AssemblyChangedParams;
    const METHOD: &'static str = "promptblock/assemblyChanged";
}

impl Assemblies {
    fn assembler(&self, key: Key) -> Arc<Mutex<Assembler>> {
        let mut all = lock(&self.assemblers);
        let at = all.iter().position(|(other, _)| *other == key);
        let entry = at.and_then(|at| all.remove(at)).unwrap_or_else(|| (key, Arc::default()));
        let assembler = Arc::clone(&entry.1);
        all.push_back(entry);
        if all.len() > ASSEMBLERS {
            all.pop_front();
        }
        assembler
    }

    /// Begins an answer about the project in `root`, in place of the one named `previous`: what changes from here on makes it
    /// outdated.
    pub(crate) fn begin(&self, root: Utf8PathBuf, previous: Option<&str>) -> u64 {
        let mut answers = lock(&self.answers);
        if let Some(before) = previous.and_then(|id| answers.find(id)) {
            before.watched = false;
        }
        answers.last += 1;
        let number = answers.last;
        let kept = Kept { number, root, parts: Arc::default(), watched: true, outdated: false, sent: false };
        answers.kept.push_back(kept);
        answers.make_room(previous);
        number
    }

    /// The blocks of an answer that the client has.
    fn parts(&self, id: &str) -> Option<Arc<[Part]>> {
        lock(&self.answers).find(id).filter(|kept| kept.sent).map(|kept| Arc::clone(&kept.parts))
    }

    /// Keeps what an answer says. Nothing is heard of it any more where the client did not wait for it.
    fn finish(&self, number: u64, parts: Arc<[Part]>) {
        let mut answers = lock(&self.answers);
        if let Some(kept) = answers.kept.iter_mut().find(|kept| kept.number == number) {
            kept.parts = parts;
        }
    }

    /// Whether an answer that is on its way is outdated already.
    pub(crate) fn sent(&self, number: u64) -> bool {
        let mut answers = lock(&self.answers);
        let Some(kept) = answers.kept.iter_mut().find(|kept| kept.number == number) else { return false };
        kept.sent = true;
        std::mem::take(&mut kept.outdated)
    }

    /// Forgets an answer that nobody waits for.
    pub(crate) fn drop(&self, number: u64) {
        lock(&self.answers).kept.retain(|kept| kept.number != number);
    }
}

impl Answers {
    /// Forgets the oldest answer that nobody waits to hear of; one that somebody shows only where there are no others.
    fn make_room(&mut self, previous: Option<&str>) {
        if self.kept.len() <= ANSWERS {
            return;
        }
        let previous = previous.and_then(|id| id.parse().ok());
        let idle = |kept: &Kept| !kept.watched && Some(kept.number) != previous;
        let at = self.kept.iter().position(idle).unwrap_or_default();
        self.kept.remove(at);
    }

    fn find(&mut self, id: &str) -> Option<&mut Kept> {
        let number: u64 = id.parse().ok()?;
        self.kept.iter_mut().find(|kept| kept.number == number)
    }
}

/// Something has changed and was judged again: tells who shows an assembly that depends on it. `all`: everything may be another.
pub(crate) fn after_change(shared: &Shared, files: &[FileId], all: bool) {
    let mut answers = lock(&shared.assemblies.answers);
    if answers.kept.iter().all(|kept| !kept.watched) {
        return;
    }
    let roots: HashSet<Utf8PathBuf> = if all {
        answers.kept.iter().map(|kept| kept.root.clone()).collect()
    } else {
        let root = |file: &FileId| shared.workspace.project_view(&shared.workspace.path(*file)).root;
        files.iter().map(root).collect()
    };
    let mut changed = Vec::new();
    for kept in answers.kept.iter_mut().filter(|kept| kept.watched && roots.contains(&kept.root)) {
        kept.watched = false;
        if kept.sent {
            changed.push(kept.number.to_string());
        } else {
            // The client hears of it behind the answer.
            kept.outdated = true;
        }
    }
    drop(answers);
    if !changed.is_empty() {
        tell(shared, changed);
    }
}

/// Tells the client that answers are outdated.
pub(crate) fn tell(shared: &Shared, result_ids: Vec<String>) {
    shared.outbox.notify::<AssemblyChanged>(&wire::AssemblyChangedParams { result_ids });
}

/// A project assembled in one environment.
pub(crate) struct Assembled {
    pub(crate) scene: Scene,
    pub(crate) assembly: Result<Assembly, Refused>,
}

/// The environment that somebody asks for.
pub(crate) enum Choice {
    /// The project's own.
    Default,
    /// Another one of the project.
    Named(Arc<Environment>),
    /// A name that the project does not have: then there are no values, rather than those of another.
    Unknown,
}

impl Choice {
    fn of(view: &ProjectView, name: Option<&str>) -> Self {
        let Some(name) = name else { return Self::Default };
        view.environments.named(name).map_or(Self::Unknown, |named| Self::Named(Arc::clone(named)))
    }
}

/// Assembles a project. `None` where it is not wanted any more.
pub(crate) fn assemble(
    shared: &Shared,
    view: &ProjectView,
    environment: &Choice,
    examples: bool,
    input: Option<&str>,
    wanted: &dyn Fn() -> bool,
) -> Option<Assembled> {
    let scene = match environment {
        Choice::Default => view.scene(None, examples),
        Choice::Named(environment) => view.scene(Some(environment), examples),
        Choice::Unknown => view.bare_scene(examples),
    };
    let name = scene.environment.as_ref().map(|environment| Arc::clone(&environment.name));
    let key = Key { root: view.root.clone(), environment: name, examples };
    let assembler = shared.assemblies.assembler(key);
    let mut assembler = lock(&assembler);
    // Whoever waited for the one before may have given up meanwhile.
    if !wanted() {
        return None;
    }
    let assembly = shared.workspace.assemble(view, &mut assembler, &scene, input);
    Some(Assembled { scene, assembly })
}

/// Whether a block of an earlier answer says the same as one of now.
fn is_same(old: &Part, new: &Part) -> bool {
    let same_text = || {
        // Neither is kept from one assembly to the next: the input runs through the one, the other stands in no file.
        (new.zone == Zone::Input || new.file.is_none()) && old.content.rendered == new.content.rendered
    };
    (old.file, &old.id, old.zone, old.role) == (new.file, &new.id, new.zone, new.role)
        && old.order.to_bits() == new.order.to_bits()
        && (Arc::ptr_eq(&old.content, &new.content) || same_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(assemblies: &Assemblies) -> Vec<u64> {
        lock(&assemblies.answers).kept.iter().map(|kept| kept.number).collect()
    }

    #[test]
    fn an_answer_that_is_shown_is_not_forgotten_for_others_that_come_and_go() {
        let assemblies = Assemblies::default();
        let shown = assemblies.begin("/a".into(), None);
        assemblies.sent(shown);
        let mut last = None;
        for _ in 0..100 {
            let number = assemblies.begin("/b".into(), last.as_deref());
            assemblies.sent(number);
            last = Some(number.to_string());
        }
        let kept = numbers(&assemblies);
        assert_eq!((kept.len(), kept.contains(&shown)), (ANSWERS, true));
        assert!(assemblies.parts(&shown.to_string()).is_some());
        assert!(assemblies.parts("2").is_none(), "the first of the others is");
    }

    #[test]
    fn there_are_never_more_than_so_many() {
        let assemblies = Assemblies::default();
        for _ in 0..100 {
            assemblies.begin("/a".into(), None);
        }
        assert_eq!(numbers(&assemblies), (101 - ANSWERS as u64..=100).collect::<Vec<_>>());
        assemblies.drop(100);
        assert_eq!(numbers(&assemblies).len(), ANSWERS - 1);
        for id in ["", "x", "-1", "99999999999999999999999"] {
            assert!(assemblies.parts(id).is_none());
        }
    }
}
