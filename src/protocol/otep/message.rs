//! The lines of OTEP, those to the engine and those to the host, read and written.

use std::fmt;

use super::super::error::shown;
pub use super::clock::{Clock, SideClock};
use crate::game::moves::Move;
use crate::game::rules::Side;

/// A line from the host to the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ToEngine {
    /// The host is there.
    Hello,
    /// The rules string: set up the start position.
    Rules(String),
    /// The position, first rank first.
    Position(String),
    /// Whose turn it is.
    Side(Side),
    /// The time that is left.
    Clock(Clock),
    /// Look for the best moves.
    Analyze {
        /// How many.
        lines: usize,
        /// How long, in seconds.
        seconds: u64,
    },
    /// Think about a move for this side.
    Play(Side),
    /// The engine's move was made, and this is the position after it.
    Moved(String),
    /// The opponent has moved.
    OpponentMove {
        /// The moves, oldest first.
        moves: Vec<String>,
        /// The position after them.
        position: Option<String>,
    },
    /// The engine's move was refused.
    Error(i64),
    /// The game is over.
    Finish(i64),
    /// The engine may leave.
    Goodbye,
}

/// A line from the engine to the host.
#[derive(Clone, PartialEq, Debug)]
pub enum ToHost {
    /// The engine is there.
    Hello,
    /// Shall moves come without their captures?
    SimpleMoves(bool),
    /// What are the rules, the position, the side, the clock?
    Ask(Asked),
    /// The engine's move.
    Move(String),
    /// The best lines with their scores, positive for the attackers.
    Analysis(Vec<(Vec<String>, f64)>),
    /// Something is wrong.
    Error {
        /// Can the engine not go on?
        fatal: bool,
        /// What is wrong.
        text: String,
    },
    /// A line for people.
    Status(String),
}

/// What an engine may ask its host for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asked {
    /// `rules`.
    Rules,
    /// `position`.
    Position,
    /// `side`.
    Side,
    /// `clock`.
    Clock,
}

impl Asked {
    const fn word(self) -> &'static str {
        match self {
            Self::Rules => "rules",
            Self::Position => "position",
            Self::Side => "side",
            Self::Clock => "clock",
        }
    }
}

impl ToEngine {
    /// Reads a line of the host; `None` is one without a word.
    ///
    /// # Errors
    /// Says what is wrong with the line and what would be right.
    pub fn parse(line: &str) -> Result<Option<Self>, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let needed = |what: &str| match rest {
            "" => Err(format!("{word}: expected {what} after it")),
            text => Ok(text.to_owned()),
        };
        let code = || {
            let first = rest.split_whitespace().next().unwrap_or("");
            first.parse().map_err(|_| format!("{word}: '{}' is no number", shown(first)))
        };
        Ok(Some(match word {
            "" => return Ok(None),
            "hello" => Self::Hello,
            "rules" => Self::Rules(needed("a rules string")?),
            "position" => Self::Position(needed("a position")?),
            "side" => Self::Side(side(word, rest)?),
            "clock" => Self::Clock(Clock::parse(rest)?),
            "analyze" => analyze(rest)?,
            "play" => Self::Play(side(word, rest)?),
            "move" => Self::Moved(needed("a position")?),
            "opponent-move" => {
                needed("moves and a position")?;
                let mut words = rest.split_whitespace();
                let moves = words.next().unwrap_or("");
                Self::OpponentMove {
                    moves: moves.split('|').map(str::to_owned).collect(),
                    position: words.next().filter(|text| *text != "-").map(str::to_owned),
                }
            }
            "error" => Self::Error(code()?),
            "finish" => Self::Finish(code()?),
            "goodbye" => Self::Goodbye,
            other => return Err(format!("{}: there is no such command", shown(other))),
        }))
    }
}

fn side(word: &str, text: &str) -> Result<Side, String> {
    match text {
        "attackers" => Ok(Side::Attackers),
        "defenders" => Ok(Side::Defenders),
        other => Err(format!("{word}: '{}'; expected attackers or defenders", shown(other))),
    }
}

fn analyze(rest: &str) -> Result<ToEngine, String> {
    let numbers: Vec<u64> = rest.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        &[lines, seconds] => {
            let lines = usize::try_from(lines).unwrap_or(usize::MAX).max(1);
            Ok(ToEngine::Analyze { lines, seconds })
        }
        _ => Err(format!("analyze: '{}'; expected a number of moves and seconds", shown(rest))),
    }
}

impl fmt::Display for ToEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello => f.write_str("hello"),
            Self::Rules(text) => write!(f, "rules {text}"),
            Self::Position(text) => write!(f, "position {text}"),
            Self::Side(side) => write!(f, "side {}", side.name()),
            Self::Clock(clock) => write!(f, "clock {clock}"),
            Self::Analyze { lines, seconds } => write!(f, "analyze {lines} {seconds}"),
            Self::Play(side) => write!(f, "play {}", side.name()),
            Self::Moved(position) => write!(f, "move {position}"),
            Self::OpponentMove { moves, position } => {
                let position = position.as_deref().unwrap_or("-");
                write!(f, "opponent-move {} {position}", moves.join("|"))
            }
            Self::Error(code) => write!(f, "error {code}"),
            Self::Finish(code) => write!(f, "finish {code}"),
            Self::Goodbye => f.write_str("goodbye"),
        }
    }
}

