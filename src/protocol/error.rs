//! What can be wrong with a peer's line, each with a sentence a person can act on.

use std::fmt;

use crate::game::fen::FenError;

/// Something a peer sent that cannot be carried out. The state stays as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProtocolError {
    /// The first word is no command.
    UnknownCommand(String),
    /// A command lacks what must follow it, or has a word it does not know.
    Syntax {
        /// The command.
        command: &'static str,
        /// What was wrong and what would be right.
        what: String,
    },
    /// There is no option of this name.
    UnknownOption(String),
    /// A value is missing, no number, out of range or not among those allowed.
    BadValue {
        /// What the value is for.
        name: String,
        /// What was wrong and what would be right.
        what: String,
    },
    /// The FEN is none of a legal board.
    BadFen(FenError),
    /// A word after `moves` is no legal move.
    BadMove {
        /// The word.
        word: String,
        /// Its place in the list, from 1.
        ply: usize,
        /// Why.
        why: String,
    },
    /// The command cannot be carried out while a search is running.
    Busy,
    /// A file cannot be opened or written.
    File(String),
    /// The machine does not give what is needed.
    Resources(String),
}

impl ProtocolError {
    /// The word that names the kind of the error.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::UnknownCommand(_) => "unknown-command",
            Self::Syntax { .. } => "syntax",
            Self::UnknownOption(_) => "unknown-option",
            Self::BadValue { .. } => "bad-value",
            Self::BadFen(_) => "bad-fen",
            Self::BadMove { .. } => "bad-move",
            Self::Busy => "busy",
            Self::File(_) => "file",
            Self::Resources(_) => "resources",
        }
    }
}

impl fmt::Display for ProtocolError {
    /// `WORD: what was wrong and what would be right`, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.word())?;
        match self {
            Self::UnknownCommand(word) => {
                write!(f, "'{word}' is no command; the line is ignored (help lists the commands)")
            }
            Self::Syntax { command, what } => write!(f, "{command}: {what}"),
            Self::UnknownOption(name) => {
                write!(f, "there is no option '{name}'; uci lists the options")
            }
            Self::BadValue { name, what } => write!(f, "{name}: {what}"),
            Self::BadFen(error) => write!(f, "{error}; the position is unchanged"),
            Self::BadMove { word, ply, why } => {
                write!(f, "'{word}', ply {ply}: {why}; the position is unchanged")
            }
            Self::Busy => f.write_str("a search is running; send stop first"),
            Self::File(what) | Self::Resources(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for ProtocolError {}

/// Somebody's word as it may stand inside an error line: short, and without control characters.
pub fn shown(word: &str) -> String {
    let mut text: String = word.chars().take(60).flat_map(|c| escaped(c).into_iter()).collect();
    if word.chars().nth(60).is_some() {
        text.push('…');
    }
    text
}

fn escaped(c: char) -> Vec<char> {
    if c.is_control() { c.escape_default().collect() } else { vec![c] }
}
