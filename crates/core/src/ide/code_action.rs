//! Quick fixes: the ways out of the findings at a place.

use super::{Context, Edit};
use crate::lint::fixes::fixes;
use crate::span::Span;
use crate::{Diagnostic, Remedy};

/// One way out of one finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeAction {
    /// For a menu.
    pub title: String,
    /// The finding that it answers.
    pub diagnostic: Diagnostic,
    /// The changes of this file, in order and without overlap.
    pub edits: Vec<Edit>,
    /// Whether an editor may choose it when asked for the obvious one.
    pub preferred: bool,
    /// Whether it may be done without asking.
    pub safe: bool,
}

/// The fixes for those of `findings` that touch `span`; in the order of the findings, the best of each first.
pub fn code_actions(cx: &Context<'_>, findings: &[Diagnostic], span: Span) -> Vec<CodeAction> {
    let touches = |finding: &&Diagnostic| finding.span.start <= span.end && span.start <= finding.span.end;
    let mut all = Vec::new();
    for finding in findings.iter().filter(touches) {
        let fixes = fixes(cx.document, finding);
        // A name to put in place of another is obvious where there is only one.
        let only = fixes.len() == 1 && matches!(finding.remedy, Remedy::Replace { .. });
        let safe = fixes.iter().filter(|fix| fix.safe).count();
        for fix in fixes.into_iter().filter(|fix| !fix.edits.is_empty()) {
            all.push(CodeAction {
                title: cx.text(&fix.title),
                diagnostic: finding.clone(),
                preferred: only || fix.safe && safe == 1,
                safe: fix.safe,
                edits: fix.edits,
            });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Locale;
    use crate::ide::testing::{Project, cursor, system};

    /// The titles at the cursor, `!` for the preferred one, and the text after the first.
    fn actions(text: &str, locale: Locale) -> (Vec<String>, String) {
        let (text, at) = cursor(text);
        let mut project = Project::new(&text);
        project.locale = locale;
        let findings = project.document.findings(&project.judge);
        let found = code_actions(&project.context(), &findings, Span::empty(at));
        let titles = found
            .iter()
            .map(|action| format!("{}{}", action.title, if action.preferred { "!" } else { "" }))
            .collect();
        let mut after = text;
        for edit in found.first().into_iter().flat_map(|action| action.edits.iter().rev()) {
            after.replace_range(edit.span.range(), &edit.text);
        }
        (titles, after)
    }

    #[test]
    fn nearest_name() {
        let (titles, after) = actions(&system("🎉{member$0}"), Locale::En);
        assert_eq!(titles, ["Replace with `members`!"]);
        assert_eq!(after, system("🎉{members}"));
        let (titles, _) = actions(&system("{$0天汽}"), Locale::ZhCn);
        assert_eq!(titles, ["替换为 `天气`!"]);
    }

    #[test]
    fn braces() {
        let (titles, after) = actions(&system("$0{\"a\": {\"名\": 1}}"), Locale::En);
        assert_eq!(titles, ["Escape these braces!"]);
        assert_eq!(after, system("{{\"a\": {{\"名\": 1}}}}"));
    }

    #[test]
    fn nothing() {
        for body in ["$0text", "{member}$0 and", "{character_name$0}", "{wholly_other_thing$0}"] {
            let (titles, _) = actions(&system(&format!("{body}\n{{member}}")), Locale::En);
            assert!(titles.is_empty(), "{body}: {titles:?}");
        }
    }
}
