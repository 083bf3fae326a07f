//! What goes to the client: a queue that never makes the reader wait.
//!
//! A client may write without reading for a while (some do). If reading stopped then, both would wait for each other for ever. So
//! answers queue without a bound; what nobody asked for (diagnostics) waits until there is room.

use crate::frame::encode;
use crate::transport::Output;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Diagnostics wait while so many bytes are not yet taken by the client.
const ROOM: usize = 256 * 1024;

/// Takes messages from any thread.
#[derive(Clone)]
pub(crate) struct Outbox {
    messages: UnboundedSender<Vec<u8>>,
    waiting: Arc<Waiting>,
}

/// The other end, for the task that writes.
pub(crate) struct Mail {
    messages: UnboundedReceiver<Vec<u8>>,
    waiting: Arc<Waiting>,
}

#[derive(serde::Serialize)]
struct Notification<'a, P> {
    jsonrpc: &'static str,
    method: &'static str,
    params: &'a P,
}

#[derive(Default)]
struct Waiting {
    bytes: Mutex<usize>,
    less: Condvar,
}

impl Waiting {
    fn change(&self, change: impl FnOnce(usize) -> usize) {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        *bytes = change(*bytes);
        drop(bytes);
        self.less.notify_all();
    }
}

pub(crate) fn outbox() -> (Outbox, Mail) {
    let (sender, receiver) = unbounded_channel();
    let waiting = Arc::<Waiting>::default();
    (Outbox { messages: sender, waiting: Arc::clone(&waiting) }, Mail { messages: receiver, waiting })
}

impl Outbox {
    /// Queues a message. Without a client there is nobody to tell.
    pub(crate) fn send(&self, message: &impl serde::Serialize) {
        let frame = encode(message);
        self.waiting.change(|bytes| bytes + frame.len());
        let _ = self.messages.send(frame);
    }

    /// Queues a notification.
    pub(crate) fn notify<N: tower_lsp::ls_types::notification::Notification>(&self, params: &N::Params) {
        self.send(&Notification { jsonrpc: "2.0", method: N::METHOD, params });
    }

    /// Blocks until the client has taken most of what is queued, or is gone, or `hurry` says that somebody waits for an answer.
    pub(crate) fn wait_for_room(&self, hurry: impl Fn() -> bool) {
        let mut bytes = self.waiting.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        while *bytes > ROOM && !self.messages.is_closed() && !hurry() {
            let waited = self.waiting.less.wait_timeout(bytes, Duration::from_millis(50));
            bytes = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Whether everything has been taken.
    pub(crate) fn is_empty(&self) -> bool {
        *self.waiting.bytes.lock().unwrap_or_else(PoisonError::into_inner) == 0
    }
}

impl Mail {
    /// Writes what is queued, many small messages at once, until the client closes its end.
    pub(crate) async fn deliver(mut self, mut output: Output) {
        while let Some(mut bytes) = self.messages.recv().await {
            while bytes.len() < ROOM
                && let Ok(next) = self.messages.try_recv()
            {
                bytes.extend_from_slice(&next);
            }
            if let Err(error) = output.write_all(&bytes).await {
                tracing::info!("the client no longer reads: {error}");
                return;
            }
            let _ = output.flush().await;
            self.waiting.change(|waiting| waiting.saturating_sub(bytes.len()));
        }
    }
}
