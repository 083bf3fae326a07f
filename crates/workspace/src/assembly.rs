//! The assembled prompt of a project: which texts it is made of, and what was found while it was put together.

use crate::open::{Content, OpenFile};
use crate::read::read;
use crate::workspace::lock;
use crate::{FileFindings, ProjectView, Workspace};
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
        let environment = environment.or(self.judge.environment.as_ref()).cloned();
        let mut hasher = rustc_hash::FxHasher::default();
        let name = environment.as_ref().map(|environment| &environment.name);
        (self.settings, self.judge.revision, name, examples).hash(&mut hasher);
        Scene {
            revision: hasher.finish(),
            environment,
            catalog: Arc::clone(&self.judge.catalog),
            examples,
            strict: self.judge.profile.strict_references,
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
        let texts = Texts { workspace: self, closed, profile: Arc::clone(&view.judge.profile) };
        let unresolved = if scene.strict { self.unresolved(view) } else { Refused::new() };
        match assembler.assemble(&view.index, scene, &texts, input) {
            Ok(assembly) if unresolved.is_empty() => Ok(assembly),
            Ok(_) => Err(unresolved),
            Err(mut refused) => {
                refused.extend(unresolved);
                Err(refused)
            }
        }
    }

    /// References that name no variable, or are none: they fail the assembly where it is strict, whatever a header allows. [S1]
    fn unresolved(&self, view: &ProjectView) -> Refused {
        let project = self.project_at(view.root.clone());
        let mut all = Refused::new();
        for (file, _) in Zone::ALL.into_iter().flat_map(|zone| view.index.assembled(zone)) {
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
            let fails = |finding: &&Diagnostic| {
                matches!(finding.code, Code::UnknownVariable | Code::MalformedReference)
            };
            all.extend(findings.iter().filter(fails).map(|finding| (file, finding.clone())));
        }
        all
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

/// The texts of a project's blocks: the open buffers', else the disk's.
struct Texts<'w> {
    workspace: &'w Workspace,
    closed: FxHashMap<FileId, u64>,
    profile: Arc<Profile>,
}

impl Blocks for Texts<'_> {
    fn revision(&self, file: FileId) -> u64 {
        match self.workspace.open_file(file) {
            Some(open) => lock(&open).revision,
            None => self.closed.get(&file).copied().unwrap_or(0),
        }
    }

    fn template(&self, file: FileId) -> Option<Template> {
        if let Some(open) = self.workspace.open_file(file) {
            let open = lock(&open);
            let OpenFile { content: Content::Block(document), .. } = &*open else { return None };
            return Some(Template::of(document));
        }
        let text = read(&self.workspace.files.path(file)).ok()?;
        Some(Template::of(&Document::new(&text, Arc::clone(&self.profile))))
    }
}
