//! Pairing of control tags: `{if}` with its branches and `{/if}`, in a chunk and across chunks.
//!
//! A closer closes the nearest open tag of its own kind; what stands open in between is left unclosed. With none of its kind
//! open it is unexpected. A chunk pairs by itself what no earlier chunk can change, and hands on the rest as [`Op`]s.

use super::token::{Control, Malformed, Token, TokenKind};
use rustc_hash::FxHashMap;
use std::sync::{Arc, OnceLock};

/// A tag that stands open.
#[derive(Clone, Debug)]
pub(crate) struct Open<R> {
    pub(crate) control: Control,
    /// A malformed opener pairs like a sound one, but gives no further diagnostics.
    pub(crate) malformed: bool,
    pub(crate) else_seen: bool,
    /// The opener, as the caller names it.
    pub(crate) tag: R,
    pub(crate) branches: Vec<R>,
}

/// The tags that stand open, the outermost first.
#[derive(Clone, Debug)]
pub(crate) struct OpenTags<R> {
    pub(crate) stack: Vec<Open<R>>,
    /// How many of each kind stand open, so that a closer of another kind does not search all of them.
    counts: [usize; Control::ALL.len()],
}

impl<R> Default for OpenTags<R> {
    fn default() -> Self {
        Self { stack: Vec::new(), counts: Default::default() }
    }
}

/// What became of an `{else}` or `{elseif}`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Branching {
    /// It belongs to the innermost open tag.
    Taken,
    /// No `{if}` is innermost, or its `{else}` came before.
    Unexpected,
    /// Nothing is open here.
    NoneOpen,
}

impl<R> OpenTags<R> {
    /// The `{else}` of the innermost open `{if}`.
    fn taken_else(&self) -> Option<&R> {
        let open = self.stack.last().filter(|open| open.control == Control::If && open.else_seen)?;
        open.branches.last()
    }

    pub(crate) fn open(&mut self, control: Control, malformed: bool, tag: R) {
        self.counts[control as usize] += 1;
        self.stack.push(Open { control, malformed, else_seen: false, tag, branches: Vec::new() });
    }

    /// Closes the nearest open tag of that kind. Gives it and, outermost first, what stood open inside it.
    pub(crate) fn close(&mut self, control: Control) -> Option<(Open<R>, Vec<Open<R>>)> {
        if self.counts[control as usize] == 0 {
            return None;
        }
        let at = self.stack.iter().rposition(|open| open.control == control)?;
        let inner = self.stack.split_off(at + 1);
        let open = self.stack.pop()?;
        for closed in inner.iter().chain([&open]) {
            self.counts[closed.control as usize] -= 1;
        }
        Some((open, inner))
    }

    /// Takes out whatever stands open, the outermost first.
    pub(crate) fn take(&mut self) -> Vec<Open<R>> {
        self.counts = Default::default();
        std::mem::take(&mut self.stack)
    }

    pub(crate) fn branch(&mut self, is_else: bool, tag: R) -> Branching {
        match self.stack.last_mut() {
            None => Branching::NoneOpen,
            Some(open) if open.control != Control::If || (open.else_seen && !open.malformed) => {
                Branching::Unexpected
            }
            Some(open) => {
                open.else_seen |= is_else;
                open.branches.push(tag);
                Branching::Taken
            }
        }
    }
}

/// A tag with its branches and its closer; tags are indices of tokens in one chunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Pair {
    pub(crate) opener: u32,
    pub(crate) branches: Vec<u32>,
    /// `None` where an outer closer came first.
    pub(crate) closer: Option<u32>,
    /// That outer closer.
    pub(crate) cut_by: Option<u32>,
    pub(crate) malformed: bool,
}

/// What a chunk could not decide alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    Open {
        control: Control,
        malformed: bool,
        else_seen: bool,
        tag: u32,
        branches: Vec<u32>,
        binding: Option<Arc<str>>,
    },
    Close {
        control: Control,
        malformed: bool,
        tag: u32,
    },
    Branch {
        is_else: bool,
        tag: u32,
    },
}

/// The pairing within one chunk.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct LocalControl {
    pub(crate) pairs: Vec<Pair>,
    /// Each with the `{else}` that it stands behind, if that is why.
    pub(crate) unexpected: Vec<(u32, Option<u32>)>,
    pub(crate) ops: Vec<Op>,
}

