//! The layers merged: built in < user < source < project < local, entry by entry, the later wins. [S3]

use super::{CatalogFile, Layer, Variable};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Every variable that is known in a project.
#[derive(Clone, Debug)]
pub struct Catalog {
    variables: FxHashMap<Arc<str>, Arc<Variable>>,
    known: bool,
}

impl Default for Catalog {
    /// Only what is built in.
    fn default() -> Self {
        Self::merge([])
    }
}

impl Catalog {
    /// The built-in layer with `files` on top. Files of one layer must come in a fixed order (that of their paths).
    pub fn merge<'a>(files: impl IntoIterator<Item = &'a CatalogFile>) -> Self {
        let mut files: Vec<&CatalogFile> = files.into_iter().collect();
        files.sort_by_key(|file| file.layer);
        let mut catalog = Self { variables: FxHashMap::default(), known: !files.is_empty() };
        catalog.add(&Arc::new(Variable::prompt()));
        for variable in files.iter().flat_map(|file| &file.variables) {
            catalog.add(variable);
        }
        catalog
    }

    fn add(&mut self, variable: &Arc<Variable>) {
        // Nobody can redefine what is built in: the entry is an error of its own.
        if variable.layer != Layer::BuiltIn && &*variable.name == "prompt" {
            return;
        }
        let mut variable = Arc::clone(variable);
        if let Some(before) = self.variables.get(&variable.name) {
            Arc::make_mut(&mut variable).shadows = Some(Arc::clone(before));
        }
        self.variables.insert(Arc::clone(&variable.name), variable);
    }

    /// Whether any catalog exists, even an empty or broken one. Where none does, nothing can be said to be unknown.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// The variable of that name (the first segment of a dotted one).
    pub fn get(&self, name: &str) -> Option<&Arc<Variable>> {
        self.variables.get(name)
    }

    /// Every variable, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Variable>> {
        let mut all: Vec<_> = self.variables.values().collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all.into_iter()
    }

    /// Names that differ between two catalogs in anything a verdict depends on.
    pub fn changed_names(&self, other: &Self) -> Vec<Arc<str>> {
        let mut names: Vec<Arc<str>> = self
            .variables
            .values()
            .filter(|v| other.get(&v.name) != Some(v))
            .chain(other.variables.values().filter(|v| self.get(&v.name).is_none()))
            .map(|v| Arc::clone(&v.name))
            .collect();
        names.sort();
        names
    }
}
