//! In the header.

use super::{check, items, labels};
use crate::Locale;
use crate::ide::completion::summary;
use crate::ide::testing::{Project, system};
use expect_test::expect;

#[test]
fn header_keys() {
    check(
        "---\n$0\n---\n",
        expect![[r#"
        id "id: " "id: ${1:plugin}:${2:name}"
        zone "zone: "
        order "order: "
        role "role: "
        template "template: "
        complete "complete: "
        plugin "plugin: "
        description "description: "
        allow "allow: " "allow: [$1]"
    "#]],
    );
    check(
        "---\r\nid: a:b\r\nzo$0\r\ntemplate: true\r\n---\r\n",
        expect![[r#"
        zone "zone: "
        order "order: "
        role "role: "
        complete "complete: "
        plugin "plugin: "
        description "description: "
        allow "allow: " "allow: [$1]"
    "#]],
    );
    check(
        "\u{feff}---\nid: a:b\nzone: context\n$0",
        expect![[r#"
        order "order: "
        template "template: "
        plugin "plugin: "
        description "description: "
        allow "allow: " "allow: [$1]"
    "#]],
    );
    check(
        "---\nzo$0xx: system\nid: a\n---\n",
        expect![[r#"
        zone "zone: system"
        order "order: system"
        role "role: system"
        template "template: system"
        complete "complete: system"
        plugin "plugin: system"
        description "description: system"
        allow "allow: system"
    "#]],
    );
    check(
        "---\nid: a\nzone: input\n$0\n---\n{prompt}",
        expect![[r#"
        template "template: "
        plugin "plugin: "
        description "description: "
        allow "allow: " "allow: [$1]"
    "#]],
    );
}

#[test]
fn header_values() {
    check(
        "---\nid: a\nzone: $0\n---\n",
        expect![[r#"
        system "zone: system"
        context "zone: context"
        input "zone: input"
    "#]],
    );
    check(
        "---\nid: a\nzone:$0\n---\n",
        expect![[r#"
        system "zone: system"
        context "zone: context"
        input "zone: input"
    "#]],
    );
    check(
        "---\nid: a\nzone: sy$0stem # note\n---\n",
        expect![[r#"
        system "zone: system # note"
        context "zone: context # note"
        input "zone: input # note"
    "#]],
    );
    check(
        "---\nrole: $0\ntemplate: \n---\n",
        expect![[r#"
        system "role: system"
        user "role: user"
        assistant "role: assistant"
    "#]],
    );
    check(
        "---\nrole: user\ntemplate: t$0",
        expect![[r#"
        true "template: true"
        false "template: false"
    "#]],
    );
}

#[test]
fn orders_by_band() {
    let (_, all) = items("---\nid: demo:here\nzone: system\norder: $0\n---\n");
    let mut out = String::new();
    for item in all.iter().filter(|item| !item.label.starts_with('2')) {
        let documentation = item.documentation.as_deref().unwrap_or_default().replace('\n', " ");
        let edit = &item.edit;
        assert_eq!((&*edit.text, edit.span.is_empty()), (&*item.label, true));
        out.push_str(&format!(
            "{} | {} | {documentation}\n",
            item.label,
            item.detail.as_deref().unwrap_or("-")
        ));
    }
    expect![[r#"
        -300 | identity (-300) | identity (-300): who the agent is  before `demo:safety` (-100)
        -200 | deployment constraints (-200..-101) | deployment constraints (-200..-101): rules the deployer hard-codes  before `demo:safety` (-100)
        -190 | deployment constraints (-200..-101) | deployment constraints (-200..-101): rules the deployer hard-codes  before `demo:safety` (-100)
        -180 | deployment constraints (-200..-101) | deployment constraints (-200..-101): rules the deployer hard-codes  before `demo:safety` (-100)
        -170 | deployment constraints (-200..-101) | deployment constraints (-200..-101): rules the deployer hard-codes  before `demo:safety` (-100)
        -160 | deployment constraints (-200..-101) | deployment constraints (-200..-101): rules the deployer hard-codes  before `demo:safety` (-100)
        -150 | deployment constraints (-200..-101) | deployment constraints (-200..-101): rules the deployer hard-codes  before `demo:safety` (-100)
        -140 | deployment constraints (-200..-101) | deployment constraints (-200..-101): rules the deployer hard-codes  before `demo:safety` (-100)
        -130 | deployment constraints (-200..-101) | deployment constraints (-200..-101): rules the deployer hard-codes  before `demo:safety` (-100)
        -120 | deployment constraints (-200..-101) | deployment constraints (-200..-101): rules the deployer hard-codes  before `demo:safety` (-100)
        -110 | deployment constraints (-200..-101) | deployment constraints (-200..-101): rules the deployer hard-codes  before `demo:safety` (-100)
        0 | persona (0) | persona (0): the preset's persona  behind `demo:safety` (-100)  before `demo:tools` (110)
        1 | setting and scene (1..49) | setting and scene (1..49): preset description, scene  behind `demo:safety` (-100)  before `demo:tools` (110)
        10 | setting and scene (1..49) | setting and scene (1..49): preset description, scene  behind `demo:safety` (-100)  before `demo:tools` (110)
        30 | setting and scene (1..49) | setting and scene (1..49): preset description, scene  behind `demo:safety` (-100)  before `demo:tools` (110)
        40 | setting and scene (1..49) | setting and scene (1..49): preset description, scene  behind `demo:safety` (-100)  before `demo:tools` (110)
        50 | resident lore (50..79) | resident lore (50..79): always-on world entries  behind `demo:safety` (-100)  before `demo:tools` (110)
        60 | resident lore (50..79) | resident lore (50..79): always-on world entries  behind `demo:safety` (-100)  before `demo:tools` (110)
        70 | resident lore (50..79) | resident lore (50..79): always-on world entries  behind `demo:safety` (-100)  before `demo:tools` (110)
        80 | example dialogue (80..99) | example dialogue (80..99): the preset's examples  behind `demo:safety` (-100)  before `demo:tools` (110)
        90 | example dialogue (80..99) | example dialogue (80..99): the preset's examples  behind `demo:safety` (-100)  before `demo:tools` (110)
        100 | tool guidance (100..199) | tool guidance (100..199): how to use each tool  behind `demo:safety` (-100)  before `demo:tools` (110)
        115 | tool guidance (100..199) | tool guidance (100..199): how to use each tool  behind `demo:tools` (110)  before `demo:search` (130)
        120 | tool guidance (100..199) | tool guidance (100..199): how to use each tool  behind `demo:tools` (110)  before `demo:search` (130)
        135 | tool guidance (100..199) | tool guidance (100..199): how to use each tool  behind `demo:search` (130)
        140 | tool guidance (100..199) | tool guidance (100..199): how to use each tool  behind `demo:search` (130)
        150 | tool guidance (100..199) | tool guidance (100..199): how to use each tool  behind `demo:search` (130)
        160 | tool guidance (100..199) | tool guidance (100..199): how to use each tool  behind `demo:search` (130)
        170 | tool guidance (100..199) | tool guidance (100..199): how to use each tool  behind `demo:search` (130)
        180 | tool guidance (100..199) | tool guidance (100..199): how to use each tool  behind `demo:search` (130)
        190 | tool guidance (100..199) | tool guidance (100..199): how to use each tool  behind `demo:search` (130)
    "#]].assert_eq(&out);
    assert_eq!(labels("---\nid: a\nzone: context\norder: $0\n---\n"), ["0", "20"]);
    assert_eq!(labels("---\nid: a\nzone: input\norder: $0\n---\n"), ["0"]);
    check(
        "---\nzone: context\norder: -1$02\n---\n",
        expect![[r#"
            0 "order: 0"
            20 "order: 20"
        "#]],
    );
}

#[test]
fn own_order_is_not_taken() {
    assert!(labels(&system("").replace("order: 120", "order: 12$00")).contains(&"120".to_owned()));
    assert!(!labels(&system("").replace("order: 120", "order: $0")).contains(&"110".to_owned()));
}

#[test]
fn plugins_and_prefixes_of_the_project() {
    // Those of the other blocks and of the catalog; its own half-typed one is no news.
    check(
        "---\nid: de$0\n---\n",
        expect![[r#"
        demo: "id: demo:"
        weather: "id: weather:"
    "#]],
    );
    check(
        "---\nid:$0\n---\n",
        expect![[r#"
        demo: "id: demo:"
        weather: "id: weather:"
    "#]],
    );
    check(
        "---\nid: mine:x\nplugin: $0\n---\n",
        expect![[r#"
        demo "plugin: demo"
        weather "plugin: weather"
    "#]],
    );
}

#[test]
fn codes_to_allow() {
    let some = |text: &str| {
        let (text, all) = items(text);
        let item = all.into_iter().find(|item| item.label == "stray-brace")?;
        let mut after = text;
        after.replace_range(item.edit.span.range(), &item.edit.text);
        after.lines().find(|line| line.contains("stray")).map(str::to_owned)
    };
    assert_eq!(some("---\nallow: $0\n---\n").as_deref(), Some("allow: [stray-brace]"));
    assert_eq!(some("---\nallow: [$0]\n---\n").as_deref(), Some("allow: [stray-brace]"));
    assert_eq!(
        some("---\nallow: [inert-tag, st$0]\n---\n").as_deref(),
        Some("allow: [inert-tag, stray-brace]")
    );
    assert_eq!(some("---\nallow: [inert-tag,$0]\n---\n").as_deref(), Some("allow: [inert-tag, stray-brace]"));
    assert_eq!(some("---\nid: a\nallow:\n  - st$0\n---\n").as_deref(), Some("  - stray-brace"));
    assert_eq!(some("---\nallow: [stray-brace, $0]\n---\n"), None, "given already");
    assert_eq!(some("---\nallow: [inert-tag]$0\n---\n"), None);
    assert_eq!(some("---\nid:\n  - st$0\n---\n"), None);
    assert!(!labels("---\nallow: [$0]\n---\n").contains(&"invalid-header".to_owned()));
}

#[test]
fn nothing_in_other_places_of_the_header() {
    for text in [
        "---$0\nid: a\n---\n",
        "---\nid: a:$0\n---\n",
        "---\nid: a$0:b\n---\n",
        "---\nid: a b$0\n---\n",
        "---\nid: \"$0\"\n---\n",
        "---\ndescription: zo$0\n---\n",
        "---\n# zo$0\n---\n",
        "---\nzone: \"sy$0\"\n---\n",
        "---\nzone: system # $0\n---\n",
        "---\nzone: system $0\n---\n",
        "---\ndescription: |\n  zo$0\n---\n",
        "---\nnonsense: $0\n---\n",
        "---\ncache: $0\n---\n",
        "---\nid: a\n$0---\n",
        "---\nid: a\n---$0\n",
        "---\nid: a\n---\n$0",
        "---\nid: a\n\n$0",
        "text $0",
        "-- $0",
    ] {
        assert_eq!(labels(text), [""; 0], "{text}");
    }
}

#[test]
fn a_whole_header() {
    check(
        "$0",
        expect![[r#"
        --- "---" "---"
    "#]],
    );
    check(
        "\u{feff}--$0",
        expect![[r#"
        --- "\u{feff}---" "\u{feff}---"
    "#]],
    );
    assert_eq!(labels("$0\ntext"), [""; 0]);
}

#[test]
fn every_code_has_a_summary() {
    for code in crate::Code::ALL {
        for locale in [Locale::En, Locale::ZhCn] {
            let mut project = Project::new("");
            project.locale = locale;
            let summary = summary(*code, &project.context());
            let text = summary.split("\n\n").nth(1).unwrap_or_default();
            assert!(text.len() > 20 && !text.starts_with('#'), "{summary}");
        }
    }
}
