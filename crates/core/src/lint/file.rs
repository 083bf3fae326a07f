//! One file judged: its header's rules, what its chunks found, and what only shows across chunks.

use super::chunk::{ChunkVerdict, judge_chunk};
use super::judge::Case;
use super::volatile_literal;
use super::{
    Code, Judge, id_without_prefix, literal_braces, missing_prompt, no_catalog, order_off_band,
    order_out_of_range, unclosed_tag, unexpected_tag,
};
use crate::Diagnostic;
use crate::block::Header;
use crate::span::offset;
use crate::syntax::{Body, Text, keyword_of};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// In how many chunks of a file each name stands.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameCounts(FxHashMap<Arc<str>, u32>);

impl NameCounts {
    pub(crate) fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.0.keys()
    }

    /// Takes over what was added and removed; says whether a name is there now that was not, or no longer.
    fn apply(&mut self, change: FxHashMap<Arc<str>, i64>) -> bool {
        let mut differs = false;
        for (name, by) in change {
            let before = self.0.get(&name).copied().unwrap_or(0);
            let after = u32::try_from(i64::from(before) + by).unwrap_or(0);
            differs |= (before == 0) != (after == 0);
            if after == 0 {
                self.0.remove(&name);
            } else {
                self.0.insert(name, after);
            }
        }
        differs
    }
}

/// The names of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Those used in live tags, loop variables left out.
    pub(crate) uses: NameCounts,
    /// Those that the catalog was asked for.
    pub(crate) asked: NameCounts,
}

/// Judges the chunks that changed since the last time, or `all`, and keeps count of the names in them. Says whether a name is
/// now used that was not, or no longer.
pub(crate) fn judge_body<T: Text + ?Sized>(
    judge: &Judge,
    header: &Header,
    text: &T,
    body: &mut Body,
    names: &mut Names,
    all: bool,
) -> bool {
    let case = Case::new(judge, header);
    let stable = judge.is_stable(header);
    let mut stale = std::mem::take(&mut body.stale);
    if all {
        stale = (0..offset(body.chunk_count())).collect();
    }
    stale.sort_unstable();
    stale.dedup();
    let (mut uses, mut asked) = (FxHashMap::default(), FxHashMap::default());
    let mut count = |verdict: &ChunkVerdict, by: i64| {
        for (names, change) in [(&verdict.uses, &mut uses), (&verdict.asked, &mut asked)] {
            for name in names {
                *change.entry(Arc::clone(name)).or_default() += by;
            }
        }
    };
    for index in stale {
        let index = index as usize;
        let signature = body.signature(index);
        let view = body.view(text, header.body, index);
        let mut verdict = view.as_ref().map(|view| judge_chunk(&case, view, signature));
        if stable && let Some((text, fence)) = body.prose(text, header.body, index) {
            let tags = view.as_ref().filter(|_| case.template).map_or(&[][..], |view| view.tokens().all());
            let found = volatile_literal::check(&text, fence, tags);
            if !found.is_empty() {
                let none = || ChunkVerdict { scope_signature: signature, ..ChunkVerdict::default() };
                verdict.get_or_insert_with(none).findings.extend(found);
            }
        }
        if let Some(verdict) = &verdict {
            count(verdict, 1);
        }
        body.set_verdict(index, verdict.map(Arc::new));
    }
    for verdict in std::mem::take(&mut body.gone) {
        count(&verdict, -1);
    }
    names.asked.apply(asked);
    names.uses.apply(uses)
}

/// Every finding of a file by itself, in the file's bytes. Its chunks have been judged.
pub(crate) fn judge_file<T: Text + ?Sized>(
    judge: &Judge,
    header: &Header,
    text: &T,
    body: &Body,
) -> Vec<Diagnostic> {
    let mut findings = judge_header(judge, header, Some(body));
    findings.append(&mut judge_text(judge, header, text, body));
    findings
}

/// What is wrong with the header's values. A body that only the running program knows is none.
pub(crate) fn judge_header(judge: &Judge, header: &Header, body: Option<&Body>) -> Vec<Diagnostic> {
    let case = &Case::new(judge, header);
    let mut findings: Vec<Diagnostic> = Vec::new();
    findings.extend(order_out_of_range::check(case));
    findings.extend(order_off_band::check(case));
    findings.extend(id_without_prefix::check(case));
    findings.extend(body.and_then(|body| missing_prompt::check(case, body)));
    findings
}

/// What is wrong in the body. Its chunks have been judged.
pub(crate) fn judge_text<T: Text + ?Sized>(
    judge: &Judge,
    header: &Header,
    text: &T,
    body: &Body,
) -> Vec<Diagnostic> {
    let case = &Case::new(judge, header);
    let mut in_body = in_chunks(case, body);
    if case.template {
        across_chunks(case, text, body, &mut in_body);
        no_catalog::replace(case, &mut in_body);
    } else {
        let mut first = true;
        let once =
            |finding: &Diagnostic| finding.code != Code::TemplateNotEnabled || std::mem::take(&mut first);
        in_body.retain(once);
    }
    in_body
}

fn in_chunks(case: &Case<'_>, body: &Body) -> Vec<Diagnostic> {
    let mut starts = None;
    let mut all = Vec::new();
    for (index, start, verdict) in body.findings(case.header.body) {
        for finding in &verdict.findings {
            let mut finding = finding.clone().shift(start);
            let literal = finding.code == Code::LiteralBraces && finding.related.is_empty();
            // The last one of its chunk may run on.
            let reference = finding.code == Code::MalformedReference;
            if literal || reference && finding.span.end == start + body.chunk_len(index) {
                let starts = starts.get_or_insert_with(|| body.starts(case.header.body));
                if let Some(close) = body.literal_end(index, starts) {
                    if literal {
                        finding = literal_braces::with_end(finding, close);
                    } else {
                        finding.span.end = close + 1;
                    }
                }
            }
            all.push(finding);
        }
    }
    all
}

