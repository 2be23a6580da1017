//! Records read: our own, and those of others, who write more freely.
//!
//! Tags come in any order up to the first turn, values and comments run to the next `]`, empty lines
//! may stand anywhere between. A record ends where the next one begins: behind an empty line with a
//! tag that this one has already, or, once there are turns, with any tag; or with another turn 1.

use super::super::place::{Place, Places, TextError, shown, words};
use super::{Record, Variation};

/// A record and where it stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placed {
    /// The record.
    pub record: Record,
    /// The byte of the file at which it begins.
    pub start: usize,
    /// The byte behind its last empty line.
    pub end: usize,
    /// The line on which it begins, from 1.
    pub line: usize,
    /// Where its moves stand.
    pub places: Vec<Place>,
    /// Where its tags stand.
    pub tag_places: Vec<Place>,
    /// Is it ended by an empty line?
    pub ended: bool,
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
    let mut reader = Reader::new(text);
    while let Some(start) = reader.next_start() {
        match reader.record() {
            Ok(placed) if placed.ended => all.records.push(placed),
            Ok(_) => all.torn = Some(start),
            // What is not closed is cut off if nothing follows.
            Err(Fault { unclosed: true, .. }) => {
                all.torn = Some(start);
                return Ok(all);
            }
            Err(fault) => return Err(fault.error.to_string()),
        }
    }
    Ok(all)
}

/// Reads records of anybody, one after another. One that is broken does not hide those behind it.
pub fn read_each(text: &str) -> Vec<Result<Placed, TextError>> {
    let mut all = Vec::new();
    let mut reader = Reader::new(text);
    while reader.next_start().is_some() {
        match reader.record() {
            Ok(placed) => all.push(Ok(placed)),
            Err(fault) => {
                all.push(Err(fault.error));
                reader.skip_record();
            }
        }
    }
    all
}

/// Why a record cannot be read.
struct Fault {
    error: TextError,
    /// Is it a line or a bracket that the end of the text cuts off?
    unclosed: bool,
}

