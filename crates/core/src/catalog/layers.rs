//! The layers merged: built in < user < source < project < local, entry by entry, the later wins. [S3]

use super::{CatalogFile, Definition, Layer, Variable};
use crate::excerpt::excerpt;
use crate::span::Span;
use crate::{Code, Diagnostic, FileId, Remedy, msg};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Every variable that is known in a project.
#[derive(Clone, Debug)]
pub struct Catalog {
    variables: FxHashMap<Arc<str>, Arc<Variable>>,
    known: bool,
    incomplete: Option<(FileId, Span)>,
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
        let mut catalog =
            Self { variables: FxHashMap::default(), known: !files.is_empty(), incomplete: None };
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
            // Within a layer the first one counts; see `duplicates`.
            if before.layer == variable.layer {
                return;
            }
            let changed = Arc::make_mut(&mut variable);
            if !changed.mutable_known {
                // Any entry that says something of it counts, that of an earlier layer too.
                changed.mutable = before.mutable.clone();
                changed.mutable_known = before.mutable_known;
            }
            changed.shadows = Some(Arc::clone(before));
        }
        self.variables.insert(Arc::clone(&variable.name), variable);
    }

    /// Variables that two catalog files of one layer define: on the second, with the first one related.
    pub fn duplicates<'a>(files: impl IntoIterator<Item = &'a CatalogFile>) -> Vec<(FileId, Diagnostic)> {
        let mut first = FxHashMap::default();
        let mut found = Vec::new();
        for variable in files.into_iter().flat_map(|file| &file.variables) {
            let (Some(definition), true) = (variable.definition, variable.layer != Layer::Source) else {
                continue;
            };
            let Definition { file, key, .. } =
                *first.entry((variable.layer, &variable.name)).or_insert(definition);
            if file != definition.file {
                let name = excerpt(&variable.name);
                let message = msg!(
                    "another catalog file defines the variable `{name}` too; the first one counts",
                    "另一个目录文件也定义了变量 `{name}`；以第一个为准"
                );
                let there = msg!("first defined here", "第一次定义在这里");
                let diagnostic = Diagnostic::new(Code::DuplicateVariable, definition.key, message)
                    .remedy(Remedy::RemoveEntry(definition.entry));
                found.push((definition.file, diagnostic.related_in(file, key, there)));
            }
        }
        found
    }

    /// Whether any catalog exists, even an empty or broken one. Where none does, nothing can be said to be unknown.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// The same catalog, where the name of a registration in source code is computed: then more variables exist than are known.
    #[must_use]
    pub fn incomplete_at(mut self, registration: Option<(FileId, Span)>) -> Self {
        self.incomplete = registration;
        self
    }

    /// The registration whose name could not be read, if there is one.
    pub fn incomplete(&self) -> Option<(FileId, Span)> {
        self.incomplete
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
            .filter(|v| other.get(&v.name).is_none_or(|before| !before.judges_like(v)))
            .chain(other.variables.values().filter(|v| self.get(&v.name).is_none()))
            .map(|v| Arc::clone(&v.name))
            .collect();
        names.sort();
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Profile;

    fn file(id: u32, layer: Layer, variables: &str) -> CatalogFile {
        let text = format!("{{\"variables\": {{{variables}}}}}");
        super::super::parse(&text, FileId(id), layer, &Profile::blocks())
    }

    #[test]
    fn the_later_layer_wins_and_within_one_the_first() {
        let files = [
            file(0, Layer::Local, r#""a": {"description": "local"}"#),
            file(1, Layer::User, r#""a": {}, "b": {"description": "user"}"#),
            file(2, Layer::Project, r#""a": {"description": "project"}, "c": {"description": "first"}"#),
            file(3, Layer::Project, r#""c": {"description": "second"}, "d": {}, "prompt": {}"#),
        ];
        let catalog = Catalog::merge(&files);
        let description =
            |name: &str| catalog.get(name).and_then(|v| v.description.as_deref().map(str::to_owned));
        assert_eq!(description("a").as_deref(), Some("local"));
        assert_eq!(description("b").as_deref(), Some("user"));
        assert_eq!(description("c").as_deref(), Some("first"));
        let shadowed = catalog.get("a").and_then(|v| v.shadows.clone()).expect("a shadowed one");
        assert_eq!(
            (shadowed.layer, shadowed.shadows.as_ref().map(|v| v.layer)),
            (Layer::Project, Some(Layer::User))
        );
        assert!(catalog.get("c").is_some_and(|c| c.shadows.is_none()));
        assert_eq!(catalog.get("prompt").map(|v| v.layer), Some(Layer::BuiltIn));
        let duplicates = Catalog::duplicates(&files);
        let [(id, diagnostic)] = duplicates.as_slice() else { panic!("{duplicates:?}") };
        assert_eq!(
            (*id, diagnostic.code, diagnostic.related[0].file),
            (FileId(3), Code::DuplicateVariable, Some(FileId(2)))
        );
        assert!(
            Catalog::default().get("prompt").is_some()
                && !Catalog::default().is_known()
                && catalog.is_known()
        );
    }
}
