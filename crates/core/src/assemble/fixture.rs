//! Blocks to render and projects to assemble in tests.

use super::{
    Assembler, Assembly, Blocks, Environment, Limits, Refused, Rendered, Scene, Template, parse_environments,
    render,
};
use crate::catalog::{Catalog, Layer, parse};
use crate::diagnostic::FileId;
use crate::profile::Profile;
use crate::project::Index;
use crate::syntax::Document;
use serde_json::Value;
use std::sync::Arc;

/// An environment with these fields.
pub(crate) fn environment(fields: &str) -> Arc<Environment> {
    let (environments, found) = parse_environments(&format!("{{\"e\": {fields}}}"));
    assert_eq!(found, [], "{fields}");
    Arc::clone(&environments.0[0])
}

/// Values without a catalog, so that no name is unknown.
pub(crate) fn scene(fields: &str) -> Scene {
    scene_with(fields, None)
}

/// Values with a catalog.
pub(crate) fn scene_with(fields: &str, catalog: Option<&str>) -> Scene {
    let catalog = catalog.map(|text| parse(text, FileId(99), Layer::Project, &Profile::blocks()));
    let catalog = Arc::new(Catalog::merge(catalog.iter()));
    Scene {
        revision: 1,
        environment: Some(environment(fields)),
        catalog,
        examples: false,
        frame: Arc::default(),
    }
}

/// A template block of the context zone.
pub(crate) fn block(body: &str) -> String {
    format!("---\nid: t:a\nzone: context\norder: 1\ntemplate: true\n---\n{body}")
}

pub(crate) fn template(file: &str) -> Template {
    template_of(file, &Profile::blocks())
}

pub(crate) fn template_of(file: &str, profile: &Arc<Profile>) -> Template {
    Template::of(&Document::new(file, Arc::clone(profile)))
}

/// What a body renders as.
pub(crate) fn rendered(body: &str, scene: &Scene) -> Rendered {
    render(&template(&block(body)), scene, None, &Limits::START)
}

/// A project's files; numbers are their places in the list, revisions their length and first bytes.
pub(crate) struct Files(pub(crate) Vec<String>);

impl Files {
    pub(crate) fn index(&self) -> Index {
        let mut index = Index::default();
        for (number, text) in (0..).zip(&self.0) {
            index.update(FileId(number), Some(Document::new(text, Profile::blocks()).facts()));
        }
        index
    }

    pub(crate) fn assemble(&self, scene: &Scene, input: Option<&str>) -> Result<Assembly, Refused> {
        self.assemble_with(&mut Assembler::default(), scene, input)
    }

    pub(crate) fn assemble_with(
        &self,
        assembler: &mut Assembler,
        scene: &Scene,
        input: Option<&str>,
    ) -> Result<Assembly, Refused> {
        assembler.assemble(&self.index(), scene, self, input)
    }

    /// An assembly that is not refused, in an environment.
    pub(crate) fn assembled(&self, fields: &str) -> Assembly {
        self.assemble(&scene(fields), None).expect("an assembly")
    }
}

impl Blocks for Files {
    fn revision(&self, file: FileId) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        self.0.get(file.0 as usize).hash(&mut hasher);
        hasher.finish()
    }

    fn template(&self, file: FileId) -> Option<Template> {
        Some(template(self.0.get(file.0 as usize)?))
    }
}

/// The assembly of these files with that catalog, where it is not refused.
pub(crate) fn assembly_of(
    texts: &[&str],
    catalog: &Arc<Catalog>,
    fields: &str,
    examples: bool,
) -> Option<Assembly> {
    let files = Files(texts.iter().map(|text| (*text).to_owned()).collect());
    let scene = Scene { catalog: Arc::clone(catalog), examples, ..scene(fields) };
    files.assemble(&scene, None).ok()
}

/// What the model is sent of an assembly, text by text, and the digest.
pub(crate) fn sent(assembly: Option<Assembly>) -> Option<(Vec<String>, String)> {
    let assembly = assembly?;
    let texts = assembly.parts().map(|part| part.text().to_owned()).collect();
    Some((texts, assembly.digest()))
}

/// A text value.
pub(crate) fn text(text: &str) -> Value {
    Value::from(text)
}
