//! Where something stands in a text, and what is wrong there.

use std::fmt;

/// A place in a text: line and column, both from 1; columns are characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// What is wrong with a text, where, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextError {
    /// Where.
    pub place: Place,
    /// What, as a sentence without its beginning.
    pub what: String,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.what)
    }
}

impl std::error::Error for TextError {}

/// The places of the bytes of a text.
#[derive(Clone, Debug)]
pub struct Places<'a> {
    text: &'a str,
    /// Where lines begin, in bytes.
    starts: Vec<usize>,
}

impl<'a> Places<'a> {
    /// The places of this text.
    pub fn new(text: &'a str) -> Self {
        let after = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { text, starts: std::iter::once(0).chain(after.map(|(at, _)| at + 1)).collect() }
    }

    /// The place of a byte, which must be the first one of a character.
    pub fn of(&self, byte: usize) -> Place {
        let line = self.starts.partition_point(|&start| start <= byte).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start..byte).unwrap_or("");
        Place { line, column: before.chars().count() + 1 }
    }

    /// Something that is wrong at a byte.
    pub fn error(&self, byte: usize, what: impl Into<String>) -> TextError {
        TextError { place: self.of(byte), what: what.into() }
    }
}

/// The words of a line, each with the column in which it begins, from 1.
pub fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let (mut at, mut column) = (0, 1);
    line.split_whitespace().map(move |word| {
        // Words are parts of the line, so that their addresses tell where they stand.
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        column += line.get(at..start).map_or(0, |before| before.chars().count());
        at = start;
        (column, word)
    })
}

/// Somebody's text as it may be shown to a person: its beginning, on one line.
pub fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char_shown).collect();
    if text.chars().nth(40).is_some() {
        shown.push('…');
    }
    shown
}

fn char_shown(c: char) -> Vec<char> {
    if c.is_control() { c.escape_default().collect() } else { vec![c] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let text = "ab\nÖd e\n\nx";
        let places = Places::new(text);
        let place = |part: &str| {
            let Place { line, column } = places.of(text.find(part).unwrap());
            (line, column)
        };
        assert_eq!(place("ab"), (1, 1));
        assert_eq!(place("Öd"), (2, 1));
        assert_eq!(place("d e"), (2, 2));
        assert_eq!(place("x"), (4, 1));
        assert_eq!(places.of(text.len()), Place { line: 4, column: 2 });
        assert_eq!(Places::new("").of(0), Place { line: 1, column: 1 });
        assert_eq!(words(" äb  c ").collect::<Vec<_>>(), [(2, "äb"), (6, "c")]);
    }

    #[test]
    fn what_is_shown_is_short_and_on_one_line() {
        assert_eq!(shown("a\nb\u{7}ö"), "a\\nb\\u{7}ö");
        assert_eq!(shown(&"x".repeat(50)), "x".repeat(40) + "…");
    }
}
