//! The assembled prompt of a project: which texts it is made of, and what was found while it was put together.

use crate::open::{Content, OpenFile};
use crate::read::read;
use crate::workspace::lock;
use crate::{FileFindings, ProjectView, Sourced, Workspace};
use promptblock_core::assemble::{Assembler, Assembly, Blocks, Environment, Refused, Scene, Template};
use promptblock_core::block::Zone;
use promptblock_core::lint::finish;
use promptblock_core::profile::Profile;
use promptblock_core::syntax::Document;
use promptblock_core::{Code, Diagnostic, FileId};
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

impl ProjectView {
    /// The values of an environment, that which the project is judged in if none is given. `examples`: whether the catalog's
    /// examples stand in for what is missing.
    pub fn scene(&self, environment: Option<&Arc<Environment>>, examples: bool) -> Scene {
        self.scene_of(environment.or(self.judge.environment.as_ref()).cloned(), examples)
    }

    /// The same without the values of any environment.
    pub fn bare_scene(&self, examples: bool) -> Scene {
        self.scene_of(None, examples)
    }

    fn scene_of(&self, environment: Option<Arc<Environment>>, examples: bool) -> Scene {
        let mut hasher = rustc_hash::FxHasher::default();
        let name = environment.as_ref().map(|environment| &environment.name);
        (self.settings, self.judge.revision, name, examples).hash(&mut hasher);
        Scene {
            revision: hasher.finish(),
            environment,
            catalog: Arc::clone(&self.judge.catalog),
            examples,
            frame: Arc::clone(&self.frame),
        }
    }
}

impl Workspace {
    /// Assembles a project as it is in `view`. The assembler keeps what has not changed since its last assembly.
    ///
    /// # Errors
    ///
    /// A duplicate id or several exclusive blocks refuse the assembly [S0]; in a strict profile also a reference without a value
    /// [S1].
    pub fn assemble(
        &self,
        view: &ProjectView,
        assembler: &mut Assembler,
        scene: &Scene,
        input: Option<&str>,
    ) -> Result<Assembly, Refused> {
        let project = self.project_at(view.root.clone());
        let closed =
            project.state().closed.iter().map(|(file, closed)| (*file, closed.text_revision)).collect();
        let registered: Registered = {
            let state = project.state();
            let sources = state.sources.values();
            let ids =
                sources.flat_map(|sourced| sourced.ids.iter().map(move |id| (*id, Arc::clone(sourced))));
            ids.collect()
        };
        let unresolved = if scene.frame.profile.strict_references {
            self.unresolved(view, &registered)
        } else {
            Refused::new()
        };
        let texts = Texts { workspace: self, closed, registered, profile: Arc::clone(&view.judge.profile) };
        match assembler.assemble(&view.index, scene, &texts, input) {
            Ok(mut assembly) if unresolved.is_empty() => {
                let findings = std::mem::take(&mut assembly.findings);
                assembly.findings = self.to_sources(findings, &texts.registered);
                Ok(assembly)
            }
            Ok(_) => Err(unresolved),
            Err(refused) => {
                let mut refused = self.to_sources(refused, &texts.registered);
                refused.extend(unresolved);
                Err(refused)
            }
        }
    }

    /// References that name no variable, or are none: they fail the assembly where it is strict, whatever a header allows. [S1]
    fn unresolved(&self, view: &ProjectView, registered: &Registered) -> Refused {
        let project = self.project_at(view.root.clone());
        let mut all = Refused::new();
        for (file, _) in Zone::ALL.into_iter().flat_map(|zone| view.index.assembled(zone)) {
            let fails = |finding: &&Diagnostic| {
                matches!(finding.code, Code::UnknownVariable | Code::MalformedReference)
            };
            if let Some(part) = registered.get(&file).and_then(|sourced| sourced.part(file)) {
                let mut part = part.clone();
                part.judge(&view.judge);
                let found = part.findings(&view.judge);
                all.extend(
                    found.iter().filter(fails).map(|finding| (self.files.whole(file), finding.clone())),
                );
                continue;
            }
            let findings: Arc<[Diagnostic]> = match self.open_file(file) {
                Some(open) => {
                    let mut open = lock(&open);
                    let OpenFile { content: Content::Block(document), uses_differ, .. } = &mut *open else {
                        continue;
                    };
                    *uses_differ |= document.judge(&view.judge);
                    document.findings(&view.judge).into()
                }
                None => match project.state().closed.get(&file) {
                    Some(closed) => Arc::clone(&closed.findings),
                    None => continue,
                },
            };
            all.extend(findings.iter().filter(fails).map(|finding| (file, finding.clone())));
        }
        all
    }

    /// Findings in blocks that source code registers as those of the source.
    fn to_sources(
        &self,
        findings: Vec<(FileId, Diagnostic)>,
        registered: &Registered,
    ) -> Vec<(FileId, Diagnostic)> {
        let to_source = |(file, finding): (FileId, Diagnostic)| {
            let Some(part) = registered.get(&file).and_then(|sourced| sourced.part(file)) else {
                return (file, finding);
            };
            // These speak of the header, which has its places in the source already.
            let in_text = !matches!(finding.code, Code::DuplicateId | Code::MultipleComplete);
            let mut found = [if in_text { part.to_source(finding) } else { finding }];
            part.own(&mut found);
            let [finding] = found;
            (self.files.whole(file), finding)
        };
        findings.into_iter().map(to_source).collect()
    }

    /// The findings of a file together with what an assembly found in it; `None` where there is no such file.
    pub fn findings_with(&self, file: FileId, found: Vec<Diagnostic>) -> Option<FileFindings> {
        let mut all = self.findings(file)?;
        if found.is_empty() {
            return Some(all);
        }
        let path = self.files.path(file);
        let view = self.project_view(&path);
        let header = view.index.block(file).map(|facts| Arc::clone(&facts.header)).unwrap_or_default();
        for finding in found {
            // A rule that saw it coming has said it already.
            if !all.diagnostics.iter().any(|said| (said.code, said.span) == (finding.code, finding.span)) {
                all.diagnostics.push(finding);
            }
        }
        all.diagnostics = finish(&view.judge, &header, all.diagnostics);
        all.text = self.text(file);
        Some(all)
    }
}

/// Source files by the blocks that they register.
type Registered = FxHashMap<FileId, Arc<Sourced>>;

/// The texts of a project's blocks: the open buffers', else the disk's.
struct Texts<'w> {
    workspace: &'w Workspace,
    closed: FxHashMap<FileId, u64>,
    /// Source files by the blocks that they register.
    registered: Registered,
    profile: Arc<Profile>,
}

impl Blocks for Texts<'_> {
    fn revision(&self, file: FileId) -> u64 {
        if let Some(sourced) = self.registered.get(&file) {
            return sourced.revision;
        }
        match self.workspace.open_file(file) {
            Some(open) => lock(&open).revision,
            None => self.closed.get(&file).copied().unwrap_or(0),
        }
    }

    fn template(&self, file: FileId) -> Option<Template> {
        if let Some(sourced) = self.registered.get(&file) {
            // Only the running program knows what a computed one says.
            return sourced.part(file)?.document.as_ref().map(Template::of);
        }
        if let Some(open) = self.workspace.open_file(file) {
            let open = lock(&open);
            let OpenFile { content: Content::Block(document), .. } = &*open else { return None };
            return Some(Template::of(document));
        }
        let text = read(&self.workspace.files.path(file)).ok()?;
        Some(Template::of(&Document::new(&text, Arc::clone(&self.profile))))
    }
}
