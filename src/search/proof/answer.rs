//! What may be asked of a proof search, and what it answers.

use std::time::Duration;

use super::check::{Checked, Flaw};
use crate::game::moves::Move;
use crate::game::outcome::Outcome;
use crate::game::rules::Side;

/// What a proof may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Positions looked at, at the most.
    pub nodes: Option<u64>,
    /// Time, at the most.
    pub time: Option<Duration>,
}

/// A proven result. It has been played out against every answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// Who wins.
    pub winner: Side,
    /// Plies to the end of the game; no defence lasts longer.
    pub plies: u32,
    /// The line of the longest defence, to the end of the game.
    pub line: Vec<Move>,
    /// No win takes fewer plies than this: the length is minimal if it is that of the proof.
    pub at_least: u32,
    /// Positions for which the proof has a move of the winner.
    pub positions: usize,
}

impl Proof {
    /// A proof that was played out.
    pub(super) fn of(winner: Side, checked: Checked) -> Self {
        let Checked { plies, line, positions } = checked;
        let plies = u32::from(plies);
        // The side that has just moved wins after an even number of plies.
        let at_least = if plies.is_multiple_of(2) { 2.min(plies) } else { 1 };
        Self { winner, plies, line, at_least, positions }
    }

    /// Is there no shorter win?
    pub fn is_minimal(&self) -> bool {
        self.at_least == self.plies
    }
}

/// What there is to say of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The game is over.
    Over(Outcome),
    /// One side wins by force.
    Proven(Proof),
    /// Neither side can force a win.
    NobodyWins,
    /// Not known.
    Open(Open),
}

/// Why nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Open {
    /// Stopped from outside.
    Interrupted,
    /// The time or the nodes are used up.
    Spent,
    /// All that is left to try comes back to positions that have been there: there is no win, as far
    /// as this search can see.
    OnlyRepetition,
    /// A win was found that could not be confirmed.
    Unconfirmed(Flaw),
}

/// A verdict and what it cost.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// What there is to say.
    pub verdict: Verdict,
    /// Positions looked at.
    pub nodes: u64,
    /// Time spent.
    pub time: Duration,
}

/// The answer to a question with a bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Within {
    /// The side wins within so many plies, played out against every answer.
    Yes(Proof),
    /// It does not.
    No,
    /// Not known: the effort is used up, or the win could not be confirmed.
    Unknown,
}
