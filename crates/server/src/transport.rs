//! The two ends of the connection: standard input and output.
//!
//! Blocking standard input and output cost a hop to another thread for every message. So where they are pipes or sockets,
//! as with every editor on Unix, they are used without blocking; else, and on Windows, through tokio's blocking pool.

use std::io;
use std::pin::Pin;
use tokio::io::{AsyncRead, AsyncWrite};

/// Where messages come from.
pub(crate) type Input = Pin<Box<dyn AsyncRead + Send>>;
/// Where messages go.
pub(crate) type Output = Pin<Box<dyn AsyncWrite + Send>>;

/// Standard input. Needs a runtime around it.
pub(crate) fn input() -> Input {
    #[cfg(unix)]
    if let Some(input) = unix::input() {
        return input;
    }
    Box::pin(tokio::io::stdin())
}

/// Standard output. Needs a runtime around it.
pub(crate) fn output() -> Output {
    #[cfg(unix)]
    if let Some(output) = unix::output() {
        return output;
    }
    Box::pin(tokio::io::stdout())
}

/// Reads what there is into `buffer`; 0 is the end.
pub(crate) async fn read_some(input: &mut Input, buffer: &mut Vec<u8>) -> io::Result<usize> {
    use tokio::io::AsyncReadExt;
    buffer.reserve(64 * 1024);
    input.read_buf(buffer).await
}

#[cfg(unix)]
mod unix {
    use super::{Input, Output};
    use std::os::fd::{AsFd, OwnedFd};
    use std::os::unix::net::UnixStream as BlockingStream;
    use tokio::net::UnixStream;
    use tokio::net::unix::pipe;

    pub(super) fn input() -> Option<Input> {
        let copy = || copy(std::io::stdin().as_fd());
        if let Ok(pipe) = pipe::Receiver::from_owned_fd(copy()?) {
            return Some(Box::pin(pipe));
        }
        Some(Box::pin(stream(copy()?)?))
    }

    pub(super) fn output() -> Option<Output> {
        let copy = || copy(std::io::stdout().as_fd());
        if let Ok(pipe) = pipe::Sender::from_owned_fd(copy()?) {
            return Some(Box::pin(pipe));
        }
        Some(Box::pin(stream(copy()?)?))
    }

    fn copy(fd: std::os::fd::BorrowedFd<'_>) -> Option<OwnedFd> {
        fd.try_clone_to_owned().ok()
    }

    /// The descriptor as a socket of this machine, if it is one.
    fn stream(fd: OwnedFd) -> Option<UnixStream> {
        let socket = BlockingStream::from(fd);
        // Anything else has no such address.
        socket.local_addr().ok()?;
        socket.set_nonblocking(true).ok()?;
        UnixStream::from_std(socket).ok()
    }
}