struct Reader<'a> {
    text: &'a str,
    places: Places<'a>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, places: Places::new(text), at: 0 }
    }

    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    /// Goes to the next character that is no blank: where the next record begins.
    fn next_start(&mut self) -> Option<usize> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        (self.at < self.text.len()).then_some(self.at)
    }

    /// The next line without its end, and whether it is ended.
    fn line(&mut self) -> (&'a str, bool) {
        let rest = self.rest();
        let (line, ended) = match rest.split_once('\n') {
            Some((line, _)) => (line, true),
            None => (rest, false),
        };
        self.at += line.len() + usize::from(ended);
        (line.strip_suffix('\r').unwrap_or(line), ended)
    }

    /// Goes behind empty lines. Is there one?
    fn skip_empty_lines(&mut self) -> bool {
        let mut any = false;
        while let Some((line, _)) =
            self.rest().split_once('\n').filter(|(l, _)| l.trim().is_empty())
        {
            self.at += line.len() + 1;
            any = true;
        }
        any
    }

    fn wrong<T>(&self, at: usize, expected: &str) -> Result<T, Fault> {
        let line = self.text.get(at..).unwrap_or("").lines().next().unwrap_or("");
        let what = format!("'{}'; expected {expected}", shown(line.trim_end()));
        Err(Fault { error: self.places.error(at, what), unclosed: false })
    }

    fn record(&mut self) -> Result<Placed, Fault> {
        let start = self.at;
        let mut record = Record::default();
        let (mut places, mut tag_places) = (Vec::new(), Vec::new());
        let mut ended = false;
        // The end of what belongs to the record for certain.
        let mut end;
        loop {
            end = self.at;
            if self.skip_empty_lines() {
                ended = true;
                end = self.at;
            }
            let blanks = self.rest().len() - self.rest().trim_start_matches([' ', '\t']).len();
            self.at += blanks;
            let here = self.at;
            let rest = self.rest();
            if rest.trim().is_empty() {
                break;
            }
            if rest.starts_with('[') {
                let name = tag_name(rest);
                let again = name.is_some_and(|name| record.tag(name).is_some());
                let turns = !record.moves.is_empty() || !record.variations.is_empty();
                if ended && (turns || again || name.is_none()) {
                    break;
                }
                let inside = self.bracket()?;
                let Some((name, value)) = inside.split_once(':').filter(|_| !turns) else {
                    return self.wrong(here, "a tag such as [variant:tablut]");
                };
                record.tags.push((name.to_owned(), value.to_owned()));
                tag_places.push(self.places.of(here));
                ended = false;
                continue;
            }
            let (line, line_ended) = self.line();
            let Some(address) = address(line) else {
                let expected = if record.tags.is_empty() && record.moves.is_empty() {
                    "a tag such as [variant:tablut]"
                } else {
                    "a turn such as '1. e4-e7 d1-d3xe3'"
                };
                let fault = self.wrong(here, expected);
                return fault.map_err(|fault| Fault { unclosed: !line_ended, ..fault });
            };
            if address == "1" && !record.moves.is_empty() {
                // A game without tags.
                self.at = here;
                break;
            }
            self.turn(&mut record, &mut places, here, (address, line))?;
            ended = false;
        }
        let line = self.places.of(start).line;
        Ok(Placed { record, start, end, line, places, tag_places, ended })
    }

    /// A turn, of the game or of a variation, and its comments.
    fn turn(
        &mut self,
        record: &mut Record,
        places: &mut Vec<Place>,
        here: usize,
        (address, line): (&str, &str),
    ) -> Result<(), Fault> {
        let moves: Vec<(usize, &str)> = words(line).skip(1).collect();
        let mut comments: Vec<String> = Vec::new();
        let rest = self.rest();
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        if rest.get(blanks..).is_some_and(|rest| rest.starts_with('[')) {
            self.at += blanks;
            let inside = self.bracket()?;
            comments.extend(inside.split('|').map(str::to_owned));
        }
        if address.bytes().all(|byte| byte.is_ascii_digit()) {
            let moves: Vec<_> = moves.into_iter().filter(|(_, mv)| !is_given(mv)).collect();
            fit(&mut comments, moves.len());
            let Place { line, column: first } = self.places.of(here);
            let place = |(column, _): &(usize, &str)| Place { line, column: first + column - 1 };
            places.extend(moves.iter().map(place));
            record.moves.extend(moves.iter().map(|(_, mv)| (*mv).to_owned()));
            record.comments.append(&mut comments);
        } else {
            fit(&mut comments, moves.len());
            record.variations.push(Variation {
                after: record.moves.len(),
                address: address.to_owned(),
                moves: moves.iter().map(|(_, mv)| (*mv).to_owned()).collect(),
                comments,
            });
        }
        Ok(())
    }

    /// What stands between brackets; goes behind them and, if nothing else is on it, to the next
    /// line.
    fn bracket(&mut self) -> Result<&'a str, Fault> {
        let open = self.at;
        let inside = self.rest().strip_prefix('[').unwrap_or("");
        let (inside, unclosed) = match inside.split_once(']') {
            Some((inside, _)) => (inside, false),
            None => (inside, true),
        };
        // A tag on a line of its own inside is the next one: this bracket was forgotten.
        let forgotten = inside.split('\n').skip(1).any(|line| tag_name(line).is_some());
        if unclosed || forgotten {
            let what = format!("'{}' is not closed; expected ] behind it", first_line(self.rest()));
            return Err(Fault { error: self.places.error(open, what), unclosed });
        }
        self.at += inside.len() + 2;
        let here = self.at;
        let (line, _) = self.line();
        if !line.trim().is_empty() {
            self.at = here;
        }
        Ok(inside)
    }

    /// Goes to the next tag behind an empty line.
    fn skip_record(&mut self) {
        loop {
            let (line, _) = self.line();
            if self.rest().is_empty() {
                return;
            }
            if line.trim().is_empty() && tag_name(self.rest()).is_some() {
                return;
            }
        }
    }
}

fn first_line(text: &str) -> String {
    shown(text.lines().next().unwrap_or("").trim_end())
}

/// The name of the tag that a text begins with.
fn tag_name(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix('[')?.split_once(':')?;
    let letters = name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'-');
    (letters && !name.is_empty()).then_some(name)
}

/// The address that a turn begins with, without its point: `12` in the game, `3b.3.1a` in a
/// variation.
fn address(line: &str) -> Option<&str> {
    let address = line.split_whitespace().next()?.strip_suffix('.')?;
    let known = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_lowercase() || byte == b'.';
    let begins = address.starts_with(|c: char| c.is_ascii_digit());
    (begins && address.bytes().all(known)).then_some(address)
}