fn across_chunks<T: Text + ?Sized>(case: &Case<'_>, text: &T, body: &Body, out: &mut Vec<Diagnostic>) {
    let structure = body.structure();
    let unclosed = structure.pairs.iter().filter(|pair| pair.closer.is_none() && !pair.malformed);
    let mut unclosed = unclosed.peekable();
    if unclosed.peek().is_none() && structure.unexpected.is_empty() {
        return;
    }
    let starts = body.starts(case.header.body);
    for pair in unclosed {
        if let Some(span) = body.token(pair.opener, &starts) {
            let cut_by = pair.cut_by.and_then(|closer| body.token(closer, &starts));
            out.push(unclosed_tag::on(span, keyword_of(&text.at(span)), cut_by));
        }
    }
    for (tag, behind) in &structure.unexpected {
        if let Some(span) = body.token(*tag, &starts) {
            let behind = behind.and_then(|tag| body.token(tag, &starts));
            out.push(unexpected_tag::on(span, &text.at(span), behind));
        }
    }
    out.sort_by_key(|finding| finding.span.start);
}

/// The last step for every finding of a file: what is switched off goes, severities become the configured ones, and the
/// order becomes the printed one.
pub fn finish(judge: &Judge, header: &Header, mut findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    findings.retain_mut(|finding| {
        if header.allows(finding.code) {
            return false;
        }
        // What is not configured is as grave as the rule says, which need not be what its code mostly is.
        match judge.changed_severity(finding.code) {
            Some(Some(severity)) => finding.severity = severity,
            Some(None) => return false,
            None => {}
        }
        true
    });
    findings.sort_by(|a, b| (a.span, a.code.name()).cmp(&(b.span, b.code.name())));
    findings
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::{block, check, finding, fresh, judge_with, system};
    use crate::{Code, Severity};

    #[test]
    fn severities_are_the_configured_ones() {
        let plain = system("{nme} } {{character_name}}");
        assert_eq!(finding(Code::StrayBrace, &plain).severity, Severity::Information);
        assert_eq!(finding(Code::EscapedVariable, &plain).severity, Severity::Warning);
        let changed = format!("//- severity stray-brace error\n//- severity unknown-variable hint\n{plain}");
        assert_eq!(finding(Code::StrayBrace, &changed).severity, Severity::Error);
        assert_eq!(finding(Code::UnknownVariable, &changed).severity, Severity::Hint);
        assert_eq!(finding(Code::EscapedVariable, &changed).severity, Severity::Warning);
    }

    #[test]
    fn off_is_off() {
        check(&format!(
            "//- severity stray-brace off\n{}",
            system(
                "
} {nme}
   ^^^ unknown-variable
"
            )
        ));
    }

    #[test]
    fn allow_wins_over_a_severity() {
        check(&format!(
            "//- severity stray-brace error\n{}",
            block("zone: system\norder: 1\ntemplate: true\nallow: [stray-brace, order-off-band]", "}")
        ));
    }

    #[test]
    fn neither_can_touch_invalid_header() {
        check(
            "
//- severity invalid-header off
---
id: t:a
zone: context
order: 1
id: t:b
^^ invalid-header
allow: [invalid-header]
---
x
",
        );
    }

    #[test]
    fn allow_reaches_the_header_s_own_codes_wherever_it_stands() {
        check(
            "---\nallow: [missing-key, unknown-key, id-without-prefix]\nid: a\nzone: system\nwhat: 1\n---\nx\n",
        );
    }

    #[test]
    fn a_code_that_is_none_switches_nothing_off() {
        check(
            "
---
id: t:a
zone: system
order: 1
template: true
allow: [unknown-variables, '']
        ^^^^^^^^^^^^^^^^^ invalid-value
                           ^^ invalid-value
---
{nme}
 ^^^ unknown-variable
",
        );
    }

    #[test]
    fn in_the_order_of_their_places() {
        let text = "---\nid: a\nzone: system\norder: 500\ntemplate: true\n---\n}{nme}{time x}{if}{\"a\": {count}}{/if}{/for}{repeat 2}\n";
        let found = fresh(text, &judge_with(Some(crate::lint::fixture::COMMON)));
        let codes: Vec<&str> = found.iter().map(|finding| finding.code.name()).collect();
        assert_eq!(
            codes,
            [
                "id-without-prefix",
                "order-out-of-range",
                "stray-brace",
                "unknown-variable",
                "mutable-in-system",
                "argument-count",
                "invalid-expression",
                "literal-braces",
                "inert-tag",
                "unexpected-tag",
                "unclosed-tag",
            ]
        );
    }

    #[test]
    fn what_can_be_checked_behind_a_broken_header_is_checked() {
        check(
            "
---
id: t:a
zone: system
order: 10
template: true
x: [
^^^^ invalid-header
^ unknown-key
---
{nme}{time}
 ^^^ unknown-variable
      ^^^^ mutable-in-system
",
        );
    }

    #[test]
    fn harness_reads_single_braces_as_plain_text() {
        check(&format!(
            "//- profile harness\n{}",
            block("zone: system\norder: 10", "{nme} {if} {\"a\": 1} } { {{character_name}} {{ lone")
        ));
    }
}
