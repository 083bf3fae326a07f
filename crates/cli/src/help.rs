//! `--help` in Chinese. The English texts stand where the commands are defined; all others stand here.

use clap::{Arg, Command};
use promptblock_core::Locale;

/// What is said of a command, and of each of its arguments by id.
type Page = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const PATH: &str = "项目中的文件或文件夹";
const ENVIRONMENT: &str = "提供变量值的示例环境";

const PAGES: &[Page] = &[
    ("promptblock", "检查提示词块，并为编辑器提供语言服务", &[]),
    (
        "check",
        "打印路径下的块、变量目录、示例环境和配置的全部诊断",
        &[
            ("paths", "要检查的文件和文件夹；默认为工作目录"),
            (
                "format",
                "输出形式：text 给人看，json 一个 JSON 对象，sarif 即 SARIF 2.1.0，github 供 GitHub Actions 使用",
            ),
            ("color", "何时使用颜色：auto 看终端与环境变量，always 总是，never 从不"),
            ("fix", "做完所有安全的修复，再打印剩下的诊断"),
            ("fail_on", "使退出码为 1 的最低级别：error、warning、information、hint 或 never"),
            ("env", "判断 `when` 条件时所用的示例环境"),
            ("stdin", "从标准输入读取一个文件的内容"),
            ("stdin_path", "把 `--stdin` 的内容当作这个路径的文件"),
        ],
    ),
    (
        "fmt",
        "格式化块：文件头的键按顺序，标签里只留单个空格；渲染结果不变",
        &[
            ("paths", "要格式化的文件和文件夹；默认为工作目录"),
            ("check", "不写入，只列出未格式化的文件；有则退出码为 1"),
            ("stdin", "从标准输入读取一个块，打印格式化后的内容"),
            ("stdin_path", "`--stdin` 的内容所属的路径：由它的项目决定有哪些变量"),
        ],
    ),
    (
        "assemble",
        "打印发给模型的内容：在一个示例环境里拼好的块",
        &[
            ("path", PATH),
            ("env", ENVIRONMENT),
            ("then", "第二个示例环境：系统区保持第一个的样子，由上下文说明变化"),
            ("input", "用户写的内容；不给则保留 `{prompt}`"),
            ("examples", "缺少的值取变量目录里的示例"),
            (
                "form",
                "输出形式：text 给人看的消息，json 包含全部信息，openai 或 anthropic 为对应接口的请求体",
            ),
        ],
    ),
    (
        "diff",
        "打印一处改动的代价：缓存前缀保住多少，要重新计算多少",
        &[
            ("path", PATH),
            ("rev", "与工作区比较的 git 版本"),
            ("env", "第一个示例环境"),
            ("then", "与之比较的另一个示例环境"),
            ("format", "输出形式：text 给终端，json 一个 JSON 对象，markdown 可作评审评论"),
        ],
    ),
    (
        "tokens",
        "按区和块打印拼好的提示词有多少 token",
        &[
            ("path", PATH),
            ("env", ENVIRONMENT),
            ("format", "输出形式：text 给人看的表格，json 一个 JSON 对象"),
        ],
    ),
    (
        "catalog",
        "打印每个变量：在哪一层、定义于何处、使用了多少次",
        &[
            ("path", PATH),
            ("format", "输出形式：table 给人看的表格，json 一个 JSON 对象"),
            ("write", "把源代码注册的变量写入一个新的目录文件，没有源代码时也能知道它们"),
        ],
    ),
    (
        "explain",
        "解释一个诊断码：它说什么，代价是什么，怎样消除",
        &[("code", "诊断码，如 `mutable-in-system`；不给则列出全部")],
    ),
    (
        "init",
        "新建项目：配置、变量目录、示例环境和一个块；不会覆盖已有文件",
        &[("path", "要成为项目的文件夹，没有就新建")],
    ),
    (
        "doctor",
        "说明找到了什么、在哪里：项目、配置、变量目录、示例环境、版本",
        &[("path", PATH), ("format", "输出形式：text 每行一件事，json 一个 JSON 对象")],
    ),
    (
        "schema",
        "打印变量目录、示例环境或配置的 JSON Schema",
        &[("name", "哪种文件：catalog 变量目录，environment 示例环境，config 配置，tools 工具定义")],
    ),
    (
        "completions",
        "打印供 shell 补全命令和选项的脚本",
        &[("shell", "哪个 shell：bash、elvish、fish、powershell、zsh")],
    ),
    (
        "lsp",
        "在标准输入输出上启动语言服务器",
        &[(
            "log",
            "记到标准错误的日志：`error`、`warn`、`info`、`debug`、`trace`，也可分部分（`promptblock_server=debug`）",
        )],
    ),
];

const TEMPLATE: &str = "{about-with-newline}\n用法: {usage}\n\n{all-args}";

