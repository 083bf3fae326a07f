//! The start, the end, and messages that are none.
#![allow(missing_docs, clippy::unwrap_used, clippy::panic, reason = "tests")]

use promptblock_tests::{Client, Encoding, Project, Start, binary};
use serde_json::{Value, json};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(2);

fn code(error: &Value) -> i64 {
    error["code"].as_i64().unwrap()
}

#[test]
fn says_what_it_can() {
    let client = Start::default().encoding(Encoding::Utf8).start();
    let can = client.initialized["capabilities"].clone();
    assert_eq!(client.initialized["serverInfo"]["name"], "promptblock");
    assert_eq!(can["positionEncoding"], "utf-8");
    assert_eq!(can["textDocumentSync"]["change"], 2, "incremental");
    assert_eq!(can["textDocumentSync"]["openClose"], true);
    for provider in [
        "hoverProvider",
        "definitionProvider",
        "referencesProvider",
        "documentHighlightProvider",
        // A client that cannot ask first.
        "renameProvider",
        "documentSymbolProvider",
        "foldingRangeProvider",
    ] {
        assert_eq!(can[provider], true, "{provider}");
    }
    assert_eq!(can["semanticTokensProvider"]["full"], json!({"delta": true}));
    let legend = &can["semanticTokensProvider"]["legend"];
    assert!(legend["tokenTypes"].as_array().unwrap().contains(&json!("variable")));
    assert!(legend["tokenModifiers"].as_array().unwrap().contains(&json!("mutable")));
    assert_eq!(
        can["codeActionProvider"]["codeActionKinds"],
        json!([
            "quickfix",
            "source.fixAll.promptblock",
            "refactor.extract",
            "refactor.inline",
            "refactor.move",
            "refactor.rewrite"
        ])
    );
    assert!(can["codeActionProvider"].get("resolveProvider").is_none(), "this client does not resolve edits");
    assert_eq!(can["executeCommandProvider"]["commands"], json!(["promptblock.showAssembly"]));
    assert_eq!(can["codeLensProvider"]["resolveProvider"], false);
    assert_eq!(can["inlayHintProvider"], true);
    assert!(can["completionProvider"]["triggerCharacters"].as_array().unwrap().contains(&json!("{")));
    assert_eq!(can["workspace"]["workspaceFolders"], json!({"supported": true, "changeNotifications": true}));
    // What is not there must not be announced.
    assert!(can.get("diagnosticProvider").is_none());
    client.stop();
}

#[test]
fn takes_the_first_encoding_that_it_knows() {
    for (offered, taken) in [
        (json!(["utf-8", "utf-16", "utf-32"]), "utf-8"),
        (json!(["utf-32", "utf-8"]), "utf-32"),
        (json!(["utf-7", "utf-16"]), "utf-16"),
        (json!([]), "utf-16"),
        (Value::Null, "utf-16"),
    ] {
        let capabilities = json!({"general": {"positionEncodings": offered}});
        let client = Start::default().capabilities(capabilities).start();
        assert_eq!(client.initialized["capabilities"]["positionEncoding"], taken, "{offered}");
        client.stop();
    }
}

#[test]
fn nothing_is_served_before_the_start() {
    let mut client = Client::spawn(&[]);
    let hover =
        json!({"textDocument": {"uri": "file:///a.promptblock"}, "position": {"line": 0, "character": 0}});
    assert_eq!(code(&client.refused("textDocument/hover", hover)), -32002);
    assert_eq!(code(&client.refused("no/suchMethod", json!({}))), -32002);
    assert_eq!(code(&client.refused("shutdown", Value::Null)), -32002);
    client.open("untitled:a", 1, "x");
    // A broken start is no start.
    assert_eq!(code(&client.refused("initialize", json!({"capabilities": 1}))), -32602);
    assert!(client.request("initialize", json!({"capabilities": {}}))["capabilities"].is_object());
    assert_eq!(code(&client.refused("initialize", json!({"capabilities": {}}))), -32600, "only once");
    assert!(client.published.is_empty(), "what was opened before the start is not there");
    client.stop();
}

#[test]
fn nothing_is_served_after_shutdown() {
    let mut client = Start::default().start();
    client.request("shutdown", Value::Null);
    let hover =
        json!({"textDocument": {"uri": "file:///a.promptblock"}, "position": {"line": 0, "character": 0}});
    assert_eq!(code(&client.refused("textDocument/hover", hover)), -32600);
    assert_eq!(code(&client.refused("shutdown", Value::Null)), -32600);
    client.notify("exit", Value::Null);
    // Standard input stays open.
    assert_eq!(client.wait_for_end(SOON).code(), Some(0));
}

