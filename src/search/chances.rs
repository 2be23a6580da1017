//! What a score means for the result of the game.

use super::score::{Score, ScoreKind};
use crate::eval::odds::{Odds, odds};
use crate::game::rules::{Rules, Side};

/// The chances of `side` with a score for it: what is proven is certain.
pub fn chances(score: Score, rules: &Rules, side: Side) -> Odds {
    match score.kind() {
        ScoreKind::Win(_) => Odds::WON,
        ScoreKind::Loss(_) => Odds::LOST,
        ScoreKind::Centipawns(value) => odds(rules, side, value),
    }
}
