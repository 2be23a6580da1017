//! [`Weights`]: what each feature is worth.

use super::family::Family;
use super::features::COUNT;
use super::places::classes;
use super::weights;
use crate::game::rules::Kind;

/// What a feature is worth to the attackers, in centipawns: on a full board, and on one that is almost
/// empty.
pub type Weight = (i16, i16);

/// The weights of a family.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Those of the features that are counted.
    pub counts: [Weight; COUNT],
    /// Those of the classes of squares: of attackers, defenders, then the king.
    pub squares: &'static [Weight],
}

impl Weights {
    /// The weights of a family.
    pub const fn of(family: Family) -> &'static Self {
        match family {
            Family::EdgeStrong => &weights::EDGE_STRONG,
            Family::EdgeWeak => &weights::EDGE_WEAK,
            Family::Camps => &weights::CAMPS,
            Family::Corner => &weights::CORNER,
            Family::LargeCorner => &weights::LARGE_CORNER,
            Family::SmallCorner => &weights::SMALL_CORNER,
            Family::SmallEdge => &weights::SMALL_EDGE,
        }
    }

    /// The weight of a piece on a square of a class.
    pub fn square(&self, kind: Kind, class: usize) -> Weight {
        let classes = self.squares.len() / 3;
        self.squares.get(kind as usize * classes + class).copied().unwrap_or_default()
    }

    /// The weight of a feature, the classes of squares being numbered behind the others.
    pub fn all(&self, feature: usize) -> Weight {
        let known = self.counts.get(feature).or_else(|| self.squares.get(feature - COUNT));
        known.copied().unwrap_or_default()
    }
}

/// How many features a family has, classes of squares included.
pub const fn features(family: Family) -> usize {
    COUNT + 3 * classes(family.size())
}
