//! The lines of HTP: commands of the host and moves, read and written.

use super::super::error::shown;
use crate::game::geometry::Square;
use crate::game::moves::Move;
use crate::game::rules::Side;

/// The commands there are.
pub const COMMANDS: [&str; 17] = [
    "board_size",
    "final_status",
    "first_move",
    "generate_move",
    "known_command",
    "list_commands",
    "name",
    "play",
    "play_from",
    "play_to",
    "play_undo",
    "protocol_version",
    "quit",
    "show_board",
    "show_board_open_tafl",
    "time_settings",
    "version",
];

/// A command of the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Sets up an empty game on a board of this size.
    BoardSize(usize),
    /// How has the game ended?
    FinalStatus,
    /// Sets up an empty game in which this side begins.
    FirstMove(Side),
    /// Think and move.
    GenerateMove,
    /// Is there such a command?
    KnownCommand(String),
    /// Which commands are there?
    ListCommands,
    /// What are you called?
    Name,
    /// A side moves.
    Play(Side, Play),
    /// Which men can move?
    PlayFrom,
    /// Where to can this man of that side move?
    PlayTo(Side, Square),
    /// Take the last move back.
    PlayUndo,
    /// Which protocol is spoken?
    ProtocolVersion,
    /// Leave.
    Quit,
    /// The board for people.
    ShowBoard,
    /// The board as a line.
    ShowBoardOpenTafl,
    /// Time for the game, in minutes, and added with each move, in seconds; `None` is no limit.
    TimeSettings(Option<[u32; 2]>),
    /// Which version are you?
    Version,
}

/// What a side does in its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Play {
    /// It moves.
    Move(Move),
    /// It gives the game up.
    Resign,
}

impl Command {
    /// Reads a line of the host, for a board of `size`; `None` if there is nothing on it but blanks
    /// and a comment.
    ///
    /// # Errors
    /// Says what is wrong and what would be right.
    pub fn parse(line: &str, size: usize) -> Result<Option<Self>, String> {
        let line = line.split('#').next().unwrap_or("");
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&word, rest)) = words.split_first() else { return Ok(None) };
        Ok(Some(match word {
            "board_size" => Self::BoardSize(board_size(rest)?),
            "final_status" => Self::FinalStatus,
            "first_move" => Self::FirstMove(role(word, rest.first())?),
            "generate_move" => Self::GenerateMove,
            "known_command" => match rest.first() {
                Some(name) => Self::KnownCommand((*name).to_owned()),
                None => return Err("known_command: expected the name of a command".to_owned()),
            },
            "list_commands" => Self::ListCommands,
            "name" => Self::Name,
            "play" => {
                let side = role(word, rest.first())?;
                Self::Play(side, play(rest.get(1..).unwrap_or_default(), size)?)
            }
            "play_from" => Self::PlayFrom,
            "play_to" => {
                let side = role(word, rest.first())?;
                let square = rest.get(1).and_then(|name| Square::parse(name, size));
                let wrong = || format!("play_to: expected {word} ROLE SQUARE");
                Self::PlayTo(side, square.ok_or_else(wrong)?)
            }
            "play_undo" => Self::PlayUndo,
            "protocol_version" => Self::ProtocolVersion,
            "quit" => Self::Quit,
            "show_board" => Self::ShowBoard,
            "show_board_open_tafl" => Self::ShowBoardOpenTafl,
            "time_settings" => Self::TimeSettings(time_settings(rest)?),
            "version" => Self::Version,
            other => return Err(format!("'{}' is no command; see list_commands", shown(other))),
        }))
    }

    /// The line that says so, on a board of `size`.
    pub fn line(&self, size: usize) -> String {
        match self {
            Self::BoardSize(size) => format!("board_size {size}"),
            Self::FinalStatus => "final_status".to_owned(),
            Self::FirstMove(side) => format!("first_move {}", role_name(*side)),
            Self::GenerateMove => "generate_move".to_owned(),
            Self::KnownCommand(name) => format!("known_command {name}"),
            Self::ListCommands => "list_commands".to_owned(),
            Self::Name => "name".to_owned(),
            Self::Play(side, play) => play_line(*side, *play, size),
            Self::PlayFrom => "play_from".to_owned(),
            Self::PlayTo(side, square) => {
                format!("play_to {} {}", role_name(*side), square_name(*square, size))
            }
            Self::PlayUndo => "play_undo".to_owned(),
            Self::ProtocolVersion => "protocol_version".to_owned(),
            Self::Quit => "quit".to_owned(),
            Self::ShowBoard => "show_board".to_owned(),
            Self::ShowBoardOpenTafl => "show_board_open_tafl".to_owned(),
            Self::TimeSettings(None) => "time_settings un-timed".to_owned(),
            Self::TimeSettings(Some([minutes, seconds])) => {
                format!("time_settings fischer {minutes} {seconds}")
            }
            Self::Version => "version".to_owned(),
        }
    }
}

fn board_size(words: &[&str]) -> Result<usize, String> {
    match words.first().map(|word| (word, word.parse())) {
        Some((_, Ok(size @ (7 | 11 | 13)))) => Ok(size),
        Some((word, _)) => Err(format!("board_size: '{}'; expected 7, 11 or 13", shown(word))),
        None => Err("board_size: expected 7, 11 or 13 after it".to_owned()),
    }
}

