//! A block file: its rope, its header, its body, and what the rules said of it.

use super::body::Body;
use super::header::parse_header;
use super::text::Text;
use crate::assemble::Vocabulary;
use crate::assemble::estimate::tokens;
use crate::block::{Header, HeaderState};
use crate::diagnostic::Diagnostic;
use crate::lint::{Judge, Names, finish, judge_body, judge_file, judge_header, judge_text};
use crate::profile::Profile;
use crate::project::BlockFacts;
use crate::span::{Span, offset};
use ropey::Rope;
use std::borrow::Cow;
use std::sync::Arc;

/// A header is looked for in so many bytes first; only one that does not end there costs a copy of the whole text.
const HEADER_WINDOW: u32 = 8 * 1024;

/// A block file, read. Cheap to clone: a clone is a snapshot.
#[derive(Clone, Debug)]
pub struct Document {
    text: Rope,
    profile: Arc<Profile>,
    header: Arc<Header>,
    header_findings: Arc<[Diagnostic]>,
    body: Body,
    names: Names,
    /// Revision of the judge whose verdicts the chunks hold; 0 is none.
    judged: u64,
    /// What tokens are counted with, as that judge says; by the estimate where it does not.
    counts: Option<Vocabulary>,
}

impl Document {
    /// Reads a block file.
    pub fn new(text: &str, profile: Arc<Profile>) -> Self {
        Self::from_rope(Rope::from_str(text), profile)
    }

    /// Reads a block file.
    pub fn from_rope(text: Rope, profile: Arc<Profile>) -> Self {
        let (header, findings) = read_header(&text, &profile);
        let body = Body::new(&text, header.body, profile.tags);
        Self {
            text,
            profile,
            header: Arc::new(header),
            header_findings: findings.into(),
            body,
            names: Names::default(),
            judged: 0,
            counts: None,
        }
    }

    /// Reads a body that stands elsewhere, under a header that has been read; its body begins at 0.
    pub(crate) fn embedded(
        text: &str,
        header: Arc<Header>,
        findings: Vec<Diagnostic>,
        profile: Arc<Profile>,
    ) -> Self {
        let text = Rope::from_str(text);
        let body = Body::new(&text, 0, profile.tags);
        let (header_findings, names) = (findings.into(), Names::default());
        Self { text, profile, header, header_findings, body, names, judged: 0, counts: None }
    }

    /// Reads a block file in chunks of a few bytes, so that a short text shows what happens between chunks.
    #[cfg(test)]
    pub(crate) fn in_small_chunks(text: &str, profile: Arc<Profile>) -> Self {
        let mut document = Self::new(text, profile);
        document.body = Body::in_small_chunks(&document.text, document.header.body, document.profile.tags);
        document
    }

    /// Replaces the bytes of `span` by `new`. A span outside the text or off a character's border is moved into it.
    pub fn edit(&mut self, span: Span, new: &str) {
        let start = self.text.byte_to_char(span.range().start.min(self.text.len_bytes()));
        let end = self
            .text
            .byte_to_char(span.range().end.clamp(self.text.char_to_byte(start), self.text.len_bytes()));
        let removed = Span::of(self.text.char_to_byte(start)..self.text.char_to_byte(end));
        self.text.remove(start..end);
        self.text.insert(start, new);
        self.edited(removed, offset(new.len()));
    }

    fn edited(&mut self, removed: Span, inserted: u32) {
        let base = self.header.body;
        // A body stays a body whatever is typed into it; the header's last delimiter line ends right before it.
        let in_body = self.header.state == HeaderState::Closed && removed.start >= base;
        if in_body && (removed.start > base || self.ends_with_break(base)) {
            self.body.edit(&self.text, base, Span::new(removed.start - base, removed.end - base), inserted);
            return;
        }
        let (header, findings) = read_header(&self.text, &self.profile);
        let moved =
            u64::from(base) + u64::from(inserted) == u64::from(header.body) + u64::from(removed.len());
        let both_closed = self.header.state == HeaderState::Closed && header.state == HeaderState::Closed;
        if !(both_closed && moved && removed.end <= base) {
            self.body = self.body.anew(&self.text, header.body);
            self.names = Names::default();
        }
        self.header = Arc::new(header);
        self.header_findings = findings.into();
        // The zone and `template` decide what the body's findings are.
        self.judged = 0;
    }

    /// Whether the text up to `base` ends with a whole line break, so that nothing behind it can change the line before.
    fn ends_with_break(&self, base: u32) -> bool {
        let around = self.slice(Span::new(base.saturating_sub(1), base));
        around == "\n" || around == "\r" && self.slice(Span::new(base, base + 1)) != "\n"
    }

