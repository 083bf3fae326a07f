//! From an assembly to the answer of `promptblock/assembly`.

use super::wire::{
    AssemblyAnswer, AssemblyParams, Block, BlockOrKept, Budget, Changed, Computed, Finding, Limit, Message,
    Piece, Section, Tokens, Usage, WithoutPin,
};
use super::{Assembled, Choice, assemble, is_same};
use crate::convert::Lines;
use crate::diagnostics::convert;
use crate::judge;
use crate::state::Shared;
use camino::Utf8Path;
use promptblock_core::assemble::{
    self as core, Assembly, Part, PieceKind, Refused, Vocabulary, Zones, outline, spell,
};
use promptblock_core::block::{Header, Zone};
use promptblock_core::lint::{across, finish};
use promptblock_core::profile::UsageClass;
use promptblock_core::project::BlockFacts;
use promptblock_core::source::Cooked;
use promptblock_core::span::Span;
use promptblock_core::{Diagnostic, FileId};
use promptblock_workspace::{FileFindings, ProjectView};
use ropey::Rope;
use rustc_hash::FxHashMap;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use tower_lsp::ls_types::Range;

/// So much text of one block is sent; it is counted whole.
const MOST_TEXT: usize = 1 << 20;
/// So many pieces of one block are sent.
const MOST_PIECES: usize = 20_000;
/// So many findings are sent.
const MOST_FINDINGS: usize = 100;

/// The answer to a question about the project of `path` and its number: of one version of every document, when the folders have been
/// read. `None` where it is not wanted any more.
pub(crate) fn current(
    shared: &Shared,
    path: &Utf8Path,
    params: &AssemblyParams,
    wanted: &dyn Fn() -> bool,
) -> Option<(u64, AssemblyAnswer)> {
    judge::wait_for_load(shared, wanted);
    let mut begun = None;
    let answer = judge::settled(shared, wanted, || {
        // One that was begun before and is of two versions.
        begun.take().into_iter().for_each(|number| shared.assemblies.drop(number));
        let root = shared.workspace.project_view(path).root;
        let number = *begun.insert(shared.assemblies.begin(root, params.previous_result_id.as_deref()));
        Some((number, answer(shared, path, params, number, wanted)?))
    });
    if answer.is_none() {
        begun.into_iter().for_each(|number| shared.assemblies.drop(number));
    }
    answer
}

fn answer(
    shared: &Shared,
    path: &Utf8Path,
    params: &AssemblyParams,
    number: u64,
    wanted: &dyn Fn() -> bool,
) -> Option<AssemblyAnswer> {
    let view = shared.workspace.project_view(path);
    let (first, then) =
        (Choice::of(&view, params.environment.as_deref()), Choice::of(&view, params.then.as_deref()));
    let run = |environment: &Choice| {
        assemble(shared, &view, environment, params.examples, params.input.as_deref(), wanted)
    };
    let before = run(&first)?;
    let after = match &then {
        Choice::Named(_) => Some(run(&then)?),
        Choice::Default | Choice::Unknown => None,
    };
    let vocabulary = Vocabulary::from_name(&view.config.vocabulary).unwrap_or_default();
    let name = |assembled: &Assembled| Some(assembled.scene.environment.as_ref()?.name.to_string());
    let mut answer = AssemblyAnswer {
        result_id: number.to_string(),
        project: shared.workspace.is_in_project(path).then(|| shared.uri(&view.root)).flatten(),
        profile: view.judge.profile.name.clone(),
        vocabulary: vocabulary.name(),
        environment: name(&before),
        then: after.as_ref().and_then(name),
        environments: view.environments.0.iter().map(|it| it.name.to_string()).collect(),
        ..AssemblyAnswer::default()
    };
    let mut parts: Arc<[Part]> = Arc::default();
    match pinned(&view, before, after, vocabulary, &mut answer) {
        Err(refused) => {
            answer.refused = true;
            // As they are: what refuses an assembly does so whatever the project says of its severity.
            answer.findings = findings(shared, &view, &refused, |_, found| found);
        }
        Ok(assembly) => {
            answer.findings = findings(shared, &view, &assembly.findings, |header, found| {
                finish(&view.judge, header, found)
            });
            answer.digest = Some(assembly.digest());
            let zones = assembly.tokens(vocabulary);
            answer.tokens = Some(Tokens {
                system: zones.system,
                prelude: zones.prelude,
                contexts: zones.contexts,
                input: zones.input,
                tools: assembly.tools().map(|_| zones.tools),
                prefix: assembly.stable_tokens(vocabulary),
            });
            let locale = shared.locale(&view);
            let usage = |(class, tokens): (&UsageClass, u64)| Usage {
                class: class.key.to_string(),
                name: class.title().text(locale).to_owned(),
                tokens,
            };
            answer.usage = Some(assembly.usage(vocabulary).into_iter().map(usage).collect());
            answer.budget = budget(&view, &zones);
            answer.computed = computed(shared, &view);
            answer.absent = absent(&view, shared.workspace.file(path), &assembly);
            if !params.summary && wanted() {
                parts = assembly.parts().cloned().collect();
                let known = params.previous_result_id.as_deref();
                let known = known.and_then(|id| shared.assemblies.parts(id)).unwrap_or_default();
                answer.blocks = Some(blocks(shared, &known, &parts, vocabulary));
                answer.messages = Some(messages(&assembly, vocabulary));
            }
        }
    }
    shared.assemblies.finish(number, parts);
    wanted().then_some(answer)
}