fn role(command: &str, word: Option<&&str>) -> Result<Side, String> {
    let word = word.copied().unwrap_or("");
    match word.to_ascii_lowercase().as_str() {
        "a" | "attacker" => Ok(Side::Attackers),
        "d" | "defender" => Ok(Side::Defenders),
        _ => Err(format!("{command}: '{}' is no role; expected attacker or defender", shown(word))),
    }
}

/// What stands behind the role.
fn play(words: &[&str], size: usize) -> Result<Play, String> {
    match words {
        ["resign" | "resigns", ..] => Ok(Play::Resign),
        [from, to, ..] => {
            let square = |name| {
                Square::parse(name, size)
                    .ok_or_else(|| format!("play: '{}' is no square of this board", shown(name)))
            };
            let (from, to) = (square(from)?, square(to)?);
            if from == to {
                return Err("play: the man has to move; expected two squares".to_owned());
            }
            Ok(Play::Move(Move { from, to }))
        }
        _ => Err("play: expected play ROLE FROM TO or play ROLE resign".to_owned()),
    }
}

fn time_settings(words: &[&str]) -> Result<Option<[u32; 2]>, String> {
    let number = |word: &str, what: &str| {
        word.parse().map_err(|_| format!("time_settings: '{}' is no number of {what}", shown(word)))
    };
    match words {
        ["un-timed", ..] => Ok(None),
        ["fischer", minutes, seconds, ..] => {
            Ok(Some([number(minutes, "minutes")?, number(seconds, "seconds")?]))
        }
        _ => Err("time_settings: expected un-timed or fischer MINUTES SECONDS".to_owned()),
    }
}

/// `attacker` or `defender`.
pub const fn role_name(side: Side) -> &'static str {
    match side {
        Side::Attackers => "attacker",
        Side::Defenders => "defender",
    }
}

/// A square as the protocol writes it: upper case on 13x13.
pub fn square_name(square: Square, size: usize) -> String {
    let name = square.on(size).to_string();
    if size == 13 { name.to_uppercase() } else { name }
}

/// `play ROLE FROM TO`.
pub fn play_line(side: Side, play: Play, size: usize) -> String {
    let role = role_name(side);
    match play {
        Play::Move(Move { from, to }) => {
            format!("play {role} {} {}", square_name(from, size), square_name(to, size))
        }
        Play::Resign => format!("play {role} resigns"),
    }
}

/// What an engine answers; lines that are no answer are none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reply {
    /// `= …`.
    Success(String),
    /// `? …`.
    Failure(String),
}

impl Reply {
    /// Reads a line of an engine; `None` is what a host leaves aside.
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let success = line.strip_prefix('=').map(|text| Self::Success(text.trim().to_owned()));
        let failure = || line.strip_prefix('?').map(|text| Self::Failure(text.trim().to_owned()));
        success.or_else(failure)
    }
}

/// The move in an engine's answer to `generate_move`: `play ROLE FROM TO`, whatever follows behind a
/// comma.
///
/// # Errors
/// If it is none.
pub fn generated(answer: &str, size: usize) -> Result<(Side, Play), String> {
    let answer = answer.split(',').next().unwrap_or("");
    match Command::parse(answer, size)? {
        Some(Command::Play(side, play)) => Ok((side, play)),
        _ => Err(format!("'{}' is no move; expected play ROLE FROM TO", shown(answer))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read_as_they_are_written() {
        for line in [
            "board_size 13",
            "first_move defender",
            "known_command play",
            "play attacker A4 B4",
            "play defender resigns",
            "play_to attacker A13",
            "time_settings un-timed",
            "time_settings fischer 15 10",
        ] {
            assert_eq!(Command::parse(line, 13).unwrap().unwrap().line(13), line);
        }
        for name in COMMANDS {
            let alone = Command::parse(name, 11);
            assert!(alone.is_err() || alone.unwrap().unwrap().line(11) == name, "{name}");
        }
        let read = |line| Command::parse(line, 11).unwrap().map(|command| command.line(11));
        assert_eq!(read("  play A A8 b8 # comment").as_deref(), Some("play attacker a8 b8"));
        assert_eq!(read("play D resign").as_deref(), Some("play defender resigns"));
        assert_eq!(read(" # play"), None);
        assert_eq!(read("\t\r\n"), None);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (line, part) in [
            ("board_size 9", "expected 7, 11 or 13"),
            ("board_size", "expected 7, 11 or 13"),
            ("first_move white", "'white' is no role"),
            ("play attacker a12 a1", "'a12' is no square"),
            ("play attacker a1 a1", "has to move"),
            ("play attacker a1", "expected play ROLE FROM TO"),
            ("play", "'' is no role"),
            ("play_to attacker", "expected play_to ROLE SQUARE"),
            ("time_settings fischer 1 x", "'x' is no number of seconds"),
            ("time_settings bronstein", "expected un-timed"),
            ("frobnicate", "'frobnicate' is no command"),
        ] {
            let error = Command::parse(line, 11).unwrap_err();
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn replies_are_found_among_other_lines() {
        assert_eq!(Reply::parse("= a1 b2 "), Some(Reply::Success("a1 b2".to_owned())));
        assert_eq!(Reply::parse("="), Some(Reply::Success(String::new())));
        assert_eq!(Reply::parse("? play: no"), Some(Reply::Failure("play: no".to_owned())));
        assert_eq!(Reply::parse("2 turn: attacker play: …"), None);
        let read = generated("play attacker a8 a9, score: 12.5", 11).unwrap();
        assert_eq!(play_line(read.0, read.1, 11), "play attacker a8 a9");
        assert!(generated("attacker a8 a9", 11).is_err());
        assert!(generated("", 11).is_err());
    }
}
