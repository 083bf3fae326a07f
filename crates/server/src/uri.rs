//! URIs of the client, and the paths that the workspace knows files by.
//!
//! One file has one path, however its URI is spelled: percent signs, their case, a drive letter's case. Where the URI is no
//! `file:` there is nothing to read on disk; such a buffer gets a made-up path that no file can have.

use camino::{Utf8Path, Utf8PathBuf};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::str::FromStr;
use tower_lsp::ls_types::Uri;

/// What a path may hold as it is.
const KEEP: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');
/// The extension that a buffer needs to be known as a block.
const EXTENSION: &str = "promptblock";

/// The path that a URI stands for. `language` is what the client calls a buffer that has no file name.
pub(crate) fn path(uri: &Uri, language: Option<&str>) -> Utf8PathBuf {
    match file_path(uri.as_str()) {
        Some(path) => path,
        None => made_up(uri.as_str(), language),
    }
}

/// The path on disk of a `file:` URI; none for others, and for one that is not UTF-8 or names another machine.
pub(crate) fn file_path(uri: &str) -> Option<Utf8PathBuf> {
    let (scheme, rest) = uri.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("file") {
        return None;
    }
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = match rest.strip_prefix("//") {
        Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
        None => ("", rest),
    };
    let path = percent_decode_str(path).decode_utf8().ok()?;
    if path.contains('\0') || !path.starts_with('/') {
        return None;
    }
    let host = percent_decode_str(host).decode_utf8().ok()?;
    if !host.is_empty() && !host.eq_ignore_ascii_case("localhost") {
        return cfg!(windows).then(|| Utf8PathBuf::from(format!("//{host}{path}")));
    }
    let path = if cfg!(windows) { drive(&path) } else { path.into_owned() };
    Some(without_dots(Utf8Path::new(&path)))
}

/// `/C:/folder` as `c:/folder`.
fn drive(path: &str) -> String {
    let mut chars = path.chars();
    match (chars.next(), chars.next(), chars.next()) {
        (Some('/'), Some(letter), Some(':')) if letter.is_ascii_alphabetic() => {
            format!("{}:{}", letter.to_ascii_lowercase(), chars.as_str())
        }
        _ => path.to_owned(),
    }
}

/// The same path without `.` and `..`, so that one file has one name. Asks no disk.
fn without_dots(path: &Utf8Path) -> Utf8PathBuf {
    use camino::Utf8Component;
    let mut whole = Utf8PathBuf::new();
    for component in path.components() {
        match component {
            Utf8Component::CurDir => {}
            Utf8Component::ParentDir => {
                whole.pop();
            }
            other => whole.push(other),
        }
    }
    whole
}

/// A path for what is on no disk: the URI itself, with the extension that tells what it is.
fn made_up(uri: &str, language: Option<&str>) -> Utf8PathBuf {
    let (scheme, rest) = uri.split_once(':').unwrap_or(("untitled", uri));
    let rest = percent_decode_str(rest).decode_utf8_lossy();
    let path = format!("{}:/{}", scheme.to_ascii_lowercase(), rest.trim_start_matches('/'));
    let named = Utf8Path::new(&path).extension() == Some(EXTENSION);
    let path = if language == Some(EXTENSION) && !named { format!("{path}.{EXTENSION}") } else { path };
    Utf8PathBuf::from(path)
}

/// The `file:` URI of a path.
pub(crate) fn from_path(path: &Utf8Path) -> Option<Uri> {
    let mut text = path.as_str().to_owned();
    if cfg!(windows) {
        text = text.replace('\\', "/");
    }
    let start = if text.starts_with("//") {
        "file:"
    } else if text.starts_with('/') {
        "file://"
    } else {
        "file:///"
    };
    Uri::from_str(&format!("{start}{}", utf8_percent_encode(&text, KEEP))).ok()
}

/// The same URI with what no URI may hold (blanks, CJK, brackets) percent-encoded: some clients send it raw.
pub(crate) fn lenient(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut out = String::with_capacity(uri.len() + 8);
    for (at, char) in uri.char_indices() {
        let hex = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_hexdigit);
        let fine = match char {
            '%' => hex(at + 1) && hex(at + 2),
            '#' => !out.contains('#'),
            _ => char.is_ascii_alphanumeric() || "-._~:/?@!$&'()*+,;=".contains(char),
        };
        if fine {
            out.push(char);
        } else {
            out.extend(utf8_percent_encode(char.encode_utf8(&mut [0; 4]), NON_ALPHANUMERIC));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(uri: &str) -> Utf8PathBuf {
        path(&Uri::from_str(uri).unwrap(), None)
    }

    #[test]
    #[cfg(not(windows))]
    fn files_there_and_back() {
        for (uri, path) in [
            ("file:///home/a/x.promptblock", "/home/a/x.promptblock"),
            ("file:///a%20b/%E4%BD%A0%E5%A5%BD.promptblock", "/a b/你好.promptblock"),
            ("file:///a/100%25/x%23y%3Fz", "/a/100%/x#y?z"),
            ("file:///a/%5Bid%5D%2Bx", "/a/[id]+x"),
        ] {
            assert_eq!(of(uri), path, "{uri}");
            assert_eq!(from_path(Utf8Path::new(path)).unwrap().as_str(), uri);
        }
    }

    #[test]
    #[cfg(not(windows))]
    fn one_file_has_one_path() {
        for uri in [
            "file:///a/%e4%bd%a0",
            "file:///a/%E4%BD%A0",
            "FILE:///a/%E4%BD%A0",
            "file:/a/%E4%BD%A0",
            "file://localhost/a/%E4%BD%A0",
            "file:///a/./b/../%E4%BD%A0",
            "file:///%61/%E4%BD%A0",
        ] {
            assert_eq!(of(uri), "/a/你", "{uri}");
        }
    }

    #[test]
    fn drive_letters() {
        assert_eq!(drive("/C:/a"), "c:/a");
        assert_eq!(drive("/c:/a"), "c:/a");
        assert_eq!(drive("/ab:/a"), "/ab:/a");
        assert_eq!(from_path(Utf8Path::new("c:/a b")).unwrap().as_str(), "file:///c%3A/a%20b");
    }

    #[test]
    fn what_is_on_no_disk_gets_a_path_that_no_file_has() {
        let untitled = Uri::from_str("untitled:Untitled-1").unwrap();
        assert_eq!(path(&untitled, Some("promptblock")), "untitled:/Untitled-1.promptblock");
        assert_eq!(path(&untitled, Some("plaintext")), "untitled:/Untitled-1");
        let named = Uri::from_str("git:/a/x.promptblock?%7B%7D").unwrap();
        assert!(path(&named, Some("promptblock")).as_str().starts_with("git:/a/x.promptblock"));
        for uri in ["file:///a%FFb", "file:///a%00b", "vscode-remote://ssh/a", "http://x/y"] {
            assert_eq!(file_path(uri), None, "{uri}");
        }
        #[cfg(not(windows))]
        assert_eq!(file_path("file://other/a"), None);
    }

    #[test]
    fn raw_characters_are_encoded_and_nothing_twice() {
        let raw = "file:///a b/你[1]%20100%.promptblock";
        let encoded = lenient(raw);
        assert_eq!(encoded, "file:///a%20b/%E4%BD%A0%5B1%5D%20100%25.promptblock");
        assert_eq!(lenient(&encoded), encoded);
        assert_eq!(file_path(&encoded).unwrap(), "/a b/你[1] 100%.promptblock");
    }
}
