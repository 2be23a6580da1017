//! [`GameReport`]: what an analysis says of a game. Text, JSON, records and pages show it.

use std::sync::Arc;

use crate::eval::odds::Odds;
use crate::game::moves::Move;
use crate::game::outcome::{Call, Outcome};
use crate::game::rules::{Rules, Side};
use crate::search::score::Score;

/// A game, position by position.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReport {
    /// The file the game stands in; `-` is standard input.
    pub source: String,
    /// The line of the file on which the game begins, from 1.
    pub line: usize,
    /// The number of the game in its file, from 1; broken games are counted.
    pub number: usize,
    /// What the record says about the game: names and values, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The rule set.
    pub rules: Arc<Rules>,
    /// The positions in the order of play; there is at least one. The last one has no move.
    pub positions: Vec<PositionReport>,
}

/// A position of a game and the move that was played there.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionReport {
    /// Moves made before it.
    pub ply: usize,
    /// The position.
    pub fen: String,
    /// The side to move.
    pub side: Side,
    /// The move that was played; `None` in the last position.
    pub mv: Option<Move>,
    /// That move as OpenTafl writes it, such as `Ke5-e8xe9/f8--`; empty without a move.
    pub text: String,
    /// What the record says about that move; may be empty.
    pub comment: String,
    /// What the position is worth to the side to move. In a finished game a loss in 0 plies, a win in
    /// 0 plies or 0 centipawns.
    pub score: Score,
    /// The best move; `None` in a finished game.
    pub best: Option<Move>,
    /// The line that begins with the best move, every move legal in sequence.
    pub pv: Vec<Move>,
    /// The chances of the side to move.
    pub wdl: Odds,
    /// The best lines, best first, if more than one was asked for.
    pub lines: Vec<Line>,
    /// What the played move gave away, in thousandths of a point (a win is a point, a draw half of
    /// one); 0 for a move as good as the best. `None` without a move and in a finished game.
    pub loss: Option<u32>,
    /// What is remarkable about the played move.
    pub mark: Option<Mark>,
    /// What is announced here.
    pub call: Option<Call>,
    /// How the game has ended here, if it has. After a repetition the pieces may still move on.
    pub outcome: Option<Outcome>,
}

/// A line of play from a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What it is worth to the side to move.
    pub score: Score,
    /// The chances of the side to move.
    pub wdl: Odds,
    /// The moves, every one legal in sequence.
    pub pv: Vec<Move>,
}

/// What is remarkable about a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mark {
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
    /// A proven win was there, and is not any more.
    MissedWin,
    /// The best move where every other one gives away as much as a blunder.
    OnlyMove,
}

impl Mark {
    /// All marks.
    pub const ALL: [Self; 5] =
        [Self::Dubious, Self::Mistake, Self::Blunder, Self::MissedWin, Self::OnlyMove];

    /// `?!`, `?`, `??`, `missed-win` or `only-move`: as it stands in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Dubious => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
            Self::MissedWin => "missed-win",
            Self::OnlyMove => "only-move",
        }
    }

    /// The mark of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|mark| mark.name() == name)
    }
}

impl GameReport {
    /// The value of a tag of the record.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The squares on a side of the board.
    pub fn size(&self) -> usize {
        self.rules.size
    }

    /// How the game has ended by the rules, if it has.
    pub fn outcome(&self) -> Option<Outcome> {
        self.positions.last().and_then(|position| position.outcome)
    }
}
