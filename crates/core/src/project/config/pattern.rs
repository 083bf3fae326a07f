//! Patterns of files in `promptblock.toml`: what they mean from the project's folder on, told by their text alone.

use super::{CATALOG_NAME, OWN_NAMES};
use crate::message::Message;
use crate::msg;

/// What the files of a pattern are to the project.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Catalogs: each is a file.
    Catalogs,
    /// Source files; a folder stands for all in it.
    Sources,
    /// What is left out; a folder stands for all in it.
    Exclude,
}

/// Whether a pattern is a path that stands for itself.
pub fn is_plain(pattern: &str) -> bool {
    !pattern.contains(['*', '?', '[', '{'])
}

/// The patterns that one in the file stands for, from the project's folder, without `.` and `..`; or what is wrong with it.
pub(super) fn from_root(written: &str, role: Role) -> Result<Vec<String>, Message> {
    if written.is_empty() {
        return Err(msg!("this pattern is empty", "这个通配模式是空的"));
    }
    let mut rest = written;
    // As in a `.gitignore`; what is read is no such list, and a path from the disk's root there means what it says.
    if role == Role::Exclude && !rest.starts_with("//") {
        rest = rest.strip_prefix('/').unwrap_or(rest);
    }
    if is_absolute(rest) {
        return Err(outside(role));
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| is_plain(last)) => {
                parts.pop();
            }
            // What stands before it is a pattern, or nothing: nobody can say where that leads, or it leads out.
            ".." => return Err(outside(role)),
            part => parts.push(part),
        }
    }
    let is_folder = written.ends_with('/') || matches!(rest.rsplit('/').next(), Some("." | ".."));
    let pattern = parts.join("/");
    if role == Role::Catalogs {
        return if is_folder {
            Err(msg!(
                "this is a folder; a catalog is a file: `*.json` behind it takes every one in it",
                "这是文件夹，而变量目录是文件；在后面加上 `*.json` 可取其中的全部文件"
            ))
        } else {
            Ok(vec![pattern])
        };
    }
    let Some(last) = parts.last() else { return Ok(vec!["**".to_owned()]) };
    let below = format!("{pattern}/**");
    Ok(match *last {
        // Files of that folder, or all that is below: that says it already.
        "*" | "**" if !is_folder => vec![pattern],
        _ if is_folder => vec![below],
        _ => vec![pattern, below],
    })
}

/// A path that a pattern of catalogs finds, where there is one that is worth a name.
pub(super) fn example(pattern: &str) -> Option<String> {
    let (folders, name) =
        pattern.rsplit_once('/').map_or((None, pattern), |(folders, name)| (Some(folders), name));
    let name = match name.split_once('*') {
        None => name.to_owned(),
        Some((start, end)) => {
            let end = end.trim_start_matches('*');
            // As it is called where nothing is said, as far as the pattern lets it.
            let fits = CATALOG_NAME.strip_prefix(start).is_some_and(|rest| rest.ends_with(end));
            if fits { CATALOG_NAME.to_owned() } else { format!("{start}catalog{end}") }
        }
    };
    let folders = folders.into_iter().flat_map(|folders| folders.split('/')).filter(|part| *part != "**");
    let path = folders.chain([&*name]).collect::<Vec<_>>().join("/");
    (is_plain(&path) && !OWN_NAMES.contains(&&*path)).then_some(path)
}

/// `/x`, `\\x`, `C:/x`, `C:\x`, and `..\x`, which leads out all the same.
fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && path.get(1..3).is_some_and(|rest| matches!(rest, ":/" | ":\\"));
    // A single backslash is an escape.
    drive || ["/", "\\\\", "..\\"].iter().any(|start| path.starts_with(start))
}

