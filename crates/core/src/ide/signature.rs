//! The arguments of a variable, while somebody writes them.

use super::Context;
use super::definition::live_tag;
use super::describe;
use crate::span::{Span, offset};
use crate::syntax::{TokenKind, first_segment};

/// What a variable takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// `weather city [unit]`
    pub label: String,
    /// What the variable is, in Markdown.
    pub documentation: Option<String>,
    /// Each argument.
    pub parameters: Vec<Parameter>,
    /// The argument that the cursor is on; as many as there are behind the last one.
    pub active: usize,
}

/// One argument of a signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its place in the label, in bytes; with the brackets of an optional one.
    pub label: Span,
    /// What it is.
    pub documentation: Option<String>,
}

/// What the variable whose tag the cursor at byte `at` is in takes, behind its name. None in text, for a variable that nobody knows
/// or that takes nothing, and for one of a loop.
pub fn signature(cx: &Context<'_>, at: u32) -> Option<Signature> {
    let (view, _, token) = live_tag(cx, at)?;
    if token.kind != TokenKind::Variable || !cx.has_controls() {
        return None;
    }
    let (name, given) = view.tokens().parts(&token).split_first()?;
    let relative = at.checked_sub(view.start)?;
    if relative <= name.span.end || relative >= token.span.end {
        return None;
    }
    let first = first_segment(view.text_of(name.span));
    if view.open_at(view.start + token.span.start).loop_of(first).is_some() {
        return None;
    }
    let variable = cx.judge.catalog.get(first).filter(|one| one.args_known && !one.args.is_empty())?;
    let mut label = variable.name.to_string();
    let mut parameters = Vec::with_capacity(variable.args.len());
    for argument in &variable.args {
        label.push(' ');
        let start = offset(label.len());
        label.push_str(&describe::argument(argument));
        parameters.push(Parameter {
            label: Span::new(start, offset(label.len())),
            documentation: argument.description.as_deref().map(str::to_owned),
        });
    }
    let before = given.iter().filter(|part| part.span.end < relative).count();
    Some(Signature {
        label,
        documentation: variable.description.as_deref().map(str::to_owned),
        active: before.min(parameters.len()),
        parameters,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::testing::{Project, context, cursor};

    fn shown(marked: &str) -> Option<String> {
        let (text, at) = cursor(&context(marked));
        let found = signature(&Project::new(&text).context(), at)?;
        let mut label = found.label.clone();
        if let Some(active) = found.parameters.get(found.active) {
            label.replace_range(active.label.range(), &format!("<{}>", active.label.of_str(&found.label)));
        }
        Some(label)
    }

    #[test]
    fn the_argument_at_the_cursor() {
        for (marked, expected) in [
            ("你🎉e\u{301} {weather $0}", "weather <city> [unit]"),
            ("{weather 北$0京}", "weather <city> [unit]"),
            ("{weather 北京$0}", "weather <city> [unit]"),
            ("{weather 北京 $0}", "weather city <[unit]>"),
            ("{weather \"北 $0京 }\" c}", "weather <city> [unit]"),
            ("{weather \"北 京 }\"  $0c}", "weather city <[unit]>"),
            ("{weather a b $0}", "weather city [unit]"),
            ("{ weather\t$0 }", "weather <city> [unit]"),
        ] {
            assert_eq!(shown(marked).as_deref(), Some(expected), "{marked}");
        }
    }

    #[test]
    fn what_each_argument_is() {
        let (text, at) = cursor(&context("{weather $0}"));
        let found = signature(&Project::new(&text).context(), at).expect("a signature");
        let documentation: Vec<_> = found.parameters.iter().map(|one| one.documentation.as_deref()).collect();
        assert_eq!(documentation, [Some("城市"), None]);
    }

    #[test]
    fn none() {
        for marked in [
            "we$0ather",
            "{weat$0her}",
            "{weather$0 }",
            "{weather a}$0",
            "$0{weather a}",
            "{weather a} $0",
            "{nobody $0}",
            "{character_name $0}",
            "{for weather in members}{weather $0}{/for}",
            "{if weather $0}{/if}",
            "{{weather $0}}",
            "看 {\"k\": {weather $0}}",
        ] {
            assert_eq!(shown(marked), None, "{marked}");
        }
    }
}
