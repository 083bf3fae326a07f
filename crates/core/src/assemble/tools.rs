//! `promptblock.tools.json`: the schemas of the tools, which stand before the system text in the cached prefix. [S1] [S4]

use super::tokens::Vocabulary;
use crate::diagnostic::{Diagnostic, Remedy};
use crate::excerpt::excerpt;
use crate::jsonc::{self, Member, Node, first_of_each, quoted};
use crate::lint::Code;
use crate::message::{Message, and};
use crate::msg;
use crate::nearest::nearest;
use crate::project::UNLISTED_TOOLS;
use crate::span::{Span, Spanned};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use std::sync::{Arc, OnceLock};

const KEYS: [&str; 3] = ["name", "description", "parameters"];

/// A tool.
#[derive(Debug)]
pub struct Tool {
    /// Its name, with its place in the file.
    pub name: Spanned<Arc<str>>,
    /// What it is for.
    pub description: Option<Arc<str>>,
    /// The JSON Schema of its arguments.
    pub parameters: Map<String, Value>,
    counts: [OnceLock<u64>; Vocabulary::ALL.len()],
}

impl Tool {
    /// The schema as it is sent: name, description, parameters.
    pub fn schema(&self) -> Value {
        let mut schema = Map::new();
        schema.insert("name".to_owned(), (&*self.name.value).into());
        schema.extend(self.description.iter().map(|it| ("description".to_owned(), Value::from(&**it))));
        schema.insert("parameters".to_owned(), self.parameters.clone().into());
        schema.into()
    }

    /// Tokens of the schema as compact JSON.
    pub fn tokens(&self, vocabulary: Vocabulary) -> u64 {
        let count = || vocabulary.count(&self.schema().to_string());
        self.counts.get(vocabulary as usize).map_or_else(count, |slot| *slot.get_or_init(count))
    }
}

/// The tools of a project.
#[derive(Clone, Debug, Default)]
pub struct Tools {
    /// Whether the file could be read as JSON throughout.
    pub readable: bool,
    /// Each name once; in the sequence of the file, or as they are sent.
    pub list: Vec<Arc<Tool>>,
}

impl Tools {
    /// In the sequence in which they are sent: that of `tool_order`, the tools that it does not name by name at its place for the
    /// rest. [S1]
    #[must_use]
    pub fn in_order(&self, order: Option<&[Spanned<Arc<str>>]>) -> Self {
        let mut rest: Vec<&Arc<Tool>> = self.list.iter().collect();
        rest.sort_by(|a, b| a.name.value.encode_utf16().cmp(b.name.value.encode_utf16()));
        let Some(order) = order else {
            return Self { list: rest.into_iter().cloned().collect(), ..*self };
        };
        rest.retain(|tool| order.iter().all(|name| name.value != tool.name.value));
        let mut list = Vec::with_capacity(self.list.len());
        for name in order {
            if &*name.value == UNLISTED_TOOLS {
                list.extend(rest.drain(..).cloned());
            } else {
                list.extend(self.list.iter().find(|tool| tool.name.value == name.value).cloned());
            }
        }
        Self { list, ..*self }
    }

    /// Tokens of all of them.
    pub fn tokens(&self, vocabulary: Vocabulary) -> u64 {
        self.list.iter().map(|tool| tool.tokens(vocabulary)).sum()
    }

    /// SHA-256 of the schemas in their sequence.
    pub(super) fn digest(&self) -> [u8; 32] {
        let mut hasher = Sha256::new();
        for tool in &self.list {
            let schema = tool.schema().to_string();
            hasher.update((schema.len() as u64).to_le_bytes());
            hasher.update(schema.as_bytes());
        }
        hasher.finalize().into()
    }
}

/// The names in `tool_order` that no schema has. `tools` are those of the file, `None` where there is none.
pub fn unknown_tools(order: &[Spanned<Arc<str>>], tools: Option<&Tools>) -> Vec<Diagnostic> {
    let known = || tools.iter().flat_map(|tools| &tools.list).map(|tool| &*tool.name.value);
    let named = order.iter().filter(|name| &*name.value != UNLISTED_TOOLS);
    let unknown = named.filter(|name| known().all(|known| known != &*name.value));
    let finding = |name: &Spanned<Arc<str>>| {
        let shown = excerpt(&name.value);
        let near = nearest(&name.value, known());
        let message = match tools {
            Some(_) => msg!(
                "no tool `{shown}` in promptblock.tools.json{question}",
                "promptblock.tools.json 中没有工具 `{shown}`{question}";
                question = near.question()
            ),
            None => msg!(
                "no tool `{shown}`: there is no promptblock.tools.json",
                "没有工具 `{shown}`：项目中没有 promptblock.tools.json"
            ),
        };
        let remedy = match near.replace(false, |name| format!("\"{name}\"").into()) {
            Remedy::None => Remedy::RemoveEntry(name.span),
            near => near,
        };
        Diagnostic::new(Code::InvalidConfig, name.span, message).remedy(remedy)
    };
    unknown.map(finding).collect()
}

