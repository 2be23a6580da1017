//! [`Family`]: rule sets that are judged by the same weights.

use crate::game::rules::{Goal, KingCapture, Rules};

/// A family of rule sets. Every rule set belongs to one, also those that somebody writes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Family {
    /// Edge goal, the king is taken by four in the open.
    EdgeStrong,
    /// Edge goal, the king is taken by two in the open.
    EdgeWeak,
    /// Edge goal, camps of the attackers.
    Camps,
    /// Corner goal, 9x9.
    Corner,
    /// Corner goal, 11x11 and larger.
    LargeCorner,
    /// Corner goal, 7x7.
    SmallCorner,
    /// Edge goal, 7x7.
    SmallEdge,
}

impl Family {
    /// All families, in the order of their numbers.
    pub const ALL: [Self; 7] = [
        Self::EdgeStrong,
        Self::EdgeWeak,
        Self::Camps,
        Self::Corner,
        Self::LargeCorner,
        Self::SmallCorner,
        Self::SmallEdge,
    ];

    /// The family of a rule set.
    pub fn of(rules: &Rules) -> Self {
        match (rules.goal, rules.size) {
            (Goal::Corners, ..=7) => Self::SmallCorner,
            (Goal::Corners, 8..=9) => Self::Corner,
            (Goal::Corners, _) => Self::LargeCorner,
            (Goal::Edge, ..=7) => Self::SmallEdge,
            (Goal::Edge, _) if rules.attacker_camps.squares().next().is_some() => Self::Camps,
            (Goal::Edge, _) => match rules.elsewhere {
                KingCapture::Surround => Self::EdgeStrong,
                KingCapture::Custodial => Self::EdgeWeak,
            },
        }
    }

    /// Its name in the table of weights.
    pub const fn name(self) -> &'static str {
        match self {
            Self::EdgeStrong => "EDGE_STRONG",
            Self::EdgeWeak => "EDGE_WEAK",
            Self::Camps => "CAMPS",
            Self::Corner => "CORNER",
            Self::LargeCorner => "LARGE_CORNER",
            Self::SmallCorner => "SMALL_CORNER",
            Self::SmallEdge => "SMALL_EDGE",
        }
    }

    /// What it is, in words.
    pub const fn summary(self) -> &'static str {
        match self {
            Self::EdgeStrong => "Edge goal, the king is taken by four in the open.",
            Self::EdgeWeak => "Edge goal, the king is taken by two in the open.",
            Self::Camps => "Edge goal, camps of the attackers.",
            Self::Corner => "Corner goal, 9x9.",
            Self::LargeCorner => "Corner goal, 11x11 and larger.",
            Self::SmallCorner => "Corner goal, 7x7.",
            Self::SmallEdge => "Edge goal, 7x7.",
        }
    }

    /// The size of the boards for which its weights of squares are written. Those of other boards
    /// are taken from the square at the same part of the way to the middle.
    pub const fn size(self) -> usize {
        match self {
            Self::EdgeStrong | Self::Camps | Self::Corner => 9,
            Self::EdgeWeak | Self::LargeCorner => 11,
            Self::SmallCorner | Self::SmallEdge => 7,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::variants::variant;

    #[test]
    fn families_of_the_catalogue() {
        for (id, family) in [
            ("tablut", Family::EdgeStrong),
            ("parlett", Family::EdgeStrong),
            ("tablut-saami", Family::EdgeWeak),
            ("tawlbwrdd", Family::EdgeWeak),
            ("tablut-ashton", Family::Camps),
            ("tablut-foteviken", Family::Camps),
            ("tablut-corner", Family::Corner),
            ("copenhagen", Family::LargeCorner),
            ("alea-evangelii", Family::LargeCorner),
            ("brandubh", Family::SmallCorner),
            ("ard-ri", Family::SmallEdge),
        ] {
            assert_eq!(Family::of(&variant(id).unwrap()), family, "{id}");
        }
        assert!(Family::ALL.iter().enumerate().all(|(i, family)| *family as usize == i));
    }
}
