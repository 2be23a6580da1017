//! What a position is worth, without looking ahead.
//!
//! The search asks an [`Evaluation`] and tells it of every move, so that one that keeps sums from
//! move to move (a network) can take the place of the hand-made one. People ask [`explain`].
//!
//! The hand-made one is linear: `features` counts things on a board (with `shape`, `lanes` and
//! `places`, which know its squares), `weights` says for each [`family`] of rule sets what they are
//! worth, and `handmade` adds up.

pub mod family;
pub(crate) mod features;
mod handmade;
mod lanes;
pub mod odds;
mod pair;
pub(crate) mod places;
mod shape;
pub mod table;
mod weights;

use crate::game::any_size::Game;
use crate::game::geometry::Geometry;
use crate::game::position::Position;
use crate::with_position;

pub use handmade::HandMade;

/// Judges positions along a line of play.
///
/// The search calls `reset` at its root, then `played` after each move and `undone` after each one
/// taken back, and `evaluate` whenever it wants to know. The position is always the current one.
pub trait Evaluation<G: Geometry> {
    /// Forgets the line and starts at this position.
    fn reset(&mut self, position: &Position<G>);

    /// The last move of the position has just been made.
    fn played(&mut self, position: &Position<G>);

    /// A move has just been taken back.
    fn undone(&mut self, position: &Position<G>);

    /// The worth of the position in centipawns for the side to move. A finished game is the
    /// caller's business.
    fn evaluate(&mut self, position: &Position<G>) -> i32;
}

/// One reason of a judgement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// What is counted, in a few words.
    pub name: &'static str,
    /// What it is worth to the attackers, in centipawns.
    pub attackers: i32,
    /// What it is worth to the defenders, in centipawns.
    pub defenders: i32,
}

impl Term {
    /// What the term adds for the attackers, in centipawns: positive is good for them.
    pub const fn balance(self) -> i32 {
        self.attackers - self.defenders
    }
}

/// The judgement of a position, term by term. The balances add up to [`evaluate`].
pub fn explain(game: &Game) -> Vec<Term> {
    with_position!(game, position => HandMade::new(position.tables()).terms(position))
}

/// The worth of a position in centipawns for the attackers: positive is good for them.
pub fn evaluate(game: &Game) -> i32 {
    explain(game).into_iter().map(Term::balance).sum()
}