/// The assembly to show: the second one with the system zone of the first, where there are two.
fn pinned(
    view: &ProjectView,
    before: Assembled,
    after: Option<Assembled>,
    vocabulary: Vocabulary,
    answer: &mut AssemblyAnswer,
) -> Result<Assembly, Refused> {
    let first = before.assembly?;
    let Some(after) = after else { return Ok(first) };
    let then = after.assembly?;
    let changes = core::changes(&first, &before.scene, &after.scene);
    let impact = core::impact(&first, &then, vocabulary);
    answer.without_pin = Some(WithoutPin {
        first_changed: impact.first_changed.as_deref().map(str::to_owned),
        survives: impact.survives,
        recomputed: impact.recomputed,
    });
    let shown = |value: &Option<Value>| value.as_ref().map(|value| spell(value).into_owned());
    let changed = |change: &core::Change| Changed {
        name: change.name.to_string(),
        before: shown(&change.before),
        after: shown(&change.after),
    };
    answer.changed = Some(changes.iter().map(changed).collect());
    // The note is part of the prompt: it goes by the project's language, not by that of whoever looks at it.
    Ok(core::pin(&first, then, &changes, view.config.locale.unwrap_or_default()))
}

fn budget(view: &ProjectView, zones: &Zones) -> Option<Budget> {
    let config = &view.config;
    // What the diagnostics say shows here, and what is sent may exceed it besides.
    let crossed = across::over_budget(&view.index, config);
    let said = |zone| {
        let header = |file: &FileId| view.index.block(*file).and_then(|facts| facts.header.zone());
        crossed.iter().any(|(file, _)| header(file) == Some(zone))
    };
    let limit = |most: Option<u64>, zone, tokens: u64| {
        most.map(|most| Limit { tokens: most, over: tokens > most || said(zone) })
    };
    let budget = Budget {
        system: limit(config.budget_system, Zone::System, zones.system_zone()),
        context: limit(config.budget_context, Zone::Context, zones.contexts),
    };
    (budget.system.is_some() || budget.context.is_some()).then_some(budget)
}

fn computed(shared: &Shared, view: &ProjectView) -> Vec<Computed> {
    let convert = |(file, facts): (FileId, &BlockFacts)| {
        let (path, text, version) = shared.text(file);
        let header = &facts.header;
        Computed {
            id: header.id().map(|id| id.to_string()),
            zone: header.zone().map_or("", |zone| zone.name()),
            uri: shared.uri(&path),
            range: shared.lines(&text, version).range(header.opening),
        }
    };
    view.index.computed().take(MOST_FINDINGS).map(convert).collect()
}

