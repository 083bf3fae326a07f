//! `workspace/executeCommand`: the assembled prompt as a document, for clients without a panel of their own.

use crate::assembly;
use crate::dispatch::error;
use crate::state::Shared;
use crate::uri;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;
use std::io::Write as _;
use std::str::FromStr as _;
use std::sync::Arc;
use tower_lsp::Client;
use tower_lsp::jsonrpc::{Error, ErrorCode, Result};
use tower_lsp::ls_types::{ShowDocumentParams, Uri};

/// Shows the assembled prompt. Arguments: the URI of a file of the project, and the name of an environment if it is not to be the
/// project's own.
pub(crate) const SHOW_ASSEMBLY: &str = "promptblock.showAssembly";

/// What the command is called with.
pub(crate) fn arguments(command: &str, arguments: &[Value]) -> Result<(Uri, Option<String>)> {
    if command != SHOW_ASSEMBLY {
        return Err(error(ErrorCode::InvalidParams, "no such command"));
    }
    let first = arguments.first();
    // As a text, or as the identifier of a document.
    let text = first.and_then(|first| first.as_str().or_else(|| first.get("uri")?.as_str()));
    let uri = text.and_then(|text| Uri::from_str(&uri::lenient(text)).ok());
    let Some(uri) = uri else {
        return Err(error(ErrorCode::InvalidParams, "the first argument is to be the URI of a file"));
    };
    Ok((uri, arguments.get(1).and_then(Value::as_str).map(str::to_owned)))
}

/// Opens the text in the client where it can be asked to, else gives it back.
pub(crate) async fn show(
    shared: Arc<Shared>,
    client: Client,
    uri: Uri,
    environment: Option<String>,
) -> Result<Option<Value>> {
    let path = shared.path(&uri);
    let (state, about) = (Arc::clone(&shared), path.clone());
    let text =
        super::compute_while(move |wanted| assembly::show(&state, &about, environment.as_deref(), wanted))
            .await?;
    let Some(text) = text else { return Ok(None) };
    if !shared.client().shows_documents {
        return Ok(Some(Value::String(text)));
    }
    let written = super::compute(move || Some(write(&path, &text))).await?;
    let file = match written {
        Some(Ok(file)) => file,
        Some(Err(fault)) => {
            let message = format!("the temporary file cannot be written: {fault}").into();
            return Err(Error { code: ErrorCode::InternalError, message, data: None });
        }
        None => return Ok(None),
    };
    if let Some(uri) = uri::from_path(&file) {
        // Whoever waits for the command need not wait for the editor's window.
        tokio::spawn(async move {
            let params = ShowDocumentParams { uri, external: None, take_focus: Some(true), selection: None };
            if let Err(fault) = client.show_document(params).await {
                tracing::debug!("the client shows no document: {fault}");
            }
        });
    }
    Ok(None)
}

/// Writes the text whole into a file of the temporary folder that nobody else may read: a prompt can hold what is private. One file
/// a project, so that they do not pile up.
fn write(path: &Utf8Path, text: &str) -> std::io::Result<Utf8PathBuf> {
    use std::hash::{Hash as _, Hasher as _};
    let mut hasher = std::hash::DefaultHasher::new();
    (path.parent(), std::process::id()).hash(&mut hasher);
    let folder = std::env::temp_dir();
    let mut file = tempfile::Builder::new().prefix("promptblock-").tempfile_in(&folder)?;
    file.write_all(text.as_bytes())?;
    let name = folder.join(format!("promptblock-assembly-{:016x}.txt", hasher.finish()));
    file.persist(&name).map_err(|fault| fault.error)?;
    Utf8PathBuf::from_path_buf(name).map_err(|_| std::io::ErrorKind::InvalidFilename.into())
}
