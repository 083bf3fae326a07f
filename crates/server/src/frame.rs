//! Cuts the stream of bytes into messages, and goes on behind whatever is no message.

use crate::transport::{Input, read_some};
use std::io;

/// The largest message that is read. A client that announces more is wrong or wants to exhaust the memory.
const LARGEST: usize = 256 * 1024 * 1024;
/// The longest header line; what is longer is no header.
const LONGEST_LINE: usize = 8 * 1024;
/// The buffer is given back after a message larger than this.
const USUAL: usize = 1024 * 1024;
const LENGTH: &[u8] = b"content-length:";

/// Bytes that are no message, and why. Reported once for as much as lies in one piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Malformed(pub(crate) &'static str);

/// Reads messages. Nothing is allocated for what a header merely announces.
pub(crate) struct Frames {
    input: Input,
    buffer: Vec<u8>,
    /// Bytes of the buffer that are done with.
    used: usize,
    state: State,
    /// Between a fault and the next sound header, where every further fault is the same one.
    lost: bool,
}

enum State {
    /// In the header lines; what they say so far, and whether there were any.
    Header { length: Option<usize>, any: bool },
    /// In a body of so many bytes.
    Body(usize),
}

const START: State = State::Header { length: None, any: false };

impl Frames {
    pub(crate) const fn new(input: Input) -> Self {
        Self { input, buffer: Vec::new(), used: 0, state: START, lost: false }
    }

    /// The next message's body, or `None` at the end of the stream. Loses nothing when dropped between two polls.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Result<Vec<u8>, Malformed>>> {
        loop {
            if let Some(found) = self.step() {
                return Ok(Some(found));
            }
            self.buffer.drain(..self.used);
            self.used = 0;
            if self.buffer.is_empty() && self.buffer.capacity() > USUAL {
                self.buffer = Vec::new();
            }
            if read_some(&mut self.input, &mut self.buffer).await? == 0 {
                return Ok(None);
            }
        }
    }

    fn rest(&self) -> &[u8] {
        self.buffer.get(self.used..).unwrap_or_default()
    }

    /// What the bytes read so far give.
    fn step(&mut self) -> Option<Result<Vec<u8>, Malformed>> {
        loop {
            if let State::Body(length) = self.state {
                let body = self.rest().get(..length)?.to_vec();
                self.used += length;
                self.state = START;
                return Some(Ok(body));
            }
            let fault = match self.rest().iter().take(LONGEST_LINE).position(|byte| *byte == b'\n') {
                Some(end) => self.line(end),
                None if self.rest().len() >= LONGEST_LINE => self.skip_to_header(LONGEST_LINE),
                None => return None,
            };
            if let Some(fault) = fault {
                self.state = START;
                if !self.lost {
                    self.lost = true;
                    return Some(Err(fault));
                }
            }
        }
    }

    /// One line of the header, which ends at `end`.
    fn line(&mut self, end: usize) -> Option<Malformed> {
        let State::Header { length, any } = self.state else { return None };
        let line = self.rest().get(..end).unwrap_or_default().trim_ascii();
        if line.is_empty() {
            self.used += end + 1;
            self.state = START;
            return match length {
                Some(length) => {
                    self.state = State::Body(length);
                    self.lost = false;
                    None
                }
                None => any.then_some(Malformed("the header has no Content-Length")),
            };
        }
        let Some((name, value)) = header(line).filter(|_| length_at(line).is_none_or(|at| at == 0)) else {
            return self.skip_to_header(end + 1);
        };
        let found =
            if name.eq_ignore_ascii_case("content-length") { Some(value.parse::<usize>()) } else { None };
        self.used += end + 1;
        match found {
            None => self.state = State::Header { length, any: true },
            Some(Ok(length)) if length <= LARGEST => {
                self.state = State::Header { length: Some(length), any: true };
            }
            Some(Ok(_)) => return Some(Malformed("the message is too large")),
            Some(Err(_)) => return Some(Malformed("Content-Length is no number")),
        }
        None
    }

    /// Drops bytes that are no header, up to `end`, or up to a header that starts among them: behind a message that is longer
    /// than it said, the next header stands on the same line.
    fn skip_to_header(&mut self, end: usize) -> Option<Malformed> {
        let rest = self.rest();
        let at = length_at(rest.get(..(end + LENGTH.len()).min(rest.len())).unwrap_or_default());
        // A header that the buffer's end cuts must not be lost.
        let whole_line = rest.get(end - 1) == Some(&b'\n');
        self.used += at.unwrap_or(if whole_line { end } else { end + 1 - LENGTH.len() });
        Some(Malformed("this is no header"))
    }
}

/// Where the header that counts starts.
fn length_at(bytes: &[u8]) -> Option<usize> {
    bytes.windows(LENGTH.len()).position(|window| window.eq_ignore_ascii_case(LENGTH))
}

