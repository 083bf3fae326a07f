//! In catalogs, environments and the configuration.

use super::environments;
use crate::Locale;
use crate::ide::completion::settings::{Settings, SettingsFile, completions_in_settings};
use crate::ide::completion::{CompletionKind, Completions};
use crate::ide::testing::{Project, cursor, system};
use expect_test::{Expect, expect};
use std::sync::Arc;

fn found(file: SettingsFile, text: &str, schema: bool) -> (String, Completions) {
    let (text, at) = cursor(text);
    let project = Project::new(&system("{lacking} {lacking.field} {missing} {is_vip} {if other}{/if}"));
    let environments = environments();
    let fields: Vec<Arc<str>> = ["clock".into(), "platform".into(), "not a name".into()].into();
    let cx = Settings {
        judge: &project.judge,
        index: &project.index,
        environments: &environments,
        fields: &fields,
        locale: Locale::En,
        schema,
    };
    let found = completions_in_settings(&cx, file, &text, at);
    for item in &found.items {
        let span = item.edit.span;
        assert!(span.start <= at && at <= span.end, "{item:?}");
        assert!(text.get(span.range()).is_some_and(|word| !word.contains(['\n', '\r'])), "{item:?}");
    }
    (text, found)
}

/// Label, and the line after choosing it: plain, and as a snippet.
fn check(file: SettingsFile, text: &str, expected: Expect) {
    let (text, found) = found(file, text, false);
    assert!(!found.incomplete);
    let mut out = String::new();
    for item in found.items {
        let applied = |new: &str| {
            let mut after = text.clone();
            after.replace_range(item.edit.span.range(), new);
            let start = after[..item.edit.span.range().start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
            after[start..].lines().next().unwrap_or_default().to_owned()
        };
        out.push_str(&format!("{} -> {}", item.label, applied(&item.edit.text)));
        if let Some(snippet) = item.snippet.as_deref().map(applied) {
            out.push_str(&format!("   {snippet}"));
        }
        if let Some(what) = item.description {
            out.push_str(&format!("   // {what}"));
        }
        out.push('\n');
    }
    expected.assert_eq(&out);
}

fn labels(file: SettingsFile, text: &str, schema: bool) -> Vec<String> {
    found(file, text, schema).1.items.into_iter().map(|item| item.label).collect()
}

#[test]
fn a_catalog() {
    let check = |text: &str, expected| check(SettingsFile::Catalog, text, expected);
    check(
        "{$0}",
        expect![[r#"
        variables -> {"variables": {}}   {"variables": {$1}}
    "#]],
    );
    // The names that blocks use and nobody knows.
    check(
        "{\"variables\": {$0}}",
        expect![[r#"
        lacking -> {"variables": {"lacking": {"description": ""}}}   {"variables": {"lacking": {"description": "$1"\}}}   // used in 1 block, in no catalog
        missing -> {"variables": {"missing": {"description": ""}}}   {"variables": {"missing": {"description": "$1"\}}}   // used in 1 block, in no catalog
        other -> {"variables": {"other": {"description": ""}}}   {"variables": {"other": {"description": "$1"\}}}   // used in 1 block, in no catalog
    "#]],
    );
    check(
        "{\"variables\": {\"lac$0\n \"time\": {}}}",
        expect![[r#"
        lacking -> {"variables": {"lacking": {"description": ""},   {"variables": {"lacking": {"description": "$1"\},   // used in 1 block, in no catalog
        missing -> {"variables": {"missing": {"description": ""},   {"variables": {"missing": {"description": "$1"\},   // used in 1 block, in no catalog
        other -> {"variables": {"other": {"description": ""},   {"variables": {"other": {"description": "$1"\},   // used in 1 block, in no catalog
    "#]],
    );
    check(
        "{\"variables\": {\"$0\": {}}}",
        expect![[r#"
        lacking -> {"variables": {"lacking": {}}}   // used in 1 block, in no catalog
        missing -> {"variables": {"missing": {}}}   // used in 1 block, in no catalog
        other -> {"variables": {"other": {}}}   // used in 1 block, in no catalog
    "#]],
    );
    check(
        "{\"variables\": {\"time\": {\"zones\": [], $0}}}",
        expect![[r#"
        description -> {"variables": {"time": {"zones": [], "description": ""}}}   {"variables": {"time": {"zones": [], "description": "$1"}}}
        mutable -> {"variables": {"time": {"zones": [], "mutable": true}}}   {"variables": {"time": {"zones": [], "mutable": ${1:true}}}}
        args -> {"variables": {"time": {"zones": [], "args": []}}}   {"variables": {"time": {"zones": [], "args": [$1]}}}
        type -> {"variables": {"time": {"zones": [], "type": ""}}}   {"variables": {"time": {"zones": [], "type": "$1"}}}
        example -> {"variables": {"time": {"zones": [], "example": ""}}}   {"variables": {"time": {"zones": [], "example": "$1"}}}
        plugin -> {"variables": {"time": {"zones": [], "plugin": ""}}}   {"variables": {"time": {"zones": [], "plugin": "$1"}}}
    "#]],
    );
    check(
        "{\"variables\": {\"time\": {\"zones\": [\"system\", $0]}}}",
        expect![[r#"
        context -> {"variables": {"time": {"zones": ["system", "context"]}}}
        input -> {"variables": {"time": {"zones": ["system", "input"]}}}
    "#]],
    );
    check(
        "{\"variables\": {\"time\": {\"zones\": [\"co$0\"]}}}",
        expect![[r#"
        system -> {"variables": {"time": {"zones": ["system"]}}}
        context -> {"variables": {"time": {"zones": ["context"]}}}
        input -> {"variables": {"time": {"zones": ["input"]}}}
    "#]],
    );
    check(
        "{\"variables\": {\"time\": {\"type\": $0}}}",
        expect![[r#"
        text -> {"variables": {"time": {"type": "text"}}}
        number -> {"variables": {"time": {"type": "number"}}}
        boolean -> {"variables": {"time": {"type": "boolean"}}}
        list -> {"variables": {"time": {"type": "list"}}}
    "#]],
    );
    check(
        "{\"variables\": {\"time\": {\"mutable\": $0, \"type\": \"text\"}}}",
        expect![[r#"
        false -> {"variables": {"time": {"mutable": false, "type": "text"}}}
        true -> {"variables": {"time": {"mutable": true, "type": "text"}}}
        unknown -> {"variables": {"time": {"mutable": "unknown", "type": "text"}}}
        {"when": …} -> {"variables": {"time": {"mutable": {"when": ""}, "type": "text"}}}   {"variables": {"time": {"mutable": {"when": "$1"\}, "type": "text"}}}
    "#]],
    );
    check(
        "{\"variables\": {\"time\": {\"mutable\": \"$0\"}}}",
        expect![[r#"
        unknown -> {"variables": {"time": {"mutable": "unknown"}}}
    "#]],
    );
    check(
        "{\"variables\": {\"time\": {\"mutable\": {$0}}}}",
        expect![[r#"
        when -> {"variables": {"time": {"mutable": {"when": ""}}}}   {"variables": {"time": {"mutable": {"when": "$1"}}}}
    "#]],
    );
    check(
        "{\"variables\": {\"time\": {\"plugin\": \"$0\"}}}",
        expect![[r#"
        demo -> {"variables": {"time": {"plugin": "demo"}}}
        weather -> {"variables": {"time": {"plugin": "weather"}}}
    "#]],
    );
    check(
        "{\"variables\": {\"time\": {\"args\": [{\"name\": \"a\", $0}]}}}",
        expect![[r#"
        description -> {"variables": {"time": {"args": [{"name": "a", "description": ""}]}}}   {"variables": {"time": {"args": [{"name": "a", "description": "$1"}]}}}
        optional -> {"variables": {"time": {"args": [{"name": "a", "optional": true}]}}}   {"variables": {"time": {"args": [{"name": "a", "optional": ${1:true}}]}}}
    "#]],
    );
}

#[test]
fn predicates() {
    let when = |condition: &str, expected| {
        check(
            SettingsFile::Catalog,
            &format!("{{\"variables\": {{\"a\": {{\"mutable\": {{\"when\": \"{condition}\"}}}}}}}}"),
            expected,
        );
    };
    when(
        "$0",
        expect![[r#"
        clock -> {"variables": {"a": {"mutable": {"when": "clock"}}}}   // source code
        hero -> {"variables": {"a": {"mutable": {"when": "hero"}}}}   // environment `private`
        hour -> {"variables": {"a": {"mutable": {"when": "hour"}}}}   // environment `private`
        is_group -> {"variables": {"a": {"mutable": {"when": "is_group"}}}}   // environment `private`
        none -> {"variables": {"a": {"mutable": {"when": "none"}}}}   // environment `group`
        note -> {"variables": {"a": {"mutable": {"when": "note"}}}}   // environment `group`
        party -> {"variables": {"a": {"mutable": {"when": "party"}}}}   // environment `group`
        platform -> {"variables": {"a": {"mutable": {"when": "platform"}}}}   // environment `private`
    "#]],
    );
    when(
        "is_g$0roup",
        expect![[r#"
        clock -> {"variables": {"a": {"mutable": {"when": "clock"}}}}   // source code
        hero -> {"variables": {"a": {"mutable": {"when": "hero"}}}}   // environment `private`
        hour -> {"variables": {"a": {"mutable": {"when": "hour"}}}}   // environment `private`
        is_group -> {"variables": {"a": {"mutable": {"when": "is_group"}}}}   // environment `private`
        none -> {"variables": {"a": {"mutable": {"when": "none"}}}}   // environment `group`
        note -> {"variables": {"a": {"mutable": {"when": "note"}}}}   // environment `group`
        party -> {"variables": {"a": {"mutable": {"when": "party"}}}}   // environment `group`
        platform -> {"variables": {"a": {"mutable": {"when": "platform"}}}}   // environment `private`
    "#]],
    );
    when(
        "platform $0",
        expect![[r#"
        == -> {"variables": {"a": {"mutable": {"when": "platform =="}}}}   // equal
        != -> {"variables": {"a": {"mutable": {"when": "platform !="}}}}   // not equal
        < -> {"variables": {"a": {"mutable": {"when": "platform <"}}}}   // less
        > -> {"variables": {"a": {"mutable": {"when": "platform >"}}}}   // greater
        <= -> {"variables": {"a": {"mutable": {"when": "platform <="}}}}   // less or equal
        >= -> {"variables": {"a": {"mutable": {"when": "platform >="}}}}   // greater or equal
    "#]],
    );
    when(
        "platform == $0",
        expect![[r#"
        'qq' -> {"variables": {"a": {"mutable": {"when": "platform == 'qq'"}}}}   // environment `private`
        'discord' -> {"variables": {"a": {"mutable": {"when": "platform == 'discord'"}}}}   // environment `group`
        clock -> {"variables": {"a": {"mutable": {"when": "platform == clock"}}}}   // source code
        hero -> {"variables": {"a": {"mutable": {"when": "platform == hero"}}}}   // environment `private`
        hour -> {"variables": {"a": {"mutable": {"when": "platform == hour"}}}}   // environment `private`
        is_group -> {"variables": {"a": {"mutable": {"when": "platform == is_group"}}}}   // environment `private`
        none -> {"variables": {"a": {"mutable": {"when": "platform == none"}}}}   // environment `group`
        note -> {"variables": {"a": {"mutable": {"when": "platform == note"}}}}   // environment `group`
        party -> {"variables": {"a": {"mutable": {"when": "platform == party"}}}}   // environment `group`
        platform -> {"variables": {"a": {"mutable": {"when": "platform == platform"}}}}   // environment `private`
    "#]],
    );
    when(
        "platform == 'q$0q'",
        expect![[r#"
        'qq' -> {"variables": {"a": {"mutable": {"when": "platform == 'qq'"}}}}   // environment `private`
        'discord' -> {"variables": {"a": {"mutable": {"when": "platform == 'discord'"}}}}   // environment `group`
    "#]],
    );
    when(
        "is_group == $0",
        expect![[r#"
        true -> {"variables": {"a": {"mutable": {"when": "is_group == true"}}}}
        false -> {"variables": {"a": {"mutable": {"when": "is_group == false"}}}}
        clock -> {"variables": {"a": {"mutable": {"when": "is_group == clock"}}}}   // source code
        hero -> {"variables": {"a": {"mutable": {"when": "is_group == hero"}}}}   // environment `private`
        hour -> {"variables": {"a": {"mutable": {"when": "is_group == hour"}}}}   // environment `private`
        is_group -> {"variables": {"a": {"mutable": {"when": "is_group == is_group"}}}}   // environment `private`
        none -> {"variables": {"a": {"mutable": {"when": "is_group == none"}}}}   // environment `group`
        note -> {"variables": {"a": {"mutable": {"when": "is_group == note"}}}}   // environment `group`
        party -> {"variables": {"a": {"mutable": {"when": "is_group == party"}}}}   // environment `group`
        platform -> {"variables": {"a": {"mutable": {"when": "is_group == platform"}}}}   // environment `private`
    "#]],
    );
    when(
        "hero.$0",
        expect![[r#"
        name -> {"variables": {"a": {"mutable": {"when": "hero.name"}}}}   // 阿"桂 · environment `private`
        level -> {"variables": {"a": {"mutable": {"when": "hero.level"}}}}   // 3 · environment `private`
        weapon -> {"variables": {"a": {"mutable": {"when": "hero.weapon"}}}}   // {"kind":"弓"} · environment `group`
    "#]],
    );
    when(
        "hero.name == '$0",
        expect![[r#"
        '阿"桂' -> {"variables": {"a": {"mutable": {"when": "hero.name == '阿\"桂'"}}}}   // environment `private`
        'x' -> {"variables": {"a": {"mutable": {"when": "hero.name == 'x'"}}}}   // environment `group`
    "#]],
    );
    when("platform == \\\"$0", expect![[r#""#]]);
    when("a == b $0", expect![[r#""#]]);
}

#[test]
fn environment_files() {
    let check = |text: &str, expected| check(SettingsFile::Environments, text, expected);
    check(
        "{\"new\": {$0}}",
        expect![[r#"
            extends -> {"new": {"extends": []}}   {"new": {"extends": [$1]}}
            extra -> {"new": {"extra": {}}}   {"new": {"extra": {$1\}}}
            character_name -> {"new": {"character_name": "阿桂"}}   {"new": {"character_name": ${1:"阿桂"}}}   // variable
            clock -> {"new": {"clock": ""}}   {"new": {"clock": "$1"}}   // source code
            guild -> {"new": {"guild": ""}}   {"new": {"guild": "$1"}}   // variable
            hero -> {"new": {"hero": {"name":"阿\"桂","level":3,"no name":1}}}   {"new": {"hero": ${1:{"name":"阿\\"桂","level":3,"no name":1\}}}}   // environment `private`
            hour -> {"new": {"hour": 8}}   {"new": {"hour": ${1:8}}}   // environment `private`
            is_group -> {"new": {"is_group": false}}   {"new": {"is_group": ${1:false}}}   // environment `private`
            is_vip -> {"new": {"is_vip": true}}   {"new": {"is_vip": ${1|true,false|}}}   // variable
            limit -> {"new": {"limit": 0}}   {"new": {"limit": ${1:0}}}   // variable
            members -> {"new": {"members": []}}   {"new": {"members": [$1]}}   // variable
            mood -> {"new": {"mood": ""}}   {"new": {"mood": "$1"}}   // variable
            none -> {"new": {"none": ""}}   {"new": {"none": "$1"}}   // environment `group`
            note -> {"new": {"note": "two\nlines"}}   {"new": {"note": ${1:"two\\nlines"}}}   // environment `group`
            party -> {"new": {"party": [{"name":"甲","hp":1},{"name":"乙","mp":2},3]}}   {"new": {"party": ${1:[{"name":"甲","hp":1\},{"name":"乙","mp":2\},3]}}}   // environment `group`
            platform -> {"new": {"platform": "qq"}}   {"new": {"platform": ${1:"qq"}}}   // environment `private`
            time -> {"new": {"time": ""}}   {"new": {"time": "$1"}}   // variable
            weather -> {"new": {"weather": ""}}   {"new": {"weather": "$1"}}   // variable
            天气 -> {"new": {"天气": ""}}   {"new": {"天气": "$1"}}   // variable
        "#]],
    );
    check(
        "{\"new\": {\"platform\": \"qq\", \"extra\": {\"is$0\"}}}",
        expect![[r#"
            character_name -> {"new": {"platform": "qq", "extra": {"character_name": "阿桂"}}}   {"new": {"platform": "qq", "extra": {"character_name": ${1:"阿桂"}}}}   // variable
            clock -> {"new": {"platform": "qq", "extra": {"clock": ""}}}   {"new": {"platform": "qq", "extra": {"clock": "$1"}}}   // source code
            guild -> {"new": {"platform": "qq", "extra": {"guild": ""}}}   {"new": {"platform": "qq", "extra": {"guild": "$1"}}}   // variable
            hero -> {"new": {"platform": "qq", "extra": {"hero": {"name":"阿\"桂","level":3,"no name":1}}}}   {"new": {"platform": "qq", "extra": {"hero": ${1:{"name":"阿\\"桂","level":3,"no name":1\}}}}}   // environment `private`
            hour -> {"new": {"platform": "qq", "extra": {"hour": 8}}}   {"new": {"platform": "qq", "extra": {"hour": ${1:8}}}}   // environment `private`
            is_group -> {"new": {"platform": "qq", "extra": {"is_group": false}}}   {"new": {"platform": "qq", "extra": {"is_group": ${1:false}}}}   // environment `private`
            is_vip -> {"new": {"platform": "qq", "extra": {"is_vip": true}}}   {"new": {"platform": "qq", "extra": {"is_vip": ${1|true,false|}}}}   // variable
            limit -> {"new": {"platform": "qq", "extra": {"limit": 0}}}   {"new": {"platform": "qq", "extra": {"limit": ${1:0}}}}   // variable
            members -> {"new": {"platform": "qq", "extra": {"members": []}}}   {"new": {"platform": "qq", "extra": {"members": [$1]}}}   // variable
            mood -> {"new": {"platform": "qq", "extra": {"mood": ""}}}   {"new": {"platform": "qq", "extra": {"mood": "$1"}}}   // variable
            none -> {"new": {"platform": "qq", "extra": {"none": ""}}}   {"new": {"platform": "qq", "extra": {"none": "$1"}}}   // environment `group`
            note -> {"new": {"platform": "qq", "extra": {"note": "two\nlines"}}}   {"new": {"platform": "qq", "extra": {"note": ${1:"two\\nlines"}}}}   // environment `group`
            party -> {"new": {"platform": "qq", "extra": {"party": [{"name":"甲","hp":1},{"name":"乙","mp":2},3]}}}   {"new": {"platform": "qq", "extra": {"party": ${1:[{"name":"甲","hp":1\},{"name":"乙","mp":2\},3]}}}}   // environment `group`
            platform -> {"new": {"platform": "qq", "extra": {"platform": "qq"}}}   {"new": {"platform": "qq", "extra": {"platform": ${1:"qq"}}}}   // environment `private`
            time -> {"new": {"platform": "qq", "extra": {"time": ""}}}   {"new": {"platform": "qq", "extra": {"time": "$1"}}}   // variable
            weather -> {"new": {"platform": "qq", "extra": {"weather": ""}}}   {"new": {"platform": "qq", "extra": {"weather": "$1"}}}   // variable
            天气 -> {"new": {"platform": "qq", "extra": {"天气": ""}}}   {"new": {"platform": "qq", "extra": {"天气": "$1"}}}   // variable
        "#]],
    );
    check(
        "{\"private\": {}, \"new\": {\"extends\": [$0]}, \"group\": {}}",
        expect![[r#"
        private -> {"private": {}, "new": {"extends": ["private"]}, "group": {}}
        group -> {"private": {}, "new": {"extends": ["group"]}, "group": {}}
    "#]],
    );
    check(
        "{\"private\": {}, \"group\": {\"extends\": $0}}",
        expect![[r#"
        ["private"] -> {"private": {}, "group": {"extends": ["private"]}}
    "#]],
    );
    check("{\"private\": {}, \"group\": {\"extends\": [\"private\", \"$0\"]}}", expect![[r#""#]]);
    check(
        "{\"new\": {\"platform\": $0}}",
        expect![[r#"
        qq -> {"new": {"platform": "qq"}}   // environment `private`
        discord -> {"new": {"platform": "discord"}}   // environment `group`
    "#]],
    );
    check(
        "{\"new\": {\"platform\": \"$0\"}}",
        expect![[r#"
        qq -> {"new": {"platform": "qq"}}   // environment `private`
        discord -> {"new": {"platform": "discord"}}   // environment `group`
    "#]],
    );
    check(
        "{\"new\": {\"is_vip\": $0}}",
        expect![[r#"
        true -> {"new": {"is_vip": true}}
        false -> {"new": {"is_vip": false}}
    "#]],
    );
    check(
        "{\"new\": {\"extra\": {\"is_group\": t$0}}}",
        expect![[r#"
        false -> {"new": {"extra": {"is_group": false}}}   // environment `private`
        true -> {"new": {"extra": {"is_group": true}}}   // environment `group`
    "#]],
    );
}

#[test]
fn only_what_a_schema_cannot_know_where_the_editor_has_it() {
    let (catalog, environments) = (SettingsFile::Catalog, SettingsFile::Environments);
    for text in [
        "{$0}",
        "{\"variables\": {\"a\": {$0}}}",
        "{\"variables\": {\"a\": {\"zones\": [$0]}}}",
        "{\"variables\": {\"a\": {\"type\": $0}}}",
        "{\"variables\": {\"a\": {\"mutable\": $0}}}",
        "{\"variables\": {\"a\": {\"mutable\": {$0}}}}",
    ] {
        assert_eq!(labels(catalog, text, true), [""; 0], "{text}");
    }
    assert_eq!(labels(catalog, "{\"variables\": {$0}}", true), ["lacking", "missing", "other"]);
    assert!(
        labels(catalog, "{\"variables\": {\"a\": {\"mutable\": {\"when\": \"$0\"}}}}", true)
            .contains(&"platform".to_owned())
    );
    assert_eq!(
        labels(environments, "{\"a\": {}, \"new\": {\"extends\": [$0]}, \"b\": {}}", true),
        ["a", "b"]
    );
    let names = labels(environments, "{\"new\": {$0}}", true);
    assert!(names.contains(&"clock".to_owned()) && !names.contains(&"extends".to_owned()), "{names:?}");
}

#[test]
fn the_configuration() {
    let check = |text: &str, expected| check(SettingsFile::Config, text, expected);
    check(
        "$0",
        expect![[r#"
            profile -> profile = 
            environment -> environment = 
            catalogs -> catalogs =    catalogs = ["$1"]
            sources -> sources =    sources = ["$1"]
            exclude -> exclude =    exclude = ["$1"]
            locale -> locale = 
            vocabulary -> vocabulary = 
            severity -> [severity]
            budget -> [budget]
            bands -> [[bands]]
            tool_order -> tool_order =    tool_order = ["$1"]
            context_placement -> context_placement = 
        "#]],
    );
    check(
        "profile = \"blocks\"\nvoc$0\n\n[budget]\nsystem = 1\n",
        expect![[r#"
            environment -> environment = 
            catalogs -> catalogs =    catalogs = ["$1"]
            sources -> sources =    sources = ["$1"]
            exclude -> exclude =    exclude = ["$1"]
            locale -> locale = 
            vocabulary -> vocabulary = 
            severity -> [severity]
            bands -> [[bands]]
            tool_order -> tool_order =    tool_order = ["$1"]
            context_placement -> context_placement = 
        "#]],
    );
    // What follows stays in the root.
    check(
        "voc$0\nprofile = \"blocks\"\nlocale = \"en\"\n",
        expect![[r#"
        environment -> environment = 
        catalogs -> catalogs =    catalogs = ["$1"]
        sources -> sources =    sources = ["$1"]
        exclude -> exclude =    exclude = ["$1"]
        vocabulary -> vocabulary = 
        tool_order -> tool_order =    tool_order = ["$1"]
        context_placement -> context_placement = 
    "#]],
    );
    check(
        "voc$0 = \"o200k\"\n",
        expect![[r#"
        profile -> profile = "o200k"
        environment -> environment = "o200k"
        catalogs -> catalogs = "o200k"
        sources -> sources = "o200k"
        exclude -> exclude = "o200k"
        locale -> locale = "o200k"
        vocabulary -> vocabulary = "o200k"
        tool_order -> tool_order = "o200k"
        context_placement -> context_placement = "o200k"
    "#]],
    );
    check(
        "profile = $0",
        expect![[r#"
        blocks -> profile = "blocks"
        harness -> profile = "harness"
        zcode -> profile = "zcode"
    "#]],
    );
    check(
        "profile =$0",
        expect![[r#"
        blocks -> profile = "blocks"
        harness -> profile = "harness"
        zcode -> profile = "zcode"
    "#]],
    );
    check(
        "profile = \"h$0arness\" # why\r\n",
        expect![[r#"
        blocks -> profile = "blocks" # why
        harness -> profile = "harness" # why
        zcode -> profile = "zcode" # why
    "#]],
    );
    check(
        "locale = '$0'",
        expect![[r#"
        zh-CN -> locale = "zh-CN"
        en -> locale = "en"
    "#]],
    );
    check(
        "environment = \"$0",
        expect![[r#"
        private -> environment = "private"
        group -> environment = "group"
    "#]],
    );
    check(
        "vocabulary = e$0",
        expect![[r#"
        o200k -> vocabulary = "o200k"
        cl100k -> vocabulary = "cl100k"
        estimate -> vocabulary = "estimate"
    "#]],
    );
    check(
        "[budget]\nsystem = 1\n$0",
        expect![[r#"
        context -> context = 
    "#]],
    );
    check(
        "[[bands]]\nfrom = 1\n$0\nto = 2\n[[bands]]\nname = \"x\"",
        expect![[r#"
        name -> name = 
    "#]],
    );
    check(
        "[severity]\nstray-brace = \"$0\"",
        expect![[r#"
        off -> stray-brace = "off"
        hint -> stray-brace = "hint"
        information -> stray-brace = "information"
        warning -> stray-brace = "warning"
        error -> stray-brace = "error"
    "#]],
    );
    check(
        "[$0",
        expect![[r#"
        [severity] -> [severity]
        [budget] -> [budget]
        [[bands]] -> [[bands]]
    "#]],
    );
    check(
        "[[b$0]]\n[severity]\n",
        expect![[r#"
        [budget] -> [budget]
        [[bands]] -> [[bands]]
    "#]],
    );
    let codes = labels(SettingsFile::Config, "[severity]\nstray-brace = \"off\"\n$0", false);
    assert!(codes.contains(&"order-conflict".to_owned()) && !codes.contains(&"stray-brace".to_owned()));
    assert!(!codes.contains(&"invalid-header".to_owned()));
}

#[test]
fn nothing_where_nothing_is_to_be_offered() {
    for (file, texts) in [
        (
            SettingsFile::Catalog,
            [
                "$0",
                "// $0\n{}",
                "{\"variables\": {\"a\": {\"description\": \"$0\"}}}",
                "{\"variables\": {\"a\": {\"example\": \"{$0\"}}}",
                "{\"variables\": {\"a\": {\"example\": {$0}}}}",
                "{\"variables\": {\"a\": $0}}",
                "{\"variables\": {\"a\": {}}$0}",
                "{\"other\": {$0}}",
                "{\"variables\": {\"a\": {\"zones\": $0\"x\"}}} /* $ */",
                "{} $0",
                "[$0]",
            ],
        ),
        (
            SettingsFile::Environments,
            [
                "{$0}",
                "{\"$0\"}",
                "{\"new\": $0}",
                "{\"new\": {\"nobody\": $0}}",
                "{\"new\": {\"hero\": {$0}}}",
                "{\"new\": {\"platform\": \"x\" $0}}",
                "{\"new\": {/* $0 */}}",
                "$0",
                "[[$0",
                "\u{feff}$0",
                "{\"new\": {\"extends\": [\"x\"$0]}}",
            ],
        ),
        (
            SettingsFile::Config,
            [
                "# $0",
                "profile = \"blocks\" # $0",
                "profile = \"blocks\" $0",
                "profile = \"blocks\"$0",
                "catalogs = [\"$0\"]",
                "exclude = [\n  $0\n]",
                "exclude = [\n  \"a\",\n  $0\n]",
                "nobody = $0",
                "[nobody]\n$0",
                "[severity]\nnobody = \"$0\"",
                "[budget]\nsystem = $0",
            ],
        ),
    ] {
        for text in texts {
            assert_eq!(labels(file, text, false), [""; 0], "{text}");
        }
    }
}

#[test]
fn any_place_of_any_file_is_sound() {
    let texts = [
        "\u{feff}{\"variables\": {\"天气🎉\": {\"mutable\": {\"when\": \"a == 'b' \"}, \"zones\": [\"context\",]}, // c\r\n \"e\u{301}",
        "{\"a\": {\"extends\": [\"b\", \"\\u00e9\"], \"extra\": {\"x\": [{]}}, \"b\": tru}",
        "profile = \"blocks\"\r\n[severity]\rstray-brace='o'\n[[bands]]\nname=\"人设🎉\"\n[x",
    ];
    for text in texts {
        for file in [SettingsFile::Catalog, SettingsFile::Environments, SettingsFile::Config] {
            for at in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
                let mut with = text.to_owned();
                with.insert_str(at, "$0");
                let _ = found(file, &with, false);
            }
        }
    }
    let names = labels(SettingsFile::Environments, "{\"new\": {$0}}", false);
    assert!(!names.contains(&"prompt".to_owned()), "the input is no field");
    let kinds = found(SettingsFile::Environments, "{\"new\": {$0}}", true).1.items;
    assert!(kinds.iter().all(|item| item.kind == CompletionKind::Variable));
}
