//! `volatile-literal`: a timestamp, a UUID, or the date of today written into the system zone's text. Whoever writes it there
//! will write another one tomorrow, and the cached prefix goes. [S0]

use crate::span::Span;
use crate::syntax::{Fence, Token, prose};
use crate::{Code, Diagnostic, Message, msg};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Words that make the date behind them today's.
const CUES: [&str; 11] = [
    "today is",
    "today's date",
    "current date",
    "current time",
    "as of",
    "今天是",
    "今日",
    "当前日期",
    "当前时间",
    "现在是",
    "截至",
];

/// So many characters may stand between such a word and its date.
const REACH: usize = 12;

struct Patterns {
    date: Regex,
    time_behind: Regex,
    time_before: Regex,
    uuid: Regex,
}

static PATTERNS: LazyLock<Option<Patterns>> = LazyLock::new(|| {
    Some(Patterns {
        date: Regex::new(
            r"[0-9]{4}(?:-[0-9]{1,2}-[0-9]{1,2}|/[0-9]{1,2}/[0-9]{1,2}|\.[0-9]{1,2}\.[0-9]{1,2}|年[0-9]{1,2}月[0-9]{1,2}日)",
        )
        .ok()?,
        // Fractions of a second follow, or not; they are no part of the literal.
        time_behind: Regex::new(r"^(?:[ \t]|T)([0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)(\.[0-9]+)?").ok()?,
        time_before: Regex::new(r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?[ \t]$").ok()?,
        uuid: Regex::new(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}").ok()?,
    })
});

impl Patterns {
    /// The date in a line together with the time of day next to it.
    fn timestamp(&self, line: &str, date: Range<usize>) -> Option<Range<usize>> {
        let behind = self.time_behind.captures(&line[date.end..]).and_then(|found| {
            let (whole, time) = (found.get(0)?, found.get(1)?);
            ends(line, date.end + whole.end()).then_some(date.start..date.end + time.end())
        });
        behind.or_else(|| {
            // As many bytes as a time of day can have, and one before it.
            let from = date.start.saturating_sub(10);
            let from = (from..=date.start).find(|at| line.is_char_boundary(*at))?;
            let time = self.time_before.find(&line[from..date.start])?;
            let start = from + time.start();
            let goes_on = line[..start]
                .strip_suffix(':')
                .is_some_and(|rest| rest.ends_with(|c: char| c.is_ascii_digit()));
            (alone(line, start..date.start - 1) && !goes_on).then_some(start..date.end)
        })
    }
}

/// The findings in one chunk's text; `fence` is open where it begins, `tags` are live and are no text.
pub(super) fn check(text: &str, fence: Option<Fence>, tags: &[Token]) -> Vec<Diagnostic> {
    let Some(patterns) = &*PATTERNS else { return Vec::new() };
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (line, code) in prose(fence, text) {
        let said = line.of_str(text);
        let mut report = |span: Span, message: Message| {
            let span = span.shift(line.start);
            let apart = |other: Span| other.end <= span.start || span.end <= other.start;
            if code.iter().all(|code| apart(*code)) && tags.iter().all(|tag| apart(tag.span)) {
                found.push(Diagnostic::new(Code::VolatileLiteral, span, message));
            }
        };
        for date in patterns.date.find_iter(said) {
            if !alone(said, date.range()) || !is_date(date.as_str()) {
                continue;
            }
            if let Some(timestamp) = patterns.timestamp(said, date.range()) {
                report(
                    Span::of(timestamp),
                    msg!(
                        "a timestamp in the system zone will not stay true, and each new one costs the cached prefix; use a variable in the context zone",
                        "系统区里的时间戳很快会过期，每次更新都会使前缀缓存失效；请在上下文区使用变量"
                    ),
                );
            } else if is_todays(&said[..date.start()]) {
                report(
                    Span::of(date.range()),
                    msg!(
                        "today's date in the system zone will not stay true, and each new one costs the cached prefix; use a variable in the context zone",
                        "系统区里的当天日期很快会过期，每次更新都会使前缀缓存失效；请在上下文区使用变量"
                    ),
                );
            }
        }
        for uuid in patterns.uuid.find_iter(said).filter(|uuid| alone(said, uuid.range())) {
            report(
                Span::of(uuid.range()),
                msg!(
                    "a UUID in the system zone looks made for one session; a new one each time costs the cached prefix",
                    "系统区里的 UUID 像是某次会话专用的；每次更换都会使前缀缓存失效"
                ),
            );
        }
    }
    found.sort_by_key(|finding| finding.span.start);
    found
}

/// Whether no digit or letter goes on at either side, as in a version number or a longer identifier.
fn alone(line: &str, range: Range<usize>) -> bool {
    let before = line[..range.start].chars().next_back();
    !before.is_some_and(|c| joins(c) || matches!(c, '.' | '-' | '/')) && ends(line, range.end)
}

/// Whether a number or word that ends at `end` ends there indeed: `2026.1.2.3` is a version, `2026.1.2.` ends a sentence.
fn ends(line: &str, end: usize) -> bool {
    let mut behind = line[end..].chars();
    let (next, second) = (behind.next(), behind.next());
    let goes_on = next.is_some_and(|c| matches!(c, '.' | '-' | '/' | ':'))
        && second.is_some_and(|c| c.is_ascii_digit());
    !(next.is_some_and(|c| joins(c) && c != 'T' && c != 'Z') || goes_on)
}

fn joins(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn is_date(date: &str) -> bool {
    let mut numbers =
        date.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty()).map(str::parse::<u32>);
    let mut next = || numbers.next().and_then(Result::ok).unwrap_or(0);
    let (_, month, day) = (next(), next(), next());
    (1..=12).contains(&month) && (1..=31).contains(&day)
}

/// Whether the text before a date ends with one of the words, or nearly.
fn is_todays(before: &str) -> bool {
    let from = before.char_indices().rev().nth(REACH + 15).map_or(0, |(at, _)| at);
    let near = before[from..].to_ascii_lowercase().replace('\u{2019}', "'");
    CUES.iter().any(|cue| {
        near.rfind(cue).is_some_and(|at| {
            let word_before = near[..at].chars().next_back().is_some_and(char::is_alphanumeric);
            let gap = &near[at + cue.len()..];
            let word_behind = gap.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
            let bounded = !cue.is_ascii() || !(word_before || word_behind);
            bounded && gap.chars().count() <= REACH
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::lint::fixture::{block, check, system};

    fn found(text: &str) -> Vec<&str> {
        super::check(text, None, &[]).iter().map(|finding| finding.span.of_str(text)).collect()
    }

    #[test]
    fn timestamps() {
        assert_eq!(found("名🎉 Built 2026-02-03 10:11:12 here"), ["2026-02-03 10:11:12"]);
        assert_eq!(
            found("2026-02-03T10:11:12Z, 2026/2/3 9:05, 2026年2月3日 10:11。"),
            ["2026-02-03T10:11:12", "2026/2/3 9:05", "2026年2月3日 10:11"]
        );
    }

    #[test]
    fn the_time_next_to_the_date_on_either_side() {
        assert_eq!(
            found("at 10:11 2026-02-03, 9:05:01\t2026年2月3日"),
            ["10:11 2026-02-03", "9:05:01\t2026年2月3日"]
        );
        for text in [
            "10:11  2026-02-03",
            "10:11, 2026-02-03",
            "1:10:11:12 2026-02-03",
            "v10:11 2026-02-03",
            "10:11T2026-02-03",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
        assert_eq!(found("名10:11 2026-02-03 10:12"), ["2026-02-03 10:12"]);
    }

    #[test]
    fn fractions_of_a_second_and_a_zone_are_no_part_of_it() {
        assert_eq!(
            found("2026-02-03T10:11:12.345Z 2026-02-03 10:11:12.5, 2026-02-03T10:11:12+08:00"),
            ["2026-02-03T10:11:12", "2026-02-03 10:11:12", "2026-02-03T10:11:12"]
        );
        assert!(found("2026-02-03 10:11:12.5.6 2026-02-03 10:11:12.5x").is_empty());
    }

    #[test]
    fn todays_date() {
        assert_eq!(found("Today is 2026-01-31."), ["2026-01-31"]);
        assert_eq!(
            found("Today’s date: 2026.1.31\n今天是2026年1月31日，当前日期：2026/01/31"),
            ["2026.1.31", "2026年1月31日", "2026/01/31"]
        );
        assert!(found("Today is a day like any other, 2026-01-31").is_empty(), "too far");
        assert!(found("It was as of\n2026-01-31").is_empty(), "another line");
        assert!(found("He has offered 2026-01-31, has of 2026-01-31").is_empty(), "part of a word");
    }

    #[test]
    fn uuids() {
        assert_eq!(
            found("id 123e4567-e89b-12d3-a456-426614174000."),
            ["123e4567-e89b-12d3-a456-426614174000"]
        );
        assert!(found("a123e4567-e89b-12d3-a456-426614174000").is_empty());
    }

    #[test]
    fn what_is_meant_stays_quiet() {
        for text in [
            "Version of 2026-02-03",
            "at 10:11:12",
            "v2026.1.2.3 10:11",
            "2026-13-40 10:11",
            "Today is Monday",
            "`2026-02-03 10:11:12`",
            "```\n2026-02-03 10:11:12\n```",
            "tel. 2026-02-0310:11",
            "今天是星期一",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }

    #[test]
    fn in_a_file_the_literal_alone() {
        check(&block(
            "zone: system\norder: 10",
            "
名🎉é Built 2026-02-03 10:11:12 here, 今天是 2026年1月31日。 Today’s date: 2026.1.31!
          ^^^^^^^^^^^^^^^^^^^ volatile-literal: a timestamp
                                        ^^^^^^^^^^ volatile-literal: today's date
                                                                  ^^^^^^^^^ volatile-literal
id 123e4567-e89b-12d3-a456-426614174000, 2026-02-03T10:11
   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ volatile-literal: a UUID
                                         ^^^^^^^^^^^^^^^^ volatile-literal
",
        ));
    }

    #[test]
    fn each_of_the_words() {
        for word in [
            "today is",
            "TODAY'S DATE",
            "Current date",
            "current time",
            "As of",
            "今天是",
            "今日",
            "当前日期",
            "当前时间",
            "现在是",
            "截至",
        ] {
            let before = " ".repeat(word.chars().count() + 2);
            check(&block(
                "zone: system\norder: 10",
                &format!("{word}: 2026/1/31\n{before}^^^^^^^^^ volatile-literal"),
            ));
        }
    }

    #[test]
    fn at_most_twelve_characters_before_the_date() {
        check(&block(
            "zone: system\norder: 10",
            "
今天是一二三四五六七八九十一二2026-01-31
               ^^^^^^^^^^ volatile-literal
今天是一二三四五六七八九十一二三2026-01-31
",
        ));
    }

    #[test]
    fn not_in_the_other_zones() {
        let body = "Today is 2026-01-31. Built 2026-02-03 10:11:12, 123e4567-e89b-12d3-a456-426614174000";
        check(&block("zone: context\norder: 10", body));
        check(&block("zone: input\ntemplate: true", &format!("{body} {{prompt}}")));
    }

    #[test]
    fn not_in_code_over_many_lines_and_again_behind_it() {
        let filler = "只是为了让文件变长的一行。\n".repeat(150);
        check(&block(
            "zone: system\norder: 10",
            &format!(
                "```text\n{filler}2026-02-03 10:11:12\n~~~\n2026-02-03 10:11:12\n```\n2026-02-03 10:11:12\n^^^^^^^^^^^^^^^^^^^ volatile-literal\n{filler}`2026-02-03 10:11:12` ``a ` 2026-02-03 10:11:12``\n"
            ),
        ));
    }

    #[test]
    fn not_in_a_tag_but_in_the_text_around_it() {
        check(&system(
            r#"
{weather "2026-02-03 10:11:12"} {if character_name == "2026-02-03 10:11:12"}2026-02-03 10:11:12{/if}
                                                                            ^^^^^^^^^^^^^^^^^^^ volatile-literal
"#,
        ));
    }
}
