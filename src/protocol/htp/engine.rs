//! The engine: the game that the host has set up, and an answer to each command.

use std::time::{Duration, Instant};

use super::Settings;
use super::message::{COMMANDS, Command, Play, play_line, role_name, square_name};
use crate::game::any_size::Game;
use crate::game::explain::why;
use crate::game::geometry::Square;
use crate::game::moves::Move;
use crate::game::rules::Side;
use crate::game::variants::variant;
use crate::notation::board_text;
use crate::protocol::thinker::Thinker;
use crate::search::limits::{Clock, Limits};

/// Kept back at each move of a timed game, for the way to the host.
const OVERHEAD: Duration = Duration::from_millis(50);

/// An answer to a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The line was empty.
    Nothing,
    /// It was done.
    Success(String),
    /// It was not.
    Refusal(String),
    /// The host wants no more.
    Leave,
}

impl Answer {
    /// The lines to say, if there are any.
    pub fn text(&self) -> Option<String> {
        match self {
            Self::Success(text) => Some(format!("= {text}\n")),
            // Other than after a success an empty line ends it.
            Self::Refusal(text) => Some(format!("? {text}\n\n")),
            Self::Nothing | Self::Leave => None,
        }
    }
}

impl From<Result<String, String>> for Answer {
    fn from(result: Result<String, String>) -> Self {
        match result {
            Ok(text) => Self::Success(text),
            Err(text) => Self::Refusal(text),
        }
    }
}

/// A game with what belongs to it.
pub struct Engine {
    settings: Settings,
    thinker: Thinker,
    /// `None` if the catalogue lacks the rule set, which it does not.
    game: Option<Game>,
    size: usize,
    resigned: Option<Side>,
    /// Of attackers and defenders.
    clocks: Option<[Clock; 2]>,
}

impl Engine {
    /// With an empty game of 11x11, as the reference has it.
    pub fn new(settings: Settings) -> Self {
        let thinker = Thinker::new(settings.means);
        let mut engine =
            Self { settings, thinker, game: None, size: 11, resigned: None, clocks: None };
        engine.set_up(11, None);
        engine
    }

    fn set_up(&mut self, size: usize, first: Option<Side>) {
        let id = match size {
            7 => "htp-brandubh",
            13 => "htp-13",
            _ => "htp-copenhagen",
        };
        let start = variant(id).and_then(|rules| Game::start(rules).ok());
        self.game = start.map(|start| match first {
            Some(side) => {
                let fen = format!("{} {}", start.placement(), side.letter());
                start.with_fen(&fen).unwrap_or(start)
            }
            None => start,
        });
        self.size = size;
        self.resigned = None;
        self.thinker.new_game();
    }

    /// An empty game; the times stay if nothing had been played.
    fn set_up_anew(&mut self, size: usize, first: Option<Side>) {
        if self.game.as_ref().is_some_and(|game| game.plies() > 0) || self.resigned.is_some() {
            self.clocks = None;
        }
        self.set_up(size, first);
    }

    /// Carries out a line of the host.
    pub fn answer(&mut self, line: &str) -> Answer {
        log::debug!("> {}", line.trim_end());
        match Command::parse(line, self.size) {
            Ok(None) => Answer::Nothing,
            Ok(Some(Command::Quit)) => Answer::Leave,
            Ok(Some(command)) => self.carry_out(command).into(),
            Err(why) => Answer::Refusal(why),
        }
    }

    fn carry_out(&mut self, command: Command) -> Result<String, String> {
        match command {
            Command::BoardSize(size) => self.set_up_anew(size, None),
            Command::FirstMove(side) => self.set_up_anew(self.size, Some(side)),
            Command::TimeSettings(times) => {
                self.clocks = times.map(clocks);
                self.set_up(self.size, None);
            }
            Command::PlayUndo => self.undo()?,
            Command::Play(side, play) => return self.play(side, play),
            Command::GenerateMove => {
                let side = self.turn()?;
                let play = self.generate()?;
                return Ok(play_line(side, play, self.size));
            }
            Command::FinalStatus => return self.final_status().map(str::to_owned),
            Command::PlayFrom => return self.play_from(),
            Command::PlayTo(side, square) => return self.play_to(side, square),
            Command::ShowBoard => {
                let mut lines = vec![String::new()];
                lines.extend(board_text::board(self.game()?));
                return Ok(lines.join("\n"));
            }
            Command::ShowBoardOpenTafl => {
                return Ok(format!("/{}/", self.game()?.placement().to_uppercase()));
            }
            Command::Name => return Ok("konakis".to_owned()),
            Command::Version => return Ok(env!("CARGO_PKG_VERSION").to_owned()),
            Command::ProtocolVersion => return Ok("1-beta".to_owned()),
            Command::KnownCommand(name) => {
                return Ok(COMMANDS.contains(&name.as_str()).to_string());
            }
            Command::ListCommands => return Ok(format!("\n{}", COMMANDS.join("\n"))),
            Command::Quit => {}
        }
        Ok(String::new())
    }

