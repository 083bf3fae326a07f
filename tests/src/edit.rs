//! What an edit of the server makes of the client's texts.

use crate::text::{Encoding, offset};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The texts of files after an edit, in the order of the protocol: `texts` are those that the client has.
pub fn applied(edit: &Value, texts: &[(&str, &str)], encoding: Encoding) -> BTreeMap<String, String> {
    let mut texts: BTreeMap<String, String> =
        texts.iter().map(|(uri, text)| ((*uri).to_owned(), (*text).to_owned())).collect();
    let mut edited = |uri: &str, edits: &Value| {
        let text = texts.get(uri).cloned().unwrap_or_default();
        let mut spans: Vec<(usize, usize, &str)> = edits
            .as_array()
            .unwrap()
            .iter()
            .map(|edit| {
                let at = |end: &str| {
                    let place = &edit["range"][end];
                    let number = |key: &str| usize::try_from(place[key].as_u64().unwrap()).unwrap();
                    offset(&text, (number("line"), number("character")), encoding)
                };
                (at("start"), at("end"), edit["newText"].as_str().unwrap())
            })
            .collect();
        spans.sort_unstable();
        let mut after = text.clone();
        for (start, end, new) in spans.into_iter().rev() {
            after.replace_range(start..end, new);
        }
        texts.insert(uri.to_owned(), after);
    };
    if let Some(changes) = edit["changes"].as_object() {
        changes.iter().for_each(|(uri, edits)| edited(uri, edits));
    }
    for change in edit["documentChanges"].as_array().into_iter().flatten() {
        match change["kind"].as_str() {
            Some("create") => edited(change["uri"].as_str().unwrap(), &json!([])),
            Some(other) => panic!("{other}"),
            None => edited(change["textDocument"]["uri"].as_str().unwrap(), &change["edits"]),
        }
    }
    texts
}
