//! A line of the protocol as a value.

use super::error::{ProtocolError, shown};
use super::go::GoRequest;

/// What a peer can ask for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// `uci`: the handshake of UCI.
    Uci,
    /// `ugi`: the handshake of UGI.
    Ugi,
    /// `isready`.
    IsReady,
    /// `ucinewgame` or `uginewgame`.
    NewGame,
    /// `setoption name N [value V]`.
    SetOption {
        /// The name of the option, as sent.
        name: String,
        /// The value, if there is one.
        value: Option<String>,
    },
    /// `position startpos|fen FEN [moves …]`.
    Position {
        /// The FEN; `None` is the start position.
        fen: Option<String>,
        /// The words after `moves`.
        moves: Vec<String>,
    },
    /// `go …`.
    Go(GoRequest),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `debug on|off`.
    Debug(bool),
    /// `query WORD [MOVE]`.
    Query {
        /// What is asked.
        word: String,
        /// The rest of the line.
        argument: Option<String>,
    },
    /// `d`.
    Display,
    /// `eval`.
    Eval,
    /// `perft N` or `go perft N`.
    Perft {
        /// Plies.
        depth: u32,
        /// Show the leaves behind each move.
        divide: bool,
    },
    /// `bench [DEPTH]`.
    Bench {
        /// Plies, if not the usual ones.
        depth: Option<u32>,
    },
    /// `help`.
    Help,
}

impl Command {
    /// Reads a line; `None` if there is nothing on it.
    ///
    /// # Errors
    /// If the first word is no command or what follows does not fit it.
    pub fn parse(line: &str) -> Result<Option<Self>, ProtocolError> {
        let mut words = line.split_whitespace();
        let Some(first) = words.next() else { return Ok(None) };
        let rest: Vec<&str> = words.collect();
        Ok(Some(match first {
            "uci" => Self::Uci,
            "ugi" => Self::Ugi,
            "isready" => Self::IsReady,
            "ucinewgame" | "uginewgame" => Self::NewGame,
            "setoption" => set_option(&rest)?,
            "position" => position(&rest)?,
            "go" => go(&rest)?,
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "quit" => Self::Quit,
            "debug" => match rest.first() {
                Some(&"on") => Self::Debug(true),
                Some(&"off") => Self::Debug(false),
                _ => return Err(syntax("debug", "expected on or off")),
            },
            "query" => match rest.split_first() {
                Some((word, argument)) => Self::Query {
                    word: (*word).to_owned(),
                    argument: (!argument.is_empty()).then(|| argument.join(" ")),
                },
                None => return Err(syntax("query", "expected a word, such as result")),
            },
            "d" => Self::Display,
            "eval" => Self::Eval,
            "perft" => Self::Perft { depth: depth("perft", rest.first())?, divide: false },
            "bench" => Self::Bench {
                depth: match rest.first() {
                    None => None,
                    word => Some(depth("bench", word)?),
                },
            },
            "help" => Self::Help,
            other => return Err(ProtocolError::UnknownCommand(shown(other))),
        }))
    }
}

fn syntax(command: &'static str, what: impl Into<String>) -> ProtocolError {
    ProtocolError::Syntax { command, what: what.into() }
}

/// A number of plies.
fn depth(command: &'static str, word: Option<&&str>) -> Result<u32, ProtocolError> {
    let word = word.ok_or_else(|| syntax(command, "expected a number of plies"))?;
    word.parse().ok().filter(|depth| *depth <= 99).ok_or_else(|| {
        syntax(command, format!("'{}' is no number of plies; expected 0 to 99", shown(word)))
    })
}

/// The name is what stands between the first `name` and the first `value` after it.
fn set_option(words: &[&str]) -> Result<Command, ProtocolError> {
    let expected = "expected setoption name NAME [value VALUE]";
    let Some((&"name", rest)) = words.split_first() else {
        return Err(syntax("setoption", expected));
    };
    let end = rest.iter().position(|word| *word == "value").unwrap_or(rest.len());
    let name = rest.get(..end).unwrap_or_default().join(" ");
    if name.is_empty() {
        return Err(syntax("setoption", expected));
    }
    let value = rest.get(end + 1..).map(|words| words.join(" "));
    Ok(Command::SetOption { name, value })
}

fn position(words: &[&str]) -> Result<Command, ProtocolError> {
    let end = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let moves = words.iter().skip(end + 1).map(|word| (*word).to_owned()).collect();
    let fen = match words.get(..end).unwrap_or_default() {
        ["startpos"] => None,
        ["fen"] => return Err(syntax("position", "expected a FEN after fen")),
        ["fen", fen @ ..] => Some(fen.join(" ")),
        _ => {
            let what = "expected position startpos or position fen FEN, then moves and the moves";
            return Err(syntax("position", what));
        }
    };
    Ok(Command::Position { fen, moves })
}

fn go(words: &[&str]) -> Result<Command, ProtocolError> {
    match words.iter().position(|word| *word == "perft") {
        Some(at) => {
            Ok(Command::Perft { depth: depth("go perft", words.get(at + 1))?, divide: true })
        }
        None => Ok(Command::Go(GoRequest::parse(words))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_may_contain_blanks() {
        let option = |line| match Command::parse(line) {
            Ok(Some(Command::SetOption { name, value })) => (name, value),
            other => panic!("{line}: {other:?}"),
        };
        assert_eq!(
            option("setoption name Move Overhead value 30"),
            ("Move Overhead".to_owned(), Some("30".to_owned()))
        );
        assert_eq!(
            option("setoption name Debug Log File value my value file.log"),
            ("Debug Log File".to_owned(), Some("my value file.log".to_owned()))
        );
        assert_eq!(option("setoption name Clear Hash"), ("Clear Hash".to_owned(), None));
        assert_eq!(option("setoption name X value"), ("X".to_owned(), Some(String::new())));
    }

    #[test]
    fn lines_that_are_none() {
        assert_eq!(Command::parse("  \t\r\n"), Ok(None));
        for bad in [
            "xyzzy",
            "position",
            "position fen",
            "position startpos e3e4",
            "setoption Hash 3",
            "setoption name value 3",
            "perft",
            "perft x",
            "perft -1",
            "go perft",
            "debug",
            "query",
        ] {
            assert!(Command::parse(bad).is_err(), "{bad}");
        }
    }
}
