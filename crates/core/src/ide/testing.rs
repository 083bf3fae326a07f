//! A small project for the tests of the features, and texts with a cursor.

use super::Context;
use crate::block::Zone;
use crate::catalog::{Argument, Catalog, CatalogFile, Definition, Layer, Mutability, ValueType, Variable};
use crate::lint::Judge;
use crate::project::Index;
use crate::span::{Span, offset};
use crate::syntax::{Document, parse_condition};
use crate::{FileId, Locale};
use std::sync::Arc;

pub(crate) const FILE: FileId = FileId(7);
pub(crate) const CATALOG: FileId = FileId(1);

/// A document in a project.
pub(crate) struct Project {
    pub(crate) document: Document,
    pub(crate) judge: Judge,
    pub(crate) index: Index,
    pub(crate) locale: Locale,
}

impl Project {
    /// The file of that text among a few others.
    pub(crate) fn new(text: &str) -> Self {
        Self::with(text, Judge::new(catalog()))
    }

    pub(crate) fn with(text: &str, judge: Judge) -> Self {
        let mut index = Index::default();
        let others = [
            (2, "demo:safety", "system", -100),
            (3, "demo:tools", "system", 110),
            (4, "demo:search", "system", 130),
            (5, "demo:clock", "context", 10),
        ];
        for (file, id, zone, order) in others {
            let text =
                format!("---\nid: {id}\nzone: {zone}\norder: {order}\ntemplate: true\n---\n{{time}}\n");
            let mut other = Document::new(&text, Arc::clone(&judge.profile));
            other.judge(&judge);
            index.update(FileId(file), Some(other.facts()));
        }
        let document = Document::new(text, Arc::clone(&judge.profile));
        let mut project = Self { document, judge, index, locale: Locale::En };
        project.judge_again();
        project
    }

    /// Makes the project know the document as it is now.
    pub(crate) fn judge_again(&mut self) {
        self.document.judge(&self.judge);
        self.index.update(FILE, Some(self.document.facts()));
    }

    pub(crate) fn context(&self) -> Context<'_> {
        let Self { document, judge, index, locale } = self;
        Context { file: FILE, document, judge, index, locale: *locale }
    }
}

fn variable(name: &str) -> Variable {
    Variable::named(name, Layer::Project)
}

/// A catalog with one of each.
pub(crate) fn catalog() -> Catalog {
    let argument = |name: &str, optional| Argument { name: name.into(), description: None, optional };
    let mut city = argument("city", false);
    city.description = Some("城市".into());
    let all = vec![
        Variable {
            description: Some("角色的名字".into()),
            example: Some("阿桂".into()),
            definition: Some(Definition { file: CATALOG, key: Span::new(20, 36), entry: Span::new(20, 90) }),
            ..variable("character_name")
        },
        Variable { value_type: Some(ValueType::Boolean), ..variable("is_vip") },
        Variable { value_type: Some(ValueType::List), ..variable("members") },
        Variable { value_type: Some(ValueType::Number), ..variable("limit") },
        Variable {
            mutable: Mutability::Yes,
            zones: Some(vec![Zone::Context]),
            description: Some("当前本地时间".into()),
            ..variable("time")
        },
        Variable {
            args: vec![city, argument("unit", true)],
            value_type: Some(ValueType::Text),
            plugin: Some("weather".into()),
            ..variable("weather")
        },
        Variable { zones: Some(vec![Zone::Context]), ..variable("guild") },
        Variable {
            mutable: parse_condition("is_group == true")
                .map_or(Mutability::Unknown, |c| Mutability::When(c.into())),
            ..variable("mood")
        },
        variable("天气"),
        variable("not a name"),
    ];
    let variables = all.into_iter().map(Arc::new).collect();
    let file = CatalogFile { layer: Layer::Project, variables, diagnostics: Vec::new(), readable: true };
    Catalog::merge([&file])
}

/// A system block with that body.
pub(crate) fn system(body: &str) -> String {
    format!("---\nid: demo:here\nzone: system\norder: 120\ntemplate: true\n---\n{body}")
}

/// A context block with that body.
pub(crate) fn context(body: &str) -> String {
    format!("---\nid: demo:here\nzone: context\norder: 120\ntemplate: true\n---\n{body}")
}

/// The text without its `$0`, and where that stood.
pub(crate) fn cursor(text: &str) -> (String, u32) {
    let at = text.find("$0").expect("a cursor");
    (text.replacen("$0", "", 1), offset(at))
}
