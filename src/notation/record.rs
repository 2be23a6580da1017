//! Games as OpenTafl records (`.otg`): tags, then a turn a line, each with its comments, and
//! variations under the turns they leave.
//!
//! ```
//! use konakis::notation::record::{Record, read_all};
//! let mut record = Record::default();
//! record.set("variant", "tablut");
//! record.push("e4-a4", "score cp 12");
//! let text = record.to_string();
//! assert_eq!(read_all(&text).unwrap().records[0].record, record);
//! ```

mod reader;

use std::fmt;

pub use reader::{Placed, Records, read_all, read_each};

/// A game record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Names and values, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The moves as written.
    pub moves: Vec<String>,
    /// A comment for each move; may be empty.
    pub comments: Vec<String>,
    /// What might have been played instead, in the order of the file.
    pub variations: Vec<Variation>,
}

/// A turn of a variation. It is kept as it stands, not played.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Variation {
    /// How many moves of the game stand before it in the file.
    pub after: usize,
    /// Its address, such as `3b.3.1a`: the first move of the third variation off the second move of
    /// turn 3.
    pub address: String,
    /// Its moves as written; `.....` stands for one that was given already.
    pub moves: Vec<String>,
    /// A comment for each of them; may be empty.
    pub comments: Vec<String>,
}

impl Record {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Appends a tag. What would end the value is replaced: `]` by `)`, `[` by `(`.
    pub fn set(&mut self, name: &str, value: &str) {
        self.tags.push((name.to_owned(), value.replace(']', ")").replace('[', "(")));
    }

    /// Appends a move with its comment. What would end the comment is replaced, `|` by `/`.
    pub fn push(&mut self, mv: &str, comment: &str) {
        let comment = comment.replace(']', ")").replace('[', "(").replace('|', "/");
        self.moves.push(mv.to_owned());
        self.comments.push(comment.replace(['\n', '\r'], " "));
    }
}

impl fmt::Display for Record {
    /// The record as it stands in a file, with the empty line that ends it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            writeln!(f, "[{name}:{value}]")?;
        }
        writeln!(f)?;
        let turns = self.moves.chunks(2).zip(self.comments.chunks(2));
        let mut variations = self.variations.iter().peekable();
        for (number, (moves, comments)) in turns.enumerate() {
            turn(f, &(number + 1).to_string(), moves, comments)?;
            let given = 2 * number + moves.len();
            while let Some(variation) = variations.next_if(|next| next.after <= given) {
                turn(f, &variation.address, &variation.moves, &variation.comments)?;
            }
        }
        if self.moves.is_empty() { Ok(()) } else { writeln!(f) }
    }
}

fn turn(
    f: &mut fmt::Formatter<'_>,
    address: &str,
    moves: &[String],
    comments: &[String],
) -> fmt::Result {
    writeln!(f, "{address}. {}", moves.join(" "))?;
    if comments.iter().any(|comment| !comment.is_empty()) {
        writeln!(f, "[{}]", comments.join("|"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(moves: usize) -> Record {
        let mut record = Record::default();
        record.set("event", "a [test]");
        record.set("start-comment", "line one\nline two");
        for ply in 0..moves {
            record.push("e4-e5xe6", if ply == 1 { "score 1|2]" } else { "" });
        }
        record
    }

    #[test]
    fn records_are_read_back() {
        let records = [sample(3), sample(0), sample(2), sample(1)];
        let text: String = records.iter().map(Record::to_string).collect();
        let read = read_all(&text).unwrap();
        assert_eq!(read.torn, None);
        assert_eq!(read.records.last().unwrap().end, text.len());
        let again: Vec<Record> = read.records.into_iter().map(|placed| placed.record).collect();
        assert_eq!(again, records);
        assert_eq!(again[0].tag("event"), Some("a (test)"));
        assert!(text.contains("\n1. e4-e5xe6 e4-e5xe6\n[|score 1/2)]\n2. e4-e5xe6\n\n"), "{text}");
    }

    #[test]
    fn variations_keep_their_places() {
        let mut record = sample(3);
        let variation = |after, address: &str, moves: &[&str]| Variation {
            after,
            address: address.to_owned(),
            moves: moves.iter().map(|&mv| mv.to_owned()).collect(),
            comments: moves.iter().map(|mv| format!("why {mv}")).collect(),
        };
        record.variations = vec![
            variation(2, "1a.1.1a", &["e4-e6", "d4-d5"]),
            variation(2, "1b.1.1a", &[".....", "a4-a3xa2"]),
            variation(3, "2a.1.1a", &["e4-e7"]),
        ];
        let text = record.to_string();
        assert!(
            text.contains("\n1b.1.1a. ..... a4-a3xa2\n[why .....|why a4-a3xa2]\n2. "),
            "{text}"
        );
        assert_eq!(read_all(&text).unwrap().records[0].record, record);
    }

    #[test]
    fn a_cut_anywhere_in_the_last_record_is_found() {
        let whole = sample(3).to_string();
        let last = sample(5);
        let text = whole.clone() + &last.to_string();
        for cut in whole.len() + 1..text.len() {
            let read = read_all(&text[..cut]).unwrap();
            assert_eq!(read.records[0].end, whole.len());
            // Cut behind the tags it looks like a game without moves: who reads must count them.
            let seen = read.records.len() == 2 && read.records[1].record.moves.is_empty();
            assert!(seen || read.torn == Some(whole.len()), "{cut}: {read:?}");
        }
    }
}
