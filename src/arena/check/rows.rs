//! The list of questions, and what several of them need.

use std::time::Duration;

use super::Answer::{NotAsked, Right};
use super::candidate::{Candidate, Found};
use super::conversation::*;
use super::thinking::*;
use super::{Answer, Exam, PROMPT, Row};
use crate::game::any_size::Game;

pub type Asked = Result<Answer, String>;

macro_rules! rows {
    ($($id:ident $what:literal),* $(,)?) => {
        /// The questions, in the order of their ids.
        pub const ROWS: &[Row] = &[$(Row { id: stringify!($id), what: $what, ask: $id }),*];
    };
}

rows!(
    C01 "says nothing before the handshake",
    C02 "no line begins with a blank",
    C05 "CRLF, tabs and needless blanks are read",
    C06 "unknown words do no harm",
    C07 "a second handshake gets the same answer",
    C08 "isready is answered during a search",
    C09 "isready is answered after a new game",
    C11 "the end of input ends an idle engine",
    C12 "the end of input ends an endless search, after its bestmove",
    C13 "quit ends a searching engine within a second",
    C14 "stop while idle has no effect, now or later",
    C15 "go infinite and stop in one write give one bestmove",
    C16 "stop, position and go in one write are carried out in order",
    C17 "go infinite does not end by itself",
    C18 "a finished game gets one bestmove without a move",
    C20 "a search tells a score before its bestmove",
    C21 "no info follows a bestmove",
    C22 "the smallest limits still give a legal move",
    C23 "no time at all is not taken for endless time",
    C24 "negative clocks do no harm",
    C25 "one clock is enough",
    C26 "movestogo 0, 1 and 1000",
    C27 "fields of go in any order, with nonsense between",
    C28 "a bare go is answered",
    C32 "no nodes and no depth end at once",
    C33 "a huge depth does no harm",
    C35 "searchmoves: only these moves are played",
    C36 "more lines than moves give each move once",
    C37 "pondering does not end by itself",
    C38 "stop while pondering gives one bestmove",
    C39 "a win in one is mate 1",
    C41 "every move of a line is legal",
    C42 "the expected answer is legal",
    C43 "numbers of info are whole, hashfull at most 1000",
    C44 "no flood of info on a solved position",
    C45 "names of options in any case",
    C46 "wrong options do no harm",
    C47 "the hash grows and shrinks",
    C48 "defaults of options lie in their ranges",
    C49 "an option set during a search does no harm",
    C51 "a wrong FEN does no harm",
    C52 "two kings do no harm",
    C53 "an empty list of moves",
    C54 "a wrong move in a list does no harm",
    C55 "a list of 2000 moves",
    C57 "go twice searches the same position",
    C58 "a second go does no harm",
    C59 "a new game forgets: the same nodes again",
    C61 "bestmove and response are of two words in UGI",
);

/// An engine in an endless search of the start position.
pub fn searching(exam: &Exam) -> Result<Candidate, String> {
    let mut engine = exam.candidate()?;
    engine.say("position startpos\ngo infinite");
    engine.listen(Duration::from_millis(100))?;
    Ok(engine)
}

/// Does the engine still play?
pub fn answers(engine: &mut Candidate, start: &Game) -> Asked {
    engine.asked(start, "go depth 1", PROMPT * 5).map(|_| Right)
}

pub fn legal_after(exam: &Exam, limits: &[&str]) -> Asked {
    let mut engine = exam.candidate()?;
    for go in limits {
        engine.asked(&exam.start, go, PROMPT)?;
    }
    Ok(Right)
}

/// Pondering must go on until `end` is said.
pub fn ponder(exam: &Exam, go: &str, end: &str) -> Asked {
    let mut engine = exam.candidate()?;
    if engine.option("Ponder").is_none() {
        return Ok(NotAsked("no option Ponder"));
    }
    engine.say(&format!("setoption name Ponder value true\nposition startpos\n{go}"));
    let lines = engine.listen(Duration::from_millis(800))?;
    if lines.iter().any(|line| line.starts_with("bestmove")) {
        return Err(format!("a bestmove before {end}"));
    }
    engine.say(end);
    engine.legal(&exam.start, PROMPT)?;
    engine.silent(Duration::from_millis(200)).map(|()| Right)
}

pub fn is_info(line: &str) -> bool {
    line.starts_with("info ") && !line.starts_with("info string")
}

pub fn has(line: &str, word: &str) -> bool {
    line.split_whitespace().any(|other| other == word)
}

pub fn word_after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let mut words = line.split_whitespace();
    words.by_ref().find(|word| *word == key)?;
    words.next()
}

/// The last line about the best move.
pub fn last_info(found: &Found) -> Option<&str> {
    let best = |line: &&String| {
        is_info(line) && word_after(line, "multipv").is_none_or(|number| number == "1")
    };
    found.lines.iter().rev().find(best).map(String::as_str)
}
