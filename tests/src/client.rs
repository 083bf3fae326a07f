//! The client: a process, its messages, and what it published.

use crate::text::{Encoding, position};
use crate::{Project, binary};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How long anything may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(20);
/// The file that [`Client::settle`] edits.
const SENTINEL: &str = "untitled:sentinel";

/// How to start a server.
#[derive(Debug)]
pub struct Start {
    capabilities: Value,
    params: Value,
    folders: Vec<String>,
    environment: Vec<(String, String)>,
}

impl Default for Start {
    fn default() -> Self {
        Self {
            capabilities: full_capabilities(),
            params: json!({}),
            folders: Vec::new(),
            environment: Vec::new(),
        }
    }
}

impl Start {
    /// A client that can everything, with these folders.
    pub fn in_folders(projects: &[&Project]) -> Self {
        Self { folders: projects.iter().map(|project| project.uri("")).collect(), ..Self::default() }
    }

    /// With other capabilities.
    pub fn capabilities(mut self, capabilities: Value) -> Self {
        self.capabilities = capabilities;
        self
    }

    /// With what it can do with a feature of documents.
    pub fn can(mut self, feature: &str, value: Value) -> Self {
        self.capabilities["textDocument"][feature] = value;
        self
    }

    /// A client that asks for diagnostics, and can be told to ask again.
    pub fn pulling(mut self) -> Self {
        self.capabilities["textDocument"]["diagnostic"] =
            json!({"dynamicRegistration": true, "relatedDocumentSupport": false});
        self.capabilities["workspace"]["diagnostics"] = json!({"refreshSupport": true});
        self
    }

    /// Counting in that encoding.
    pub fn encoding(mut self, encoding: Encoding) -> Self {
        self.capabilities["general"]["positionEncodings"] = json!([encoding.name()]);
        self
    }

    /// With a field of the parameters of `initialize`.
    pub fn param(mut self, key: &str, value: Value) -> Self {
        self.params[key] = value;
        self
    }

    /// With a variable of the environment.
    pub fn env(mut self, key: &str, value: &str) -> Self {
        self.environment.push((key.to_owned(), value.to_owned()));
        self
    }

    /// Starts the process and initializes it.
    pub fn start(self) -> Client {
        let mut params =
            json!({"processId": std::process::id(), "capabilities": self.capabilities, "rootUri": null});
        if !self.folders.is_empty() {
            let named = self.folders.iter().map(|uri| json!({"uri": uri, "name": "folder"}));
            params["workspaceFolders"] = named.collect();
        }
        for (key, value) in self.params.as_object().unwrap() {
            params[key] = value.clone();
        }
        let mut client = Client::spawn(&self.environment);
        client.initialized = client.request("initialize", params);
        client.notify("initialized", json!({}));
        client
    }
}

/// What a modern editor says that it can.
fn full_capabilities() -> Value {
    json!({
        "general": {"positionEncodings": ["utf-16"]},
        "window": {"workDoneProgress": true},
        "workspace": {
            "workspaceFolders": true,
            "configuration": true,
            "didChangeConfiguration": {"dynamicRegistration": true},
            "didChangeWatchedFiles": {"dynamicRegistration": true, "relativePatternSupport": true},
            "workspaceEdit": {"documentChanges": true},
        },
        "textDocument": {
            "publishDiagnostics": {
                "relatedInformation": true, "tagSupport": {"valueSet": [1, 2]}, "versionSupport": true, "dataSupport": true,
            },
            "completion": {"completionItem": {
                "snippetSupport": true, "labelDetailsSupport": true, "tagSupport": {"valueSet": [1]},
                "documentationFormat": ["markdown", "plaintext"],
            }},
            "hover": {"contentFormat": ["markdown", "plaintext"]},
            "definition": {"linkSupport": true},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "foldingRange": {"lineFoldingOnly": true},
            "codeAction": {
                "isPreferredSupport": true,
                "codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "source.fixAll"]}},
            },
        },
    })
}

/// The last diagnostics of a file.
#[derive(Clone, Debug, Default)]
pub struct Published {
    /// The version that they are of.
    pub version: Option<i64>,
    /// The diagnostics.
    pub diagnostics: Vec<Value>,
}

