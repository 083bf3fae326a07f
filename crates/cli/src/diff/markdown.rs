//! `--format markdown`: a comment for a review. Names come from files, and must not act as Markdown, HTML or a mention.

use super::{Compared, Name, from_to, spaced};
use crate::failure::Failure;
use crate::tokens::budgets;
use crate::visible::visible;
use promptblock_core::assemble::{Assembly, Refused, Vocabulary, tools_counted};
use promptblock_core::ide::grouped;
use promptblock_core::{Locale, Message, msg};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write;

/// A longer name is cut.
const LONGEST: usize = 100;

/// Prints the comparison.
pub(super) fn print(compared: &Compared<'_>) -> Result<(), Failure> {
    write_out(&comment(compared)?)
}

/// Says that there is nothing to compare.
pub(super) fn print_refused(name: &Name, refused: &Refused, locale: Locale) -> Result<(), Failure> {
    let mut codes: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, finding) in refused {
        *codes.entry(finding.code.name()).or_default() += 1;
    }
    let codes: Vec<String> = codes.iter().map(|(code, count)| format!("`{code}` × {count}")).collect();
    let (codes, shown) = (codes.join(", "), name.shown(code).text(locale).to_owned());
    let among = spaced(&shown);
    let among = among.trim_start();
    let what = msg!(
        "**The blocks of {shown} give no prompt:** {codes}.",
        "**{among}中的块无法组装成提示词：**{codes}。"
    );
    // A check sees the work tree, not the past.
    let hint = match (name, locale) {
        (Name::Revision { .. }, _) => "",
        (_, Locale::En) => " `promptblock check` shows where.",
        (_, Locale::ZhCn) => "位置可用 `promptblock check` 查看。",
    };
    write_out(&format!("{}\n\n{}{hint}\n", heading(locale), what.text(locale)))
}