#[test]
fn exit_without_shutdown_is_a_failure() {
    let mut client = Start::default().start();
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end(SOON).code(), Some(1));

    let mut client = Client::spawn(&[]);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end(SOON).code(), Some(1), "before the start too");
}

#[test]
fn all_in_one_breath() {
    let mut client = Client::spawn(&[]);
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    let frames =
        messages.map(|message| format!("Content-Length: {}\r\n\r\n{message}", message.to_string().len()));
    client.send_raw(frames.concat().as_bytes());
    assert!(client.answer(1)["result"].is_object());
    assert_eq!(client.answer(2)["result"], Value::Null);
    assert_eq!(client.wait_for_end(SOON).code(), Some(0));
}

#[test]
fn closed_input_ends_it() {
    let mut client = Start::default().start();
    client.close_input();
    assert_eq!(client.wait_for_end(SOON).code(), Some(1));

    let mut client = Start::default().start();
    client.request("shutdown", Value::Null);
    client.close_input();
    assert_eq!(client.wait_for_end(SOON).code(), Some(0));
}

#[test]
#[cfg(unix)]
fn a_dead_parent_ends_it() {
    let mut parent = Command::new("sleep").arg("60").spawn().unwrap();
    let mut client = Start::default().param("processId", json!(parent.id())).start();
    // It lives as long as the parent does.
    std::thread::sleep(Duration::from_millis(300));
    client.request(
        "textDocument/hover",
        json!({"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": 0}}),
    );
    parent.kill().unwrap();
    let killed = Instant::now();
    client.wait_for_end(Duration::from_secs(1));
    assert!(killed.elapsed() < Duration::from_secs(1));
    parent.wait().unwrap();
}

#[test]
#[cfg(unix)]
fn a_parent_that_cannot_be_seen_does_not_end_it() {
    // As in a container: the number says nothing here.
    let mut gone = Command::new("true").spawn().unwrap();
    let pid = gone.id();
    gone.wait().unwrap();
    for process in [json!(pid), json!(null), json!(0), json!(4_294_967_295u32)] {
        let client = Start::default().param("processId", process).start();
        std::thread::sleep(Duration::from_millis(700));
        client.stop();
    }
}

#[test]
fn goes_on_behind_malformed_messages() {
    let mut client = Start::default().start();
    let hover = json!({"textDocument": {"uri": "untitled:a"}, "position": {"line": 0, "character": 0}});
    for (bytes, expected) in [
        ("Content-Length: 3\r\n\r\n{{{", -32700),
        ("Content-Length: 2\r\n\r\n[]", -32600),
        ("Content-Length: 4\r\n\r\nnull", -32600),
        ("Content-Length: 0\r\n\r\n", -32700),
        ("Content-Length: many\r\n\r\n", -32700),
        ("Content-Length: 99999999999999\r\n\r\n", -32700),
        ("Content-Type: text/plain\r\n\r\n", -32700),
        ("GET / HTTP/1.1\r\n", -32700),
    ] {
        client.send_raw(bytes.as_bytes());
        assert_eq!(code(&client.next_error()), expected, "{bytes:?}");
        assert_eq!(client.request("textDocument/hover", hover.clone()), Value::Null, "behind {bytes:?}");
    }
    client.send_raw(b"Content-Length: 4\r\n\r\n\"\xff\xfe\"");
    assert_eq!(code(&client.next_error()), -32700);
    client.send(&json!({"jsonrpc": "2.0", "id": {"a": 1}, "method": "shutdown"}));
    assert_eq!(code(&client.next_error()), -32600);
    client.stop();
}

#[test]
fn header_names_in_any_case() {
    let mut client = Start::default().start();
    let body = json!({"jsonrpc": "2.0", "id": 900, "method": "shutdown"}).to_string();
    let head = "content-type: application/vscode-jsonrpc; charset=utf-8";
    client.send_raw(format!("{head}\r\nCONTENT-length:{}\r\n\r\n{body}", body.len()).as_bytes());
    assert_eq!(client.answer(900)["result"], Value::Null);
    client.notify("exit", Value::Null);
    assert_eq!(client.wait_for_end(SOON).code(), Some(0));
}

