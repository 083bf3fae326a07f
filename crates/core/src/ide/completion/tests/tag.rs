//! In tags.

use super::{all, check, items, labels};
use crate::Locale;
use crate::assemble::Environments;
use crate::catalog::{Argument, Catalog, CatalogFile, Layer, Mutability, ValueType, Variable};
use crate::ide::completion::tag::MOST_VARIABLES;
use crate::ide::completion::{CompletionKind, Completions, completions};
use crate::ide::testing::{Project, catalog, context, cursor, system};
use crate::lint::Judge;
use crate::profile::Profile;
use expect_test::expect;
use std::sync::Arc;

#[test]
fn a_brace_just_typed() {
    check(
        &system("你好🎉 {$0"),
        expect![[r#"
            character_name "你好🎉 {character_name}"
            is_vip "你好🎉 {is_vip}"
            limit "你好🎉 {limit}"
            members "你好🎉 {members}"
            weather "你好🎉 {weather " "你好🎉 {weather ${1:city}${2: ${3:unit}}\\}"
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
            weather "e\u{301} {weather } 后" "e\u{301} {weather ${1:city}${2: ${3:unit}}} 后"
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
            weather "{if is_vip}{weather  和 {time}{/if}" "{if is_vip}{weather ${1:city}${2: ${3:unit}}\\} 和 {time}{/if}"
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
            weather "{weather }" "{weather ${1:city}${2: ${3:unit}}}"
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
        &context("{if is_vip}{el$0seif is_vip}{/if}"),
        expect![[r#"
            elseif "{if is_vip}{elseif is_vip}{/if}"
            if "{if is_vip}{if is_vip}{/if}"
            for "{if is_vip}{for is_vip}{/if}"
            repeat "{if is_vip}{repeat is_vip}{/if}"
            while "{if is_vip}{while is_vip}{/if}"
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
            weather "{ weather }" "{ weather ${1:city}${2: ${3:unit}} }"
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
            weather "{weather " "{weather ${1:city}${2: ${3:unit}}\\}"
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
        "{character_name.$0}",
        "{nobody.$0}",
        "text. $0",
        "句子。{time}.$0",
        "a.$0",
        "{hero..$0}",
        "{1.$0}",
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
    let found = all(&project.context(), at);
    let time = found.iter().find(|item| item.label == "time").expect("time");
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
    let control = found.iter().find(|item| item.label == "if").expect("if");
    assert_eq!(control.snippet.as_deref(), Some("if ${1:条件}\\}$0{/if\\}"));
}

#[test]
fn text_behind_an_open_tag_stays() {
    let after = |body: &str, label: &str| {
        let (text, all) = items(&system(body));
        let item = all.into_iter().find(|item| item.label == label).expect(label);
        let mut after = text;
        after.replace_range(item.edit.span.range(), &item.edit.text);
        after.lines().last().map(str::to_owned)
    };
    assert_eq!(after("{char$0你好，欢迎", "character_name").as_deref(), Some("{character_name}你好，欢迎"));
    assert_eq!(after("{if a}{/$0你好", "/if").as_deref(), Some("{if a}{/if}你好"));
    assert_eq!(after("{if is$0你好", "is_vip").as_deref(), Some("{if is_vip你好"));
    assert_eq!(after("{char$0你好}", "character_name").as_deref(), Some("{character_name}"));
}

#[test]
fn where_tags_stand_in_double_braces() {
    let mut judge = Judge::new(catalog());
    judge.profile = Profile::named("harness").expect("a profile");
    let after = |body: &str| {
        let (text, at) = cursor(&context(body));
        let project = Project::with(&text, judge.clone());
        let items = all(&project.context(), at);
        // Names that no reference can hold are not offered, nor is a tag of another framework.
        let allowed = |label: &str| label.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        assert!(items.iter().all(|item| allowed(&item.label) && item.snippet.is_none()), "{items:?}");
        assert!(items.iter().all(|item| !["if", "/if", "prompt"].contains(&&*item.label)), "{items:?}");
        let item = items.into_iter().find(|item| item.label == "time")?;
        let mut after = text.clone();
        after.replace_range(item.edit.span.range(), &item.edit.text);
        after.trim_end().lines().last().map(str::to_owned)
    };
    assert_eq!(after("你🎉{{$0").as_deref(), Some("你🎉{{time}}"));
    assert_eq!(after("{{ti$0}").as_deref(), Some("{{time}}"));
    assert_eq!(after("{{$0ti}} {{a}}").as_deref(), Some("{{time}} {{a}}"));
    assert_eq!(after("{{ti$0现在").as_deref(), Some("{{time}}现在"));
    for body in ["{$0", "{ti$0}", "{{ti $0}}", "{{ti}}$0", "ti$0", "{{\n$0}}"] {
        assert_eq!(after(body), None, "{body}");
    }
}

#[test]
fn optional_arguments_come_with_their_blanks() {
    let argument = |name: &str, optional| Argument { name: name.into(), description: None, optional };
    let args = vec![argument("a", false), argument("b", true), argument("c}", true)];
    let entry = Variable { args, ..Variable::named("many", Layer::Project) };
    let loose = Variable { args: vec![argument("b", true)], ..Variable::named("loose", Layer::Project) };
    let variables = vec![Arc::new(entry), Arc::new(loose)];
    let file = CatalogFile { layer: Layer::Project, variables, diagnostics: Vec::new(), readable: true };
    let (text, at) = cursor(&system("{$0"));
    let project = Project::with(&text, Judge::new(Catalog::merge([&file])));
    let found = all(&project.context(), at);
    let item = |name: &str| found.iter().find(|item| item.label == name).expect(name).clone();
    assert_eq!(item("many").snippet.as_deref(), Some("many ${1:a}${2: ${3:b}${4: ${5:c\\}}}}\\}"));
    assert_eq!(&*item("many").edit.text, "many ");
    assert_eq!((item("loose").snippet, &*item("loose").edit.text), (None, "loose}"));
}

#[test]
fn values_to_compare_with() {
    check(
        &system("{if platform == $0}"),
        expect![[r#"
        "qq" "{if platform == \"qq\"}"
        "discord" "{if platform == \"discord\"}"
        character_name "{if platform == character_name}"
        is_vip "{if platform == is_vip}"
        limit "{if platform == limit}"
        members "{if platform == members}"
        天气 "{if platform == 天气}"
        true "{if platform == true}"
        false "{if platform == false}"
        guild! "{if platform == guild}"
        mood! "{if platform == mood}"
        prompt! "{if platform == prompt}"
        time! "{if platform == time}"
        weather! "{if platform == weather}"
    "#]],
    );
    check(
        &system("{if hour >= $0"),
        expect![[r#"
        8 "{if hour >= 8"
        20.5 "{if hour >= 20.5"
        character_name "{if hour >= character_name"
        is_vip "{if hour >= is_vip"
        limit "{if hour >= limit"
        members "{if hour >= members"
        天气 "{if hour >= 天气"
        true "{if hour >= true"
        false "{if hour >= false"
        guild! "{if hour >= guild"
        mood! "{if hour >= mood"
        prompt! "{if hour >= prompt"
        time! "{if hour >= time"
        weather! "{if hour >= weather"
    "#]],
    );
    check(
        &system("{while platform!=d$0}"),
        expect![[r#"
        "qq" "{while platform!=\"qq\"}"
        "discord" "{while platform!=\"discord\"}"
        character_name "{while platform!=character_name}"
        is_vip "{while platform!=is_vip}"
        limit "{while platform!=limit}"
        members "{while platform!=members}"
        天气 "{while platform!=天气}"
        true "{while platform!=true}"
        false "{while platform!=false}"
        guild! "{while platform!=guild}"
        mood! "{while platform!=mood}"
        prompt! "{while platform!=prompt}"
        time! "{while platform!=time}"
        weather! "{while platform!=weather}"
    "#]],
    );
    check(
        &system("{if is_group == $0}"),
        expect![[r#"
        true "{if is_group == true}"
        false "{if is_group == false}"
        character_name "{if is_group == character_name}"
        is_vip "{if is_group == is_vip}"
        limit "{if is_group == limit}"
        members "{if is_group == members}"
        天气 "{if is_group == 天气}"
        guild! "{if is_group == guild}"
        mood! "{if is_group == mood}"
        prompt! "{if is_group == prompt}"
        time! "{if is_group == time}"
        weather! "{if is_group == weather}"
    "#]],
    );
    check(
        &system("{if character_name == $0}"),
        expect![[r#"
        "阿桂" "{if character_name == \"阿桂\"}"
        character_name "{if character_name == character_name}"
        is_vip "{if character_name == is_vip}"
        limit "{if character_name == limit}"
        members "{if character_name == members}"
        天气 "{if character_name == 天气}"
        true "{if character_name == true}"
        false "{if character_name == false}"
        guild! "{if character_name == guild}"
        mood! "{if character_name == mood}"
        prompt! "{if character_name == prompt}"
        time! "{if character_name == time}"
        weather! "{if character_name == weather}"
    "#]],
    );
    check(
        &system("{if hero.name == $0}"),
        expect![[r#"
        "阿\"桂" "{if hero.name == \"阿\\\"桂\"}"
        "x" "{if hero.name == \"x\"}"
        character_name "{if hero.name == character_name}"
        is_vip "{if hero.name == is_vip}"
        limit "{if hero.name == limit}"
        members "{if hero.name == members}"
        天气 "{if hero.name == 天气}"
        true "{if hero.name == true}"
        false "{if hero.name == false}"
        guild! "{if hero.name == guild}"
        mood! "{if hero.name == mood}"
        prompt! "{if hero.name == prompt}"
        time! "{if hero.name == time}"
        weather! "{if hero.name == weather}"
    "#]],
    );
    // In quotes, be they closed or not.
    check(
        &system("{if platform == \"$0\"}你"),
        expect![[r#"
        "qq" "{if platform == \"qq\"}你"
        "discord" "{if platform == \"discord\"}你"
    "#]],
    );
    check(
        &system("{if platform == 'q$0xx' }"),
        expect![[r#"
        'qq' "{if platform == 'qq' }"
        'discord' "{if platform == 'discord' }"
    "#]],
    );
    check(
        &system("{if platform == \"$0}"),
        expect![[r#"
        "qq" "{if platform == \"qq\"}"
        "discord" "{if platform == \"discord\"}"
    "#]],
    );
    check(
        &system("{if platform == \"$0"),
        expect![[r#"
        "qq" "{if platform == \"qq\""
        "discord" "{if platform == \"discord\""
    "#]],
    );
    for body in
        ["{if nobody == \"$0\"}", "{if note == \"$0\"}", "{weather \"$0\"}", "他说：\"$0\"", "{if \"$0\"}"]
    {
        assert_eq!(labels(&system(body)), [""; 0], "{body}");
    }
}

#[test]
fn fields_of_structured_values() {
    check(
        &system("{hero.$0"),
        expect![[r#"
        name "{hero.name}"
        level "{hero.level}"
        weapon "{hero.weapon}"
    "#]],
    );
    check(
        &system("{hero.na$0me}"),
        expect![[r#"
        name "{hero.name}"
        level "{hero.level}"
        weapon "{hero.weapon}"
    "#]],
    );
    check(
        &system("{if hero.weapon.$0}"),
        expect![[r#"
        kind "{if hero.weapon.kind}"
    "#]],
    );
    check(
        &system("{for m in party}{m.$0}"),
        expect![[r#"
        name "{for m in party}{m.name}"
        hp "{for m in party}{m.hp}"
        mp "{for m in party}{m.mp}"
    "#]],
    );
    check(
        &system("{for m in party}{if m.name == $0}"),
        expect![[r#"
        "甲" "{for m in party}{if m.name == \"甲\"}"
        "乙" "{for m in party}{if m.name == \"乙\"}"
        m "{for m in party}{if m.name == m}"
        character_name "{for m in party}{if m.name == character_name}"
        is_vip "{for m in party}{if m.name == is_vip}"
        limit "{for m in party}{if m.name == limit}"
        members "{for m in party}{if m.name == members}"
        天气 "{for m in party}{if m.name == 天气}"
        true "{for m in party}{if m.name == true}"
        false "{for m in party}{if m.name == false}"
        guild! "{for m in party}{if m.name == guild}"
        mood! "{for m in party}{if m.name == mood}"
        prompt! "{for m in party}{if m.name == prompt}"
        time! "{for m in party}{if m.name == time}"
        weather! "{for m in party}{if m.name == weather}"
    "#]],
    );
    for body in [
        "{time.$0}",
        "{platform.$0}",
        "{for m in m}{m.$0}",
        "{for a in b}{for b in a}{a.$0}",
        "{hero.name.$0}",
    ] {
        assert_eq!(labels(&system(body)), [""; 0], "{body}");
    }
}

#[test]
fn a_large_catalog_gives_what_fits_best() {
    let mut variables: Vec<Arc<Variable>> =
        (0..10_000).map(|n| Arc::new(Variable::named(format!("变量_{n:05}"), Layer::Project))).collect();
    variables.push(Arc::new(Variable {
        value_type: Some(ValueType::Boolean),
        ..Variable::named("zz_flag", Layer::Project)
    }));
    variables.push(Arc::new(Variable {
        mutable: Mutability::Yes,
        ..Variable::named("clock_09999", Layer::Project)
    }));
    let file = CatalogFile { layer: Layer::Project, variables, diagnostics: Vec::new(), readable: true };
    let judge = Judge::new(Catalog::merge([&file]));
    let found = |body: &str| {
        let (text, at) = cursor(&system(body));
        let project = Project::with(&text, judge.clone());
        completions(&project.context(), &Environments::default(), at)
    };
    let names = |all: &Completions| -> Vec<String> {
        let variables = all.items.iter().filter(|item| item.kind == CompletionKind::Variable);
        variables.map(|item| item.label.clone()).collect()
    };
    let all = found("{$0");
    assert!(all.incomplete && names(&all).len() == MOST_VARIABLES);
    assert!(all.items.iter().any(|item| item.label == "if"), "the control tags are there all the same");
    let typed = found("{变量_0999$0");
    assert!(typed.incomplete);
    let begun = names(&typed).iter().filter(|name| name.starts_with("变量_0999")).count();
    assert_eq!((begun, names(&typed).len() < MOST_VARIABLES), (10, true));
    // What stands in it, after what begins with it; what would be an error last.
    assert_eq!(names(&found("{_09999$0")), ["变量_09999", "clock_09999"]);
    assert_eq!(names(&found("{if $0"))[0], "zz_flag", "a boolean is what a condition takes first");
    assert_eq!(names(&found("{没有$0")), [""; 0]);
    assert!(found("{没有$0").incomplete, "another word may fit");
    assert!(!found("text $0").incomplete);
}