impl LocalControl {
    /// Pairs the live control tags of a chunk. `binding` names the loop variable of an opener.
    pub(crate) fn of<'t>(
        live: impl Iterator<Item = (u32, &'t Token)>,
        binding: impl Fn(&'t Token) -> Option<Arc<str>>,
    ) -> Self {
        let mut local = Self::default();
        let mut open: OpenTags<(u32, Option<Arc<str>>)> = OpenTags::default();
        for (index, token) in live {
            match token.kind {
                TokenKind::Opener(control) => open.open(control, false, (index, binding(token))),
                TokenKind::Malformed(Malformed::Opener(control)) => {
                    open.open(control, true, (index, binding(token)))
                }
                TokenKind::Closer(control) | TokenKind::Malformed(Malformed::Closer(control)) => {
                    let malformed = !matches!(token.kind, TokenKind::Closer(_));
                    match open.close(control) {
                        Some((outer, inner)) => local.closed(outer, inner, index),
                        None => {
                            // Whether this closes anything depends on earlier chunks, and with it what becomes of the tags
                            // that stand open here: hand on all of it, in order.
                            local.hand_on(&mut open);
                            local.ops.push(Op::Close { control, malformed, tag: index });
                        }
                    }
                }
                TokenKind::Else | TokenKind::ElseIf => {
                    let is_else = token.kind == TokenKind::Else;
                    match open.branch(is_else, (index, None)) {
                        Branching::Taken => {}
                        Branching::Unexpected => {
                            let behind = open.taken_else().map(|(index, _)| *index);
                            local.unexpected.push((index, behind));
                        }
                        Branching::NoneOpen => local.ops.push(Op::Branch { is_else, tag: index }),
                    }
                }
                _ => {}
            }
        }
        local.hand_on(&mut open);
        local
    }

    fn closed(
        &mut self,
        outer: Open<(u32, Option<Arc<str>>)>,
        inner: Vec<Open<(u32, Option<Arc<str>>)>>,
        closer: u32,
    ) {
        let pair = |open: Open<(u32, Option<Arc<str>>)>, closer, cut_by| Pair {
            opener: open.tag.0,
            branches: open.branches.into_iter().map(|(index, _)| index).collect(),
            closer,
            cut_by,
            malformed: open.malformed,
        };
        self.pairs.push(pair(outer, Some(closer), None));
        self.pairs.extend(inner.into_iter().map(|open| pair(open, None, Some(closer))));
    }

    fn hand_on(&mut self, open: &mut OpenTags<(u32, Option<Arc<str>>)>) {
        self.ops.extend(open.take().into_iter().map(|open| Op::Open {
            control: open.control,
            malformed: open.malformed,
            else_seen: open.else_seen,
            tag: open.tag.0,
            branches: open.branches.into_iter().map(|(index, _)| index).collect(),
            binding: open.tag.1,
        }));
    }
}

/// A token anywhere in the body: chunk and index within it. They compare by their places.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenRef {
    pub(crate) chunk: u32,
    pub(crate) index: u32,
}

/// A tag with its branches and closer, across chunks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TagPair {
    /// The opener.
    pub opener: TokenRef,
    /// Its `{elseif}`s and `{else}`.
    pub branches: Vec<TokenRef>,
    /// Its closer; `None` where an outer closer or the end came first.
    pub closer: Option<TokenRef>,
    /// That outer closer.
    pub cut_by: Option<TokenRef>,
    /// Whether the opener is malformed.
    pub malformed: bool,
}

/// The tags that stand open where a chunk begins, innermost first; shared between chunks.
#[derive(Debug)]
pub(crate) struct Scope {
    pub(crate) control: Control,
    pub(crate) tag: TokenRef,
    pub(crate) binding: Option<Arc<str>>,
    pub(crate) outer: Option<Arc<Scope>>,
    /// Of the constructs and loop variables from here outwards.
    structure: u64,
    /// Of the loop variables alone.
    bindings: u64,
}

impl Scope {
    fn new(control: Control, tag: TokenRef, binding: Option<Arc<str>>, outer: Option<Arc<Self>>) -> Self {
        let (structure, bindings) = outer.as_ref().map_or((0, 0), |outer| (outer.structure, outer.bindings));
        // The hasher does not feel a zero, and the first construct is one.
        let structure = hash(structure, &(1_u8, control, &binding));
        let bindings = binding.as_ref().map_or(bindings, |binding| hash(bindings, binding));
        Self { control, tag, binding, outer, structure, bindings }
    }