#[test]
fn unknown_methods_and_wrong_parameters() {
    let mut client = Start::default().start();
    // A notification that begins like this may be ignored; a request is owed an answer.
    assert_eq!(client.refused("$/no/such/method", json!({}))["code"], -32601);
    client.notify("$/no/such/method", json!({}));
    assert_eq!(code(&client.refused("textDocument/noSuchThing", json!({}))), -32601);
    assert_eq!(code(&client.refused("textDocument/hover", json!({"position": 7}))), -32602);
    client.notify("no/suchNotification", json!([1, 2]));
    client.notify("$/setTrace", json!({"value": "off"}));
    client.notify("$/cancelRequest", json!({"id": 12345}));
    client.notify("textDocument/didChange", json!({"nothing": "right"}));
    client.change("untitled:never-opened", 3, json!([{"text": "x"}]));
    client.close("untitled:never-opened");
    // An answer to nothing that was asked.
    client.send(&json!({"jsonrpc": "2.0", "id": 4711, "result": 1}));
    client.settle();
    client.stop();
}

#[test]
fn a_request_can_be_taken_back() {
    let mut client = Start::default().start();
    let text =
        format!("---\nid: t:a\nzone: context\norder: 1\ntemplate: true\n---\n{}", "{nobody}\n".repeat(2000));
    client.open("untitled:a", 1, &text);
    let params = json!({"textDocument": {"uri": "untitled:a"}});
    // Both in one piece, so that the request cannot be done before it is taken back.
    client.send_raw(&frames(&[
        json!({"jsonrpc": "2.0", "id": 7001, "method": "textDocument/semanticTokens/full", "params": params}),
        json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": 7001}}),
    ]));
    assert_eq!(code(&client.answer(7001)["error"]), -32800);
    assert!(!client.tokens("untitled:a").is_empty());
    client.stop();
}

/// Messages in one piece.
fn frames(messages: &[Value]) -> Vec<u8> {
    let frame = |message: &Value| {
        let message = message.to_string();
        format!("Content-Length: {}\r\n\r\n{message}", message.len())
    };
    messages.iter().map(frame).collect::<String>().into_bytes()
}

#[cfg(unix)]
fn over_sockets() -> (std::os::unix::net::UnixStream, std::os::unix::net::UnixStream, std::process::Child) {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    let (ours, theirs) = UnixStream::pair().unwrap();
    let (heard, said) = UnixStream::pair().unwrap();
    let process = Command::new(binary())
        .arg("lsp")
        .stdin(Stdio::from(OwnedFd::from(theirs)))
        .stdout(Stdio::from(OwnedFd::from(said)))
        .spawn()
        .unwrap();
    (ours, heard, process)
}

#[test]
#[cfg(unix)]
fn a_client_that_writes_and_does_not_read_meanwhile() {
    use std::io::{Read, Write};
    let (mut ours, mut heard, mut process) = over_sockets();
    ours.set_write_timeout(Some(Duration::from_secs(20))).unwrap();
    let text =
        format!("---\nid: t:a\nzone: context\norder: 1\ntemplate: true\n---\n{}", "{nobody}\n".repeat(100));
    let document = json!({"uri": "untitled:a", "languageId": "promptblock", "version": 1, "text": text});
    let mut messages = vec![
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": document}}),
    ];
    let tokens = |id| {
        let params = json!({"textDocument": {"uri": "untitled:a"}});
        json!({"jsonrpc": "2.0", "id": id, "method": "textDocument/semanticTokens/full", "params": params})
    };
    // Far more than the sockets hold, in both directions.
    messages.extend((1..=1000).map(tokens));
    ours.write_all(&frames(&messages)).unwrap();
    drop(ours);
    let mut all = String::new();
    heard.read_to_string(&mut all).unwrap();
    process.wait().unwrap();
    // What was still in work when the input closed need not be answered; what came before the last 64 must be.
    let answered = all.matches("\"result\":{\"data\":").count();
    assert!(answered > 900, "{answered} answers");
}

#[test]
fn works_over_other_ends_than_pipes() {
    // From a file: it is read without a hitch, and its end is the end.
    let folder = Project::new("");
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
        .to_string();
    folder.write("in", format!("Content-Length: {}\r\n\r\n{message}", message.len()));
    let input = std::fs::File::open(folder.path("in")).unwrap();
    let output = Command::new(binary()).arg("lsp").stdin(input).stdout(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("\"positionEncoding\":\"utf-16\""));
}

#[test]
#[cfg(unix)]
fn works_over_sockets() {
    use std::io::{Read, Write};
    // As Node's child processes have it.
    let (mut ours, mut heard, mut process) = over_sockets();
    let message = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}});
    ours.write_all(&frames(&[message])).unwrap();
    let mut start = [0; 16];
    heard.read_exact(&mut start).unwrap();
    assert_eq!(&start, b"Content-Length: ");
    drop(ours);
    let mut rest = String::new();
    heard.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("\"capabilities\""));
    assert_eq!(process.wait().unwrap().code(), Some(1));
}