/// The command with its help in that language.
pub(crate) fn in_language(command: Command, locale: Locale) -> Command {
    match locale {
        Locale::En => command,
        Locale::ZhCn => {
            let mut command = chinese(command);
            // What the reader of the arguments adds of its own is there only now.
            command.build();
            let own = |arg: Arg| match arg.get_id().as_str() {
                "help" => worded(arg, "打印帮助"),
                "version" => worded(arg, "打印版本"),
                _ => arg,
            };
            let command = command.mut_args(own).mut_subcommands(|below| below.mut_args(own));
            command.mut_subcommand("help", |help| help.about("打印本帮助，或某个命令的帮助"))
        }
    }
}

fn page(name: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.0 == name)
}

fn chinese(command: Command) -> Command {
    let Some((_, about, arguments)) = page(command.get_name()) else { return command };
    let command = command.about(*about).help_template(TEMPLATE).subcommand_help_heading("命令");
    let command =
        command.mut_args(|arg| match arguments.iter().find(|(id, _)| *id == arg.get_id().as_str()) {
            Some((_, text)) => worded(arg, text),
            None => arg,
        });
    command.mut_subcommands(chinese)
}

fn worded(arg: Arg, text: &str) -> Arg {
    let heading = if arg.is_positional() { "参数" } else { "选项" };
    let default = arg.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
    let takes_values = arg.get_action().takes_values();
    let arg = arg.long_help(None).help_heading(heading);
    if !takes_values {
        return arg.help(text.to_owned());
    }
    // The text names the possible values; what would be added is English.
    let text = default.map_or_else(|| text.to_owned(), |default| format!("{text}；默认为 {default}"));
    arg.help(text).hide_default_value(true).hide_possible_values(true)
}

#[cfg(test)]
#[allow(clippy::expect_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn all() -> Vec<Command> {
        let root = crate::Arguments::command();
        root.get_subcommands().cloned().chain([root.clone()]).collect()
    }

    #[test]
    fn every_command_and_argument_has_both_languages() {
        for command in all() {
            let name = command.get_name().to_owned();
            assert!(command.get_about().is_some(), "{name} has no English text");
            let (_, about, texts) = page(&name).unwrap_or_else(|| panic!("{name} has no Chinese page"));
            assert!(!about.is_ascii());
            let shown: Vec<&Arg> = command.get_arguments().filter(|arg| !arg.is_hide_set()).collect();
            for arg in &shown {
                let id = arg.get_id().as_str();
                assert!(arg.get_help().is_some(), "{name} {id} has no English text");
                let text = texts.iter().find(|(known, _)| *known == id).map(|(_, text)| *text);
                let text = text.unwrap_or_else(|| panic!("{name} {id} has no Chinese text"));
                assert!(!text.is_ascii(), "{name} {id}");
                if arg.get_action().takes_values() {
                    for value in arg.get_possible_values() {
                        assert!(
                            text.contains(value.get_name()),
                            "{name} {id} does not name {}",
                            value.get_name()
                        );
                    }
                }
            }
            assert_eq!(texts.len(), shown.len(), "{name} has texts of arguments that are gone");
        }
        assert_eq!(PAGES.len(), all().len(), "pages of commands that are gone");
    }

    #[test]
    fn nothing_english_is_left_in_chinese() {
        let english =
            ["Usage", "Options", "Arguments", "Commands", "Print", "default", "possible", "Possible"];
        for name in all().iter().map(Command::get_name) {
            for flag in ["-h", "--help"] {
                let arguments = ["promptblock", name, flag];
                let arguments =
                    if name == "promptblock" { vec!["promptblock", flag] } else { arguments.to_vec() };
                let command = in_language(crate::Arguments::command(), Locale::ZhCn);
                let error = command.try_get_matches_from(arguments).expect_err("the help");
                let said = error.render().to_string();
                assert!(said.contains("用法: promptblock") && said.contains("选项:"), "{said}");
                assert!(!english.iter().any(|word| said.contains(word)), "{said}");
            }
        }
    }

    #[test]
    fn what_is_understood_is_the_same() {
        for arguments in [
            &["promptblock", "check", "--format", "json", "a"][..],
            &["promptblock", "lsp", "--stdio"],
            &["promptblock", "assemble", "--then", "x"],
            &["promptblock", "check", "--fix", "--stdin"],
            &["promptblock", "chek"],
            &["promptblock", "help", "check"],
            &["promptblock"],
        ] {
            let of =
                |locale| in_language(crate::Arguments::command(), locale).try_get_matches_from(arguments);
            let (en, zh) = (of(Locale::En), of(Locale::ZhCn));
            assert_eq!(en.is_ok(), zh.is_ok());
            assert_eq!(
                en.err().map(|error| error.kind()),
                zh.err().map(|error| error.kind()),
                "{arguments:?}"
            );
        }
    }
}
