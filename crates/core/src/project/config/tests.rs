//! Configurations and what is said of them.

use super::*;
use crate::diagnostic::Remedy;
use expect_test::{Expect, expect};
use proptest::prelude::*;
use std::fmt::Write;

fn findings(text: &str) -> String {
    let mut out = String::new();
    for diagnostic in parse_config(text).1 {
        write!(out, "{} {:?}", diagnostic.code, &text[diagnostic.span.range()]).expect("written");
        for related in &diagnostic.related {
            write!(out, " (see {:?})", &text[related.span.range()]).expect("written");
        }
        writeln!(out, " {}", diagnostic.message.text(Locale::En)).expect("written");
        if diagnostic.remedy != Remedy::None {
            writeln!(out, "  {:?}", diagnostic.remedy).expect("written");
        }
    }
    out
}

fn says(text: &str, expected: &Expect) {
    expected.assert_eq(&findings(text));
}

#[test]
fn every_key() {
    let text = "\u{feff}profile = 'zcode'\r\nenvironment = \"群聊\" # 注释\r\ncatalogs = [\"a.json\", 'b/**']\r\n\
        sources = []\r\nexclude = [\"old/**\"]\r\nlocale = \"zh-CN\"\r\nvocabulary = \"cl100k\"\r\n\
        tool_order = [\"Read\", \"<unlisted-tools>\"]\r\ncontext_placement = \"input\"\r\n\
        [severity]\r\norder-conflict = \"off\"\r\nunused-variable = \"error\"\r\n\
        [budget]\r\nsystem = 4_000\r\ncontext = 0\r\n\
        [[bands]]\r\nfrom = 50\r\nto = 99\r\nname = \"下\"\r\n[[bands]]\r\nname = \"上\"\r\nto = 0x31\r\nfrom = -300\r\n";
    let (config, diagnostics) = parse_config(text);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(config.profile.name, "zcode");
    let environment = config.environment.expect("an environment");
    assert_eq!((&*environment.value, environment.span.of_str(text)), ("群聊", "\"群聊\""));
    assert_eq!(
        (config.catalogs, config.sources, config.exclude),
        (vec!["a.json".into(), "b/**".into()], Some(vec![]), vec!["old/**".into()])
    );
    let globs: Vec<_> = config.globs.iter().map(|glob| glob.span.of_str(text)).collect();
    assert_eq!(globs, ["\"a.json\"", "'b/**'", "\"old/**\""]);
    assert_eq!((config.locale, &*config.vocabulary), (Some(Locale::ZhCn), "cl100k"));
    assert_eq!(config.tool_order.expect("an order").len(), 2);
    assert_eq!(config.context_placement, ContextPlacement::Input);
    assert_eq!(config.severity.get(&Code::OrderConflict), Some(&None));
    assert_eq!(config.severity.get(&Code::UnusedVariable), Some(&Some(Severity::Error)));
    assert_eq!((config.budget_system, config.budget_context), (Some(4000), Some(0)));
    let bands: Vec<_> = config.bands.0.iter().map(|band| (band.from, band.to, &*band.name)).collect();
    assert_eq!(bands, [(-300, 49, "上"), (50, 99, "下")]);
}

