//! [`Pair`]: sums for a full and for an almost empty board, and what lies between.

use super::table::Weight;

/// A full board and an almost empty one are so many steps apart.
pub const PHASES: i32 = 64;

/// Two sums in one number, so that one addition adds to both: the one for a full board in the high
/// half, the one for an almost empty board in the low half.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Pair(i32);

impl Pair {
    /// The weight as a sum of one.
    pub const fn new((full, bare): Weight) -> Self {
        Self(((full as i32) << 16).wrapping_add(bare as i32))
    }

    /// This sum and `count` times the other.
    #[inline]
    pub const fn add(self, other: Self, count: i32) -> Self {
        Self(self.0.wrapping_add(other.0.wrapping_mul(count)))
    }

    /// The value between the two, `phase` steps from the almost empty board.
    #[inline]
    pub const fn at(self, phase: i32) -> i32 {
        let bare = self.0 as i16 as i32;
        let full = self.0.wrapping_sub(bare) >> 16;
        (full * phase + bare * (PHASES - phase)) >> PHASES.ilog2()
    }
}

/// What goes beyond so many centipawns counts for an eighth: sums so high lie outside what the weights
/// were fitted to, and a search that believed them would no longer look for the win.
const CERTAIN: i32 = 1_000;

/// A sum with what goes beyond [`CERTAIN`] damped.
#[inline]
pub const fn damped(sum: i32) -> i32 {
    let within = if sum > CERTAIN {
        CERTAIN
    } else if sum < -CERTAIN {
        -CERTAIN
    } else {
        sum
    };
    within + (sum - within) / 8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_hold_two_sums() {
        let sum = Pair::new((-5, 7)).add(Pair::new((100, -300)), 3).add(Pair::new((2, 1)), -1);
        assert_eq!((sum.at(PHASES), sum.at(0)), (293, -894));
        assert_eq!(sum.at(PHASES / 2), (293 - 894) >> 1);
    }

    #[test]
    fn high_sums_are_damped_and_keep_their_order() {
        assert_eq!(
            [-1_800, -1_000, 7, 1_000, 2_600].map(damped),
            [-1_100, -1_000, 7, 1_000, 1_200]
        );
    }
}
