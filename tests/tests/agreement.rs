//! Whatever happens to a project, a client that asks for diagnostics ends with the same list as one that is sent them.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Dice, Project, Start};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

const BLOCKS: usize = 12;
const STEPS: usize = 300;

const CATALOGS: [&str; 4] = [
    r#"{"variables": {"name": {}, "time": {"mutable": true}}}"#,
    r#"{"variables": {"name": {"args": ["a"]}, "time": {}, "other": {}}}"#,
    "{\"variables\": {\n  \"name\": {\"zones\": [\"context\"]},\n  \"time\": {\"mutable\": true}}}",
    "{\"variables\": {\"name\": ",
];
const BODIES: [&str; 6] =
    ["", "{name}", "你😀 {time} {nobody}", "{if name}", "{\"a\": {name}}\n\n{other}", "}\r\n{name a b}"];
const CONFIGS: [&str; 3] =
    ["", "[severity]\norder-conflict = \"hint\"\n", "exclude = [\"b3.promptblock\"]\n"];

fn block(dice: &mut Dice) -> String {
    let (id, order) = (dice.roll(6), dice.roll(4));
    let zone = dice.pick(&["system", "context"]);
    let complete = if *zone == "system" && dice.roll(12) == 0 { "complete: true\n" } else { "" };
    let body = dice.pick::<&str>(&BODIES);
    format!("---\nid: t:{id}\nzone: {zone}\norder: {order}\ntemplate: true\n{complete}---\n{body}\n")
}

/// A file's diagnostics, without what only one of the two ways has.
type List = BTreeMap<String, Vec<Value>>;

struct Session {
    project: Project,
    client: Client,
    open: BTreeMap<String, (i64, String)>,
    version: i64,
}

impl Session {
    fn step(&mut self, dice: &mut Dice) {
        let name = format!("b{}.promptblock", dice.roll(BLOCKS));
        let uri = self.project.uri(&name);
        self.version += 1;
        match dice.roll(12) {
            0 | 1 => {
                self.project.write(&name, block(dice));
                self.client.watched(&[(&uri, 2)]);
            }
            2 if self.project.path(&name).exists() => {
                self.project.remove(&name);
                self.client.watched(&[(&uri, 3)]);
            }
            3 => self.settings("promptblock.catalog.json", dice.pick::<&str>(&CATALOGS)),
            4 => self.settings("promptblock.toml", dice.pick::<&str>(&CONFIGS)),
            5..=7 => {
                let text = block(dice);
                if self.open.contains_key(&uri) {
                    self.client.replace(&uri, self.version, &text);
                } else {
                    self.client.open(&uri, self.version, &text);
                }
                self.open.insert(uri.clone(), (self.version, text));
                // Mostly it asks right behind the edit, and sometimes it is too late or forgets to.
                if dice.roll(5) > 0 {
                    self.client.ask("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
                }
            }
            8 | 9 if self.open.remove(&uri).is_some() => self.client.close(&uri),
            _ => self.client.listen(Duration::from_millis(2)),
        }
    }

    fn settings(&mut self, name: &str, text: &str) {
        self.project.write(name, text);
        self.client.watched(&[(&self.project.uri(name), 2)]);
    }
}

fn plain(found: &[Value]) -> Vec<Value> {
    let known = |one: &Value| {
        // Of several it names the one that was seen first.
        let message = if one["code"] == "order-conflict" { &Value::Null } else { &one["message"] };
        json!([one["code"], one["range"], message, one["severity"]])
    };
    found.iter().map(known).collect()
}

/// What a client has that asks: the documents' own answers, and the last part about everything else.
fn pulled(session: &mut Session) -> List {
    session.client.listen(Duration::from_millis(2500));
    let mut list = List::new();
    for part in session.client.notifications.iter().filter(|one| one["method"] == "$/progress") {
        for item in part["params"]["value"]["items"].as_array().into_iter().flatten() {
            if item["kind"] == "full" {
                let items = plain(item["items"].as_array().unwrap());
                list.insert(item["uri"].as_str().unwrap().to_owned(), items);
            }
        }
    }
    for uri in session.open.keys() {
        let answer = session.client.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}));
        list.insert(uri.clone(), plain(answer["items"].as_array().unwrap()));
    }
    let pushed = session.client.published.iter().filter(|(_, last)| !last.diagnostics.is_empty());
    assert_eq!(pushed.count(), 0, "{:?}", session.client.published);
    list.retain(|_, found| !found.is_empty());
    list
}

/// What a client has that is sent everything, and sees the project for the first time.
fn pushed(session: &Session) -> List {
    let mut client = Start::in_folders(&[&session.project]).start();
    for (uri, (version, text)) in &session.open {
        client.open(uri, *version, text);
    }
    client.settle();
    client.listen(Duration::from_millis(500));
    client.settle();
    let mut list: List =
        client.published.iter().map(|(uri, last)| (uri.clone(), plain(&last.diagnostics))).collect();
    list.retain(|uri, found| !found.is_empty() && uri.starts_with("file:"));
    client.stop();
    list
}

#[test]
fn pulled_and_pushed_are_the_same() {
    for seed in 1..=3 {
        let mut dice = Dice::new(seed);
        let project = Project::new("//- promptblock.toml\n");
        project.write("promptblock.catalog.json", CATALOGS[0]);
        for number in 0..BLOCKS {
            project.write(&format!("b{number}.promptblock"), block(&mut dice));
        }
        let client = Start::in_folders(&[&project]).pulling().start();
        let mut session = Session { project, client, open: BTreeMap::new(), version: 0 };
        let params = json!({"previousResultIds": [], "partialResultToken": "all"});
        session.client.ask("workspace/diagnostic", params);
        for _ in 0..STEPS {
            session.step(&mut dice);
        }
        // A broken catalog holds what it was before, which a fresh reader does not know.
        session.settings("promptblock.catalog.json", CATALOGS[2]);
        let (mine, fresh) = (pulled(&mut session), pushed(&session));
        for uri in mine.keys().chain(fresh.keys()) {
            assert_eq!(mine.get(uri), fresh.get(uri), "seed {seed}: {uri}");
        }
        session.client.stop();
    }
}