    fn game(&self) -> Result<&Game, String> {
        self.game.as_ref().ok_or_else(|| "there is no game".to_owned())
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Result<Side, String> {
        self.game().map(Game::side)
    }

    /// How the game has ended, in the words of the protocol.
    pub fn final_status(&self) -> Result<&'static str, String> {
        let winner = match self.resigned {
            Some(side) => Some(Some(side.other())),
            None => self.game()?.outcome().map(|outcome| outcome.winner),
        };
        Ok(match winner {
            None => "ongoing",
            Some(None) => "draw",
            Some(Some(Side::Attackers)) => "attacker_wins",
            Some(Some(Side::Defenders)) => "defender_wins",
        })
    }

    /// Refuses what needs a game that goes on.
    fn going_on(&self, command: &str) -> Result<&Game, String> {
        match self.final_status()? {
            "ongoing" => self.game(),
            status => Err(format!("{command}: the game is over ({status})")),
        }
    }

    fn play(&mut self, side: Side, play: Play) -> Result<String, String> {
        let game = self.going_on("play")?;
        if game.side() != side {
            return Err(format!("play: it is the {}'s turn", role_name(game.side())));
        }
        match play {
            Play::Resign => {
                self.resigned = Some(side);
                Ok(String::new())
            }
            Play::Move(mv) if game.is_legal(mv) => {
                let captured = names(game.captured_by(mv).into_iter(), self.size);
                self.make(mv);
                Ok(captured)
            }
            Play::Move(mv) => Err(format!("play: {}", why(game, &mv.on(self.size).to_string()))),
        }
    }

    fn make(&mut self, mv: Move) {
        if let Some(game) = &mut self.game {
            game.play(mv);
        }
    }

    /// Thinks about a move for the side whose turn it is and makes it.
    pub fn generate(&mut self) -> Result<Play, String> {
        let start = Instant::now();
        let game = self.going_on("generate_move")?;
        let side = game.side();
        let limits = match &self.clocks {
            Some(clocks) => {
                let clock = clock_of(clocks, side);
                Limits { start, clock: Some(clock), overhead: OVERHEAD, ..Limits::default() }
            }
            None => Limits { start, movetime: Some(self.settings.movetime), ..Limits::default() },
        };
        let game = game.clone();
        let thought = self.thinker.think(&game, limits);
        let thought = thought
            .map_err(|error| format!("generate_move: no thread can be started ({error})"))?;
        let mv = thought.best.ok_or("generate_move: there is no legal move")?;
        if let Some([attackers, defenders]) = &mut self.clocks {
            let clock = if side == Side::Attackers { attackers } else { defenders };
            clock.left = clock.left.saturating_sub(start.elapsed()) + clock.increment;
        }
        self.make(mv);
        Ok(Play::Move(mv))
    }

    fn undo(&mut self) -> Result<(), String> {
        // A resignation is a play.
        if self.resigned.take().is_some() {
            return Ok(());
        }
        match &mut self.game {
            Some(game) if game.plies() > 0 => {
                game.undo();
                Ok(())
            }
            _ => Err("play_undo: nothing has been played".to_owned()),
        }
    }

    fn play_from(&self) -> Result<String, String> {
        let game = self.game()?;
        let mut from: Vec<Square> = self.moves()?.iter().map(|mv| mv.from).collect();
        from.dedup();
        Ok(format!("{} {}", role_name(game.side()), names(from.into_iter(), self.size)))
    }

    fn play_to(&self, side: Side, from: Square) -> Result<String, String> {
        let game = self.game()?;
        if game.side() != side {
            return Err(format!("play_to: it is the {}'s turn", role_name(game.side())));
        }
        let to: Vec<Square> =
            self.moves()?.iter().filter(|mv| mv.from == from).map(|mv| mv.to).collect();
        if to.is_empty() {
            let name = square_name(from, self.size);
            return Err(format!("play_to: no man on {name} can move; see play_from"));
        }
        Ok(names(to.into_iter(), self.size))
    }

    /// The legal moves, none in a game that is over.
    fn moves(&self) -> Result<Vec<Move>, String> {
        Ok(if self.resigned.is_some() { Vec::new() } else { self.game()?.legal_moves() })
    }
}

fn names(squares: impl Iterator<Item = Square>, size: usize) -> String {
    squares.map(|square| square_name(square, size)).collect::<Vec<_>>().join(" ")
}

/// The clocks of a game with so many minutes, and so many seconds added with each move.
fn clocks([minutes, seconds]: [u32; 2]) -> [Clock; 2] {
    let clock = Clock {
        left: Duration::from_secs(60 * u64::from(minutes)),
        increment: Duration::from_secs(seconds.into()),
        moves_to_go: None,
    };
    [clock; 2]
}

fn clock_of([attackers, defenders]: &[Clock; 2], side: Side) -> Clock {
    if side == Side::Attackers { *attackers } else { *defenders }
}