    /// Two scopes with one signature give a chunk the same verdict; `with_structure` where tags of the chunk pair with tags of
    /// others.
    pub(crate) fn signature(scope: Option<&Arc<Self>>, with_structure: bool) -> u64 {
        scope.map_or(0, |scope| if with_structure { scope.structure } else { scope.bindings })
    }
}

fn hash(before: u64, value: &impl std::hash::Hash) -> u64 {
    use std::hash::Hasher;
    let mut hasher = rustc_hash::FxHasher::default();
    hasher.write_u64(before);
    value.hash(&mut hasher);
    hasher.finish()
}

impl Drop for Scope {
    /// A hostile text may nest a million deep: unlink one by one, not by recursion.
    fn drop(&mut self) {
        let mut next = self.outer.take();
        while let Some(scope) = next {
            next = Arc::into_inner(scope).and_then(|mut scope| scope.outer.take());
        }
    }
}

/// What the chunks could only decide together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structure {
    pub(crate) pairs: Vec<TagPair>,
    /// Each with the `{else}` that it stands behind, if that is why.
    pub(crate) unexpected: Vec<(TokenRef, Option<TokenRef>)>,
    /// So many of the last pairs are open until the end.
    pub(crate) open_at_end: usize,
    /// For each chunk the scope at its start; empty where no tag crosses any border.
    pub(crate) entry: Vec<Option<Arc<Scope>>>,
    /// The pair of each tag, once somebody has asked for one.
    by_tag: OnceLock<FxHashMap<TokenRef, u32>>,
    /// Whether any of the pairs was cut by an outer closer, once somebody has asked.
    has_cut: OnceLock<bool>,
}

impl Structure {
    /// The pair that a tag belongs to.
    pub(crate) fn pair_of(&self, tag: TokenRef) -> Option<&TagPair> {
        let by_tag = self.by_tag.get_or_init(|| {
            let pairs = (0..).zip(&self.pairs);
            pairs.flat_map(|(number, pair)| pair.tags().map(move |tag| (tag, number))).collect()
        });
        self.pairs.get(*by_tag.get(&tag)? as usize)
    }

    /// Whether any of the pairs was cut by an outer closer.
    pub(crate) fn has_cut(&self) -> bool {
        *self.has_cut.get_or_init(|| self.pairs.iter().any(|pair| pair.cut_by.is_some()))
    }

    /// Runs through what the chunks handed on, in order.
    pub(crate) fn of<'o>(chunks: impl Iterator<Item = &'o [Op]>) -> Self {
        type Tag = (TokenRef, Option<Arc<Scope>>);
        let mut out = Self::default();
        let mut open: OpenTags<Tag> = OpenTags::default();
        let pair = |open: Open<Tag>, closer, cut_by| TagPair {
            opener: open.tag.0,
            branches: open.branches.into_iter().map(|(tag, _)| tag).collect(),
            closer,
            cut_by,
            malformed: open.malformed,
        };
        for (chunk, ops) in (0_u32..).zip(chunks) {
            let here = |index: u32| TokenRef { chunk, index };
            let scope = |open: &OpenTags<Tag>| open.stack.last().and_then(|open| open.tag.1.clone());
            out.entry.push(scope(&open));
            for op in ops {
                match op {
                    Op::Open { control, malformed, else_seen, tag, branches, binding } => {
                        let scope = Scope::new(*control, here(*tag), binding.clone(), scope(&open));
                        open.open(*control, *malformed, (here(*tag), Some(Arc::new(scope))));
                        if let Some(last) = open.stack.last_mut() {
                            last.else_seen = *else_seen;
                            last.branches = branches.iter().map(|index| (here(*index), None)).collect();
                        }
                    }
                    Op::Close { control, malformed, tag } => match open.close(*control) {
                        Some((outer, inner)) => {
                            out.pairs.push(pair(outer, Some(here(*tag)), None));
                            out.pairs
                                .extend(inner.into_iter().map(|open| pair(open, None, Some(here(*tag)))));
                        }
                        // A malformed closer has its own diagnostic, and one is enough.
                        None if *malformed => {}
                        None => out.unexpected.push((here(*tag), None)),
                    },
                    Op::Branch { is_else, tag } => {
                        if open.branch(*is_else, (here(*tag), None)) != Branching::Taken {
                            let behind = open.taken_else().map(|(tag, _)| *tag);
                            out.unexpected.push((here(*tag), behind));
                        }
                    }
                }
            }
        }
        let open = open.take();
        out.open_at_end = open.len();
        out.pairs.extend(open.into_iter().map(|open| pair(open, None, None)));
        out
    }
}
