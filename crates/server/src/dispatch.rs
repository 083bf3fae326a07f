//! From messages to calls of the server, in the order of their arrival.
//!
//! The framework gives the methods, their types and `$/cancelRequest`; its own loop over a stream is not used, since it ends
//! on a malformed frame and parses what a guard in front of it would have to parse as well. Every call is polled once right
//! where it arrives: a handler that changes something does so before its first `await`, and so no change can overtake another, nor
//! a request the change before it.

use crate::frame::{Frames, Malformed};
use crate::outbox::{Outbox, outbox};
use crate::server::Backend;
use crate::transport::{Input, Output};
use crate::uri::lenient;
use futures::{FutureExt, SinkExt, StreamExt};
use promptblock_workspace::Options;
use serde::Deserialize;
use serde_json::Value;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;
use tokio::sync::Semaphore;
use tower::Service;
use tower_lsp::jsonrpc::{Error, ErrorCode, Id, Request, Response};
use tower_lsp::{ExitedError, LspService};

/// So many requests may be in work at once; behind them the reading waits.
const CONCURRENCY: usize = 64;
/// How long the last messages may take on their way out.
const FAREWELL: Duration = Duration::from_millis(300);

/// How far the client has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Fresh,
    Running,
    ShutDown,
}

/// Serves one client until it says `exit`, closes its end or dies.
pub(crate) async fn serve(options: Options, input: Input, output: Output) -> ExitCode {
    let (outbox, mail) = outbox();
    let (service, socket) = Backend::service(options, outbox.clone());
    let (mut requests, mut answers) = socket.split();
    let to_client = outbox.clone();
    tokio::spawn(async move {
        while let Some(request) = requests.next().await {
            to_client.send(&request);
        }
    });
    let shared = Arc::clone(&service.inner().shared);
    let mut writer = tokio::spawn(mail.deliver(output));
    let mut dispatch =
        Dispatch { service, outbox, phase: Phase::Fresh, permits: Arc::new(Semaphore::new(CONCURRENCY)) };
    let mut frames = Frames::new(input);
    loop {
        let frame = tokio::select! {
            frame = frames.next() => frame,
            () = shared.parent_gone() => {
                tracing::info!("the client's process is gone");
                break;
            }
            _ = &mut writer => break,
        };
        let body = match frame {
            Ok(Some(Ok(body))) => body,
            Ok(Some(Err(Malformed(why)))) => {
                tracing::warn!("malformed message: {why}");
                dispatch.refuse(Id::Null, error(ErrorCode::ParseError, why));
                continue;
            }
            Ok(None) => {
                tracing::info!("the client closed its end");
                break;
            }
            Err(error) => {
                tracing::warn!("cannot read: {error}");
                break;
            }
        };
        match parse(&body) {
            Ok(Message::Call(request)) if request.method() == "exit" => break,
            Ok(Message::Call(request)) => dispatch.call(request).await,
            Ok(Message::Answer(response)) => {
                let _ = answers.send(response).await;
            }
            Err(refused) => {
                let (id, error) = *refused;
                tracing::warn!("malformed message: {}", error.message);
                dispatch.refuse(id, error);
            }
        }
    }
    if dispatch.phase == Phase::ShutDown {
        // What was open at `shutdown` is answered by a thread that would end here, before it has heard of it.
        let _ = tokio::time::timeout(FAREWELL, async {
            while dispatch.permits.available_permits() < CONCURRENCY && !writer.is_finished() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        })
        .await;
    }
    shared.close();
    // A client that asked for the end in one breath still gets its answers, if it reads them.
    let _ = tokio::time::timeout(FAREWELL, async {
        while !dispatch.outbox.is_empty() && !writer.is_finished() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await;
    if dispatch.phase == Phase::ShutDown { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

struct Dispatch {
    service: LspService<Backend>,
    outbox: Outbox,
    phase: Phase,
    permits: Arc<Semaphore>,
}

impl Dispatch {
    fn refuse(&self, id: Id, error: Error) {
        self.outbox.send(&Response::from_error(id, error));
    }

    async fn call(&mut self, request: Request) {
        let id = request.id().cloned();
        let method = request.method().to_owned();
        let refused = match self.phase {
            Phase::Fresh if method != "initialize" => {
                Some(error(ErrorCode::ServerError(-32002), "the server is not initialized"))
            }
            Phase::ShutDown => Some(error(ErrorCode::InvalidRequest, "the server is shut down")),
            _ => None,
        };
        // The framework takes these for notifications, which owe no answer; a request does.
        let unknown = || error(ErrorCode::MethodNotFound, "no such method");
        let refused = refused.or_else(|| (id.is_some() && method.starts_with("$/")).then(unknown));
        if let Some(refused) = refused {
            match id {
                Some(id) => self.refuse(id, refused),
                None => tracing::debug!("{method} is ignored: {}", refused.message),
            }
            return;
        }
        let mut call = guarded(self.service.call(request), id.clone(), method.clone()).boxed();
        let first = std::future::poll_fn(|context| Poll::Ready(call.poll_unpin(context))).await;
        if let Poll::Ready(response) = first {
            match (method.as_str(), &response) {
                ("initialize", Some(response)) if response.is_ok() => self.phase = Phase::Running,
                ("shutdown", Some(response)) if response.is_ok() => self.phase = Phase::ShutDown,
                _ => {}
            }
            if let Some(response) = response {
                self.outbox.send(&response);
            }
            return;
        }
        let Ok(permit) = Arc::clone(&self.permits).acquire_owned().await else { return };
        let outbox = self.outbox.clone();
        tokio::spawn(async move {
            if let Some(response) = call.await {
                outbox.send(&response);
            }
            drop(permit);
        });
    }
}

/// The call, with a panic turned into an error: one bad request must not take the others' server away.
async fn guarded(
    call: impl Future<Output = Result<Option<Response>, ExitedError>> + Send,
    id: Option<Id>,
    method: String,
) -> Option<Response> {
    match AssertUnwindSafe(call).catch_unwind().await {
        Ok(Ok(response)) => response,
        Ok(Err(ExitedError { .. })) => None,
        Err(panic) => {
            tracing::error!("{method} panicked: {}", panic_text(&*panic));
            id.map(|id| Response::from_error(id, error(ErrorCode::InternalError, "internal error")))
        }
    }
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// An error with a text of ours.
pub(crate) fn error(code: ErrorCode, message: &'static str) -> Error {
    Error { code, message: message.into(), data: None }
}

enum Message {
    Call(Request),
    Answer(Response),
}

/// A message as it may come: that it is one thing or the other shows only when all of it is there.
#[derive(Deserialize)]
struct Raw {
    #[serde(default, deserialize_with = "present")]
    id: Option<Value>,
    method: Option<String>,
    params: Option<Value>,
    #[serde(default, deserialize_with = "present")]
    result: Option<Value>,
    error: Option<Error>,
}

/// Tells `null` from nothing.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

fn parse(body: &[u8]) -> Result<Message, Box<(Id, Error)>> {
    let invalid = |message| Box::new((Id::Null, error(ErrorCode::InvalidRequest, message)));
    let fault = |fault: serde_json::Error| {
        let code = if fault.is_data() { ErrorCode::InvalidRequest } else { ErrorCode::ParseError };
        Box::new((Id::Null, Error { code, message: fault.to_string().into(), data: None }))
    };
    let Ok(body) = std::str::from_utf8(body) else {
        return Err(Box::new((Id::Null, error(ErrorCode::ParseError, "the message is not UTF-8"))));
    };
    if !body.trim_ascii_start().starts_with('{') {
        // A list would be read as the fields of a message in their order.
        let _: serde::de::IgnoredAny = serde_json::from_str(body).map_err(fault)?;
        return Err(invalid("this is no message"));
    }
    let raw: Raw = serde_json::from_str(body).map_err(fault)?;
    let id = match raw.id {
        None => None,
        Some(Value::Null) => Some(Id::Null),
        Some(Value::String(text)) => Some(Id::String(text)),
        Some(Value::Number(number)) => {
            Some(Id::Number(number.as_i64().ok_or_else(|| invalid("the id is no integer"))?))
        }
        Some(_) => return Err(invalid("the id is neither a number nor a string")),
    };
    match (raw.method, id) {
        (Some(method), id) => {
            let params = params(&method, raw.params);
            let request =
                params.into_iter().fold(Request::build(method), |request, params| request.params(params));
            Ok(Message::Call(id.into_iter().fold(request, |request, id| request.id(id)).finish()))
        }
        (None, Some(id)) => match (raw.error, raw.result) {
            (Some(error), _) => Ok(Message::Answer(Response::from_error(id, error))),
            (None, Some(result)) => Ok(Message::Answer(Response::from_ok(id, result))),
            (None, None) => Err(Box::new((id, error(ErrorCode::InvalidRequest, "there is no method")))),
        },
        (None, None) => Err(invalid("this is no message")),
    }
}

/// The parameters as the framework takes them: some clients leave them out or send empty ones, and write URIs raw.
fn params(method: &str, mut params: Option<Value>) -> Option<Value> {
    match method {
        "shutdown" => return None,
        "initialized" if params.as_ref().is_none_or(|params| !params.is_object()) => {
            return Some(Value::Object(serde_json::Map::new()));
        }
        "initialize" => {
            // Helix writes `diagnostic` where the protocol has `diagnostics`.
            let workspace = params.as_mut().and_then(|params| params.pointer_mut("/capabilities/workspace"));
            if let Some(Value::Object(workspace)) = workspace
                && let Some(diagnostics) = workspace.get("diagnostic").cloned()
            {
                workspace.entry("diagnostics").or_insert(diagnostics);
            }
        }
        _ => {}
    }
    if let Some(params) = &mut params {
        mend_uris(params);
    }
    params
}

fn mend_uris(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(uri) if key == "uri" || key.ends_with("Uri") => {
                        let mended = lenient(uri);
                        if mended != *uri {
                            *uri = mended;
                        }
                    }
                    value => mend_uris(value),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mend_uris),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(body: &str) -> (Id, ErrorCode) {
        match parse(body.as_bytes()) {
            Err(refused) => (refused.0, refused.1.code),
            Ok(_) => panic!("{body} was taken"),
        }
    }

    fn call(body: &str) -> Request {
        match parse(body.as_bytes()) {
            Ok(Message::Call(request)) => request,
            _ => panic!("{body} is no call"),
        }
    }

    #[test]
    fn what_is_no_message_is_refused_with_the_right_code() {
        let parse_errors = ["", "{", "{\"id\":1", "\u{0}", "nul", "{} {}"];
        for body in parse_errors {
            assert_eq!(fault(body), (Id::Null, ErrorCode::ParseError), "{body:?}");
        }
        for body in
            ["1", "\"x\"", "null", "{}", r#"{"id":{}}"#, r#"{"id":1.5,"method":"x"}"#, r#"{"method":1}"#]
        {
            assert_eq!(fault(body), (Id::Null, ErrorCode::InvalidRequest), "{body:?}");
        }
        assert_eq!(fault(r#"{"id":7}"#), (Id::Number(7), ErrorCode::InvalidRequest));
        assert_eq!(fault(&"[".repeat(100_000)).1, ErrorCode::ParseError, "too deep");
        assert_eq!(
            fault(&format!("{{\"params\":{}", "[".repeat(100_000))).1,
            ErrorCode::ParseError,
            "too deep"
        );
    }

    #[test]
    fn parameters_are_mended() {
        let request = call(
            r#"{"id":"a","method":"x","params":{"textDocument":{"uri":"file:///a b/你"},"text":"a b"}}"#,
        );
        assert_eq!(
            request.params().unwrap().to_string(),
            r#"{"textDocument":{"uri":"file:///a%20b/%E4%BD%A0"},"text":"a b"}"#
        );
        assert_eq!(request.id(), Some(&Id::String("a".to_owned())));
        assert_eq!(call(r#"{"id":1,"method":"shutdown","params":{}}"#).params(), None);
        assert_eq!(call(r#"{"method":"initialized"}"#).params().unwrap().to_string(), "{}");
        assert_eq!(call(r#"{"method":"x"}"#).id(), None);
        assert_eq!(call(r#"{"id":null,"method":"x"}"#).id(), Some(&Id::Null));
    }

    #[test]
    fn answers_to_our_requests() {
        for body in [r#"{"id":0,"result":null}"#, r#"{"id":0,"error":{"code":-32601,"message":"no"}}"#] {
            assert!(matches!(parse(body.as_bytes()), Ok(Message::Answer(_))), "{body}");
        }
    }
}