    /// Reads the header anew under another profile.
    pub fn set_profile(&mut self, profile: Arc<Profile>) {
        if self.profile != profile {
            *self = Self::from_rope(self.text.clone(), profile);
        }
    }

    /// The whole text.
    pub fn text(&self) -> &Rope {
        &self.text
    }

    /// A piece of the text; empty where the span does not fit it.
    pub fn slice(&self, span: Span) -> Cow<'_, str> {
        self.text.at(span)
    }

    /// The header.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// The body.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// Where the content ends: before trailing blank lines and the last line's break.
    pub fn content_end(&self) -> u32 {
        self.body.content_end(&self.text, self.header.body)
    }

    /// The content: the body without blank lines around it and without the last line's break.
    pub fn content(&self) -> Span {
        Span::new(self.body.content_start(&self.text, self.header.body), self.content_end())
    }

    /// The openers that nothing closes, malformed ones too, the outermost first.
    pub(crate) fn open_at_end(&self) -> Vec<Span> {
        self.body.open_at_end(self.header.body)
    }

    /// The framework's rules it was read by.
    pub fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// Whether the body is a template.
    pub fn is_template(&self) -> bool {
        self.header.is_template(self.profile.template_default)
    }

    /// Asks the rules about everything that changed since they were last asked. Says whether the set of names that
    /// [`Document::uses`] gives is another now.
    pub fn judge(&mut self, judge: &Judge) -> bool {
        let all = self.judged != judge.revision;
        self.judged = judge.revision;
        if self.counts != judge.counts {
            self.counts = judge.counts;
            self.body.forget_tokens();
        }
        judge_body(judge, &self.header, &self.text, &mut self.body, &mut self.names, all)
    }

    /// Every finding of this file by itself. [`Document::judge`] has been called with the same judge.
    pub fn findings(&self, judge: &Judge) -> Vec<Diagnostic> {
        let mut all = self.header_findings.to_vec();
        all.extend(judge_file(judge, &self.header, &self.text, &self.body));
        all
    }

    /// The findings of a text that stands elsewhere: those on the header's values, in the places of the header, and those in the
    /// body, in places of the text.
    pub(crate) fn embedded_findings(&self, judge: &Judge) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let mut all = self.header_findings.to_vec();
        all.extend(judge_header(judge, &self.header, Some(&self.body)));
        (all, judge_text(judge, &self.header, &self.text, &self.body))
    }

    /// Findings with others of the project added, as they are shown.
    pub fn finish(&self, judge: &Judge, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        finish(judge, &self.header, findings)
    }

    /// First segments of the names used in live tags, loop variables left out, as of the last [`Document::judge`].
    pub fn uses(&self) -> impl Iterator<Item = &Arc<str>> {
        self.names.uses.names()
    }

    /// Names that the findings depend on: a change in the catalog that concerns none of them changes no finding.
    pub fn asked(&self) -> impl Iterator<Item = &Arc<str>> {
        self.names.asked.names()
    }

    /// Tokens of the content as written: by the vocabulary that the last judge counts with, else by the estimate.
    pub fn tokens(&self) -> u32 {
        let base = self.header.body;
        match self.counts {
            None | Some(Vocabulary::Estimate) => tokens(self.body.weight(&self.text, base)),
            Some(vocabulary) => {
                let count = self.body.tokens(&self.text, base, self.content(), vocabulary);
                u32::try_from(count).unwrap_or(u32::MAX)
            }
        }
    }

    /// What the project needs to know of this block, as of the last [`Document::judge`].
    pub fn facts(&self) -> BlockFacts {
        let mut uses: Vec<Arc<str>> = self.uses().cloned().collect();
        uses.sort();
        BlockFacts {
            header: Arc::clone(&self.header),
            blank: self.body.is_blank(),
            uses: uses.into(),
            tokens: self.tokens(),
            exact: self.counts.is_some_and(|counts| counts != Vocabulary::Estimate)
                && self.body.is_countable(),
            origin: None,
        }
    }

    /// Drops what only an open document needs.
    pub fn forget_trees(&mut self) {
        self.body.forget_trees();
    }
}

fn read_header(text: &Rope, profile: &Profile) -> (Header, Vec<Diagnostic>) {
    let len = Text::len(text);
    let window = text.at(Span::new(0, floor(text, HEADER_WINDOW.min(len))));
    let read = parse_header(&window, profile);
    if read.0.state == HeaderState::Closed || (read.0.state == HeaderState::Missing && len > HEADER_WINDOW) {
        // Where there is none, the first line says so, and all of it is the body.
        return read;
    }
    if len <= HEADER_WINDOW { read } else { parse_header(&text.at(Span::new(0, len)), profile) }
}

/// The last border of a character at or before `at`.
fn floor(text: &Rope, at: u32) -> u32 {
    offset(text.char_to_byte(text.byte_to_char(at as usize)))
}
