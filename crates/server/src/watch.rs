//! What the client tells of the world outside its buffers: folders, files, settings. And what it is asked to tell.

use crate::load;
use crate::look::{Occasion, look};
use crate::state::Shared;
use crate::uri;
use camino::Utf8PathBuf;
use promptblock_workspace::FileKind;
use serde_json::Value;
use std::sync::Arc;
use tower_lsp::Client;
use tower_lsp::ls_types::notification::{DidChangeConfiguration, DidChangeWatchedFiles, Notification};
use tower_lsp::ls_types::*;

const FILES: &str = "promptblock/files";
const SETTINGS: &str = "promptblock/settings";
const SECTION: &str = "promptblock";

/// The folders that the client has open at the start.
pub(crate) fn folders_at_start(params: &InitializeParams) -> Vec<Utf8PathBuf> {
    let folder = |uri: &Uri| uri::file_path(uri.as_str());
    match &params.workspace_folders {
        Some(folders) if !folders.is_empty() => folders.iter().filter_map(|at| folder(&at.uri)).collect(),
        _ => {
            #[expect(deprecated, reason = "older clients know nothing else")]
            let (root, path) = (params.root_uri.as_ref(), params.root_path.as_ref());
            let path = || path.filter(|path| !path.is_empty()).map(Utf8PathBuf::from);
            root.and_then(folder).or_else(path).into_iter().collect()
        }
    }
}

/// Folders came or went.
pub(crate) fn folders_changed(
    shared: &Arc<Shared>,
    client: &Client,
    params: &DidChangeWorkspaceFoldersParams,
) {
    let path = |folder: &WorkspaceFolder| uri::file_path(folder.uri.as_str());
    for folder in params.event.removed.iter().filter_map(path) {
        shared.folders().remove(&folder);
        let gone = shared.workspace.remove_folder(&folder);
        shared.wake.bump_files(gone);
    }
    let added: Vec<Utf8PathBuf> = params.event.added.iter().filter_map(path).collect();
    if !added.is_empty() {
        for folder in added {
            shared.workspace.add_folder(&folder);
            shared.folders().insert(folder);
        }
        load::start(shared, client);
    }
}

/// Files were created, changed or deleted outside of the buffers.
pub(crate) fn files_changed(shared: &Shared, params: &DidChangeWatchedFilesParams) {
    let path = |event: &FileEvent| {
        let path = uri::file_path(event.uri.as_str())?;
        // Of what is new only folders were asked for besides what counts; a build makes thousands of files.
        let counts = || {
            path.is_dir()
                || path.file_name() == Some(".gitignore")
                || shared.workspace.kind(&path) != FileKind::Other
        };
        (event.typ != FileChangeType::CREATED || counts()).then_some(path)
    };
    let paths: Vec<Utf8PathBuf> = params.changes.iter().filter_map(path).collect();
    if !paths.is_empty() {
        shared.workspace.disk_changed(&paths);
        shared.wake.bump();
    }
}

/// Files or folders were created, renamed or deleted by the client itself. What is in a new folder is seen by looking.
pub(crate) fn files_moved<'a>(shared: &Arc<Shared>, uris: impl Iterator<Item = &'a str>) {
    let paths: Vec<Utf8PathBuf> = uris.filter_map(|uri| uri::file_path(&uri::lenient(uri))).collect();
    if !paths.is_empty() {
        shared.workspace.disk_changed(&paths);
        shared.wake.bump();
        look(shared, Occasion::File);
    }
}

/// The client pushes its settings, or says only that they are others.
pub(crate) async fn settings_changed(shared: Arc<Shared>, client: Client, pushed: Value) {
    if pushed.is_object() {
        shared.set(|settings| settings.merge(&pushed));
    }
    pull_settings(shared, client).await;
}

/// Asks the client for its settings, if it can be asked.
pub(crate) async fn pull_settings(shared: Arc<Shared>, client: Client) {
    if !shared.client().configuration {
        return;
    }
    let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
    match client.configuration(vec![item]).await {
        Ok(values) => {
            if let Some(value) = values.first() {
                shared.set(|settings| settings.merge(value));
            }
        }
        Err(error) => tracing::debug!("the client gives no settings: {error}"),
    }
}

/// Asks the client to tell when its settings change.
pub(crate) async fn register_settings(shared: Arc<Shared>, client: Client) {
    if !shared.client().registers_configuration {
        return;
    }
    let registration = Registration {
        id: SETTINGS.to_owned(),
        method: DidChangeConfiguration::METHOD.to_owned(),
        register_options: Some(serde_json::json!({"section": SECTION})),
    };
    if let Err(error) = client.register_capability(vec![registration]).await {
        tracing::debug!("settings are not watched: {error}");
    }
}

/// The user's own catalog lies outside of every folder.
fn user_catalog(shared: &Shared) -> Option<FileSystemWatcher> {
    let path = shared.workspace.user_catalog()?;
    let relative = || {
        let base = uri::from_path(path.parent()?)?;
        Some(GlobPattern::Relative(RelativePattern {
            base_uri: OneOf::Right(base),
            pattern: path.file_name()?.to_owned(),
        }))
    };
    // A client that knows no relative pattern may still take a whole path for one, if nothing in it means more.
    let plain = !path.as_str().contains(['*', '?', '[', ']', '{', '}', '\\']);
    let whole = || plain.then(|| GlobPattern::String(path.to_string()));
    let glob_pattern = if shared.client().relative_patterns { relative() } else { whole() };
    Some(FileSystemWatcher { glob_pattern: glob_pattern?, kind: None })
}

/// Asks the client to watch the files that count. Called again when a configuration names others.
pub(crate) async fn register(shared: Arc<Shared>, client: Client) {
    if !shared.client().watches_files {
        return;
    }
    let mut watched = shared.watched.lock().await;
    let globs = shared.workspace.watch_globs();
    if *watched == globs {
        return;
    }
    if !watched.is_empty() {
        let gone = Unregistration { id: FILES.to_owned(), method: DidChangeWatchedFiles::METHOD.to_owned() };
        let _ = client.unregister_capability(vec![gone]).await;
    }
    let mut watchers: Vec<FileSystemWatcher> = globs
        .iter()
        .map(|glob| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.clone()), kind: None })
        .collect();
    watchers.extend(user_catalog(&shared));
    // A folder that goes or comes, renamed say, is one event, and no pattern of a file fits it.
    let folders = GlobPattern::String("**/*".to_owned());
    watchers
        .push(FileSystemWatcher { glob_pattern: folders, kind: Some(WatchKind::Delete | WatchKind::Create) });
    let registration = Registration {
        id: FILES.to_owned(),
        method: DidChangeWatchedFiles::METHOD.to_owned(),
        register_options: serde_json::to_value(DidChangeWatchedFilesRegistrationOptions { watchers }).ok(),
    };
    match client.register_capability(vec![registration]).await {
        Ok(()) => *watched = globs,
        Err(error) => tracing::warn!("the client does not watch files: {error}"),
    }
}
