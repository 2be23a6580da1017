//! What a player types.

/// A line of the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Nothing: the board again.
    Board,
    /// A move, or what is meant as one.
    Move(String),
    /// What would the engine play?
    Hint,
    /// Take the last move back, and the answer to it.
    Undo,
    /// The legal moves, of one square if it is given.
    Moves(Option<String>),
    /// Why is a move legal or not?
    Why(String),
    /// The rules in words.
    Rules,
    /// The position as a FEN.
    Fen,
    /// The moves so far.
    Record,
    /// Change sides.
    Switch,
    /// How strong the engine plays.
    Level(String),
    /// Save the game to a file; `over`: to one that is there already as well.
    Save {
        /// The file.
        file: String,
        /// May it be there already?
        over: bool,
    },
    /// Give the game up.
    Resign,
    /// Begin anew.
    New,
    /// What can be typed.
    Help,
    /// Leave.
    Quit,
}

/// What can be typed, a command a line.
pub const HELP: [(&str, &str); 15] = [
    ("e3e6, e3-e6", "make a move: the square it leaves, the square it enters"),
    ("hint", "what the engine would play"),
    ("undo", "take your last move back, and the answer to it"),
    ("moves [SQUARE]", "the legal moves, of one piece or of all"),
    ("why MOVE", "what a move captures, or which rule forbids it"),
    ("board", "the board again (an empty line as well)"),
    ("rules", "the rules of this game in words"),
    ("fen, record", "the position as text, the moves so far"),
    ("switch", "change sides with the engine"),
    ("level N", "how strong the engine plays, 0 to 20"),
    ("save FILE", "save the game as an OpenTafl record (.otg); save! FILE writes over a file"),
    ("resign", "give the game up"),
    ("new", "begin anew"),
    ("help", "this list"),
    ("quit", "leave (nothing is saved by itself)"),
];

impl Command {
    /// Reads a line. Whatever is no command is meant as a move.
    ///
    /// # Errors
    /// Says what is missing behind a command.
    pub fn parse(line: &str) -> Result<Self, String> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let needed = |what: &str| match rest {
            "" => Err(format!("{word} what? Expected {word} {what}")),
            rest => Ok(rest.to_owned()),
        };
        Ok(match word.to_lowercase().as_str() {
            "" | "board" | "b" => Self::Board,
            "hint" | "h" => Self::Hint,
            "undo" | "back" | "u" => Self::Undo,
            "moves" | "m" => Self::Moves((!rest.is_empty()).then(|| rest.to_owned())),
            "why" => Self::Why(needed("MOVE, such as why e3e6")?),
            "rules" => Self::Rules,
            "fen" => Self::Fen,
            "record" => Self::Record,
            "switch" => Self::Switch,
            "level" => Self::Level(needed("N, 0 to 20")?),
            "save" => Self::Save { file: needed("FILE")?, over: false },
            "save!" => Self::Save { file: needed("FILE")?, over: true },
            "resign" => Self::Resign,
            "new" => Self::New,
            "help" | "?" => Self::Help,
            "quit" | "exit" | "q" => Self::Quit,
            _ => Self::Move(line.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        let parse = |line| Command::parse(line).unwrap();
        assert_eq!(parse("  "), Command::Board);
        assert_eq!(parse("e3e6"), Command::Move("e3e6".to_owned()));
        assert_eq!(parse("E3 - e6"), Command::Move("E3 - e6".to_owned()));
        assert_eq!(parse("HINT"), Command::Hint);
        assert_eq!(parse("moves"), Command::Moves(None));
        assert_eq!(parse("moves  e3 "), Command::Moves(Some("e3".to_owned())));
        let save = |file: &str, over| Command::Save { file: file.to_owned(), over };
        assert_eq!(parse("save my game.otg"), save("my game.otg", false));
        assert_eq!(parse("save! x"), save("x", true));
        for (line, part) in [("save", "FILE"), ("why ", "MOVE"), ("level", "0 to 20")] {
            assert!(Command::parse(line).unwrap_err().contains(part), "{line}");
        }
    }
}