fn write_out(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

fn heading(locale: Locale) -> String {
    format!("### {}", msg!("Prompt cache", "提示词缓存").text(locale))
}

fn comment(compared: &Compared<'_>) -> Result<String, Failure> {
    let Compared { opened, before, after, names, impact, .. } = compared;
    let locale = opened.locale;
    let vocabulary = opened.vocabulary();
    let mut out = format!("{}\n\n", heading(locale));
    let mut between = from_to(names, code).text(locale).to_owned();
    if let Some(lower) = between.strip_prefix("from ") {
        between = format!("From {lower}.");
    } else {
        between.push('。');
    }
    out += &format!("{}\n\n{}\n\n", verdict(compared).text(locale), between);

    if let Some(absent) = compared.absent(code) {
        let end = if locale == Locale::En { "." } else { "。" };
        out += &format!("{}{end}\n\n", absent.text(locale));
    }
    let word = |en: &'static str, zh: &'static str| if locale == Locale::En { en } else { zh };
    let (head, was, is) = (word("Stable prefix", "稳定前缀"), word("before", "之前"), word("after", "之后"));
    let tokens =
        |assembly: &promptblock_core::assemble::Assembly| grouped(assembly.tokens(vocabulary).prefix());
    out += &format!("| {head} | {was} | {is} |\n|---|--:|--:|\n");
    out += &format!("| {} | {} | {} |\n", word("tokens", "token 数"), tokens(before), tokens(after));
    let still = word("still cached", "仍在缓存中");
    out += &format!("| {still} | | {} |\n", grouped(impact.survives));
    out += &format!("| {} | | {} |\n", word("computed anew", "重新计算"), grouped(impact.recomputed));
    let digest =
        |digest: String| format!("`{}`", digest.chars().take("sha256:".len() + 12).collect::<String>());
    let (old, new) = (digest(before.digest()), digest(after.digest()));
    out += &format!("| {} | {old} | {new} |\n\n", word("digest", "摘要"));

    let (rows, more) = compared.rows();
    if !rows.is_empty() {
        let (block, zone, change) = (word("Block", "块"), word("zone", "区"), word("change", "变化"));
        let (was, is) = (word("tokens before", "之前的 token 数"), word("tokens after", "之后的 token 数"));
        out += &format!("| {block} | {zone} | {change} | {was} | {is} |\n|---|---|---|--:|--:|\n");
        for row in &rows {
            let count = |tokens: Option<u64>| tokens.map_or_else(|| "–".to_owned(), grouped);
            let (id, what) = (code(row.id), &row.how);
            let (was, is) = (count(row.tokens.0), count(row.tokens.1));
            // Writing to a string cannot fail.
            let _ = writeln!(out, "| {id} | {} | {} | {was} | {is} |", row.zone.name(), what.text(locale));
        }
        if more > 0 {
            out += &format!("\n{}\n", msg!("And {more} more.", "另有 {more} 个。").text(locale));
        }
        out.push('\n');
    }
    for budget in budgets(opened) {
        let (zone, shown) = (budget.zone.name(), budget.shown(locale));
        out += &format!("- `{zone}`: {shown}\n");
    }
    if !budgets(opened).is_empty() {
        out.push('\n');
    }
    out += &format!("<sub>{}</sub>\n", basis(vocabulary, after).text(locale));
    Ok(out)
}

/// The sentence that a reviewer reads first.
fn verdict(compared: &Compared<'_>) -> Message {
    let impact = &compared.impact;
    let (survives, recomputed) = (grouped(impact.survives), grouped(impact.recomputed));
    let all = grouped(impact.survives + impact.recomputed);
    if impact.tools_changed {
        return msg!(
            "**The tools differ: {recomputed} of {all} prefix tokens are computed anew**; they stand in front of all, so no block survives.",
            "**工具不同：前缀的 {all} 个 token 中有 {recomputed} 个要重新计算**；工具在最前面，其后的块都不能复用。"
        );
    }
    let Some((id, what)) = compared.first_changed() else {
        return msg!(
            "**The cached prefix stays the same:** all of its {survives} tokens go on being reused.",
            "**缓存的前缀保持不变：**全部 {survives} 个 token 可继续复用。"
        );
    };
    let id = code(id);
    let (en, zh) = (what.text(Locale::En), what.text(Locale::ZhCn));
    let between_environments = matches!(compared.names.0, Name::Environment(_));
    let (when_en, when_zh) = if between_environments {
        (
            "each time the environment changes so and the prefix is not pinned, on every request if it goes on changing",
            "每当环境如此变化而前缀未固定时都会发生；若持续变化，则每次请求都会发生",
        )
    } else {
        (
            "by the next request, and by every one from then on if what differs goes on changing (a clock, a counter)",
            "由下一次请求完成；若不同之处会持续变化（时钟、计数器），则此后每次请求都要重新计算",
        )
    };
    Message::new(
        format!(
            "**{recomputed} of {all} prefix tokens are computed anew**, {when_en}; {survives} survive. The first block \
             that differs is {id} ({en})."
        ),
        format!(
            "**前缀的 {all} 个 token 中有 {recomputed} 个要重新计算**，{when_zh}；{survives} 个仍可复用。第一个不同的块是 \
             {id}（{zh}）。"
        ),
    )
}

fn basis(vocabulary: Vocabulary, assembly: &Assembly) -> Message {
    let how = match vocabulary {
        Vocabulary::Estimate => msg!("Tokens are estimated.", "token 数为估算。"),
        _ => {
            let name = vocabulary.name();
            msg!("Tokens by the vocabulary {name}.", "token 按词表 {name} 计数。")
        }
    };
    let tools = tools_counted(assembly, vocabulary);
    let mut en = tools.text(Locale::En).to_owned();
    if let Some(first) = en.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Message::new(
        format!("{} {en}.", how.text(Locale::En)),
        format!("{}{}。", how.text(Locale::ZhCn), tools.text(Locale::ZhCn)),
    )
}

/// A name as code, in which nothing is read as Markdown, HTML or a mention. In a table a bar would end the cell, also here.
fn code(name: &str) -> String {
    let mut shown: String = visible(name).chars().take(LONGEST).collect();
    if shown.len() < visible(name).len() {
        shown.push('…');
    }
    let shown = shown.replace('|', "│");
    let longest = shown.split(|char| char != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    // Next to the fence a backtick would belong to it, and blanks alone would be no code.
    let blank = if longest > 0 || shown.trim().is_empty() { " " } else { "" };
    format!("{fence}{blank}{shown}{blank}{fence}")
}

#[cfg(test)]
mod tests {
    use super::code;

    #[test]
    fn no_name_acts() {
        for (name, shown) in [
            ("bot:人设", "`bot:人设`"),
            ("a|b\n# c", "`a│b␊# c`"),
            ("`x`", "`` `x` ``"),
            ("a``b", "``` a``b ```"),
            ("<img src=x> @all [a](b) &amp;", "`<img src=x> @all [a](b) &amp;`"),
            ("", "`  `"),
            ("a\\", "`a\\`"),
        ] {
            assert_eq!(code(name), shown, "{name:?}");
        }
        assert_eq!(code(&"长".repeat(500)).chars().count(), 103);
    }
}