impl ToHost {
    /// Reads a line of the engine; `None` is one that says nothing to a host, such as a line of
    /// somebody's log.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let asked = |asked| rest.is_empty().then_some(Self::Ask(asked));
        match word {
            "hello" => Some(Self::Hello),
            "simple-moves" => Some(Self::SimpleMoves(rest != "off")),
            "rules" => asked(Asked::Rules),
            "position" => asked(Asked::Position),
            "side" => asked(Asked::Side),
            "clock" => asked(Asked::Clock),
            "move" => Some(Self::Move(rest.to_owned())),
            "status" => Some(Self::Status(rest.to_owned())),
            "analysis" => {
                let words: Vec<&str> = rest.split_whitespace().skip(1).collect();
                let line = |pair: &[&str]| match pair {
                    [moves, score] => {
                        let moves = moves.split('|').map(str::to_owned).collect();
                        Some((moves, score.parse().ok()?))
                    }
                    _ => None,
                };
                words.chunks(2).map(line).collect::<Option<_>>().map(Self::Analysis)
            }
            "error" => {
                let (code, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
                let fatal = code.parse::<i64>().ok()? < 0;
                Some(Self::Error { fatal, text: text.trim().to_owned() })
            }
            _ => None,
        }
    }
}

impl fmt::Display for ToHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello => f.write_str("hello"),
            Self::SimpleMoves(on) => write!(f, "simple-moves {}", if *on { "on" } else { "off" }),
            Self::Ask(asked) => f.write_str(asked.word()),
            Self::Move(record) => write!(f, "move {record}"),
            Self::Analysis(lines) => {
                write!(f, "analysis {}", lines.len())?;
                lines
                    .iter()
                    .try_for_each(|(moves, score)| write!(f, " {} {score}", moves.join("|")))
            }
            Self::Error { fatal, text } => {
                write!(f, "error {} {text}", if *fatal { -1 } else { 0 })
            }
            Self::Status(text) => write!(f, "status {text}"),
        }
    }
}

/// A move as both sides write it by default, `a4-a1`.
pub fn simple_move(mv: Move, size: usize) -> String {
    format!("{}-{}", mv.from.on(size), mv.to.on(size))
}

/// Reads a move in either notation: `a4-a1`, `Ke5-e8xe9/Kf8--`.
pub fn read_move(text: &str, size: usize) -> Option<Move> {
    // A square has one letter: of two the first is that of the piece.
    let mut chars = text.chars();
    let letters = [chars.next(), chars.next()];
    let has_piece = letters.iter().all(|c| c.is_some_and(|c| c.is_ascii_alphabetic()));
    let text = if has_piece { text.get(1..)? } else { text };
    let text = text.trim_end_matches(['+', '-']);
    let (mv, _) = text.split_once(['x', '=']).unwrap_or((text, ""));
    Move::parse(mv, size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_to_the_engine_are_read_as_they_are_written() {
        for line in [
            "hello",
            "rules dim:7 name:Brandubh starti:/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
            "position /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
            "side attackers",
            "clock 60000 30000* 30 3 2",
            "analyze 2 30",
            "play defenders",
            "move /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
            "opponent-move c4-c3 -",
            "opponent-move c4-c3|c3-c2 /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
            "error 2",
            "finish 3",
            "goodbye",
        ] {
            let read = ToEngine::parse(line).unwrap().unwrap();
            assert_eq!(read.to_string(), line);
        }
        assert_eq!(ToEngine::parse("  \r"), Ok(None));
        for (line, part) in [
            ("rules", "rules: expected a rules string"),
            ("play", "play: ''"),
            ("play white", "play: 'white'; expected attackers or defenders"),
            ("error x", "error: 'x' is no number"),
            ("analyze 2", "analyze: '2'"),
            ("move", "move: expected a position"),
            ("frobnicate 1", "frobnicate: there is no such command"),
        ] {
            let error = ToEngine::parse(line).unwrap_err();
            assert!(error.starts_with(part), "{error}");
        }
    }

    #[test]
    fn lines_to_the_host_are_read_as_they_are_written() {
        for line in [
            "hello",
            "simple-moves off",
            "rules",
            "clock",
            "move d1-e1",
            "analysis 2 a4-a3|d5-a5 -135 d6-f6 12.5",
            "analysis 0",
            "error -1 no memory",
            "error 0 kj: no",
            "status Depth 3 explored 1959 states in 0.126 sec",
        ] {
            let read = ToHost::parse(line).unwrap();
            assert_eq!(read.to_string(), line);
        }
        // A log, or half of an analysis.
        assert_eq!(ToHost::parse("Picked up JAVA_TOOL_OPTIONS: -Xmx1g"), None);
        assert_eq!(ToHost::parse("analysis 1 a4-a3"), None);
    }

    #[test]
    fn moves_are_read_in_both_notations() {
        let read = |text| read_move(text, 9).map(|mv| simple_move(mv, 9));
        for text in
            ["e5-e8", "Ke5-e8xe9/Kf8--", "e5-e8+", "ke5-e8", "te5-e8", "Te5-e8xd8", "Ne5-e8++"]
        {
            assert_eq!(read(text).as_deref(), Some("e5-e8"), "{text}");
        }
        for text in ["", "-", "---", "K", "e5", "e5-e10", "Ke5", "é5-e8"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