/// Why a block is no part of the assembly.
fn absent(view: &ProjectView, file: FileId, assembly: &Assembly) -> Option<&'static str> {
    let facts = view.index.block(file)?;
    if assembly.parts().any(|part| part.file == Some(file)) {
        return None;
    }
    let zone = facts.header.zone();
    let exclusive = view.index.blocks().any(|(_, facts)| facts.header.is_complete());
    Some(match zone {
        None => "zone",
        Some(Zone::System) if exclusive && !facts.header.is_complete() => "replaced",
        Some(_) => "blank",
    })
}

fn findings(
    shared: &Shared,
    view: &ProjectView,
    found: &[(FileId, Diagnostic)],
    finish: impl Fn(&Header, Vec<Diagnostic>) -> Vec<Diagnostic>,
) -> Vec<Finding> {
    let mut by_file: BTreeMap<FileId, Vec<Diagnostic>> = BTreeMap::new();
    for (file, finding) in found {
        by_file.entry(*file).or_default().push(finding.clone());
    }
    let mut all = Vec::new();
    for (file, found) in by_file {
        if all.len() >= MOST_FINDINGS {
            break;
        }
        let (path, text, version) = shared.text(file);
        let header = view.index.block(file).map(|facts| Arc::clone(&facts.header)).unwrap_or_default();
        let uri = shared.uri(&path);
        let (block, plugin) = (header.id().cloned(), header.plugin().map(Arc::from));
        let diagnostics = finish(&header, found);
        let found = FileFindings { file, path, version, text, diagnostics, block, plugin };
        let converted = convert(shared, &found).into_iter();
        all.extend(converted.map(|diagnostic| Finding { uri: uri.clone(), diagnostic }));
    }
    all.truncate(MOST_FINDINGS);
    all
}

fn blocks(shared: &Shared, known: &[Part], parts: &[Part], vocabulary: Vocabulary) -> Vec<BlockOrKept> {
    let places: FxHashMap<Option<FileId>, usize> =
        known.iter().enumerate().map(|(index, part)| (part.file, index)).collect();
    let mut out: Vec<BlockOrKept> = Vec::new();
    for part in parts {
        let same = places.get(&part.file).filter(|at| known.get(**at).is_some_and(|old| is_same(old, part)));
        match (same, out.last_mut()) {
            (Some(at), Some(BlockOrKept::Kept { keep: [first, count] })) if *first + *count == *at => {
                *count += 1;
            }
            (Some(at), _) => out.push(BlockOrKept::Kept { keep: [*at, 1] }),
            (None, _) => out.push(BlockOrKept::Block(Box::new(block(shared, part, vocabulary)))),
        }
    }
    out
}

fn block(shared: &Shared, part: &Part, vocabulary: Vocabulary) -> Block {
    // The text of a block in source code is not written there as it is read.
    let cooked = part.file.and_then(|file| shared.workspace.cooked(file));
    let source = part.file.map(|file| shared.text(file));
    let (pieces, truncated) = match &source {
        Some((_, text, version)) => {
            let lines = shared.lines(text, *version);
            pieces(part, Some(Written { text, lines, cooked: cooked.as_deref() }))
        }
        None => pieces(part, None),
    };
    Block {
        id: part.id.as_deref().map(str::to_owned),
        uri: source.and_then(|(path, _, _)| shared.uri(&path)),
        zone: part.zone.name(),
        role: part.role.name(),
        order: Some(part.order).filter(|order| order.is_finite()),
        tokens: part.content.tokens(vocabulary),
        pieces,
        truncated,
    }
}

/// How a block is written in its file.
struct Written<'a> {
    text: &'a Rope,
    lines: Lines<'a>,
    /// From the text to the file, where it stands in a literal of source code.
    cooked: Option<&'a Cooked>,
}

