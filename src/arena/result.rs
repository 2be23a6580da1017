//! What came of a game.

use std::fmt;
use std::time::Duration;

use super::player::{Fault, FaultKind};
use super::schedule::Slot;
use crate::game::moves::Move;
use crate::game::outcome::Reason;
use crate::game::rules::Side;
use crate::search::score::Score;

/// Why a game ended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ending {
    /// By the rules of the game.
    Rules(RulesEnding),
    /// Drawn at the limit of plies.
    MaxPlies,
    /// The engines agreed who wins.
    AdjudicatedWin,
    /// The engines agreed on a draw.
    AdjudicatedDraw,
    /// The loser's fault.
    Fault(FaultKind),
}

/// A [`Reason`] that can be sorted for tables.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RulesEnding(pub Reason);

impl Ord for RulesEnding {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.0 as u8).cmp(&(other.0 as u8))
    }
}

impl PartialOrd for RulesEnding {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

const REASONS: [Reason; 7] = [
    Reason::KingCaptured,
    Reason::KingEscaped,
    Reason::ExitFort,
    Reason::Encirclement,
    Reason::Repetition,
    Reason::NoMoves,
    Reason::PlyLimit,
];

impl Ending {
    /// The name in records, such as `king-escaped` or `illegal-move`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rules(reason) => reason.0.name(),
            Self::MaxPlies => "max-plies",
            Self::AdjudicatedWin => "adjudicated-win",
            Self::AdjudicatedDraw => "adjudicated-draw",
            Self::Fault(kind) => kind.name(),
        }
    }

    /// The ending of this name.
    pub fn parse(name: &str) -> Option<Self> {
        let rules = REASONS.into_iter().map(|reason| Self::Rules(RulesEnding(reason)));
        let others = [Self::MaxPlies, Self::AdjudicatedWin, Self::AdjudicatedDraw];
        let faults = FaultKind::ALL.into_iter().map(Self::Fault);
        rules.chain(others).chain(faults).find(|ending| ending.name() == name)
    }

    /// The fault, if it was one.
    pub const fn fault(self) -> Option<FaultKind> {
        match self {
            Self::Fault(kind) => Some(kind),
            _ => None,
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What statistics need to know of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// Which game of the match.
    pub slot: Slot,
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// Why it ended.
    pub ending: Ending,
    /// Its length, opening included.
    pub plies: usize,
    /// The largest overruns of attackers and defenders, forgiven ones too; zero without any.
    pub overruns: [Duration; 2],
}

impl GameResult {
    /// The half points (0, 1, 2) of attackers and defenders.
    pub const fn points(&self) -> [u32; 2] {
        match self.winner {
            Some(Side::Attackers) => [2, 0],
            Some(Side::Defenders) => [0, 2],
            None => [1, 1],
        }
    }

    /// The half points of an engine; `None` if it did not play.
    pub fn points_of(&self, engine: usize) -> Option<u32> {
        let [attackers, defenders] = self.points();
        match self.slot.players {
            [a, _] if a == engine => Some(attackers),
            [_, d] if d == engine => Some(defenders),
            _ => None,
        }
    }

    /// The engine that is to blame for a fault.
    pub fn culprit(&self) -> Option<usize> {
        self.ending.fault()?;
        let [attackers, defenders] = self.slot.players;
        match self.winner? {
            Side::Attackers => Some(defenders),
            Side::Defenders => Some(attackers),
        }
    }
}

/// A move of a game and what its player said about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// Time taken; `None` for a move of the opening.
    pub time: Option<Duration>,
    /// For the side that moved.
    pub score: Option<Score>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
}

/// An answer that took longer than its player had.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overrun {
    /// Who.
    pub side: Side,
    /// At which ply of the game, from 1.
    pub ply: usize,
    /// By how much.
    pub by: Duration,
}

/// A whole game.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// What came of it.
    pub result: GameResult,
    /// The first position, if it is not the start of the rule set.
    pub fen: Option<String>,
    /// The moves, those of the opening first.
    pub moves: Vec<PlayedMove>,
    /// How many of them are the opening's.
    pub opening_plies: usize,
    /// Every overrun, in order.
    pub overruns: Vec<Overrun>,
    /// The fault that ended it and the last lines of the conversation.
    pub fault: Option<(Fault, Vec<String>)>,
    /// How long it took.
    pub time: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_read_back() {
        for ending in ["king-captured", "no-moves", "max-plies", "adjudicated-draw", "crash"] {
            assert_eq!(Ending::parse(ending).map(Ending::name), Some(ending));
        }
        assert_eq!(Ending::parse("boredom"), None);
    }

    #[test]
    fn points_and_blame() {
        let slot = Slot { number: 1, pair: 1, round: 0, players: [2, 0] };
        let ending = Ending::Fault(FaultKind::Crash);
        let winner = Some(Side::Defenders);
        let overruns = [Duration::ZERO; 2];
        let result = GameResult { slot, winner, ending, plies: 9, overruns };
        assert_eq!([0, 1, 2].map(|engine| result.points_of(engine)), [Some(2), None, Some(0)]);
        assert_eq!(result.culprit(), Some(2));
        assert_eq!(GameResult { ending: Ending::MaxPlies, ..result }.culprit(), None);
    }
}
