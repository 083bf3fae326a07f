//! One catalog file: JSON with comments, with the place of every entry.

mod entry;

pub(crate) use entry::KEYS;

#[cfg(test)]
mod tests;

use super::{Definition, Layer, Variable};
use crate::diagnostic::{Diagnostic, FileId, Remedy};
use crate::excerpt::excerpt;
use crate::jsonc::{self, Member, Node, first_of_each, quoted};
use crate::lint::Code;
use crate::msg;
use crate::nearest::nearest;
use crate::profile::{Profile, TagSyntax};
use crate::span::Span;
use std::sync::Arc;

/// What one catalog file says.
#[derive(Clone, PartialEq, Debug)]
pub struct CatalogFile {
    /// Its layer.
    pub layer: Layer,
    /// The entries that could be read, in the order of the file, the first of each name. One named `prompt` is left
    /// out: nobody can redefine what is built in.
    pub variables: Vec<Arc<Variable>>,
    /// Its own findings, in bytes of the file.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether the whole file could be read as JSON. While it cannot, the last readable version stays in force.
    pub readable: bool,
}

impl CatalogFile {
    /// One that is there and cannot be read: nothing is known of its entries.
    pub const fn unreadable(layer: Layer) -> Self {
        Self { layer, variables: Vec::new(), diagnostics: Vec::new(), readable: false }
    }
}

/// A catalog without entries.
const SKELETON: &str = "{\n  \"variables\": {}\n}\n";

/// Reads a catalog file.
pub fn parse(text: &str, file: FileId, layer: Layer, profile: &Profile) -> CatalogFile {
    let document = jsonc::parse(text);
    let mut reader = Reader { file, layer, profile, diagnostics: Vec::new() };
    let variables = reader.root(&document.root);
    let readable = document.fault.is_none();
    if let Some(fault) = document.fault {
        // Behind a bracket too much or too few, a key may have slipped into another object.
        reader.diagnostics.retain(|found| found.code != Code::UnknownKey || found.span < fault.span);
        let skeleton = document.blank.map(|(at, line_break)| {
            let text = format!("{line_break}{SKELETON}").into();
            Remedy::Insert { at, text, safe: false }
        });
        let found = Diagnostic::new(Code::InvalidCatalog, fault.span, fault.message);
        reader.diagnostics.push(found.remedy(skeleton.unwrap_or(fault.remedy)));
    }
    let mut diagnostics = reader.diagnostics;
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    CatalogFile { layer, variables, diagnostics, readable }
}