impl Written<'_> {
    fn range(&self, span: Span) -> Range {
        self.lines.range(self.cooked.map_or(span, |cooked| cooked.to_source(span)))
    }

    fn str_of(&self, span: Span) -> Option<String> {
        match self.cooked {
            Some(cooked) => cooked.text.get(span.range()).map(str::to_owned),
            None => Some(self.text.get_byte_slice(span.range())?.to_string()),
        }
    }

    /// Cuts text where it does not run on in the file as it does in the output: around an escape of a literal.
    fn cut(&self, runs: Vec<(Span, core::Piece)>) -> Vec<(Span, core::Piece)> {
        let Some(cooked) = self.cooked else { return runs };
        let cut = |(output, piece): (Span, core::Piece)| {
            let whole = piece.kind != PieceKind::Text || piece.source.len() != output.len();
            let spans = if whole { vec![piece.source] } else { cooked.runs(piece.source) };
            spans.into_iter().map(move |span| {
                let begin = output.start + (span.start - piece.source.start);
                let output = if whole { output } else { Span::new(begin, begin + span.len()) };
                (output, core::Piece { source: span, ..piece })
            })
        };
        runs.into_iter().flat_map(cut).collect()
    }
}

/// A block's text piece by piece, and whether it goes on. Text that runs on in the file as it does in the output is one piece, over
/// line breaks too, however these are written.
fn pieces(part: &Part, source: Option<Written<'_>>) -> (Vec<Piece>, bool) {
    let rendered = &part.content.rendered;
    let text = &*rendered.text;
    let end_of = |index: usize| rendered.pieces.get(index + 1).map_or(text.len(), |next| next.start as usize);
    let mut runs: Vec<(Span, core::Piece)> = Vec::new();
    let mut truncated = false;
    for (index, piece) in rendered.pieces.iter().enumerate() {
        let output = Span::of(piece.start as usize..end_of(index));
        let is_run = |piece: &core::Piece, output: Span| {
            let written = piece.source.len() == output.len() || output.of_str(text) == "\n";
            piece.kind == PieceKind::Text && written
        };
        if let Some((before, last)) = runs.last_mut()
            && last.kind == PieceKind::Text
            && last.source.end == piece.source.start
            && is_run(piece, output)
            && !is_escape(last, *before, text)
        {
            before.end = output.end;
            last.source.end = piece.source.end;
            continue;
        }
        if runs.len() == MOST_PIECES {
            truncated = true;
            break;
        }
        runs.push((output, *piece));
    }
    if let Some(source) = &source {
        runs = source.cut(runs);
        truncated |= runs.len() > MOST_PIECES;
        runs.truncate(MOST_PIECES);
    }
    let mut out = Vec::with_capacity(runs.len());
    for (output, piece) in runs {
        let mut end = output.end;
        if end as usize > MOST_TEXT {
            truncated = true;
            let most = (0..=MOST_TEXT).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
            end = Span::of(0..most).end;
            if end <= output.start {
                break;
            }
        }
        let shown = Span::new(output.start, end).of_str(text).to_owned();
        let range = source.as_ref().map(|source| source.range(piece.source));
        let tag = source.as_ref().filter(|_| piece.kind != PieceKind::Text);
        let tag = tag.and_then(|source| source.str_of(piece.source));
        let kind = match piece.kind {
            PieceKind::Text => "text",
            PieceKind::Value => "value",
            PieceKind::Example => "example",
            PieceKind::Missing => "missing",
        };
        out.push(Piece { kind, text: shown, range, source: tag });
    }
    (out, truncated)
}

/// Whether a piece of text is a doubled brace: what follows it stands elsewhere than it seems.
fn is_escape(piece: &core::Piece, output: Span, text: &str) -> bool {
    piece.source.len() == 2 && output.len() == 1 && output.of_str(text) != "\n"
}

fn messages(assembly: &Assembly, vocabulary: Vocabulary) -> Vec<Message> {
    let section = |section: core::Section| match section {
        core::Section::Text(text) => Section::Text { text: text.into() },
        core::Section::Blocks { first, count } => Section::Blocks { blocks: [first, count] },
    };
    let message = |(outline, tokens): (core::Outline, u64)| Message {
        role: outline.role.name(),
        sections: outline.sections.into_iter().map(section).collect(),
        tokens,
        cache: outline.cache,
        prefix_end: outline.ends_prefix,
    };
    outline(assembly).into_iter().zip(assembly.message_tokens(vocabulary)).map(message).collect()
}