/// On the pattern with its quotes, the others counting.
#[test]
fn patterns_that_lead_out_of_the_project() {
    let text = "\u{feff}# 目录😀\r\ncatalogs = [\"a.json\", '../shared/catalog.json', \"./b/*.json\", \"/etc/passwd\"]\r\n\
        sources = [\"../src/**\"]\r\nexclude = [\"/fix/\", \"../x\", \"./gen\"]\r\n";
    says(
        text,
        &expect![[r#"
        invalid-config "'../shared/catalog.json'" this pattern leaves the project's folder, and no file outside of it counts; for variables of several projects there is the user's catalog, or one promptblock.toml in a folder above them all
          RemoveEntry(39..63)
        invalid-config "\"/etc/passwd\"" this pattern leaves the project's folder, and no file outside of it counts; for variables of several projects there is the user's catalog, or one promptblock.toml in a folder above them all
          RemoveEntry(79..92)
        invalid-config "\"../src/**\"" this pattern leaves the project's folder, and no file outside of it counts; a promptblock.toml in a folder above would reach it
          RemoveEntry(106..117)
        invalid-config "\"../x\"" this pattern leaves the project's folder, so it excludes nothing; patterns are counted from this file's folder
          RemoveEntry(140..146)
    "#]],
    );
    let (config, _) = parse_config(text);
    assert_eq!(config.catalogs, ["a.json", "b/*.json"]);
    assert_eq!(config.sources, Some(vec![]));
    assert_eq!(config.exclude, ["fix/**", "gen", "gen/**"]);
    assert_eq!(config.globs.len(), 4, "what is said here is not said again");
}

#[test]
fn defaults() {
    for text in ["", "\u{feff}", "# nothing\n", "locale = \"en-US\"", "budget.system = 1", "severity = {}"] {
        let (config, diagnostics) = parse_config(text);
        assert!(diagnostics.is_empty(), "{text:?} {diagnostics:?}");
        assert_eq!((&*config.profile.name, config.bands.0.len()), ("blocks", 10));
        assert_eq!(config.catalogs, ["promptblock.catalog.json"]);
    }
    let (config, _) = parse_config("profile = \"harness\"");
    assert_eq!(config.bands.0.len(), 3, "the bands are the profile's");
}

#[test]
fn keys() {
    says(
        "profil = \"blocks\"\n'envirnmnt' = 1\nfoo = 1\nseverty = {}",
        &expect![[r#"
        unknown-key "profil" unknown key `profil`; did you mean `profile`?
          Replace { with: ["profile"], safe: true }
        unknown-key "'envirnmnt'" unknown key `envirnmnt`; did you mean `environment`?
          Replace { with: ["'environment'"], safe: false }
        unknown-key "foo" unknown key `foo`; a configuration has: `profile`, `environment`, `catalogs`, `sources`, `exclude`, `locale`, `vocabulary`, `severity`, `budget`, `bands`, `tool_order` and `context_placement`
          RemoveLines(34..41)
        unknown-key "severty" unknown key `severty`; did you mean `severity`?
          Replace { with: ["severity"], safe: true }
    "#]],
    );
    says(
        "[severity]\nunknown-varable = \"off\"\n\"x\" = \"off\"\ninvalid-header = \"off\"\nstray-brace = \"fatal\"\ninert-tag = \"of\"\nnot-a-list = 1",
        &expect![[r#"
            unknown-key "unknown-varable" unknown key `unknown-varable`; did you mean `unknown-variable`?
              Replace { with: ["unknown-variable"], safe: true }
            unknown-key "\"x\"" unknown key `x`; it is no diagnostic code
              RemoveLines(35..46)
            invalid-config "invalid-header" `invalid-header` cannot be changed: without its header a block is not checked at all
              RemoveLines(47..69)
            invalid-config "\"fatal\"" `fatal` is no value of `stray-brace`; it is `off`, `hint`, `information`, `warning` or `error`
            invalid-config "\"of\"" `of` is no value of `inert-tag`; it is `off`, `hint`, `information`, `warning` or `error`; did you mean `off`?
              Replace { with: ["\"off\""], safe: false }
            invalid-config "1" `not-a-list` takes `off`, `hint`, `information`, `warning` or `error`, not a number
        "#]],
    );
    says(
        "[budget]\nsystem = -1\ncontext = 1.5\ninput = 3\n[budgets]\nx = 1",
        &expect![[r#"
            invalid-config "-1" `system` takes an integer of 0 or more, not `-1`
            invalid-config "1.5" `context` takes a whole number, not a fraction
            unknown-key "input" unknown key `input`; a budget has: `system` and `context`
              RemoveLines(35..44)
            unknown-key "budgets" unknown key `budgets`; a configuration has: `profile`, `environment`, `catalogs`, `sources`, `exclude`, `locale`, `vocabulary`, `severity`, `budget`, `bands`, `tool_order` and `context_placement`
        "#]],
    );
    says(
        "severity = \"off\"\nbudget = 5\nbands = 1",
        &expect![[r#"
        invalid-config "\"off\"" `severity` takes a table, not a text
        invalid-config "5" `budget` takes a table, not a number
        invalid-config "1" `bands` takes tables `[[bands]]`, not a number
    "#]],
    );
}

#[test]
fn values() {
    says(
        "profile = \"block\"\nlocale = \"de\"\nvocabulary = \"o200\"\nenvironment = 5\ncontext_placement = \"messages\"",
        &expect![[r#"
            invalid-config "\"block\"" `block` is no value of `profile`; it is `blocks`, `harness` or `zcode`; did you mean `blocks`?
              Replace { with: ["\"blocks\""], safe: false }
            invalid-config "\"de\"" `de` is no value of `locale`; it is `en` or `zh-CN`
            invalid-config "\"o200\"" `o200` is no value of `vocabulary`; it is `o200k`, `cl100k` or `estimate`; did you mean `o200k`?
              Replace { with: ["\"o200k\""], safe: false }
            invalid-config "5" `environment` takes a text, not a number
        "#]],
    );
    says(
        "profile = [\"blocks\"]\nlocale = true\nvocabulary = 2024-01-01\ncontext_placement = \"inputs\"",
        &expect![[r#"
            invalid-config "[\"blocks\"]" `profile` takes `blocks`, `harness` or `zcode`, not a list
            invalid-config "true" `locale` takes `en` or `zh-CN`, not a boolean
            invalid-config "2024-01-01" `vocabulary` takes `o200k`, `cl100k` or `estimate`, not a date
            invalid-config "\"inputs\"" `inputs` is no value of `context_placement`; it is `messages` or `input`; did you mean `input`?
              Replace { with: ["\"input\""], safe: false }
        "#]],
    );
    says(
        "catalogs = \"a.json\"\nsources = [1, \"x\", [\"y\"]]\nexclude = {a = 1}",
        &expect![[r#"
        invalid-config "\"a.json\"" `catalogs` takes a list of texts, not a text
        invalid-config "1" `sources` takes texts, not a number
        invalid-config "[\"y\"]" `sources` takes texts, not a list
        invalid-config "{a = 1}" `exclude` takes a list of texts, not a table
    "#]],
    );
    says(
        "tool_order = [\"a\", \"<unlisted-tools>\", \"a\", \"<unlisted-tools>\"]",
        &expect![[r#"
        invalid-config "\"a\"" (see "\"a\"") `a` is named twice
          RemoveEntry(39..42)
        invalid-config "\"<unlisted-tools>\"" (see "\"<unlisted-tools>\"") `<unlisted-tools>` is named twice
          RemoveEntry(44..62)
    "#]],
    );
    says(
        "tool_order = [\"a\"]",
        &expect![[r#"
        invalid-config "[\"a\"]" `<unlisted-tools>` is missing: the place of the tools that are not named
    "#]],
    );
    assert_eq!(parse_config("tool_order = [\"a\"]").0.tool_order, None);
    let (config, _) = parse_config("profile = \"block\"\nvocabulary = 1\ncatalogs = 1\n");
    assert_eq!((&*config.profile.name, &*config.vocabulary), ("blocks", "o200k"));
    assert_eq!(config.catalogs, ["promptblock.catalog.json"]);
}

#[test]
fn bands() {
    let band =
        |from: &str, to: &str, name: &str| format!("[[bands]]\nfrom = {from}\nto = {to}\nname = {name}\n");
    says(
        &(band("50", "99", "\"b\"") + &band("0", "50", "\"a\"") + &band("60", "70", "\"c\"")),
        &expect![[r#"
            invalid-config "0" (see "50") the bands `a` and `b` overlap
            invalid-config "60" (see "50") the bands `c` and `b` overlap
        "#]],
    );
    says(
        &(band("5", "1", "\"a\"") + &band("1.5", "2", "3") + &band("0", "9999999999", "\"x\"")),
        &expect![[r#"
            invalid-config "5" `from` is greater than `to`, so no order lies in this band
            invalid-config "1.5" `from` takes a whole number, not a fraction
            invalid-config "3" `name` takes a text, not a number
            invalid-config "9999999999" `to` takes an integer from -2147483648 to 2147483647, not `9999999999`
        "#]],
    );
    says(
        "[[bands]]\nfrom = 1\nnam = \"x\"\n[[bands]]\n",
        &expect![[r#"
        invalid-config "[[bands]]" this band has no `to`
        invalid-config "[[bands]]" this band has no `name`
        unknown-key "nam" unknown key `nam`; did you mean `name`?
          Replace { with: ["name"], safe: true }
        invalid-config "[[bands]]" this band has no `from`
        invalid-config "[[bands]]" this band has no `to`
        invalid-config "[[bands]]" this band has no `name`
    "#]],
    );
    says(
        "bands = [{from = 1, to = 2, name = \"x\"}, 5]",
        &expect![[r#"
        invalid-config "5" `bands` takes tables, not a number
    "#]],
    );
    let (config, _) = parse_config(&(band("5", "1", "\"a\"") + &band("1", "2", "\"b\"")));
    assert_eq!(config.bands.0.len(), 1, "the sound ones replace the profile's");
    assert_eq!(parse_config(&band("5", "1", "\"a\"")).0.bands.0.len(), 10);
}

#[test]
fn broken() {
    says(
        "profile = \"harness\"\nlocale = \"zh-CN\nexclude = [\"x\"]",
        &expect![[r#"
            invalid-config "\"zh-CN" this quote is never closed
        "#]],
    );
    says(
        "profile = harness\nlocale = zh\n",
        &expect![[r#"
        invalid-config "harness" a text needs quotes
    "#]],
    );
    says(
        "locale \"zh\"\nprofile = \"harnes\"",
        &expect![[r#"
        invalid-config "\"zh\"" expected `key = value`
    "#]],
    );
    says(
        "locale =\nprofile = \"harness\"",
        &expect![[r#"
            invalid-config "locale =" expected a value
        "#]],
    );
    says(
        "exclude = [\"a\", \"b\"\nprofile = \"harness\"\n[severity]\nx = \"off\"",
        &expect![[r#"
        invalid-config "profile" expected `,` or `]` in this list
    "#]],
    );
    says(
        "profile = \"harness\"\nprofile = \"zcode\"\n",
        &expect![[r#"
        invalid-config "profile" this key or table is given twice; the first one counts
    "#]],
    );
    says(
        "[severity\nstray-brace = \"off\"\nfoo = 1\n[budget]\nsystem = -1",
        &expect![[r#"
            invalid-config "[severity" this bracket is never closed
            invalid-config "-1" `system` takes an integer of 0 or more, not `-1`
        "#]],
    );
    says(
        "[severity]\nstray-brace = \"off\"\n[severity]\ninert-tag = \"offf\"",
        &expect![[r#"
        invalid-config "severity" this key or table is given twice; the first one counts
        invalid-config "\"offf\"" `offf` is no value of `inert-tag`; it is `off`, `hint`, `information`, `warning` or `error`; did you mean `off`?
          Replace { with: ["\"off\""], safe: false }
    "#]],
    );
    says(
        "环境 = 1\nlocale = \"xx\"",
        &expect![[r#"
            invalid-config "环境" a key with other characters than letters, digits, `-` and `_` needs quotes
            invalid-config "\"xx\"" `xx` is no value of `locale`; it is `en` or `zh-CN`
        "#]],
    );
    says(
        "locale = \"zh\" profile = \"harness\"\nvocabulary = \"x\"",
        &expect![[r#"
        invalid-config "profile" only one `key = value` may stand on a line
        invalid-config "\"x\"" `x` is no value of `vocabulary`; it is `o200k`, `cl100k` or `estimate`
    "#]],
    );
    says(
        "exclude = [\"a\\d\"]",
        &expect![[r#"
            invalid-config "\\d" unknown escape; write `\\` for a backslash, or use single quotes
        "#]],
    );
    says(
        "[[bands]]\nfrom = 1\nto = \nname = \"x\"",
        &expect![[r#"
            invalid-config "to =" expected a value
        "#]],
    );
    says(
        "= 1",
        &expect![[r#"
            invalid-config "=" expected `key = value`
        "#]],
    );
    says(
        "\u{0}",
        &expect![[r#"
        invalid-config "\0" a key with other characters than letters, digits, `-` and `_` needs quotes
    "#]],
    );
    says(
        "exclude = [",
        &expect![[r#"
        invalid-config "exclude = [" expected `,` or `]` in this list
    "#]],
    );
    let (config, _) = parse_config("profile = \"harness\"\nlocale = \"zh-CN\nexclude = [\"x\"]");
    assert_eq!((&*config.profile.name, config.locale, config.exclude.len()), ("harness", None, 2));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_config(parts in prop::collection::vec(prop::sample::select(vec![
        "profile", "bands", "severity", "stray-brace", "from", "to", "name", "catalogs", "tool_order", "budget", "system",
        " = ", "=", "\"", "'", "\"\"\"", "[", "]", "[[", "]]", "{", "}", ",", ".", "\n", "\r\n", "\r", "#", "1", "-5", "1.5",
        "true", "\"你\"", "🎉", "\u{feff}", "\u{0}", "\\", "\"blocks\"", "\"off\"", "\n[severity]\n", "\n[[bands]]\n", " ",
    ]), 0..40)) {
        let text = parts.concat();
        let (config, diagnostics) = parse_config(&text);
        for diagnostic in &diagnostics {
            prop_assert!(text.get(diagnostic.span.range()).is_some(), "{diagnostic:?} in {text:?}");
            prop_assert!(!diagnostic.span.is_empty(), "{diagnostic:?} in {text:?}");
            prop_assert!(diagnostic.related.iter().all(|related| text.get(related.span.range()).is_some()));
        }
        prop_assert!(config.globs.iter().all(|glob| !glob.span.of_str(&text).is_empty()));
        prop_assert!(config.bands.0.iter().all(|band| band.from <= band.to));
    }
}

#[test]
fn hostile_sizes() {
    let size = 1 << 18;
    let many = 10_000;
    for text in [
        "[".repeat(size),
        "[[".repeat(size / 2),
        format!("exclude = {}", "[".repeat(size)),
        format!("exclude = {}", "{a = ".repeat(size / 5)),
        "a.".repeat(size / 2),
        format!("{}a = 1", "a.".repeat(size / 2)),
        format!("[{}a]\nb = 1", "a.".repeat(size / 2)),
        format!("severity = {{{}a = 1}}", "a.".repeat(size / 2)),
        "a = \"\n".repeat(size / 6),
        (0..many).map(|n| format!("k{n} = 1\n")).collect(),
        (0..many)
            .map(|n| format!("[[bands]]\nfrom = {}\nto = {}\nname = \"b\"\n", many - n, many + n))
            .collect(),
        format!("tool_order = [{}]", "\"a\",".repeat(many)),
        format!(
            "[severity]\n{}",
            (0..many).map(|n| format!("stray-brac{n} = \"off\"\n")).collect::<String>()
        ),
        format!("locale = \"{}\"", "z".repeat(size)),
    ] {
        let start = std::time::Instant::now();
        let (_, diagnostics) = parse_config(&text);
        assert!(!diagnostics.is_empty());
        assert!(start.elapsed().as_secs() < 5, "{} took {:?}", &text[..20], start.elapsed());
    }
}

#[test]
fn while_a_file_is_broken_its_readable_keys_count_and_the_others_stand() {
    let last = parse_config(
        "profile = \"harness\"\nexclude = [\"a/**\"]\ncatalogs = [\"c.json\"]\n[severity]\nstray-brace = \"off\"\n[budget]\nsystem = 4\n",
    )
    .0;
    assert!(last.readable);
    for (text, profile) in [
        ("", "harness"),
        ("profile = \"har", "harness"),
        ("profile = \"zcode\"\nexclude = [", "zcode"),
        ("[seve", "harness"),
    ] {
        let now = parse_config_after(text, &last);
        assert_eq!(now.profile.name, profile, "{text}");
        let bands = if profile == "harness" { &last.bands.0 } else { &now.profile.bands };
        assert_eq!(&now.bands.0, bands, "the bands go with the profile: {text}");
        assert_eq!((&now.exclude, &now.catalogs), (&last.exclude, &last.catalogs), "{text}");
        assert_eq!((&now.severity, now.budget_system), (&last.severity, Some(4)), "{text}");
        assert_eq!(now.readable, text.is_empty(), "{text}");
        assert!(now.globs.is_empty(), "no place of another text: {text}");
    }
}
