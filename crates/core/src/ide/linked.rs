//! The words of a construct that are one: whoever makes a `{for …}` a `{repeat …}` means its closer too.

use super::Context;
use super::definition::live_tag;
use crate::span::Span;
use crate::syntax::{ChunkView, Part, PartKind, Token, TokenKind, TokenRef};

/// What the words may become while somebody types in them, as a regular expression: nothing at all, too.
pub const WORD_PATTERN: &str = "[a-z]*";

/// The control words of the opener and of the closer that belong together, where byte `at` is on one of them. Branches have words
/// of their own; a tag that is malformed is not followed, since nobody knows what it will be.
pub fn linked(cx: &Context<'_>, at: u32) -> Option<[Span; 2]> {
    let (view, tag, token) = live_tag(cx, at)?;
    if !word(&view, &token)?.shift(view.start).touches(at) {
        return None;
    }
    let document = cx.document;
    let body = document.body();
    let pair = body.pair_of(tag).filter(|pair| !pair.malformed)?;
    let closer = pair.closer?;
    if tag != pair.opener && tag != closer {
        return None;
    }
    let is_sound = |tag| matches!(body.kind_of(tag), Some(TokenKind::Opener(_) | TokenKind::Closer(_)));
    if !is_sound(pair.opener) || !is_sound(closer) {
        return None;
    }
    Some([word_of(cx, pair.opener)?, word_of(cx, closer)?])
}

/// The control word of a tag of the body, in the file.
fn word_of(cx: &Context<'_>, tag: TokenRef) -> Option<Span> {
    let document = cx.document;
    let view = document.body().view(document.text(), document.header().body, tag.chunk as usize)?;
    let token = document.body().token_of(tag)?;
    Some(word(&view, token)?.shift(view.start))
}

/// The control word of a tag, in its chunk; without the slash of a closer.
fn word(view: &ChunkView<'_>, token: &Token) -> Option<Span> {
    let first: &Part = view.tokens().parts(token).first()?;
    (first.kind == PartKind::Keyword).then_some(first.span)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::testing::{Project, cursor, system};
    use crate::span::offset;

    /// The body with the linked words in brackets.
    fn linked_in(marked: &str) -> Option<String> {
        let (text, at) = cursor(&system(marked));
        let project = Project::new(&text);
        let mut words = linked(&project.context(), at)?;
        words.sort_unstable();
        let mut shown = text.clone();
        for word in words.iter().rev() {
            let piece = word.of_str(&text);
            shown.replace_range(word.range(), &format!("[{piece}]"));
        }
        Some(shown[project.document.header().body as usize..].to_owned())
    }

    #[test]
    fn opener_and_closer() {
        let both = Some("你🎉e\u{301} {[for] m in members}\r\n{m}{/[for]}");
        for marked in [
            "你🎉e\u{301} {$0for m in members}\r\n{m}{/for}",
            "你🎉e\u{301} {fo$0r m in members}\r\n{m}{/for}",
            "你🎉e\u{301} {for$0 m in members}\r\n{m}{/for}",
            "你🎉e\u{301} {for m in members}\r\n{m}{/$0for}",
            "你🎉e\u{301} {for m in members}\r\n{m}{/for$0}",
        ] {
            assert_eq!(linked_in(marked).as_deref(), both, "{marked}");
        }
        assert_eq!(linked_in("{ i$0f is_vip }{ /if }").as_deref(), Some("{ [if] is_vip }{ /[if] }"));
        assert_eq!(linked_in("{repeat 2}{/repea$0t}").as_deref(), Some("{[repeat] 2}{/[repeat]}"));
        assert_eq!(linked_in("{while$0 is_vip}{/while}").as_deref(), Some("{[while] is_vip}{/[while]}"));
    }

    #[test]
    fn the_innermost_of_its_own_kind() {
        assert_eq!(linked_in("{if a}{i$0f b}{/if}{/if}").as_deref(), Some("{if a}{[if] b}{/[if]}{/if}"));
        assert_eq!(linked_in("{if a}{if b}{/if}{/i$0f}").as_deref(), Some("{[if] a}{if b}{/if}{/[if]}"));
    }

    #[test]
    fn branches_are_no_part_of_it() {
        let text = "{i$0f a}{elseif b}{else}{/if}";
        assert_eq!(linked_in(text).as_deref(), Some("{[if] a}{elseif b}{else}{/[if]}"));
        for marked in ["{if a}{el$0se}{/if}", "{if a}{else$0if b}{/if}"] {
            assert_eq!(linked_in(marked), None, "{marked}");
        }
    }

    #[test]
    fn nothing_to_link() {
        for marked in [
            "{i$0f a}",
            "{/i$0f}",
            "{if a >$0}{/if}",
            "{i$0f a >}{/if}",
            "{if a >}{/i$0f}",
            "{i$0f a}{/if x}",
            "{if$0 a}{for b in c}{/for}",
            "{if a$0 }{/if}",
            "{for m i$0n members}{/for}",
            "{for m$0 in members}{/for}",
            "{ti$0me}",
            "看 {\"k\": {i$0f a}{/if}}",
            "{{i$0f}} {{/if}}",
            "if$0 a",
            "{if a}x{/if} $0",
            "{$0 if a}{/if}",
        ] {
            assert_eq!(linked_in(marked), None, "{marked}");
        }
        let (text, at) = cursor(&system("{i$0f a}{/if}").replace("true", "false"));
        assert_eq!(linked(&Project::new(&text).context(), at), None, "no template");
    }

    #[test]
    fn over_chunks() {
        let body = format!("{{if is_vip}}\n{}{{/if}}", "字 {time}\n".repeat(1000));
        let text = system(&body);
        let project = Project::new(&text);
        let closer = offset(text.rfind("if}").expect("a closer"));
        let [first, last] = linked(&project.context(), closer + 1).expect("linked");
        assert_eq!((first.of_str(&text), last), ("if", Span::new(closer, closer + 2)));
    }
}
