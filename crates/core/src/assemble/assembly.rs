//! The assembled prompt of a project: the blocks rendered, in sequence, by zone. [S0]

use super::content::Content;
use super::digest;
use super::escape::escaped;
use super::frame::Frame;
use super::render::{Limits, render};
use super::scene::Scene;
use super::template::Template;
use super::tools::Tools;
use crate::block::{Role, Zone};
use crate::diagnostic::{Diagnostic, FileId, Severity};
use crate::lint::Code;
use crate::lint::across;
use crate::project::{BlockFacts, Index};
use rustc_hash::FxHashMap;
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::sync::Arc;

/// One block in an assembly.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its file; none for the note that the environment has changed.
    pub file: Option<FileId>,
    /// Its id, where it has one.
    pub id: Option<Arc<str>>,
    /// Its zone.
    pub zone: Zone,
    /// Whose message it is.
    pub role: Role,
    /// Its order.
    pub order: f64,
    /// The number of the rule that makes a message of it, in [`crate::profile::Profile::messages`]. Means nothing for an input block.
    pub rule: usize,
    /// What it renders as.
    pub content: Arc<Content>,
}

impl Part {
    /// Its id; empty where it has none.
    pub fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    /// What it renders as.
    pub fn text(&self) -> &str {
        &self.content.rendered.text
    }
}

/// An assembled prompt. Blocks whose content is blank are left out. [S1]
#[derive(Clone, Debug)]
pub struct Assembly {
    /// What it was put together by.
    pub frame: Arc<Frame>,
    /// The system blocks of role system.
    pub system: Vec<Part>,
    /// The system zone's blocks of role user and assistant.
    pub prelude: Vec<Part>,
    /// One text each.
    pub contexts: Vec<Part>,
    /// The input blocks; each one's result is the `{prompt}` of the next.
    pub input_blocks: Vec<Part>,
    /// What becomes of the user's input.
    pub input: Arc<str>,
    /// The variables really used with their values, by name.
    pub values: Map<String, Value>,
    /// What was found while rendering.
    pub findings: Vec<(FileId, Diagnostic)>,
}

/// What stands between two system blocks.
pub const JOIN: &str = "\n\n";

/// What the user's input is where there is none yet.
pub const PROMPT: &str = "{prompt}";

impl Assembly {
    /// The system text: its blocks joined by one blank line.
    pub fn system_text(&self) -> String {
        joined(&self.system)
    }

    /// The blocks of the stable prefix: system, then prelude.
    pub fn prefix(&self) -> impl Iterator<Item = &Part> {
        self.system.iter().chain(&self.prelude)
    }

    /// Ids in effect, in order. [S0]
    pub fn section_names(&self) -> impl Iterator<Item = &str> {
        self.prefix().map(Part::id)
    }

    /// The digest of the stable prefix: `sha256:…`.
    pub fn digest(&self) -> String {
        digest::of_parts(self.tools(), self.prefix())
    }

    /// The tools in front of all, where they are known.
    pub fn tools(&self) -> Option<&Tools> {
        self.frame.tools.as_deref()
    }

    /// Every block, in sequence.
    pub fn parts(&self) -> impl Iterator<Item = &Part> {
        self.prefix().chain(&self.contexts).chain(&self.input_blocks)
    }
}

pub(super) fn joined(parts: &[Part]) -> String {
    let mut out = String::with_capacity(parts.iter().map(|part| part.text().len() + JOIN.len()).sum());
    for (index, part) in parts.iter().enumerate() {
        out.push_str(if index == 0 { "" } else { JOIN });
        out.push_str(part.text());
    }
    out
}

/// Why there is no assembly: each finding that refuses it. [S0]
pub type Refused = Vec<(FileId, Diagnostic)>;

/// Where the contents of blocks come from.
pub trait Blocks {
    /// The revision of a block's text: two of one revision are the same.
    fn revision(&self, file: FileId) -> u64;
    /// The block's content, asked for only where its revision is a new one. `None` where it cannot be read any more.
    fn template(&self, file: FileId) -> Option<Template>;
}

/// Assembles again and again, rendering only what has changed.
#[derive(Debug, Default)]
pub struct Assembler {
    kept: FxHashMap<FileId, Kept>,
}

#[derive(Debug)]
struct Kept {
    revision: u64,
    template: Arc<Template>,
    /// What it rendered as last, the scene's revision with it; none for input blocks, which depend on the input.
    content: Option<(u64, Arc<Content>)>,
}

