//! The blocks, variables and bands of a project, by name.

use super::matching::{Match, matches};
use super::orders::{self, band_name};
use super::symbols::standing;
use crate::FileId;
use crate::lint::Judge;
use crate::message::Locale;
use crate::project::Index;
use crate::span::Span;

/// So many are listed at most: the best ones.
const MOST: usize = 200;

/// What is listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum WorkspaceSymbolKind {
    /// A block, in a file of its own or registered in source code.
    Block,
    /// An entry of a catalog, or a registration in source code.
    Variable,
    /// A band that has blocks.
    Band,
}

/// One that is found, the best first.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WorkspaceSymbol {
    fit: Match,
    /// Of two that fit alike, the one with less around what is typed.
    length: usize,
    /// The id, the variable's name, or what the band is called.
    pub name: String,
    /// What it is.
    pub kind: WorkspaceSymbolKind,
    /// Zone, order and band of a block; the plugin of a variable; the zone of a band.
    pub container: Option<String>,
    /// Its file.
    pub file: FileId,
    /// What names it there; of a band, what names its first block.
    pub span: Span,
}

/// Order, name and place of the first block of a band.
type First<'a> = (f64, &'a str, (FileId, Span));

/// Whatever fits `query` in any order of case, with all of its characters in their order; everything where that is empty.
pub fn workspace_symbols(judge: &Judge, index: &Index, query: &str, locale: Locale) -> Vec<WorkspaceSymbol> {
    let typed = query.to_lowercase();
    let mut found = Vec::new();
    let mut add = |fit: Option<Match>, name: &str, kind, container, (file, span)| {
        let Some(fit) = fit else { return };
        let length = if typed.is_empty() { 0 } else { name.len() };
        found.push(WorkspaceSymbol { fit, length, name: name.to_owned(), kind, container, file, span });
    };
    // By band the first of its blocks.
    let mut firsts: Vec<Option<First<'_>>> = vec![None; judge.bands.0.len()];
    for (file, facts) in index.blocks() {
        let header = &facts.header;
        let file = facts.origin.as_ref().map_or(file, |origin| origin.file);
        let id = header.id().map_or("", |id| id);
        let place = (file, header.id.as_ref().map_or(header.opening, |id| id.span));
        if !id.is_empty() {
            let container = standing(header, judge, locale).join(" · ");
            let container = Some(container).filter(|container| !container.is_empty());
            add(matches(id, &typed), id, WorkspaceSymbolKind::Block, container, place);
        }
        let Some(order) = header.order.as_ref().map(|order| order.value) else { continue };
        let Some(band) = orders::band(judge, header, order) else { continue };
        let at = judge.bands.0.iter().position(|known| std::ptr::eq(known, band));
        if let Some(first) = at.and_then(|at| firsts.get_mut(at))
            && first.is_none_or(|(before, name, _)| (order, id) < (before, name))
        {
            *first = Some((order, id, place));
        }
    }
    for variable in judge.catalog.iter() {
        let Some(fit) = matches(&variable.name, &typed) else { continue };
        let layers = std::iter::successors(Some(variable), |variable| variable.shadows.as_ref());
        for layer in layers {
            // What is built in stands nowhere.
            let Some(there) = layer.definition else { continue };
            let plugin = layer.plugin.as_deref().map(str::to_owned);
            add(Some(fit), &layer.name, WorkspaceSymbolKind::Variable, plugin, (there.file, there.key));
        }
    }
    for (band, first) in judge.bands.0.iter().zip(firsts) {
        let Some((_, _, place)) = first else { continue };
        let title = band.title();
        let fit =
            [Locale::En, Locale::ZhCn].into_iter().filter_map(|locale| matches(title.text(locale), &typed));
        let zone = Some(crate::block::Zone::System.name().to_owned());
        add(fit.min(), band_name(band).text(locale), WorkspaceSymbolKind::Band, zone, place);
    }
    best(found)
}

/// The best of all of them, each once.
pub fn best(mut all: Vec<WorkspaceSymbol>) -> Vec<WorkspaceSymbol> {
    all.sort();
    all.dedup();
    all.truncate(MOST);
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::testing::{CATALOG, FILE, Project};

    fn found(query: &str) -> Vec<String> {
        let text = "---\nid: 群😀:Café\nzone: system\norder: 105\n---\n你\n";
        let project = Project::new(text);
        let all = workspace_symbols(&project.judge, &project.index, query, Locale::En);
        let shown = |one: WorkspaceSymbol| {
            if one.file == FILE && one.kind == WorkspaceSymbolKind::Block {
                assert_eq!(&text[one.span.start as usize..one.span.end as usize], "群😀:Café");
            }
            format!("{:?} {} ({})", one.kind, one.name, one.container.unwrap_or_default())
        };
        all.into_iter().map(shown).collect()
    }

    #[test]
    fn by_what_is_typed() {
        let cases: [(&str, &[&str]); 7] = [
            ("demo:s", &["Block demo:safety (system -100 · "]),
            ("CAFÉ", &["Block 群😀:Café (system 105 · "]),
            ("群:c", &["Block 群😀:Café (system 105 · "]),
            ("CHNAME", &["Variable character_name ("]),
            ("clock", &["Block demo:clock (context 10)"]),
            ("工具", &["Band tool guidance (100..199) (system)"]),
            ("nothing there", &[]),
        ];
        for (query, wanted) in cases {
            let found = found(query);
            let begins = |(found, wanted): (&String, &&str)| found.starts_with(wanted);
            assert!(found.iter().zip(wanted).all(begins), "{query}: {found:?}");
            assert_eq!(found.is_empty(), wanted.is_empty(), "{query}: {found:?}");
        }
    }

    #[test]
    fn everything_and_the_first_block_of_a_band() {
        let all = found("");
        assert_eq!(all.iter().filter(|one| one.starts_with("Block")).count(), 5, "{all:?}");
        // What stands nowhere is not listed.
        assert_eq!(
            all.iter().filter(|one| one.starts_with("Variable")).collect::<Vec<_>>(),
            ["Variable character_name ()"]
        );
        let project = Project::new("---\nid: a:b\nzone: system\norder: 105\n---\nx\n");
        let all = workspace_symbols(&project.judge, &project.index, "tool guid", Locale::En);
        assert_eq!((all[0].kind, all[0].file), (WorkspaceSymbolKind::Band, FILE), "{all:?}");
        let variables = workspace_symbols(&project.judge, &project.index, "character_name", Locale::En);
        assert_eq!((variables[0].file, variables[0].span), (CATALOG, Span::new(20, 36)));
    }

    #[test]
    fn no_more_than_anybody_reads() {
        let mut project = Project::new("x\n");
        for file in 100..1100_u32 {
            let facts = project.index.block(FileId(2)).cloned();
            project.index.update(FileId(file), facts);
        }
        assert_eq!(workspace_symbols(&project.judge, &project.index, "", Locale::En).len(), MOST);
    }
}