/// Reads the file. Tools that cannot be read are left out.
pub fn parse_tools(text: &str) -> (Tools, Vec<Diagnostic>) {
    let document = jsonc::parse(text);
    let mut reader =
        Reader { tools: Vec::new(), names: rustc_hash::FxHashMap::default(), diagnostics: Vec::new() };
    reader.root(&document.root);
    let Reader { tools: list, mut diagnostics, .. } = reader;
    let readable = document.fault.is_none();
    if let Some(fault) = document.fault {
        diagnostics
            .push(Diagnostic::new(Code::InvalidConfig, fault.span, fault.message).remedy(fault.remedy));
    }
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, diagnostic.code));
    (Tools { readable, list }, diagnostics)
}

struct Reader {
    tools: Vec<Arc<Tool>>,
    /// Where each name is given first.
    names: rustc_hash::FxHashMap<Arc<str>, Span>,
    diagnostics: Vec<Diagnostic>,
}

impl Reader {
    fn invalid(&mut self, span: Span, message: Message, remedy: Remedy) {
        self.diagnostics.push(Diagnostic::new(Code::InvalidConfig, span, message).remedy(remedy));
    }

    fn root(&mut self, root: &Node) {
        let Some(items) = root.as_array() else {
            if !root.is_broken() {
                let message = msg!(
                    "expected a list of tools, not {is}",
                    "这里应为工具的列表，不能是{is}";
                    is = root.kind()
                );
                self.invalid(root.span, message, Remedy::None);
            }
            return;
        };
        for item in items {
            match item.as_object() {
                Some(members) => self.tool(item.span, members),
                None if item.is_broken() => {}
                None => {
                    let message =
                        msg!("a tool is an object, not {is}", "工具应为对象，不能是{is}"; is = item.kind());
                    self.invalid(item.span, message, Remedy::None);
                }
            }
        }
    }

    fn tool(&mut self, whole: Span, members: &[Member]) {
        let twice = |key: &str| {
            let key = excerpt(key);
            msg!("`{key}` is given twice; the first one counts", "`{key}` 重复；以第一个为准")
        };
        let members = first_of_each(members, Code::InvalidConfig, twice, &mut self.diagnostics);
        let (mut name, mut description, mut parameters) = (None, None, Map::new());
        for member in &members {
            match &*member.key.value {
                "name" => name = self.name(&member.value),
                "description" => description = self.text("description", &member.value).cloned(),
                "parameters" => parameters = self.parameters(&member.value).unwrap_or_default(),
                _ => self.unknown_key(member, &members),
            }
        }
        let has_name = members.iter().any(|member| &*member.key.value == "name");
        if !has_name {
            // What cannot be read may be the name.
            if members.iter().all(|member| !member.value.is_broken()) {
                let brace = Span::new(whole.start, whole.start + 1);
                self.invalid(brace, msg!("this tool has no `name`", "这个工具没有 `name`"), Remedy::None);
            }
            return;
        }
        let Some(name) = name else { return };
        if let Some(first) = self.names.get(&name.value) {
            let shown = excerpt(&name.value);
            let message = msg!(
                "the tool `{shown}` is there twice; the first one counts",
                "工具 `{shown}` 重复；以第一个为准"
            );
            let there = msg!("first given here", "第一次出现在这里");
            let found = Diagnostic::new(Code::InvalidConfig, name.span, message).related(*first, there);
            self.diagnostics.push(found);
            return;
        }
        self.names.insert(Arc::clone(&name.value), name.span);
        self.tools.push(Arc::new(Tool { name, description, parameters, counts: Default::default() }));
    }