impl Assembler {
    /// Assembles the blocks of a project. `input` is what the user wrote; without it `{prompt}` is kept.
    ///
    /// # Errors
    ///
    /// A duplicate id or several exclusive blocks refuse the assembly [S0]; in a strict scene also a variable without a value
    /// [S1].
    pub fn assemble(
        &mut self,
        index: &Index,
        scene: &Scene,
        blocks: &dyn Blocks,
        input: Option<&str>,
    ) -> Result<Assembly, Refused> {
        let refused = refused(index);
        if !refused.is_empty() {
            return Err(refused);
        }
        let mut left = Limits::START;
        let mut found = Found::default();
        let (mut system, mut prelude) = (Vec::new(), Vec::new());
        for (file, facts) in index.assembled(Zone::System) {
            let Some(part) = self.part(file, facts, scene, blocks, None, &mut left, &mut found) else {
                continue;
            };
            if part.role == Role::System { &mut system } else { &mut prelude }.push(part);
        }
        let mut contexts: Vec<Part> = scene.frame.instructions.to_vec();
        for (file, facts) in index.assembled(Zone::Context) {
            contexts.extend(self.part(file, facts, scene, blocks, None, &mut left, &mut found));
        }
        let mut prompt = Value::from(input.unwrap_or(PROMPT));
        let mut input_blocks = Vec::new();
        for (file, facts) in index.assembled(Zone::Input) {
            let part = self.part(file, facts, scene, blocks, Some(&prompt), &mut left, &mut found);
            let Some(part) = part else { continue };
            prompt = Value::from(part.text());
            input_blocks.push(part);
        }
        self.kept.retain(|file, _| index.block(*file).is_some());
        for parts in [&mut system, &mut prelude, &mut contexts] {
            // The blocks of one message stand together. Within it their sequence stays.
            parts.sort_by_key(|part| part.rule);
        }
        if scene.frame.profile.strict_references {
            let missing = found.findings.iter().filter(|(_, finding)| finding.code == Code::MissingValue);
            let mut refused: Refused = missing.cloned().collect();
            if !refused.is_empty() {
                refused.iter_mut().for_each(|(_, finding)| finding.severity = Severity::Error);
                return Err(refused);
            }
        }
        let values =
            found.used.iter().filter_map(|name| Some((name.to_string(), scene.value(name)?.clone())));
        Ok(Assembly {
            frame: Arc::clone(&scene.frame),
            system,
            prelude,
            contexts,
            input_blocks,
            input: prompt.as_str().unwrap_or_default().into(),
            values: values.collect(),
            findings: found.findings,
        })
    }

    /// A block of the assembly; `None` where it is blank.
    #[expect(clippy::too_many_arguments, reason = "the state of one assembly, handed from block to block")]
    fn part(
        &mut self,
        file: FileId,
        facts: &BlockFacts,
        scene: &Scene,
        blocks: &dyn Blocks,
        prompt: Option<&Value>,
        left: &mut Limits,
        found: &mut Found,
    ) -> Option<Part> {
        let header = &facts.header;
        let rule = scene.frame.profile.place(header).unwrap_or_default();
        let escape = prompt.is_none().then(|| scene.frame.escape(rule)).flatten();
        let content = self.content(file, scene, blocks, prompt, escape, left)?;
        let rendered = &content.rendered;
        *left = left.behind(&rendered.took);
        found.used.extend(rendered.used.iter().cloned());
        found.findings.extend(rendered.findings.iter().map(|finding| (file, finding.clone())));
        if rendered.is_blank() {
            return None;
        }
        Some(Part {
            file: Some(file),
            id: header.id().cloned(),
            zone: header.zone()?,
            role: header.role(),
            order: header.order.as_ref().map_or(0.0, |order| order.value),
            rule,
            content,
        })
    }

    fn content(
        &mut self,
        file: FileId,
        scene: &Scene,
        blocks: &dyn Blocks,
        prompt: Option<&Value>,
        escape: Option<&str>,
        left: &Limits,
    ) -> Option<Arc<Content>> {
        let revision = blocks.revision(file);
        if self.kept.get(&file).is_none_or(|kept| kept.revision != revision) {
            let template = Arc::new(blocks.template(file)?);
            self.kept.insert(file, Kept { revision, template, content: None });
        }
        let kept = self.kept.get_mut(&file)?;
        if let (Some((of, content)), None) = (&kept.content, prompt)
            && *of == scene.revision
            && left.hold(&content.rendered.took)
            && (!content.rendered.cut || *left == Limits::START)
        {
            return Some(Arc::clone(content));
        }
        let rendered = render(&kept.template, scene, prompt, left);
        let rendered = match escape {
            Some(tag) => escaped(rendered, tag),
            None => rendered,
        };
        let content = Arc::new(Content::new(rendered));
        // What a limit cut short is kept only where it was the block's own doing.
        if prompt.is_none() && (!content.rendered.cut || *left == Limits::START) {
            kept.content = Some((scene.revision, Arc::clone(&content)));
        }
        Some(content)
    }
}

#[derive(Default)]
struct Found {
    used: BTreeSet<Arc<str>>,
    findings: Vec<(FileId, Diagnostic)>,
}

/// The findings that refuse an assembly, whatever their severity: registering such blocks fails.
fn refused(index: &Index) -> Refused {
    let of = |(file, facts)| {
        let found = across::duplicate_id(index, file, facts);
        let found = found.into_iter().chain(across::multiple_complete(index, file, facts));
        // What may hide another one in a nearer scope is no error.
        let found = found.filter(|finding| finding.severity == Severity::Error);
        found.map(move |finding| (file, finding)).collect::<Vec<_>>()
    };
    index.blocks().flat_map(of).collect()
}
