//! Links: addresses in bodies, files that a configuration or a catalog names.

use super::Context;
use super::selection::unquoted;
use crate::jsonc::parse;
use crate::project::parse_config;
use crate::span::{Span, offset};
use crate::syntax::{State, Token, TokenKind};
use linkify::{LinkFinder, LinkKind};
use std::sync::Arc;

/// Punctuation that ends a sentence or a quotation around an address and is none of its characters, though an address may hold
/// other characters beyond ASCII.
const BEHIND: &str = "、。｡､，．：；！？…‘’“”〈〉《》「」『』【】〔〕（）［］｛｝｢｣〖〗～｜　";

/// Where a link leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LinkTarget {
    /// An address on the web, as it is written.
    Url(String),
    /// A path from the folder of the file that names it.
    Path(Arc<str>),
    /// A path from the folder of the file that names it, or a pattern of paths.
    Glob(Arc<str>),
}

/// A link.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// What is clicked, quotes left out.
    pub span: Span,
    /// Where it leads.
    pub target: LinkTarget,
}

/// The addresses in the body. One that a tag is a part of leads nowhere before it is rendered, and is none.
pub fn links(cx: &Context<'_>) -> Vec<Link> {
    let document = cx.document;
    let base = document.header().body;
    let text = document.slice(Span::new(base, document.text().len_bytes().try_into().unwrap_or(u32::MAX)));
    let tags = if cx.is_template() { tags(cx) } else { Vec::new() };
    let mut all = Vec::new();
    for span in addresses(&text) {
        let place = span.shift(base);
        let first = tags.partition_point(|(tag, _)| tag.end < place.start);
        let near = tags[first..].iter().take_while(|(tag, _)| tag.start <= place.end);
        if near.clone().any(|(tag, kind)| is_part(*tag, *kind, place)) {
            continue;
        }
        // A tag in a body that is no template, or in literal braces, is a place to fill all the same.
        if !cx.is_template() && text[span.range().end..].starts_with('{') || span.of_str(&text).contains('{')
        {
            continue;
        }
        all.push(Link { span: place, target: LinkTarget::Url(span.of_str(&text).to_owned()) });
    }
    all
}

/// The tokens of the body that are rendered as something else than they are, with what they are.
fn tags(cx: &Context<'_>) -> Vec<(Span, TokenKind)> {
    let document = cx.document;
    let views = document.body().views(document.text(), document.header().body);
    let is_one = |token: &&Token| {
        let brace = matches!(token.kind, TokenKind::OpenBrace | TokenKind::CloseBrace);
        token.state != State::Border && !brace
    };
    let of = |view: crate::syntax::ChunkView<'_>| {
        let tokens = view.tokens().iter().filter(is_one);
        tokens.map(|token| (token.span.shift(view.start), token.kind)).collect::<Vec<_>>()
    };
    views.flat_map(of).collect()
}

/// Whether a tag is a part of the address at `place`: what opens a construct before it and what closes one behind it is not.
fn is_part(tag: Span, kind: TokenKind, place: Span) -> bool {
    if tag.end == place.start {
        return matches!(kind, TokenKind::Variable);
    }
    if tag.start == place.end {
        return !matches!(kind, TokenKind::Closer(_) | TokenKind::Else | TokenKind::ElseIf);
    }
    true
}

/// The places of the `http` and `https` addresses in a text.
fn addresses(text: &str) -> Vec<Span> {
    let mut finder = LinkFinder::new();
    finder.kinds(&[LinkKind::Url]);
    let mut all = Vec::new();
    let mut start = 0;
    // Cut first: what is found in a piece is an address up to the punctuation, and the next one begins behind it.
    for piece in text.split_inclusive(|char| BEHIND.contains(char)) {
        let sentence = piece.trim_end_matches(|char| BEHIND.contains(char));
        for link in finder.links(sentence) {
            let scheme = link.as_str().split(':').next().unwrap_or_default();
            if ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) {
                all.push(Span::of(start + link.start()..start + link.end()));
            }
        }
        start += piece.len();
    }
    all
}

/// The schema that a catalog or a file of environments names.
pub fn links_in_json(text: &str) -> Vec<Link> {
    let root = parse(text).root;
    let member = root.as_object().into_iter().flatten().find(|member| &*member.key.value == "$schema");
    let link = member.and_then(|member| {
        let named = member.value.as_text()?;
        let span = unquoted(member.value.span, member.value.span.of_str(text))?;
        let target = if addresses(named) == [Span::new(0, offset(named.len()))] {
            LinkTarget::Url(named.to_string())
        } else if named.is_empty() || named.contains(':') || named.starts_with('#') {
            return None;
        } else {
            LinkTarget::Path(Arc::clone(named))
        };
        Some(Link { span, target })
    });
    link.into_iter().collect()
}

