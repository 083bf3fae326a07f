//! What `promptblock.toml` says of files that get another name or place.

use super::Config;
use crate::fix::Edit;

/// The edits of a configuration that follow a file or folder from `from` to `to`, which are paths from the project's root with `/`. A
/// pattern follows where it begins with the path as it stands; what only matches it stays, and no pattern leads out
/// of the root.
pub fn moved(text: &str, config: &Config, from: &str, to: &str) -> Vec<Edit> {
    if !config.readable
        || from.is_empty()
        || to.is_empty()
        || to.starts_with("../")
        || to.chars().any(char::is_control)
    {
        return Vec::new();
    }
    let followed = |glob: &str| {
        let (dot, inside) = match glob.strip_prefix("./") {
            Some(inside) => ("./", inside),
            None => ("", glob),
        };
        let rest = behind(inside, from)?;
        Some(format!("{dot}{}{rest}", escaped(to)))
    };
    let edit = |glob: &crate::Spanned<std::sync::Arc<str>>| {
        let new = followed(&glob.value)?;
        let written = glob.span.of_str(text);
        let literal = written.starts_with('\'') && !written.starts_with("'''") && !new.contains('\'');
        let quoted = if literal { format!("'{new}'") } else { serde_json::Value::from(new).to_string() };
        Some(Edit::new(glob.span, quoted))
    };
    config.globs.iter().filter_map(edit).collect()
}

/// What means something else than itself in a pattern.
const SPECIAL: [char; 7] = ['*', '?', '[', ']', '{', '}', '\\'];

fn escaped(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if SPECIAL.contains(&c) {
            out.extend(['[', c, ']']);
        } else {
            out.push(c);
        }
    }
    out
}

/// What stands behind `path` in a pattern that begins with it, from the slash on.
fn behind<'g>(glob: &'g str, path: &str) -> Option<&'g str> {
    let plain = (!path.contains(SPECIAL)).then_some(path.to_owned());
    let spelled = plain.into_iter().chain([escaped(path)]);
    let mut rest = spelled.filter_map(|path| glob.strip_prefix(&*path));
    rest.find(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::parse_config;

    fn check(text: &str, from: &str, to: &str, expected: &str) {
        let (config, _) = parse_config(text);
        let mut out = text.to_owned();
        for edit in moved(text, &config, from, to).iter().rev() {
            out.replace_range(edit.span.range(), &edit.text);
        }
        assert_eq!(out, expected);
        let (again, findings) = parse_config(&out);
        assert_eq!((again.readable, findings.len()), (true, 0), "{out}");
    }

    #[test]
    fn globs_follow_what_they_name() {
        let text = "\u{feff}# 你🎉\r\ncatalogs = [\"a/cat.json\", './a/b/cat.json', \"*.json\"]\r\nsources = ['a/**/*.ts', \"ab/*.ts\"]\r\nexclude = [\"x/a/*\", \"a\"]\r\n";
        check(
            text,
            "a",
            "库/c",
            "\u{feff}# 你🎉\r\ncatalogs = [\"库/c/cat.json\", './库/c/b/cat.json', \"*.json\"]\r\nsources = ['库/c/**/*.ts', \"ab/*.ts\"]\r\nexclude = [\"x/a/*\", \"库/c\"]\r\n",
        );
        check(text, "a/cat.json", "b.json", &text.replace("a/cat.json", "b.json"));
        check(text, "x/a", "it's", &text.replace("x/a/*", "it's/*"));
        check(text, "a/b", "it's", &text.replace("'./a/b/cat.json'", "\"./it's/cat.json\""));
        // What only matches stays, and so does what is called alike.
        for from in ["b.json", "a/c.ts", "ca", "a/cat", "cat.json", "b"] {
            check(text, from, "z", text);
        }
    }

    #[test]
    fn what_patterns_do_not_say_of_paths() {
        let text = "catalogs = [\"a/cat.json\", \"a/*.json\"]\nexclude = [\"a\"]\n";
        // No pattern leads out of the project.
        check(text, "a", "../a", text);
        check("exclude = [\"a[[]1]/*\"]\n", "a[1]", "b{2}", "exclude = [\"a[[]1]/*\"]\n");
        check("exclude = [\"a[[]1[]]/*\"]\n", "a[1]", "b{2}", "exclude = [\"b[{]2[}]/*\"]\n");
        check("exclude = [\"a\"]\n", "a", "a\"b", "exclude = [\"a\\\"b\"]\n");
        let broken = "exclude = [\"a\"]\nprofile = \"\n";
        assert_eq!(moved(broken, &parse_config(broken).0, "a", "b"), []);
    }
}