impl Published {
    /// Their codes, in order.
    pub fn codes(&self) -> Vec<&str> {
        self.diagnostics.iter().map(|diagnostic| diagnostic["code"].as_str().unwrap()).collect()
    }
}

/// A server and what was heard of it.
#[derive(Debug)]
pub struct Client {
    process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    next_id: i64,
    answers: HashMap<i64, Value>,
    /// The answer to `initialize`.
    pub initialized: Value,
    /// The last diagnostics, by URI.
    pub published: HashMap<String, Published>,
    /// How many times diagnostics came, by URI.
    pub publications: HashMap<String, usize>,
    /// Every notification but the diagnostics.
    pub notifications: Vec<Value>,
    /// Every request of the server.
    pub requests: Vec<Value>,
    /// What is answered to `workspace/configuration`.
    pub configuration: Value,
    sentinel: i64,
}

impl Client {
    /// Starts the process and says nothing to it yet.
    pub fn spawn(environment: &[(String, String)]) -> Self {
        let mut process = Command::new(binary())
            .arg("lsp")
            // Neither the developer's own catalog nor the machine's language takes part.
            .env("XDG_CONFIG_HOME", std::env::temp_dir().join("promptblock-no-such-folder"))
            .env("LC_ALL", "C")
            .envs(environment.iter().map(|(key, value)| (key, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = process.stdin.take();
        let output = process.stdout.take().unwrap();
        let (sender, messages) = channel();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        Self {
            process,
            input,
            messages,
            next_id: 0,
            answers: HashMap::new(),
            initialized: Value::Null,
            published: HashMap::new(),
            publications: HashMap::new(),
            notifications: Vec::new(),
            requests: Vec::new(),
            configuration: Value::Null,
            sentinel: 0,
        }
    }

    /// The process's number.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }

    /// Sends bytes as they are.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the server's input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and gives its number.
    pub fn ask(&mut self, method: &str, params: Value) -> i64 {
        self.next_id += 1;
        let id = self.next_id;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The whole answer to a request.
    pub fn answer(&mut self, id: i64) -> Value {
        self.wait_until(&format!("the answer to request {id}"), |client| client.answers.contains_key(&id));
        self.answers.remove(&id).unwrap()
    }

    /// Whether the answer to a request has been heard.
    pub fn is_answered(&self, id: i64) -> bool {
        self.answers.contains_key(&id)
    }

    /// Sends a request and waits for its result, which must not be an error.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Sends a request and waits for its error.
    pub fn refused(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        let answer = self.answer(id);
        assert!(answer.get("error").is_some(), "{method} was not refused: {answer}");
        answer["error"].clone()
    }

    /// Takes in messages until `done`.
    pub fn wait_until(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !done(self) {
            let left = end.saturating_duration_since(Instant::now());
            match self.messages.recv_timeout(left) {
                Ok(message) => self.take(message),
                Err(RecvTimeoutError::Timeout) => {
                    panic!("waited in vain for {what}; published: {:#?}", self.published)
                }
                Err(RecvTimeoutError::Disconnected) => panic!("the server ended before {what}"),
            }
        }
    }

    /// The next message that has no id of a request of ours.
    pub fn next_error(&mut self) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let message = self.messages.recv_timeout(left).expect("an error answer comes");
            if message["id"].is_null() && message.get("error").is_some() {
                return message["error"].clone();
            }
            self.take(message);
        }
    }

    fn take(&mut self, message: Value) {
        let (id, method) = (message["id"].clone(), message["method"].as_str().unwrap_or_default().to_owned());
        match (id, method.as_str()) {
            (Value::Null, "textDocument/publishDiagnostics") => {
                let params = &message["params"];
                let published = Published {
                    version: params["version"].as_i64(),
                    diagnostics: params["diagnostics"].as_array().unwrap().clone(),
                };
                let uri = params["uri"].as_str().unwrap();
                *self.publications.entry(uri.to_owned()).or_default() += 1;
                self.published.insert(uri.to_owned(), published);
            }
            (Value::Null, _) => self.notifications.push(message),
            (id, "") => {
                self.answers.insert(id.as_i64().expect("an id of ours"), message);
            }
            (id, method) => {
                let result = match method {
                    "workspace/configuration" => json!([self.configuration]),
                    "workspace/applyEdit" => json!({"applied": true}),
                    _ => Value::Null,
                };
                self.requests.push(message);
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
            }
        }
    }

    /// Opens a buffer.
    pub fn open(&mut self, uri: &str, version: i64, text: &str) {
        let language = if uri.ends_with(".json") { "jsonc" } else { "promptblock" };
        let document = json!({"uri": uri, "languageId": language, "version": version, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    /// Gives a buffer another text.
    pub fn replace(&mut self, uri: &str, version: i64, text: &str) {
        self.change(uri, version, json!([{"text": text}]));
    }

    /// Edits a buffer.
    pub fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// Closes a buffer.
    pub fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({"textDocument": {"uri": uri}}));
    }

    /// Tells of files that changed on disk: 1 created, 2 changed, 3 deleted.
    pub fn watched(&mut self, changes: &[(&str, u8)]) {
        let changes: Vec<Value> =
            changes.iter().map(|(uri, kind)| json!({"uri": uri, "type": kind})).collect();
        self.notify("workspace/didChangeWatchedFiles", json!({"changes": changes}));
    }

    /// The diagnostics of a buffer in that version.
    pub fn diagnostics(&mut self, uri: &str, version: i64) -> Published {
        let is_there =
            |client: &Self| client.published.get(uri).is_some_and(|last| last.version == Some(version));
        self.wait_until(&format!("the diagnostics of {uri} in version {version}"), is_there);
        self.published[uri].clone()
    }

    /// Waits until a file has exactly these codes, in order.
    pub fn wait_for_codes(&mut self, uri: &str, codes: &[&str]) -> Published {
        let what = format!("{codes:?} in {uri}");
        self.wait_until(&what, |client| client.codes(uri) == codes);
        self.published.get(uri).cloned().unwrap_or_default()
    }

    /// The codes that a file has now.
    pub fn codes(&self, uri: &str) -> Vec<String> {
        let published = self.published.get(uri);
        published.map(|last| last.codes().into_iter().map(str::to_owned).collect()).unwrap_or_default()
    }

    /// Waits until everything sent so far has had its effect on the diagnostics. They come in rounds: when the second change of a
    /// buffer is answered, the round of the first is over.
    pub fn settle(&mut self) {
        let text = "---\nid: test:sentinel\nzone: context\norder: 424242\n---\n";
        for _ in 0..2 {
            self.sentinel += 1;
            let version = self.sentinel;
            if version == 1 {
                self.open(SENTINEL, version, text);
            } else {
                self.replace(SENTINEL, version, text);
            }
            self.diagnostics(SENTINEL, version);
        }
    }

    /// Takes in what comes within a moment, for what must not come.
    pub fn listen(&mut self, time: Duration) {
        let end = Instant::now() + time;
        while let Ok(message) = self.messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
            self.take(message);
        }
    }

    /// The semantic tokens as (piece of the text, type, modifiers).
    pub fn tokens(&mut self, uri: &str) -> Vec<u64> {
        let result = self.request("textDocument/semanticTokens/full", json!({"textDocument": {"uri": uri}}));
        result["data"].as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
    }

    /// A request at the byte offset `at` of a text.
    pub fn request_at(
        &mut self,
        method: &str,
        uri: &str,
        text: &str,
        at: usize,
        encoding: Encoding,
    ) -> Value {
        let (line, character) = position(text, at, encoding);
        let place = json!({"line": line, "character": character});
        self.request(method, json!({"textDocument": {"uri": uri}, "position": place}))
    }

    /// Closes the server's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Waits for the process to end.
    pub fn wait_for_end(&mut self, patience: Duration) -> ExitStatus {
        let end = Instant::now() + patience;
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return status;
            }
            assert!(Instant::now() < end, "the server did not end within {patience:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Says goodbye as the protocol wants it; the server must end with 0.
    pub fn stop(mut self) {
        assert_eq!(self.request("shutdown", Value::Null), Value::Null);
        self.notify("exit", Value::Null);
        let status = self.wait_for_end(Duration::from_secs(5));
        assert_eq!(status.code(), Some(0));
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => length = line.strip_prefix("Content-Length: ").and_then(|n| n.parse().ok()).or(length),
        }
    }
    let mut body = vec![0; length?];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
