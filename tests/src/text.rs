//! Positions, found by walking over the characters: slow, and independent of how the server does it.

use serde_json::{Value, json};

/// What `character` counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units.
    Utf16,
    /// Characters.
    Utf32,
}

impl Encoding {
    /// Each of them.
    pub const ALL: [Self; 3] = [Self::Utf8, Self::Utf16, Self::Utf32];

    /// The protocol's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16 => "utf-16",
            Self::Utf32 => "utf-32",
        }
    }

    /// How long a character is.
    pub const fn width(self, char: char) -> usize {
        match self {
            Self::Utf8 => char.len_utf8(),
            Self::Utf16 => char.len_utf16(),
            Self::Utf32 => 1,
        }
    }
}

/// The position of a byte offset, as a pair.
pub fn position(text: &str, at: usize, encoding: Encoding) -> (usize, usize) {
    let (mut line, mut column) = (0, 0);
    let mut chars = text.char_indices().peekable();
    while let Some((start, char)) = chars.next() {
        if start >= at {
            break;
        }
        let before_feed = char == '\r' && chars.peek().is_some_and(|(_, next)| *next == '\n');
        if char == '\n' || (char == '\r' && !before_feed) {
            (line, column) = (line + 1, 0);
        } else if !before_feed {
            column += encoding.width(char);
        }
    }
    (line, column)
}

/// The byte offset of a position that exists.
pub fn offset(text: &str, wanted: (usize, usize), encoding: Encoding) -> usize {
    let at = (0..=text.len()).filter(|at| text.is_char_boundary(*at));
    at.into_iter()
        .find(|at| position(text, *at, encoding) == wanted)
        .unwrap_or_else(|| panic!("no place {wanted:?}"))
}

/// The range of bytes as the protocol has it.
pub fn range(text: &str, start: usize, end: usize, encoding: Encoding) -> Value {
    let place = |at| {
        let (line, character) = position(text, at, encoding);
        json!({"line": line, "character": character})
    };
    json!({"start": place(start), "end": place(end)})
}

/// The range of the only occurrence of `piece`.
pub fn range_of(text: &str, piece: &str, encoding: Encoding) -> Value {
    let mut found = text.match_indices(piece);
    let (Some((start, _)), None) = (found.next(), found.next()) else {
        panic!("not once in the text: {piece}")
    };
    range(text, start, start + piece.len(), encoding)
}

/// A sequence of numbers that look random and are the same on every run.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The sequence of that number.
    pub const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `sides`.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % sides.max(1)
    }

    /// One of them.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }
}