/// Does a word stand for a move that was given already?
fn is_given(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte == b'.')
}

/// Makes them one comment a move: what is left over goes to the last one.
fn fit(comments: &mut Vec<String>, moves: usize) {
    if moves > 0 && comments.len() > moves {
        let last = comments.split_off(moves - 1).join(" / ");
        comments.push(last);
    }
    comments.resize(moves, String::new());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<Record> {
        read_each(text).into_iter().map(|read| read.unwrap().record).collect()
    }

    #[test]
    fn other_text_is_refused_with_its_place() {
        for (text, place) in [
            ("hello\n", "line 1, column 1: 'hello'; expected a tag"),
            ("[a:b]\n[no tag]\n\n", "line 2, column 1: '[no tag]'; expected a tag"),
            ("[a:b]\ntext\n", "line 2, column 1: 'text'; expected a turn"),
            ("[a:b]\n\n1. e4-e5\n  text\n\n", "line 4, column 3: 'text'; expected a turn"),
        ] {
            let error = read_all(text).unwrap_err();
            assert!(error.starts_with(place), "{error}");
        }
    }

    #[test]
    fn what_others_write_is_read() {
        let text = "[rules:dim:9\n  name:x]\n\n[date:2017.04.15] [result:?]\n\n1. f3-f6 e7-d7\n[|]\n\n\
                    2. f6-g6 Ke6-e7\n[3600 30/3 hello\n\nthere|]\n\n2a.1.1a. d5-f5 Ke6-e7\n[|]\n\n\
                    3. ..... a1-a2\n";
        let [record] = &records(text)[..] else { panic!("one record") };
        assert_eq!(record.tag("rules"), Some("dim:9\n  name:x"));
        assert_eq!(record.tag("result"), Some("?"));
        assert_eq!(record.moves, ["f3-f6", "e7-d7", "f6-g6", "Ke6-e7", "a1-a2"]);
        assert_eq!(record.comments, ["", "", "3600 30/3 hello\n\nthere", "", ""]);
        assert_eq!(record.variations[0].after, 4);
        assert_eq!(record.variations[0].moves, ["d5-f5", "Ke6-e7"]);
    }

    #[test]
    fn moves_know_where_they_stand() {
        let placed = read_each("\n[a:b]\n\n1. e4-e7  d1-d3\n2. a1-a2").remove(0).unwrap();
        let places: Vec<_> = placed.places.iter().map(|place| (place.line, place.column)).collect();
        assert_eq!(places, [(4, 4), (4, 11), (5, 4)]);
        assert_eq!((placed.line, placed.ended), (2, false));
    }

    #[test]
    fn games_follow_each_other_with_and_without_tags() {
        let text = "1. a1-a2\n\n1. b1-b2 c1-c2\n\n[a:1]\n[b:2]\n\n[a:3]\n1. d1-d2\n\n[a:4]\n";
        let moves: Vec<usize> = records(text).iter().map(|record| record.moves.len()).collect();
        assert_eq!(moves, [1, 2, 0, 1, 0]);
        let tags: Vec<_> = records(text).iter().map(|r| r.tag("a").map(str::to_owned)).collect();
        assert_eq!(tags[2..], ["1", "3", "4"].map(|tag| Some(tag.to_owned())));
    }

    #[test]
    fn a_broken_record_does_not_hide_the_next() {
        for (broken, place) in [
            ("[a:1\n[b:2]\n\n1. a1-a2\n", "line 1, column 1: '[a:1' is not closed"),
            ("[a:1]\n\n1. a1-a2\n[no end\n", "line 4, column 1: '[no end' is not closed"),
            ("[a:1]\n\nwhat\n\n1. a1-a2\n", "line 3, column 1: 'what'"),
        ] {
            let text = format!("{broken}\n[a:2]\n\n1. e4-e5\n");
            let read = read_each(&text);
            let error = read[0].as_ref().unwrap_err().to_string();
            assert!(error.starts_with(place), "{error}");
            assert_eq!(read.len(), 2, "{text}");
            assert_eq!(read[1].as_ref().unwrap().record.tag("a"), Some("2"));
        }
        assert_eq!(read_each("[a:1\n").len(), 1);
        assert!(read_each(" \n\n").is_empty());
    }
}
