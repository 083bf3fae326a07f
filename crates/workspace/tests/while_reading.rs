//! What changes while a folder is read for the first time.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

use camino::Utf8Path;
use promptblock_workspace::{Options, Workspace};
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};

const CATALOG: &str = r#"{"variables": {"mood": {"mutable": {"when": "is_group == true"}}}}"#;

#[test]
fn a_verdict_by_settings_of_yesterday_is_given_up() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    fs::write(root.join("promptblock.toml"), "").unwrap();
    fs::write(root.join("promptblock.catalog.json"), CATALOG).unwrap();
    let environments = root.join("promptblock.env.json");
    fs::write(&environments, r#"{"private": {"is_group": false}}"#).unwrap();
    for number in 0..50 {
        let text =
            format!("---\nid: t:{number}\nzone: system\norder: {number}\ntemplate: true\n---\n{{mood}}\n");
        fs::write(root.join(format!("{number}.promptblock")), text).unwrap();
    }
    let workspace = Workspace::new(Options::default());
    workspace.add_folder(root);
    let once = AtomicBool::new(true);
    // In the middle of the reading, another thread takes over new environments.
    let meanwhile = |_| {
        if once.swap(false, Ordering::Relaxed) {
            fs::write(&environments, r#"{"group": {"is_group": true}}"#).unwrap();
            workspace.disk_changed(std::slice::from_ref(&environments));
            workspace.refresh();
        }
    };
    workspace.load(&meanwhile, &AtomicBool::new(false));
    workspace.refresh();
    let found = workspace.all_findings();
    let codes: Vec<&str> =
        found.iter().flat_map(|found| &found.diagnostics).map(|finding| finding.code.name()).collect();
    assert_eq!(codes, ["mutable-in-system"; 50]);
}