    fn name(&mut self, value: &Node) -> Option<Spanned<Arc<str>>> {
        let name = self.text("name", value)?;
        let message = if name.is_empty() {
            msg!("the name of a tool cannot be empty", "工具名不能为空")
        } else if &**name == UNLISTED_TOOLS {
            msg!(
                "no tool can be called `{UNLISTED_TOOLS}`: in `tool_order` that stands for the rest",
                "工具不能叫 `{UNLISTED_TOOLS}`：它在 `tool_order` 中表示其余的工具"
            )
        } else {
            return Some(Spanned::new(Arc::clone(name), value.span));
        };
        self.invalid(value.span, message, Remedy::None);
        None
    }

    fn text<'n>(&mut self, key: &str, value: &'n Node) -> Option<&'n Arc<str>> {
        let text = value.as_text();
        if text.is_none() && !value.is_broken() {
            let message =
                msg!("`{key}` takes a text, not {is}", "`{key}` 要填文本，不能是{is}"; is = value.kind());
            self.invalid(value.span, message, Remedy::None);
        }
        text
    }

    fn parameters(&mut self, value: &Node) -> Option<Map<String, Value>> {
        let Some(members) = value.as_object() else {
            if !value.is_broken() {
                let message = msg!(
                    "`parameters` takes a JSON Schema, an object, not {is}",
                    "`parameters` 要填 JSON Schema，即对象，不能是{is}";
                    is = value.kind()
                );
                self.invalid(value.span, message, Remedy::None);
            }
            return None;
        };
        let kind = members.iter().find(|member| &*member.key.value == "type").map(|member| &member.value);
        if let Some(kind) =
            kind.filter(|kind| kind.as_text().is_none_or(|kind| &**kind != "object") && !kind.is_broken())
        {
            let message = msg!(
                "the arguments of a tool are an object: `type` is `\"object\"`",
                "工具的参数是对象：`type` 应为 `\"object\"`"
            );
            let remedy = Remedy::Replace { with: vec!["\"object\"".into()], safe: false };
            self.invalid(kind.span, message, remedy);
        }
        match value.to_json() {
            Some(Value::Object(parameters)) => Some(parameters),
            _ => None,
        }
    }

    fn unknown_key(&mut self, member: &Member, members: &[&Member]) {
        let key = excerpt(&member.key.value);
        let given = |key: &&str| members.iter().any(|member| &*member.key.value == *key);
        let near = nearest(&member.key.value, KEYS.into_iter().filter(|key| !given(key)));
        let message = match near.best() {
            Some(best) => {
                msg!("unknown key `{key}`; did you mean `{best}`?", "未知的键 `{key}`；是不是 `{best}`？")
            }
            None => msg!(
                "unknown key `{key}`; a tool has {keys}",
                "未知的键 `{key}`；工具的键有 {keys}";
                keys = and(KEYS)
            ),
        };
        let remedy = match quoted(&near, true) {
            Remedy::None => Remedy::RemoveEntry(member.span()),
            near => near,
        };
        self.diagnostics.push(Diagnostic::new(Code::UnknownKey, member.key.span, message).remedy(remedy));
    }
}

/// The tools as OpenAI's chat completions take them.
pub(super) fn openai(tools: &Tools) -> Value {
    tools.list.iter().map(|tool| json!({"type": "function", "function": tool.schema()})).collect()
}