/// Name and value of a header line.
fn header(line: &[u8]) -> Option<(&str, &str)> {
    let (name, value) = std::str::from_utf8(line).ok()?.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    is_name.then(|| (name, value.trim()))
}

/// A message's bytes as they go over the wire.
pub(crate) fn encode(message: &impl serde::Serialize) -> Vec<u8> {
    let body = serde_json::to_vec(message).unwrap_or_default();
    let mut frame = format!("Content-Length: {}\r\n\r\n", body.len()).into_bytes();
    frame.extend_from_slice(&body);
    frame
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use tokio::io::{AsyncRead, ReadBuf};

    /// Gives a few bytes at a time.
    struct Slow {
        bytes: Vec<u8>,
        few: usize,
    }

    impl AsyncRead for Slow {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<io::Result<()>> {
            let count = self.few.min(self.bytes.len()).min(buffer.remaining());
            buffer.put_slice(&self.bytes.drain(..count).collect::<Vec<u8>>());
            Poll::Ready(Ok(()))
        }
    }

    fn all(bytes: &[u8]) -> Vec<Result<String, &'static str>> {
        let read = |few| {
            let mut frames = Frames::new(Box::pin(Slow { bytes: bytes.to_vec(), few }));
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            runtime.block_on(async {
                let mut found = Vec::new();
                while let Some(frame) = frames.next().await.unwrap() {
                    found.push(frame.map(|body| String::from_utf8(body).unwrap()).map_err(|e| e.0));
                }
                found
            })
        };
        let whole = read(usize::MAX);
        let pieces: &[usize] = if bytes.len() < 1000 { &[1, 3, 7] } else { &[1000] };
        for few in pieces.iter().copied() {
            assert_eq!(read(few), whole, "in pieces of {few} bytes");
        }
        whole
    }

    fn ok(text: &str) -> Result<String, &'static str> {
        Ok(text.to_owned())
    }

    #[test]
    fn sound_messages() {
        assert_eq!(all(b"Content-Length: 2\r\n\r\n{}Content-Length: 1\r\n\r\n1"), [ok("{}"), ok("1")]);
        assert_eq!(all(b"content-length:2\n\n{}"), [ok("{}")], "any case, and bare line feeds");
        let typed =
            b"CONTENT-TYPE: application/vscode-jsonrpc; charset=utf8\r\nCONTENT-LENGTH:  2 \r\n\r\n{}";
        assert_eq!(all(typed), [ok("{}")]);
        assert_eq!(all("Content-Length: 3\r\n\r\n你".as_bytes()), [ok("你")]);
        assert_eq!(all(b"Content-Length: 0\r\n\r\n"), [ok("")]);
        assert_eq!(all(b"\r\n\r\nContent-Length: 1\r\n\r\n1"), [ok("1")], "blank lines in between");
        assert_eq!(all(b"Content-Length: 5\r\n\r\n12"), [], "cut off");
        assert_eq!(all(b""), []);
    }

    #[test]
    fn goes_on_behind_a_fault() {
        const NO_HEADER: Result<String, &str> = Err("this is no header");
        let next = "Content-Length: 1\r\n\r\n1";
        for (bad, why) in [
            ("Content-Type: x\r\n\r\n", "the header has no Content-Length"),
            ("Content-Length: x\r\n\r\n", "Content-Length is no number"),
            ("Content-Length: -1\r\n\r\n", "Content-Length is no number"),
            ("Content-Length: 99999999999999999999999\r\n\r\n", "Content-Length is no number"),
            ("Content-Length: 99999999999\r\n\r\n{\"a\":1}", "the message is too large"),
            ("hello\r\nworld\r\n", "this is no header"),
            ("{\"jsonrpc\":\"2.0\"}", "this is no header"),
            ("\u{0}\u{1}你\n", "this is no header"),
        ] {
            assert_eq!(all(format!("{bad}{next}{next}").as_bytes()), [Err(why), ok("1"), ok("1")], "{bad:?}");
        }
        // The length is too small: what is left over stands before the next header.
        assert_eq!(
            all(format!("Content-Length: 1\r\n\r\n{{}}{next}").as_bytes()),
            [ok("{"), NO_HEADER, ok("1")]
        );
        let long = "x".repeat(3 * LONGEST_LINE);
        assert_eq!(all(format!("{long}{next}").as_bytes()), [NO_HEADER, ok("1")]);
        assert_eq!(all(format!("Content-Length: {}\r\n\r\n{long}\n{next}", LARGEST + 1).as_bytes()).len(), 2);
    }

    #[test]
    fn what_is_written_is_read() {
        let frame = encode(&serde_json::json!({"text": "你😀"}));
        assert_eq!(all(&frame), [ok(r#"{"text":"你😀"}"#)]);
    }
}
