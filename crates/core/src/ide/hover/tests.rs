use super::*;
use crate::Locale;
use crate::ide::testing::{Project, context, cursor, system};
use expect_test::{Expect, expect};

fn shown(text: &str, locale: Locale) -> Option<String> {
    let (text, at) = cursor(text);
    let mut project = Project::new(&text);
    project.locale = locale;
    let Hover { span, markdown } = hover(&project.context(), at)?;
    Some(format!("on {:?}\n{markdown}\n", span.of_str(&text)))
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&shown(text, Locale::En).unwrap_or_default());
}

fn nothing(text: &str) {
    assert_eq!(shown(text, Locale::En), None, "{text}");
}

#[test]
fn variables() {
    check(
        &context("你好🎉{chara$0cter_name}"),
        expect![[r#"
        on "character_name"
        **`{character_name}`**

        角色的名字

        - does not change within a session
        - zones: all
        - example: `阿桂`
        - from: the project's catalog
        - used in 1 block
    "#]],
    );
    check(
        &system("{ti$0me}"),
        expect![[r#"
        on "time"
        **`{time}`**

        ⛔ `time` changes within a session and breaks the cached prefix here; use it in the context zone

        当前本地时间

        - changes within a session (mutable)
        - zones: `context`
        - from: the project's catalog
        - used in 5 blocks
    "#]],
    );
    check(
        &system("{if mo$0od == 1}"),
        expect![[r#"
        on "mood"
        **`{mood}`**

        ⛔ whether `mood` changes depends on `is_group`, and there is no sample environment: describe one in promptblock.env.json

        - changes within a session when `is_group == true`; that cannot be judged here
        - zones: all
        - from: the project's catalog
        - used in 1 block
    "#]],
    );
    check(
        &system("{for m in lim$0it}"),
        expect![[r#"
        on "limit"
        **`{limit}`** · number

        ⛔ `limit` is declared as `number`, so this loop never runs; its type should be `list`

        - does not change within a session
        - zones: all
        - from: the project's catalog
        - used in 1 block
    "#]],
    );
    check(
        &context("{prom$0pt}"),
        expect![[r#"
        on "prompt"
        **`{prompt}`**

        ⛔ `prompt` may not be used in zone `context`, only in `input`

        the user's input / 用户的原始输入

        - changes within a session (mutable)
        - zones: `input`
        - from: built in
        - used in 1 block
    "#]],
    );
    check(
        &context("e\u{301}{w$0eather 北京}"),
        expect![[r#"
        on "weather"
        **`{weather city [unit]}`** · text

        - argument `city`: 城市
        - argument `unit` (optional)
        - does not change within a session
        - zones: all
        - from: the project's catalog, plugin `weather`
        - used in 1 block
    "#]],
    );
    check(
        &context("{weather 北$0京}"),
        expect![[r#"
        on "北京"
        **`weather city [unit]`**

        `city` — 城市
    "#]],
    );
    check(
        &context("{weather 北京 C$0}"),
        expect![[r#"
        on "C"
        **`weather city [unit]`**

        `unit`
    "#]],
    );
}

#[test]
fn the_layer_and_what_it_shadows() {
    use crate::catalog::{Catalog, Layer, parse};
    let file = |id, layer, variables: &str| {
        let text = format!("{{\"variables\": {{{variables}}}}}");
        parse(&text, crate::FileId(id), layer, &crate::profile::Profile::blocks())
    };
    let files = [
        file(1, Layer::User, r#""mine": {}, "both": {}"#),
        file(2, Layer::Project, r#""both": {}, "all": {}"#),
        file(3, Layer::Local, r#""all": {}"#),
    ];
    let from = |name: &str, locale: Locale| {
        let (text, at) = cursor(&system(&format!("{{$0{name}}}")));
        let mut project = Project::with(&text, crate::lint::Judge::new(Catalog::merge(&files)));
        project.locale = locale;
        let markdown = hover(&project.context(), at).expect("a hover").markdown;
        let line = markdown.lines().find(|line| line.starts_with("- from") || line.starts_with("- 来自"));
        line.expect("where it comes from").to_owned()
    };
    assert_eq!(from("mine", Locale::En), "- from: your own catalog");
    assert_eq!(
        from("both", Locale::En),
        "- from: the project's catalog; shadows the one of: your own catalog"
    );
    assert_eq!(
        from("all", Locale::En),
        "- from: the local catalog (not committed); shadows the one of: the project's catalog"
    );
    assert_eq!(from("both", Locale::ZhCn), "- 来自：项目的变量目录；遮盖了：用户的变量目录");
}

#[test]
fn a_field_explains_its_variable_on_the_first_segment() {
    check(
        &system("{members.fi$0rst}"),
        expect![[r#"
        on "members"
        **`{members}`** · list

        - does not change within a session
        - zones: all
        - from: the project's catalog
        - used in 1 block
    "#]],
    );
}

#[test]
fn loop_variables() {
    check(
        &system("{for 时$0 in members}{时}{/for}"),
        expect![[r#"
        on "时"
        **`时`**

        Loop variable of `{for 时 in members}`; known up to its closer.
    "#]],
    );
    check(
        &system("{for time in members}\r\n{if ti$0me}{/if}{/for}"),
        expect![[r#"
        on "time"
        **`time`**

        Loop variable of `{for time in members}`; known up to its closer.

        It hides the variable of the same name.
    "#]],
    );
}

#[test]
fn control_tags() {
    check(
        &system("{i$0f is_vip}"),
        expect![[r#"
        on "if"
        **`{if COND}…{elseif COND}…{else}…{/if}`**

        Renders the first branch whose condition is true. A condition is an operand, or two with `==` `!=` `<` `>` `<=` `>=` between; false are `false`, 0, the empty text, the empty list and a missing value.
    "#]],
    );
    check(
        &system("{if is_vip}{el$0se}{/if}"),
        expect![[r#"
        on "else"
        **`{else}`**

        What is rendered where no condition of the `{if}` is true.
    "#]],
    );
    check(
        &system("{if is_vip}{elseif$0 x}{/if}"),
        expect![[r#"
        on "elseif"
        **`{elseif COND}`**

        What is rendered where this condition is true and none before it is.
    "#]],
    );
    check(
        &system("{for m i$0n members}{/for}"),
        expect![[r#"
        on "in"
        **`{for x in LIST}…{/for}`**

        Renders its text once for each item of the list. The loop variable is known inside only, and hides a variable of the same name.
    "#]],
    );
    check(
        &system("{repeat 2}{/$0repeat}"),
        expect![[r#"
        on "repeat"
        **`{repeat N}…{/repeat}`**

        Renders its text so many times; N is a number or a variable.
    "#]],
    );
    check(
        &system("{wh$0ile }"),
        expect![[r#"
        on "while"
        **`{while COND}…{/while}`**

        Renders its text as long as the condition is true. Nothing in the language can change a condition, so it runs until the limit of iterations or not at all.
    "#]],
    );
}

#[test]
fn escapes_and_literals() {
    check(
        &system("{$0{a}}"),
        expect![[r#"
        on "{{"
        **`{{`**

        An escape: gives one `{` in the text.
    "#]],
    );
    check(
        &system("{{a}$0}"),
        expect![[r#"
        on "}}"
        **`}}`**

        An escape: gives one `}` in the text.
    "#]],
    );
    check(
        &system("$0{\"a\": 1}"),
        expect![[r#"
        on "{"
        Literal braces: everything up to the closing one is sent as it is, tags and escapes included. To say so plainly, double the braces.
    "#]],
    );
    check(
        &system("{\"a\": {ti$0me}}"),
        expect![[r#"
        on "{time}"
        **`{time}`**

        ⛔ This tag stands inside literal braces and is sent as it is.

        当前本地时间

        - changes within a session (mutable)
        - zones: `context`
        - from: the project's catalog
        - used in 4 blocks
    "#]],
    );
}

#[test]
fn nothing_where_nothing_stands() {
    for body in [
        "te$0xt",
        "{nobody$0}",
        "{no$0body}",
        "{time}$0 x",
        "{\"a\": \"b$0\"}",
        "{\"a\": {nobo$0dy}}",
        "}$0",
        "{$0",
        "{if a $0== b}",
        "{if a == 'te$0xt'}",
        "{weather 北京 C mo$0re}",
        "$0",
    ] {
        nothing(&system(body));
    }
    nothing(&system("{ti$0me}").replace("true", "false"));
    nothing("{ti$0me}");
    nothing("--$0-\nid: a\n---\n");
    nothing("---\nnonsense$0: 1\n---\n");
    nothing("---\n# a com$0ment\n---\n");
}

#[test]
fn orders() {
    check(
        &system("").replace("120", "1$020"),
        expect![[r#"
            on "120"
            **`order: 120`**

            Band: tool guidance (100..199) — how to use each tool

            `demo:safety` (-100) → `demo:tools` (110) → **this block** (120) → `demo:search` (130)

            Free: `117`, `118`, `119`, `121` and `122`
        "#]],
    );
    check(
        &system("").replace("order: 120", "ord$0er: 130"),
        expect![[r#"
            on "order"
            **`order`**

            Place among the blocks of the zone, the lower the earlier; in the system zone -300..=299. Required in the system and context zones.

            **`order: 130`**

            Band: tool guidance (100..199) — how to use each tool

            `demo:safety` (-100) → `demo:tools` (110) → **this block** (130) → `demo:search` (130)

            Free: `127`, `128`, `129`, `131` and `132`
        "#]],
    );
    check(
        &system("").replace("120", "-5$00"),
        expect![[r#"
            on "-50"
            **`order: -50`**

            In no band; the nearest is safety (-100).

            `demo:safety` (-100) → **this block** (-50) → `demo:tools` (110) → `demo:search` (130)
        "#]],
    );
    check(
        &system("").replace("120", "9$099"),
        expect![[r#"
            on "999"
            **`order: 999`**

            In no band; the nearest is platform constraints (250..299).

            `demo:tools` (110) → `demo:search` (130) → **this block** (999)

            Free: `295`, `296`, `297`, `298` and `299`
        "#]],
    );
    check(
        &context("").replace("120", "1$020"),
        expect![[r#"
            on "120"
            **`order: 120`**

            `demo:clock` (10) → **this block** (120)

            Free: `117`, `118`, `119`, `121` and `122`
        "#]],
    );
    check(
        "---\nzone: input\norder: $00\n---\n",
        expect![[r#"
        on "0"
        **`order: 0`**
    "#]],
    );
    check(
        "---\nzone: system\norder: $0x\n---\n",
        expect![[r#"
        on "x"
        **`order`**

        Place among the blocks of the zone, the lower the earlier; in the system zone -300..=299. Required in the system and context zones.
    "#]],
    );
    let text = system("").replace("120", "1$020");
    expect![[r#"
        on "120"
        **`order: 120`**

        分带：工具指引（100～199）——各工具的用法说明

        `demo:safety` (-100) → `demo:tools` (110) → **此块** (120) → `demo:search` (130)

        空闲：`117`、`118`、`119`、`121` 和 `122`
    "#]]
    .assert_eq(&shown(&text, Locale::ZhCn).unwrap_or_default());
}

#[test]
fn header_keys_and_values() {
    check(
        "\u{feff}---\r\ni$0d: a\r\n---\r\n",
        expect![[r#"
        on "id"
        **`id`**

        Unique name of the block in the project, by habit `plugin:name`. Required.
    "#]],
    );
    check(
        "---\nid: a$0b\n---\n",
        expect![[r#"
        on "ab"
        **`id`**

        Unique name of the block in the project, by habit `plugin:name`. Required.
    "#]],
    );
    check(
        "---\nid: a$0b\ndescription: 怎样用工具 🎉\n---\n",
        expect![[r#"
        on "ab"
        **`id`**

        Unique name of the block in the project, by habit `plugin:name`. Required.

        怎样用工具 🎉
    "#]],
    );
    check(
        "---\nzone: sys$0tem\n---\n",
        expect![[r#"
        on "system"
        **`zone: system`**

        The head of every request, cached by the provider: nothing in it may change within a session.
    "#]],
    );
    check(
        "---\nzone: in$0put\n---\n",
        expect![[r#"
        on "input"
        **`zone: input`**

        A transformation of the user's input, which stands where `{prompt}` is.
    "#]],
    );
    check(
        "---\nzone: nowh$0ere\n---\n",
        expect![[r#"
        on "nowhere"
        **`zone`**

        Where the block goes in the request. Required.
    "#]],
    );
    check(
        "---\nzone: system\nrole: us$0er\n---\n",
        expect![[r#"
        on "user"
        **`role: user`**

        A message of the user behind the system message.
    "#]],
    );
    check(
        "---\ntemplate: tr$0ue\n---\n",
        expect![[r#"
        on "true"
        **`template: true`**

        Tags in the body are rendered.
    "#]],
    );
    check(
        "---\ncomplete: no$0\n---\n",
        expect![[r#"
        on "no"
        **`complete`**

        An exclusive block: it takes the place of the whole system zone. System zone only, at most one in a project. Default: `false`.
    "#]],
    );
    check(
        "---\nallow: [stray-br$0ace]\n---\n",
        expect![[r#"
        on "stray-brace"
        **`stray-brace`**

        In a template, a `}` that closes nothing, or a `{` that nothing closes. It is sent as it stands.
    "#]],
    );
    check(
        "---\nallow$0: [stray-brace]\n---\n",
        expect![[r#"
        on "allow"
        **`allow`**

        Diagnostic codes that are switched off for this file: `[code, …]`.
    "#]],
    );
}
