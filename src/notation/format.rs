//! [`Format`]: the formats in which games come, and how one is told from another.

use clap::ValueEnum;

use super::place::TextError;
use super::record::read_each;
use super::recorded::{Entry, RecordedGame};
use super::{archive, lines, referee_log};

/// A format of games or positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// OpenTafl records (.otg)
    Otg,
    /// A game a line: its moves, perhaps behind a FEN
    Lines,
    /// The archive's CSV: moves, two counts of captures, the result
    Csv,
    /// A log file of the Tablut Challenge's referee
    Challenge,
    /// A position a line: a FEN
    Fens,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Otg, Self::Lines, Self::Csv, Self::Challenge, Self::Fens];

    /// The format that a text looks like: by what its first lines begin with.
    pub fn recognise(text: &str) -> Self {
        let said = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
        let mut first = text.lines().filter(said).take(4).peekable();
        let Some(line) = first.peek().map(|line| line.trim_start()) else { return Self::Lines };
        // Numbered moves on one line are a game as well; a record has its turns on lines.
        let numbered = line.strip_prefix("1. ").is_some_and(|turn| {
            !turn.split_whitespace().any(|word| word == "2.")
                && text.lines().any(|line| line.trim_start().starts_with("2. "))
        });
        if line.starts_with('[') || numbered {
            Self::Otg
        } else if first.clone().any(archive::is_line) {
            Self::Csv
        } else if first.any(referee_log::is_line) {
            Self::Challenge
        } else {
            lines::recognise(text)
        }
    }

    /// Reads all games, those that are broken as what is wrong with them.
    pub fn read(self, text: &str) -> Vec<Result<Entry, TextError>> {
        match self {
            Self::Lines => lines::read(text),
            Self::Fens => lines::read_fens(text),
            Self::Csv => archive::read(text),
            Self::Challenge => referee_log::read(text),
            Self::Otg => read_each(text)
                .into_iter()
                .map(|placed| {
                    let placed = placed?;
                    let place = super::place::Place { line: placed.line, column: 1 };
                    let mut entry = Entry::new(place);
                    entry.record = placed.record;
                    entry.places = placed.places;
                    entry.tag_places = placed.tag_places;
                    Ok(entry)
                })
                .collect(),
        }
    }

    /// Writes a game; those of one format can follow each other in a file.
    ///
    /// # Errors
    /// If the format cannot say it.
    pub fn write(self, game: &RecordedGame) -> Result<String, String> {
        match self {
            Self::Otg => game.to_record().map(|record| record.to_string()),
            Self::Lines => Ok(lines::write(game)),
            Self::Fens => Ok(lines::write_fen(game)),
            Self::Csv => archive::write(game),
            Self::Challenge => referee_log::write(game),
        }
    }
}

/// Text as people store it, in one form: without a byte order mark, with `\n` at the ends of lines;
/// bytes that are no UTF-8 are read as Latin-1.
///
/// # Errors
/// If it is no text at all.
pub fn decode(bytes: Vec<u8>) -> Result<String, String> {
    if bytes.contains(&0) {
        return Err("no text: there are zero bytes in it".to_owned());
    }
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect());
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if !text.contains('\r') {
        return Ok(text.to_owned());
    }
    Ok(text.replace("\r\n", "\n").replace('\r', "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognised() {
        for (text, format) in [
            ("", Format::Lines),
            ("# nothing\n\n", Format::Lines),
            ("[event:x]\n\n1. e4-e5\n", Format::Otg),
            ("\n  [event:x]\n", Format::Otg),
            ("1. e4-e5 e6-e7\n2. e7-e8\n", Format::Otg),
            ("1. e4-e5 e6-e7 2. e7-e8\n", Format::Lines),
            ("1. e4-e5 e6-e7\n1. e4-e6 e6-e7\n", Format::Lines),
            ("e4e5 e6e7xe8,e9\n", Format::Lines),
            ("e4-e5,0,0,White\n", Format::Csv),
            ("e2-d2xc2,d3 e4-e5 timeout,2,0,black\n", Format::Csv),
            ("moves,black,white,status\ne4-e5,0,0,White\n", Format::Csv),
            ("e4e5xe6,e7,e8\n", Format::Lines),
            ("3aaa3/4a4 a\n", Format::Fens),
            ("# x\nfen 3aaa3/4a4 a\n3aaa3/4a4 d 0 0\n", Format::Fens),
            ("3aaa3/4a4 a\n3aaa3/4a4 a moves e4e5\n", Format::Lines),
            ("3aaa3/4a4 a\ne4e5\n", Format::Lines),
            (
                "feb 15, 2019 Domain.GameAshtonTablut <init>\nBUONO: Inizio partita\n",
                Format::Challenge,
            ),
            ("FINE: Turn: W Pawn from e4 to f4\n", Format::Challenge),
        ] {
            assert_eq!(Format::recognise(text), format, "{text}");
        }
    }

    #[test]
    fn texts_are_decoded() {
        assert_eq!(decode(b"\xef\xbb\xbfa\r\nb\rc\n".to_vec()).unwrap(), "a\nb\nc\n");
        assert_eq!(decode("Ödin".into()).unwrap(), "Ödin");
        assert_eq!(decode(b"\xd6din".to_vec()).unwrap(), "Ödin");
        assert!(decode(b"a\0b".to_vec()).is_err());
    }
}
