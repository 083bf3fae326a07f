//! `--format text`.

use super::{Compared, from_to};
use crate::failure::Failure;
use crate::table::{Side, lines};
use crate::tokens::budgets;
use crate::visible::visible;
use promptblock_core::assemble::tools_counted;
use promptblock_core::ide::grouped;
use promptblock_core::{Locale, msg};
use std::io::{BufWriter, Write};

/// Prints the comparison.
pub(super) fn print(compared: &Compared<'_>) -> Result<(), Failure> {
    let Compared { opened, before, after, names, impact, .. } = compared;
    let locale = opened.locale;
    let mut out = BufWriter::new(std::io::stdout().lock());
    let plain = |name: &str| visible(name).into_owned();
    writeln!(out, "{}\n", from_to(names, plain).text(locale))?;

    if let Some(absent) = compared.absent(|name| format!("`{}`", visible(name))) {
        writeln!(out, "{}\n", absent.text(locale))?;
    }
    let (survives, recomputed) = (grouped(impact.survives), grouped(impact.recomputed));
    if impact.tools_changed {
        let what =
            msg!("the tools differ, so nothing behind them survives", "工具不同，其后的内容都要重新计算");
        writeln!(out, "{}", what.text(locale))?;
    }
    let said = match compared.first_changed() {
        Some((id, what)) => {
            let id = visible(id);
            let (en, zh) = (what.text(Locale::En), what.text(Locale::ZhCn));
            promptblock_core::Message::new(
                format!("first block of the prefix that differs: {id} ({en})"),
                format!("前缀中第一个不同的块：{id}（{zh}）"),
            )
        }
        None if impact.tools_changed => msg!("no block of the prefix differs", "前缀中的块都相同"),
        None => msg!("the cached prefix stays the same", "缓存的前缀保持不变"),
    };
    writeln!(out, "{}", said.text(locale))?;
    let word = |en: &str, zh: &str| if locale == Locale::En { en.to_owned() } else { zh.to_owned() };
    let rows = [
        vec![word("survives", "仍可复用"), survives, word("tokens", "个 token")],
        vec![word("recomputed", "需重新计算"), recomputed, word("tokens", "个 token")],
    ];
    write!(out, "{}", lines(&[Side::Left, Side::Right, Side::Left], &rows))?;
    let (before, after) = (before.digest(), after.digest());
    let rows = [vec![word("digest before", "原摘要"), before], vec![word("digest after", "新摘要"), after]];
    write!(out, "{}", lines(&[Side::Left, Side::Left], &rows))?;

    let (listed, more) = compared.rows();
    if !listed.is_empty() {
        let mut rows = vec![vec![
            word("block", "块"),
            word("zone", "区"),
            String::new(),
            word("before", "之前"),
            word("after", "之后"),
        ]];
        let count = |tokens: Option<u64>| tokens.map_or_else(|| "–".to_owned(), grouped);
        rows.extend(listed.iter().map(|row| {
            let (before, after) = row.tokens;
            let what = row.how.text(locale).to_owned();
            vec![row.id.to_owned(), row.zone.name().to_owned(), what, count(before), count(after)]
        }));
        let sides = [Side::Left, Side::Left, Side::Left, Side::Right, Side::Right];
        write!(out, "\n{}", lines(&sides, &rows))?;
        if more > 0 {
            writeln!(out, "{}", msg!("and {more} more", "另有 {more} 个").text(locale))?;
        }
    }
    let budgets = budgets(opened);
    if !budgets.is_empty() {
        let rows: Vec<_> =
            budgets.iter().map(|it| vec![it.zone.name().to_owned(), it.shown(locale)]).collect();
        write!(out, "\n{}", lines(&[Side::Left, Side::Left], &rows))?;
    }
    let tools = tools_counted(compared.after, opened.vocabulary());
    writeln!(out, "\n{}", tools.text(locale))?;
    out.flush()?;
    Ok(())
}
