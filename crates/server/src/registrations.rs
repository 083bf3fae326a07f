//! Features that block files alone have. They are announced for their language where the client can be told so later; else a client
//! would count this server among the formatters of every source file that it shows it.
//!
//! A client that cannot is answered with nothing where the document is no block.

use crate::capabilities;
use crate::state::Shared;
use serde_json::{Value, json};
use std::sync::Arc;
use tower_lsp::Client;
use tower_lsp::ls_types::{Registration, ServerCapabilities, TextDocumentClientCapabilities};

/// What a feature is called among the server's capabilities, among the client's, and by its method.
const OF_BLOCKS: [(&str, &str, &str); 7] = [
    ("documentFormattingProvider", "formatting", "textDocument/formatting"),
    ("documentRangeFormattingProvider", "rangeFormatting", "textDocument/rangeFormatting"),
    ("documentOnTypeFormattingProvider", "onTypeFormatting", "textDocument/onTypeFormatting"),
    ("semanticTokensProvider", "semanticTokens", "textDocument/semanticTokens"),
    ("foldingRangeProvider", "foldingRange", "textDocument/foldingRange"),
    ("selectionRangeProvider", "selectionRange", "textDocument/selectionRange"),
    ("linkedEditingRangeProvider", "linkedEditingRange", "textDocument/linkedEditingRange"),
];

/// The language of block files.
const LANGUAGE: &str = "promptblock";

/// Which of the features the client can be told of after the start, by what it calls them.
pub(crate) fn deferred(can: &TextDocumentClientCapabilities) -> Vec<&'static str> {
    let can = serde_json::to_value(can).unwrap_or_default();
    let names = OF_BLOCKS.iter().map(|(_, name, _)| *name);
    names
        .filter(|name| can.pointer(&format!("/{name}/dynamicRegistration")) == Some(&Value::Bool(true)))
        .collect()
}

/// What is announced at the start, to every document, and what is registered behind it, for blocks.
pub(crate) fn split(
    capabilities: ServerCapabilities,
    deferred: &[&str],
) -> (ServerCapabilities, Vec<Registration>) {
    let Ok(Value::Object(mut at_start)) = serde_json::to_value(&capabilities) else {
        return (capabilities, Vec::new());
    };
    let mut registrations = Vec::new();
    for (provider, name, method) in OF_BLOCKS {
        if !deferred.contains(&name) {
            continue;
        }
        let Some(mut options) = at_start.remove(provider).filter(|options| *options != Value::Bool(false))
        else {
            continue;
        };
        if !options.is_object() {
            options = json!({});
        }
        options["documentSelector"] = json!([{"language": LANGUAGE}]);
        registrations.push(Registration {
            id: format!("promptblock/{name}"),
            method: method.to_owned(),
            register_options: Some(options),
        });
    }
    match serde_json::from_value(Value::Object(at_start)) {
        Ok(at_start) => (at_start, registrations),
        Err(_) => (capabilities, Vec::new()),
    }
}

/// Tells the client of the rest.
pub(crate) async fn register(shared: Arc<Shared>, client: Client) {
    let can = shared.client();
    let (_, registrations) = split(capabilities::server(can), &can.deferred);
    if registrations.is_empty() {
        return;
    }
    if let Err(error) = client.register_capability(registrations).await {
        tracing::warn!("the client does not take features of blocks: {error}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_blocks_alone_have_is_registered_for_their_language() {
        let can: TextDocumentClientCapabilities = serde_json::from_value(json!({
            "formatting": {"dynamicRegistration": true},
            "onTypeFormatting": {"dynamicRegistration": true},
            "rangeFormatting": {"dynamicRegistration": false},
            "hover": {"dynamicRegistration": true},
        }))
        .unwrap();
        let deferred = deferred(&can);
        assert_eq!(deferred, ["formatting", "onTypeFormatting"]);
        let whole = capabilities::server(&capabilities::Client::default());
        let (start, later) = split(whole.clone(), &deferred);
        assert!(start.document_formatting_provider.is_none());
        assert!(start.document_on_type_formatting_provider.is_none());
        let back = ServerCapabilities {
            document_formatting_provider: whole.document_formatting_provider.clone(),
            document_on_type_formatting_provider: whole.document_on_type_formatting_provider.clone(),
            ..start
        };
        assert_eq!(back, whole, "all else as it was");
        let said: Vec<(&str, Value)> = later
            .iter()
            .map(|one| (one.method.as_str(), one.register_options.clone().unwrap_or_default()))
            .collect();
        let selector = json!([{"language": "promptblock"}]);
        assert_eq!(
            said,
            [
                ("textDocument/formatting", json!({"documentSelector": selector})),
                (
                    "textDocument/onTypeFormatting",
                    json!({"documentSelector": selector, "firstTriggerCharacter": "}"})
                ),
            ]
        );
        let (start, later) = split(whole.clone(), &[]);
        assert_eq!((start, later.len()), (whole, 0));
    }
}
