//! Over each block: its place in the assembly, its tokens, and what an edit of it costs.

use super::Context;
use crate::assemble::{Assembly, Part, Refused, Vocabulary};
use crate::block::Zone;
use crate::span::Span;
use crate::{Message, msg};

/// One line over a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeLens {
    /// What it stands over.
    pub span: Span,
    /// What it says.
    pub title: String,
}

/// The lenses of a block in its project's assembly; none where the file is no block.
pub fn code_lenses(
    cx: &Context<'_>,
    assembly: &Result<Assembly, Refused>,
    vocabulary: Vocabulary,
) -> Vec<CodeLens> {
    let header = cx.document.header();
    let Some(zone) = header.zone() else { return Vec::new() };
    let titles = match assembly {
        Err(refused) => {
            // The block's own share in it, if it has one.
            let own = refused.iter().find(|(file, _)| *file == cx.file).or(refused.first());
            own.map(|(_, finding)| msg!("no assembly: {why}", "无法装配：{why}"; why = finding.message))
                .into_iter()
                .collect()
        }
        Ok(assembly) => titles(cx, zone, assembly, vocabulary),
    };
    let span = header.opening;
    titles.iter().map(|title| CodeLens { span, title: cx.text(title) }).collect()
}

fn titles(cx: &Context<'_>, zone: Zone, assembly: &Assembly, vocabulary: Vocabulary) -> Vec<Message> {
    let lists: [(Message, &[Part]); 4] = [
        (msg!("system", "系统区"), &assembly.system),
        (msg!("prelude", "前奏"), &assembly.prelude),
        (msg!("context", "上下文"), &assembly.contexts),
        (msg!("input", "输入"), &assembly.input_blocks),
    ];
    for (name, parts) in lists {
        let own = |part: &Part| part.file == Some(cx.file);
        let Some(index) = parts.iter().position(own) else { continue };
        let (place, count) = (index + 1, parts.iter().filter(|part| part.file.is_some()).count());
        let tokens = grouped(parts.get(index).map_or(0, |part| part.content.tokens(vocabulary)));
        let unit = if tokens == "1" { "" } else { "s" };
        let first = msg!(
            "{name} {place} of {count} · {tokens} token{unit}",
            "{name}第 {place} 块，共 {count} 块 · {tokens} 个 token",
            place = place, count = count, tokens = tokens; name = name
        );
        let mut second =
            msg!("not cached: computed anew with every request", "不在缓存前缀内：每次请求都重新计算");
        if zone == Zone::System {
            let at = assembly.prefix().position(own);
            let cost = at.and_then(|at| assembly.costs(vocabulary).get(at).copied()).unwrap_or_default();
            let cost = grouped(cost);
            let unit = if cost == "1" { "" } else { "s" };
            second = msg!(
                "an edit recomputes {cost} token{unit} of cached prefix",
                "改动后要重算 {cost} 个已缓存的前缀 token"
            );
        }
        return vec![first, second];
    }
    let replaced = zone == Zone::System && !cx.document.header().is_complete();
    let exclusive =
        cx.index.assembled(Zone::System).into_iter().find(|(_, facts)| facts.header.is_complete());
    match exclusive.filter(|_| replaced) {
        Some((_, facts)) => {
            let id = facts.header.id().map_or("?", |id| id);
            vec![msg!("not assembled: `{id}` has the system zone for itself", "未装配：`{id}` 独占系统区")]
        }
        None => vec![msg!("not assembled: nothing is rendered", "未装配：渲染结果为空")],
    }
}

/// A number with a comma at every thousand.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::fixture::{Files, scene};
    use crate::lint::Judge;
    use crate::syntax::Document;
    use crate::{FileId, Locale};
    use std::sync::Arc;

    fn block(id: &str, zone: &str, order: &str, more: &str, body: &str) -> String {
        format!("---\nid: t:{id}\nzone: {zone}\norder: {order}\ntemplate: true\n{more}---\n{body}\n")
    }

    /// The titles over each file, joined.
    fn lenses(files: Vec<String>, locale: Locale) -> Vec<String> {
        let files = Files(files);
        let (index, judge) = (files.index(), Judge::new(crate::catalog::Catalog::default()));
        let assembly = files.assemble(&scene(r#"{"who": "甲"}"#), None);
        let of = |(number, text): (u32, &String)| {
            let document = Document::new(text, Arc::clone(&judge.profile));
            let cx =
                Context { file: FileId(number), document: &document, judge: &judge, index: &index, locale };
            let all = code_lenses(&cx, &assembly, Vocabulary::O200k);
            assert!(all.iter().all(|lens| text.get(lens.span.range()) == Some("---")), "{text}");
            all.into_iter().map(|lens| lens.title).collect::<Vec<_>>().join(" | ")
        };
        (0..).zip(&files.0).map(of).collect()
    }

    fn project() -> Vec<String> {
        vec![
            format!("\u{feff}{}", block("b", "system", "20", "", "第二 {who}🎉").replace('\n', "\r\n")),
            block("a", "system", "10", "", "first"),
            block("u", "system", "30", "role: user\n", "hello"),
            block("c", "context", "1", "", "now"),
            block("i", "input", "0", "", "{prompt}"),
            block("e", "context", "2", "", "{if no}x{/if}"),
            "no header".to_owned(),
        ]
    }

    #[test]
    fn place_tokens_and_cost() {
        let count = |text: &str| Vocabulary::O200k.count(text);
        let (b, u) = (count("第二 甲🎉"), count("hello"));
        let (from_a, from_b) = (count("first\n\n第二 甲🎉") + u, b + u);
        let recomputes = |cost: u64| {
            format!("an edit recomputes {cost} token{} of cached prefix", if cost == 1 { "" } else { "s" })
        };
        assert_eq!(
            lenses(project(), Locale::En),
            [
                format!("system 2 of 2 · {b} tokens | {}", recomputes(from_b)),
                format!("system 1 of 2 · 1 token | {}", recomputes(from_a)),
                format!("prelude 1 of 1 · 1 token | {}", recomputes(u)),
                "context 1 of 1 · 1 token | not cached: computed anew with every request".to_owned(),
                "input 1 of 1 · 3 tokens | not cached: computed anew with every request".to_owned(),
                "not assembled: nothing is rendered".to_owned(),
                String::new(),
            ]
        );
    }

    #[test]
    fn in_chinese() {
        let all = lenses(project(), Locale::ZhCn);
        assert!(all[0].starts_with("系统区第 2 块，共 2 块 · "), "{all:?}");
        assert!(all[0].contains("改动后要重算"), "{all:?}");
        assert_eq!(all[3], "上下文第 1 块，共 1 块 · 1 个 token | 不在缓存前缀内：每次请求都重新计算");
    }

    #[test]
    fn an_exclusive_block_and_a_refused_assembly() {
        let mut files = project();
        files.push(block("x", "system", "50", "complete: true\n", "alone"));
        let all = lenses(files.clone(), Locale::En);
        assert_eq!(all[0], "not assembled: `t:x` has the system zone for itself");
        assert_eq!(all[2], "not assembled: `t:x` has the system zone for itself");
        assert!(all[3].starts_with("context 1 of 1"), "{all:?}");
        assert!(all[7].starts_with("system 1 of 1"), "{all:?}");
        files.push(block("y", "system", "60", "complete: true\n", "alone too"));
        let all = lenses(files, Locale::En);
        assert!(all.iter().take(6).all(|title| title.starts_with("no assembly: ")), "{all:?}");
    }

    #[test]
    fn thousands() {
        for (number, shown) in [(0, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number), shown);
        }
    }
}
