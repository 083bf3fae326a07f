use super::*;
use crate::Locale;
use crate::ide::testing::{Project, context, cursor, system};
use expect_test::{Expect, expect};

fn items(text: &str) -> (String, Vec<Completion>) {
    let (text, at) = cursor(text);
    let project = Project::new(&text);
    let items = completions(&project.context(), at);
    (text, items)
}

/// What is offered: label, `!` where it would be an error, and the line after choosing it, as a snippet and without.
fn check(text: &str, expected: Expect) {
    let (text, items) = items(text);
    let mut out = String::new();
    for item in items {
        let applied = |new: &str| {
            let mut after = text.clone();
            after.replace_range(item.edit.span.range(), new);
            let start = after[..item.edit.span.range().start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
            let line = &after[start..];
            line[..line.find(['\n', '\r']).unwrap_or(line.len())].to_owned()
        };
        let objection = if item.objection.is_some() { "!" } else { "" };
        let plain = applied(&item.edit.text);
        out.push_str(&format!("{}{objection} {plain:?}", item.label));
        if let Some(snippet) = item.snippet.as_deref().map(applied) {
            out.push_str(&format!(" {snippet:?}"));
        }
        out.push('\n');
    }
    expected.assert_eq(&out);
}

/// The labels offered.
fn labels(text: &str) -> Vec<String> {
    items(text).1.into_iter().map(|item| item.label).collect()
}

#[test]
fn a_brace_just_typed() {
    check(
        &system("你好🎉 {$0"),
        expect![[r#"
        character_name "你好🎉 {character_name}"
        is_vip "你好🎉 {is_vip}"
        limit "你好🎉 {limit}"
        members "你好🎉 {members}"
        weather "你好🎉 {weather " "你好🎉 {weather ${1:city}\\}"
        天气 "你好🎉 {天气}"
        if "你好🎉 {if " "你好🎉 {if ${1:condition}\\}$0{/if\\}"
        for "你好🎉 {for " "你好🎉 {for ${1:item} in ${2:list}\\}$0{/for\\}"
        repeat "你好🎉 {repeat " "你好🎉 {repeat ${1:2}\\}$0{/repeat\\}"
        while "你好🎉 {while " "你好🎉 {while ${1:condition}\\}$0{/while\\}"
        guild! "你好🎉 {guild}"
        mood! "你好🎉 {mood}"
        prompt! "你好🎉 {prompt}"
        time! "你好🎉 {time}"
    "#]],
    );
}

#[test]
fn before_a_closing_brace() {
    check(
        &context("e\u{301} {$0} 后"),
        expect![[r#"
        character_name "e\u{301} {character_name} 后"
        guild "e\u{301} {guild} 后"
        is_vip "e\u{301} {is_vip} 后"
        limit "e\u{301} {limit} 后"
        members "e\u{301} {members} 后"
        mood "e\u{301} {mood} 后"
        time "e\u{301} {time} 后"
        weather "e\u{301} {weather } 后" "e\u{301} {weather ${1:city}} 后"
        天气 "e\u{301} {天气} 后"
        if "e\u{301} {if } 后" "e\u{301} {if ${1:condition}\\}$0{/if} 后"
        for "e\u{301} {for } 后" "e\u{301} {for ${1:item} in ${2:list}\\}$0{/for} 后"
        repeat "e\u{301} {repeat } 后" "e\u{301} {repeat ${1:2}\\}$0{/repeat} 后"
        while "e\u{301} {while } 后" "e\u{301} {while ${1:condition}\\}$0{/while} 后"
        prompt! "e\u{301} {prompt} 后"
    "#]],
    );
}

#[test]
fn a_name_half_typed() {
    check(
        &context("{if is_vip}{we$0 和 {time}{/if}"),
        expect![[r#"
        character_name "{if is_vip}{character_name} 和 {time}{/if}"
        guild "{if is_vip}{guild} 和 {time}{/if}"
        is_vip "{if is_vip}{is_vip} 和 {time}{/if}"
        limit "{if is_vip}{limit} 和 {time}{/if}"
        members "{if is_vip}{members} 和 {time}{/if}"
        mood "{if is_vip}{mood} 和 {time}{/if}"
        time "{if is_vip}{time} 和 {time}{/if}"
        weather "{if is_vip}{weather  和 {time}{/if}" "{if is_vip}{weather ${1:city}\\} 和 {time}{/if}"
        天气 "{if is_vip}{天气} 和 {time}{/if}"
        /if "{if is_vip}{/if} 和 {time}{/if}"
        else "{if is_vip}{else} 和 {time}{/if}"
        elseif "{if is_vip}{elseif  和 {time}{/if}" "{if is_vip}{elseif ${1:condition}\\} 和 {time}{/if}"
        if "{if is_vip}{if  和 {time}{/if}" "{if is_vip}{if ${1:condition}\\}$0{/if\\} 和 {time}{/if}"
        for "{if is_vip}{for  和 {time}{/if}" "{if is_vip}{for ${1:item} in ${2:list}\\}$0{/for\\} 和 {time}{/if}"
        repeat "{if is_vip}{repeat  和 {time}{/if}" "{if is_vip}{repeat ${1:2}\\}$0{/repeat\\} 和 {time}{/if}"
        while "{if is_vip}{while  和 {time}{/if}" "{if is_vip}{while ${1:condition}\\}$0{/while\\} 和 {time}{/if}"
        prompt! "{if is_vip}{prompt} 和 {time}{/if}"
    "#]],
    );
    check(
        &context("{天$0}"),
        expect![[r#"
        character_name "{character_name}"
        guild "{guild}"
        is_vip "{is_vip}"
        limit "{limit}"
        members "{members}"
        mood "{mood}"
        time "{time}"
        weather "{weather }" "{weather ${1:city}}"
        天气 "{天气}"
        if "{if }" "{if ${1:condition}\\}$0{/if}"
        for "{for }" "{for ${1:item} in ${2:list}\\}$0{/for}"
        repeat "{repeat }" "{repeat ${1:2}\\}$0{/repeat}"
        while "{while }" "{while ${1:condition}\\}$0{/while}"
        prompt! "{prompt}"
    "#]],
    );
    check(
        &context("{we$0ath 北京}"),
        expect![[r#"
        character_name "{character_name 北京}"
        guild "{guild 北京}"
        is_vip "{is_vip 北京}"
        limit "{limit 北京}"
        members "{members 北京}"
        mood "{mood 北京}"
        time "{time 北京}"
        weather "{weather 北京}"
        天气 "{天气 北京}"
        if "{if 北京}"
        for "{for 北京}"
        repeat "{repeat 北京}"
        while "{while 北京}"
        prompt! "{prompt 北京}"
    "#]],
    );
    check(
        &context("{ ti$0 }"),
        expect![[r#"
            character_name "{ character_name }"
            guild "{ guild }"
            is_vip "{ is_vip }"
            limit "{ limit }"
            members "{ members }"
            mood "{ mood }"
            time "{ time }"
            weather "{ weather }" "{ weather ${1:city} }"
            天气 "{ 天气 }"
            if "{ if }" "{ if ${1:condition}\\}$0{/if }"
            for "{ for }" "{ for ${1:item} in ${2:list}\\}$0{/for }"
            repeat "{ repeat }" "{ repeat ${1:2}\\}$0{/repeat }"
            while "{ while }" "{ while ${1:condition}\\}$0{/while }"
            prompt! "{ prompt }"
        "#]],
    );
}

#[test]
fn loop_variables() {
    check(
        &system("{for m in members}{for 项 in m}\r\n{$0"),
        expect![[r#"
        项 "{项}"
        m "{m}"
        character_name "{character_name}"
        is_vip "{is_vip}"
        limit "{limit}"
        members "{members}"
        weather "{weather " "{weather ${1:city}\\}"
        天气 "{天气}"
        /for "{/for}"
        if "{if " "{if ${1:condition}\\}$0{/if\\}"
        for "{for " "{for ${1:item} in ${2:list}\\}$0{/for\\}"
        repeat "{repeat " "{repeat ${1:2}\\}$0{/repeat\\}"
        while "{while " "{while ${1:condition}\\}$0{/while\\}"
        guild! "{guild}"
        mood! "{mood}"
        prompt! "{prompt}"
        time! "{time}"
    "#]],
    );
    assert!(!labels(&system("{for m in members}{/for}{$0")).contains(&"m".to_owned()));
    assert!(labels(&system("{for m in members}{if $0")).contains(&"m".to_owned()));
    assert_eq!(
        labels(&system("{for time in members}{$0"))[0],
        "time",
        "a loop variable hides the mutable one"
    );
    let far = format!("{{for 项 in members}}{{if is_vip}}\n{}{{$0\n{{/if}}", "text {time}\n".repeat(1000));
    assert_eq!(labels(&system(&far))[0], "项");
}

#[test]
fn closers() {
    check(
        &system("{if is_vip}{for m in members}x{/$0"),
        expect![[r#"
        /for "{if is_vip}{for m in members}x{/for}"
        /if "{if is_vip}{for m in members}x{/if}"
    "#]],
    );
    check(
        &system("{if is_vip}{for m in members}{/for}x{/i$0f} y"),
        expect![[r#"
        /if "{if is_vip}{for m in members}{/for}x{/if} y"
    "#]],
    );
    check(
        &system("{repeat 2}{while a}{if a >}{/$0}"),
        expect![[r#"
        /if "{repeat 2}{while a}{if a >}{/if}"
        /while "{repeat 2}{while a}{if a >}{/while}"
        /repeat "{repeat 2}{while a}{if a >}{/repeat}"
    "#]],
    );
    assert_eq!(labels(&system("{/$0")), [""; 0], "nothing is open");
    assert_eq!(labels(&system("{if a}{/if}{/$0")), [""; 0], "nothing is open any more");
    let far = format!("{{repeat 2}}\n{}{{/$0", "text {time}\n".repeat(1000));
    check(
        &system(&far),
        expect![[r#"
        /repeat "{/repeat}"
    "#]],
    );
}

#[test]
fn branches() {
    let branches =
        |body: &str| labels(&system(body)).iter().filter(|label| label.starts_with("else")).count();
    assert_eq!(branches("{if a}x{$0"), 2);
    assert_eq!(branches("{if a}x{elseif b}{$0"), 2);
    assert_eq!(branches("{if a}x{else}{$0"), 0);
    assert_eq!(branches("{if a}{for m in members}{$0"), 0);
    assert_eq!(branches("{if a}{/if}{$0"), 0);
    assert_eq!(branches("{$0"), 0);
    let filler = "text {time}\n".repeat(1000);
    assert_eq!(branches(&format!("{{if a}}\n{filler}{{$0")), 2);
    assert_eq!(branches(&format!("{{if a}}\n{filler}{{else}}\n{filler}{{$0")), 0);
    assert_eq!(branches(&format!("{{if a}}\n{filler}{{$0\n{filler}{{else}}{{/if}}")), 2);
}

#[test]
fn conditions() {
    check(
        &system("{if $0"),
        expect![[r#"
        is_vip "{if is_vip"
        character_name "{if character_name"
        limit "{if limit"
        members "{if members"
        天气 "{if 天气"
        true "{if true"
        false "{if false"
        guild! "{if guild"
        mood! "{if mood"
        prompt! "{if prompt"
        time! "{if time"
        weather! "{if weather"
    "#]],
    );
    check(
        &context("{elseif is_v$0}"),
        expect![[r#"
        is_vip "{elseif is_vip}"
        character_name "{elseif character_name}"
        guild "{elseif guild}"
        limit "{elseif limit}"
        members "{elseif members}"
        mood "{elseif mood}"
        time "{elseif time}"
        天气 "{elseif 天气}"
        true "{elseif true}"
        false "{elseif false}"
        prompt! "{elseif prompt}"
        weather! "{elseif weather}"
    "#]],
    );
    check(
        &system("{if is_vip == $0}"),
        expect![[r#"
        true "{if is_vip == true}"
        false "{if is_vip == false}"
        character_name "{if is_vip == character_name}"
        is_vip "{if is_vip == is_vip}"
        limit "{if is_vip == limit}"
        members "{if is_vip == members}"
        天气 "{if is_vip == 天气}"
        guild! "{if is_vip == guild}"
        mood! "{if is_vip == mood}"
        prompt! "{if is_vip == prompt}"
        time! "{if is_vip == time}"
        weather! "{if is_vip == weather}"
    "#]],
    );
    check(
        &system("{while limit $0}"),
        expect![[r#"
        == "{while limit ==}"
        != "{while limit !=}"
        < "{while limit <}"
        > "{while limit >}"
        <= "{while limit <=}"
        >= "{while limit >=}"
    "#]],
    );
    check(
        &system("{if limit !$0}"),
        expect![[r#"
        == "{if limit ==}"
        != "{if limit !=}"
        < "{if limit <}"
        > "{if limit >}"
        <= "{if limit <=}"
        >= "{if limit >=}"
    "#]],
    );
}

#[test]
fn loops() {
    check(
        &system("{for m $0"),
        expect![[r#"
        in "{for m in"
    "#]],
    );
    check(
        &system("{for m in $0"),
        expect![[r#"
        members "{for m in members"
        character_name "{for m in character_name"
        天气 "{for m in 天气"
        guild! "{for m in guild"
        is_vip! "{for m in is_vip"
        limit! "{for m in limit"
        mood! "{for m in mood"
        prompt! "{for m in prompt"
        time! "{for m in time"
        weather! "{for m in weather"
    "#]],
    );
    check(
        &system("{repeat l$0}"),
        expect![[r#"
        limit "{repeat limit}"
        character_name "{repeat character_name}"
        is_vip "{repeat is_vip}"
        members "{repeat members}"
        天气 "{repeat 天气}"
        guild! "{repeat guild}"
        mood! "{repeat mood}"
        prompt! "{repeat prompt}"
        time! "{repeat time}"
        weather! "{repeat weather}"
    "#]],
    );
}

#[test]
fn nothing_where_nothing_is_to_be_offered() {
    for body in [
        "$0",
        "text $0",
        "{time}$0",
        "$0{time}",
        "{time} ti$0",
        "{{$0",
        "{{ti$0",
        "{$0{time}}",
        "{{time}}$0",
        "{weather $0",
        "{weather 北$0}",
        "{weather \"a $0\"}",
        "{hero.$0}",
        "{for $0",
        "{for m$0}",
        "{for m in members $0}",
        "{else $0}",
        "{if \"a $0\"}",
        "{if a == b $0}",
        "{repeat 3$0}",
        "{if limit >$0= 3}",
        "{\n$0",
        "{ti\n$0",
        "{ti\r$0",
        "}$0",
        "{\"a\": $01}",
        "{\"a\": \"{$0}\"}",
        "{\"a\": {ti$0} }",
        "{\n  $0\"a\": 1\n}",
        "{$0\n  \"a\": 1\n}",
        "{$0\"a\": 1}",
        "{a$0: 1}",
        "{a$0: 1,\n}",
        "{你好，$0",
        "{-$0}",
    ] {
        for text in [system(body), context(body), system(body).replace('\n', "\r\n")] {
            assert_eq!(labels(&text), [""; 0], "{text}");
        }
    }
}

#[test]
fn nothing_in_a_plain_body() {
    for body in ["{$0", "{ti$0}", "{if $0", "{/$0"] {
        assert_eq!(labels(&system(body).replace("true", "false")), [""; 0], "{body}");
        assert_eq!(labels(&system(body).replace("template: true\n", "")), [""; 0], "{body}");
        assert_eq!(labels(&format!("no header\n{body}")), [""; 0], "{body}");
    }
}

#[test]
fn a_literal_that_lost_its_partner() {
    // The half-typed tag takes the `}` far below; a letter makes clear that a tag is meant.
    assert!(labels(&system("{ti$0\n } lone")).contains(&"time".to_owned()));
}

#[test]
fn what_a_variable_says() {
    let (_, all) = items(&system("{$0"));
    let item = |name: &str| all.iter().find(|item| item.label == name).expect(name).clone();
    let weather = item("weather");
    assert_eq!(weather.signature.as_deref(), Some(" city [unit]"));
    assert_eq!(weather.description.as_deref(), Some("text"));
    assert_eq!(weather.detail.as_deref(), Some("weather city [unit]: text"));
    expect![[r#"
        **`{weather city [unit]}`** · text

        - argument `city`: 城市
        - argument `unit` (optional)
        - does not change within a session
        - zones: all
        - from: the project's catalog, plugin `weather`
        - not used in any block"#]]
    .assert_eq(&weather.documentation.unwrap_or_default());
    let time = item("time");
    assert_eq!(time.description.as_deref(), Some("not allowed here: changes"));
    assert_eq!(time.detail.as_deref(), Some("time · not allowed here: changes"));
    assert!(time.objection.is_some_and(|reason| reason.contains("breaks the cached prefix")));
    expect![[r#"
        **`{time}`**

        ⛔ `time` changes within a session and breaks the cached prefix here; use it in the context zone

        当前本地时间

        - changes within a session (mutable)
        - zones: `context`
        - from: the project's catalog
        - used in 4 blocks"#]]
    .assert_eq(&time.documentation.unwrap_or_default());
    assert_eq!(item("guild").description.as_deref(), Some("not allowed here: other zone"));
    assert_eq!(item("mood").description.as_deref(), Some("not allowed here: may change"));
    assert!(item("character_name").objection.is_none());
}

#[test]
fn an_allowed_code_is_no_objection() {
    let text = system("{$0").replace("template:", "allow: [mutable-in-system, zone-mismatch]\ntemplate:");
    let (_, all) = items(&text);
    let time = all.iter().find(|item| item.label == "time").expect("time");
    assert_eq!((time.objection.as_deref(), time.description.as_deref()), (None, None));
}

#[test]
fn in_chinese() {
    let (text, at) = cursor(&system("{$0"));
    let mut project = Project::new(&text);
    project.locale = Locale::ZhCn;
    let all = completions(&project.context(), at);
    let time = all.iter().find(|item| item.label == "time").expect("time");
    assert_eq!(time.description.as_deref(), Some("此处不可用：会变化"));
    expect![[r#"
        **`{time}`**

        ⛔ `time` 的值会在会话中变化，放在系统区会使前缀缓存失效；请移到上下文区

        当前本地时间

        - 会话中会变（mutable）
        - 可用的区：`context`
        - 来自：项目的变量目录
        - 有 4 个块使用"#]]
    .assert_eq(time.documentation.as_deref().unwrap_or_default());
    let control = all.iter().find(|item| item.label == "if").expect("if");
    assert_eq!(control.snippet.as_deref(), Some("if ${1:条件}\\}$0{/if\\}"));
}

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
        "---\nid: a$0\n---\n",
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