struct Reader<'a> {
    file: FileId,
    layer: Layer,
    profile: &'a Profile,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn invalid(&mut self, span: Span, message: crate::Message) {
        self.diagnostics.push(Diagnostic::new(Code::InvalidCatalog, span, message));
    }

    /// A value of the wrong type; what cannot be read at all is no type.
    fn wrong_type(&mut self, what: &str, takes: &crate::Message, node: &Node, remedy: Remedy) {
        if node.is_broken() {
            return;
        }
        let message = msg!("`{what}` takes {takes}, not {is}", "`{what}` 要填{takes}，不能是{is}"; takes = takes, is = node.kind());
        self.diagnostics.push(Diagnostic::new(Code::InvalidCatalog, node.span, message).remedy(remedy));
    }

    /// The members of an object whose keys are known, each once; the others are reported.
    fn known<'d>(&mut self, what: &str, known: &[&str], members: &'d [Member]) -> Vec<&'d Member> {
        let twice = |key: &str| {
            let key = excerpt(key);
            msg!("`{key}` is given twice; the first one counts", "`{key}` 重复；以第一个为准")
        };
        let first = first_of_each(members, Code::InvalidCatalog, twice, &mut self.diagnostics);
        let (fine, unknown): (Vec<_>, Vec<_>) =
            first.into_iter().partition(|member| known.contains(&&*member.key.value));
        for member in unknown {
            let free =
                known.iter().copied().filter(|key| !fine.iter().any(|given| *given.key.value == **key));
            let near = nearest(&member.key.value, free);
            let key = excerpt(&member.key.value);
            let message = match near.best() {
                Some(best) => {
                    msg!("unknown key `{key}`; did you mean `{best}`?", "未知的键 `{key}`；是不是 `{best}`？")
                }
                None => msg!(
                    "unknown key `{key}`; {what} has {known}",
                    "未知的键 `{key}`；可用的键有 {known}";
                    known = crate::message::and(known.iter().copied().filter(|key| *key != "$schema"))
                ),
            };
            let found = Diagnostic::new(Code::UnknownKey, member.key.span, message);
            let remedy = match quoted(&near, true) {
                Remedy::None => Remedy::RemoveEntry(member.span()),
                near => near,
            };
            self.diagnostics.push(found.remedy(remedy));
        }
        fine
    }

    fn root(&mut self, root: &Node) -> Vec<Arc<Variable>> {
        let Some(members) = root.as_object() else {
            if !root.is_broken() {
                let message = msg!(
                    "a catalog is an object with a key `variables`, not {is}",
                    "目录应为带有键 `variables` 的对象，不能是{is}";
                    is = root.kind()
                );
                let with = vec![SKELETON.trim_end().into()];
                let remedy =
                    if root.holds_nothing() { Remedy::Replace { with, safe: false } } else { Remedy::None };
                self.diagnostics
                    .push(Diagnostic::new(Code::InvalidCatalog, root.span, message).remedy(remedy));
            }
            return Vec::new();
        };
        let known = self.known("a catalog", &["variables", "$schema"], members);
        let Some(variables) = known.into_iter().find(|member| &*member.key.value == "variables") else {
            // An empty object is an empty catalog. One whose entries lie outside of `variables` is a mistake.
            let first = members.iter().find(|member| &*member.key.value != "$schema");
            if first.is_some_and(|first| nearest(&first.key.value, ["variables"]).best().is_none()) {
                let brace = Span::new(root.span.start, root.span.start + 1);
                let message = msg!(
                    "the key `variables` is missing: the object that holds the variables",
                    "缺少键 `variables`：所有变量都写在这个对象里"
                );
                self.invalid(brace, message);
            }
            return Vec::new();
        };
        let Some(entries) = variables.value.as_object() else {
            // Entries that stand in something else would go with it.
            let with = vec!["{}".into()];
            let empty = variables.value.holds_nothing();
            let remedy = if empty { Remedy::Replace { with, safe: false } } else { Remedy::None };
            self.wrong_type("variables", &msg!("an object", "对象"), &variables.value, remedy);
            return Vec::new();
        };
        let twice = |name: &str| {
            let name = excerpt(name);
            msg!(
                "the variable `{name}` is defined twice; the first one counts",
                "变量 `{name}` 重复定义；以第一个为准"
            )
        };
        let entries = first_of_each(entries, Code::DuplicateVariable, twice, &mut self.diagnostics);
        entries.into_iter().filter_map(|member| self.variable(member)).collect()
    }

    fn variable(&mut self, member: &Member) -> Option<Arc<Variable>> {
        let name = &member.key.value;
        let mut variable = Variable::named(Arc::clone(name), self.layer);
        variable.definition =
            Some(Definition { file: self.file, key: member.key.span, entry: member.span() });
        match member.value.as_object() {
            Some(fields) => self.entry(fields, &mut variable),
            None => {
                let shown = excerpt(name).into_owned();
                self.wrong_type(&shown, &msg!("an object", "对象"), &member.value, Remedy::None);
            }
        }
        if &**name == "prompt" {
            let message = msg!(
                "`prompt` is built in: the user's input; a catalog cannot define it",
                "`prompt` 是内置变量（用户的输入），不能在目录里定义"
            );
            let found = Diagnostic::new(Code::InvalidCatalog, member.key.span, message);
            self.diagnostics.push(found.remedy(Remedy::RemoveEntry(member.span())));
            return None;
        }
        // What suits the templates of one project need not suit those of another: the user's layer is no project's.
        if matches!(self.layer, Layer::Project | Layer::Local) && !self.profile.can_write(name) {
            self.unwritable(name, member.key.span);
        }
        Some(Arc::new(variable))
    }

    fn unwritable(&mut self, name: &str, key: Span) {
        let shown = excerpt(name);
        let message = match self.profile.tags {
            TagSyntax::DoubleBraces => msg!(
                "`{shown}` cannot be written in `{{{{…}}}}`: a name is a small letter, then small letters, digits and `_`",
                "`{shown}` 不能写在 `{{{{…}}}}` 里：名称以小写字母开头，只含小写字母、数字和 `_`"
            ),
            TagSyntax::SingleBraces if crate::syntax::KEYWORDS.contains(&name) => msg!(
                "`{shown}` is a word of the template language and cannot be the name of a variable",
                "`{shown}` 是模板语言的关键字，不能作变量名"
            ),
            TagSyntax::SingleBraces => msg!(
                "`{shown}` cannot be written in a tag: a name is letters, digits and `_`, and begins with no digit",
                "`{shown}` 不能写在标签里：名称由文字、数字和 `_` 组成，不能以数字开头"
            ),
        };
        self.invalid(key, message);
    }
}
