//! Which of the types of tokens a client knows, and which of its own stand in for the others.

use promptblock_core::ide::{Modifiers, TokenType};
use tower_lsp::ls_types::{SemanticTokenModifier, SemanticTokenType, SemanticTokensLegend};

/// The types as they are sent to a client: each of ours has a number in the legend, or is left out.
#[derive(Clone, Debug)]
pub(crate) struct Legend {
    types: Vec<SemanticTokenType>,
    numbers: Vec<Option<u32>>,
}

impl Default for Legend {
    fn default() -> Self {
        Self::of(&[])
    }
}

impl Legend {
    /// For a client that lists these types. One that lists none has said nothing, and gets all.
    pub(crate) fn of(listed: &[SemanticTokenType]) -> Self {
        let knows = |name: &&str| listed.is_empty() || listed.iter().any(|one| one.as_str() == *name);
        let mut legend = Self { types: Vec::new(), numbers: Vec::new() };
        for token_type in TokenType::ALL {
            let names = std::iter::once(token_type.name()).chain(token_type.instead().iter().copied());
            let name = names.into_iter().find(knows);
            let number = name.map(|name| legend.number(name));
            legend.numbers.push(number);
        }
        legend
    }

    fn number(&mut self, name: &'static str) -> u32 {
        let known = self.types.iter().position(|one| one.as_str() == name);
        let place = known.unwrap_or_else(|| {
            self.types.push(SemanticTokenType::new(name));
            self.types.len() - 1
        });
        promptblock_core::span::offset(place)
    }

    /// The number of a type; none for one that the client has no colour for.
    pub(crate) fn type_of(&self, token_type: TokenType) -> Option<u32> {
        self.numbers.get(token_type as usize).copied().flatten()
    }

    /// As the server tells it. Modifiers that a client does not know do no harm: each is a bit that it does not look at.
    pub(crate) fn told(&self) -> SemanticTokensLegend {
        SemanticTokensLegend {
            token_types: self.types.clone(),
            token_modifiers: Modifiers::NAMES.into_iter().map(SemanticTokenModifier::new).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(listed: &[&'static str], token_type: TokenType) -> Option<String> {
        let listed: Vec<SemanticTokenType> = listed.iter().copied().map(SemanticTokenType::new).collect();
        let legend = Legend::of(&listed);
        let number = legend.type_of(token_type)?;
        Some(legend.told().token_types[number as usize].as_str().to_owned())
    }

    #[test]
    fn what_a_client_knows() {
        assert_eq!(sent(&[], TokenType::Macro).as_deref(), Some("macro"));
        assert_eq!(sent(&["keyword", "macro"], TokenType::Macro).as_deref(), Some("macro"));
        assert_eq!(sent(&["keyword", "regexp"], TokenType::Macro).as_deref(), Some("regexp"));
        assert_eq!(sent(&["keyword"], TokenType::Operator).as_deref(), Some("keyword"));
        assert_eq!(sent(&["variable"], TokenType::Property).as_deref(), Some("variable"));
        assert_eq!(sent(&["class"], TokenType::Variable), None);
        assert_eq!(Legend::of(&[SemanticTokenType::new("variable")]).told().token_types.len(), 1);
    }
}