/// The paths and patterns that a configuration names.
pub fn links_in_config(text: &str) -> Vec<Link> {
    let (config, _) = parse_config(text);
    let link = |glob: crate::Spanned<Arc<str>>| {
        let span = unquoted(glob.span, glob.span.of_str(text)).unwrap_or(glob.span);
        Link { span, target: LinkTarget::Glob(glob.value) }
    };
    config.globs.into_iter().map(link).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ide::testing::{Project, system};

    fn linked(text: &str) -> Vec<String> {
        let project = Project::new(text);
        let all = links(&project.context());
        all.iter()
            .map(|link| {
                let piece = link.span.of_str(text).to_owned();
                assert_eq!(link.target, LinkTarget::Url(piece.clone()));
                piece
            })
            .collect()
    }

    fn body(body: &str) -> Vec<String> {
        linked(&system(body))
    }

    #[test]
    fn addresses_in_prose() {
        assert_eq!(
            body("你🎉e\u{301} https://a.example/b?c=d#e, http://b.example."),
            ["https://a.example/b?c=d#e", "http://b.example"]
        );
        assert_eq!(body("见https://a.example/b。下一句"), ["https://a.example/b"]);
        assert_eq!(
            body("（https://a.example/b），「http://c.example/」；"),
            ["https://a.example/b", "http://c.example/"]
        );
        assert_eq!(
            body("《https://a.example/b.》HTTPS://A.EXAMPLE、x"),
            ["https://a.example/b", "HTTPS://A.EXAMPLE"]
        );
        assert_eq!(body("https://zh.example/wiki/中文！ 好"), ["https://zh.example/wiki/中文"]);
        assert_eq!(
            body("[名](https://a.example/b_(c)) <https://d.example>"),
            ["https://a.example/b_(c)", "https://d.example"]
        );
        assert_eq!(body("a\r\nhttps://a.example/b\r\nc"), ["https://a.example/b"]);
        assert_eq!(
            body("{if is_vip}https://a.example{else}https://b.example{/if}"),
            ["https://a.example", "https://b.example"]
        );
    }

    #[test]
    fn what_is_no_link() {
        for text in [
            "ftp://a.example mailto:a@b.example a@b.example www.a.example file:///etc http: //x https:",
            "https://a.example/{character_name}",
            "https://a.example/{character_name}/b",
            "https://{character_name}.example/",
            "https://a.example/{if is_vip}b{/if}",
            "https://a.example/{{id}}",
            "看 {\"k\": https://a.example/{character_name}}",
            "{character_name}https://a.example",
        ] {
            assert_eq!(body(text), [""; 0], "{text}");
        }
        let plain = |text: &str| linked(&system(text).replace("template: true", "template: false"));
        assert_eq!(plain("https://a.example/{id}/b"), [""; 0], "a place to fill");
        assert_eq!(plain("https://a.example/ {id}"), ["https://a.example/"]);
        assert_eq!(linked("---\nid: a:b\ndescription: https://a.example\n---\n"), [""; 0], "not in the body");
    }

    #[test]
    fn hostile_sizes() {
        for text in ["http://", "https://a.b/{x}", "a:", "。http://a", "(((http://a.b", "http://a.b/)"] {
            let long = text.repeat((1 << 20) / text.len());
            let start = std::time::Instant::now();
            let _ = body(&long);
            assert!(start.elapsed().as_secs() < 8, "{text} took {:?}", start.elapsed());
        }
    }

    #[test]
    fn schemas() {
        let schema = |text: &str| {
            let all = links_in_json(text);
            all.into_iter().map(|link| (link.span.of_str(text).to_owned(), link.target)).next()
        };
        let path = |path: &str| Some((path.to_owned(), LinkTarget::Path(path.into())));
        assert_eq!(
            schema("\u{feff}// 你\r\n{\"$schema\": \"./模式/catalog.json\",}"),
            path("./模式/catalog.json")
        );
        let url = "https://a.example/s.json";
        let found = schema(&format!("{{\"variables\": {{}}, \"$schema\": \"{url}\"}}"));
        assert_eq!(found, Some((url.to_owned(), LinkTarget::Url(url.to_owned()))));
        for none in [
            "",
            "{}",
            "[\"$schema\"]",
            "{\"$schema\": 1}",
            "{\"$schema\": \"\"}",
            "{\"$schema\": \"vscode:x\"}",
        ] {
            assert_eq!(schema(none), None, "{none}");
        }
    }

    #[test]
    fn paths_of_a_configuration() {
        let text = "# 你🎉\r\ncatalogs = [\"目录.json\", 'b/*.json']\r\nsources = [\"src/**/*.ts\"]\r\nlocale = \"zh-CN\"\r\nexclude = [\"a\"";
        let all = links_in_config(text);
        let shown: Vec<&str> = all.iter().map(|link| link.span.of_str(text)).collect();
        assert_eq!(shown[..3], ["目录.json", "b/*.json", "src/**/*.ts"]);
        assert_eq!(all[1].target, LinkTarget::Glob("b/*.json".into()));
    }
}
