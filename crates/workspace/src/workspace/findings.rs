//! What is to be shown of each file, and of those that cannot be judged.

use super::{Workspace, lock};
use crate::FileFindings;
use crate::files::FileKind;
use crate::open::{Content, OpenFile};
use crate::project::Project;
use crate::read::{ReadError, read};
use crate::sources::dialect;
use camino::Utf8PathBuf;
use promptblock_core::block::Header;
use promptblock_core::lint::finish;
use promptblock_core::{Diagnostic, FileId};
use rayon::prelude::*;
use ropey::Rope;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};

impl Workspace {
    /// The findings of a file; `None` where there is no such file any more.
    pub fn findings(&self, file: FileId) -> Option<FileFindings> {
        let file = self.files.whole(file);
        let path = self.files.path(file);
        let project = self.project(&path);
        if dialect(&path).is_some() && project.kind(&path, None) == FileKind::Source {
            return self.source_findings(file, &project);
        }
        let judge = project.judge();
        if let Some(open) = self.open_file(file) {
            let mut open = lock(&open);
            let version = Some(open.version);
            let text = open.text().clone();
            let OpenFile { content, uses_differ, .. } = &mut *open;
            let own = match content {
                Content::Block(document) => {
                    document.set_profile(Arc::clone(&judge.profile));
                    *uses_differ |= document.judge(&judge);
                    Some((document.findings(&judge), Arc::clone(document.header())))
                }
                Content::Source(..) | Content::Text(_) => None,
            };
            drop(open);
            if self.is_hidden(file, own.is_some(), &project) {
                return Some(shown(file, path, version, text, &Header::default(), Vec::new()));
            }
            let state = project.state();
            let (mut findings, header) = match own {
                Some(own) => own,
                None => (state.own_findings(file).unwrap_or_default(), Arc::default()),
            };
            findings.extend(state.findings(file));
            drop(state);
            return Some(shown(file, path, version, text, &header, finish(&judge, &header, findings)));
        }
        if self.is_hidden(file, false, &project) {
            return None;
        }
        let state = project.state();
        let (mut findings, header) = match (state.closed.get(&file), state.index.block(file)) {
            (Some(closed), Some(facts)) => (closed.findings.to_vec(), Arc::clone(&facts.header)),
            _ => (state.own_findings(file)?, Arc::default()),
        };
        findings.extend(state.findings(file));
        drop(state);
        let findings = finish(&judge, &header, findings);
        let text = if findings.is_empty() { Rope::new() } else { Rope::from_str(&read(&path).ok()?) };
        Some(shown(file, path, None, text, &header, findings))
    }

    /// Whether nothing is said of a file: an excluded block, or any file of a project that one around it leaves out.
    fn is_hidden(&self, file: FileId, is_block: bool, project: &Project) -> bool {
        if is_block {
            return self.is_left_out(file, project);
        }
        let path = self.files.path(file);
        !lock(&self.named).contains(&file) && self.is_excluded_around(&path, &project.root)
    }

    /// Every file that counts with its findings, by path (bytes).
    pub fn all_findings(&self) -> Vec<FileFindings> {
        let mut files: BTreeSet<FileId> = BTreeSet::new();
        for project in self.projects.read().unwrap_or_else(PoisonError::into_inner).values() {
            let state = project.state();
            files.extend(state.index.blocks().map(|(file, _)| file).chain(state.own.keys().copied()));
            let registering = state.sources.iter().filter(|(_, sourced)| !sourced.file.is_empty());
            files.extend(registering.map(|(file, _)| *file));
        }
        let files: BTreeSet<FileId> = files.into_iter().map(|file| self.files.whole(file)).collect();
        let mut all: Vec<FileFindings> = files
            .into_iter()
            .collect::<Vec<_>>()
            .into_par_iter()
            .filter_map(|file| self.findings(file))
            .collect();
        all.sort_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
        all
    }

    /// Files that cannot be judged, by path.
    pub fn unreadable(&self) -> Vec<(Utf8PathBuf, ReadError)> {
        let mut all: Vec<_> = lock(&self.walk_errors).clone();
        let projects: Vec<Arc<Project>> =
            self.projects.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        for project in projects {
            let state = project.state();
            all.extend(state.unreadable.iter().map(|(file, error)| (self.files.path(*file), error.clone())));
        }
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all.dedup();
        all.retain(|(path, _)| {
            let project = self.project(path);
            !self.is_hidden(self.files.id(path), false, &project)
        });
        all
    }

    /// Folders that are called like a block file.
    pub fn block_folders(&self) -> Vec<Utf8PathBuf> {
        lock(&self.block_folders).iter().cloned().collect()
    }
}

fn shown(
    file: FileId,
    path: Utf8PathBuf,
    version: Option<i32>,
    text: Rope,
    header: &Header,
    diagnostics: Vec<Diagnostic>,
) -> FileFindings {
    let (block, plugin) = (header.id().cloned(), header.plugin().map(Arc::from));
    FileFindings { file, path, version, text, diagnostics, block, plugin }
}
