//! The messages that each profile makes of one project: what is sent, word for word. The files beside this one hold the blocks and,
//! behind a line of `=`, the messages. With `UPDATE_GOLDEN=1` in the environment they are written anew.

use super::fixture::{environment, template_of};
use super::{Assembler, Assembly, Blocks, Frame, Scene, Template, messages};
use crate::FileId;
use crate::catalog::Catalog;
use crate::profile::Profile;
use crate::project::{ContextPlacement, Index};
use crate::syntax::Document;
use std::fmt::Write as _;
use std::sync::Arc;

const BORDER: &str = "\n========\n";

/// A project in one text: a line of `+` stands between two files.
struct Project {
    profile: Arc<Profile>,
    files: Vec<String>,
}

impl Project {
    fn new(profile: &str, text: &str) -> Self {
        let profile = Profile::named(profile).expect("a profile");
        Self { profile, files: text.split("\n++++\n").map(str::to_owned).collect() }
    }

    fn assemble(&self, placement: ContextPlacement) -> Assembly {
        let mut index = Index::default();
        for (number, text) in (0..).zip(&self.files) {
            index.update(FileId(number), Some(Document::new(text, Arc::clone(&self.profile)).facts()));
        }
        let frame = Arc::new(Frame { profile: Arc::clone(&self.profile), placement, ..Frame::default() });
        let environment = Some(environment(r#"{"who": "甲", "now": "noon </system-reminder>"}"#));
        let scene =
            Scene { revision: 1, environment, catalog: Arc::new(Catalog::default()), examples: false, frame };
        Assembler::default().assemble(&index, &scene, self, Some("你好 🎉")).expect("an assembly")
    }
}

impl Blocks for Project {
    fn revision(&self, _: FileId) -> u64 {
        1
    }

    fn template(&self, file: FileId) -> Option<Template> {
        Some(template_of(self.files.get(file.0 as usize)?, &self.profile))
    }
}

fn shown(assembly: &Assembly) -> String {
    let mut out = String::new();
    for message in messages(assembly) {
        let (role, blocks) = (message.role.name(), message.blocks.join(" "));
        let mark = if message.cache { ", cache mark" } else { "" };
        let end = if message.ends_prefix { ", end of the stable prefix" } else { "" };
        let _ = writeln!(out, "── {role} [{blocks}]{mark}{end}\n{}", message.text);
    }
    out
}

fn check(profile: &str, name: &str, text: &str, placement: ContextPlacement) -> Assembly {
    let (files, golden) = text.split_once(BORDER).unwrap_or((text, ""));
    let assembly = Project::new(profile, files).assemble(placement);
    let found = shown(&assembly);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        let path = format!("{}/src/assemble/golden/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        std::fs::write(path, format!("{files}{BORDER}{found}")).expect("a writable file");
    } else {
        assert_eq!(found, golden, "{name}");
    }
    assembly
}

#[test]
fn blocks() {
    let assembly = check("blocks", "blocks", include_str!("blocks.txt"), ContextPlacement::Messages);
    assert_eq!(assembly.section_names().collect::<Vec<_>>(), ["t:who", "t:rules", "t:q", "t:a"]);
}

#[test]
fn contexts_in_the_input() {
    check("blocks", "blocks-input", include_str!("blocks-input.txt"), ContextPlacement::Input);
}

#[test]
fn harness() {
    let assembly = check("harness", "harness", include_str!("harness.txt"), ContextPlacement::Messages);
    let contexts: Vec<&str> = assembly.contexts.iter().map(super::Part::text).collect();
    assert_eq!(contexts, ["cwd: 甲", "policy"], "the snapshot's sentence stands in the message alone");
}

#[test]
fn zcode() {
    let assembly = check("zcode", "zcode", include_str!("zcode.txt"), ContextPlacement::Messages);
    let marks = messages(&assembly).iter().filter(|message| message.cache).count();
    assert_eq!(marks, 4);
    let system: Vec<&str> = assembly.system.iter().map(super::Part::id).collect();
    assert_eq!(system, ["t:who", "t:rules", "t:tools", "t:env", "t:model"], "what is stable stands in front");
}

/// What is counted is what is sent.
#[test]
fn tokens_are_those_of_the_messages() {
    use super::Vocabulary;
    let texts = [
        ("blocks", include_str!("blocks.txt")),
        ("harness", include_str!("harness.txt")),
        ("zcode", include_str!("zcode.txt")),
    ];
    for (profile, text) in texts {
        let (files, _) = text.split_once(BORDER).expect("a border");
        let assembly = Project::new(profile, files).assemble(ContextPlacement::Messages);
        for vocabulary in Vocabulary::ALL {
            let sent: u64 = messages(&assembly).iter().map(|message| vocabulary.count(&message.text)).sum();
            assert_eq!(assembly.tokens(vocabulary).total(), sent, "{profile} {vocabulary:?}");
        }
    }
}
