//! `textDocument/signatureHelp`

use super::context;
use crate::state::Shared;
use promptblock_core::ide::{self, Signature};
use promptblock_workspace::Snapshot;
use tower_lsp::ls_types::{
    Documentation, MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, Position, SignatureHelp,
    SignatureInformation,
};

/// What asks for it when typed: a blank ends a name or an argument.
pub(crate) const TRIGGER: &str = " ";

pub(crate) fn help(shared: &Shared, snapshot: &Snapshot, position: Position) -> Option<SignatureHelp> {
    let context = context(shared, snapshot)?;
    let at = shared.lines(&snapshot.text, snapshot.version).offset(position);
    let found = ide::signature(&context, at)?;
    let can = shared.client();
    let kind = if can.markdown_signatures { MarkupKind::Markdown } else { MarkupKind::PlainText };
    let documentation = |text: &Option<String>| {
        let content = |value: &String| MarkupContent { kind: kind.clone(), value: value.clone() };
        text.as_ref().map(|text| Documentation::MarkupContent(content(text)))
    };
    let parameter = |one: &ide::Parameter| {
        let piece = one.label.of_str(&found.label);
        let label = if can.label_offsets {
            ParameterLabel::LabelOffsets([units(&found, one.label.start), units(&found, one.label.end)])
        } else {
            ParameterLabel::Simple(piece.to_owned())
        };
        ParameterInformation { label, documentation: documentation(&one.documentation) }
    };
    let active = u32::try_from(found.active).ok();
    let signature = SignatureInformation {
        label: found.label.clone(),
        documentation: documentation(&found.documentation),
        parameters: Some(found.parameters.iter().map(parameter).collect()),
        active_parameter: None,
    };
    Some(SignatureHelp { signatures: vec![signature], active_signature: Some(0), active_parameter: active })
}

/// The place in the label as the protocol counts it there: in UTF-16, whatever is negotiated for texts.
fn units(signature: &Signature, at: u32) -> u32 {
    let before = signature.label.get(..at as usize).unwrap_or_default();
    promptblock_core::span::offset(before.encode_utf16().count())
}
