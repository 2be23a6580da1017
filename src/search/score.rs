//! [`Score`]: what a position is worth to the side to move.

use std::fmt;
use std::ops::Neg;

/// The longest line a search looks at, in plies.
pub const MAX_PLY: usize = 128;

const MATE: i32 = 30_000;
/// The largest value that is not a proven win.
const MAX_CENTIPAWNS: i32 = MATE - 1_000 - 1;

/// A score for the side to move: centipawns, or a proven win or loss with its distance.
///
/// Wins and losses compare as they should: a win beats every centipawn score, a nearer win beats a
/// farther one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Score(i32);

/// A [`Score`] taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScoreKind {
    /// A judgement, in centipawns (one hundredth of a man, more or less).
    Centipawns(i32),
    /// A proven win in this many plies.
    Win(u32),
    /// A proven loss in this many plies; 0 when the game is lost already.
    Loss(u32),
}

impl Score {
    /// Even.
    pub const ZERO: Self = Self(0);
    /// The least proven win.
    pub const LEAST_PROVEN: Self = Self(MAX_CENTIPAWNS + 1);
    /// Better than every score.
    pub const INFINITE: Self = Self(MATE + 1);

    /// A judgement, kept out of the range of proven results.
    pub const fn centipawns(value: i32) -> Self {
        if value > MAX_CENTIPAWNS {
            Self(MAX_CENTIPAWNS)
        } else if value < -MAX_CENTIPAWNS {
            Self(-MAX_CENTIPAWNS)
        } else {
            Self(value)
        }
    }

    /// A win in `plies` (at most 999).
    pub const fn win_in(plies: u32) -> Self {
        Self(MATE - plies as i32)
    }

    /// A loss in `plies` (at most 999).
    pub const fn loss_in(plies: u32) -> Self {
        Self(plies as i32 - MATE)
    }

    /// What sort of score it is.
    pub const fn kind(self) -> ScoreKind {
        if self.0 > MAX_CENTIPAWNS {
            ScoreKind::Win((MATE - self.0) as u32)
        } else if self.0 < -MAX_CENTIPAWNS {
            ScoreKind::Loss((MATE + self.0) as u32)
        } else {
            ScoreKind::Centipawns(self.0)
        }
    }

    /// Is it a proven win or loss?
    pub const fn is_proven(self) -> bool {
        !matches!(self.kind(), ScoreKind::Centipawns(_))
    }

    /// The number behind the score: centipawns, or beyond them for wins and losses.
    pub const fn value(self) -> i32 {
        self.0
    }

    /// The score of a number that [`Score::value`] gave.
    pub const fn from_value(value: i32) -> Self {
        Self(value)
    }

    /// The next higher score, the upper end of a null window.
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// The next lower score.
    pub const fn previous(self) -> Self {
        Self(self.0 - 1)
    }

    /// The score seen from `plies` further down: wins and losses are that much nearer. Tables store
    /// scores so.
    pub const fn from_node(self, plies: u32) -> Self {
        match self.kind() {
            ScoreKind::Centipawns(_) => self,
            ScoreKind::Win(_) => Self(self.0 + plies as i32),
            ScoreKind::Loss(_) => Self(self.0 - plies as i32),
        }
    }

    /// The reverse of [`Score::from_node`].
    pub const fn from_root(self, plies: u32) -> Self {
        match self.kind() {
            ScoreKind::Centipawns(_) => self,
            ScoreKind::Win(_) => Self(self.0 - plies as i32),
            ScoreKind::Loss(_) => Self(self.0 + plies as i32),
        }
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind() {
            ScoreKind::Centipawns(value) => write!(f, "cp {value}"),
            ScoreKind::Win(plies) => write!(f, "win in {plies} plies"),
            ScoreKind::Loss(plies) => write!(f, "loss in {plies} plies"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_kinds() {
        assert!(Score::win_in(1) > Score::win_in(3));
        assert!(Score::win_in(999) > Score::centipawns(i32::MAX));
        assert!(Score::loss_in(2) < Score::loss_in(4));
        assert!(Score::loss_in(999) < Score::centipawns(i32::MIN + 1));
        assert!(Score::INFINITE > Score::win_in(0));
        assert_eq!(-Score::win_in(3), Score::loss_in(3));
        assert_eq!(Score::loss_in(0).kind(), ScoreKind::Loss(0));
        assert_eq!(Score::centipawns(99_999).kind(), ScoreKind::Centipawns(MAX_CENTIPAWNS));
    }

    #[test]
    fn distances_survive_the_table() {
        for score in [Score::win_in(7), Score::loss_in(8), Score::centipawns(-50)] {
            assert_eq!(score.from_node(5).from_root(5), score);
        }
        assert_eq!(Score::win_in(7).from_node(5), Score::win_in(2));
        assert_eq!(Score::win_in(2).from_root(5), Score::win_in(7));
    }
}
