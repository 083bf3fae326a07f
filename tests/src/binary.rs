//! Where the server is.

use std::path::PathBuf;

/// The binary under test: `PROMPTBLOCK`, else the one that was built into the same target folder as this test.
pub fn binary() -> PathBuf {
    if let Some(path) = std::env::var_os("PROMPTBLOCK").filter(|path| !path.is_empty()) {
        return path.into();
    }
    let test = std::env::current_exe().expect("a running test has a path");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("tests lie in target/PROFILE/deps");
    let path = folder.join(format!("promptblock{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.is_file(),
        "{} is missing: build it with `cargo build --package promptblock`, or name one in PROMPTBLOCK",
        path.display()
    );
    path
}