/// The tools as Anthropic's messages take them, the last one with a cache mark if `marked`.
pub(super) fn anthropic(tools: &Tools, marked: bool) -> Value {
    let last = tools.list.len().saturating_sub(1);
    let tool = |(index, tool): (usize, &Arc<Tool>)| {
        let mut out = Map::new();
        out.insert("name".to_owned(), (&*tool.name.value).into());
        out.extend(tool.description.iter().map(|it| ("description".to_owned(), Value::from(&**it))));
        let mut schema = Map::new();
        schema.insert("type".to_owned(), "object".into());
        schema.extend(tool.parameters.clone());
        out.insert("input_schema".to_owned(), schema.into());
        if marked && index == last {
            out.insert("cache_control".to_owned(), json!({"type": "ephemeral"}));
        }
        Value::Object(out)
    };
    tools.list.iter().enumerate().map(tool).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Locale, Severity};

    /// What is found: code, text there, message.
    fn found(text: &str) -> Vec<String> {
        let shown = |it: &Diagnostic| {
            assert_eq!(
                it.severity,
                if it.code == Code::UnknownKey { Severity::Warning } else { Severity::Error }
            );
            assert!(it.message.text(Locale::ZhCn) != it.message.text(Locale::En));
            format!("{} {} {}", it.code.name(), it.span.of_str(text), it.message.text(Locale::En))
        };
        parse_tools(text).1.iter().map(shown).collect()
    }

    #[test]
    fn a_sound_file() {
        let text = "\u{feff}// tools\n[{\"name\": \"读\", \"description\": \"🎉\", \"parameters\": {\"type\": \"object\"}},\r\n {\"name\": \"b\"},]";
        let (tools, found) = parse_tools(text);
        assert_eq!((found, tools.readable, tools.list.len()), (vec![], true, 2));
        let schema = tools.list[0].schema().to_string();
        assert_eq!(schema, r#"{"name":"读","description":"🎉","parameters":{"type":"object"}}"#);
        assert_eq!(tools.list[0].name.span.of_str(text), "\"读\"");
        assert_eq!(tools.list[1].tokens(Vocabulary::Estimate), 10);
    }

    #[test]
    fn faults_at_their_places() {
        assert_eq!(found("{}"), ["invalid-config {} expected a list of tools, not an object"]);
        let text = r#"[1, {"name": "", "descriptoin": "x"}, {"name": 5}, {"description": "x"},
            {"name": "a", "parameters": []}, {"name": "a"}, {"name": "b", "parameters": {"type": "array"}},
            {"name": "c", "name": "d", "strict": true, "description": null}, {"name": "<unlisted-tools>"}]"#;
        assert_eq!(
            found(text),
            [
                "invalid-config 1 a tool is an object, not a number",
                "invalid-config \"\" the name of a tool cannot be empty",
                "unknown-key \"descriptoin\" unknown key `descriptoin`; did you mean `description`?",
                "invalid-config 5 `name` takes a text, not a number",
                "invalid-config { this tool has no `name`",
                "invalid-config [] `parameters` takes a JSON Schema, an object, not a list",
                "invalid-config \"a\" the tool `a` is there twice; the first one counts",
                "invalid-config \"array\" the arguments of a tool are an object: `type` is `\"object\"`",
                "invalid-config \"name\" `name` is given twice; the first one counts",
                "unknown-key \"strict\" unknown key `strict`; a tool has `name`, `description` and `parameters`",
                "invalid-config null `description` takes a text, not null",
                "invalid-config \"<unlisted-tools>\" no tool can be called `<unlisted-tools>`: in `tool_order` that stands for the rest",
            ]
        );
        let (tools, _) = parse_tools(text);
        let names: Vec<&str> = tools.list.iter().map(|tool| &*tool.name.value).collect();
        assert_eq!(names, ["a", "b", "c"], "what has a fault in another field is there");
    }

    #[test]
    fn a_broken_file_keeps_what_can_be_read() {
        let (tools, found) = parse_tools("[{\"name\": \"a\"}, {\"name\": ");
        assert_eq!((tools.readable, tools.list.len(), found.len()), (false, 1, 1));
        assert_eq!(found[0].code, Code::InvalidConfig);
    }

    #[test]
    fn in_order() {
        let (tools, _) = parse_tools(r#"[{"name": "z"}, {"name": "B"}, {"name": "a"}, {"name": "é"}]"#);
        let ordered = |order: &str| {
            let (config, _) = crate::project::parse_config(order);
            let tools = tools.in_order(config.tool_order.as_deref());
            tools.list.iter().map(|tool| &*tool.name.value).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(ordered(""), "B a z é");
        assert_eq!(ordered("tool_order = ['z', '<unlisted-tools>', 'a']"), "z B é a");
        assert_eq!(ordered("tool_order = ['<unlisted-tools>', 'none']"), "B a z é");
        assert_eq!(ordered("tool_order = ['z']"), "B a z é", "an order with a fault is none");
    }

    #[test]
    fn names_that_no_schema_has() {
        let text = "tool_order = ['reed', '<unlisted-tools>', 'a']";
        let (config, found) = crate::project::parse_config(text);
        assert_eq!(found, []);
        let (tools, _) = parse_tools(r#"[{"name": "read"}, {"name": "a"}]"#);
        let order = config.tool_order.unwrap_or_default();
        let shown = |found: Vec<Diagnostic>| -> Vec<String> {
            found
                .iter()
                .map(|it| format!("{} {}", it.span.of_str(text), it.message.text(Locale::En)))
                .collect()
        };
        assert_eq!(
            shown(unknown_tools(&order, Some(&tools))),
            ["'reed' no tool `reed` in promptblock.tools.json; did you mean `read`?"]
        );
        assert_eq!(shown(unknown_tools(&order, None)).len(), 2);
    }
}
