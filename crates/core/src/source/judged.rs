//! The rules inside source code: each text is a block of its own, and what is found in it is said at its place in the source.

use super::registration::{Framework, Registration, SourceFile};
use super::{Cooked, registration::SourceBlock};
use crate::block::Header;
use crate::catalog::{CatalogFile, Definition, Layer, Variable};
use crate::diagnostic::{Diagnostic, FileId, Owner};
use crate::fix::Edit;
use crate::lint::{Code, Judge, judge_header};
use crate::project::{BlockFacts, Origin};
use crate::span::Span;
use crate::syntax::Document;
use std::sync::Arc;

/// A block that source code registers.
#[derive(Clone, Debug)]
pub struct Part {
    /// Whose rules hold.
    pub framework: Framework,
    /// Its header, with places of the source.
    pub header: Arc<Header>,
    /// From the text to the source; none where the text is computed.
    pub cooked: Option<Arc<Cooked>>,
    /// The text as a block; none where it is computed.
    pub document: Option<Document>,
    /// The whole call.
    pub call: Span,
    /// The method's name.
    pub callee: Span,
    findings: Arc<[Diagnostic]>,
    origin: Origin,
}

/// The blocks that `source` registers.
pub fn parts(source: &SourceFile, file: FileId) -> Vec<Part> {
    let block = |registration: &Registration| Some(part(registration, registration.block.as_ref()?, file));
    source.registrations.iter().filter_map(block).collect()
}

fn part(registration: &Registration, block: &SourceBlock, file: FileId) -> Part {
    let header = Arc::new(block.header.clone());
    let framework = registration.framework;
    let document = block.text.as_ref().map(|cooked| {
        Document::embedded(&cooked.text, Arc::clone(&header), block.findings.clone(), framework.profile())
    });
    Part {
        framework,
        header,
        cooked: block.text.clone().map(Arc::new),
        document,
        call: registration.call,
        callee: registration.callee,
        findings: block.findings.clone().into(),
        origin: Origin {
            file,
            receiver: Arc::clone(&registration.receiver),
            scoped: framework == Framework::Harness,
            computed: block.text.is_none(),
        },
    }
}

impl Part {
    /// Asks the rules about it.
    pub fn judge(&mut self, judge: &Judge) {
        if let Some(document) = &mut self.document {
            document.judge(judge);
        }
    }

    /// Every finding of this block by itself, in places of the source. [`Part::judge`] has been called with the same judge.
    pub fn findings(&self, judge: &Judge) -> Vec<Diagnostic> {
        let (mut all, in_text) = match &self.document {
            Some(document) => document.embedded_findings(judge),
            None => {
                let mut all = self.findings.to_vec();
                all.extend(judge_header(judge, &self.header, None));
                (all, Vec::new())
            }
        };
        // A habit of the other framework. [S0]
        all.retain(|finding| finding.code != Code::IdWithoutPrefix || self.framework == Framework::Blocks);
        all.extend(in_text.into_iter().map(|finding| self.to_source(finding)));
        self.own(&mut all);
        all
    }

    /// The finding of the text, in its places, that is `finding` in the source; `None` for one on the call.
    pub fn in_text(&self, judge: &Judge, finding: &Diagnostic) -> Option<Diagnostic> {
        let (_, in_text) = self.document.as_ref()?.embedded_findings(judge);
        let same = |own: &Diagnostic| {
            let said = self.to_source(own.clone());
            (said.code, said.span) == (finding.code, finding.span) && said.message == finding.message
        };
        in_text.into_iter().find(same)
    }

    /// Edits of the text as edits of the source, written in the literals that they fall into; `None` where one falls into several.
    pub fn edits_in_source(&self, edits: &[Edit]) -> Option<Vec<Edit>> {
        let cooked = self.cooked.as_deref()?;
        let edit = |edit: &Edit| {
            let text = cooked.escaped(&edit.text, edit.span.start).into();
            cooked.is_whole(edit.span).then(|| Edit { span: cooked.to_source(edit.span), text })
        };
        edits.iter().map(edit).collect()
    }

    /// A finding in the text as one of the source.
    pub fn to_source(&self, finding: Diagnostic) -> Diagnostic {
        match &self.cooked {
            Some(cooked) => cooked.finding(finding),
            None => finding,
        }
    }

    /// Writes this block's name on findings.
    pub fn own(&self, findings: &mut [Diagnostic]) {
        let owner = Owner { id: self.header.id().cloned(), plugin: self.header.plugin().map(Arc::from) };
        let owner = Arc::new(owner);
        for finding in findings {
            finding.owner = Some(Arc::clone(&owner));
        }
    }

    /// What the project needs to know of it.
    pub fn facts(&self) -> BlockFacts {
        let facts = match &self.document {
            Some(document) => document.facts(),
            None => BlockFacts {
                header: Arc::clone(&self.header),
                blank: false,
                uses: [].into(),
                tokens: 0,
                exact: true,
                origin: None,
            },
        };
        BlockFacts { origin: Some(self.origin.clone()), ..facts }
    }
}

/// The variables that `source` registers with a framework, as a catalog; `None` where it registers none. A name that cannot be
/// written in a tag is left out.
pub fn catalog_of(source: &SourceFile, file: FileId, framework: Framework) -> Option<CatalogFile> {
    let profile = framework.profile();
    let ours = source.registrations.iter().filter(|registration| registration.framework == framework);
    let mut seen = rustc_hash::FxHashSet::default();
    let variables: Vec<Arc<Variable>> = ours
        .filter_map(|registration| {
            let found = registration.variable.as_ref()?;
            let name = found.name.clone().filter(|name| profile.can_write(name))?;
            (name.as_ref() != "prompt" && seen.insert(Arc::clone(&name))).then_some(())?;
            Some(Arc::new(Variable {
                description: found.description.clone(),
                mutable: found.mutable.clone(),
                mutable_known: framework != Framework::Harness,
                zones: found.zones.clone(),
                args: found.args.clone().unwrap_or_default(),
                args_known: found.args.is_some(),
                example: found.example.clone(),
                definition: Some(Definition { file, key: found.span, entry: registration.call }),
                ..Variable::named(name, Layer::Source)
            }))
        })
        .collect();
    (!variables.is_empty()).then(|| CatalogFile {
        layer: Layer::Source,
        variables,
        diagnostics: Vec::new(),
        readable: true,
    })
}

impl SourceFile {
    /// The first variable of a framework whose name is computed; the start of a file that could not be read, where anything may be.
    pub fn incomplete(&self, framework: Framework) -> Option<Span> {
        if let Some(unread) = &self.unread {
            return Some(unread.span);
        }
        let ours = self.registrations.iter().filter(|registration| registration.framework == framework);
        ours.filter_map(|registration| registration.variable.as_ref())
            .find_map(|variable| variable.name.is_none().then_some(variable.span))
    }
}
