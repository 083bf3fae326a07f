use crate::refactor::Refactoring::ExtractBlock;
use crate::refactor::testing::{Case, NEW, not_offered, offered, reason, refused};

/// What stays and what the new file says.
fn extracted(text: &str) -> (String, String) {
    let case = Case::new(text);
    let change = case.change(ExtractBlock).unwrap_or_else(|| panic!("{text}"));
    let [new] = change.elsewhere.as_slice() else { panic!("{change:?}") };
    let [edit] = new.edits.as_slice() else { panic!("{change:?}") };
    assert!(new.creates && new.file == NEW && edit.span == crate::Span::empty(0));
    (case.applied(&change), edit.text.to_string())
}

const HEAD: &str = "---\nid: demo:here\nzone: system\norder: 120\ntemplate: true\n---\n";

/// A body as it was, what stays, the new text and its order; in every shape of a file.
fn check(body: &str, stays: &str, new: &str, order: i32) {
    for (mark, line_break) in [("", "\n"), ("\u{feff}", "\r\n"), ("", "\r"), ("\u{feff}", "\n")] {
        let shape = |text: &str| format!("{mark}{}", text.replace('\n', line_break));
        let (after, file) = extracted(&shape(&format!("{HEAD}{body}")));
        assert_eq!(after, shape(&format!("{HEAD}{stays}")), "{body:?}");
        let header = HEAD.replace("demo:here", "demo:here-3").replace("120", &order.to_string());
        assert_eq!(file, shape(&format!("{header}{new}\n")), "{body:?}");
    }
}

#[test]
fn the_end_the_beginning_and_the_middle() {
    check("一\n\n$0二🎉\n{time}$0\n", "一\n", "二🎉\n{time}", 121);
    check("a\n$0b\n$0", "a\n", "b", 121);
    check("a\n$0\n\nb$0", "a", "b", 121);
    // The beginning comes before.
    check("$0a\nb\n$0\n\nc\n", "c\n", "a\nb", 119);
    check("\n\n$0a$0\nc\n", "\n\nc\n", "a", 119);
    // From the middle, the larger gap stays.
    check("a\n\n$0b\n$0\nc\n", "a\n\nc\n", "b", 121);
    check("a\n$0b\n\n$0c\n", "a\n\nc\n", "b", 121);
    check("a\n$0  b$0\nc\n", "a\nc\n", "  b", 121);
    check("a\n  $0b$0  \nc\n", "a\nc\n", "  b  ", 121);
    // Words of a line.
    check("a $0e\u{301} b$0 c\n", "a  c\n", "e\u{301} b", 121);
    check("a\n$0{if is_vip}x{else}{\"k\": {}}{/if}$0", "a", "{if is_vip}x{else}{\"k\": {}}{/if}", 121);
}

#[test]
fn the_header_says_the_same() {
    let text = "---\nplugin: p q\nallow: [stray-brace, literal-braces, unknown-variable]\nid: \"demo:here-7\"\nzone: system\nrole: user\ncomplete: false\ndescription: x\norder: 130\ntemplate: true\n---\na\n\n$0} {x: 1}$0\n";
    let (_, file) = extracted(text);
    assert_eq!(
        file,
        "---\nid: demo:here-8\nzone: system\norder: 131\nrole: user\ntemplate: true\nplugin: p q\nallow: [stray-brace, literal-braces]\n---\n} {x: 1}\n"
            .replace("plugin: p q", "plugin: \"p q\"")
    );
    let (after, file) = extracted("---\nid: here\nzone: context\norder: 9.5\n---\n{x\n$0{/if} {y$0");
    assert_eq!(after, "---\nid: here\nzone: context\norder: 9.5\n---\n{x");
    assert_eq!(
        file, "---\nid: here-3\nzone: context\norder: 11\n---\n{/if} {y\n",
        "10 is taken; braces are text"
    );
}

#[test]
fn an_order_of_the_band() {
    // 199 is the last one of its band.
    let text = HEAD.replace("120", "199") + "a\n\n$0b$0\n";
    assert!(reason(ExtractBlock, &text).is_some_and(|reason| reason.contains("No order")));
    let text = HEAD.replace("120", "109") + "a\n\n$0b$0\n";
    assert!(extracted(&text).1.contains("order: 111\n"), "110 is taken");
    let text = HEAD.replace("120", "-300") + "$0a$0\n\nb\n";
    assert!(reason(ExtractBlock, &text).is_some());
}

#[test]
fn what_belongs_together_is_not_cut() {
    for body in [
        "a {char$0acter_name} x$0",
        "$0a{if is_vip}b$0c{/if}",
        "a{if is_vip}b$0{else}c{/if}$0",
        "x {$0\"a\"$0: 1}",
        "x $0{/if}$0",
        "x $0{if is_vip}x$0",
        // In a construct it would lose its condition or its loop variable.
        "{if is_vip}a $0b$0{/if}",
        "{for m in members}a $0{m}$0{/for}",
        "{repeat 2}{if is_vip}{/if}a $0b$0{/repeat}",
        "{if is_vip}a $0b$0",
    ] {
        refused(ExtractBlock, body);
    }
    // Lone braces beside it would become another token.
    not_offered(ExtractBlock, "a }$0b$0}");
}

#[test]
fn nothing_to_extract() {
    for body in ["$0abc$0", "$0\n\nabc\n\n$0", "a$0$0b", "a\n$0 \n$0b", "$0\n$0"] {
        not_offered(ExtractBlock, body);
    }
    for text in [
        "---\nid: a:$0b\nzone: system\norder: 1\n---\nx\ny$0\n",
        "---\nzone: system\norder: 1\n---\nx\n$0y$0\n",
        "---\nid: a:b\nzone: system\n---\nx\n$0y$0\n",
        "---\nid: a:b\nzone: system\norder: 1\nx\n\n$0y$0\n",
    ] {
        assert_eq!(
            offered(ExtractBlock, text)
                .filter(|it| matches!(it.outcome, crate::refactor::Outcome::Change(_))),
            None,
            "{text}"
        );
    }
    for header in ["zone: input\ntemplate: true", "zone: system\norder: 3\ncomplete: true"] {
        let text = format!("---\nid: a:b\n{header}\n---\nx {{prompt}}\n$0y$0\n");
        assert!(reason(ExtractBlock, &text).is_some(), "{header}");
    }
}
