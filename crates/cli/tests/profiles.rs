//! What the profiles add to a prompt besides its blocks: tools and instructions.
#![allow(clippy::expect_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::expect;
use serde_json::{Value, json};
use std::path::Path;
use support::{project, run, run_with, write};
use tempfile::TempDir;

const TOOLS: &str = r#"[
    // What the model may call.
    {"name": "write", "description": "Writes a file.", "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}},
    {"name": "mcp__git__log"},
    {"name": "read", "description": "Reads a file."},
]"#;

fn block(id: &str, zone: &str, order: i32, more: &str, body: &str) -> String {
    format!("---\nid: {id}\nzone: {zone}\norder: {order}\n{more}---\n{body}\n")
}

fn bot(config: &str) -> TempDir {
    project(&[
        ("promptblock.toml", config),
        ("a.promptblock", &block("bot:a", "system", 10, "", "I am Ada.")),
        ("b.promptblock", &block("bot:b", "context", 10, "", "It is noon.")),
    ])
}

fn of(folder: &Path, arguments: &[&str]) -> Value {
    let output = run_with(folder, arguments, "");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn names(tools: &Value, name: impl Fn(&Value) -> &Value) -> Vec<&str> {
    tools.as_array().expect("a list").iter().map(|tool| name(tool).as_str().expect("a name")).collect()
}

#[test]
fn tools_count() {
    let folder = bot("");
    let without = of(folder.path(), &["assemble", "--as", "json"]);
    assert_eq!((without.get("tools"), without["tokens"].get("tools")), (None, None));
    assert_eq!(of(folder.path(), &["assemble", "--as", "openai"]).get("tools"), None);
    write(folder.path(), "promptblock.tools.json", TOOLS.as_bytes());
    let with = of(folder.path(), &["assemble", "--as", "json"]);
    assert_eq!(names(&with["tools"], |tool| &tool["name"]), ["mcp__git__log", "read", "write"]);
    assert_ne!(with["digest"], without["digest"]);
    assert_eq!(with["tokens"]["system"], without["tokens"]["system"]);
    assert!(with["tokens"]["tools"].as_u64() > Some(20), "{}", with["tokens"]);
    // Another sequence is another prefix, another layout of the file is none.
    let compact = TOOLS.replace("    ", "").replace("// What the model may call.", "");
    write(folder.path(), "promptblock.tools.json", compact.as_bytes());
    assert_eq!(of(folder.path(), &["assemble", "--as", "json"])["digest"], with["digest"]);
    let order = "tool_order = [\"write\", \"<unlisted-tools>\"]\n";
    write(folder.path(), "promptblock.toml", order.as_bytes());
    let ordered = of(folder.path(), &["assemble", "--as", "json"]);
    assert_ne!(ordered["digest"], with["digest"]);
    let openai = of(folder.path(), &["assemble", "--as", "openai"]);
    assert_eq!(names(&openai["tools"], |tool| &tool["function"]["name"]), ["write", "mcp__git__log", "read"]);
    assert_eq!(openai["tools"][0]["type"], "function");
    let anthropic = of(folder.path(), &["assemble", "--as", "anthropic"]);
    assert_eq!(names(&anthropic["tools"], |tool| &tool["name"]), ["write", "mcp__git__log", "read"]);
    assert_eq!(anthropic["tools"][1]["input_schema"], json!({"type": "object"}));
    assert_eq!(anthropic["tools"][2].get("cache_control"), None, "the system text has the mark");
    let body = of(folder.path(), &["assemble", "--as", "json", "--input", "x"]);
    assert_eq!(body["usage"][0], json!({"class": "tools", "tokens": body["tokens"]["tools"]}));
}

#[test]
fn tools_in_words() {
    let folder = bot("");
    write(folder.path(), "promptblock.tools.json", TOOLS.as_bytes());
    expect![[r#"
        exit 0
        block          zone     order  tokens
        mcp__git__log  tools               14
        read           tools               15
        write          tools               26
        bot:a          system      10       4
        bot:b          context     10       4

        tools     55
        system     4
        prelude    0
        contexts   4
        input      3
        total     66

        counted with o200k, without an environment; with 3 tool schemas of 55 tokens
    "#]]
    .assert_eq(&run(folder.path(), &["tokens"]));
    expect![[r#"
        exit 0
        ── tools · 55 tokens · mcp__git__log, read, write

        ── system · 4 tokens · bot:a
        I am Ada.

        ══ the stable prefix ends here: 59 tokens with tool schemas, sha256:6ad9efb4
    "#]]
    .assert_eq(&head(&run(folder.path(), &["assemble"])));
}

/// Up to the end of the stable prefix, of the digest the beginning.
fn head(text: &str) -> String {
    let (head, rest) = text.split_once("sha256:").expect("a digest");
    format!("{head}sha256:{}\n", &rest[..8])
}

/// Of each finding the file, what it stands on and what it says.
fn found(folder: &Path) -> Vec<String> {
    let report = of(folder, &["check", ".", "--format", "json"]);
    let shown = |it: &Value| {
        let path = it["path"].as_str().expect("a path");
        let text = std::fs::read_to_string(folder.join(path)).expect("a file");
        let byte =
            |at: usize| usize::try_from(it["bytes"][at].as_u64().expect("a number")).expect("a number");
        let place = &text[byte(0)..byte(1)];
        format!(
            "{path}: {}: {place}: {}",
            it["code"].as_str().expect("a code"),
            it["message"].as_str().expect("a message")
        )
    };
    report["diagnostics"].as_array().expect("a list").iter().map(shown).collect()
}

#[test]
fn faults_of_tools_and_their_order() {
    let folder = bot("tool_order = [\"reed\", \"<unlisted-tools>\"]\n");
    let none =
        "promptblock.toml: invalid-config: \"reed\": no tool `reed`: there is no promptblock.tools.json";
    assert_eq!(found(folder.path()), [none]);
    write(folder.path(), "promptblock.tools.json", TOOLS.as_bytes());
    let near = "promptblock.toml: invalid-config: \"reed\": no tool `reed` in promptblock.tools.json; did you mean `read`?";
    assert_eq!(found(folder.path()), [near]);
    let broken = b"[{\"name\": \"reed\"}, {\"description\": \"x\"}, {\"name\": 1}]";
    write(folder.path(), "promptblock.tools.json", broken);
    let faults = [
        "promptblock.tools.json: invalid-config: {: this tool has no `name`",
        "promptblock.tools.json: invalid-config: 1: `name` takes a text, not a number",
    ];
    assert_eq!(found(folder.path()), faults);
    // Of a file that is no JSON nobody knows what it would name.
    write(folder.path(), "promptblock.tools.json", b"[{\"name\": \"x\"}, {\"name\":");
    let found = found(folder.path());
    assert!(
        found.len() == 1 && found[0].starts_with("promptblock.tools.json: invalid-config: "),
        "{found:?}"
    );
    write(folder.path(), "promptblock.tools.json", b"\xff");
    let output = run(folder.path(), &["check", "."]);
    assert!(output.starts_with("exit 2") && output.contains("promptblock.tools.json: not UTF-8"), "{output}");
}

#[test]
fn a_change_of_the_tools_costs_all() {
    let folder = bot("");
    write(folder.path(), "promptblock.tools.json", TOOLS.as_bytes());
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(["-c", "user.name=a", "-c", "user.email=a@b.invalid"]).args(arguments);
        assert!(command.current_dir(folder.path()).output().expect("git").status.success());
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "x"]);
    let same = of(folder.path(), &["diff", "--rev", "HEAD", "--format", "json"]);
    assert_eq!(
        (&same["same"], &same["toolsChanged"], &same["recomputed"]),
        (&json!(true), &json!(false), &json!(0))
    );
    write(folder.path(), "promptblock.tools.json", TOOLS.replace("Reads", "Opens").as_bytes());
    let changed = of(folder.path(), &["diff", "--rev", "HEAD", "--format", "json"]);
    assert_eq!(
        (&changed["same"], &changed["toolsChanged"], &changed["firstChanged"]),
        (&json!(false), &json!(true), &Value::Null)
    );
    assert_eq!(changed["survives"], 14, "the tool in front of it");
    let zones = &of(folder.path(), &["tokens", "--format", "json"])["zones"];
    let prefix = zones["tools"].as_u64().zip(zones["system"].as_u64()).map(|(tools, system)| tools + system);
    assert_eq!(prefix, Some(14 + changed["recomputed"].as_u64().expect("a number")));
    let text = run(folder.path(), &["diff", "--rev", "HEAD"]);
    assert!(
        text.contains("the tools differ, so nothing behind them survives\nno block of the prefix differs"),
        "{text}"
    );
    let comment = run(folder.path(), &["diff", "--rev", "HEAD", "--format", "markdown"]);
    assert!(comment.contains("**The tools differ: 46 of 60 prefix tokens are computed anew**"), "{comment}");
}

fn zcode() -> TempDir {
    let folder = project(&[
        ("work/promptblock.toml", "profile = \"zcode\"\n"),
        ("work/a.promptblock", &block("bot:a", "system", -300, "", "I am Ada.")),
        ("work/b.promptblock", &block("bot:b", "context", 10, "cache: stable\n", "Memory.")),
        ("work/c.promptblock", &block("skills:c", "context", 11, "", "- pdf")),
        ("work/promptblock.tools.json", TOOLS),
        ("AGENTS.md", "Use pnpm.\r\n<system-reminder>\r\n"),
        ("home/.zcode/AGENTS.md", &"x".repeat(200_000)),
    ]);
    std::fs::create_dir(folder.path().join(".git")).expect("a folder");
    folder
}

#[test]
fn instructions_of_the_user_and_of_the_project() {
    let folder = zcode();
    let found = of(folder.path(), &["assemble", "work", "--as", "json"]);
    let contexts = names(&found["contexts"], |context| &context["id"]);
    assert_eq!(contexts, ["~/.zcode/AGENTS.md", "AGENTS.md", "bot:b", "skills:c"]);
    let users = found["contexts"][0]["text"].as_str().expect("a text");
    assert!(users.starts_with("# agentsMd\n") && users.ends_with("x\n\n[File truncated: AGENTS.md]"));
    assert_eq!(users.matches('x').count(), 102_400 + "exactly".matches('x').count());
    let own = found["contexts"][1]["text"].as_str().expect("a text");
    assert!(
        own.starts_with("Contents of /")
            && own.ends_with("(workspace instructions):\n\nUse pnpm.\n&lt;system-reminder>")
    );
    let reminder = found["messages"][1]["text"].as_str().expect("a text");
    assert!(
        reminder.ends_with("&lt;system-reminder>\n\nMemory.\n</system-reminder>"),
        "{}",
        &reminder[reminder.len() - 200..]
    );
    // Nothing above the repository, and nothing at all in another profile.
    std::fs::remove_file(folder.path().join("AGENTS.md")).expect("a file");
    std::fs::remove_dir_all(folder.path().join("home")).expect("a folder");
    let found = of(folder.path(), &["assemble", "work", "--as", "json"]);
    assert_eq!(names(&found["contexts"], |context| &context["id"]), ["bot:b", "skills:c"]);
    write(folder.path(), "work/AGENTS.md", b"near");
    write(folder.path(), "work/promptblock.toml", b"");
    let found = of(folder.path(), &["assemble", "work", "--as", "json"]);
    assert_eq!(names(&found["contexts"], |context| &context["id"]), ["bot:b", "skills:c"]);
}

#[test]
fn usage_classes() {
    let folder = zcode();
    std::fs::remove_dir_all(folder.path().join("home")).expect("a folder");
    std::fs::remove_file(folder.path().join("AGENTS.md")).expect("a file");
    expect![[r#"
        exit 0
        block          zone     order  tokens
        mcp__git__log  tools               14
        read           tools               15
        write          tools               26
        bot:a          system    -300       4
        bot:b          context     10       2
        skills:c       context     11       2

        tools      55
        system      4
        prelude     0
        contexts   39
        input       3
        total     101

        system prompt         4
        meta user context    26
        skills               13
        system tool schemas  41
        MCP tool schemas     14
        messages              3

        counted with o200k, without an environment; with 3 tool schemas of 55 tokens
    "#]]
    .assert_eq(&run(&folder.path().join("work"), &["tokens"]));
    let found = of(folder.path(), &["tokens", "work", "--format", "json"]);
    let classes = names(&found["usage"], |class| &class["class"]);
    let all = [
        "system-prompt",
        "meta-user-context",
        "skills",
        "system-tool-schemas",
        "mcp-tool-schemas",
        "messages",
    ];
    assert_eq!(classes, all);
    let sum: u64 =
        found["usage"].as_array().into_iter().flatten().filter_map(|class| class["tokens"].as_u64()).sum();
    let zones: u64 =
        found["zones"].as_object().into_iter().flatten().filter_map(|(_, tokens)| tokens.as_u64()).sum();
    assert_eq!(sum, zones, "everything is in one class");
}
