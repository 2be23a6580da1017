//! Games as OpenTafl records (`.otg`): tags, then a turn a line, each with its comments.
//!
//! ```
//! use konakis::notation::record::{Record, read_all};
//! let mut record = Record::default();
//! record.set("variant", "tablut");
//! record.push("e4-a4", "score cp 12");
//! let text = record.to_string();
//! assert_eq!(read_all(&text).unwrap().records[0].record, record);
//! ```

use std::fmt;

/// A game record.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Record {
    /// Names and values, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The moves as written.
    pub moves: Vec<String>,
    /// A comment for each move; may be empty.
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
        for (number, (moves, comments)) in turns.enumerate() {
            writeln!(f, "{}. {}", number + 1, moves.join(" "))?;
            if comments.iter().any(|comment| !comment.is_empty()) {
                writeln!(f, "[{}]", comments.join("|"))?;
            }
        }
        if self.moves.is_empty() { Ok(()) } else { writeln!(f) }
    }
}

/// A record and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The record.
    pub record: Record,
    /// The byte of the file at which it begins.
    pub start: usize,
    /// The byte behind its last empty line.
    pub end: usize,
}

/// What a file of records holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Records {
    /// Whole records.
    pub records: Vec<Placed>,
    /// Where a last record begins that is cut off, if there is one.
    pub torn: Option<usize>,
}

/// Reads records that this module wrote, one after another.
///
/// A last record that is not ended by an empty line is torn and left out.
///
/// # Errors
/// Names the line that is no part of a record.
pub fn read_all(text: &str) -> Result<Records, String> {
    let mut all = Records::default();
    let mut reader = Reader { text, at: 0 };
    loop {
        reader.skip_blank();
        let start = reader.at;
        if reader.rest().is_empty() {
            return Ok(all);
        }
        match reader.record()? {
            Some(record) => all.records.push(Placed { record, start, end: reader.at }),
            None => {
                all.torn = Some(start);
                return Ok(all);
            }
        }
    }
}

/// `None` from its methods means: the text ends too early.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn skip_blank(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// The next line, which must be ended.
    fn line(&mut self) -> Option<&'a str> {
        let (line, _) = self.rest().split_once('\n')?;
        self.at += line.len() + 1;
        Some(line.trim_end_matches('\r'))
    }

    fn wrong<T>(&self, what: &str) -> Result<T, String> {
        let line = self.text.get(..self.at).unwrap_or("").matches('\n').count() + 1;
        let shown: String = self.rest().lines().next().unwrap_or("").chars().take(40).collect();
        Err(format!("line {line}: '{shown}'; expected {what}"))
    }

    fn record(&mut self) -> Result<Option<Record>, String> {
        let mut record = Record::default();
        while self.rest().starts_with('[') {
            let Some(tag) = self.bracket() else { return Ok(None) };
            let Some((name, value)) = tag.split_once(':') else {
                return self.wrong("a tag such as [variant:tablut] above this line");
            };
            record.tags.push((name.to_owned(), value.to_owned()));
        }
        if record.tags.is_empty() {
            return self.wrong("a tag such as [variant:tablut]");
        }
        match self.line() {
            None => return Ok(None),
            Some("") => {}
            Some(_) => return self.wrong("an empty line above this line, after the tags"),
        }
        if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            return Ok(self.turns(&mut record)?.map(|()| record));
        }
        Ok(Some(record))
    }

    /// What stands between brackets, and the end of its line.
    fn bracket(&mut self) -> Option<&'a str> {
        let inside = self.rest().strip_prefix('[')?;
        let (inside, _) = inside.split_once(']')?;
        self.at += inside.len() + 2;
        self.line().map(|_| inside)
    }

    fn turns(&mut self, record: &mut Record) -> Result<Option<()>, String> {
        loop {
            let here = self.at;
            let Some(line) = self.line() else { return Ok(None) };
            if line.is_empty() {
                return Ok(Some(()));
            }
            let mut words = line.split_whitespace();
            let number = words.next().and_then(|word| word.strip_suffix('.'));
            if !number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit())) {
                self.at = here;
                return self.wrong("a turn such as '1. e4-e7 d1-d3xe3'");
            }
            let before = record.moves.len();
            record.moves.extend(words.map(str::to_owned));
            let mut comments = Vec::new();
            if self.rest().starts_with('[') {
                let Some(inside) = self.bracket() else { return Ok(None) };
                comments.extend(inside.split('|').map(str::to_owned));
            }
            comments.resize(record.moves.len() - before, String::new());
            record.comments.append(&mut comments);
        }
    }
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

    #[test]
    fn other_text_is_refused_with_its_line() {
        for (text, line) in [
            ("hello\n", "line 1"),
            ("[a:b]\n[no tag]\n\n", "line 3"),
            ("[a:b]\ntext\n", "line 3"),
            ("[a:b]\n\n1. e4-e5\ntext\n\n", "line 4"),
        ] {
            let error = read_all(text).unwrap_err();
            assert!(error.starts_with(line), "{error}");
        }
    }
}
