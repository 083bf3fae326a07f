//! Notices when the editor's process ends: a crashed one may leave its end of the connection open in another process, and its
//! server would stay for ever.

/// Calls `gone` when the process ends, from a thread of its own. Never, where it cannot be seen from here (another container, another
/// machine); closed standard input tells it then.
pub(crate) fn watch(process: u32, gone: impl FnOnce() + Send + 'static) {
    let wait = move || {
        if wait_for(process) {
            gone();
        } else {
            tracing::debug!("process {process} cannot be watched");
        }
    };
    if let Err(error) = std::thread::Builder::new().name("parent".to_owned()).spawn(wait) {
        tracing::warn!("cannot watch process {process}: {error}");
    }
}

/// Blocks until the process is gone; `false` where it cannot be seen.
#[cfg(unix)]
fn wait_for(process: u32) -> bool {
    use rustix::process::{Pid, test_kill_process};
    let Some(pid) = i32::try_from(process).ok().and_then(Pid::from_raw) else { return false };
    #[cfg(target_os = "linux")]
    if let Ok(descriptor) = rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()) {
        use rustix::event::{PollFd, PollFlags, poll};
        loop {
            match poll(&mut [PollFd::new(&descriptor, PollFlags::IN)], None) {
                Ok(_) => return true,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => break,
            }
        }
    }
    let lives = || test_kill_process(pid) != Err(rustix::io::Errno::SRCH);
    if !lives() {
        return false;
    }
    while lives() {
        std::thread::sleep(std::time::Duration::from_millis(500));
    }
    true
}

#[cfg(not(unix))]
fn wait_for(_process: u32) -> bool {
    false
}