fn outside(role: Role) -> Message {
    match role {
        Role::Catalogs => msg!(
            "this pattern leaves the project's folder, and no file outside of it counts; for variables of several projects there is the user's catalog, or one promptblock.toml in a folder above them all",
            "这个通配模式指向项目文件夹之外，而外面的文件不算数；多个项目共用的变量可以写在用户变量目录中，或者在它们共同的上级文件夹放一个 promptblock.toml"
        ),
        Role::Sources => msg!(
            "this pattern leaves the project's folder, and no file outside of it counts; a promptblock.toml in a folder above would reach it",
            "这个通配模式指向项目文件夹之外，而外面的文件不算数；可以把 promptblock.toml 放到上级文件夹"
        ),
        Role::Exclude => msg!(
            "this pattern leaves the project's folder, so it excludes nothing; patterns are counted from this file's folder",
            "这个通配模式指向项目文件夹之外，排除不了任何文件；通配模式从此文件所在的文件夹算起"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(role: Role, written: &str) -> Vec<String> {
        from_root(written, role).unwrap_or_else(|why| vec![why.text(crate::message::Locale::En).to_owned()])
    }

    #[test]
    fn from_here() {
        for written in
            ["vars/a.json", "./vars/a.json", "././vars/./a.json", "x/../vars/a.json", "vars//a.json"]
        {
            assert_eq!(of(Role::Catalogs, written), ["vars/a.json"], "{written}");
        }
        assert_eq!(of(Role::Catalogs, "./**/*.json"), ["**/*.json"]);
        assert_eq!(of(Role::Catalogs, "变量/😀*.json"), ["变量/😀*.json"]);
        assert_eq!(of(Role::Catalogs, "..a/b..json"), ["..a/b..json"]);
    }

    #[test]
    fn a_folder_stands_for_what_lies_in_it() {
        for role in [Role::Sources, Role::Exclude] {
            assert_eq!(of(role, "gen"), ["gen", "gen/**"]);
            assert_eq!(of(role, "./gen"), ["gen", "gen/**"]);
            assert_eq!(of(role, "a/gen/"), ["a/gen/**"]);
            assert_eq!(of(role, "**/gen"), ["**/gen", "**/gen/**"]);
            assert_eq!(of(role, "gen-*"), ["gen-*", "gen-*/**"]);
            assert_eq!(of(role, "gen/*"), ["gen/*"], "a star stays within a folder");
            assert_eq!(of(role, "gen/*/"), ["gen/*/**"]);
            assert_eq!(of(role, "gen/**"), ["gen/**"]);
            assert_eq!(of(role, "."), ["**"]);
            assert_eq!(of(role, "./"), ["**"]);
            assert_eq!(of(role, "gen/.."), ["**"]);
        }
        assert_eq!(of(Role::Exclude, "/gen/"), ["gen/**"]);
        assert_eq!(of(Role::Exclude, "/a.promptblock"), ["a.promptblock", "a.promptblock/**"]);
        for folder in ["vars/", ".", "./", "vars/.", "a/b/.."] {
            assert!(of(Role::Catalogs, folder)[0].starts_with("this is a folder"), "{folder}");
        }
    }

    #[test]
    fn a_name_that_a_pattern_finds() {
        for (pattern, path) in [
            ("**/*.json", Some("promptblock.catalog.json")),
            ("**", Some("promptblock.catalog.json")),
            ("conf/*", Some("conf/promptblock.catalog.json")),
            ("conf/**/*.catalog.json", Some("conf/promptblock.catalog.json")),
            ("vars/*.vars.json", Some("vars/catalog.vars.json")),
            ("*.jsonc", Some("catalog.jsonc")),
            ("vars-*.json", Some("vars-catalog.json")),
            ("**/vars.json", Some("vars.json")),
            ("plugins/*/catalog.json", None),
            ("*.{json,jsonc}", None),
            ("*-*.json", None),
            ("*.env.json", Some("catalog.env.json")),
            ("v?.json", None),
        ] {
            assert_eq!(example(pattern).as_deref(), path, "{pattern}");
        }
    }

    #[test]
    fn what_leads_out() {
        for role in [Role::Catalogs, Role::Sources, Role::Exclude] {
            for written in [
                "..",
                "../",
                "../a.json",
                "./../a",
                "a/../../b",
                "**/../a",
                "a/*/../b",
                "C:/a",
                "C:\\a",
                "//a/b",
                "\\\\a",
                "..\\a",
            ] {
                assert!(of(role, written)[0].starts_with("this pattern leaves"), "{role:?} {written}");
            }
            assert_eq!(of(role, ""), ["this pattern is empty"]);
        }
        assert!(of(Role::Catalogs, "/etc/passwd")[0].starts_with("this pattern leaves"));
        assert!(of(Role::Sources, "/src/**")[0].starts_with("this pattern leaves"));
        assert_eq!(of(Role::Catalogs, "\\[a].json"), ["\\[a].json"], "an escape");
        assert_eq!(of(Role::Exclude, "c:a"), ["c:a", "c:a/**"]);
    }
}
